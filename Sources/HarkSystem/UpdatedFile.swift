import HarkPlatform

/// A file that a library opens by name and changes in place, such as a database, and the files beside it.
public enum UpdatedFile {
  /// Makes the file if there is none, and makes it its owner's alone: libraries give the files beside it its permissions.
  /// - Throws: If it belongs to another user, or is a symbolic link or no regular file.
  public static func prepare(_ path: String) throws(FileError) {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = unsafe open(path, flags, 0o600)
    let code = errno
    guard descriptor >= 0 else {
      if code == ELOOP { throw link(path) }
      throw FileError(path, errno: code)
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileError(path, errno: errno) }
    try expectOwnFile(status, path)
    guard fchmod(descriptor, 0o600) == 0 else { throw FileError(path, errno: errno) }
  }

  /// - Throws: If there is a file that belongs to another user, or is a symbolic link or no regular file.
  public static func expectOwn(_ path: String) throws(FileError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      guard errno == ENOENT else { throw FileError(path, errno: errno) }
      return
    }
    try expectOwnFile(status, path)
  }

  private static func expectOwnFile(_ status: stat, _ path: String) throws(FileError) {
    try FileTarget.expectOwn(status, path)
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFLNK: throw link(path)
    default: throw FileError(path, "is not a file", advice: FileTarget.otherName)
    }
  }

  private static func link(_ path: String) -> FileError {
    FileError(path, "is a symbolic link", advice: "name the file itself, or remove the link")
  }
}
