import HarkCapture
import HarkCore
import Testing

@testable import HarkRedact

/// The account of bytes, counted once more from both files.
@Suite struct AccountTests {
  /// - Parameter checks: How many bytes may be checks of a UART's frames, which count as structural.
  /// - Returns: What is wrong with an account of these bytes.
  private static func mistakes(
    _ list: RedactionList, _ old: [UInt8], _ new: [UInt8], checks: Int = 0
  ) -> [String] {
    let counts = list.bytes.reduce(into: [String: Int]()) { $0[$1.fate.description] = $1.count }
    var mistakes: [String] = []
    if counts.values.reduce(0, +) != new.count || old.count != new.count {
      mistakes.append("the account has not as many bytes as the file")
    }
    let changed = zip(old, new).count { $0 != $1 }
    let free = ["replaced", "recomputed", "removed"].reduce(checks) { $0 + counts[$1, default: 0] }
    if changed > free { mistakes.append("more bytes differ than were not structural") }
    if new.count(where: { $0 == 0 }) < counts["removed", default: 0] {
      mistakes.append("fewer bytes are zeros than were removed")
    }
    var text = TextBuffer()
    list.write("out", to: &text)
    let saysNothing = text.string.contains("replaced nothing")
    if saysNothing != list.removed.isEmpty || saysNothing && counts["replaced"] != 0 {
      mistakes.append("it says that nothing was replaced")
    }
    if !text.string.contains("each byte is accounted for") { mistakes.append("no proof") }
    return mistakes
  }

  @Test(
    arguments: ["pebble-session/pebble-session.btsnoop", "aap-session/aap-session.btsnoop"],
    RedactionLevel.allCases)
  func samples(_ path: String, _ level: RedactionLevel) throws {
    let file = try Samples.read(path)
    let redacted = try redact(file, level)
    #expect(Self.mistakes(redacted.list, file.bytes, redacted.bytes) == [])
  }

  /// Lengths in lengths are no text, also where five of them and of the headers of data elements are printable in a
  /// row: `3515/`. Core Specification, Vol 3, Part B, 3
  @Test(arguments: RedactionLevel.allCases)
  func lengthsStay(_ level: RedactionLevel) throws {
    let lengths: [UInt8] = [0x00, 0x33, 0x35, 0x31, 0x35, 0x2F, 0x09, 0x00, 0x01]
    let file = try Samples.read("hands-free/hands-free.btsnoop")
    let redacted = try redact(file, level)
    #expect(file.bytes.holds(lengths) && redacted.bytes.holds(lengths))
  }

  /// A header of PacketLogger is read in the byte order of its file, also where the length fits the seconds in the other
  /// one: 11 bytes follow the first three of the length and the first of the seconds.
  @Test(arguments: [[12, 0, 0, 0, 11, 0x8B, 0, 0x6B], [0, 0, 0, 12, 0x6B, 0, 0x8B, 11]])
  func lengthsInTheOtherByteOrder(_ start: [UInt8]) throws {
    let reset: [UInt8] = [0, 0x03, 0x0C, 0x00]
    let time: [UInt8] = start[0] == 0 ? [0, 0, 0x14, 0x30] : [0x30, 0x14, 0, 0]
    let file = (0..<4).flatMap { _ in start + time + reset }
    let redacted = try redact(CaptureBytes(file, name: "reset.pklg"), .strict)
    #expect(redacted.bytes == file && redacted.list.packets == 4)
  }

  /// Of a capture in which nothing is personal, all stays, and the account says that each byte is structural.
  /// With any byte behind it that nothing explains, it is no longer said.
  @Test(arguments: MadeCapture.Container.allCases, RedactionLevel.allCases)
  func nothingThere(_ container: MadeCapture.Container, _ level: RedactionLevel) throws {
    // HCI_Reset and its Command_Complete. Core Specification, Vol 4, Part E, 7.3.2 and 7.7.14
    func made(_ rest: [UInt8], inRecord: Bool = false) throws -> (RedactionList, [UInt8], [UInt8]) {
      var capture = MadeCapture(container)
      for _ in 0..<3 { capture.command(0x0C03, []) }
      capture.event(0x0E, [1, 3, 0x0C, 0] + (inRecord ? rest : []))
      let file = capture.bytes + (inRecord ? [] : rest)
      let redacted = try redact(CaptureBytes(file, name: "calm"), level)
      return (redacted.list, file, redacted.bytes)
    }
    let (list, file, out) = try made([])
    #expect(Self.mistakes(list, file, out) == [])
    #expect(out == file && list.removed.isEmpty)
    let structural = list.bytes.first { $0.fate.description == "structural" }?.count
    let isFramed = container == .h5 || container == .bcsp
    // What no format uses is removed, and was zeros already.
    let zeros = list.bytes.first { $0.fate.description == "removed" }?.count ?? 0
    #expect((structural ?? 0) + zeros == file.count && zeros < file.count / 2)
    for rest in [[0x5A], [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77]] as [[UInt8]] {
      let (list, file, out) = try made(rest, inRecord: true)
      #expect(Self.mistakes(list, file, out, checks: isFramed ? 8 : 0) == [])
      #expect(out != file)
    }
    guard !isFramed else { return }
    let (longer, behind, result) = try made([0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77])
    #expect(Self.mistakes(longer, behind, result) == [])
    #expect(result != behind)
  }
}
