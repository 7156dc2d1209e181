import Foundation
import HarkTestSupport
import Testing

/// `hark live -w`: what came is in the file, whatever is shown and whoever is killed.
@Suite struct LiveRecordingTests {
  /// A file that is removed with the test.
  final class Place {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    var path: String { url.path }

    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    var names: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
  }

  static func capture() throws -> Data { try Data(contentsOf: LiveTests.capture) }

  static func wait(_ what: String, _ condition: () -> Bool) throws {
    let end = Date() + 60
    while !condition() {
      try #require(Date() < end, "gave up waiting: \(what)")
      usleep(10_000)
    }
  }

  /// What is filtered is written nevertheless; the file is the owner's alone.
  @Test func everything() throws {
    let place = try Place()
    let file = place.file("live.btsnoop")
    let live = try LiveTests.Running(["live", "-", "-Y", "lane == call", "-w", file.path])
    try live.input.fileHandleForWriting.write(contentsOf: Self.capture())
    try live.input.fileHandleForWriting.close()
    let (output, errors, status) = try live.end()
    #expect(output.isEmpty && status == 0)
    let packets = LiveTests.records(try Self.capture()).records.count
    #expect(errors.contains("hark: \(packets) packets, none lost\n"))
    #expect(errors.contains("hark-record: \(packets) packets, "))
    #expect(try Data(contentsOf: file) == Self.capture())
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  /// pcapng with two interfaces, which are two controllers: btsnoop has a place for one, and the other is counted.
  @Test func controllersStayApart() throws {
    func little(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
    func block(_ type: UInt64, _ body: [UInt8]) -> [UInt8] {
      let length = little(UInt64(body.count + 12), 4)
      return little(type, 4) + length + body + length
    }
    func reset(_ interface: UInt64, _ microseconds: UInt64) -> [UInt8] {
      let head = [interface, microseconds >> 32, microseconds & 0xFFFF_FFFF, 8, 8]
      return block(6, head.flatMap { little($0, 4) } + [0, 0, 0, 0, 1, 3, 0x0C, 0])
    }
    let interface = block(1, little(201, 2) + little(0, 6))
    let start: UInt64 = 1_795_082_462_000_000
    let stream =
      block(0x0A0D_0D0A, little(0x1A2B_3C4D, 4) + little(1, 4) + little(.max, 8))
      + interface + interface + reset(0, start) + reset(1, start + 1) + reset(0, start + 2)
    let place = try Place()
    let file = place.file("live.btsnoop")
    let live = try LiveTests.Running(["live", "-", "-w", file.path])
    try live.input.fileHandleForWriting.write(contentsOf: Data(stream))
    try live.input.fileHandleForWriting.close()
    let (_, errors, status) = try live.end()
    #expect(status == 0)
    #expect(errors.contains("1 record of hci1 not written"), "\(errors)")
    #expect(LiveTests.records(try Data(contentsOf: file)).records.count == 2)
  }

  /// What was sent on before `kill -9` is in the file, and it ends with a whole record.
  @Test func killed() throws {
    let place = try Place()
    let file = place.file("live.btsnoop")
    let live = try LiveTests.Running(["live", "-", "-w", file.path])
    try live.input.fileHandleForWriting.write(contentsOf: Self.capture())
    #expect(try !live.read(until: "closed: ").isEmpty)
    kill(live.process.processIdentifier, SIGKILL)
    let all = try Self.capture()
    try Self.wait("the file has everything") { (try? Data(contentsOf: file)) == all }
    _ = try live.end()
  }

  /// The program that writes is killed: that is reported, and nothing is shown that is not written.
  @Test func writerKilled() throws {
    let place = try Place()
    let live = try LiveTests.Running(["live", "-", "-w", place.file("live.btsnoop").path])
    try live.input.fileHandleForWriting.write(contentsOf: Self.capture())
    #expect(try !live.read(until: "closed: ").isEmpty)
    let (file, all) = (place.file("live.btsnoop"), try Self.capture())
    try Self.wait("the file has everything") { (try? Data(contentsOf: file)) == all }
    let id = live.process.processIdentifier
    let children = try String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
    let child = try #require(children.split(separator: " ").first.flatMap { Int32($0) })
    kill(child, SIGKILL)
    let (_, errors, status) = try live.end()
    #expect(errors.contains("hark: hark-record was terminated by signal 9\n"))
    #expect(status == 137)
    #expect(try Data(contentsOf: file) == all)
    try live.input.fileHandleForWriting.close()
  }

  /// A reader that is stopped makes its source wait; nothing is lost.
  @Test func stopped() throws {
    let place = try Place()
    let file = place.file("live.btsnoop")
    let live = try LiveTests.Running(["live", "-", "--no-notes", "-w", file.path])
    let (header, records) = LiveTests.records(try Self.capture())
    let input = live.input.fileHandleForWriting
    // The command, and the answer that it was done.
    try input.write(contentsOf: header + records[0] + records[1])
    #expect(try !live.read(until: "controller reset").isEmpty)
    kill(live.process.processIdentifier, SIGSTOP)
    // Much more than a pipe holds.
    let sender = Thread {
      for _ in 0..<100 { try? input.write(contentsOf: records.reduce(Data(), +)) }
      try? input.close()
    }
    sender.start()
    usleep(300_000)
    #expect(!sender.isFinished)
    kill(live.process.processIdentifier, SIGCONT)
    let (_, errors, status) = try live.end()
    let count = 2 + 100 * records.count
    #expect(errors.contains("hark: \(count) packets, none lost\n") && status == 0)
    #expect(LiveTests.records(try Data(contentsOf: file)).records.count == count)
  }

  @Test func rotated() throws {
    let place = try Place()
    let live = try LiveTests.Running([
      "live", "-", "-w", place.file("live.btsnoop").path, "--rotate-size", "4k",
    ])
    try live.input.fileHandleForWriting.write(contentsOf: Self.capture())
    try live.input.fileHandleForWriting.close()
    #expect(try live.end().status == 0)
    #expect(place.names.first == "live.00001.btsnoop" && place.names.count > 2)
    let parts = try place.names.flatMap {
      LiveTests.records(try Data(contentsOf: place.file($0))).records
    }
    #expect(parts == LiveTests.records(try Self.capture()).records)
  }

  /// Ctrl-C: what had come by then is reported and written.
  @Test func interrupted() throws {
    let place = try Place()
    let file = place.file("live.btsnoop")
    let live = try LiveTests.Running(["live", "-", "-w", file.path])
    try live.input.fileHandleForWriting.write(contentsOf: Self.capture())
    live.process.interrupt()
    let (_, errors, status) = try live.end()
    #expect(status == 0)
    let written = LiveTests.records(try Data(contentsOf: file)).records.count
    #expect(errors.contains("hark: \(written) packet"))
    try live.input.fileHandleForWriting.close()
  }

  /// A FIFO that no one writes to can be waited for no longer: what was written before stays.
  @Test func interruptedBeforeAnythingCame() throws {
    let place = try Place()
    let (fifo, file) = (place.file("fifo").path, place.file("live.btsnoop"))
    try #require(mkfifo(fifo, 0o600) == 0)
    try Self.capture().write(to: file)
    let live = try LiveTests.Running(["live", fifo, "-w", file.path])
    let status = "/proc/\(live.process.processIdentifier)/status"
    try Self.wait("it catches signals") {
      let text = (try? String(contentsOfFile: status, encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
      let caught = line.flatMap { UInt64($0.dropFirst(7).drop { $0 == "\t" }, radix: 16) } ?? 0
      return caught >> UInt64(SIGINT - 1) & 1 == 1
    }
    // It opens the FIFO right after that.
    usleep(200_000)
    live.process.interrupt()
    #expect(try live.end().status == 0)
    #expect(try Data(contentsOf: file) == Self.capture())
  }

  /// A source that is not there costs no one a recording.
  @Test(arguments: ["/nowhere/phone.btsnoop", "unix:/nowhere/socket", "CHANGELOG.md"])
  func noSource(_ source: String) throws {
    let place = try Place()
    let file = place.file("live.btsnoop")
    try Self.capture().write(to: file)
    for path in [file.path, place.file("new.btsnoop").path] {
      let live = try LiveTests.Running(["live", source, "-w", path])
      let (_, errors, status) = try live.end()
      #expect(status == 1)
      #expect(errors.contains("hark: \(source): "), "\(errors)")
      #expect(!errors.contains("hark-record"), "\(errors)")
    }
    #expect(place.names == ["live.btsnoop"])
    #expect(try Data(contentsOf: file) == Self.capture())
  }

  /// What cannot be written ends the timeline, in the middle of a record: that is the file's fault.
  @Test func theFileIsBlamed() throws {
    let live = try LiveTests.Running(["live", "-", "-w", "/dev/full"])
    let input = live.input.fileHandleForWriting
    try input.write(contentsOf: Self.capture().prefix(5_000))
    let (output, errors, status) = try live.end()
    #expect(status == 1)
    #expect(errors.contains("hark-record: /dev/full: cannot write: No space left on device"))
    #expect(errors.contains("hark: /dev/full: writing failed before the end"), "\(errors)")
    #expect(!errors.contains("truncated") && !output.contains("truncated"), "\(errors)")
    try input.close()
  }

  @Test(
    arguments: [
      (["-w", "/nowhere/a.btsnoop"], 1, "hark: /nowhere/a.btsnoop: cannot write: No such file"),
      (["-w", "/dev/full"], 1, "hark-record: /dev/full: cannot write: No space left on device"),
      (["-w", "a", "--rotate-size", "few"], 64, "--rotate-size takes a size such as 100M"),
      (["-w", "-"], 64, "-w cannot write to standard output here: name a file"),
      (["--rotate-time", "1h"], 64, "--rotate-count need -w"),
      (["-w", "captures/pebble-session/pebble-session.btsnoop"], 1, "this is the source itself"),
    ] as [([String], Int32, String)])
  func refused(_ arguments: [String], _ status: Int32, _ complaint: String) throws {
    let live = try LiveTests.Running(
      ["live", "captures/pebble-session/pebble-session.btsnoop"] + arguments)
    let end = try live.end()
    #expect(end.status == status)
    #expect(end.errors.contains(complaint), "\(end.errors)")
    #expect(try Self.capture().count > 1_000)
  }

  /// btsnoop has no place for over-the-air packets: said at once, and what is there stays.
  @Test(arguments: ["pebble-air.pcap", "pebble-air.pcapng"])
  func fromTheAir(_ sample: String) throws {
    let place = try Place()
    let file = place.file("live.btsnoop")
    try Self.capture().write(to: file)
    let live = try LiveTests.Running(
      ["live", "captures/pebble-air/\(sample)", "-w", file.path])
    let end = try live.end()
    #expect(end.status == 1 && end.output.isEmpty)
    #expect(
      end.errors.contains("\(file.path): not written: its format cannot hold over-the-air packets"))
    #expect(try Data(contentsOf: file) == Self.capture())
  }

  /// Numbers are looked at before a source is waited for.
  @Test(arguments: [
    (["--rotate-size", "x"], "--rotate-size takes a size such as 100M, not 'x'"),
    (["--rotate-size", "1"], "--rotate-size must be at least 4096, not '1'"),
    (["--rotate-time", "soon"], "--rotate-time takes a time such as 1h, not 'soon'"),
    (["--rotate-size", "1M", "--rotate-count", "0"], "--rotate-count must be at least 1, not '0'"),
    (["--rotate-count", "3"], "--rotate-count needs --rotate-size or --rotate-time"),
  ])
  func wrongNumbers(_ arguments: [String], _ complaint: String) throws {
    let place = try Place()
    let fifo = place.file("fifo").path
    try #require(mkfifo(fifo, 0o600) == 0)
    for command in [["live", fifo], ["record", fifo, "-Y", "att"]] {
      let end = try LiveTests.Running(
        command + ["-w", place.file("a").path] + arguments
      ).end()
      #expect(end.status == 64)
      #expect(end.errors.contains(complaint), "\(end.errors)")
    }
    #expect(place.names == ["fifo"])
  }

  /// A PacketLogger's notes have no place in btsnoop: how many is reported.
  @Test func leftOut() throws {
    let place = try Place()
    let file = place.file("live.btsnoop")
    let source = try Data(
      contentsOf: Project.root.appending(path: "captures/formats/big-endian.pklg"))
    let live = try LiveTests.Running(["live", "-", "-w", file.path])
    try live.input.fileHandleForWriting.write(contentsOf: source)
    try live.input.fileHandleForWriting.close()
    let (_, errors, status) = try live.end()
    let all = try #require(errors.split(separator: " ").compactMap { Int($0) }.last)
    #expect(
      errors.contains("cannot store PacketLogger's own records: 2 records are not written"),
      "\(errors)")
    #expect(LiveTests.records(try Data(contentsOf: file)).records.count > 10 && all > 0)
    #expect(status == 0)
  }
}
