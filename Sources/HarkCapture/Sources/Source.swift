import HarkCore
import HarkPlatform

/// Where the bytes of a capture come from: a file, a pipe or memory, decompressed if needed.
final class Source {
  private enum Store {
    /// A regular file, read with `pread` from the position of its descriptor.
    case file(Int32, start: Int64)
    case pipe(Int32)
    /// A regular file that may grow.
    case growing(Int32, start: Int64, FileWatch)
    /// Bytes in memory; a read returns at most `chunk` of them.
    case memory([UInt8], chunk: Int)
    /// The packet logs in an archive or folder.
    case logs(PacketLogs)
  }

  let name: String
  let size: Int64?
  /// When the file was last written.
  let modified: Timestamp?
  private let store: Store
  private let ownsDescriptor: Bool
  /// Whether it is a serial line, which has an end only if its device is unplugged.
  private var isLine = false
  /// How to wait for bytes that are not there yet; nil if reading may block without limit.
  private let waitPolicy: ReadWaitPolicy?
  /// Until when bytes are still read after reading was asked to end.
  private var deadline: UInt64?
  /// The first bytes of a pipe, which can be inspected only by reading them.
  private var head: [UInt8] = []
  private var headTaken = 0
  private var inflater: Inflater?
  /// How many bytes were decompressed.
  private var unpacked: Int64 = 0
  /// How many bytes were read, before decompression.
  private(set) var position: Int64 = 0
  /// Why reading ended before the end of the capture.
  private(set) var problem: CaptureDamage.Reason?

  /// Opens a file, or connects to a program that sends a capture.
  convenience init(_ endpoint: Endpoint, waitPolicy: ReadWaitPolicy? = nil) throws(CaptureError) {
    try self.init(
      descriptor: try endpoint.open(waitPolicy: waitPolicy), name: endpoint.name,
      isOwned: !endpoint.isStandardInput,
      waitPolicy: waitPolicy)
  }

  /// Reads an open descriptor, and closes it at the end if it `isOwned`.
  init(
    descriptor: Int32, name: String, isOwned: Bool, waitPolicy: ReadWaitPolicy? = nil
  ) throws(CaptureError) {
    self.name = name
    self.waitPolicy = waitPolicy
    ownsDescriptor = isOwned
    var status = stat()
    // Only `deinit` closes the descriptor, and it runs only if all properties are set.
    let code = unsafe fstat(descriptor, &status) == 0 ? 0 : errno
    let isFile = status.st_mode & S_IFMT == S_IFREG
    modified =
      isFile
      ? Timestamp(
        seconds: Int64(status.modified.tv_sec), nanoseconds: Int64(status.modified.tv_nsec)) : nil
    if isFile {
      let start = max(0, Int64(lseek(descriptor, 0, SEEK_CUR)))
      if let waitPolicy, waitPolicy.followsFile, ownsDescriptor {
        store = .growing(descriptor, start: start, FileWatch(of: descriptor))
        size = nil
      } else {
        store = .file(descriptor, start: start)
        size = Int64(status.st_size)
        // Holes in a file take no space on disk.
        MemoryBudget.readsFile(of: min(Int64(status.st_size), Int64(status.st_blocks) * 512))
      }
    } else {
      // A serial line carries bytes, not lines of text.
      if status.st_mode & S_IFMT == S_IFCHR, ownsDescriptor { isLine = makeRaw(descriptor) }
      store = .pipe(descriptor)
      size = nil
    }
    guard code == 0 else { throw CaptureError(name, errno: code, "cannot open") }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw CaptureError(
        name, "a directory", expected: "a capture",
        advice: Endpoint.adviceOnLink(name) ?? "name a file in it")
    }
    try detectGzip()
  }

  /// Reads from memory, at most `chunk` bytes at a time.
  init(bytes: [UInt8], name: String, chunk: Int = .max) throws(CaptureError) {
    self.name = name
    store = .memory(bytes, chunk: max(1, chunk))
    ownsDescriptor = false
    waitPolicy = nil
    modified = nil
    size = Int64(bytes.count)
    try detectGzip()
  }

  /// Reads the packet logs of an archive or folder, one after the other.
  init(_ logs: PacketLogs, name: String, size: Int64?, modified: Timestamp?) {
    (self.name, self.size, self.modified) = (name, size, modified)
    store = .logs(logs)
    ownsDescriptor = false
    waitPolicy = nil
  }

  /// The file of `other`, again from its beginning; nil if it is not a regular file.
  convenience init?(again other: Source) {
    guard case .file(let descriptor, _) = other.store else { return nil }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return nil }
    try? self.init(descriptor: copy, name: other.name, isOwned: true)
  }

  deinit {
    guard ownsDescriptor else { return }
    switch store {
    case .file(let descriptor, _), .pipe(let descriptor), .growing(let descriptor, _, _):
      close(descriptor)
    case .memory, .logs: break
    }
  }

  var isCompressed: Bool {
    if case .logs(let logs) = store { logs.isCompressed } else { inflater != nil }
  }

  /// Whether more bytes may arrive; hark waits no longer than a record needs.
  var isAwaited: Bool {
    switch store {
    case .pipe, .growing: true
    case .file, .memory, .logs: waitPolicy != nil
    }
  }

  /// Records that `bytes` arrived since the last record.
  /// - Returns: Whether to read on; otherwise the capture ends here.
  func readsOn(after bytes: Int) -> Bool {
    guard case .pipe = store,
      let longest = waitPolicy.map(\.longestGap) ?? ReadWaitPolicy.usualGap, bytes > longest
    else { return true }
    problem = MemoryBudget.ended(.noRecord(bytes: bytes), name)
    return false
  }

  /// Whether a position in the decoded stream is a position in the file.
  var isRandomAccess: Bool {
    switch store {
    case .pipe, .growing, .logs: false
    case .file, .memory: !isCompressed
    }
  }

  /// Waits until there are bytes to read, or the end.
  /// - Parameter milliseconds: The longest time to wait; -1 for no limit.
  func wait(milliseconds: Int32) -> ReadWaitPolicy.Outcome {
    guard headTaken == head.count else { return .ready }
    let waitPolicy = waitPolicy ?? ReadWaitPolicy()
    switch store {
    case .file, .memory, .logs: return .ready
    case .pipe(let descriptor):
      return waitPolicy.wait(for: descriptor, milliseconds: milliseconds)
    case .growing(let descriptor, let start, let watch):
      var status = stat()
      while unsafe fstat(descriptor, &status) == 0, Int64(status.st_size) <= start + position {
        switch watch.wait(waitPolicy, milliseconds: milliseconds) {
        case .stopped: return .stopped
        case .timedOut where milliseconds >= 0: return .timedOut
        case .ready, .timedOut: break
        }
      }
      return .ready
    }
  }

  /// Waits for bytes as long as the policy allows.
  /// - Returns: Whether to read; otherwise the capture ends here.
  private func awaitBytes() -> Bool {
    guard let waitPolicy else { return true }
    var outcome = wait(milliseconds: 0)
    if case .timedOut = outcome {
      guard waitPolicy.whenIdle?() ?? true else { return false }
      outcome = wait(milliseconds: -1)
    }
    guard case .ready = outcome else { return false }
    guard waitPolicy.isOver else { return true }
    let now = monotonicTime
    let deadline = deadline ?? now + ReadWaitPolicy.drain
    self.deadline = deadline
    return now < deadline
  }

  private func detectGzip() throws(CaptureError) {
    var first: [UInt8] = []
    while first.count < 2 {
      var piece: [UInt8] = [0, 0]
      let count = unsafe piece.withUnsafeMutableBytes { bytes in
        unsafe readRaw(
          into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<(2 - first.count)]))
      }
      guard count > 0 else { break }
      first += piece[..<count]
    }
    if case .read(let code) = problem { throw CaptureError(name, errno: code, "cannot read") }
    head = first
    position = 0
    if first == Inflater.magic {
      guard let made = Inflater() else {
        throw CaptureError(name, errno: ENOMEM, "cannot unpack")
      }
      inflater = made
    }
  }

  /// Fills as much of `buffer` as one read returns; 0 at the end, with `problem` set if it is not
  /// the end of the capture.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if let reason = MemoryBudget.check(name) {
      problem = reason
      return 0
    }
    guard let inflater else { return unsafe readRaw(into: buffer) }
    let count = unsafe inflater.read(into: buffer) { input in unsafe readRaw(into: input) }
    if problem == nil { problem = inflater.problem }
    unpacked += Int64(count)
    if unpacked > MemoryBudget.unpacked(from: position) {
      problem = MemoryBudget.ended(.unpacked(packed: position), name)
      return 0
    }
    return count
  }

  /// The next bytes, at most `most`; empty at the end.
  func next(_ most: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: most)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(into: $0) }
    bytes.removeLast(most - count)
    return bytes
  }

  private func readRaw(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard buffer.count > 0 else { return 0 }
    if headTaken < head.count {
      unsafe buffer[0] = head[headTaken]
      headTaken += 1
      position += 1
      return 1
    }
    let count: Int
    switch store {
    case .file(let descriptor, let start):
      let place = off_t(start + position)
      count = retry { unsafe pread(descriptor, buffer.baseAddress, buffer.count, place) }
    case .pipe(let descriptor):
      guard awaitBytes() else { return 0 }
      count = retry { unsafe HarkPlatform.read(descriptor, buffer.baseAddress, buffer.count) }
      if count == 0, isLine { problem = .disconnected }
    case .growing(let descriptor, let start, _):
      let place = off_t(start + position)
      var got = 0
      while got == 0, problem == nil {
        guard awaitBytes() else { return 0 }
        got = retry { unsafe pread(descriptor, buffer.baseAddress, buffer.count, place) }
      }
      count = got
    case .memory(let bytes, let chunk):
      count = min(buffer.count, bytes.count - Int(position), chunk)
      unsafe bytes.withUnsafeBytes { all in
        let from = Int(position)
        unsafe buffer.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: all[from..<(from + count)]))
      }
    case .logs(let logs):
      let piece = logs.read(buffer.count)
      unsafe piece.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
      position = max(position, logs.position)
      if piece.isEmpty { problem = logs.problem }
      return piece.count
    }
    position += Int64(count)
    return count
  }

  private func retry(_ operation: () -> Int) -> Int {
    while true {
      let count = operation()
      if count >= 0 { return count }
      if errno == EINTR { continue }
      problem = .read(errno)
      return 0
    }
  }

  /// Bytes of a capture for which `isRandomAccess` holds.
  func bytes(at offset: Int64, count: Int) throws(CaptureError) -> [UInt8] {
    switch store {
    case .file(let descriptor, let start):
      return try readBack(descriptor, at: offset, from: start, count: count, name: name)
    case .memory(let bytes, _):
      guard offset >= 0, count >= 0, offset <= Int64(bytes.count - count) else {
        throw CaptureError(name, "the end of the capture", offset: offset, expected: "a record")
      }
      return Array(bytes[Int(offset)..<(Int(offset) + count)])
    case .pipe, .growing, .logs: throw .notKept(name)
    }
  }
}

/// Makes a terminal deliver bytes as they arrive; leaves other descriptors unchanged.
/// - Returns: Whether it is a terminal.
private func makeRaw(_ descriptor: Int32) -> Bool {
  var settings = termios()
  guard unsafe tcgetattr(descriptor, &settings) == 0 else { return false }
  unsafe cfmakeraw(&settings)
  _ = unsafe tcsetattr(descriptor, TCSANOW, &settings)
  return true
}

/// Reads exactly `count` bytes of a file that may have shrunk since.
func readBack(
  _ descriptor: Int32, at offset: Int64, from start: Int64, count: Int, name: String
) throws(CaptureError) -> [UInt8] {
  guard offset >= 0, count >= 0, count <= Window.reach, offset <= Int64.max / 2 else {
    throw CaptureError(name, "no record", offset: offset, expected: "a record")
  }
  var code: Int32 = 0
  let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
    while filled < count {
      let got = unsafe pread(
        descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled,
        off_t(start + offset + Int64(filled)))
      if got < 0, errno == EINTR { continue }
      if got < 0 { code = errno }
      guard got > 0 else { break }
      filled += got
    }
  }
  guard code == 0 else { throw CaptureError(name, errno: code, "cannot read") }
  guard bytes.count == count else {
    throw CaptureError(
      name, "the end of the file", offset: offset + Int64(bytes.count), expected: "a record",
      advice: "the file was truncated while it was open")
  }
  return bytes
}

extension CaptureError {
  static func notKept(_ name: String) -> CaptureError {
    CaptureError(name, "the bytes of this capture were not stored")
  }
}
