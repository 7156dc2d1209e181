import ArgumentParser
import HarkPlatform
import HarkSystem

/// A file of hark's in one of Wireshark's folders.
struct WiresharkFile {
  let name: String
  /// A line near its beginning, which shows that hark wrote it.
  let mark: String
  let text: String
  let mode: mode_t
  /// The option of 'hark extcap install' that names another folder.
  let option: String

  func isInstalled(in folder: String) -> Bool { isOurs(folder + "/" + name) }

  /// Whether hark wrote the file at `path`.
  private func isOurs(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self).contains(mark)
  }

  /// - Parameter isDefault: Whether hark chose the folder.
  /// - Returns: Its path.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  func install(in folder: String, isDefault: Bool) throws -> String {
    let path = folder + "/" + name
    if unsafe access(path, F_OK) == 0, !isOurs(path) {
      Console.complain("\(path): exists but does not belong to hark; remove it first")
      throw ExitCode.failure
    }
    try makeFolder(folder, isDefault)
    do {
      // Wireshark never sees a part of it, and runs it for all users of the machine.
      let file = try NewFile(FileTarget(path), mode: mode)
      guard Console.write(Array(text.utf8), to: file.descriptor) else {
        throw failure(path, "cannot write", in: folder, isDefault)
      }
      try file.publish()
    } catch let error as FileError {
      Console.complain("\(error)")
      throw advise(error.code, in: folder, isDefault)
    }
    return path
  }

  /// - Returns: The path of the removed file; nil if there was none.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  func uninstall(from folder: String, isDefault: Bool) throws -> String? {
    let path = folder + "/" + name
    guard unsafe access(path, F_OK) == 0 else { return nil }
    guard isOurs(path) else {
      Console.complain("\(path): does not belong to hark; not removed")
      throw ExitCode.failure
    }
    guard unsafe unlink(path) == 0 else {
      throw failure(path, "cannot remove", in: folder, isDefault, "uninstall")
    }
    return path
  }

  private func makeFolder(_ folder: String, _ isDefault: Bool) throws {
    var path = folder.hasPrefix("/") ? "" : "."
    for part in folder.split(separator: "/") {
      path += "/" + part
      guard unsafe mkdir(path, 0o755) != 0 else { continue }
      let code = errno
      if code != EEXIST, unsafe access(path, F_OK) != 0 {
        throw failure(path, "cannot create this folder", code, in: folder, isDefault)
      }
    }
  }

  private func failure(
    _ path: String, _ what: String, _ code: Int32 = errno, in folder: String, _ isDefault: Bool,
    _ command: String = "install"
  ) -> ExitCode {
    Console.complain("\(path): \(what): \(unsafe String(cString: strerror(code)))")
    return advise(code, in: folder, isDefault, command)
  }

  /// Root gets the same folders by itself, and those of the plug-in, too.
  private func advise(
    _ code: Int32, in folder: String, _ isDefault: Bool, _ command: String = "install"
  ) -> ExitCode {
    if code == EACCES || code == EPERM || code == EROFS {
      let place = isDefault ? "" : " \(option) \(folder)"
      Console.complain(
        "try 'sudo \(ExtcapLauncher.program) extcap \(command)\(place)', or another folder with "
          + "WIRESHARK_EXTCAP_DIR set to it")
    }
    return .failure
  }
}
