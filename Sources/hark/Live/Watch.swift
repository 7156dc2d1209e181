import ArgumentParser
import Glibc
import HarkCapture
import HarkCore
import HarkSystem

/// Runs a command again each time one of its files is saved.
struct WatchOptions: ParsableArguments {
  static let flag = "--watch"

  @Flag(help: "Run again whenever a layout or profile in its folder is saved, until Ctrl-C.")
  var watch = false

  /// Runs `body`, or with `--watch` the whole command anew each time something changes in the
  /// folders of `paths`: a catalog takes its layouts once, so that each run is a process of its own.
  func run(_ paths: [String], _ body: () throws -> Void) throws {
    guard watch else { return try body() }
    try Watch(paths).run()
  }
}

/// Waits for files to be saved. inotify(7)
private struct Watch {
  /// What is saved within this time, in milliseconds, is one change.
  private static let pause: Int32 = 50
  private static let endings = [".ksy", ".yaml", ".yml"]

  private let paths: [String]
  private let queue: Int32

  init(_ paths: [String]) throws {
    self.paths = paths
    queue = inotify_init1(Int32(IN_CLOEXEC))
    if queue < 0 { try Self.fail("inotify") }
  }

  /// Never ends by itself: Ctrl-C does, with what shells tell as 130.
  func run() throws {
    // Who started this may have it ignored or blocked, as shells do in the background.
    signal(SIGINT, SIG_DFL)
    var interrupt = sigset_t()
    unsafe sigemptyset(&interrupt)
    unsafe sigaddset(&interrupt, SIGINT)
    unsafe pthread_sigmask(SIG_UNBLOCK, &interrupt, nil)
    while true {
      // First, so that nothing is missed that is saved during the run.
      try listen()
      if Console.isOutputTerminal { _ = Console.write(Array("\u{1B}[2J\u{1B}[H".utf8), to: 1) }
      let code = try Self.command()
      Console.complain(
        "exit code \(code); watching \(paths.joined(separator: ", ")), Ctrl-C ends")
      try waitForChange()
    }
  }

  /// Editors often write another file and rename it: the folder is what is watched, not the file.
  private func listen() throws {
    let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM)
    for path in paths {
      let folders =
        Directory.isFolder(path) ? DissectorFiles.folders(at: path) : [FileTarget.folder(of: path)]
      for folder in folders where unsafe inotify_add_watch(queue, folder, mask) < 0 {
        try Self.fail(folder)
      }
    }
  }

  private func waitForChange() throws {
    while try !takeChange() {}
    // Until nothing more comes.
    var item = pollfd(fd: queue, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&item, 1, Self.pause) > 0 { _ = try takeChange() }
  }

  /// Waits for what happened, and says whether it concerns a layout or profile.
  private func takeChange() throws -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe read(queue, &bytes, bytes.count)
    guard count > 0 else {
      if count < 0, errno == EINTR { return false }
      try Self.fail("inotify")
      return false
    }
    // wd, mask, cookie and the size of the name, which ends with zeros.
    var place = 0
    var isOurs = false
    while place + 16 <= count {
      let size = Int(bytes.raw.unsigned(at: place + 12, 4))
      let end = min(count, place + 16 + size)
      let name = String(decoding: bytes[(place + 16)..<end].prefix { $0 != 0 }, as: UTF8.self)
      if !name.hasPrefix("."), Self.endings.contains(where: { name.hasSuffix($0) }) {
        isOurs = true
      }
      place = end
    }
    return isOurs
  }

  /// The command line as it is, but for `--watch`.
  /// - Returns: Its exit code, 128 and the signal where it was ended by one.
  private static func command() throws -> Int32 {
    let words = CommandLine.arguments.filter { $0 != WatchOptions.flag }
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    var child: pid_t = 0
    guard unsafe posix_spawn(&child, "/proc/self/exe", nil, nil, &arguments, environ) == 0
    else {
      try fail("/proc/self/exe")
      return 1
    }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { return 1 }
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  private static func fail(_ what: String) throws {
    Console.complain("\(what): cannot watch: \(unsafe String(cString: strerror(errno)))")
    throw ExitCode.failure
  }
}
