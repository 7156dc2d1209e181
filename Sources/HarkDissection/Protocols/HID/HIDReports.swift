import HarkCore
import Synchronization

/// How to read the reports of a device: what its report descriptor says.
/// Device Class Definition for HID 1.11, 5 and 6.2.2.
public final class HIDReports: Sendable {
  /// A report: bits that one main item after the other describes.
  public struct Report: Sendable {
    /// 1 Input, 2 Output, 3 Feature.
    public let type: UInt8
    /// 0 if the device has no Report IDs.
    public let id: UInt8
    /// How many it has, without its Report ID.
    public internal(set) var bits = 0
    var items: [Item] = []
  }

  /// A main item. 6.2.2.5
  struct Item: Sendable {
    /// In bits from the beginning of the report.
    let offset: Int
    /// Of each field, in bits.
    let size: Int
    let count: Int
    let flags: UInt32
    /// The page is in the upper 16 bits.
    let usages: [ClosedRange<UInt32>]
    let minimum: Int64
    let maximum: Int64

    var end: Int { offset + size * count }
    var isConstant: Bool { flags & 1 != 0 }
    var isVariable: Bool { flags & 2 != 0 }
    var isSigned: Bool { minimum < 0 }

    /// Of the field `index`; the last usage is that of all fields after. 6.2.2.8
    func usage(of index: Int) -> UInt32? { named(index) ?? usages.last?.upperBound }

    /// The usage that an array's `value` selects; nil if it selects none. 6.2.2.5
    func selected(by value: Int64) -> UInt32? {
      guard value >= minimum, value <= maximum else { return nil }
      return named(Int(clamping: value - minimum))
    }

    private func named(_ index: Int) -> UInt32? {
      var left = index
      for range in usages {
        let count = Int(range.upperBound - range.lowerBound) + 1
        if left < count { return range.lowerBound + UInt32(left) }
        left -= count
      }
      return nil
    }
  }

  public let reports: [Report]
  /// What the device is: usages of its Application collections, with the page in the upper 16 bits.
  public let applications: [UInt32]
  /// Whether reports over L2CAP begin with their Report ID.
  public let hasIDs: Bool

  private init(_ state: HIDReportState) {
    (reports, applications, hasIDs) = (state.reports, state.applications, state.hasIDs)
  }

  public func report(_ type: UInt8, _ id: UInt8) -> Report? {
    reports.first { $0.type == type && $0.id == id }
  }

  // MARK: Keeping

  /// By the bytes of their descriptors. A context, which is copied per packet, refers to them without
  /// counting: they are kept as long as the program runs, and there are only so many.
  private static let kept = Mutex<[[UInt8]: HIDReports]>([:])
  private static let mostKept = 1_024
  /// Bytes of a report descriptor: 0x0200 is the longest value of an attribute.
  private static let longest = 4_096

  /// What a report descriptor says; nil if it describes no report, or too many were kept.
  public static func kept(_ descriptor: RawSpan) -> HIDReports? {
    guard descriptor.byteCount <= longest else { return nil }
    let bytes = descriptor.array
    return kept.withLock { kept in
      if let known = kept[bytes] { return known }
      let state = read(bytes)
      guard kept.count < mostKept, !state.reports.isEmpty else { return nil }
      let reports = HIDReports(state)
      kept[bytes] = reports
      return reports
    }
  }

  private static func read(_ bytes: [UInt8]) -> HIDReportState {
    var state = HIDReportState()
    var position = 0
    while position < bytes.count {
      let prefix = bytes[position]
      // Long items, 6.2.2.3, are reserved.
      let isLong = prefix == 0xFE && position + 1 < bytes.count
      let size = isLong ? 2 + Int(bytes[position + 1]) : prefix & 3 == 3 ? 4 : Int(prefix & 3)
      guard position + 1 + size <= bytes.count else { break }
      if !isLong {
        let data = bytes.raw.unsigned(at: position + 1, size)
        state.take(UInt64(prefix & 0xFC), data, size)
      }
      position += 1 + size
    }
    return state
  }

  /// Those of the Boot Protocol: report 1 is a keyboard's, 2 a mouse's. Device Class Definition for
  /// HID 1.11, Appendix B; HID Profile 1.1.1, 3.3.2.
  public static let boot: HIDReports? = {
    let bytes: [UInt8] = [
      0x05, 0x01, 0x09, 0x06, 0xA1, 0x01, 0x85, 0x01, 0x05, 0x07, 0x19, 0xE0, 0x29, 0xE7, 0x15,
      0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x08, 0x81, 0x02, 0x95, 0x01, 0x75, 0x08, 0x81, 0x01,
      0x95, 0x05, 0x75, 0x01, 0x05, 0x08, 0x19, 0x01, 0x29, 0x05, 0x91, 0x02, 0x95, 0x01, 0x75,
      0x03, 0x91, 0x01, 0x95, 0x06, 0x75, 0x08, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x05, 0x07, 0x19,
      0x00, 0x29, 0xFF, 0x81, 0x00, 0xC0, 0x05, 0x01, 0x09, 0x02, 0xA1, 0x01, 0x85, 0x02, 0x09,
      0x01, 0xA1, 0x00, 0x05, 0x09, 0x19, 0x01, 0x29, 0x03, 0x15, 0x00, 0x25, 0x01, 0x95, 0x03,
      0x75, 0x01, 0x81, 0x02, 0x95, 0x01, 0x75, 0x05, 0x81, 0x01, 0x05, 0x01, 0x09, 0x30, 0x09,
      0x31, 0x15, 0x81, 0x25, 0x7F, 0x75, 0x08, 0x95, 0x02, 0x81, 0x06, 0xC0, 0xC0,
    ]
    return kept(bytes.raw)
  }()
}

/// Which report a packet holds, as far as the session knows it.
public struct HIDReportContext: Sendable, Equatable {
  /// Where those are that are kept. An integer, as a reference that is not counted has spare bits, which
  /// an enum around it used in one module and not in the next.
  private var address: UInt = 0
  public var id: UInt8 = 0
  // In one octet: a context is copied for each packet.
  private var codes: UInt8 = 0

  /// 1 Input, 2 Output, 3 Feature; 0 if it is not known, and 15 for all that have no name.
  public var type: UInt8 {
    get { codes & 0x0F }
    set { codes = codes & 0xF0 | min(newValue, 0x0F) }
  }

  /// On the control channel of HIDP: the Transaction Type of the request that waits for its answer; 0 if none does.
  public var request: UInt8 {
    get { codes >> 4 }
    set { codes = codes & 0x0F | newValue << 4 }
  }

  public init() {}

  /// - Parameter reports: Those of `HIDReports.kept` or `boot`.
  public init(_ reports: HIDReports?, type: UInt8 = 0, id: UInt8 = 0) {
    address = reports.map { unsafe UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
    (self.type, self.id) = (type, id)
  }

  /// What the device's report descriptor says. It is kept as long as the program runs.
  public var reports: HIDReports? {
    unsafe UnsafeRawPointer(bitPattern: address).map {
      unsafe Unmanaged<HIDReports>.fromOpaque($0).takeUnretainedValue()
    }
  }
}
