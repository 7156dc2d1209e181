import ArgumentParser
import Glibc
import HarkSystem

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

  /// Where Wireshark looks: the user's own folder where it has one (since 4.2), else that of the
  /// machine, which is meant by root, whose Wireshark nobody runs.
  /// - Parameter isWritten: Whether it is to be written to. Then a folder that a user's variable names
  ///   under sudo is taken as that user: it must not lead to where the user cannot write.
  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  static func folder(isWritten: Bool) throws -> String {
    if let folder = Console.environment(variable), !folder.isEmpty {
      if isWritten { try becomeCaller(for: folder) }
      return folder
    }
    let personal = "Personal Extcap path:"
    let global = ["Global Extcap path:", "Extcap path:"]
    for program in ["tshark", "wireshark"] where ProgramOutput.isThere(program) {
      let lines = ProgramOutput(program, ["-G", "folders"]).text.split(separator: "\n")
      for label in geteuid() == 0 ? global + [personal] : [personal] + global {
        guard let line = lines.first(where: { $0.hasPrefix(label) }) else { continue }
        let path = line.dropFirst(label.count).drop { $0 == "\t" || $0 == " " }
        if !path.isEmpty { return String(path) }
      }
    }
    return (Console.environment("HOME") ?? "") + "/.local/lib/wireshark/extcap"
  }

  private static let variable = "WIRESHARK_EXTCAP_DIR"

  /// Whether `folder` is one that Wireshark's programs do not look into when they are run as who runs
  /// this: as root they pass over the variable.
  static func isPassedOver(_ folder: String) -> Bool {
    geteuid() == 0 && folder == Console.environment(variable)
  }

  /// Becomes for good the user who called sudo, if one did.
  private static func becomeCaller(for folder: String) throws {
    guard geteuid() == 0 else { return }
    let caller: Caller
    switch Caller.answer {
    case .nobody: return
    case .user(let found): caller = found
    case .unclear(let name, let problem):
      Console.complain(
        "\(folder): not written: \(variable) names it, but \(name), which names its owner, "
          + "\(problem); to write there as root, use --folder")
      throw ExitCode.failure
    }
    let code = caller.become()
    guard code == 0 else {
      let reason = unsafe String(cString: strerror(code))
      Console.complain("\(folder): cannot write there as user \(caller.user): \(reason)")
      throw ExitCode.failure
    }
    Console.complain(
      "\(variable) may be set by user \(caller.user), who ran \(caller.program): writing to its folder "
        + "as that user; to write there as root, use --folder")
  }

  static var isInstalled: Bool {
    (try? folder(isWritten: false)).map { isOurs($0 + "/" + name) } ?? false
  }

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
      Console.complain("\(path): exists but does not belong to hark; remove it first")
      throw ExitCode.failure
    }
    try makeFolder(folder)
    do {
      // Wireshark never sees a part of it, and runs it for all users of the machine.
      let file = try NewFile(FileTarget(path), mode: 0o755)
      guard Console.write(Array(script.utf8), to: file.descriptor) else {
        throw failure(path, "cannot write", in: folder)
      }
      try file.publish()
    } catch let error as FileError {
      Console.complain("\(error)")
      throw advise(error.code, in: folder)
    }
    return path
  }

  /// - Returns: The path of the script that is gone; nil where there was none.
  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  static func uninstall(from folder: String) throws -> String? {
    let path = folder + "/" + name
    guard unsafe access(path, F_OK) == 0 else { return nil }
    guard isOurs(path) else {
      Console.complain("\(path): does not belong to hark; not removed")
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
        throw failure(path, "cannot create this folder", in: folder)
      }
    }
  }

  private static func failure(_ path: String, _ what: String, in folder: String) -> ExitCode {
    let code = errno
    Console.complain("\(path): \(what): \(unsafe String(cString: strerror(code)))")
    return advise(code, in: folder)
  }

  private static func advise(_ code: Int32, in folder: String) -> ExitCode {
    if code == EACCES || code == EPERM || code == EROFS {
      Console.complain(
        "try 'sudo \(executable ?? "hark") extcap install --folder \(folder)', or another folder "
          + "with WIRESHARK_EXTCAP_DIR set to it")
    }
    return .failure
  }
}
