import HarkCapture
import HarkCore
import HarkProfile
import HarkSamples
import HarkSelection
import HarkSession
import Testing

@testable import HarkPresentation

/// Keys in packets that do not say so: the place is learnt later, or the beginning is missing.
@Suite struct LateSecretsTests {
  /// Bytes of a key, which no output may hold.
  static let key = "f1 e2 d3 c4 b5 a6 97 88"
  /// NotifBridge's characteristic that carries a private key, least significant octet first.
  static let type = "46 8c 6d 1e 0a 3f 5c 9b 12 4f 8e 7d 7a 2b e1 d5"

  /// An ACL packet of link 0x0040; a piece of a PDU that began before is `continuing`.
  private static func acl(_ data: String, received: Bool, continuing: Bool = false) -> [UInt8] {
    let bytes = Hex.bytes(data) ?? []
    let flags: UInt8 = continuing ? 0x10 : received ? 0x20 : 0
    return [0x40, flags, UInt8(bytes.count), 0] + bytes
  }

  private static func att(_ pdu: String) -> String {
    let bytes = Hex.bytes(pdu) ?? []
    return Hex.text([UInt8(bytes.count), 0, 4, 0] + bytes)
  }

  private static let discovery: [(Bool, [UInt8])] = [
    (false, acl(att("08 01 00 ff ff 03 28"), received: false)),
    (true, acl(att("09 15 02 00 0a 03 00 \(type)"), received: true)),
  ]

  /// What `show` and `gatt` say about a whole capture, and the lines of its packets.
  private func outputs(
    _ packets: [(received: Bool, bytes: [UInt8])], cut: Int? = nil
  ) throws -> (later: String, lines: String) {
    var session = Session(framings: .known)
    session.keepsFields = true
    var (frames, lines) = (AllFrameEvents(), TextBuffer())
    var (line, json) = (PacketLine(), PacketJSON())
    var packet = PacketReading()
    var names = LinkNames()
    for (index, (received, bytes)) in packets.enumerated() {
      var record = CaptureRecord()
      record.kind = .acl
      record.direction = received ? .controllerToHost : .hostToController
      record.count = bytes.count
      record.originalCount = bytes.count + (index == cut ? 4 : 0)
      session.index(record, bytes.raw)
      packet.read(record, bytes.raw, &session)
      frames.take(session, bytes.raw)
      session.dropEvents()
      names.note(packet.row.link, session)
      lines.write {
        line.write(packet, bytes.raw, names, to: &$0)
        json.write(packet, bytes.raw, names, to: &$0)
      }
    }
    session.finish()
    var later = TextBuffer()
    GATTReport().write(session, to: &later)
    GATTReport().writeJSON(session, to: &later)
    for events in frames.all {
      let view = FrameView(events, session)
      let frame = try #require(view)
      FrameText().write(frame, session, to: &later)
      frame.writeJSON(session, to: &later)
    }
    return (later.string, lines.string)
  }

  private func holdsKey(_ text: String) -> Bool {
    let words = text.lowercased()
    return words.contains("f1 e2 d3") || words.contains("f1e2d3") || words.contains("97 88")
      || words.contains("9788")
  }

  @Test func placeLearntLater() throws {
    let write = (false, Self.acl(Self.att("12 03 00 \(Self.key)"), received: false))
    let read = [
      (false, Self.acl(Self.att("0a 03 00"), received: false)),
      (true, Self.acl(Self.att("0b \(Self.key)"), received: true)),
    ]
    let notified = (true, Self.acl(Self.att("1b 03 00 \(Self.key)"), received: true))
    let pieces = [
      (false, Self.acl("0b 00 04 00 12 03 00 f1 e2 d3", received: false)),
      (false, Self.acl("c4 b5 a6 97 88", received: false, continuing: true)),
    ]
    for packets in [[write], read, [notified], pieces] {
      #expect(try holdsKey(outputs(packets).later))
      #expect(try !holdsKey(outputs(packets + Self.discovery).later))
    }
    // Other attributes are shown.
    let other = (true, Self.acl(Self.att("1b 09 00 \(Self.key)"), received: true))
    #expect(try holdsKey(outputs([other] + Self.discovery).later))
  }

  @Test func beginningIsMissing() throws {
    let orphan = (false, Self.acl(Self.key, received: false, continuing: true))
    let (later, lines) = try outputs(Self.discovery + [orphan])
    #expect(!holdsKey(later))
    #expect(!holdsKey(lines))
    #expect(try !holdsKey(outputs([orphan] + Self.discovery).later))
    #expect(try holdsKey(outputs([orphan]).later))
    // Keys of the pairing itself. Core Specification, Vol 3, Part H, 3.5.1.
    let request = (false, Self.acl("07 00 06 00 01 03 00 01 10 03 03", received: false))
    #expect(try !holdsKey(outputs([request, orphan]).lines))
  }

  @Test func recorderCutIt() throws {
    let first = (false, Self.acl("1f 00 04 00 12 03 00 \(Self.key)", received: false))
    let next = (false, Self.acl(Self.key, received: false, continuing: true))
    for (packets, cut) in [([first, next], 2), ([first, next], 3)] {
      let (later, lines) = try outputs(Self.discovery + packets, cut: cut)
      #expect(!holdsKey(later))
      #expect(!holdsKey(lines))
    }
  }
}
