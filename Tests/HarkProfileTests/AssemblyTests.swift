import HarkCore
import HarkCrypto
import HarkSession
import Testing

@testable import HarkProfile

/// How values and streams make messages.
struct AssemblyTests {
  static func profile(_ assembly: String, place: String = "l2cap-psm: 0x81") throws -> Profile {
    let text = """
      profile:
        id: acme
      channels:
        - \(place)
          from: accessory
          \(assembly)
          encoding: raw
          messages:
            - is: transport.message
              session-id: '"s"'
              data: _
      """
    return try Profile.load("p.yaml", from: MadeFiles(texts: ["p.yaml": text]))
  }

  static func run(
    _ profile: Profile, _ values: [[UInt8]]
  ) -> (messages: [[UInt8]], gaps: [Gap], problems: [FramingProblem]) {
    var assembler = profile.framing.makeAssembler()
    var framed: [Framed] = []
    for (index, bytes) in values.enumerated() {
      framed += assembler.receive(
        VendorValue(
          frames: [PacketID(UInt32(index))], time: Timestamp(microseconds: Int64(index)),
          channel: .psm(0x81), toServer: true, operation: .data, bytes: bytes))
    }
    framed += assembler.reset(.linkClosed)
    var (messages, gaps, problems): ([[UInt8]], [Gap], [FramingProblem]) = ([], [], [])
    for part in framed {
      #expect(part.origin.direction == .accessoryToHost)
      switch part.content {
      case .transport(let frame): messages.append(frame.message.data)
      case .incomplete(let gap): gaps.append(gap)
      case .unreadable(let message): problems.append(message.problem)
      default: Issue.record("\(part)")
      }
    }
    return (messages, gaps, problems)
  }

  @Test func lengths() throws {
    let profile = try Self.profile("assembly: {length: {header: 2, total: '_[1] + 2'}}")
    let stream: [UInt8] = [9, 3, 1, 2, 3, 9, 0, 9, 1, 7]
    let expected: [[UInt8]] = [[9, 3, 1, 2, 3], [9, 0], [9, 1, 7]]
    #expect(Self.run(profile, [stream]).messages == expected)
    // However the stream is cut.
    for size in 1...stream.count {
      let parts = stride(from: 0, to: stream.count, by: size).map {
        Array(stream[$0..<min($0 + size, stream.count)])
      }
      #expect(Self.run(profile, parts).messages == expected)
    }
    #expect(Self.run(profile, [[9, 5, 1]]).gaps == [.startWithoutEnd(.linkClosed)])
    let small = try Self.profile("assembly: {length: {header: 2, total: '_[1]'}}")
    #expect(Self.run(small, [[9, 1, 1]]).problems == [.wrong(field: "length")])
  }

  /// What fails a check that matters is not taken for a message.
  @Test func checks() throws {
    let layout = """
      meta: {id: acme, endian: be}
      seq:
        - {id: magic, contents: [0xac], -hark-severity: error}
        - {id: kind, type: u1, valid: {max: 3}}
        - {id: body, size: 9}
        - {id: crc, type: u2, -hark-checksum: {algorithm: crc16-ccitt-false, over: body}}
      """
    let text = """
      profile:
        id: acme
      channels:
        - l2cap-psm: 0x81
          from: accessory
          encoding: acme.ksy
          messages:
            - is: transport.message
              session-id: kind
              data: body
      """
    let profile = try Profile.load(
      "p.yaml", from: MadeFiles(texts: ["p.yaml": text, "acme.ksy": layout]))
    // The check value of CRC-16/IBM-3740 is that of "123456789".
    let body = Array("123456789".utf8)
    let good = [0xAC, 1] + body + [0x29, 0xB1]
    #expect(Self.run(profile, [good]).messages == [body])
    // A warning.
    #expect(Self.run(profile, [[0xAC, 9] + good.dropFirst(2)]).messages == [body])
    let wrong = Self.run(profile, [good.dropLast() + [0xB0], [0xAD] + good.dropFirst()])
    #expect(wrong.messages == [])
    #expect(wrong.problems == [.wrong(field: "CRC"), .wrong(field: "Magic")])
  }

  /// Streams are not mixed, and what is unfinished ends with its stream; the others go on.
  @Test func streams() throws {
    let profile = try Self.profile("assembly: {length: {header: 2, total: '_[1] + 2'}}")
    var assembler = profile.framing.makeAssembler()
    func value(_ stream: UInt32, toServer: Bool, _ bytes: [UInt8], missing: Int = 0) -> VendorValue
    {
      VendorValue(
        frames: [PacketID(1)], time: Timestamp(microseconds: 0), channel: .psm(0x81),
        toServer: toServer, operation: .data, bytes: bytes, missingBytes: missing,
        stream: StreamID(number: stream))
    }
    func receive(_ value: VendorValue) -> [String] {
      assembler.receive(value).map(Self.short)
    }
    #expect(receive(value(1, toServer: true, [9, 3, 1])) == [])
    #expect(receive(value(2, toServer: true, [9, 3, 4])) == [])
    #expect(receive(value(1, toServer: false, [9, 2, 7])) == [])
    #expect(receive(value(2, toServer: true, [5, 6])) == ["[9, 3, 4, 5, 6]"])
    let missing = assembler.interrupt(
      StreamID(number: 1), toServer: true, .dataMissing)
    #expect(missing.map(Self.short) == ["\(Gap.startWithoutEnd(.dataMissing))"])
    #expect(receive(value(1, toServer: false, [8])) == ["[9, 2, 7, 8]"])
    #expect(receive(value(1, toServer: true, [9, 1])) == [])
    let ended = assembler.interrupt(StreamID(number: 1), toServer: nil, .streamClosed)
    #expect(ended.map(Self.short) == ["\(Gap.startWithoutEnd(.streamClosed))"])
    #expect(assembler.reset(.linkClosed).isEmpty)
  }

  /// The capture lacks two of the seven bytes of a message: the next message begins after its last one.
  @Test func lengthsWithMissingBytes() throws {
    let profile = try Self.profile("assembly: {length: {header: 2, total: '_[1] + 2'}}")
    var assembler = profile.framing.makeAssembler()
    func receive(_ bytes: [UInt8], missing: Int = 0) -> [String] {
      assembler.receive(
        VendorValue(
          frames: [PacketID(1)], time: Timestamp(microseconds: 0), channel: .psm(0x81),
          toServer: true, operation: .data, bytes: bytes, missingBytes: missing)
      ).map(Self.short)
    }
    #expect(receive([9, 0, 9, 5, 1], missing: 2) == ["[9, 0]", "[9, 5, 1] +2"])
    #expect(receive([4]) == [])
    #expect(receive([5, 9, 1, 7]) == ["[9, 1, 7]"])
    // More is missing than the rest of the message.
    #expect(receive([9, 5, 1], missing: 9) == ["[9, 5, 1] +9"])
    #expect(receive([9, 1, 7]) == ["[9, 1, 7]"])
    // The message is whole; those after it are missing.
    #expect(receive([9, 1, 7], missing: 3) == ["[9, 1, 7]", "[] +3"])
  }

  private static func short(_ framed: Framed) -> String {
    switch framed.content {
    case .transport(let frame):
      "\(frame.message.data)" + (frame.missingBytes > 0 ? " +\(frame.missingBytes)" : "")
    case .incomplete(let gap): "\(gap)"
    case .unreadable(let message): "\(message.problem)"
    default: "\(framed.content)"
    }
  }

  /// A last fragment, or an end, that comes twice: nothing is missing.
  @Test func repeatedEnds() throws {
    let sentinels = try Self.profile("assembly: {sentinels: {start: --START--, end: --END--}}")
    let (start, end) = (Array("--START--".utf8), Array("--END--".utf8))
    #expect(Self.run(sentinels, [start, [1], end, end]).gaps == [.repeated(PacketID(2))])
    #expect(Self.run(sentinels, [start, [1], end, [2], end]).gaps == [.endWithoutStart])
    let text = """
      profile:
        id: acme
      channels:
        - l2cap-psm: 0x81
          from: accessory
          encoding: raw
          messages:
            - is: fragment
              first: _[0] & 2 != 0
              more: _[0] & 1 != 0
              body: _.slice(1, _.size)
              encoding: raw
              messages:
                - is: transport.message
                  session-id: '"s"'
                  data: _
      """
    let fragments = try Profile.load("p.yaml", from: MadeFiles(texts: ["p.yaml": text]))
    let found = Self.run(fragments, [[3, 7], [0, 8], [0, 8], [0, 9]])
    #expect(found.messages == [[7, 8]])
    #expect(found.gaps == [.repeated(PacketID(1)), .continuationWithoutFirst])
  }

  /// Examples of Cheshire and Baker, and of RFC 1055.
  @Test func stuffed() throws {
    let cobs = try Self.profile("assembly: cobs")
    let found = Self.run(cobs, [[3, 0x11, 0x22, 2], [0x33, 0, 1, 1, 0, 5, 1]])
    #expect(found.messages == [[0x11, 0x22, 0, 0x33], [0]])
    #expect(found.gaps == [.startWithoutEnd(.linkClosed)])
    #expect(Self.run(cobs, [[9, 1, 0]]).problems == [.wrong(field: "escape")])
    let slip = try Self.profile("assembly: slip")
    #expect(
      Self.run(slip, [[0xC0, 1, 0xDB], [0xDC, 0xDB, 0xDD, 0xC0]]).messages == [[1, 0xC0, 0xDB]])
    #expect(Self.run(slip, [[0xDB, 1, 0xC0]]).problems == [.wrong(field: "escape")])
  }

  /// Lines over several pieces, several in one, both ends of lines, empty lines.
  @Test func lines() throws {
    let profile = try Self.profile("assembly: lines")
    func run(_ pieces: [String]) -> [String] {
      Self.run(profile, pieces.map { Array($0.utf8) }).messages.map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    #expect(run(["a\n"]) == ["a"])
    #expect(run(["a", "b", "c\nd\ne\n"]) == ["abc", "d", "e"])
    #expect(run(["a\r\n\r\n", "\n", "b\r", "\nc\rd\n"]) == ["a", "b", "c\rd"])
    let open = Self.run(profile, [Array("a\nb".utf8)])
    #expect(open.messages == [Array("a".utf8)])
    #expect(open.gaps == [.startWithoutEnd(.linkClosed)])
  }

  /// An end of several bytes, which pieces may divide, and of which a part may be in a message.
  @Test func terminators() throws {
    let profile = try Self.profile("assembly: {terminator: [13, 10]}")
    #expect(
      Self.run(profile, [[1, 13], [10, 2, 13, 13, 10], [3, 10, 13], [10]]).messages
        == [[1], [2, 13], [3, 10]])
    let text = try Self.profile("assembly: {terminator: END}")
    #expect(
      Self.run(text, [Array("aENbEN".utf8), Array("D".utf8)]).messages == [Array("aENb".utf8)])
  }

  @Test(arguments: ["[]", "\"\"", "12345678901234567"])
  func terminatorsHaveALength(_ value: String) {
    #expect(throws: (any Error).self) { try Self.profile("assembly: {terminator: \(value)}") }
  }

  /// Keys of CBOR's maps may be numbers (RFC 8949, 3.1, major type 5): reasons name them, and no method.
  @Test func reasonsNameMembers() throws {
    let text = """
      profile:
        id: acme
      channels:
        - l2cap-psm: 0x81
          from: accessory
          encoding: cbor
          switch-on: _[0]
          messages:
            - case: 3
              is: transport.message
              session-id: _[1].uuid
              data: _[2]
      """
    let profile = try Profile.load("p.yaml", from: MadeFiles(texts: ["p.yaml": text]))
    let unknown: [UInt8] = [0xA1, 0, 9]
    let noKind: [UInt8] = [0xA1, 1, 1]
    let noSession: [UInt8] = [0xA2, 0, 3, 2, 0x40]
    let textSession: [UInt8] = [0xA3, 0, 3, 1, 0x62, 0x61, 0x62, 2, 0x40]
    #expect(
      Self.run(profile, [unknown, noKind, noSession, textSession]).problems == [
        .unknownValue(field: "member 0"), .missing(field: "member 0"),
        .missing(field: "member 1"), .wrong(field: "member 1"),
      ])
  }

  /// RFC 8742: items of CBOR that follow each other. What is none is left over.
  @Test func sequencesOfCBOR() throws {
    let text = """
      profile:
        id: acme
      channels:
        - l2cap-psm: 0x81
          from: accessory
          encoding: cbor
          messages:
            - is: transport.message
              session-id: '"s"'
              data: d
      """
    let profile = try Profile.load("p.yaml", from: MadeFiles(texts: ["p.yaml": text]))
    func item(_ byte: UInt8) -> [UInt8] { [0xA1, 0x61, 0x64, 0x41, byte] }
    let found = Self.run(profile, [item(1) + item(2) + item(3)])
    #expect(found.messages == [[1], [2], [3]])
    #expect(found.problems.isEmpty)
    for rest in [[0], item(2) + [0xA1], item(2) + [0]] as [[UInt8]] {
      let part = Self.run(profile, [item(1) + rest])
      #expect(part.messages == [[1]])
      #expect(part.problems == [.trailing(offset: 5, count: rest.count)])
    }
  }

  @Test func sentinels() throws {
    let profile = try Self.profile("assembly: {sentinels: {start: --START--, end: --END--}}")
    let (start, end) = (Array("--START--".utf8), Array("--END--".utf8))
    #expect(Self.run(profile, [start, [1], [2], end]).messages == [[1, 2]])
    #expect(
      Self.run(profile, [start, [1], start, [2], end]).gaps == [.startWithoutEnd(.startedAgain)])
    #expect(Self.run(profile, [[1], [2], end]).gaps == [.endWithoutStart])
    #expect(Self.run(profile, [[1], start, [2]]).gaps.count == 2)
  }

  /// Fragments with a bit for "more", and none for the first.
  @Test func fragmentsWithMoreAlone() throws {
    let text = """
      profile:
        id: acme
      channels:
        - l2cap-psm: 0x81
          from: accessory
          encoding: raw
          messages:
            - is: fragment
              more: _[0] & 1 != 0
              body: _.slice(1, _.size)
              encoding: raw
              messages:
                - is: transport.message
                  session-id: '"s"'
                  data: _
      """
    let profile = try Profile.load("p.yaml", from: MadeFiles(texts: ["p.yaml": text]))
    let found = Self.run(profile, [[1, 7], [1, 8], [0, 9], [0, 5], [1, 6]])
    #expect(found.messages == [[7, 8, 9], [5]])
    #expect(found.gaps == [.moreWithoutLast(.linkClosed)])
    #expect(found.problems.isEmpty)
  }

  @Test func wrapper() throws {
    let profile = try Self.profile("wrapper: {prefix: NBW1, size: 6}")
    let tag = Array("NBW1".utf8)
    #expect(Self.run(profile, [tag + [0, 0, 7], [8]]).messages == [[7], [8]])
    #expect(
      Self.run(profile, [tag + [0]]).problems
        == [.tooShort(field: "Wrapper", needed: 6, available: 5)])
  }
}
