import HarkCapture
import HarkCore
import Testing

@testable import HarkSession

/// Captures of link type 187 do not record who sent data: what tells it, and what does not.
/// Core Specification, Vol 4, Part E, 5.4.2, table of the Packet_Boundary_Flag.
@Suite struct SessionDirectionTests {
  /// `→`, `←` or `–` for each packet, with the completing ones in brackets.
  func directions(_ packets: [(kind: PacketKind, hex: String)]) -> [String] {
    var session = Session()
    for packet in packets {
      let bytes = Hex.bytes(packet.hex) ?? []
      var record = CaptureRecord()
      record.kind = packet.kind
      record.count = bytes.count
      record.originalCount = bytes.count
      if packet.kind == .event { record.direction = .controllerToHost }
      if packet.kind == .acl { record.flags = .directionUnknown }
      session.index(record, bytes.raw)
    }
    return (1...packets.count).compactMap { session.packets[UInt32($0)] }.map { row in
      let arrow =
        row.flags.contains(.directionUnknown)
        ? "–" : row.direction == .hostToController ? "→" : "←"
      #expect(row.flags.contains(.directionInferred) == (row.kind == .acl && arrow != "–"))
      return row.flags.contains(.completes) ? "[\(arrow)]" : arrow
    }
  }

  /// LE Connection Complete, handle 0x0040, role Central. Vol 4, Part E, 7.7.65.1.
  let central = "3e 13 01 00 40 00 00 00 01 02 03 04 05 06 18 00 00 00 c8 00 00"

  /// 00 begins what only hosts send; from then on 10 is what controllers send.
  @Test func boundaryFlagsReport() {
    #expect(
      directions([
        (.acl, "40 20 07 00 03 00 04 00 02 17 00"),
        (.acl, "40 00 07 00 03 00 04 00 02 17 00"),
        (.acl, "40 20 07 00 03 00 04 00 03 17 00"),
        // Another link to the same host.
        (.acl, "41 20 07 00 03 00 04 00 03 17 00"),
      ]) == ["–", "→", "←", "←"])
  }

  /// Vol 3, Part H, 2.4.6: a Security Request comes from the Peripheral, a Pairing Request from the
  /// Central. Part A, 4.20: only the Peripheral asks for other connection parameters.
  @Test func rolesReport() {
    #expect(
      directions([
        (.event, central),
        (.acl, "40 20 06 00 02 00 06 00 0b 01"),
        (.acl, "40 20 0b 00 07 00 06 00 01 03 00 01 10 00 00"),
        (.acl, "40 20 10 00 0c 00 05 00 12 01 08 00 06 00 0c 00 00 00 c8 00"),
      ]) == ["←", "←", "→", "←"])
  }

  /// Vol 3, Part A, 2.1: the CID names the endpoint that receives. Same numbers tell nothing.
  @Test func channelsReport() {
    // The host asks for SDP with its endpoint 0x0040, and is given 0x0041 of the peer.
    let request = "40 00 0c 00 08 00 01 00 02 01 04 00 01 00 40 00"
    let response = "40 20 10 00 0c 00 01 00 03 01 08 00 41 00 40 00 00 00 00 00"
    #expect(
      directions([
        (.acl, request), (.acl, response),
        (.acl, "40 20 05 00 01 00 41 00 aa"), (.acl, "40 20 05 00 01 00 40 00 aa"),
        (.acl, "40 20 05 00 01 00 55 00 aa"),
      ]) == ["→", "←", "→", "←", "–"])
  }

  /// A fragment goes to the only PDU it fits; directions do not disturb each other.
  @Test func fragmentsFindTheirPDU() {
    #expect(
      directions([
        (.acl, "40 00 06 00 08 00 04 00 52 03"),
        (.acl, "40 20 06 00 09 00 04 00 1b 05"),
        (.acl, "40 10 07 00 00 01 02 03 04 05 06"),
        (.acl, "40 10 06 00 00 01 02 03 04 05"),
        (.acl, "40 10 01 00 00"),
      ]) == ["→", "←", "[←]", "[→]", "–"])
  }

  /// Of an old host that begins all PDUs with 10 nothing is claimed; what it sends is still put
  /// together around what comes meanwhile.
  @Test func unknownFragmentsArePutTogether() {
    #expect(
      directions([
        (.acl, "40 20 06 00 08 00 04 00 52 03"),
        (.acl, "40 20 09 00 05 00 04 00 1b 05 00 aa bb"),
        (.acl, "40 10 06 00 00 01 02 03 04 05"),
      ]) == ["–", "–", "[–]"])
  }
}
