import HarkCapture
import HarkCore

/// Records that wait until more of the capture is known: so many at most, this many bytes, and where somebody
/// looks on, so long.
final class RecordQueue<Remark> {
  struct Entry {
    var record: CaptureRecord
    var bytes: [UInt8]
    /// What stands beside it in the capture.
    var remark: Remark
    fileprivate var arrived: UInt64
  }

  private static var most: Int { 1 << 16 }
  private static var mostBytes: Int { 1 << 26 }
  /// Nanoseconds. Few devices take so long to answer.
  private static var longest: UInt64 { 5_000_000_000 }

  private var entries: [Entry?] = []
  /// How many of the entries have gone.
  private var gone = 0
  private var byteCount = 0

  func append(_ record: CaptureRecord, _ bytes: RawSpan, _ remark: Remark) {
    entries.append(
      Entry(record: record, bytes: bytes.array, remark: remark, arrived: monotonicTime))
    byteCount += bytes.byteCount
  }

  /// Takes the first record that there is no room for any more.
  func excess() -> Entry? {
    entries.count - gone > Self.most || byteCount > Self.mostBytes ? first() : nil
  }

  /// Takes the first record if it has waited long enough.
  func overdue() -> Entry? {
    guard let entry = entries[gone...].first ?? nil, monotonicTime - entry.arrived >= Self.longest
    else { return nil }
    return first()
  }

  /// How many milliseconds the first has still to wait; nil if none waits.
  var delay: Int32? {
    guard let entry = entries[gone...].first ?? nil else { return nil }
    let waited = min(monotonicTime - entry.arrived, Self.longest)
    return Int32((Self.longest - waited) / 1_000_000) + 1
  }

  func first() -> Entry? {
    guard gone < entries.count, let entry = entries[gone] else { return nil }
    entries[gone] = nil
    gone += 1
    byteCount -= entry.bytes.count
    // Now and then, so that moving what is left costs little.
    if gone == entries.count || gone >= Self.most {
      entries.removeFirst(gone)
      gone = 0
    }
    return entry
  }
}
