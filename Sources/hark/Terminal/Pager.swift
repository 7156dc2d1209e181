import HarkCapture
import HarkPlatform
import Synchronization

/// The program that pages through long output on a terminal, as git has it.
///
/// It is chosen before the sandbox begins, and starts with the first output: until then, hark may ask for a
/// passphrase, and a complaint alone needs no pager.
enum Pager {
  /// Commands that print much and end by themselves.
  static let commands: Set<String> = [
    "timeline", "findings", "check-app", "diff", "info", "gatt", "streams", "packets", "show",
    "explain", "fields", "help",
  ]

  /// The process that becomes the pager; 0 if there is none.
  private static let process = Atomic<pid_t>(0)
  private static let owner = Atomic<pid_t>(0)
  private static let isStarted = Atomic(false)

  /// Whether output has reached it: the terminal belongs to it from then on.
  static var isShowing: Bool { isStarted.load(ordering: .relaxed) }

  /// Puts a pager after standard output, if the arguments and the user's variables ask for one.
  static func begin(_ arguments: [String]) {
    guard Console.isOutputTerminal, isWanted(arguments), let command = command else { return }
    Console.keepColumns()
    _ = Console.isErrorTerminal
    guard let pipe = try? PipeEnds(to: "start the pager") else { return }
    let child = Platform.fork()
    if child == 0 { become(command, pipe) }
    close(pipe.output)
    defer { close(pipe.input) }
    guard child > 0, dup2(pipe.input, 1) == 1 else { return }
    process.store(child, ordering: .sequentiallyConsistent)
    owner.store(getpid(), ordering: .sequentiallyConsistent)
    atexit { Pager.end() }
    catchSignals()
  }

  /// Called before output: complaints go to the pager from then on, since it has the terminal.
  static func show() {
    guard process.load(ordering: .relaxed) > 0, !isStarted.exchange(true, ordering: .relaxed)
    else { return }
    if isatty(2) == 1 { dup2(1, 2) }
  }

  private static func isWanted(_ arguments: [String]) -> Bool {
    guard let name = arguments.dropFirst().first, commands.contains(name) else { return false }
    let others: Set<String> = [PagerOptions.flag, "--web", "--open", "-"]
    return !arguments.contains { others.contains($0) || Connection.isMeant($0) }
  }

  /// What the user wants: HARK_PAGER, else PAGER, else less. Nil for none.
  private static var command: String? {
    let text = Console.environment("HARK_PAGER") ?? Console.environment("PAGER") ?? "less"
    guard !["", "cat"].contains(text), Console.environment("TERM") != "dumb" else { return nil }
    let program = text.prefix { $0 != " " }
    guard !program.contains(where: { "/$`'\"~;&|<>()*?\\".contains($0) }) else { return text }
    return ProgramOutput.isThere(String(program)) ? text : nil
  }

  /// Becomes the pager in the copy of this process, once there is something to show.
  private static func become(_ command: String, _ pipe: PipeEnds) -> Never {
    close(pipe.input)
    dup2(pipe.output, 0)
    var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&input, 1, -1) < 0, errno == EINTR {}
    guard input.revents & Int16(POLLIN) != 0 else { _exit(0) }
    // Quit if all fits on the screen, keep colors, and leave the text there.
    unsafe setenv("LESS", "FRX", 0)
    unsafe setenv("LV", "-c", 0)
    let arguments: [String] = ["sh", "-c", command]
    var words: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) }
    unsafe words.append(nil)
    unsafe execv("/bin/sh", words)
    _exit(127)
  }

  /// Lets the pager come to the end, and waits until the user has left it.
  private static func end() {
    guard owner.load(ordering: .sequentiallyConsistent) == getpid() else { return }
    fflush(nil)
    leave()
  }

  /// Calls only what a signal handler may. signal-safety(7)
  private static func leave() {
    let pager = process.exchange(0, ordering: .sequentiallyConsistent)
    guard pager > 0 else { return }
    close(1)
    if isShowing { close(2) }
    var status: Int32 = 0
    while unsafe waitpid(pager, &status, 0) < 0, errno == EINTR {}
  }

  /// A signal that ends hark ends it after the pager: otherwise the shell and the pager would read the same terminal.
  private static func catchSignals() {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      var before = sigaction()
      var action = sigaction { number in
        if Pager.owner.load(ordering: .sequentiallyConsistent) == getpid() { Pager.leave() }
        signal(number, SIG_DFL)
        raise(number)
      }
      unsafe sigaction(number, nil, &before)
      if !before.isIgnored { unsafe sigaction(number, &action, nil) }
    }
  }
}
