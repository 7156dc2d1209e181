import HarkCapture
import HarkPlatform
import HarkSystem

/// One file, pipe or terminal that is written to, whole records at a time.
struct OutputFile: ~Copyable {
  let path: String
  /// Where a file is made when the recording begins, and the lock on what has its name until then; -1 for
  /// none.
  private let target: FileTarget?
  private var lock: Int32
  /// That file, under its name.
  private var file: NewFile?
  /// Standard output, a pipe, a device; -1 for a file.
  private let stream: Int32
  /// Whether it can be cut back to its last whole record.
  private let isRegular: Bool
  /// Where whole records end.
  private(set) var end: Int64 = 0
  private let start: Int64

  private var descriptor: Int32 { file?.descriptor ?? stream }

  /// Opens standard output (`-`), a pipe or a device; of a file looks whether it can be made. What has its
  /// name stays until the recording begins.
  /// - Parameters:
  ///   - source: Must not be the same file.
  init(_ path: String, besides source: Int32) throws(RecordError) {
    let name = path == "-" ? "standard output" : path
    let output = try RecordError.of { () throws(FileError) in
      try OutputTarget(path == "-" ? "/dev/stdout" : path)
    }
    var held: Int32 = -1
    var form = (isRegular: true, start: Int64(0))
    if let target = output.file {
      guard !target.isSame(as: source) else { throw Self.isSource(path) }
      held = try RecordError.of { () throws(FileError) in try target.lock() } ?? -1
    } else {
      do {
        form = try Self.check(output.stream, besides: source, name)
      } catch {
        close(output.stream)
        throw error
      }
    }
    self.path = name
    (target, stream, lock) = (output.file, output.stream, held)
    (isRegular, start) = form
  }

  /// - Returns: Whether it can be cut, and where it begins.
  private static func check(
    _ descriptor: Int32, besides source: Int32, _ path: String
  ) throws(RecordError) -> (isRegular: Bool, start: Int64) {
    var (mine, other) = (stat(), stat())
    guard unsafe fstat(descriptor, &mine) == 0 else {
      throw RecordError(path, errno: errno, "cannot write")
    }
    if unsafe fstat(source, &other) == 0, mine.st_ino == other.st_ino, mine.st_dev == other.st_dev {
      throw isSource(path)
    }
    guard isatty(descriptor) == 0 else {
      throw RecordError(
        path, "is a terminal", advice: "name a file, or pipe the output into a program")
    }
    let isRegular = mine.st_mode & S_IFMT == S_IFREG
    return (isRegular, isRegular ? Int64(lseek(descriptor, 0, SEEK_CUR)) : 0)
  }

  private static func isSource(_ path: String) -> RecordError {
    RecordError(path, "is the source itself", advice: "choose another file")
  }

  deinit {
    if lock >= 0 { close(lock) }
    if stream >= 0 { close(stream) }
  }

  /// What became of a write.
  enum Outcome: Equatable {
    case done
    /// Interrupted by a signal after this many bytes of whole records.
    case interrupted(Int)
    /// There is no room after this many bytes of whole records. What went further is gone again.
    case full(Int)
    case failed(Int32)
  }

  /// Writes the whole records that `records` has from `start` on.
  mutating func write(_ records: RecordEncoder, from start: Int) -> Outcome {
    let range = start..<records.bytes.count
    let (done, code) = attempt(records.bytes, range)
    if code == 0 {
      end += Int64(range.count)
      return .done
    }
    switch code {
    case EINTR where !isRegular:
      // Of a pipe nothing can be taken back: the rest is to follow.
      end += Int64(done)
      return .interrupted(done)
    case ENOSPC, EDQUOT, EINTR:
      let whole = isRegular ? records.lastEnd(upTo: start + done, from: start) - start : done
      end += Int64(whole)
      cut()
      return code == EINTR ? .interrupted(whole) : .full(whole)
    default: return .failed(code)
    }
  }

  /// Writes as much as can be; how many bytes that was, and 0 or why it was not all.
  private func attempt(_ bytes: [UInt8], _ range: Range<Int>) -> (Int, Int32) {
    Self.attempt(bytes, range, descriptor)
  }

  private static func attempt(
    _ bytes: [UInt8], _ range: Range<Int>, _ descriptor: Int32
  ) -> (Int, Int32) {
    var done = 0
    while done < range.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe HarkPlatform.write(
          descriptor, $0.baseAddress.map { unsafe $0 + range.lowerBound + done },
          range.count - done)
      }
      guard count >= 0 else { return (done, errno) }
      done += count
    }
    return (done, 0)
  }

  private func cut() {
    guard isRegular else { return }
    _ = ftruncate(descriptor, off_t(start + end))
    lseek(descriptor, off_t(start + end), SEEK_SET)
  }

  /// Writes what the file begins with: all of it or nothing. It has its name from then on, also where this
  /// program is killed.
  mutating func begin(_ bytes: [UInt8]) throws(RecordError) {
    guard let target else { return try beginStream(bytes) }
    let file = try RecordError.of { () throws(FileError) in try NewFile(target) }
    file.lock()
    let (done, code) = Self.attempt(bytes, 0..<bytes.count, file.descriptor)
    guard code == 0 else { throw RecordError(path, errno: code, "cannot write") }
    try RecordError.of { () throws(FileError) in try file.publish(replacesOthers: false) }
    self.file = file
    end = Int64(done)
    if lock >= 0 { close(lock) }
    lock = -1
  }

  private mutating func beginStream(_ bytes: [UInt8]) throws(RecordError) {
    let (done, code) = attempt(bytes, 0..<bytes.count)
    guard code == 0 else {
      cut()
      throw RecordError(path, errno: code, "cannot write")
    }
    end += Int64(done)
  }

  /// Makes sure that it is on the disk.
  func sync() { if isRegular { fsync(descriptor) } }
}
