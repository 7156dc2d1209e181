import Foundation
import HarkCapture
import Testing

@testable import HarkRedact

/// An address that a field names, written as text in a message that `share` keeps.
@Suite struct SpellingTests {
  private static let joints = [
    "", ":", "-", "_", " ", ",", ".", " 0x", ", 0x", ",0x", #"\x"#, "%", ", ", "', '", #"", ""#,
    #"\u00"#, ";&#x", "=",
  ]

  /// By the ways to write six bytes that logs, consoles, programs and URLs have.
  private static func spellings(_ address: [UInt8]) -> [String] {
    let pairs = address.map { String(format: "%02x", $0) }
    let digits = pairs.joined()
    var all = joints.map { pairs.joined(separator: $0) }
    for (size, separators) in [(4, " .:-"), (6, ":-"), (8, " ")] {
      for separator in separators {
        let groups = stride(from: 0, to: digits.count, by: size).map {
          digits.dropFirst($0).prefix(size)
        }
        all.append(groups.joined(separator: String(separator)))
      }
    }
    all += all.map { $0.uppercased().replacing("X", with: "x") } + ["{0x" + all[9] + "}"]
    all += [", ", ","].map { address.map { String($0) }.joined(separator: $0) }
    return all
  }

  /// A name in small or capital letters, or a mixture of both: names of devices end up so in messages.
  @Test(arguments: [
    ("Minna’s Ring", ["MINNA’S RING", "minna’s ring", "mInNa’S rInG"]),
    ("Älväs Öljy 7", ["ÄLVÄS ÖLJY 7", "älväs öljy 7"]), ("abcdefgh", ["ABCDEFGH", "Abcdefgh"]),
  ]) func otherLetters(_ name: String, _ others: [String]) throws {
    var capture = MadeCapture()
    // HCI_Remote_Name_Request_Complete. Core Specification, Vol 4, Part E, 7.7.7
    let field = Array(name.utf8) + [UInt8](repeating: 0, count: 248 - name.utf8.count)
    capture.event(7, [0, 1, 2, 3, 4, 5, 0x16] + field)
    let spelt =
      others.map { Array($0.utf8) }
      + others.filter { $0.allSatisfy(\.isASCII) }.map {
        Array($0.data(using: .utf16LittleEndian) ?? Data())
      }
    for text in spelt { capture.event(0xFF, [0x55, 7] + text + [7]) }
    let redacted = try redact(CaptureBytes(capture.bytes, name: "spelt"), .share)
    #expect(redacted.bytes.count == capture.bytes.count && redacted.bytes.holds([0x55, 7]))
    for (index, text) in spelt.enumerated() where redacted.bytes.holds(text) {
      Issue.record("\(index): \(String(decoding: text, as: UTF8.self))")
    }
    // What replaces it has the same letters, small and capital.
    let kept = redacted.bytes.suffix(from: redacted.bytes.count - spelt.last!.count - 1)
    #expect(kept.contains { $0 != 0 })
  }

  @Test func nothingIsLeft() throws {
    var dice = Dice(state: 19)
    for _ in 0..<8 {
      // As sent, least significant byte first.
      let address = dice.bytes(6)
      let texts = Self.spellings(address) + Self.spellings(address.reversed())
      var spelt: [[UInt8]] = texts.map { Array($0.utf8) }
      // Arrays and URLs are ASCII in practice.
      for text in texts where text.allSatisfy({ $0.isHexDigit || ":-_.".contains($0) }) {
        spelt += [
          Array(text.data(using: .utf16LittleEndian) ?? Data()),
          Array(text.data(using: .utf16BigEndian) ?? Data()),
        ]
      }
      var capture = MadeCapture()
      capture.event(3, [0, 0x40, 0] + address + [1, 0])
      // A vendor's events, which no one decodes.
      for text in spelt { capture.event(0xFF, [0x55, 7] + text + [7]) }
      let redacted = try redact(CaptureBytes(capture.bytes, name: "spelt"), .share)
      #expect(capture.bytes.holds(address) && !redacted.bytes.holds(address))
      #expect(redacted.bytes.count == capture.bytes.count)
      #expect(redacted.bytes.holds([0x55, 7]))
      for (index, text) in spelt.enumerated() where redacted.bytes.holds(text) {
        Issue.record("\(index): \(String(decoding: text, as: UTF8.self))")
      }
    }
  }
}
