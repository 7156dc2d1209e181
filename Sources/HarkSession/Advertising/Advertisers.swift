import HarkCore
import HarkDissection

/// What devices advertise that a phone's picker of accessories could find them by. It is gathered only
/// where somebody asks for it: nothing else wants every report's data.
public struct Advertisers: Sendable {
  public struct Advertiser: Sendable {
    /// Nil for the host that the capture was made on.
    public let address: BluetoothAddress?
    /// The packet that shows it first.
    public let first: PacketID
    /// Of lists of services and of service data. Core Specification Supplement, Part A, 1.1 and 1.11
    public fileprivate(set) var services: Set<BluetoothUUID> = []
    /// Of manufacturer specific data. Supplement, Part A, 1.4
    public fileprivate(set) var companies: Set<UInt16> = []
    /// Complete names, and beginnings of them. Supplement, Part A, 1.2
    public fileprivate(set) var names: Set<String> = []
    public fileprivate(set) var shortNames: Set<String> = []
    public fileprivate(set) var isConnectable = false
    fileprivate var isScannable = false
    fileprivate var hasScanResponse = false

    /// Whether it has more to say than the capture shows.
    public var lacksScanResponse: Bool { isScannable && !hasScanResponse }
  }

  /// How a datum was advertised.
  struct Kind: OptionSet {
    let rawValue: UInt16

    // The bits of the Event_Type of HCI_LE_Extended_Advertising_Report. Vol 4, Part E, 7.7.65.13
    static let connectable = Kind(rawValue: 1)
    static let scannable = Kind(rawValue: 2)
    static let scanResponse = Kind(rawValue: 8)

    init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The Event_Type of HCI_LE_Advertising_Report. 7.7.65.2
    init(legacy: UInt8) {
      self =
        switch legacy {
        case 0: [.connectable, .scannable]
        case 1: .connectable
        case 2: .scannable
        case 4: .scanResponse
        default: []
        }
    }

    /// The type of an advertising PDU. Vol 6, Part B, 2.3
    init(pdu: LLAdvertisingPDU.PDUType) {
      self =
        switch pdu {
        case .advInd: [.connectable, .scannable]
        case .scanRsp: .scanResponse
        case .advScanInd: .scannable
        default: []
        }
    }
  }

  /// In the order they were heard.
  public private(set) var all: [Advertiser] = []
  private var places: [BluetoothAddress?: Int] = [:]
  /// Whether there were more than are kept.
  public private(set) var isFull = false

  static let most = 4_096
  /// Services, companies and names of one.
  private static let mostOfOne = 64

  init() {}

  /// - Parameter address: Nil where this host advertises.
  mutating func take(
    _ data: [UInt8], by address: BluetoothAddress?, _ kind: Kind, _ packet: PacketID
  ) {
    let place: Int
    if let known = places[address] {
      place = known
    } else if all.count < Self.most {
      place = all.count
      all.append(Advertiser(address: address, first: packet))
      places[address] = place
    } else {
      isFull = true
      return
    }
    if kind.contains(.scanResponse) {
      all[place].hasScanResponse = true
    } else {
      if kind.contains(.connectable) { all[place].isConnectable = true }
      if kind.contains(.scannable) { all[place].isScannable = true }
    }
    all[place].take(data)
  }
}

extension Advertisers.Advertiser {
  private static let most = 64

  fileprivate mutating func take(_ data: [UInt8]) {
    var start = 0
    while start + 1 < data.count, data[start] > 0 {
      let end = min(data.count, start + 1 + Int(data[start]))
      // What the recorder cut says nothing.
      guard end == start + 1 + Int(data[start]) else { return }
      structure(data[start + 1], data[(start + 2)..<max(start + 2, end)])
      start = end
    }
  }

  private mutating func structure(_ type: UInt8, _ value: ArraySlice<UInt8>) {
    switch type {
    case 0x02, 0x03: uuids(value, of: 2)
    case 0x04, 0x05: uuids(value, of: 4)
    case 0x06, 0x07: uuids(value, of: 16)
    case 0x16: uuids(value.prefix(2), of: 2)
    case 0x20: uuids(value.prefix(4), of: 4)
    case 0x21: uuids(value.prefix(16), of: 16)
    case 0x08 where shortNames.count < Self.most:
      shortNames.insert(String(decoding: value, as: UTF8.self))
    case 0x09 where names.count < Self.most: names.insert(String(decoding: value, as: UTF8.self))
    case 0xFF where value.count >= 2 && companies.count < Self.most:
      companies.insert(UInt16(value[value.startIndex]) | UInt16(value[value.startIndex + 1]) << 8)
    default: break
    }
  }

  private mutating func uuids(_ value: ArraySlice<UInt8>, of size: Int) {
    var rest = value
    while rest.count >= size, services.count < Self.most {
      if let uuid = BluetoothUUID(littleEndian: Array(rest.prefix(size)).raw) {
        services.insert(uuid)
      }
      rest = rest.dropFirst(size)
    }
  }
}

extension Session {
  /// Gathers what devices advertise from now on.
  public mutating func gatherAdvertisers() {
    tables.advertisers = tables.advertisers ?? Advertisers()
  }

  /// The device that advertises with an address, also with a resolvable private one whose IRK is known.
  public func device(at address: BluetoothAddress) -> DeviceID? { tables.devices.resolve(address) }
}
