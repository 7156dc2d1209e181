import HarkPlatform

/// A new file of ours beside the name that it gets once it is complete: who has opened what had the name
/// before sees nothing of it, and what a symbolic link leads to is left alone.
public final class NewFile {
  public let descriptor: Int32
  private let target: FileTarget
  private let temporary: String
  private var isPublished = false

  /// Makes it, for its owner alone.
  /// - Parameters:
  ///   - mode: Its permissions, whatever the umask is.
  ///   - isReadBack: Whether what was written is read before it is published.
  public init(
    _ target: FileTarget, mode: mode_t = 0o600, isReadBack: Bool = false
  ) throws(FileError) {
    self.target = target
    var attempts = 10
    while true {
      let name = Self.randomName
      let descriptor = unsafe openat(
        target.folder, name,
        (isReadBack ? O_RDWR : O_WRONLY) | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      let code = errno
      attempts -= 1
      if descriptor < 0, code == EEXIST, attempts > 0 { continue }
      guard descriptor >= 0 else { throw FileError(target.path, errno: code) }
      (self.descriptor, temporary) = (descriptor, name)
      break
    }
    guard fchmod(descriptor, mode) == 0 else { throw FileError(target.path, errno: errno) }
  }

  deinit {
    if !isPublished { unsafe unlinkat(target.folder, temporary, 0) }
    close(descriptor)
  }

  /// Where it is until it is published.
  public var temporaryPath: String {
    (target.path.lastIndex(of: "/").map { String(target.path[...$0]) } ?? "") + temporary
  }

  /// Keeps other recorders from it as long as it is open. Where files cannot be locked (some of the
  /// network), nothing is known about others.
  public func lock() { _ = flock(descriptor, LOCK_EX | LOCK_NB) }

  /// Gives it its name, after all that was written is on the disk.
  /// - Parameter replacesOthers: Whether a file that has got the name since the target was made may go.
  public func publish(replacesOthers: Bool = true) throws(FileError) {
    try sync()
    let isTaken = !replacesOthers && !target.isUnchanged
    let code = isTaken ? EEXIST : rename(replaces: replacesOthers || target.isThere)
    if code == EEXIST {
      throw FileError(
        target.path, "another program created this file in the meantime",
        advice: FileTarget.otherName
      )
    }
    guard code == 0 else { throw FileError(target.path, errno: code) }
    isPublished = true
    // Of a folder that cannot be listed or synchronised the name may be lost with the power, not the file.
    fsync(target.folder)
  }

  /// 0, or the `errno` value.
  private func rename(replaces: Bool) -> Int32 {
    if !replaces {
      if Platform.renameNew(in: target.folder, temporary, to: target.name) == 0 { return 0 }
      // Some file systems cannot.
      guard [EINVAL, ENOSYS].contains(errno) else { return errno }
    }
    return unsafe renameat(target.folder, temporary, target.folder, target.name) == 0 ? 0 : errno
  }

  private func sync() throws(FileError) {
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      // Some file systems have nothing to wait for.
      guard [EINVAL, ENOSYS, EROFS].contains(errno) else {
        throw FileError(target.path, errno: errno)
      }
      return
    }
  }

  private static let prefix = ".hark-"

  /// Whether a file in a folder is one that was not published, or not yet.
  public static func isTemporary(_ name: String) -> Bool { name.hasPrefix(prefix) }

  private static var randomName: String {
    prefix + String(UInt64.random(in: .min ... .max), radix: 36)
  }
}
