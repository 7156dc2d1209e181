import HarkPresentation
import HarkSamples
import Testing

/// Who refuses a connection over BR/EDR. Core Specification, Vol 4, Part E, 7.1.8, 7.1.9, 7.1.28, 7.7.3,
/// 7.7.35; Vol 1, Part F, 2.
@Suite struct RefusedConnectionTests {
  private static let peer = "665544332211"
  private static let requested = "04040a \(peer) 0c025a 01"
  private static let synchronousRequested = "04040a \(peer) 0c025a 02"

  private static func failed(_ status: String) -> String { "04030b \(status) 0000 \(peer) 01 00" }

  @Test(arguments: ["0d", "0e", "0f"])
  func rejectedByHost(_ reason: String) {
    let it = HCIPackets([
      Self.requested, "010a0407 \(Self.peer) \(reason)", "040f0400 01 0a04", Self.failed(reason),
    ])
    #expect(
      it.reported.last?.text.hasPrefix(
        "this host refuses the connection that 11:22:33:44:55:66 requests: Connection Rejected")
        == true)
    #expect(it.json("link-failed").first?.contains(#""by_host":true"#) == true)
    #expect(it.rules.isEmpty)
  }

  @Test func synchronous() {
    let it = HCIPackets([
      "04030b 00 0b00 \(Self.peer) 01 00", Self.synchronousRequested,
      "012a0407 \(Self.peer) 0d", "040f0400 01 2a04",
      "042c11 0d 0000 \(Self.peer) 02 00 00 0000 0000 00",
    ])
    #expect(
      it.reported.last?.text
        == "this host refuses the eSCO connection that 11:22:33:44:55:66 requests: "
        + "Connection Rejected due to Limited Resources (0x0d)")
    #expect(it.rules.isEmpty)
  }

  /// The command was not done, or is of another device: the peer's own doing.
  @Test func notByHost() {
    let refused = HCIPackets([
      Self.requested, "010a0407 \(Self.peer) 0d", "040f040c 01 0a04", Self.failed("0d"),
    ])
    let sentence = "connection request of 11:22:33:44:55:66 not rejected"
    #expect(refused.texts().contains { $0.hasPrefix(sentence) })
    #expect(refused.json("link-failed").first?.contains(#""by_host":false"#) == true)
    #expect(refused.rules == ["link.connection-failed"])
    let other = HCIPackets([
      "010a0407 010203040506 0d", "040f0400 01 0a04",
      "0105040d \(Self.peer) 18cc 02 00 0000 01", "040f0400 01 0504", Self.failed("0d"),
    ])
    #expect(
      other.reported.last?.text
        == "connection to 11:22:33:44:55:66 failed: "
        + "Connection Rejected due to Limited Resources (0x0d)")
    #expect(other.rules == ["link.connection-failed"])
  }

  /// The controller refuses what the host does not answer: Connection Accept Timeout. 6.7
  @Test func notAnswered() {
    let it = HCIPackets([Self.requested, Self.failed("10")])
    #expect(
      it.reported.last?.text
        == "this host does not answer the connection that 11:22:33:44:55:66 requests: "
        + "Connection Accept Timeout Exceeded (0x10)")
    #expect(it.rules.isEmpty)
  }

  /// A host that accepts, or asks by itself, refuses nothing. 7.1.5, 7.1.8
  @Test func accepted() {
    let it = HCIPackets([
      Self.requested, "01090407 \(Self.peer) 01", "040f0400 01 0904", Self.failed("10"),
    ])
    #expect(it.json("link-failed").first?.contains(#""by_host":false"#) == true)
    let own = HCIPackets([
      Self.requested, "010a0407 \(Self.peer) 0d", "040f0400 01 0a04",
      "@90 0105040d \(Self.peer) 18cc 02 00 0000 01", "040f0400 01 0504", Self.failed("04"),
    ])
    #expect(own.json("link-failed").first?.contains(#""by_host":false"#) == true)
    #expect(own.rules == ["link.connection-failed"])
  }

  @Test func existing() {
    let it = HCIPackets([
      "0105040d \(Self.peer) 18cc 02 00 0000 01", "040f0400 01 0504", Self.failed("0b"),
    ])
    #expect(
      it.reported.last?.text
        == "no second connection to 11:22:33:44:55:66: Connection Already Exists (0x0b)")
    #expect(it.rules.isEmpty)
  }

  /// HCI_Encryption_Key_Refresh_Complete: the link keeps what it had. 7.7.39
  @Test(arguments: ["05", "06", "25"])
  func keyNotRefreshed(_ status: String) {
    let it = HCIPackets([
      "043e130100400000012222222222e218000000480000", "04080400400001", "043003\(status)4000",
      "04050400400013",
    ])
    #expect(it.texts().contains { $0.hasPrefix("encryption key not refreshed: ") })
    #expect(!it.texts().contains { $0.hasPrefix("link encryption failed") })
    #expect(it.json("encryption-not-refreshed").count == 1)
    #expect(it.links.first?.isEncrypted == true)
    #expect(it.rules == ["link.change-failed"])
  }
}
