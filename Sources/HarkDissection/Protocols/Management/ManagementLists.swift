/// Parameters of the management interface whose lengths stand apart from them (mgmt-api).
extension PDU {
  /// Add Advertising, Add Extended Advertising Data.
  mutating func advertisingAndScanResponse() throws(Malformed) {
    let m = MonitorRecord.shared.management
    let counts = (try u8(m.mgmtAdvertisingLength), try u8(m.mgmtScanLength))
    try advertising(counts.0, m.mgmtAdvertisingData)
    try advertising(counts.1, m.mgmtScanResponse)
  }

  private mutating func advertising(_ count: UInt8, _ field: Field) throws(Malformed) {
    guard count > 0 else { return }
    try within(Int(count), field) { pdu throws(Malformed) in
      pdu.hand(to: .advertisingData, orElse: field)
    }
  }

  /// Read Management Supported Commands.
  mutating func commandsAndEvents() throws(Malformed) {
    let m = MonitorRecord.shared.management
    let counts = (try u16(m.mgmtNumCommands), try u16(m.mgmtNumEvents))
    for _ in 0..<counts.0 { try u16(m.mgmtCommandCode) }
    for _ in 0..<counts.1 { try u16(m.mgmtEventCode) }
  }

  /// Read Controller Capabilities.
  mutating func capabilities() throws(Malformed) {
    let m = MonitorRecord.shared.management
    try inside(Int(u16(m.mgmtCapabilitiesLength)), by: m.mgmtCapabilitiesLength) {
      pdu throws(Malformed) in
      while pdu.remaining > 0 {
        try pdu.group(m.mgmtCapability) { pdu throws(Malformed) in
          let count = Int(try pdu.u8(m.mgmtCapabilityLength))
          try pdu.inside(count, by: m.mgmtCapabilityLength) { pdu throws(Malformed) in
            if count > 0 { try pdu.capability(m) }
          }
        }
      }
    }
  }

  private mutating func capability(_ m: ManagementParameters) throws(Malformed) {
    switch try u8(m.mgmtCapabilityType) {
    case 1: try unsigned(min(max(remaining, 1), 8), m.mgmtCapabilityFlags)
    case 2, 3: try unsigned(min(max(remaining, 1), 8), m.mgmtCapabilityKeySize)
    case 4:
      try u8(m.mgmtMinTXPower)
      try u8(m.mgmtMaxLETXPower)
    default: rest(m.mgmtCapabilityData)
    }
  }
}
