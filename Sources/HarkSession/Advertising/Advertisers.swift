import HarkCore
import HarkDissection

/// What devices advertise and a phone's accessory picker could find them by. It is collected only on request: nothing
/// else needs the data of every report.
public struct Advertisers: Sendable {
  public struct Advertiser: Sendable {
    /// Nil for the host that the capture was made on.
    public let address: BluetoothAddress?
    /// The first packet that shows it.
    public let first: PacketID
    /// From lists of services and from service data. Core Specification Supplement, Part A, 1.1 and 1.11
    public fileprivate(set) var services: Set<BluetoothUUID> = []
    /// From manufacturer specific data. Supplement, Part A, 1.4
    public fileprivate(set) var companies: Set<UInt16> = []
    /// Complete and shortened names. Supplement, Part A, 1.2
    public fileprivate(set) var names: Set<String> = []
    public fileprivate(set) var shortNames: Set<String> = []
    public fileprivate(set) var isConnectable = false
    fileprivate var isScannable = false
    fileprivate var hasScanResponse = false

    /// Whether it advertises more than the capture shows.
    public var lacksScanResponse: Bool { isScannable && !hasScanResponse }
  }

  /// How a piece of data was advertised.
  struct Kind: OptionSet {
    let rawValue: UInt16

    // The bits of the Event_Type of HCI_LE_Extended_Advertising_Report. Vol 4, Part E, 7.7.65.13
    static let connectable = Kind(rawValue: 1)
    static let scannable = Kind(rawValue: 2)
    static let scanResponse = Kind(rawValue: 8)

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(legacy: LEAdvertisingReports.Report.LegacyEventType?) {
      self =
        switch legacy {
        case .advInd: [.connectable, .scannable]
        case .advDirectInd: .connectable
        case .advScanInd: .scannable
        case .scanRsp: .scanResponse
        case .advNonconnInd, nil: []
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

  /// In the order in which they were received.
  public private(set) var all: [Advertiser] = []
  private var places: [BluetoothAddress?: Int] = [:]
  /// Whether there were more than can be kept.
  public private(set) var isFull = false

  static let most = 4_096

  init() {}

  /// - Parameter address: Nil if this host advertises.
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
    all[place].take(data.raw)
  }
}

extension Advertisers.Advertiser {
  /// The most services, companies and names.
  private static let most = 64

  fileprivate mutating func take(_ data: RawSpan) {
    var structures = ADStructures(data)
    // Data that the recorder cut proves nothing.
    while let structure = structures.next(data), structure.isWhole {
      if let content = structure.content(data) { take(content, data) }
    }
  }

  private mutating func take(_ content: ADStructures.Content, _ data: RawSpan) {
    switch content {
    case .services(let uuids):
      for uuid in uuids { take(uuid) }
    case .serviceData(let uuid, _): take(uuid)
    case .manufacturerData(let company, _):
      if companies.count < Self.most { companies.insert(company) }
    case .name(let place, let isComplete):
      let name = String(decoding: data.array(place), as: UTF8.self)
      guard name.isLikelyText else { return }
      if isComplete {
        if names.count < Self.most { names.insert(name) }
      } else {
        if shortNames.count < Self.most { shortNames.insert(name) }
      }
    case .solicitedServices: break
    }
  }

  private mutating func take(_ service: BluetoothUUID) {
    if services.count < Self.most { services.insert(service) }
  }
}

extension Session {
  /// Collects what devices advertise from now on.
  public mutating func gatherAdvertisers() {
    tables.advertising.advertisers = tables.advertising.advertisers ?? Advertisers()
  }

  /// The device that advertises with an address, which may be a resolvable private one whose IRK is known.
  public func device(at address: BluetoothAddress) -> DeviceID? { tables.devices.resolve(address) }
}
