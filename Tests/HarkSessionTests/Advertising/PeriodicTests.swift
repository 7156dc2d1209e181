import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Periodic advertising. Core Specification, Vol 4, Part E, 7.7.65.14 to 7.7.65.16, 7.7.65.24,
/// 7.7.65.34 to 7.7.65.37, 7.8.61 to 7.8.70.
@Suite struct PeriodicTests {
  private static let address = BluetoothAddress(0xE222_2222_2222, .random)

  /// Established: status 0, handle 0x0013, SID 3, random, address, LE 2M, interval 80, accuracy.
  private static let established = MadeRecord.event(
    "3e 10 0e 00 13 00 03 01 22 22 22 22 22 e2 02 50 00 00")

  /// A report of sync 0x0013: power, RSSI, no CTE, Data_Status, length, data.
  private static func report(_ status: String, _ data: String) -> MadeRecord {
    let count = (Hex.bytes(data) ?? []).count
    return .event(
      "3e \(Hex.text([UInt8(count + 8)])) 0f 13 00 7f c8 ff \(status) \(Hex.text([UInt8(count)])) "
        + data)
  }

  /// Service Data of the Basic Audio Announcement, 0x1851.
  private static let announcement = "05 16 51 18 01 02"

  private static func events(_ records: [MadeRecord]) -> [PeriodicEvent] {
    MadeRecord.session(MadeRecord.answering(records)).events.compactMap { event in
      if case .periodic(let content) = event.content { content } else { nil }
    }
  }

  private static let basicAudio: [BluetoothUUID] = [BluetoothUUID(0x1851 as UInt16)]

  /// HCI_LE_Periodic_Advertising_Report [v2] of subevents 0 and 1; the PDU of the latter was not received (0xFF).
  @Test func subeventThatIsNotReceived() {
    let events = Self.events([
      Self.established, .event("3e 0f 25 13 00 7f c4 ff 07 00 00 00 03 02 01 06"),
      .event("3e 0c 25 13 00 7f c4 ff 07 00 01 ff 00"), .event("3e 03 10 13 00"),
    ])
    guard case .lost(let lost)? = events.last else {
      Issue.record("the train is not lost")
      return
    }
    #expect(lost.account.reports == 1)
    #expect(lost.account.truncated == 0)
    #expect(lost.account.notReceived == 1)
    #expect(lost.account.subevents == [0])
    #expect(
      lost.account.words == " after 1 report, in subevent 0, 1 subevent PDU not received")
  }

  @Test func aTrainFromBeginningToEnd() {
    let records: [MadeRecord] = [
      // HCI_LE_Periodic_Advertising_Create_Sync
      .command("44 20 0e 00 03 01 22 22 22 22 22 e2 00 00 2c 01 00"), Self.established,
      Self.report("00", Self.announcement), Self.report("00", Self.announcement),
      // In two parts, then cut short by the Controller.
      Self.report("01", "05 16 51"), Self.report("00", "18 01 03"), Self.report("02", "05 16"),
      Self.report("00", "18 01 03"),
      .event("3e 03 10 13 00"),
    ]
    let events = Self.events(records)
    #expect(
      events == [
        .requested(.init(advertiser: .init(sid: 3, address: Self.address))),
        .synchronized(
          .init(
            sync: 0x13,
            train: .init(
              advertiser: .init(sid: 3, address: Self.address), phy: 2, interval: 80,
              subevents: nil))),
        .changed(
          .init(
            sync: 0x13, content: .init(count: 6, services: Self.basicAudio), isFirst: true)),
        .changed(
          .init(
            sync: 0x13, content: .init(count: 6, services: Self.basicAudio), isFirst: false)),
        .changed(.init(sync: 0x13, content: .init(count: 3, services: []), isFirst: false)),
        .lost(.init(sync: 0x13, account: .init(reports: 6, truncated: 1))),
      ])
    let session = MadeRecord.session(MadeRecord.answering(records))
    let reported = session.events.filter { if case .periodic = $0.content { true } else { false } }
    for event in reported.dropFirst() {
      #expect(event.device.map { session.devices[Int($0.index)].address } == Self.address)
    }
  }

  /// Of a sensor each report differs: eight changes are reported.
  @Test func manyChanges() {
    let reports = (0..<20).map { Self.report("00", Hex.text([2, 1, UInt8($0)])) }
    let events = Self.events(
      [Self.established] + reports + [.command("46 20 02 13 00")])
    #expect(events.count == 10)
    #expect(
      events.last == .ended(.init(sync: 0x13, account: .init(reports: 20, unreported: 12))))
  }

  /// HCI_Reset ends all trains that a controller follows. Vol 4, Part E, 7.3.2
  @Test func reset() {
    let reports = [Self.report("00", "020106"), Self.report("00", "020106")]
    let events = Self.events(
      [Self.established] + reports + [.command("03 0c 00"), .command("03 0c 00")])
    #expect(
      events.suffix(1) == [
        .ended(.init(sync: 0x13, account: .init(reports: 2), controllerEnd: .reset))
      ])
    #expect(events.count == 3)
  }

  @Test func failuresAndTransfers() {
    #expect(
      Self.events([
        .event("3e 10 0e 44 13 00 03 01 22 22 22 22 22 e2 02 50 00 00"),
        // Transfer received on a link that is not known, Service_Data 0x1234.
        .event("3e 14 18 00 40 00 34 12 13 00 03 01 22 22 22 22 22 e2 01 50 00 00"),
        // HCI_LE_Periodic_Advertising_Sync_Transfer, _Set_Info_Transfer
        .command("5a 20 06 40 00 34 12 13 00"), .command("5b 20 05 40 00 34 12 01"),
      ]) == [
        .failed(.init(status: 0x44, isTransfer: false)),
        .received(
          .init(
            sync: 0x13,
            train: .init(
              advertiser: .init(sid: 3, address: Self.address), phy: 1, interval: 80,
              subevents: nil))),
        .handedOver(.init(source: .sync(0x13))), .handedOver(.init(source: .set(1))),
      ])
  }

  /// HCI_LE_BIGInfo_Advertising_Report: two BISes, NSE 3, ISO_Interval 8, PDUs of 60, SDU_Interval
  /// 10 000, SDUs of 60, LE 2M, unframed, encrypted.
  @Test func broadcastGroup() {
    let info = MadeRecord.event(
      "3e 14 22 13 00 02 03 08 00 01 00 03 3c 00 10 27 00 3c 00 02 00 01")
    #expect(
      Self.events([Self.established, info, info]).dropFirst() == [
        .group(
          .init(
            sync: 0x13,
            group: .init(
              streams: 2, isoInterval: 8, maxPDU: 60, sduInterval: 10_000, maxSDU: 60, phy: 2,
              isEncrypted: true)))
      ])
  }

  @Test func thisHostsTrain() {
    #expect(
      Self.events([
        .command("3e 20 07 01 50 00 a0 00 00 00"),
        .command("3f 20 09 01 03 06 " + Self.announcement), .command("40 20 02 01 01"),
        .command("3f 20 09 01 03 06 " + Self.announcement),
        // In two parts.
        .command("3f 20 06 01 01 03 05 16 51"), .command("3f 20 06 01 02 03 18 01 03"),
        .command("40 20 02 00 01"),
      ]) == [
        .data(.init(set: 1, content: .init(count: 6, services: Self.basicAudio))),
        .started(
          .init(set: 1, parameters: .init(shortest: 80, longest: 160, subevents: nil))),
        .data(.init(set: 1, content: .init(count: 6, services: Self.basicAudio))),
        .stopped(.init(set: 1)),
      ])
  }

  /// Periodic advertising with responses: four subevents every 20 ms.
  @Test func responses() {
    let request = MadeRecord.event("3e 04 27 01 00 04")
    #expect(
      Self.events([
        .command("86 20 0e 01 50 00 50 00 00 00 04 10 02 08 05"), .command("40 20 02 01 01"),
        request, request,
        // Two responses in subevent 1: one whole, one that was not heard.
        .event("3e 13 28 01 01 00 02 7f c8 ff 00 00 02 aa bb 7f 7f ff 01 ff 00"),
        .command("40 20 02 00 01"),
      ]) == [
        .started(
          .init(
            set: 1,
            parameters: .init(
              shortest: 80, longest: 80, subevents: .init(count: 4, interval: 16)))),
        .responses(.init(set: 1, requests: 8, heard: 1, missing: 1)), .stopped(.init(set: 1)),
      ])
    // The one who listens: reports [v2] of subevents 0 and 3.
    #expect(
      Self.events([
        .event("3e 14 24 00 13 00 03 01 22 22 22 22 22 e2 02 50 00 00 04 10 02 08"),
        .event("3e 0c 25 13 00 7f c8 ff 01 00 00 00 01 aa"),
        .event("3e 0c 25 13 00 7f c8 ff 01 00 03 00 01 bb"),
      ]).last == .heard(.init(sync: 0x13, account: .init(reports: 2, subevents: [0, 3]))))
  }

  /// HCI_LE_BIG_Create_Sync by sync 0x0013: the group is of the train's device. 7.8.106
  @Test func groupOfADevice() {
    let session = MadeRecord.session(
      MadeRecord.answering([
        Self.established,
        .command(
          "6b 20 1a 05 13 00 00" + String(repeating: " 00", count: 16) + " 00 32 00 02 01 02"),
        .event("3e 13 1d 00 05 40 1f 00 04 01 00 02 78 00 08 00 02 61 00 62 00"),
        .event("3e 03 1e 05 08"),
      ]))
    let groups = session.events.filter { if case .isochronous = $0.content { true } else { false } }
    #expect(groups.count == 2)
    for event in groups {
      #expect(event.device.map { session.devices[Int($0.index)].address } == Self.address)
    }
  }

  /// What is cut anywhere never traps.
  @Test func cutPackets() {
    let records: [MadeRecord] = [
      Self.established, Self.report("00", Self.announcement),
      .event("3e 13 28 01 01 00 02 7f c8 ff 00 00 02 aa bb 7f 7f ff 01 ff 00"),
      .event("3e 04 27 01 00 04"), .event("3e 0c 25 13 00 7f c8 ff 01 00 00 00 01 aa"),
      .event("3e 14 22 13 00 02 03 08 00 01 00 03 3c 00 10 27 00 3c 00 02 00 01"),
      .event("3e 14 18 00 40 00 34 12 13 00 03 01 22 22 22 22 22 e2 01 50 00 00"),
      .command("3f 20 09 01 03 06 " + Self.announcement), .command("46 20 02 13 00"),
      .command("6b 20 1a 05 13 00 00"), .command("86 20 0e 01 50 00 50 00 00 00 04 10 02 08 05"),
    ]
    for record in records {
      for lost in 0..<(Hex.bytes(record.hex) ?? []).count {
        _ = Self.events([record.losing(lost), record])
      }
    }
  }
}
