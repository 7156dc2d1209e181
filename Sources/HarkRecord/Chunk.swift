/// Whole btsnoop records, one after the other, on their way from the reading thread to the writing.
struct Chunk {
  var bytes: [UInt8] = []
  var records = 0

  /// Enough that a write is worth its system call, little enough to stay in the processor's cache.
  static let size = 1 << 17

  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    records = 0
  }
}
