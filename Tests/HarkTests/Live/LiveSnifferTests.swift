import Foundation
import HarkCapture
import HarkCore
import HarkPlatform
import HarkTestSupport
import Testing

/// `hark live` and `hark record` on the serial line of a sniffer: a pseudo terminal that expects the commands and sends
/// the packets of a sample.
@Suite struct LiveSnifferTests {
  enum Model: String, CaseIterable {
    case nrf, sniffle

    var sample: String {
      Project.capture("pebble-air/pebble-air.\(self == .nrf ? "pcapng" : "pcap")")
    }

    /// The end of what it is reported to begin.
    var lastCommand: [UInt8] {
      self == .nrf ? [6, 1, 1, 2, 0, 0x07, 1, 0xBC] : Array("AhhoYXJr\r\n".utf8)
    }

    /// What it sends; of Sniffle, from the Peripheral what the sample of the other one says is from there.
    func line() throws -> [UInt8] {
      let file = try LiveSnifferTests.records(sample)
      guard self == .sniffle else { return file.flatMap { SnifferLine.nordic($0.bytes) } }
      let directions = try LiveSnifferTests.records(Model.nrf.sample)
      var line = SnifferLine.sniffleLine([0x12, 0, 0, 0, 0] + Array("hark".utf8))
      for (packet, other) in zip(file, directions) {
        let flags: UInt8 = other.bytes[8]
        let isAdvertising = packet.bytes[10] == 0xD6
        let time = UInt32(packet.time.since(file[0].time) / 1_000)
        line += SnifferLine.sniffle(
          packet.bytes, time: time, isFromPeripheral: flags & 2 == 0 && !isAdvertising,
          isCRCWrong: flags & 1 == 0)
      }
      return line
    }
  }

  static func records(_ path: String) throws -> [(time: Timestamp, bytes: [UInt8])] {
    var records: [(time: Timestamp, bytes: [UInt8])] = []
    _ = try Capture(path: path).forEachRecord { record, bytes in
      records.append((record.time, bytes.array))
      return true
    }
    return records
  }

  /// A pseudo terminal. pty(7), ioctl_tty(2): TIOCSPTLCK and TIOCGPTN.
  final class Line {
    private let main: Int32
    let path: String

    init() throws {
      main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var (lock, number) = (Int32(0), UInt32(0))
      try #require(
        main >= 0 && ioctl(main, 0x4004_5431, &lock) == 0 && ioctl(main, 0x8004_5430, &number) == 0)
      path = "/dev/pts/\(number)"
    }

    deinit { close(main) }

    /// Waits for the commands, and returns all that came.
    func expect(_ end: [UInt8]) throws -> [UInt8] {
      var bytes: [UInt8] = []
      let deadline = Date() + 60
      while !bytes.suffix(end.count).elementsEqual(end) {
        try #require(Date() < deadline, "no command came: \(Hex.text(bytes))")
        var waiting = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 100) > 0 else { continue }
        var piece = [UInt8](repeating: 0, count: 256)
        let count = read(main, &piece, piece.count)
        if count > 0 { bytes += piece[..<count] } else { usleep(10_000) }
      }
      return bytes
    }

    /// Sends bytes as fast as they are read.
    func send(_ bytes: [UInt8]) throws {
      var done = 0
      let deadline = Date() + 60
      while done < bytes.count {
        try #require(Date() < deadline, "nobody reads")
        var waiting = pollfd(fd: main, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, 100) > 0 else { continue }
        let count = bytes.withUnsafeBytes { bytes in
          bytes.baseAddress.map { write(main, $0 + done, min(512, bytes.count - done)) } ?? 0
        }
        done += max(0, count)
      }
    }
  }

  /// A timeline without what stands for the clock of the day.
  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.contains("+") }.map { line in
      line.drop { $0 != "+" }.description
    }
  }

  /// The timeline is that of the file, and so is what `-w` writes.
  @Test(arguments: Model.allCases) func live(_ model: Model) throws {
    let folder = try TestFolder()
    let line = try Line()
    let keys = Project.capture("pebble-air/link.harkkeys")
    let live = try LiveTests.Running([
      "live", "\(model):\(line.path)", "--keys", keys, "-w", folder.path("air.pcapng"),
    ])
    _ = try line.expect(model.lastCommand)
    try line.send(model.line())
    var shown = try live.read(until: "MTU 185").joined(separator: "\n") + "\n"
    // All has come when the last packet is in the file.
    let file = try Self.records(model.sample)
    try LiveRecordingTests.wait("the file has everything") {
      (try? Self.records(folder.path("air.pcapng")).count) == file.count
    }
    kill(live.process.processIdentifier, SIGINT)
    let end = try live.end()
    shown += end.output
    #expect(
      end.status == 0 && end.errors.contains("\(file.count) packets, none lost"), "\(end.errors)")
    let expected = try OtherProgram.run(
      HarkProgram.url.path, ["timeline", model.sample, "--keys", keys])
    #expect(Self.lines(shown) == Self.lines(expected.text))
    try Self.compare(folder.path("air.pcapng"), model, file)
  }

  /// As `hark record` writes it, in both formats that have a place for it.
  @Test(arguments: Model.allCases, ["pcapng", "pcap"]) func record(_ model: Model, ending: String)
    throws
  {
    let folder = try TestFolder()
    let line = try Line()
    let file = try Self.records(model.sample)
    let recorder = try LiveTests.Running([
      "record", "\(model):\(line.path)", "-w", folder.path("air.\(ending)"),
    ])
    _ = try line.expect(model.lastCommand)
    try line.send(model.line())
    try LiveRecordingTests.wait("the file has everything") {
      (try? Self.records(folder.path("air.\(ending)")).count) == file.count
    }
    kill(recorder.process.processIdentifier, SIGINT)
    let end = try recorder.end()
    #expect(end.status == 0 && end.errors.contains("\(file.count) packets, "), "\(end.errors)")
    try Self.compare(folder.path("air.\(ending)"), model, file)
    let info = try Capture(path: folder.path("air.\(ending)")).info
    #expect(info.interfaces.map(\.linkType) == [model == .nrf ? 272 : 256])
  }

  /// Without the board, which a program numbers, and of Sniffle without the header and the CRC that it does not send.
  private static func compare(
    _ path: String, _ model: Model, _ file: [(time: Timestamp, bytes: [UInt8])]
  ) throws {
    let written = try records(path)
    try #require(written.count == file.count)
    for (one, other) in zip(written, file) {
      let part = model == .nrf ? 1..<other.bytes.count : 10..<(other.bytes.count - 3)
      #expect(one.bytes.count == other.bytes.count && one.bytes[part] == other.bytes[part])
      #expect(one.time.since(written[0].time) == other.time.since(file[0].time))
    }
  }

  /// btsnoop has no place for them: said before the file is made.
  @Test(arguments: ["live", "record"]) func btsnoop(command: String) throws {
    let folder = try TestFolder()
    let line = try Line()
    let run = try LiveTests.Running([
      command, "nrf:\(line.path)", "-w", folder.path("air.btsnoop"),
    ])
    _ = try line.expect(Model.nrf.lastCommand)
    try line.send(Model.nrf.line())
    let end = try run.end()
    #expect(end.status == 1 && end.errors.contains("cannot hold over-the-air packets"))
    #expect(folder.names.isEmpty)
  }

  @Test func whatIsFollowed() throws {
    let line = try Line()
    let live = try LiveTests.Running([
      "live", "nrf:\(line.path),follow=C0:DE:00:00:00:01,baud=460800",
    ])
    let commands = try line.expect([0xC0, 0xDE, 0, 0, 0, 1, 1, 0, 0xBC])
    #expect(commands.starts(with: [0xAB, 6, 0, 1, 0, 0, 0x1D, 0xBC]))
    kill(live.process.processIdentifier, SIGINT)
    #expect(try live.end().status == 0)
  }

  /// A board that is unplugged: what came before is there, and the exit code is that of a truncated capture.
  @Test(arguments: ["live", "record"]) func unplugged(_ command: String) throws {
    let folder = try TestFolder()
    var line: Line? = try Line()
    let path = folder.path("air.pcapng")
    let run = try LiveTests.Running([
      command, "nrf:\(try #require(line).path)", "-w", path,
    ])
    _ = try line?.expect(Model.nrf.lastCommand)
    try line?.send(Model.nrf.line())
    let file = try Self.records(Model.nrf.sample)
    try LiveRecordingTests.wait("the file has everything") {
      (try? Self.records(path).count) == file.count
    }
    line = nil
    let end = try run.end()
    #expect(end.status == 2 && end.errors.contains("the device was disconnected"), "\(end.errors)")
    #expect(try Self.records(path).count == file.count)
  }
}
