import HarkCapture
import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// AAP on channels whose beginning is not in the capture.
@Suite struct AAPShapeTests {
  static let ears = "04 00 04 00 06 00 00 01"
  static let mode = "04 00 04 00 09 00 0d 02 00 00 00"
  static let battery = "04 00 04 00 04 00 01 04 01 64 01 01"
  static let keys =
    "04 00 04 00 31 00 01 01 00 10 00 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f"

  private func reported(_ records: [MadeRecord]) -> [String] {
    var reported: [String] = []
    _ = MadeRecord.session(records) { session, _ in
      for event in session.events {
        if case .accessoryProtocol(let content) = event.content {
          reported.append("\(content)".prefix { $0 != "(" } + " \(event.frames.first.number)")
        }
      }
      session.dropEvents()
    }
    return reported
  }

  private func sent(_ pdus: [String], on cid: UInt16 = 0x41, received: Bool = true) -> [MadeRecord]
  {
    pdus.map { MadeRecord.pdu(cid, $0, received: received) }
  }

  @Test func takesThreeMessages() {
    #expect(reported(sent([Self.ears, Self.mode])) == [])
    #expect(
      reported(sent([Self.ears, Self.mode, Self.battery])) == [
        "recognized 1", "accessoryControl 1", "setting 2", "battery 3",
      ])
  }

  /// Once recognized, a single message tells the CID of the other direction.
  @Test func findsTheOtherDirection() {
    let records =
      sent([Self.ears, Self.mode, Self.battery])
      + sent(["04 00 04 00 09 00 0d 03 00 00 00"], on: 0x52, received: false)
    #expect(reported(records).last == "setting 4")
    let session = MadeRecord.session(records)
    let channels = session.channels
    #expect(channels.count == 1)
    #expect(channels.first?.localCID == 0x41)
    #expect(channels.first?.remoteCID == 0x52)
    #expect(channels.first?.knownPSM == nil)
    #expect(channels.first?.isInferred == true)
    for number in UInt32(1)...4 { #expect(session.packets[number]?.channel == ChannelID(0)) }
  }

  /// What the other direction had before, and opcodes that no one has explained, belong to the channel as
  /// soon as one direction is recognized.
  @Test func takesBothDirections() {
    let request = sent(["04 00 04 00 09 00 0d 03 00 00 00"], on: 0x52, received: false)
    let before = MadeRecord.session(request + sent([Self.ears, Self.mode, Self.battery]))
    var channels = before.channels
    #expect(channels.first?.localCID == 0x41)
    #expect(channels.first?.remoteCID == 0x52)
    #expect(channels.first?.opened == PacketID(1))
    for number in UInt32(1)...4 { #expect(before.packets[number]?.channel == ChannelID(0)) }
    let unknown = sent(["04 00 04 00 7f 00 00 00"], on: 0x52, received: false)
    let after = MadeRecord.session(sent([Self.ears, Self.mode, Self.battery]) + unknown)
    channels = after.channels
    #expect(channels.first?.remoteCID == 0x52)
    #expect(after.packets[4]?.channel == ChannelID(0))
    let other = sent(["01 02 03 04 05 06"], on: 0x53, received: false)
    channels = MadeRecord.session(sent([Self.ears, Self.mode, Self.battery]) + other).channels
    #expect(channels.first?.remoteCID == 0)
  }

  @Test func takesMessagesThatNobodyHasExplainedBetween() {
    let odd = "04 00 04 00 7f 00 00 00"
    #expect(
      reported(sent([Self.ears, odd, Self.mode, Self.battery])) == [
        "recognized 1", "accessoryControl 1", "setting 3", "battery 4",
      ])
  }

  @Test(arguments: [
    "04 00 04 00 06 00 00 04", "04 00 04 00 06 00 00",
    "04 00 04 00 09 00 7f 02 00 00 00", "04 00 04 00 04 00 02 04 01 64 01 01", "01 02 03 04 05 06",
    "04 00 04 00 0e 00 01 02 03 04 05 06 03", "04 00 04 00 2e 00 00 00 02 01 02 03 04 05 06 01 02",
  ])
  func oneMessageThatDoesNotFitClears(_ odd: String) {
    let right = [Self.ears, Self.mode, Self.battery]
    #expect(reported(sent([Self.ears, Self.mode, odd] + right)) == [])
    #expect(reported(sent([Self.ears, odd] + right + right)) == [])
  }

  /// A channel whose request was seen belongs to the PSM it named, whatever its frames look like: only of
  /// one that the device hands out their shape tells.
  @Test func leavesKnownChannelsAlone() {
    let opening = [
      MadeRecord.pdu(0x0001, "02 01 04 00 01 10 60 00", received: false),
      MadeRecord.pdu(0x0001, "03 01 08 00 41 00 60 00 00 00 00 00", received: true),
    ]
    let other = [
      MadeRecord.pdu(0x0001, "02 01 04 00 0f 00 60 00", received: false), opening[1],
    ]
    let frames = sent([Self.ears, Self.mode, Self.battery], on: 0x60)
    #expect(reported(opening + sent([Self.ears, Self.mode], on: 0x60)) == [])
    #expect(reported(opening + frames) == ["accessoryControl 3", "setting 4", "battery 5"])
    #expect(reported(other + frames) == [])
  }

  /// Ear Detection has two positions, Battery as many components as it counts, Smart Routing as many octets.
  @Test(arguments: [
    "04 00 04 00 06 00 00", "04 00 04 00 04 00 02 04 01 64 01 01",
    "04 00 04 00 2e 00 00 00 02 01 02 03 04 05 06 01 02", "04 00 04 00",
  ])
  func namesMessagesThatEndEarly(_ message: String) throws {
    let records = Self.recognized + sent([message], on: 0x60)
    #expect(reported(records).last == "malformedMessage 6")
    let event = try #require(
      MadeRecord.session(records).events.first {
        if case .accessoryProtocol(.malformedMessage) = $0.content { true } else { false }
      })
    #expect(event.severity == .warning)
  }

  /// A channel for PSM 0x1001, and three messages: the shape of fewer does not show the protocol.
  private static let recognized =
    [
      MadeRecord.pdu(0x0001, "02 01 04 00 01 10 60 00", received: false),
      MadeRecord.pdu(0x0001, "03 01 08 00 41 00 60 00 00 00 00 00", received: true),
    ] + [ears, mode, battery].map { MadeRecord.pdu(0x60, $0, received: true) }

  /// What nobody has explained is no mistake: an OPACK object of an unknown type, bytes behind the last equalizer, the
  /// layout of a message about which sources disagree, an opcode.
  @Test(arguments: [
    "04 00 04 00 10 00 01 02 03 04 05 06 01 00 00",
    "04 00 04 00 53 00 84 00 02 02 01 02 00 00 80 3f",
    "04 00 04 00 1a 00 01 05 00 41", "04 00 04 00 1e 00 05 00 41", "04 00 04 00 7f 00",
  ])
  func acceptsWhatIsUnknown(_ message: String) {
    let reported = reported(Self.recognized + sent([message], on: 0x60))
    #expect(!reported.contains { $0.hasPrefix("malformed") })
  }

  @Test func concealsKeysBeforeItIsRecognized() {
    let session = MadeRecord.session(sent([Self.keys, Self.ears]))
    #expect(session.packets[1]?.flags.contains(.secret) == true)
    #expect(session.packets[2]?.flags.contains(.secret) == false)
    let keys = session.keys.entries
    #expect(keys.isEmpty)
  }

  @Test func takesKeysSeenBeforeItIsRecognized() {
    let session = MadeRecord.session(sent([Self.keys, Self.ears, Self.mode]))
    let kinds = session.keys.bondingKeys.map(\.kind)
    #expect(kinds == [.identityResolvingKey])
  }

  /// Custom messages are counted, and told with the first and the last of them when the channel closes.
  @Test func customMessagesHaveTheirFrames() {
    let message = "04 00 04 00 17 00 00 00 10 00 00 00"
    let records =
      [
        MadeRecord.pdu(0x0001, "02 01 04 00 01 10 60 00", received: false),
        MadeRecord.pdu(0x0001, "03 01 08 00 41 00 60 00 00 00 00 00", received: true),
      ] + sent([message, Self.ears, message, message], on: 0x60) + [
        MadeRecord.pdu(0x0001, "06 02 04 00 41 00 60 00", received: false),
        MadeRecord.pdu(0x0001, "07 02 04 00 41 00 60 00", received: true),
      ]
    let frames = MadeRecord.session(records).events.compactMap { event -> Event.Frames? in
      guard case .accessoryProtocol(.customMessages(let messages)) = event.content,
        messages.client == 0x10_0000, messages.count == 3
      else { return nil }
      return event.frames
    }
    #expect(frames == [Event.Frames(PacketID(3), PacketID(6), count: 3)])
  }

  /// What the host allows itself, and its equalizers.
  @Test func equalizers() {
    let records =
      [
        MadeRecord.pdu(0x0001, "02 01 04 00 01 10 60 00", received: false),
        MadeRecord.pdu(0x0001, "03 01 08 00 41 00 60 00 00 00 00 00", received: true),
      ]
      + sent(
        [
          "00 00 04 00 01 00 02 00 00 00 00 00 00 00 00 00",
          "04 00 04 00 29 00 ff ff ff ff",
          "04 00 04 00 53 00 84 00 02 02 01 02" + String(repeating: " 00 00 80 3f", count: 32),
          "04 00 04 00 63 00 01 02 03",
        ], received: false) + sent(["04 00 04 00 2b 00"], on: 0x60)
    let reported = MadeRecord.session(records).events.compactMap { event -> String? in
      guard case .accessoryProtocol(let content) = event.content else { return nil }
      return switch content {
      case .connect(let event): "connect \(event.major).\(event.minor)"
      case .hostCapabilities(let event): "capabilities \(event.mask)"
      case .accommodation(let event): "accommodation \(event.phone) \(event.media)"
      case .equalizer(let event): "equalizer \(event.size)"
      case .featuresAcknowledged: "features acknowledged"
      case .connectUnanswered: "unanswered"
      default: "\(content)"
      }
    }
    #expect(
      reported == [
        "connect 1.2", "capabilities [255, 255, 255, 255]", "accommodation 1 2", "equalizer 3",
        "features acknowledged", "unanswered",
      ])
  }

  /// An unanswered connection, and one that is refused.
  @Test func reportsHowConnectionsEnd() {
    let opening = [
      MadeRecord.pdu(0x0001, "02 01 04 00 01 10 60 00", received: false),
      MadeRecord.pdu(0x0001, "03 01 08 00 41 00 60 00 00 00 00 00", received: true),
      MadeRecord.pdu(
        0x41, "00 00 04 00 01 00 02 00 00 00 00 00 00 00 00 00", received: false),
    ]
    let closing = [
      MadeRecord.pdu(0x0001, "06 02 04 00 41 00 60 00", received: false),
      MadeRecord.pdu(0x0001, "07 02 04 00 41 00 60 00", received: true),
    ]
    #expect(reported(opening + closing) == ["connect 3", "connectUnanswered 3"])
    let refusal = MadeRecord.pdu(
      0x60, "01 00 04 00 05 00 01 00 02 00 00 00 00 00 00 00 00 00", received: true)
    #expect(reported(opening + [refusal] + closing) == ["connect 3", "connectFailed 4"])
    let answer = MadeRecord.pdu(
      0x60, "01 00 04 00 00 00 01 00 02 00 00 00 00 00 00 00 00 00", received: true)
    let end = MadeRecord.pdu(0x60, "02 00 04 00 00 00", received: true)
    #expect(
      reported(opening + [answer, end] + closing) == ["connect 3", "connected 4", "disconnected 5"])
  }

  /// An audio source may be cleared a moment after its host went, and later it must have been.
  @Test func givesTheAccessoryTimeToClear() {
    func at(_ time: Int64, _ pdu: String) -> MadeRecord {
      MadeRecord.pdu(0x60, pdu, received: true, at: time)
    }
    let opening = [
      MadeRecord.pdu(0x0001, "02 01 04 00 01 10 60 00", received: false),
      MadeRecord.pdu(0x0001, "03 01 08 00 41 00 60 00 00 00 00 00", received: true),
    ]
    let media = "04 00 04 00 0e 00 07 00 00 00 de c0 02"
    let none = "04 00 04 00 0e 00 07 00 00 00 de c0 00"
    let gone = "04 00 04 00 2e 00 00 00 01 c0 de 00 00 00 07 00 01"
    #expect(
      reported(opening + [at(1, media), at(2, gone), at(3, none), at(9, Self.ears)]) == [
        "accessoryControl 3", "accessoryControl 4", "accessoryControl 5", "accessoryControl 6",
      ])
    #expect(
      reported(opening + [at(1, media), at(2, gone), at(4, Self.ears), at(5, Self.battery)]) == [
        "accessoryControl 3", "accessoryControl 4", "accessoryControl 5",
        "audioSourceNotCleared 4", "battery 6",
      ])
  }

  /// Nothing in real captures of other devices looks like it.
  @Test(.enabled(if: !Samples.manifest.isEmpty, "no corpus of real captures here"))
  func findsNoneInRealCaptures() throws {
    var channels = 0
    for row in Samples.manifest where row.isHCI && row.packets < 20_000 {
      var session = Session()
      _ = try Capture(path: row.path).forEachRecord { record, bytes in
        session.index(record, bytes)
        session.dropEvents()
        return true
      }
      channels += session.counts.dynamicChannels
      let isInferred = session.channels.contains { $0.entry?.path.description == "aap" }
      #expect(!isInferred, "\(row.path)")
    }
    #expect(channels > 1_000)
  }

  /// 0 is in the ear, 1 out of it, 2 in the case, 3 disconnected; other positions mean nothing that hark knows.
  @Test(
    arguments: [
      (0, 1, .inEar), (7, 0, .inEar), (1, 2, .offHead), (3, 3, .offHead), (7, 5, nil), (1, 7, nil),
    ] as [(UInt8, UInt8, AccessoryControlDevice.Placement?)])
  func earPositions(
    _ primary: UInt8, _ secondary: UInt8, _ placement: AccessoryControlDevice.Placement?
  ) {
    var state = AAPState()
    state.ears = (primary, secondary)
    #expect(state.configured().devicePlacement == placement)
    #expect(
      state.configured().deviceCapabilities.contains(.placement) == (placement != nil))
  }
}
