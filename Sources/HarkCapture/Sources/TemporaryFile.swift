import HarkPlatform

/// A temporary file without a name, readable by its owner alone: for what memory is too small for. One thread
/// appends; others may read what is there already.
package final class TemporaryFile: Sendable {
  let descriptor: Int32

  /// Makes the file in `TMPDIR`, or in another folder.
  /// - Parameter name: What the file is for, as errors show it.
  package init(name: String, in folder: String? = nil) throws(CaptureError) {
    let usual = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    let folder = folder ?? usual
    var path = Array("\(folder)/.hark-XXXXXX".utf8CString)
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
        name, errno: errno, "cannot create a temporary file in \(folder)",
        advice: "set TMPDIR to a writable folder")
    }
  }

  /// Takes an open file.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Empties the file so that it can be reused. No one may still read the old content.
  package func clear() {
    _ = ftruncate(descriptor, 0)
    lseek(descriptor, 0, SEEK_SET)
  }

  /// Appends as many of `bytes` as there is room for.
  /// - Returns: How many, and the `errno` value where it was not all.
  package func append(_ bytes: UnsafeRawBufferPointer) -> (count: Int, failure: Int32?) {
    unsafe Platform.writeAll(bytes, to: descriptor)
  }

  /// Fills `room` with the bytes from `offset` on.
  /// - Returns: How many there are.
  package func read(at offset: Int64, into room: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    while filled < room.count {
      let count = unsafe pread(
        descriptor, room.baseAddress.map { unsafe $0 + filled }, room.count - filled,
        off_t(offset + Int64(filled)))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      filled += count
    }
    return filled
  }
}
