import HarkCore
import HarkDissection
import Testing

@testable import HarkPresentation
@testable import HarkSession

/// What a timeline says about audio.
@Suite struct TimelineAudioTests {
  /// Media Codec elements of A2DP 1.4, 4.3 to 4.8, in words.
  @Test(arguments: [
    ("00 00 21 15 02 35", "SBC 44.1 kHz joint stereo, bitpool 2–53"),
    ("00 01 22 02 00 00", "MPEG-1,2 Audio 44.1 kHz stereo"),
    ("00 02 80 01 04 83 e8 00", "AAC 44.1 kHz stereo, VBR ≤ 256 kbit/s"),
    ("00 02 80 00 88 02 ee 01", "AAC 48 kHz mono, 192001 bit/s"),
    ("00 02 80 40 04 00 00 00", "AAC 11.025 kHz stereo"),
    ("00 04 64 20 07 ff 04 5c 00", "ATRAC 44.1 kHz joint stereo"),
    ("00 ff 2d 01 00 00 aa 00 04 01", "LDAC 96 kHz stereo"),
    ("00 ff 0a 00 00 00 02 00 22 01", "aptX Low Latency 44.1 kHz stereo"),
    ("00 ff d7 00 00 00 ad 00 18", "aptX Adaptive"),
    ("00 ff 2d 01 00 00 ab 00", "codec 0x00ab of Sony Corporation"), ("00 09 00", "codec 0x09"),
  ]) func codec(_ element: String, _ words: String) {
    let bytes = Hex.bytes(element) ?? []
    #expect(AudioCodec(bytes.raw)?.words == words)
  }

  static func sentence(_ event: AudioEvent) -> String {
    EventText.sentence(TimelineSentenceTests.event(.audio(event)), Session())
  }

  /// Names and values of AVRCP 1.6, appendices E to H, and AVDTP 1.3, 8.20.6.2.
  @Test func sentences() {
    let track = [
      AudioEvent.Attribute(id: 1, text: "Hello"), AudioEvent.Attribute(id: 2, text: "Me"),
      AudioEvent.Attribute(id: 7, text: "185000"), AudioEvent.Attribute(id: 6, text: "Jazz"),
    ]
    #expect(
      Self.sentence(.track(.init(attributes: track)))
        == "track: “Hello”, by Me, 3:05, Genre Jazz")
    #expect(
      Self.sentence(.playStatus(.init(status: 1, position: 61_000, length: 200_000)))
        == "play status PLAYING at 1:01 of 3:20")
    #expect(
      Self.sentence(.playStatus(.init(status: 2, position: nil, length: nil, isLocal: true)))
        == "this host's play status PAUSED")
    #expect(
      Self.sentence(.track(.init(attributes: [track[0]], isLocal: true)))
        == "this host's track: “Hello”")
    #expect(
      Self.sentence(.position(.init(milliseconds: 5_000, isLocal: true)))
        == "this host's position 0:05")
    #expect(Self.sentence(.volume(.init(volume: 64, isRequest: true))) == "volume set to 50 % (64)")
    #expect(Self.sentence(.volume(.init(volume: 127, isRequest: false))) == "volume 100 % (127)")
    #expect(Self.sentence(.operation(.init(operation: 0x4B))) == "forward pressed")
    #expect(
      Self.sentence(.operation(.init(operation: 0x44, byPeer: true))) == "play pressed by peer")
    #expect(Self.sentence(.operation(.init(operation: 0x44, byPeer: false))) == "play pressed")
    #expect(
      Self.sentence(
        .operationRefused(.init(operation: 0x4B, isNotImplemented: true, byPeer: true)))
        == "forward not implemented by the peer")
    #expect(
      Self.sentence(
        .operationRefused(.init(operation: 0x44, isNotImplemented: false, byPeer: false)))
        == "play rejected by this host")
    #expect(
      Self.sentence(.remoteRejected(.init(pdu: 0x31, status: 0, isNotImplemented: true)))
        == "RegisterNotification rejected: not implemented")
    #expect(
      Self.sentence(.settings(.init(settings: [.init(attribute: 2, value: 3)])))
        == "Repeat Mode status: All track repeat")
    #expect(
      Self.sentence(.settings(.init(settings: [.init(attribute: 0x80, value: 1)])))
        == "setting 0x80: 0x01")
    #expect(
      Self.sentence(.signalRejected(.init(signal: 3, category: 7, error: 0x29)))
        == "AVDTP_SET_CONFIGURATION rejected: UNSUPPORTED_CONFIGURATION (Media Codec)")
    #expect(
      Self.sentence(.signalRejected(.init(signal: 0x0C, category: nil, error: nil)))
        == "AVDTP_GET_ALL_CAPABILITIES is unknown to its recipient")
    #expect(
      Self.sentence(.remoteRejected(.init(pdu: 0x60, status: 0x11)))
        == "SetAddressedPlayer rejected: Invalid Player Id")
    #expect(
      Self.sentence(.notifications(.init(events: [1, 0x0D], isLocal: false)))
        == "peer can report EVENT_PLAYBACK_STATUS_CHANGED, EVENT_VOLUME_CHANGED")
  }

  @Test func endpoints() {
    let sbc = AudioCodec(([0, 0, 0xFF, 0xFF, 2, 53] as [UInt8]).raw)
    let found = [
      AudioEndpoint(seid: 1, isInUse: false, isSink: true, codec: sbc),
      AudioEndpoint(seid: 2, isInUse: true, isSink: true, codec: nil),
      AudioEndpoint(seid: 3, isInUse: false, isSink: true, codec: sbc),
    ]
    #expect(
      Self.sentence(.endpoints(.init(endpoints: found, isLocal: false)))
        == "stream endpoints of the peer: 2 × SNK SBC, SNK (in use)")
    #expect(
      Self.sentence(.endpoints(.init(endpoints: [], isLocal: true)))
        == "this host has no stream endpoints")
  }

  @Test func calls() {
    func sentence(_ content: Event.Content) -> String {
      EventText.sentence(TimelineSentenceTests.event(content), Session())
    }
    func hangUp(_ isCall: Bool?) -> String {
      sentence(.handsFree(.command(.init(action: .hangUp(isCall: isCall)))))
    }
    #expect(hangUp(true) == "Hands-Free unit hangs up")
    #expect(hangUp(false) == "Hands-Free unit rejects the call")
    #expect(hangUp(nil) == "Hands-Free unit hangs up or rejects the call")
    #expect(sentence(.handsFree(.caller(.init(number: "+15550100")))) == "caller +15550100")
  }

  /// MCS 1.0.1, 3.17: 0x01 Play; results 0x01 Success, 0x03 Media Player Inactive.
  @Test func media() {
    func sentence(_ event: LEAudioEvent) -> String {
      EventText.sentence(TimelineSentenceTests.event(.leAudio(event)), Session())
    }
    #expect(
      sentence(.mediaOperation(.init(opcode: 1, isLocal: true)))
        == "peer requests Play from the player")
    #expect(
      sentence(.mediaOperation(.init(opcode: 1, isLocal: false)))
        == "Play requested from the player")
    #expect(
      sentence(.mediaResult(.init(opcode: 1, result: 1, isLocal: true)))
        == "this host: Play succeeded")
    #expect(
      sentence(.mediaResult(.init(opcode: 1, result: 3, isLocal: false)))
        == "Play failed: Media Player Inactive")
  }
}
