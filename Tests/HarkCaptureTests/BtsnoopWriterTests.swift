import HarkCore
import Testing

@testable import HarkCapture

/// Files are held against the bytes that `Snoop` puts together from the format's description.
@Suite struct BtsnoopWriterTests {
  /// Writes all records of a capture.
  func write(_ source: Bytes, as datalink: BtsnoopWriter.Datalink) throws -> (Bytes, leftOut: Int) {
    var writer = BtsnoopWriter(datalink)
    var bytes = writer.fileHeader
    var leftOut = 0
    _ = try Capture(bytes: source.all, name: "test").forEachRecord { record, packet in
      if !writer.append(record, packet, to: &bytes) { leftOut += 1 }
      return true
    }
    return (Bytes(all: bytes), leftOut)
  }

  static let files: [(BtsnoopWriter.Datalink, Bytes)] = [
    (
      .hci,
      Snoop.file(
        1001,
        [
          Snoop.record(.hex("030c00"), flags: 2), Snoop.record(.hex("0e0401030c00"), flags: 3),
          Snoop.record(.hex("400003000a0b0c"), flags: 0, drops: 1),
          Snoop.record(.hex("402003000a0b0c"), flags: 1, drops: 1, time: sampleTime + 1),
        ])
    ),
    (
      .h4,
      Snoop.file(
        1002,
        [
          Snoop.record(H4.reset, flags: 2, drops: 2), Snoop.record(H4.complete, flags: 3, drops: 2),
          Snoop.record(H4.sent, flags: 0, drops: 7, original: 99),
          Snoop.record(H4.sco, flags: 1, drops: 7), Snoop.record(H4.iso, flags: 0, drops: 7),
          Snoop.record(.hex("0901020304"), flags: 1, drops: 7),
        ])
    ),
    (.monitor, samples.first { $0.name == "btsnoop 2001 (Linux monitor)" }?.bytes ?? Bytes()),
  ]

  @Test(arguments: files.indices)
  func filesAreWrittenAsTheyWere(index: Int) throws {
    let (datalink, file) = Self.files[index]
    let (written, leftOut) = try write(file, as: datalink)
    #expect(written.all == file.all)
    #expect(leftOut == 0)
  }

  /// The same packets from another format: the direction, the time and the lengths are kept.
  @Test func otherFormats() throws {
    let pcap = PcapFile.file(
      201, big: false, nanoseconds: true,
      [
        PcapFile.record(.u32(0) + H4.reset, big: false),
        PcapFile.record(.u32(1) + H4.received, big: false, fraction: 5_999),
        PcapFile.record(.u32(0) + H4.sent, big: false, original: 99),
      ])
    let expected = Snoop.file(
      1002,
      [
        Snoop.record(H4.reset, flags: 2),
        Snoop.record(H4.received, flags: 1, time: sampleTime + 5),
        Snoop.record(H4.sent, flags: 0, original: 95),
      ])
    #expect(try write(pcap, as: .h4).0.all == expected.all)
  }

  /// On their way to a file, records keep what btsnoop has no place for.
  @Test func recordsUnderWaySayMore() throws {
    var record = CaptureRecord()
    record.kind = .acl
    record.controller = 3
    record.flags = .directionUnknown
    for nanoseconds in [sampleTime * 1_000 + 123, sampleTime * 1_000, -1] {
      record.time = Timestamp(nanoseconds: nanoseconds)
      let packet = Array(H4.sent.all.dropFirst())
      var writer = BtsnoopWriter(.h4, isUnderway: true)
      var bytes: [UInt8] = []
      #expect(writer.append(record, packet.span.bytes, to: &bytes))
      let read = writer.record(bytes, at: 0, after: 0)
      #expect(read.controller == 3)
      #expect(read.flags.contains(.directionUnknown))
      #expect(read.time.nanoseconds == nanoseconds)
      #expect(read.kind == .acl)
      // A file has no such bits.
      var file = BtsnoopWriter(.h4)
      var written: [UInt8] = []
      #expect(file.append(record, packet.span.bytes, to: &written))
      #expect(BtsnoopWriter.header(written, at: 0).flags == 0)
    }
  }

  /// So do PacketLogger's own records: with a type that has a name, and with one that has none and is the first byte.
  @Test func recordsOfPacketLoggerUnderWay() throws {
    for (kind, code, type) in [
      (PacketKind.note, 0xFC, nil), (.kernelLog, 0xF9, nil), (.lmp, 0x0B, nil),
      (.packetLogger, 0x55, UInt8(0x55)), (.note, 0, nil),
    ] as [(PacketKind, UInt32, UInt8?)] {
      var record = CaptureRecord()
      (record.kind, record.formatCode) = (kind, code)
      record.time = Timestamp(microseconds: Int64(sampleTime))
      let packet = [type].compactMap(\.self) + Array("text".utf8)
      (record.count, record.originalCount) = (packet.count, packet.count)
      var writer = BtsnoopWriter(.h4, isUnderway: true)
      var bytes: [UInt8] = []
      #expect(writer.append(record, packet.span.bytes, to: &bytes))
      let read = writer.record(bytes, at: 0, after: 0)
      #expect(read.kind == kind && read.count == packet.count)
      #expect(read.originalCount == packet.count)
      // A note without a type gets that of notes.
      #expect(read.formatCode == (code == 0 ? 0xFC : code))
      #expect(Array(bytes.suffix(read.count)) == packet)
      var file = BtsnoopWriter(.h4)
      #expect(!file.append(record, packet.span.bytes, to: &bytes))
    }
  }

  @Test func whatAFileCannotHoldIsLeftOut() throws {
    let notes = samples.filter { $0.name.hasPrefix("PacketLogger") }
    try #require(notes.count == 2)
    for sample in notes {
      let packets = sample.lines.count { line in
        ["command", "event", "acl", "sco", "iso"].contains { line.hasPrefix($0 + " ") }
      }
      let (written, leftOut) = try write(sample.bytes, as: .h4)
      #expect(leftOut == sample.lines.count - packets)
      #expect(Reading(written).lines.count == packets)
      #expect(Reading(written).status == .complete)
    }
    #expect(try write(Snoop.file(1002, [Snoop.record(H4.sco, flags: 0)]), as: .hci).leftOut == 1)
  }

  /// A loss before a record that has no place is not forgotten.
  @Test func dropsBeforeARecordThatIsLeftOut() throws {
    let file = Snoop.file(
      1002,
      [Snoop.record(H4.sco, flags: 0, drops: 3), Snoop.record(H4.sent, flags: 0, drops: 3)])
    let packet = H4.sent.part(1..<H4.sent.all.count)
    let expected = Snoop.file(1001, [Snoop.record(packet, flags: 0, drops: 3)])
    #expect(try write(file, as: .hci).0.all == expected.all)
  }

  @Test func headersAreReadAndChanged() {
    var file = Snoop.file(2001, [Snoop.monitor(3, .hex("0e0401030c00"), index: 2)])
    let header = BtsnoopWriter.header(file.all, at: 16)
    #expect(header.count == 6)
    #expect(header.flags == 0x2_0003)
    #expect(header.stamp == UInt64(sampleTime + Snoop.epoch))
    #expect(BtsnoopWriter.next(file.all, after: 16) == file.all.count)
    #expect(BtsnoopWriter.next(Array(file.all.dropLast()), after: 16) > file.all.count - 1)
    BtsnoopWriter.setDrops(0x0102_0304, &file.all, at: 16)
    #expect(BtsnoopWriter.header(file.all, at: 16).drops == 0x0102_0304)
    #expect(Reading(file).lines == ["event < 0e0401030c00 @2 dropped 16909060"])
  }
}

@Suite struct ConnectionTests {
  @Test(arguments: [
    ("unix:/run/a", "unix /run/a"), ("tcp:localhost:8872", "tcp localhost 8872"),
    ("tcp:[::1]:8872", "tcp ::1 8872"), ("tcp:::1:8872", "tcp ::1 8872"), ("unix:", nil),
    ("tcp:8872", nil), ("tcp::8872", nil), ("tcp:host:0", nil), ("tcp:host:99999", nil),
    ("file", nil), ("tcp:", nil), ("tcp:host:", nil),
    ("unix-listen:/run/a", "listening /run/a"), ("unix-listen:", nil),
  ])
  func names(text: String, expected: String?) {
    let found: String? =
      switch Connection(text) {
      case .unix(let path): "unix \(path)"
      case .listening(let path): "listening \(path)"
      case .tcp(let host, let port): "tcp \(host) \(port)"
      case nil: nil
      }
    #expect(found == expected)
  }

  @Test(arguments: ["unix:/nonexistent/socket", "tcp:127.0.0.1:1"])
  func nobodyIsThere(text: String) throws {
    let connection = try #require(Connection(text))
    #expect(throws: CaptureError.self) { try connection.open(name: text) }
  }
}
