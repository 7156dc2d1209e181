import HarkCore
import HarkDissection

/// Recognizes the HID Service: a value that is read and is a complete report descriptor, and notifications nearby of
/// exactly the size of one of its input reports. HID Service 1.0, 2.5, 2.6; USB Device Class Definition for HID 1.11,
/// 6.2.2.
struct HIDRecognition {
  private var map: (handle: UInt16, sizes: Set<Int>)?

  /// Whether a report descriptor was read.
  var hasMap: Bool { map != nil }

  /// Whether the device has input reports of this size.
  func hasReports(of size: Int) -> Bool { map?.sizes.contains(size) == true }

  static let framing = "HID Service"
  private static let reportMap = BluetoothUUID(.reportMap)
  private static let report = BluetoothUUID(.report)
  /// Keyboards with many reports have all of them in one service.
  private static let nearby = 48
  /// A single byte may be anything.
  private static let shortestReport = 3

  /// A cheap check whether a value that was read may be a report descriptor.
  static func isWorthTrying(_ value: RawSpan) -> Bool { HIDReports.mayDescribe(value) }

  /// - Returns: What the value proves.
  mutating func take(_ value: VendorValue, at handle: UInt16) -> [AttributeRecognition.Finding] {
    switch value.operation {
    case .read:
      guard let reports = HIDReports.whole(value.bytes.raw) else { return [] }
      map = (handle, reports.inputSizes)
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
}
