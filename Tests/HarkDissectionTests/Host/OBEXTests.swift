import HarkCore
import Testing

@testable import HarkDissection

/// Packets as the sections named describe them.
@Suite struct OBEXTests {
  static func channel(
    _ source: String, _ cid: UInt16, _ hex: String, _ lines: [String]
  ) -> Vector {
    Vector(source, .channel(cid), hex, lines)
  }

  static func service(
    _ source: String, _ service: UInt16, _ hex: String, _ lines: [String]
  ) -> Vector {
    Vector(source, .service(BluetoothUUID(service)), hex, lines)
  }

  static let vectors: [Vector] = [
    service(
      "IrOBEX 1.5, 3.4.1: Connect to PBAP", 0x112F,
      "80 00 23 10 00 20 00 46 00 13 79 61 35 f0 f0 c5 11 d8 09 66 08 00 20 0c 9a 66 4c 00 09 "
        + "10 04 00 00 00 03",
      [
        "PBAP", "  Opcode: Connect (0x00)", "  Final Bit: final (1)", "  Packet Length: 35",
        "  OBEX Version Number: 1.0 (0x10)", "  Flags: 0x00", "  Maximum OBEX Packet Length: 8192",
        "  Header", "    Header Identifier: Target (0x46)", "    Header Length: 19",
        "    Target: 796135F0-F0C5-11D8-0966-0800200C9A66 (PBAP Phone Book Access)", "  Header",
        "    Header Identifier: App. Parameters (0x4c)", "    Header Length: 9", "    Parameter",
        "      Tag: PbapSupportedFeatures (0x10)", "      Tag Length: 4",
        "      PbapSupportedFeatures: 0x00000003: Download, Browsing",
      ]),
    service(
      "IrOBEX 1.5, 3.4.1: its response", 0x112F,
      "a0 00 1f 10 00 ff fe cb 00 00 00 01 4a 00 13 79 61 35 f0 f0 c5 11 d8 09 66 08 00 20 0c "
        + "9a 66",
      [
        "PBAP", "  Opcode: Success (0x20)", "  Final Bit: final (1)", "  Packet Length: 31",
        "  OBEX Version Number: 1.0 (0x10)", "  Flags: 0x00", "  Maximum OBEX Packet Length: 65534",
        "  Header", "    Header Identifier: Connection Id (0xcb)", "    Connection Id: 0x00000001",
        "  Header", "    Header Identifier: Who (0x4a)", "    Header Length: 19",
        "    Who: 796135F0-F0C5-11D8-0966-0800200C9A66 (PBAP Phone Book Access)",
      ]),
    service(
      "PBAP 1.2.3, 5.1: PullPhoneBook", 0x112F,
      "83 00 3d cb 00 00 00 01 01 00 19 00 74 00 65 00 6c 00 65 00 63 00 6f 00 6d 00 2f 00 70 "
        + "00 62 00 00 42 00 12 78 2d 62 74 2f 70 68 6f 6e 65 62 6f 6f 6b 00 4c 00 0a 07 01 "
        + "01 04 02 00 64",
      [
        "PBAP", "  Opcode: Get (0x03)", "  Final Bit: final (1)", "  Packet Length: 61", "  Header",
        "    Header Identifier: Connection Id (0xcb)", "    Connection Id: 0x00000001", "  Header",
        "    Header Identifier: Name (0x01)", "    Header Length: 25", "    Name: \"telecom/pb\"",
        "  Header", "    Header Identifier: Type (0x42)", "    Header Length: 18",
        "    Type: \"x-bt/phonebook\"", "  Header", "    Header Identifier: App. Parameters (0x4c)",
        "    Header Length: 10", "    Parameter", "      Tag: Format (0x07)", "      Tag Length: 1",
        "      Format: vCard 3.0 (1)", "    Parameter", "      Tag: MaxListCount (0x04)",
        "      Tag Length: 2", "      Parameter Value: 100",
      ]),
    service(
      "PBAP 1.2.3, 5.1: its size", 0x112F, "a0 00 0a 4c 00 07 08 02 00 2a",
      [
        "PBAP", "  Opcode: Success (0x20)", "  Final Bit: final (1)", "  Packet Length: 10",
        "  Header", "    Header Identifier: App. Parameters (0x4c)", "    Header Length: 7",
        "    Parameter", "      Tag: PhonebookSize (0x08)", "      Tag Length: 2",
        "      Parameter Value: 42",
      ]),
    service(
      "IrOBEX 1.5, 3.4.6: SetPath up", 0x112F, "85 00 08 02 00 01 00 03",
      [
        "PBAP", "  Opcode: SetPath (0x05)", "  Final Bit: final (1)", "  Packet Length: 8",
        "  Flags: 0x02: do not create folder if it does not exist", "  Constants: 0x00", "  Header",
        "    Header Identifier: Name (0x01)", "    Header Length: 3",
      ]),
    service(
      "IrOBEX 1.5, 3.4.3: Object Push of a text", 0x1105,
      "02 00 1d 01 00 0b 00 61 00 2e 00 74 00 00 c3 00 00 00 05 48 00 08 68 65 6c 6c 6f 97 01",
      [
        "OBEX", "  Opcode: Put (0x02)", "  Final Bit: not final (0)", "  Packet Length: 29",
        "  Header", "    Header Identifier: Name (0x01)", "    Header Length: 11",
        "    Name: \"a.t\"", "  Header", "    Header Identifier: Length (0xc3)", "    Length: 5",
        "  Header", "    Header Identifier: Body (0x48)", "    Header Length: 8",
        "    Body: 68656c6c6f", "  Header", "    Header Identifier: Single Response Mode (0x97)",
        "    Single Response Mode: enabled (1)",
      ]),
    service(
      "IrOBEX 1.5, 3.4.4: Continue", 0x1105, "90 00 03",
      [
        "OBEX", "  Opcode: Continue (0x10)", "  Final Bit: final (1)", "  Packet Length: 3",
      ]),
    service(
      "IrOBEX 1.5, 3.6: an authentication response", 0x1105,
      "80 00 1e 10 00 20 00 4e 00 15 00 10 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 97 01",
      [
        "OBEX", "  Opcode: Connect (0x00)", "  Final Bit: final (1)", "  Packet Length: 30",
        "  OBEX Version Number: 1.0 (0x10)", "  Flags: 0x00", "  Maximum OBEX Packet Length: 8192",
        "  Header", "    Header Identifier: Auth. Response (0x4e)", "    Header Length: 21",
        "    Parameter", "      Tag: Request-Digest (0x00)", "      Tag Length: 16",
        "      Digest: 16 secret bytes", "  Header",
        "    Header Identifier: Single Response Mode (0x97)",
        "    Single Response Mode: enabled (1)",
      ]),
    service(
      "MCAP 1.0, 5.1.3", 0x1401, "01 00 01 01 00",
      [
        "MCAP", "  Op Code: MD_CREATE_MDL_REQ (0x01)", "  MDL ID: 0x0001", "  MDEP ID: 1",
        "  Configuration: 0x00",
      ]),
    service(
      "MCAP 1.0, 5.1.3: its response", 0x1401, "02 00 00 01 00",
      [
        "MCAP", "  Op Code: MD_CREATE_MDL_RSP (0x02)", "  Response Code: Success (0x00)",
        "  MDL ID: 0x0001", "  Configuration: 0x00",
      ]),
    service(
      "MCAP 1.0, 5.2.1", 0x1401, "00 01 00 00",
      [
        "MCAP", "  Op Code: ERROR_RSP (0x00)", "  Response Code: Invalid Op Code (0x01)",
        "  MDL ID: 0x0000",
      ]),
    service(
      "MCAP 1.0, 6.2.2: what the clock can do", 0x1401, "12 00 01 00 0a 03 e8 00 14",
      [
        "MCAP", "  Op Code: MD_SYNC_CAP_RSP (0x12)", "  Response Code: Success (0x00)",
        "  BT Clock access resolution: 1 (0.313 ms)", "  Sync lead time: 10 ms",
        "  Timestamp native resolution: 1000 µs", "  Timestamp native accuracy: 20 ppm",
      ]),
    service(
      "MCAP 1.0, 6.2.5", 0x1401, "15 00 01 02 03 00 00 00 00 00 00 00 64 00 05",
      [
        "MCAP", "  Op Code: MD_SYNC_INFO_IND (0x15)", "  BT Clock Sync time: 0x00010203",
        "  Timestamp Sync time: 0x0000000000000064", "  Timestamp Sync accuracy: 5 µs",
      ]),
    channel(
      "Core Specification, Vol 3, Part A, 3.2", 0x2, "15 00 61 62",
      [
        "L2CAP Connectionless", "  PSM: UPnP (0x0015)", "  Information Payload: 6162",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  /// IrOBEX 1.5, 2.2, 3.4.1, 3.4.6.1
  @Test func messages() {
    let connect = OBEXMessage(
      hex("80 00 1a 10 00 20 00 46 00 13 79 61 35 f0 f0 c5 11 d8 09 66 08 00 20 0c 9a 66").raw,
      isCut: false)
    #expect(connect.operation == .connect && connect.maximum == 8192)
    #expect(
      connect.target == BluetoothUUID(high: 0x7961_35F0_F0C5_11D8, low: 0x0966_0800_200C_9A66))
    let get = OBEXMessage(
      hex("83 00 13 01 00 09 00 61 00 62 00 00 42 00 07 78 2f 79 00").raw, isCut: false)
    #expect(get.operation == .get && get.name == 6..<12 && get.type == 15..<19)
    let put = OBEXMessage(hex("02 00 0d c3 00 00 00 64 48 00 05 61 62").raw, isCut: false)
    #expect(put.operation == .put && put.length == 100 && put.bodyCount == 2)
    let path = OBEXMessage(hex("85 00 08 03 00 01 00 03").raw, isCut: false)
    #expect(path.operation == .setPath && path.isUp == true && path.name == nil)
    let text = OBEXMessage(hex("80 00 10 10 00 20 00 46 00 09 53 59 4e 43 4d 4c").raw, isCut: false)
    #expect(text.target == nil && text.targetText == 10..<16)
    #expect(OBEXMessage(hex("a0 00").raw, isCut: false).code == 0x20)
  }

  /// IrOBEX 1.5, 3.2, 3.2.1, 3.4
  @Test func codes() {
    #expect([0x00, 0x07, 0x7F].allSatisfy(OBEXMessage.isRequest))
    #expect(![0x10, 0x20, 0x44].contains(where: OBEXMessage.isRequest))
    #expect(OBEXMessage.isSuccess(0x20) && !OBEXMessage.isSuccess(0x44))
    #expect(OBEXMessage.isContinue(0x10) && !OBEXMessage.isContinue(0x20))
  }
}
