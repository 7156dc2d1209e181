import HarkCapture
import HarkCore

/// The records of a capture in memory, so that any selection of them can be read as often as wanted.
public struct HeldCapture: Sendable {
  public private(set) var records: [CaptureRecord] = []
  /// Where the bytes of each record end.
  private var ends: [Int] = []
  private var bytes: [UInt8] = []

  public init() {}

  public var count: Int { records.count }

  public mutating func append(_ record: CaptureRecord, _ packet: RawSpan) {
    records.append(record)
    bytes.append(contentsOf: packet.array)
    ends.append(bytes.count)
  }

  /// Calls `body` with the record at `index`, from 0, and its bytes.
  public func withRecord<Result>(
    _ index: Int, _ body: (CaptureRecord, RawSpan) throws -> Result
  ) rethrows -> Result {
    let start = index == 0 ? 0 : ends[index - 1]
    return try body(records[index], bytes.raw.extracting(start..<ends[index]))
  }
}
