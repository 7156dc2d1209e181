/// Waits for files in folders to be saved, removed or renamed: with inotify(7), or by looking at the folders again.
public final class FolderChanges {
  private let queue: Int32
  private var folders: Set<String> = []
  #if canImport(Darwin)
    private var seen: [String: Int] = [:]
  #endif

  /// - Returns: Nil with `errno` if the system refuses.
  public init?() {
    #if canImport(Darwin)
      queue = -1
    #else
      queue = inotify_init1(Int32(IN_CLOEXEC))
      if queue < 0 { return nil }
    #endif
  }

  deinit { if queue >= 0 { close(queue) } }

  /// Also reports the files of `folder` from now on.
  /// - Returns: Whether it can; `errno` has the reason if not.
  public func add(_ folder: String) -> Bool {
    folders.insert(folder)
    #if canImport(Darwin)
      seen = Self.files(in: folders)
      return access(folder, R_OK) == 0
    #else
      let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM)
      return unsafe inotify_add_watch(queue, folder, mask) >= 0
    #endif
  }

  /// The names of files that have changed.
  /// - Parameter milliseconds: Waits at most this long; -1 for ever.
  /// - Returns: No names if the time is over; nil with `errno` if the system refuses.
  public func next(milliseconds: Int32) -> [String]? {
    #if canImport(Darwin)
      var left = milliseconds
      while true {
        usleep(50_000)
        let now = Self.files(in: folders)
        defer { seen = now }
        let changed = Set(now.keys).union(seen.keys).filter { now[$0] != seen[$0] }
        if milliseconds >= 0 { left -= 50 }
        if !changed.isEmpty || milliseconds >= 0 && left <= 0 { return Array(changed) }
      }
    #else
      var item = pollfd(fd: queue, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&item, 1, milliseconds)
      if ready == 0 || ready < 0 && errno == EINTR { return [] }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = unsafe read(queue, &bytes, bytes.count)
      if count < 0, errno == EINTR { return [] }
      return count > 0 ? Self.names(in: bytes[..<count]) : nil
    #endif
  }

  #if canImport(Darwin)
    /// When each file in the folders was saved, in nanoseconds.
    private static func files(in folders: Set<String>) -> [String: Int] {
      var times: [String: Int] = [:]
      for folder in folders {
        guard let stream = unsafe opendir(folder) else { continue }
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
          let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
          }
          var status = stat()
          if unsafe stat("\(folder)/\(name)", &status) == 0 {
            times[name] = status.modified.tv_sec &* 1_000_000_000 &+ status.modified.tv_nsec
          }
        }
      }
      return times
    }
  #else
    /// wd, mask, cookie and the size of the name, which ends with zeros.
    private static func names(in bytes: ArraySlice<UInt8>) -> [String] {
      var names: [String] = []
      var place = bytes.startIndex
      while place + 16 <= bytes.endIndex {
        var size = 0
        for index in 0..<4 { size |= Int(bytes[place + 12 + index].littleEndian) << (8 * index) }
        let end = min(bytes.endIndex, place + 16 + size)
        names.append(
          String(decoding: bytes[(place + 16)..<end].prefix { $0 != 0 }, as: UTF8.self))
        place = end
      }
      return names
    }
  #endif
}
