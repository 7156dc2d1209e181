import HarkCore
import HarkSession
import Testing

@testable import HarkProfile

/// Fragments that are numbered. Values are a number, flags (1: first, 2: last), a key, and a body;
/// what they make is counted by hand.
struct SequenceTests {
  private static func run(_ rule: String, _ values: [[UInt8]]) throws -> [String] {
    let keys = (["number: _[0]", "body: '_.slice(3, _.size)'"] + rule.split(separator: ", "))
      .joined(separator: "\n        ")
    let text = """
      profile: {id: acme}
      channels:
        - l2cap-psm: 0x81
          from: accessory
          assembly:
            sequence:
              \(keys)
          encoding: raw
          messages:
            - {is: transport.message, session-id: '"s"', data: _}
      """
    let profile = try Profile.load("p.yaml", from: MadeFiles(texts: ["p.yaml": text]))
    var assembler = profile.framing.makeAssembler()
    var framed: [Framed] = []
    for (index, bytes) in values.enumerated() {
      framed += assembler.receive(
        VendorValue(
          frames: [PacketID(UInt32(index))], time: Timestamp(microseconds: Int64(index)),
          channel: .psm(0x81), toServer: true, operation: .data, bytes: bytes))
    }
    framed += assembler.reset(.linkClosed)
    return framed.map { part in
      #expect(part.origin.direction == .accessoryToHost)
      #expect(part.origin.started <= part.origin.ended)
      let frames = part.origin.frames.map { "\($0.number)" }.joined(separator: ",")
      let what =
        switch part.content {
        case .transport(let frame): "\(frame.message.data)"
        case .incomplete(let gap): "\(gap)"
        case .unreadable(let message): "\(message.problem)"
        default: "\(part)"
        }
      return "\(frames): \(what)"
    }
  }

  private static let anew = "last: _[1] & 2 != 0"
  private static let counted = "total: _[1]"
  private static let running = "modulo: 8, first: _[1] & 1 != 0, last: _[1] & 2 != 0"

  @Test func inOrder() throws {
    let values: [[UInt8]] = [[0, 0, 0, 1, 2], [1, 0, 0, 3], [2, 2, 0, 4], [0, 2, 0, 5]]
    #expect(try Self.run(Self.anew, values) == ["0,1,2: [1, 2, 3, 4]", "3: [5]"])
    let counted: [[UInt8]] = [[0, 2, 0, 1], [1, 2, 0, 2], [0, 1, 0, 3], [0, 1, 0, 3]]
    #expect(
      try Self.run(Self.counted, counted) == ["0,1: [1, 2]", "2: [3]", "3: [3]"])
    let running: [[UInt8]] = [[6, 1, 0, 1], [7, 0, 0, 2], [0, 2, 0, 3], [1, 3, 0, 4]]
    #expect(try Self.run(Self.running, running) == ["0,1,2: [1, 2, 3]", "3: [4]"])
  }

  @Test func outOfOrder() throws {
    let values: [[UInt8]] = [[0, 0, 0, 1], [3, 2, 0, 4], [1, 0, 0, 2], [2, 0, 0, 3]]
    #expect(try Self.run(Self.anew, values) == ["0,1,2,3: [1, 2, 3, 4]"])
    let counted: [[UInt8]] = [[0, 3, 0, 1], [2, 3, 0, 3], [1, 3, 0, 2]]
    #expect(try Self.run(Self.counted, counted) == ["0,1,2: [1, 2, 3]"])
    let running: [[UInt8]] = [[6, 1, 0, 1], [0, 2, 0, 3], [7, 0, 0, 2], [1, 3, 0, 4]]
    #expect(try Self.run(Self.running, running) == ["0,1,2: [1, 2, 3]", "3: [4]"])
    // Complete by itself, and late: what is missing was reported when it was.
    let late: [[UInt8]] = [[4, 3, 0, 1], [6, 3, 0, 3], [5, 3, 0, 2], [7, 3, 0, 4]]
    #expect(
      try Self.run(Self.running, late)
        == ["0: [1]", "1: lostFragments(first: 5, count: 1)", "1: [3]", "2: [2]", "3: [4]"])
  }

  @Test func lost() throws {
    let values: [[UInt8]] = [
      [0, 0, 0, 1], [1, 0, 0, 2], [4, 2, 0, 5], [0, 0, 0, 9], [1, 2, 0, 8],
    ]
    #expect(
      try Self.run(Self.anew, values) == ["0,1: lostFragments(first: 2, count: 2)", "3,4: [9, 8]"])
    #expect(
      try Self.run(Self.anew + ", gap: keep", values)
        == ["0,1: lostFragments(first: 2, count: 2)", "0,1,2: [1, 2, 5]", "3,4: [9, 8]"])
    // The end of one, and the beginning of another.
    let ends: [[UInt8]] = [
      [0, 0, 0, 1], [0, 0, 0, 2], [1, 2, 0, 3], [1, 0, 0, 4], [2, 2, 0, 5],
    ]
    #expect(
      try Self.run(Self.anew, ends)
        == [
          "0: moreWithoutLast(HarkSession.Interruption.startedAgain)", "1,2: [2, 3]",
          "3,4: continuationWithoutFirst",
        ])
    #expect(
      try Self.run(Self.anew, [[0, 0, 0, 1], [2, 0, 0, 1]])
        == ["0: lostFragments(first: 1, count: 1)"])
    #expect(
      try Self.run(Self.anew, [[0, 0, 0, 1]])
        == ["0: moreWithoutLast(HarkSession.Interruption.linkClosed)"])
    let running: [[UInt8]] = [
      [5, 1, 0, 1], [7, 2, 0, 3], [0, 3, 0, 4], [2, 2, 0, 6], [3, 3, 0, 7],
    ]
    #expect(
      try Self.run(Self.running, running)
        == [
          "0: lostFragments(first: 6, count: 1)", "2: [4]",
          "3: lostFragments(first: 1, count: 1)", "4: [7]",
        ])
    // More than may be overtaken.
    let far: [[UInt8]] = [[0, 0, 0, 1], [40, 0, 0, 2], [41, 2, 0, 3], [0, 2, 0, 4]]
    #expect(
      try Self.run(Self.anew, far) == ["0: lostFragments(first: 1, count: 39)", "3: [4]"])
  }

  @Test func repeated() throws {
    let values: [[UInt8]] = [
      [0, 0, 0, 1], [0, 0, 0, 1], [1, 0, 0, 2], [1, 0, 0, 2], [2, 2, 0, 3], [2, 2, 0, 3],
    ]
    #expect(try Self.run(Self.anew, values) == ["0,2,4: [1, 2, 3]"])
    let restarted: [[UInt8]] = [[0, 0, 0, 1], [1, 0, 0, 2], [0, 0, 0, 1], [1, 2, 0, 2]]
    #expect(
      try Self.run(Self.anew + ", repeat: restart", restarted)
        == ["0,1: moreWithoutLast(HarkSession.Interruption.startedAgain)", "2,3: [1, 2]"])
    // Another message that begins the same.
    let another: [[UInt8]] = [
      [0, 0, 0, 1], [1, 0, 0, 2], [2, 0, 0, 3], [0, 0, 0, 1], [1, 0, 0, 2], [2, 2, 0, 9],
    ]
    #expect(
      try Self.run(Self.anew, another)
        == ["0,1,2: moreWithoutLast(HarkSession.Interruption.startedAgain)", "3,4,5: [1, 2, 9]"])
    let running: [[UInt8]] = [[7, 1, 0, 1], [0, 2, 0, 2], [0, 2, 0, 2], [1, 3, 0, 3]]
    #expect(try Self.run(Self.running, running) == ["0,1: [1, 2]", "3: [3]"])
  }

  /// Numbers that begin again inside of a message, and one bit that alternates.
  @Test func wraps() throws {
    let bytes: [UInt8] = Array(0..<40)
    let values = bytes.map { [$0 % 8, $0 == 39 ? 2 : 0, 0, $0] }
    let frames = bytes.map { "\($0)" }.joined(separator: ",")
    #expect(try Self.run(Self.anew + ", modulo: 8", values) == ["\(frames): \(bytes)"])
    let bit: [[UInt8]] = [[1, 1, 0, 1], [0, 0, 0, 2], [0, 0, 0, 2], [1, 2, 0, 3]]
    #expect(
      try Self.run("modulo: 2, first: _[1] & 1 != 0, last: _[1] & 2 != 0", bit)
        == ["0,1,3: [1, 2, 3]"])
  }

  @Test func interleaved() throws {
    let values: [[UInt8]] = [
      [0, 0, 7, 1], [0, 0, 8, 11], [1, 2, 8, 12], [1, 2, 7, 2], [0, 0, 9, 5],
    ]
    #expect(
      try Self.run(Self.anew + ", key: '_[2]'", values)
        == [
          "1,2: [11, 12]", "0,3: [1, 2]",
          "4: moreWithoutLast(HarkSession.Interruption.linkClosed)",
        ])
    // The oldest of too many is given up.
    let many = (0...64).map { [0, 0, UInt8($0), 1] as [UInt8] }
    let found = try Self.run(Self.anew + ", key: '_[2]'", many)
    #expect(found.count == 65)
    #expect(found.first == "0: moreWithoutLast(HarkSession.Interruption.startedAgain)")
  }

  @Test func oversized() throws {
    let values: [[UInt8]] = [
      [0, 0, 0, 1, 2, 3], [1, 0, 0, 4], [2, 0, 0, 5], [3, 2, 0, 6], [0, 2, 0, 7, 7, 7, 7],
      [0, 2, 0, 1, 2, 3, 4, 5],
    ]
    #expect(
      try Self.run(Self.anew + ", longest: 4", values)
        == ["0,1: tooLarge(limit: 4)", "4: [7, 7, 7, 7]", "5: tooLarge(limit: 4)"])
  }

  /// What is no fragment is reported, and what comes behind it is not lost.
  @Test func unreadable() throws {
    #expect(
      try Self.run(Self.running, [[6, 1, 0, 1], [], [9, 0, 0], [7, 2, 0, 2]])
        == ["1: wrong(field: \"number\")", "2: wrong(field: \"number\")", "0,3: [1, 2]"])
  }

  @Test func errors() throws {
    let problems = [
      "last: 'true', total: _[1]": "expected either 'last' or 'total'",
      "modulo: 1, last: 'true'": "expected an integer from 2 to 4294967295",
      "gap: stay, last: 'true'": "expected drop or keep",
      "repeat: 3, last: 'true'": "expected ignore or restart",
      "numbers: 3, last: 'true'": "unknown key found",
      "last: '(', longest: 4": "'('",
    ]
    for (rule, expected) in problems {
      #expect {
        try Self.run(rule, [])
      } throws: { error in
        "\(error)".contains(expected)
      }
    }
  }

  /// Any numbers and flags, whatever the rule: all ends, and each packet makes one message at most.
  @Test func mutations() throws {
    var random = Random(state: 5)
    let rules = [
      Self.anew, Self.counted, Self.running, Self.running + ", gap: keep",
      Self.anew + ", modulo: 8, gap: keep", Self.counted + ", repeat: restart, key: '_[2]'",
      Self.running + ", key: '_[2]', longest: 9", Self.counted + ", first: _[2] == 0",
      "modulo: 5, gap: keep, repeat: restart, first: _[2] == 0, total: _[1]",
    ]
    var made = 0
    for round in 0..<900 {
      let values = (0..<80).map { _ in
        random.mutate(
          [
            .random(in: 0...9, using: &random), .random(in: 0...3, using: &random),
            .random(in: 0...1, using: &random), .random(in: 0...2, using: &random),
          ])
      }
      let found = try Self.run(rules[round % rules.count], values)
      let messages = found.filter { $0.contains(": [") }
      made += messages.count
      let frames = messages.flatMap { $0.prefix { $0 != ":" }.split(separator: ",") }
      #expect(Set(frames).count == frames.count, "\(found)")
    }
    #expect(made > 900)
  }
}
