import HarkCore
import HarkDissection

/// What each advertiser said last on a vendor's channel.
struct VendorAdvertisements {
  struct Key: Hashable {
    let device: DeviceID
    let channel: VendorChannel
  }

  /// Hostile and very long captures hold any number of advertisers: then all is forgotten, and what
  /// is said again is a message once more.
  private static let most = 4_096
  private var last: [Key: [UInt8]] = [:]

  /// Whether it is not what was said before: advertisers repeat themselves ten times a second.
  mutating func isNews(_ bytes: [UInt8], _ key: Key) -> Bool {
    if last[key] == bytes { return false }
    if last.count >= Self.most { last = [:] }
    last[key] = bytes
    return true
  }
}

// Vendors' messages that belong to no link: advertising, and events of the controller itself.
extension Session {
  /// Gives what vendors say in advertising reports to their framings. Whose it is the address tells.
  mutating func advertised(_ bytes: RawSpan, _ moment: Moment) {
    describe(bytes, .record(.event), moment)
    var found: [(address: BluetoothAddress, channel: VendorChannel, value: Range<Int>)] = []
    var (type, address): (UInt8, BluetoothAddress?) = (0, nil)
    for node in tree.nodes {
      switch node.field {
      case Paths.HCI.addressType: type = UInt8(truncatingIfNeeded: node.value)
      case Paths.HCI.address: address = BluetoothAddress(node.value, hciType: type)
      case Paths.AD.structure:
        guard let address, let (channel, value) = Self.vendorData(node.range, of: bytes),
          accessories.framings.using(channel) != nil
        else { continue }
        found.append((address, channel, value))
      default: break
      }
    }
    for (address, channel, range) in found {
      let device = deviceTable.device(at: address, moment.packet)
      let value = bytes.array(range)
      guard advertisements.isNews(value, .init(device: device, channel: channel)) else { continue }
      receive(
        value, channel, .data, toServer: false, of: .device(device), [moment.packet],
        missingBytes: 0, nil, moment)
    }
  }

  /// The channel that an AD structure is a value of, and where the value stands; nil where the
  /// structure is of another type or not whole. Supplement, Part A, 1.4 and 1.11.
  private static func vendorData(
    _ structure: Range<Int>, of bytes: RawSpan
  ) -> (channel: VendorChannel, value: Range<Int>)? {
    guard structure.count >= 2, Int(bytes.byte(at: structure.lowerBound)) + 1 == structure.count
    else { return nil }
    let size =
      switch bytes.byte(at: structure.lowerBound + 1) {
      case 0x16, 0xFF: 2
      case 0x20: 4
      case 0x21: 16
      default: 0
      }
    let start = structure.lowerBound + 2
    guard size > 0, start + size <= structure.upperBound else { return nil }
    let value = start + size..<structure.upperBound
    if bytes.byte(at: start - 1) == 0xFF {
      let company = UInt16(truncatingIfNeeded: bytes.unsigned(at: start, 2))
      return (.manufacturerData(company), value)
    }
    return BluetoothUUID(littleEndian: bytes.extracting(start..<start + size)).map {
      (.serviceData($0), value)
    }
  }

  /// A vendor-specific HCI event: its parameters are the value. It belongs to the controller.
  mutating func vendorEvent(_ bytes: RawSpan, _ moment: Moment) {
    guard bytes.byteCount > 2 else { return }
    let channel = VendorChannel.vendorEvent(bytes.byte(at: 2))
    guard accessories.framings.using(channel) != nil else { return }
    receive(
      bytes.array(2..<min(bytes.byteCount, 2 + Int(bytes.byte(at: 1)))), channel, .data,
      toServer: false, of: .local(moment.controller), [moment.packet], missingBytes: moment.cut,
      nil, moment)
  }
}
