import HarkFindings
import HarkSamples
import Testing

@testable import HarkSession

// Conversations with streams of sound. Core Specification, Vol 4, Part E, 5.4.5, 7.7.65.25 to 7.7.65.30.
extension FindingsMadeTests {
  /// An SDU of 2 octets from the controller, with its time stamp, number and Packet_Status_Flag.
  private static func sdu(
    _ made: inout MadeConversation, _ sequence: String, _ status: String = "00"
  ) {
    made.record(
      .iso, received: true, "60 60 0a 00 e8\(sequence) 00 00 \(sequence) 00 02 \(status) aa bb")
  }

  /// What was lost on the air is not counted with what came no further than the controller.
  @Test func kindsOfGaps() {
    let findings = MadeConversation.over { made in
      for (sequence, status) in [("01", "00"), ("02", "80"), ("04", "00"), ("06", "00")] {
        Self.sdu(&made, sequence, status)
      }
    }
    #expect(findings.ids == ["audio.isochronous-gap"])
    let reported = findings.sorted.map { ($0.severity, $0.confidence, $0.occurrences) }
    #expect(reported.map(\.0) == [.warning, .info])
    #expect(reported.map(\.1) == [.certain, .possible])
    #expect(reported.map(\.2) == [1, 2])
    #expect(findings.sorted.map(\.repetition) == [nil, "2 times, the last in #5"])
  }

  /// The sentence of a finding does not count for times that read differently.
  @Test func similarCases() {
    let findings = MadeConversation.over { made in
      for sequence in ["01", "03", "06"] { Self.sdu(&made, sequence) }
    }
    #expect(findings.sorted.map(\.repetition) == ["and 1 similar case, the last in #4"])
  }

  /// An SDU that was not received, and one that may be invalid.
  @Test func lostAndDoubtful() {
    let findings = MadeConversation.over { made in
      for (sequence, status) in [
        ("01", "00"), ("02", "80"), ("03", "00"), ("04", "40"), ("05", "00"),
      ] { Self.sdu(&made, sequence, status) }
    }
    #expect(findings.all.map(\.occurrences) == [1, 1])
  }

  /// L2CAP_LE_CREDIT_BASED_CONNECTION_REQ and RSP without credits, then a K-frame of each side: two senders exceed
  /// theirs. Vol 3, Part A, 4.22, 4.23
  @Test func bothSenders() {
    let findings = MadeConversation.over { made in
      made.pdu(5, "14 01 0a00 8000 4000 6400 6400 0000", received: false)
      made.pdu(5, "15 01 0a00 4100 6400 6400 0000 0000", received: true)
      made.pdu(0x41, "0200 aabb", received: false)
      made.pdu(0x40, "0200 aabb", received: true)
      made.disconnect()
    }
    #expect(findings.ids == ["link.credits-exceeded"])
    #expect(findings.all.map(\.occurrences) == [1, 1])
    #expect(Set(findings.all.map { $0.observed.prefix(4) }) == ["this", "peer"])
  }

  /// HCI_Synchronous_Connection_Complete: SCO Interval Rejected, eSCO. Vol 4, Part E, 7.7.35
  private static let rejected = "2c 11 1c 0000 665544332211 02 00 00 0000 0000 00"
  private static let connected = "03 0b 00 0b00 665544332211 01 00"

  /// HCI_LE_CIS_Established with a status and the first octet of a handle.
  private static func cisEstablished(_ status: String, _ handle: String) -> String {
    "3e 1d 19 \(status) \(handle) 00 10 27 00 10 27 00 40 1f 00 28 23 00 02 02 04 01 00 02 00 78 00 00 00 08 00"
  }

  private static func refuse(_ made: inout MadeConversation) {
    made.event("3e 07 1a 4000 6000 01 02")
    made.record(.command, received: false, "67 20 03 6000 0d")
    made.event("0e 06 01 6720 00 6000")
  }

  private static func accept(_ made: inout MadeConversation, _ handle: String, cis: String) {
    made.event("3e 07 1a 4000 \(handle)00 01 \(cis)")
    made.record(.command, received: false, "66 20 02 \(handle)00")
    made.event("0f 04 00 01 6620")
    made.event(cisEstablished("00", handle))
  }

  private static func rejectOnAir(_ made: inout MadeConversation) {
    made.report(.linkLayer(.isochronousStream(.init(group: 1, stream: 2))))
    made.report(
      .linkLayer(.rejected(.init(byPeripheral: true, opcode: 0x1F, error: 0x0D))),
      severity: .warning)
  }

  private static func create(_ made: inout MadeConversation, cis: UInt8) {
    made.report(.linkLayer(.isochronousStream(.init(group: 1, stream: cis))))
    made.report(
      .linkLayer(
        .isochronousStreamAddress(.init(address: 0x5065_4321, group: 1, stream: cis))))
  }

  static let streams = [
    Case("SDUs in order") { made in
      for sequence in ["01", "02", "03"] { sdu(&made, sequence) }
    },
    Case("an SDU is missing", finds: ["audio.isochronous-gap"]) { made in
      for sequence in ["01", "03"] { sdu(&made, sequence) }
    },
    Case("an SDU is missing, and the recorder lost packets", cannotTell: ["audio.isochronous-gap"])
    {
      sdu(&$0, "01")
      $0.record(.event, received: true, "13 05 01 4000 0100", dropped: 1)
      $0.record(
        .iso, received: true, "60 60 0a 00 e8 03 00 00 03 00 02 00 aa bb", dropped: 1)
    },
    Case("an SDU is not received", finds: ["audio.isochronous-gap"]) {
      sdu(&$0, "01")
      sdu(&$0, "02", "80")
      sdu(&$0, "03")
    },
    Case("nothing is received before the first SDU and after the last") {
      sdu(&$0, "01", "80")
      sdu(&$0, "02")
      sdu(&$0, "03", "80")
    },
    Case("an SDU that is too short", finds: ["audio.isochronous-gap"]) {
      $0.record(.iso, received: true, "60 60 0a 00 e8 03 00 00 01 00 05 00 aa bb")
    },
    Case("a CIS that is not established", finds: ["audio.stream-failed"]) {
      $0.event(
        "3e 1d 19 3e 60 00 10 27 00 10 27 00 40 1f 00 28 23 00 02 02 04 01 00 02 00 78 00 00 00 08 00"
      )
    },
    // Connection Failed to be Established, then HCI_LE_Create_CIS again. Vol 4, Part E, 7.7.65.25
    Case("a CIS that the second attempt establishes") {
      $0.event(
        "3e 1d 19 3e 60 00 10 27 00 10 27 00 40 1f 00 28 23 00 02 02 04 01 00 02 00 78 00 00 00 08 00"
      )
      $0.event(
        "3e 1d 19 00 60 00 10 27 00 10 27 00 40 1f 00 28 23 00 02 02 04 01 00 02 00 78 00 00 00 08 00"
      )
    },
    Case("a CIS that the third attempt establishes") {
      for status in ["3e", "3e", "00"] {
        $0.event(
          "3e 1d 19 \(status) 60 00 10 27 00 10 27 00 40 1f 00 28 23 00 02 02 04 01 00 02 00 78 00 00 00 08 00"
        )
        $0.wait(3_000)
      }
    },
    // HCI_LE_BIG_Sync_Established: Connection Failed to be Established, then BIG 5 with the BIS 0x0070. 7.7.65.29
    Case("a broadcast that the second attempt synchronizes") {
      $0.event("3e 0f 1d 3e 05 000000 00 00 00 00 0000 0000 00")
      $0.event("3e 11 1d 00 05 102700 03 01 01 00 7800 0800 01 7000")
    },
    Case("a CIS that is established long after the first attempt", finds: ["audio.stream-failed"]) {
      $0.event(
        "3e 1d 19 3e 60 00 10 27 00 10 27 00 40 1f 00 28 23 00 02 02 04 01 00 02 00 78 00 00 00 08 00"
      )
      $0.wait(6_000)
      $0.event(
        "3e 1d 19 00 60 00 10 27 00 10 27 00 40 1f 00 28 23 00 02 02 04 01 00 02 00 78 00 00 00 08 00"
      )
    },
    // Connection Rejected due to Limited Resources by the Peripheral, then HCI_LE_Create_CIS again. Vol 4, Part E, 7.7.65.25
    Case("a CIS that the Peripheral rejects once") {
      for status in ["0d", "00"] { $0.event(cisEstablished(status, "60")) }
    },
    // LE CIS Request of CIG 1, CIS 2, HCI_LE_Reject_CIS_Request; the next request has the handle 0x0061. 7.7.65.26, 7.8.101,
    // 7.8.102
    Case("this host refuses a CIS once") {
      refuse(&$0)
      accept(&$0, "61", cis: "02")
    },
    Case(
      "this host refuses a CIS, and its handle is given to another one",
      finds: ["audio.stream-failed"]
    ) {
      refuse(&$0)
      accept(&$0, "60", cis: "03")
    },
    Case("this host accepts a CIS long after it refused it", finds: ["audio.stream-failed"]) {
      refuse(&$0)
      $0.wait(6_000)
      accept(&$0, "61", cis: "02")
    },
    Case("this host refuses a CIS for 80 s, and accepts it", finds: ["audio.stream-failed"]) {
      for _ in 0..<20 {
        refuse(&$0)
        $0.wait(4_000)
      }
      accept(&$0, "61", cis: "02")
    },
    // LL_CIS_REQ, LL_REJECT_EXT_IND; LL_CIS_REQ, LL_CIS_IND. Vol 6, Part B, 2.4.2.18, 2.4.2.29, 2.4.2.31
    Case("a side rejects a CIS over the air once") {
      rejectOnAir(&$0)
      create(&$0, cis: 2)
    },
    Case("a side rejects one of two CISes over the air", finds: ["audio.stream-failed"]) {
      rejectOnAir(&$0)
      create(&$0, cis: 3)
    },
    Case("a CIS that the host cancels") {
      $0.event(
        "3e 1d 19 44 60 00 10 27 00 10 27 00 40 1f 00 28 23 00 02 02 04 01 00 02 00 78 00 00 00 08 00"
      )
    },
    // LE link 0x0041 to another device is lost 10 ms before the CIS 0x0060 of link 0x0040: HCI_LE_Create_CIS, HCI_LE_CIS_
    // Established, HCI_Disconnection_Complete. Vol 4, Part E, 7.8.99, 7.7.65.25, 7.7.5
    Case(
      "two earbuds are lost, of one only the CIS",
      finds: ["audio.stream-failed", "link.supervision-timeout"]
    ) {
      $0.event("3e 13 01 00 4100 00 00 a65544332211 1800 0000 4800 00")
      $0.record(.command, received: false, "64 20 05 01 6000 4000")
      $0.event("0f 04 00 01 6420")
      $0.event(
        "3e 1d 19 00 6000 401f00 401f00 401f00 401f00 02 02 03 01 01 01 01 7800 0000 0800")
      $0.event("05 04 00 4100 08")
      $0.event("05 04 00 6000 08")
      $0.wait(5_000)
      $0.disconnect()
    },
    Case("a broadcast is lost", finds: ["audio.stream-failed"]) { $0.event("3e 03 1e 06 08") },
    // Connection Terminated due to MIC Failure: the Broadcast_Code is another.
    Case("a broadcast cannot be decrypted", finds: ["audio.stream-failed"]) {
      $0.event("3e 03 1e 06 3d")
    },
    Case("a call without a synchronous link", finds: ["audio.call-inaudible"], connects: false) {
      $0.event(connected)
      $0.event(rejected)
      $0.wait(6_000)
      $0.event("05 04 00 0b00 13")
    },
    Case("the second set of parameters is accepted", connects: false) {
      $0.event(connected)
      $0.event(rejected)
      $0.event("2c 11 00 0c00 665544332211 02 0c 02 3c00 3c00 03")
      $0.wait(6_000)
      $0.event("05 04 00 0b00 13")
    },
    Case(
      "the capture ends after the first attempt", cannotTell: ["audio.call-inaudible"],
      connects: false
    ) {
      $0.event(connected)
      $0.event(rejected)
    },
    Case("a broadcast ends") { $0.event("3e 03 1c 05 16") },
    Case("an endpoint refuses", finds: ["audio.endpoint-refused"]) {
      $0.report(
        .leAudio(.refused(.init(opcode: 2, endpoint: 1, response: 8, reason: 4, isLocal: false))))
    },
    Case("an endpoint accepts") {
      $0.report(.leAudio(.accepted(.init(opcode: 2, endpoints: [1], isLocal: false))))
    },
    // What the Link Layers of a connection on the air say. Vol 6, Part B, 2.4.2.13, 2.4.2.18.
    Case("the key is missing on the air", finds: ["link.bond-lost"]) {
      $0.report(.linkLayer(.rejected(.init(byPeripheral: true, opcode: nil, error: 0x06))))
    },
    Case("encryption is refused on the air", finds: ["link.encryption-failed"]) {
      $0.report(.linkLayer(.rejected(.init(byPeripheral: true, opcode: 0x03, error: 0x1A))))
    },
    Case("parameters are refused on the air", finds: ["link.parameters-refused"]) {
      $0.report(.linkLayer(.rejected(.init(byPeripheral: false, opcode: 0x0F, error: 0x3B))))
    },
    // LL_UNKNOWN_RSP to LL_PHY_REQ, and to LL_PERIPHERAL_FEATURE_REQ, which changes nothing.
    Case("a PHY on the air that is not supported", finds: ["link.change-failed"]) {
      $0.report(.linkLayer(.rejected(.init(byPeripheral: true, opcode: 0x16, error: nil))))
    },
    Case("a feature exchange that is not supported") {
      $0.report(.linkLayer(.rejected(.init(byPeripheral: false, opcode: 0x0E, error: nil))))
    },
    Case("iAP2 does not advance", finds: ["ea.window-stalled"]) {
      $0.report(.iap2(.windowStalled(.init(allowed: 5, nanoseconds: 2_000_000_000))))
    },
    Case("iAP2 does not advance, and the recorder lost packets", cannotTell: ["ea.window-stalled"])
    {
      $0.record(.event, received: true, "13 05 01 4000 0100", dropped: 1)
      $0.report(.iap2(.windowStalled(.init(allowed: 5, nanoseconds: 2_000_000_000))))
    },
  ]
}
