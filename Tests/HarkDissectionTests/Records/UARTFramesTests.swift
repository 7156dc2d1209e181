import HarkCore
import Testing

@testable import HarkDissection

/// Frames of UART transports that carry no HCI packet. The first bytes of the header are computed
/// here by Core Specification, Vol 4, Part D, 4.
@Suite struct UARTFramesTests {
  static func header(_ type: String, length: Int, acknowledgment: Int = 0) -> [String] {
    [
      "  Sequence Number: 0", "  Acknowledgment Number: \(acknowledgment)",
      "  Data Integrity Check Present: no (0)", "  Reliable Packet: no (0)",
      "  Packet Type: \(type)", "  Payload Length: \(length)",
    ]
  }

  static let vectors = [
    Vector(
      "Vol 4, Part D, 6.4: pure acknowledgment", .record(.threeWire), "18 00 00 e7",
      ["Three-wire UART"] + header("Acknowledgment Packet (0)", length: 0, acknowledgment: 3) + [
        "  Header Checksum: 0xe7"
      ]),
    Vector(
      "Vol 4, Part D, 8.2: SYNC", .record(.threeWire), "00 2f 00 d0 01 7e",
      ["Three-wire UART"] + header("Link Control Packet (15)", length: 2) + [
        "  Header Checksum: 0xd0", "  Message: SYNC (0x017e)",
      ]),
    Vector(
      "Vol 4, Part D, 8.4: CONFIG, window of 4, with data integrity check", .record(.threeWire),
      "00 3f 00 c0 03 fc 14",
      ["Three-wire UART"] + header("Link Control Packet (15)", length: 3) + [
        "  Header Checksum: 0xc0", "  Message: CONFIG (0x03fc)", "  Sliding Window Size: 4",
        "  OOF Flow Control: no (0)", "  Data Integrity Check Type: yes (1)",
        "  Version Number: 0",
      ]),
    Vector(
      "BCSP link establishment: sync", .record(.bcsp), "00 41 00 be da dc ed ed",
      ["BCSP"] + header("Link establishment (1)", length: 4) + [
        "  Header Checksum: 0xbe", "  Message: sync (0xdadceded)",
      ]),
    Vector(
      "BCSP: acknowledgement", .record(.bcsp), "08 00 00 f7",
      ["BCSP"] + header("Acknowledgement (0)", length: 0, acknowledgment: 1) + [
        "  Header Checksum: 0xf7"
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
