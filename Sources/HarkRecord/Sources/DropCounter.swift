/// Says before which record packets were lost. A socket counts its losses and does not say where they
/// were; but it loses packets while its buffer is full, so after all that it then holds.
struct DropCounter {
  private var last: UInt32 = 0
  /// Lost, but the records in front of the gap are not all read yet.
  private var pending = 0
  /// Lost right before the next record.
  private var due = 0
  private var readSince = 0

  /// The counter is at `count` now.
  mutating func see(_ count: UInt32) {
    guard count != last else { return }
    if pending == 0 { readSince = 0 }
    pending += Int(count &- last)
    last = count
  }

  /// All that the socket held was read.
  mutating func isDrained() {
    due += pending
    pending = 0
  }

  /// How many were lost before the record that was read now, if the buffer holds at most `records`.
  mutating func take(records: Int) -> Int {
    readSince += 1
    if pending > 0, readSince > records {
      isDrained()
      readSince = 0
    }
    defer { due = 0 }
    return due
  }

  /// All that were lost and not reported yet.
  mutating func takeAll() -> Int {
    isDrained()
    defer { due = 0 }
    return due
  }
}
