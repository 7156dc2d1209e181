import HarkPlatform

/// What a program wrote, and how it ended: for short answers of programs beside this one.
struct ProgramOutput {
  var text: String
  /// Its exit code, 128 and the signal where it was ended by one; nil if it could not be started.
  var status: Int32?

  /// More is not read.
  private static let most = 1 << 20

  /// Runs `program`, which is looked for where shells look, and waits until it ends.
  /// - Parameter withErrors: Whether what it says on standard error is wanted, too.
  init(_ program: String, _ arguments: [String], withErrors: Bool = false) {
    (text, status) = ("", nil)
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let none = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    let (process, code) = Platform.start(
      program, [program] + arguments, input: none, output: ends[1],
      error: withErrors ? ends[1] : none)
    if none >= 0 { close(none) }
    close(ends[1])
    defer { close(ends[0]) }
    guard code == 0 else { return }
    text = String(decoding: Self.read(ends[0]), as: UTF8.self)
    var word: Int32 = 0
    while unsafe waitpid(process, &word, 0) < 0, errno == EINTR {}
    status = Platform.exitCode(of: word)
  }

  private static func read(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < most {
      let count = unsafe HarkPlatform.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    return bytes
  }

  /// Whether a program is where shells look.
  static func isThere(_ program: String) -> Bool {
    (Console.environment("PATH") ?? "/usr/bin:/bin").split(separator: ":").contains { folder in
      unsafe access("\(folder)/\(program)", X_OK) == 0
    }
  }
}
