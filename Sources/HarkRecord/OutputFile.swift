import Glibc
import HarkCapture

/// One file, pipe or terminal that is written to, whole records at a time.
struct OutputFile: ~Copyable {
  let path: String
  private let descriptor: Int32
  /// Whether it can be cut back to its last whole record.
  private let isRegular: Bool
  /// Where whole records end.
  private(set) var end: Int64 = 0
  private let start: Int64
  /// Whether it is a file that was opened by its path.
  private let isFile: Bool
  private let isNew: Bool

  /// Opens standard output (`-`) or a file, which is made if need be, readable by its owner alone.
  /// - Parameters:
  ///   - source: Must not be the same file.
  init(_ path: String, besides source: Int32) throws(RecordError) {
    let isStandardOutput = path == "-"
    let name = isStandardOutput ? "standard output" : path
    let descriptor =
      isStandardOutput
      ? dup(1) : unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
    guard descriptor >= 0 else {
      let isRefused = errno == EACCES && Privileges.isOfSudo
      throw RecordError(
        name, errno: errno, "cannot write",
        advice: isRefused ? "it is written as the user who called sudo" : nil)
    }
    var (mine, other) = (stat(), stat())
    guard unsafe fstat(descriptor, &mine) == 0 else {
      let code = errno
      close(descriptor)
      throw RecordError(name, errno: code, "cannot write")
    }
    if unsafe fstat(source, &other) == 0, mine.st_ino == other.st_ino, mine.st_dev == other.st_dev {
      close(descriptor)
      throw RecordError(name, "is the source itself", advice: "name another file")
    }
    guard isatty(descriptor) == 0 else {
      close(descriptor)
      throw RecordError(name, "is a terminal", advice: "name a file, or pipe it into a program")
    }
    let isRegular = mine.st_mode & S_IFMT == S_IFREG
    let isFile = isRegular && !isStandardOutput
    // Two that write into one file leave nothing in it that can be read. Where files cannot be locked
    // (some of the network), nothing is known of others.
    guard !isFile || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      close(descriptor)
      throw RecordError(
        name, "another program records into this file", advice: "name another file")
    }
    isNew = mine.st_size == 0
    self.isRegular = isRegular
    self.isFile = isFile
    self.path = name
    self.descriptor = descriptor
    start = isRegular ? Int64(lseek(descriptor, 0, SEEK_CUR)) : 0
  }

  deinit { close(descriptor) }

  /// What became of a write.
  enum Outcome: Equatable {
    case done
    /// Interrupted by a signal after so many bytes of whole records.
    case interrupted(Int)
    /// There is no room behind so many bytes of whole records. What went further is gone again.
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
    var done = 0
    while done < range.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(
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

  /// Empties the file and writes what it begins with: all of it or nothing.
  /// - Returns: 0, or why it cannot be written.
  mutating func begin(_ bytes: [UInt8]) -> Int32 {
    if isFile {
      _ = ftruncate(descriptor, 0)
      _ = fchmod(descriptor, 0o600)
    }
    let (done, code) = attempt(bytes, 0..<bytes.count)
    if code == 0 { end += Int64(done) } else { cut() }
    return code
  }

  /// Removes the file again, if it was made for this.
  func discard() { if isFile, isNew { unsafe unlink(path) } }

  /// Makes sure that it is on the disk.
  func sync() { if isRegular { fsync(descriptor) } }
}
