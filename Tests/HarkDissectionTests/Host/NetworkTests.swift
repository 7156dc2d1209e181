import HarkCore
import Testing

@testable import HarkDissection

/// Frames made with an encoder of their own (RFC 791, 3.1; RFC 8200, 3; RFC 9293, 3.1; RFC 1035, 4.1; RFC 2782);
/// tshark 4 reads the same values in them.
@Suite struct NetworkTests {
  static let vectors: [Vector] = [
    Vector(
      "Ethernet, IPv4, TCP: SYN with a Maximum Segment Size", .record(.ethernet),
      "02 11 22 33 44 55 02 aa bb cc dd ee 08 00 45 00 00 2c 00 01 40 00 40 06 ab 77 c0 "
        + "a8 07 01 c0 a8 07 02 c4 88 1b 59 00 00 03 e8 00 00 00 00 60 02 ff ff 00 00 00 00 "
        + "02 04 05 b4",
      [
        "Ethernet", "  Destination Address: 02:11:22:33:44:55",
        "  Source Address: 02:AA:BB:CC:DD:EE", "  Type: IPv4 (0x0800)", "  IP", "    Version: 4",
        "    Header Length: 5 (20 bytes)", "    Traffic Class: 0x00", "    Total Length: 44",
        "    Identification: 0x0001", "    Flags: 0x0002: Don't Fragment",
        "    Fragment Offset: 0 (0 bytes)", "    Hop Limit: 64", "    Protocol: TCP (6)",
        "    Header Checksum: 0xab77", "    Source IP Address: 192.168.7.1 (0xc0a80701)",
        "    Destination IP Address: 192.168.7.2 (0xc0a80702)", "    Source Port: 50312",
        "    Destination Port: 7001", "    Sequence Number: 1000", "    Acknowledgment Number: 0",
        "    Data Offset: 6 (24 bytes)", "    Control Bits: 0x0002: SYN", "    Window: 65535",
        "    Checksum: 0x0000", "    Urgent Pointer: 0", "    Options: 020405b4",
      ]),
    Vector(
      "Two VLAN tags: IEEE 802.1Q, 9.6 and 9.7", .record(.ethernet),
      "02 11 22 33 44 55 02 aa bb cc dd ee 88 a8 00 64 81 00 00 c8 08 00 45 00 00 2a 00 01 40 00 40 06 "
        + "ab 79 c0 a8 07 01 c0 a8 07 02 c4 88 1b 59 00 00 03 e9 00 00 01 f5 50 18 ff ff 00 00 00 00 68 69",
      [
        "Ethernet", "  Destination Address: 02:11:22:33:44:55",
        "  Source Address: 02:AA:BB:CC:DD:EE", "  Type: Service VLAN Tag Type (0x88a8)",
        "  Tag Control Information: 0x0064", "  Type: Customer VLAN Tag Type (0x8100)",
        "  Tag Control Information: 0x00c8", "  Type: IPv4 (0x0800)", "  IP", "    Version: 4",
        "    Header Length: 5 (20 bytes)", "    Traffic Class: 0x00", "    Total Length: 42",
        "    Identification: 0x0001", "    Flags: 0x0002: Don't Fragment",
        "    Fragment Offset: 0 (0 bytes)", "    Hop Limit: 64", "    Protocol: TCP (6)",
        "    Header Checksum: 0xab79", "    Source IP Address: 192.168.7.1 (0xc0a80701)",
        "    Destination IP Address: 192.168.7.2 (0xc0a80702)", "    Source Port: 50312",
        "    Destination Port: 7001", "    Sequence Number: 1001",
        "    Acknowledgment Number: 501", "    Data Offset: 5 (20 bytes)",
        "    Control Bits: 0x0018: PSH, ACK", "    Window: 65535", "    Checksum: 0x0000",
        "    Urgent Pointer: 0", "    Payload: 6869",
      ]),
    Vector(
      "Data, and padding to 60 octets: IEEE 802.3, 3.2.8", .record(.ethernet),
      "02 11 22 33 44 55 02 aa bb cc dd ee 08 00 45 00 00 2a 00 01 40 00 40 06 ab 79 c0 "
        + "a8 07 01 c0 a8 07 02 c4 88 1b 59 00 00 03 e9 00 00 01 f5 50 18 ff ff 00 00 00 00 "
        + "68 69 00 00 00 00",
      [
        "Ethernet", "  Destination Address: 02:11:22:33:44:55",
        "  Source Address: 02:AA:BB:CC:DD:EE", "  Type: IPv4 (0x0800)", "  IP", "    Version: 4",
        "    Header Length: 5 (20 bytes)", "    Traffic Class: 0x00", "    Total Length: 42",
        "    Identification: 0x0001", "    Flags: 0x0002: Don't Fragment",
        "    Fragment Offset: 0 (0 bytes)", "    Hop Limit: 64", "    Protocol: TCP (6)",
        "    Header Checksum: 0xab79", "    Source IP Address: 192.168.7.1 (0xc0a80701)",
        "    Destination IP Address: 192.168.7.2 (0xc0a80702)", "    Source Port: 50312",
        "    Destination Port: 7001", "    Sequence Number: 1001",
        "    Acknowledgment Number: 501", "    Data Offset: 5 (20 bytes)",
        "    Control Bits: 0x0018: PSH, ACK", "    Window: 65535", "    Checksum: 0x0000",
        "    Urgent Pointer: 0", "    Payload: 6869", "    Padding: 00000000",
      ]),
    Vector(
      "mDNS: SRV and A of an accessory", .udpPort(5353),
      "00 00 84 00 00 00 00 02 00 00 00 00 0a 41 63 6d 65 20 57 61 74 63 68 05 5f 61 63 6d "
        + "65 04 5f 74 63 70 05 6c 6f 63 61 6c 00 00 21 80 01 00 00 00 78 00 0d 00 00 00 00 "
        + "1b 59 04 61 63 6d 65 c0 22 c0 39 00 01 80 01 00 00 00 78 00 04 c0 a8 07 02",
      [
        "mDNS", "  Transaction ID: 0x0000", "  Response: response (1)", "  Flags: 0x0400",
        "  Questions: 0", "  Answer Records: 2", "  Authority Records: 0",
        "  Additional Records: 0", "  Record", "    Label Length: 10", "    Label: \"Acme Watch\"",
        "    Label Length: 5", "    Service Label: \"_acme\"", "    Label Length: 4",
        "    Service Label: \"_tcp\"", "    Label Length: 5", "    Label: \"local\"",
        "    Label Length: 0", "    Type: SRV (33)", "    Cache Flush: yes (1)",
        "    Class: IN (1)", "    Time To Live: 120 s", "    Data Length: 13", "    Priority: 0",
        "    Weight: 0", "    Port: 7001", "    Label Length: 4", "    Label: \"acme\"",
        "    Pointer: 0x0022", "  Record", "    Pointer: 0x0039", "    Type: A (1)",
        "    Cache Flush: yes (1)", "    Class: IN (1)", "    Time To Live: 120 s",
        "    Data Length: 4", "    Address: 192.168.7.2 (0xc0a80702)",
      ]),
    Vector(
      "mDNS: AAAA and TXT", .udpPort(5353),
      "00 00 84 00 00 00 00 02 00 00 00 00 01 61 00 00 1c 80 01 00 00 00 78 00 10 fe 80 00 00 "
        + "00 00 00 00 00 00 00 00 00 00 00 01 c0 0c 00 10 80 01 00 00 11 94 00 05 04 61 3d 62 "
        + "63",
      [
        "mDNS", "  Transaction ID: 0x0000", "  Response: response (1)", "  Flags: 0x0400",
        "  Questions: 0", "  Answer Records: 2", "  Authority Records: 0",
        "  Additional Records: 0", "  Record", "    Label Length: 1", "    Label: \"a\"",
        "    Label Length: 0", "    Type: AAAA (28)", "    Cache Flush: yes (1)",
        "    Class: IN (1)", "    Time To Live: 120 s", "    Data Length: 16",
        "    IPv6 Address: fe800000000000000000000000000001", "  Record", "    Pointer: 0x000c",
        "    Type: TXT (16)", "    Cache Flush: yes (1)", "    Class: IN (1)",
        "    Time To Live: 4500 s", "    Data Length: 5", "    Label Length: 4",
        "    Text: \"a=bc\"",
      ]),
    Vector(
      "Linux cooked capture v2, IPv6: FIN", .record(.linuxCooked2),
      "86 dd 00 00 00 00 00 02 00 01 04 06 02 aa bb cc dd ee 00 00 60 00 00 00 00 14 06 "
        + "ff fe 80 00 00 00 00 00 00 00 00 00 00 00 00 00 01 fe 80 00 00 00 00 00 00 00 00 "
        + "00 00 00 00 00 02 1b 59 c4 88 00 00 01 f5 00 00 03 eb 50 11 ff ff 00 00 00 00",
      [
        "Linux cooked capture v2", "  Protocol Type: IPv6 (0x86dd)", "  Reserved: 0x0000",
        "  Interface Index: 2", "  Hardware Type: ARPHRD_ETHER (1)",
        "  Packet Type: sent by this host (4)", "  Address Length: 6",
        "  Source Address: 02:AA:BB:CC:DD:EE", "  Unused: 0000", "  IP", "    Version: 6",
        "    Traffic Class: 0x00000000", "    Flow Label: 0x00000000", "    Payload Length: 20",
        "    Protocol: TCP (6)", "    Hop Limit: 255",
        "    Source IPv6 Address: fe800000000000000000000000000001",
        "    Destination IPv6 Address: fe800000000000000000000000000002",
        "    Source Port: 7001", "    Destination Port: 50312", "    Sequence Number: 501",
        "    Acknowledgment Number: 1003", "    Data Offset: 5 (20 bytes)",
        "    Control Bits: 0x0011: FIN, ACK", "    Window: 65535", "    Checksum: 0x0000",
        "    Urgent Pointer: 0",
      ]),
    Vector(
      "Linux cooked capture: ARP is left", .record(.linuxCooked),
      "00 00 00 01 00 06 02 aa bb cc dd ee 00 00 08 06 00 00 00 00",
      [
        "Linux cooked capture", "  Packet Type: to this host (0)",
        "  Hardware Type: ARPHRD_ETHER (1)", "  Address Length: 6",
        "  Source Address: 02:AA:BB:CC:DD:EE", "  Unused: 0000", "  Protocol Type: ARP (0x0806)",
        "  Payload: 00000000",
      ]),
    Vector(
      "Loopback of macOS, IPv6, UDP", .record(.loopback),
      "1e 00 00 00 60 00 00 00 00 09 11 ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
        + "01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 0f a0 0f a1 00 09 00 00 78",
      [
        "BSD loopback", "  Address Family: AF_INET6 (30)", "  IP", "    Version: 6",
        "    Traffic Class: 0x00000000", "    Flow Label: 0x00000000", "    Payload Length: 9",
        "    Protocol: UDP (17)", "    Hop Limit: 255",
        "    Source IPv6 Address: 00000000000000000000000000000001",
        "    Destination IPv6 Address: 00000000000000000000000000000001",
        "    Source Port: 4000", "    Destination Port: 4001", "    Length: 9",
        "    Checksum: 0x0000", "    Payload: 78",
      ]),
    Vector(
      "IP alone: RST", .record(.rawIP),
      "45 00 00 28 00 01 40 00 40 06 26 cd 0a 00 00 01 0a 00 00 02 00 01 00 02 00 00 00 "
        + "03 00 00 00 04 50 04 ff ff 00 00 00 00",
      [
        "IP", "  Version: 4", "  Header Length: 5 (20 bytes)", "  Traffic Class: 0x00",
        "  Total Length: 40", "  Identification: 0x0001", "  Flags: 0x0002: Don't Fragment",
        "  Fragment Offset: 0 (0 bytes)", "  Hop Limit: 64", "  Protocol: TCP (6)",
        "  Header Checksum: 0x26cd", "  Source IP Address: 10.0.0.1 (0x0a000001)",
        "  Destination IP Address: 10.0.0.2 (0x0a000002)", "  Source Port: 1",
        "  Destination Port: 2", "  Sequence Number: 3", "  Acknowledgment Number: 4",
        "  Data Offset: 5 (20 bytes)", "  Control Bits: 0x0004: RST", "  Window: 65535",
        "  Checksum: 0x0000", "  Urgent Pointer: 0",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  /// Pointers lead back, so that a name ends. RFC 1035, 4.1.4
  @Test(arguments: [
    ("0161 c000", 2, ["a"]), ("c000", 0, []), ("0161 c002", 0, ["a"]), ("05 6161", 0, []),
    ("0162 00 0161 c000", 3, ["a", "b"]),
  ])
  func names(_ digits: String, _ place: Int, _ expected: [String]) {
    let bytes = hex(digits)
    let labels = DNSMessage.labels(of: bytes.raw, at: place)
    #expect(labels.map { String(decoding: bytes[$0], as: UTF8.self) } == expected)
  }

  /// RFC 5952, 4 and 5; RFC 1918; RFC 3927; RFC 4193; RFC 4291, 2.5
  @Test(arguments: [
    ("c0a80702", "192.168.7.2", true), ("5db8d822", "93.184.216.34", false),
    ("ac200001", "172.32.0.1", false), ("ac1f0001", "172.31.0.1", true),
    ("a9fe0001", "169.254.0.1", true), ("7f000001", "127.0.0.1", true),
    ("20010db8000000000001000000000001", "2001:db8::1:0:0:1", false),
    ("20010db8000100010001000100010001", "2001:db8:1:1:1:1:1:1", false),
    ("20010db8000000010001000100010001", "2001:db8:0:1:1:1:1:1", false),
    ("fe800000000000000000000000000001", "fe80::1", true),
    ("fd000000000000000000000000000000", "fd00::", true),
    ("00000000000000000000000000000001", "::1", true),
    ("00000000000000000000000000000000", "::", false),
  ])
  func addresses(_ digits: String, _ text: String, _ isLocal: Bool) throws {
    let found = IPAddress(hex(digits).raw)
    let address = try #require(found)
    #expect(address.description == text)
    #expect(address.isLocal == isLocal)
  }
}
