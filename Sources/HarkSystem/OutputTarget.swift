import HarkPlatform

/// What stands after a path that a user names for output.
public struct OutputTarget {
  /// A name that no file has, or a file of ours that is replaced as a whole; otherwise nil.
  public let file: FileTarget?
  /// A FIFO, a device or an open file, which is written to as it is: its descriptor, to be closed; else -1.
  public let stream: Int32

  /// Looks what is there, and changes nothing. A FIFO is opened, which waits for its reader.
  public init(_ path: String) throws(FileError) {
    if let descriptor = Self.openFile(path) {
      (file, stream) = (nil, try Self.duplicate(descriptor, path))
      return
    }
    let target = try FileTarget(path)
    file = target.isStream ? nil : target
    stream = target.isStream ? try Self.open(path) : -1
  }

  /// Whether something could be written there; opens nothing.
  public static func check(_ path: String) throws(FileError) {
    guard openFile(path) == nil, let lock = try FileTarget(path).lock() else { return }
    close(lock)
  }

  /// The number of the descriptor that a path stands for: of `/dev/stdout`, for example. What is after it
  /// may be a file, which the shell has opened and which is not replaced.
  static func openFile(_ path: String) -> Int32? {
    if path == "/dev/stdout" { return 1 }
    if path == "/dev/stderr" { return 2 }
    for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
      return Int32(path.dropFirst(folder.count))
    }
    return nil
  }

  private static func duplicate(_ descriptor: Int32, _ path: String) throws(FileError) -> Int32 {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw FileError(path, errno: errno) }
    return copy
  }

  private static func open(_ path: String) throws(FileError) -> Int32 {
    let descriptor = unsafe HarkPlatform.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw FileError(path, errno: errno) }
    var status = stat()
    // It may be another one by now.
    guard unsafe fstat(descriptor, &status) == 0, FileTarget.isStream(status) else {
      close(descriptor)
      throw FileError(path, "was replaced by another file")
    }
    do {
      try FileTarget.expectOwn(status, path)
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }
}
