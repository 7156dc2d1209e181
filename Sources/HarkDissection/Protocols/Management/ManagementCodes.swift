/// What the codes in parameters of the Linux Bluetooth management interface mean (mgmt-api).
enum ManagementCodes {
  typealias Names = [UInt64: StaticString]

  static let statuses: Names = [
    0x00: "Success", 0x01: "Unknown Command", 0x02: "Not Connected", 0x03: "Failed",
    0x04: "Connect Failed", 0x05: "Authentication Failed", 0x06: "Not Paired",
    0x07: "No Resources", 0x08: "Timeout", 0x09: "Already Connected", 0x0A: "Busy",
    0x0B: "Rejected", 0x0C: "Not Supported", 0x0D: "Invalid Parameters", 0x0E: "Disconnected",
    0x0F: "Not Powered", 0x10: "Cancelled", 0x11: "Invalid Index", 0x12: "RFKilled",
    0x13: "Already Paired", 0x14: "Permission Denied",
  ]
  static let settings: Names = [
    0: "Powered", 1: "Connectable", 2: "Fast Connectable", 3: "Discoverable", 4: "Bondable",
    5: "Link Level Security", 6: "Secure Simple Pairing", 7: "BR/EDR", 8: "High Speed",
    9: "Low Energy", 10: "Advertising", 11: "Secure Connections", 12: "Debug Keys",
    13: "Privacy", 14: "Controller Configuration", 15: "Static Address",
    16: "PHY Configuration", 17: "Wideband Speech", 18: "CIS Central", 19: "CIS Peripheral",
    20: "ISO Broadcaster", 21: "ISO Sync Receiver", 22: "LL Privacy", 23: "PAST Sender",
    24: "PAST Receiver", 25: "Shorter Connection Interval",
  ]
  static let longTermKeys: Names = [
    0: "Unauthenticated legacy key", 1: "Authenticated legacy key",
    2: "Unauthenticated key from P-256", 3: "Authenticated key from P-256",
    4: "Debug key from P-256",
  ]
  static let ioCapabilities: Names = [
    0: "DisplayOnly", 1: "DisplayYesNo", 2: "KeyboardOnly", 3: "NoInputNoOutput",
    4: "KeyboardDisplay",
  ]
  static let options: Names = [0: "External configuration", 1: "Bluetooth public address"]
  static let advertisingFlags: Names = [
    0: "Switch into connectable mode", 1: "Advertise as discoverable",
    2: "Advertise as limited discoverable", 3: "Add Flags field", 4: "Add TX Power field",
    5: "Add Appearance field", 6: "Add Local Name in scan response", 7: "Secondary channel LE 1M",
    8: "Secondary channel LE 2M", 9: "Secondary channel LE Coded", 10: "Indicate TX Power",
    11: "Hardware offload", 12: "Duration is given", 13: "Timeout is given",
    14: "Intervals are given", 15: "TX Power is given", 16: "Scan response will follow",
  ]
  static let phys: Names = [
    0: "BR 1M 1-slot", 1: "BR 1M 3-slot", 2: "BR 1M 5-slot", 3: "EDR 2M 1-slot",
    4: "EDR 2M 3-slot", 5: "EDR 2M 5-slot", 6: "EDR 3M 1-slot", 7: "EDR 3M 3-slot",
    8: "EDR 3M 5-slot", 9: "LE 1M TX", 10: "LE 1M RX", 11: "LE 2M TX", 12: "LE 2M RX",
    13: "LE Coded TX", 14: "LE Coded RX",
  ]
  static let deviceFlags: Names = [
    0: "Remote Wakeup enabled", 1: "Device Privacy Mode enabled", 2: "Address Resolution enabled",
    3: "Periodic Advertising Sync Transfer enabled",
  ]
  static let foundFlags: Names = [
    0: "Confirm Name", 1: "Legacy Pairing", 2: "Not Connectable",
    3: "Connection Locally Initiated", 4: "Name Request Failed", 5: "Scan Response",
  ]
  static let reasons: Names = [
    0: "Unspecified", 1: "Connection timeout", 2: "Connection terminated by local host",
    3: "Connection terminated by remote host",
    4: "Connection terminated due to authentication failure",
    5: "Connection terminated by local host for suspend",
  ]
  /// Read Default System Configuration.
  static let configuration: Names = [
    0x00: "BR/EDR Page Scan Type",
    0x01: "BR/EDR Page Scan Interval",
    0x02: "BR/EDR Page Scan Window",
    0x03: "BR/EDR Inquiry Scan Type",
    0x04: "BR/EDR Inquiry Scan Interval",
    0x05: "BR/EDR Inquiry Scan Window",
    0x06: "BR/EDR Link Supervision Timeout",
    0x07: "BR/EDR Page Timeout",
    0x08: "BR/EDR Min Sniff Interval",
    0x09: "BR/EDR Max Sniff Interval",
    0x0A: "LE Advertisement Min Interval",
    0x0B: "LE Advertisement Max Interval",
    0x0C: "LE Multi Advertisement Rotation Interval",
    0x0D: "LE Scanning Interval for auto connect",
    0x0E: "LE Scanning Window for auto connect",
    0x0F: "LE Scanning Interval for wake scenarios",
    0x10: "LE Scanning Window for wake scenarios",
    0x11: "LE Scanning Interval for discovery",
    0x12: "LE Scanning Window for discovery",
    0x13: "LE Scanning Interval for adv monitoring",
    0x14: "LE Scanning Window for adv monitoring",
    0x15: "LE Scanning Interval for connect",
    0x16: "LE Scanning Window for connect",
    0x17: "LE Min Connection Interval",
    0x18: "LE Max Connection Interval",
    0x19: "LE Connection Latency",
    0x1A: "LE Connection Supervision Timeout",
    0x1B: "LE Autoconnect Timeout",
    0x1D: "LE Allow List Scanning Duration for adv monitoring",
    0x1E: "LE No Filter Scanning Duration for adv monitoring",
    0x1F: "LE Enable Interleave Scan for adv monitoring",
    0x20: "BR/EDR Connection Idle Timeout",
  ]
  /// Read Controller Capabilities.
  static let capabilities: Names = [
    1: "Flags", 2: "Max Encryption Key Size (BR/EDR)", 3: "Max Encryption Key Size (LE)",
    4: "Supported TX Power (LE)",
  ]
  static let security: Names = [
    0: "Remote public key validation (BR/EDR)", 1: "Remote public key validation (LE)",
    2: "Encryption key size enforcement (BR/EDR)", 3: "Encryption key size enforcement (LE)",
  ]
}
