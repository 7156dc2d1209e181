import HarkCapture
import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

@Suite struct ControllerTests {
  /// The events of a capture of HCI events alone.
  private func events(_ packets: [[UInt8]]) -> [Event] {
    var session = Session()
    for (index, bytes) in packets.enumerated() {
      var record = CaptureRecord()
      record.number = UInt32(index + 1)
      record.kind = .event
      record.direction = .controllerToHost
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      session.index(record, bytes.raw)
    }
    session.finish()
    return session.events
  }

  private func failures(_ packet: [UInt8]) -> [UInt8] {
    events([packet]).compactMap {
      if case .controller(.commandFailed(let it)) = $0.content { it.status } else { nil }
    }
  }

  /// Vol 4, Part E, 7.7.14: the first return parameter is Status only where the command says so.
  @Test func statusOfCommands() {
    #expect(failures([0x0E, 4, 1, 0x03, 0x0C, 0x0C]) == [0x0C])
    #expect(failures([0x0E, 4, 1, 0x03, 0x0C, 0x00]).isEmpty)
    #expect(failures([0x0F, 4, 0x0C, 1, 0x05, 0x04]) == [0x0C])
    // A vendor's command, and one that is not known.
    #expect(failures([0x0E, 5, 1, 0x01, 0xFC, 0x12, 0x34]).isEmpty)
    #expect(failures([0x0E, 5, 1, 0xFE, 0x0F, 0x12, 0x34]).isEmpty)
    #expect(failures([0x0F, 4, 0x01, 1, 0x01, 0xFC]) == [0x01])
    // No command at all.
    #expect(failures([0x0E, 4, 1, 0x00, 0x00, 0x12]).isEmpty)
  }

  /// HCI_Disconnection_Complete shows a link from before the capture, and sent again none. Vol 4,
  /// Part E, 7.7.5.
  @Test func endsThatAreReportedAgain() {
    let end: [UInt8] = [0x05, 4, 0, 1, 0, 0x22]
    func kinds(_ packets: [[UInt8]]) -> [String] {
      events(packets).compactMap {
        switch $0.content {
        case .link(.inferred): "inferred"
        case .link(.closed): "closed"
        default: nil
        }
      }
    }
    #expect(kinds([end]) == ["inferred", "closed"])
    #expect(kinds([end, end, end]) == ["inferred", "closed"])
    #expect(kinds([[0x03, 11, 0, 1, 0, 1, 2, 3, 4, 5, 6, 1, 0], end, end]) == ["closed"])
  }

  /// A link ends when its handle is given away again or the controller is reset; the capture then
  /// does not hold a reason.
  @Test func linksEndWithoutReason() {
    func connection(_ handle: UInt8) -> [UInt8] {
      [0x03, 11, 0, handle, 0, 1, 2, 3, 4, 5, 6, 1, 0]
    }
    let all = events([
      connection(1), connection(1), [0x05, 4, 0, 1, 0, 0x13], connection(2), [0x05, 3, 0, 2, 0],
    ])
    let reasons: [UInt8?] = all.compactMap {
      if case .link(.closed(let closed)) = $0.content { .some(closed.reason) } else { nil }
    }
    #expect(reasons == [nil, 0x13, nil])
  }

  /// A controller that the host closes, or that is removed, has no links any more: records of the Linux monitor.
  @Test(arguments: [
    (PacketKind.closeIndex, ["host closed the controller"]),
    (.deleteIndex, ["controller was removed"]),
  ])
  func controllerEnds(_ kind: PacketKind, _ words: [String]) {
    let connected = MadeRecord.event("03 0b 00 01 00 66 55 44 33 22 11 01 00")
    var other = connected
    other.hex = "03 0b 00 02 00 66 55 44 33 22 11 01 00"
    let end = MadeRecord(kind: kind, isReceived: true, hex: "")
    let session = MadeRecord.session([connected, other, end, end, connected])
    let closed = session.events.filter {
      if case .link(.closed) = $0.content { true } else { false }
    }
    #expect(closed.map(\.frames.first.number) == [3, 3])
    #expect(
      closed.allSatisfy {
        Event.sentence(of: $0.content.described, $0, session).text.contains(": the \(words[0])")
      })
    #expect(session.links.map(\.isOpenAtEnd) == [false, false, true])
  }

  /// A link of 30 s, during which the clock goes back by 15 s or forward by two days: how long it lasted is unknown.
  @Test(arguments: [(0, 30, 30), (0, 20, 15), (0, 20, 172_830), (100, 100, 130)])
  func durationAcrossAClockStep(_ start: Int64, _ middle: Int64, _ end: Int64) {
    func at(_ time: Int64, _ hex: String) -> MadeRecord {
      var record = MadeRecord.event(hex)
      record.time = time
      return record
    }
    let session = MadeRecord.session([
      at(start, "03 0b 00 01 00 66 55 44 33 22 11 01 00"), at(middle, "13 05 01 0100 0100"),
      at(end, "05 04 00 0100 13"), at(end, "03 0b 00 02 00 66 55 44 33 22 11 01 00"),
      at(end + 2, "05 04 00 0200 13"), at(0, "13 00"),
    ])
    let isKnown = end - start == 30
    #expect(
      session.links.map { session.duration(of: $0) }
        == [isKnown ? 30_000_000_000 : nil, 2_000_000_000])
    let closed = session.events.first {
      if case .link(.closed) = $0.content { true } else { false }
    }
    let words = closed.map { Event.sentence(of: $0.content.described, $0, session).text }
    #expect(words?.contains(" after ") == isKnown)
  }

  // MARK: Indexes of the Linux monitor

  /// New Index: type, bus, address, name. Index Information: address, manufacturer.
  private static func newIndex(_ address: String) -> MadeRecord {
    MadeRecord(kind: .newIndex, isReceived: true, hex: "00 01 \(address) 6863693000000000")
  }
  private static func information(_ address: String, _ company: String) -> MadeRecord {
    MadeRecord(kind: .indexInfo, isReceived: true, hex: "\(address) \(company)")
  }
  private static let removed = MadeRecord(kind: .deleteIndex, isReceived: true, hex: "")
  private static let (first, second, none) = (
    "a0 11 11 11 11 00", "b0 22 22 22 22 00", "000000000000"
  )
  /// HCI_Read_Local_Version_Information of Broadcom (0x000F), HCI_LE_Read_Buffer_Size: 2 packets.
  private static let facts: [MadeRecord] = [
    .event("0e 0c 01 0110 00 08 0000 08 0f00 0000"), .event("0e 07 01 0220 00 fb00 02"),
  ]
  /// A connection, and three commands that are not reported as completed.
  private static let traffic: [MadeRecord] =
    [
      .event("3e 13 01 00 4000 00 00 665544332211 1800 0000 4800 00")
    ] + Array(repeating: MadeRecord.pdu(4, "52 0300 ab", received: false), count: 3)

  /// Nothing that is known of a controller is known of another one that gets its index.
  @Test(arguments: [
    [removed, newIndex(second)],
    // Linux does not know the address at first.
    [removed, newIndex(none), information(second, "0a00")],
    // The removal is not in the capture.
    [newIndex(second)], [newIndex(none), information(second, "0a00")],
    [information(second, "0a00")],
  ])
  func anotherControllerWithTheIndex(_ change: [MadeRecord]) {
    let session = MadeRecord.session(
      [Self.newIndex(Self.first)] + Self.facts + change + Self.traffic)
    let all = session.allControllers
    #expect(all.map(\.index) == [0, 0])
    #expect(all.map(\.controller.address?.value) == [0x0011_1111_11A0, 0x0022_2222_22B0])
    #expect(all.first?.controller.company == 0x000F)
    #expect(all.last?.controller.company == (change.last?.kind == .indexInfo ? 0x000A : nil))
    let exceeded = session.events.contains {
      if case .controller(.buffersExceeded) = $0.content { true } else { false }
    }
    #expect(!exceeded)
    let ends = session.events.count {
      if case .controller(.gone) = $0.content { true } else { false }
    }
    #expect(ends == 1)
  }

  /// The same controller: listed again when another recorder starts, with an address that its host has set, or
  /// removed for a while.
  @Test(arguments: [
    [newIndex(first)], [information(second, "0f00")], [removed, newIndex(first)],
  ])
  func theSameController(_ change: [MadeRecord]) {
    let session = MadeRecord.session(
      [Self.newIndex(Self.first)] + Self.facts + change + Self.traffic)
    #expect(session.allControllers.count == 1)
    #expect(session.allControllers.first?.controller.company == 0x000F)
    let exceeded = session.events.contains {
      if case .controller(.buffersExceeded) = $0.content { true } else { false }
    }
    #expect(exceeded)
  }

  /// A link of another controller does not end one of the controller before it, and its host has other services.
  @Test func handlesOfAnotherController() {
    let connected = Self.traffic[0]
    let ended = MadeRecord.event("05 04 00 4000 13")
    let session = MadeRecord.session(
      [Self.newIndex(Self.first), connected, ended, Self.removed, Self.newIndex(Self.second)]
        + [.pdu(4, "52 0300 ab", received: false)])
    #expect(session.links.map(\.isAfterEnd) == [false, false])
  }
}
