import ArgumentParser
import HarkPlatform
import HarkSystem

/// The script in Wireshark's folder that makes hark one of its sources.
enum ExtcapLauncher {
  /// Reports that hark wrote it.
  private static let mark =
    "# Makes hark a source of Wireshark; 'hark extcap uninstall' removes it."

  static var script: String {
    let program = (executable ?? "hark").split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''")
    return "#!/bin/sh\n\(mark)\nexec '\(program)' extcap \"$@\"\n"
  }

  private static var executable: String? {
    RecorderProgram.folder.map { $0 + "/hark" }
  }

  /// Where Wireshark looks: the user's own folder where it has one (since 4.2), otherwise that of the
  /// machine, which root means, since no one runs Wireshark as root.
  /// - Parameter isWritten: Whether it is to be written to. Then a folder that a user's variable names
  ///   under sudo is taken as that user: it must not lead to where the user cannot write.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  static func folder(isWritten: Bool) throws -> String {
    if let folder = Console.environment(variable), !folder.isEmpty {
      if isWritten { try becomeCaller(for: folder) }
      return folder
    }
    return known("Personal Extcap path:", ["Global Extcap path:", "Extcap path:"])
      ?? (Console.environment("HOME") ?? "") + "/.local/lib/wireshark/extcap"
  }

  /// Where Wireshark looks for plug-ins in Lua; nil if it does not say, is not installed, or if a variable names
  /// another folder for the script, and root runs this: the variable may be a user's.
  static var pluginFolder: String? {
    if geteuid() == 0, let folder = Console.environment(variable), !folder.isEmpty { return nil }
    return known("Personal Lua Plugins:", ["Global Lua Plugins:"])
  }

  /// A folder that Wireshark's programs list: root's is that of the machine.
  private static func known(_ personal: String, _ global: [String]) -> String? {
    for program in ["tshark", "wireshark"] where ProgramOutput.isThere(program) {
      let lines = ProgramOutput(program, ["-G", "folders"]).text.split(separator: "\n")
      for label in geteuid() == 0 ? global + [personal] : [personal] + global {
        guard let line = lines.first(where: { $0.hasPrefix(label) }) else { continue }
        let path = line.dropFirst(label.count).drop { $0 == "\t" || $0 == " " }
        if !path.isEmpty { return String(path) }
      }
    }
    return nil
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
    (try? folder(isWritten: false)).map { file.isInstalled(in: $0) } ?? false
  }

  static var file: WiresharkFile {
    WiresharkFile(name: "hark", mark: mark, text: script, mode: 0o755, option: "--folder")
  }

  static var program: String { executable ?? "hark" }
}
