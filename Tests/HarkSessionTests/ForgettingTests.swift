import HarkCapture
import HarkCore
import HarkTestSupport
import Testing

@testable import HarkSession

/// Captures that are made for days: what was written down of early packets leaves memory, and what happens is
/// told as if it had not.
@Suite struct ForgettingTests {
  /// LE Connection Complete and Disconnection Complete. Vol 4, Part E, 7.7.65.1, 7.7.5.
  private static let connected: [UInt8] = [
    0x3E, 19, 1, 0, 1, 0, 0, 1, 1, 2, 3, 4, 5, 0xC6, 24, 0, 0, 0, 0xF4, 1, 0,
  ]
  private static let disconnected: [UInt8] = [0x05, 4, 0, 1, 0, 0x13]
  /// HCI_Number_Of_Completed_Packets, which says nothing here. 7.7.19.
  private static let nothing: [UInt8] = [0x13, 1, 0]

  /// Gives a session a connection that lasts for `count` packets; lets go of rows on the way where `kept` says
  /// how many stay.
  private static func run(
    _ count: Int, kept: Int?, _ look: (borrowing Session, [Event]) -> Void = { _, _ in }
  ) -> [String] {
    var session = Session()
    var reported: [String] = []
    var events: [Event] = []
    for number in 1...count {
      var record = CaptureRecord()
      record.kind = .event
      record.direction = .controllerToHost
      record.number = UInt32(number)
      record.time = Timestamp(microseconds: 1_750_000_000_000_000 + Int64(number) * 1_000)
      let bytes = number == 10 ? connected : number == count ? disconnected : nothing
      record.count = bytes.count
      record.originalCount = bytes.count
      session.index(record, bytes.raw)
      for event in session.events {
        let sentence = Event.sentence(of: event.content.described, event, session).text
        reported.append("\(event.frames) \(event.time.nanoseconds) \(sentence)")
      }
      events += session.events
      session.dropEvents()
      if let kept, number % 10_000 == 0 { session.forgetPackets(allBut: kept, named: []) }
    }
    look(session, events)
    return reported
  }

  /// The sentence of the end says how long the connection was open, by the row of its beginning.
  @Test func theTimelineIsTheSame() {
    let count = 4 * PacketTable.blockSize
    let reported = Self.run(count, kept: nil)
    #expect(reported.count >= 2)
    #expect(reported.last?.contains(" after ") == true, "\(reported)")
    let forgetting = Self.run(count, kept: PacketTable.blockSize) { session, _ in
      // 10,000 packets are between two looks.
      #expect(session.packets[1] == nil && session.packets[UInt32(PacketTable.blockSize)] == nil)
      #expect(session.packets[UInt32(count - PacketTable.blockSize)] != nil)
      #expect(session.packets[UInt32(count)] != nil && session.packets.count == count)
    }
    #expect(forgetting == reported)
  }

  @Test func namedPacketsStay() {
    let count = 3 * PacketTable.blockSize
    var session = Session()
    for number in 1...count {
      var record = CaptureRecord()
      record.kind = .event
      record.time = Timestamp(microseconds: Int64(number))
      record.count = Self.nothing.count
      record.originalCount = record.count
      session.index(record, Self.nothing.raw)
    }
    session.forgetPackets(allBut: 10, named: [7, 3, 3, UInt32(count)])
    #expect(session.packets[3]?.time == Timestamp(microseconds: 3))
    #expect(session.packets[7]?.time == Timestamp(microseconds: 7))
    #expect(session.packets[4] == nil && session.packets[0] == nil)
    // Again: those that stayed stay.
    session.forgetPackets(allBut: 0, named: [])
    #expect(session.packets[3]?.time == Timestamp(microseconds: 3))
    #expect(session.packets[UInt32(count + 1)] == nil)
  }
}
