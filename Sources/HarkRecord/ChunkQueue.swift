import Glibc

/// What the reading thread has read and the writing thread has not written yet: so many bytes at
/// most, whatever either of them waits for.
@safe final class ChunkQueue: @unchecked Sendable {
  private let capacity: Int
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// Signalled when any of the following changes; they are touched with the mutex held alone.
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var chunks: [Chunk] = []
  private var head = 0
  private var byteCount = 0
  private var spare: [Chunk] = []
  private var isClosed = false
  private var isStalled = false
  private var isAbandoned = false

  init(capacity: Int) {
    self.capacity = capacity
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  private func locked<T>(_ body: () -> T) -> T {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body()
  }

  private func wait() { unsafe pthread_cond_wait(changed, mutex) }

  private func notify() { unsafe pthread_cond_broadcast(changed) }

  /// Takes a chunk and leaves an empty one in its place. Waits for room while there is hope for it:
  /// then the source is what has to hold back, or to count what it loses.
  /// - Returns: Whether it was taken; if not, its records are lost.
  func push(_ chunk: inout Chunk) -> Bool {
    locked {
      while byteCount > 0, byteCount + chunk.bytes.count > capacity {
        if isStalled || isAbandoned { return false }
        wait()
      }
      guard !isAbandoned else { return false }
      var empty = spare.popLast() ?? Chunk()
      swap(&empty, &chunk)
      byteCount += empty.bytes.count
      chunks.append(empty)
      notify()
      return true
    }
  }

  /// The oldest chunk, once there is one; nil when there will be none any more.
  func pop() -> Chunk? {
    locked {
      while head == chunks.count, !isClosed { wait() }
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
    locked {
      byteCount -= chunk.bytes.count
      chunk.clear()
      if spare.count < 4 { spare.append(chunk) }
      notify()
    }
  }

  /// Nothing more is pushed.
  func close() {
    locked {
      isClosed = true
      notify()
    }
  }

  /// The writer cannot write for now: what does not fit is refused instead of waited for.
  func setStalled(_ value: Bool) {
    locked {
      isStalled = value
      notify()
    }
  }

  /// Nobody waits for anything any more.
  func abandon() {
    locked {
      isAbandoned = true
      notify()
    }
  }

  var hasBeenAbandoned: Bool { locked { isAbandoned } }
}
