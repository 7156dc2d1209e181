import HarkCore
import Testing

@testable import HarkDissection

@Suite struct MonitorRecordsTests {
  /// Every command and event of the interface up to 5.66's has a row; what may hold keys that no row
  /// names stays secret as a whole.
  @Test func everyManagementCodeHasARow() {
    let commands = Set(
      (ManagementCommands.commands + ManagementCommands.laterCommands).map(\.code))
    let named = Set(ManagementNames.commands.keys.map { UInt16($0) })
    #expect(named.subtracting(commands) == [0x3B, 0x5B])
    let events = Set(ManagementEvents.events.map(\.code))
    #expect(
      Set(ManagementNames.events.keys.map { UInt16($0) }).subtracting(events) == [0x01, 0x02, 0x22])
    #expect(ManagementNames.commandsWithKeys.isSuperset(of: [0x3B, 0x5B]))
    #expect(ManagementNames.eventsWithKeys.contains(0x22))
    for row in ManagementCommands.commands + ManagementCommands.laterCommands {
      #expect(ManagementNames.commands[UInt64(row.code)]?.description == row.name.description)
    }
    for row in ManagementEvents.events {
      #expect(ManagementNames.events[UInt64(row.code)]?.description == row.name.description)
    }
  }

  static let vectors = [
    Vector(
      "The kernel's hci_mon.h: new index", .record(.newIndex),
      "00 01 01 00 00 de c0 00 68 63 69 30 00 00 00 00",
      [
        "New Index", "  Controller Type: Primary (0)", "  Bus: USB (1)",
        "  BD_ADDR: 00:C0:DE:00:00:01", "  Name: \"hci0\"",
      ]),
    Vector(
      "The kernel's hci_mon.h: delete index", .record(.deleteIndex), "",
      [
        "Delete Index"
      ]),
    Vector(
      "The kernel's hci_mon.h: open index", .record(.openIndex), "",
      [
        "Open Index"
      ]),
    Vector(
      "The kernel's hci_mon.h: close index", .record(.closeIndex), "",
      [
        "Close Index"
      ]),
    Vector(
      "The kernel's hci_mon.h: index information", .record(.indexInfo), "01 00 00 de c0 00 02 00",
      [
        "Index Information", "  BD_ADDR: 00:C0:DE:00:00:01", "  Manufacturer: Intel Corp. (0x0002)",
      ]),
    Vector(
      "The kernel's hci_mon.h: vendor diagnostic", .record(.vendorDiagnostic), "0a 0b",
      [
        "Vendor Diagnostic", "  Data: 0a0b",
      ]),
    Vector(
      "The kernel's hci_mon.h: system note", .record(.systemNote), "4c 69 6e 75 78 20 36 2e 31 00",
      [
        "System Note", "  Text: \"Linux 6.1\"",
      ]),
    Vector(
      "The kernel's hci_mon.h: user logging", .record(.userLogging),
      "06 0b 62 6c 75 65 74 6f 6f 74 68 64 00 73 74 61 72 74 65 64 00",
      [
        "User Logging", "  Priority: Info (6)", "  Ident Length: 11", "  Ident: \"bluetoothd\"",
        "  Text: \"started\"",
      ]),
    Vector(
      "The kernel's hci_mon.h: control open", .record(.controlOpen),
      "01 00 00 00 02 00 01 16 00 01 00 00 00 06 62 74 6d 67 6d 74",
      [
        "Control Open", "  Cookie: 0x00000001", "  Format: Control (2)", "  Version: 1",
        "  Revision: 22", "  Flags: 0x00000001: Trusted socket", "  Ident Length: 6",
        "  Ident: \"btmgmt\"",
      ]),
    Vector(
      "The kernel's hci_mon.h: control close", .record(.controlClose), "01 00 00 00",
      [
        "Control Close", "  Cookie: 0x00000001",
      ]),
    Vector(
      "The kernel's hci_mon.h: control command, Set Powered", .record(.controlCommand),
      "01 00 00 00 05 00 01",
      [
        "Control Command", "  Cookie: 0x00000001", "  Opcode: Set Powered (0x0005)",
        "  Powered: Enabled (1)",
      ]),
    Vector(
      "The kernel's hci_mon.h: control event, Command Complete", .record(.controlEvent),
      "01 00 00 00 01 00 05 00 00 01 00 00 00",
      [
        "Control Event", "  Cookie: 0x00000001", "  Event: Command Complete (0x0001)",
        "  Command Opcode: Set Powered (0x0005)", "  Status: Success (0x00)",
        "  Current_Settings: 0x00000001: Powered",
      ]),
    // mgmt-api: Device Found has Address, Address_Type, RSSI, Flags and EIR_Data with its length.
    Vector(
      "BlueZ's mgmt-api: control event, Device Found", .record(.controlEvent),
      "01 00 00 00 12 00 01 00 00 de c0 00 01 c4 04 00 00 00 03 00 02 01 06",
      [
        "Control Event", "  Cookie: 0x00000001", "  Event: Device Found (0x0012)",
        "  Address: 00:C0:DE:00:00:01", "  Address_Type: LE Public (1)", "  RSSI: -60 dBm",
        "  Flags: 0x00000004: Not Connectable", "  EIR_Data_Length: 3", "  EIR_Data",
        "    Advertising Data", "      AD Structure", "        Length: 2",
        "        AD Type: Flags (0x01)",
        "        Flags: 0x06: LE General Discoverable Mode, BR/EDR Not Supported",
      ]),
    Vector(
      "BlueZ's mgmt-api: control command, Load Identity Resolving Keys", .record(.controlCommand),
      "01 00 00 00 30 00 01 00 01 00 00 de c0 00 01 000102030405060708090a0b0c0d0e0f",
      [
        "Control Command", "  Cookie: 0x00000001",
        "  Opcode: Load Identity Resolving Keys (0x0030)", "  Key_Count: 1", "  Key",
        "    Address: 00:C0:DE:00:00:01", "    Address_Type: LE Public (1)",
        "    Value: 16 secret bytes",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
