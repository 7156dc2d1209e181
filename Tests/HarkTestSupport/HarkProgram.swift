import Foundation

/// The program as it is built, for tests that run it.
public enum HarkProgram {
  /// It is built into the folder that holds the tests.
  public static let url = URL(filePath: CommandLine.arguments[0])
    .resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "hark")

  /// The words of a command line; those in single quotes hold blanks.
  public static func words(_ command: String) -> [String] {
    var words: [String] = []
    for (index, part) in command.split(separator: "'", omittingEmptySubsequences: false)
      .enumerated()
    {
      words += index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
    return words
  }

  /// Runs it; its output, what it says on standard error, and its exit code.
  @discardableResult
  public static func run(_ arguments: String...) throws -> (
    text: String, stated: [String], code: Int32
  ) {
    try OtherProgram.run(url.path, arguments)
  }

  /// The lines of `hark timeline`.
  public static func timeline(_ path: String, _ options: String...) throws -> [String] {
    let found = try OtherProgram.run(url.path, ["timeline", path] + options)
    return found.text.split(separator: "\n").map(String.init)
  }

  /// All that it prints: its standard output, then each line of standard error behind `! `, then `? ` and its
  /// exit code.
  public static func transcript(
    _ arguments: [String], input: Data? = nil, in folder: URL = Project.root
  ) throws -> String {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    if let input {
      let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try input.write(to: file)
      process.standardInput = try FileHandle(forReadingFrom: file)
      try FileManager.default.removeItem(at: file)
    }
    try process.run()
    let deadline = ProgramDeadline(process)
    let text = try String(decoding: deadline.readToEnd(output), as: UTF8.self)
    let complaints = try String(
      decoding: deadline.readToEnd(errors), as: UTF8.self)
    process.waitUntilExit()
    try deadline.check()
    let end = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
    let marked = complaints.split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast(complaints.hasSuffix("\n") || complaints.isEmpty ? 1 : 0).map { "! \($0)\n" }
    return "\(text)\(end)\(marked.joined())? \(process.terminationStatus)\n"
  }
}

/// Programs beside hark.
public enum OtherProgram {
  public static let tshark = "/usr/bin/tshark"
  public static let capinfos = "/usr/bin/capinfos"
  public static let btmon = "/usr/bin/btmon"

  public static func isThere(_ programs: String...) -> Bool {
    programs.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The processes that a process has started: at least one, unless there is none within 30 seconds.
  public static func children(of process: pid_t) -> [pid_t] {
    let deadline = Date(timeIntervalSinceNow: 30)
    while Date() < deadline {
      let text = try? String(
        contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
      let children = text?.split(separator: " ").compactMap { pid_t($0) } ?? []
      if !children.isEmpty { return children }
      usleep(20_000)
    }
    return []
  }

  /// Its output, what it says on standard error, and its exit code.
  public static func run(
    _ program: String, _ arguments: [String]
  ) throws -> (text: String, stated: [String], code: Int32) {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let output = Pipe()
    let errors = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: errors) }
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let deadline = ProgramDeadline(process)
    let text = try String(decoding: deadline.readToEnd(output), as: UTF8.self)
    process.waitUntilExit()
    try deadline.check()
    let stated = try String(contentsOf: errors, encoding: .utf8)
    return (text, stated.split(separator: "\n").map(String.init), process.terminationStatus)
  }
}
