import HarkPlatform

/// A name in a folder, for a file that is to have it.
public final class FileTarget {
  public let path: String
  /// Whether a file has the name already.
  public let isThere: Bool
  /// Which file that is.
  private let identity: (device: dev_t, inode: ino_t)
  let folder: Int32
  let name: String
  private(set) var isStream = false

  /// The folder that a path names a file in: `.` if it names none.
  public static func folder(of path: String) -> String {
    let path = withoutSlash(path)
    return path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// The path of a folder that may end with a slash, as shells complete it.
  public static func withoutSlash(_ path: String) -> String {
    let end = path.lastIndex { $0 != "/" }
    return end.map { String(path[...$0]) } ?? path
  }

  /// - Throws: Where no file of ours could have the name: what is there is of another user, or no file.
  public init(_ path: String) throws(FileError) {
    self.path = path
    let slash = path.lastIndex(of: "/")
    name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    guard !path.isEmpty else { throw FileError(path, errno: ENOENT) }
    guard !["", ".", ".."].contains(name) else { throw FileError(path, errno: EISDIR) }
    let descriptor = Platform.openFolder(Self.folder(of: path))
    guard descriptor >= 0 else { throw FileError(path, errno: errno) }
    folder = descriptor
    var status = stat()
    isThere = unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    let code = errno
    identity = (status.st_dev, status.st_ino)
    guard isThere || code == ENOENT else { throw FileError(path, errno: code) }
    guard isThere else {
      try expectWritableFolder()
      return
    }
    if status.st_mode & S_IFMT == S_IFLNK { try follow(&status) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw FileError(path, errno: EISDIR)
    case S_IFREG, S_IFLNK: break
    case S_IFIFO, S_IFCHR: isStream = true
    default: throw FileError(path, "is neither a file nor a pipe", advice: Self.otherName)
    }
    try Self.expectOwn(status, path)
    if !isStream { try expectWritableFolder() }
  }

  deinit { close(folder) }

  /// Whether `descriptor` is the file that has the name now.
  public func isSame(as descriptor: Int32) -> Bool {
    var (mine, other) = (stat(), stat())
    return unsafe fstatat(folder, name, &mine, 0) == 0 && fstat(descriptor, &other) == 0
      && mine.st_ino == other.st_ino && mine.st_dev == other.st_dev
  }

  /// Whether the name still stands for what it did.
  var isUnchanged: Bool {
    var now = stat()
    guard unsafe fstatat(folder, name, &now, AT_SYMLINK_NOFOLLOW) == 0 else { return !isThere }
    return isThere && now.st_dev == identity.device && now.st_ino == identity.inode
  }

  /// Locks the file that has the name, as `NewFile.lock` does.
  /// - Returns: Its descriptor, which holds the lock; nil if there is no file, or none that can be locked.
  public func lock() throws(FileError) -> Int32? {
    guard isThere, !isStream else { return nil }
    let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    var descriptor = unsafe openat(folder, name, O_RDONLY | flags)
    if descriptor < 0 { descriptor = unsafe openat(folder, name, O_WRONLY | flags) }
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return descriptor }
    close(descriptor)
    throw FileError(
      path, "another program is recording to this file", advice: Self.otherName)
  }

  private func expectWritableFolder() throws(FileError) {
    guard unsafe faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) == 0 else {
      throw FileError(path, errno: errno)
    }
  }

  /// A link to a pipe or a device stands for that; any other is replaced itself.
  private func follow(_ status: inout stat) throws(FileError) {
    var target = stat()
    if unsafe fstatat(folder, name, &target, 0) == 0, Self.isStream(target) { status = target }
  }

  static func isStream(_ status: stat) -> Bool {
    [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT)
  }

  /// What another user made stays theirs: they could read what is written into it. Of pipes and devices
  /// some are root's, who can read everything.
  static func expectOwn(_ status: stat, _ path: String) throws(FileError) {
    let isOfRoot = status.st_uid == 0 && isStream(status)
    // Terminals and pseudo-terminals are handed over.
    guard status.st_uid != geteuid(), !isOfRoot, status.st_mode & S_IFMT != S_IFCHR else { return }
    throw FileError(
      path, "belongs to another user (\(status.st_uid)), who could read the new contents",
      advice: "choose another file, or remove it first")
  }

  static let otherName = "choose another file"
}
