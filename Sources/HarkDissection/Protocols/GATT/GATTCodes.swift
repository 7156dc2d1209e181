import HarkCore

/// What the codes in values of characteristics mean.
enum GATTCodes {
  // Assigned Numbers, 2.4.1
  static let formats: [UInt64: StaticString] = [
    0x01: "boolean", 0x02: "uint2", 0x03: "uint4", 0x04: "uint8", 0x05: "uint12", 0x06: "uint16",
    0x07: "uint24", 0x08: "uint32", 0x09: "uint48", 0x0A: "uint64", 0x0B: "uint128",
    0x0C: "sint8", 0x0D: "sint12", 0x0E: "sint16", 0x0F: "sint24", 0x10: "sint32",
    0x11: "sint48", 0x12: "sint64", 0x13: "sint128", 0x14: "float32", 0x15: "float64",
    0x16: "medfloat16", 0x17: "medfloat32", 0x18: "uint16[2]", 0x19: "utf8s", 0x1A: "utf16s",
    0x1B: "struct", 0x1C: "medASN1",
  ]
  // GATT Specification Supplement, Alert Category ID
  static let alertCategories: [UInt64: StaticString] = [
    0: "Simple Alert", 1: "Email", 2: "News", 3: "Call", 4: "Missed Call", 5: "SMS/MMS",
    6: "Voice Mail", 7: "Schedule", 8: "High Prioritized Alert", 9: "Instant Message",
  ]
  // Battery Service 1.1, 3.2.1.2
  static let noYesUnknown: [UInt64: StaticString] = [0: "No", 1: "Yes", 2: "Unknown"]
  static let chargeStates: [UInt64: StaticString] = [
    0: "Unknown", 1: "Charging", 2: "Discharging: Active", 3: "Discharging: Inactive",
  ]
  static let chargeLevels: [UInt64: StaticString] = [
    0: "Unknown", 1: "Good", 2: "Low", 3: "Critical",
  ]
  static let chargingTypes: [UInt64: StaticString] = [
    0: "Unknown or Not Charging", 1: "Constant Current", 2: "Constant Voltage", 3: "Trickle",
    4: "Float",
  ]
  // GATT Specification Supplement, 3: Day of Week, DST Offset, Time Source
  static let daysOfWeek: [UInt64: StaticString] = [
    0: "unknown", 1: "Monday", 2: "Tuesday", 3: "Wednesday", 4: "Thursday", 5: "Friday",
    6: "Saturday", 7: "Sunday",
  ]
  static let dstOffsets: [UInt64: StaticString] = [
    0: "Standard Time", 2: "Half an Hour Daylight Time", 4: "Daylight Time",
    8: "Double Daylight Time", 255: "unknown",
  ]
  static let timeSources: [UInt64: StaticString] = [
    0: "Unknown", 1: "Network Time Protocol", 2: "GPS", 3: "Radio Time Signal", 4: "Manual",
    5: "Atomic Clock", 6: "Cellular Network",
  ]
  // Current Time Service 1.1, 3.1.1.2
  static let adjustReasons: [UInt64: StaticString] = [
    0: "Manual Time Update", 1: "External Reference Time Update", 2: "Change of Time Zone",
    3: "Change of DST",
  ]
  // Reference Time Update Service 1.0, 3.2
  static let updateResults: [UInt64: StaticString] = [
    0: "Successful", 1: "Canceled", 2: "No Connection To Reference",
    3: "Reference responded with an error", 4: "Timeout", 5: "Update not attempted after reset",
  ]

  /// Binary-coded decimal `0xJJMN` as `JJ.M.N`. Device Information Service 1.2, 3.9.
  @Sendable static func version(_ code: UInt64) -> String {
    "\(String(code >> 8, radix: 16)).\(code >> 4 & 15).\(code & 15)"
  }
}
