import Foundation
import HarkCapture
import HarkCore
import HarkCrypto
import HarkProfile
import HarkSamples
import HarkSelection
import HarkSession
import Testing

@testable import HarkPresentation

/// What a capture holds cannot drive the reader's terminal: names and identifiers with escape
/// sequences come out escaped.
@Suite struct ControlCharacterTests {
  @Test(arguments: ["pebble-session", "notifbridge-v1"])
  func outputIsPlainText(_ name: String) throws {
    let truth = try Sample.truth(name)
    let events = try #require(truth["events"] as? [[String: Any]])
    let sessions = Set(events.compactMap { $0["sessionID"] as? String })
    let device = try #require(truth["accessoryName"] as? String)
    var bytes = Array(try Data(contentsOf: URL(filePath: path(name))))
    var replaced = 0
    for text in sessions.union([device]) {
      replaced += Self.replaceBeginning(of: Array(text.utf8), in: &bytes)
    }
    #expect(replaced > sessions.count)

    let capture = try Capture(bytes: bytes, name: "evil\u{1B}[2J")
    let text = try outputs(capture, keys: Sample.keys(name))
    #expect(text.contains("\\u001b[2J"))
    let controls = text.unicodeScalars.filter {
      $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t"
    }
    #expect(controls.isEmpty)
  }

  private func path(_ name: String) throws -> String {
    Sample.path(name, try Sample.firstFile(name))
  }

  /// Writes an escape sequence over the first bytes of each occurrence; gives how many there were.
  private static func replaceBeginning(of text: [UInt8], in bytes: inout [UInt8]) -> Int {
    let escape = Array("\u{1B}[2J".utf8)
    var count = 0
    var start = 0
    while let found = bytes[start...].firstRange(of: text) {
      bytes.replaceSubrange(found.prefix(escape.count), with: escape)
      start = found.upperBound
      count += 1
    }
    return count
  }

  /// What the commands for people print.
  private func outputs(_ capture: Capture, keys: KeyRing) throws -> String {
    var session = Session(keys: keys, framings: .known)
    session.keepsFields = true
    var frames = AllFrameEvents()
    var (timeline, report, line) = (Timeline(), CaptureReport(), PacketLine())
    var packet = PacketReading()
    var names = LinkNames()
    var out = TextBuffer()
    func drain(_ session: inout Session) {
      for event in session.events {
        timeline.write(event, session, to: &out)
        report.note(event)
      }
      session.dropEvents()
    }
    let end = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      packet.read(record, bytes, &session)
      frames.take(session, bytes)
      names.note(packet.row.link, session)
      out.write { line.write(packet, bytes, names, to: &$0) }
      drain(&session)
      return true
    }
    session.finish()
    frames.take(session, RawSpan())
    drain(&session)
    timeline.flush(to: &out)
    GATTReport().write(session, to: &out)
    report.write(name: capture.name, capture.info, end, session, style: .plain, to: &out)
    for events in frames.all {
      let frame = FrameView(events, session)
      FrameText().write(try #require(frame), session, to: &out)
    }
    return out.string
  }
}
