import HarkCore
import HarkDissection

/// Recognizes the HID Service: a value that is read and is a complete report descriptor, and notifications nearby of
/// exactly the size of one of its input reports. HID Service 1.0, 2.5, 2.6; USB Device Class Definition for HID 1.11,
/// 6.2.2.
struct HIDRecognition {
  private var map: (handle: UInt16, sizes: Set<Int>)?

  /// Whether a report descriptor was read.
  var hasMap: Bool { map != nil }

  static let framing = "HID Service"
  private static let reportMap = BluetoothUUID(0x2A4B as UInt16)
  private static let report = BluetoothUUID(0x2A4D as UInt16)
  /// Keyboards with many reports have all of them in one service.
  private static let nearby = 48
  /// A single byte may be anything.
  private static let shortestReport = 3

  /// The first octet of an item, without its size. 6.2.2.4, 6.2.2.7, 6.2.2.8
  private enum Item {
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
  private static let shortestMap = 16

  /// A cheap check whether a value that was read begins with a usage page and ends with the end of a collection.
  static func isWorthTrying(_ value: RawSpan) -> Bool {
    guard value.byteCount >= shortestMap else { return false }
    let (first, last) = (0, value.byteCount - 1)
    return value.unsigned(at: first, 1) & 0xFC == 0x04
      && value.unsigned(at: last, 1) == UInt64(Item.endCollection)
  }

  /// - Returns: What the value proves.
  mutating func take(_ value: VendorValue, at handle: UInt16) -> [AttributeRecognition.Finding] {
    switch value.operation {
    case .read:
      guard let sizes = Self.inputSizes(value.bytes) else { return [] }
      map = (handle, sizes)
      return [
        .init(
          framing: Self.framing, handle: handle, characteristic: Self.reportMap,
          evidence: .reportDescriptor(count: value.bytes.count))
      ]
    case .notification:
      guard let map, map.handle != handle, abs(Int(map.handle) - Int(handle)) <= Self.nearby,
        value.bytes.count >= Self.shortestReport, map.sizes.contains(value.bytes.count)
      else { return [] }
      return [
        .init(
          framing: Self.framing, handle: handle, characteristic: Self.report,
          evidence: .report(count: value.bytes.count, map: map.handle))
      ]
    default: return []
    }
  }

  /// The sizes of the input reports in bytes, without the Report ID; nil if this is not a report descriptor from
  /// beginning to end, with a collection around every report.
  private static func inputSizes(_ bytes: [UInt8]) -> Set<Int>? {
    var (place, depth, hasUsage) = (0, 0, false)
    while place < bytes.count {
      let prefix = bytes[place]
      let size = prefix & 3 == 3 ? 4 : Int(prefix & 3)
      // Long items are reserved.
      guard prefix != 0xFE, place + 1 + size <= bytes.count else { return nil }
      let item = prefix & 0xFC
      guard Item.all.contains(item) else { return nil }
      if item == Item.usage { hasUsage = true }
      if item == Item.collection {
        guard hasUsage else { return nil }
        depth += 1
      } else if item == Item.endCollection {
        depth -= 1
        guard depth >= 0, size == 0 else { return nil }
      } else if Item.main.contains(item) {
        guard depth > 0 else { return nil }
      }
      place += 1 + size
    }
    guard depth == 0, let reports = HIDReports.kept(bytes.raw) else { return nil }
    let inputs = reports.reports.filter { $0.type == 1 && $0.bits > 0 && $0.bits % 8 == 0 }
    let sizes = Set(inputs.map { $0.bits / 8 })
    return sizes.isEmpty ? nil : sizes
  }
}
