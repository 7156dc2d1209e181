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
}
