import HarkCore
import Testing

@testable import HarkDissection

/// The bytes are those that Bumble's `sdp.py` and `hfp.py` make.
@Suite struct SDPTests {
  static let vectors = [
    Vector(
      "Vol 3, Part B, 4.7.1", .psm(1),
      "06 0001 000f 35 03 19 1112 ffff 35 05 0a 0000ffff 00",
      [
        "SDP", "  PDU ID: SDP_SERVICE_SEARCH_ATTR_REQ (0x06)", "  Transaction ID: 0x0001",
        "  ParameterLength: 15", "  ServiceSearchPattern",
        "    Data Element: Data element sequence, size in 8 bits (0x35)", "    Size: 3 bytes",
        "    Data Element: UUID, 2 bytes (0x19)", "    UUID: 0x1112 (Headset Audio Gateway)",
        "  MaximumAttributeByteCount: 65535", "  AttributeIDList",
        "    Data Element: Data element sequence, size in 8 bits (0x35)", "    Size: 5 bytes",
        "    Data Element: Unsigned Integer, 4 bytes (0x0a)", "    First Attribute ID: 0x0000",
        "    Last Attribute ID: 0xffff", "  InfoLength: 0",
      ]),
    Vector(
      "Vol 3, Part B, 4.7.2; Hands-Free Profile, 5.3", .psm(1),
      """
      07 0001 003e 003b 35 39 35 37 09 0000 0a 00010003 09 0001 35 06 19 111f 19 1203 \
      09 0004 35 0c 35 03 19 0100 35 05 19 0003 08 07 09 0009 35 08 35 06 19 111f 09 0108 \
      09 0311 09 0020 00
      """,
      [
        "SDP", "  PDU ID: SDP_SERVICE_SEARCH_ATTR_RSP (0x07)", "  Transaction ID: 0x0001",
        "  ParameterLength: 62", "  AttributeListsByteCount: 59", "  Attribute lists",
        "    Data Element: Data element sequence, size in 8 bits (0x35)", "    Size: 57 bytes",
        "    Attribute list", "      Data Element: Data element sequence, size in 8 bits (0x35)",
        "      Size: 55 bytes",
        "      Attribute", "        Data Element: Unsigned Integer, 2 bytes (0x09)",
        "        Attribute ID: ServiceRecordHandle (0x0000)",
        "        Data Element: Unsigned Integer, 4 bytes (0x0a)",
        "        ServiceRecordHandle: 0x00010003",
        "      Attribute", "        Data Element: Unsigned Integer, 2 bytes (0x09)",
        "        Attribute ID: ServiceClassIDList (0x0001)", "        Data element sequence",
        "          Data Element: Data element sequence, size in 8 bits (0x35)",
        "          Size: 6 bytes", "          Data Element: UUID, 2 bytes (0x19)",
        "          Service Class: 0x111F (AG Hands-Free)",
        "          Data Element: UUID, 2 bytes (0x19)",
        "          Service Class: 0x1203 (Generic Audio)",
        "      Attribute", "        Data Element: Unsigned Integer, 2 bytes (0x09)",
        "        Attribute ID: ProtocolDescriptorList (0x0004)", "        Data element sequence",
        "          Data Element: Data element sequence, size in 8 bits (0x35)",
        "          Size: 12 bytes", "          Protocol Descriptor",
        "            Data Element: Data element sequence, size in 8 bits (0x35)",
        "            Size: 3 bytes", "            Data Element: UUID, 2 bytes (0x19)",
        "            Protocol: 0x0100 (L2CAP)", "          Protocol Descriptor",
        "            Data Element: Data element sequence, size in 8 bits (0x35)",
        "            Size: 5 bytes", "            Data Element: UUID, 2 bytes (0x19)",
        "            Protocol: 0x0003 (RFCOMM)",
        "            Data Element: Unsigned Integer, 1 byte (0x08)",
        "            Server Channel: 7",
        "      Attribute", "        Data Element: Unsigned Integer, 2 bytes (0x09)",
        "        Attribute ID: BluetoothProfileDescriptorList (0x0009)",
        "        Data element sequence",
        "          Data Element: Data element sequence, size in 8 bits (0x35)",
        "          Size: 8 bytes", "          Profile Descriptor",
        "            Data Element: Data element sequence, size in 8 bits (0x35)",
        "            Size: 6 bytes", "            Data Element: UUID, 2 bytes (0x19)",
        "            Profile: 0x111F (AG Hands-Free)",
        "            Data Element: Unsigned Integer, 2 bytes (0x09)",
        "            Version: 1.8 (0x0108)",
        "      Attribute", "        Data Element: Unsigned Integer, 2 bytes (0x09)",
        "        Attribute ID: SupportedFeatures (0x0311)",
        "        Data Element: Unsigned Integer, 2 bytes (0x09)",
        "        SupportedFeatures: 0x0020: Wide band speech", "  InfoLength: 0",
      ]),
    Vector(
      "Vol 3, Part B, 4.3: a part of the list", .psm(1),
      "07 0001 000f 000a 35 39 35 37 09 0000 0a 0001 02 000a",
      [
        "SDP", "  PDU ID: SDP_SERVICE_SEARCH_ATTR_RSP (0x07)", "  Transaction ID: 0x0001",
        "  ParameterLength: 15", "  AttributeListsByteCount: 10",
        "  Part of an attribute list: 353935370900000a0001", "  InfoLength: 2",
        "  Continuation Information: 000a",
      ]),
    Vector(
      "Vol 3, Part B, 4.3: the last part of the list, a sequence by chance", .psm(1),
      "07 0001 000d 000a 35 08 35 06 19 110d 09 0103 00",
      [
        "SDP", "  PDU ID: SDP_SERVICE_SEARCH_ATTR_RSP (0x07)", "  Transaction ID: 0x0001",
        "  ParameterLength: 13", "  AttributeListsByteCount: 10",
        "  Part of an attribute list: 3508350619110d090103", "  InfoLength: 0",
      ]),
    Vector(
      "Vol 3, Part B, 4.5.2", .psm(1), "03 0002 0009 0001 0001 00010001 00",
      [
        "SDP", "  PDU ID: SDP_SERVICE_SEARCH_RSP (0x03)", "  Transaction ID: 0x0002",
        "  ParameterLength: 9", "  TotalServiceRecordCount: 1", "  CurrentServiceRecordCount: 1",
        "  ServiceRecordHandle: 0x00010001", "  InfoLength: 0",
      ]),
    Vector(
      "Vol 3, Part B, 4.6.1", .psm(1), "04 0003 000c 00010001 0040 35 03 09 0004 00",
      [
        "SDP", "  PDU ID: SDP_SERVICE_ATTR_REQ (0x04)", "  Transaction ID: 0x0003",
        "  ParameterLength: 12", "  ServiceRecordHandle: 0x00010001",
        "  MaximumAttributeByteCount: 64", "  AttributeIDList",
        "    Data Element: Data element sequence, size in 8 bits (0x35)", "    Size: 3 bytes",
        "    Data Element: Unsigned Integer, 2 bytes (0x09)",
        "    Attribute ID: ProtocolDescriptorList (0x0004)", "  InfoLength: 0",
      ]),
    Vector(
      "Vol 3, Part B, 4.4.1", .psm(1), "01 0003 0002 0002",
      [
        "SDP", "  PDU ID: SDP_ERROR_RSP (0x01)", "  Transaction ID: 0x0003",
        "  ParameterLength: 2", "  ErrorCode: Invalid Service Record Handle (0x0002)",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  /// Sequences may nest without end: what is deeper than any record is left undecoded.
  @Test func nestingIsBounded() {
    let levels = 40
    var list: [UInt8] = [0x09, 0x03, 0x00]
    var value: [UInt8] = []
    for _ in 0..<levels { value = [0x35, UInt8(value.count)] + value }
    list += value
    list = [0x35, UInt8(list.count)] + list
    let count = UInt8(list.count)
    let bytes: [UInt8] = [5, 0, 1, 0, count + 3, 0, count] + list + [0]
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .psm(1), Context(), into: &tree)
    #expect(tree.failures.map { "\($0)" } == ["SDP: Data Element: is nested too deeply at byte 36"])
    #expect(tree.nodes.map(\.depth).max() ?? 0 < 20)
  }

  /// 5.1.8: en, UTF-8, 0x0100; 5.1.5: L2CAP with its PSM and AVDTP 1.3.
  @Test func universalAttributes() {
    let bytes = Hex.bytes(
      """
      05 0001 0030 002d 35 2b 09 0004 35 10 35 06 19 0100 09 0019 35 06 19 0019 09 0103 \
      09 0006 35 09 09 656e 09 006a 09 0100 09 0100 25 03 416263 00
      """)!
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .psm(1), Context(), into: &tree)
    #expect(tree.failures.isEmpty)
    let lines = Set(
      Catalog.shared.lines(tree, of: bytes.raw).map { $0.trimmingPrefix { $0 == " " } })
    for line in [
      "PSM: AVDTP (0x0019)", "Version: 1.3 (0x0103)", "Language: en (0x656e)",
      "Character Encoding: UTF-8 (106)", "Base Attribute ID: 0x0100", "Text: \"Abc\"",
      "Attribute ID: ServiceName (0x0100)",
    ] {
      #expect(lines.contains(line[...]), "\(line)")
    }
  }

  /// Vol 3, Part B, 4.4.1, 4.5.1, 4.6.2, 4.3
  @Test func messages() {
    let error = SDPMessage(hex("01 0003 0002 0002").raw, isCut: false)
    #expect(error.identifier == .errorResponse && error.error == 2)
    let search = SDPMessage(hex("02 0001 0008 35 03 19 1124 0010 00").raw, isCut: false)
    #expect(search.identifier == .searchRequest && search.pattern.map(\.short) == [0x1124])
    #expect(!search.isContinued)
    let none = SDPMessage(hex("03 0001 0005 0000 0000 00").raw, isCut: false)
    #expect(none.identifier == .searchResponse && none.totalRecords == 0)
    let part = SDPMessage(hex("05 0001 0008 0003 35 2b 09 02 00 01").raw, isCut: false)
    #expect(part.identifier == .attributeResponse && part.attributes == 7..<10 && part.isContinued)
  }

  /// 5.1: ServiceClassIDList, ProtocolDescriptorList with L2CAP and RFCOMM, BluetoothProfileDescriptorList,
  /// ServiceName; GOEP 2.1.1, 8: GoepL2capPsm; HID Profile 1.1.1, 5.3.4.7: HIDDescriptorList
  @Test func records() throws {
    let first = """
      09 0000 0a 00010002 09 0001 35 03 19 1105 09 0004 35 0c 35 03 19 0100 35 05 19 0003 08 0c \
      09 0009 35 08 35 06 19 1105 09 0102 09 0100 25 03 416263 09 0200 09 1023
      """
    let second = "09 0001 35 03 19 1124 09 0206 35 08 35 06 08 22 25 02 05 01"
    let lists: [UInt8] = [hex(first), hex(second)].flatMap { [0x35, UInt8($0.count)] + $0 }
    let bytes: [UInt8] = [0x35, UInt8(lists.count)] + lists
    let records = SDPAttributeLists(bytes.raw).records
    try #require(records.count == 2)
    #expect(records[0].handle == 0x0001_0002 && records[0].classes.map(\.short) == [0x1105])
    #expect(records[0].serverChannel == 12 && records[0].version == 0x0102)
    #expect(records[0].psm == 0x1023 && records[0].name.map { bytes.raw.utf8($0) } == "Abc")
    let descriptor = try #require(records[1].reportDescriptor)
    #expect(Array(bytes[descriptor]) == [0x05, 0x01] && records[1].handle == nil)
  }
}
