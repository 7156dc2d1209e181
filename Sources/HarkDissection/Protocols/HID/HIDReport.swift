import HarkCore

/// A report of a HID device, read by what the device's report descriptor says.
/// Device Class Definition for HID 1.11, 5.6 and 8; HID Service 1.0, 2.5 to 2.9.
///
/// What a person types or points at is in reports: all their values are personal.
enum HIDReport: Dissector {
  static let name: StaticString = "HID Report"
  static let path: StaticString = "hid"
  static let specification: StaticString = "Device Class Definition for HID 1.11, 5.6 and 8"
  // Report, Boot Keyboard Input Report, Boot Keyboard Output Report, Boot Mouse Input Report
  static let places: [AttachmentPoint] =
    [0x2A4D, 0x2A22, 0x2A32, 0x2A33].map { .attribute(BluetoothUUID(UInt16($0))) } + [.hidReport]

  static let fields = HIDReportFields()

  static func dissect<Out: Sink>(_ pdu: inout PDU<Out>) throws(Malformed) {
    pdu.facts.payloadOffset = UInt32(truncatingIfNeeded: pdu.position)
    pdu.facts.payloadCount = UInt32(truncatingIfNeeded: pdu.remaining)
    guard Out.wantsFields else { return pdu.moveOn(to: pdu.end) }
    let known = boot(pdu.context.attributeType?.short) ?? pdu.context.report
    // HIDP says both.
    if pdu.context.attributeType != nil {
      if known.type != 0 { pdu.inferred(fields.reportType, UInt64(known.type)) }
      if known.id != 0 { pdu.inferred(fields.reportID, UInt64(known.id)) }
    }
    if let report = known.reports?.report(known.type, known.id) {
      HIDReportReading(report).read(&pdu)
    }
    claim(fields.data, &pdu)
  }

  /// What stays the same in all devices. HID Service 1.0, 2.7 to 2.9
  private static func boot(_ attribute: UInt16?) -> HIDReportContext? {
    switch attribute {
    case 0x2A22: HIDReportContext(HIDReports.boot, type: 1, id: 1)
    case 0x2A32: HIDReportContext(HIDReports.boot, type: 2, id: 1)
    case 0x2A33: HIDReportContext(HIDReports.boot, type: 1, id: 2)
    default: nil
    }
  }

  /// Everything that is left.
  private static func claim(_ field: Field, _ pdu: inout PDU<some Sink>) {
    let range = pdu.position..<pdu.end
    guard !range.isEmpty else { return }
    pdu.moveOn(to: pdu.end)
    let value = range.count <= 8 ? pdu.bytes.unsigned(at: range.lowerBound, range.count) : 0
    pdu.out.found(field, value, at: range, isPart: false)
  }
}

/// A report descriptor in a service record. HID Profile 1.1.1, 5.3.4.7.
enum HIDDescriptor: Dissector {
  static let name: StaticString = "HID Report Descriptor"
  static let path: StaticString = "hid"
  static let specification: StaticString = "Device Class Definition for HID 1.11, 6.2.2"
  static let places: [AttachmentPoint] = [.hidReportDescriptor]

  static let fields = HIDReportMap()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) { try fields.read(&pdu) }
}
