import HarkCore

// Values that may be report descriptors, because nothing else shows what they are. Device Class Definition for HID 1.11,
// 6.2.2.
extension HIDReports {
  /// The first octet of an item, without its size. 6.2.2.4, 6.2.2.7, 6.2.2.8
  private enum ItemType {
    static let (collection, endCollection, usage): (UInt8, UInt8, UInt8) = (0xA0, 0xC0, 0x08)
    /// Input, Output, Feature.
    static let main: Set<UInt8> = [0x80, 0x90, 0xB0]
    static let global: Set<UInt8> = [
      0x04, 0x14, 0x24, 0x34, 0x44, 0x54, 0x64, 0x74, 0x84, 0x94, 0xA4, 0xB4,
    ]
    static let local: Set<UInt8> = [0x18, 0x28, 0x38, 0x48, 0x58, 0x78, 0x88, 0x98, 0xA8]
    static let all = main.union(global).union(local).union([collection, endCollection, usage])
  }

  /// A collection with one report of one field.
  private static let shortestDescriptor = 16

  /// A cheap check whether a value begins with a usage page and ends with the end of a collection.
  package static func mayDescribe(_ value: RawSpan) -> Bool {
    value.byteCount >= shortestDescriptor && value.byte(at: 0) & 0xFC == 0x04
      && value.byte(at: value.byteCount - 1) == ItemType.endCollection
  }

  /// The sizes of the input reports in bytes, without the Report ID.
  package var inputSizes: Set<Int> {
    let inputs = reports.filter { $0.type == 1 && $0.bits > 0 && $0.bits % 8 == 0 }
    return Set(inputs.map { $0.bits / 8 })
  }

  /// What a report descriptor with input reports says; nil if this is not one from beginning to end, with a collection
  /// around every report.
  package static func whole(_ bytes: RawSpan) -> HIDReports? {
    var (place, depth, hasUsage) = (0, 0, false)
    while place < bytes.byteCount {
      let prefix = bytes.byte(at: place)
      let size = prefix & 3 == 3 ? 4 : Int(prefix & 3)
      // Long items are reserved.
      guard prefix != 0xFE, place + 1 + size <= bytes.byteCount else { return nil }
      let item = prefix & 0xFC
      guard ItemType.all.contains(item) else { return nil }
      if item == ItemType.usage { hasUsage = true }
      if item == ItemType.collection {
        guard hasUsage else { return nil }
        depth += 1
      } else if item == ItemType.endCollection {
        depth -= 1
        guard depth >= 0, size == 0 else { return nil }
      } else if ItemType.main.contains(item) {
        guard depth > 0 else { return nil }
      }
      place += 1 + size
    }
    guard depth == 0, let reports = kept(bytes), !reports.inputSizes.isEmpty else { return nil }
    return reports
  }
}
