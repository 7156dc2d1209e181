import Foundation
import HarkCapture
import HarkCore
import HarkDissection
import HarkLayout
import HarkSession
import HarkTestSupport
import Testing

/// Messages that a layout cuts from a stream of bytes: expected values are those of the streams
/// themselves, as the generator, tshark or the specification of the layout tells them.
@Suite struct StreamTests {
  struct Message {
    let bytes: [UInt8]
    let packets: [UInt32]
    let isReceived: Bool
  }

  struct Found {
    var messages: [Message] = []
    /// Rows of the timeline that are about bytes that make no message.
    var gaps: [Event] = []
    /// The packets whose bytes are not shown.
    var secret: Set<UInt32> = []
  }

  private struct Text: LayoutFiles {
    let text: String
    func text(at path: String) -> String? { text }
  }

  private static let root = Project.root.path

  /// All that the layout `text` finds in a capture, in order, whether a frame is one message or not.
  private static func find(_ text: String, in path: String) throws -> Found {
    let layout = try Layout.load("stream.ksy", from: Text(text: text))
    let entry = Entry(layout)
    var session = Session(catalog: Catalog.shared.adding([entry]))
    session.keepsFields = true
    var found = Found()
    var tree = Tree()
    func gaps(_ session: inout Session) {
      session.takeEvents { event in
        switch event.content {
        case .capture(.outOfStep), .capture(.incompletePDU): found.gaps.append(event)
        default: break
        }
      }
    }
    let file = try Capture(path: path)
    _ = file.forEachRecord { record, bytes in
      session.index(record, bytes)
      gaps(&session)
      guard let row = session.packets[UInt32(record.number)] else { return true }
      let isReceived = row.flags.contains(.received)
      session.takeFields(bytes, row, into: &tree)
      for node in tree.nodes where node.field == entry.layer {
        found.messages.append(
          Message(
            bytes: bytes.array(node.range), packets: [UInt32(record.number)],
            isReceived: isReceived))
      }
      for pdu in session.completed.all where pdu.entry === entry {
        found.messages.append(
          Message(
            bytes: Array(session.completed.bytes(of: pdu)),
            packets: Array(session.completed.packets(of: pdu)), isReceived: isReceived))
      }
      return true
    }
    session.finish()
    gaps(&session)
    for number in 1...session.packets.count
    where session.packets[UInt32(number)]?.flags.contains(.secret) == true {
      found.secret.insert(UInt32(number))
    }
    return found
  }

  private static func layout(_ place: String, header: Int, total: String, _ seq: String) -> String {
    """
    meta:
      id: stream
      endian: le
    -hark-attach:
      - \(place)
    -hark-stream:
      header: \(header)
      total: \(total)
    seq:
    \(seq)
    """
  }

  private static let seven = "  - id: all\n    size: 7"

  /// The 774 bytes that the app sends the speaker, in packets that know nothing of messages.
  @Test func externalAccessory() throws {
    let path = Self.root + "/captures/iap2-session/iap2-session.btsnoop"
    let found = try Self.find(
      Self.layout("ea-protocol: com.acme.speaker.control", header: 1, total: "7", Self.seven),
      in: path)
    let sent = found.messages.filter { !$0.isReceived }
    let received = found.messages.filter { $0.isReceived }
    #expect(sent.count == 774 / 7)
    #expect(received.count == 16 / 7)
    #expect(found.messages.allSatisfy { $0.bytes.count == 7 })
    // Six bytes came in a packet of their own: `hark streams` shows the pieces.
    #expect(sent.first?.packets.first == 149)
    #expect(sent.first?.packets.last == 165)
    // What is left is no message, which is reported once for each direction.
    let rest = found.gaps.compactMap { event -> Int? in
      if case .capture(.incompletePDU(let pdu)) = event.content { pdu.have } else { nil }
    }
    #expect(rest.sorted() == [774 % 7, 16 % 7].sorted())
  }

  /// The bytes of both stacks' SDUs, one after the other, are those of the messages.
  @Test func sdus() throws {
    let folder = Self.root + "/captures/coc-session"
    let found = try Self.find(
      Self.layout("l2cap-psm: 0x81", header: 1, total: "7", Self.seven),
      in: folder + "/coc-session.btsnoop")
    let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/truth.json"))
    let truth = try #require(
      try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let events = try #require(truth["events"] as? [[String: Any]])
    let sent = events.filter {
      $0["kind"] as? String == "sdu" && $0["direction"] as? String == "HostToAccessory"
    }.compactMap { $0["bytes"] as? String }.joined()
    let messages = found.messages.filter { !$0.isReceived }.flatMap(\.bytes)
    #expect(!messages.isEmpty)
    #expect(messages.count == sent.count / 2 / 7 * 7)
    #expect(sent.hasPrefix(messages.map { Self.hex($0) }.joined()))
  }

  /// A key in a message makes all packets of its stream secret, those that hold a part of a message, too:
  /// the places are those of the tests above.
  @Test(arguments: [
    ("ea-protocol: com.acme.speaker.control", "iap2-session"), ("l2cap-psm: 0x81", "coc-session"),
  ])
  func keysInMessages(_ place: String, _ name: String) throws {
    let path = Self.root + "/captures/\(name)/\(name).btsnoop"
    func find(_ personal: String) throws -> Found {
      try Self.find(Self.layout(place, header: 1, total: "7", Self.seven + personal), in: path)
    }
    let open = try find("")
    let packets = Set(open.messages.flatMap(\.packets))
    #expect(packets.count > 1 && packets.isDisjoint(with: open.secret))
    let closed = try find("\n    -hark-personal: key")
    #expect(closed.messages.map(\.bytes) == open.messages.map(\.bytes))
    #expect(packets.isSubset(of: closed.secret))
  }

  private static func hex(_ byte: UInt8) -> String {
    String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
  }

  // MARK: Real captures

  /// A real capture beside the project; nil, and a word, where there is none.
  private static func real(_ name: String) -> String? {
    let path = root + "/../shared/corpus/" + name
    if FileManager.default.fileExists(atPath: path) { return path }
    print("no corpus of real captures here: \(name) is skipped")
    return nil
  }

  /// Earbuds of OPPO: several messages in one frame. Expected: the payloads that tshark shows on
  /// DLCI 30, cut by hand.
  @Test func severalInAFrame() throws {
    guard let path = Self.real("Swastik36+OPPO-Earbuds/captures/btsnoop_fresh.log") else { return }
    let found = try Self.find(
      Self.layout(
        "rfcomm-channel: 15", header: 2, total: "len_body + 2",
        """
          - id: magic
            contents: [0xaa]
          - id: len_body
            type: u1
          - id: body
            size: len_body
        """), in: path)
    let sent = found.messages.filter { !$0.isReceived }
    #expect(sent.count == 46)
    #expect(sent.reduce(0) { $0 + $1.bytes.count } == 550)
    let frame = sent.filter { $0.packets == [522] }.map { $0.bytes.map { Self.hex($0) }.joined() }
    #expect(
      frame == [
        "aa0700000b01130000", "aa0700000301140000", "aa09000001011502000002",
        "aa0700000501160000",
      ])
    let received = found.messages.filter { $0.isReceived }
    #expect(received.count == 53)
    #expect(received.reduce(0) { $0 + $1.bytes.count } == 1332)
  }

  /// An amplifier that fills its frames of 20 bytes with zeros: a message takes two frames, and what
  /// follows in the second is none. Expected: as above, of channel 1.
  @Test func outOfStep() throws {
    guard let path = Self.real("nick0451+dsp408-tuner/captures/btsnoop_hci.log") else { return }
    let found = try Self.find(
      Self.layout(
        "rfcomm-channel: 1", header: 14, total: "len_body + 16",
        """
          - id: magic
            contents: [0x80, 0x80, 0x80, 0xee]
          - id: head
            size: 8
          - id: len_body
            type: u2
          - id: body
            size: len_body
          - id: tail
            size: 2
        """), in: path)
    let sent = found.messages.filter { !$0.isReceived }
    let received = found.messages.filter { $0.isReceived }
    #expect(sent.count == 1467)
    #expect(sent.reduce(0) { $0 + $1.bytes.count } == 23_600)
    #expect(received.count == 1460)
    #expect(received.reduce(0) { $0 + $1.bytes.count } == 46_180)
    let outOfStep = found.gaps.filter {
      if case .capture(.outOfStep) = $0.content { true } else { false }
    }
    #expect(outOfStep.count == 2)
  }
}
