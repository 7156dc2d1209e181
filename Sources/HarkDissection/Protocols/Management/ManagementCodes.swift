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
    20: "ISO Broadcaster", 21: "ISO Sync Receiver", 22: "LL Privacy",
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
    12: "Duration is given", 13: "Timeout is given", 14: "Intervals are given",
    15: "TX Power is given",
  ]
  static let phys: Names = [
    0: "BR 1M 1-slot", 1: "BR 1M 3-slot", 2: "BR 1M 5-slot", 3: "EDR 2M 1-slot",
    4: "EDR 2M 3-slot", 5: "EDR 2M 5-slot", 6: "EDR 3M 1-slot", 7: "EDR 3M 3-slot",
    8: "EDR 3M 5-slot", 9: "LE 1M TX", 10: "LE 1M RX", 11: "LE 2M TX", 12: "LE 2M RX",
    13: "LE Coded TX", 14: "LE Coded RX",
  ]
  static let deviceFlags: Names = [
    0: "Remote Wakeup enabled", 1: "Device Privacy Mode enabled", 2: "Address Resolution enabled",
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
}
