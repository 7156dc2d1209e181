import Glibc

/// A temporary file without a name that keeps packet bytes which cannot be read a second time.
final class Spool {
  private static let bufferSize = 1 << 16
  /// A small compressed file may unpack to any size; the disk is not the capture's to fill.
  private static let largest: Int64 = 1 << 32

  private let descriptor: Int32
  private let name: String
  private var pending: [UInt8] = []
  private var written: Int64 = 0
  /// Why bytes could not be kept; set once, and then nothing more is.
  private(set) var failure: Int32?

  /// Makes the file in `TMPDIR`, readable by its owner alone.
  init(name: String) throws(CaptureError) {
    self.name = name
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var path = Array("\(folder)/hark-XXXXXX".utf8CString)
    descriptor = unsafe path.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return -1 }
      let made = unsafe mkstemp(start)
      if made >= 0 {
        unsafe unlink(start)
        _ = fcntl(made, F_SETFD, FD_CLOEXEC)
      }
      return made
    }
    guard descriptor >= 0 else {
      throw CaptureError(
        name, errno: errno, "cannot make a temporary file in \(folder)",
        advice: "set TMPDIR to a folder that can be written to")
    }
    pending.reserveCapacity(2 * Self.bufferSize)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Keeps `bytes` and returns where they are, for `bytes(at:count:)`.
  func append(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    let offset = written + Int64(pending.count)
    if offset > Self.largest, failure == nil { failure = EFBIG }
    if failure == nil { unsafe pending.append(contentsOf: bytes) }
    if pending.count >= Self.bufferSize { flush() }
    return offset
  }

  private func flush() {
    var done = 0
    while done < pending.count, failure == nil {
      let count = unsafe pending.withUnsafeBytes { bytes in
        unsafe write(descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
      }
      if count >= 0 { done += count } else if errno != EINTR { failure = errno }
    }
    written += Int64(done)
    pending.removeAll(keepingCapacity: true)
  }

  func bytes(at offset: Int64, count: Int) throws(CaptureError) -> [UInt8] {
    if !pending.isEmpty { flush() }
    return try readBack(descriptor, at: offset, from: 0, count: count, name: name)
  }
}
