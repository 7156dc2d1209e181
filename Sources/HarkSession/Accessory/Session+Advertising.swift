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

  // MARK: Data that came in parts

  /// Whose parts make one datum: those of an advertiser's set, of one kind of its PDUs, or those of a
  /// periodic advertising train.
  struct Source: Hashable {
    let controller: UInt16
    let address: BluetoothAddress
    let set: UInt16
    let kind: UInt16
  }

  /// Of extended and periodic advertising data, in bytes. Vol 4, Part E, 7.8.54, 7.8.62
  private static let longest = 1_650
  private static let mostParts = 256
  private var partial: [Source: Joined] = [:]

  struct Joined {
    fileprivate(set) var bytes: [UInt8] = []
    fileprivate(set) var packets: [PacketID] = []
    /// Whether a part is missing, so that nothing can be put behind it.
    fileprivate var isBroken = false
  }

  /// Takes a part, and gives the data that it ends.
  /// - Parameter part: Nil where the recorder did not keep it.
  mutating func join(
    _ part: [UInt8]?, of source: Source, isMoreToCome: Bool, _ packet: PacketID
  ) -> Joined? {
    var joined = partial.removeValue(forKey: source) ?? Joined()
    if let part, joined.bytes.count + part.count <= Self.longest {
      joined.bytes += part
    } else {
      joined.isBroken = true
    }
    if !joined.isBroken, joined.packets.last != packet { joined.packets.append(packet) }
    guard isMoreToCome else { return joined.isBroken ? nil : joined }
    if partial.count >= Self.mostParts { partial = [:] }
    partial[source] = joined
    return nil
  }

  // MARK: Periodic advertising trains

  private struct Train: Hashable {
    let controller: UInt16
    let handle: UInt16
  }

  private var trains: [Train: BluetoothAddress] = [:]

  /// Whose train a Sync_Handle stands for; nil where that was not captured.
  func advertiser(ofTrain handle: UInt16, _ controller: UInt16) -> BluetoothAddress? {
    trains[Train(controller: controller, handle: handle)]
  }

  mutating func synchronized(
    _ handle: UInt16, _ controller: UInt16, with address: BluetoothAddress?
  ) {
    if trains.count >= Self.most { trains = [:] }
    trains[Train(controller: controller, handle: handle)] = address
  }
}

// Vendors' messages that belong to no link: advertising, and events of the controller itself.
// Core Specification, Vol 4, Part E, 7.7.65.
extension Session {
  /// Gives what vendors say in advertising reports to their framings. Whose it is the address tells.
  /// Data that is split over reports is put together first. 7.7.65.2, 7.7.65.13, 7.7.65.15
  mutating func advertised(_ bytes: RawSpan, _ moment: Moment) {
    describe(bytes, .record(.event), moment)
    var report = Report(controller: moment.controller)
    var found: [(report: Report, data: Range<Int>)] = []
    for node in tree.nodes {
      let value = UInt16(truncatingIfNeeded: node.value)
      switch node.field {
      case Paths.HCI.eventType:
        report.kind = Advertisers.Kind(legacy: UInt8(truncatingIfNeeded: value)).rawValue
      case Paths.HCI.extendedEventType:
        // Bits 5 and 6 are the Data_Status; the others tell advertising from scan responses.
        (report.status, report.kind) = (value >> 5 & 3, value & 0x1F)
      case Paths.HCI.addressType: report.addressType = UInt8(truncatingIfNeeded: value)
      case Paths.HCI.address:
        report.address = BluetoothAddress(node.value, hciType: report.addressType)
      case Paths.HCI.sid: report.set = value
      case Paths.HCI.syncHandle:
        report.set = value
        report.kind = Report.periodic
        report.address = advertisements.advertiser(ofTrain: value, moment.controller)
      case Paths.HCI.subeventNumber: report.kind = Report.periodic | value
      case Paths.HCI.dataStatus: report.status = value & 3
      case Paths.HCI.dataLength:
        found.append((report, node.range.upperBound..<node.range.upperBound + Int(value)))
      default: break
      }
    }
    for (report, data) in found { advertised(data, of: bytes, report, moment) }
  }

  private struct Report {
    static let periodic: UInt16 = 0x100

    let controller: UInt16
    var addressType: UInt8 = 0
    var address: BluetoothAddress?
    var set: UInt16 = 0
    var kind: UInt16 = 0
    /// Data_Status: 1 where more data is to come, 2 where it is not whole and will not be.
    var status: UInt16 = 0

    init(controller: UInt16) { self.controller = controller }
  }

  private mutating func advertised(
    _ data: Range<Int>, of bytes: RawSpan, _ report: Report, _ moment: Moment
  ) {
    guard let address = report.address else { return }
    let source = VendorAdvertisements.Source(
      controller: report.controller, address: address, set: report.set, kind: report.kind)
    let part = data.upperBound <= bytes.byteCount ? bytes.array(data) : nil
    guard
      let joined = advertisements.join(
        part, of: source, isMoreToCome: report.status == 1, moment.packet)
    else { return }
    let kind = Advertisers.Kind(rawValue: report.kind)
    advertised(joined.bytes, by: address, kind, joined.packets, moment)
  }

  /// Whether somebody asks for what is advertised.
  var wantsAdvertising: Bool { accessories.framings.usesAdvertising || advertisers != nil }

  /// An extended inquiry response is advertising of another kind. 7.7.38
  mutating func inquiryAnswered(_ bytes: RawSpan, _ moment: Moment) {
    guard bytes.byteCount > 17 else { return }
    advertised(
      bytes.array(17..<bytes.byteCount), by: BluetoothAddress(bytes.unsigned(at: 3, 6)),
      .connectable, [moment.packet], moment)
  }

  mutating func advertised(
    _ data: [UInt8], by address: BluetoothAddress, _ kind: Advertisers.Kind,
    _ packets: [PacketID], _ moment: Moment
  ) {
    // Trains of periodic advertising are nothing that a picker looks at.
    if kind.rawValue & Report.periodic == 0 {
      advertisers?.take(data, by: address, kind, packets.first ?? moment.packet)
    }
    var start = 0
    while start < data.count, data[start] > 0 {
      let end = start + 1 + Int(data[start])
      guard end <= data.count else { return }
      defer { start = end }
      guard let (channel, range) = Self.vendorData(start..<end, of: data.raw),
        accessories.framings.using(channel) != nil
      else { continue }
      let device = deviceTable.device(at: address, moment.packet)
      let value = Array(data[range])
      guard advertisements.isNews(value, .init(device: device, channel: channel)) else { continue }
      receive(
        value, channel, .data, toServer: false, of: .device(device), packets, missingBytes: 0, nil,
        moment)
    }
  }

  /// Learns and forgets whose a periodic advertising train is. 7.7.65.14, 7.7.65.16, 7.7.65.24
  mutating func synchronized(_ subevent: UInt16, _ bytes: RawSpan, _ moment: Moment) {
    describe(bytes, .record(.event), moment)
    guard let handle = value(Paths.HCI.syncHandle).map({ UInt16(truncatingIfNeeded: $0) }) else {
      return
    }
    var address: BluetoothAddress?
    if subevent != 0x10, value(Paths.HCI.status) == 0, let value = value(Paths.HCI.advertiser) {
      let type = self.value(Paths.HCI.advertiserType) ?? 0
      address = BluetoothAddress(value, hciType: UInt8(truncatingIfNeeded: type))
    }
    advertisements.synchronized(handle, moment.controller, with: address)
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

  /// A vendor-specific HCI event: its parameters are the value. It belongs to the controller. 5.4.4
  mutating func vendorEvent(_ bytes: RawSpan, _ moment: Moment) {
    guard bytes.byteCount > 2 else { return }
    vendorParameters(
      bytes, from: 2, until: 2 + Int(bytes.byte(at: 1)), .vendorEvent(bytes.byte(at: 2)),
      toServer: false, moment)
  }

  /// A vendor-specific HCI command: its parameters are the value. 5.4.1
  mutating func vendorCommand(_ opcode: UInt16, _ bytes: RawSpan, _ moment: Moment) {
    guard bytes.byteCount > 2 else { return }
    vendorParameters(
      bytes, from: 3, until: 3 + Int(bytes.byte(at: 2)), .vendorCommand(opcode), toServer: true,
      moment)
  }

  /// What the controller answers it by Command Complete: the return parameters are the value. 7.7.14
  mutating func vendorReturn(_ opcode: UInt16, _ bytes: RawSpan, _ moment: Moment) {
    guard bytes.byteCount > 5 else { return }
    vendorParameters(
      bytes, from: 5, until: 2 + Int(bytes.byte(at: 1)), .vendorCommand(opcode), toServer: false,
      moment)
  }

  private mutating func vendorParameters(
    _ bytes: RawSpan, from start: Int, until end: Int, _ channel: VendorChannel, toServer: Bool,
    _ moment: Moment
  ) {
    let end = min(bytes.byteCount, end)
    guard start < end, accessories.framings.using(channel) != nil else { return }
    receive(
      bytes.array(start..<end), channel, .data, toServer: toServer, of: .local(moment.controller),
      [moment.packet], missingBytes: moment.cut, nil, moment)
  }
}
