import CPlatform

extension Platform {
  /// Opens a folder to name files in, even one that may be searched but not listed.
  /// - Returns: Its descriptor; -1 with `errno` if it cannot be opened.
  public static func openFolder(_ path: String) -> Int32 {
    let flags = O_DIRECTORY | O_CLOEXEC
    let descriptor = unsafe open(path, O_RDONLY | flags)
    return descriptor < 0 && errno == EACCES
      ? unsafe open(path, platform_search_flag() | flags) : descriptor
  }

  /// A path without symbolic links; nil if it leads nowhere.
  public static func realPath(_ path: String) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }

  /// Writes all of `bytes`, in as many calls as it takes.
  /// - Returns: How many were written, and the `errno` value where it was not all.
  public static func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
  ) -> (count: Int, failure: Int32?) {
    var done = 0
    while done < bytes.count {
      let count = unsafe write(
        descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return (done, count < 0 ? errno : EIO) }
      done += count
    }
    return (done, nil)
  }

  /// Renames a file in a folder and replaces nothing.
  /// - Returns: 0; -1 with `errno`: EEXIST if the new name is taken.
  public static func renameNew(in folder: Int32, _ name: String, to other: String) -> Int32 {
    unsafe platform_rename_new(folder, name, other)
  }
}
