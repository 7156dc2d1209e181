import HarkCore
import HarkDissection
import HarkLaws
import HarkTestSupport
import Testing

@testable import HarkSession

/// Streams of iAP2, by what public implementations say about the link and its sessions.
@Suite struct IAP2Tests {
  typealias Conversation = IAP2Conversation

  static let sessions = "1:0 2:2 3:1"
  static let begun = ["synchronization \(sessions)", "synchronization answered \(sessions)"]

  private func reported(_ build: (inout Conversation) -> Void) -> [String] {
    var conversation = Conversation()
    build(&conversation)
    return conversation.reported()
  }

  // MARK: Frames

  @Test func detectionIsReportedOnceForEachSide() {
    let detection: [UInt8] = [0xFF, 0x55, 0x02, 0x00, 0xEE, 0x10]
    let found = reported {
      $0.frame(.accessory, detection)
      $0.frame(.accessory, detection)
      $0.frame(.device, detection)
    }
    #expect(found == ["detection(isAnswer: false)", "detection(isAnswer: true)"])
    let alone = reported { $0.frame(.accessory, detection) }
    #expect(alone.last?.hasPrefix("unanswered") == true)
    #expect(alone.count == 2)
  }

  /// However RFCOMM cuts them, link packets say the same.
  @Test(arguments: [1, 2, 5, 9, 10, 17, 100])
  func packetsSpanFrames(_ size: Int) {
    let start = Conversation.message(0x1D00)
    let found = reported {
      $0.begin()
      $0.send(.device, 0x66, 0x2B, session: 1, start, frames: size)
      $0.send(.accessory, 0x2B, 0x66, frames: size)
    }
    #expect(Array(found.prefix(3)) == Self.begun + ["message 1d00 6"])
    #expect(found.count == 4)
    #expect(found.last?.hasPrefix("unanswered") == true)
  }

  @Test func oneFrameHoldsSeveralPackets() {
    let message = Conversation.message(0xAE02)
    let found = reported {
      $0.begin()
      $0.frame(
        .accessory,
        Conversation.packet(0x40, 0x2C, 0x65, 1, message)
          + Conversation.packet(0x40, 0x2D, 0x65, 1, message))
      $0.send(.device, 0x65, 0x2D)
    }
    #expect(found == Self.begun + ["message ae02 6", "message ae02 6"])
  }

  @Test func garbageIsSkipped() {
    let found = reported {
      $0.begin()
      // A header with a wrong checksum, and an end of something.
      $0.frame(.accessory, [0xFF, 0x5A, 0, 9, 0x40, 1, 1, 0, 0] + [1, 2, 3])
      $0.send(.accessory, 0x2C, 0x65, session: 1, Conversation.message(0xAE02))
      $0.send(.device, 0x65, 0x2C)
    }
    #expect(found == Self.begun + ["garbage(count: 12) header", "message ae02 6"])
    let others = reported {
      $0.begin()
      $0.frame(.accessory, [1, 2, 3])
      $0.send(.accessory, 0x2C, 0x65, session: 1, Conversation.message(0xAE02))
      $0.send(.device, 0x65, 0x2C)
    }
    #expect(others == Self.begun + ["garbage(count: 3)", "message ae02 6"])
  }

  /// The rest of a packet is missing: the next one is not lost with it.
  @Test func packetsAreFoundInsideCutOnes() {
    let message = Conversation.message(0xAE02)
    let found = reported {
      $0.begin()
      $0.frame(
        .accessory,
        Array(
          Conversation.packet(0x40, 0x2C, 0x65, 2, [UInt8](repeating: 7, count: 60)).prefix(30)))
      for sequence in UInt8(0x2D)...0x2F {
        $0.send(.accessory, sequence, 0x65, session: 1, message)
      }
      $0.send(.device, 0x65, 0x2F)
    }
    #expect(
      found == Self.begun + [
        "frameIncomplete(30, missing: 40) followed", "missing(first: 44, count: 1)",
        "message ae02 6",
        "message ae02 6", "message ae02 6",
      ])
  }

  /// The capture ends within a packet, or within its header of 9 bytes.
  @Test(arguments: [(30, "40"), (5, "-")])
  func packetsAreIncompleteAtTheEnd(_ count: Int, _ missing: String) {
    let found = reported {
      $0.begin()
      $0.frame(
        .accessory,
        Array(
          Conversation.packet(0x40, 0x2C, 0x65, 2, [UInt8](repeating: 7, count: 60)).prefix(count)))
    }
    #expect(found == Self.begun + ["frameIncomplete(\(count), missing: \(missing))"])
  }

  @Test func wrongPayloadChecksum() {
    let found = reported {
      $0.begin()
      var bytes = Conversation.packet(0x40, 0x2C, 0x65, 1, Conversation.message(0xAE02))
      bytes[bytes.count - 1] ^= 1
      $0.frame(.accessory, bytes)
      $0.send(.device, 0x65, 0x2C)
    }
    #expect(found == Self.begun + ["wrongChecksum(sequence: 44)", "message ae02 6"])
  }

  // MARK: Sequence numbers

  @Test func retransmissionsCountOnce() {
    let found = reported {
      $0.begin()
      for _ in 0..<3 { $0.send(.device, 0x66, 0x2B, session: 2, [0, 7, 1, 2]) }
      $0.send(.accessory, 0x2B, 0x66)
    }
    #expect(
      found == Self.begun + [
        "stray 7 2", "retransmitted(sequence: 102)", "retransmitted(sequence: 102)",
      ])
  }

  /// 255 is followed by 0, and what is missing may still come.
  @Test func sequenceNumbersWrap() {
    let message = Conversation.message(0xAE02)
    let found = reported {
      $0.begin()
      $0.send(.accessory, 0xFE, 0, control: 0x80, [1, 5, 0x10, 0, 4, 0, 0, 0x17, 3, 3, 1, 0, 1])
      $0.send(.device, 0x65, 0xFE, control: 0xC0, [1, 5, 0x10, 0, 4, 0, 0, 0x17, 3, 3, 1, 0, 1])
      $0.send(.accessory, 0xFF, 0x65, session: 1, message)
      $0.send(.accessory, 0x01, 0x65, session: 1, message)
      $0.send(.device, 0x65, 0xFF, control: 0x60, [0x00])
      $0.send(.accessory, 0x00, 0x65, session: 1, message)
      $0.send(.device, 0x65, 0x01)
    }
    #expect(
      found.dropFirst(4) == [
        "message ae02 6", "missing(first: 0, count: 1)", "wanted([0])",
        "retransmitted(sequence: 0)", "message ae02 6", "message ae02 6",
      ])
  }

  /// At least the packets 45 to 209 are missing, and the recorder may say so.
  @Test(arguments: [true, false]) func manyPacketsMissing(_ isKnown: Bool) {
    let message = Conversation.message(0xAE02)
    let found = reported {
      $0.begin()
      $0.send(.accessory, 0x2C, 0x65, session: 1, message)
      $0.send(.device, 0x65, 0x2C)
      $0.send(.accessory, 0xD2, 0x65, session: 1, message)
      if isKnown { $0.lose(1) }
      $0.send(.accessory, 0xD3, 0x65, session: 1, message)
      $0.send(.device, 0x65, 0xD3)
    }
    // No packet had the number 210.
    #expect(
      found == Self.begun + [
        "message ae02 6", "missing(first: 45, count: 165)", "message ae02 6", "message ae02 6",
      ])
  }

  /// All numbers were used before. The receiver acknowledges only packets that it takes as new ones.
  @Test(arguments: ["known", "acknowledged", "neither"])
  func usedNumbersAfterAGap(_ evidence: String) {
    func data(_ number: Int) -> [UInt8] { [0, 7, UInt8(number & 0xFF), UInt8(number >> 8)] }
    let found = reported {
      $0.begin()
      for number in 0x2C...0x2C + 255 {
        $0.send(.accessory, UInt8(number & 0xFF), 0x65, session: 2, data(number))
        $0.send(.device, 0x65, UInt8(number & 0xFF))
      }
      // 0x2B is the last; 160 packets are missing.
      $0.send(.accessory, 0xCC, 0x65, session: 2, data(1000))
      if evidence == "known" { $0.lose(160) }
      $0.send(.device, 0x65, evidence == "neither" ? 0x2B : 0xCC)
      $0.send(.accessory, 0xCD, 0x65, session: 2, data(1001))
      $0.send(.device, 0x65, evidence == "neither" ? 0x2B : 0xCD)
    }
    let missing = "missing(first: 44, count: 160)"
    let expected =
      switch evidence {
      // What opened the session may be among the missing packets.
      case "known": [missing, "data 7 0 2", "close 7 0 4 lost"]
      case "acknowledged":
        [
          "retransmitted(sequence: 204) other payload", missing, "data 7 0 2", "close 7 0 2 lost",
        ]
      default:
        [
          "retransmitted(sequence: 204) other payload",
          "retransmitted(sequence: 205) other payload",
        ]
      }
    #expect(found == Self.begun + ["stray 7 2"] + expected)
  }

  @Test func windowAndAcknowledgements() {
    let found = reported {
      $0.begin(window: 2)
      for sequence in UInt8(0x66)...0x69 {
        $0.send(.device, sequence, 0x2B, session: 2, [0, 7, 1])
      }
      $0.send(.accessory, 0x2B, 0x68)
    }
    #expect(
      found == Self.begun + [
        "stray 7 1", "windowExceeded(outstanding: 3, allowed: 2)", "unacknowledged(count: 1)",
      ])
  }

  /// Frames are a second apart, but for those that hurry.
  @Test(arguments: [(true, ["windowStalled(allowed: 2, nanoseconds: 1000000000)"]), (false, [])])
  func windowStalls(_ hurries: Bool, _ expected: [String]) {
    let message = Conversation.message(0xAE01)
    let found = reported {
      $0.begin(window: 2)
      $0.send(.device, 0x66, 0x2B, session: 1, message)
      $0.send(.device, 0x67, 0x2B, session: 1, message)
      $0.send(.accessory, 0x2B, 0x67)
      $0.send(.device, 0x68, 0x2B, session: 1, message)
      if hurries { $0.hurry() }
      $0.send(.accessory, 0x2B, 0x68)
    }
    #expect(
      found == Self.begun + ["message ae01 6", "message ae01 6"] + expected + ["message ae01 6"])
  }

  @Test func sessionsAreThoseOfTheSYN() {
    let found = reported {
      $0.begin()
      $0.send(.accessory, 0x2C, 0x65, session: 10, Conversation.message(0xAE02))
      $0.send(.accessory, 0x2D, 0x65, session: 10, Conversation.message(0xAE02))
      $0.send(.device, 0x65, 0x2D)
    }
    #expect(found == Self.begun + ["undeclaredSession(10)"])
  }

  // MARK: The control session

  static let identification =
    Conversation.parameter(0, Array("Acme\0".utf8))
    + Conversation.parameter(
      10,
      Conversation.parameter(0, [4]) + Conversation.parameter(1, Array("com.acme.a\0".utf8)))
    + Conversation.parameter(
      10,
      Conversation.parameter(0, [5]) + Conversation.parameter(1, Array("com.acme.b\0".utf8)))

  /// A message over several link packets, and two messages in one.
  @Test func messagesSpanPackets() {
    let identification = Conversation.message(0x1D01, Self.identification)
    let accepted = Conversation.message(0x1D02)
    let found = reported {
      $0.begin()
      $0.send(.accessory, 0x2C, 0x65, session: 1, Array(identification.prefix(4)))
      $0.send(.accessory, 0x2D, 0x65, session: 1, Array(identification.dropFirst(4)))
      $0.send(.device, 0x66, 0x2D, session: 1, accepted + accepted)
      $0.send(.accessory, 0x2D, 0x66)
    }
    #expect(
      found == Self.begun + [
        #"identification Acme ["4:com.acme.a", "5:com.acme.b"]"#, "identificationAccepted",
        "identificationAccepted",
      ])
  }

  @Test func rejectionNamesTheParameters() {
    let rejected = Conversation.message(
      0x1D03, Conversation.parameter(10) + Conversation.parameter(3))
    let found = reported {
      $0.begin()
      $0.send(
        .accessory, 0x2C, 0x65, session: 1, Conversation.message(0x1D01, Self.identification))
      $0.send(.device, 0x66, 0x2C, session: 1, rejected)
      $0.send(.accessory, 0x2C, 0x66)
    }
    #expect(found.last == #"rejected ["[10] com.acme.a, com.acme.b", "[3] -"]"#)
  }

  @Test func incompleteMessages() {
    let found = reported {
      $0.begin()
      $0.send(
        .accessory, 0x2C, 0x65, session: 1,
        Array(Conversation.message(0x1D01, Self.identification).prefix(20)))
      $0.send(.accessory, 0x2E, 0x65, session: 1, Conversation.message(0xAE02))
      $0.send(.device, 0x65, 0x2E)
    }
    #expect(
      found == Self.begun + [
        "missing(first: 45, count: 1)", "incompleteMessage(Optional(7425), have: 20)",
        "message ae02 6",
      ])
  }

  /// A message begins with 40 40, and its length includes the header's 6 bytes.
  @Test func unreadableMessages() {
    let found = reported {
      $0.begin()
      $0.send(.accessory, 0x2C, 0x65, session: 1, [0x41, 0x40, 0, 6, 0x50, 1])
      $0.send(.accessory, 0x2D, 0x65, session: 1, [0x40, 0x40, 0, 5, 0x50, 1])
      $0.send(.accessory, 0x2E, 0x65, session: 1, Conversation.message(0xAE02))
      $0.send(.device, 0x65, 0x2E)
    }
    #expect(
      found == Self.begun + [
        "incompleteMessage(nil, have: 6) without start", "malformed 5001", "message ae02 6",
      ])
  }

  // MARK: External Accessory

  private func externalAccessory(
    _ data: (inout Conversation) -> Void
  ) -> [String] {
    let opened = Conversation.message(
      0xEA00, Conversation.parameter(0, [5]) + Conversation.parameter(1, [0, 7]))
    let found = reported {
      $0.begin()
      $0.send(
        .accessory, 0x2C, 0x65, session: 1, Conversation.message(0x1D01, Self.identification))
      $0.send(.device, 0x66, 0x2C, session: 1, Conversation.message(0x1D02))
      $0.send(.device, 0x67, 0x2C, session: 1, opened)
      $0.send(.accessory, 0x2C, 0x67)
      data(&$0)
    }
    return Array(found.dropFirst(4))
  }

  static let taken = Conversation.message(
    0xEA03, Conversation.parameter(0, [0, 7]) + Conversation.parameter(1, [0]))

  @Test func dataBothWays() {
    let found = externalAccessory {
      $0.send(.accessory, 0x2D, 0x67, session: 1, Self.taken)
      $0.send(.device, 0x68, 0x2D, session: 2, [0, 7, 1, 2, 3])
      $0.send(.accessory, 0x2E, 0x68, session: 2, [0, 7, 1])
      $0.send(.accessory, 0x2F, 0x68, session: 2, [0, 7, 1, 2])
      $0.send(
        .device, 0x69, 0x2F, session: 1,
        Conversation.message(0xEA01, Conversation.parameter(0, [0, 7])))
      $0.send(.accessory, 0x2F, 0x69)
    }
    #expect(
      found == [
        "open 7 com.acme.b", "status 7 true", "data 7 3 0", "data 7 0 1", "close 7 3 3 stopped",
      ])
  }

  /// The symptom people report: the session opens, and no data ever comes.
  @Test func withoutData() {
    #expect(externalAccessory { _ in } == ["open 7 com.acme.b", "close 7 0 0 lost untaken"])
  }

  @Test func protocolsThatTheAccessoryDoesNotHave() {
    let found = reported {
      $0.begin()
      $0.send(
        .accessory, 0x2C, 0x65, session: 1, Conversation.message(0x1D01, Self.identification))
      $0.send(
        .device, 0x66, 0x2C, session: 1,
        Conversation.message(
          0xEA00, Conversation.parameter(0, [6]) + Conversation.parameter(1, [0, 7])))
    }
    #expect(found.contains("open 7 - undeclared"))
  }

  @Test func dataBeforeTheAccessoryTookTheSession() {
    let found = externalAccessory {
      $0.send(.accessory, 0x2D, 0x67, session: 2, [0, 7, 1])
      $0.send(.device, 0x67, 0x2D)
    }
    #expect(found == ["open 7 com.acme.b", "data 7 0 1 early", "close 7 0 1 lost untaken"])
  }

  /// Status 1: the accessory refuses the session, or ends one that it accepted.
  @Test func dataAfterTheAccessoryRefusedTheSession() {
    let refused = Conversation.message(
      0xEA03, Conversation.parameter(0, [0, 7]) + Conversation.parameter(1, [1]))
    let never = externalAccessory {
      $0.send(.accessory, 0x2D, 0x67, session: 1, refused)
      $0.send(.device, 0x68, 0x2D, session: 2, [0, 7, 1])
      $0.send(.accessory, 0x2D, 0x68)
    }
    #expect(
      never == [
        "open 7 com.acme.b", "status 7 false", "data 7 1 0 refused", "close 7 1 0 lost untaken",
      ])
    let later = externalAccessory {
      $0.send(.accessory, 0x2D, 0x67, session: 1, Self.taken)
      $0.send(.accessory, 0x2E, 0x67, session: 1, refused)
      $0.send(.device, 0x68, 0x2E, session: 2, [0, 7, 1])
      $0.send(.accessory, 0x2E, 0x68)
    }
    #expect(
      later == [
        "open 7 com.acme.b", "status 7 true", "status 7 false", "data 7 1 0 refused",
        "close 7 1 0 lost",
      ])
  }

  @Test func streams() {
    var conversation = Conversation()
    conversation.begin()
    for (sequence, id) in [(UInt8(0x66), UInt8(7)), (0x67, 9)] {
      conversation.send(
        .device, sequence, 0x2B, session: 1,
        Conversation.message(
          0xEA00, Conversation.parameter(0, [5]) + Conversation.parameter(1, [0, id])))
    }
    conversation.send(.device, 0x68, 0x2B, session: 2, [0, 7, 1, 2, 3])
    conversation.send(.device, 0x69, 0x2B, session: 2, [0, 9, 1])
    let session = MadeRecord.session(conversation.records)
    let own = session.streams.compactMap { stream -> [Int]? in
      guard case .externalAccessory(let id) = stream.kind else { return nil }
      return [Int(id)] + stream.bytes
    }
    #expect(own == [[7, 3, 0], [9, 1, 0]])
  }

  // MARK: File transfers

  @Test func fileTransfer() {
    let found = reported {
      $0.begin()
      $0.send(.device, 0x66, 0x2B, session: 3, [1, 4, 0, 0, 0, 0, 0, 0, 0, 5])
      $0.send(.accessory, 0x2C, 0x66, session: 3, [1, 1])
      $0.send(.device, 0x67, 0x2C, session: 3, [1, 0x80, 1, 2, 3])
      $0.send(.device, 0x68, 0x2C, session: 3, [1, 0x40, 4, 5])
      $0.send(.accessory, 0x2D, 0x68, session: 3, [1, 5])
      $0.send(.device, 0x68, 0x2D)
    }
    #expect(found.count == 4)
    #expect(found[2].contains("setup(size: 5)"))
  }

  // MARK: Any input

  /// Whatever happens to the bytes of a conversation, it is read to its end, and nothing is kept
  /// that was not there.
  @Test func damagedStreams() {
    var conversation = Conversation()
    conversation.begin()
    conversation.send(
      .accessory, 0x2C, 0x65, session: 1, Conversation.message(0x1D01, Self.identification),
      frames: 13)
    conversation.send(.accessory, 0x2D, 0x65, session: 1, Self.taken)
    conversation.send(.device, 0x66, 0x2D, session: 2, [0, 7, 1, 2, 3])
    var random = SplitMix(seed: 11)
    for _ in 0..<400 {
      var records = conversation.records
      for _ in 0..<3 {
        let record = Int(random.next() % UInt64(records.count - 3)) + 3
        var bytes = Hex.bytes(records[record].hex) ?? []
        // Behind the headers of HCI, L2CAP and RFCOMM.
        let place = 11 + Int(random.next() % UInt64(max(1, bytes.count - 12)))
        if place < bytes.count { bytes[place] ^= UInt8(1) << UInt8(random.next() % 8) }
        records[record].hex = Hex.text(bytes)
      }
      let session = MadeRecord.session(records)
      #expect(session.packets.count == records.count)
      #expect(session.streams.count < 10)
    }
  }

  /// What a message says goes with it, the groups around a value by their identifiers; the accessory's
  /// name is the device's.
  @Test func valuesAndName() {
    var conversation = Conversation()
    conversation.begin()
    conversation.send(
      .accessory, 0x2C, 0x65, session: 1, Conversation.message(0x1D01, Self.identification))
    conversation.send(
      .device, 0x66, 0x2C, session: 1,
      Conversation.message(
        0x5001,
        Conversation.parameter(
          0,
          Conversation.parameter(1, Array("Song".utf8) + [0])
            + Conversation.parameter(4, [0, 0, 3, 0xE8]))
          + Conversation.parameter(1, Conversation.parameter(0, [1]))))
    let session = MadeRecord.session(conversation.records)
    let values = session.events.flatMap { event -> [String] in
      guard case .iap2(.message(let it)) = event.content, it.identifier == 0x5001 else { return [] }
      return it.values.map { "\($0.path) \($0.text ?? "-")" }
    }
    #expect(values == ["[0, 1] \"Song\"", "[0, 4] 1000 ms", "[1, 0] Playing (1)"])
    let names = session.devices.map(\.name)
    #expect(names == ["Acme"])
  }
}
