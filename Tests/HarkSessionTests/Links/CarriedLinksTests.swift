import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Synchronous links and isochronous streams exist on an ACL connection and end with it. Core Specification, Vol 4, Part
/// E, 7.1.6.
@Suite struct CarriedLinksTests {
  /// HCI_Connection_Complete of link 0x000B, HCI_Synchronous_Connection_Complete of eSCO link 0x0100 to the same device.
  /// 7.7.3, 7.7.35
  private static let begun: [MadeRecord] = [
    .event("03 0b 00 0b00 665544332211 01 00"),
    .event("2c 11 00 0001 665544332211 02 0c 02 3c00 3c00 02"),
  ]
  private static let sound = MadeRecord.sound("0001 05 0102030405", received: true)
  /// HCI_Disconnection_Complete with Connection Timeout. 7.7.5
  private static let lost = MadeRecord.event("05 04 00 0b00 08")

  private static func closings(_ records: [MadeRecord]) -> [String] {
    MadeRecord.sentences(records) { if case .link(.closed) = $0 { true } else { false } }
  }

  @Test func aSynchronousLinkEndsWithItsConnection() {
    var late = Self.sound
    late.time = 2
    let session = MadeRecord.session(Self.begun + [Self.sound, Self.lost, Self.sound, late])
    let links = session.links
    #expect(links.map(\.handle) == [0x0B, 0x100, 0x100])
    #expect(links[1].endedWithACL && links[1].closed == links[0].closed && links[1].reason == 8)
    #expect(links[1].packetsAfterEnd == 1 && links[2].packetsAfterEnd == 0)
    #expect(links[2].isAfterEnd && links[2].closed == nil)
    #expect(session.streams.map(\.packets) == [[0, 1], [0, 1]])
    let closings = Self.closings(Self.begun + [Self.lost])
    #expect(closings.count == 2)
    #expect(closings.first?.hasPrefix("eSCO link 0x0100 closed with its ACL connection: ") == true)
  }

  /// Its own event comes first, or later: it ends once.
  @Test func itsOwnEvent() {
    let own = MadeRecord.event("05 04 00 0001 08")
    #expect(Self.closings(Self.begun + [own, Self.lost]).count == 2)
    #expect(Self.closings(Self.begun + [Self.lost, own]).count == 2)
    #expect(!MadeRecord.session(Self.begun + [own, Self.lost]).links[1].endedWithACL)
  }

  /// Those of other devices stay, and HCI_Reset ends each once.
  @Test func others() {
    let other: [MadeRecord] = [
      .event("03 0b 00 0c00 010203040506 01 00"),
      .event("2c 11 00 0101 010203040506 02 0c 02 3c00 3c00 02"),
    ]
    let session = MadeRecord.session(Self.begun + other + [Self.lost])
    #expect(session.links.map { $0.closed == nil } == [false, false, true, true])
    let reset = MadeRecord.answering([.command("03 0c 00")])
    #expect(Self.closings(Self.begun + reset).count == 2)
  }

  /// What crosses the end of a synchronous link opens none: what the controller still delivers for some milliseconds, and the
  /// host sends until it has read the event. Later data, and data of a handle that has not ended, have a link. 7.7.5
  @Test(
    arguments: [
      (true, 10_000, 0), (true, 60_000, 1), (false, 60_000, 0), (false, 900_000, 0),
      (false, 1_200_000, 1),
    ] as [(Bool, Int64, Int)])
  func soundAfterTheEnd(_ isReceived: Bool, _ microseconds: Int64, _ links: Int) {
    var stray = MadeRecord.sound("0001 05 0102030405", received: isReceived)
    stray.microseconds = microseconds
    let end = MadeRecord.event("05 04 00 0001 13")
    let session = MadeRecord.session(Self.begun + [Self.sound, end, stray])
    #expect(session.links.count == 2 + links)
    #expect(session.links[1].packetsAfterEnd == 1 - links)
    #expect(session.streams.first?.packets == [0, 1])
    // The handle is given to a new link, of which the host's next packet is part.
    let again = Self.begun[1]
    let reopened = MadeRecord.session(Self.begun + [end, again, stray])
    #expect(reopened.links.count == 3)
    #expect(reopened.streams.last?.packets == (isReceived ? [0, 1] : [1, 0]))
    // Nothing shows that there was another one.
    var other = stray
    other.hex = "0101 05 0102030405"
    #expect(MadeRecord.session(Self.begun + [end, other]).links.count == 3)
  }

  /// A synchronous link that was open before the capture belongs to the only connection there is.
  @Test func withoutItsBeginning() {
    let early = MadeRecord.sound("0101 05 0102030405", received: true)
    let links = MadeRecord.session([early, Self.begun[0], Self.lost]).links
    #expect(links.map { $0.closed == nil } == [false, false])
  }

  // MARK: Isochronous streams

  /// LE Connection Complete: link 0x0040 as Central; a CIS on it as in `IsochronousTests`, 0x0060, with Max_SDU 120.
  private static let cis: [MadeRecord] = [
    .event("3e 13 01 00 40 00 00 01 22 22 22 22 22 e2 18 00 00 00 48 00 00"),
    .command("62 20 18 03 10 27 00 10 27 00 00 00 00 14 00 14 00 01 07 78 00 00 00 02 02 05 00"),
    .event("0e 08 01 62 20 00 03 01 60 00"), .command("64 20 05 01 60 00 40 00"),
    .event(
      "3e 1d 19 00 60 00 10 27 00 10 27 00 40 1f 00 28 23 00 02 02 04 01 00 02 00 78 00 00 00 08 00"
    ),
  ]

  /// A whole SDU of this length in a packet without time stamp. 5.4.5
  private static func sdu(
    _ sequence: UInt8, length: Int = 2, handle: UInt8 = 0x60, received: Bool = false,
    at time: Int64 = 0
  ) -> MadeRecord {
    let bytes =
      [handle, 0x20, UInt8(length + 4), 0, sequence, 0, UInt8(length), 0]
      + [UInt8](repeating: 0xAB, count: length)
    return MadeRecord(kind: .iso, isReceived: received, hex: Hex.text(bytes), time: time)
  }

  private static func isochronous(_ records: [MadeRecord]) -> [IsochronousEvent] {
    MadeRecord.session(records).events.compactMap { event in
      if case .isochronous(let content) = event.content { content } else { nil }
    }
  }

  @Test func aStreamEndsWithItsConnection() {
    let records =
      Self.cis + [
        Self.sdu(1), .event("05 04 00 40 00 08"), .event("05 04 00 60 00 08"), Self.sdu(2),
        Self.sdu(3, at: 2),
      ]
    let ends = Self.isochronous(records).dropFirst()
    #expect(Array(ends) == [.ended(.init(handle: 0x60, reason: 8, isWithACL: true))])
    let links = MadeRecord.session(records).links
    #expect(links.map(\.transport) == [.le, .iso, .iso])
    #expect(links[1].endedWithACL && links[1].packetsAfterEnd == 1 && links[2].isAfterEnd)
  }

  @Test func dataBelongsToItsStreamAndDevice() {
    let session = MadeRecord.session(Self.cis + [Self.sdu(1), Self.sdu(2)])
    let link = session.links[1]
    #expect(link.device == session.links[0].device && link.device != nil)
    #expect(link.packets == 2 && link.role == .central)
    #expect(session.row(of: UInt32(session.packetCount))?.link == link.id)
    let streams = session.streams
    #expect(streams.map(\.kind) == [.isochronous])
    #expect(streams.first?.name == "CIG 3, CIS 7")
    #expect(streams.first?.packets == [2, 0])
  }

  /// HCI_LE_Create_BIG_Complete with the BISes 0x0061 and 0x0062, HCI_LE_Terminate_BIG_Complete.
  @Test func broadcastStreams() {
    let session = MadeRecord.session([
      .event("3e 17 1b 00 05 10 27 00 40 1f 00 02 04 01 00 02 78 00 08 00 02 61 00 62 00"),
      Self.sdu(1, handle: 0x61), .event("3e 03 1c 05 16"),
    ])
    #expect(session.streams.map(\.name) == ["BIG 5", "BIG 5"])
    #expect(session.links.map { $0.closed == nil } == [false, false])
  }

  @Test func anUnknownHandle() {
    let session = MadeRecord.session([.command("03 0c 00"), Self.sdu(1, handle: 0x77)])
    #expect(session.links.map(\.transport) == [.iso])
    #expect(
      session.events.contains { if case .link(.inferred) = $0.content { true } else { false } })
  }

  /// HCI_LE_CIS_Established [v2] as the Peripheral, with Max_SDU 0 from the Central and 2 to it. 7.7.65.25
  @Test func aPeripheralsSDUThatIsTooLong() {
    let begun: [MadeRecord] = [
      .event("3e 13 01 00 40 00 01 01 22 22 22 22 22 e2 18 00 00 00 48 00 00"),
      .event("3e 07 1a 40 00 60 00 01 02"),
      .event(
        "3e 2b 2a 00 6000 102700 102700 401f00 282300 02 02 04 01 00 02 00 0000 7800 0800 "
          + "000000 0000 0200 102700 102700 00"),
    ]
    let events = Self.isochronous(begun + [Self.sdu(1, length: 3)])
    #expect(events.last == .sduTooLong(.init(handle: 0x60, length: 3, most: 2)))
    let good = Self.isochronous(begun + [Self.sdu(1, length: 2)])
    #expect(good.count == 2)
  }

  /// Max_SDU is 120 to the Peripheral. It is reported once.
  @Test func anSDUThatIsTooLong() {
    #expect(
      Self.isochronous(Self.cis + [Self.sdu(1, length: 120)]).count == 1)
    let events = Self.isochronous(
      Self.cis + [Self.sdu(1, length: 121), Self.sdu(2, length: 122)])
    #expect(
      events.dropFirst().map { $0 } == [.sduTooLong(.init(handle: 0x60, length: 121, most: 120))])
  }
}
