import HarkCapture
import HarkPlatform
import HarkSystem

/// A command that writes files.
protocol FileWriting {
  /// Their paths, as the user named them.
  var writtenPaths: [String] { get }
}

/// What this program gives up before it reads what others made. Commands that start other programs or
/// connect to something do so when that is done, all others before anything.
enum Confinement {
  private static let late: Set<String> = ["record", "live", "extcap", "doctor", "export"]

  /// Whether what the arguments ask for needs nothing but the files that they name. A browser is started
  /// once there is something to show, and a watch starts hark again and again.
  private static func isEarly(_ arguments: [String]) -> Bool {
    guard let command = arguments.dropFirst().first else { return false }
    let starts = ["--open", WatchOptions.flag]
    return !late.contains(command) && !starts.contains(where: arguments.contains)
  }

  /// Gives up other files than those that the arguments name, other programs, and sockets.
  static func begin(_ arguments: [String]) {
    guard isEarly(arguments) else { return }
    let isConnecting = arguments.contains { Connection.isMeant($0) }
    enter(isConnecting ? .connecting : arguments.contains("--web") ? .serving : .none)
  }

  /// Gives up everything in a process that reads one of many captures and sends on what it finds: reading but that
  /// capture and `others`, and all writing.
  static func enterCopy(reading path: String, _ others: [String] = []) {
    Sandbox.refuseWriting(but: [])
    guard path != "-", !Connection.isMeant(path) else { return }
    Sandbox.refuseReading(but: [path] + others)
  }

  /// Gives up writing but to files that are open, and to those of `paths`.
  static func refuseWriting(butFiles files: [String], _ paths: [String]) {
    Sandbox.refuseWriting(but: paths, files: files)
  }

  /// Gives up writing but to the files that a command is to write.
  static func begin(_ command: Any) {
    guard isEarly(CommandLine.arguments) else { return }
    refuseWriting(but: (command as? any FileWriting)?.writtenPaths ?? [])
  }

  /// Gives up all that a command no longer needs which has opened everything.
  /// - Parameter watched: Folders in which files are replaced that are read again.
  static func enterAfterOpening(
    _ network: Sandbox.Network, writing paths: [String] = [], watching watched: [String] = []
  ) {
    refuseWriting(but: paths)
    enter(network, watching: watched)
  }

  private static func enter(_ network: Sandbox.Network, watching watched: [String] = []) {
    let arguments =
      CommandLine.arguments.dropFirst().flatMap(Self.paths) + KeyOptions.namedPaths
      + [Console.environment(PassphraseFile.variable)].compactMap { $0 }
    let isConnecting = if case .connecting = network { true } else { false }
    Sandbox.refuseReading(
      but: arguments + folders + watched + [Dissectors.userFolder].compactMap { $0 },
      lists: arguments,
      connects: isConnecting)
    Sandbox.refuseCalls(network)
  }

  /// Folders in which hark keys writes a key file, which it reads back before it replaces the old one.
  private static var folders: [String] {
    guard CommandLine.arguments.dropFirst().first == "keys" else { return [] }
    return CommandLine.arguments.dropFirst(3).filter { !$0.hasPrefix("-") }
      .map { FileTarget.folder(of: $0) }
  }

  private static func refuseWriting(but paths: [String]) {
    let sockets = CommandLine.arguments.filter { $0.hasPrefix(listening) }
      .map { String($0.dropFirst(listening.count)) }
    Sandbox.refuseWriting(but: paths.filter { $0 != "-" } + sockets)
  }

  private static let listening = "unix-listen:"

  /// What may be a path in an argument: `--keys=FILE`, `-kFILE`, and layouts, which import others beside them.
  private static func paths(in argument: String) -> [String] {
    var paths = CaptureList.places(of: argument)
    if argument.hasPrefix("--"), let sign = argument.firstIndex(of: "=") {
      paths.append(String(argument[argument.index(after: sign)...]))
    } else if argument.hasPrefix("-"), argument.count > 2 {
      paths.append(String(argument.dropFirst(2)))
    }
    // What was written into a database last may be in a file beside it.
    paths += paths.map { $0 + "-wal" }.filter { unsafe access($0, F_OK) == 0 }
    return paths.flatMap { path -> [String] in
      guard [".ksy", ".yaml"].contains(where: path.hasSuffix) else { return [path] }
      return [path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."]
    }
  }
}
