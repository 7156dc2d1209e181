import HarkFindings
import Testing

@testable import HarkSession

/// What channels carry, in packets of a BR/EDR link that was open before.
extension FindingsMadeTests {
  static let channels = dropped + shortMessages + notOffered

  /// One end point of the peer, an SNK of SBC, is found, configured, opened and started. AVDTP 1.3, 8.6 to 8.13
  private static func startStream(_ made: inout MadeConversation) {
    made.open("1900", "4000", "4100", id: "01")
    for (sent, received) in [
      ("00 01", "02 01 0408"), ("10 0c 04", "12 0c 0100 0706 0000 ffff 0235 0800"),
      ("20 03 04 08 0100 0706 0000 2115 0235", "22 03"), ("30 06 04", "32 06"),
    ] {
      made.pdu(0x41, sent, received: false)
      made.pdu(0x40, received, received: true)
    }
    made.open("1900", "4200", "4300", id: "02")
    made.pdu(0x41, "40 07 04", received: false)
    made.pdu(0x40, "42 07", received: true)
    // One SBC frame of 9 octets in each packet.
    made.pdu(0x43, "8060 0001 00000080 00000001 01 9c010211 0102030405", received: false)
    made.pdu(0x43, "8060 0002 00000100 00000001 01 9c010211 0102030405", received: false)
  }

  /// Core Specification, Vol 3, Part A, 4.6
  private static func closeMedia(_ made: inout MadeConversation) {
    made.pdu(1, "06 07 0400 4200 4300", received: true)
    made.pdu(1, "07 07 0400 4200 4300", received: false)
  }

  private static let dropped: [Case] = [
    Case(
      "the peer closes the channel of a stream", finds: ["audio.stream-dropped"], connects: false
    ) {
      startStream(&$0)
      closeMedia(&$0)
      $0.wait(5_000)
      $0.pdu(0x41, "50 01", received: false)
      $0.pdu(0x40, "52 01 0408", received: true)
    },
    Case("the peer closes the channel of a stream that was closed", connects: false) {
      startStream(&$0)
      $0.pdu(0x41, "60 08 04", received: false)
      $0.pdu(0x40, "62 08", received: true)
      closeMedia(&$0)
      $0.wait(5_000)
      $0.pdu(0x41, "50 01", received: false)
      $0.pdu(0x40, "52 01 0408", received: true)
    },
  ]

  /// Three messages by which hark recognizes the protocol, and Battery of two components of which one is there.
  private static let shortMessages: [Case] = [
    Case(
      "an AAP message counts more than it has", finds: ["ea.accessory-protocol-malformed"],
      connects: false
    ) {
      openAAP(&$0)
      $0.pdu(0x40, "04 00 04 00 04 00 02 04 01 64 01 01", received: true)
    },
    Case("an AAP message has what it counts", connects: false) {
      openAAP(&$0)
      $0.pdu(0x40, "04 00 04 00 04 00 01 04 01 64 01 01", received: true)
    },
  ]

  /// Notification Source and Control Point are discovered. The notification has EventFlagNegativeAction alone; the
  /// accessory performs ActionIDPositive, or ActionIDNegative. Apple Notification Center Service, EventFlags,
  /// Perform Notification Action
  private static let notOffered: [Case] = [
    Case(
      "an action for which a notification has no flag", finds: ["ancs.not-offered"],
      cannotTell: ["ancs.service-changed-unwanted"]
    ) { performAction("00", &$0) },
    Case(
      "an action for which a notification has the flag",
      cannotTell: ["ancs.service-changed-unwanted"]
    ) { performAction("01", &$0) },
  ]

  private static func performAction(_ action: String, _ made: inout MadeConversation) {
    made.searchForANCS(at: "2000 2f00")
    for (sent, received) in [
      ("08 2000 2f00 0328", "09 15 2100 10 2200 bd1da299e625588cd94201630d12bf9f"),
      ("08 2200 2f00 0328", "09 15 2400 08 2500 d9d9aafdbd9b2198a849e145f3d8d169"),
      ("12 2300 0100", "13"),
    ] {
      made.pdu(4, sent, received: false)
      made.pdu(4, received, received: true)
    }
    made.pdu(4, "1b 2200 00 10 04 01 05000000", received: true)
    made.pdu(4, "12 2500 02 05000000 \(action)", received: false)
    made.pdu(4, "13", received: true)
  }

  private static func openAAP(_ made: inout MadeConversation) {
    made.open("0110", "4000", "4100", id: "01")
    for message in [
      "04 00 04 00 06 00 00 01", "04 00 04 00 09 00 0d 02 00 00 00",
      "04 00 04 00 04 00 01 04 01 64 01 01",
    ] { made.pdu(0x40, message, received: true) }
  }
}

extension MadeConversation {
  /// A channel that this host opens: the PSM, its own CID and the peer's. Core Specification, Vol 3, Part A, 4.2, 4.3
  fileprivate mutating func open(_ psm: String, _ local: String, _ remote: String, id: String) {
    pdu(1, "02 \(id) 0400 \(psm) \(local)", received: false)
    pdu(1, "03 \(id) 0800 \(remote) \(local) 0000 0000", received: true)
  }
}
