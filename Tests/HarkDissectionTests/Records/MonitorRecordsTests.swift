import HarkCore
import Testing

@testable import HarkDissection

@Suite struct MonitorRecordsTests {
  /// Every command and event of the interface, up to that of August 2026, has a row; what may hold keys
  /// that a later one does not name stays secret as a whole.
  @Test func everyManagementCodeHasARow() {
    let commands = Set(
      (ManagementCommands.commands + ManagementCommands.laterCommands).map(\.code))
    let named = Set(ManagementNames.commands.keys.map { UInt16($0) })
    #expect(named == commands)
    let events = Set(ManagementEvents.events.map(\.code))
    #expect(
      Set(ManagementNames.events.keys.map { UInt16($0) }).subtracting(events) == [0x01, 0x02])
    #expect(ManagementNames.commandsWithKeys.isSuperset(of: [0x3B, 0x5B]))
    #expect(ManagementNames.eventsWithKeys.contains(0x22))
    for row in ManagementCommands.commands + ManagementCommands.laterCommands {
      #expect(ManagementNames.commands[UInt64(row.code)]?.description == row.name.description)
    }
    for row in ManagementEvents.events {
      #expect(ManagementNames.events[UInt64(row.code)]?.description == row.name.description)
    }
  }

  /// What `hark redact` takes out by field: nothing else says that these octets are a name.
  @Test func namesAndPasskeysArePersonal() {
    let m = MonitorRecord.shared.management
    for field in [m.mgmtName, m.mgmtShortName] { #expect(field.definition.personal == .name) }
    for field in [m.mgmtPasskey, m.mgmtNumericValue] {
      #expect(field.definition.personal == .passkey)
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
    Vector(
      "BlueZ's mgmt-api: Load Connection Subrate", .record(.controlCommand),
      "01 00 00 00 5c 00 01 00 01 00 00 de c0 00 01 08 00 10 00 01 00 04 00 00 00 01 00 90 01",
      [
        "Control Command",
        "  Cookie: 0x00000001",
        "  Opcode: Load Connection Subrate (0x005c)",
        "  Param_Count: 1",
        "  Connection parameters",
        "    Address: 00:C0:DE:00:00:01",
        "    Address_Type: LE Public (1)",
        "    Min_Connection_Interval: 8 (1 ms)",
        "    Max_Connection_Interval: 16 (2 ms)",
        "    Subrate_Min: 1",
        "    Subrate_Max: 4",
        "    Max_Latency: 0",
        "    Continuation_Number: 1",
        "    Supervision_Timeout: 400 (4000 ms)",
      ]),
    Vector(
      "BlueZ's mgmt-api: Connection Subrate", .record(.controlEvent),
      "01 00 00 00 33 00 01 00 00 de c0 00 01 00 08 00 02 00 00 00 01 00 90 01",
      [
        "Control Event",
        "  Cookie: 0x00000001",
        "  Event: Connection Subrate (0x0033)",
        "  Address: 00:C0:DE:00:00:01",
        "  Address_Type: LE Public (1)",
        "  Status: Success (0x00)",
        "  Interval: 8 (1 ms)",
        "  Subrate: 2",
        "  Connection_Latency: 0",
        "  Continuation_Number: 1",
        "  Supervision_Timeout: 400 (4000 ms)",
      ]),
    Vector(
      "BlueZ's mgmt-api: Send HCI command and wait for event, HCI_LE_Rand",
      .record(.controlCommand),
      "01 00 00 00 5b 00 18 20 00 02 01 00 07",
      [
        "Control Command",
        "  Cookie: 0x00000001",
        "  Opcode: Send HCI command and wait for event (0x005b)",
        "  Opcode: HCI_LE_Rand (0x2018)",
        "  Event: Command Complete or Command Status (0x00)",
        "  Timeout: 2 s",
        "  Parameter Length: 1",
        "  Parameter: 1 secret byte",
      ]),
    Vector(
      "BlueZ's mgmt-api: Read Management Supported Commands", .record(.controlEvent),
      "01 00 00 00 01 00 02 00 00 01 00 01 00 05 00 06 00",
      [
        "Control Event",
        "  Cookie: 0x00000001",
        "  Event: Command Complete (0x0001)",
        "  Command Opcode: Read Management Supported Commands (0x0002)",
        "  Status: Success (0x00)",
        "  Num_Of_Commands: 1",
        "  Num_Of_Events: 1",
        "  Command: Set Powered (0x0005)",
        "  Event: New Settings (0x0006)",
      ]),
    Vector(
      "BlueZ's mgmt-api: Read Controller Capabilities", .record(.controlEvent),
      "01 00 00 00 01 00 48 00 00 0a 00 02 01 03 02 02 10 03 04 d8 0a",
      [
        "Control Event",
        "  Cookie: 0x00000001",
        "  Event: Command Complete (0x0001)",
        "  Command Opcode: Read Controller Capabilities (0x0048)",
        "  Status: Success (0x00)",
        "  Capabilities_Data_Length: 10",
        "  Capability",
        "    Length: 2",
        "    Data Type: Flags (0x01)",
        "    Flags: 0x03: Remote public key validation (BR/EDR), Remote public key validation (LE)",
        "  Capability",
        "    Length: 2",
        "    Data Type: Max Encryption Key Size (BR/EDR) (0x02)",
        "    Max Encryption Key Size: 16",
        "  Capability",
        "    Length: 3",
        "    Data Type: Supported TX Power (LE) (0x04)",
        "    Min TX Power: -40 dBm",
        "    Max TX Power: 10 dBm",
      ]),
    Vector(
      "BlueZ's mgmt-api: Set Default System Configuration", .record(.controlCommand),
      "01 00 00 00 4c 00 17 00 02 18 00",
      [
        "Control Command",
        "  Cookie: 0x00000001",
        "  Opcode: Set Default System Configuration (0x004c)",
        "  Parameter",
        "    Parameter_Type: LE Min Connection Interval (0x0017)",
        "    Value_Length: 2",
        "    Value: 1800",
      ]),
    Vector(
      "BlueZ's mgmt-api: Add Advertising, with scan response data", .record(.controlCommand),
      "01 00 00 00 3e 00 01 02 00 00 00 00 00 00 00 03 03 02 01 06 02 0a 00",
      [
        "Control Command",
        "  Cookie: 0x00000001",
        "  Opcode: Add Advertising (0x003e)",
        "  Instance: 1",
        "  Flags: 0x00000002: Advertise as discoverable",
        "  Duration: 0 s",
        "  Timeout: 0 s",
        "  Adv_Data_Len: 3",
        "  Scan_Rsp_Len: 3",
        "  Adv_Data",
        "    Advertising Data",
        "      AD Structure",
        "        Length: 2",
        "        AD Type: Flags (0x01)",
        "        Flags: 0x06: LE General Discoverable Mode, BR/EDR Not Supported",
        "  Scan_Rsp",
        "    Advertising Data",
        "      AD Structure",
        "        Length: 2",
        "        AD Type: Tx Power Level (0x0a)",
        "        Tx Power Level: 0 dBm",
      ]),
    Vector(
      "BlueZ's mgmt-api: Read Local Out Of Band Extended Data stays secret", .record(.controlEvent),
      "01 00 00 00 01 00 3b 00 00 06 03 00 02 1c 00",
      [
        "Control Event",
        "  Cookie: 0x00000001",
        "  Event: Command Complete (0x0001)",
        "  Command Opcode: Read Local Out Of Band Extended Data (0x003b)",
        "  Status: Success (0x00)",
        "  Address_Type: 0x06: LE Public, LE Random",
        "  EIR_Data_Length: 3",
        "  EIR_Data: 3 secret bytes",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
