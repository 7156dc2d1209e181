import HarkCore
import Testing

@testable import HarkSession

/// What ends External Accessory sessions, and data for sessions that are not open.
@Suite struct IAP2SessionTests {
  typealias Conversation = IAP2Conversation

  /// A session 7 that the accessory accepted, and then what follows.
  private func reported(_ build: (inout Conversation) -> Void) -> [String] {
    let opened = Conversation.message(
      0xEA00, Conversation.parameter(0, [5]) + Conversation.parameter(1, [0, 7]))
    var conversation = Conversation()
    conversation.begin()
    conversation.send(
      .accessory, 0x2C, 0x65, session: 1, Conversation.message(0x1D01, IAP2Tests.identification))
    conversation.send(.device, 0x66, 0x2C, session: 1, Conversation.message(0x1D02))
    conversation.send(.device, 0x67, 0x2C, session: 1, opened)
    conversation.send(.accessory, 0x2D, 0x67, session: 1, IAP2Tests.taken)
    conversation.send(.device, 0x68, 0x2D, session: 2, [0, 7, 1, 2, 3])
    conversation.send(.accessory, 0x2D, 0x68)
    build(&conversation)
    return Array(conversation.reported().dropFirst(7))
  }

  /// RST ends the link: its sessions end there, and data before the next SYN belongs to none.
  @Test func resetEndsSessions() {
    let found = reported {
      $0.send(.device, 0x69, 0x2D, control: 0x10)
      $0.send(.device, 0x69, 0x2D, session: 2, [0, 7, 1, 2])
      $0.begin()
      $0.send(.device, 0x66, 0x2B, session: 2, [0, 7, 1, 2])
      $0.send(.accessory, 0x2B, 0x66)
    }
    #expect(
      found == ["\(IAP2Event.reset(.init()))", "close 7 3 0 lost", "undeclaredSession(2)"]
        + IAP2Tests.begun + ["stray 7 2"])
  }

  /// What was asked before the reset stays unanswered.
  @Test func resetEndsQuestions() {
    let found = reported {
      $0.send(.device, 0x69, 0x2D, session: 1, Conversation.message(0xAA00))
      $0.send(.accessory, 0x2D, 0x69)
      $0.send(.device, 0x6A, 0x2D, control: 0x10)
    }
    #expect(found.filter { $0.hasPrefix("unanswered") } == ["unanswered(authentication)"])
  }

  /// Never opened, and closed; each is reported once.
  @Test func dataWithoutSession() {
    let found = reported {
      $0.send(.accessory, 0x2E, 0x68, session: 2, [0, 9, 1])
      $0.send(.accessory, 0x2F, 0x68, session: 2, [0, 9, 1])
      $0.send(
        .device, 0x69, 0x2F, session: 1,
        Conversation.message(0xEA01, Conversation.parameter(0, [0, 7])))
      $0.send(.accessory, 0x30, 0x69, session: 2, [0, 7, 1, 2])
      $0.send(.device, 0x69, 0x30)
    }
    #expect(found == ["stray 9 1", "close 7 3 0 stopped", "stray 7 2"])
  }

  /// The identifier of the open session with its bytes reversed, and that of none.
  @Test func dataWithReversedIdentifier() {
    let found = reported {
      $0.send(.accessory, 0x2E, 0x68, session: 2, [7, 0, 1])
      $0.send(.accessory, 0x2F, 0x68, session: 2, [9, 0, 1])
      $0.send(.device, 0x68, 0x2F)
    }
    #expect(found == ["stray 1792 1 reversed", "stray 2304 1", "close 7 3 0 lost"])
  }

  /// Its opening may be in a packet that the capture lacks.
  @Test func sessionAfterMissingPackets() {
    let found = reported {
      $0.send(.device, 0x6A, 0x2D, session: 2, [0, 9, 1])
      $0.send(.accessory, 0x2D, 0x6A)
    }
    #expect(
      found == [
        "missing(first: 105, count: 1)", "data 9 1 0", "close 7 3 0 lost", "close 9 1 0 lost",
      ])
  }

  /// The capture begins after the SYN packets: what data begin with shows the types of their sessions.
  @Test func typesWithoutSynchronization() {
    var conversation = Conversation()
    conversation.send(
      .device, 0x67, 0x2C, session: 4,
      Conversation.message(
        0xEA00, Conversation.parameter(0, [5]) + Conversation.parameter(1, [0, 7])))
    conversation.send(.accessory, 0x2D, 0x67, session: 4, IAP2Tests.taken)
    conversation.send(.device, 0x68, 0x2D, session: 6, [0, 7, 1, 2, 3])
    conversation.send(
      .device, 0x69, 0x2D, session: 4,
      Conversation.message(0xEA01, Conversation.parameter(0, [0, 7])))
    #expect(
      conversation.reported().filter { $0.hasPrefix("undeclared") || $0.hasPrefix("close") }
        == ["undeclaredSession(4)", "undeclaredSession(6)", "close 7 3 0 stopped"])
  }

  /// Status and stop of sessions that were never opened, and of one that both sides end at once.
  @Test func unknownSessions() {
    let status = Conversation.parameter(1, [0, 1])
    let found = reported {
      $0.send(
        .accessory, 0x2E, 0x68, session: 1,
        Conversation.message(0xEA03, Conversation.parameter(0, [0, 99]) + status))
      $0.send(
        .device, 0x69, 0x2E, session: 1,
        Conversation.message(0xEA01, Conversation.parameter(0, [0, 55])))
      $0.send(
        .device, 0x6A, 0x2E, session: 1,
        Conversation.message(0xEA01, Conversation.parameter(0, [0, 7])))
      $0.send(
        .accessory, 0x2F, 0x6A, session: 1,
        Conversation.message(0xEA03, Conversation.parameter(0, [0, 7]) + status))
      $0.send(.device, 0x6A, 0x2F)
    }
    #expect(
      found == ["unknown ea03 99", "unknown ea01 55", "close 7 3 0 stopped", "late ea03 7"])
  }

  /// The identifier of the session has two octets.
  @Test func dataWithoutIdentifier() {
    let found = reported {
      $0.send(.accessory, 0x2E, 0x68, session: 2, [7])
      $0.send(.device, 0x68, 0x2E)
    }
    #expect(found == ["too short 1", "close 7 3 0 lost"])
  }

  /// A parameter has at least four octets, of which two are its length, and ends with its message.
  @Test(
    arguments: [
      (0x4E0A, [0, 3, 0], true), (0x4E0A, [0, 9, 0, 0, 1], true), (0x4E0A, [0, 4, 0, 0, 0], true),
      (0x4E0A, [0, 4, 0, 0], false), (0x4E0A, [], false),
      // Without the parameter that names the session.
      (0xEA00, [0, 5, 0, 0, 5], true), (0xEA01, [], true), (0xEA03, [0, 5, 0, 1, 0], true),
    ] as [(UInt16, [UInt8], Bool)])
  func parameters(_ identifier: UInt16, _ parameters: [UInt8], _ isMalformed: Bool) {
    let found = reported {
      $0.send(.device, 0x69, 0x2D, session: 1, Conversation.message(identifier, parameters))
      $0.send(.accessory, 0x2D, 0x69)
    }
    let malformed = "malformed \(String(identifier, radix: 16))"
    #expect(found.contains(malformed) == isMalformed, "\(found)")
  }

  /// A sender that does not count on: receivers discard a packet whose number they have.
  @Test func numberUsedTwice() {
    let found = reported {
      $0.send(.device, 0x69, 0x2D, session: 2, [0, 7, 0x41])
      $0.send(.device, 0x69, 0x2D, session: 2, [0, 7, 0x41])
      $0.send(.device, 0x69, 0x2D, session: 2, [0, 7, 0x42])
      // The numbers after a gap are new.
      $0.send(.device, 0x6B, 0x2D, session: 2, [0, 7, 0x43])
      $0.send(.device, 0x6A, 0x2D, session: 2, [0, 7, 0x44])
      $0.send(.device, 0x6A, 0x2D, session: 2, [0, 7, 0x45])
    }
    #expect(
      found.filter { $0.hasPrefix("retransmitted") } == [
        "retransmitted(sequence: 105)", "retransmitted(sequence: 105) other payload",
        "retransmitted(sequence: 106)", "retransmitted(sequence: 106) other payload",
      ])
  }

  /// The device sent packets up to 0x68; each acknowledgement is reported once.
  @Test func acknowledgementOfUnsentPacket() {
    let found = reported {
      $0.send(.accessory, 0x2D, 0x7C)
      $0.send(.accessory, 0x2D, 0x7C)
    }
    #expect(found == ["unsent(124, last: 104)", "close 7 3 0 lost"])
  }

  /// The capture may lack the packet that is acknowledged, as it lacks one before.
  @Test func acknowledgementOfMissingPacket() {
    let found = reported {
      $0.send(.device, 0x6A, 0x2D, session: 2, [0, 7, 1])
      $0.send(.accessory, 0x2D, 0x6B)
    }
    #expect(!found.contains { $0.hasPrefix("unsent") })
  }

  /// A packet has a header of 9 octets, the payload and its checksum: here 62 and 63 octets.
  @Test func lengths() {
    var conversation = Conversation()
    conversation.begin(length: 62)
    for (sequence, count) in zip(UInt8(0x66)..., [50, 51, 51]) {
      conversation.send(
        .device, sequence, 0x2B, session: 2, [0, 7] + [UInt8](repeating: 1, count: count))
      conversation.send(.accessory, 0x2B, sequence)
    }
    #expect(conversation.reported().filter { $0.hasPrefix("tooLong") } == ["tooLong(103: 63 > 62)"])
  }
}
