import HarkCore
import HarkCrypto
import HarkLayout
import HarkSession
import Testing

@testable import HarkProfile

/// The single trials of a guess, on values that are made for them.
@Suite struct GuessTrialTests {
  private static func guess(_ values: [[UInt8]], isStream: Bool = false) -> ChannelGuess {
    var traffic = Traffic(isStream ? .externalAccessory("com.acme") : .psm(0x81))
    for (index, value) in values.enumerated() {
      traffic.values.append(TrafficValue(value, frame: UInt32(index + 1), toServer: true))
    }
    return ChannelGuess(traffic, id: "acme")
  }

  private static func fields(_ values: [[UInt8]]) -> [String] {
    guess(values).values.fields.map { "\($0.id) \($0.meaning.name)" }
  }

  private static func random(_ count: Int, _ random: inout Random) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Random bytes are random, and nothing else: values of many sizes, in many draws.
  @Test func randomBytesAreOnlyRandom() {
    var source = Random(state: 1)
    for round in 0..<100 {
      let count = Int.random(in: 1...60, using: &source)
      let values = (0..<count).map { _ in
        Self.random(.random(in: 1...200, using: &source), &source)
      }
      let guess = Self.guess(values, isStream: round % 2 == 1)
      #expect(guess.encoding == nil && guess.messages == nil, "\(round): \(guess.summary)")
      if case .none = guess.assembly {} else { Issue.record("\(round): \(guess.summary)") }
      let names = Set(guess.values.fields.map(\.meaning.name))
      #expect(names.isSubset(of: ["random", "sealed", "unknown"]), "\(round): \(guess.details)")
      #expect(guess.values.cases.isEmpty && guess.values.checksum == nil)
      #expect(guess.keys.isEmpty)
    }
  }

  /// Fewer than four values show nothing, whatever they have in common.
  @Test func fewValuesShowNothing() {
    let values: [[UInt8]] = [[0xA5, 2, 1, 9], [0xA5, 3, 1, 9, 0], [0xA5, 4, 1, 9, 3, 0]]
    #expect(Self.fields(values) == ["rest unknown"])
    #expect(Self.fields(values + [[0xA5, 5, 1, 9, 7, 7, 0]]).first == "magic constant")
  }

  @Test(arguments: [GuessedField.Integer.u1, .u2le, .u2be])
  func lengths(_ integer: GuessedField.Integer) throws {
    var source = Random(state: 2)
    let values = [3, 7, 12, 30, 300, 9].map { size -> [UInt8] in
      let count = integer == .u1 ? size % 256 : size
      let low = UInt8(truncatingIfNeeded: count)
      let high = UInt8(truncatingIfNeeded: count >> 8)
      let header = integer == .u1 ? [low] : integer == .u2le ? [low, high] : [high, low]
      return [0xA5] + header + Self.random(count, &source)
    }
    let guess = Self.guess(values)
    #expect(guess.values.fields.map(\.id) == ["magic", "len_body", "body"])
    #expect(guess.values.fields[1].size == .integer(integer))
    #expect(guess.values.fields[1].evidence.contains("6 of 6 different values"))
  }

  /// Checksums that Python's binascii made.
  @Test(arguments: [
    (
      "crc16-xmodem", "u2be",
      [
        "82b70eee7f616b", "1a5039bef07ec272b2", "347f066ed08f5dc7519801",
        "2447e3404300026b6e545547bf", "94a065685d64c4980bb8d4544aaafd",
      ]
    ),
    (
      "crc32", "u4le",
      [
        "8721a99a012d676af7", "ad219eb59cf6a14b084424", "5ef6f15a1d830bb7ceb4fb10b6",
        "09d6bbc004e7175c643c7d338ade4c", "ecb0b580ec37bc9712dd2e6aae2e6a6d61",
      ]
    ),
  ])
  func cyclicChecks(_ name: String, _ integer: String, _ values: [String]) throws {
    let checksum = Self.guess(values.compactMap { Hex.bytes($0) }).values.checksum
    #expect(checksum?.algorithm.rawValue == name)
    #expect(checksum?.integer == integer)
    #expect(checksum?.from == 0)
  }

  /// The first byte is not summed up.
  @Test func sum() throws {
    let values: [[UInt8]] = (UInt8(1)...6).map { number in
      let body: [UInt8] = [number &* 37, number, number &* 91, 7]
      return [0xAA] + body + [body.reduce(0, &+)]
    }
    let checksum = Self.guess(values).values.checksum
    #expect(checksum?.algorithm == .sum8)
    #expect(checksum?.from == 1)
    let wrong = values.enumerated().map { $0 == 3 ? Array($1.dropLast()) + [0] : $1 }
    #expect(Self.guess(wrong).values.checksum == nil)
  }

  /// Parts of 20 bytes with a number and a total in front, or a number and a bit for the last.
  @Test(arguments: [false, true]) func numberedParts(_ isFlagged: Bool) throws {
    var source = Random(state: 6)
    var values: [[UInt8]] = []
    var messages: [[UInt8]] = []
    for size in [30, 7, 55, 18, 90, 19] {
      let message = Self.random(size, &source)
      messages.append(message)
      let parts = stride(from: 0, to: size, by: 18).map { Array(message[$0..<min($0 + 18, size)]) }
      for (index, part) in parts.enumerated() {
        let isLast = index == parts.count - 1
        values.append(
          isFlagged
            ? [0xA5, UInt8(index) | (isLast ? 0x80 : 0)] + part
            : [UInt8(index + 1), UInt8(parts.count)] + part)
      }
    }
    let guess = Self.guess(values)
    guard case .sequence(let sequence) = guess.assembly else {
      Issue.record("\(guess.summary)")
      return
    }
    #expect(sequence.messages.map(\.bytes) == messages)
    #expect(guess.summary[1] == "15 values are numbered parts of 6 messages, of 1 to 5 parts each")
    // What is written puts them together again.
    let files = MadeFiles(texts: [
      "p.yaml": ProfileWriter.text(of: [guess], id: "acme")
        .replacing(
          "- is: nothing", with: "- {is: transport.message, session-id: '\"s\"', data: data}"),
      "acme.ksy": guess.layout,
    ])
    var assembler = try Profile.load("p.yaml", from: files).framing.makeAssembler()
    var made: [[UInt8]] = []
    for (index, value) in values.enumerated() {
      for framed in assembler.receive(
        VendorValue(
          frames: [PacketID(UInt32(index))], time: Timestamp(microseconds: Int64(index)),
          channel: .psm(0x81), toServer: true, operation: .data, bytes: value))
      {
        if case .transport(let frame) = framed.content { made.append(frame.message.data) }
      }
    }
    #expect(made == messages)
  }

  /// Two fragments of each message are numbered parts if the messages are in an encoding, and else perhaps kinds that take
  /// turns.
  @Test(arguments: [true, false]) func twoParts(_ isJSON: Bool) throws {
    var source = Random(state: 9)
    let values = (0..<6).flatMap { number -> [[UInt8]] in
      let text = #"{"id":\#(number),"words":"\#(String(repeating: "ab", count: 9 + number))"}"#
      let message = isJSON ? Array(text.utf8) : Self.random(40 + number, &source)
      return [[0, 0] + message.prefix(30), [1, 1] + message.dropFirst(30)]
    }
    let guess = Self.guess(values)
    if case .sequence(let sequence) = guess.assembly {
      #expect(isJSON && sequence.counts == [2, 2, 2, 2, 2, 2])
    } else {
      #expect(!isJSON, "\(guess.summary)")
    }
    #expect(guess.encodingName == (isJSON ? "JSON" : nil))
  }

  /// A kind before a length: each kind is described once.
  @Test func kindsWithLength() {
    var source = Random(state: 12)
    let values = (0..<12).map { number -> [UInt8] in
      let body = Self.random(40 + 7 * number, &source)
      return [0xA5, UInt8(2 + number % 2), UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
    }
    let guess = Self.guess(values)
    #expect(guess.details.count { $0.contains("kind 02: 6 of 6") } == 1, "\(guess.details)")
    #expect(guess.details.count { $0.contains("kind 0") } == 2, "\(guess.details)")
  }

  /// Values with a tag and a length; and the AD structures of Core Supplement, Part A, whose length
  /// counts the type.
  @Test(arguments: [false, true]) func taggedItems(_ isLengthFirst: Bool) throws {
    var source = Random(state: 7)
    let values = (0..<10).map { number -> [UInt8] in
      var value: [UInt8] = isLengthFirst ? [] : [0x5A, 0x01]
      for tag in [1, 2, 9, 1, 7].prefix(2 + number % 4) {
        let text = Array("name \(number)".utf8)
        let body = tag == 9 ? text : Self.random(tag + number % 2, &source)
        let size = UInt8(body.count)
        value += (isLengthFirst ? [size + 1, UInt8(tag)] : [UInt8(tag), size]) + body
      }
      return value
    }
    let guess = Self.guess(values)
    let field = try #require(guess.values.fields.last)
    guard case .items(let item) = field.meaning else {
      Issue.record("\(guess.details)")
      return
    }
    #expect(field.evidence.hasPrefix("33 items"))
    #expect(item.fields.map(\.id).contains(isLengthFirst ? "len_item" : "len_value"))
    #expect(item.cases.map(\.value) == [1, 2, 7, 9])
    #expect(item.cases.last?.structure.fields.map(\.meaning.name) == ["text"])
    let files = MadeFiles(texts: ["acme.ksy": guess.layout])
    #expect(try Layout.load("acme.ksy", from: files).warnings.isEmpty)
  }

  @Test func counterAndCodes() {
    var source = Random(state: 3)
    let values = (0..<40).map { number -> [UInt8] in
      [UInt8(truncatingIfNeeded: 250 + number), [1, 2, 9][number % 3]] + Self.random(20, &source)
    }
    let guess = Self.guess(values)
    #expect(guess.values.fields.map(\.id) == ["counter", "kind"])
    #expect(guess.values.cases.map(\.value) == [1, 2, 9])
    #expect(guess.values.cases.allSatisfy { $0.structure.fields.map(\.id) == ["data"] })
  }

  @Test func runs() {
    var source = Random(state: 4)
    var values: [[UInt8]] = []
    for _ in 0..<3 {
      values += [Self.random(244, &source), Self.random(244, &source), Self.random(31, &source)]
    }
    guard case .runs(let runs) = Self.guess(values).assembly else {
      Issue.record("no runs")
      return
    }
    #expect((runs.size, runs.runs, runs.values) == (244, 3, 9))
  }

  /// Messages of a stream that frames cut anywhere.
  @Test func streamWithLength() throws {
    var source = Random(state: 5)
    var stream: [UInt8] = []
    var pieces: [[UInt8]] = []
    for size in [4, 40, 9, 31, 100, 12, 8, 77] {
      stream += [0x7E, UInt8(size)] + Self.random(size, &source)
      if size % 3 == 1 {
        pieces.append(Array(stream.prefix(5)))
        pieces.append(Array(stream.dropFirst(5)))
      } else {
        pieces.append(stream)
      }
      stream = []
    }
    guard case .length(let length) = Self.guess(pieces, isStream: true).assembly else {
      Issue.record("no length")
      return
    }
    #expect((length.offset, length.integer, length.plus) == (1, .u1, 2))
    #expect(length.messages.count == 8)
  }

  /// Messages that begin with a mark and have a length, in values of a PSM that end anywhere: some hold several
  /// messages, and some only a part of one.
  @Test(arguments: [5...40, 60...200, 1...300], [false, true])
  func markedMessages(_ sizes: ClosedRange<Int>, _ isCut: Bool) throws {
    var source = Random(state: 6)
    var stream: [UInt8] = []
    for index in 0..<80 {
      let size = Int.random(in: 3...60, using: &source)
      stream += [0xA5, UInt8(index % 3), UInt8(size), 0] + Self.random(size, &source)
    }
    var pieces: [[UInt8]] = []
    // The capture begins and ends inside a message.
    if isCut {
      pieces.append(Self.random(5, &source))
      stream.removeLast(2)
    }
    while !stream.isEmpty {
      pieces.append(Array(stream.prefix(.random(in: sizes, using: &source))))
      stream.removeFirst(pieces.last?.count ?? 0)
    }
    let guess = Self.guess(pieces)
    guard case .length(let length) = guess.assembly else {
      Issue.record("no length")
      return
    }
    // The length has two octets, of which the second is always zero.
    #expect(guess.layout.contains("header: 4\n") && guess.layout.contains("type: u2le"))
    #expect((length.offset, length.plus, length.messages.count) == (2, 4, isCut ? 79 : 80))
  }

  /// Cheshire and Baker's own example, and RFC 1055.
  @Test func delimiters() {
    let cobs = ["0345 0201 0100", "0102 4500", "02AA 0100", "0511 2233 4400"]
    guard case .cobs = Self.guess(cobs.compactMap { Hex.bytes($0) }, isStream: true).assembly
    else {
      Issue.record("no COBS")
      return
    }
    let slip = ["C001 DBDC C0", "C002 0304 C0", "C0DB DD09 C0", "C005 C0"]
    guard case .slip = Self.guess(slip.compactMap { Hex.bytes($0) }, isStream: true).assembly
    else {
      Issue.record("no SLIP")
      return
    }
  }

  /// JSON lines that pieces divide anywhere, those of a stream and the values of an attribute; the last one has no end.
  @Test(arguments: [true, false]) func lines(_ isStream: Bool) {
    let text = (1...8).map { #"{"kind":\#($0),"name":"n\#($0 * 977)"}"# }.joined(separator: "\n")
    var rest = Array(text.utf8)[...]
    var pieces: [[UInt8]] = []
    for count in [5, 40, 13, 70, 22, 9, 200] {
      pieces.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    let guess = Self.guess(pieces.filter { !$0.isEmpty }, isStream: isStream)
    guard case .lines = guess.assembly else {
      Issue.record("no lines")
      return
    }
    #expect(guess.encoding?.name == "JSON")
  }

  /// Lines of text in notifications of 20 bytes, as UART services send them. If each value is a line, there is nothing to
  /// assemble.
  @Test func textLines() {
    let lines = (0..<9).map { "T=\(200 + $0 * 7),H=\(40 + $0),V=3.\($0)\r\n" }
    var rest = Array(lines.joined().utf8)[...]
    var pieces: [[UInt8]] = []
    while !rest.isEmpty {
      pieces.append(Array(rest.prefix(20)))
      rest = rest.dropFirst(20)
    }
    let guess = Self.guess(pieces)
    guard case .lines = guess.assembly else {
      Issue.record("no lines")
      return
    }
    #expect(guess.encoding == nil && guess.messageCount == lines.count)
    if case .lines = Self.guess(lines.map { Array($0.utf8) }).assembly {
      Issue.record("each value is a line")
    }
  }

  /// RFC 8949, appendix A, for CBOR; the documentation of protobuf for the others.
  @Test func encodings() {
    let cbor = (0..<6).map { number -> [UInt8] in
      [0xA2, 0x61, 0x61, 0x18, UInt8(100 + number), 0x61, 0x62, 0x82, 0x02, 0x03]
    }
    #expect(Self.guess(cbor).encoding?.name == "CBOR")
    let protobuf = (0..<8).map { number -> [UInt8] in
      [0x08, 0x96, 0x01, 0x12, 0x07] + Array("testin".utf8) + [UInt8(0x61 + number)]
    }
    #expect(Self.guess(protobuf).encoding?.name == "protobuf")
    #expect(Self.guess([Array("{\"a\":[1,2]}".utf8)]).encoding?.name == "JSON")
    #expect(Self.guess([Array("bplist00\0\0".utf8)]).encoding?.name == "property list")
  }

  /// Each value is a whole message of JSON, and by chance the first byte, `[` (91), leads on: to the digit that is the
  /// 92nd byte, 49 to 52, and from there to the end, or across the end of the fifth value.
  @Test func encodingsBeforeChance() {
    func array(_ digit: String, at place: Int, size: Int) -> [UInt8] {
      let text = "[\"" + String(repeating: "a", count: place - 2) + digit
      return Array((text + String(repeating: "b", count: size - place - 3) + "\"]").utf8)
    }
    let values = [
      array("1", at: 91, size: 140), array("2", at: 91, size: 141), array("3", at: 91, size: 142),
      array("4", at: 91, size: 143), array("5", at: 40, size: 50), array("1", at: 41, size: 90),
    ]
    let samples = values.map { HarkProfile.Sample(TrafficValue($0, frame: 1, toServer: true)) }
    #expect(StreamTrial.length(samples)?.ends == 5)
    let guess = Self.guess(values)
    #expect(guess.encoding?.name == "JSON")
    guard case .none = guess.assembly else {
      Issue.record("messages in several values")
      return
    }
  }

  // MARK: Randomness

  /// Tables of the Poisson distribution.
  @Test(arguments: [
    (0, 1.0, 0.367879), (2, 2.0, 0.676676), (10, 10.0, 0.583040), (8, 4.0, 0.978637),
  ])
  func poisson(_ count: Int, _ mean: Double, _ probability: Double) {
    #expect(abs(Randomness.atMost(count, mean) - probability) < 1e-6)
  }

  /// Of evenly drawn bytes nearly all are reported so, at any size; text, Base64 and counts never.
  @Test(arguments: [64, 96, 256, 4_096]) func evenness(_ size: Int) {
    var source = Random(state: UInt64(size))
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/".utf8)
    var (even, base64) = (0, 0)
    for _ in 0..<200 {
      if Randomness([Self.random(size, &source)]).isEven { even += 1 }
      let text = (0..<size).compactMap { _ in letters.randomElement(using: &source) }
      if Randomness([text]).isEven { base64 += 1 }
    }
    #expect(even >= 190)
    #expect(base64 <= 2)
    #expect(!Randomness([(0..<size).map { UInt8(truncatingIfNeeded: $0) }]).isEven)
    #expect(!Randomness([Self.random(63, &source)]).isEven)
  }

  /// Appendix of NIST's examples: the base point of P-256 is on the curve, its neighbour is not.
  @Test func points() throws {
    let base = try #require(
      Hex.bytes(
        "6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296"
          + "4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5"))
    #expect(KeyShape.p256.fits(base))
    #expect(KeyShape.p256Uncompressed.fits([4] + base))
    #expect(!KeyShape.p256Uncompressed.fits([2] + base))
    #expect(!KeyShape.p256.fits(base.dropLast() + [0xF6]))
    #expect(!KeyShape.xWing.fits([UInt8](repeating: 0xFF, count: 1216)))
    #expect(KeyShape.xWing.fits([UInt8](repeating: 0, count: 1216)))
  }
}
