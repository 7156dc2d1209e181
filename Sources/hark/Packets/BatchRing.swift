import HarkDissection
import HarkPlatform
import HarkPresentation
import HarkSelection

/// Batches of packets on their way from the thread that reads them to those that write their text, in order.
final class BatchRing<Writer: PacketWriter>: @unchecked Sendable {
  /// What the reading thread does next.
  enum Step {
    /// Print a batch and give it back with `printed`.
    case print(PacketBatch)
    /// Write a batch that no other thread writes.
    case write(PacketBatch)
    case nothing
  }

  private let batches: [PacketBatch]
  /// How many batches wait when the other thread is woken: to wake it takes longer than to write one.
  private let mostWaiting: Int
  private let lock = ThreadLock()
  // Numbers of batches since the beginning, changed only with the lock held: printed ≤ claimed ≤ filled.
  private var filledCount = 0
  private var claimedCount = 0
  private var printedCount = 0
  private var isClosed = false

  init(size: Int, _ messages: MessageMarks?) {
    batches = (0..<size).map { _ in PacketBatch(messages) }
    mostWaiting = max(1, size / 2)
  }

  /// The batch that is being filled. It belongs to the reading thread until `pass`.
  var filling: PacketBatch { batches[filledCount % batches.count] }

  /// Passes the batch that is being filled on to be written.
  func pass() {
    lock.hold {
      filledCount += 1
      if filledCount - claimedCount >= mostWaiting { lock.wakeAll() }
    }
  }

  /// What to do so that at most `most` batches are on their way; waits for a batch that another thread writes.
  func next(leaving most: Int) -> Step {
    lock.hold {
      while true {
        let oldest = batches[printedCount % batches.count]
        if printedCount < claimedCount, oldest.isWritten { return .print(oldest) }
        if filledCount - printedCount <= most { return .nothing }
        if let batch = claim() { return .write(batch) }
        lock.wait()
      }
    }
  }

  /// Takes the oldest batch that no thread writes. The lock must be held.
  private func claim() -> PacketBatch? {
    guard claimedCount < filledCount else { return nil }
    defer { claimedCount += 1 }
    return batches[claimedCount % batches.count]
  }

  /// Writes a claimed batch.
  func write(_ batch: PacketBatch, with writer: inout Writer, _ spare: inout Tree) {
    batch.write(with: &writer, &spare)
    lock.hold {
      batch.isWritten = true
      lock.wakeAll()
    }
  }

  /// The oldest batch was printed, and can be filled again.
  func printed() {
    batches[printedCount % batches.count].clear()
    printedCount += 1
  }

  /// Writes batches until `close`.
  func run(with writer: Writer) {
    var (writer, spare) = (writer, Tree())
    while let batch = lock.hold({ () -> PacketBatch? in
      while !isClosed {
        if let batch = claim() { return batch }
        lock.wait()
      }
      return nil
    }) {
      write(batch, with: &writer, &spare)
    }
  }

  /// Ends `run`; unclaimed batches stay unwritten.
  func close() {
    lock.hold {
      isClosed = true
      lock.wakeAll()
    }
  }
}
