import HarkCore

/// What the items of a report descriptor up to one say, and the reports they have described so far.
/// Device Class Definition for HID 1.11, 6.2.2.
struct HIDReportState {
  private struct Global {
    var page: UInt64 = 0
    var size: UInt64 = 0
    var count: UInt64 = 0
    var id: UInt8 = 0
    var minimum: Int64 = 0
    var maximum: Int64 = 0
  }

  /// Whether no usage came yet.
  private(set) var isHead = true
  private(set) var reports: [HIDReports.Report] = []
  /// What the device is: the usages of the collections that are in no other.
  private(set) var applications: [UInt32] = []
  /// Whether reports begin with their Report ID.
  private(set) var hasIDs = false
  private var global = Global()
  private var pushed: [Global] = []
  /// Of the next main item. Without a page those that name none: it is that of the main item.
  private var usages: [(range: ClosedRange<UInt32>, hasPage: Bool)] = []
  private var minimum: (usage: UInt32, hasPage: Bool)?
  private var depth = 0

  /// More are not counted: real devices have fewer than 30, and push one state.
  private static let most = 64
  /// Of one report; keyboards that report each key for itself have about ten.
  private static let mostItems = 256

  var page: UInt64 { global.page }

  /// - Parameters:
  ///   - item: The prefix without the size.
  ///   - size: Of the data, in bytes.
  mutating func take(_ item: UInt64, _ data: UInt64, _ size: Int) {
    switch item {
    case 0x04: global.page = data
    case 0x14: global.minimum = Self.signed(data, size)
    // 6.2.2.7: signed only where the minimum is.
    case 0x24: global.maximum = global.minimum < 0 ? Self.signed(data, size) : Int64(data)
    case 0x74: global.size = min(data, 0xFFFF)
    case 0x84:
      global.id = UInt8(truncatingIfNeeded: data)
      hasIDs = true
    case 0x94: global.count = min(data, 0xFFFF)
    case 0xA4: if pushed.count < Self.most { pushed.append(global) }
    case 0xB4: global = pushed.popLast() ?? global
    case 0x08, 0x18, 0x28: take(usage: UInt32(truncatingIfNeeded: data), item, hasPage: size == 4)
    case 0x80: add(1, data)
    case 0x90: add(2, data)
    case 0xB0: add(3, data)
    case 0xA0: begin(data)
    case 0xC0:
      depth = max(0, depth - 1)
      endLocals()
    default: break
    }
  }

  private static func signed(_ data: UInt64, _ size: Int) -> Int64 {
    let unused = Int64(64 - size * 8)
    return size == 0 ? 0 : Int64(bitPattern: data << unused) >> unused
  }

  /// 6.2.2.8
  private mutating func take(usage: UInt32, _ item: UInt64, hasPage: Bool) {
    isHead = isHead && item != 0x08
    guard usages.count < Self.most else { return }
    switch item {
    case 0x08: usages.append((usage...usage, hasPage))
    case 0x18: minimum = (usage, hasPage)
    default:
      if let first = minimum, first.usage <= usage, first.hasPage == hasPage {
        usages.append((first.usage...usage, hasPage))
      }
      minimum = nil
    }
  }

  private mutating func endLocals() {
    usages.removeAll()
    minimum = nil
  }

  private mutating func begin(_ kind: UInt64) {
    if depth == 0, kind == 1, let usage = wholeUsages.first?.lowerBound,
      applications.count < Self.most, !applications.contains(usage)
    {
      applications.append(usage)
    }
    depth = min(depth + 1, Self.most)
    endLocals()
  }

  /// With their pages.
  private var wholeUsages: [ClosedRange<UInt32>] {
    let page = UInt32(truncatingIfNeeded: global.page & 0xFFFF) << 16
    return usages.map { usage in
      usage.hasPage
        ? usage.range
        : (page | usage.range.lowerBound & 0xFFFF)...(page | usage.range.upperBound & 0xFFFF)
    }
  }

  private mutating func add(_ type: UInt8, _ flags: UInt64) {
    defer { endLocals() }
    var index = reports.firstIndex { $0.type == type && $0.id == global.id }
    if index == nil, reports.count < Self.most {
      reports.append(HIDReports.Report(type: type, id: global.id))
      index = reports.count - 1
    }
    guard let index else { return }
    let bits = Int(global.size * global.count)
    if bits > 0, reports[index].items.count < Self.mostItems {
      reports[index].items.append(
        HIDReports.Item(
          offset: reports[index].bits, size: Int(global.size), count: Int(global.count),
          flags: UInt32(truncatingIfNeeded: flags), usages: wholeUsages,
          minimum: global.minimum, maximum: global.maximum))
    }
    reports[index].bits = min(reports[index].bits + bits, Int(UInt32.max))
  }
}
