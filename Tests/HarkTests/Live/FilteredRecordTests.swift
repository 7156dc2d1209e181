import Foundation
import HarkTestSupport
import Testing

/// `hark record` with a filter.
@Suite struct FilteredRecordTests {
  private static func record(
    _ arguments: [String], into file: URL
  ) throws -> (errors: String, status: Int32) {
    let run = try LiveTests.Running(["record", "-", "-w", file.path] + arguments)
    try run.input.fileHandleForWriting.write(contentsOf: Data(contentsOf: LiveTests.capture))
    try run.input.fileHandleForWriting.close()
    let end = try run.end()
    return (end.errors, end.status)
  }

  /// tshark: `btatt.opcode == 0x1b`.
  static let notifications = [
    144, 159, 184,
  ]

  @Test func matchesAlone() throws {
    let place = try LiveRecordingTests.Place()
    let file = place.file("filtered.btsnoop")
    let (errors, status) = try Self.record(
      ["-Y", "att.opcode == 0x1b", "--no-state"], into: file)
    #expect(status == 0)
    let all = LiveTests.records(try Data(contentsOf: LiveTests.capture)).records
    let expected = Self.notifications.map { all[$0 - 1] }
    #expect(LiveTests.records(try Data(contentsOf: file)).records == expected)
    #expect(errors.contains("hark: \(expected.count) of \(all.count) packets match\n"))
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  /// What is recorded reads as it does in the whole capture: with names of devices and attributes.
  @Test(arguments: [
    ["-Y", "att.opcode in {0x0b, 0x1b, 0x12}"], ["--service", "Battery"],
    // Of a stream no one knows what a device will be called.
    ["-Y", "device contains \"Acme Watch\""],
  ])
  func readsAsInTheWhole(_ filter: [String]) throws {
    let place = try LiveRecordingTests.Place()
    let file = place.file("filtered.btsnoop")
    #expect(try Self.record(filter, into: file).status == 0)
    func lines(_ path: String) throws -> [Substring] {
      // The number, and the time since the first packet, depend on what is there.
      try HarkProgram.transcript(["packets", path, "--absolute-time"] + filter)
        .split(separator: "\n").map { $0.dropFirst(6) }
    }
    let found = try lines(file.path)
    #expect(found == (try lines(LiveTests.capture.path)))
    #expect(found.count >= 2)
    let all = LiveTests.records(try Data(contentsOf: LiveTests.capture)).records.count
    #expect(LiveTests.records(try Data(contentsOf: file)).records.count < all)
    // Every request that it holds has its response.
    #expect(try !HarkProgram.transcript(["timeline", file.path]).contains("no response in the capture"))
  }

  @Test(arguments: [
    (["record", "-Y", "att"], "Name a file to write with -w FILE, or - for standard output."),
    (["record", "-Y", "att.nothing == 1", "-w", "a"], "att.nothing"),
    (["record", "--device=x", "--rotate-count", "2"], "need -w."),
  ])
  func refused(_ arguments: [String], _ complaint: String) throws {
    let found = try HarkProgram.transcript(arguments)
    #expect(found.contains(complaint) && found.hasSuffix("? 64\n"), "\(found)")
  }

  /// The program that reads the source is killed: that is reported, and what matched is in the file.
  @Test func readerKilled() throws {
    let place = try LiveRecordingTests.Place()
    let file = place.file("filtered.btsnoop")
    let run = try LiveTests.Running([
      "record", "-", "-w", file.path, "-Y", "att.opcode == 0x1b", "--no-state",
    ])
    try run.input.fileHandleForWriting.write(contentsOf: Data(contentsOf: LiveTests.capture))
    let all = LiveTests.records(try Data(contentsOf: LiveTests.capture)).records
    let expected = Self.notifications.map { all[$0 - 1] }
    try LiveRecordingTests.wait("what matches is in the file") {
      (try? LiveTests.records(Data(contentsOf: file)).records) == expected
    }
    let id = run.process.processIdentifier
    let children = try String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
    let reader = try #require(children.split(separator: " ").last.flatMap { Int32($0) })
    kill(reader, SIGKILL)
    let (_, errors, status) = try run.end()
    #expect(errors.contains("hark: hark-record was terminated by signal 9\n") && status == 137)
    #expect(LiveTests.records(try Data(contentsOf: file)).records == expected)
    try run.input.fileHandleForWriting.close()
  }

  /// The source cannot be opened: the recorder tells why.
  @Test func nothingThere() throws {
    let place = try LiveRecordingTests.Place()
    let found = try HarkProgram.transcript([
      "record", "unix:/nowhere/hark.sock", "-Y", "att", "-w", place.file("a").path,
    ])
    #expect(found.contains("hark-record: unix:/nowhere/hark.sock: cannot connect"))
    #expect(found.hasSuffix("? 1\n"))
  }
}
