import Foundation
import HarkCore
import HarkCrypto
import HarkFindings
import HarkSamples
import Testing

@testable import HarkSession

/// Conversations by hand, with the mistake and without it.
@Suite struct FindingsMadeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let finds: [String]
    let cannotTell: [String]
    let run: @Sendable () -> Findings
    /// As `hark` reads it; nil if some of it is in no record.
    let capture: @Sendable () -> [UInt8]?
    /// The kinds of the events that the session calls a warning or an error.
    let problems: @Sendable () -> Set<String>

    init(
      _ name: String, finds: [String] = [], cannotTell: [String] = [], interval: String = "1800",
      connects: Bool = true, _ body: @escaping @Sendable (inout MadeConversation) -> Void
    ) {
      (testDescription, self.finds, self.cannotTell) = (name, finds, cannotTell)
      run = { MadeConversation.over(interval: interval, connects: connects, body) }
      capture = { MadeConversation(interval: interval, connects: connects, body).capture }
      problems = {
        var made = MadeConversation(interval: interval, connects: connects, body)
        _ = made.finish()
        return made.problems
      }
    }
  }

  static let cases =
    links + attributes + keys + messages + audio + externalAccessory + appSide + appCalls + listed
    + extensions + protocols + delivery + alerts + pace + streams + doubts
    + evidence + problems + radio + channels + internet + logCoverage + processes + owners

  @Test(arguments: cases) func made(_ one: Case) throws {
    let findings = one.run()
    #expect(findings.ids == one.finds)
    #expect(Set(findings.undecided.map(\.rule.id)).sorted() == one.cannotTell)
    // Names of kinds of events are for programs.
    for kind in AppEvent.Kind.allCases where kind.rawValue.contains("-") {
      #expect(!findings.all.contains { $0.observed.contains(kind.rawValue) }, "\(kind.rawValue)")
    }
    if let folder = Self.folder, !one.finds.isEmpty, let capture = one.capture() {
      let name = (one.finds + [one.testDescription]).joined(separator: " ")
      let file = URL(filePath: folder).appending(path: name.replacing("/", with: "-") + ".btsnoop")
      try Data(capture).write(to: file)
    }
  }

  /// Where the captures are written, as docs/findings.md says; nil if no one asks for them.
  private static let folder = ProcessInfo.processInfo.environment["HARK_MADE"]

  private static let basePoint =
    "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"

  // MARK: Links

  /// BR/EDR link 0x000B, and its channel to PSM 0x1001, for which the peer requests the MTU 0x30.
  private static func configure(_ made: inout MadeConversation) {
    made.event("03 0b 00 0b00 665544332211 01 00")
    made.pdu(1, "02 01 0400 0110 4000", received: false, link: 0x0B)
    made.pdu(1, "03 01 0800 4100 4000 0000 0000", received: true, link: 0x0B)
    made.pdu(1, "04 02 0400 4100 0000", received: false, link: 0x0B)
    made.pdu(1, "05 02 0600 4000 0000 0000", received: true, link: 0x0B)
    made.pdu(1, "04 03 0800 4000 0000 0102 3000", received: true, link: 0x0B)
    made.pdu(1, "05 03 0600 4100 0000 0000", received: false, link: 0x0B)
  }

  /// A link over BR/EDR, Secure Simple Pairing with the same Authentication_Requirements of both sides, the link key of a
  /// Key_Type, encryption, and the end of the link. Vol 4, Part E, 7.1.29, 7.7.41, 7.7.24
  private static func pairSimply(
    _ made: inout MadeConversation, requirements: String, key: String
  ) {
    made.event("03 0b 00 0b00 665544332211 01 00")
    made.event("32 09 665544332211 01 00 \(requirements)")
    made.record(.command, received: false, "2b 04 09 665544332211 01 00 \(requirements)")
    made.event("0e 0a 01 2b04 00 665544332211")
    made.event("36 07 00 665544332211")
    made.event("18 17 665544332211 00112233445566778899aabbccddee\(key) \(key)")
    made.event("08 04 00 0b00 01")
    made.event("05 04 00 0b00 13")
  }

  static let links = [
    Case("pairing fails", finds: ["link.pairing-failed"]) {
      $0.pdu(6, "01 03 00 0d 10 01 01", received: false)
      $0.pdu(6, "02 03 00 0d 10 01 01", received: true)
      $0.pdu(6, "05 04", received: true)
      $0.disconnect()
    },
    Case("a key for LE is not sent over BR/EDR", finds: ["link.pairing-failed"]) {
      $0.report(
        .security(
          .pairing(
            .crossTransportIncomplete(
              .init(
                central: .init(irk: true, csrk: false), peripheral: .init(irk: false, csrk: false))
            ))), severity: .warning)
      $0.disconnect()
    },
    Case("all keys for LE are sent over BR/EDR") {
      $0.report(.security(.pairing(.crossTransportComplete(.init(derivesLTK: true)))))
      $0.disconnect()
    },
    Case("pairing completes") {
      $0.pair()
      $0.disconnect()
    },
    Case("pairing with a short key", finds: ["link.weak-key"]) {
      $0.pdu(6, "01 03 00 09 10 01 01", received: false)
      $0.pdu(6, "02 03 00 09 07 01 01", received: true)
      $0.authenticate()
      $0.encrypt()
      $0.disconnect()
    },
    Case("encryption before the DHKey checks", finds: ["link.pairing-bypassed"]) {
      $0.pdu(6, "01 03 00 09 10 01 01", received: false)
      $0.pdu(6, "02 03 00 09 10 01 01", received: true)
      $0.encrypt()
      $0.disconnect()
    },
    // Authentication requirements: bonding 0x01, MITM 0x04, Secure Connections 0x08. Vol 3, Part H, 3.5.1
    Case("MITM protection is requested, and Just Works is used", finds: ["link.weak-pairing"]) {
      $0.pdu(6, "01 04 00 0d 10 01 01", received: false)
      $0.pdu(6, "02 03 00 09 10 01 01", received: true)
      $0.authenticate()
      $0.encrypt()
      $0.disconnect()
    },
    Case(
      "the accessory requests MITM protection that it cannot provide", finds: ["link.weak-pairing"]
    ) {
      $0.pdu(6, "0b 0d", received: true)
      $0.pdu(6, "01 04 00 09 10 01 01", received: false)
      $0.pdu(6, "02 03 00 09 10 01 01", received: true)
      $0.authenticate()
      $0.encrypt()
      $0.disconnect()
    },
    Case(
      "Secure Connections are requested, and legacy pairing is used", finds: ["link.legacy-pairing"]
    ) {
      $0.pdu(6, "01 01 00 09 10 01 01", received: false)
      $0.pdu(6, "02 01 00 01 10 00 00", received: true)
      $0.authenticate(legacy: true)
      $0.encrypt()
      $0.disconnect()
    },
    Case("the requested security is used") {
      $0.pdu(6, "0b 0d", received: true)
      $0.pdu(6, "01 04 00 0d 10 01 01", received: false)
      $0.pdu(6, "02 01 00 0d 10 01 01", received: true)
      $0.authenticate()
      $0.encrypt()
      $0.disconnect()
    },
    Case("legacy pairing, as requested", finds: ["link.legacy-pairing"]) {
      $0.pdu(6, "01 03 00 01 10 01 01", received: false)
      $0.pdu(6, "02 03 00 01 10 00 00", received: true)
      $0.authenticate(legacy: true)
      $0.encrypt()
      $0.disconnect()
    },
    // HCI_IO_Capability_Response: authentication requirements 0x05 are MITM protection and general bonding;
    // key types 0x04 and 0x05: unauthenticated, authenticated. Vol 4, Part E, 7.7.41, 7.7.24
    Case(
      "MITM protection and an unauthenticated link key", finds: ["link.weak-pairing"],
      connects: false
    ) {
      $0.event("03 0b 00 0b00 665544332211 01 00")
      $0.event("32 09 665544332211 03 00 05")
      $0.event("18 17 665544332211 00112233445566778899aabbccddeeff 04")
    },
    Case("MITM protection and an authenticated link key", connects: false) {
      $0.event("03 0b 00 0b00 665544332211 01 00")
      $0.event("32 09 665544332211 01 00 05")
      $0.event("18 17 665544332211 00112233445566778899aabbccddeeff 05")
    },
    // Key type 0x03: Debug Combination Key.
    Case("a debug link key", finds: ["link.unprotected-key"], connects: false) {
      $0.event("03 0b 00 0b00 665544332211 01 00")
      $0.event("18 17 665544332211 00112233445566778899aabbccddeeff 03")
    },
    // HCI_Remote_OOB_Data_Request_Reply with set 3a of f1. Vol 2, Part G, 7.2.1
    Case(
      "the peer's OOB data commits to the debug key", finds: ["link.unprotected-key"],
      connects: false
    ) {
      $0.event("03 0b 00 0b00 665544332211 01 00")
      $0.record(
        .command, received: false,
        "30 04 26 665544332211 41de3ed2e5156c8215c6cde8c15f1249 abae2b71ecb2ffff3e7377d15484cbd5")
    },
    Case(
      "this host's OOB data commits to the debug key", finds: ["link.unprotected-key"],
      connects: false
    ) {
      $0.record(.command, received: false, "57 0c 00")
      $0.event(
        "0e 24 01 570c 00 41de3ed2e5156c8215c6cde8c15f1249 abae2b71ecb2ffff3e7377d15484cbd5")
    },
    // HCI_Remote_OOB_Extended_Data_Request_Reply; C_256 was computed by Python's hmac.
    Case(
      "the peer's extended OOB data commits to the debug key", finds: ["link.unprotected-key"],
      connects: false
    ) {
      $0.event("03 0b 00 0b00 665544332211 01 00")
      $0.record(
        .command, received: false,
        "45 04 46 665544332211 00000000000000000000000000000000 00000000000000000000000000000000"
          + "1ae00529774c9f5b1c42659df04bb916 abae2b71ecb2ffff3e7377d15484cbd5")
    },
    Case("the peer's OOB data commits to another key", connects: false) {
      $0.event("03 0b 00 0b00 665544332211 01 00")
      $0.record(
        .command, received: false,
        "30 04 26 665544332211 41de3ed2e5156c8215c6cde8c15f1248 abae2b71ecb2ffff3e7377d15484cbd5")
    },
    // Authentication requirements 0x04: general bonding without MITM protection. The channel carries AAP.
    Case(
      "an unauthenticated key although both can compare a number",
      finds: ["link.unprotected-key"], connects: false
    ) {
      $0.event("03 0b 00 0b00 665544332211 01 00")
      $0.record(.command, received: false, "2b 04 09 665544332211 01 00 04")
      $0.event("32 09 665544332211 01 00 04")
      $0.event("18 17 665544332211 00112233445566778899aabbccddeeff 07")
      $0.pdu(1, "02 01 04 00 01 10 40 00", received: false, link: 0x0B)
      $0.pdu(1, "03 01 08 00 41 00 40 00 00 00 00 00", received: true, link: 0x0B)
      $0.pdu(
        0x41, "00 00 04 00 01 00 02 00 00 00 00 00 00 00 00 00", received: false, link: 0x0B)
      $0.pdu(
        0x40, "01 00 04 00 00 00 01 00 02 00 00 00 00 00 00 00 00 00", received: true, link: 0x0B)
    },
    // The X coordinate of the debug key of LE Secure Connections, and its Y. Vol 3, Part H, 2.3.5.6.1
    Case("the debug key in LE Secure Connections", finds: ["link.unprotected-key"]) {
      $0.pdu(6, "01 03 00 09 10 01 01", received: false)
      $0.pdu(6, "02 03 00 09 10 01 01", received: true)
      $0.pdu(
        6,
        "0c e69d350e480103ccdbfdf4ac1191f4efb9a5f9e9a7832c5e2cbe97f2d203b020"
          + "8bd28915d08e1c742430ed8fc24563765c15525abf9a32636deb2a65499c80dc",
        received: true)
    },
    Case("encryption fails as the link is lost", finds: ["link.supervision-timeout"]) {
      $0.encrypt(status: "08")
      $0.disconnect("08")
    },
    Case("encryption fails after a pairing that failed", finds: ["link.pairing-failed"]) {
      $0.pdu(6, "01 03 00 09 10 01 01", received: false)
      $0.pdu(6, "02 03 00 09 10 01 01", received: true)
      $0.pdu(6, "05 04", received: true)
      $0.encrypt(status: "05")
      $0.disconnect("13")
    },
    Case("a MIC fails as encryption starts", finds: ["link.bond-lost"]) {
      $0.encrypt(status: "3d")
      $0.disconnect("3d")
    },
    Case("a MIC fails on a link that was encrypted", finds: ["link.supervision-timeout"]) {
      $0.encrypt()
      $0.pdu(4, "1b 0500 ab", received: true)
      $0.disconnect("3d")
    },
    Case("encryption fails, and starts later") {
      $0.encrypt(status: "3d")
      $0.encrypt()
      $0.wait(3_000)
      $0.pdu(4, "1b 0500 ab", received: true)
      $0.disconnect()
    },
    Case("encryption fails", finds: ["link.encryption-failed"]) {
      $0.encrypt(status: "3d")
      $0.disconnect()
    },
    Case("the key is missing", finds: ["link.bond-lost"]) {
      $0.encrypt(status: "06")
      $0.disconnect("06")
    },
    Case("the link is lost", finds: ["link.supervision-timeout"]) { $0.disconnect("08") },
    Case("no connection", finds: ["link.connection-failed"]) {
      $0.disconnect()
      $0.event("3e 13 01 3e 0000 00 00 665544332211 1800 0000 4800 00")
    },
    Case("paired again", finds: ["link.paired-again"]) {
      $0.pair()
      $0.disconnect()
      $0.connect()
      $0.pair()
      $0.disconnect()
    },
    Case(
      "paired again over BR/EDR", finds: ["link.paired-again"], connects: false
    ) {
      Self.pairSimply(&$0, requirements: "04", key: "04")
      Self.pairSimply(&$0, requirements: "04", key: "04")
    },
    Case("paired over BR/EDR without bonding", connects: false) {
      Self.pairSimply(&$0, requirements: "00", key: "04")
      Self.pairSimply(&$0, requirements: "00", key: "04")
    },
    Case("paired over BR/EDR for an authenticated key", connects: false) {
      Self.pairSimply(&$0, requirements: "04", key: "04")
      Self.pairSimply(&$0, requirements: "05", key: "05")
    },
    Case("a bond of BR/EDR alone", finds: ["link.classic-only-bond"]) {
      $0.event("03 0b 00 0b00 665544332211 01 00")
      $0.event("18 17 665544332211 00112233445566778899aabbccddeeff 04")
      $0.disconnect()
    },
    Case("parameters refused", finds: ["link.parameters-refused"]) {
      $0.pdu(5, "12 01 0800 0600 0600 0000 0a00", received: true)
      $0.pdu(5, "13 01 0200 0100", received: false)
      $0.disconnect()
    },
    // LE Connection Update Complete: interval 15 ms, as requested. Vol 4, Part E, 7.7.65.3
    Case("parameters that are refused, and accepted when requested again") {
      for (number, result) in [("01", "01"), ("02", "00")] {
        $0.pdu(5, "12 \(number) 0800 0600 0c00 0000 c800", received: true)
        $0.pdu(5, "13 \(number) 0200 \(result)00", received: false)
      }
      $0.event("3e 0a 03 00 4000 0c00 0000 c800")
      $0.disconnect()
    },
    Case(
      "parameters of the host that the peer refuses, and then those that the peer requested",
      finds: ["link.parameters-refused"]
    ) {
      $0.pdu(5, "12 01 0800 0600 0c00 0000 c800", received: true)
      $0.pdu(5, "13 01 0200 0000", received: false)
      $0.record(.command, received: false, "13 20 0e 4000 9001 9001 0000 c800 0000 0000")
      $0.event("0f 04 00 01 13 20")
      $0.event("3e 0a 03 3b 4000 1800 0000 c800")
      $0.event("3e 0a 03 00 4000 0c00 0000 c800")
      $0.disconnect()
    },
    Case("parameters that are refused, and others set", finds: ["link.parameters-refused"]) {
      $0.pdu(5, "12 01 0800 0600 0c00 0000 c800", received: true)
      $0.pdu(5, "13 01 0200 0100", received: false)
      $0.event("3e 0a 03 00 4000 2800 0000 c800")
      $0.disconnect()
    },
    Case("parameters accepted") {
      $0.pdu(5, "12 01 0800 0c00 1800 0000 c800", received: true)
      $0.pdu(5, "13 01 0200 0000", received: false)
      $0.disconnect()
    },
    Case("more frames than credits", finds: ["link.credits-exceeded"]) {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.pdu(5, "15 01 0a00 4100 4000 4000 0100 0000", received: true)
      $0.pdu(0x41, "0100 aa", received: false)
      $0.pdu(0x41, "0100 bb", received: false)
      $0.disconnect()
    },
    // SDU 0x50 and K-frame 0x52 bytes; MTU 0x40, MPS 0x40. 3.4.3, 4.24
    Case("an SDU longer than the MTU", finds: ["link.channel-limit"]) {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.pdu(5, "15 01 0a00 4100 4000 4000 0300 0000", received: true)
      $0.pdu(0x41, "5000 " + String(repeating: "aa", count: 0x30), received: false)
      $0.pdu(0x41, String(repeating: "aa", count: 0x20), received: false)
      $0.disconnect()
    },
    // Basic mode: the peer accepts 0x30 bytes. 4.4, 4.5, 5.1
    Case(
      "an SDU of Basic mode longer than the MTU", finds: ["link.channel-limit"], connects: false
    ) {
      Self.configure(&$0)
      $0.pdu(0x41, String(repeating: "aa", count: 0x31), received: false, link: 0x0B)
      $0.event("05 04 00 0b00 13")
    },
    Case("an SDU of Basic mode as long as the MTU", connects: false) {
      Self.configure(&$0)
      $0.pdu(0x41, String(repeating: "aa", count: 0x30), received: false, link: 0x0B)
      $0.event("05 04 00 0b00 13")
    },
    Case("a K-frame longer than the MPS", finds: ["link.channel-limit"]) {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.pdu(5, "15 01 0a00 4100 f401 1700 0300 0000", received: true)
      $0.pdu(0x41, "5000 " + String(repeating: "aa", count: 0x50), received: false)
      $0.disconnect()
    },
    // AVDTP: a request, its response, a configuration that is rejected. 4.2 to 4.5
    Case("a configuration that is refused", finds: ["link.channel-refused"], connects: false) {
      $0.event("03 0b 00 0b00 665544332211 01 00")
      $0.pdu(1, "02 01 0400 1900 4000", received: false, link: 0x0B)
      $0.pdu(1, "03 01 0800 4100 4000 0000 0000", received: true, link: 0x0B)
      $0.pdu(1, "04 02 0400 4100 0000", received: false, link: 0x0B)
      $0.pdu(1, "05 02 0600 4000 0000 0200", received: true, link: 0x0B)
      $0.event("05 04 00 0b00 13")
    },
    Case("an SDU longer than its first frame announces", finds: ["link.channel-limit"]) {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.pdu(5, "15 01 0a00 4100 4000 4000 0300 0000", received: true)
      $0.pdu(0x41, "0400 aabb", received: false)
      $0.pdu(0x41, "ccddeeff", received: false)
      $0.disconnect()
    },
    Case("more than 65,535 credits", finds: ["link.channel-limit"]) {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.pdu(5, "15 01 0a00 4100 4000 4000 0200 0000", received: true)
      $0.pdu(5, "16 02 0400 4100 ffff", received: true)
      $0.disconnect()
    },
    Case("no credits are given", finds: ["link.channel-limit"]) {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.pdu(5, "15 01 0a00 4100 4000 4000 0200 0000", received: true)
      $0.pdu(5, "16 02 0400 4100 0000", received: true)
      $0.disconnect()
    },
    Case("SDUs, K-frames and credits as large as allowed") {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.pdu(5, "15 01 0a00 4100 4000 1700 0300 0000", received: true)
      $0.pdu(0x41, "4000 " + String(repeating: "aa", count: 0x15), received: false)
      $0.pdu(0x41, String(repeating: "aa", count: 0x17), received: false)
      $0.pdu(0x41, String(repeating: "aa", count: 0x14), received: false)
      $0.pdu(5, "16 02 0400 4100 ffff", received: true)
      $0.disconnect()
    },
    // The RTX timer takes up to 60 s, TGAP(conn_param_timeout) 30 s. 6.2.1; Part C, Appendix A
    Case("a connection request without an answer", finds: ["link.signaling-unanswered"]) {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.wait(70_000)
      $0.disconnect()
    },
    Case("a parameter update request without an answer", finds: ["link.signaling-unanswered"]) {
      $0.pdu(5, "12 01 0800 0c00 1800 0000 c800", received: true)
      $0.wait(40_000)
      $0.disconnect()
    },
    Case("a link that ends before the answer") {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.wait(20_000)
      $0.disconnect()
    },
    Case("a rejected request, and a long wait", finds: ["link.channel-refused"]) {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.pdu(5, "01 01 0200 0000", received: true)
      $0.wait(70_000)
      $0.disconnect()
    },
    Case(
      "a connection request, and packets are lost", cannotTell: ["link.signaling-unanswered"]
    ) {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.record(.event, received: true, "13 05 01 4000 0100", dropped: 1)
      $0.wait(70_000)
      $0.disconnect()
    },
    Case("no credits for 2 s", finds: ["link.credits-lacking"]) {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.pdu(5, "15 01 0a00 4100 4000 4000 0100 0000", received: true)
      $0.pdu(0x41, "0100 aa", received: false)
      $0.wait(2_000)
      $0.pdu(5, "16 02 0400 4100 0100", received: true)
      $0.pdu(0x41, "0100 bb", received: false)
      $0.disconnect()
    },
    Case("no credits until the capture ends", cannotTell: ["link.credits-lacking"]) {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.pdu(5, "15 01 0a00 4100 4000 4000 0100 0000", received: true)
      $0.pdu(0x41, "0100 aa", received: false)
      $0.wait(2_000)
      $0.pdu(4, "1b 0500 ab", received: true)
    },
    Case("credits in time") {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.pdu(5, "15 01 0a00 4100 4000 4000 0100 0000", received: true)
      $0.pdu(0x41, "0100 aa", received: false)
      $0.pdu(5, "16 02 0400 4100 0100", received: true)
      $0.pdu(0x41, "0100 bb", received: false)
      $0.disconnect()
    },
  ]

  // MARK: Attributes

  static func discover(_ made: inout MadeConversation, descriptors: Bool = true) {
    let uuid = "9d1200000000000000000000000000"
    made.pdu(4, "10 0100 ffff 0028", received: false)
    made.pdu(4, "11 14 0100 0500 \(uuid)01", received: true)
    made.pdu(4, "08 0100 0500 0328", received: false)
    made.pdu(4, "09 15 0200 18 0300 \(uuid)02", received: true)
    guard descriptors else { return }
    made.pdu(4, "04 0400 0500", received: false)
    made.pdu(4, "05 01 0400 0229", received: true)
  }

  static let attributes = [
    Case("refused, and never encrypted", finds: ["link.insufficient-security"]) {
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "01 0a 0300 05", received: true)
      $0.disconnect()
    },
    Case("refused, then paired") {
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "01 0a 0300 05", received: true)
      $0.pair()
      $0.disconnect()
    },
    Case("refused, and a user who takes 40 s to pair") {
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "01 0a 0300 05", received: true)
      $0.wait(20_000)
      $0.pdu(6, "01 03 00 09 10 01 01", received: false)
      $0.pdu(6, "02 03 00 09 10 01 01", received: true)
      $0.wait(20_000)
      $0.authenticate()
      $0.encrypt()
      $0.disconnect()
    },
    Case("refused on an encrypted link", finds: ["link.insufficient-security"]) {
      $0.encrypt()
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "01 0a 0300 05", received: true)
      $0.disconnect()
    },
    // The bond is there: the pairing is for more security. Vol 3, Part C, 10.3.1
    Case("refused on an encrypted link, then paired and read") {
      $0.encrypt()
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "01 0a 0300 05", received: true)
      $0.pdu(6, "01 03 00 09 10 01 01", received: false)
      $0.pdu(6, "02 03 00 09 10 01 01", received: true)
      $0.authenticate()
      $0.encrypt()
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "0b ab", received: true)
      $0.disconnect()
    },
    Case("refused at the end", cannotTell: ["link.insufficient-security"]) {
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "01 0a 0300 05", received: true)
    },
    Case("values of 20 bytes", finds: ["link.mtu-not-exchanged"]) {
      for handle in ["03", "05", "07", "09"] {
        $0.pdu(4, "1b \(handle)00 " + String(repeating: "ab", count: 20), received: true)
      }
      $0.disconnect()
    },
    Case("values of 20 bytes, and a larger MTU") {
      $0.pdu(4, "02 f700", received: false)
      $0.pdu(4, "03 0002", received: true)
      for handle in ["03", "05", "07", "09"] {
        $0.pdu(4, "1b \(handle)00 " + String(repeating: "ab", count: 20), received: true)
      }
      $0.disconnect()
    },
    Case("no answer for 30 s", finds: ["link.request-timeout"]) {
      $0.pdu(4, "0a 0300", received: false)
      $0.wait(31_000)
      $0.pdu(4, "1b 0500 ab", received: true)
      $0.disconnect()
    },
    Case("an answer after 35 s", finds: ["link.request-timeout"]) {
      $0.pdu(4, "0a 0300", received: false)
      $0.wait(35_000)
      $0.pdu(4, "0b ab", received: true)
      $0.disconnect()
    },
    // A server may wait with its answer until pairing is through. Vol 3, Part C, 10.3.1
    Case("an answer that waits for a user who pairs") {
      $0.pdu(4, "0a 0300", received: false)
      $0.wait(5_000)
      $0.pdu(6, "01 03 00 09 10 01 01", received: false)
      $0.pdu(6, "02 03 00 09 10 01 01", received: true)
      $0.wait(28_000)
      $0.authenticate()
      $0.encrypt()
      $0.wait(1_000)
      $0.pdu(4, "0b ab", received: true)
      $0.disconnect()
    },
    Case("a value that is too long", finds: ["transport.long-write-refused"]) {
      $0.pdu(4, "12 0300 ab", received: false)
      $0.pdu(4, "13", received: true)
      $0.pdu(4, "12 0300 abcdef", received: false)
      $0.pdu(4, "01 12 0300 0d", received: true)
      $0.disconnect()
    },
    Case(
      "a value that was too long, as a shorter one shows", finds: ["transport.long-write-refused"]
    ) {
      $0.pdu(4, "12 0300 abcdef", received: false)
      $0.pdu(4, "01 12 0300 0d", received: true)
      $0.pdu(4, "12 0300 ab", received: false)
      $0.pdu(4, "13", received: true)
      $0.disconnect()
    },
    Case("a value that was too short") {
      $0.pdu(4, "12 0300 ab", received: false)
      $0.pdu(4, "01 12 0300 0d", received: true)
      $0.pdu(4, "12 0300 abcdef", received: false)
      $0.pdu(4, "13", received: true)
      $0.disconnect()
    },
    Case("prepared writes that the server does not know", finds: ["transport.long-write-refused"]) {
      $0.pdu(4, "16 0300 0000 " + String(repeating: "ab", count: 18), received: false)
      $0.pdu(4, "01 16 0300 06", received: true)
      $0.disconnect()
    },
    Case("refused writes of one byte") {
      $0.pdu(4, "12 0300 ab", received: false)
      $0.pdu(4, "01 12 0300 0d", received: true)
      $0.pdu(4, "16 0300 0000 ab", received: false)
      $0.pdu(4, "01 16 0300 06", received: true)
      $0.pdu(4, "16 0300 0000 ab", received: false)
      $0.pdu(4, "01 16 0300 03", received: true)
      $0.disconnect()
    },
    Case("ANCS before encryption", finds: ["ancs.not-found"]) {
      $0.findServices()
      $0.searchForANCS()
      $0.disconnect()
    },
    Case("ANCS that the phone does not share", finds: ["ancs.not-found"]) {
      $0.pair()
      $0.event("0c 08 00 4000 0c 4c00 0100")
      $0.searchForANCS()
    },
    Case("ANCS on a phone that may be another's", cannotTell: ["ancs.not-found"]) {
      $0.searchForANCS()
      $0.disconnect()
    },
    Case("ANCS that was not solicited", finds: ["ancs.not-solicited"], connects: false) {
      $0.advertise("02 01 06  03 03 0f18")
      $0.connect(role: "01")
      $0.findServices()
      $0.searchForANCS()
      $0.searchForANCS(at: "2000 2fff")
      $0.disconnect()
    },
    Case("ANCS that was solicited", connects: false) {
      $0.advertise("02 01 06  11 15 d0002d121e4b0fa4994eceb531f40579")
      $0.connect(role: "01")
      $0.searchForANCS()
      $0.searchForANCS(at: "2000 2fff")
      $0.disconnect()
    },
    Case("ANCS that comes later") {
      $0.findServices()
      $0.searchForANCS()
      $0.pair()
      $0.searchForANCS(at: "2000 2fff")
      $0.disconnect()
    },
    Case("another service that does not exist") {
      $0.findServices()
      $0.pdu(4, "06 0100 ffff 0028 0f18", received: false)
      $0.pdu(4, "01 06 0100 0a", received: true)
      $0.disconnect()
    },
    Case("too much for the controller", finds: ["link.buffer-overflow"]) {
      $0.event("1a 01 01")
      $0.disconnect()
    },
    Case("written to without a subscription", finds: ["link.not-subscribed"]) {
      discover(&$0)
      $0.pdu(4, "52 0300 ab", received: false)
      $0.disconnect()
    },
    Case("written to and subscribed") {
      discover(&$0)
      $0.pdu(4, "12 0400 0100", received: false)
      $0.pdu(4, "13", received: true)
      $0.pdu(4, "52 0300 ab", received: false)
      $0.disconnect()
    },
    Case("written to, with a bond", cannotTell: ["link.not-subscribed"]) {
      $0.encrypt()
      discover(&$0)
      $0.pdu(4, "52 0300 ab", received: false)
      $0.disconnect()
    },
  ]

  // MARK: Keys

  static let keys = [
    Case("the public key is not answered", finds: ["keys.public-key-unanswered"]) {
      $0.pair()
      $0.key(.publicKey, .p256)
      $0.wait(31_000)
      $0.pdu(4, "1b 0500 ab", received: true)
      $0.pdu(4, "02 f700", received: false)
      $0.pdu(4, "03 0002", received: true)
      $0.disconnect()
    },
    Case("the public key is answered") {
      $0.pair()
      $0.key(.publicKey, .p256)
      $0.key(.encapsulatedKey, .p256)
      $0.wait(31_000)
      $0.disconnect()
    },
    Case("no pairing", cannotTell: ["keys.public-key-unanswered"]) {
      $0.key(.publicKey, .p256)
      $0.wait(31_000)
      $0.disconnect()
    },
    Case("a key of the wrong size", finds: ["keys.wrong-size"]) {
      $0.key(.encapsulatedKey, .p256, defect: "3 bytes")
      $0.disconnect()
    },
    // The base point of P-256 (NIST SP 800-186, 3.2.1.3), written to an attribute that nothing describes.
    Case("a key in an unknown attribute", finds: ["keys.not-described"]) {
      $0.exchangeMTU()
      $0.pdu(4, "52 3300 04 \(basePoint)", received: false)
      $0.pdu(4, "52 3300 04 \(basePoint)", received: false)
      $0.disconnect()
    },
    Case("a key on a channel whose opening is missing", finds: ["keys.not-described"]) {
      $0.exchangeMTU()
      $0.pdu(0x41, "4300 a710 04 \(basePoint)", received: false)
      $0.disconnect()
    },
    Case("no key in an unknown attribute") {
      $0.exchangeMTU()
      $0.pdu(4, "52 3300 04 \(basePoint.dropLast(2))f4", received: false)
      $0.disconnect()
    },
    Case("P-256 though X-Wing", finds: ["keys.suite-downgrade"]) {
      $0.key(.publicKey, .xWing)
      $0.key(.encapsulatedKey, .p256)
      $0.disconnect()
    },
    Case("X-Wing") {
      $0.key(.publicKey, .xWing, transports: [.bluetooth, .internet])
      $0.key(.encapsulatedKey, .xWing)
      $0.disconnect()
    },
    Case("X-Wing, and later P-256") {
      $0.key(.publicKey, .xWing)
      $0.key(.encapsulatedKey, .xWing)
      $0.key(.publicKey, .p256)
      $0.key(.encapsulatedKey, .p256)
      $0.disconnect()
    },
    Case("P-256 though both", finds: ["keys.suite-downgrade"]) {
      $0.key(.publicKey, .xWing)
      $0.key(.publicKey, .p256)
      $0.key(.encapsulatedKey, .p256)
      $0.disconnect()
    },
    Case("the internet with P-256", finds: ["keys.transport-needs-xwing"]) {
      $0.key(.publicKey, .p256, transports: [.bluetooth, .internet])
      $0.key(.encapsulatedKey, .p256)
      $0.disconnect()
    },
    Case("the key is not confirmed", finds: ["keys.exchange-unconfirmed"]) {
      $0.key(.encapsulatedKey, .xWing, receipt: "R")
      $0.disconnect()
    },
    Case("the key is confirmed") {
      $0.key(.encapsulatedKey, .xWing, receipt: "R")
      $0.accept("R", after: 20)
      $0.disconnect()
    },
    Case("the exchange fails", finds: ["keys.exchange-failed"]) {
      $0.say(.security(.completed(.failure(.transportFailed)), sessionID: nil))
      $0.disconnect()
    },
    Case("the keys of another device", finds: ["keys.cannot-decrypt"]) {
      $0.key(.encapsulatedKey, .xWing)
      $0.message(from: .hostToAccessory, verdict: .keysOfOther(exchange: PacketID(1)))
      $0.disconnect()
    },
    Case("a right key, and additional data", finds: ["keys.wrong-form"]) {
      $0.key(.encapsulatedKey, .xWing)
      $0.message(from: .hostToAccessory, verdict: .wrongForm(.additionalData(.session)))
      $0.disconnect()
    },
    Case("messages shorter than a tag, and than IV and tag", finds: ["keys.wrong-form"]) {
      $0.key(.encapsulatedKey, .xWing)
      $0.message(from: .hostToAccessory, verdict: .tooShort(bytes: 5))
      $0.message(from: .accessoryToHost, verdict: .tooShort(bytes: 27))
      $0.disconnect()
    },
    Case("refused keys, and a refused part", finds: ["keys.cannot-decrypt"]) {
      $0.key(.encapsulatedKey, .xWing)
      $0.message(from: .hostToAccessory, verdict: .keysRefused(exchange: PacketID(1)))
      $0.message(from: .hostToAccessory, verdict: .partRefused(PacketID(1)))
      $0.disconnect()
    },
    Case("a message that is not encrypted", finds: ["keys.cannot-decrypt"]) {
      $0.key(.encapsulatedKey, .xWing)
      $0.message(from: .hostToAccessory, verdict: .notEncrypted)
      $0.disconnect()
    },
    Case("a part that was sent twice", finds: ["keys.cannot-decrypt"]) {
      $0.key(.encapsulatedKey, .xWing)
      $0.message(
        from: .hostToAccessory,
        verdict: .partRepeated(Repetition(packet: PacketID(1), original: PacketID(1))))
      $0.disconnect()
    },
    Case("the key of the other direction", finds: ["keys.wrong-direction"]) {
      $0.message(from: .hostToAccessory, opened: [])
      $0.message(from: .accessoryToHost, opened: [.direction(used: .hostToAccessory)])
      $0.disconnect()
    },
  ]

  // MARK: Messages

  private static func notification(_ id: String) -> AccessoryNotification {
    var notification = AccessoryNotification()
    notification.identifier = .init(notificationIdentifier: id)
    notification.alerting.shouldAlert = true
    return notification
  }

  static let messages = [
    Case("a profile that does not fit", finds: ["transport.profile-mistake"]) {
      $0.message(from: .hostToAccessory, opened: [])
      $0.report(
        .capture(
          .profileMistake(
            .init(
              profile: "acme", file: "acme/profile.yaml", line: 24, column: 16,
              mistake: "'first' never holds in 3 fragments"))))
      $0.disconnect()
    },
    Case("a session without a decision", finds: ["transport.session-undecided"]) {
      $0.say(.transport(.sessionRequest, sessionID: "S"))
      $0.wait(31_000)
      $0.disconnect()
    },
    Case("a session that is accepted") {
      $0.say(.transport(.sessionRequest, sessionID: "S"))
      $0.say(.transport(.decision(.accept), sessionID: "S"))
      $0.message(from: .hostToAccessory, opened: [])
      $0.wait(31_000)
      $0.disconnect()
    },
    Case("a session that is rejected", finds: ["transport.session-failed"]) {
      $0.say(.transport(.decision(.reject(error: .unsupported)), sessionID: "S"))
      $0.disconnect()
    },
    Case(
      "a message after the end",
      finds: ["transport.send-after-invalidation", "transport.session-failed"]
    ) {
      $0.message(from: .hostToAccessory, opened: [])
      $0.say(.transport(.sessionInvalidated(error: .invalidated), sessionID: "S"))
      $0.message(from: .accessoryToHost, opened: [])
      $0.disconnect()
    },
    Case("a message that fails", finds: ["transport.message-failed"]) {
      $0.say(.transport(.completed(.failure(.transportUnavailable)), sessionID: "S"))
      $0.disconnect()
    },
    Case("an answer in another session", finds: ["transport.unknown-session"]) {
      $0.message("S", from: .hostToAccessory, opened: [])
      $0.message("T", from: .accessoryToHost, opened: [])
      $0.disconnect()
    },
    Case("no receipt", finds: ["transport.missing-receipt"]) {
      for number in 1...3 {
        $0.message(from: .hostToAccessory, receipt: "\(number)", opened: [])
        $0.accept("\(number)", after: 20)
      }
      $0.message(from: .hostToAccessory, receipt: "B", opened: [])
      $0.wait(31_000)
      $0.disconnect()
    },
    Case("no receipt at all", cannotTell: ["transport.missing-receipt"]) {
      $0.message(from: .hostToAccessory, receipt: "B", opened: [])
      $0.wait(31_000)
      $0.disconnect()
    },
    Case("a slow receipt", finds: ["transport.slow-receipt"]) {
      for number in 1...6 { $0.accept("\(number)", after: 40) }
      $0.accept("7", after: 3_000)
      $0.disconnect()
    },
    Case("receipts that are always slow") {
      for number in 1...7 { $0.accept("\(number)", after: 3_000) }
      $0.disconnect()
    },
    Case("an update that alerts", finds: ["notifications.alert-twice"]) {
      let one = notification("n")
      $0.say(.add(one), from: .hostToAccessory)
      $0.say(.displayed(.init(notificationIdentifier: "n"), didAlert: true))
      $0.say(.update(one), from: .hostToAccessory)
      $0.say(.displayed(.init(notificationIdentifier: "n"), didAlert: true))
      $0.disconnect()
    },
    Case("never shown", finds: ["notifications.never-shown"]) {
      $0.say(.add(notification("a")), from: .hostToAccessory)
      $0.say(.displayed(.init(notificationIdentifier: "a"), didAlert: true))
      $0.say(.add(notification("b")), from: .hostToAccessory)
      $0.wait(11_000)
      $0.disconnect()
    },
    Case("a long interval", finds: ["link.slow-interval"], interval: "a000") {
      $0.report(.sessionSeen(.init(sessionID: "S")), values: 8, took: 1_600)
      $0.disconnect()
    },
    Case("a short interval", interval: "1800") {
      $0.report(.sessionSeen(.init(sessionID: "S")), values: 8, took: 1_600)
      $0.disconnect()
    },
    Case("Wi-Fi without encryption", finds: ["wifi.not-secured"]) {
      $0.say(.networkSharing(.network(.init(ssid: "Harbour"))), from: .hostToAccessory)
      $0.disconnect()
    },
    Case("Wi-Fi with encryption") {
      $0.pair()
      $0.say(.networkSharing(.network(.init(ssid: "Harbour"))), from: .hostToAccessory)
      $0.disconnect()
    },
  ]

  // MARK: Audio accessories

  /// The phone says the placement that the accessory said before.
  private static func repeated(_ made: inout MadeConversation, after milliseconds: Int64) {
    made.encrypt()
    made.configure(.register(.init()))
    var change = AccessoryControlDevice.Change()
    change.devicePlacement = .value("inEar")
    let worn = AccessoryControlDevice.Configuration(devicePlacement: .inEar)
    made.configure(.update(worn), [], change)
    made.wait(milliseconds)
    made.configure(.update(worn), [], change, from: .hostToAccessory)
    made.disconnect()
  }

  static let audio = [
    Case("an update after the end", finds: ["audio.update-after-invalidated"]) {
      $0.encrypt()
      $0.configure(.register(.init()))
      $0.configure(.update(.init()), [.invalidated(PacketID(2))])
      $0.disconnect()
    },
    Case("two reports that disagree", finds: ["audio.disagreement"]) {
      $0.encrypt()
      $0.configure(.register(.init()))
      $0.configure(.update(.init()), [.disagrees(.devicePlacement)])
      $0.disconnect()
    },
    Case("a vendor's own placement", finds: ["audio.invalid-value"]) {
      $0.encrypt()
      $0.configure(.register(.init()))
      $0.configure(.update(.init()), [.unknownPlacement("pocket")])
      $0.disconnect()
    },
    Case("registered before pairing", finds: ["audio.registered-before-pairing"]) {
      $0.configure(.register(.init()))
      $0.disconnect()
    },
    Case("registered after pairing") {
      $0.pair()
      $0.configure(.register(.init()))
      $0.configure(.update(.init()))
      $0.disconnect()
    },
    Case("refused", finds: ["audio.configuration-refused"]) {
      $0.configure(.failed(.accessoryNotCapable))
      $0.disconnect()
    },
    Case("a late update", finds: ["audio.late-update"]) { repeated(&$0, after: 6_000) },
    Case("an update in time") { repeated(&$0, after: 300) },
    Case("only updates", cannotTell: ["audio.update-before-register"]) {
      $0.configure(.update(.init()))
      $0.disconnect()
    },
  ]

  // MARK: External Accessory

  private static func identification(_ name: String) -> Event.Content {
    let identification = IAP2Identification(protocols: [.init(identifier: 1, name: name)])
    return .iap2(.identification(.init(identification: identification, isUpdate: false)))
  }

  private static let session = EASession(
    sessionIdentifier: 1, protocolIdentifier: 1, protocolString: "com.acme.control")

  static let externalAccessory = [
    Case("a name that is not reverse-DNS", finds: ["ea.protocol-name"]) {
      $0.report(identification("acme control"))
    },
    Case("a name that is reverse-DNS") { $0.report(identification("com.acme-audio.control")) },
    Case("a protocol that is not declared", finds: ["ea.protocol-undeclared"]) {
      $0.report(.iap2(.externalAccessory(.open(.init(eaSession: session, isDeclared: false)))))
    },
    Case("data too early", finds: ["ea.data-before-status"]) {
      let traffic = EASession.Traffic(sent: 4, received: 0, isHostAccessory: false)
      let data = EASessionEvent.FirstData(eaSession: session, traffic: traffic, isEarly: true)
      $0.report(.iap2(.externalAccessory(.data(data))))
    },
    Case("a session that is refused", finds: ["ea.session-refused"]) {
      $0.report(.iap2(.externalAccessory(.status(.init(eaSession: session, isAccepted: false)))))
    },
    Case("a session that is refused and ends", finds: ["ea.session-refused"]) {
      let none = EASession.Traffic(sent: 0, received: 0, isHostAccessory: false)
      $0.report(.iap2(.externalAccessory(.status(.init(eaSession: session, isAccepted: false)))))
      $0.report(
        .iap2(
          .externalAccessory(
            .close(.init(eaSession: session, traffic: none, end: .stopped, isTaken: false)))))
    },
    Case("data for a session that is not open", finds: ["ea.link-fault"]) {
      $0.report(
        .iap2(
          .externalAccessory(
            .stray(.init(sessionIdentifier: 9, count: 4, isFromAccessory: true)))))
    },
    Case("authentication fails", finds: ["ea.authentication-failed"]) {
      $0.report(.iap2(.authentication(.init(step: .failed))))
    },
    Case("identification has no answer", finds: ["ea.unanswered"]) {
      $0.disconnect()
      $0.report(.iap2(.unanswered(.init(question: .identification))))
    },
    Case("identification has no answer yet", cannotTell: ["ea.unanswered"]) {
      $0.reportLast(.iap2(.unanswered(.init(question: .identification))))
    },
    Case("too many packets", finds: ["ea.link-fault"]) {
      $0.report(.iap2(.windowExceeded(.init(outstanding: 6, allowed: 5))))
    },
  ]
}
