import HarkCore
import HarkCrypto
import Testing

@testable import HarkSession

/// PDUs that are shorter than their format: what they lack is not 0, and tells nothing.
@Suite struct MissingFieldTests {
  private static let connected = MadeRecord.event(
    "3e 13 01 00 40 00 00 00 66 55 44 33 22 11 18 00 00 00 2a 00 00")
  private static let peer = "66 55 44 33 22 11"

  /// All that was reported but links and the row for packets that cannot be read.
  private func reported(_ records: [MadeRecord]) -> [String] {
    MadeRecord.session([Self.connected, BREDRTests.connected] + records).events.compactMap {
      switch $0.content {
      case .link(.opened), .capture(.unreadable): nil
      default: "\($0.content.described)"
      }
    }
  }

  /// Core Specification, Vol 3, Part A, 4.2 to 4.28, and what each lacks; on the signaling channels that have the
  /// commands: table 4.2.
  @Test(
    arguments: [
      // Result and Status of a Connection Response.
      ([1], ["> 02 01 04 00 19 00 41 00", "< 03 01 02 00 51 00"]),
      ([1], ["> 02 01 04 00 01 10 40 00", "< 03 01 06 00 50 00 40 00 00 00"]),
      // Result of an LE Credit Based Connection Response, and of an enhanced one.
      (
        [5],
        ["> 14 01 0a 00 80 00 40 00 40 00 17 00 01 00", "< 15 01 08 00 41 00 40 00 17 00 01 00"]
      ),
      (
        [1, 5], ["> 17 01 0a 00 27 00 40 00 40 00 05 00 41 00", "< 18 01 06 00 40 00 40 00 05 00"]
      ),
      // The latency and timeout of a Connection Parameter Update Request, the result of a response.
      ([5], ["< 12 01 04 00 06 00 0c 00"]), ([5], ["> 13 01 00 00"]),
    ] as [([UInt16], [String])])
  func signaling(_ channels: [UInt16], _ frames: [String]) {
    // BR/EDR has the channel 0x0001, LE has 0x0005.
    for channel: (cid: UInt16, link: UInt8) in [(5, 0x40), (1, 0x0B)]
    where channels.contains(channel.cid) {
      let records = frames.map {
        MadeRecord.pdu(
          channel.cid, String($0.dropFirst(2)), received: $0.hasPrefix("<"), link: channel.link)
      }
      #expect(reported(records) == [])
    }
  }

  /// Some of several channels are not in a response that says all were opened: nothing was refused.
  @Test func channelsThatAreNotInTheResponse() {
    let records = [
      MadeRecord.pdu(5, "17 01 0c 00 27 00 40 00 40 00 05 00 41 00 42 00", received: false),
      .pdu(5, "18 01 0a 00 40 00 40 00 05 00 00 00 51 00", received: true),
    ]
    #expect(reported(records).count == 1)
  }

  /// AuthReq of a Pairing Request and of a Security Request, the reason of Pairing Failed. Vol 3, Part
  /// H, 3.5
  @Test(arguments: ["01 04 00", "0b", "05", "02 03 00 01 10", "0c 00 11"])
  func pairing(_ pdu: String) {
    #expect(reported([.pdu(6, pdu, received: true)]) == [])
  }

  /// Vol 4, Part E, 7.7
  @Test(arguments: [
    // LE Connection Complete, Connection Complete and Synchronous Connection Complete.
    "3e 01 01", "3e 04 01 00 41 00", "03 00", "03 03 00 0c 00", "2c 00",
    // Encryption Change, its second version, Mode Change, Role Change.
    "08 00", "08 03 00 40 00", "59 03 00 40 00", "14 03 00 40 00", "12 07 00 66 55 44 33 22 11",
    // Simple Pairing Complete, User Passkey Notification, User Confirmation Request, IO Capability
    // Response, Link Key Notification.
    "36 00", "3b 06 66 55 44 33 22 11", "33 06 66 55 44 33 22 11", "32 06 66 55 44 33 22 11",
    // Connection Update Complete, Data Length Change, PHY Update Complete, Remote Connection Parameter
    // Request, of LE.
    "3e 04 03 00 40 00", "3e 03 07 40 00", "3e 04 0c 00 40 00", "3e 05 06 40 00 06 00",
    // Connection Rate Change, Frame Space Update Complete.
    "3e 06 37 00 40 00 03 00", "3e 05 35 00 40 00 02",
    // Disconnection Complete, Hardware Error, Data Buffer Overflow.
    "05 00", "10 00", "1a 00",
    // Read Remote Version Information Complete.
    "0c 03 00 40 00",
  ])
  func events(_ event: String) {
    #expect(reported([.event(event)]) == [])
  }

  /// HCI_LE_Set_Scan_Enable, HCI_LE_Set_Advertising_Enable and that of sets, without Enable; the
  /// negative reply to an IO capability request without its reason.
  @Test(arguments: ["0c 20 00", "42 20 00", "0a 20 00", "39 20 00", "34 04 06 66 55 44 33 22 11"])
  func commands(_ command: String) {
    #expect(reported(MadeRecord.answering([.command(command)])) == [])
  }

  /// One row for each protocol, when the capture ends.
  @Test func rowsOfWhatCannotBeRead() {
    let session = MadeRecord.session([
      Self.connected, .pdu(4, "0a 03", received: false), .pdu(6, "05", received: true),
      .pdu(4, "02 17", received: false), .pdu(4, "0a 03 00", received: false).losing(1),
    ])
    let rows = session.events.compactMap { event -> String? in
      guard case .capture(.unreadable(let it)) = event.content else { return nil }
      return
        "\(it.protocolName) \(it.count) #\(event.frames.first.number)–\(event.frames.last.number)"
    }
    // What the recorder cut was whole.
    #expect(rows == ["ATT 2 #2–4", "SMP 1 #3–3"])
  }

  // MARK: Events that had no row

  /// Vol 4, Part E, 7.1.11, 7.7.5, 7.7.16, 7.7.20, 7.7.26, 7.7.65.3, 7.7.65.6, 7.7.65.12, 7.7.65.35,
  /// 7.7.75, 7.8.26
  @Test(arguments: [
    ("e 10 01 42", "HardwareError(code: 66)"), ("e 1a 01 01", "BufferOverflow(linkType: 1)"),
    ("e 3e 0a 03 3b 40 00 0c 00 04 00 c8 00", "ParametersFailed(status: 59)"),
    ("e 3e 06 0c 1a 40 00 01 01", "PHYFailed(status: 26)"),
    (
      "e 3e 0c 23 00 40 00 04 00 01 00 02 00 c8 00",
      "Subrate(factor: 4, latency: 1, continuation: 2, timeout: 200)"
    ),
    ("e 3e 0c 23 1a 40 00 01 00 00 00 00 00 c8 00", "SubrateFailed(status: 26)"),
    // Core Specification 6.1: interval 3 × 125 µs, factor 2.
    (
      "e 3e 0e 37 00 40 00 03 00 02 00 01 00 00 00 c8 00",
      "Rate(interval: 3, factor: 2, latency: 1, continuation: 0, timeout: 200)"
    ),
    ("e 3e 0e 37 1a 40 00 00 00 00 00 00 00 00 00 00 00", "RateFailed(status: 26)"),
    (
      "e 3e 0a 35 00 40 00 02 64 00 03 03 00",
      "FrameSpace(initiator: Optional(2), space: 100, phys: 3, types: 3)"
    ),
    ("e 3e 0a 35 1a 40 00 00 00 00 00 00 00", "FrameSpaceFailed(status: 26)"),
    ("e 57 02 40 00", "AuthenticatedPayloadTimeout()"),
    ("e 14 06 00 0b 00 02 20 03", "ModeChanged(mode: 2, interval: 800)"),
    ("e 14 06 0c 0b 00 00 00 00", "ModeFailed(status: 12, isSubrating: false)"),
    ("e 2d 09 0d 0b 00 00 00 00 00 00 00", "SynchronousFailed(status: 13)"),
    // 7.7.17, 7.7.30, 7.7.46, 7.7.47
    ("e 11 02 0b 00", "DataFlushed(cause: nil)"), ("e 1e 02 0b 00", "QualityViolated()"),
    ("e 39 02 0b 00", "FlushCompleted()"),
    ("e 38 04 0b 00 00 7d", "SupervisionTimeout(timeout: 32000)"),
    ("e 05 04 02 77 00 13", "CloseFailed(status: 2)"),
    ("c 1b 20 02 40 00", "KeyMissing(keyKind: HarkCrypto.BondingKey.Kind.longTermKey, names: nil)"),
    (
      "c 0c 04 06 66 55 44 33 22 11",
      "KeyMissing(keyKind: HarkCrypto.BondingKey.Kind.linkKey, names: nil)"
    ),
    (
      "c 21 20 03 40 00 3b",
      "ParametersRefused(byPeer: Optional(false), isLinkLayer: true, "
        + "refusal: HarkSession.Link.Refusal.unstated)"
    ),
  ])
  func rows(_ packet: String, _ row: String) {
    let hex = String(packet.dropFirst(2))
    let records = packet.hasPrefix("e") ? [.event(hex)] : MadeRecord.answering([.command(hex)])
    #expect(reported(records) == [row])
  }

  /// HCI_LE_Connection_Rate_Change: 10 × 125 µs; then HCI_LE_Subrate_Change: factor 8. The link began with 30 ms.
  @Test func intervalOfTheConnectionRate() {
    let sentences = MadeRecord.sentences([
      Self.connected, .event("3e 0e 37 00 40 00 0a 00 01 00 00 00 00 00 c8 00"),
      .event("3e 0c 23 00 40 00 08 00 00 00 00 00 c8 00"),
    ]) { if case .link(.change) = $0 { true } else { false } }
    #expect(
      sentences == [
        "connection rate: interval 1.25 ms, subrate factor 1, latency 0, continuation number 0, "
          + "supervision timeout 2000 ms",
        "subrate factor 8 (10 ms), latency 0, continuation number 0, supervision timeout 2000 ms",
      ])
  }

  @Test func parametersRequestedByTheLinkLayer() {
    let session = MadeRecord.session([
      Self.connected, .event("3e 0b 06 40 00 06 00 0c 00 04 00 c8 00"),
    ])
    let requests = session.events.compactMap { event -> Link.ParameterRequest? in
      if case .link(.change(.parametersRequested(let asked))) = event.content {
        asked.request
      } else {
        nil
      }
    }
    #expect(
      requests == [
        Link.ParameterRequest(minimum: 6, maximum: 12, latency: 4, timeout: 200, isLinkLayer: true)
      ])
  }

  /// A discovery that the client left off is reported before what happens seconds later.
  @Test func discoveriesThatPause() {
    let session = MadeRecord.session([
      Self.connected,
      .pdu(4, "08 01 00 ff ff 03 28", received: false, at: 1),
      .pdu(4, "09 07 02 00 12 03 00 00 2a", received: true, at: 1),
      MadeRecord(kind: .event, isReceived: true, hex: "57 02 40 00", time: 9),
      .pdu(4, "0a 03 00", received: false, at: 20), .pdu(4, "0b 41", received: true, at: 20),
    ])
    let rows = session.events.compactMap { event -> String? in
      let seconds = event.time.nanoseconds / 1_000_000_000
      return switch event.content {
      case .attribute(.discovery): "discovery \(seconds) \(event.lag)"
      case .security(.authenticatedPayloadTimeout): "timeout \(seconds)"
      default: nil
      }
    }
    #expect(rows == ["discovery 1 0", "timeout 9"])
  }

  /// A write counts when it is answered; what was reported meanwhile comes first, and it says so.
  @Test func lateRowsSayHowLate() {
    let session = MadeRecord.session([
      Self.connected, .pdu(4, "12 07 00 01", received: false, at: 1),
      MadeRecord(kind: .event, isReceived: true, hex: "57 02 40 00", time: 3),
      .pdu(4, "13", received: true, at: 4),
    ])
    let late = session.events.filter {
      if case .attribute(.value) = $0.content { true } else { false }
    }
    #expect(late.map(\.lag) == [2_000_000_000])
    #expect(late.map(\.time.nanoseconds) == [3_000_000_000])
    #expect(late.map(\.frames.last.number) == [2])
  }
}
