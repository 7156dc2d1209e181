/// Commands and events of the Linux Bluetooth management interface, named as by btmon; what it
/// does not know yet, as in BlueZ's documentation of the interface (mgmt-api).
enum ManagementNames {
  static let commands: [UInt64: StaticString] = [
    0x01: "Read Management Version Information", 0x02: "Read Management Supported Commands",
    0x03: "Read Controller Index List", 0x04: "Read Controller Information", 0x05: "Set Powered",
    0x06: "Set Discoverable", 0x07: "Set Connectable", 0x08: "Set Fast Connectable",
    0x09: "Set Bondable", 0x0A: "Set Link Security", 0x0B: "Set Secure Simple Pairing",
    0x0C: "Set High Speed", 0x0D: "Set Low Energy", 0x0E: "Set Device Class",
    0x0F: "Set Local Name", 0x10: "Add UUID", 0x11: "Remove UUID", 0x12: "Load Link Keys",
    0x13: "Load Long Term Keys", 0x14: "Disconnect", 0x15: "Get Connections",
    0x16: "PIN Code Reply", 0x17: "PIN Code Negative Reply", 0x18: "Set IO Capability",
    0x19: "Pair Device", 0x1A: "Cancel Pair Device", 0x1B: "Unpair Device",
    0x1C: "User Confirmation Reply", 0x1D: "User Confirmation Negative Reply",
    0x1E: "User Passkey Reply", 0x1F: "User Passkey Negative Reply",
    0x20: "Read Local Out Of Band Data", 0x21: "Add Remote Out Of Band Data",
    0x22: "Remove Remote Out Of Band Data", 0x23: "Start Discovery", 0x24: "Stop Discovery",
    0x25: "Confirm Name", 0x26: "Block Device", 0x27: "Unblock Device", 0x28: "Set Device ID",
    0x29: "Set Advertising", 0x2A: "Set BR/EDR", 0x2B: "Set Static Address",
    0x2C: "Set Scan Parameters", 0x2D: "Set Secure Connections", 0x2E: "Set Debug Keys",
    0x2F: "Set Privacy", 0x30: "Load Identity Resolving Keys", 0x31: "Get Connection Information",
    0x32: "Get Clock Information", 0x33: "Add Device", 0x34: "Remove Device",
    0x35: "Load Connection Parameters", 0x36: "Read Unconfigured Controller Index List",
    0x37: "Read Controller Configuration Information", 0x38: "Set External Configuration",
    0x39: "Set Public Address", 0x3A: "Start Service Discovery",
    0x3B: "Read Local Out Of Band Extended Data", 0x3C: "Read Extended Controller Index List",
    0x3D: "Read Advertising Features", 0x3E: "Add Advertising", 0x3F: "Remove Advertising",
    0x40: "Get Advertising Size Information", 0x41: "Start Limited Discovery",
    0x42: "Read Extended Controller Information", 0x43: "Set Appearance",
    0x44: "Get PHY Configuration", 0x45: "Set PHY Configuration", 0x46: "Load Blocked Keys",
    0x47: "Set Wideband Speech", 0x48: "Read Controller Capabilities",
    0x49: "Read Experimental Features Information", 0x4A: "Set Experimental Feature",
    0x4B: "Read Default System Configuration", 0x4C: "Set Default System Configuration",
    0x4D: "Read Default Runtime Configuration", 0x4E: "Set Default Runtime Configuration",
    0x4F: "Get Device Flags", 0x50: "Set Device Flags",
    0x51: "Read Advertisement Monitor Features", 0x52: "Add Advertisement Patterns Monitor",
    0x53: "Remove Advertisement Monitor", 0x54: "Add Extended Advertising Parameters",
    0x55: "Add Extended Advertising Data",
    0x56: "Add Advertisement Patterns Monitor With RSSI Threshold", 0x57: "Set Mesh Receiver",
    0x58: "Read Mesh Features", 0x59: "Mesh Send", 0x5A: "Mesh Send Cancel",
    0x5B: "Send HCI command and wait for event", 0x5C: "Load Connection Subrate",
  ]

  static let events: [UInt64: StaticString] = [
    0x01: "Command Complete", 0x02: "Command Status", 0x03: "Controller Error",
    0x04: "Index Added", 0x05: "Index Removed", 0x06: "New Settings",
    0x07: "Class Of Device Changed", 0x08: "Local Name Changed", 0x09: "New Link Key",
    0x0A: "New Long Term Key", 0x0B: "Device Connected", 0x0C: "Device Disconnected",
    0x0D: "Connect Failed", 0x0E: "PIN Code Request", 0x0F: "User Confirmation Request",
    0x10: "User Passkey Request", 0x11: "Authentication Failed", 0x12: "Device Found",
    0x13: "Discovering", 0x14: "Device Blocked", 0x15: "Device Unblocked", 0x16: "Device Unpaired",
    0x17: "Passkey Notify", 0x18: "New Identity Resolving Key",
    0x19: "New Signature Resolving Key", 0x1A: "Device Added", 0x1B: "Device Removed",
    0x1C: "New Connection Parameter", 0x1D: "Unconfigured Index Added",
    0x1E: "Unconfigured Index Removed", 0x1F: "New Configuration Options",
    0x20: "Extended Index Added", 0x21: "Extended Index Removed",
    0x22: "Local Out Of Band Extended Data Updated", 0x23: "Advertising Added",
    0x24: "Advertising Removed", 0x25: "Extended Controller Information Changed",
    0x26: "PHY Configuration Changed", 0x27: "Experimental Feature Changed",
    0x28: "Default System Configuration Changed", 0x29: "Default Runtime Configuration Changed",
    0x2A: "Device Flags Changed", 0x2B: "Advertisement Monitor Added",
    0x2C: "Advertisement Monitor Removed", 0x2D: "Controller Suspended", 0x2E: "Controller Resumed",
    0x2F: "ADV Monitor Device Found", 0x30: "ADV Monitor Device Lost",
    0x31: "Mesh Device Found", 0x32: "Mesh Packet Complete", 0x33: "Connection Subrate",
  ]

  /// Commands with keys, PIN codes or Out Of Band data among their parameters or in their answers.
  static let commandsWithKeys: Set<UInt16> = [
    0x12, 0x13, 0x16, 0x20, 0x21, 0x2F, 0x30, 0x3B, 0x46, 0x5B,
  ]
  static let eventsWithKeys: Set<UInt16> = [0x09, 0x0A, 0x18, 0x19, 0x22]
}
