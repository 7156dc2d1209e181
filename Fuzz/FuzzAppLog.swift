import HarkAppLog
import HarkCore

/// Reads any bytes as a log of the app's side, in the format that its lines show: nothing may trap, hang or
/// exhaust memory, and entries are in the order of their times.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAppLog(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = Input(start, count)
  let bytes = input.all()
  guard
    let log = try? AppLog(
      bytes: bytes, name: "fuzz", near: Timestamp(microseconds: 1_750_000_000_000_000))
  else { return 0 }
  #if !FAST
    for (entry, next) in zip(log.entries, log.entries.dropFirst()) {
      precondition(entry.time <= next.time, "entries are in the order of their times")
    }
    precondition(log.counts.damaged <= log.counts.lines)
    precondition((log.counts.firstDamaged != nil) == (log.counts.damaged > 0))
  #endif
  return 0
}
