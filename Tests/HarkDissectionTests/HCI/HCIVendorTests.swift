import HarkCore
import Testing

@testable import HarkDissection

/// Commands and events of vendors: which table is asked depends on who made the Controller.
@Suite struct HCIVendorTests {
  private static func of(_ manufacturer: UInt16) -> Context {
    var context = Context()
    context.manufacturer = manufacturer
    return context
  }

  /// As version 0.95 has them.
  private static func capabilities(_ length: Int) -> [String] {
    [
      "HCI Event", "  Event Code: HCI_Command_Complete (0x0e)",
      "  Parameter Total Length: \(length)",
      "  Num HCI Command Packets: 1", "  Command Opcode: LE_Get_Vendor_Capabilities (0xfd53)",
      "  Status: Success (0x00)", "  max_advt_instances: 16",
      "  offloaded_resolution_of_private_address: Yes (1)",
      "  total_scan_results_storage: 5120 octets", "  max_irk_list_sz: 32",
      "  filtering_support: Yes (1)", "  max_filter: 16",
      "  activity_energy_info_support: Yes (1)", "  version_supported: 0x0062",
      "  total_num_of_advt_tracked: 16", "  extended_scan_support: Yes (1)",
      "  debug_logging_supported: Yes (1)",
    ]
  }

  static let vectors = [
    Vector(
      "source.android.com, HCI requirements: LE_Get_Vendor_Capabilities", .record(.command),
      "53fd00", context: of(0x001D),
      [
        "HCI Command", "  Opcode: LE_Get_Vendor_Capabilities (0xfd53)",
        "  Parameter Total Length: 0",
      ]),
    Vector(
      "Capabilities of a Qualcomm Controller in a phone of 2026: four octets fit no version",
      .record(.event),
      "0e16 01 53fd 00 10 01 0014 20 01 10 01 6200 1000 01 01 1f000000", context: of(0x001D),
      capabilities(22) + ["  Further capabilities: 1f000000"]),
    Vector(
      "source.android.com, HCI requirements: capabilities of version 0.98", .record(.event),
      "0e18 01 53fd 00 10 01 0014 20 01 10 01 6200 1000 01 01 00 1f000000 01", context: of(0x001D),
      capabilities(24) + [
        "  LE_address_generation_offloading_support: No (0)",
        "  A2DP_source_offload_capability_mask: 0x0000001f: SBC, AAC, aptX, aptX HD, LDAC",
        "  bluetooth_quality_report_support: Yes (1)",
      ]),
    Vector(
      "source.android.com, HCI requirements: APCF, a local name added", .record(.command),
      "57fd08 05 00 01 4361666531", context: of(0x001D),
      [
        "HCI Command", "  Opcode: LE_APCF (0xfd57)", "  Parameter Total Length: 8",
        "  APCF_opcode: Local name (0x05)", "  APCF_Action: Add (0)", "  APCF_Filter_Index: 1",
        "  APCF_Local_Name: \"Cafe1\"",
      ]),
    Vector(
      "source.android.com, HCI requirements: energy info", .record(.event),
      "0e14 01 59fd 00 10000000 20000000 30000000 40000000", context: of(0x001D),
      [
        "HCI Event", "  Event Code: HCI_Command_Complete (0x0e)", "  Parameter Total Length: 20",
        "  Num HCI Command Packets: 1",
        "  Command Opcode: LE_Get_Controller_Activity_Energy_Info (0xfd59)",
        "  Status: Success (0x00)", "  total_tx_time_ms: 16 ms", "  total_rx_time_ms: 32 ms",
        "  total_idle_time_ms: 48 ms", "  total_energy_used: 64 µA · V · ms",
      ]),
    Vector(
      "Broadcom's: 0xFC01 is Write BD ADDR", .record(.command), "01fc06 010000dec000",
      context: of(0x000F),
      [
        "HCI Command", "  Opcode: Broadcom Write BD ADDR (0xfc01)", "  Parameter Total Length: 6",
        "  BD_ADDR: 00:C0:DE:00:00:01",
      ]),
    Vector(
      "Zephyr's hci_vs.h: 0xFC01 is Read_Version_Information", .record(.event),
      "0e10 01 01fc 00 0200 0200 01 04 0300 07000000", context: of(0x05F1),
      [
        "HCI Event", "  Event Code: HCI_Command_Complete (0x0e)", "  Parameter Total Length: 16",
        "  Num HCI Command Packets: 1",
        "  Command Opcode: Zephyr Read_Version_Information (0xfc01)", "  Status: Success (0x00)",
        "  Hardware_Platform: Nordic Semiconductor (0x0002)", "  Hardware_Variant: 0x0002",
        "  Firmware_Variant: Standard Controller (0x01)", "  Firmware_Version: 4",
        "  Firmware_Revision: 3", "  Firmware_Build: 0x00000007",
      ]),
    Vector(
      "btmon: Intel Read Version of an earlier Controller", .record(.event),
      "0e0d 01 05fc 00 37 08 10 23 10 00 00 00 00", context: of(0x0002),
      [
        "HCI Event",
        "  Event Code: HCI_Command_Complete (0x0e)",
        "  Parameter Total Length: 13",
        "  Num HCI Command Packets: 1",
        "  Command Opcode: Intel Read Version (0xfc05)",
        "  Status: Success (0x00)",
        "  Hardware_Platform: 0x37",
        "  Hardware_Variant: 0x08",
        "  Hardware_Revision: 0x10",
        "  Firmware_Variant: 0x23",
        "  Firmware_Revision: 0x10",
        "  Firmware_Build_Number: 0",
        "  Firmware_Build_Week: 0",
        "  Firmware_Build_Year: 0 years since 2000",
        "  Firmware_Patch: 0",
      ]),
    Vector(
      "btmon: Intel Read Version of a later Controller", .record(.event),
      "0e0d 01 05fc 00 10 04 00010203 1c 01 03", context: of(0x0002),
      [
        "HCI Event",
        "  Event Code: HCI_Command_Complete (0x0e)",
        "  Parameter Total Length: 13",
        "  Num HCI Command Packets: 1",
        "  Command Opcode: Intel Read Version (0xfc05)",
        "  Status: Success (0x00)",
        "  Version",
        "    Type: CNVi TOP (0x10)",
        "    Length: 4",
        "    Version_Data: 00010203",
        "  Version",
        "    Type: Image type (0x1c)",
        "    Length: 1",
        "    Version_Data: 03",
      ]),
    Vector(
      "btmon: Intel Fatal Exception", .record(.event), "ff05 01 2a01 05 07", context: of(0x0002),
      [
        "HCI Event",
        "  Event Code: Vendor-Specific (0xff)",
        "  Parameter Total Length: 5",
        "  Subevent Code: Intel Fatal Exception (0x01)",
        "  Line: 298",
        "  Module: LM (0x05)",
        "  Reason: 0x07",
      ]),
    Vector(
      "btmon: Intel Extended Telemetry", .record(.event), "ff09 87 80 03 4b 04 07000000",
      context: of(0x0002),
      [
        "HCI Event",
        "  Event Code: Vendor-Specific (0xff)",
        "  Parameter Total Length: 9",
        "  Subevent Code: Microsoft extension (0x87)",
        "  Second octet of the prefix: 0x80",
        "  Microsoft_event_code: Extended Telemetry of Intel (0x03)",
        "  Telemetry",
        "    Type: HEC errors (0x4b)",
        "    Length: 4",
        "    Value: 07000000",
      ]),
    Vector(
      "btmon: Broadcom Enable WBS", .record(.command), "7efc03 01 0200", context: of(0x000F),
      [
        "HCI Command",
        "  Opcode: Broadcom Enable WBS (0xfc7e)",
        "  Parameter Total Length: 3",
        "  WBS: Enabled (1)",
        "  Codec: mSBC (2)",
      ]),
    Vector(
      "btmon: Broadcom Read Raw RSSI", .record(.event), "0e07 01 48fc 00 0b00 c4",
      context: of(0x000F),
      [
        "HCI Event",
        "  Event Code: HCI_Command_Complete (0x0e)",
        "  Parameter Total Length: 7",
        "  Num HCI Command Packets: 1",
        "  Command Opcode: Broadcom Read Raw RSSI (0xfc48)",
        "  Status: Success (0x00)",
        "  Connection_Handle: 0x000b",
        "  RSSI: -60 dBm",
      ]),
    Vector(
      "source.android.com, HCI requirements: audio buffer times", .record(.event),
      "0e0f 01 5ffd 00 01 01000000 1400 2800 0a00", context: of(0x001D),
      [
        "HCI Event",
        "  Event Code: HCI_Command_Complete (0x0e)",
        "  Parameter Total Length: 15",
        "  Num HCI Command Packets: 1",
        "  Command Opcode: Dynamic_Audio_Buffer (0xfd5f)",
        "  Status: Success (0x00)",
        "  Dynamic_Audio_Buffer_opcode: Get audio buffer time capability (0x01)",
        "  Audio_Codec_Type_Supported: 0x00000001: SBC",
        "  Audio_Codec_Buffer_Times",
        "    Default_Time: 20 ms",
        "    Maximum_Time: 40 ms",
        "    Minimum_Time: 10 ms",
      ]),
    Vector(
      "AOSP's BqrEnergyMonitorEvent of version 5", .record(.event),
      "ff3658060500010000000100000002000000020000000300000003000000fe04000000040000000500000005000000080600000006000000",
      context: of(0x001D),
      [
        "HCI Event",
        "  Event Code: Vendor-Specific (0xff)",
        "  Parameter Total Length: 54",
        "  Subevent Code: Bluetooth_Quality_Report (0x58)",
        "  Quality_Report_Id: Energy monitoring (0x06)",
        "  Average_Current_Consumption: 5 mA",
        "  Idle_Total_Time: 1 ms",
        "  Idle_State_Enter_Count: 1",
        "  Active_Total_Time: 2 ms",
        "  Active_State_Enter_Count: 2",
        "  BR_EDR_TX_Total_Time: 3 ms",
        "  BR_EDR_TX_State_Enter_Count: 3",
        "  BR_EDR_TX_Average_Power_Level: -2 dBm",
        "  BR_EDR_RX_Total_Time: 4 ms",
        "  BR_EDR_RX_State_Enter_Count: 4",
        "  LE_TX_Total_Time: 5 ms",
        "  LE_TX_State_Enter_Count: 5",
        "  LE_TX_Average_Power_Level: 8 dBm",
        "  LE_RX_Total_Time: 6 ms",
        "  LE_RX_State_Enter_Count: 6",
      ]),
    Vector(
      "Android's number, while nobody knows who made the Controller", .record(.command), "53fd00",
      [
        "HCI Command", "  Opcode: Vendor-Specific (0xfd53)", "  Parameter Total Length: 0",
      ]),
    Vector(
      "Texas Instruments has commands of its own there: HCI_VS_BLE_Enable", .record(.command),
      "5bfd02 0101", context: of(0x000D),
      [
        "HCI Command", "  Opcode: Vendor-Specific (0xfd5b)", "  Parameter Total Length: 2",
        "  Parameters: 0101",
      ]),
    Vector(
      "MediaTek has a command of its own under the number of Dynamic_Audio_Buffer",
      .record(.command), "5ffd02 0100", context: of(0x0046),
      [
        "HCI Command", "  Opcode: Vendor-Specific (0xfd5f)", "  Parameter Total Length: 2",
        "  Parameters: 0100",
      ]),
    Vector(
      "An opcode of nobody that is known", .record(.command), "01fc02 0102",
      [
        "HCI Command", "  Opcode: Vendor-Specific (0xfc01)", "  Parameter Total Length: 2",
        "  Parameters: 0102",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  @Test func microsoftUnderIntelsPrefix() {
    let bytes = Hex.bytes("ff0c 87 80 02 00 010000dec000 05 01".replacing(" ", with: "")) ?? []
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .record(.event), Self.of(0x0002), into: &tree)
    let lines = Catalog.shared.lines(tree, of: bytes.raw)
    #expect(lines.contains("  Microsoft_event_code: MSFT_LE_Monitor_Device_Event (0x02)"))
    #expect(lines.contains("  BD_ADDR: 00:C0:DE:00:00:01"))
    #expect(lines.contains("  Monitor_state: Monitored (1)"))
  }
}
