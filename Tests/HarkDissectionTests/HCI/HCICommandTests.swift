import HarkCore
import Testing

@testable import HarkDissection

@Suite struct HCICommandTests {
  static let vectors = [
    Vector(
      "Vol 4, Part E, 7.1.1", .record(.command),
      "01 04 05 33 8b 9e 08 00",
      [
        "HCI Command",
        "  Opcode: HCI_Inquiry (0x0401)",
        "  Parameter Total Length: 5",
        "  LAP: General Inquiry Access Code (0x9e8b33)",
        "  Inquiry_Length: 8 (10.24 s)",
        "  Num_Responses: unlimited (0)",
      ]),
    Vector(
      "Vol 4, Part E, 7.1.5, from a phone's traffic", .record(.command),
      "05 04 0d 66 55 44 33 22 11 18 cc 02 00 00 00 01",
      [
        "HCI Command",
        "  Opcode: HCI_Create_Connection (0x0405)",
        "  Parameter Total Length: 13",
        "  BD_ADDR: 11:22:33:44:55:66",
        "  Packet_Type: 0xcc18: DM1, DH1, DM3, DH3, DM5, DH5",
        "  Page_Scan_Repetition_Mode: R2 (2)",
        "  Reserved: 0x00",
        "  Clock_Offset: 0x0000",
        "  Allow_Role_Switch: May become Peripheral (1)",
      ]),
    Vector(
      "Vol 4, Part E, 7.1.10", .record(.command),
      "0b 04 16 66 55 44 33 22 11 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f",
      [
        "HCI Command",
        "  Opcode: HCI_Link_Key_Request_Reply (0x040b)",
        "  Parameter Total Length: 22",
        "  BD_ADDR: 11:22:33:44:55:66",
        "  Link_Key: 16 secret bytes",
      ]),
    Vector(
      "Vol 4, Part E, 7.1.29", .record(.command),
      "2b 04 09 66 55 44 33 22 11 01 00 03",
      [
        "HCI Command",
        "  Opcode: HCI_IO_Capability_Request_Reply (0x042b)",
        "  Parameter Total Length: 9",
        "  BD_ADDR: 11:22:33:44:55:66",
        "  IO_Capability: DisplayYesNo (1)",
        "  OOB_Data_Present: Not present (0)",
        "  Authentication_Requirements: MITM Protection Required - Dedicated Bonding (3)",
      ]),
    Vector(
      "Vol 4, Part E, 7.1.45, mSBC over HCI", .record(.command),
      """
      3d 04 3b 40 00 40 1f 00 00 40 1f 00 00 05 00 00 00 00 05 00 00 00 00 3c \
      00 3c 00 80 3e 00 00 80 3e 00 00 04 00 00 00 00 04 00 00 00 00 10 00 10 \
      00 02 02 00 00 00 00 00 00 0d 00 40 00 02
      """,
      [
        "HCI Command",
        "  Opcode: HCI_Enhanced_Setup_Synchronous_Connection (0x043d)",
        "  Parameter Total Length: 59",
        "  Connection_Handle: 0x0040",
        "  Transmit_Bandwidth: 8000 octets/s",
        "  Receive_Bandwidth: 8000 octets/s",
        "  Transmit_Coding_Format",
        "    Coding_Format: mSBC (0x05)",
        "    Company_ID: 0x0000",
        "    Vendor-Defined_Codec_ID: 0x0000",
        "  Receive_Coding_Format",
        "    Coding_Format: mSBC (0x05)",
        "    Company_ID: 0x0000",
        "    Vendor-Defined_Codec_ID: 0x0000",
        "  Transmit_Codec_Frame_Size: 60",
        "  Receive_Codec_Frame_Size: 60",
        "  Input_Bandwidth: 16000 octets/s",
        "  Output_Bandwidth: 16000 octets/s",
        "  Input_Coding_Format",
        "    Coding_Format: Linear PCM (0x04)",
        "    Company_ID: 0x0000",
        "    Vendor-Defined_Codec_ID: 0x0000",
        "  Output_Coding_Format",
        "    Coding_Format: Linear PCM (0x04)",
        "    Company_ID: 0x0000",
        "    Vendor-Defined_Codec_ID: 0x0000",
        "  Input_Coded_Data_Size: 16",
        "  Output_Coded_Data_Size: 16",
        "  Input_PCM_Data_Format: 2's complement (2)",
        "  Output_PCM_Data_Format: 2's complement (2)",
        "  Input_PCM_Sample_Payload_MSB_Position: 0",
        "  Output_PCM_Sample_Payload_MSB_Position: 0",
        "  Input_Data_Path: HCI (0x00)",
        "  Output_Data_Path: HCI (0x00)",
        "  Input_Transport_Unit_Size: 0",
        "  Output_Transport_Unit_Size: 0",
        "  Max_Latency: 13 (13 ms)",
        "  Packet_Type: 0x0040: 2-EV3 shall not be used",
        "  Retransmission_Effort: Optimized for link quality (2)",
      ]),
    Vector(
      "Vol 4, Part E, 7.2.2, from a phone's traffic", .record(.command),
      "03 08 0a 02 00 20 03 90 01 04 00 01 00",
      [
        "HCI Command",
        "  Opcode: HCI_Sniff_Mode (0x0803)",
        "  Parameter Total Length: 10",
        "  Connection_Handle: 0x0002",
        "  Sniff_Max_Interval: 800 (500 ms)",
        "  Sniff_Min_Interval: 400 (250 ms)",
        "  Sniff_Attempt: 4",
        "  Sniff_Timeout: 1",
      ]),
    Vector(
      "Vol 4, Part E, 7.3.2", .record(.command),
      "03 0c 00",
      [
        "HCI Command",
        "  Opcode: HCI_Reset (0x0c03)",
        "  Parameter Total Length: 0",
      ]),
    Vector(
      "Vol 4, Part E, 7.3.18", .record(.command),
      "1a 0c 01 02",
      [
        "HCI Command",
        "  Opcode: HCI_Write_Scan_Enable (0x0c1a)",
        "  Parameter Total Length: 1",
        "  Scan_Enable: 0x02: Page Scan",
      ]),
    Vector(
      "Vol 4, Part E, 7.3.40: two links", .record(.command),
      "35 0c 09 02 40 00 01 00 41 f0 02 00",
      [
        "HCI Command",
        "  Opcode: HCI_Host_Number_Of_Completed_Packets (0x0c35)",
        "  Parameter Total Length: 9",
        "  Num_Handles: 2",
        "  Completed",
        "    Connection_Handle: 0x0040",
        "    Host_Num_Completed_Packets: 1",
        "  Completed",
        "    Connection_Handle: 0x0041",
        "    Host_Num_Completed_Packets: 2",
      ]),
    Vector(
      "Vol 4, Part E, 7.3.45", .record(.command),
      "3a 0c 07 02 33 8b 9e 00 8b 9e",
      [
        "HCI Command",
        "  Opcode: HCI_Write_Current_IAC_LAP (0x0c3a)",
        "  Parameter Total Length: 7",
        "  Num_Current_IAC: 2",
        "  IAC_LAP: General Inquiry Access Code (0x9e8b33)",
        "  IAC_LAP: Limited Inquiry Access Code (0x9e8b00)",
      ]),
    Vector(
      "Vol 4, Part E, 4.4.1: a vendor's command is opaque", .record(.command),
      "17 fc 02 00 14",
      [
        "HCI Command",
        "  Opcode: Vendor-Specific (0xfc17)",
        "  Parameter Total Length: 2",
        "  Parameters: 0014",
      ]),
    Vector(
      "Vol 4, Part E, 7.1.6: a parameter is cut off", .record(.command),
      "06 04 02 40 00",
      [
        "HCI Command",
        "  Opcode: HCI_Disconnect (0x0406)",
        "  Parameter Total Length: 2",
        "  Connection_Handle: 0x0040",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  @Test func truncationNamesTheParameter() {
    let bytes: [UInt8] = [0x06, 0x04, 0x02, 0x40, 0x00]
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .record(.command), Context(), into: &tree)
    #expect(
      tree.failures.map(\.description) == [
        """
        HCI Command: Reason needs 1 byte, 0 available \
        (limited by Parameter Total Length) at byte 5
        """
      ])
  }
}
