import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Isochronous streams. Core Specification, Vol 4, Part E, 5.4.5 and 7.7.65.25 to 7.7.65.30.
@Suite struct IsochronousTests {
  /// HCI_LE_CIS_Established: status, handle 0x0060, delays, latencies of 8 and 9 ms, LE 2M, NSE, BN,
  /// FT, PDUs of 120 and 0 octets, ISO_Interval 8 (10 ms).
  private static let established = MadeRecord.event(
    "3e 1d 19 00 60 00 10 27 00 10 27 00 40 1f 00 28 23 00 02 02 04 01 00 02 00 78 00 00 00 08 00")

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
          handle: 0x60, interval: 8,
          toPeripheral: .init(latency: 8_000, phy: 2, maxPDU: 120),
          toCentral: .init(latency: 9_000, phy: 2, maxPDU: 0)),
        .ended(handle: 0x60, reason: 0x13),
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
        .gap(handle: 0x60, missing: 2), .timestampBack(handle: 0x60, by: 0),
        .timestampBack(handle: 0x60, by: 1_000), .lost(handle: 0x60, count: 2),
        .lost(handle: 0x60, count: 1),
      ])
  }

  /// The first fragment has ISO_SDU_Length 5; two octets are in it, and then two or three more.
  @Test(arguments: [("02 00 03 04", [4]), ("03 00 03 04 05", [])])
  func fragments(_ last: String, _ found: [Int]) {
    let events = Self.events([
      Self.iso("60 00 06 00 0a 00 05 00 01 02"), Self.iso("60 30 " + last),
    ])
    #expect(events == found.map { .sduLength(handle: 0x60, expected: 5, found: $0) })
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
        .group(big: 5, isOurs: true, interval: 8, maxPDU: 120, handles: [0x61, 0x62]),
        .groupEnded(big: 5, isOurs: true, reason: 0x16),
        .groupFailed(big: 6, isOurs: false, status: 0x3E),
        .groupEnded(big: 6, isOurs: false, reason: 0x08),
      ])
  }

  /// What is cut anywhere never traps.
  @Test func cutPackets() {
    for record in [Self.established, Self.sdu(1, time: 0)] {
      let count = (Hex.bytes(record.hex) ?? []).count
      for lost in 0..<count { _ = Self.events([record.losing(lost), record]) }
    }
  }
}
