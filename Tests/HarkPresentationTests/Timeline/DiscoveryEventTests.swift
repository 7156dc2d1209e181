import HarkPresentation
import HarkSamples
import Testing

/// What was silent: inquiry, what peers do not give, advertising sets that are removed, and refusals.
@Suite struct DiscoveryEventTests {
  private static let link = "043e1301 00 4000 01 00 665544332211 1800 0000 4800 00"
  private static let result = "04020f 01 665544332211 01 00 00 0c025a 0000"

  /// Core Specification, Vol 4, Part E, 7.1.1 to 7.1.4, 7.7.1, 7.7.2
  @Test func inquiry() {
    let start = ["0101 04 05 338b9e 08 00", "040f04 00 01 0104"]
    #expect(
      HCIPackets(start + [Self.result, Self.result, "040101 00"]).texts()
        == ["inquiry started", "inquiry ended: 1 device in 2 responses"])
    #expect(
      HCIPackets(start + ["010204 00", "040e0401 0204 00"]).texts()
        == ["inquiry started", "inquiry stopped: nothing received"])
    // What some controllers send after that.
    #expect(
      HCIPackets(start + ["010204 00", "040e0401 0204 00", Self.result, "040101 00"]).texts()
        == ["inquiry started", "inquiry stopped: nothing received"])
    #expect(
      HCIPackets(["0101 04 05 338b9e 08 00", "040f04 0c 01 0104"]).texts()
        == ["inquiry not started: Command Disallowed (0x0c)"])
    let failed = HCIPackets(start + ["040101 0c"])
    #expect(failed.texts().last == "inquiry ended: Command Disallowed (0x0c), nothing received")
    #expect(failed.json("inquiry-ended").first?.contains(#""status":12"#) == true)
    // What began before the capture was not heard whole.
    #expect(HCIPackets([Self.result, "040101 00"]).texts() == ["inquiry ended"])
    // Periodic inquiry continues after each of its periods.
    #expect(
      HCIPackets([
        "0103 04 09 0900 0800 338b9e 05 00", "040e0401 0304 00", Self.result, "040101 00",
        Self.result, "010404 00", "040e0401 0404 00",
      ]).texts() == ["periodic inquiry started", "inquiry stopped: 1 device in 2 responses"])
  }

  /// 7.7.7, 7.7.11, 7.7.12, 7.7.34, 7.7.65.4
  @Test(arguments: [
    (
      "0407ff 04 665544332211" + String(repeating: "00", count: 248),
      "could not read the name of 11:22:33:44:55:66: Page Timeout (0x04)", "name"
    ),
    (
      "040b0b 1a 4000 0000000000000000",
      "could not read the features of the peer's controller: "
        + "Unsupported Remote Feature (0x1a)", "features"
    ),
    (
      "040c08 22 4000 00 0000 0000",
      "could not read the version of the peer's controller: "
        + "LMP Response Timeout / LL Response Timeout (0x22)", "version"
    ),
    (
      "04230d 1a 4000 01 00 0000000000000000",
      "could not read the extended features of the peer's controller: "
        + "Unsupported Remote Feature (0x1a)", "extended-features"
    ),
    (
      "043e0c 04 22 4000 0000000000000000",
      "could not read the features of the peer's controller: "
        + "LMP Response Timeout / LL Response Timeout (0x22)", "features"
    ),
  ])
  func notObtained(_ packet: String, _ sentence: String, _ information: String) {
    let it = HCIPackets([Self.link, packet])
    #expect(it.texts(after: 1).first == sentence)
    #expect(
      it.json("peer-information-failed").first?
        .contains(#""information":"\#(information)""#) == true)
  }

  /// HCI_LE_Path_Loss_Threshold, HCI_LE_Transmit_Power_Reporting, HCI_LE_Monitored_Advertisers_Report. 7.7.65.32,
  /// 7.7.65.33, 7.7.65.46
  @Test(arguments: [
    ("043e05 20 4000 40 01", "path-loss", "moderate path loss: 64 dB", #""path_loss":64,"zone":1"#),
    ("043e05 20 4000 ff 02", "path-loss", "path loss not available", ""),
    (
      "043e09 21 00 4000 00 01 fc 02 04", "transmit-power",
      "this host's transmit power on LE 1M is now -4 dBm, 4 dB more, its maximum",
      #""local":true,"read":false,"phy":1,"phy_name":"LE 1M","level":-4,"managed":true"#
    ),
    (
      "043e09 21 00 4000 01 04 08 01 f8", "transmit-power",
      "peer's transmit power on LE Coded (S=2) is now 8 dBm, 8 dB less, its minimum",
      #""at_minimum":true,"at_maximum":false,"delta":-8"#
    ),
    (
      "043e09 21 00 4000 02 02 00 00 7f", "transmit-power",
      "peer's transmit power on LE 2M: 0 dBm", #""local":false,"read":true"#
    ),
    (
      "043e09 21 00 4000 02 01 7e 00 00", "transmit-power",
      "peer's transmit power on LE 1M not managed by the peer", #""managed":false"#
    ),
    (
      "043e09 21 00 4000 02 01 7f 00 7f", "transmit-power",
      "peer's transmit power on LE 1M not available", #""managed":true"#
    ),
    (
      "043e09 21 1a 4000 02 01 00 00 00", "peer-information-failed",
      "could not read the transmit power of the peer: Unsupported Remote Feature (0x1a)",
      #""information":"transmit-power""#
    ),
    (
      "043e09 34 01 665544332211 01", "monitored-advertiser",
      "monitored advertiser 11:22:33:44:55:66: RSSI above the high threshold", #""condition":1"#
    ),
    (
      "043e09 34 01 665544332211 00", "monitored-advertiser",
      "monitored advertiser 11:22:33:44:55:66: RSSI below the low threshold for the timeout",
      #""condition":0"#
    ),
  ])
  func radio(_ packet: String, _ kind: String, _ sentence: String, _ members: String) {
    let it = HCIPackets([Self.link, packet])
    #expect(it.texts(after: 1).first == sentence)
    #expect(members.isEmpty || it.json(kind).first?.contains(members) == true)
  }

  /// HCI_Sniff_Subrating. 7.7.37
  @Test func sniffSubrating() {
    let link = "04030b 00 4000 665544332211 01 00"
    let it = HCIPackets([link, "042e0b 00 4000 4006 2003 0000 0200"])
    #expect(it.texts(after: 1) == ["sniff subrating: latency of up to 1 s out, 500 ms in"])
    let failed = HCIPackets([link, "042e0b 1a 4000 0000 0000 0000 0000"])
    #expect(
      failed.texts(after: 1) == ["sniff subrating not changed: Unsupported Remote Feature (0x1a)"])
  }

  /// 7.8.59, 7.8.60
  @Test func removedSets() {
    let it = HCIPackets([
      "013c20 01 05", "040e0401 3c20 00", "013d20 00", "040e0401 3d20 00", "013c20 01 05",
      "040e0401 3c20 42",
    ])
    #expect(
      it.texts() == [
        "advertising set 0x05 removed", "all advertising sets removed",
        "advertising set 0x05 not removed: Unknown Advertising Identifier (0x42)",
      ])
    #expect(it.json("advertising-removed").first?.contains(#""sets":[5]"#) == true)
  }

  // MARK: L2CAP

  private static func signal(_ command: String, _ head: String) -> String {
    let count = command.split(separator: " ").joined().count / 2
    func two(_ value: Int) -> String { (value < 16 ? "0" : "") + String(value, radix: 16) + "00" }
    return head + two(count + 4) + two(count) + "0500" + command
  }

  /// Vol 3, Part A, 4.1: the peer does not know the request.
  @Test func commandReject() {
    let channel = HCIPackets([
      Self.link, Self.signal("14 01 0a00 8000 4000 0002 f700 0a00", ">024000"),
      Self.signal("01 01 0200 0000", "024020"),
    ])
    #expect(
      channel.texts(after: 1).first
        == "peer refuses the channel that this host requested: dynamic (SPSM 0x0080), "
        + "command not understood")
    #expect(channel.json("channel-refused").first?.contains(#""command_reject":true"#) == true)
    let parameters = HCIPackets([
      Self.link, Self.signal("12 02 0800 1800 2800 0000 4800", ">024000"),
      Self.signal("01 02 0200 0000", "024020"),
    ])
    #expect(
      parameters.texts().last
        == "peer rejects the request for connection parameters: command not understood")
    #expect(parameters.rules == ["link.parameters-refused"])
    // Of another request it says nothing.
    let other = HCIPackets([
      Self.link, Self.signal("12 02 0800 1800 2800 0000 4800", ">024000"),
      Self.signal("01 03 0200 0000", "024020"),
    ])
    #expect(!other.texts().contains { $0.contains("reject") })
  }

  /// HCI_LE_Connection_Update, and what the peer says to it. Vol 4, Part E, 7.8.18, 7.7.65.3
  @Test func parametersRefusedByPeer() {
    let asked = ["01 1320 0e 4000 0600 0600 0000 0a00 0000 0000", "040f04 00 01 1320"]
    let refused = "043e0a 03 3b 4000 1800 0000 4800"
    let it = HCIPackets([Self.link] + asked + [refused])
    #expect(
      it.texts().last
        == "peer refuses the requested connection parameters: "
        + "Unacceptable Connection Parameters (0x3b)")
    #expect(it.json("link-parameters-refused").first?.contains(#""status":59"#) == true)
    #expect(it.rules == ["link.parameters-refused"])
    // Without the host's asking, and for other reasons, no one is said to refuse.
    #expect(
      HCIPackets([Self.link, refused]).texts().last
        == "connection parameters not changed: Unacceptable Connection Parameters (0x3b)")
    #expect(
      HCIPackets([Self.link] + asked + ["043e0a 03 23 4000 1800 0000 4800"]).texts().last?
        .hasPrefix("connection parameters not changed: ") == true)
  }

  // MARK: Pairing

  /// Vol 3, Part H, 3.4: after 30 s the pairing has failed.
  @Test func pairingTimeout() {
    let request = ">0240000b000700060001 030009100101"
    let response = "0240200b000700060002 030009100101"
    // Pairing DHKey Check of both sides. 2.3.5.6.5
    let value = "00112233445566778899aabbccddeeff"
    let checks = [">0240001500110006000d \(value)", "0240201500110006000d \(value)"]
    let closed = "04050400400013"
    let late = HCIPackets([Self.link, "@1 \(request)", "@32 \(response)", closed])
    #expect(late.texts().contains { $0.hasPrefix("Pairing timed out: no packet for 30 s") })
    #expect(late.reported.first { $0.text.hasPrefix("Pairing timed out") }?.seconds == 32)
    #expect(late.json("pairing-complete").isEmpty)
    // Devices that continue all the same are followed, and what completes is said to.
    let onwards = HCIPackets(
      [Self.link, "@1 \(request)", "@32 \(response)"] + checks + ["@33 04080400400001", closed])
    #expect(onwards.json("pairing-timed-out").count == 1)
    #expect(onwards.json("pairing-complete").count == 1)
    // What the recorder cut off accuses no one.
    let cut = HCIPackets([Self.link, "@1 \(request)", "@2 04080400400001", "@90 \(closed)"])
    #expect(cut.json("pairing-timed-out").isEmpty && cut.rules.isEmpty)
    #expect(late.json("pairing-timed-out").count == 1)
    #expect(late.rules == ["link.pairing-failed"])
    let never = HCIPackets([Self.link, "@1 \(request)", "@40 \(closed)"])
    #expect(never.json("pairing-timed-out").count == 1)
    // Encryption with whatever key it was completes no such pairing.
    let encrypted = HCIPackets([
      Self.link, "@1 \(request)", "@2 \(response)", "@33 04080400400001", closed,
    ])
    #expect(encrypted.json("pairing-timed-out").count == 1)
    #expect(encrypted.json("pairing-complete").isEmpty)
    // In time, or where packets are missing, nothing timed out.
    let good = HCIPackets(
      [Self.link, "@1 \(request)", "@30 \(response)"] + checks
        + ["@59 04080400400001", "@99 \(closed)"])
    #expect(good.json("pairing-timed-out").isEmpty && good.json("pairing-complete").count == 1)
    let gap = HCIPackets([Self.link, "@1 \(request)", "@40 \(closed)"], dropped: 2)
    #expect(gap.json("pairing-timed-out").isEmpty)
  }
}
