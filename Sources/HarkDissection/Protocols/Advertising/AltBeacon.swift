import HarkCore

/// AltBeacon: manufacturer specific data of any company that begin with a code. AltBeacon Protocol
/// Specification 1.0; the code is big-endian.
struct AltBeacon: Sendable {
  /// The code, the beacon's ID, its reference RSSI, and what the company keeps for itself.
  static let count = 24

  let beacon = Field("AltBeacon", .group)
  let beaconCode = Field("Beacon Code", .hex)
  let identifier = Field("Beacon ID", .bytes, inLine: true, personal: .identifier)
  let referenceRSSI = Field("Reference RSSI", .signed, unit: "dBm")
  let reserved = Field("MFG RESERVED", .hex, role: .reserved)

  /// Whether what is left is one.
  static func isNext(_ pdu: borrowing PDU<some Sink>) -> Bool {
    let (count, first, second) = (pdu.remaining, pdu.peek(), pdu.peek(1))
    return count == Self.count && first == 0xBE && second == 0xAC
  }

  func read(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.group(beacon) { pdu throws(Malformed) in
      try pdu.u16be(beaconCode)
      try pdu.bytes(20, identifier)
      try pdu.u8(referenceRSSI)
      try pdu.u8(reserved)
    }
  }
}
