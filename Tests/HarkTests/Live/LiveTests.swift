import Foundation
import HarkPlatform
import HarkTestSupport
import Testing

/// `hark live` while something is sent to it: what it tells, and when.
@Suite struct LiveTests {
  static let folder = Project.root.appendingPathComponent("captures/pebble-session")
  static let capture = folder.appendingPathComponent("pebble-session.btsnoop")
  static let keys = folder.appendingPathComponent("accessory.harkkeys")

  /// A program that runs, with pipes to it.
  final class Running {
    let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    private let deadline: ProgramDeadline
    let input = Pipe()

    init(_ arguments: [String]) throws {
      deadline = ProgramDeadline(process)
      process.executableURL = HarkProgram.url
      process.arguments = arguments
      process.currentDirectoryURL = Project.root
      process.standardInput = input
      process.standardOutput = output
      process.standardError = errors
      try process.run()
    }

    /// Reads lines until one contains `text`. Throws if none does.
    func read(until text: String) throws -> [String] {
      var bytes = Data()
      while true {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        if bytes.last == 0x0A, lines.contains(where: { $0.contains(text) }) { return lines }
        let more = try deadline.read(output)
        guard !more.isEmpty else {
          try deadline.check()
          throw MissingLine(text: text, lines: lines)
        }
        bytes += more
      }
    }

    struct MissingLine: Error {
      let text: String
      let lines: [String]
    }

    /// Everything it still writes, what it says on standard error, and its exit code.
    func end() throws -> (output: String, errors: String, status: Int32) {
      let text = try String(decoding: deadline.readToEnd(output), as: UTF8.self)
      let stated = try String(decoding: deadline.readToEnd(errors), as: UTF8.self)
      process.waitUntilExit()
      try deadline.check()
      return (text, stated, process.terminationStatus)
    }
  }

  /// The header of a btsnoop file, and its records.
  static func records(_ file: Data) -> (header: Data, records: [Data]) {
    var records: [Data] = []
    var rest = file.dropFirst(16)
    while rest.count >= 24 {
      let size = rest.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | Int($1) }
      records.append(Data(rest.prefix(24 + size)))
      rest = rest.dropFirst(24 + size)
    }
    return (Data(file.prefix(16)), records)
  }

  /// What came through a pipe is reported as if it were read from the file.
  @Test func pipe() throws {
    let arguments = ["--keys", Self.keys.path]
    let file = try HarkProgram.transcript(["timeline", Self.capture.path] + arguments)
    let live = try Running(["live", "-"] + arguments)
    try live.input.fileHandleForWriting.write(contentsOf: Data(contentsOf: Self.capture))
    try live.input.fileHandleForWriting.close()
    let (output, errors, status) = try live.end()
    #expect(output + "? 0\n" == file)
    let packets = Self.records(try Data(contentsOf: Self.capture)).records.count
    #expect(errors == "hark: \(packets) packets, none lost\n")
    #expect(status == 0)
  }

  /// A line is there as soon as its packet is, though nothing follows.
  @Test func lineByLine() throws {
    let (header, records) = Self.records(try Data(contentsOf: Self.capture))
    let live = try Running(["live", "-"])
    let writer = live.input.fileHandleForWriting
    // The command, and the answer that it was done.
    try writer.write(contentsOf: header + records.prefix(2).reduce(Data(), +))
    #expect(try live.read(until: "controller reset").last?.contains("#1") == true)
    try writer.write(contentsOf: records.dropFirst(2).reduce(Data(), +))
    #expect(try live.read(until: "closed: ").count > 10)
    live.process.interrupt()
    #expect(try live.end().status == 0)
    try writer.close()
  }

  /// A file that grows is followed until a signal comes; what was open then is reported.
  @Test func growingFile() throws {
    let (header, records) = Self.records(try Data(contentsOf: Self.capture))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try (header + records.prefix(40).reduce(Data(), +)).write(to: file)
    let live = try Running(["live", file.path])
    #expect(try !live.read(until: "controller reset").isEmpty)
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    try handle.write(contentsOf: records.dropFirst(40).reduce(Data(), +))
    #expect(try !live.read(until: "closed: ").isEmpty)
    live.process.terminate()
    let (_, errors, status) = try live.end()
    #expect(errors == "hark: \(records.count) packets, none lost\n")
    #expect(status == 0)
  }

  /// A server that goes away and comes back: the timeline continues, and says so.
  @Test func server() throws {
    let (header, records) = Self.records(try Data(contentsOf: Self.capture))
    let half = records.count / 2
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { unlink(path) }
    let listener = socket(AF_UNIX, Platform.streamType, 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
    }
    try #require(isBound && listen(listener, 2) == 0)
    let live = try Running(["live", "unix:\(path)"])
    for part in [records.prefix(half), records.suffix(records.count - half)] {
      let client = try acceptConnection(on: listener)
      let handle = FileHandle(fileDescriptor: client, closeOnDealloc: true)
      try handle.write(contentsOf: header + part.reduce(Data(), +))
      try handle.close()
    }
    let lines = try live.read(until: "closed: ")
    #expect(lines.contains { $0.contains("the source is connected again") })
    live.process.interrupt()
    let (_, errors, status) = try live.end()
    #expect(errors.contains("the source disconnected; waiting for it"))
    #expect(errors.contains("hark: \(records.count) packets, none lost\n"))
    #expect(status == 0)
  }

  /// As btmon --server has it: who has something to send connects. Records are 6 bytes and a packet:
  /// opcode, index and length, each little-endian.
  @Test func listening() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    let live = try Running(["live", "unix-listen:\(path)", "--as", "monitor"])
    let parts = [
      Data([2, 0, 0, 0, 3, 0, 3, 0x0C, 0]), Data([3, 0, 0, 0, 6, 0, 0x0E, 4, 1, 3, 0x0C, 0]),
    ]
    for part in parts {
      let end = Date() + 60
      while !FileManager.default.fileExists(atPath: path) {
        try #require(Date() < end)
        usleep(10_000)
      }
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
      let client = socket(AF_UNIX, Platform.streamType, 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      // It is there a moment before it is listened to.
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      while withUnsafePointer(
        to: &address,
        { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, size) }
        }) != 0
      {
        try #require(Date() < end)
        usleep(10_000)
      }
      let handle = FileHandle(fileDescriptor: client, closeOnDealloc: true)
      try handle.write(contentsOf: part)
      // Until it is taken, the next is not waited for.
      while FileManager.default.fileExists(atPath: path) {
        try #require(Date() < end)
        usleep(10_000)
      }
      try handle.close()
    }
    let lines = try live.read(until: "the source is connected again")
    #expect(lines.contains { $0.contains("controller reset") })
    // While it waits for the next.
    let end = Date() + 60
    while !FileManager.default.fileExists(atPath: path) {
      try #require(Date() < end)
      usleep(10_000)
    }
    live.process.interrupt()
    let (_, errors, status) = try live.end()
    #expect(errors.contains("hark: 2 packets, none lost\n") && status == 0)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// A socket that somebody left behind is in no one's way; one that is in use stays.
  @Test func socketsInTheWay() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { unlink(path) }
    let listener = socket(AF_UNIX, Platform.streamType, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
    }
    try #require(isBound && listen(listener, 1) == 0)
    let refused = try Running(["live", "unix-listen:\(path)", "--as", "monitor"]).end()
    #expect(refused.errors.contains("cannot listen: another program listens there"))
    #expect(refused.status == 1)
    close(listener)
    let live = try Running(["live", "unix-listen:\(path)", "--as", "monitor"])
    let end = Date() + 60
    // The one that was left behind may be used by others, too.
    var now = stat()
    while stat(path, &now) != 0 || now.st_mode & 0o777 != 0o700 {
      try #require(Date() < end)
      usleep(10_000)
    }
    live.process.interrupt()
    #expect(try live.end().status == 0)
  }

  /// A file that is no socket is no one's leftover.
  @Test func listeningWhereAFileIs() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try Data("precious".utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let live = try Running(["live", "unix-listen:\(path)", "--as", "monitor"]).end()
    #expect(live.status == 1 && live.errors.contains("the path exists and is not a socket"))
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("precious".utf8))
  }

  /// What to do with bytes that do not say what they are is said with the refusal.
  @Test func unnamed() throws {
    let live = try Running(["live", "-"])
    try live.input.fileHandleForWriting.write(contentsOf: Data([2, 0, 0, 0, 3, 0, 3, 0x0C, 0]))
    try live.input.fileHandleForWriting.close()
    let end = try live.end()
    #expect(end.errors.contains("the stream format cannot be detected: name it with --as"))
    #expect(end.status == 1)
  }

  /// Bytes that do not say what they are.
  @Test func named() throws {
    let live = try Running(["live", "-", "--as", "tty"])
    try live.input.fileHandleForWriting.write(
      contentsOf: Data("boot\r\n".utf8) + [7, 0, 2, 0, 0, 0, 3, 0x0C, 0]
        + [10, 0, 3, 0, 0, 0, 0x0E, 4, 1, 3, 0x0C, 0])
    try live.input.fileHandleForWriting.close()
    let (output, errors, status) = try live.end()
    let lines = output.split(separator: "\n")
    #expect(lines.contains { $0.hasSuffix("boot  #1") })
    #expect(lines.contains { $0.hasSuffix("controller reset  #2–3 (2 packets)") })
    #expect(errors == "hark: 3 packets, none lost\n")
    #expect(status == 0)
  }

  @Test func nothingThere() throws {
    let found = try HarkProgram.transcript(["live", "unix:/nowhere/hark.sock"])
    #expect(
      found == """
        ! hark: unix:/nowhere/hark.sock: cannot connect: No such file or directory
        ? 1

        """)
  }
}
