import HarkCore
import HarkCrypto
import HarkFindings
import HarkSamples
import Testing

@testable import HarkSession

// Conversations in which somebody is too fast, or tries again.
extension FindingsMadeTests {
  /// HCI_LE_Read_Buffer_Size: 3 packets of up to 251 octets. Core Specification, Vol 4, Part E, 7.8.2
  private static func reportBuffers(_ made: inout MadeConversation) {
    made.event("0e 07 01 0220 00 fb00 03")
  }

  /// Link 0x0040, as Peripheral: its Central discovers Battery Level at handle 3 of this host, and the Client
  /// Characteristic Configuration at 4.
  private static func serveBattery(_ made: inout MadeConversation) {
    made.connect(role: "01")
    made.pdu(4, "08 0100 ffff 0328", received: true)
    made.pdu(4, "09 07 0200 12 0300 192a", received: false)
    made.pdu(4, "04 0400 0400", received: true)
    made.pdu(4, "05 01 0400 0229", received: false)
  }

  private static func app(
    _ kind: AppEvent.Kind, _ facts: [AppEvent.Fact: String] = [:]
  ) -> Event.Content {
    var event = AppEvent(kind, AppEvent.Origin(file: "app.ndjson", line: 7))
    event.process = "Acme"
    for (fact, value) in facts { event[fact] = value }
    event.isCertain = true
    return .app(event)
  }

  static let pace = [
    Case("one command more than the controller accepts", finds: ["link.write-overrun"]) {
      reportBuffers(&$0)
      for _ in 0..<4 { $0.pdu(4, "52 0300 ab", received: false) }
      $0.disconnect()
    },
    Case("as many commands as the controller accepts") {
      reportBuffers(&$0)
      for _ in 0..<3 { $0.pdu(4, "52 0300 ab", received: false) }
      // HCI_Number_Of_Completed_Packets. 7.7.19
      $0.event("13 05 01 4000 0200")
      for _ in 0..<2 { $0.pdu(4, "52 0300 ab", received: false) }
      $0.disconnect()
    },
    Case("commands, and the controller's limit is unknown") {
      for _ in 0..<40 { $0.pdu(4, "52 0300 ab", received: false) }
      $0.disconnect()
    },
    Case("commands, and the recorder lost the answers") {
      reportBuffers(&$0)
      for _ in 0..<3 { $0.pdu(4, "52 0300 ab", received: false) }
      $0.record(.event, received: true, "13 05 01 4000 0100", dropped: 1)
      for _ in 0..<3 { $0.pdu(4, "52 0300 ab", received: false) }
      $0.disconnect()
    },
    Case("more data of another kind than the controller accepts", finds: ["link.buffer-overflow"]) {
      reportBuffers(&$0)
      for _ in 0..<4 { $0.pdu(5, "12 01 0800 0c00 1800 0000 c800", received: false) }
      $0.disconnect()
    },
    Case(
      "a gap in a burst of commands", finds: ["link.write-overrun", "transport.lost-part"]
    ) {
      $0.report(
        .incomplete(.lostFragments(first: 3, count: 1)), from: .hostToAccessory, values: 8,
        commands: 8, took: 60)
      $0.disconnect()
    },
    Case("a gap in slow commands", finds: ["transport.lost-part"]) {
      $0.report(
        .incomplete(.lostFragments(first: 3, count: 1)), from: .hostToAccessory, values: 8,
        commands: 8, took: 4_000)
      $0.disconnect()
    },
    Case("a gap in writes with response", finds: ["transport.lost-part"]) {
      $0.report(
        .incomplete(.lostFragments(first: 3, count: 1)), from: .hostToAccessory, values: 8, took: 60
      )
      $0.disconnect()
    },
    // An ATT_HANDLE_VALUE_NTF of 27 octets; ATT_MTU is 23 until it is exchanged.
    Case("a notification that is too long", finds: ["transport.longer-than-mtu"]) {
      $0.pdu(4, "1b 0300 " + String(repeating: "ab", count: 24), received: true)
      $0.disconnect()
    },
    // An ATT_READ_RSP of 25 octets, and a notification of 67 on a channel with an MTU of 64. Part G, 5.3
    Case("a response that is too long", finds: ["transport.longer-than-mtu"]) {
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "0b " + String(repeating: "ab", count: 24), received: true)
      $0.disconnect()
    },
    Case(
      "a notification that is too long for its channel", finds: ["transport.longer-than-mtu"]
    ) {
      $0.pdu(5, "17 01 0a00 2700 4000 4000 0400 4000", received: false)
      $0.pdu(5, "18 01 0a00 4000 4000 0400 0000 4100", received: true)
      $0.pdu(0x40, "4300 1b 0300 " + String(repeating: "ab", count: 0x30), received: true)
      $0.pdu(0x40, String(repeating: "ab", count: 0x10), received: true)
      $0.disconnect()
    },
    // 3.3.2; a client that waits, and one whose response is not in the capture.
    Case("two requests at once", finds: ["link.sent-early"]) {
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "0a 0500", received: false)
      $0.pdu(4, "0b 41", received: true)
      $0.pdu(4, "0b 42", received: true)
      $0.disconnect()
    },
    Case("two indications at once", finds: ["link.sent-early"]) {
      $0.pdu(4, "1d 0300 41", received: true)
      $0.pdu(4, "1d 0300 42", received: true)
      $0.pdu(4, "1e", received: false)
      $0.pdu(4, "1e", received: false)
      $0.disconnect()
    },
    Case("a request whose response is missing, and another one") {
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "0a 0500", received: false)
      $0.pdu(4, "0b 42", received: true)
      $0.disconnect()
    },
    // Battery Level at handle 3, its Client Characteristic Configuration at 4. Part G, 3.3.3.3
    Case("a notification without a subscription", finds: ["link.notified-unsubscribed"]) {
      $0.discoverBattery()
      $0.pdu(4, "1b 0300 64", received: true)
      $0.disconnect()
    },
    Case("a notification, and a subscription to indications", finds: ["link.notified-unsubscribed"])
    {
      $0.discoverBattery()
      $0.pdu(4, "12 0400 0200", received: false)
      $0.pdu(4, "13", received: true)
      $0.pdu(4, "1b 0300 64", received: true)
      $0.disconnect()
    },
    Case("a notification with a subscription, and one after its end") {
      $0.discoverBattery()
      $0.pdu(4, "12 0400 0100", received: false)
      $0.pdu(4, "13", received: true)
      $0.pdu(4, "1b 0300 64", received: true)
      $0.pdu(4, "12 0400 0000", received: false)
      $0.pdu(4, "1b 0300 63", received: true)
      $0.pdu(4, "13", received: true)
      $0.disconnect()
    },
    // The server is this host, and the client has read its configuration.
    Case(
      "this host notifies a client without a subscription", finds: ["link.notified-unsubscribed"],
      connects: false
    ) {
      Self.serveBattery(&$0)
      $0.pdu(4, "0a 0400", received: true)
      $0.pdu(4, "0b 0000", received: false)
      $0.pdu(4, "1b 0300 64", received: false)
      $0.disconnect()
    },
    Case("this host notifies a client with a subscription", connects: false) {
      Self.serveBattery(&$0)
      $0.pdu(4, "12 0400 0100", received: true)
      $0.pdu(4, "13", received: false)
      $0.pdu(4, "1b 0300 64", received: false)
      $0.disconnect()
    },
    // Link 0x0040 subscribes, and link 0x0041 does not.
    Case(
      "this host notifies two clients, of which one has subscribed",
      finds: ["link.notified-unsubscribed"], connects: false
    ) {
      Self.serveBattery(&$0)
      $0.event("3e 13 01 00 4100 01 00 a65544332211 1800 0000 4800 00")
      $0.pdu(4, "12 0400 0100", received: true)
      $0.pdu(4, "13", received: false)
      $0.pdu(4, "0a 0400", received: true, link: 0x41)
      $0.pdu(4, "0b 0000", received: false, link: 0x41)
      for link in [0x40, 0x41] as [UInt8] {
        $0.pdu(4, "1b 0300 64", received: false, link: link)
      }
      $0.event("05 04 00 4100 13")
      $0.disconnect()
    },
    // A slow server: each request is sent 1.1 s before the response to the one before. Part F, 3.3.2
    Case("two requests at once, and a slow server", finds: ["link.sent-early"]) {
      $0.pdu(4, "0a 0300", received: false)
      $0.wait(1_100)
      $0.pdu(4, "0a 0500", received: false)
      $0.pdu(4, "0b 41", received: true)
      $0.pdu(4, "0b 42", received: true)
      $0.disconnect()
    },
    Case("two indications at once, and a slow client", finds: ["link.sent-early"]) {
      $0.pdu(4, "1d 0300 41", received: true)
      $0.wait(1_100)
      $0.pdu(4, "1d 0300 42", received: true)
      $0.pdu(4, "1e", received: false)
      $0.pdu(4, "1e", received: false)
      $0.disconnect()
    },
    Case(
      "a notification to a device that may be bonded", cannotTell: ["link.notified-unsubscribed"]
    ) {
      $0.discoverBattery()
      $0.encrypt()
      $0.pdu(4, "1b 0300 64", received: true)
      $0.disconnect()
    },
    Case(
      "a notification, and packets are lost", cannotTell: ["link.notified-unsubscribed"]
    ) {
      $0.discoverBattery()
      $0.record(.event, received: true, "13 05 01 4000 0100", dropped: 1)
      $0.pdu(4, "1b 0300 64", received: true)
      $0.disconnect()
    },
    Case("a notification as long as the MTU allows") {
      $0.pdu(4, "02 1b00", received: false)
      $0.pdu(4, "03 0002", received: true)
      $0.pdu(4, "1b 0300 " + String(repeating: "ab", count: 24), received: true)
      $0.disconnect()
    },
    Case(
      "a notification that is too long, and packets are lost",
      cannotTell: ["transport.longer-than-mtu"]
    ) {
      $0.record(.event, received: true, "13 05 01 4000 0100", dropped: 1)
      $0.pdu(4, "1b 0300 " + String(repeating: "ab", count: 24), received: true)
      $0.disconnect()
    },
    Case(
      "a message again", finds: ["transport.sent-again"], cannotTell: ["transport.missing-receipt"]
    ) {
      $0.message(from: .hostToAccessory, receipt: "R", opened: [])
      $0.wait(2_000)
      $0.message(from: .hostToAccessory, receipt: "R", opened: [])
      $0.disconnect()
    },
    // Encrypted again, it has other bytes and says the same.
    Case(
      "the same text again", finds: ["transport.sent-again"],
      cannotTell: ["transport.missing-receipt"]
    ) {
      $0.message(from: .hostToAccessory, receipt: "R", opened: [], plaintext: [1, 2])
      $0.wait(1_000)
      $0.message(from: .hostToAccessory, receipt: "R", opened: [], plaintext: [1, 2])
      $0.disconnect()
    },
    Case(
      "one receipt for two messages", finds: ["transport.sent-again"],
      cannotTell: ["transport.missing-receipt"]
    ) {
      $0.message(from: .hostToAccessory, receipt: "R", opened: [], plaintext: [1, 2])
      $0.wait(1_000)
      $0.message(from: .hostToAccessory, receipt: "R", opened: [], plaintext: [1, 3])
      $0.disconnect()
    },
    Case("a receipt that is used again") {
      for _ in 0..<2 {
        $0.message(from: .hostToAccessory, receipt: "R", opened: [])
        $0.accept("R", after: 20)
      }
      $0.disconnect()
    },
    Case(
      "a message after one that failed",
      finds: ["transport.message-failed", "transport.sent-again"]
    ) {
      $0.report(app(.messageResult, [.session: "S", .error: "transportFailed"]))
      $0.message(from: .hostToAccessory, opened: [])
      $0.disconnect()
    },
    Case("a message after one that did not fail") {
      $0.report(app(.messageResult, [.session: "S", .result: "success"]))
      $0.message(from: .hostToAccessory, opened: [])
      $0.disconnect()
    },
    Case("a session goes on over BR/EDR", finds: ["transport.switched"]) {
      $0.message(from: .hostToAccessory, opened: [])
      $0.disconnect()
      $0.event("03 0b 00 0b00 665544332211 01 00")
      $0.message(from: .hostToAccessory, opened: [])
    },
    Case("a session goes on over another link of LE") {
      $0.message(from: .hostToAccessory, opened: [])
      $0.disconnect()
      $0.connect()
      $0.message(from: .hostToAccessory, opened: [])
    },
    Case(
      "a session over the internet after one that was rejected",
      finds: ["transport.session-failed", "transport.switched"]
    ) {
      $0.report(app(.sessionRequested, [.session: "A", .transport: "Bluetooth"]))
      $0.report(app(.sessionRejected, [.session: "A", .error: "unsupported"]))
      $0.report(app(.sessionRequested, [.session: "B", .transport: "Internet"]))
      $0.report(app(.sessionAccepted, [.session: "B"]))
      $0.disconnect()
    },
    Case("another session over the same transport") {
      $0.report(app(.sessionRequested, [.session: "A", .transport: "Bluetooth"]))
      $0.report(app(.sessionAccepted, [.session: "A"]))
      $0.report(app(.sessionRequested, [.session: "B", .transport: "Bluetooth"]))
      $0.report(app(.sessionAccepted, [.session: "B"]))
      $0.disconnect()
    },
    Case("the app never decides", finds: ["transport.session-undecided"]) {
      $0.report(app(.sessionRequested))
      $0.wait(31_000)
      $0.report(app(.line))
      $0.disconnect()
    },
    Case("the app sends after the end", finds: ["transport.send-after-invalidation"]) {
      $0.report(app(.sessionInvalidated, [.session: "A"]))
      $0.report(app(.transportMessage, [.session: "A", .direction: "AccessoryToHost"]))
      $0.disconnect()
    },
    Case(
      "the key stays on the phone", finds: ["keys.not-forwarded"],
      cannotTell: ["keys.public-key-unanswered"]
    ) {
      $0.key(.publicKey, .p256)
      $0.report(app(.securityMessage, [.keyType: "encapsulatedKey"]))
      $0.wait(31_000)
      $0.disconnect()
    },
    Case("the key is forwarded") {
      $0.key(.publicKey, .p256)
      $0.report(app(.securityMessage, [.keyType: "encapsulatedKey"]))
      $0.key(.encapsulatedKey, .p256)
      $0.wait(31_000)
      $0.disconnect()
    },
    Case("the key may pass in another framing", cannotTell: ["keys.not-forwarded"]) {
      $0.report(app(.securityMessage, [.keyType: "encapsulatedKey"]))
      $0.wait(31_000)
      $0.disconnect()
    },
    Case("forwarding is denied", finds: ["app.forwarding-refused"]) {
      $0.report(app(.forwardingDecision, [.decision: "deny"]))
    },
    // The user changed it: an information.
    Case("forwarding is denied, then allowed", finds: ["app.forwarding-refused"]) {
      $0.report(app(.forwardingDecision, [.decision: "deny"]))
      $0.wait(100)
      $0.report(app(.forwardingDecision, [.decision: "allow"]))
    },
    Case("forwarding is allowed") { $0.report(app(.forwardingDecision, [.decision: "allow"])) },
    Case("the platform is not supported", finds: ["app.forwarding-refused"]) {
      $0.report(app(.notification, [.error: "unsupportedPlatform"]))
    },
    Case("a stream of the app fails", finds: ["ea.stream-error"]) {
      $0.report(app(.eaStreamError, [.eaProtocol: "com.acme.speaker", .error: "end of stream"]))
    },
    Case("a session of the app closes") { $0.report(app(.eaSessionClosed)) },
    Case("the phone accepts no configuration", finds: ["audio.configuration-refused"]) {
      $0.report(app(.configurationFailed, [.error: "accessoryNotCapable"]))
    },
  ]
}
