import HarkCapture
import HarkCore
import HarkSamples
import HarkSession
import Testing

@testable import HarkPresentation

/// The list of streams, over captures and over parts of them.
@Suite struct StreamsReportTests {
  private func text(_ name: String, width: Int? = nil) throws -> [String] {
    let session = try Sample.read(name, Sample.firstFile(name)) { _, _ in }
    var out = TextBuffer()
    StreamsReport(style: Style(isColored: false, width: width)).write(session, to: &out)
    return out.string.split(separator: "\n").map(String.init)
  }

  /// Lines are broken at the width that is asked for, and say the same words.
  @Test(arguments: [("hands-free", 88), ("iap2-session", 100)])
  func keepsToTheWidth(_ name: String, _ width: Int) throws {
    let wide = try text(name)
    let narrow = try text(name, width: width)
    #expect(wide.contains { $0.count > width })
    #expect(narrow.allSatisfy { $0.count <= width && $0.last != " " })
    func letters(_ lines: [String]) -> [Character] {
      lines.joined().filter { $0 != " " }.sorted()
    }
    #expect(letters(narrow) == letters(wide))
  }

  /// A capture that begins after signaling was opened: what is reported for the stream is what the whole
  /// capture tells from there on.
  @Test func audioFromTheMiddle() throws {
    func reported(from first: Int) throws -> (sentences: [String], session: String) {
      let capture = try Capture(path: Sample.path("a2dp-session", "a2dp-session.btsnoop"))
      var session = Session()
      var sentences: [String] = []
      var number = 0
      _ = capture.forEachRecord { record, bytes in
        number += 1
        if number < first { return true }
        session.index(record, bytes)
        for event in session.events {
          if case .audio = event.content { sentences.append(EventText.sentence(event, session)) }
        }
        session.takeEvents { _ in }
        return true
      }
      session.finish()
      var out = TextBuffer()
      StreamsReport().write(session, to: &out)
      return (sentences, out.string)
    }
    let whole = try reported(from: 1).sentences
    let middle = try reported(from: 63)
    #expect(middle.sentences.first?.hasPrefix("AVDTP on CID 0x0040") == true)
    #expect(Array(middle.sentences.dropFirst()) == whole)
    #expect(middle.session.contains("AVDTP (PSM 0x0019), inferred"))
    // After AVDTP_OPEN, before the channel it was for: the media tell.
    let late = try reported(from: 125)
    #expect(late.sentences.contains { $0.hasPrefix("media packets on CID") })
  }
}
