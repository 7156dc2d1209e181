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

  static let vectors = [
    Vector(
      "source.android.com, HCI requirements: LE_Get_Vendor_Capabilities", .record(.command),
      "53fd00",
      [
        "HCI Command", "  Opcode: LE_Get_Vendor_Capabilities (0xfd53)",
        "  Parameter Total Length: 0",
      ]),
    Vector(
      "source.android.com, HCI requirements: APCF, a local name added", .record(.command),
      "57fd08 05 00 01 4361666531",
      [
        "HCI Command", "  Opcode: LE_APCF (0xfd57)", "  Parameter Total Length: 8",
        "  APCF_opcode: Local name (0x05)", "  APCF_Action: Add (0)", "  APCF_Filter_Index: 1",
        "  APCF_Local_Name: \"Cafe1\"",
      ]),
    Vector(
      "source.android.com, HCI requirements: energy info", .record(.event),
      "0e14 01 59fd 00 10000000 20000000 30000000 40000000",
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
