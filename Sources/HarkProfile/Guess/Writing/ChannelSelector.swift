import HarkCore
import HarkSession

/// What `--channel` takes: a kind of channel and a number, a UUID or a name, as in `psm:0x0081`; a UUID alone means a
/// characteristic.
public struct ChannelSelector: Sendable {
  public struct Problem: Error, CustomStringConvertible {
    public let description: String
  }

  public let channel: VendorChannel
  /// As it was written.
  public let text: String

  private static let kinds = [
    "handle", "cid", "psm", "rfcomm", "ea", "tcp", "service", "company", "service-data",
    "vendor-event", "vendor-command",
  ]
  /// The same kinds as layouts and profiles call them.
  private static let otherNames = [
    "gatt-handle": "handle", "l2cap-psm": "psm", "rfcomm-channel": "rfcomm",
    "rfcomm-service": "rfcomm", "ea-protocol": "ea", "tcp-port": "tcp",
    "manufacturer-data": "company", "advertising-company": "company",
    "advertising-service-data": "service-data", "hci-vendor-event": "vendor-event",
    "hci-vendor-command": "vendor-command", "gatt-characteristic": "uuid",
    "characteristic": "uuid",
  ]

  public init(_ text: String) throws(Problem) {
    let parts = text.split(separator: ":", maxSplits: 1).map { String($0.trimmed) }
    self.text = text
    if let uuid = BluetoothUUID(written: text) {
      channel = .characteristic(uuid)
      return
    }
    guard parts.count == 2 else {
      throw Problem(
        description: "'\(text)' names no channel; expected a UUID, or one of "
          + "\(Self.kinds.joined(separator: ", ")) with a value, such as psm:0x0081")
    }
    channel = try Self.channel(Self.kind(parts[0]), parts[1])
  }

  /// The kind of channel that a layout or profile may name differently, in any case.
  package static func kind(_ text: String) -> String {
    let given = text.lowercased()
    return otherNames[given] ?? given
  }

  /// - Parameters:
  ///   - kind: As `kind(_:)` gives it.
  ///   - value: A number, a UUID or a name, as the kind has them.
  package static func channel(_ kind: String, _ value: String) throws(Problem) -> VendorChannel {
    func number<Number: FixedWidthInteger>(_ range: ClosedRange<Number>) throws(Problem) -> Number {
      if let number = Number(written: value), range.contains(number) { return number }
      throw Problem(
        description: "'\(value)' is not a \(kind): expected a number from \(range.lowerBound) to "
          + "\(range.upperBound), decimal or hexadecimal with 0x")
    }
    func uuid() throws(Problem) -> BluetoothUUID {
      if let uuid = BluetoothUUID(written: value) { return uuid }
      throw Problem(description: "'\(value)' is not a UUID")
    }
    switch kind {
    case "handle": return .handle(try number(1...0xFFFF))
    case "cid": return .cid(try number(1...0xFFFF))
    case "psm": return .psm(try number(1...0xFFFF))
    case "rfcomm":
      // Classes of services are larger numbers.
      if let number = UInt8(written: value), 1...30 ~= number { return .serverChannel(number) }
      if let uuid = BluetoothUUID(written: value) { return .service(uuid) }
      throw Problem(
        description: "'\(value)' is neither a server channel of RFCOMM, from 1 to 30, nor the UUID "
          + "of a service")
    case "ea": return .externalAccessory(value)
    case "tcp": return .tcpPort(try number(1...0xFFFF))
    case "service": return .networkService(value)
    case "company": return .manufacturerData(try number(0...0xFFFF))
    case "service-data": return .serviceData(try uuid())
    case "vendor-event": return .vendorEvent(try number(0...0xFF))
    case "vendor-command": return .vendorCommand(try number(0xFC00...0xFFFF))
    case "uuid": return .characteristic(try uuid())
    default:
      throw Problem(
        description: "'\(kind)' is not a kind of channel; "
          + (kind.nearest(among: kinds).map { "did you mean '\($0)'?" }
            ?? "expected a UUID, or one of \(kinds.joined(separator: ", "))"))
    }
  }

  /// Whether it names a channel, or a characteristic by its service.
  public func matches(_ traffic: Traffic) -> Bool {
    if case .characteristic(let uuid) = channel, uuid.handle == nil, traffic.service == uuid {
      return true
    }
    return traffic.channel.selector.lowercased() == channel.selector.lowercased()
  }
}
