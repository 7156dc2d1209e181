import HarkCore

/// A report descriptor, which the HID Service calls Report Map: what the reports of a device hold.
/// Device Class Definition for HID 1.11, 5 and 6.2.2.
struct HIDReportMap: Sendable {
  // 6.2.2.4 to 6.2.2.8: the prefix without the size
  static let itemNames: [UInt64: StaticString] = [
    0x80: "Input", 0x90: "Output", 0xA0: "Collection", 0xB0: "Feature", 0xC0: "End Collection",
    0x04: "Usage Page", 0x14: "Logical Minimum", 0x24: "Logical Maximum",
    0x34: "Physical Minimum", 0x44: "Physical Maximum", 0x54: "Unit Exponent", 0x64: "Unit",
    0x74: "Report Size", 0x84: "Report ID", 0x94: "Report Count", 0xA4: "Push", 0xB4: "Pop",
    0x08: "Usage", 0x18: "Usage Minimum", 0x28: "Usage Maximum", 0x38: "Designator Index",
    0x48: "Designator Minimum", 0x58: "Designator Maximum", 0x78: "String Index",
    0x88: "String Minimum", 0x98: "String Maximum", 0xA8: "Delimiter", 0xFC: "Long Item",
  ]
  // 6.2.2.6
  static let collections: [UInt64: StaticString] = [
    0: "Physical", 1: "Application", 2: "Logical", 3: "Report", 4: "Named Array",
    5: "Usage Switch", 6: "Usage Modifier",
  ]
  // 6.2.2.5
  static let mainFlags: [UInt64: StaticString] = [
    0: "Constant", 1: "Variable", 2: "Relative", 3: "Wrap", 4: "Non Linear",
    5: "No Preferred", 6: "Null state", 7: "Volatile", 8: "Buffered Bytes",
  ]

  let items = Field("Item", .list)
  let item = Field("Item", .hex, names: itemNames)
  let itemSize = Field("Size Code")
  let itemData = Field("Data", .hex)
  let longSize = Field("Long Item Size")
  let longTag = Field("Long Item Tag", .hex)
  let usagePage = Field("Usage Page", .hex, names: HIDUsages.pages, inLine: true)
  let usage = Field("Usage", .hex)
  let first = First()
  let desktop = Usages(HIDUsages.desktop)
  let lights = Usages(HIDUsages.lights)
  let consumer = Usages(HIDUsages.consumer)
  let digitizers = Usages(HIDUsages.digitizers)
  let keys = Usages(lookup: HIDUsages.key)
  let buttons = Usages(lookup: HIDUsages.button)
  let inner = Inner()
  let collection = Field("Collection", .hex, names: collections)
  let flags = Field("Item Flags", .hex, flags: mainFlags, special: [0: "Data, Array, Absolute"])
  let number = Field("Limit", .signed)
  let reportBits = Field("Report Size", unit: "bit")
  let reportCount = Field("Report Count")
  let reportID = Field("Report ID")
  // What follows from all items together.
  let reports = Field("Report", .list)
  let reportType = Field(
    "Report Type", names: [1: "Input Report", 2: "Output Report", 3: "Feature Report"])
  let reportLength = Field("Report Length", unit: "bit")

  // In place of the fields of the same names.
  struct First: Sendable {
    let usage = Field("Usage", .hex, names: HIDUsages.desktop, inLine: true)
  }

  struct Inner: Sendable {
    let usagePage = Field("Usage Page", .hex, names: HIDUsages.pages)
  }

  /// What a usage is called depends on its page: one path for all.
  struct Usages: Sendable {
    let usage: Field

    init(_ names: [UInt64: StaticString]) { usage = Field("Usage", .hex, names: names) }

    init(lookup: @escaping Field.Lookup) { usage = Field("Usage", .hex, lookup: lookup) }
  }

  func usage(on page: UInt64) -> Field {
    switch page {
    case 0x01: desktop.usage
    case 0x07: keys.usage
    case 0x08: lights.usage
    case 0x09: buttons.usage
    case 0x0C: consumer.usage
    case 0x0D: digitizers.usage
    default: usage
    }
  }

  func read<Out: Sink>(_ pdu: inout PDU<Out>) throws(Malformed) {
    var state = HIDReportState()
    // After a tag that is reserved, nothing is known of the rest: it may be anything, a text as well.
    while pdu.remaining > 0, Self.itemNames[UInt64(pdu.peek()) & 0xFC] != nil {
      try pdu.group(items) { pdu throws(Malformed) in try item(&state, &pdu) }
    }
    guard Out.wantsFields else { return }
    for report in state.reports {
      try pdu.group(reports) { pdu throws(Malformed) in
        pdu.inferred(reportType, UInt64(report.type))
        if report.id > 0 { pdu.inferred(reportID, UInt64(report.id)) }
        pdu.inferred(reportLength, UInt64(report.bits))
      }
    }
  }

  private func item<Out: Sink>(
    _ state: inout HIDReportState, _ pdu: inout PDU<Out>
  ) throws(Malformed) {
    let prefix = try pdu.word(1, of: item)
    pdu.part(item, prefix & 0xFC, of: 1)
    pdu.part(itemSize, prefix & 3, of: 1)
    if prefix == 0xFE {
      let size = Int(try pdu.u8(longSize))
      try pdu.u8(longTag)
      if size > 0 { try pdu.bytes(size, itemData) }
      return
    }
    let size = prefix & 3 == 3 ? 4 : Int(prefix & 3)
    let data = try size == 0 ? 0 : pdu.unsigned(size, field(prefix & 0xFC, size, state))
    if Out.wantsFields { state.take(prefix & 0xFC, data, size) }
  }

  private func field(_ item: UInt64, _ size: Int, _ state: HIDReportState) -> Field {
    switch item {
    case 0x04: state.isHead ? usagePage : inner.usagePage
    // What the device is is in its first two items.
    case 0x08 where state.isHead && state.page == 1: first.usage
    // Of four octets, the page is in the upper two.
    case 0x08, 0x18, 0x28: size == 4 ? usage : usage(on: state.page)
    case 0x14, 0x24, 0x34, 0x44: number
    case 0x74: reportBits
    case 0x84: reportID
    case 0x94: reportCount
    case 0xA0: collection
    case 0x80, 0x90, 0xB0: flags
    default: itemData
    }
  }
}
