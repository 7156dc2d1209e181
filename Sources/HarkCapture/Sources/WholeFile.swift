import HarkPlatform

/// Files that are small, read whole.
public enum WholeFile {
  public enum Problem: Error, Equatable {
    /// With `errno`.
    case cannotOpen(Int32)
    /// With `errno`.
    case cannotRead(Int32)
    case tooLarge

    /// For an error: `cannot open: Permission denied`.
    /// - Parameter most: What the file was read with.
    public func words(most: Int) -> String {
      switch self {
      case .cannotOpen(let code): "cannot open: \(unsafe String(cString: strerror(code)))"
      case .cannotRead(let code): "cannot read: \(unsafe String(cString: strerror(code)))"
      case .tooLarge: "larger than \(most) bytes"
      }
    }
  }

  /// Whether there is a file or folder at `path`.
  public static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// The bytes of the file at `path`, which may be a pipe.
  /// - Throws: `Problem`, also where it holds more than `most` bytes.
  public static func read(_ path: String, most: Int) throws(Problem) -> [UInt8] {
    // Standard input is open already; opening it again would open a file that the sandbox refuses.
    let descriptor =
      path == "/dev/stdin"
      ? fcntl(0, F_DUPFD_CLOEXEC, 3) : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotOpen(errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: min(most, 1 << 16) + 1)
    while true {
      let count = unsafe HarkPlatform.read(descriptor, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .cannotRead(errno) }
      if count == 0 { return bytes }
      guard bytes.count + count <= most else { throw .tooLarge }
      bytes += part[..<count]
    }
  }

  /// The first word of a file such as the kernel's below `/sys`; nil if there is none, or it is of
  /// more than 4,096 bytes.
  public static func firstWord(of path: String) -> String? {
    guard let bytes = try? read(path, most: 4_096) else { return nil }
    let word = bytes.prefix { $0 > 0x20 }
    return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
  }
}
