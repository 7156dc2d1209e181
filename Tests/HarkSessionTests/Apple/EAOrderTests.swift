import HarkCore
import HarkTestSupport
import Testing

@testable import HarkSession

/// Bytes of External Accessory sessions are in the order of the sequence numbers of their link packets, and each session
/// is a stream. The messages are those of `VendorStreamTests`: their first byte is their length.
@Suite struct EAOrderTests {
  typealias Conversation = IAP2Conversation

  private static func message(_ identifier: UInt16, _ id: UInt8) -> [UInt8] {
    let session = Conversation.parameter(identifier == 0xEA00 ? 1 : 0, [0, id])
    let parameters = identifier == 0xEA00 ? Conversation.parameter(0, [5]) + session : session
    return Conversation.message(identifier, parameters)
  }

  /// Sessions 7 and 8 of `com.acme.b`, opened with the packets 0x67 and 0x68; the next packet of the device is 0x69.
  private static func begun() -> Conversation {
    var conversation = Conversation()
    conversation.begin(window: 100)
    conversation.send(
      .accessory, 0x2C, 0x65, session: 1, Conversation.message(0x1D01, IAP2Tests.identification))
    conversation.send(.device, 0x66, 0x2C, session: 1, Conversation.message(0x1D02))
    conversation.send(.device, 0x67, 0x2C, session: 1, message(0xEA00, 7))
    conversation.send(.device, 0x68, 0x2C, session: 1, message(0xEA00, 8))
    conversation.send(.accessory, 0x2C, 0x68)
    return conversation
  }

  private func found(_ build: (inout Conversation) -> Void) throws -> [String] {
    var conversation = Self.begun()
    build(&conversation)
    return try VendorStreamTests.found(conversation.records, "ea-protocol: com.acme.b")
  }

  private static let missing = "\(Gap.startWithoutEnd(.dataMissing))"

  /// Packet 0x6A is sent again after 0x6B, as its receiver requested.
  @Test func retransmitted() throws {
    let messages = try found {
      $0.send(.device, 0x69, 0x2C, session: 2, [0, 7, 6, 1])
      $0.send(.device, 0x6B, 0x2C, session: 2, [0, 7, 4, 5])
      $0.send(.accessory, 0x2C, 0x69, control: 0x60, [0x6A])
      $0.send(.device, 0x6A, 0x2C, session: 2, [0, 7, 2, 3])
      $0.send(.device, 0x6C, 0x2C, session: 2, [0, 7, 2, 9])
      $0.send(.accessory, 0x2C, 0x6C)
    }
    #expect(messages == ["060102030405", "0209"])
  }

  /// The pieces of a stream are in that order, too, with their own packets.
  @Test func pieces() throws {
    var conversation = Self.begun()
    let first = conversation.records.count
    for (sequence, byte) in [(UInt8(0x69), UInt8(1)), (0x6B, 3), (0x6A, 2)] {
      conversation.send(.device, sequence, 0x2C, session: 2, [0, 7, byte])
    }
    let found = MadeRecord.session(conversation.records)
    let stream = try #require(
      found.streams.first { $0.kind == .externalAccessory(session: 7) })
    var session = Session()
    session.followed = stream.id
    var pieces: [StreamPiece] = []
    for record in conversation.records {
      record.index(in: &session)
      pieces += session.pieces
    }
    #expect(pieces.map(\.bytes) == [[1], [2], [3]])
    #expect(pieces.map { Int($0.packet.number) } == [first + 1, first + 3, first + 2])
  }

  /// What still waits when the capture ends is in the stream, too.
  @Test func piecesAtTheEnd() throws {
    var conversation = Self.begun()
    let first = conversation.records.count
    for (sequence, byte) in [(UInt8(0x69), UInt8(1)), (0x6B, 3)] {
      conversation.send(.device, sequence, 0x2C, session: 2, [0, 7, byte])
    }
    let stream = try #require(
      MadeRecord.session(conversation.records).streams.first {
        $0.kind == .externalAccessory(session: 7)
      })
    var session = Session()
    session.followed = stream.id
    for record in conversation.records { record.index(in: &session) }
    #expect(session.pieces.isEmpty)
    session.finish()
    #expect(session.pieces.map(\.bytes) == [[3]])
    #expect(session.pieces.map { Int($0.packet.number) } == [first + 2])
    #expect(session.pieces.map(\.time) == [session.packets[UInt32(first + 2)]?.time])
  }

  /// The receiver acknowledges a packet that the capture lacks: what follows it does not continue the message before it.
  @Test func acknowledgedGap() throws {
    let messages = try found {
      $0.send(.device, 0x69, 0x2C, session: 2, [0, 7, 6, 1])
      $0.send(.device, 0x6B, 0x2C, session: 2, [0, 7, 3, 4, 5])
      $0.send(.accessory, 0x2C, 0x6B)
      $0.send(.device, 0x6C, 0x2C, session: 2, [0, 7, 2, 9])
    }
    #expect(messages == [Self.missing, "030405", "0209"])
  }

  /// No acknowledgement is in the capture: what waits is bounded, and the end of the capture ends the waiting.
  @Test(arguments: [3, 200]) func neverAcknowledged(_ count: Int) throws {
    let messages = try found {
      $0.send(.device, 0x69, 0x2C, session: 2, [0, 7, 6, 1])
      for number in 0..<count {
        let sequence = 0x6B &+ UInt8(truncatingIfNeeded: number)
        $0.send(.device, sequence, 0x2C, session: 2, [0, 7, 2, UInt8(number)])
      }
    }
    let rest = (0..<count).map { "02" + Hex.text([UInt8($0)]) }
    #expect(messages == [Self.missing] + rest)
  }

  /// A packet of the control session was missing, and no data.
  @Test func otherSessionMissing() throws {
    let messages = try found {
      $0.send(.device, 0x69, 0x2C, session: 2, [0, 7, 4, 1])
      $0.send(.device, 0x6B, 0x2C, session: 2, [0, 7, 2, 3])
      $0.send(.device, 0x6A, 0x2C, session: 1, Conversation.message(0xAE01))
    }
    #expect(messages == ["04010203"])
  }

  /// A session that opens in a packet after a missing one has its data after that, too.
  @Test func openedLate() throws {
    let messages = try found {
      $0.send(.device, 0x6A, 0x2C, session: 1, Self.message(0xEA00, 9))
      $0.send(.device, 0x6B, 0x2C, session: 2, [0, 9, 3, 1])
      $0.send(.device, 0x69, 0x2C, session: 2, [0, 7, 2, 8])
      $0.send(.device, 0x6C, 0x2C, session: 2, [0, 9, 5])
    }
    #expect(messages == ["0208", "030105"])
  }

  /// Stopped in the middle of a message, and opened again with the same number.
  @Test func openedAgain() throws {
    let messages = try found {
      $0.send(.device, 0x69, 0x2C, session: 2, [0, 7, 9, 1])
      $0.send(.device, 0x6A, 0x2C, session: 1, Self.message(0xEA01, 7))
      $0.send(.device, 0x6B, 0x2C, session: 1, Self.message(0xEA00, 7))
      $0.send(.device, 0x6C, 0x2C, session: 2, [0, 7, 2, 8])
    }
    #expect(messages == [VendorStreamTests.closed, "0208"])
  }

  /// RST ends the sessions, and SYN begins others.
  @Test func reset() throws {
    let messages = try found {
      $0.send(.device, 0x69, 0x2C, session: 2, [0, 7, 9, 1])
      $0.send(.device, 0x6A, 0x2C, control: 0x10)
      $0.begin()
      $0.send(.device, 0x66, 0x2B, session: 1, Self.message(0xEA00, 7))
      $0.send(.device, 0x67, 0x2B, session: 2, [0, 7, 2, 8])
    }
    #expect(messages == [VendorStreamTests.closed, "0208"])
  }

  /// Two sessions of one protocol.
  @Test func twoSessions() throws {
    let messages = try found {
      $0.send(.device, 0x69, 0x2C, session: 2, [0, 7, 4, 1])
      $0.send(.device, 0x6A, 0x2C, session: 2, [0, 8, 4, 5])
      $0.send(.device, 0x6B, 0x2C, session: 2, [0, 7, 2, 3])
      $0.send(.device, 0x6C, 0x2C, session: 2, [0, 8, 6, 7])
    }
    #expect(messages == ["04010203", "04050607"])
  }
}
