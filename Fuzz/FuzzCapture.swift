import HarkCapture
import HarkCore

/// Reads any bytes as a capture: nothing may trap or loop, and what is handed out must agree with
/// itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCapture(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let capture = try? Capture(bytes: input, name: "fuzz") else { return 0 }
  capture.zone = zones[count % zones.count].flatMap { ClockZone($0) }
  #if FAST
    _ = capture.forEachRecord { _, _ in true }
    return 0
  #else
    check(capture)
    return 0
  #endif
}

/// Without one, at both ends of the range, and one whose offset changes.
private let zones = [nil, "-14:00", "+14:00", "Europe/Berlin"]

private func check(_ capture: Capture) {
  var records: UInt32 = 0
  var last: (offset: Int64, bytes: [UInt8])?
  let end = capture.forEachRecord { record, bytes in
    records += 1
    precondition(record.number == records, "records are numbered one by one")
    precondition(record.count == bytes.byteCount, "a record's count is that of its bytes")
    precondition(record.count <= record.originalCount, "no record is longer than it was")
    if !record.flags.isDisjoint(with: [.afterDamage, .damaged]) {
      precondition(capture.damage != nil)
    }
    if record.flags.contains(.commented) { precondition(!capture.comments.isEmpty) }
    last = (record.offset, bytes.array)
    return true
  }
  precondition(end.records == records)
  precondition((end.status == .complete) == (end.damageCount == 0))
  for damage in end.damages { precondition(!damage.description.isEmpty) }
  if capture.canReadBack, let last {
    let again = try? capture.bytes(at: last.offset, count: last.bytes.count)
    precondition(again == last.bytes, "bytes read back are the bytes handed out")
  }
}
