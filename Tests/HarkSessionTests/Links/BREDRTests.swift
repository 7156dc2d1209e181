import HarkCore
import Testing

@testable import HarkSession

/// Roles and pairing of BR/EDR links. Packets after Core Specification, Vol 4, Part E, 7.1, 7.7.
@Suite struct BREDRTests {
  private typealias Record = MadeRecord

  private func read(_ records: [MadeRecord]) -> (events: [Event], links: [Link]) {
    let session = MadeRecord.session(records)
    return (session.events, session.links)
  }

  static let peer = "66 55 44 33 22 11"
  static let created = MadeRecord.command("05 04 0d \(peer) 18 cc 01 00 00 00 01")
  static let requested = MadeRecord.event("04 0a \(peer) 00 00 00 01")
  static let connected = MadeRecord.event("03 0b 00 0b 00 \(peer) 01 00")

  // MARK: Roles

  @Test func roles() {
    func role(_ before: [Record], _ after: [Record] = []) -> Link.Role? {
      read(before + [Self.connected] + after).links.first?.role
    }
    let accepted = { (role: String) in Record.command("09 04 07 \(Self.peer) \(role)") }
    let changed = { (role: String) in Record.event("12 08 00 \(Self.peer) \(role)") }
    #expect(role([]) == nil)
    #expect(role([Self.created]) == .central)
    #expect(role([Self.requested, accepted("01")]) == .peripheral)
    #expect(role([accepted("01")]) == .peripheral)
    // The role switch asked for with the acceptance is reported before the link.
    #expect(role([Self.requested, accepted("00"), changed("00")]) == .central)
    #expect(role([Self.created], [changed("01")]) == .peripheral)
    // HCI_Role_Discovery. 7.2.7
    #expect(role([], [.event("0e 07 01 09 08 00 0b 00 01")]) == .peripheral)
    // Another device was paged.
    #expect(role([.command("05 04 0d 01 02 03 04 05 06 18 cc 01 00 00 00 01")]) == nil)
    // An attempt that failed says nothing of the next one.
    let failed = Record.event("03 0b 04 00 00 \(Self.peer) 01 00")
    #expect(role([Self.created, failed]) == nil)
  }

  @Test func roleChangesAreReported() {
    let changed = Record.event("12 08 00 \(Self.peer) 01")
    let roles = read([Self.created, Self.connected, changed, changed]).events.compactMap {
      if case .link(.change(.roleChanged(let it))) = $0.content { it.role } else { nil }
    }
    #expect(roles == [.peripheral])
  }

  // MARK: Secure Simple Pairing

  /// Vol 3, Part C, 5.2.2.6, table 5.7: DisplayOnly, DisplayYesNo, KeyboardOnly, NoInputNoOutput.
  @Test func associationModels() {
    let (just, compare, type): (Pairing.Method, Pairing.Method, Pairing.Method) = (
      .justWorks, .numericComparison, .passkeyEntry
    )
    let table: [[Pairing.Method]] = [
      [just, just, type, just], [just, compare, type, just], [type, type, type, just],
      [just, just, just, just],
    ]
    for (host, row) in table.enumerated() {
      for (peer, method) in row.enumerated() {
        #expect(models(host: "0\(host) 00 05", peer: "0\(peer) 00 04") == [method])
        // Neither asks for MITM protection.
        #expect(models(host: "0\(host) 00 04", peer: "0\(peer) 00 04") == [just])
      }
    }
    #expect(models(host: "03 00 04", peer: "03 01 04") == [.outOfBand])
    // Two pairings on one link.
    #expect(models(host: "01 00 05", peer: "01 00 05", times: 2) == [compare, compare])
  }

  private func models(host: String, peer: String, times: Int = 1) -> [Pairing.Method] {
    var records = [Self.created, Self.connected]
    for _ in 0..<times {
      records.append(.event("31 06 \(Self.peer)"))
      records.append(.command("2b 04 09 \(Self.peer) \(host)"))
      records.append(.event("32 09 \(Self.peer) \(peer)"))
    }
    return read(records).events.compactMap {
      if case .security(.pairing(.simple(.method(let method)))) = $0.content {
        method
      } else {
        nil
      }
    }
  }

  @Test func pairingBelongsToItsLink() {
    let records: [Record] = [
      .event("32 09 \(Self.peer) 01 00 05"), .command("2b 04 09 \(Self.peer) 01 00 05"),
      .event("33 0a \(Self.peer) 40 e2 01 00"), .event("36 07 00 \(Self.peer)"),
      .event("18 17 \(Self.peer) 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 08"),
      .event("0e 07 01 08 14 00 0b 00 07"),
    ]
    let events = read([Self.requested, Self.connected] + records).events.dropFirst(2)
    #expect(events.count == 8)
    #expect(events.allSatisfy { $0.link?.index == 0 && $0.device?.index == 0 })
    let value = events.compactMap {
      if case .security(.pairing(.simple(.numericValue(let value, true)))) = $0.content {
        value
      } else {
        nil
      }
    }
    #expect(value == [123_456])
    let sizes = events.compactMap {
      if case .security(.encryptionKeySize(let key)) = $0.content {
        ($0.severity, key.size)
      } else {
        nil
      }
    }
    #expect(sizes.map(\.0) == [.warning])
    #expect(sizes.map(\.1) == [7])
  }

  @Test func failures() {
    let records: [Record] = [
      Self.created, Self.connected, .event("06 03 05 0b 00"),
      .command("34 04 07 \(Self.peer) 18"), .event("0e 0a 01 34 04 00 \(Self.peer)"),
      .event("36 07 05 \(Self.peer)"),
    ]
    #expect(read(records).events.map(\.severity) == [.info, .error, .error, .error])
  }

  // MARK: Synchronous links

  /// HCI_Synchronous_Connection_Complete, _Changed, HCI_Disconnection_Complete. 7.7.35, 7.7.36.
  @Test func synchronousLinks() {
    let (events, links) = read([
      Self.created, Self.connected,
      .event("2c 11 00 0c 00 \(Self.peer) 02 0c 02 3c 00 3c 00 03"),
      .event("2d 09 00 0c 00 06 01 1e 00 1e 00"), .event("05 04 00 0c 00 13"),
      .event("2c 11 0d 00 00 \(Self.peer) 02 00 00 00 00 00 00 00"),
    ])
    #expect(links.map(\.transport) == [.brEDR, .esco])
    #expect(links.map(\.reason) == [nil, 0x13])
    let changed = Link.Synchronous(
      airMode: 3, transmissionInterval: 6, txPacketLength: 30, rxPacketLength: 30)
    #expect(links.last?.synchronous == changed)
    let reported = events.compactMap {
      if case .link(.change(.synchronous(let it))) = $0.content { it.parameters } else { nil }
    }
    #expect(reported == [changed])
    guard case .link(.failed(let failed)) = events.last?.content, failed.status == 0x0D,
      failed.transport == .esco
    else {
      Issue.record("the attempt that failed was not told")
      return
    }
  }

  /// HCI_LE_Create_Connection of a device, or of those in the Filter Accept List, and its end after a cancellation, where
  /// the controller names no device. 7.8.12, 7.8.13
  @Test func attemptOfLE() {
    func peers(policy: String) -> [BluetoothAddress?] {
      let create = Record.command(
        "0d 20 19 6000 3000 \(policy) 01 0b22222a4fe2 00 1800 2800 0000 2a00 0000 0000")
      let failed = Record.event("3e 13 01 02 0000 00 00 000000000000 0000 0000 0000 00")
      return read(Record.answering([create]) + [failed, failed]).events.compactMap { event in
        if case .link(.failed(let it)) = event.content { .some(it.peer) } else { nil }
      }
    }
    #expect(peers(policy: "00") == [BluetoothAddress(0xE24F_2A22_220B, .random), nil])
    #expect(peers(policy: "01") == [nil, nil])
  }

  /// HCI Synchronous Data packets. 5.4.3: handle and Packet_Status_Flag, length, data.
  @Test func sound() {
    let session = MadeRecord.session([
      Self.created, Self.connected,
      .event("2c 11 00 0c 00 \(Self.peer) 02 0c 02 3c 00 3c 00 03"),
      .sound("0c 00 03 01 02 03", received: false), .sound("0c 10 02 04 05", received: true),
      .sound("0c 30 00", received: true),
      // Three bytes are reported and two are there; an ACL link carries no such data.
      .sound("0c 00 03 01 02", received: true), .sound("0b 00 01 01", received: true),
      .event("05 04 00 0c 00 13"),
      // Its beginning is not in the capture.
      .sound("0d 00 01 06", received: true),
    ])
    #expect(session.streams.map(\.kind) == [.synchronous(.esco), .synchronous(.unknown)])
    #expect(session.streams.map(\.bytes) == [[3, 2], [0, 1]])
    #expect(session.streams.map(\.packets) == [[1, 2], [0, 1]])
    #expect(session.streams.map(\.opened.number) == [3, 10])
    #expect(session.streams.map(\.closed?.number) == [9, nil])
    #expect(session.links.map(\.certainty) == [.seen, .seen, .inferred])
  }
}
