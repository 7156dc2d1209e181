/// Reports when a file changes, if the system can: inotify(7).
public final class FileChanges {
  /// Becomes readable after a change; -1 if the system cannot report one, and the file has to be read from time to time.
  public let descriptor: Int32

  /// - Parameter file: The open file.
  public init(of file: Int32) {
    #if canImport(Darwin)
      descriptor = -1
    #else
      descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      if descriptor >= 0 {
        _ = unsafe inotify_add_watch(descriptor, "/proc/self/fd/\(file)", UInt32(IN_MODIFY))
      }
    #endif
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Discards what has been reported.
  public func clear() {
    guard descriptor >= 0 else { return }
    var notes = [UInt8](repeating: 0, count: 4_096)
    _ = unsafe read(descriptor, &notes, notes.count)
  }
}
