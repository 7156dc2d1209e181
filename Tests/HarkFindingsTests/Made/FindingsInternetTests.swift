import HarkCore
import HarkCrypto
import HarkFindings
import Testing

@testable import HarkSession

/// Messages over the internet, with the mistake and without it.
extension FindingsMadeTests {
  /// The first four bytes of the SHA-384 of 1216 bytes 01 and 02.
  private static let (old, new): (UInt32, UInt32) = (0xb155_e0b4, 0x2990_b390)

  private static func payload(
    _ outcome: InternetMessage.Outcome, keyID: UInt32 = old, session: String? = "S", size: Int = 40,
    isDated: Bool = true
  ) -> AppEvent {
    var event = AppEvent(.internetMessage, AppEvent.Origin(file: "apns.ndjson", line: 1))
    event.isCertain = true
    event.internet = InternetMessage(
      index: 7, keyID: keyID, session: session, size: size, outcome: outcome, isDated: isDated)
    return event
  }

  private static func opened(_ direction: MessageDirection) -> InternetMessage.Outcome {
    .opened(plaintext: Array("hello".utf8), key: Fingerprint(of: [1]), direction)
  }

  private static func locked(_ problem: InternetRatchets.Problem) -> InternetMessage.Outcome {
    .locked(problem, "why")
  }

  /// Two key exchanges with a public key each.
  private static func rekey(_ made: inout MadeConversation) {
    for byte in [1, 2] as [UInt8] {
      made.key(.publicKey, .xWing, bytes: [UInt8](repeating: byte, count: 1216))
      made.key(.encapsulatedKey, .xWing, bytes: [UInt8](repeating: byte, count: 1120))
    }
  }

  private static let payloadRule = ["transport.internet-payload"]

  static let internet = [
    Case("a message over the internet that opens") {
      $0.report(payload(opened(.accessoryToHost)))
    },
    Case("a message over the internet without a session", finds: payloadRule) {
      $0.report(payload(opened(.accessoryToHost), session: nil))
    },
    Case("a message over the internet with the phone's key", finds: payloadRule) {
      $0.report(payload(opened(.hostToAccessory)))
    },
    // An IV has 12 bytes, a tag 16.
    Case("a message over the internet that is too short", finds: payloadRule) {
      $0.report(payload(locked(.noKey), size: 27))
    },
    Case("a message over the internet sent again", finds: payloadRule) {
      $0.report(payload(locked(.sentAgain)))
    },
    Case("an index that is used twice", finds: payloadRule) {
      $0.report(payload(locked(.refused(.passed(next: 8), isNamed: true))))
    },
    Case("a message over the internet that its key does not open", finds: payloadRule) {
      $0.report(payload(locked(.refused(.tagFails, isNamed: true))))
    },
    Case("a message over the internet without a key", cannotTell: payloadRule) {
      $0.report(payload(locked(.noKey)))
    },
    Case("a message of before the chain key", cannotTell: payloadRule) {
      $0.report(payload(locked(.refused(.beforeStart(first: 9), isNamed: true))))
    },
    Case("a message over the internet with the replaced key", finds: ["keys.stale-generation"]) {
      rekey(&$0)
      $0.report(payload(opened(.accessoryToHost)))
      $0.disconnect()
    },
    Case("a message over the internet with the newest key") {
      rekey(&$0)
      $0.report(payload(opened(.accessoryToHost), keyID: new))
      $0.disconnect()
    },
    Case("a message over the internet at an unknown time") {
      rekey(&$0)
      $0.report(payload(opened(.accessoryToHost), isDated: false))
      $0.disconnect()
    },
  ]
}
