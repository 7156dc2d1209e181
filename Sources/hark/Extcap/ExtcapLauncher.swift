import ArgumentParser
import Glibc

/// The script in Wireshark's folder that makes hark one of its sources.
enum ExtcapLauncher {
  /// Tells that hark wrote it.
  private static let mark =
    "# Makes hark a source of Wireshark; 'hark extcap uninstall' removes it."
  private static let name = "hark"

  static var script: String {
    let program = (executable ?? "hark").split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''")
    return "#!/bin/sh\n\(mark)\nexec '\(program)' extcap \"$@\"\n"
  }

  private static var executable: String? {
    RecorderProgram.folder.map { $0 + "/hark" }
  }

  /// The user's own folder where Wireshark has one (since 4.2), else that of the machine.
  static var folder: String {
    if let folder = Console.environment("WIRESHARK_EXTCAP_DIR"), !folder.isEmpty { return folder }
    for program in ["tshark", "wireshark"] where ProgramOutput.isThere(program) {
      let lines = ProgramOutput(program, ["-G", "folders"]).text.split(separator: "\n")
      for label in ["Personal Extcap path:", "Extcap path:"] {
        guard let line = lines.first(where: { $0.hasPrefix(label) }) else { continue }
        let path = line.dropFirst(label.count).drop { $0 == "\t" || $0 == " " }
        if !path.isEmpty { return String(path) }
      }
    }
    return (Console.environment("HOME") ?? "") + "/.local/lib/wireshark/extcap"
  }

  static var isInstalled: Bool { isOurs(folder + "/" + name) }

  /// Whether hark wrote the file at `path`.
  private static func isOurs(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self).contains(mark)
  }

  /// - Returns: The path of the script.
  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  static func install(in folder: String) throws -> String {
    let path = folder + "/" + name
    if unsafe access(path, F_OK) == 0, !isOurs(path) {
      Console.complain("\(path): is there and is not hark's; remove it first")
      throw ExitCode.failure
    }
    try makeFolder(folder)
    // Another file first, so that Wireshark never sees a part of it.
    let new = path + ".new"
    let descriptor = unsafe open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o755)
    guard descriptor >= 0 else { throw failure(new, "cannot write", in: folder) }
    let isWritten = Console.write(Array(script.utf8), to: descriptor)
    _ = fchmod(descriptor, 0o755)
    close(descriptor)
    guard isWritten, unsafe rename(new, path) == 0 else {
      throw failure(path, "cannot write", in: folder)
    }
    return path
  }

  /// - Returns: The path of the script that is gone; nil where there was none.
  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  static func uninstall(from folder: String) throws -> String? {
    let path = folder + "/" + name
    guard unsafe access(path, F_OK) == 0 else { return nil }
    guard isOurs(path) else {
      Console.complain("\(path): is not hark's; it is left alone")
      throw ExitCode.failure
    }
    guard unsafe unlink(path) == 0 else { throw failure(path, "cannot remove", in: folder) }
    return path
  }

  private static func makeFolder(_ folder: String) throws {
    var path = folder.hasPrefix("/") ? "" : "."
    for part in folder.split(separator: "/") {
      path += "/" + part
      if unsafe mkdir(path, 0o755) != 0, errno != EEXIST, unsafe access(path, F_OK) != 0 {
        throw failure(path, "cannot make this folder", in: folder)
      }
    }
  }

  private static func failure(_ path: String, _ what: String, in folder: String) -> ExitCode {
    let code = errno
    Console.complain("\(path): \(what): \(unsafe String(cString: strerror(code)))")
    if code == EACCES || code == EPERM || code == EROFS {
      Console.complain(
        "try 'sudo \(executable ?? "hark") extcap install --folder \(folder)', or another folder "
          + "with WIRESHARK_EXTCAP_DIR set to it")
    }
    return .failure
  }
}
