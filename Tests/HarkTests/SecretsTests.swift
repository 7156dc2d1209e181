import Foundation
import HarkCapture
import HarkCore
import HarkDissection
import HarkFindings
import HarkProfile
import HarkSamples
import HarkSelection
import HarkSession
import HarkTestSupport
import Testing

@testable import HarkCrypto
@testable import HarkPresentation

/// Keys appear in no output of any command: only their fingerprints do. Each sample is read from one of
/// its files every day.
@Suite struct SecretsTests {
  @Test(arguments: Sample.all + Sample.headphones + Sample.vendors)
  func noOutputHoldsAKey(_ name: String) throws {
    for file in DailyPart.of(try #require(Sample.truth(name)["files"] as? [String]), oneIn: 4) {
      let capture = try Capture(path: Sample.path(name, file))
      var run = try run(capture, keys: Sample.keys(name))
      run.outputs += try Self.streams(name, file)
      var finder = try KeyFinder(name, run.keys.secrets)
      #expect(!finder.isEmpty)
      var raw = TextBuffer()
      raw.append(try Data(contentsOf: URL(filePath: Sample.path(name, file))).flatMap(Self.hex))
      #expect(finder.find(raw) != nil, "the capture itself should hold a key")
      for (what, text) in run.outputs {
        if let found = finder.find(text) {
          Issue.record("\(file), \(what): \(found), \(DailyPart.note)")
        }
      }
    }
  }

  /// Every stream of a capture in every form of `hark streams`, and the list of them.
  private static func streams(_ name: String, _ file: String) throws -> [(String, TextBuffer)] {
    var outputs: [(String, TextBuffer)] = []
    var count: UInt32 = 1
    var number: UInt32 = 0
    while number < count {
      number += 1
      let capture = try Capture(path: Sample.path(name, file))
      var session = Session(keys: try Sample.keys(name), framings: .known)
      session.followed = StreamID(number: number)
      let forms: [StreamContent.Form] = [.hex, .conversation, .json, .raw]
      var contents = forms.map { StreamContent($0) }
      var texts = [TextBuffer](repeating: TextBuffer(), count: forms.count)
      _ = capture.forEachRecord { record, bytes in
        session.index(record, bytes)
        for piece in session.pieces {
          for index in forms.indices {
            contents[index].write(piece, session, to: &texts[index])
          }
        }
        session.dropEvents()
        return true
      }
      session.finish()
      for index in forms.indices { contents[index].finish(to: &texts[index]) }
      let raw = texts[3].bytes.flatMap(hex)
      texts[3].clear()
      texts[3].append(raw)
      outputs += zip(forms, texts).map { ("streams \(number) \($0)", $1) }
      if number == 1 {
        var list = TextBuffer()
        StreamsReport().write(session, to: &list)
        StreamsReport().writeJSON(session, to: &list)
        outputs.append(("streams", list))
        count = UInt32(session.streams.count)
      }
      // What went over it is there, but for what holds keys.
      if number <= count, session.streams[Int(number) - 1].bytes != [0, 0] {
        #expect(!texts[0].bytes.isEmpty)
      }
    }
    return outputs
  }

  /// Neither do the fragments of a PDU with a key, which are shown before it is whole. One of the sizes each day.
  @Test(
    arguments: ["notifbridge-v1", "notifbridge-v0", "pebble-rekey"] + Sample.headphones,
    DailyPart.of([5, 9, 27], oneIn: 3))
  func noFragmentHoldsAKey(_ name: String, _ size: Int) throws {
    let capture = try Capture(path: Sample.path(name, Sample.firstFile(name)))
    var session = Session(keys: try Sample.keys(name), framings: .known)
    session.keepsFields = true
    session.followed = StreamID(number: 1)
    var content = StreamContent(.hex)
    var frames = AllFrameEvents()
    var (line, json) = (PacketLine(), PacketJSON())
    var packet = PacketReading()
    var names = LinkNames()
    var (text, count) = (TextBuffer(), 0)
    _ = capture.forEachRecord { record, bytes in
      for piece in Self.fragments(bytes.array, of: record.kind, size) {
        var part = copy record
        (part.offset, part.count) = (Int64(count), piece.count)
        part.originalCount = piece.count
        session.index(part, piece.raw)
        packet.read(part, piece.raw, &session)
        frames.take(session, piece.raw)
        session.dropEvents()
        names.note(packet.row.link, session)
        text.write {
          line.write(packet, piece.raw, names, to: &$0)
          json.write(packet, piece.raw, names, to: &$0)
        }
        for piece in session.pieces { content.write(piece, session, to: &text) }
        count += piece.count
      }
      return true
    }
    session.finish()
    frames.take(session, RawSpan())
    #expect(!session.keys.entries.isEmpty)
    var finder = try KeyFinder(name, session.keys.secrets)
    #expect(finder.find(text) == nil)
    for events in frames.all {
      text.clear()
      let frame = FrameView(events, session)
      try #require(frame).writeJSON(session, to: &text)
      if let found = finder.find(text) { Issue.record("show \(events.packet.number): \(found)") }
    }
  }

  /// An ACL packet as a controller with small buffers would take it; `size` bytes of data in each.
  private static func fragments(
    _ packet: [UInt8], of kind: PacketKind, _ size: Int
  ) -> [[UInt8]] {
    guard kind == .acl, packet.count > 4 + size, packet[1] & 0x30 != 0x10 else { return [packet] }
    return stride(from: 4, to: packet.count, by: size).map { start in
      let data = packet[start..<min(packet.count, start + size)]
      let flags = start == 4 ? packet[1] : packet[1] & 0xCF | 0x10
      return [packet[0], flags, UInt8(data.count), 0] + data
    }
  }

  /// The search finds what it is made for.
  @Test(arguments: [
    "f1 e2 d3 c4 b5 a6 97 88", "88:97:A6:B5:C4:D3:E2:F1", "x0f1e2d3c4b5a697887",
    "no f1 e2 d3 c4 b5 a6 97  88",
  ])
  func search(_ text: String) {
    var finder = KeyFinder([0x79, 0xF1, 0xE2, 0xD3, 0xC4, 0xB5, 0xA6, 0x97, 0x88])
    var buffer = TextBuffer()
    buffer.string(text)
    let isKey = text.hasPrefix("f") || text.hasPrefix("8") || text.hasPrefix("x")
    #expect((finder.find(buffer) != nil) == isKey)
    buffer.clear()
    buffer.string("efHi08S1ppeI")
    #expect(finder.find(buffer) != nil)
  }

  private static func hex(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  /// A column for each field there is. To find them all takes long, so it is done once; each test
  /// writes with a copy.
  /// Its texts are made when they are first met, and all cases share them.
  private static let turn = NSLock()
  private nonisolated(unsafe) static let columns: PacketColumns? = {
    let valued = Catalog.shared.paths.filter { $0.field.definition.form.hasValue }
    return try? PacketColumns(Array(Set(valued.map(\.path))).sorted())
  }()

  /// What all commands print, and the keys that the session knew at the end.
  private func run(
    _ capture: Capture, keys: KeyRing
  ) throws -> (outputs: [(String, TextBuffer)], keys: KeyRing) {
    var outputs: [(String, TextBuffer)] = []
    var session = Session(keys: keys, framings: .known)
    session.keepsFields = true
    var frames = AllFrameEvents()
    var texts = [TextBuffer](repeating: TextBuffer(), count: 6)
    let remarks = RecordRemarks(holdsPlaintexts: true)
    var timeline = Timeline()
    var report = CaptureReport()
    var found = Findings()
    var (line, json) = (PacketLine(), PacketJSON())
    var columns = try #require(Self.columns)
    var packet = PacketReading()
    var names = LinkNames()
    func take(_ session: inout Session) {
      for event in session.events {
        timeline.write(event, session, to: &texts[0])
        TimelineJSON().write(event, session, to: &texts[1])
        report.note(event)
        found.take(event, session)
      }
      session.dropEvents()
    }
    let end = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      packet.read(record, bytes, &session)
      frames.take(session, bytes)
      names.note(packet.row.link, session)
      texts[2].write { line.write(packet, bytes, names, to: &$0) }
      texts[3].write { json.write(packet, bytes, names, to: &$0) }
      Self.turn.lock()
      texts[4].write { columns.write(packet, bytes, names, to: &$0) }
      Self.turn.unlock()
      remarks.comments(session) { texts[5].string($1) }
      take(&session)
      return true
    }
    session.finish()
    frames.take(session, RawSpan())
    take(&session)
    found.finish(session)
    timeline.flush(to: &texts[0])
    let titles = [
      "timeline", "timeline json", "packets", "packets json", "packets tsv", "comments of convert",
    ]
    outputs += zip(titles, texts)
    outputs += try shown(frames, session)
    outputs += Self.findings(found, session, end)
    var pages = [TextBuffer](repeating: TextBuffer(), count: 4)
    GATTReport().write(session, to: &pages[0])
    GATTReport().writeJSON(session, to: &pages[1])
    report.write(name: "made", capture.info, end, session, style: .plain, to: &pages[2])
    report.writeJSON(name: "made", capture.info, end, session, to: &pages[3])
    outputs += zip(["gatt", "gatt json", "info", "info json"], pages)
    return (outputs, session.keys)
  }

  /// Findings in every format.
  private static func findings(
    _ found: Findings, _ session: borrowing Session, _ end: CaptureEnd
  ) -> [(String, TextBuffer)] {
    let writers: [(String, any FindingsWriter)] = [
      ("text", FindingsText()), ("json", FindingsJSON()), ("junit", FindingsJUnit()),
      ("sarif", FindingsSARIF(version: "1", rules: found.descriptions)),
    ]
    return writers.map { name, writer in
      var (writer, text) = (writer, TextBuffer())
      writer.begin(to: &text)
      writer.write("made", found, session, end, to: &text)
      writer.finish(to: &text)
      return ("findings \(name)", text)
    }
  }

  /// Every packet as `hark show` writes it.
  private func shown(
    _ frames: AllFrameEvents, _ session: borrowing Session
  ) throws -> [(String, TextBuffer)] {
    var outputs: [(String, TextBuffer)] = []
    for events in frames.all {
      let number = events.packet.number
      let view = FrameView(events, session)
      let frame = try #require(view)
      var (text, json) = (TextBuffer(), TextBuffer())
      FrameText().write(frame, session, to: &text)
      frame.writeJSON(session, to: &json)
      outputs += [("show \(number)", text), ("show \(number) json", json)]
    }
    return outputs
  }
}

extension KeyRing {
  fileprivate var secrets: [[UInt8]] {
    accessoryKeys.map { unsafe $0.secret.withBytes { unsafe Array($0) } }
  }
}
