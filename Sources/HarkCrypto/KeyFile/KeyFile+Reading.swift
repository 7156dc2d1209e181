import Glibc

extension KeyFile {
  /// Reads a key file, and warns if others than its owner can read it; not of test keys.
  /// - Throws: `KeyFileError`, also when the file cannot be read.
  public init(path: String) throws(KeyFileError) {
    func problem(_ reason: String) -> KeyFileError {
      KeyFileError(
        file: path, problems: [.init(path: "", line: nil, column: nil, reason: reason)])
    }
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw problem("cannot be opened: \(Self.reason(errno))") }
    defer { close(file) }

    // One buffer of the longest size: growing one would leave copies of keys behind. It is not
    // cleared first, so only the pages that the file fills take time and memory.
    var failure: Int32 = 0
    var text = unsafe [UInt8](unsafeUninitializedCapacity: Self.longest + 1) { buffer, count in
      while count < buffer.count {
        let got = unsafe Glibc.read(
          file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        guard got > 0 else { break }
        count += got
      }
    }
    defer {
      Sodium.wipe(&text)
      Sodium.wipeStack()
    }
    guard failure == 0 else { throw problem("cannot be read: \(Self.reason(failure))") }
    guard text.count <= Self.longest else {
      throw problem("more than \(Self.longest) bytes: no key file")
    }
    try self.init(text, name: path)

    var status = stat()
    if !isTest, unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_mode & (S_IRGRP | S_IROTH) != 0
    {
      warnings.append("\(path) can be read by other users: chmod 600 it.")
    }
  }

  private static func reason(_ code: Int32) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}
