import HarkCore
import Testing

@testable import HarkCapture

/// A frame with every byte that needs an escape.
private let escaped = UART.frame(4, .hex("0ec0db110c00"))

/// One small file per format and variant, with the records it holds.
let samples: [Sample] = [
  Sample(
    name: "btsnoop 1001 (HCI)",
    bytes: Snoop.file(
      1001,
      [
        Snoop.record(.hex("030c00"), flags: 2), Snoop.record(.hex("0e0401030c00"), flags: 3),
        Snoop.record(.hex("400003000a0b0c"), flags: 0),
        Snoop.record(.hex("402003000a0b0c"), flags: 1),
      ]),
    lines: [
      "command > 030c00", "event < 0e0401030c00", "acl > 400003000a0b0c", "acl < 402003000a0b0c",
    ]),
  Sample(
    name: "btsnoop 1002 (H4)",
    bytes: Snoop.file(
      1002,
      [
        Snoop.record(H4.reset, flags: 2, drops: 2), Snoop.record(H4.complete, flags: 3, drops: 2),
        Snoop.record(H4.sent, flags: 0, drops: 7, time: sampleTime + 1),
        Snoop.record(H4.sco, flags: 1, drops: 7),
        Snoop.record(H4.iso, flags: 0), Snoop.record(.hex("0901020304"), flags: 1),
      ]),
    lines: [
      "command > 030c00 dropped 2", "event < 0e0401030c00",
      "acl > 4000070003000400522a00 dropped 5 1000 ns", "sco < 410002aabb",
      "iso > 6000040001000200", "h4 < 0901020304",
    ]),
  Sample(
    name: "btsnoop 2001 (Linux monitor)",
    bytes: Snoop.file(
      2001,
      (UInt32(0)...20).map { opcode in
        let payload: Bytes =
          switch opcode {
          case 2: .hex("030c00")
          case 3: .hex("0e0401030c00")
          case 4, 5, 18, 19: .hex("400001000a")
          case 6, 7: .hex("4000010a")
          case 12: .text("note")
          default: .hex("01")
          }
        return Snoop.monitor(opcode, payload, index: 1)
      }),
    lines: [
      "newIndex > 01 @1", "deleteIndex > 01 @1", "command > 030c00 @1", "event < 0e0401030c00 @1",
      "acl > 400001000a @1", "acl < 400001000a @1", "sco > 4000010a @1", "sco < 4000010a @1",
      "openIndex > 01 @1", "closeIndex > 01 @1", "indexInfo > 01 @1", "vendorDiagnostic > 01 @1",
      "systemNote > 6e6f7465 @1", "userLogging > 01 @1", "controlOpen > 01 @1",
      "controlClose > 01 @1", "controlCommand > 01 @1", "controlEvent < 01 @1",
      "iso > 400001000a @1", "iso < 400001000a @1", "other > 01 @1",
    ]),
  logger("PacketLogger big-endian", big: true),
  logger("PacketLogger little-endian", big: false),
  Sample(
    name: "pcap 187, big-endian, µs",
    bytes: PcapFile.file(
      187, big: true,
      [
        PcapFile.record(H4.reset, big: true), PcapFile.record(H4.complete, big: true),
        PcapFile.record(H4.received, big: true, fraction: 5),
      ]),
    lines: [
      "command > 030c00", "event < 0e0401030c00", "acl > 40200700030004001b2a00 5000 ns ?",
    ]),
  Sample(
    name: "pcap 201, little-endian, ns",
    bytes: PcapFile.file(
      201, big: false, nanoseconds: true,
      [
        PcapFile.record(.u32(0) + H4.reset, big: false),
        PcapFile.record(.u32(1) + H4.received, big: false, fraction: 5),
        PcapFile.record(.u32(0) + H4.sent, big: false, original: 99),
      ]),
    lines: [
      "command > 030c00", "acl < 40200700030004001b2a00 5 ns",
      "acl > 4000070003000400522a00 of 94",
    ]),
  Sample(
    name: "pcap 254",
    bytes: PcapFile.file(
      254, big: false,
      [
        PcapFile.record(.u16(3) + .u16(2) + .hex("030c00"), big: false),
        PcapFile.record(.u16(0xFFFF) + .u16(12) + .text("hi"), big: false),
        PcapFile.record(.hex("0000"), big: false),
      ]),
    lines: ["command > 030c00 @3", "systemNote > 6869 @65535", "other > 0000"]),
  pcapng("pcapng big-endian", big: true),
  pcapng("pcapng little-endian", big: false),
  Sample(
    name: "gzip, two members",
    bytes: Gzip.member(Snoop.file(1002, [Snoop.record(H4.reset, flags: 2)]))
      + Gzip.member(Snoop.record(H4.complete, flags: 3)),
    lines: ["command > 030c00", "event < 0e0401030c00"]),
  Sample(
    name: "btsnoop 1004 (H5)",
    bytes: Snoop.file(
      1004,
      [
        Snoop.record(UART.frame(15, .hex("017e")), flags: 0),
        Snoop.record(UART.frame(1, .hex("030c00")), flags: 0),
        Snoop.record(escaped.part(0..<5), flags: 1),
        Snoop.record(UART.frame(0, Bytes()), flags: 0),
        Snoop.record(
          escaped.part(5..<escaped.all.count) + UART.frame(2, .hex("402001000a")), flags: 1),
      ]),
    lines: [
      "threeWire > 802f0050017e", "command > 030c00", "other < c08064001b", "threeWire > 8000007f",
      "event < 0ec0db110c00", "acl < 402001000a",
    ]),
  Sample(
    name: "btsnoop 1003 (BCSP)",
    bytes: Snoop.file(
      1003,
      [
        Snoop.record(UART.frame(1, .hex("dac0fe01")), flags: 0),
        Snoop.record(UART.frame(5, .hex("030c00")), flags: 0),
        Snoop.record(UART.frame(5, .hex("0e0401030c00")), flags: 1),
        Snoop.record(UART.frame(6, .hex("402001000a")), flags: 1),
        Snoop.record(UART.frame(7, .hex("4000010a")), flags: 0),
      ]),
    lines: [
      "bcsp > 8041003edac0fe01", "command > 030c00", "event < 0e0401030c00", "acl < 402001000a",
      "sco > 4000010a",
    ]),
]

private func logger(_ name: String, big: Bool) -> Sample {
  let acl = Bytes.hex("400001000a")
  let sco = Bytes.hex("4000010a")
  let records: [(UInt8, Bytes, String)] = [
    (0xFC, .text("n"), "note > 6e"), (0x00, .hex("030c00"), "command > 030c00"),
    (0x01, .hex("0e0401030c00"), "event < 0e0401030c00"), (0x02, acl, "acl > 400001000a"),
    (0x03, acl, "acl < 400001000a"), (0x08, sco, "sco > 4000010a"), (0x09, sco, "sco < 4000010a"),
    (0x0A, acl, "lmp > 400001000a"), (0x0B, acl, "lmp < 400001000a"),
    (0x0C, acl, "iso > 400001000a"), (0x0D, acl, "iso < 400001000a"),
    (0x12, acl, "iso > 400001000a"), (0x13, acl, "iso < 400001000a"),
    (0xF7, .text("s"), "systemLog > 73"), (0xF8, .text("k"), "kernelLog > 6b"),
    (0xF9, .text("d"), "kernelLog > 64"), (0xFA, .text("e"), "error > 65"),
    (0xFB, .text("p"), "power > 70"), (0xFD, .text("c"), "config > 63"),
    (0xFE, .text("n"), "newController > 6e"), (0x55, .text("x"), "packetLogger > 5578"),
  ]
  return Sample(
    name: name,
    bytes: records.map { Logger.record($0.0, $0.1, big: big) }.reduce(Bytes(), +),
    lines: records.map(\.2))
}

private func pcapng(_ name: String, big: Bool) -> Sample {
  let bytes = [
    Ng.section(
      Ng.option(4, .text("maker 1.0"), big: big) + Ng.option(1, .text("lab"), big: big), big: big),
    Ng.interface(201, Ng.option(2, .text("hci0"), big: big), big: big),
    // Milliseconds, one hour late.
    Ng.interface(
      254,
      Ng.option(9, .hex("03"), big: big) + Ng.option(14, .u64(3_600, big: big), big: big), big: big),
    // Wi-Fi: no link type that hark reads.
    Ng.interface(105, big: big), Ng.interface(187, big: big),
    Ng.block(4, .zeros(12), big: big), Ng.block(0x1234, .hex("0102030405060708"), big: big),
    Ng.packet(.u32(1) + H4.complete, options: Ng.option(1, .text("hello"), big: big), big: big),
    Ng.packet(
      .u16(2) + .u16(3) + .hex("0e0401030c00"), interface: 1, units: sampleTime / 1_000, big: big),
    Ng.packet(.hex("aabbccdd"), interface: 2, big: big),
    Ng.packet(
      H4.received, interface: 3,
      options: Ng.option(2, .u32(1, big: big), big: big)
        + Ng.option(4, .u64(3, big: big), big: big), big: big),
    Ng.packet(H4.received, interface: 3, original: 40, big: big),
    Ng.section(big: !big), Ng.interface(187, big: !big),
    Ng.packet(H4.reset, big: !big),
    Ng.block(3, .u32(4, big: !big) + H4.reset, big: !big),
    Ng.block(
      2,
      .u16(0, big: !big) + .u16(9, big: !big) + .u64(sampleTime, big: true).swapped(!big)
        + .u32(4, big: !big) + .u32(4, big: !big) + H4.reset, big: !big),
  ]
  return Sample(
    name: name, bytes: bytes.reduce(Bytes(), +),
    lines: [
      "event < 0e0401030c00 'hello'", "event < 0e0401030c00 @2 3600000000000 ns",
      "other > aabbccdd @2", "acl < 40200700030004001b2a00 @3 dropped 3",
      "acl > 40200700030004001b2a00 of 39 @3 ?", "command > 030c00", "command > 030c00 untimed",
      "command > 030c00 dropped 9",
    ])
}

extension Bytes {
  /// Two 32-bit words, upper first, each in the byte order asked for; from big-endian.
  func swapped(_ big: Bool) -> Bytes {
    big ? self : Bytes(all: all[..<4].reversed() + all[4...].reversed())
  }
}

@Suite struct FormatTests {
  @Test(arguments: samples)
  func recordsAreRead(sample: Sample) {
    let reading = Reading(sample.bytes)
    #expect(reading.error == nil)
    #expect(reading.lines == sample.lines)
    #expect(reading.messages == [])
    #expect(reading.status == .complete)
    #expect(reading.end?.records == UInt32(sample.lines.count))
  }

  @Test func everyFormatIsRecognised() {
    let found = samples.map { Reading($0.bytes).info.format }
    #expect(
      found == [
        "btsnoop 1001 (HCI)", "btsnoop 1002 (H4)", "btsnoop 2001 (Linux monitor)", "PacketLogger",
        "PacketLogger", "pcap", "pcap", "pcap", "pcapng", "pcapng", "btsnoop 1002 (H4)",
        "btsnoop 1004 (H5)", "btsnoop 1003 (BCSP)",
      ])
  }

  @Test func pcapngSaysWhereItComesFrom() throws {
    let sample = try #require(samples.first { $0.name == "pcapng little-endian" })
    let info = Reading(sample.bytes).info
    #expect(info.byteOrder == .littleEndian)
    #expect(info.sections.map(\.application) == ["maker 1.0", nil])
    #expect(info.sections.first?.comments == ["lab"])
    #expect(info.interfaces.map(\.linkType) == [201, 254, 105, 187, 187])
    #expect(info.interfaces.map(\.isSupported) == [true, true, false, true, true])
    #expect(info.interfaces[0].name == "hci0")
    #expect(info.interfaces[1].resolution == "10^-3 s")
  }

  /// The comments of an interface stay in pcapng; what has no place is counted.
  @Test(arguments: [true, false]) func pcapngOfInterfaces(big: Bool) throws {
    let blocks = [
      Ng.section(Ng.option(1, .text("lab"), big: big), big: big),
      Ng.interface(
        201, Ng.option(2, .text("hci0"), big: big) + Ng.option(1, .text("on desk 2"), big: big),
        big: big),
      Ng.packet(.u32(0) + H4.reset, big: big),
      // Interface Statistics Block with isb_ifdrop; Custom Block of the private enterprise number 32473.
      Ng.block(
        5, .u32(0, big: big) + .u64(0, big: big) + Ng.option(5, .u64(7, big: big), big: big),
        big: big),
      Ng.block(0xBAD, .u32(32_473, big: big) + .hex("01020304"), big: big),
    ]
    let capture = try Capture(bytes: blocks.reduce(Bytes(), +).all, name: "made")
    func convert(_ output: CaptureOutput) throws -> (info: CaptureInfo, losses: CaptureLosses) {
      var writer = CaptureWriter(output, of: [capture.info], application: "hark test")
      var bytes: [UInt8] = []
      writer.begin(to: &bytes)
      _ = capture.forEachRecord { record, packet in
        _ = writer.append(
          record, packet, RecordOrigin(capture.info, controller: record.controller), to: &bytes)
        return true
      }
      writer.close([capture.info])
      return (try Capture(bytes: bytes, name: "written").info, writer.losses)
    }
    let (info, losses) = try convert(.pcapng)
    #expect(info.interfaces.first?.comments == ["on desk 2"])
    #expect(info.sections.first?.comments == ["lab"])
    #expect(losses[.sourceComments] == 0 && losses[.comments] == 0)
    #expect(losses[.statistics] == 1 && losses[.blocks] == 1)
    #expect(capture.info.interfaces.first?.dropped == 7)
    #expect(try convert(.btsnoop).losses[.comments] == 2)
  }

  /// Custom Blocks of the type 0x00000BAD are copied to their places, those of the type 0x40000BAD are not. pcapng, 4.7. In
  /// the other byte order, only their maker can read them.
  @Test(arguments: [true, false]) func pcapngCustomBlocks(big: Bool) throws {
    func custom(_ type: UInt32, _ data: String) -> Bytes {
      Ng.block(type, .u32(32_473, big: big) + .hex(data), big: big)
    }
    let blocks = [
      Ng.section(Bytes(), big: big), Ng.interface(201, Bytes(), big: big),
      custom(0xBAD, "01020304"), Ng.packet(.u32(0) + H4.reset, big: big),
      custom(0xBAD, "0506070805060708"), custom(0x4000_0BAD, "11121314"),
      Ng.packet(.u32(0) + H4.reset, big: big), custom(0xBAD, ""),
    ]
    func convert(_ output: CaptureOutput, only: UInt32? = nil) throws -> (
      blocks: [CaptureInfo.CustomBlock], losses: CaptureLosses
    ) {
      let capture = try Capture(bytes: blocks.reduce(Bytes(), +).all, name: "made")
      var writer = CaptureWriter(output, of: [capture.info], application: "hark test")
      writer.copiesBlocks = true
      var bytes: [UInt8] = []
      writer.begin(to: &bytes)
      _ = capture.forEachRecord { record, packet in
        if only ?? record.number == record.number {
          let origin = RecordOrigin(capture.info, controller: record.controller)
          _ = writer.append(record, packet, origin, to: &bytes)
        } else {
          writer.skip(record)
        }
        return true
      }
      writer.finish([capture.info], to: &bytes)
      writer.close([capture.info])
      let written = try Capture(bytes: bytes, name: "written")
      _ = written.forEachRecord { _, _ in true }
      return (written.info.customBlocks, writer.losses)
    }
    let (copied, losses) = try convert(.pcapng)
    #expect(losses[.uncopiedBlocks] == 1 && losses[.blocks] == (big ? 3 : 0))
    let data: [[UInt8]] = [[1, 2, 3, 4], [5, 6, 7, 8, 5, 6, 7, 8], []]
    #expect(copied.map(\.data) == (big ? [] : data))
    #expect(copied.map(\.record) == (big ? [] : [1, 2, 3]))
    #expect(copied.allSatisfy { $0.enterprise == 32_473 })
    // Without the first packet, they remain in order.
    let part = try convert(.pcapng, only: 2).blocks
    #expect(part.map(\.data) == (big ? [] : data) && part.map(\.record) == (big ? [] : [1, 1, 2]))
    #expect(try convert(.btsnoop).losses[.blocks] == 3)
  }

  /// Interface Statistics Blocks are those of the whole capture. pcapng, 4.6: interface, time, isb_starttime (2), isb_ifrecv
  /// (4), isb_ifdrop (5). The interface counts milliseconds, the copy microseconds.
  @Test(arguments: [true, false]) func pcapngStatistics(big: Bool) throws {
    func time(_ milliseconds: UInt32) -> Bytes { .u32(0, big: big) + .u32(milliseconds, big: big) }
    let blocks = [
      Ng.section(Bytes(), big: big),
      Ng.interface(201, Ng.option(9, .hex("03"), big: big), big: big),
      Ng.packet(.u32(0) + H4.reset, units: 1_000, big: big),
      Ng.block(
        5,
        .u32(0, big: big) + time(5_000) + Ng.option(2, time(1_000), big: big)
          + Ng.option(4, .u64(9, big: big), big: big) + Ng.option(5, .u64(7, big: big), big: big),
        big: big),
    ]
    func convert(isWhole: Bool) throws -> (info: CaptureInfo, losses: CaptureLosses) {
      let capture = try Capture(bytes: blocks.reduce(Bytes(), +).all, name: "made")
      var writer = CaptureWriter(.pcapng, of: [capture.info], application: "hark test")
      writer.copiesBlocks = true
      var bytes: [UInt8] = []
      writer.begin(to: &bytes)
      _ = capture.forEachRecord { record, packet in
        let origin = RecordOrigin(capture.info, controller: record.controller)
        return writer.append(record, packet, origin, to: &bytes)
      }
      writer.finish([capture.info], isWhole: isWhole, to: &bytes)
      writer.close([capture.info])
      let written = try Capture(bytes: bytes, name: "written")
      _ = written.forEachRecord { _, _ in true }
      return (written.info, writer.losses)
    }
    let (info, losses) = try convert(isWhole: true)
    var expected = CaptureInfo.InterfaceStatistics(
      interface: 0, time: Timestamp(microseconds: 5_000_000))
    expected.start = Timestamp(microseconds: 1_000_000)
    expected.counts = [.init(code: 4, packets: 9), .init(code: 5, packets: 7)]
    #expect(info.statistics == [expected])
    #expect(info.interfaces.first?.dropped == 7 && losses[.statistics] == 0)
    let part = try convert(isWhole: false)
    #expect(part.info.statistics.isEmpty && part.losses[.statistics] == 1)
  }

  /// Ubertooth's fractions are signed: 4292882157 is -2085139 µs.
  @Test(arguments: [true, false]) func pcapFractionsBelowZero(big: Bool) throws {
    let capture = try Capture(
      bytes: PcapFile.file(
        187, big: big, [PcapFile.record(H4.reset, big: big, fraction: 4_292_882_157)]
      ).all, name: "test")
    var times: [Int64] = []
    _ = capture.forEachRecord { record, _ in
      times.append(record.time.nanoseconds)
      return true
    }
    #expect(times == [(sampleTime - 2_085_139) * 1_000])
  }

  /// Times in every unit a pcapng interface can have; absurd ones must not trap.
  @Test(arguments: [
    (9, 1_500_000_000, 1_500_000_000), (0x80, 2, 2_000_000_000), (0x8A, 1_536, 1_500_000_000),
    (0xFF, 5, 0), (0x7F, 5, 0), (0, 1, 1_000_000_000), (19, 1, 0), (0, .max, .max),
  ])
  func pcapngClocks(unit: UInt8, units: Int64, nanoseconds: Int64) throws {
    let capture = try Capture(
      bytes: (Ng.section(big: true)
        + Ng.interface(187, Ng.option(9, Bytes(all: [unit]), big: true), big: true)
        + Ng.packet(H4.reset, units: units, big: true)).all, name: "test")
    var times: [Int64] = []
    _ = capture.forEachRecord { record, _ in
      times.append(record.time.nanoseconds)
      return true
    }
    #expect(times == [nanoseconds])
  }

  /// Found by fuzzing: a comment that says nothing was announced, and there was none.
  @Test(arguments: ["", "00", "000000", "00616263"])
  func pcapngCommentsOfNothing(comment: String) throws {
    let capture = try Capture(
      bytes: (Ng.section(big: true) + Ng.interface(187, big: true)
        + Ng.packet(H4.reset, options: Ng.option(1, .hex(comment), big: true), big: true)
        + Ng.packet(H4.reset, options: Ng.option(1, .text("lab"), big: true), big: true)).all,
      name: "test")
    var comments: [[String]?] = []
    _ = capture.forEachRecord { record, _ in
      comments.append(record.flags.contains(.commented) ? capture.comments : nil)
      return true
    }
    #expect(comments == [nil, ["lab"]])
  }

  /// CRC-CCITT as BCSP and H5 send it: CRC-16/MCRF4XX, of which the published check is 0x6F91,
  /// with its bits in reverse.
  @Test func framesWithChecksum() {
    #expect(UARTFrame.checksum("123456789".utf8) == 0x89F6)
    let good = UART.frame(4, .hex("0e0401030c00"), crc: 0x14B1)
    let bad = UART.frame(4, .hex("0e0401030c00"), crc: 0x1234)
    let reading = Reading(
      Snoop.file(1004, [Snoop.record(good, flags: 1), Snoop.record(bad, flags: 1)]))
    #expect(
      reading.lines == ["event < 0e0401030c00", "event < 0e0401030c00 damaged"])
    #expect(reading.messages == ["test: record 2 at byte 80: the UART frame's CRC is wrong (4660)"])
    #expect(reading.status == .damaged)
  }
}
