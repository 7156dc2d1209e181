import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Isochronous streams. Core Specification, Vol 4, Part E, 5.4.5 and 7.7.65.25 to 7.7.65.30.
@Suite struct IsochronousTests {
  /// HCI_LE_CIS_Established: status, handle 0x0060, delays, latencies of 8 and 9 ms, LE 2M, NSE, BN,
  /// FT, PDUs of 120 and 2 octets, ISO_Interval 8 (10 ms).
  private static let established = MadeRecord.event(
    "3e 1d 19 00 60 00 10 27 00 10 27 00 40 1f 00 28 23 00 02 02 04 01 01 02 02 78 00 02 00 08 00")

  private static func iso(_ hex: String) -> MadeRecord {
    MadeRecord(kind: .iso, isReceived: true, hex: hex)
  }

  /// An SDU in one packet, from the Controller: time stamp, sequence, length 2 and status.
  private static func sdu(_ sequence: UInt8, time: UInt16, status: UInt8 = 0) -> MadeRecord {
    iso(
      "60 60 0a 00 \(hex(UInt8(time & 0xFF))) \(hex(UInt8(time >> 8))) 00 00 \(hex(sequence)) 00 "
        + "02 \(hex(status << 6)) aa bb")
  }

  private static func hex(_ octet: UInt8) -> String { Hex.text([octet]) }

  private static func events(_ records: [MadeRecord]) -> [IsochronousEvent] {
    MadeRecord.session(records).events.compactMap { event in
      if case .isochronous(let content) = event.content { content } else { nil }
    }
  }

  @Test func aStreamFromBeginningToEnd() {
    let events = Self.events([
      Self.established, Self.sdu(1, time: 1_000), Self.sdu(2, time: 11_000),
      .event("05 04 00 60 00 13"),
    ])
    #expect(
      events == [
        .established(
          .init(
            handle: 0x60, interval: 8,
            toPeripheral: .init(latency: 8_000, phy: 2, maxPDU: 120),
            toCentral: .init(latency: 9_000, phy: 2, maxPDU: 2))),
        .ended(.init(handle: 0x60, reason: 0x13)),
      ])
  }

  /// HCI_LE_CIS_Request: ACL handle 0x0040, CIS handle 0x0060, CIG 1, CIS 2; HCI_LE_Reject_CIS_Request: limited
  /// resources. 7.7.65.26, 7.8.102
  @Test func aRefusedStream() {
    let events = Self.events([
      .event("3e 07 1a 40 00 60 00 01 02"), .command("67 20 03 60 00 0d"),
      .event("0e 06 01 67 20 00 60 00"),
    ])
    #expect(
      events == [
        .requested(.init(handle: 0x60, name: .init(cig: 1, cis: 2))),
        .refused(.init(handle: 0x60, reason: 0x0D)),
      ])
  }

  /// HCI_LE_Setup_ISO_Data_Path of the other direction, and one that fails: Command Disallowed.
  @Test func otherDataPaths() {
    let events = Self.events([
      Self.sdu(1, time: 1_000), .command("6e 20 0d 60 00 00 00 06 00 00 00 00 00 00 00 00"),
      .event("0e 06 01 6e 20 00 60 00"),
      .command("6e 20 0d 60 00 01 00 06 00 00 00 00 00 00 00 00"),
      .event("0e 06 01 6e 20 0c 60 00"), Self.sdu(5, time: 41_000),
    ])
    #expect(events == [.gap(.init(handle: 0x60, missing: 3))])
  }

  /// HCI_LE_Remove_ISO_Data_Path and HCI_LE_Setup_ISO_Data_Path of the handle 0x0060: while there is no data path,
  /// no SDU is missing. 7.8.109, 7.8.110
  @Test func numbersGoOnWithoutDataPath() {
    let events = Self.events([
      Self.sdu(1, time: 1_000), Self.sdu(2, time: 11_000, status: 2), .command("6f 20 03 60 00 02"),
      .event("0e 06 01 6f 20 00 60 00"),
      .command("6e 20 0d 60 00 01 00 06 00 00 00 00 00 00 00 00"),
      .event("0e 06 01 6e 20 00 60 00"), Self.sdu(5, time: 41_000), Self.sdu(7, time: 61_000),
    ])
    #expect(
      events == [
        .lost(.init(handle: 0x60, count: 1, doubtful: 0, isBetween: false)),
        .gap(.init(handle: 0x60, missing: 1)),
      ])
  }

  @Test func gapsTimesAndLosses() {
    let events = Self.events([
      Self.sdu(1, time: 1_000), Self.sdu(4, time: 31_000), Self.sdu(5, time: 31_000),
      Self.sdu(6, time: 30_000), Self.sdu(7, time: 40_000, status: 2),
      Self.sdu(8, time: 50_000, status: 1), Self.sdu(9, time: 60_000),
      Self.sdu(10, time: 61_000, status: 2),
    ])
    #expect(
      events == [
        .gap(.init(handle: 0x60, missing: 2)),
        .timestampBack(.init(handle: 0x60, microseconds: 0)),
        .timestampBack(.init(handle: 0x60, microseconds: 1_000)),
        .lost(.init(handle: 0x60, count: 2, doubtful: 1, isBetween: true)),
        .lost(.init(handle: 0x60, count: 1, doubtful: 0, isBetween: false)),
      ])
  }

  /// The first fragment has ISO_SDU_Length 5; two octets are in it, and then two or three more.
  @Test(arguments: [("02 00 03 04", [4]), ("03 00 03 04 05", [])])
  func fragments(_ last: String, _ found: [Int]) {
    let events = Self.events([
      Self.iso("60 00 06 00 0a 00 05 00 01 02"), Self.iso("60 30 " + last),
    ])
    #expect(events == found.map { .sduLength(.init(handle: 0x60, expected: 5, found: $0)) })
  }

  @Test func broadcasts() {
    let events = Self.events([
      // HCI_LE_Create_BIG_Complete with two BISes, HCI_LE_Terminate_BIG_Complete.
      .event("3e 17 1b 00 05 10 27 00 40 1f 00 02 04 01 00 02 78 00 08 00 02 61 00 62 00"),
      .event("3e 03 1c 05 16"),
      // HCI_LE_BIG_Sync_Established that failed, HCI_LE_BIG_Sync_Lost.
      .event("3e 0f 1d 3e 06 00 00 00 00 00 00 00 00 00 00 00 00"),
      .event("3e 03 1e 06 08"),
    ])
    #expect(
      events == [
        .group(.init(big: 5, isOurs: true, interval: 8, maxPDU: 120, handles: [0x61, 0x62])),
        .groupEnded(.init(big: 5, isOurs: true, reason: 0x16)),
        .groupFailed(.init(big: 6, isOurs: false, status: 0x3E)),
        .groupEnded(.init(big: 6, isOurs: false, reason: 0x08)),
      ])
  }

  /// LE Connection Complete: link 0x0040 to E2:22:22:22:22:22 (random) as Central.
  private static let link = MadeRecord.event(
    "3e 13 01 00 40 00 00 01 22 22 22 22 22 e2 18 00 00 00 48 00 00")

  /// HCI_LE_Set_CIG_Parameters with CIS 7 of CIG 3, SDUs of up to 120 octets to the Peripheral and 2 to the Central;
  /// its handle 0x0060, HCI_LE_Create_CIS on link 0x0040. 7.8.97, 7.8.99
  private static let asked: [MadeRecord] = [
    .command(
      "62 20 18 03 10 27 00 10 27 00 00 00 00 14 00 14 00 01 07 78 00 02 00 02 02 05 05"),
    .event("0e 08 01 62 20 00 03 01 60 00"), .command("64 20 05 01 60 00 40 00"),
  ]

  @Test func aStreamIsOfItsLink() {
    let records =
      [Self.link] + Self.asked
      + [
        Self.established, Self.sdu(1, time: 1_000), Self.sdu(4, time: 31_000),
        .event("05 04 00 60 00 13"),
      ]
    let session = MadeRecord.session(records)
    let events = session.events.filter { if case .isochronous = $0.content { true } else { false } }
    #expect(events.count == 3)
    for event in events {
      #expect(event.link.map { session.links[Int($0.index)].handle } == 0x40)
      #expect(
        event.device.map { session.devices[Int($0.index)].address.description }
          == "E2:22:22:22:22:22")
    }
    guard case .isochronous(.established(let established)) = events.first?.content else {
      Issue.record("not established")
      return
    }
    #expect(established.name == .init(cig: 3, cis: 7))
  }

  /// As the Peripheral: HCI_LE_CIS_Request tells all. 7.7.65.26
  @Test func aStreamThatIsAskedFor() {
    let session = MadeRecord.session([
      Self.link, .event("3e 07 1a 40 00 60 00 03 07"), Self.established,
    ])
    guard
      case .isochronous(.established(let established)) = session.events.last?.content
    else {
      Issue.record("not established")
      return
    }
    #expect(established.name == .init(cig: 3, cis: 7))
    #expect(session.events.last?.device != nil)
  }

  /// A handle that a CIS had is given to a BIS: it is of no link. 7.7.65.27
  @Test func aHandleOfAnotherKind() {
    let session = MadeRecord.session(
      [Self.link] + Self.asked + [
        Self.established,
        .event("3e 15 1b 00 05 10 27 00 40 1f 00 02 04 01 00 02 78 00 08 00 01 60 00"),
        Self.sdu(1, time: 1_000), Self.sdu(4, time: 31_000),
      ])
    guard case .isochronous(.gap) = session.events.last?.content else {
      Issue.record("no gap")
      return
    }
    #expect(session.events.last?.link == nil)
  }

  /// HCI_Reset ends the streams of a controller; names and data of the next ones with their handles are their own.
  /// 7.3.2
  @Test func aReset() {
    let reset: [MadeRecord] = [.command("03 0c 00"), .event("0e 04 01 03 0c 00")]
    let before =
      [Self.link] + Self.asked + [
        Self.established, Self.sdu(1, time: 1_000), Self.sdu(2, time: 11_000, status: 2),
      ] + reset
    let events = Self.events(before + [Self.sdu(9, time: 1_000), Self.established])
    guard events.count == 4, case .established(let first) = events[0],
      case .established(let second) = events[3]
    else {
      Issue.record("\(events)")
      return
    }
    #expect(events[1] == .lost(.init(handle: 0x60, count: 1, doubtful: 0, isBetween: false)))
    #expect(events[2] == .ended(.init(handle: 0x60, reason: nil, controllerEnd: .reset)))
    #expect(first.name == .init(cig: 3, cis: 7) && second.name == nil)
    // HCI_LE_Data_Length_Change, which only ACL connections have. 7.7.65.7
    let change = MadeRecord.event("3e 0b 07 60 00 fb 00 48 08 fb 00 48 08")
    let links = MadeRecord.session(before + [change]).links
    #expect(links.filter { $0.transport != .iso }.map(\.handle) == [0x40, 0x60])
  }

  /// The controller accepts HCI_LE_BIG_Terminate_Sync, which no event follows: the BISes end with the answer. 7.8.107
  @Test func syncThatTheHostEnds() {
    let session = MadeRecord.session([
      .event("3e 13 1d 00 06 10 27 00 02 04 01 00 78 00 08 00 02 61 00 62 00"),
      .command("6c 20 01 06"), .event("0e 05 01 6c 20 00 06"),
    ])
    #expect(session.links.map(\.handle) == [0x61, 0x62])
    #expect(session.links.allSatisfy { $0.closed == PacketID(3) && $0.reason == 0x16 })
    guard case .isochronous(.groupEnded(let end)) = session.events.last?.content else {
      Issue.record("not ended")
      return
    }
    #expect(end == .init(big: 6, isOurs: false, reason: 0x16))
  }

  /// The train that led to a group is given up, and another sender's train gets its Sync_Handle 0x0030: the group still
  /// is of the first sender. 7.7.65.14, 7.8.69, 7.8.106
  @Test func aGroupOutlivesItsTrain() {
    func synchronized(_ octet: String) -> MadeRecord {
      .event("3e 10 0e 00 30 00 02 01 \(octet) 00 00 00 00 d1 01 50 00 00")
    }
    let session = MadeRecord.session([
      synchronized("0a"),
      .command(
        "6b 20 19 06 30 00 00 00000000000000000000000000000000 00 64 00 01 01"),
      .event("0f 04 00 01 6b 20"),
      .event("3e 11 1d 00 06 10 27 00 02 04 01 00 78 00 08 00 01 61 00"),
      .command("46 20 02 30 00"), .event("0e 04 01 46 20 00"), synchronized("0b"),
      .event("3e 03 1e 06 08"),
    ])
    let last = session.events.last
    guard case .isochronous(.groupEnded) = last?.content else {
      Issue.record("not ended")
      return
    }
    #expect(
      last?.device.map { session.devices[Int($0.index)].address.description }
        == "D1:00:00:00:00:0A")
  }

  /// Two HCI_LE_Set_CIG_Parameters are under way at once: each answer names its CIG. 7.8.97
  @Test func twoGroupsAtOnce() {
    func configure(_ cig: String, _ cis: String) -> MadeRecord {
      .command(
        "62 20 18 \(cig) 10 27 00 10 27 00 00 00 00 14 00 14 00 01 \(cis) 78 00 02 00 02 02 05 05")
    }
    let session = MadeRecord.session([
      Self.link, configure("03", "07"), configure("04", "08"),
      .event("0e 08 01 62 20 00 03 01 61 00"), .event("0e 08 01 62 20 00 04 01 60 00"),
      Self.established,
    ])
    guard case .isochronous(.established(let it)) = session.events.last?.content else {
      Issue.record("not established")
      return
    }
    #expect(it.name == .init(cig: 4, cis: 8))
  }

  /// HCI_Reset ends broadcast groups, and with them their streams; so does the end of a controller. 7.3.2
  @Test(arguments: [Link.ControllerEnd.reset, .closed, .removed])
  func groupsEndWithTheController(_ end: Link.ControllerEnd) {
    let ends: [MadeRecord] =
      switch end {
      case .reset: [.command("03 0c 00"), .event("0e 04 01 03 0c 00")]
      case .closed: [MadeRecord(kind: .closeIndex, isReceived: true, hex: "")]
      case .removed: [MadeRecord(kind: .deleteIndex, isReceived: true, hex: "")]
      }
    let session = MadeRecord.session(
      [
        .event("3e 17 1b 00 05 10 27 00 40 1f 00 02 04 01 00 02 78 00 08 00 02 61 00 62 00"),
        .event("3e 11 1d 00 06 10 27 00 02 04 01 00 78 00 08 00 01 63 00"),
      ] + ends + ends)
    let events = session.events.compactMap { event in
      if case .isochronous(let content) = event.content { content } else { nil }
    }
    #expect(
      events.suffix(2) == [
        .groupEnded(.init(big: 5, isOurs: true, reason: nil, controllerEnd: end)),
        .groupEnded(.init(big: 6, isOurs: false, reason: nil, controllerEnd: end)),
      ])
    #expect(events.count == 4)
    #expect(session.links.map(\.handle) == [0x61, 0x62, 0x63])
    #expect(session.links.allSatisfy { $0.closed != nil && $0.controllerEnd == end })
  }

  /// The beginning of an SDU is not in the capture: its fragments are reported once, unless it was only not read.
  @Test func fragmentsWithoutBeginning() {
    func orphans(_ records: [MadeRecord]) -> [Int] {
      MadeRecord.session([Self.link] + Self.asked + [Self.established] + records).events
        .compactMap { event in
          if case .capture(.orphanFragment(let it)) = event.content { it.count } else { nil }
        }
    }
    let first = Self.iso("60 00 06 00 0a 00 05 00 01 02")
    let middle = Self.iso("60 10 01 00 03")
    let last = Self.iso("60 30 02 00 04 05")
    #expect(orphans([first, middle, last]) == [])
    #expect(orphans([last]) == [2])
    #expect(orphans([first, middle, last, last]) == [2])
    #expect(orphans([middle, last, middle, last]) == [1, 1])
    #expect(orphans([first.losing(1), middle, last]) == [])
  }

  /// What is cut anywhere never traps.
  @Test func cutPackets() {
    for record in [Self.established, Self.sdu(1, time: 0)] + Self.asked {
      let count = (Hex.bytes(record.hex) ?? []).count
      for lost in 0..<count { _ = Self.events([record.losing(lost), record]) }
    }
  }
}
