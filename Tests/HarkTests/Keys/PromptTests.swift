import Foundation
import HarkPlatform
import HarkTestSupport
import Testing

/// A passphrase that is asked for on a terminal.
@Suite struct PromptTests {
  /// Whether the terminal shows what is typed.
  private static func echoes(_ terminal: Int32) -> Bool {
    var settings = termios()
    return tcgetattr(terminal, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// A signal that ends hark while it asks gives the terminal back as it was, and hark ends by that signal.
  @Test(arguments: [SIGTERM, SIGHUP, SIGINT]) func signalsRestoreTheTerminal(_ ending: Int32) throws
  {
    let folder = try TestFolder()
    let file = folder.path("a.harkkeys")
    try "word\n".write(toFile: folder.path("word"), atomically: true, encoding: .utf8)
    let made = try OtherProgram.run(
      HarkProgram.url.path,
      [
        "keys", "generate", file, "--suite", "p256", "--encrypt", "--passphrase-file",
        folder.path("word"),
      ])
    try #require(made.code == 0, "\(made.stated)")

    // pty(7), ioctl_tty(2): TIOCSPTLCK and TIOCGPTN.
    let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (lock, number) = (Int32(0), UInt32(0))
    try #require(
      controller >= 0 && ioctl(controller, 0x4004_5431, &lock) == 0
        && ioctl(controller, 0x8004_5430, &number) == 0)
    defer { close(controller) }
    let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(terminal >= 0)
    defer { close(terminal) }
    try #require(Self.echoes(terminal))

    let process = Process()
    let deadline = ProgramDeadline(process)
    process.executableURL = HarkProgram.url
    process.arguments = ["keys", "list", file]
    process.standardInput = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
    process.standardOutput = Pipe()
    process.standardError = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
    try process.run()
    for _ in 0..<200 where Self.echoes(terminal) { usleep(50_000) }
    try #require(!Self.echoes(terminal), "hark never asked")
    kill(process.processIdentifier, ending)
    process.waitUntilExit()
    try deadline.check()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == ending)
    #expect(Self.echoes(terminal))
  }
}
