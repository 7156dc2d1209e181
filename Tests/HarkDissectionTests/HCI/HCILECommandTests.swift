import HarkCore
import HarkLaws
import Testing

@testable import HarkDissection

@Suite struct HCILECommandTests {
  static let vectors = [
    Vector(
      "Vol 4, Part E, 7.8.5, from a peripheral's traffic", .record(.command),
      "06 20 0f 30 00 30 00 00 00 00 00 00 00 00 00 00 07 00",
      [
        "HCI Command",
        "  Opcode: HCI_LE_Set_Advertising_Parameters (0x2006)",
        "  Parameter Total Length: 15",
        "  Advertising_Interval_Min: 48 (30 ms)",
        "  Advertising_Interval_Max: 48 (30 ms)",
        "  Advertising_Type: ADV_IND (0)",
        "  Own_Address_Type: Public Device Address (0x00)",
        "  Peer_Address_Type: Public Device Address (0x00)",
        "  Peer_Address: 00:00:00:00:00:00",
        "  Advertising_Channel_Map: 0x07: 37, 38, 39",
        "  Advertising_Filter_Policy: Scan and connection requests from all devices (0)",
      ]),
    Vector(
      "Vol 4, Part E, 7.8.7: no data, padded to 31 octets", .record(.command),
      """
      08 20 20 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 \
      00 00 00 00 00 00 00 00 00 00 00
      """,
      [
        "HCI Command",
        "  Opcode: HCI_LE_Set_Advertising_Data (0x2008)",
        "  Parameter Total Length: 32",
        "  Data_Length: 0",
        "  Non-significant octets: 00000000000000000000000000000000000000000000000000000000000000",
      ]),
    Vector(
      "Vol 4, Part E, 7.8.12, from a phone's traffic", .record(.command),
      """
      0d 20 19 60 00 30 00 00 01 66 55 44 33 22 c1 00 18 00 28 00 00 00 f4 01 \
      00 00 00 00
      """,
      [
        "HCI Command",
        "  Opcode: HCI_LE_Create_Connection (0x200d)",
        "  Parameter Total Length: 25",
        "  LE_Scan_Interval: 96 (60 ms)",
        "  LE_Scan_Window: 48 (30 ms)",
        "  Initiator_Filter_Policy: Peer_Address (0)",
        "  Peer_Address_Type: Random Device Address (0x01)",
        "  Peer_Address: C1:22:33:44:55:66",
        "  Own_Address_Type: Public Device Address (0x00)",
        "  Connection_Interval_Min: 24 (30 ms)",
        "  Connection_Interval_Max: 40 (50 ms)",
        "  Max_Latency: 0",
        "  Supervision_Timeout: 500 (5000 ms)",
        "  Min_CE_Length: 0 (0 ms)",
        "  Max_CE_Length: 0 (0 ms)",
      ]),
    Vector(
      "Vol 4, Part E, 7.8.18, from a phone's traffic", .record(.command),
      "13 20 0e 44 00 60 00 74 00 03 00 90 01 00 00 00 00",
      [
        "HCI Command",
        "  Opcode: HCI_LE_Connection_Update (0x2013)",
        "  Parameter Total Length: 14",
        "  Connection_Handle: 0x0044",
        "  Connection_Interval_Min: 96 (120 ms)",
        "  Connection_Interval_Max: 116 (145 ms)",
        "  Max_Latency: 3",
        "  Supervision_Timeout: 400 (4000 ms)",
        "  Min_CE_Length: 0 (0 ms)",
        "  Max_CE_Length: 0 (0 ms)",
      ]),
    Vector(
      "Vol 4, Part E, 7.8.24", .record(.command),
      """
      19 20 1c 42 00 00 00 00 00 00 00 00 00 00 00 00 01 02 03 04 05 06 07 08 \
      09 0a 0b 0c 0d 0e 0f
      """,
      [
        "HCI Command",
        "  Opcode: HCI_LE_Enable_Encryption (0x2019)",
        "  Parameter Total Length: 28",
        "  Connection_Handle: 0x0042",
        "  Random_Number: 0000000000000000",
        "  Encrypted_Diversifier: 0x0000",
        "  Long_Term_Key: 16 secret bytes",
      ]),
    Vector(
      "Vol 4, Part E, 7.8.38", .record(.command),
      """
      27 20 27 00 66 55 44 33 22 11 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d \
      0e 0f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f
      """,
      [
        "HCI Command",
        "  Opcode: HCI_LE_Add_Device_To_Resolving_List (0x2027)",
        "  Parameter Total Length: 39",
        "  Address_Type: Public Device Address (0x00)",
        "  BD_ADDR: 11:22:33:44:55:66",
        "  Peer_IRK: 16 secret bytes",
        "  Local_IRK: 16 secret bytes",
      ]),
    Vector(
      "Vol 4, Part E, 7.8.49", .record(.command),
      "32 20 07 40 00 00 02 03 00 00",
      [
        "HCI Command",
        "  Opcode: HCI_LE_Set_PHY (0x2032)",
        "  Parameter Total Length: 7",
        "  Connection_Handle: 0x0040",
        "  All_PHYs: 0x00",
        "  TX_PHYs: 0x02: LE 2M",
        "  RX_PHYs: 0x03: LE 1M, LE 2M",
        "  PHY_Options: No preferred coding (0)",
      ]),
    Vector(
      "Vol 4, Part E, 7.8.53, from a phone's traffic", .record(.command),
      """
      36 20 19 00 13 00 a0 00 00 d2 00 00 07 01 00 00 00 00 00 00 00 00 01 01 \
      00 01 00 00
      """,
      [
        "HCI Command",
        "  Opcode: HCI_LE_Set_Extended_Advertising_Parameters (0x2036)",
        "  Parameter Total Length: 25",
        "  Advertising_Handle: 0x00",
        "  Advertising_Event_Properties: 0x0013: Connectable, Scannable, Legacy",
        "  Primary_Advertising_Interval_Min: 160 (100 ms)",
        "  Primary_Advertising_Interval_Max: 210 (131.25 ms)",
        "  Advertising_Channel_Map: 0x07: 37, 38, 39",
        "  Own_Address_Type: Random Device Address (0x01)",
        "  Peer_Address_Type: Public Device Address (0x00)",
        "  Peer_Address: 00:00:00:00:00:00",
        "  Advertising_Filter_Policy: Scan and connection requests from all devices (0)",
        "  Advertising_TX_Power: 1 dBm",
        "  Primary_Advertising_PHY: LE 1M (1)",
        "  Secondary_Advertising_Max_Skip: 0",
        "  Secondary_Advertising_PHY: LE 1M (1)",
        "  Advertising_SID: 0x00",
        "  Scan_Request_Notification_Enable: Disabled (0)",
      ]),
    Vector(
      "Vol 4, Part E, 7.8.56, from a phone's traffic", .record(.command),
      "39 20 06 01 01 00 00 00 00",
      [
        "HCI Command",
        "  Opcode: HCI_LE_Set_Extended_Advertising_Enable (0x2039)",
        "  Parameter Total Length: 6",
        "  Enable: Enabled (1)",
        "  Num_Sets: 1",
        "  Set",
        "    Advertising_Handle: 0x00",
        "    Duration: without end (0)",
        "    Max_Extended_Advertising_Events: without end (0)",
      ]),
    Vector(
      "Vol 4, Part E, 7.8.64: LE 1M and LE Coded, from a phone's traffic", .record(.command),
      "41 20 0d 01 00 05 01 00 40 33 30 01 00 40 33 03",
      [
        "HCI Command",
        "  Opcode: HCI_LE_Set_Extended_Scan_Parameters (0x2041)",
        "  Parameter Total Length: 13",
        "  Own_Address_Type: Random Device Address (0x01)",
        "  Scanning_Filter_Policy: Basic unfiltered (0)",
        "  Scanning_PHYs: 0x05: LE 1M, LE Coded",
        "  Scanning_PHY",
        "    LE_Scan_Type: Active Scanning (1)",
        "    LE_Scan_Interval: 16384 (10240 ms)",
        "    LE_Scan_Window: 12339 (7711.875 ms)",
        "  Scanning_PHY",
        "    LE_Scan_Type: Active Scanning (1)",
        "    LE_Scan_Interval: 16384 (10240 ms)",
        "    LE_Scan_Window: 819 (511.875 ms)",
      ]),
    Vector(
      "Vol 4, Part E, 7.8.66: one PHY, from a phone's traffic", .record(.command),
      """
      43 20 1a 00 01 00 66 55 44 33 22 c1 01 60 00 30 00 18 00 28 00 00 00 f4 \
      01 00 00 00 00
      """,
      [
        "HCI Command",
        "  Opcode: HCI_LE_Extended_Create_Connection (0x2043)",
        "  Parameter Total Length: 26",
        "  Initiator_Filter_Policy: Peer_Address (0)",
        "  Own_Address_Type: Random Device Address (0x01)",
        "  Peer_Address_Type: Public Device Address (0x00)",
        "  Peer_Address: C1:22:33:44:55:66",
        "  Initiating_PHYs: 0x01: LE 1M",
        "  Initiating_PHY",
        "    LE_Scan_Interval: 96 (60 ms)",
        "    LE_Scan_Window: 48 (30 ms)",
        "    Connection_Interval_Min: 24 (30 ms)",
        "    Connection_Interval_Max: 40 (50 ms)",
        "    Max_Latency: 0",
        "    Supervision_Timeout: 500 (5000 ms)",
        "    Min_CE_Length: 0 (0 ms)",
        "    Max_CE_Length: 0 (0 ms)",
      ]),
    Vector(
      "Vol 4, Part E, 7.8.97: one CIS", .record(.command),
      """
      62 20 18 01 10 27 00 10 27 00 00 00 00 0a 00 0a 00 01 02 64 00 64 00 02 \
      02 05 05
      """,
      [
        "HCI Command",
        "  Opcode: HCI_LE_Set_CIG_Parameters (0x2062)",
        "  Parameter Total Length: 24",
        "  CIG_ID: 0x01",
        "  SDU_Interval_C_To_P: 10000 (10000 µs)",
        "  SDU_Interval_P_To_C: 10000 (10000 µs)",
        "  Worst_Case_SCA: 251 ppm to 500 ppm (0)",
        "  Packing: Sequential (0)",
        "  Framing: Unframed (0)",
        "  Max_Transport_Latency_C_To_P: 10 (10 ms)",
        "  Max_Transport_Latency_P_To_C: 10 (10 ms)",
        "  CIS_Count: 1",
        "  CIS",
        "    CIS_ID: 0x02",
        "    Max_SDU_C_To_P: 100",
        "    Max_SDU_P_To_C: 100",
        "    PHY_C_To_P: 0x02: LE 2M",
        "    PHY_P_To_C: 0x02: LE 2M",
        "    RTN_C_To_P: 5",
        "    RTN_P_To_C: 5",
      ]),
    Vector(
      "Vol 4, Part E, 7.8.109", .record(.command),
      "6e 20 0d 60 00 00 00 03 00 00 00 00 00 00 00 00",
      [
        "HCI Command",
        "  Opcode: HCI_LE_Setup_ISO_Data_Path (0x206e)",
        "  Parameter Total Length: 13",
        "  Connection_Handle: 0x0060",
        "  Data_Path_Direction: Input (Host to Controller) (0)",
        "  Data_Path_ID: HCI (0x00)",
        "  Codec_ID",
        "    Coding_Format: Transparent (0x03)",
        "    Company_ID: 0x0000",
        "    Vendor-Defined_Codec_ID: 0x0000",
        "  Controller_Delay: 0 (0 µs)",
        "  Codec_Configuration_Length: 0",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  @Test func advertisingDataEndsAtItsLength() {
    let bytes: [UInt8] =
      [0x08, 0x20, 0x20, 0x03, 0x02, 0x01, 0x06] + [UInt8](repeating: 0, count: 28)
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .record(.command), Context(), into: &tree)
    #expect(tree.node(HCIParameters.shared.advertising.data)?.range == 4..<7)
    #expect(tree.node(HCIParameters.shared.padding)?.range == 7..<35)
    #expect(Laws.violations(bytes, .record(.command), Context()) == [])
  }
}
