import HarkCore
import HarkFindings
import Testing

@testable import HarkSession

// Conversations in which something else may be the reason, and those in which nobody looked for long.
extension FindingsMadeTests {
  private static let bytes20 = String(repeating: "ab", count: 20)

  static let doubts = [
    // Hosts close a link with Authentication Failure when a pairing has failed. Vol 1, Part F, 2.5
    Case("a first pairing that fails", finds: ["link.pairing-failed"]) {
      $0.pdu(6, "01 03 00 0d 10 01 01", received: false)
      $0.pdu(6, "05 05", received: true)
      $0.disconnect("05")
    },
    Case("a link that is closed for want of a pairing") {
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "0b ab", received: true)
      $0.disconnect("05")
    },
    Case("a bond that is not good any more", finds: ["link.bond-lost"]) {
      $0.encrypt()
      $0.disconnect("05")
    },
    Case(
      "refused on a link that was there before", cannotTell: ["link.insufficient-security"],
      connects: false
    ) {
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "01 0a 0300 05", received: true)
      $0.wait(40_000)
      $0.pdu(4, "1b 0500 ab", received: true)
      $0.disconnect()
    },
    Case("refused behind a hole", cannotTell: ["link.insufficient-security"]) {
      $0.record(.event, received: true, "13 05 01 4000 0100", dropped: 3)
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "01 0a 0300 05", received: true)
      $0.wait(40_000)
      $0.pdu(4, "1b 0500 ab", received: true)
      $0.disconnect()
    },
    Case("a stream of values of 20 bytes", finds: ["link.mtu-not-exchanged"]) {
      for _ in 0..<40 { $0.pdu(4, "1b 0300 \(bytes20)", received: true) }
      $0.disconnect()
    },
    Case("three values of 20 bytes") {
      for _ in 0..<3 { $0.pdu(4, "1b 0300 \(bytes20)", received: true) }
      $0.disconnect()
    },
    // Packets that no event tells of: HCI_Number_Of_Completed_Packets.
    Case("a link that stays idle", finds: ["link.insufficient-security"]) {
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "01 0a 0300 05", received: true)
      for _ in 0..<5 {
        $0.wait(10_000)
        $0.event("13 05 01 4000 0100")
      }
    },
    Case("a key with its leading octet", finds: ["keys.wrong-size"]) {
      $0.key(.publicKey, .p256, bytes: [4] + [UInt8](repeating: 7, count: 64))
      $0.key(.encapsulatedKey, .p256)
      $0.disconnect()
    },
    Case("an answer that cannot be read", cannotTell: ["keys.public-key-unanswered"]) {
      $0.pair()
      $0.key(.publicKey, .p256)
      $0.pdu(4, "12 0300 abcdef", received: false)
      $0.pdu(4, "01 12 0300 0e", received: true)
      $0.wait(31_000)
      $0.disconnect()
    },
    Case("an accessory that has lost its keys", finds: earlyFindings) {
      early(&$0, answers: false)
    },
    Case("an accessory that has its keys", finds: ["link.supervision-timeout"]) {
      early(&$0, answers: true)
    },
  ]

  private static let earlyFindings = ["keys.data-before-exchange", "link.supervision-timeout"]

  /// A message on a new link, before or without a key exchange on it.
  private static func early(_ made: inout MadeConversation, answers: Bool) {
    made.disconnect("08")
    made.connect()
    made.message(from: .hostToAccessory, opened: [], isEarly: true)
    if answers { made.message(from: .accessoryToHost, opened: [], isEarly: true) }
    made.key(.encapsulatedKey, .p256)
    made.disconnect()
  }
}
