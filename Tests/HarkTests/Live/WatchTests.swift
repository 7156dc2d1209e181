import Foundation
import HarkTestSupport
import Testing

/// `--watch` runs again when a file is saved, in whatever way an editor does that.
@Suite struct WatchTests {
  /// A run of the program that continues.
  private final class Watching {
    let process = Process()
    private let (output, errors) = (Pipe(), Pipe())
    private let deadline: ProgramDeadline
    private var heard = ""

    init(_ arguments: [String]) throws {
      deadline = ProgramDeadline(process)
      process.executableURL = HarkProgram.url
      process.arguments = arguments
      process.currentDirectoryURL = Project.root
      process.standardOutput = output
      process.standardError = errors
      try process.run()
    }

    /// What was reported on standard error up to the line that says that it watches.
    func round() throws -> String {
      while !heard.contains("Ctrl-C ends it\n") {
        let data = try deadline.read(errors)
        if data.isEmpty { break }
        heard += String(decoding: data, as: UTF8.self)
      }
      let parts = heard.components(separatedBy: "Ctrl-C ends it\n")
      heard = parts.dropFirst().joined(separator: "Ctrl-C ends it\n")
      return parts[0]
    }

    func end() throws -> (reason: Process.TerminationReason, status: Int32, output: String) {
      process.interrupt()
      process.waitUntilExit()
      try deadline.check()
      let text = try deadline.readToEnd(output)
      return (
        process.terminationReason, process.terminationStatus, String(decoding: text, as: UTF8.self)
      )
    }
  }

  private static let sound = "meta: {id: acme}\nseq: [{id: x, type: u1}]\n"
  private static let faulty = "meta: {id: acme}\nseq: [{id: x, type: u9}]\n"

  @Test(.timeLimit(.minutes(1)), arguments: [false, true]) func check(_ isFolder: Bool) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("acme.ksy")
    try Self.sound.write(to: file, atomically: false, encoding: .utf8)
    let watching = try Watching(
      ["dissectors", "check", "--watch", isFolder ? folder.path : file.path])
    #expect(
      try watching.round().hasSuffix(
        "exit code 0; watching \(isFolder ? folder.path : file.path), "))
    try Self.faulty.write(to: file, atomically: false, encoding: .utf8)
    #expect(try watching.round().contains("exit code 1;"))
    // What is beside it does not count.
    try "x".write(
      to: folder.appendingPathComponent("notes.txt"), atomically: false, encoding: .utf8)
    // Renamed into its place, as editors do; and again, as the first one is gone then.
    try Self.sound.write(to: file, atomically: true, encoding: .utf8)
    #expect(try watching.round().contains("exit code 0;"))
    try Self.faulty.write(to: file, atomically: true, encoding: .utf8)
    #expect(try watching.round().contains("exit code 1;"))
    let end = try watching.end()
    #expect(end.reason == .uncaughtSignal && end.status == SIGINT)
    #expect(end.output.components(separatedBy: "unable to find type 'u9'").count == 3)
    #expect(!end.output.contains("\u{1B}"), "the screen is cleared on a terminal only")
  }

  @Test(.timeLimit(.minutes(1))) func tryAgain() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("acme.ksy")
    func layout(_ psm: String) -> String { "\(Self.sound)-hark-attach: [{l2cap-psm: \(psm)}]\n" }
    try layout("0x82").write(to: file, atomically: false, encoding: .utf8)
    let watching = try Watching(
      ["dissectors", "try", file.path, "captures/coc-session/coc-session.btsnoop", "--watch"])
    #expect(try watching.round().contains("exit code 1;"))
    try layout("0x81").write(to: file, atomically: true, encoding: .utf8)
    #expect(try watching.round().contains("exit code"))
    let output = try watching.end().output
    #expect(output.contains("\n0 messages"))
    #expect(output.contains("\n12 messages"))
  }

  @Test func standardInputIsReadOnce() throws {
    let output = try HarkProgram.transcript(["dissectors", "try", "acme.ksy", "-", "--watch"])
    #expect(output.contains("--watch reads the capture repeatedly: name a file"))
    #expect(output.hasSuffix("? 64\n"))
  }
}
