import HarkCapture
import HarkCore
import HarkFindings
import HarkSession
import Testing

/// Why rules cannot judge what came first on a link.
@Suite struct UnseenBeginningTests {
  private typealias Packet = (kind: PacketKind, isReceived: Bool, hex: String)

  /// A Read Request of handle 3, and Insufficient Authentication. Vol 3, Part F, 3.4.1.1, 3.4.4.3
  private static let refused: [Packet] = [
    (.acl, false, "4000 0700 0300 0400 0a 0300"),
    (.acl, true, "4020 0900 0500 0400 01 0a 0300 05"),
  ]

  private static func reasons(_ packets: [Packet]) -> [String] {
    var session = Session()
    var findings = Findings()
    for (index, packet) in packets.enumerated() {
      let bytes = Hex.bytes(packet.hex) ?? []
      var record = CaptureRecord()
      record.kind = packet.kind
      record.direction = packet.isReceived ? .controllerToHost : .hostToController
      record.time = Timestamp(nanoseconds: Int64(index) * 10_000_000)
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      session.index(record, bytes.raw)
      findings.take(session)
      session.dropEvents()
    }
    session.finish()
    findings.take(session)
    findings.finish(session)
    return findings.undecided.filter { $0.rule.id == "link.insufficient-security" }.map(\.reason)
  }

  @Test func openBefore() throws {
    let reasons = Self.reasons(Self.refused)
    #expect(reasons.count == 1)
    #expect(
      try #require(reasons.first).hasSuffix(
        "; the link was open before the capture began: it may have been encrypted"))
  }

  private static let missing =
    "; the beginning of the link is not in the capture: it may have been encrypted"

  /// HCI_Reset ends all links. Vol 4, Part E, 7.3.2
  @Test func afterReset() throws {
    let reset: [Packet] = [(.command, false, "030c 00"), (.event, true, "0e 04 01 030c 00")]
    let reasons = Self.reasons(reset + Self.refused)
    #expect(reasons.count == 1)
    #expect(try #require(reasons.first).hasSuffix(Self.missing))
  }

  /// A sniffer may have missed the CONNECT_IND. LL_VERSION_IND and LL_FEATURE_REQ show the connection. Vol 6, Part B, 2.4.2
  @Test func overTheAir() throws {
    let air = ["0306 0c0959000102", "0b09 08ff00000000000000", "0e07 0300 0400 0a0300"]
    let answer = "0609 0500 0400 010a030005"
    let packets: [Packet] = (air + [answer]).map {
      (.leLinkLayer, false, "e9c3a750" + $0 + "000000")
    }
    let reasons = Self.reasons(packets)
    #expect(reasons.count == 1)
    #expect(try #require(reasons.first).hasSuffix(Self.missing))
  }
}
