import HarkCore
import Testing

@testable import HarkLayout

/// What a run tells its receiver.
@Suite struct MachineTests {
  static func layout(_ text: String) throws -> Layout {
    try Layout.load("a.ksy", from: MemoryFiles(texts: ["a.ksy": text]))
  }

  static func events(
    _ text: String, _ packet: [UInt8], _ mode: LayoutMachine.Mode = .lenient
  ) throws -> [String] {
    var machine = LayoutMachine(try layout(text), mode: mode)
    var recorder = Recorder(count: packet.count)
    machine.run(packet.span.bytes, into: &recorder)
    #expect(recorder.problem == nil)
    return recorder.events
  }

  @Test func whole() throws {
    #expect(
      try Self.events(Samples.earbud, Samples.packet) == [
        "0 = signed(7) @0..<1", "1 = signed(1) @1..<2", "2 = signed(2) @2..<3", "open 3 @3",
        "4 = signed(100) @3..<4", "5 = bool(true) @4..<5 part", "6 = signed(0) @4..<5 part",
        "7 = bool(false) computed", "close @5",
      ])
  }

  @Test func summaryAndTotal() throws {
    var machine = LayoutMachine(try Self.layout(Samples.earbud))
    var silence = LayoutSilence()
    let packet = Samples.packet
    machine.run(packet.span.bytes, into: &silence)
    let summary = machine.summary(packet.span.bytes)
    #expect(summary == Array("seq 7".utf8))
    var totals: [Int?] = []
    for count in [3, 2] {
      let header = Array(packet.prefix(count))
      machine.run(header.span.bytes, into: &silence)
      totals.append(machine.total(header.span.bytes))
    }
    #expect(totals == [5, nil])
  }

  @Test func endsEarly() throws {
    // Inside the body, outside of it, and a body that says it is longer than the packet.
    #expect(
      try Self.events(Samples.earbud, [7, 1, 1, 100]) == [
        "0 = signed(7) @0..<1", "1 = signed(1) @1..<2", "2 = signed(1) @2..<3", "open 3 @3",
        "4 = signed(100) @3..<4", "failed endOfStream(needed: 1, available: 0) @4..<4", "close @4",
      ])
    #expect(
      try Self.events(Samples.earbud, [7, 1, 9, 100]) == [
        "0 = signed(7) @0..<1", "1 = signed(1) @1..<2", "2 = signed(9) @2..<3",
        "failed endOfStream(needed: 9, available: 1) @3..<4", "unclaimed @3..<4",
      ])
    #expect(
      try Self.events(Samples.earbud, []) == [
        "failed endOfStream(needed: 1, available: 0) @0..<0"
      ])
  }

  @Test func goesOnBehindWhatIsBounded() throws {
    let text = """
      meta: {id: a, endian: be}
      seq:
        - {id: parts, type: part, size: 2, repeat: expr, repeat-expr: 2}
        - {id: last, type: u1}
      types:
        part: {seq: [{id: long, type: u4}]}
      """
    #expect(
      try Self.events(text, [1, 2, 3, 4, 5, 6]) == [
        "open 0 @0", "failed endOfStream(needed: 4, available: 2) @0..<2", "unclaimed @0..<2",
        "close @2", "open 0 @2", "failed endOfStream(needed: 4, available: 2) @2..<4",
        "unclaimed @2..<4", "close @4", "1 = signed(5) @4..<5", "unclaimed @5..<6",
      ])
  }

  @Test func failedChecks() throws {
    let long = [7, 2, 201] + [UInt8](repeating: 0, count: 201)
    #expect(
      try Self.events(Samples.earbud, long) == [
        "0 = signed(7) @0..<1", "1 = signed(2) @1..<2", "2 = signed(201) @2..<3",
        "failed check(HarkLayout.LayoutFailure.Check.most) @2..<3",
        "3 = packet(Range(3..<204)) @3..<204",
      ])
    // In strict mode, nothing is read behind it.
    #expect(
      try Self.events(Samples.earbud, long, .strict).dropFirst(3) == [
        "failed check(HarkLayout.LayoutFailure.Check.most) @2..<204", "unclaimed @3..<204",
      ])
  }

  @Test func everything() throws {
    let bytes: [UInt8] =
      Array(1...7) + Array("name\0".utf8) + [0x41, 0, 0x20, 0, 0, 0] + [9, 9, 0] + [1, 2]
      + [1, 2, 0, 5, 6, 7]
    let events = try Self.events(Samples.everything, bytes)
    #expect(
      events == [
        "1 = signed(258) @0..<2", "1 = signed(772) @2..<4",
        // From the lowest bit of one byte on, and from the highest of the next.
        "2 = signed(5) @4..<5 part", "3 = signed(12) @5..<7 part",
        "4 = packet(Range(7..<11)) @7..<12", "5 = made([65]) @12..<18",
        "6 = made([11, 11, 2]) @18..<21", "7 = made([8, 16]) @21..<23",
        "open 8 @23", "18 = signed(1) @23..<24", "open 19 @24", "20 = signed(2) @24..<26",
        "close @26", "close @26", "9 = packet(Range(26..<29)) @26..<29",
        "10 = signed(1) @0..<1",
        // (258 + 772 * 2 - (-4 % 3)) << 1
        "11 = signed(3600) computed", "12 = made([51, 54, 48, 48, 52]) computed",
        "13 = float(5400.0) computed",
        "open 15 @2", "20 = signed(1027) @2..<4",
        "failed check(HarkLayout.LayoutFailure.Check.anyOf) @2..<4",
        "21 = float(1.0446938373157922e+28) @4..<8", "unclaimed @8..<10", "close @10",
        "17 = made([65, 66]) computed",
      ])
  }

  /// Reading nothing behind the end of bytes that were unpacked is no reading at all.
  @Test func behindTheEnd() throws {
    let text = """
      meta: {id: a, endian: be, encoding: UTF-8}
      seq:
        - {id: packed, size: 2, process: xor(1), type: t}
        - {id: plain, size: 2, type: t}
      types:
        t:
          instances:
            none: {pos: 1000, size: 0}
            rest: {pos: 0xffffffff, size-eos: true}
            text: {pos: 1000, type: strz, eos-error: false}
            count: {value: none.size + rest.size + text.length}
      """
    #expect(
      try Self.events(text, [1, 2, 3, 4]) == [
        "open 0 @0", "2 = made([]) @0..<2 part", "3 = made([]) @0..<2 part",
        "4 = made([]) @0..<2 part", "5 = signed(0) computed", "close @2",
        "open 1 @2", "2 = packet(Range(4..<4)) @4..<4", "3 = packet(Range(4..<4)) @4..<4",
        "4 = packet(Range(4..<4)) @4..<4", "5 = signed(0) computed", "unclaimed @2..<4",
        "close @4",
      ])
  }

  // Parameters of the algorithms over "123456789": catalogue of parametrised CRC algorithms.
  @Test(
    arguments: [
      ("crc8", 0xF4), ("crc16-ccitt-false", 0x29B1), ("crc16-arc", 0xBB3D),
      ("crc16-xmodem", 0x31C3),
      ("crc32", 0xCBF4_3926), ("sum8", 0xDD), ("xor8", 0x31),
    ] as [(String, UInt32)])
  func checksums(_ name: String, _ value: UInt32) throws {
    let algorithm = try #require(ChecksumAlgorithm(rawValue: name))
    #expect(algorithm.value(over: Array("123456789".utf8)) == value)
    let text = """
      meta: {id: a, endian: be}
      seq:
        - {id: body, size: 9}
        - {id: sum, type: u4, -hark-checksum: {algorithm: \(name), over: body}}
      """
    let sum = (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    let good = Array("123456789".utf8) + sum
    #expect(try Self.events(text, good).count == 2)
    #expect(
      try Self.events(text, Array("123456780".utf8) + sum).last
        == "failed check(HarkLayout.LayoutFailure.Check.checksum) @9..<13")
  }

  /// Layouts that would run for ever, or keep more than there is.
  @Test(arguments: [
    "seq: [{id: x, size: 0, repeat: eos}]",
    "seq: [{id: x, type: u1, repeat: expr, repeat-expr: 0xffffffffffff, if: 'true'}]",
    "seq: [{id: x, size: 0, repeat: until, repeat-until: 'false'}]",
    "seq: [{id: x, size: 0, repeat: expr, repeat-expr: 100000000}]",
    "seq: [{id: x, type: a}]",
    "instances: {x: {pos: 0, type: a}, y: {pos: 0, type: a}}",
    "seq: [{id: x, type: t, repeat: until, repeat-until: 'false'}]\ntypes: {t: {}}",
    """
    seq: [{id: x, type: 't(s + s)', if: 'false'}, {id: y, type: 't(\"0123456789\")'}]
    instances: {s: {value: '"x"'}}
    types: {t: {params: [{id: s, type: str}], seq: [{id: z, type: 't(s + s)'}]}}
    """,
  ])
  func budgets(_ text: String) throws {
    let layout = try Self.layout("meta: {id: a, endian: le}\n" + text)
    for mode in [LayoutMachine.Mode.lenient, .strict] {
      var machine = LayoutMachine(layout, mode: mode)
      var recorder = Recorder(count: 4)
      let bytes: [UInt8] = [1, 2, 3, 4]
      machine.run(bytes.span.bytes, into: &recorder)
      #expect(recorder.problem == nil)
      #expect(!recorder.failures.isEmpty || !text.hasPrefix("seq"))
      #expect(recorder.events.count < 300_000)
    }
  }
}
