import HarkDissection
import HarkFindings
import HarkSamples
import Testing

@testable import HarkSession

/// What is refused on the air, and what is answered late.
@Suite struct FindingsRefusedTests {
  private static let offsets = String(repeating: " ff", count: 12)
  private static let parameters = "18 00 28 00 00 00 c8 00 00 00 00\(offsets)"
  private static let encRequest = "03\(String(repeating: " 01", count: 22))"

  /// Findings of what is refused: parameters by any PDU that refuses them, but where two procedures
  /// collide; and of encryption. Vol 6, Part B, 5.1.3.1, 5.1.7, 5.3
  @Test(
    arguments: [
      (["1 3 0f \(parameters)", "0 3 0d 3b"], ["link.parameters-refused"]),
      (["0 3 0f \(parameters)", "1 3 11 0f 3b"], ["link.parameters-refused"]),
      (["0 3 0f \(parameters)", "1 3 10 \(parameters)", "0 3 0d 3b"], ["link.parameters-refused"]),
      (["0 3 0f \(parameters)", "1 3 11 00 3b"], ["link.parameters-refused"]),
      (["0 3 0f \(parameters)", "1 3 11 0f 2a"], []), (["0 3 0f \(parameters)", "1 3 07 0f"], []),
      (["0 3 \(encRequest)", "1 3 0d 0c"], ["link.encryption-failed"]),
      (["0 3 \(encRequest)", "1 3 0d 06"], ["link.bond-lost"]),
      // Encryption is under way, and something else is refused.
      (
        [
          "1 3 0f \(parameters)", "0 3 \(encRequest)", "0 3 0d 2a",
          "0 3 02 13",
        ], []
      ),
    ] as [([String], [String])])
  func findings(_ sent: [String], _ rules: [String]) {
    let findings = MadeConversation.over(connects: false) { made in
      for packet in [.connectOnAir] + sent.map(MadePacket.onAir) {
        made.record(packet.kind, received: true, packet.hex)
      }
    }
    #expect(findings.ids == rules)
  }

  /// An answer that comes late and one that never comes are two things, also of the same attribute.
  /// Vol 3, Part F, 3.3.3
  @Test func lateAndNever() {
    let findings = MadeConversation.over { made in
      made.pdu(4, "0a 0300", received: false)
      made.wait(35_000)
      made.pdu(4, "0b ab", received: true)
      made.pdu(4, "0a 0300", received: false)
      made.wait(35_000)
      made.pdu(4, "1b 0500 ab", received: true)
      made.disconnect()
    }
    let all = findings.all.filter { $0.rule.id == "link.request-timeout" }
    #expect(all.map(\.occurrences) == [1, 1])
    #expect(all.count { $0.observed.hasPrefix("an answer after 35") } == 1)
    #expect(all.count { $0.observed.hasPrefix("no answer to ATT_READ_REQ") } == 1)
  }

  /// A NotificationUID has its least significant byte first. Apple Notification Center Service, Get Notification
  /// Attributes
  @Test func reversedNotificationUID() {
    var notification = AccessoryNotification()
    notification.identifier = .init(notificationIdentifier: "7")
    func refused(_ uid: String) -> AccessoryContent {
      .refused(
        .request(.notificationAttributes(.init(notificationIdentifier: uid), [0])), error: 0xA2,
        of: ANCSService.controlPoint)
    }
    let reversed =
      "request for NotificationUID 117440512, which was not announced; with its bytes in reverse "
      + "order, it is 7, which was"
    for (uid, isReversed) in [("117440512", true), ("7", false), ("134217728", false)] {
      let findings = MadeConversation.over { made in
        made.say(.add(notification), from: .hostToAccessory)
        made.say(refused(uid))
      }
      let all = findings.all.filter { $0.rule.id == "ancs.request-refused" }
      #expect(all.map { $0.observed == reversed } == [isReversed], "\(uid)")
    }
  }

  /// A message whose key fits, but whose plaintext is not what it says: a length of 3 is 0x0300 with its bytes in reverse
  /// order.
  @Test(
    arguments: [
      (
        .tooShort(field: "Text", offset: 11, needed: 0x0300, available: 3),
        "a length of 3, which is 768 with its two bytes reversed"
      ),
      (
        .tooShort(field: "Text", offset: 11, needed: 8, available: 3),
        "a complete plaintext of Test"
      ),
      (.trailing(offset: 9, count: 2), "a complete plaintext of Test"),
      (.unknownType(9), nil), (.version(3), nil),
    ] as [(PlaintextProblem, String?)])
  func plaintext(_ problem: PlaintextProblem, _ expected: String?) {
    let findings = MadeConversation.over { made in
      made.message(from: .hostToAccessory, opened: [], plaintext: [1], problem: problem)
    }
    let all = findings.all.filter { $0.rule.id == "transport.unreadable" }
    #expect(all.map(\.expected) == (expected.map { [$0] } ?? []))
  }

  /// Session identifiers of External Accessory have their most significant byte first, as all numbers of iAP2.
  @Test func reversedSessionIdentifier() {
    func stray(_ identifier: UInt16, isReversed: Bool) -> Event.Content {
      .iap2(
        .externalAccessory(
          .stray(
            .init(
              sessionIdentifier: identifier, count: 4, isFromAccessory: true,
              isReversed: isReversed))))
    }
    let findings = MadeConversation.over { made in
      made.report(stray(0x0700, isReversed: true), severity: .warning)
      made.report(stray(0x0800, isReversed: false), severity: .warning)
      made.disconnect()
    }
    let all = findings.all.filter { $0.rule.id == "ea.link-fault" }
    #expect(
      Set(all.map(\.expected)) == [
        "data only for an open External Accessory session",
        "session 7, most significant byte first",
      ])
  }
}
