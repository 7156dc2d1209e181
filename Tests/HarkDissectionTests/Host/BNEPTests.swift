import HarkCore
import Testing

@testable import HarkDissection

/// Bytes as the sections named spell them.
@Suite struct BNEPTests {
  static func psm(_ source: String, _ psm: UInt16, _ hex: String, _ lines: [String]) -> Vector {
    Vector(source, .psm(psm), hex, lines)
  }

  static let vectors: [Vector] = [
    psm(
      "BNEP 1.0, 2.6.3.1: PANU asks for NAP", 0xF, "01 01 02 11 16 11 15",
      [
        "BNEP", "  BNEP Type: BNEP_CONTROL (0x01)", "  Extension Flag: no (0)",
        "  BNEP Control Type: BNEP_SETUP_CONNECTION_REQUEST_MSG (0x01)", "  UUID Size: 2",
        "  Destination Service UUID: 0x1116 (NAP)", "  Source Service UUID: 0x1115 (PANU)",
      ]),
    psm(
      "BNEP 1.0, 2.6.3.2", 0xF, "01 02 00 00",
      [
        "BNEP", "  BNEP Type: BNEP_CONTROL (0x01)", "  Extension Flag: no (0)",
        "  BNEP Control Type: BNEP_SETUP_CONNECTION_RESPONSE_MSG (0x02)",
        "  Response Message: Operation Successful (0x0000)",
      ]),
    psm(
      "BNEP 1.0, 2.6.5.1: IPv4 to ARP, IPv6", 0xF, "01 03 00 08 08 00 08 06 86 dd 86 dd",
      [
        "BNEP", "  BNEP Type: BNEP_CONTROL (0x01)", "  Extension Flag: no (0)",
        "  BNEP Control Type: BNEP_FILTER_NET_TYPE_SET_MSG (0x03)", "  List Length: 8", "  Range",
        "    Networking Protocol Type Range Start: 0x0800",
        "    Networking Protocol Type Range End: 0x0806", "  Range",
        "    Networking Protocol Type Range Start: 0x86dd",
        "    Networking Protocol Type Range End: 0x86dd",
      ]),
    psm(
      "BNEP 1.0, 2.6.5.2", 0xF, "01 04 00 01",
      [
        "BNEP", "  BNEP Type: BNEP_CONTROL (0x01)", "  Extension Flag: no (0)",
        "  BNEP Control Type: BNEP_FILTER_NET_TYPE_RESPONSE_MSG (0x04)",
        "  Response Message: Unsupported Request (0x0001)",
      ]),
    psm(
      "BNEP 1.0, 2.6.6.1: all multicast addresses", 0xF,
      "01 05 00 0c 03 00 00 20 00 00 03 00 00 20 00 00",
      [
        "BNEP", "  BNEP Type: BNEP_CONTROL (0x01)", "  Extension Flag: no (0)",
        "  BNEP Control Type: BNEP_FILTER_MULTI_ADDR_SET_MSG (0x05)", "  List Length: 12",
        "  Range", "    Multicast Start Address: 03:00:00:20:00:00",
        "    Multicast End Address: 03:00:00:20:00:00",
      ]),
    psm(
      "BNEP 1.0, 2.6.2", 0xF, "01 00 09",
      [
        "BNEP", "  BNEP Type: BNEP_CONTROL (0x01)", "  Extension Flag: no (0)",
        "  BNEP Control Type: BNEP_CONTROL_COMMAND_NOT_UNDERSTOOD (0x00)",
        "  Unknown Control Type: 0x09",
      ]),
    psm(
      "BNEP 1.0, 2.4.3: ARP request, RFC 826", 0xF,
      "00 ff ff ff ff ff ff 00 11 22 33 44 55 08 06 00 01 08 00 06 04 00 01 00 11 22 33 44 55 "
        + "c0 a8 2c 02 00 00 00 00 00 00 c0 a8 2c 01",
      [
        "BNEP", "  BNEP Type: BNEP_GENERAL_ETHERNET (0x00)", "  Extension Flag: no (0)",
        "  Destination Address: FF:FF:FF:FF:FF:FF", "  Source Address: 00:11:22:33:44:55",
        "  Networking Protocol Type: ARP (0x0806)", "  Network Packet",
        "    Hardware Type: Ethernet (1)", "    Protocol Type: IPv4 (0x0800)",
        "    Hardware Address Length: 6", "    Protocol Address Length: 4",
        "    Operation: request (1)", "    Sender Hardware Address: 00:11:22:33:44:55",
        "    Source IP Address: 192.168.44.2 (0xc0a82c02)",
        "    Target Hardware Address: 00:00:00:00:00:00",
        "    Destination IP Address: 192.168.44.1 (0xc0a82c01)",
      ]),
    psm(
      "BNEP 1.0, 2.4.6: source only, IPv6, RFC 8200", 0xF,
      "03 00 11 22 33 44 55 86 dd 60 00 00 00 00 08 3a ff fe 80 00 00 00 00 00 00 02 11 22 ff "
        + "fe 33 44 55 ff 02 00 00 00 00 00 00 00 00 00 00 00 00 00 02 85 00 00 00 00 00 00 00",
      [
        "BNEP", "  BNEP Type: BNEP_COMPRESSED_ETHERNET_SOURCE_ONLY (0x03)",
        "  Extension Flag: no (0)", "  Source Address: 00:11:22:33:44:55",
        "  Networking Protocol Type: IPv6 (0x86dd)", "  Network Packet", "    Version: 6",
        "    Traffic Class: 0x00000000", "    Flow Label: 0x00000000", "    Payload Length: 8",
        "    Protocol: ICMPv6 (58)", "    Hop Limit: 255",
        "    Source IPv6 Address: fe80000000000000021122fffe334455",
        "    Destination IPv6 Address: ff020000000000000000000000000002",
        "    Payload: 8500000000000000",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
