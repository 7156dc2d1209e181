import HarkCore
import HarkLayout
import HarkSession
import Testing

@testable import HarkProfile

/// What profiles say about messages that layouts read: keys, checks, texts, and what does not fit.
@Suite struct LayoutPlaintextTests {
  private static let layout = """
    meta: {id: acme, endian: be}
    seq:
      - {id: kind, type: u1}
      - {id: len_body, type: u1}
      - {id: body, size: len_body, type: body}
    instances:
      whole: {pos: 0, size: 2}
    types:
      body:
        seq:
          - {id: pin, size: 2, -hark-personal: key}
          - {id: peer, size: 6, -hark-format: address-be}
          - id: level
            type: u1
            valid: {max: 100}
          - {id: title, type: str, encoding: UTF-8, size-eos: true}

    """

  private static func framing(_ plaintext: String, channel: String = "raw") throws
    -> any VendorFraming
  {
    let profile = """
      profile: {id: acme, name: Acme}
      channels:
        - l2cap-psm: 0x83
          from: phone
          encoding: \(channel)
          messages:
            - is: nothing
      plaintext:
        - encoding: \(plaintext)
          messages:
            - when: body.title.exists
              is: notification.add
              title: body.title

      """
    let files = MadeFiles(texts: ["profile.yaml": profile, "acme.ksy": Self.layout])
    return try Profile.load("profile.yaml", from: files).framing
  }

  /// A pin, the address E2:4F:2A:22:22:22, the level 101, and a text that begins with ff, which UTF-8 does not have.
  private static let message: [UInt8] =
    [1, 11, 0x50, 0x49, 0xE2, 0x4F, 0x2A, 0x22, 0x22, 0x22, 101, 0xFF, 0x41]

  @Test func decoded() throws {
    let decoded = try Self.framing("acme.ksy")
      .decode(plaintext: Self.message, direction: .hostToAccessory)
    #expect(!decoded.isSecret && decoded.secrets == [2..<4] && !decoded.isOpen)
    #expect(decoded.fields.map(\.name) == ["Kind", "Body", "Pin", "Peer", "Level", "Title"])
    #expect(decoded.fields.flatMap { Array($0.range) } == Array(Self.message.indices))
    let (pin, peer, title) = (decoded.fields[2], decoded.fields[3], decoded.fields[5])
    #expect(pin.value == .bytes(2..<4))
    #expect(peer.value == .address(0xE24F_2A22_2222))
    #expect(title.value == .text("\u{FFFD}A"))
    #expect(
      decoded.notes.map(\.words) == [
        "warning: byte 10: Level is above the maximum of its layout",
        "warning: bytes 11 to 12: Title is not in the encoding of its text",
      ])
    guard case .add(let notification) = decoded.contents.first else {
      Issue.record("no notification")
      return
    }
    #expect(notification.title == "\u{FFFD}A")
  }

  /// Valid UTF-8 stays text, whatever characters it has.
  @Test(arguments: ["\u{FFFD}\u{FFFD}?", "\u{1}", "\u{7F}", "a\0b\0"]) func texts(_ text: String)
    throws
  {
    let bytes = Self.message.prefix(10) + [50] + Array(text.utf8)
    let message = [1, UInt8(bytes.count - 2)] + Array(bytes.dropFirst(2))
    let decoded = try Self.framing("acme.ksy")
      .decode(plaintext: message, direction: .hostToAccessory)
    #expect(decoded.fields.last?.value == .text(text))
    #expect(decoded.notes.isEmpty)
  }

  /// The field that does not fit, at its own place, and the part that is too short for it.
  @Test func tooShort() throws {
    let short: [UInt8] = [1, 3, 0x50, 0x49, 0xE2]
    let decoded = try Self.framing("acme.ksy")
      .decode(plaintext: short, direction: .hostToAccessory)
    #expect(decoded.problem == .tooShort(field: "Peer", offset: 4, needed: 6, available: 1))
    #expect(decoded.secrets.contains { $0.overlaps(4..<5) })
    let framing = try Self.framing("raw", channel: "acme.ksy")
    var assembler = framing.makeAssembler()
    let framed = assembler.receive(
      VendorValue(
        frames: [PacketID(1)], time: Timestamp(microseconds: 1), channel: .psm(0x83),
        toServer: true, operation: .data, bytes: short))
    guard case .unreadable(let message)? = framed.first?.content else {
      Issue.record("\(framed)")
      return
    }
    #expect(
      message.problem
        == .tooShort(field: "Peer", offset: 4, needed: 6, available: 1, within: "Body"))
    #expect(
      message.problem.words.text == "Peer needs 6 bytes at byte 4, 1 available in Body")
    #expect(message.bytes.isEmpty)
    #expect(framing.carriesKeys(.psm(0x83)))
    #expect(try !Self.framing("raw").carriesKeys(.psm(0x83)))
  }

  @Test(arguments: [
    (#"{"t":"q"}"#, FramingProblem.unknownObject(members: ["t"])),
    ("{}", .unknownObject(members: [])), ("[]", .unknownArray(items: 0)), ("null", .scalarJSON),
    (" 12 ", .scalarJSON), ("nul", .notJSON(offset: 0)),
  ]) func unknownJSON(_ text: String, _ problem: FramingProblem) throws {
    let decoded = try Self.framing("json")
      .decode(plaintext: Array(text.utf8), direction: .hostToAccessory)
    #expect(decoded.problem == .json(problem))
  }

  /// 32 bytes may be a private key of either suite.
  @Test(arguments: [("", true), ("cipher-suite: P256", false), ("public-key: _", false)])
  func privateKeys(_ suite: String, _ isRefused: Bool) throws {
    let profile = """
      profile: {id: acme, name: Acme}
      channels:
        - l2cap-psm: 0x83
          secret: true
          encoding: raw
          messages:
            - is: security.private-key
              key: _
              \(suite)

      """
    let files = MadeFiles(texts: ["profile.yaml": profile])
    do {
      _ = try Profile.load("profile.yaml", from: files)
      #expect(!isRefused)
    } catch {
      #expect(isRefused && "\(error.diagnostics)".contains("cipher-suite"))
    }
  }

  /// A counter and a length are left out of how messages begin, if the kind of the message is not.
  @Test func beginnings() {
    let place = SearchedBytes.Place(channel: 0, toServer: true, expression: "_")
    func piece(_ kind: UInt8, _ counter: UInt8, size: Int) -> SearchedBytes {
      SearchedBytes(
        place: place,
        bytes: [0xA5, kind, counter, UInt8(size)] + [UInt8](repeating: 0, count: size),
        frame: UInt32(counter))
    }
    let pieces = [piece(2, 1, size: 100)] + (2..<9).map { piece(3, $0, size: 40 + Int($0)) }
    var key = KeySearch.Part(place: place, offset: 4, count: 65, prefix: [0xA5, 2, 1, 100])
    key.leaveOutVarying(of: pieces)
    #expect(
      key.condition(beside: [], []) == "_.size >= 69 and _.slice(0, 2) == [0xa5, 0x02]")
  }
}
