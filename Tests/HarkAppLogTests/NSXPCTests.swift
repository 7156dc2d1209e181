import HarkCore
import Testing

@testable import HarkAppLog

/// Calls and answers that Foundation wrote, as public projects recorded them with debuggers; those built by hand
/// hold what the recorded ones lack.
@Suite struct NSXPCTests {
  private static let header = "62706c6973743137"

  private static let ping =
    header + "a048000000000000007f111070696e673a776974685265706c793a007f110f76333240303a3840313640"
    + "3f323400a048000000000000006466006f006f003500e0"
  private static let pong =
    header + "a02900000000000000e07576403f4000a029000000000000006470006f006e006700"
  private static let prediction =
    header
    + "a0d0000000000000007f114870726564696374696f6e466f7243617465676f726965733a636f6e73756d65"
    + "723a63726974657269613a6c696d69743a70726f7669646564466565646261636b3a7265706c793a007f111b7636"
    + "3040303a38513136513234403332513430423438403f353200a0d00000000000000011061101d0cc000000000000"
    + "007724636c617373007d4e5344696374696f6e61727900784e532e6b65797300a0b7000000000000007b4e532e6f"
    + "626a6563747300a0cc000000000000001101b0e0"
  private static let event =
    header
    + "a09d000000000000007d6e6f746966794576656e743a007b76323440303a3840313600a09d000000000000"
    + "00d09d000000000000007724636c617373007f11154157417474656e74696f6e4c6f73744576656e74007a74696d"
    + "657374616d700023bb3f1656df6392407f1115617474656e74696f6e4c6f737454696d656f757400230000000000"
    + "00000079746167496e646578001100"

  private static func brief(_ hex: String) -> String? {
    ObjectFile(Hex.bytes(hex) ?? []).nodes.first?.brief
  }

  @Test(arguments: [
    (ping, #"["ping:withReply:", "v32@0:8@16@?24", ["foo5", null]]"#),
    (pong, #"[null, "v@?@", ["pong"]]"#),
    (
      prediction,
      #"["predictionForCategories:consumer:criteria:limit:providedFeedback:reply:", "#
        + #""v60@0:8Q16Q24@32Q40B48@?52", "#
        + #"[6, 1, {$class: "NSDictionary", NS.keys: [], NS.objects: []}, 1, true, null]]"#
    ),
    (
      event,
      #"["notifyEvent:", "v24@0:8@16", [{$class: "AWAttentionLostEvent", timestamp: 1176.968101833, "#
        + #"attentionLostTimeout: 0.0, tagIndex: 0}]]"#
    ),
  ])
  func recorded(_ hex: String, _ brief: String) {
    let file = ObjectFile(Hex.bytes(hex) ?? [])
    #expect(file.problem == nil)
    #expect(file.nodes.map(\.brief) == [brief])
    #expect(file.nodes.first?.children.map(\.name) == ["selector", "types", "arguments"])
    #expect(file.nodes.first?.range == 0..<file.count)
  }

  /// Each form of a value, alone as the root.
  @Test(
    arguments: [
      ("1134", "52"), ("123412", "4660"), ("1478563412", "305419896"),
      // Only those of 8 bytes can be negative.
      ("18ffffffffffffffff", "-1"), ("11ff", "255"),
      ("220000803e", "0.25"), ("23000000000000d03f", "0.25"),
      ("4301ff02", "01ff02"), ("b0", "true"), ("c0", "false"), ("e0", "null"),
      ("61fc00", #""ü""#), ("73414200", #""AB""#),
      // Readers disagree on the byte order of this form: both values, where they differ.
      ("f80000000000000000", "0"),
      ("f80100000000000000", "1, or 72057594037927936 if it is big-endian"),
    ] as [(String, String)])
  func values(_ hex: String, _ value: String) {
    #expect(Self.brief(Self.header + hex) == value)
  }

  @Test func longString() {
    let text = String(repeating: "a", count: 299)
    #expect(
      Self.brief(Self.header + "7f122c01" + Hex.text(Array(text.utf8)) + "00") == "\"\(text)\"")
  }

  /// A string that was there before is named by its place.
  @Test func references() {
    let whole = Self.header + "a02d00000000000000"
    // Two dictionaries of one entry: the key `k1` at byte 26, and a reference to it.
    #expect(
      Self.brief(
        whole + "d01f00000000000000" + "736b3100" + "1101" + "d02c00000000000000" + "811a" + "1102"
          + "e0")
        == "[{k1: 1}, {k1: 2}, null]")
    #expect(Self.brief(Self.header + "8163")?.hasPrefix("to byte 99") == true)
  }

  /// Inside what RemoteXPC and XPC objects carry, and in a line of a log.
  @Test func inside() throws {
    let body = Hex.bytes(Self.ping) ?? []
    // A dictionary of one entry, `root`: data of 73 bytes, padded to 76.
    var object = Hex.bytes("42371342" + "05000000" + "00f00000" + "60000000" + "01000000") ?? []
    object +=
      Array("root".utf8) + [0, 0, 0, 0] + [0, 0x80, 0, 0, 0x49, 0, 0, 0] + body + [0, 0, 0]
    let file = ObjectFile(object)
    #expect(file.problem == nil)
    let call = try #require(file.nodes.first?.children.first?.children.first)
    #expect(call.name == "bplist17" && call.range == 36..<109)
    #expect(call.children.first?.value == "ping:withReply:")
    #expect(
      Bodies.found(in: "sent \(Self.ping)")
        == [#"NSXPC ["ping:withReply:", "v32@0:8@16@?24", ["foo5", null]]"#])
  }

  /// What can be read of a damaged one is shown, with where it stops.
  @Test func damaged() {
    let unknown = ObjectFile(Hex.bytes(Self.header + "a0130000000000000033110197") ?? [])
    #expect(unknown.nodes.map(\.brief) == ["[unreadable]"])
    #expect(unknown.problem?.description == "objects with the marker 33 are unknown at byte 17")
    let cut = ObjectFile((Hex.bytes(Self.ping) ?? []).dropLast(3).map { $0 })
    #expect(
      cut.nodes.first?.brief == #"["ping:withReply:", "v32@0:8@16@?24", [unreadable]]"#)
    #expect(cut.problem != nil)
    // The places of containers lie inside of each other.
    let outside = ObjectFile(Hex.bytes(Self.header + "a0ffffffffffffff7fe0") ?? [])
    #expect(outside.problem != nil && outside.nodes.first?.children.count == 1)
    let deep = ObjectFile(
      (Hex.bytes(Self.header) ?? [])
        + (0..<1_000).flatMap { _ in Hex.bytes("a0ffff000000000000") ?? [] })
    #expect(deep.problem != nil)
  }

  @Test func mutations() {
    for hex in [Self.ping, Self.prediction, Self.event] {
      let bytes = Hex.bytes(hex) ?? []
      for index in bytes.indices {
        #expect(ObjectFile(Array(bytes[..<index])).problem != nil)
        for bit in 0..<8 {
          var mutant = bytes
          mutant[index] ^= 1 << UInt8(bit)
          let file = ObjectFile(mutant)
          #expect(file.nodes.allSatisfy { Self.lies($0, inside: 0..<file.count) })
        }
      }
    }
  }

  private static func lies(_ node: ObjectNode, inside range: Range<Int>) -> Bool {
    node.range.lowerBound >= range.lowerBound && node.range.upperBound <= range.upperBound
      && node.children.allSatisfy { lies($0, inside: range) }
  }
}
