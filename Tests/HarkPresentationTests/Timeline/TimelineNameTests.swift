import HarkCapture
import HarkCore
import HarkSession
import Testing

@testable import HarkPresentation

/// What sentences call attributes. PDUs after Core Specification, Vol 3, Part F, 3.4.
@Suite struct TimelineNameTests {
  private func sentences(_ packets: [(received: Bool, hex: String)]) -> [String] {
    var session = Session()
    var sentences: [String] = []
    for (received, hex) in packets {
      let pdu = Hex.bytes(hex) ?? []
      let count = UInt8(pdu.count)
      let bytes = [0x40, received ? 0x20 : 0, count + 4, 0, count, 0, 4, 0] + pdu
      var record = CaptureRecord()
      record.kind = .acl
      record.direction = received ? .controllerToHost : .hostToController
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      session.index(record, bytes.raw)
      for event in session.events where event.lane == .gatt {
        sentences.append(EventText.sentence(event, session))
      }
      session.dropEvents()
    }
    return sentences
  }

  private static let discovery = [
    (false, "08 01 00 ff ff 03 28"),
    (true, "09 07 02 00 10 03 00 4d 2a 05 00 10 06 00 4d 2a 07 00 02 08 00 19 2a"),
    (false, "04 04 00 04 00"), (true, "05 01 04 00 08 29"),
  ]

  @Test func attributesOfOneUUID() {
    let reported = sentences(
      Self.discovery + [
        (true, "1b 03 00 01"), (true, "1b 06 00 02"), (false, "0a 08 00"), (true, "0b 57"),
        (false, "0a 04 00"), (true, "0b 01 01"),
      ])
    #expect(
      reported.filter { !$0.hasPrefix("discovered") } == [
        "notification of Report (0x0003): 01", "notification of Report (0x0006): 02",
        "read Battery Level: 87 %",
        "read Report Reference of Report (0x0003): Report ID 1, Report Type Input Report (1)",
      ])
  }

  /// Two UUIDs of one member, as characteristic and as an attribute of no type that is assigned: the
  /// member's name is one of its service. Assigned Numbers, 3.11.
  @Test func attributesOfMembers() {
    let reported = sentences([
      (false, "08 01 00 ff ff 03 28"), (true, "09 07 02 00 10 03 00 f4 ff"),
      (false, "04 04 00 04 00"), (true, "05 01 04 00 f3 ff"), (true, "1b 03 00 01"),
      (true, "1b 04 00 02"),
    ])
    #expect(
      reported.filter { !$0.hasPrefix("discovered") } == [
        "notification of 0xFFF4: 01",
        "notification of 0xFFF3 (0x0004): 02",
      ])
  }
}
