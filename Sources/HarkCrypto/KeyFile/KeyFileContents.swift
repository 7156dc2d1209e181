import HarkPlatform

/// The bytes of a key file as they are on the disk: plain, or sealed with a passphrase.
public final class KeyFileContents {
  public let path: String
  private var bytes: [UInt8]
  /// Whether others than its owner can read it.
  private let isOpenToOthers: Bool

  /// Whether it takes a passphrase to read it.
  public var isSealed: Bool { SealedKeyFile.isSealed(bytes) }

  /// - Throws: `KeyFileError` when the file cannot be read.
  public init(path: String) throws(KeyFileError) {
    self.path = path
    let file = unsafe HarkPlatform.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw Self.problem(path, "cannot open: \(Self.reason(errno))")
    }
    defer { close(file) }

    var status = stat()
    let isFile = unsafe fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    // One buffer from the start: growing one would leave copies of keys. It has no more room than the
    // file needs, since all of it is cleared when it is freed, and one byte more, to find the end.
    let most = SealedKeyFile.longest + 1
    // Files that the kernel makes up have no size.
    let hasSize = isFile && status.st_size > 0
    let room = hasSize ? min(Int(clamping: status.st_size), most - 1) + 1 : most
    var failure: Int32 = 0
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) {
      buffer, count in
      while count < buffer.count {
        let got = unsafe HarkPlatform.read(
          file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        guard got > 0 else { break }
        count += got
      }
      unsafe Sodium.lock(UnsafeRawBufferPointer(start: buffer.baseAddress, count: count))
    }
    isOpenToOthers = isFile && status.st_mode & (S_IRGRP | S_IROTH) != 0
    guard failure == 0 else { throw Self.problem(path, "cannot be read: \(Self.reason(failure))") }
    let longest = isSealed ? SealedKeyFile.longest : KeyFile.longest
    guard bytes.count <= longest else {
      throw Self.problem(path, "more than \(longest) bytes, so this is not a key file")
    }
    guard bytes.count < room else {
      throw Self.problem(path, "another program is writing to it: try again")
    }
  }

  /// Takes the bytes of a file, and wipes its own copy of them.
  public init(_ bytes: [UInt8], path: String) {
    (self.path, self.bytes, isOpenToOthers) = (path, bytes, false)
  }

  deinit {
    unsafe bytes.withUnsafeMutableBytes { unsafe Sodium.release(UnsafeRawBufferPointer($0)) }
    Sodium.wipeStack()
  }

  /// Reads a plain file, and warns if others than its owner can read it; not of test keys.
  public func open() throws(KeyFileError) -> KeyFile {
    guard !isSealed else { throw Self.problem(path, "encrypted: hark needs its passphrase") }
    var file = try KeyFile(bytes, name: path)
    if !file.isTest, isOpenToOthers {
      file.warnings.append("\(path) can be read by other users: chmod 600 it.")
    }
    return file
  }

  /// What is wrong with a file, or with the passphrase.
  public enum Failure: Error {
    case sealed(SealedKeyFileError)
    case file(KeyFileError)
  }

  /// Reads a sealed file.
  public func open(_ passphrase: Secret) throws(Failure) -> KeyFile {
    var text: [UInt8]
    do {
      text = try SealedKeyFile.open(bytes, passphrase)
    } catch {
      throw .sealed(error)
    }
    defer {
      unsafe text.withUnsafeMutableBytes { unsafe Sodium.release(UnsafeRawBufferPointer($0)) }
      Sodium.wipeStack()
    }
    do {
      return try KeyFile(text, name: path)
    } catch {
      throw .file(error)
    }
  }

  private static func problem(_ path: String, _ reason: String) -> KeyFileError {
    KeyFileError(
      file: path, problems: [.init(path: "", line: nil, column: nil, reason: reason)])
  }

  private static func reason(_ code: Int32) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}

extension KeyFile {
  /// Reads a plain key file.
  /// - Throws: `KeyFileError`, also when the file cannot be read or is sealed.
  public init(path: String) throws(KeyFileError) {
    self = try KeyFileContents(path: path).open()
  }
}
