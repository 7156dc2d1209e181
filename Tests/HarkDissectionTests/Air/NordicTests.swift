import HarkCore
import Testing

@testable import HarkDissection

/// Headers made up by hand for each version of the protocol; the values are those of tshark 4.0.17.
@Suite struct NordicTests {
  static let advertisement =
    "0a 01 25 28 00 00 96 00 00 00 d6 be 89 8e 42 09 01 02 03 04 05 c6 02 01 06 9f d7 c2"
  static func packet(_ identifier: String, time: String, _ flags: [String]) -> [String] {
    ["  Packet counter: 7", "  Packet ID: \(identifier)", "  Length of packet header: 10"]
      + ["  CRC: right (1)"] + flags
      + [
        "  PHY: LE 1M (0)", "  Reserved: 0", "  Channel index: 37", "  RSSI: -40 dBm",
        "  Event counter: 0", "  \(time): 150 (150 µs)", "  LE LL",
        "    Access Address: advertising (0x8e89bed6)", "    PDU Type: ADV_NONCONN_IND (0x02)",
        "    RFU: 0x00", "    ChSel: #1 (0)", "    TxAdd: random (1)", "    RxAdd: public (0)",
        "    Length: 9", "    AdvA: C6:05:04:03:02:01", "    AdvData", "      Advertising Data",
        "        AD Structure", "          Length: 2", "          AD Type: Flags (0x01)",
        "          Flags: 0x06: LE General Discoverable Mode, BR/EDR Not Supported",
        "    CRC: 0xf9eb43", "    CRC check: right (1) [inferred]",
      ]
  }

  static let vectors = [
    Vector(
      "version 2, Packet ID 0, as programs write it", .record(.nordicBLE),
      "01 1c 00 02 07 00 00 " + advertisement,
      ["nRF Sniffer", "  Board: 1", "  Length of payload: 28", "  Protocol version: 2"]
        + packet("0x00", time: "Delta time", ["  Reserved: 0", "  Reserved: 0"])),
    Vector(
      "version 2", .record(.nordicBLE), "01 1c 00 02 07 00 06 " + advertisement,
      ["nRF Sniffer", "  Board: 1", "  Length of payload: 28", "  Protocol version: 2"]
        + packet("EVENT_PACKET (0x06)", time: "Delta time", ["  Reserved: 0", "  Reserved: 0"])),
    Vector(
      "version 3", .record(.nordicBLE), "01 1c 00 03 07 00 02 " + advertisement,
      ["nRF Sniffer", "  Board: 1", "  Length of payload: 28", "  Protocol version: 3"]
        + packet(
          "EVENT_PACKET_ADVERTISING (0x02)", time: "Timestamp",
          ["  Reserved: 0", "  Address resolved: no (0)"])),
    Vector(
      "version 1", .record(.nordicBLE), "01 06 1c 01 07 00 06 " + advertisement,
      [
        "nRF Sniffer", "  Board: 1", "  Length of header: 6", "  Length of payload: 28",
        "  Protocol version: 1",
      ] + packet("EVENT_PACKET (0x06)", time: "Delta time", ["  Reserved: 0", "  Reserved: 0"])),
    Vector(
      "version 0: a marker instead of the board", .record(.nordicBLE),
      "be ef 06 07 00 00 00 1b 01 26 28 05 00 34 12 00 00 d6 be 89 8e 42 09 01 02 03 04 05 c6 02 01 06 "
        + "9f d7 c2",
      [
        "nRF Sniffer", "  Marker of version 0: 0xbeef", "  Packet ID: EVENT_PACKET (0x06)",
        "  Packet counter: 7", "  Not used: 0x0000", "  Length of payload: 27",
        "  Protocol version: 0 [inferred]", "  CRC: right (1)", "  Reserved: 0", "  Reserved: 0",
        "  PHY: LE 1M (0)", "  Reserved: 0", "  Channel index: 38", "  RSSI: -40 dBm",
        "  Event counter: 5", "  Delta time: 4660 (4660 µs)", "  LE LL",
        "    Access Address: advertising (0x8e89bed6)", "    PDU Type: ADV_NONCONN_IND (0x02)",
        "    RFU: 0x00", "    ChSel: #1 (0)", "    TxAdd: random (1)", "    RxAdd: public (0)",
        "    Length: 9", "    AdvA: C6:05:04:03:02:01", "    AdvData", "      Advertising Data",
        "        AD Structure", "          Length: 2", "          AD Type: Flags (0x01)",
        "          Flags: 0x06: LE General Discoverable Mode, BR/EDR Not Supported",
        "    CRC: 0xf9eb43", "    CRC check: right (1) [inferred]",
      ]),
    Vector(
      "a text of the sniffer", .record(.nordicBLE), "01 05 00 03 07 00 1c 34 2e 31 2e 31",
      [
        "nRF Sniffer", "  Board: 1", "  Length of payload: 5", "  Protocol version: 3",
        "  Packet counter: 7", "  Packet ID: RSP_VERSION (0x1c)", "  Text: \"4.1.1\"",
      ]),
    Vector(
      "a key for the sniffer", .record(.nordicBLE),
      "01 06 10 01 07 00 0c 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f",
      [
        "nRF Sniffer", "  Board: 1", "  Length of header: 6", "  Length of payload: 16",
        "  Protocol version: 1", "  Packet counter: 7", "  Packet ID: SET_TEMPORARY_KEY (0x0c)",
        "  Key: 16 secret bytes",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  /// Whatever the Packet ID is, a packet is read as one.
  @Test(arguments: UInt8(0)...255) func identifiers(_ identifier: UInt8) {
    for front in ["01 1c 00 02 07 00", "01 1c 00 03 07 00", "01 06 1c 01 07 00"] {
      var bytes = Hex.bytes("\(front) 00 \(Self.advertisement)") ?? []
      bytes[6] = identifier
      var tree = Tree()
      Catalog.shared.describe(bytes.raw, .record(.nordicBLE), Context(), into: &tree)
      let lines = Catalog.shared.lines(tree, of: bytes.raw)
      #expect(lines.contains("    AdvA: C6:05:04:03:02:01"))
      #expect(AirHeader(bytes.raw, .nordicBLE)?.channel == 37)
    }
  }

  /// A packet without its MIC of four octets: the length of the payload is where each version has it, and the flags state
  /// neither that it is encrypted nor that its MIC is valid.
  @Test(arguments: [
    ("01 1c 00 02 07 00", "01 18 00 02 07 00"), ("01 06 1c 01 07 00", "01 06 18 01 07 00"),
    // Version 0 as version 1 writes it.
    ("01 06 1c 00 07 00", "01 06 18 00 07 00"),
  ])
  func cleared(_ front: String, _ expected: String) {
    var record = Hex.bytes("\(front) 06 \(Self.advertisement)") ?? []
    record[8] |= 0x0C
    var header = Array(record.prefix(9))
    #expect(AirHeader.clear(&header, of: record.raw, .nordicBLE, micSize: 4))
    #expect(header == Hex.bytes("\(expected) 06 0a 01"))
  }

  /// With Packet ID 0 a packet is one, too, where its Length is wrong: REQ_FOLLOW, the message of the sniffer
  /// with that Packet ID, is shorter.
  @Test func wrongLength() {
    let front = "4b 1e 00 02 00 00 00 0a 03 00 00 00 00 00 00 00 00 70 83 32 9a"
    for (rest, isPacket) in [
      ("02 05 07 00 04 00 10 00 00 ff ff 00 00 9d b0 90", true), ("", false),
    ] {
      let bytes = Hex.bytes("\(front) \(rest)") ?? []
      var tree = Tree()
      Catalog.shared.describe(bytes.raw, .record(.nordicBLE), Context(), into: &tree)
      let lines = Catalog.shared.lines(tree, of: bytes.raw)
      #expect(lines.contains("    Access Address: 0x9a328370") == isPacket)
      #expect(lines.contains("    Length: 5") == isPacket)
    }
    let follow = Hex.bytes("4b 08 00 02 00 00 00 c0 ab 00 cd 00 01 01 00") ?? []
    #expect(NordicHeader(follow.raw)?.isPacket == false)
  }

  /// Direction, encryption and MIC are said about data channel PDUs, the type of an auxiliary PDU of
  /// advertising on secondary channels.
  @Test(arguments: [
    ("d6 be 89 8e", "25", "06", false, false), ("d6 be 89 8e", "09", "02", false, true),
    ("e9 c3 a7 50", "09", "06", true, false), ("e9 c3 a7 50", "09", "00", true, false),
  ])
  func flags(address: String, channel: String, identifier: String, isData: Bool, isAuxiliary: Bool)
  {
    for flags in UInt8(0)...255 where flags >> 4 & 7 != 2 {
      var bytes =
        Hex.bytes(
          "01 15 00 03 07 00 \(identifier) 0a 00 \(channel) 28 00 00 96 00 00 00 "
            + "\(address) 02 02 aa bb 00 00 00"
        )
        ?? []
      bytes[8] = flags
      var tree = Tree()
      Catalog.shared.describe(bytes.raw, .record(.nordicBLE), Context(), into: &tree)
      let lines = Catalog.shared.lines(tree, of: bytes.raw)
      #expect(lines.contains { $0.hasPrefix("  Direction") } == isData)
      #expect(lines.contains { $0.hasPrefix("  Encrypted") } == isData)
      #expect(lines.contains { $0.hasPrefix("  MIC") } == (isData && flags & 4 != 0))
      #expect(lines.contains { $0.hasPrefix("  Auxiliary") } == isAuxiliary)
    }
  }

  /// A sniffer may call a CRC wrong that fits: the bits are believed, with a note.
  @Test func contradictedCRC() {
    let hex = "01 1c 00 02 07 00 06 " + Self.advertisement.replacing("0a 01 25", with: "0a 00 25")
    let bytes = Hex.bytes(hex) ?? []
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .record(.nordicBLE), Context(), into: &tree)
    let lines = Catalog.shared.lines(tree, of: bytes.raw)
    #expect(lines.contains("  CRC: wrong (0)"))
    #expect(lines.contains("    AdvA: C6:05:04:03:02:01"))
    #expect(lines.last == "    CRC check: right (1) [inferred]")
    #expect(tree.notes.contains { $0.text.description.contains("the sniffer reports a wrong CRC") })
  }
}
