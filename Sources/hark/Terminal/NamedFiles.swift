import HarkPlatform

/// The files that the command line and the environment name: captures, key files, notes, logs. All but the output are
/// inputs, of whichever option.
enum NamedFiles {
  /// Whether `output` is an existing file that something other than the output itself names, too.
  static func haveTwice(_ output: String) -> Bool {
    haveTwice(
      output, Array(CommandLine.arguments.dropFirst()),
      KeyOptions.namedPaths + [Console.environment(PassphraseFile.variable)].compactMap { $0 })
  }

  static func haveTwice(_ output: String, _ arguments: [String], _ environment: [String]) -> Bool {
    guard isFile(output) else { return false }
    var names = paths(in: arguments).filter { Output.isSame(output, $0) }
    if let own = names.firstIndex(of: output) { names.remove(at: own) }
    return !names.isEmpty || environment.contains { Output.isSame(output, $0) }
  }

  /// Devices and FIFOs keep nothing that could be lost.
  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Options whose value is a word or a text, even if a file has its name.
  private static let textOptions: Set<String> = [
    "--title", "-f", "--format", "--to-format", "--as", "--level", "--device", "--service",
    "--lane", "--finding", "-Y", "--filter",
  ]

  /// All but the names of the command and its subcommand, and the values of such options.
  private static func paths(in arguments: [String]) -> [String] {
    var rest = arguments[...]
    var subcommands = Hark.configuration.subcommands
    while let name = rest.first,
      let command = subcommands.first(where: { $0._commandName == name })
    {
      rest = rest.dropFirst()
      subcommands = command.configuration.subcommands
    }
    var paths: [String] = []
    while let argument = rest.popFirst() {
      if textOptions.contains(argument) {
        rest = rest.dropFirst()
      } else {
        paths += Self.paths(in: argument)
      }
    }
    return paths
  }

  /// What may be a path in an argument: `FILE`, `--keys=FILE`, `-kFILE`.
  private static func paths(in argument: String) -> [String] {
    guard argument.hasPrefix("-") else { return [argument] }
    if argument == "-" { return ["/dev/stdin"] }
    if argument.hasPrefix("--") {
      guard let sign = argument.firstIndex(of: "="),
        !textOptions.contains(String(argument[..<sign]))
      else { return [] }
      return [String(argument[argument.index(after: sign)...])]
    }
    return [String(argument.dropFirst(2))]
  }
}
