/// The bits of the feature masks.
enum HCIFeatures {
  /// LMP features, page 0. Core Specification, Vol 2, Part C, 3.3.
  static let lmp: [UInt64: StaticString] = [
    0: "3 slot packets", 1: "5 slot packets", 2: "Encryption", 3: "Slot offset",
    4: "Timing accuracy", 5: "Role switch", 6: "Hold mode", 7: "Sniff mode", 8: "Park state",
    9: "Power control requests", 10: "Channel quality driven data rate (CQDDR)", 11: "SCO link",
    12: "HV2 packets", 13: "HV3 packets", 14: "µ-law log synchronous data",
    15: "A-law log synchronous data", 16: "CVSD synchronous data",
    17: "Paging parameter negotiation", 18: "Power control", 19: "Transparent synchronous data",
    20: "Flow control lag (least significant bit)", 21: "Flow control lag (middle bit)",
    22: "Flow control lag (most significant bit)", 23: "Broadcast Encryption",
    25: "Enhanced Data Rate ACL 2 Mb/s mode", 26: "Enhanced Data Rate ACL 3 Mb/s mode",
    27: "Enhanced inquiry scan", 28: "Interlaced inquiry scan", 29: "Interlaced page scan",
    30: "RSSI with inquiry results", 31: "Extended SCO link (EV3 packets)", 32: "EV4 packets",
    33: "EV5 packets", 35: "AFH capable Peripheral", 36: "AFH classification Peripheral",
    37: "BR/EDR Not Supported", 38: "LE Supported (Controller)",
    39: "3-slot Enhanced Data Rate ACL packets", 40: "5-slot Enhanced Data Rate ACL packets",
    41: "Sniff subrating", 42: "Pause encryption", 43: "AFH capable Central",
    44: "AFH classification Central", 45: "Enhanced Data Rate eSCO 2 Mb/s mode",
    46: "Enhanced Data Rate eSCO 3 Mb/s mode", 47: "3-slot Enhanced Data Rate eSCO packets",
    48: "Extended Inquiry Response",
    49: "Simultaneous LE and BR/EDR to Same Device Capable (Controller)",
    51: "Secure Simple Pairing (Controller Support)", 52: "Encapsulated PDU",
    53: "Erroneous Data Reporting", 54: "Non-flushable Packet Boundary Flag",
    56: "HCI_Link_Supervision_Timeout_Changed event", 57: "Variable Inquiry TX Power Level",
    58: "Enhanced Power Control", 63: "Extended features",
  ]

  /// LE features, page 0. Core Specification, Vol 6, Part B, 4.6.
  static let le: [UInt64: StaticString] = [
    0: "LE Encryption", 1: "Connection Parameters Request procedure",
    2: "Extended Reject Indication", 3: "Peripheral-initiated Features Exchange", 4: "LE Ping",
    5: "LE Data Packet Length Extension", 6: "LL Privacy",
    7: "Extended Scanning Filter Policies", 8: "LE 2M PHY",
    9: "Stable Modulation Index - Transmitter", 10: "Stable Modulation Index - Receiver",
    11: "LE Coded PHY", 12: "LE Extended Advertising", 13: "LE Periodic Advertising",
    14: "Channel Selection Algorithm #2", 15: "LE Power Class 1",
    16: "Minimum Number of Used Channels procedure", 17: "Connection CTE Request",
    18: "Connection CTE Response", 19: "Connectionless CTE Transmitter",
    20: "Connectionless CTE Receiver", 21: "Antenna Switching During CTE Transmission (AoD)",
    22: "Antenna Switching During CTE Reception (AoA)",
    23: "Receiving Constant Tone Extensions", 24: "Periodic Advertising Sync Transfer - Sender",
    25: "Periodic Advertising Sync Transfer - Recipient", 26: "Sleep Clock Accuracy Updates",
    27: "Remote Public Key Validation", 28: "Connected Isochronous Stream - Central",
    29: "Connected Isochronous Stream - Peripheral", 30: "Isochronous Broadcaster",
    31: "Synchronized Receiver", 32: "Connected Isochronous Stream (Host Support)",
    33: "LE Power Control Request", 34: "LE Power Control Request (second bit)",
    35: "LE Path Loss Monitoring", 36: "Periodic Advertising ADI support",
    37: "Connection Subrating", 38: "Connection Subrating (Host Support)",
    39: "Channel Classification", 40: "Advertising Coding Selection",
    41: "Advertising Coding Selection (Host Support)",
    42: "Decision-Based Advertising Filtering",
    43: "Periodic Advertising with Responses - Advertiser",
    44: "Periodic Advertising with Responses - Scanner", 45: "Unsegmented Framed Mode",
    46: "Channel Sounding", 47: "Channel Sounding (Host Support)",
    48: "Channel Sounding Tone Quality Indication", 63: "LL Extended Feature Set",
  ]

  /// LE features, page 1: bits 64 and above. Core Specification, Vol 6, Part B, 4.6.
  static let lePage1: [UInt64: StaticString] = [
    0: "Monitoring Advertisers", 1: "Frame Space Update", 2: "UTP OTA Mode", 3: "UTP HCI Mode",
    4: "LL_OTA_UTP_IND Maximum Length (least significant bit)",
    5: "LL_OTA_UTP_IND Maximum Length (most significant bit)",
    8: "Shorter Connection Intervals", 9: "Shorter Connection Intervals (Host Support)",
    10: "LE Flushable ACL Data",
  ]

  /// LE features that the Host sets, by bit.
  static let host: [UInt64: StaticString] = {
    let pages = le.merging(lePage1.map { ($0.key + 64, $0.value) }) { $1 }
    return pages.filter { $0.value.description.hasSuffix("(Host Support)") }
  }()

  /// LMP features, page 1. Core Specification, Vol 2, Part C, 3.3.
  static let lmpPage1: [UInt64: StaticString] = [
    0: "Secure Simple Pairing (Host Support)", 1: "LE Supported (Host)",
    2: "Simultaneous LE and BR/EDR to Same Device Capable (Host)",
    3: "Secure Connections (Host Support)",
  ]

  /// LMP features, page 2.
  static let lmpPage2: [UInt64: StaticString] = [
    0: "Connectionless Peripheral Broadcast - Central",
    1: "Connectionless Peripheral Broadcast - Peripheral", 2: "Synchronization Train",
    3: "Synchronization Scan", 4: "HCI_Inquiry_Response_Notification event",
    5: "Generalized interlaced scan", 6: "Coarse Clock Adjustment",
    8: "Secure Connections (Controller Support)", 9: "Ping", 10: "Slot Availability Mask",
    11: "Train nudging",
  ]

  /// A page of LMP features: its number says which.
  static let extendedPage: Parameter = {
    let c = HCIParameters.shared.brEDR
    func page(_ features: Field) -> [Parameter] { [.u8(c.maxPageNumber), .u64(features)] }
    return .choice(
      c.pageNumber,
      [
        0: page(c.lmpFeatures), 1: page(c.extendedLMPPage1), 2: page(c.extendedLMPPage2),
        3: page(c.extendedLMPFeatures),
      ], orElse: c.otherPage)
  }()

  /// All pages of LE features: 8 octets, and 24 for each further one.
  static let allPages: [Parameter] = {
    let i = HCIParameters.shared.information
    return [.u64(i.leFeaturesPage0), .u64(i.leFeaturesPage1), .bytes(232, i.leFeaturesMore)]
  }()

  /// Combinations of states. Core Specification, Vol 4, Part E, 7.8.27.
  static let leStates: [UInt64: StaticString] = [
    0: "Non-connectable Advertising", 1: "Scannable Advertising", 2: "Connectable Advertising",
    3: "High Duty Cycle Directed Advertising", 4: "Passive Scanning", 5: "Active Scanning",
    6: "Initiating", 7: "Peripheral", 8: "Non-connectable Advertising + Passive Scanning",
    9: "Scannable Advertising + Passive Scanning",
    10: "Connectable Advertising + Passive Scanning",
    11: "High Duty Cycle Directed Advertising + Passive Scanning",
    12: "Non-connectable Advertising + Active Scanning",
    13: "Scannable Advertising + Active Scanning",
    14: "Connectable Advertising + Active Scanning",
    15: "High Duty Cycle Directed Advertising + Active Scanning",
    16: "Non-connectable Advertising + Initiating", 17: "Scannable Advertising + Initiating",
    18: "Non-connectable Advertising + Central", 19: "Scannable Advertising + Central",
    20: "Non-connectable Advertising + Peripheral", 21: "Scannable Advertising + Peripheral",
    22: "Passive Scanning + Initiating", 23: "Active Scanning + Initiating",
    24: "Passive Scanning + Central", 25: "Active Scanning + Central",
    26: "Passive Scanning + Peripheral", 27: "Active Scanning + Peripheral",
    28: "Initiating + Central", 29: "Low Duty Cycle Directed Advertising",
    30: "Low Duty Cycle Directed Advertising + Passive Scanning",
    31: "Low Duty Cycle Directed Advertising + Active Scanning",
    32: "Connectable Advertising + Initiating",
    33: "High Duty Cycle Directed Advertising + Initiating",
    34: "Low Duty Cycle Directed Advertising + Initiating",
    35: "Connectable Advertising + Central",
    36: "High Duty Cycle Directed Advertising + Central",
    37: "Low Duty Cycle Directed Advertising + Central",
    38: "Connectable Advertising + Peripheral",
    39: "High Duty Cycle Directed Advertising + Peripheral",
    40: "Low Duty Cycle Directed Advertising + Peripheral", 41: "Initiating + Peripheral",
  ]
}
