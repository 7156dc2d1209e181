import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// USB has an endpoint for events and others for data: the first data of a peer may be recorded before the event that
/// opens its link. Core Specification, Vol 4, Part B, 2.1.
@Suite struct EarlyDataTests {
  private typealias Record = MadeRecord

  private static let reset: [MadeRecord] = [
    .command("03 0c 00"), .event("0e 04 01 03 0c 00"),
  ]
  /// HCI_LE_Connection_Complete: link 0x0040 as Peripheral. 7.7.65.1
  private static let complete = MadeRecord.event(
    "3e 13 01 00 40 00 01 01 22 22 22 22 22 e2 18 00 00 00 48 00 00")
  private static let requested = MadeRecord.pdu(0x0004, "02 f7 00", received: true)
  private static let answered = MadeRecord.pdu(0x0004, "03 f7 00", received: false)

  /// Records with these milliseconds between them.
  private static func spaced(_ records: [MadeRecord], by milliseconds: Int64 = 10) -> [MadeRecord] {
    var time: Int64 = 0
    return records.map { record in
      var record = record
      record.microseconds = time * 1_000
      time += milliseconds
      return record
    }
  }

  private static func isInferred(_ event: Event) -> Bool {
    if case .link(.inferred) = event.content { true } else { false }
  }

  private static func isClosed(_ event: Event) -> Bool {
    if case .link(.closed) = event.content { true } else { false }
  }

  @Test func lowEnergy() throws {
    let session = MadeRecord.session(
      Self.spaced(Self.reset + [Self.requested, Self.complete, Self.answered]))
    #expect(session.links.count == 1)
    let link = try #require(session.links.first)
    #expect(link.certainty == .seen && link.role == .peripheral && link.transport == .le)
    #expect(link.opened.number == 3 && link.packets == 3 && link.mtu == 247)
    #expect(!session.events.contains { Self.isInferred($0) || Self.isClosed($0) })
    let events = session.events.filter { $0.link == link.id }
    #expect(events.count == 2 && events.allSatisfy { $0.device == link.device })
    #expect(
      session.events.contains { if case .attribute(.mtu) = $0.content { true } else { false } })
  }

  /// The handle was in use before, 2 s ago or, because the clock was set back, an hour later.
  @Test(arguments: [2, -3_600] as [Int64]) func reused(_ later: Int64) {
    let early = Self.spaced([Self.requested, Self.complete, Self.answered]).map { record in
      var record = record
      record.time = later
      return record
    }
    let ended = MadeRecord.event("05 04 00 40 00 13")
    var other = MadeRecord.event("0e 03 01 00 00")
    other.time = later - 1
    let session = MadeRecord.session(
      Self.spaced(Self.reset + [Self.complete, ended]) + [other] + early)
    #expect(session.links.map(\.opened.number) == [3, 6])
    #expect(session.links.map { $0.closed == nil } == [false, true])
    #expect(!session.events.contains(where: Self.isInferred))
  }

  /// Pairing Request of the Central. Vol 3, Part H, 3.5.1
  @Test func pairing() {
    let session = MadeRecord.session(
      Self.spaced(
        Self.reset + [
          .pdu(0x0006, "01 03 00 09 10 03 03", received: true), Self.complete,
          .pdu(0x0006, "02 03 00 09 10 03 03", received: false),
        ]))
    #expect(session.links.count == 1 && session.links[0].pairing.last != nil)
    #expect(!session.events.contains { Self.isInferred($0) || Self.isClosed($0) })
  }

  /// L2CAP_CONNECTION_REQ for SDP, HCI_Connection_Complete, L2CAP_CONNECTION_RSP. Vol 3, Part A, 4.2, 4.3
  @Test func channelOfBREDR() {
    let session = MadeRecord.session(
      Self.spaced(
        Self.reset + [
          .pdu(0x0001, "02 02 04 00 01 00 40 00", received: true, link: 0x0B),
          .event("03 0b 00 0b 00 66 55 44 33 22 11 01 00"),
          .pdu(0x0001, "03 02 08 00 41 00 40 00 00 00 00 00", received: false, link: 0x0B),
        ]))
    #expect(session.links.map(\.transport) == [.brEDR] && session.links[0].certainty == .seen)
    #expect(session.channels.map(\.psm) == [0x0001])
    #expect(session.channels.first?.localCID == 0x41 && session.channels.first?.remoteCID == 0x40)
  }

  /// HCI_Synchronous_Connection_Complete, of eSCO or SCO. 7.7.35
  @Test(arguments: [("02", Link.Transport.esco), ("00", .sco)])
  func sound(_ linkType: String, _ transport: Link.Transport) {
    let sound = MadeRecord.sound("0101 05 0102030405", received: true)
    let session = MadeRecord.session(
      Self.spaced(
        Self.reset + [
          .event("03 0b 00 0b 00 66 55 44 33 22 11 01 00"), sound, sound,
          .event("2c 11 00 0101 665544332211 \(linkType) 0c 04 3c00 3c00 02"), sound,
        ]))
    #expect(session.links.map(\.transport) == [.brEDR, transport])
    #expect(session.links.allSatisfy { $0.certainty == .seen })
    #expect(session.streams.map(\.kind) == [.synchronous(transport)])
    #expect(
      session.streams.map(\.packets) == [[0, 3]] && session.streams.map(\.bytes) == [[0, 15]])
    #expect(!session.events.contains { Self.isInferred($0) || Self.isClosed($0) })
  }

  /// ISO data with sequence numbers before HCI_LE_CIS_Established, and after it. 5.4.5, 7.7.65.25
  @Test func isochronous() {
    func sdu(_ sequence: String) -> MadeRecord {
      MadeRecord(kind: .iso, isReceived: true, hex: "60 20 06 00 \(sequence) 00 02 00 aa bb")
    }
    let central = MadeRecord.event(
      "3e 13 01 00 40 00 00 01 22 22 22 22 22 e2 18 00 00 00 48 00 00")
    let established = MadeRecord.event(
      "3e 1d 19 00 60 00 10 27 00 10 27 00 40 1f 00 28 23 00 02 02 04 01 00 02 00 78 00 00 00 08 00"
    )
    let session = MadeRecord.session(
      Self.spaced(
        Self.reset + [
          central, .command("64 20 05 01 60 00 40 00"), .event("0f 04 00 01 64 20"), sdu("00"),
          sdu("01"), established, sdu("03"),
        ]))
    #expect(session.links.map(\.transport) == [.le, .iso])
    #expect(session.links.allSatisfy { $0.certainty == .seen })
    #expect(session.streams.map(\.packets) == [[0, 3]])
    #expect(!session.events.contains(where: Self.isInferred))
    // Number 2 is missing: the numbers go on.
    #expect(
      session.events.contains {
        if case .isochronous(.gap(let gap)) = $0.content { gap.missing == 1 } else { false }
      })
  }

  // MARK: Links that the capture does not show being opened

  /// Without the event, with one that comes too late, and where this host sends first: it knows the link.
  @Test(arguments: [0, 1, 2]) func unseen(_ kind: Int) {
    let records =
      switch kind {
      case 0: Self.spaced(Self.reset + [Self.requested])
      case 1: Self.spaced(Self.reset + [Self.requested, Self.complete], by: 150)
      default: Self.spaced(Self.reset + [Self.requested, Self.answered, Self.complete])
      }
    let session = MadeRecord.session(records)
    #expect(session.links.map(\.certainty) == (kind == 0 ? [.inferred] : [.inferred, .seen]))
    #expect(session.links[0].isAfterReset)
    // Its row precedes those of what it carries.
    let events = session.events.filter { $0.link == session.links[0].id }
    #expect(events.first.map(Self.isInferred) == true)
    #expect(session.events.filter(Self.isInferred).count == 1)
  }

  /// Events wait until it is known, but not for longer.
  @Test func events() {
    var counts: [Int] = []
    let other = MadeRecord.event("0e 03 01 00 00")
    _ = MadeRecord.session(
      Self.spaced(Self.reset + [Self.requested, other, other], by: 60)
    ) { session, _ in
      counts.append(session.events.count(where: Self.isInferred))
    }
    #expect(counts == [0, 0, 0, 0, 1])
  }
}
