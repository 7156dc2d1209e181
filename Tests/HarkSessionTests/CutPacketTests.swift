import HarkCore
import HarkTestSupport
import Testing

@testable import HarkSession

/// Packets of which the recorder kept a part: the lengths in their headers say how much is missing.
@Suite struct CutPacketTests {
  private typealias Record = MadeRecord
  private static let connected = MadeRecord.event(
    "3e 13 01 00 40 00 00 00 66 55 44 33 22 11 18 00 00 00 2a 00 00")

  private func values(_ events: [Event]) -> [AttributeEvent.Value] {
    events.compactMap { if case .attribute(.value(let value)) = $0.content { value } else { nil } }
  }

  private func incomplete(_ events: [Event]) -> [String] {
    events.compactMap { event in
      guard case .capture(.incompletePDU(let pdu)) = event.content else { return nil }
      let place =
        switch pdu.place {
        case .cid(let cid): "cid \(cid)"
        case .channel(let channel): "channel \(channel.psm)"
        case .stream(let stream): "stream \(stream.id.index)"
        case .attribute(let handle): "attribute \(handle)"
        case nil: "-"
        }
      return "\(place): \(pdu.have), \(pdu.missing) missing, \(pdu.cut) cut"
    }
  }

  /// The Connection Complete ends after the Role: the link has a setup, but no peer. Vol 4, Part E, 7.7.65.1
  @Test(arguments: [true, false]) func setup(isCut: Bool) {
    let session = MadeRecord.session([
      isCut ? Self.connected.losing(14) : .event("0e 04 01 03 0c 00"),
      .pdu(4, "1b 09 00 7a", received: true),
    ])
    #expect(session.links.map(\.isSetupCut) == [isCut])
    #expect(session.links.map(\.wasOpenBefore) == [false] || !isCut)
  }

  /// The second service of a list is cut. Vol 3, Part F, 3.4.4.10
  @Test(arguments: [0, 3]) func discoveryOfCutList(losing count: Int) {
    let list = MadeRecord.pdu(
      4, "11 06 01 00 05 00 00 18 06 00 09 00 01 18", received: true)
    let session = MadeRecord.session([
      Self.connected, .pdu(4, "10 01 00 ff ff 00 28", received: false),
      count > 0 ? list.losing(count) : list, .pdu(4, "0a 03 00", received: false),
    ])
    let found = session.events.compactMap { event -> String? in
      guard case .attribute(.discovery(let it)) = event.content else { return nil }
      return "\(it.services) \(it.isCut)"
    }
    #expect(found == [count > 0 ? "1 true" : "2 false"])
  }

  /// Device Name (0x2A00) has the handle 3. Vol 3, Part G, 3.3.1
  private static let discovered = [
    connected,
    MadeRecord.pdu(4, "08 01 00 ff ff 03 28", received: false),
    MadeRecord.pdu(4, "09 07 02 00 12 03 00 00 2a", received: true),
  ]
  /// `Acme Headphones Pro`
  private static let name = "41 63 6d 65 20 48 65 61 64 70 68 6f 6e 65 73 20 50 72 6f"

  @Test func namesThatWereCutAreNone() throws {
    let session = MadeRecord.session(
      Self.discovered + [
        .pdu(4, "0a 03 00", received: false),
        .pdu(4, "0b \(Self.name)", received: true).losing(15),
        .pdu(4, "12 03 00 \(Self.name)", received: false).losing(16),
        .pdu(4, "13", received: true),
      ])
    let values = values(session.events)
    #expect(values.map(\.bytes) == [Array("Acme".utf8), Array("Acm".utf8)])
    #expect(values.map(\.count) == [19, 19])
    #expect(values.map(\.cut) == [15, 16])
    #expect(session.devices.map(\.name) == [nil])
    let use = try #require(session.databases.values.first?.uses[3])
    #expect(use.lastCount == 19 && use.lastCut == 16 && use.lastValue == Array("Acm".utf8))
    let whole = MadeRecord.session(
      Self.discovered + [
        .pdu(4, "0a 03 00", received: false), .pdu(4, "0b \(Self.name)", received: true),
      ])
    #expect(whole.devices.map(\.name) == ["Acme Headphones Pro"])
  }

  /// As above, where the controller's buffers are small and the first fragment was cut.
  @Test func namesInFragmentsThatWereCutAreNone() {
    var parts = MadeRecord.pdu(4, "0b \(Self.name)", received: true).fragments(of: 12)
    #expect(parts.count == 2)
    parts[0] = parts[0].losing(3)
    let session = MadeRecord.session(
      Self.discovered + [.pdu(4, "0a 03 00", received: false)] + parts)
    let values = values(session.events)
    #expect(values.map(\.bytes) == [Array("Acme".utf8)])
    #expect(values.map(\.cut) == [15])
    #expect(session.devices.map(\.name) == [nil])
    let reports = session.events.contains {
      if case .capture(.orphanFragment) = $0.content { true } else { false }
    }
    #expect(!reports && incomplete(session.events).isEmpty)
  }

  /// No one unsubscribed: the value is not there. Vol 3, Part G, 3.3.3.3
  @Test func configurationsThatWereCutSayNothing() {
    let session = MadeRecord.session([
      Self.connected,
      .pdu(4, "04 04 00 04 00", received: false), .pdu(4, "05 01 04 00 02 29", received: true),
      .pdu(4, "12 04 00 01 00", received: false).losing(2), .pdu(4, "13", received: true),
    ])
    let reports = session.events.contains {
      if case .attribute(.subscription) = $0.content { true } else { false }
    }
    #expect(!reports)
    #expect(values(session.events).map(\.cut) == [2])
  }

  /// The entries that are there count, the one that was cut does not. Vol 3, Part F, 3.4.4.2
  @Test func listsThatWereCut() {
    let session = MadeRecord.session([
      Self.connected,
      .pdu(4, "08 01 00 ff ff 03 28", received: false),
      .pdu(4, "09 07 02 00 12 03 00 00 2a 04 00 02 05 00 01 2a", received: true).losing(1),
    ])
    #expect(session.databases.values.first?.characteristics.keys.sorted() == [3])
  }

  // MARK: K-frames. Vol 3, Part A, 3.4.3

  /// SPSM 0x0080, MTU 64, MPS 23, credits for three K-frames.
  private static let channel = [
    connected,
    MadeRecord.pdu(5, "14 01 0a 00 80 00 40 00 40 00 17 00 09 00", received: false),
    MadeRecord.pdu(5, "15 01 0a 00 41 00 40 00 17 00 09 00 00 00", received: true),
  ]

  /// An SDU of 9 bytes in two K-frames of which the first, the last or both were cut, then a whole one
  /// whose text would make an SDU Length of 12,600 bytes.
  @Test(arguments: [(3, 0), (0, 2), (5, 4), (2, 1)])
  func segmentsThatWereCut(_ first: Int, _ last: Int) {
    var pieces: [[UInt8]] = []
    var session = Session()
    session.followed = StreamID(0)
    let records =
      Self.channel + [
        .pdu(0x41, "09 00 31 32 33 34 35", received: false).losing(first),
        .pdu(0x41, "36 37 38 39", received: false).losing(last),
        .pdu(0x41, "04 00 31 32 33 34", received: false),
      ]
    session = MadeRecord.session(records) { session, index in
      session.followed = StreamID(0)
      pieces += session.pieces.map(\.bytes)
    }
    let all: [UInt8] = [0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39]
    let kept = first > 0 ? 5 - first : 9 - last
    #expect(pieces == [Array(all.prefix(kept)), [0x31, 0x32, 0x33, 0x34]])
    #expect(incomplete(session.events) == ["channel 128: \(kept), 0 missing, \(9 - kept) cut"])
  }

  /// One K-frame with a whole SDU: shorter than its length says, and not the first of several.
  @Test func wholeSDUsThatWereCut() {
    var pieces: [[UInt8]] = []
    let session = MadeRecord.session(
      Self.channel + [
        .pdu(0x41, "05 00 31 32 33 34 35", received: false).losing(3),
        .pdu(0x41, "05 00 36 37 38 39 30", received: false),
      ]
    ) { session, _ in
      session.followed = StreamID(0)
      pieces += session.pieces.map(\.bytes)
    }
    #expect(pieces == [[0x31, 0x32], [0x36, 0x37, 0x38, 0x39, 0x30]])
    #expect(incomplete(session.events).isEmpty)
  }

  /// Recorders that keep headers only: no SDU Length, so nothing is known about the SDUs.
  @Test func framesWithoutTheirLength() {
    let session = MadeRecord.session(
      Self.channel + [
        .pdu(0x41, "09 00 31 32 33 34 35", received: false).losing(7),
        .pdu(0x41, "36 37 38 39", received: false).losing(2),
        .pdu(0x41, "04 00 31 32 33 34", received: false),
      ])
    #expect(incomplete(session.events).isEmpty)
    #expect(session.streams.first?.bytes == [4, 0])
  }

  // MARK: Lines of the Hands-Free Profile

  /// CIDs 0x0040 here and 0x0041 there, and DLCI 20: server channel 10 of the peer, which is the Audio
  /// Gateway. Frames: address, control, length; RFCOMM 1.2, 5.1
  private static func calls(_ frames: [(isSent: Bool, text: String, cut: Int)]) -> Session {
    let channel = [
      BREDRTests.connected,
      MadeRecord.pdu(1, "02 01 04 00 03 00 40 00", received: false, link: 0x0B),
      MadeRecord.pdu(1, "03 01 08 00 41 00 40 00 00 00 00 00", received: true, link: 0x0B),
    ]
    let data = frames.map { frame in
      let bytes = RFCOMMBytes.frame(frame.isSent ? 0x53 : 0x51, 0xEF, Array(frame.text.utf8))
      let record = MadeRecord.pdu(
        frame.isSent ? 0x41 : 0x40, Hex.text(bytes), received: !frame.isSent, link: 0x0B)
      return frame.cut > 0 ? record.losing(frame.cut) : record
    }
    return MadeRecord.session(channel + data)
  }

  /// The indicators tell whether AT+CHUP ends a call or rejects one. HFP 1.8, 4.14, 4.15
  @Test func hangUpOrReject() {
    let session = Self.calls([
      (true, "AT+BRSF=255\r", 0), (false, "\r\n+BRSF: 871\r\n", 0),
      (true, "AT+CIND=?\r", 0),
      (false, "\r\n+CIND: (\"call\",(0,1)),(\"callsetup\",(0-3))\r\n", 0),
      (true, "AT+CIND?\r", 0), (false, "\r\n+CIND: 0,0\r\n", 0),
      (false, "\r\n+CIEV: 2,1\r\n", 0), (true, "AT+CHUP\r", 0),
      (false, "\r\n+CIEV: 2,0\r\n", 0), (true, "AT+CHUP\r", 0),
      (false, "\r\n+CIEV: 2,2\r\n", 0), (true, "AT+CHUP\r", 0),
      (false, "\r\n+CIEV: 2,0\r\n", 0), (false, "\r\n+CIEV: 1,1\r\n", 0),
      (true, "AT+CHUP\r", 0),
    ])
    #expect(
      reported(session).filter { $0.hasPrefix("hang") }
        == ["false", "nil", "true", "true"].map {
          "hangUp(isCall: \($0 == "nil" ? "nil" : "Optional(\($0))"))"
        }, "\(reported(session))")
  }

  private func reported(_ session: borrowing Session) -> [String] {
    session.events.compactMap { event in
      guard case .handsFree(let event) = event.content else { return nil }
      return switch event {
      case .command(let command):
        if case .dial(let number) = command.action { "dial \(number)" } else { "\(command.action)" }
      case .gain(let gain): gain.isSpeaker ? "speaker \(gain.value)" : "other"
      case .refused(let it): "refused \(it.command ?? "-")"
      case .connected(let it): "connected \(it.handsFree.map { "\($0)" } ?? "-")"
      default: "other"
      }
    }
  }

  /// A number that was cut is none, and nothing is glued behind it; features as little.
  @Test func linesThatWereCut() {
    let session = Self.calls([
      (true, "AT+BRSF=255\r", 4),
      (false, "\r\nOK\r\n", 0),
      (true, "AT+CMER=3,0,0,1\r", 0), (false, "\r\nOK\r\n", 0),
      (true, "ATD5550123456;\r", 8),
      (true, "AT+CHUP\r", 0),
      (true, "AT+CNUM\r", 5), (false, "\r\nERROR\r\n", 0),
    ])
    #expect(reported(session) == ["connected -", "hangUp(isCall: nil)", "refused -"])
    // The FCS and all behind the kept bytes is missing; the information lacks one byte less.
    #expect(
      incomplete(session.events) == [
        "stream 1: 9, 0 missing, 3 cut", "stream 1: 8, 0 missing, 7 cut",
        "stream 1: 4, 0 missing, 4 cut",
      ])
  }

  /// Lines that ended before the cut are whole; so is a frame that lacks no more than its FCS.
  @Test func linesBeforeTheCut() {
    let session = Self.calls([
      (true, "AT+VGS=7\r", 0), (true, "AT+CHUP\rAT+BLDN\r", 6), (true, "ATD123;\r", 1),
    ])
    #expect(reported(session) == ["speaker 7", "hangUp(isCall: nil)", "dial 123"])
  }

  /// The rest of a line whose beginning was cut is no line.
  @Test func restsOfLines() {
    let session = Self.calls([
      (true, "AT+VGS=7\r", 0), (true, "ATD12", 3), (true, "34A\rAT+BLDN\r", 0),
    ])
    #expect(reported(session) == ["speaker 7", "redial"])
  }

  // MARK: iAP2

  /// A link packet that is there and was cut is not missing; what comes of it later is passed over.
  @Test(arguments: [100, 20])
  func linkPacketsThatWereCut(_ size: Int) {
    var conversation = IAP2Conversation()
    conversation.begin()
    let first = conversation.records.count
    conversation.send(
      .device, 0x66, 0x2B, session: 1, IAP2Conversation.message(0xAE01, [UInt8](1...40)),
      frames: size)
    // Header, and a part of the message.
    conversation.cut(first, 5)
    conversation.send(.device, 0x67, 0x2B, session: 1, IAP2Conversation.message(0xAE01))
    conversation.send(.accessory, 0x2B, 0x67)
    // One of the five is the FCS of RFCOMM.
    #expect(
      Array(conversation.reported().dropFirst(2)) == [
        "cut(sequence: Optional(102), count: 4)", "message ae01 6",
      ])
  }

  /// An External Accessory session whose data was cut had data.
  @Test func externalAccessoryDataThatWasCut() {
    var conversation = IAP2Conversation()
    conversation.begin()
    let first = conversation.records.count
    conversation.send(.device, 0x66, 0x2B, session: 2, [0, 1] + [UInt8](1...40))
    conversation.cut(first, 30)
    conversation.send(.accessory, 0x2B, 0x66)
    let closed = MadeRecord.session(conversation.records).events.compactMap {
      event -> EASession.Traffic? in
      guard case .iap2(.externalAccessory(.close(let it))) = event.content else { return nil }
      return it.traffic
    }
    // 30 bytes less the checksums of both layers.
    #expect(closed.map(\.sent) == [12])
    #expect(closed.map(\.cut) == [28])
  }
}
