import FoundationEssentials
import HarkCore
import HarkTestSupport
import Testing

@testable import HarkCapture

private let formats = Project.captures.appending(path: "formats").path

@Suite struct BugReportTests {
  /// The records of a capture, each as a line, and how it ended.
  private static func read(_ capture: Capture) -> (lines: [String], end: CaptureEnd) {
    var lines: [String] = []
    let end = capture.forEachRecord { record, bytes in
      lines.append(
        "\(record.kind) \(record.direction) \(record.time.nanoseconds) "
          + "\(record.originalCount) \(Hex.text(bytes.array))")
      return true
    }
    return (lines, end)
  }

  /// The reports hold the packets of h4.btsnoop: a script of its own has written them from it.
  @Test(
    arguments: [
      ("bugreport-v1.txt", "btsnooz 1 in a bug report"),
      ("bugreport-v2.txt", "btsnooz 2 in a bug report"),
      ("bugreport-text.zip", "btsnooz 2 in a bug report"),
      ("bugreport-logs.zip", "btsnoop_hci.log.last, btsnoop_hci.log in a bug report"),
    ])
  func samePackets(_ file: String, _ origin: String) throws {
    let original = Self.read(try Capture(path: formats + "/h4.btsnoop"))
    #expect(original.lines.count == 64)
    let capture = try Capture(path: formats + "/" + file)
    #expect(capture.info.format == "btsnoop 1002 (H4), " + origin)
    #expect(capture.canReadBack)
    let found = Self.read(capture)
    #expect(found.lines == original.lines)
    #expect("\(found.end)" == "\(original.end)")
  }

  @Test func aPartOfAReport() throws {
    let text = try String(contentsOfFile: formats + "/bugreport-v2.txt", encoding: .utf8)
    let start = try #require(text.range(of: "--- BEGIN"))
    // Windows' ends of lines are in reports that were mailed.
    let part = text[start.lowerBound...].replacing("\n", with: "\r\n")
    let capture = try Capture(bytes: Array(part.utf8), name: "part")
    #expect(Self.read(capture).lines.count == 64)
  }

  @Test func aReportWithoutALog() {
    let text = "========\n== dumpstate: 2026-11-20 17:00:00\n========\n"
    #expect {
      try Capture(bytes: Array(text.utf8), name: "report")
    } throws: {
      "\($0)".contains("expected one, found a bug report without a Bluetooth log; turn on")
    }
  }

  /// What is cut or changed anywhere never traps, and never gives more than there was.
  @Test(arguments: [
    "bugreport-v1.txt", "bugreport-v2.txt", "bugreport-text.zip", "bugreport-logs.zip",
  ])
  func damage(_ file: String) throws {
    let whole = [UInt8](try Data(contentsOf: URL(filePath: formats + "/" + file)))
    var opened = 0
    for index in stride(from: 0, to: whole.count, by: 97) {
      var changed = whole
      changed[index] ^= 0x55
      for bytes in [Array(whole[..<index]), changed] {
        guard let capture = try? Capture(bytes: bytes, name: "damaged") else { continue }
        #expect(Self.read(capture).lines.count <= 64)
        opened += 1
      }
    }
    #expect(opened > 0)
  }

  @Test func savedAsText() throws {
    let whole = [UInt8](try Data(contentsOf: URL(filePath: formats + "/h4.btsnoop")))
    let replaced = Array(String(decoding: whole, as: UTF8.self).utf8)
    #expect {
      try Capture(bytes: replaced, name: "log")
    } throws: {
      "\($0)".contains(
        "found a btsnoop file that was saved as text: octets above 0x7f were replaced")
    }
    // As Latin-1 that was written as UTF-8, with and without a mark in front, and as UTF-16.
    let text = String(String.UnicodeScalarView(whole.map { Unicode.Scalar($0) }))
    let recoded = Array(text.utf8)
    let widened = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as [UInt8] }
    let forms: [(bytes: [UInt8], text: String)] = [
      (recoded, "in UTF-8"), ([0xEF, 0xBB, 0xBF] + recoded, "in UTF-8"),
      ([0xFF, 0xFE] + widened, "in UTF-16"),
    ]
    for form in forms {
      #expect {
        try Capture(bytes: form.bytes, name: "log")
      } throws: {
        "\($0)".contains("found a btsnoop file that was saved as text, \(form.text)")
      }
    }
    var wide: [UInt8] = [0xFF, 0xFE]
    for octet in "== dumpstate".utf8 { wide += [octet, 0] }
    #expect {
      try Capture(bytes: wide, name: "report")
    } throws: {
      "\($0)".contains("found a text in UTF-16")
    }
    // Each LF with a CR in front, of which there are enough in some captures only.
    let many = whole + whole + whole + whole + whole + whole + whole + whole
    let translated = many.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    #expect(translated.count - many.count >= 16)
    #expect {
      try Capture(bytes: translated, name: "log")
    } throws: {
      "\($0)".contains("every LF became CR LF")
    }
    #expect(throws: Never.self) { try Capture(bytes: whole, name: "log") }
  }

  /// Answers to AT commands end in CR LF, and a capture may hold no other LF.
  @Test func endsOfLinesInPacketsAreNoDamage() {
    let answer = Bytes.hex("02 4020 0c00 0800 4100 09ff 09 01") + .text("\r\nOK\r\n") + .hex("5c")
    let records = (0..<20).map { _ in Snoop.record(answer, flags: 1, time: 0x0101_0101) }
    let reading = Reading(Snoop.file(1002, records))
    #expect(reading.error == nil)
    #expect(reading.lines.count == 20)
  }
}
