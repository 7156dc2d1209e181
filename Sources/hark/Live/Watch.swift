import ArgumentParser
import HarkCapture
import HarkPlatform
import HarkSystem

/// Runs a command again each time one of its files is saved.
struct WatchOptions: ParsableArguments {
  static let flag = "--watch"

  @Flag(help: "Run again whenever a layout or profile in its folder is saved, until Ctrl-C.")
  var watch = false

  /// Runs `body`; with `--watch`, runs the whole command again each time something changes in the
  /// folders of `paths`: a catalog loads its layouts only once, so each run is a separate process.
  func run(_ paths: [String], _ body: () throws -> Void) throws {
    guard watch else { return try body() }
    try Watch(paths).run()
  }
}

/// Waits for files to be saved.
private struct Watch {
  /// Files saved within this time, in milliseconds, count as one change.
  private static let pause: Int32 = 50
  private static let endings = [".ksy", ".yaml", ".yml"]

  private let paths: [String]
  private let changes: FolderChanges

  init(_ paths: [String]) throws {
    self.paths = paths
    guard let changes = FolderChanges() else { throw Self.failure(FileTarget.folder(of: paths[0])) }
    self.changes = changes
  }

  /// Runs until Ctrl-C, which shells report as 130.
  func run() throws {
    // The parent process may have ignored or blocked it, as shells do in the background.
    signal(SIGINT, SIG_DFL)
    var interrupt = sigset_t()
    unsafe sigemptyset(&interrupt)
    unsafe sigaddset(&interrupt, SIGINT)
    unsafe pthread_sigmask(SIG_UNBLOCK, &interrupt, nil)
    while true {
      // First, so that files saved during the run are not missed.
      try listen()
      if Console.isOutputTerminal { _ = Console.write(Array("\u{1B}[2J\u{1B}[H".utf8), to: 1) }
      let code = try Self.command()
      Console.complain(
        "exit code \(code); watching \(paths.joined(separator: ", ")), Ctrl-C ends it")
      try waitForChange()
    }
  }

  /// Editors often write another file and rename it, so hark watches the folder, not the file.
  private func listen() throws {
    for path in paths {
      let folders =
        Directory.isFolder(path) ? DissectorFiles.folders(at: path) : [FileTarget.folder(of: path)]
      for folder in folders where !changes.add(folder) { throw Self.failure(folder) }
    }
  }

  private func waitForChange() throws {
    while !(try changed(within: -1)).contains(where: Self.isOurs) {}
    // Until no more changes arrive.
    while !(try changed(within: Self.pause)).isEmpty {}
  }

  private func changed(within milliseconds: Int32) throws -> [String] {
    guard let names = changes.next(milliseconds: milliseconds) else {
      throw Self.failure(paths.joined(separator: ", "))
    }
    return names
  }

  /// Whether a file is a layout or profile, and not an editor's copy.
  private static func isOurs(_ name: String) -> Bool {
    !name.hasPrefix(".") && endings.contains { name.hasSuffix($0) }
  }

  /// The command line without `--watch`.
  /// - Returns: Its exit code; 128 plus the signal if a signal ended it.
  private static func command() throws -> Int32 {
    let words = CommandLine.arguments.filter { $0 != WatchOptions.flag }
    let path = Platform.programPath ?? words[0]
    let (child, code) = Platform.start(path, words)
    guard code == 0 else {
      errno = code
      throw failure(path)
    }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { return 1 }
    }
    return Platform.exitCode(of: status)
  }

  /// - Returns: The exit code, after it reports why on standard error.
  private static func failure(_ what: String) -> ExitCode {
    Console.complain("\(what): cannot watch: \(systemMessage(errno))")
    return .failure
  }
}
