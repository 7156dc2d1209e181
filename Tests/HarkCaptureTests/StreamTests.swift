import Foundation
import HarkCore
import HarkPlatform
import HarkTestSupport
import Testing

@testable import HarkCapture

/// What comes while it is made: lines without times, sockets, files that grow.
@Suite struct StreamTests {
  /// The records of a stream, without their times, however few bytes a read gives.
  private static func lines(
    _ bytes: Bytes, _ format: StreamFormat?, chunk: Int
  ) throws -> (lines: [String], end: CaptureEnd) {
    let capture = try Capture(
      Source(bytes: bytes.all, name: "test", chunk: chunk), as: format, keepsBytes: false)
    var lines: [String] = []
    let end = capture.forEachRecord { record, bytes in
      let text =
        record.kind.isText ? String(decoding: bytes.array, as: UTF8.self) : Hex.text(bytes.array)
      var line = "\(record.kind) \(record.direction == .hostToController ? ">" : "<") \(text)"
      if record.controller != 0 { line += " @\(record.controller)" }
      if record.dropped != 0 { line += " dropped \(record.dropped)" }
      if record.flags.contains(.directionUnknown) { line += " ?" }
      if record.flags.contains(.afterDamage) { line += " gap" }
      lines.append(line)
      return true
    }
    return (lines, end)
  }

  @Test(arguments: [1, 2, 7, 4_096])
  func h4(chunk: Int) throws {
    let stream = H4.reset + H4.complete + H4.sent + H4.iso + H4.sco
    #expect(
      try Self.lines(stream, .h4, chunk: chunk).lines == [
        "command > 030c00", "event < 0e0401030c00", "acl > 40000700030004" + "0052" + "2a00 ?",
        "iso > 6000040001000200 ?", "sco > 410002aabb ?",
      ])
  }

  /// What is no packet is passed over.
  @Test(arguments: [1, 2, 5, 4_096]) func h4FindsTheNextPacket(chunk: Int) throws {
    let stream = H4.reset + .hex("ff ff 77") + H4.complete + H4.reset + H4.complete + H4.reset
    let (lines, end) = try Self.lines(stream, .h4, chunk: chunk)
    #expect(
      lines == [
        "command > 030c00", "event < 0e0401030c00 gap", "command > 030c00", "event < 0e0401030c00",
        "command > 030c00",
      ])
    #expect(end.status == .damaged)
  }

  /// Found by fuzzing: where the next packet begins was decided before its length had come.
  @Test(arguments: [1, 2, 3, 5, 8]) func h4DamageInPieces(chunk: Int) throws {
    let stream = Bytes.hex(
      "00 01 00 ff ff ff ff ff 10 00 40 ff ff 00 00 00 00 00 04 13 05 01 01 00 00 00")
    let (lines, end) = try Self.lines(stream, .h4, chunk: chunk)
    let whole = try Self.lines(stream, .h4, chunk: 4_096)
    #expect(lines == whole.lines)
    #expect(end.status == whole.end.status && end.damageCount == whole.end.damageCount)
  }

  /// An acknowledgement is no packet. Vol 4, Part D, 4.
  @Test(arguments: [1, 3, 4_096])
  func h5(chunk: Int) throws {
    let stream = Bytes.hex("c0 c0 10 00 00 ef c0 c0 81 31 00 4d 03 0c 00 c0")
    #expect(try Self.lines(stream, .h5, chunk: chunk).lines == ["command > 030c00"])
  }

  @Test(arguments: [1, 5, 4_096])
  func monitor(chunk: Int) throws {
    let stream = Bytes.hex(
      "0200 0100 0300 030c00 0300 0100 0600 0e0401030c00 0c00 ffff 0300 414200")
    #expect(
      try Self.lines(stream, .monitor, chunk: chunk).lines == [
        "command > 030c00 @1", "event < 0e0401030c00 @1", "systemNote > 414200 @65535",
      ])
  }

  /// Packets between lines of text, one of them of a length that is a letter, with the sender's clock
  /// and two lost events.
  @Test(arguments: [1, 6, 4_096])
  func tty(chunk: Int) throws {
    let long = Bytes.hex("3d 00 03 00 00 00 ff 37") + .zeros(55)
    let stream =
      Bytes.text("*** Booting Zephyr ***\r\n\r\n")
      + .hex("0e 00 02 00 00 07 08 10270000 02 02 030c00") + .text("[00:01] <inf> bt: ready")
      + long + .text("\nbye\n") + .hex("0a 00 03 00 00 00 0e0401030c00")
    #expect(
      try Self.lines(stream, .tty, chunk: chunk).lines == [
        "note < *** Booting Zephyr ***", "command > 030c00 dropped 2",
        "note < [00:01] <inf> bt: ready", "event < ff37" + String(repeating: "00", count: 55),
        "note < bye", "event < 0e0401030c00",
      ])
  }

  /// Text that a packet of ten bytes interrupts: its length looks like the end of the line, whether the byte
  /// behind that has come or not.
  @Test(arguments: [1, 2, 4, 7, 4_096])
  func ttyInterruptedLine(chunk: Int) throws {
    let stream =
      Bytes.text("boot") + .hex("0a 00 03 00 00 00 0e0401030c00") + .text("done\n")
      + .hex("07 00 02 00 00 00 030c00")
    #expect(
      try Self.lines(stream, .tty, chunk: chunk).lines == [
        "note < boot", "event < 0e0401030c00", "note < done", "command > 030c00",
      ])
  }

  /// Found by fuzzing: where a line of text ended depended on what had come by then.
  @Test func ttyInPieces() throws {
    let found = Data(
      base64Encoded: "CAAAAAEhXQB2dnZ2dnZ2dnZ2dnZ2dgoAAAAAAAAAdnZ2dnZ2dnZ2dnZ2dnZ2dnZ2dnZ2dv"
        + String(repeating: "/", count: 108) + "9d/3Z2dnZ2dnZ2AAADAQM=")
    let stream = Bytes(all: Array(try #require(found).dropFirst(2)))
    let whole = try Self.lines(stream, .tty, chunk: 4_096)
    for chunk in 1..<stream.all.count {
      let cut = try Self.lines(stream, .tty, chunk: chunk)
      #expect(cut.lines == whole.lines && cut.end == whole.end, "pieces of \(chunk)")
    }
  }

  /// A file whose ends of lines were translated is refused however much of it comes at a time.
  @Test(arguments: [1, 7, 40, 4_096]) func translatedLinesInPieces(chunk: Int) throws {
    let text =
      Bytes.text("btsnoop") + .hex("00 00000001 000003ea")
      + .text(String(repeating: "\r\n", count: 16))
    #expect {
      try Self.lines(text, nil, chunk: chunk)
    } throws: {
      "\($0)".contains("every LF became CR LF")
    }
  }

  /// As far as a reader may look ahead, and no further, however many bytes a read gives.
  @Test(arguments: [1_000, Window.step, 1 << 20]) func windowReach(chunk: Int) throws {
    var window = Window(
      try Source(bytes: [UInt8](repeating: 1, count: 1 << 20), name: "test", chunk: chunk))
    var found = [Window.reach - 1, Window.reach + 1].map { window.ensure($0) }
    #expect(found == [true, false])
    window.advance(Window.reach - 1)
    found = [Window.reach, Window.reach + 1].map { window.ensure($0) }
    #expect(found == [true, false])
    let count = window.count
    #expect(count == Window.reach)
  }

  /// Times of a serial line are apart as the sender's clock says.
  @Test func ttyTimes() throws {
    let packet = { (ticks: UInt32) in
      Bytes.hex("0c 00 02 00 00 05 08") + .u32(ticks, big: false) + .hex("030c00")
    }
    let capture = try Capture(
      Source(bytes: (packet(10_000) + packet(12_345)).all, name: "test"), as: .tty,
      keepsBytes: false)
    var times: [Timestamp] = []
    _ = capture.forEachRecord { record, _ in
      times.append(record.time)
      return true
    }
    try #require(times.count == 2)
    #expect(times[1].since(times[0]) == 234_500_000)
  }

  /// Mutated streams give what they give without a trap, and end.
  @Test(arguments: StreamFormat.allCases)
  func mutations(format: StreamFormat) throws {
    var random = SplitMix(seed: 0x5EED)
    let base =
      H4.reset + H4.complete + .hex("c0 81 31 00 4d 03 0c 00 c0")
      + .hex("0200 0100 0300 030c00") + .hex("0e 00 02 00 00 07 08 10270000 02 02 030c00")
      + .text("text\n")
    for _ in 0..<2_000 {
      var bytes = base.all
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      let (lines, end) = try Self.lines(Bytes(all: bytes), format, chunk: 4_096)
      #expect(Int(end.records) == lines.count)
      let chunk = Int.random(in: 1...9, using: &random)
      let cut = try Self.lines(Bytes(all: bytes), format, chunk: chunk)
      #expect(cut.lines == lines && cut.end == end, "\(Hex.text(bytes)) in pieces of \(chunk)")
    }
  }

  // MARK: Endpoints

  @Test(arguments: [
    ("-", false), ("a.log", false), ("unix:/run/x", true), ("tcp:localhost:8872", true),
    ("tcp:[::1]:80", true), ("tcp:", false), ("unix:", false),
  ])
  func names(text: String, isConnection: Bool) {
    #expect(Endpoint(text).isConnection == isConnection)
    #expect(Endpoint(text).name == (text == "-" ? "standard input" : text))
  }

  @Test func nobodyListens() throws {
    let folder = try Folder()
    #expect(throws: CaptureError.self) { try Capture(path: "unix:\(folder.path)/none") }
    do {
      _ = try Capture(path: "unix:" + String(repeating: "x", count: 200))
      Issue.record("the path is too long")
    } catch {
      #expect("\(error)".hasSuffix("cannot connect: File name too long"))
    }
    #expect(throws: CaptureError.self) { try Capture(path: "tcp:localhost:0") }
  }

  /// A capture over a socket is that of the file.
  @Test func sockets() throws {
    let folder = try Folder()
    let path = folder.path + "/a"
    let listener = socket(AF_UNIX, Platform.streamType, 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, size) == 0
      }
    }
    try #require(isBound && listen(listener, 1) == 0)
    let sample = SourceTests.large
    let bytes = sample.bytes.all
    let writer = PlatformThread { send(bytes, to: listener) }
    let capture = try Capture(Endpoint("unix:" + path), waitPolicy: ReadWaitPolicy())
    let end = capture.forEachRecord { _, _ in true }
    #expect(Int(end.records) == sample.count)
    #expect(end.status == .complete)
    writer?.join()
  }

  /// A file is read as it grows, until the descriptor to stop at says so.
  @Test func followed() throws {
    let folder = try Folder()
    let first = Snoop.file(1002, [Snoop.record(H4.reset, flags: 2)])
    let second = Snoop.record(H4.complete, flags: 3)
    let path = try folder.write("a", first + second.part(0..<10))
    var ends: [Int32] = [0, 0]
    let isMade = unsafe pipe(&ends) == 0
    try #require(isMade)
    defer { for end in ends { close(end) } }
    let capture = try Capture(
      Endpoint(path), waitPolicy: ReadWaitPolicy(stops: [ends[0]], followsFile: true))
    var kinds: [PacketKind] = []
    // One record, and the wait for the next is seen before it begins.
    var end = capture.forEachRecord { record, _ in
      kinds.append(record.kind)
      return false
    }
    #expect(end.status == .stopped && kinds == [.command])
    _ = try folder.write("a", first + second)
    end = capture.forEachRecord { record, _ in
      kinds.append(record.kind)
      return false
    }
    #expect(kinds == [.command, .event])
    if case .timedOut = capture.wait(milliseconds: 10) {} else { Issue.record("nothing came") }
    unsafe write(ends[1], [1], 1)
    if case .stopped = capture.wait(milliseconds: -1) {} else { Issue.record("it was stopped") }
    end = capture.forEachRecord { _, _ in true }
    #expect(end.status == .complete && end.records == 2)
  }
}

private func send(_ bytes: [UInt8], to listener: Int32) {
  let client = accept(listener, nil, nil)
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes {
      unsafe HarkPlatform.write(client, $0.baseAddress, $0.count)
    }
    guard count > 0 else { break }
    rest = rest.dropFirst(count)
  }
  close(client)
}
