import HarkCore
import HarkFindings
import Testing

@testable import HarkSession

/// Links, streams and clocks, with the mistake and without it.
extension FindingsMadeTests {
  static let radio =
    linkManagers + clocks + appleServices + sounding + streamLimits + calls + networks

  /// LMP PDUs over the air, in DM1 packets. Core Specification, Vol 2, Part C, 4.2.7
  private static let linkManagers: [Case] = [
    Case(
      "LMP_NUMERIC_COMPARISON_FAILED", finds: ["link.pairing-failed"], connects: false
    ) {
      $0.linkManager("fe19 010003", "ff1a 010003", "fe1b")
    },
    Case(
      "LMP_NOT_ACCEPTED of LMP_IO_CAPABILITY_REQ", finds: ["link.pairing-failed"], connects: false
    ) {
      $0.linkManager("fe19 010003", "fe02 7f1918")
    },
    Case("LMP_NOT_ACCEPTED of LMP_SNIFF_REQ", connects: false) {
      $0.linkManager("fe19 010003", "ff1a 010003", "2f 00 0000 2003 0400 0100", "09 17 24")
    },
  ]

  private static let clocks: [Case] = [
    // Core Specification, Vol 3, Part F, 3.3.3: 30 s. The clock is steady after the step.
    Case("no answer for 30 s after the clock was set back", finds: ["link.request-timeout"]) {
      $0.wait(-3_600_000)
      $0.event("13 05 01 4000 0100")
      $0.pdu(4, "0a 0300", received: false)
      $0.wait(61_000)
      $0.pdu(4, "0b ab", received: true)
      $0.disconnect()
    },
    Case("an answer in time after the clock was set back") {
      $0.wait(-3_600_000)
      $0.event("13 05 01 4000 0100")
      $0.pdu(4, "0a 0300", received: false)
      $0.wait(1_000)
      $0.pdu(4, "0b ab", received: true)
      $0.disconnect()
    },
    Case("the clock is set back before the answer", cannotTell: ["link.request-timeout"]) {
      $0.pdu(4, "0a 0300", received: false)
      $0.wait(-3_600_000)
      $0.event("13 05 01 4000 0100")
      $0.wait(61_000)
      $0.pdu(4, "0b ab", received: true)
      $0.disconnect()
    },
    Case(
      "the clock is set back before the answer to an L2CAP request",
      cannotTell: ["link.signaling-unanswered"]
    ) {
      // L2CAP_LE_CREDIT_BASED_CONNECTION_REQ
      $0.pdu(5, "14 01 0a00 8000 4000 0002 0002 0500", received: false)
      $0.wait(-3_600_000)
      $0.event("13 05 01 4000 0100")
      $0.wait(90_000)
      $0.disconnect()
    },
    // Two days later by the clock.
    Case("the clock is set forward before the answer", cannotTell: ["link.request-timeout"]) {
      $0.pdu(4, "0a 0300", received: false)
      $0.wait(172_800_000)
      $0.event("13 05 01 4000 0100")
      $0.pdu(4, "0b ab", received: true)
      $0.disconnect()
    },
    Case(
      "the clock is set forward after a refusal", cannotTell: ["link.insufficient-security"]
    ) {
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "01 0a 0300 05", received: true)
      $0.wait(172_800_000)
      $0.event("13 05 01 4000 0100")
      $0.wait(1_000)
      $0.disconnect()
    },
    // An hour back: the link is never encrypted, but whether for 30 s is unknown.
    Case("the clock is set back after a refusal", cannotTell: ["link.insufficient-security"]) {
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "01 0a 0300 05", received: true)
      $0.wait(-3_600_000)
      $0.event("13 05 01 4000 0100")
      $0.wait(1_000)
      $0.disconnect()
    },
    // An hour back: by the clock, what follows is before what it does not belong to.
    Case(
      "encryption fails, 20 s after a pairing failed and the clock was set back",
      finds: ["link.encryption-failed", "link.pairing-failed"]
    ) {
      $0.pdu(6, "01 03 00 0d 10 01 01", received: false)
      $0.pdu(6, "05 05", received: true)
      $0.wait(-3_600_000)
      $0.event("13 05 01 4000 0100")
      $0.wait(20_000)
      $0.encrypt(status: "1f")
      $0.disconnect()
    },
    Case(
      "encryption fails right after a pairing failed, and the clock is set back in between",
      finds: ["link.pairing-failed"]
    ) {
      $0.pdu(6, "01 03 00 0d 10 01 01", received: false)
      $0.pdu(6, "05 05", received: true)
      $0.wait(-3_600_000)
      $0.encrypt(status: "1f")
      $0.disconnect()
    },
    // The removal is known, but whether the action is one that the phone still offered is not, because of the step.
    Case(
      "an action 20 s after a removal, and the clock was set back",
      cannotTell: ["ancs.not-offered"]
    ) {
      $0.say(.remove(uid), from: .hostToAccessory)
      $0.wait(-3_600_000)
      $0.event("13 05 01 4000 0100")
      $0.wait(20_000)
      $0.say(response(.removed))
    },
    Case("an action that crosses a removal, and the clock is set forward in between") {
      $0.say(.remove(uid), from: .hostToAccessory)
      $0.wait(172_800_000)
      $0.event("13 05 01 4000 0100")
      $0.say(response(.removed))
    },
    // The device is connected again, and only CIS 0x0060 is lost: HCI_LE_Create_CIS, HCI_LE_CIS_Established,
    // HCI_Disconnection_Complete. Vol 4, Part E, 7.8.99, 7.7.65.25, 7.7.5
    Case(
      "a link is lost, the clock is set back, and a stream of the next link is lost",
      finds: ["audio.stream-failed", "link.supervision-timeout"]
    ) {
      $0.disconnect("08")
      $0.wait(-3_600_000)
      $0.connect()
      $0.record(.command, received: false, "64 20 05 01 6000 4000")
      $0.event("0f 04 00 01 6420")
      $0.event(
        "3e 1d 19 00 6000 401f00 401f00 401f00 401f00 02 02 03 01 01 01 01 7800 0000 0800")
      $0.wait(20_000)
      $0.event("05 04 00 6000 08")
      $0.wait(5_000)
      $0.disconnect()
    },
    // Nothing waits at the step, so it has no row. The reaction may be among the packets that were lost after it.
    Case(
      "the clock is set forward, then packets are lost",
      cannotTell: ["link.security-request-ignored"]
    ) {
      $0.wait(172_800_000)
      $0.event("13 05 01 4000 0100")
      $0.record(.acl, received: true, "40 20 06 00 02 00 06 00 0b 0d", dropped: 1)
      $0.wait(35_000)
      $0.disconnect()
    },
    Case("no answer for 30 s after the clock was set forward", finds: ["link.request-timeout"]) {
      $0.wait(172_800_000)
      $0.event("13 05 01 4000 0100")
      $0.pdu(4, "0a 0300", received: false)
      $0.wait(61_000)
      $0.pdu(4, "0b ab", received: true)
      $0.disconnect()
    },
  ]

  private static let uid = AccessoryNotification.Identifier(notificationIdentifier: "5")

  private static func response(_ doubt: NotificationResponse.Doubt?) -> AccessoryContent {
    var response = NotificationResponse(
      identifier: uid, actionIdentifier: "Clear", userText: nil)
    response.doubt = doubt
    return .response(response)
  }

  /// Apple Notification Center Service: EventFlags; Apple Media Service: Remote Command.
  private static let appleServices: [Case] = [
    Case("an action that a notification does not offer", finds: ["ancs.not-offered"]) {
      $0.say(response(.notOffered))
    },
    Case("an action that a notification offers") { $0.say(response(nil)) },
    Case("an action on a notification of an earlier connection", finds: ["ancs.not-offered"]) {
      $0.say(response(.notAnnounced))
    },
    Case("an action on a removed notification", finds: ["ancs.not-offered"]) {
      $0.say(.remove(uid), from: .hostToAccessory)
      $0.wait(1_000)
      $0.say(response(.removed))
    },
    Case("an action that crosses the removal") {
      $0.say(.remove(uid), from: .hostToAccessory)
      $0.wait(100)
      $0.say(response(.removed))
    },
    Case("a media command that the phone does not list", finds: ["ancs.not-offered"]) {
      $0.say(.media(.command(2, isOffered: false)))
    },
    Case("an action that crosses the removal of all notifications") {
      $0.say(.removeAllNotifications, from: .hostToAccessory)
      $0.wait(100)
      $0.say(response(.removed))
    },
    Case("an action after the removal of all notifications", finds: ["ancs.not-offered"]) {
      $0.say(.removeAllNotifications, from: .hostToAccessory)
      $0.wait(1_000)
      $0.say(response(.removed))
    },
    Case("a media command that crosses a new list") {
      $0.say(.media(.supportedCommands([0, 1])), from: .hostToAccessory)
      $0.wait(100)
      $0.say(.media(.command(2, isOffered: false)))
    },
    Case("a media command that an old list lacks", finds: ["ancs.not-offered"]) {
      $0.say(.media(.supportedCommands([0, 1])), from: .hostToAccessory)
      $0.wait(1_000)
      $0.say(.media(.command(2, isOffered: false)))
    },
    Case("an action and a command after a gap", cannotTell: ["ancs.not-offered"]) {
      $0.record(.event, received: true, "13 05 01 4000 0100", dropped: 3)
      $0.say(response(.notOffered))
      $0.say(.media(.command(2, isOffered: false)))
    },
    Case("a media command that the phone lists") { $0.say(.media(.command(2))) },
  ]

  // HCI_LE_CS_Security_Enable_Complete, _Config_Complete, _Procedure_Enable_Complete, _Subevent_Result. Core
  // Specification, Vol 4, Part E, 7.7.65.41 to 7.7.65.44
  private static let sounding: [Case] = [
    Case("Channel Sounding fails", finds: ["link.sounding-failed"]) {
      $0.event("3e 04 2e 06 4000")
      $0.disconnect()
    },
    Case("a procedure of Channel Sounding is aborted", finds: ["link.sounding-failed"]) {
      $0.event("3e 04 2e 00 4000")
      $0.event("3e 16 30 00 4000 00 01 00 7f b80b00 01 0400 0800 0000 6400 0000")
      $0.event("3e 10 31 4000 00 0b00 0100 00c0 7f 0f 0f 33 01 00")
      $0.disconnect()
    },
    // Procedure_Abort_Reason and Subevent_Abort_Reason: Local Host or remote request
    Case("a side stops the procedures of Channel Sounding") {
      $0.event("3e 04 2e 00 4000")
      $0.event("3e 16 30 00 4000 00 01 00 7f b80b00 01 0400 0800 0000 6400 0000")
      $0.event("3e 10 31 4000 00 0b00 0100 00c0 7f 0f 0f 11 01 00")
      $0.disconnect()
    },
    Case("Channel Sounding works") {
      $0.event("3e 04 2e 00 4000")
      $0.event("3e 16 30 00 4000 00 01 00 7f b80b00 01 0400 0800 0000 6400 0000")
      $0.event("3e 10 31 4000 00 0b00 0100 00c0 7f 00 00 00 01 00")
      $0.disconnect()
    },
  ]

  private static let streamLimits: [Case] = [
    // HCI_LE_Set_CIG_Parameters with Max_SDU 2 to the Peripheral. 7.8.97
    Case("an SDU is longer than Max_SDU", finds: ["audio.isochronous-gap"]) {
      $0.setUpStream()
      $0.record(.iso, received: false, "60 20 07 00 0100 0300 aabbcc")
      $0.event("05 04 00 6000 13")
      $0.disconnect()
    },
    Case("SDUs as long as Max_SDU") {
      $0.setUpStream()
      $0.record(.iso, received: false, "60 20 06 00 0100 0200 aabb")
      $0.event("05 04 00 6000 13")
      $0.disconnect()
    },
  ]
}

extension FindingsMadeTests {
  // eSCO link 0x0100 on BR/EDR link 0x000B; Packet_Status_Flag 2: no data received. 5.4.3, 7.7.35
  private static let calls: [Case] = [
    Case("half of a call is lost", finds: ["audio.synchronous-lost"], connects: false) {
      $0.openSound()
      $0.record(.sco, received: true, "0001 02 0102")
      $0.record(.sco, received: true, "0021 02 0000")
      $0.event("05 04 00 0001 13")
      $0.event("05 04 00 0b00 13")
    },
    Case("a call without losses", connects: false) {
      $0.openSound()
      $0.record(.sco, received: true, "0001 02 0102")
      $0.event("05 04 00 0001 13")
      $0.event("05 04 00 0b00 13")
    },
    // HCI_Flush_Occurred, HCI_QoS_Violation. 7.7.17, 7.7.30
    Case("data is discarded", finds: ["link.data-discarded"], connects: false) {
      $0.openSound()
      $0.event("11 02 0b00")
      $0.event("05 04 00 0001 13")
      $0.event("05 04 00 0b00 13")
    },
    // HCI_Flush, HCI_Enhanced_Flush. 7.3.4, 7.3.66
    Case("the host discards its data", connects: false) {
      $0.openSound()
      $0.record(.command, received: false, "080c 02 0b00")
      $0.event("11 02 0b00")
      $0.event("0e 06 01 080c 00 0b00")
      $0.record(.command, received: false, "5f0c 03 0b00 00")
      $0.event("0f 04 00 01 5f0c")
      $0.event("11 02 0b00")
      $0.event("39 02 0b00")
      $0.event("05 04 00 0001 13")
      $0.event("05 04 00 0b00 13")
    },
    Case(
      "the controller discards data long after it did so for the host",
      finds: ["link.data-discarded"], connects: false
    ) {
      $0.openSound()
      $0.record(.command, received: false, "080c 02 0b00")
      $0.event("11 02 0b00")
      $0.event("0e 06 01 080c 00 0b00")
      $0.event("11 02 0b00")
      $0.event("05 04 00 0001 13")
      $0.event("05 04 00 0b00 13")
    },
    Case("a link is too slow", finds: ["link.data-discarded"], connects: false) {
      $0.openSound()
      $0.event("1e 02 0b00")
      $0.event("05 04 00 0001 13")
      $0.event("05 04 00 0b00 13")
    },
    // HCI_Enhanced_Flush_Complete, HCI_Link_Supervision_Timeout_Changed. 7.7.46, 7.7.47
    Case("the host flushes data, and the timeout changes", connects: false) {
      $0.openSound()
      $0.event("39 02 0b00")
      $0.event("38 04 0b00 007d")
      $0.event("05 04 00 0001 13")
      $0.event("05 04 00 0b00 13")
    },
    Case("another codec is confirmed than was proposed", finds: ["audio.call-inaudible"]) {
      $0.report(.handsFree(.codecConfirmed(.init(id: 2, proposed: 1))), severity: .warning)
      $0.disconnect()
    },
    Case("the proposed codec is confirmed") {
      $0.report(.handsFree(.codecConfirmed(.init(id: 2))))
      $0.disconnect()
    },
  ]

  // BNEP 1.0, 2.6.3
  private static let networks: [Case] = [
    Case("a network does not allow the connection", finds: ["link.request-refused"]) {
      $0.report(
        .bnep(
          .init(
            request: 1, byPeer: false, source: 0x1115, destination: 0x1116, outcome: .response(4))),
        severity: .warning)
      $0.disconnect()
    },
    Case("a network allows the connection") {
      $0.report(
        .bnep(
          .init(
            request: 1, byPeer: false, source: 0x1115, destination: 0x1116, outcome: .response(0))))
      $0.disconnect()
    },
  ]
}

extension MadeConversation {
  fileprivate mutating func openSound() {
    event("03 0b 00 0b00 665544332211 01 00")
    event("2c 11 00 0001 665544332211 02 0c 02 3c00 3c00 02")
  }

  /// A CIS 0x0060 on link 0x0040, with SDUs of up to 2 octets.
  fileprivate mutating func setUpStream() {
    record(
      .command, received: false,
      "62 20 18 03 102700 102700 00 00 00 1400 1400 01 07 0200 0000 02 02 05 00")
    event("0e 08 01 6220 00 03 01 6000")
    record(.command, received: false, "64 20 05 01 6000 4000")
    event("0f 04 00 01 6420")
    event("3e 1d 19 00 6000 102700 102700 401f00 282300 02 02 04 01 00 02 00 7800 0000 0800")
  }
}

extension MadeConversation {
  /// LMP PDUs of a piconet. https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_BREDR_BB.html
  fileprivate mutating func linkManager(_ pdus: String...) {
    for pdu in pdus {
      let head = UInt8(3 | 1 << 2 | (Hex.bytes(pdu) ?? []).count << 3)
      record(
        .basebandRadio, received: true,
        "11000000 3000 0000 55443300 000000 00 19000000 210f \(Hex.text([head])) \(pdu) aabb")
    }
  }
}
