import HarkCapture
import HarkPlatform
import HarkSystem

/// Reads many captures, each in a separate process, so that one that crashes or hangs does not affect the others.
///
/// The processes are copies of this one, which has read keys and private protocols once. Their output is printed whole
/// and in the order of the captures; if too much is buffered, processes that are ahead wait.
struct CaptureJobs {
  enum End: Equatable {
    case code(Int32)
    case signal(Int32)
    case timedOut
    /// The system cannot start more processes.
    case notStarted
  }

  /// The results of a process that has ended.
  struct Result {
    let item: CaptureList.Item
    let end: End
    /// Its standard error.
    var errorOutput: [UInt8] = []
    /// Its notes for a summary.
    var notes: [UInt8] = []
  }

  let jobs: Int
  /// The time limit for one capture, in seconds.
  let timeLimit: Int?

  /// How much output is buffered for captures whose turn has not come.
  private static let mostHeld = 64 << 20
  /// Notes are small.
  private static let mostNotes = 16 << 20

  private struct Child {
    let item: CaptureList.Item
    let id: pid_t
    /// Standard output, standard error, notes; -1 once closed.
    var pipes: [Int32]
    var output: [UInt8] = []
    var errorOutput: [UInt8] = []
    var notes: [UInt8] = []
    let deadline: UInt64?
    var isTimedOut = false
    var end: End?

    var isOver: Bool { pipes.allSatisfy { $0 < 0 } }
  }

  /// The descriptor for a copy's notes; -1 in all other processes.
  nonisolated(unsafe) private(set) static var notesDescriptor: Int32 = -1

  /// Whether this process works on one of many captures.
  static var isChild: Bool { unsafe notesDescriptor >= 0 }

  /// Writes notes for a summary.
  static func note(_ bytes: [UInt8]) {
    if isChild { _ = unsafe Console.write(bytes, to: notesDescriptor) }
  }

  /// - Parameters:
  ///   - work: Called in a separate process for each capture; returns its exit code.
  ///   - output: Receives a piece of the output of the capture whose turn it is.
  ///   - ended: Called after all output of a capture, with the number of finished captures and of all.
  func run(
    _ items: [CaptureList.Item], work: (CaptureList.Item) -> Int32,
    output: (CaptureList.Item, [UInt8]) throws -> Void, ended: (Result) throws -> Void,
    waiting: (_ done: Int) -> Void
  ) throws {
    var children: [Child] = []
    var next = 0
    var done = 0
    defer { for child in children where child.end == nil { kill(child.id, SIGKILL) } }
    while !children.isEmpty || next < items.count {
      while next < items.count, children.count(where: { !$0.isOver }) < jobs,
        children.count < 4 * jobs
      {
        if let child = start(items[next], work, others: children) {
          children.append(child)
        } else if children.isEmpty {
          try ended(Result(item: items[next], end: .notStarted))
          done += 1
        } else {
          // There may be room once another process has ended.
          break
        }
        next += 1
      }
      try wait(for: &children)
      waiting(done)
      while let first = children.first {
        if !first.output.isEmpty {
          children[0].output = []
          try output(first.item, first.output)
        }
        guard first.isOver else { break }
        children.removeFirst()
        done += 1
        try ended(
          Result(
            item: first.item, end: Self.end(of: first), errorOutput: first.errorOutput,
            notes: first.notes))
      }
    }
  }

  // MARK: Processes

  private func start(
    _ item: CaptureList.Item, _ work: (CaptureList.Item) -> Int32, others: [Child]
  ) -> Child? {
    var ends: [Int32] = []
    for _ in 0..<3 {
      var pair: [Int32] = [-1, -1]
      guard unsafe pipe(&pair) == 0 else {
        for end in ends { close(end) }
        return nil
      }
      ends += pair
    }
    Preparation.finish()
    let id = ChildProcess.start {
      // The descriptors of other processes.
      for child in others { for pipe in child.pipes where pipe >= 0 { close(pipe) } }
      for end in [ends[0], ends[2], ends[4]] { close(end) }
      dup2(ends[1], 1)
      dup2(ends[3], 2)
      unsafe Self.notesDescriptor = ends[5]
      MemoryBudget.beginInCopy()
      return work(item)
    }
    for end in [ends[1], ends[3], ends[5]] { close(end) }
    guard let id else {
      for end in [ends[0], ends[2], ends[4]] { close(end) }
      return nil
    }
    for end in [ends[0], ends[2], ends[4]] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    return Child(
      item: item, id: id, pipes: [ends[0], ends[2], ends[4]],
      deadline: timeLimit.map { Console.now + UInt64($0) * 1_000_000_000 })
  }

  private static func end(of child: Child) -> End {
    var status: Int32 = 0
    while unsafe waitpid(child.id, &status, 0) < 0, errno == EINTR {}
    if child.isTimedOut { return .timedOut }
    let signal = status & 0x7F
    return signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
  }

  /// Reads the available output; waits for it at most a quarter of a second.
  private func wait(for children: inout [Child]) throws {
    let held = children.reduce(0) { $0 + $1.output.count }
    var watched: [pollfd] = []
    var places: [(child: Int, pipe: Int)] = []
    for (index, child) in children.enumerated() {
      for (number, pipe) in child.pipes.enumerated() where pipe >= 0 {
        // Processes that are ahead wait for the others.
        if index > 0, number == 0, held > Self.mostHeld { continue }
        watched.append(pollfd(fd: pipe, events: Int16(POLLIN), revents: 0))
        places.append((index, number))
      }
    }
    guard !watched.isEmpty else { return }
    _ = unsafe poll(&watched, nfds_t(watched.count), 250)
    for (place, poll) in zip(places, watched) where poll.revents != 0 {
      Self.read(&children[place.child], place.pipe)
    }
    for index in children.indices {
      guard let deadline = children[index].deadline, !children[index].isOver,
        !children[index].isTimedOut, Console.now > deadline
      else { continue }
      children[index].isTimedOut = true
      kill(children[index].id, SIGKILL)
    }
  }

  private static func read(_ child: inout Child, _ number: Int) {
    var part = [UInt8](repeating: 0, count: Output.size)
    let count = unsafe HarkPlatform.read(child.pipes[number], &part, part.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      close(child.pipes[number])
      child.pipes[number] = -1
      return
    }
    switch number {
    case 0: child.output += part[..<count]
    case 1: if child.errorOutput.count < mostNotes { child.errorOutput += part[..<count] }
    default: if child.notes.count < mostNotes { child.notes += part[..<count] }
    }
  }
}
