import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Each side numbers its own endpoints, so that two channels may have the same two CIDs the other way round. Core
/// Specification, Vol 3, Part A, 2.1, 4.6, 4.7.
@Suite struct MirroredChannelTests {
  /// This host opens PSM 0x1001 (0x40 here, 0x41 there), and the peer PSM 0x1003 (0x40 there, 0x41 here).
  private static let opened: [MadeRecord] = [
    .pdu(0x0001, "02 02 04 00 01 10 40 00", received: false),
    .pdu(0x0001, "03 02 08 00 41 00 40 00 00 00 00 00", received: true),
    .pdu(0x0001, "02 02 04 00 03 10 40 00", received: true),
    .pdu(0x0001, "03 02 08 00 41 00 40 00 00 00 00 00", received: false),
  ]

  private static func command(_ code: String, _ cids: String, byPeer: Bool) -> MadeRecord {
    .pdu(0x0001, "\(code) 09 04 00 \(cids)", received: byPeer)
  }

  /// Destination CID and Source CID, and which side requests the end.
  private static let ends: [(psm: UInt16, cids: String, byPeer: Bool)] = [
    (0x1001, "41 00 40 00", false), (0x1001, "40 00 41 00", true),
    (0x1003, "40 00 41 00", false), (0x1003, "41 00 40 00", true),
  ]

  @Test(arguments: 0..<4) func oneEnds(_ index: Int) {
    let (psm, cids, byPeer) = Self.ends[index]
    let end = [
      Self.command("06", cids, byPeer: byPeer), Self.command("07", cids, byPeer: !byPeer),
    ]
    for records in [Self.opened + end, Self.opened + [end[1]]] {
      let session = MadeRecord.session(records)
      #expect(session.channels.filter { $0.closed != nil }.map(\.psm) == [psm])
    }
    // Data of the other one, in the direction in which both have different CIDs.
    let other: UInt16 = psm == 0x1001 ? 0x41 : 0x40
    let session = MadeRecord.session(
      Self.opened + end + [.pdu(other, "01 02 03", received: true)])
    let open = session.channels.first { $0.closed == nil }
    #expect(session.lastRow?.channel == open?.id)
  }

  /// Both requests are sent before either response.
  @Test func bothEnd() {
    let session = MadeRecord.session(
      Self.opened + [
        Self.command("06", "41 00 40 00", byPeer: false),
        Self.command("06", "41 00 40 00", byPeer: true),
        Self.command("07", "41 00 40 00", byPeer: false),
        Self.command("07", "41 00 40 00", byPeer: true),
      ])
    #expect(session.channels.map { $0.closed?.number } == [8, 7])
  }

  /// L2CAP_LE_CREDIT_BASED_CONNECTION_REQ and RSP. 4.22, 4.23
  @Test func creditBased() {
    let limits = "40 00 40 00 05 00"
    let session = MadeRecord.session([
      .pdu(0x0005, "14 02 0a 00 80 00 40 00 \(limits)", received: false),
      .pdu(0x0005, "15 02 0a 00 41 00 \(limits) 00 00", received: true),
      .pdu(0x0005, "14 02 0a 00 81 00 40 00 \(limits)", received: true),
      .pdu(0x0005, "15 02 0a 00 41 00 \(limits) 00 00", received: false),
      .pdu(0x0005, "06 03 04 00 41 00 40 00", received: false),
      .pdu(0x0005, "07 03 04 00 41 00 40 00", received: true),
    ])
    #expect(session.channels.map { $0.closed == nil } == [false, true])
    #expect(session.channels.map(\.psm) == [0x80, 0x81])
  }

  // MARK: What a link or a channel does not have. 2.1, tables 2.1, 2.2; 4, table 4.2

  private static func misplaced(_ records: [MadeRecord]) -> [String] {
    MadeRecord.sentences(records) { content in
      if case .channel(.misplaced) = content { true } else { false }
    }
  }

  /// L2CAP_CONNECTION_PARAMETER_UPDATE_REQ. 4.20
  private static let update = "12 01 08 00 06 00 0c 00 00 00 c8 00"

  @Test func channelsOfLEOnBREDR() {
    let contents: [(cid: UInt16, hex: String)] = [
      (0x0005, Self.update), (0x0004, "0a 03 00"), (0x0006, "01 03 00 09 10 03 03"),
    ]
    for (cid, hex) in contents {
      let data = MadeRecord.pdu(cid, hex, received: true, link: 0x0B)
      let records = [BREDRTests.connected, data, data]
      let text =
        "peer sent data on CID 0x000\(cid), which BR/EDR links do not have: receivers ignore it"
      #expect(Self.misplaced(records) == [text])
      #expect(MadeRecord.session(records).events.count == 2)
    }
  }

  /// Pairing over BR/EDR, and L2CAP_CONNECTION_REQ for PSM 0x1001, which opens no channel.
  @Test(arguments: [
    (0x0007, "01 03 00 09 10 03 03", "02 03 00 09 10 03 03"),
    (0x0001, "02 01 04 00 01 10 40 00", "03 01 08 00 41 00 40 00 00 00 00 00"),
  ])
  func channelOfBREDROnLE(_ cid: UInt16, _ hex: String, _ answer: String) {
    let opened = MadeRecord.event("3e 13 01 00 40 00 01 01 22 22 22 22 22 e2 18 00 00 00 48 00 00")
    let records: [MadeRecord] = [
      opened, .pdu(cid, hex, received: true),
      .pdu(cid, answer, received: false), .event("05 04 00 40 00 13"),
    ]
    #expect(
      Self.misplaced(records) == [
        "peer sent data on CID 0x000\(cid), which LE links do not have: receivers ignore it"
      ])
    let session = MadeRecord.session(records)
    #expect(session.events.allSatisfy { $0.severity == .info })
    #expect(session.channels.isEmpty)
    // As long as it is unknown whether the link is one of LE, signaling shows that it is not.
    let links = MadeRecord.session(Array(records.dropFirst())).links
    #expect(links.map(\.transport) == [.brEDR])
  }

  @Test func commandOfLEOnBREDR() {
    let records = [
      BREDRTests.connected, .pdu(0x0001, Self.update, received: true, link: 0x0B),
      .pdu(0x0001, "01 01 02 00 00 00", received: false, link: 0x0B),
    ]
    #expect(
      Self.misplaced(records) == [
        "peer sent L2CAP_CONNECTION_PARAMETER_UPDATE_REQ on CID 0x0001, where it is not defined: "
          + "receivers reject or ignore it"
      ])
    #expect(MadeRecord.session(records).events.count == 2)
  }

  /// Commands that both have. Table 4.2
  @Test func commandsOfBoth() {
    let codes: [SignalingCommand.Code] = [
      .commandReject, .disconnectionRequest, .disconnectionResponse, .flowControlCredit,
      .creditBasedConnectionRequest, .creditBasedConnectionResponse,
      .creditBasedReconfigureRequest, .creditBasedReconfigureResponse,
    ]
    for code in codes {
      #expect(code.isDefined(on: .signaling) && code.isDefined(on: .leSignaling))
    }
  }

  // MARK: The MTU of basic mode. 5.1

  /// A channel to PSM 0x1001 on which this host accepts 200 bytes and the peer 100.
  private static func configured(isSeen: Bool = true) -> [MadeRecord] {
    let requests: [MadeRecord] = [
      .pdu(0x0001, "04 03 08 00 41 00 00 00 01 02 c8 00", received: false),
      .pdu(0x0001, "04 04 08 00 40 00 00 00 01 02 64 00", received: true),
    ]
    return Array(opened.prefix(2)) + (isSeen ? requests : [requests[1]]) + [
      .pdu(0x0001, "05 03 06 00 40 00 00 00 00 00", received: true),
      .pdu(0x0001, "05 04 06 00 41 00 00 00 00 00", received: false),
    ]
  }

  private static func sdu(_ count: Int, byPeer: Bool) -> MadeRecord {
    .pdu(
      byPeer ? 0x40 : 0x41, String(repeating: "aa", count: count), received: byPeer)
  }

  private static func exceeded(_ records: [MadeRecord]) -> [String] {
    MadeRecord.session(records).events.compactMap { event in
      guard case .channel(.limitExceeded(let it)) = event.content else { return nil }
      return "\(it.byPeer ? "peer" : "host") \(it.limit) \(it.value) \(it.most)"
    }
  }

  @Test func basicMode() {
    #expect(
      Self.exceeded(
        Self.configured() + [Self.sdu(200, byPeer: true), Self.sdu(100, byPeer: false)])
        == [])
    let long = [
      Self.sdu(201, byPeer: true), Self.sdu(101, byPeer: false), Self.sdu(102, byPeer: false),
    ]
    #expect(
      Self.exceeded(Self.configured() + long) == ["peer sduSize 201 200", "host sduSize 101 100"])
    // This host's request, which may contain an MTU, is not in the capture.
    #expect(Self.exceeded(Self.configured(isSeen: false) + long) == ["host sduSize 101 100"])
  }

  // MARK: A Connection Response that is not in the capture. 4.3

  /// The request for PSM 0x1007 from 0x46, and both configurations: the peer's endpoint is 0x47.
  @Test func responseMissing() {
    let configuration: [MadeRecord] = [
      .pdu(0x0001, "04 04 04 00 46 00 00 00", received: true, link: 0x0B),
      .pdu(0x0001, "04 03 04 00 47 00 00 00", received: false, link: 0x0B),
    ]
    let request = MadeRecord.pdu(
      0x0001, "02 02 04 00 07 10 46 00", received: false, link: 0x0B)
    let channels = MadeRecord.session([BREDRTests.connected, request] + configuration).channels
    #expect(channels.map(\.psm) == [0x1007])
    #expect(channels.first?.localCID == 0x46 && channels.first?.remoteCID == 0x47)
    // The link, and perhaps the channel, was open before the capture began.
    #expect(MadeRecord.session([request] + configuration).channels.isEmpty)
  }
}
