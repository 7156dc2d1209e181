import HarkCore
import HarkDissection

/// The last message of each advertiser on a vendor's channel.
struct VendorAdvertisements {
  struct Key: Hashable {
    let device: DeviceID
    let channel: VendorChannel
  }

  /// Hostile and very long captures contain any number of advertisers: beyond a limit, all are forgotten, and
  /// repeated data counts as a new message.
  private static let most = 4_096
  private var last: [Key: [UInt8]] = [:]

  /// Whether it differs from the previous message: advertisers repeat themselves ten times per second.
  mutating func isNews(_ bytes: [UInt8], _ key: Key) -> Bool {
    if last[key] == bytes { return false }
    if last.count >= Self.most { last = [:] }
    last[key] = bytes
    return true
  }

  typealias Source = AdvertisingFragments.Source

  var fragments = AdvertisingFragments()

  // MARK: Periodic advertising trains

  private struct Train: Hashable {
    let controller: UInt16
    let handle: UInt16
  }

  private var trains: [Train: BluetoothAddress] = [:]

  /// The owner of the train with a Sync_Handle; nil if it is not in the capture.
  func advertiser(ofTrain handle: UInt16, _ controller: UInt16) -> BluetoothAddress? {
    trains[Train(controller: controller, handle: handle)]
  }

  mutating func synchronized(
    _ handle: UInt16, _ controller: UInt16, with address: BluetoothAddress?
  ) {
    if trains.count >= Self.most { trains = [:] }
    trains[Train(controller: controller, handle: handle)] = address
  }

  /// A controller is reset: it continues no data, and follows no train.
  mutating func forget(controller: UInt16) {
    trains = trains.filter { $0.key.controller != controller }
    fragments.forget(controller: controller)
  }
}

// Vendors' messages that belong to no link: advertising, and events of the controller itself.
// Core Specification, Vol 4, Part E, 7.7.65.
extension AccessoryFollower {
  /// Passes vendors' data in advertising reports to their framings. The address identifies the device. Data that is
  /// split over several reports is reassembled first. 7.7.65.2, 7.7.65.13, 7.7.65.15
  mutating func advertised(_ bytes: RawSpan, _ moment: PacketContext, _ tables: inout Tables) {
    var reports = LEAdvertisingReports(bytes)
    while let report = reports.next(bytes) {
      guard let data = report.data else { continue }
      let kind =
        switch report.kind {
        case .legacy(let type): Advertisers.Kind(legacy: type).rawValue
        case .extended(let type): type
        case .directed: UInt16(0)
        }
      let source = VendorAdvertisements.Source(
        controller: moment.controller, address: report.address, set: UInt16(report.sid ?? 0),
        kind: .reports(kind))
      let part = data.upperBound <= bytes.byteCount ? bytes.array(data) : nil
      advertised(
        part, of: source, isMoreToCome: report.isMoreToCome, isCut: report.isCut, moment, &tables)
    }
  }

  /// As above, for a report of a periodic advertising train.
  mutating func advertised(
    _ report: LEPeriodicAdvertisingReport, _ bytes: RawSpan, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard
      let address = advertisements.advertiser(ofTrain: report.syncHandle, moment.controller)
    else { return }
    let source = VendorAdvertisements.Source(
      controller: moment.controller, address: address, set: report.syncHandle,
      kind: .train(subevent: report.subevent ?? 0))
    advertised(
      report.data.map { bytes.array($0) }, of: source,
      isMoreToCome: report.status == .moreToCome, isCut: report.status == .incomplete, moment,
      &tables)
  }

  private mutating func advertised(
    _ part: [UInt8]?, of source: VendorAdvertisements.Source, isMoreToCome: Bool,
    isCut: Bool, _ moment: PacketContext, _ tables: inout Tables
  ) {
    if let part, let open = advertisements.fragments[source],
      tables.isOfOtherData(part.raw, than: open, isLast: !isMoreToCome && !isCut, moment)
    {
      advertisements.fragments.end(source)
    }
    guard
      let joined = advertisements.fragments.join(
        part, of: source, isMoreToCome: isMoreToCome, moment)
    else { return }
    let kind: Advertisers.Kind? =
      if case .reports(let type) = source.kind { Advertisers.Kind(rawValue: type) } else { nil }
    advertised(joined.bytes, by: source.address, kind, joined.packets, moment, &tables)
  }

  /// An extended inquiry response is another kind of advertising. 7.7.38
  mutating func inquiryAnswered(
    _ address: BluetoothAddress, _ bytes: RawSpan, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let data = HCIExtendedInquiryResult.data(bytes) else { return }
    advertised(bytes.array(data), by: address, .connectable, [moment.packet], moment, &tables)
  }

  /// - Parameter kind: Nil for periodic advertising.
  mutating func advertised(
    _ data: [UInt8], by address: BluetoothAddress, _ kind: Advertisers.Kind?,
    _ packets: [PacketID], _ moment: PacketContext, _ tables: inout Tables
  ) {
    // A picker does not look at periodic advertising trains.
    if let kind {
      tables.advertising.advertisers?.take(data, by: address, kind, packets.first ?? moment.packet)
    }
    var structures = ADStructures(data.raw)
    while let structure = structures.next(data.raw), structure.isWhole {
      let (channel, range): (VendorChannel, Range<Int>)
      switch structure.content(data.raw) {
      case .serviceData(let uuid, let value): (channel, range) = (.serviceData(uuid), value)
      case .manufacturerData(let company, let value):
        (channel, range) = (.manufacturerData(company), value)
      default: continue
      }
      guard tables.framings.using(channel) != nil else { continue }
      let device = tables.devices.device(at: address, moment.packet)
      let value = Array(data[range])
      guard advertisements.isNews(value, .init(device: device, channel: channel)) else { continue }
      receive(
        value, channel, .data, toServer: false, of: .device(device), packets, missingBytes: 0, nil,
        moment, &tables)
    }
  }

  /// Learns the owner of a periodic advertising train. 7.7.65.14, 7.7.65.24
  mutating func synchronized(_ sync: LEPeriodicEvent.SyncEstablished, _ moment: PacketContext) {
    advertisements.synchronized(
      sync.syncHandle, moment.controller, with: sync.status == 0 ? sync.advertiser : nil)
  }

  /// A vendor-specific HCI event: its parameters are the value. It belongs to the controller. 5.4.4
  mutating func vendorEvent(
    _ code: UInt8, _ parameters: RawSpan, _ moment: PacketContext, _ tables: inout Tables
  ) {
    vendorParameters(parameters, .vendorEvent(code), toServer: false, moment, &tables)
  }

  /// A vendor-specific HCI command: its parameters are the value. 5.4.1
  mutating func vendorCommand(
    _ opcode: UInt16, _ parameters: RawSpan, _ moment: PacketContext, _ tables: inout Tables
  ) {
    vendorParameters(parameters, .vendorCommand(opcode), toServer: true, moment, &tables)
  }

  /// The controller's answer in Command Complete: the return parameters are the value. 7.7.14
  mutating func vendorReturn(
    _ opcode: UInt16, _ parameters: RawSpan, _ moment: PacketContext, _ tables: inout Tables
  ) {
    vendorParameters(parameters, .vendorCommand(opcode), toServer: false, moment, &tables)
  }

  private mutating func vendorParameters(
    _ parameters: RawSpan, _ channel: VendorChannel, toServer: Bool, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard parameters.byteCount > 0, tables.framings.using(channel) != nil else { return }
    receive(
      parameters.array, channel, .data, toServer: toServer, of: .local(moment.controller),
      [moment.packet], missingBytes: moment.cut, nil, moment, &tables)
  }
}

extension Tables {
  /// Whether anything needs advertised data.
  var wantsAdvertising: Bool { framings.usesAdvertising || advertising.advertisers != nil }
}
