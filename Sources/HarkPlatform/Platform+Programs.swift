import CPlatform

extension Platform {
  /// The path of this program, without links; nil if the system does not show it.
  public static var programPath: String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe platform_program_path(&path)
    guard count > 0 else { return nil }
    return String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes a copy of this process, which has one thread.
  /// - Returns: 0 in the copy, otherwise its id; -1 with `errno` if the system makes none.
  public static func fork() -> pid_t { platform_fork() }

  /// Starts a program.
  /// - Parameters:
  ///   - path: Its path, or a name that is searched for where shells search.
  ///   - words: Its arguments, the first one its name.
  ///   - input, output, error: What becomes its standard streams; nil for those of this process.
  ///   - isInOwnGroup: Whether Ctrl-C on the terminal does not reach it.
  /// - Returns: Its process and 0, or the `errno` value.
  public static func start(
    _ path: String, _ words: [String], input: Int32? = nil, output: Int32? = nil,
    error: Int32? = nil, isInOwnGroup: Bool = false
  ) -> (process: pid_t, code: Int32) {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    for (place, stream) in [input, output, error].enumerated() {
      if let stream {
        unsafe posix_spawn_file_actions_adddup2(&actions, stream, Int32(place))
      }
    }
    if isInOwnGroup {
      unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    }
    var arguments = unsafe words.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    var process: pid_t = 0
    let code = unsafe posix_spawnp(
      &process, path, &actions, &attributes, arguments, platform_environment())
    return (process, code)
  }

  /// How a program ended: its exit code, or 128 and the signal that ended it.
  /// - Parameter status: What waitpid(2) returns.
  public static func exitCode(of status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }
}
