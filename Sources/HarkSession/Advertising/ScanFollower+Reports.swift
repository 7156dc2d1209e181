import HarkCore
import HarkDissection

// Advertising reports: their number, the number of devices, and names. Core Specification, Vol 4, Part E, 7.7.65.
extension ScanFollower {
  /// Advertising reports. Most repeat an earlier one and are only counted.
  mutating func reports(
    _ facts: Facts, _ bytes: RawSpan, _ moment: PacketContext, _ tables: inout Tables,
    _ traffic: inout TrafficFollower
  ) {
    if tables.wantsAdvertising { traffic.accessory.advertised(bytes, moment, &tables) }
    // An event with several reports is rare, and so is data in several reports. Each name in it must be assigned to its
    // own address.
    if LEAdvertisingReports.count(bytes) > 1 || tables.record.continuedData != 0
      || LEAdvertisingReports.isMoreToCome(bytes)
    {
      return severalReports(bytes, moment, &tables, &traffic)
    }
    traffic.mesh.advertised(bytes, LEAdvertisingReports.dataOfOnly(bytes), moment, &tables)
    tables.counts.advertisingReports += 1
    if LEAdvertisingReports.isScanResponse(bytes) { tables.counts.scanResponses += 1 }
    let address = BluetoothAddress(facts.address, hciType: facts.addressType)
    traffic.accessory.appleAdvertising(
      bytes, LEAdvertisingReports.dataOfOnly(bytes), address, moment, &tables)
    if tables.keys.opensProximity || ProximityPairing.fillsReport(bytes) {
      traffic.accessory.proximity(bytes, address, moment, &tables)
    }
    let hearing = tables.devices.hear(address, moment.packet)
    count(hearing, moment, &tables)
    // If the recorder cut a report, a name in it may be incomplete. If the complete name is known, the report adds
    // nothing.
    guard !moment.isTruncated, hearing.lacks(.complete) else { return }
    let kind = AdvertisedName(report: bytes)
    guard hearing.lacks(kind) else { return }
    var reports = LEAdvertisingReports(bytes)
    if let data = reports.next(bytes)?.data, let name = LocalName(bytes, data), name.isWhole {
      tables.devices.heard(address, name: bytes.utf8(name.text), kind)
    }
  }

  /// Counts a report for the current scan. A controller that receives reports is scanning, unless the capture shows
  /// that it is not.
  private mutating func count(
    _ hearing: Devices.Hearing, _ moment: PacketContext, _ tables: inout Tables
  ) {
    tables.controllers.update(moment.controller) { controller in
      if controller.scan == nil, !controller.isScanKnown {
        controller.scan = Scan()
      }
      controller.scan?.reports += 1
      if case .isNew = hearing { controller.scan?.devices += 1 }
    }
  }

  private mutating func severalReports(
    _ bytes: RawSpan, _ moment: PacketContext, _ tables: inout Tables,
    _ traffic: inout TrafficFollower
  ) {
    var reports = LEAdvertisingReports(bytes)
    var continued = tables.record.continuedData
    while let report = reports.next(bytes) {
      let isPart = report.isMoreToCome || continued & 1 == 1
      continued >>= 1
      tables.counts.advertisingReports += 1
      if report.isScanResponse { tables.counts.scanResponses += 1 }
      count(tables.devices.hear(report.address, moment.packet), moment, &tables)
      if isPart {
        part(report, bytes, moment, &tables, &traffic)
        continue
      }
      if let data = report.data {
        traffic.mesh.advertised(bytes, data, moment, &tables)
        traffic.accessory.appleAdvertising(bytes, data, report.address, moment, &tables)
      }
      guard let data = report.data, !moment.isTruncated, let name = LocalName(bytes, data),
        name.isWhole
      else { continue }
      tables.devices.heard(report.address, name: bytes.utf8(name.text), .complete)
    }
  }

  /// A report with a part of the data: what it says is known when all parts have arrived.
  private mutating func part(
    _ report: LEAdvertisingReports.Report, _ bytes: RawSpan, _ moment: PacketContext,
    _ tables: inout Tables, _ traffic: inout TrafficFollower
  ) {
    guard let source = AdvertisingFragments.Source(report, moment.controller) else { return }
    // The Controller gives up on the rest.
    if report.isCut { return tables.advertising.fragments.end(source) }
    let part = report.data.flatMap { $0.upperBound <= bytes.byteCount ? bytes.array($0) : nil }
    guard
      let joined = tables.advertising.fragments.join(
        part, of: source, isMoreToCome: report.isMoreToCome, moment)
    else { return }
    tables.completeAdvertising(joined, moment)
    traffic.heard(joined, by: report.address, moment, &tables)
  }
}

extension TrafficFollower {
  /// What advertising data says that came in parts, over HCI or over the air.
  mutating func heard(
    _ joined: AdvertisingFragments.Joined, by address: BluetoothAddress, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let bytes = joined.bytes.raw
    mesh.advertised(bytes, 0..<bytes.byteCount, moment, &tables)
    accessory.appleAdvertising(bytes, 0..<bytes.byteCount, address, moment, &tables)
    let hearing = tables.devices.hear(address, moment.packet)
    let name = LocalName(bytes, 0..<bytes.byteCount)
    let kind = AdvertisedName(name)
    guard let name, name.isWhole, hearing.lacks(kind),
      !tables.isMalformedAdvertising(joined.bytes)
    else { return }
    tables.devices.heard(address, name: bytes.utf8(name.text), kind)
  }
}
