import HarkCore
import HarkFindings
import HarkSamples
import Testing

@testable import HarkSession

// Conversations in which something else may be the reason, and those in which no one looked for long.
extension FindingsMadeTests {
  private static let bytes20 = String(repeating: "ab", count: 20)

  static let doubts = [
    // Hosts close a link with Authentication Failure when a pairing has failed. Vol 1, Part F, 2.5
    Case("a first pairing that fails", finds: ["link.pairing-failed"]) {
      $0.pdu(6, "01 03 00 0d 10 01 01", received: false)
      $0.pdu(6, "05 05", received: true)
      $0.disconnect("05")
    },
    Case("a link that is closed because there is no pairing") {
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "0b ab", received: true)
      $0.disconnect("05")
    },
    Case("a bond that is no longer valid", finds: ["link.bond-lost"]) {
      $0.encrypt(status: "05")
      $0.disconnect("05")
    },
    // What was encrypted had the same key on both sides.
    Case("a link that is closed for authentication after it was encrypted") {
      $0.encrypt()
      $0.disconnect("05")
    },
    Case(
      "refused on a link that was open before the capture",
      cannotTell: ["link.insufficient-security"],
      connects: false
    ) {
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "01 0a 0300 05", received: true)
      $0.wait(40_000)
      $0.pdu(4, "1b 0500 ab", received: true)
      $0.disconnect()
    },
    Case("refused after a gap", cannotTell: ["link.insufficient-security"]) {
      $0.record(.event, received: true, "13 05 01 4000 0100", dropped: 3)
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "01 0a 0300 05", received: true)
      $0.wait(40_000)
      $0.pdu(4, "1b 0500 ab", received: true)
      $0.disconnect()
    },
    Case(
      "encryption in the middle of a pairing, after a gap", cannotTell: ["link.pairing-bypassed"]
    ) {
      $0.pdu(6, "01 03 00 09 10 01 01", received: false)
      $0.pdu(6, "02 03 00 09 10 01 01", received: true)
      $0.record(.event, received: true, "13 05 01 4000 0100", dropped: 3)
      $0.encrypt()
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
    // Pebble's accessory announces its key to who subscribes, and says nothing before.
    Case("a vendor's service without a subscription", finds: ["link.not-subscribed"]) {
      discoverPebble(&$0)
      $0.wait(60_000)
      $0.disconnect()
    },
    Case("a vendor's service with a subscription") {
      discoverPebble(&$0)
      $0.pdu(4, "12 0400 0100", received: false)
      $0.pdu(4, "13", received: true)
      $0.disconnect()
    },
    Case("a capture that ends before that", cannotTell: ["link.not-subscribed"]) {
      discoverPebble(&$0)
    },
  ]

  /// Parts that change places are not two messages that were lost.
  @Test(arguments: [(true, true), (false, false)]) func order(isNext: Bool, isOrder: Bool) {
    let findings = Case("a last part before the first", finds: ["transport.lost-part"]) {
      $0.report(.incomplete(.continuationWithoutFirst))
      if !isNext { $0.wait(5_000) }
      $0.report(.incomplete(.moreWithoutLast(.startedAgain)))
      $0.disconnect()
    }.run()
    #expect(findings.ids == ["transport.lost-part"])
    #expect(findings.all.map(\.occurrences) == [isOrder ? 1 : 2])
    #expect(
      findings.all.allSatisfy { $0.observed.hasPrefix("parts in the wrong order") == isOrder })
  }

  private static let earlyFindings = ["keys.data-before-exchange", "link.supervision-timeout"]

  private static func discoverPebble(_ made: inout MadeConversation) {
    // 50000000-328E-0FBB-C642-1AA6699BDADA
    let uuid = "dada9b69a61a42c6bb0f8e32"
    made.pdu(4, "10 0100 ffff 0028", received: false)
    made.pdu(4, "11 14 0100 0500 \(uuid)00000050", received: true)
    made.pdu(4, "08 0100 0500 0328", received: false)
    made.pdu(4, "09 15 0200 10 0300 \(uuid)02000050", received: true)
    made.pdu(4, "04 0400 0500", received: false)
    made.pdu(4, "05 01 0400 0229", received: true)
  }

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
