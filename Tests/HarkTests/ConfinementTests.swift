import Foundation
import HarkTestSupport
import Testing

/// What a running hark may still do. That each call and file is refused: `SandboxTests`.
@Suite struct ConfinementTests {
  static let source = Project.capture("pebble-session/pebble-session.btsnoop")

  /// A line of /proc/PID/status of a command that waits for the end of a FIFO.
  private static func status(_ arguments: [String], _ names: [String]) throws -> [String: String] {
    let folder = try TestFolder()
    let fifo = try HeldFIFO(folder.path("fifo"), holding: source)
    let process = Process()
    process.executableURL = HarkProgram.url
    process.arguments = arguments.map { $0 == "FIFO" ? folder.path("fifo") : $0 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let deadline = ProgramDeadline(process)
    // It has begun to read, and so opened all that it needs.
    #expect(try !deadline.read(output).isEmpty)
    let file = "/proc/\(process.processIdentifier)/status"
    let text = try String(decoding: Data(contentsOf: URL(filePath: file)), as: UTF8.self)
    fifo.close()
    _ = try deadline.readToEnd(output)
    process.waitUntilExit()
    try deadline.check()
    var found: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: ":", maxSplits: 1).map(String.init)
      if words.count == 2, names.contains(words[0]) {
        found[words[0]] = words[1].trimmingCharacters(in: .whitespaces)
      }
    }
    return found
  }

  @Test(arguments: [["live", "FIFO"], ["timeline", "FIFO"], ["packets", "FIFO"]])
  func systemCallsAreFiltered(_ arguments: [String]) throws {
    // proc_pid_status(5): 2 is a filter.
    let found = try Self.status(arguments, ["Seccomp", "NoNewPrivs"])
    #expect(found == ["Seccomp": "2", "NoNewPrivs": "1"])
  }

  /// A layout that lies elsewhere, and which no one named, is not read.
  @Test(.enabled(if: hasLandlock, "this kernel has no Landlock"))
  func filesThatNobodyNamedAreNotRead() throws {
    let folder = try TestFolder()
    let layouts = folder.path("layouts")
    try FileManager.default.createDirectory(atPath: layouts, withIntermediateDirectories: false)
    let outside = Project.root.appending(path: "Tests/Layouts/good").path
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: outside).first { $0.hasSuffix(".ksy") })
    #expect(symlink("\(outside)/\(name)", "\(layouts)/\(name)") == 0)
    let program = HarkProgram.url.path
    // In a folder of its own: that of temporary files is left to hark.
    func check(_ variables: String...) throws -> (text: String, stated: [String], code: Int32) {
      try OtherProgram.run(
        "/usr/bin/env",
        ["TMPDIR=/nonexistent"] + variables + [program, "dissectors", "check", layouts])
    }
    #expect(try check().code != 0)
    #expect(try check("HARK_SANDBOX=off").code == 0)
  }

  /// A file that is standard input is not named, but open already.
  @Test(arguments: [
    "expect - captures/pebble-session/pebble-session.btsnoop --keys "
      + "captures/pebble-session/accessory.harkkeys < captures/pebble-session/expectations.yaml",
    "show --xpc - < captures/mistakes/Info.plist",
  ])
  func standardInputIsRead(_ command: String) throws {
    let (text, stated, code) = try OtherProgram.run(
      "/bin/sh", ["-c", "cd '\(Project.root.path)' && '\(HarkProgram.url.path)' \(command)"])
    #expect(code == 0 && !text.isEmpty && stated.isEmpty, "\(stated)")
  }

  /// In force as far as the kernel goes, which the test asks by itself.
  @Test func doctorSaysWhatIsInForce() throws {
    func line(_ variables: String...) throws -> String? {
      try OtherProgram.run("/usr/bin/env", variables + [HarkProgram.url.path, "doctor"]).text
        .split(separator: "\n").first { $0.contains("andbox") || $0.contains("SANDBOX") }
        .map(String.init)
    }
    let found = try #require(try line())
    #expect(found.contains("seccomp for system calls"))
    #expect(found.contains("Landlock (version") == Self.hasLandlock)
    let off = try #require(try line("HARK_SANDBOX=off"))
    #expect(off.contains("HARK_SANDBOX=off: hark reads captures with all your permissions"))
  }

  /// landlock_create_ruleset(2) with LANDLOCK_CREATE_RULESET_VERSION, from another program.
  static let hasLandlock: Bool = {
    let call = "import ctypes; print(ctypes.CDLL(None).syscall(444, None, 0, 1))"
    let found = try? OtherProgram.run("/usr/bin/env", ["python3", "-c", call])
    return Int(found?.text.trimmingCharacters(in: .whitespacesAndNewlines) ?? "") ?? 0 > 0
  }()
}
