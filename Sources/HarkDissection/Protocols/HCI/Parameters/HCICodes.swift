/// What codes mean that several HCI parameters have. Core Specification, Vol 4, Part E, 7.
package enum HCICodes {
  package typealias Names = [UInt64: StaticString]

  static let switches: Names = [0: "Disabled", 1: "Enabled"]
  static let truths: Names = [0: "No", 1: "Yes"]
  // 7.7.3, 7.7.8
  static let encryption: Names = [0: "Off", 1: "On", 2: "On with AES-CCM"]

  // 7.7.65.1, 7.7.65.2, 7.7.65.13
  static let addressTypes: Names = [
    0x00: "Public Device Address", 0x01: "Random Device Address",
    0x02: "Public Identity Address", 0x03: "Random (static) Identity Address",
    0xFE: "Random Device Address, not resolved", 0xFF: "Anonymous",
  ]
  // 7.8.10, 7.8.64
  static let scanTypes: Names = [0: "Passive Scanning", 1: "Active Scanning"]
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
  package static let phys: Names = [0: "None", 1: "LE 1M", 2: "LE 2M", 3: "LE Coded"]
  // 7.7.65.13: 4 with the feature Advertising Coding Selection
  static let advertisingPHYs = phys.merging([4: "LE Coded (S=2)"]) { name, _ in name }
  // 7.7.65.33, 7.8.117
  static let codedPHYs: Names = [
    1: "LE 1M", 2: "LE 2M", 3: "LE Coded (S=8)", 4: "LE Coded (S=2)",
  ]
  static let physBits: Names = [0: "LE 1M", 1: "LE 2M", 2: "LE Coded"]
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

  // 7.1.1; Assigned Numbers, 2.2
  static let accessCodes: Names = [
    0x9E8B33: "General Inquiry Access Code", 0x9E8B00: "Limited Inquiry Access Code",
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

  static let scanTypesBR: Names = [0: "Standard scan", 1: "Interlaced scan"]

  static let pathDirections: Names = [
    0: "Input (Host to Controller)", 1: "Output (Controller to Host)",
  ]
  // 7.7.65.15, 7.8.67
  static let cteTypes: Names = [
    0: "AoA Constant Tone Extension", 1: "AoD Constant Tone Extension with 1 µs slots",
    2: "AoD Constant Tone Extension with 2 µs slots", 0xFF: "No Constant Tone Extension",
  ]
}
