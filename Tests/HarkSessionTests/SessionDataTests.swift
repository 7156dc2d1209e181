import HarkCapture
import HarkCore
import Testing

@testable import HarkSession

/// Records by hand, and what the index pass makes of them.
@Suite struct SessionDataTests {
  struct Sent {
    var bytes: [UInt8]
    var isReceived = false
    var cut = 0

    static func acl(_ hex: String, received: Bool = false, cut: Int = 0) -> Sent {
      Sent(bytes: Hex.bytes(hex) ?? [], isReceived: received, cut: cut)
    }
  }

  func events(_ packets: [Sent], _ each: (inout Session, [UInt8]) -> Void = { _, _ in })
    -> [Event.Content]
  {
    var session = Session()
    for (index, packet) in packets.enumerated() {
      var record = CaptureRecord()
      record.kind = .acl
      record.time = Timestamp(microseconds: Int64(index) * 1_000)
      record.direction = packet.isReceived ? .controllerToHost : .hostToController
      record.count = packet.bytes.count
      record.originalCount = packet.bytes.count + packet.cut
      session.index(record, packet.bytes.raw)
      each(&session, packet.bytes)
    }
    session.finish()
    return session.events.map(\.content)
  }

  /// Vol 3, Part A, 4.25 and 4.26: of two channels asked for, the second is refused.
  @Test func enhancedChannelsAreOpenedOneByOne() {
    let request = "40 20 14 00 10 00 05 00 17 01 0c 00 27 00 40 00 40 00 05 00 41 00 42 00"
    let response = "40 20 14 00 10 00 05 00 18 01 0c 00 40 00 40 00 05 00 04 00 51 00 00 00"
    var channel: UInt16?
    let contents = events([.acl(request), .acl(response, received: true)]) { session, _ in
      channel = session.channels.first?.remoteCID
      #expect(session.channels.allSatisfy { $0.entry?.name.description == "ATT" })
    }
    #expect(channel == 0x51)
    let opened = contents.compactMap {
      if case .channel(.opened(let it)) = $0 { it.channel } else { nil }
    }
    let refused = contents.filter {
      guard case .channel(.refused(let it)) = $0 else { return false }
      return it.psm == 0x27 && it.result == 4 && it.byPeer == true
    }
    #expect(opened.map(\.psm) == [0x27])
    #expect(opened.map(\.sourceCID) == [0x41])
    #expect(opened.map(\.destinationCID) == [0x51])
    #expect(refused.count == 1)
  }

  /// A record cut by its recorder keeps what is there: link, channel, opcode, handle.
  @Test func slicedPacketsKeepTheirBeginning() {
    let contents = events([
      .acl("40 20 20 00 1c 00 04 00 1b 03 00 aa bb", received: true, cut: 23)
    ])
    let values = contents.compactMap {
      if case .attribute(.value(let value)) = $0 { value } else { nil }
    }
    #expect(values.map(\.handle) == [3])
    #expect(values.map(\.bytes) == [[0xAA, 0xBB]])
  }

  /// Vol 3, Part F, 3.3.3: a transaction that takes longer than 30 seconds has failed.
  @Test func requestsWithoutAnswer() {
    func overdue(_ records: [MadeRecord]) -> [String] {
      MadeRecord.session(records).events.compactMap {
        guard case .attribute(.requestTimeout(let it)) = $0.content else { return nil }
        return "\(it.request) \(it.handle) #\($0.frames.last.number)"
      }
    }
    let read = MadeRecord.pdu(4, "0a 03 00", received: false)
    func notified(at time: Int64) -> MadeRecord {
      .pdu(4, "1b 06 00 01", received: true, at: time)
    }
    #expect(overdue([read, notified(at: 29)]).isEmpty)
    #expect(overdue([read, notified(at: 30), notified(at: 70)]) == ["10 3 #1"])
    #expect(overdue([read, .pdu(4, "0b 01", received: true), notified(at: 30)]).isEmpty)
    // The peer's request as well, and at the end of the link or of the capture.
    let peers = MadeRecord.pdu(4, "0a 04 00", received: true)
    #expect(overdue([read, peers, notified(at: 31)]) == ["10 3 #1", "10 4 #2"])
    var closed = MadeRecord.event("05 04 00 40 00 08")
    closed.time = 40
    #expect(overdue([read, closed]) == ["10 3 #1"])
    var other = MadeRecord.command("03 0c 00")
    other.time = 30
    #expect(
      overdue([read, .pdu(4, "1b 06 00 01", received: true, link: 0x41, at: 31)]) == ["10 3 #1"])
    closed.time = 5
    #expect(overdue([read, closed, other]).isEmpty)
  }
}
