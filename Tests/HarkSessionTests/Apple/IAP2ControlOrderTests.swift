import HarkCore
import HarkTestSupport
import Testing

@testable import HarkSession

/// Messages of the control session are in the order of the sequence numbers of their link packets, and a message in the
/// wrong direction changes no side.
@Suite struct IAP2ControlOrderTests {
  typealias Conversation = IAP2Conversation

  private func reported(_ build: (inout Conversation) -> Void) -> [String] {
    var conversation = Conversation()
    conversation.begin(window: 100)
    build(&conversation)
    return Array(conversation.reported().dropFirst(2))
  }

  /// The identification in three link packets, of which the second is sent again after the third.
  @Test func retransmittedPart() {
    let message = Conversation.message(0x1D01, IAP2Tests.identification)
    let found = reported {
      $0.send(.accessory, 0x2C, 0x65, session: 1, Array(message[..<10]))
      $0.send(.accessory, 0x2E, 0x65, session: 1, Array(message[30...]))
      $0.send(.device, 0x65, 0x2C, control: 0x60, [0x2D])
      $0.send(.accessory, 0x2D, 0x65, session: 1, Array(message[10..<30]))
      $0.send(.device, 0x66, 0x2E, session: 1, Conversation.message(0x1D02))
      $0.send(.accessory, 0x2E, 0x66)
    }
    #expect(
      found == [
        "missing(first: 45, count: 1)", "wanted([45])", "retransmitted(sequence: 45)",
        #"identification Acme ["4:com.acme.a", "5:com.acme.b"]"#, "identificationAccepted",
      ])
  }

  /// Whole messages, in order.
  @Test func retransmittedMessage() {
    let found = reported {
      $0.send(
        .device, 0x67, 0x2B, session: 1,
        Conversation.message(0xAE01, Conversation.parameter(0, [0])))
      $0.send(.device, 0x66, 0x2B, session: 1, Conversation.message(0xAE01))
      $0.send(.accessory, 0x2B, 0x67)
    }
    #expect(
      found == [
        "missing(first: 102, count: 1)", "retransmitted(sequence: 102)", "message ae01 6",
        "message ae01 11",
      ])
  }

  /// The receiver has what the capture lacks: a message does not continue across the gap.
  @Test func acknowledgedGap() {
    let message = Conversation.message(0x1D01, IAP2Tests.identification)
    let found = reported {
      $0.send(.accessory, 0x2C, 0x65, session: 1, Array(message[..<10]))
      $0.send(.accessory, 0x2E, 0x65, session: 1, Conversation.message(0xAE02))
      $0.send(.device, 0x65, 0x2E)
      $0.send(.accessory, 0x2F, 0x65, session: 1, Conversation.message(0xAE00))
      $0.send(.device, 0x65, 0x2F)
    }
    #expect(
      found == [
        "missing(first: 45, count: 1)", "incompleteMessage(Optional(7425), have: 10)",
        "message ae02 6", "message ae00 6",
      ])
  }

  /// The length with its bytes reversed, as a little-endian processor stores it.
  private static func reversed(_ message: [UInt8]) -> [UInt8] {
    [message[0], message[1], message[3], message[2]] + message[4...]
  }

  /// The messages after it are not taken for a part of it, and it is read.
  @Test func reversedLengths() {
    let found = reported {
      $0.send(
        .accessory, 0x2C, 0x65, session: 1,
        Self.reversed(Conversation.message(0x1D01, IAP2Tests.identification)))
      $0.send(.device, 0x66, 0x2C, session: 1, Conversation.message(0x1D02))
      // Headers alone, of which the next message shows the end; two in one packet.
      $0.send(.accessory, 0x2D, 0x66, session: 1, Self.reversed(Conversation.message(0xAE02)))
      $0.send(
        .accessory, 0x2E, 0x66, session: 1,
        Self.reversed(Conversation.message(0xAE02)) + Conversation.message(0xAE00))
      $0.send(.device, 0x66, 0x2E)
    }
    #expect(
      found == [
        #"identification Acme ["4:com.acme.a", "5:com.acme.b"]"#, "malformed 1d01",
        "identificationAccepted", "message ae02 6", "malformed ae02", "message ae02 6",
        "malformed ae02", "message ae00 6",
      ])
  }

  /// Where the lengths of the parameters are reversed, too, nothing is known of the accessory.
  @Test func reversedParameters() {
    // 0x1D01 with parameter 0, a name, of 9 bytes.
    let message: [UInt8] = [
      0x40, 0x40, 0x0F, 0x00, 0x1D, 0x01, 0x09, 0x00, 0x00, 0x00, 0x41, 0x63, 0x6D, 0x65, 0x00,
    ]
    let found = reported {
      $0.send(.accessory, 0x2C, 0x65, session: 1, message)
      $0.send(.device, 0x66, 0x2C, session: 1, Conversation.message(0x1D02))
      $0.send(.accessory, 0x2C, 0x66)
    }
    #expect(found == ["malformed 1d01", "identificationAccepted"])
  }

  /// A message of 1536 bytes (06 00), whose header is a packet of its own: it is right.
  @Test func longMessageInParts() {
    let value = [UInt8](repeating: 0x41, count: 1_526)
    let found = reported {
      $0.send(.accessory, 0x2C, 0x65, session: 1, [0x40, 0x40, 0x06, 0x00, 0xAE, 0x02])
      $0.send(.accessory, 0x2D, 0x65, session: 1, [0x05, 0xFA, 0, 9] + value)
      $0.send(.accessory, 0x2E, 0x65, session: 1, Conversation.message(0xAE00))
      $0.send(.device, 0x65, 0x2E)
    }
    #expect(found == ["message ae02 1536", "message ae00 6"])
  }

  /// The event of a message that waited has its own packet.
  @Test func packetOfLateMessage() throws {
    var conversation = Conversation()
    conversation.begin()
    let first = conversation.records.count
    conversation.send(.device, 0x67, 0x2B, session: 1, Conversation.message(0xAE01))
    conversation.send(.device, 0x66, 0x2B, session: 1, Conversation.message(0xAE01))
    let packets = MadeRecord.session(conversation.records).events.compactMap { event -> Int? in
      guard case .iap2(.message) = event.content else { return nil }
      return Int(event.frames.last.number)
    }
    #expect(packets == [first + 2, first + 1])
  }

  // MARK: Sides

  private static let opened = Conversation.message(
    0xEA00, Conversation.parameter(0, [5]) + Conversation.parameter(1, [0, 7]))

  /// The accessory sent the SYN: what only the Apple device sends does not make it one.
  @Test func wrongSender() {
    let found = reported {
      $0.send(
        .accessory, 0x2C, 0x65, session: 1, Conversation.message(0x1D01, IAP2Tests.identification))
      $0.send(.device, 0x66, 0x2C, session: 1, Self.opened)
      $0.send(.accessory, 0x2D, 0x66, session: 1, Conversation.message(0x1D02))
      $0.send(.device, 0x67, 0x2D, session: 1, Conversation.message(0x1D03))
      $0.send(.accessory, 0x2D, 0x67)
    }
    #expect(found.filter { $0.hasPrefix("wrong") } == ["wrong sender 1d02 accessory"])
  }

  /// Without a SYN in the capture, the identification counts more than other messages.
  @Test func withoutSYN() throws {
    var conversation = Conversation()
    conversation.send(.accessory, 0x2C, 0x65, session: 1, Conversation.message(0xAE01))
    conversation.send(
      .accessory, 0x2D, 0x65, session: 1, Conversation.message(0x1D01, IAP2Tests.identification))
    conversation.send(.accessory, 0x2E, 0x65, session: 1, Conversation.message(0xAE03))
    conversation.send(.accessory, 0x2F, 0x65, session: 1, Conversation.message(0xAE01))
    conversation.send(.device, 0x65, 0x2F)
    let found = conversation.reported().filter { $0.hasPrefix("wrong") }
    #expect(found == ["wrong sender ae01 accessory"])
  }
}
