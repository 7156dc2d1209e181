import HarkPlatform

/// What the reading thread has read and the writing thread has not written yet: this many bytes at
/// most, whatever either of them waits for.
final class ChunkQueue: @unchecked Sendable {
  private let capacity: Int
  /// Held wherever the following is used; who changes it wakes the others.
  private let lock = ThreadLock()
  private var chunks: [Chunk] = []
  private var head = 0
  private var byteCount = 0
  private var spare: [Chunk] = []
  private var isClosed = false
  private var isStalled = false
  private var isAbandoned = false

  init(capacity: Int) { self.capacity = capacity }

  /// Takes a chunk and leaves an empty one in its place. Waits for room while there is hope for it:
  /// then the source is what has to hold back, or to count what it loses.
  /// - Returns: Whether it was taken; if not, its records are lost.
  func push(_ chunk: inout Chunk) -> Bool {
    lock.hold {
      while byteCount > 0, byteCount + chunk.bytes.count > capacity {
        if isStalled || isAbandoned { return false }
        lock.wait()
      }
      guard !isAbandoned else { return false }
      var empty = spare.popLast() ?? Chunk()
      swap(&empty, &chunk)
      byteCount += empty.bytes.count
      chunks.append(empty)
      lock.wakeAll()
      return true
    }
  }

  /// The oldest chunk, once there is one; nil when there will be none any more.
  func pop() -> Chunk? {
    lock.hold {
      while head == chunks.count, !isClosed { lock.wait() }
      guard head < chunks.count else { return nil }
      let chunk = chunks[head]
      chunks[head] = Chunk()
      head += 1
      if head == chunks.count {
        chunks.removeAll(keepingCapacity: true)
        head = 0
      }
      return chunk
    }
  }

  /// To be called when a chunk is written: until then its bytes count.
  func done(_ chunk: consuming Chunk) {
    var chunk = chunk
    lock.hold {
      byteCount -= chunk.bytes.count
      chunk.clear()
      if spare.count < 4 { spare.append(chunk) }
      lock.wakeAll()
    }
  }

  /// Nothing more is pushed.
  func close() {
    lock.hold {
      isClosed = true
      lock.wakeAll()
    }
  }

  /// The writer cannot write for now: what does not fit is refused instead of waited for.
  func setStalled(_ value: Bool) {
    lock.hold {
      isStalled = value
      lock.wakeAll()
    }
  }

  /// No thread waits for anything any more.
  func abandon() {
    lock.hold {
      isAbandoned = true
      lock.wakeAll()
    }
  }

  var hasBeenAbandoned: Bool { lock.hold { isAbandoned } }
}
