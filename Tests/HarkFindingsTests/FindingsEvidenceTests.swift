import HarkCore
import HarkFindings
import HarkSamples
import Testing

@testable import HarkSession

// Conversations that show a part of what happened: a finding may say only what the capture shows, and of which side.
extension FindingsMadeTests {
  /// BR/EDR link 0x000b to 11:22:33:44:55:66. Core Specification, Vol 4, Part E, 7.7.3
  private static let classicLink = "03 0b 00 0b00 665544332211 01 00"

  static let evidence = [
    // ATT_HANDLE_VALUE_IND, ATT_HANDLE_VALUE_CFM. Vol 3, Part F, 3.4.7.2, 3.4.7.3, 3.3.3
    Case("an indication that this host does not confirm", finds: ["link.indication-timeout"]) {
      $0.pdu(4, "1d 0300 64", received: true)
      $0.wait(31_000)
      $0.pdu(4, "1b 0500 ab", received: true)
      $0.disconnect()
    },
    Case("an indication that the peer does not confirm", finds: ["link.indication-timeout"]) {
      $0.pdu(4, "1d 0300 0100ffff", received: false)
      $0.wait(31_000)
      $0.pdu(4, "1b 0500 ab", received: true)
      $0.disconnect()
    },
    Case("an indication that is confirmed late", finds: ["link.indication-timeout"]) {
      $0.pdu(4, "1d 0300 64", received: true)
      $0.wait(35_000)
      $0.pdu(4, "1e", received: false)
      $0.disconnect()
    },
    Case("an indication that is confirmed in time") {
      $0.pdu(4, "1d 0300 64", received: true)
      $0.wait(29_000)
      $0.pdu(4, "1e", received: false)
      $0.wait(5_000)
      $0.pdu(4, "1b 0500 ab", received: true)
      $0.disconnect()
    },
    // Pairing Request and Response: IO capability, OOB data flag, AuthReq. Vol 3, Part H, 3.5.1, 3.5.2
    Case("legacy pairing with a passkey", finds: ["link.legacy-pairing"]) {
      $0.pdu(6, "01 04 00 05 10 01 01", received: false)
      $0.pdu(6, "02 02 00 05 10 00 00", received: true)
      $0.authenticate(legacy: true)
      $0.encrypt()
      $0.disconnect()
    },
    Case("legacy pairing with Out of Band data") {
      $0.pdu(6, "01 03 01 05 10 01 01", received: false)
      $0.pdu(6, "02 03 01 05 10 00 00", received: true)
      $0.authenticate(legacy: true)
      $0.encrypt()
      $0.disconnect()
    },
    Case(
      "legacy pairing without the MITM protection that both request",
      finds: ["link.legacy-pairing", "link.weak-pairing"]
    ) {
      $0.pdu(6, "01 03 00 05 10 01 01", received: false)
      $0.pdu(6, "02 03 00 05 10 00 00", received: true)
      $0.authenticate(legacy: true)
      $0.encrypt()
      $0.disconnect()
    },
    Case("a pairing whose request is not in the capture") {
      $0.pdu(6, "02 03 00 09 10 01 01", received: true)
      $0.authenticate()
      $0.encrypt()
      $0.disconnect()
    },
    // HCI_Link_Key_Notification, Key_Type 0x00: Combination Key. Vol 4, Part E, 7.7.24
    Case("a link key made from a PIN", finds: ["link.legacy-pairing"], connects: false) {
      $0.event(classicLink)
      $0.event("16 06 665544332211")
      $0.event("18 17 665544332211 00112233445566778899aabbccddeeff 00")
    },
    Case("a changed link key", connects: false) {
      $0.event(classicLink)
      $0.event("18 17 665544332211 00112233445566778899aabbccddeeff 06")
    },
    // AuthReq: bits 0 and 1 bonding, bit 3 Secure Connections. Vol 3, Part H, 3.5.1
    Case("two pairings without bonding") {
      for _ in 0..<2 {
        $0.pdu(6, "01 03 00 08 10 00 00", received: false)
        $0.pdu(6, "02 03 00 08 10 00 00", received: true)
        $0.authenticate()
        $0.encrypt()
        $0.disconnect()
        $0.connect()
      }
      $0.disconnect()
    },
    // The keys of LE legacy pairing are distributed after the link is encrypted. Vol 3, Part H, 2.4.3, 3.6
    Case(
      "a pairing that ended before its keys came, and another",
      finds: ["link.bond-incomplete", "link.legacy-pairing"]
    ) {
      $0.pdu(6, "01 03 00 01 10 01 01", received: false)
      $0.pdu(6, "02 03 00 01 10 01 01", received: true)
      $0.authenticate(legacy: true)
      $0.encrypt()
      $0.disconnect()
      $0.connect()
      $0.pair()
      $0.disconnect()
    },
    Case(
      "a pairing with its keys, and another", finds: ["link.legacy-pairing", "link.paired-again"]
    ) {
      $0.pdu(6, "01 03 00 01 10 01 01", received: false)
      $0.pdu(6, "02 03 00 01 10 00 01", received: true)
      $0.authenticate(legacy: true)
      $0.encrypt()
      $0.pdu(6, "06 0102030405060708090a0b0c0d0e0f10", received: true)
      $0.pdu(6, "07 3412 0102030405060708", received: true)
      $0.disconnect()
      $0.connect()
      $0.pair()
      $0.disconnect()
    },
    // Both sides computed another LTK. Vol 6, Part B, 5.1.3; Vol 1, Part F, 2.60
    Case(
      "a MIC failure after a pairing",
      finds: ["link.encryption-failed", "link.supervision-timeout"]
    ) {
      $0.pdu(6, "01 03 00 09 10 01 01", received: false)
      $0.pdu(6, "02 03 00 09 10 01 01", received: true)
      $0.authenticate()
      $0.encrypt(status: "3d")
      $0.disconnect("3d")
    },
    // HCI_User_Confirmation_Request_Negative_Reply. Vol 4, Part E, 7.1.31
    Case(
      "this host does not confirm the number", finds: ["link.pairing-failed"], connects: false
    ) {
      $0.event(classicLink)
      $0.event("33 0a 665544332211 40e20100")
      $0.record(.command, received: false, "2d 04 06 665544332211")
      $0.event("0e 0a 01 2d04 00 665544332211")
      $0.event("36 07 05 665544332211")
    },
    // Client Characteristic Configuration: bit 0 notification, bit 1 indication. Vol 3, Part G, 3.3.3.3
    Case(
      "notifications until long after the client unsubscribed",
      finds: ["link.notified-unsubscribed"]
    ) {
      $0.discoverBattery()
      for value in ["01", "00"] {
        $0.pdu(4, "12 0400 \(value)00", received: false)
        $0.pdu(4, "13", received: true)
        $0.pdu(4, "1b 0300 64", received: true)
      }
      $0.wait(11_000)
      $0.pdu(4, "1b 0300 63", received: true)
      $0.disconnect()
    },
    Case("a notification after the client subscribed again") {
      $0.discoverBattery()
      for value in ["01", "00", "01"] {
        $0.wait(11_000)
        $0.pdu(4, "12 0400 \(value)00", received: false)
        $0.pdu(4, "13", received: true)
      }
      $0.wait(11_000)
      $0.pdu(4, "1b 0300 64", received: true)
      $0.disconnect()
    },
    Case("a notification after the configuration was read", finds: ["link.notified-unsubscribed"]) {
      $0.discoverBattery()
      $0.encrypt()
      $0.pdu(4, "0a 0400", received: false)
      $0.pdu(4, "0b 0000", received: true)
      $0.pdu(4, "1b 0300 64", received: true)
      $0.disconnect()
    },
    Case("a notification, and the configuration that was read enables it") {
      $0.discoverBattery()
      $0.pdu(4, "0a 0400", received: false)
      $0.pdu(4, "0b 0100", received: true)
      $0.pdu(4, "1b 0300 64", received: true)
      $0.disconnect()
    },
    Case("a notification before the client subscribes") {
      $0.discoverBattery()
      $0.pdu(4, "1b 0300 64", received: true)
      $0.pdu(4, "12 0400 0100", received: false)
      $0.pdu(4, "13", received: true)
      $0.disconnect()
    },
    Case(
      "a notification to a bonded client before it subscribes to indications",
      cannotTell: ["link.notified-unsubscribed"]
    ) {
      $0.discoverBattery()
      $0.encrypt()
      $0.pdu(4, "1b 0300 64", received: true)
      $0.pdu(4, "12 0400 0200", received: false)
      $0.pdu(4, "13", received: true)
      $0.disconnect()
    },
    Case(
      "a notification long after a bonded client unsubscribed",
      finds: ["link.notified-unsubscribed"]
    ) {
      $0.discoverBattery()
      $0.encrypt()
      $0.pdu(4, "12 0400 0000", received: false)
      $0.pdu(4, "13", received: true)
      $0.wait(11_000)
      $0.pdu(4, "1b 0300 64", received: true)
      $0.disconnect()
    },
    Case(
      "a notification soon after a bonded client unsubscribed",
      cannotTell: ["link.notified-unsubscribed"]
    ) {
      $0.discoverBattery()
      $0.encrypt()
      $0.pdu(4, "12 0400 0000", received: false)
      $0.pdu(4, "13", received: true)
      $0.pdu(4, "1b 0300 64", received: true)
      $0.disconnect()
    },
    Case("written to, and the configuration that was read enables notifications") {
      discover(&$0)
      $0.pdu(4, "0a 0400", received: false)
      $0.pdu(4, "0b 0100", received: true)
      $0.pdu(4, "52 0300 ab", received: false)
      $0.disconnect()
    },
    Case("written to, and an attribute of unknown type may be the configuration") {
      discover(&$0, descriptors: false)
      $0.pdu(4, "12 0400 0100", received: false)
      $0.pdu(4, "13", received: true)
      $0.pdu(4, "52 0300 ab", received: false)
      $0.disconnect()
    },
    // The handle is that of a Characteristic Value. Vol 3, Part G, 4.10.1, 4.11.1
    Case("a notification of a descriptor", finds: ["link.notified-descriptor"]) {
      $0.discoverBattery()
      $0.pdu(4, "1b 0400 64", received: true)
      $0.disconnect()
    },
    Case("an indication of a declaration", finds: ["link.notified-descriptor"]) {
      $0.discoverBattery()
      $0.pdu(4, "1d 0200 64", received: true)
      $0.pdu(4, "1e", received: false)
      $0.disconnect()
    },
    Case("a notification of an attribute that was not discovered") {
      $0.discoverBattery()
      $0.pdu(4, "1b 0900 64", received: true)
      $0.disconnect()
    },
  ]

  private static func observed(
    connects: Bool = true, _ body: (inout MadeConversation) -> Void
  ) -> [String] {
    MadeConversation.over(connects: connects, body).all.map { "\($0.rule.id): \($0.observed)" }
  }

  @Test func sidesOfPairing() {
    // DisplayYesNo, MITM protection and Secure Connections; NoInputNoOutput, neither. Vol 3, Part H, 2.3.5.1
    let pairing = Self.observed {
      $0.pdu(6, "01 01 00 0d 10 00 00", received: false)
      $0.pdu(6, "02 03 00 01 07 00 00", received: true)
      $0.authenticate(legacy: true)
      $0.encrypt()
      $0.disconnect()
    }
    #expect(
      Set(pairing) == [
        "link.legacy-pairing: LE legacy pairing, Just Works: "
          + "the Central requested LE Secure Connections, but the Peripheral did not",
        "link.weak-key: a key of 7 bytes, the maximum of the Peripheral",
        "link.weak-pairing: no MITM protection, which the Central requested: "
          + "the pairing was Just Works; the Peripheral has NoInputNoOutput",
      ])
    // DisplayYesNo with MITM protection; NoInputNoOutput. Vol 3, Part C, 5.2.2.6
    let simple = Self.observed(connects: false) {
      $0.event(Self.classicLink)
      $0.record(.command, received: false, "2b 04 09 665544332211 01 00 03")
      $0.event("32 09 665544332211 03 00 02")
      $0.event("18 17 665544332211 00112233445566778899aabbccddeeff 04")
    }
    #expect(
      simple == [
        "link.weak-pairing: no MITM protection, which this host requested: "
          + "the link key is not authenticated; the peer has NoInputNoOutput"
      ])
  }

  /// Pairing Failed, and the side that sent it. Vol 3, Part H, 3.5.5
  @Test(arguments: [(true, "the peer"), (false, "this host")])
  func sideOfFailure(isReceived: Bool, side: String) {
    let failed = Self.observed {
      $0.pdu(6, "01 03 00 0d 10 01 01", received: false)
      $0.pdu(6, "05 05", received: isReceived)
      $0.disconnect()
    }
    #expect(
      failed == [
        "link.pairing-failed: Pairing failed: Pairing Not Supported (0x05), sent by \(side)"
      ])
  }

  /// The client confirms, the server answers. Vol 3, Part F, 3.4.7.3
  @Test func sideOfTimeout() {
    let unconfirmed = MadeConversation.over {
      $0.pdu(4, "1d 0300 64", received: true)
      $0.wait(31_000)
      $0.pdu(4, "1b 0500 ab", received: true)
      $0.disconnect()
    }
    #expect(
      unconfirmed.all.map(\.observed)
        == ["no confirmation of ATT_HANDLE_VALUE_IND, neither within 30 s nor later"])
    #expect(unconfirmed.all.map(\.expected) == ["a confirmation from the client"])
  }
}
