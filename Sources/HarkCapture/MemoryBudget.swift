import HarkPlatform
import Synchronization

/// How much memory and processor time this process may take, whatever its input asks for.
///
/// There is one budget for all that an input unpacks to and everything that is kept of it. Nothing counts
/// what it keeps: each read asks how much the process holds, and the capture ends where that is too much.
/// Without a call of `begin` there is no limit.
public enum MemoryBudget {
  /// What programs begin with.
  public static let usual = 512 << 20
  /// Of a capture on disk that is larger than this, each further byte may take this many in memory: a row has 40
  /// bytes, a record at least 30.
  private static let (small, perByte) = (10_000_000, 4)
  /// A capture may unpack to this many times its size: real ones unpack to three to twenty times theirs.
  private static let unpackedPerByte: Int64 = 64

  private static let given = Atomic<Int>(.max)
  /// How many bytes the largest file has that is read; less than 0 if that does not matter.
  private static let onDisk = Atomic<Int>(0)
  /// When the limit was set, by the monotonic clock.
  private static let began = Atomic<UInt64>(0)
  /// Opened once: a program that gave up its rights may not open files any more.
  private static let resident = ResidentMemory()
  /// In a copy of a process: how much the copy started with; less than 0 in all others.
  private static let inherited = Atomic<Int>(-1)

  /// Sets the limit. Call it before the process gives up the right to open files.
  /// - Parameters:
  ///   - bytes: As much as the process may hold.
  ///   - grows: Whether a large file on disk may take more.
  public static func begin(_ bytes: Int = usual, grows: Bool = true) {
    _ = resident.bytes
    began.store(monotonicTime, ordering: .relaxed)
    given.store(bytes, ordering: .relaxed)
    onDisk.store(grows ? 0 : -1, ordering: .relaxed)
  }

  /// Gives a copy of this process a budget of its own, as large as its parent's: memory and time of the parent do
  /// not count.
  public static func beginInCopy() {
    inherited.store(ResidentMemory.most, ordering: .relaxed)
    began.store(monotonicTime, ordering: .relaxed)
    if onDisk.load(ordering: .relaxed) > 0 { onDisk.store(0, ordering: .relaxed) }
  }

  /// How much this process holds. In a copy, the open file reports the memory of the parent, and the sandbox allows
  /// no other: there, the most that the copy held counts.
  private static var held: Int {
    let inherited = inherited.load(ordering: .relaxed)
    return inherited < 0 ? resident.bytes : ResidentMemory.most - inherited
  }

  /// Takes the limit away: of what is recorded, nothing may be lost.
  public static func end() { begin(.max) }

  /// As much as the process may hold.
  public static var limit: Int {
    let (more, isHuge) = max(0, onDisk.load(ordering: .relaxed) - small)
      .multipliedReportingOverflow(by: perByte)
    let (sum, isTooMuch) = given.load(ordering: .relaxed).addingReportingOverflow(more)
    return isHuge || isTooMuch ? .max : sum
  }

  /// Takes note of a file that is read, with this many bytes on disk.
  static func readsFile(of bytes: Int64) {
    guard onDisk.load(ordering: .relaxed) >= 0 else { return }
    onDisk.max(Int(clamping: bytes), ordering: .relaxed)
  }

  /// As much as may be unpacked and held in one piece.
  static var unpacked: Int { limit / 4 }

  /// As much as `packed` bytes may unpack to while they are read.
  static func unpacked(from packed: Int64) -> Int64 {
    max(Int64(limit / 4), packed.multipliedReportingOverflow(by: unpackedPerByte).partialValue)
  }

  /// Why no more is to be read; nil while there is room. An eighth of the memory is left for what is made of
  /// what was read.
  static var exhaustion: CaptureDamage.Reason? { exhaustion(with: 0) }

  /// - Parameter more: Bytes that are about to be held as well.
  private static func exhaustion(with more: Int) -> CaptureDamage.Reason? {
    let limit = limit
    guard limit < .max else { return nil }
    if held > limit - limit / 8 - more { return .memory(limit) }
    let allowed = seconds
    return allowed > 0 && elapsed > allowed ? .time(seconds: allowed) : nil
  }

  /// How many seconds it took, of the clock or of all processors, whichever is less: threads that work side by
  /// side count the time only once, and time in which the machine was busy with something else does not count.
  private static var elapsed: Int {
    let spent = Int(clock()) / 1_000_000
    return min(
      spent, Int(clamping: (monotonicTime - began.load(ordering: .relaxed)) / 1_000_000_000))
  }

  /// How many seconds reading may take; 0 for any. A capture of 10 MB takes less than one; where no file is
  /// read, it may be made for hours.
  private static var seconds: Int {
    let bytes = onDisk.load(ordering: .relaxed)
    guard bytes > 0 else { return 0 }
    let megabytes = bytes / 1_000_000
    return 20 + megabytes / 2 + 2 * max(0, megabytes - 10)
  }

  private static let refusal = Mutex<(@Sendable (String) -> Never)?>(nil)

  /// Has `body` called with a sentence, instead of letting the capture end, where the budget is used up: for
  /// what would be wrong if it knew a part only.
  public static func refuse(_ body: @escaping @Sendable (String) -> Never) {
    refusal.withLock { $0 = body }
  }

  /// Why the capture ends here; nil while there is room.
  static func check(_ name: String) -> CaptureDamage.Reason? {
    exhaustion.map { ended($0, name) }
  }

  /// Why a list of bytes cannot grow to `count`, which takes a copy of it for a while; nil while there is room.
  package static func checkGrowth(of count: Int, _ name: String) -> CaptureDamage.Reason? {
    exhaustion(with: count).map { ended($0, name) }
  }

  /// Why the result of a whole capture does not fit into the memory limit; nil if it fits. Reading leaves an eighth of
  /// the limit free for it, so the result may use that, too.
  /// - Parameter count: How many bytes the result takes.
  package static func checkResult(of count: Int) -> String? {
    let (limit, all) = (limit, held.addingReportingOverflow(count))
    guard limit < .max, all.overflow || all.partialValue > limit else { return nil }
    return
      "needs \(words(all.partialValue)), more than the memory limit (\(words(limit))): \(advice)"
  }

  /// The reason for which a capture ends, unless that is refused.
  static func ended(_ reason: CaptureDamage.Reason, _ name: String) -> CaptureDamage.Reason {
    if let body = refusal.withLock({ $0 }) { body("\(name): \(reason)") }
    return reason
  }

  /// `512 MiB`.
  static func words(_ bytes: Int) -> String { "\((bytes + (1 << 19)) >> 20) MiB" }

  /// What to do where it is used up.
  static let advice = "set a larger limit with --memory"
}

extension CaptureError {
  /// What the file `name` unpacks to is too much.
  static func unpacksToTooMuch(_ name: String, limit: Int) -> CaptureError {
    CaptureError(
      name, "decompresses to more than \(MemoryBudget.words(limit))", advice: MemoryBudget.advice)
  }
}
