/// What the codes in HCI parameters mean. Core Specification, Vol 4, Part E, 7.
package enum HCICodes {
  package typealias Names = [UInt64: StaticString]

  static let switches: Names = [0: "Disabled", 1: "Enabled"]
  static let truths: Names = [0: "No", 1: "Yes"]
  static let roles: Names = [0: "Central", 1: "Peripheral"]
  static let linkTypes: Names = [0: "SCO", 1: "ACL", 2: "eSCO"]
  // 7.7.3, 7.7.8
  static let encryption: Names = [0: "Off", 1: "On", 2: "On with AES-CCM"]

  // 7.7.65.1, 7.7.65.2, 7.7.65.13
  static let addressTypes: Names = [
    0x00: "Public Device Address", 0x01: "Random Device Address",
    0x02: "Public Identity Address", 0x03: "Random (static) Identity Address",
    0xFE: "Random Device Address, not resolved", 0xFF: "Anonymous",
  ]
  // 7.8.5
  static let ownAddressTypes: Names = [
    0: "Public Device Address", 1: "Random Device Address",
    2: "Resolvable Private Address or else public", 3: "Resolvable Private Address or else random",
  ]
  static let advertisingTypes: Names = [
    0: "ADV_IND", 1: "ADV_DIRECT_IND (high duty cycle)", 2: "ADV_SCAN_IND",
    3: "ADV_NONCONN_IND", 4: "ADV_DIRECT_IND (low duty cycle)",
  ]
  static let advertisingFilters: Names = [
    0: "Scan and connection requests from all devices",
    1: "Connection requests from all devices, scan requests from the Filter Accept List",
    2: "Scan requests from all devices, connection requests from the Filter Accept List",
    3: "Scan and connection requests from the Filter Accept List",
  ]
  static let channels: Names = [0: "37", 1: "38", 2: "39"]
  // 7.7.65.2, 7.7.65.11
  static let reportTypes: Names = [
    0: "ADV_IND", 1: "ADV_DIRECT_IND", 2: "ADV_SCAN_IND", 3: "ADV_NONCONN_IND", 4: "SCAN_RSP",
  ]
  // 7.7.65.13
  static let extendedReportTypes: Names = [
    0: "Connectable", 1: "Scannable", 2: "Directed", 3: "Scan response", 4: "Legacy",
    5: "Incomplete, more data to come", 6: "Incomplete, data truncated",
  ]
  static let dataStatuses: Names = [
    0: "Complete", 1: "Incomplete, more data to come", 2: "Incomplete, data truncated",
    0xFF: "Failed to receive",
  ]
  // 7.8.53
  static let advertisingProperties: Names = [
    0: "Connectable", 1: "Scannable", 2: "Directed", 3: "High duty cycle directed connectable",
    4: "Legacy", 5: "Anonymous", 6: "Include TxPower", 7: "Decision PDUs",
    8: "Include AdvA", 9: "Include ADI",
  ]
  // 7.8.54
  static let operations: Names = [
    0: "Intermediate fragment", 1: "First fragment", 2: "Last fragment", 3: "Complete data",
    4: "Unchanged data",
  ]
  static let fragmentPreferences: Names = [
    0: "Controller may fragment", 1: "Controller should not fragment",
  ]
  // 7.8.10, 7.8.64
  static let scanTypes: Names = [0: "Passive Scanning", 1: "Active Scanning"]
  static let scanningFilters: Names = [
    0: "Basic unfiltered", 1: "Basic filtered", 2: "Extended unfiltered", 3: "Extended filtered",
    4: "Basic unfiltered, all PDUs", 5: "Basic filtered, all PDUs",
    6: "Extended unfiltered, all PDUs", 7: "Extended filtered, all PDUs",
    12: "Basic unfiltered, decision PDUs only", 13: "Basic filtered, decision PDUs only",
    14: "Extended unfiltered, decision PDUs only", 15: "Extended filtered, decision PDUs only",
  ]
  static let duplicateFilters: Names = [
    0: "Disabled", 1: "Enabled", 2: "Enabled, reset for each scan period",
  ]
  // 7.8.12
  static let initiatorFilters: Names = [
    0: "Peer_Address", 1: "Filter Accept List", 2: "Decision PDUs only",
    3: "Filter Accept List, all PDUs", 4: "All decision PDUs, Filter Accept List for others",
  ]
  // LE Set Decision Instructions
  static let decisionTests: Names = [
    0: "New group of tests", 1: "Pass if present and the check passes",
    2: "Pass if present and the check fails", 3: "Pass if not present",
  ]
  static let decisionTestField: Field.Lookup = { value in
    switch value {
    case 0: "Resolvable Tag"
    case 6: "AdvMode"
    case 7: "RSSI"
    case 8: "Path loss"
    case 9: "AdvA"
    case 17...24: "Arbitrary Data of \(value - 16) octets"
    case 33...40: "Arbitrary Data of at least \(value - 32) octets"
    case 49...56: "Arbitrary Data of 1 to \(value - 48) octets"
    case 240...255: "Vendor-specific"
    default: nil
    }
  }
  // 7.7.65.12, 7.8.48, 7.8.53
  static let anyBandwidth: Names = [0xFFFF_FFFF: "any"]
  package static let phys: Names = [
    0: "None", 1: "LE 1M", 2: "LE 2M", 3: "LE Coded", 4: "LE Coded (S=2)",
  ]
  static let physBits: Names = [0: "LE 1M", 1: "LE 2M", 2: "LE Coded"]
  static let allPHYsBits: Names = [0: "No preference for TX", 1: "No preference for RX"]
  static let phyOptions: Names = [
    0: "No preferred coding", 1: "S=2 preferred", 2: "S=8 preferred", 3: "S=2 required",
    4: "S=8 required",
  ]
  // 7.7.65.1
  static let clockAccuracies: Names = [
    0: "500 ppm", 1: "250 ppm", 2: "150 ppm", 3: "100 ppm", 4: "75 ppm", 5: "50 ppm",
    6: "30 ppm", 7: "20 ppm",
  ]
  // 7.7.65.56
  static let sleepClockAccuracies: Names = [
    0: "251 ppm to 500 ppm", 1: "151 ppm to 250 ppm", 2: "101 ppm to 150 ppm",
    3: "76 ppm to 100 ppm", 4: "51 ppm to 75 ppm", 5: "31 ppm to 50 ppm", 6: "21 ppm to 30 ppm",
    7: "0 ppm to 20 ppm",
  ]
  static let privacyModes: Names = [0: "Network Privacy Mode", 1: "Device Privacy Mode"]

  // Assigned Numbers, 2.1
  static let versions: Names = [
    0: "1.0b", 1: "1.1", 2: "1.2", 3: "2.0 + EDR", 4: "2.1 + EDR", 5: "3.0 + HS", 6: "4.0",
    7: "4.1", 8: "4.2", 9: "5.0", 10: "5.1", 11: "5.2", 12: "5.3", 13: "5.4", 14: "6.0",
    15: "6.1", 16: "6.2",
  ]

  // 7.7.24
  static let keyTypes: Names = [
    0: "Combination Key", 1: "Local Unit Key", 2: "Remote Unit Key", 3: "Debug Combination Key",
    4: "Unauthenticated Combination Key generated from P-192",
    5: "Authenticated Combination Key generated from P-192", 6: "Changed Combination Key",
    7: "Unauthenticated Combination Key generated from P-256",
    8: "Authenticated Combination Key generated from P-256",
  ]
  // 7.1.29
  static let ioCapabilities: Names = [
    0: "DisplayOnly", 1: "DisplayYesNo", 2: "KeyboardOnly", 3: "NoInputNoOutput",
  ]
  static let oobData: Names = [
    0: "Not present", 1: "P-192 from remote device", 2: "P-256 from remote device",
    3: "P-192 and P-256 from remote device",
  ]
  static let authenticationRequirements: Names = [
    0: "MITM Protection Not Required - No Bonding",
    1: "MITM Protection Required - No Bonding",
    2: "MITM Protection Not Required - Dedicated Bonding",
    3: "MITM Protection Required - Dedicated Bonding",
    4: "MITM Protection Not Required - General Bonding",
    5: "MITM Protection Required - General Bonding",
  ]
  // 7.7.48
  static let keypresses: Names = [
    0: "Passkey entry started", 1: "Passkey digit entered", 2: "Passkey digit erased",
    3: "Passkey cleared", 4: "Passkey entry completed",
  ]
  static let keyFlags: Names = [0: "Semi-permanent link keys", 1: "Temporary link key"]

  // 7.1.1; Assigned Numbers, 2.2
  static let accessCodes: Names = [
    0x9E8B33: "General Inquiry Access Code", 0x9E8B00: "Limited Inquiry Access Code",
  ]
  static let repetitionModes: Names = [0: "R0", 1: "R1", 2: "R2"]
  static let roleSwitches: Names = [
    0: "Remain Central", 1: "May become Peripheral",
  ]
  // 7.1.5
  static let aclPacketTypes: Names = [
    1: "2-DH1 shall not be used", 2: "3-DH1 shall not be used", 3: "DM1", 4: "DH1",
    8: "2-DH3 shall not be used", 9: "3-DH3 shall not be used", 10: "DM3", 11: "DH3",
    12: "2-DH5 shall not be used", 13: "3-DH5 shall not be used", 14: "DM5", 15: "DH5",
  ]
  static let scoPacketTypes: Names = [5: "HV1", 6: "HV2", 7: "HV3"]
  // 7.1.26
  static let synchronousPacketTypes: Names = [
    0: "HV1", 1: "HV2", 2: "HV3", 3: "EV3", 4: "EV4", 5: "EV5",
    6: "2-EV3 shall not be used", 7: "3-EV3 shall not be used", 8: "2-EV5 shall not be used",
    9: "3-EV5 shall not be used",
  ]
  static let retransmissionEfforts: Names = [
    0: "No retransmissions", 1: "Optimized for power consumption",
    2: "Optimized for link quality", 0xFF: "Don't care",
  ]
  // 7.7.35
  static let airModes: Names = [0: "µ-law log", 1: "A-law log", 2: "CVSD", 3: "Transparent Data"]
  // Assigned Numbers, 2.11
  static let codingFormats: Names = [
    0: "µ-law log", 1: "A-law log", 2: "CVSD", 3: "Transparent", 4: "Linear PCM", 5: "mSBC",
    6: "LC3", 7: "G.729A", 0xFF: "Vendor Specific",
  ]
  // 7.1.45
  static let pcmFormats: Names = [
    0: "N/A", 1: "1's complement", 2: "2's complement", 3: "Sign-magnitude", 4: "Unsigned",
  ]
  static let dataPaths: Names = [0: "HCI"]

  // 7.7.20
  static let modes: Names = [0: "Active", 1: "Hold", 2: "Sniff", 3: "Park"]
  // 7.2.10
  static let linkPolicies: Names = [
    0: "Role switch", 1: "Hold mode", 2: "Sniff mode", 3: "Park state",
  ]
  // 7.2.6
  static let serviceTypes: Names = [0: "No Traffic", 1: "Best Effort", 2: "Guaranteed"]
  static let flowDirections: Names = [0: "Outgoing Flow", 1: "Incoming Flow"]

  // 7.3.3
  static let filterTypes: Names = [
    0: "Clear All Filters", 1: "Inquiry Result", 2: "Connection Setup",
  ]
  static let pinTypes: Names = [0: "Variable PIN", 1: "Fixed PIN"]
  // 7.3.18
  static let scanEnables: Names = [0: "Inquiry Scan", 1: "Page Scan"]
  static let transmitPowerTypes: Names = [0: "Current", 1: "Maximum"]
  // 7.3.38
  static let flowControls: Names = [
    0: "Off", 1: "On for ACL, off for synchronous data", 2: "Off for ACL, on for synchronous data",
    3: "On",
  ]
  // 7.3.50
  static let inquiryModes: Names = [
    0: "Standard Inquiry Result", 1: "Inquiry Result with RSSI",
    2: "Inquiry Result with RSSI or Extended Inquiry Result",
  ]
  static let scanTypesBR: Names = [0: "Standard scan", 1: "Interlaced scan"]
  static let whichClocks: Names = [0: "Local Clock", 1: "Piconet Clock"]
  static let loopbacks: Names = [0: "No loopback", 1: "Local", 2: "Remote"]

  // 7.8.97
  static let packings: Names = [0: "Sequential", 1: "Interleaved"]
  static let framings: Names = [
    0: "Unframed", 1: "Framed", 2: "Framed, unsegmented",
  ]
  static let pathDirections: Names = [
    0: "Input (Host to Controller)", 1: "Output (Controller to Host)",
  ]
  // 7.7.65.15, 7.8.67
  static let cteTypes: Names = [
    0: "AoA Constant Tone Extension", 1: "AoD Constant Tone Extension with 1 µs slots",
    2: "AoD Constant Tone Extension with 2 µs slots", 0xFF: "No Constant Tone Extension",
  ]
  static let syncOptions: Names = [
    0: "Use the Periodic Advertiser List", 1: "Reporting initially disabled",
    2: "Duplicate filtering initially enabled",
  ]
  static let transferModes: Names = [
    0: "No attempt to synchronize", 1: "Synchronize, reports disabled",
    2: "Synchronize, reports enabled", 3: "Synchronize, reports enabled with duplicate filtering",
  ]
  static let payloadTypes: Names = [
    0: "PRBS9", 1: "11110000", 2: "10101010", 3: "PRBS15", 4: "11111111", 5: "00000000",
    6: "00001111", 7: "01010101",
  ]
  // 7.7.65.33
  static let powerReasons: Names = [
    0: "Local transmit power changed", 1: "Remote transmit power changed",
    2: "Reply to HCI_LE_Read_Remote_Transmit_Power_Level",
  ]
  static let pathLossZones: Names = [
    0: "Low path loss", 1: "Moderate path loss", 2: "High path loss",
  ]
}
