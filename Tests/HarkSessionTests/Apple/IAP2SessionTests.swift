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
}
