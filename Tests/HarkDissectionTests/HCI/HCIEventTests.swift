import HarkCore
import Testing

@testable import HarkDissection

@Suite struct HCIEventTests {
  static let vectors = [
    Vector(
      "Vol 4, Part E, 7.7.2, two responses", .record(.event),
      """
      02 1d 02 66 55 44 33 22 11 01 00 00 0c 02 5a 34 12 67 55 44 33 22 11 02 \
      00 00 04 04 24 00 00
      """,
      [
        "HCI Event",
        "  Event Code: HCI_Inquiry_Result (0x02)",
        "  Parameter Total Length: 29",
        "  Num_Responses: 2",
        "  Response",
        "    BD_ADDR: 11:22:33:44:55:66",
        "    Page_Scan_Repetition_Mode: R1 (1)",
        "    Reserved: 0x0000",
        "    Class_Of_Device: Phone: Smartphone; Networking, Capturing, Object Transfer, Telephony (0x5a020c)",
        "    Service Classes: 0x0002d0: Networking, Capturing, Object Transfer, Telephony",
        "    Major Device Class: Phone (2)",
        "    Minor Device Class: Smartphone (3)",
        "    Clock_Offset: 0x1234",
        "  Response",
        "    BD_ADDR: 11:22:33:44:55:67",
        "    Page_Scan_Repetition_Mode: R2 (2)",
        "    Reserved: 0x0000",
        "    Class_Of_Device: Audio/Video: Wearable Headset Device; Rendering, Audio (0x240404)",
        "    Service Classes: 0x000120: Rendering, Audio",
        "    Major Device Class: Audio/Video (4)",
        "    Minor Device Class: Wearable Headset Device (1)",
        "    Clock_Offset: 0x0000",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.3, from a headset's traffic", .record(.event),
      "03 0b 00 32 00 66 55 44 33 22 11 01 00",
      [
        "HCI Event",
        "  Event Code: HCI_Connection_Complete (0x03)",
        "  Parameter Total Length: 11",
        "  Status: Success (0x00)",
        "  Connection_Handle: 0x0032",
        "  BD_ADDR: 11:22:33:44:55:66",
        "  Link_Type: ACL (1)",
        "  Encryption_Enabled: Off (0)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.4", .record(.event),
      "04 0a 66 55 44 33 22 11 04 04 24 01",
      [
        "HCI Event",
        "  Event Code: HCI_Connection_Request (0x04)",
        "  Parameter Total Length: 10",
        "  BD_ADDR: 11:22:33:44:55:66",
        "  Class_Of_Device: Audio/Video: Wearable Headset Device; Rendering, Audio (0x240404)",
        "  Service Classes: 0x000120: Rendering, Audio",
        "  Major Device Class: Audio/Video (4)",
        "  Minor Device Class: Wearable Headset Device (1)",
        "  Link_Type: ACL (1)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.5, from a phone's traffic", .record(.event),
      "05 04 00 40 00 22",
      [
        "HCI Event",
        "  Event Code: HCI_Disconnection_Complete (0x05)",
        "  Parameter Total Length: 4",
        "  Status: Success (0x00)",
        "  Connection_Handle: 0x0040",
        "  Reason: LMP Response Timeout / LL Response Timeout (0x22)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.12", .record(.event),
      "0c 08 00 32 00 0a 0f 00 10 61",
      [
        "HCI Event",
        "  Event Code: HCI_Read_Remote_Version_Information_Complete (0x0c)",
        "  Parameter Total Length: 8",
        "  Status: Success (0x00)",
        "  Connection_Handle: 0x0032",
        "  Version: 5.1 (0x0a)",
        "  Company_Identifier: Broadcom Corporation (0x000f)",
        "  Subversion: 0x6110",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.14: Read_Local_Version_Information", .record(.event),
      "0e 0c 01 01 10 00 0c 34 12 0c 0f 00 78 56",
      [
        "HCI Event",
        "  Event Code: HCI_Command_Complete (0x0e)",
        "  Parameter Total Length: 12",
        "  Num HCI Command Packets: 1",
        "  Command Opcode: HCI_Read_Local_Version_Information (0x1001)",
        "  Status: Success (0x00)",
        "  HCI_Version: 5.3 (0x0c)",
        "  HCI_Subversion: 0x1234",
        "  LMP_Version: 5.3 (0x0c)",
        "  Company_Identifier: Broadcom Corporation (0x000f)",
        "  LMP_Subversion: 0x5678",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.14: Read_BD_ADDR failed, its status alone", .record(.event),
      "0e 04 01 09 10 0c",
      [
        "HCI Event",
        "  Event Code: HCI_Command_Complete (0x0e)",
        "  Parameter Total Length: 4",
        "  Num HCI Command Packets: 1",
        "  Command Opcode: HCI_Read_BD_ADDR (0x1009)",
        "  Status: Command Disallowed (0x0c)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.14: Reset", .record(.event),
      "0e 04 01 03 0c 00",
      [
        "HCI Event",
        "  Event Code: HCI_Command_Complete (0x0e)",
        "  Parameter Total Length: 4",
        "  Num HCI Command Packets: 1",
        "  Command Opcode: HCI_Reset (0x0c03)",
        "  Status: Success (0x00)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.14: LE_Read_Local_Supported_Features_Page_0", .record(.event),
      "0e 0c 01 03 20 00 01 00 00 00 00 00 00 80",
      [
        "HCI Event",
        "  Event Code: HCI_Command_Complete (0x0e)",
        "  Parameter Total Length: 12",
        "  Num HCI Command Packets: 1",
        "  Command Opcode: HCI_LE_Read_Local_Supported_Features_Page_0 (0x2003)",
        "  Status: Success (0x00)",
        "  LE_Features: 0x8000000000000001: LE Encryption, LL Extended Feature Set",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.14: no opcode", .record(.event),
      "0e 03 05 00 00",
      [
        "HCI Event",
        "  Event Code: HCI_Command_Complete (0x0e)",
        "  Parameter Total Length: 3",
        "  Num HCI Command Packets: 5",
        "  Command Opcode: NOP (0x0000)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.14: a vendor's command is opaque", .record(.event),
      "0e 05 01 17 fc 00 14",
      [
        "HCI Event",
        "  Event Code: HCI_Command_Complete (0x0e)",
        "  Parameter Total Length: 5",
        "  Num HCI Command Packets: 1",
        "  Command Opcode: Vendor-Specific (0xfc17)",
        "  Return Parameters: 0014",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.15, from a phone's traffic", .record(.event),
      "0f 04 00 01 05 04",
      [
        "HCI Event",
        "  Event Code: HCI_Command_Status (0x0f)",
        "  Parameter Total Length: 4",
        "  Status: Success (0x00)",
        "  Num HCI Command Packets: 1",
        "  Command Opcode: HCI_Create_Connection (0x0405)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.19, from a phone's traffic", .record(.event),
      "13 09 02 42 00 01 00 43 00 01 00",
      [
        "HCI Event",
        "  Event Code: HCI_Number_Of_Completed_Packets (0x13)",
        "  Parameter Total Length: 9",
        "  Num_Handles: 2",
        "  Completed",
        "    Connection_Handle: 0x0042",
        "    Num_Completed_Packets: 1",
        "  Completed",
        "    Connection_Handle: 0x0043",
        "    Num_Completed_Packets: 1",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.20, from a phone's traffic", .record(.event),
      "14 06 00 02 00 02 20 03",
      [
        "HCI Event",
        "  Event Code: HCI_Mode_Change (0x14)",
        "  Parameter Total Length: 6",
        "  Status: Success (0x00)",
        "  Connection_Handle: 0x0002",
        "  Current_Mode: Sniff (2)",
        "  Interval: 800 (500 ms)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.24", .record(.event),
      "18 17 66 55 44 33 22 11 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 08",
      [
        "HCI Event",
        "  Event Code: HCI_Link_Key_Notification (0x18)",
        "  Parameter Total Length: 23",
        "  BD_ADDR: 11:22:33:44:55:66",
        "  Link_Key: 16 secret bytes",
        "  Key_Type: Authenticated Combination Key generated from P-256 (8)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.33, from a phone's traffic", .record(.event),
      "22 0f 01 66 55 44 33 22 11 01 00 01 02 00 d6 3e cc",
      [
        "HCI Event",
        "  Event Code: HCI_Inquiry_Result_With_RSSI (0x22)",
        "  Parameter Total Length: 15",
        "  Num_Responses: 1",
        "  Response",
        "    BD_ADDR: 11:22:33:44:55:66",
        "    Page_Scan_Repetition_Mode: R1 (1)",
        "    Reserved: 0x00",
        "    Class_Of_Device: Phone: Uncategorized (0x000201)",
        "    Service Classes: 0x000000", "    Major Device Class: Phone (2)",
        "    Minor Device Class: Uncategorized (0)",
        "    Clock_Offset: 0x3ed6",
        "    RSSI: -52 dBm",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.35", .record(.event),
      "2c 11 00 80 00 66 55 44 33 22 11 02 0c 04 3c 00 3c 00 03",
      [
        "HCI Event",
        "  Event Code: HCI_Synchronous_Connection_Complete (0x2c)",
        "  Parameter Total Length: 17",
        "  Status: Success (0x00)",
        "  Connection_Handle: 0x0080",
        "  BD_ADDR: 11:22:33:44:55:66",
        "  Link_Type: eSCO (2)",
        "  Transmission_Interval: 12 (7.5 ms)",
        "  Retransmission_Window: 4 (2.5 ms)",
        "  RX_Packet_Length: 60",
        "  TX_Packet_Length: 60",
        "  Air_Mode: Transparent Data (3)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.41", .record(.event),
      "32 09 66 55 44 33 22 11 03 00 04",
      [
        "HCI Event",
        "  Event Code: HCI_IO_Capability_Response (0x32)",
        "  Parameter Total Length: 9",
        "  BD_ADDR: 11:22:33:44:55:66",
        "  IO_Capability: NoInputNoOutput (3)",
        "  OOB_Data_Present: Not present (0)",
        "  Authentication_Requirements: MITM Protection Not Required - General Bonding (4)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.42", .record(.event),
      "33 0a 66 55 44 33 22 11 40 e2 01 00",
      [
        "HCI Event",
        "  Event Code: HCI_User_Confirmation_Request (0x33)",
        "  Parameter Total Length: 10",
        "  BD_ADDR: 11:22:33:44:55:66",
        "  Numeric_Value: 123456",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.8, version 2", .record(.event),
      "59 05 00 42 00 01 10",
      [
        "HCI Event",
        "  Event Code: HCI_Encryption_Change [v2] (0x59)",
        "  Parameter Total Length: 5",
        "  Status: Success (0x00)",
        "  Connection_Handle: 0x0042",
        "  Encryption_Enabled: On (1)",
        "  Encryption_Key_Size: 16",
      ]),
    Vector(
      "Vol 4, Part E, 5.4.4: a vendor's event is opaque", .record(.event),
      "ff 05 00 00 10 0f 03",
      [
        "HCI Event",
        "  Event Code: Vendor-Specific (0xff)",
        "  Parameter Total Length: 5",
        "  Event Parameters: 0000100f03",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  @Test func factsHoldTheFirstHandleAndTheCodes() {
    let completed: [UInt8] = [0x13, 0x09, 2, 0x42, 0xF0, 1, 0, 0x43, 0, 1, 0]
    let facts = Catalog.shared.summarize(completed.raw, .record(.event), Context())
    #expect(facts.code == 0x13)
    #expect(facts.handle == 0x042)
    let update: [UInt8] = [0x3E, 0x06, 0x0C, 0x00, 0x40, 0x00, 0x02, 0x02]
    let subevent = Catalog.shared.summarize(update.raw, .record(.event), Context())
    #expect(subevent.code == 0x3E)
    #expect(subevent.subevent == 0x0C)
    #expect(subevent.handle == 0x040)
  }

  @Test func theNamesOfCodesReachTheFields() {
    #expect(HCICommand.names[0x2036]?.description == "HCI_LE_Set_Extended_Advertising_Parameters")
    #expect(HCICommand.names[0xFC17]?.description == "Vendor-Specific")
    #expect(HCICommand.names[0]?.description == "NOP")
  }
}
