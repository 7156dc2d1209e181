import HarkCore
import HarkDissection

// Advertising reports: how many, of how many devices, and their names. Core Specification, Vol 4,
// Part E, 7.7.65.
extension Session {
  /// Advertising reports. Most repeat what was heard before: then they are only counted.
  mutating func reports(_ facts: Facts, _ bytes: RawSpan, _ moment: PacketContext) {
    counts.advertisingReports += 1
    if wantsAdvertising { advertised(bytes, moment) }
    // An event with several reports is rare; the names in it must go to their own addresses.
    if LEAdvertisingReports.count(bytes) > 1 { return severalReports(bytes, moment) }
    let address = BluetoothAddress(facts.address, hciType: facts.addressType)
    if keys.opensProximity { proximity(bytes, address, moment) }
    let hearing = deviceTable.hear(address)
    count(hearing, moment)
    // A name in what the recorder cut may be the beginning of one.
    let kind = AdvertisedName(report: bytes)
    guard hearing.lacks(kind), !moment.isTruncated else { return }
    describe(bytes, .record(.event), moment)
    if let name = text(Paths.AD.localName, of: bytes) {
      deviceTable.heard(address, name: name, kind)
    }
  }

  /// Counts a report for the scan under way. Who hears something while nothing says that it does not
  /// scan does.
  private mutating func count(_ hearing: Devices.Hearing, _ moment: PacketContext) {
    controllerTable.update(moment.controller) { controller in
      if controller.scan == nil, !controller.isScanKnown { controller.scan = Controller.Scan() }
      controller.scan?.reports += 1
      if case .isNew = hearing { controller.scan?.devices += 1 }
    }
  }

  private mutating func severalReports(_ bytes: RawSpan, _ moment: PacketContext) {
    describe(bytes, .record(.event), moment)
    var reports = LEAdvertisingReports(bytes)
    while let report = reports.next(bytes) {
      count(deviceTable.hear(report.address), moment)
      guard let data = report.data, !moment.isTruncated else { continue }
      for node in tree.nodes
      where node.field == Paths.AD.localName && data.contains(node.range.lowerBound) {
        deviceTable.heard(report.address, name: catalog.string(node, of: bytes), .complete)
      }
    }
  }
}
