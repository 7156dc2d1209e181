import HarkCore
import Testing

@testable import HarkDissection

@Suite struct AVRCPBrowsingTests {
  /// A PDU behind the header of AVCTP, whose lines begin behind the PDU ID.
  static func pdu(
    _ source: String, _ kind: String, _ pdu: String, _ hex: String, _ parameters: [String]
  ) -> Vector {
    Vector(
      source, .psm(0x001B), hex,
      [
        "AVCTP", "  Transaction label: 0", "  Packet_type: single packet (0)", "  C/R: \(kind)",
        "  IPID: no (0)", "  Profile Identifier: A/V Remote Control (0x110e)", "  AVRCP",
        "    PDU ID: \(pdu)",
      ] + parameters)
  }

  static let vectors = [
    pdu(
      "AVRCP 1.6, 6.9.3", "Command (0)", "SetBrowsedPlayer (0x70)", "00 11 0e 70 00 02 00 01",
      [
        "    Parameter Length: 2", "    Player ID: 0x0001",
      ]),
    pdu(
      "AVRCP 1.6, 6.9.3: response", "Response (1)", "SetBrowsedPlayer (0x70)",
      "02 11 0e 70 00 0f 04 00 07 00 00 00 03 00 6a 01 00 03 41 62 63",
      [
        "    Parameter Length: 15",
        "    Error/Status Code: Operation completed without error (0x04)", "    UID Counter: 7",
        "    Number of Items: 3", "    CharacterSetID: UTF-8 (106)", "    Folder Depth: 1",
        "    Entry", "      Displayable Name Length: 3", "      Displayable Name: \"Abc\"",
      ]),
    pdu(
      "AVRCP 1.6, 6.9.3: failed", "Response (1)", "SetBrowsedPlayer (0x70)", "02 11 0e 70 00 01 11",
      [
        "    Parameter Length: 1", "    Error/Status Code: Invalid Player Id (0x11)",
      ]),
    pdu(
      "AVRCP 1.6, 6.10.4.2", "Command (0)", "GetFolderItems (0x71)",
      "00 11 0e 71 00 0e 00 00 00 00 00 00 00 00 09 01 00 00 00 01",
      [
        "    Parameter Length: 14", "    Scope: Media Player List (0)", "    Start Item: 0",
        "    End Item: 9", "    Attribute Count: 1", "    AttributeID: Title (1)",
      ]),
    pdu(
      "AVRCP 1.6, 6.10.4.2: no attributes", "Command (0)", "GetFolderItems (0x71)",
      "00 11 0e 71 00 0a 01 00 00 00 00 00 00 00 09 ff",
      [
        "    Parameter Length: 10", "    Scope: Media Player Virtual Filesystem (1)",
        "    Start Item: 0", "    End Item: 9", "    Attribute Count: 255",
      ]),
    pdu(
      "AVRCP 1.6, 6.10.2.1: a player", "Response (1)", "GetFolderItems (0x71)",
      """
      02 11 0e 71 00 25 04 00 00 00 01 01 00 1d 00 01 00 00 00 00 02 01 00 00 00 00 00 01 00 \
      0a 02 00 00 00 00 00 00 00 00 6a 00 01 50
      """,
      [
        "    Parameter Length: 37",
        "    Error/Status Code: Operation completed without error (0x04)", "    UID Counter: 0",
        "    Number of Items: 1", "    Item", "      Item Type: Media Player Item (1)",
        "      Item Length: 29", "      Player ID: 0x0001", "      Major Player Type: Audio (0x00)",
        "      Player Sub Type: 0x00000002: Podcast", "      PlayStatus: PLAYING (0x01)",
        "      Feature Bit Mask: 0x0a00010000000000: Play, Basic Group Navigation, Browsing",
        "      Feature Bit Mask, octets 8 to 15: 0x0000000000000002: NowPlaying",
        "      CharacterSetID: UTF-8 (106)", "      Displayable Name Length: 1",
        "      Displayable Name: \"P\"",
      ]),
    pdu(
      "AVRCP 1.6, 6.10.2.2 and 6.10.2.3: a folder and an element", "Response (1)",
      "GetFolderItems (0x71)",
      """
      02 11 0e 71 00 33 04 00 07 00 02 02 00 10 00 00 00 00 00 00 00 01 02 01 00 6a 00 02 41 \
      62 03 00 18 00 00 00 00 00 00 00 02 00 00 6a 00 01 54 01 00 00 00 02 00 6a 00 01 42
      """,
      [
        "    Parameter Length: 51",
        "    Error/Status Code: Operation completed without error (0x04)", "    UID Counter: 7",
        "    Number of Items: 2", "    Item", "      Item Type: Folder Item (2)",
        "      Item Length: 16", "      UID: 0x0000000000000001", "      Folder Type: Albums (2)",
        "      Is Playable: yes (1)", "      CharacterSetID: UTF-8 (106)",
        "      Displayable Name Length: 2", "      Displayable Name: \"Ab\"", "    Item",
        "      Item Type: Media Element Item (3)", "      Item Length: 24",
        "      UID: 0x0000000000000002", "      Media Type: Audio (0)",
        "      CharacterSetID: UTF-8 (106)", "      Displayable Name Length: 1",
        "      Displayable Name: \"T\"", "      Number of Entries: 1", "      Entry",
        "        AttributeID: Artist Name (2)", "        CharacterSetID: UTF-8 (106)",
        "        AttributeValueLength: 1", "        AttributeValue: \"B\"",
      ]),
    pdu(
      "AVRCP 1.6, 6.10.4.1", "Command (0)", "ChangePath (0x72)",
      "00 11 0e 72 00 0b 00 07 01 00 00 00 00 00 00 00 01",
      [
        "    Parameter Length: 11", "    UID Counter: 7", "    Direction: Folder Down (1)",
        "    UID: 0x0000000000000001",
      ]),
    pdu(
      "AVRCP 1.6, 6.10.4.1: response", "Response (1)", "ChangePath (0x72)",
      "02 11 0e 72 00 05 04 00 00 00 05",
      [
        "    Parameter Length: 5",
        "    Error/Status Code: Operation completed without error (0x04)", "    Number of Items: 5",
      ]),
    pdu(
      "AVRCP 1.6, 6.10.4.3", "Command (0)", "GetItemAttributes (0x73)",
      "00 11 0e 73 00 10 03 00 00 00 00 00 00 00 02 00 07 01 00 00 00 01",
      [
        "    Parameter Length: 16", "    Scope: Now Playing (3)", "    UID: 0x0000000000000002",
        "    UID Counter: 7", "    Number of Entries: 1", "    AttributeID: Title (1)",
      ]),
    pdu(
      "AVRCP 1.6, 6.10.4.3: response", "Response (1)", "GetItemAttributes (0x73)",
      "02 11 0e 73 00 0c 04 01 00 00 00 01 00 6a 00 02 48 69",
      [
        "    Parameter Length: 12",
        "    Error/Status Code: Operation completed without error (0x04)",
        "    Number of Entries: 1", "    Entry", "      AttributeID: Title (1)",
        "      CharacterSetID: UTF-8 (106)", "      AttributeValueLength: 2",
        "      AttributeValue: \"Hi\"",
      ]),
    pdu(
      "AVRCP 1.6, 6.10.4.4", "Command (0)", "GetTotalNumberOfItems (0x75)", "00 11 0e 75 00 01 03",
      [
        "    Parameter Length: 1", "    Scope: Now Playing (3)",
      ]),
    pdu(
      "AVRCP 1.6, 6.10.4.4: response", "Response (1)", "GetTotalNumberOfItems (0x75)",
      "02 11 0e 75 00 07 04 00 07 00 00 00 2a",
      [
        "    Parameter Length: 7",
        "    Error/Status Code: Operation completed without error (0x04)", "    UID Counter: 7",
        "    Number of Items: 42",
      ]),
    pdu(
      "AVRCP 1.6, 6.11.1", "Command (0)", "Search (0x80)", "00 11 0e 80 00 06 00 6a 00 02 61 62",
      [
        "    Parameter Length: 6", "    CharacterSetID: UTF-8 (106)", "    String Length: 2",
        "    String: \"ab\"",
      ]),
    pdu(
      "AVRCP 1.6, 6.11.1: response", "Response (1)", "Search (0x80)",
      "02 11 0e 80 00 07 04 00 07 00 00 00 01",
      [
        "    Parameter Length: 7",
        "    Error/Status Code: Operation completed without error (0x04)", "    UID Counter: 7",
        "    Number of Items: 1",
      ]),
    pdu(
      "AVRCP 1.6, 6.15.1", "Response (1)", "GeneralReject (0xa0)", "02 11 0e a0 00 01 00",
      [
        "    Parameter Length: 1", "    Error/Status Code: Invalid command (0x00)",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  /// AVRCP 1.6, 6.10.4.2: only the layer around it says which of the two it is.
  @Test func messages() {
    let bytes = hex("71 00 05 04 00 01 00 00")
    let items = AVRCPMessage(bytes.raw, as: .browsing(isResponse: true), isCut: false)
    #expect(items.identifier == 0x71 && items.status == 4 && items.items == 0)
    #expect(AVRCPMessage(bytes.raw, as: .browsing(isResponse: false), isCut: false).items == nil)
  }
}
