import HarkCapture
import HarkCore
import HarkDissection
import HarkPlatform
import HarkPresentation
import HarkSelection
import HarkSession

/// Prints packets in order. A second thread reads their fields and writes their text while the first one indexes more; when
/// the first one is far ahead, it writes a batch itself.
struct PacketPrinter<Writer: PacketWriter>: ~Copyable {
  private static var ringSize: Int { 8 }

  private var out: Output
  private var writer: Writer
  private var spare = Tree()
  private var names = LinkNames()
  /// Whether packets arrive one by one, and somebody waits for each.
  private let isImmediate: Bool
  private let ring: BatchRing<Writer>
  private let thread: PlatformThread?
  /// How many batches may be on their way while the next one is filled.
  private let most: Int

  /// - Parameters:
  ///   - writer: Writes what the first thread writes.
  ///   - messages: What messages say, if that was found out before.
  ///   - make: Makes the writer of the second thread.
  init(
    _ writer: Writer, isImmediate: Bool, messages: MessageMarks?,
    _ make: @escaping () throws -> Writer
  ) {
    var writer = writer
    let isAlone = isImmediate || Platform.processors < 2
    let ring = BatchRing<Writer>(size: isAlone ? 1 : Self.ringSize, messages)
    writer.header(to: &ring.filling.text)
    // Nothing that it reads changes.
    nonisolated(unsafe) let make = make
    let thread =
      isAlone
      ? nil
      : PlatformThread {
        // Without a writer of its own, the first thread writes everything.
        if let writer = unsafe try? make() { ring.run(with: writer) }
      }
    self.isImmediate = isImmediate
    self.ring = ring
    self.writer = writer
    self.thread = thread
    most = thread == nil ? 0 : Self.ringSize - 1
    out = Output(isImmediate: isImmediate)
  }

  deinit {
    ring.close()
    thread?.join()
  }

  /// Prints the packet that `session` has indexed last, if `read` reads it and returns true.
  /// - Parameter bytes: Those of its record.
  /// - Throws: As `Output.written` does.
  mutating func add(
    _ bytes: RawSpan, _ session: inout Session,
    _ read: (inout PacketReading, inout Session) -> Bool
  ) throws -> Bool {
    let link = session.lastRow?.link
    if !names.agrees(with: session, on: link) {
      try pass()
      names.forget()
    }
    names.add(link, session)
    let batch = ring.filling
    guard batch.add(bytes, { packet in read(&packet, &session) }) else { return false }
    if batch.isFull || isImmediate { try pass() }
    return true
  }

  /// Prints packets that have waited for long.
  mutating func printOverdue() throws {
    if out.isOverdue { try finish() }
  }

  /// Prints all packets that were added.
  mutating func finish() throws {
    try pass()
    try print(leaving: 0)
  }

  private mutating func pass() throws {
    let batch = ring.filling
    guard !batch.isEmpty || batch.text.count > 0 else { return }
    batch.names = names
    ring.pass()
    try print(leaving: most)
  }

  /// Prints what is written, until at most `most` batches are on their way.
  private mutating func print(leaving most: Int) throws {
    while true {
      switch ring.next(leaving: most) {
      case .print(let batch):
        try out.flush(&batch.text)
        ring.printed()
      case .write(let batch): ring.write(batch, with: &writer, &spare)
      case .nothing: return
      }
    }
  }
}
