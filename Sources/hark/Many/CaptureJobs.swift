import HarkCapture
import HarkPlatform
import HarkSystem

/// Work on many captures, each in a process of its own, so that one that crashes or never ends spoils nothing.
///
/// The processes are copies of this one, which has read keys and private protocols once. What they write comes out whole
/// and in the order of the captures; those ahead wait once much of it is held.
struct CaptureJobs {
  enum End: Equatable {
    case code(Int32)
    case signal(Int32)
    case timedOut
    /// The system makes no more processes.
    case notStarted
  }

  /// What a process left when it ended.
  struct Result {
    let item: CaptureList.Item
    let end: End
    /// What it says on standard error.
    var said: [UInt8] = []
    /// What it notes for a summary.
    var notes: [UInt8] = []
  }

  let jobs: Int
  /// Seconds that one capture may take.
  let timeLimit: Int?

  /// How much output of captures whose turn has not come is held.
  private static let mostHeld = 64 << 20
  /// Notes are small.
  private static let mostNotes = 16 << 20

  private struct Child {
    let item: CaptureList.Item
    let id: pid_t
    /// Standard output, standard error, notes; -1 once closed.
    var pipes: [Int32]
    var output: [UInt8] = []
    var said: [UInt8] = []
    var notes: [UInt8] = []
    let deadline: UInt64?
    var isTimedOut = false
    var end: End?

    var isOver: Bool { pipes.allSatisfy { $0 < 0 } }
  }

  /// Where a copy of this process writes its notes; -1 in all others.
  nonisolated(unsafe) private(set) static var notesDescriptor: Int32 = -1

  /// Whether this process works on one of many captures.
  static var isChild: Bool { unsafe notesDescriptor >= 0 }

  /// Leaves notes for a summary.
  static func note(_ bytes: [UInt8]) {
    if isChild { _ = unsafe Console.write(bytes, to: notesDescriptor) }
  }

  /// - Parameters:
  ///   - work: Is called in a process of its own for each capture; gives its exit code.
  ///   - output: Takes a piece of what was written of the capture whose turn it is.
  ///   - ended: Is called when all of a capture was given, with how many are done and how many there are.
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
          // There may be room once another one has ended.
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
            item: first.item, end: Self.end(of: first), said: first.said, notes: first.notes))
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
    let id = ChildProcess.start {
      // No other process reads or writes there.
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
    for end in [ends[0], ends[2], ends[4]] { _ = unsafe fcntl(end, F_SETFL, O_NONBLOCK) }
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

  /// Reads what there is, waiting at most a quarter of a second for something.
  private func wait(for children: inout [Child]) throws {
    let held = children.reduce(0) { $0 + $1.output.count }
    var watched: [pollfd] = []
    var places: [(child: Int, pipe: Int)] = []
    for (index, child) in children.enumerated() {
      for (number, pipe) in child.pipes.enumerated() where pipe >= 0 {
        // Who is ahead waits for the others.
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
    case 1: if child.said.count < mostNotes { child.said += part[..<count] }
    default: if child.notes.count < mostNotes { child.notes += part[..<count] }
    }
  }
}
