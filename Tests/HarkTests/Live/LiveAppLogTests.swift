import Foundation
import HarkPlatform
import HarkTestSupport
import Testing

/// `hark live --app-log`: logs that grow beside the traffic, from a file, a pipe and a socket.
@Suite struct LiveAppLogTests {
  private typealias Running = LiveTests.Running

  private static let journal = Project.root.appending(
    path: "captures/app-side/pebble-journal.ndjson")

  /// The lines of the journal, each with its end.
  private static func lines() throws -> [Data] {
    try String(contentsOf: journal, encoding: .utf8).split(separator: "\n")
      .map { Data("\($0)\n".utf8) }
  }

  private static func temporary() -> URL {
    FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  }

  /// What is reported for the app's side, without its time and without how much earlier it happened.
  private static func reported(_ lines: [String]) -> [String] {
    lines.compactMap { line in
      line.firstRange(of: "AcmeTransport: ").map {
        String(line[$0.lowerBound...]).replacing(/; [0-9.]+ m?s earlier$/, with: "")
      }
    }
  }

  /// What `hark timeline` tells of the whole journal.
  private static func expected() throws -> [String] {
    reported(
      try HarkProgram.timeline(
        LiveTests.capture.path, "--keys", LiveTests.keys.path, "--app-log", journal.path))
  }

  /// Runs hark live with a log and feeds it the capture; `grow` writes the log's later lines while no packet
  /// comes.
  private static func run(
    _ log: String, _ arguments: [String] = [], first: ([Data]) throws -> Void,
    then grow: ([Data]) throws -> Void
  ) throws -> (output: [String], errors: String) {
    let lines = try Self.lines()
    let (header, records) = LiveTests.records(try Data(contentsOf: LiveTests.capture))
    let live = try Running(
      ["live", "-", "--keys", LiveTests.keys.path, "--app-log", log] + arguments)
    let writer = live.input.fileHandleForWriting
    try first(Array(lines.prefix(4)))
    try writer.write(contentsOf: header + records.prefix(60).reduce(Data(), +))
    var output = try live.read(until: "XPC connection accepted")
    if !output.contains(where: { $0.contains("central poweredOn") }) {
      output += try live.read(until: "central poweredOn")
    }
    // Nothing but the log continues.
    try grow(Array(lines[4..<6]))
    if !output.contains(where: { $0.contains("session accepted") }) {
      output += try live.read(until: "session accepted")
    }
    try writer.write(contentsOf: records.dropFirst(60).reduce(Data(), +))
    try grow(Array(lines[6...]))
    if !output.contains(where: { $0.contains("session invalidated") }) {
      output += try live.read(until: "session invalidated")
    }
    try writer.close()
    let (rest, errors, status) = try live.end()
    #expect(status == 0)
    return (output + rest.split(separator: "\n").map(String.init), errors)
  }

  private static func append(_ lines: [Data], to file: URL) throws {
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    // In two pieces, the first of which ends in the middle of a line.
    let bytes = lines.reduce(Data(), +)
    try handle.write(contentsOf: bytes.prefix(bytes.count / 2))
    usleep(150_000)
    try handle.write(contentsOf: bytes.dropFirst(bytes.count / 2))
    try handle.close()
  }

  /// The file is followed, its clock is found by what both show, and nothing is reported twice or left out.
  @Test func file() throws {
    let file = Self.temporary()
    defer { try? FileManager.default.removeItem(at: file) }
    try Data().write(to: file)
    let (output, _) = try Self.run(
      file.path, first: { try Self.append($0, to: file) }, then: { try Self.append($0, to: file) })
    #expect(try Self.reported(output).sorted() == Self.expected().sorted())
    // The journal is 2.721 s ahead, as `hark timeline` finds as well.
    #expect(output.contains { $0.contains("shifted its times by -2.72") && $0.contains("in both") })
  }

  @Test func pipe() throws {
    let path = Self.temporary().path
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    var writer: FileHandle?
    let (output, _) = try Self.run(
      path,
      first: {
        // Opens once hark reads.
        writer = FileHandle(forWritingAtPath: path)
        try writer?.write(contentsOf: $0.reduce(Data(), +))
      },
      then: { try writer?.write(contentsOf: $0.reduce(Data(), +)) })
    #expect(try Self.reported(output).sorted() == Self.expected().sorted())
  }

  /// Each part of the log comes over a connection of its own.
  @Test func socket() throws {
    let path = Self.temporary().path
    defer { unlink(path) }
    let listener = Foundation.socket(AF_UNIX, Platform.streamType, 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
    }
    try #require(isBound && listen(listener, 2) == 0)
    func send(_ lines: [Data]) throws {
      let client = try acceptConnection(on: listener)
      let handle = FileHandle(fileDescriptor: client, closeOnDealloc: true)
      try handle.write(contentsOf: lines.reduce(Data(), +))
      try handle.close()
    }
    let (output, _) = try Self.run("unix:\(path)", first: send, then: send)
    #expect(try Self.reported(output).sorted() == Self.expected().sorted())
  }

  /// The packets come from a file that grows, the log from standard input.
  @Test func standardInput() throws {
    let live = try Running(["live", LiveTests.capture.path, "--app-log", "-"])
    // The time of an app that has none to write: Date.distantPast.
    let distant = Data(
      (#"{"time": "0001-01-01T00:00:00Z", "event": "line", "message": "?"}"# + "\n").utf8)
    let lines = try Self.lines()
    let log = lines.prefix(3) + [distant] + lines.dropFirst(3)
    try live.input.fileHandleForWriting.write(contentsOf: log.reduce(Data(), +))
    let output = try live.read(until: "session invalidated")
    #expect(output.contains { $0.contains("central poweredOn") })
    live.process.interrupt()
    #expect(try live.end().status == 0)
  }

  /// The log continues while a record of the capture is half written, in each form that a capture grows in.
  @Test(arguments: ["pipe", "file"]) func halfARecord(_ form: String) throws {
    let (log, capture) = (Self.temporary(), Self.temporary())
    defer {
      try? FileManager.default.removeItem(at: log)
      try? FileManager.default.removeItem(at: capture)
    }
    let lines = try Self.lines()
    let (header, records) = LiveTests.records(try Data(contentsOf: LiveTests.capture))
    let first = header + records.prefix(60).reduce(Data(), +) + records[60].prefix(30)
    let rest = records[60].dropFirst(30) + records.dropFirst(61).reduce(Data(), +)
    try Data().write(to: log)
    try first.write(to: capture)
    let live = try Running(
      ["live", form == "pipe" ? "-" : capture.path, "--keys", LiveTests.keys.path]
        + ["--app-log", log.path])
    let pipe = live.input.fileHandleForWriting
    if form == "pipe" { try pipe.write(contentsOf: first) }
    var output = try live.read(until: "controller reset")
    try Self.append(Array(lines.prefix(6)), to: log)
    if !output.contains(where: { $0.contains("session accepted") }) {
      output += try live.read(until: "session accepted")
    }
    if form == "pipe" {
      try pipe.write(contentsOf: rest)
      try pipe.close()
    } else {
      let handle = try FileHandle(forWritingTo: capture)
      try handle.seekToEnd()
      try handle.write(contentsOf: rest)
      try handle.close()
      try pipe.close()
      output += try live.read(until: "closed: Connection Terminated")
      live.process.interrupt()
    }
    let (_, errors, status) = try live.end()
    #expect(errors.contains("\(records.count) packets, none lost"), "\(errors)")
    #expect(status == 0)
  }

  /// A rule sees both sides as they come: the capture continues when the finding is there.
  @Test func findings() throws {
    let file = Self.temporary()
    defer { try? FileManager.default.removeItem(at: file) }
    try Data().write(to: file)
    let mistake = """
      {"time": "2026-11-20T16:41:06Z", "event": "entitlement-missing", "process": "AcmeTransport", \
      "entitlement": "com.apple.developer.accessory-transport-security"}

      """
    let (output, errors) = try Self.run(
      file.path, ["--findings"], first: { try Self.append($0, to: file) },
      then: { try Self.append($0 + [Data(mistake.utf8)], to: file) })
    #expect(output.contains { $0.contains("finding") && $0.contains("entitlement") })
    #expect(errors.contains("packets, none lost"))
  }

  /// Lines of no log are said to be none, and the timeline continues.
  @Test func unknownLines() throws {
    let file = Self.temporary()
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(String(repeating: "?\n", count: 300).utf8).write(to: file)
    let live = try Running(["live", "-", "--app-log", file.path])
    let (header, records) = LiveTests.records(try Data(contentsOf: LiveTests.capture))
    let writer = live.input.fileHandleForWriting
    try writer.write(contentsOf: header + records.prefix(10).reduce(Data(), +))
    _ = try live.read(until: "controller reset")
    usleep(500_000)
    try writer.close()
    let (_, errors, status) = try live.end()
    #expect(errors.contains("do not belong to a log that hark recognizes") && status == 0)
  }

  @Test func refused() throws {
    let twice = try HarkProgram.transcript(["live", "-", "--app-log", "-"])
    #expect(twice.contains("standard input can carry only one thing") && twice.hasSuffix("? 64\n"))
    let missing = try HarkProgram.transcript(["live", "-", "--app-log", "/nonexistent/log"])
    #expect(missing.contains("cannot open") && missing.hasSuffix("? 1\n"))
  }
}
