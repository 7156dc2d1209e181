import HarkCore

/// The first bytes of what should be a message of the control session, as far as they have come:
/// 40 40, length, identifier.
package struct IAP2Head {
  private static let count = IAP2ControlMessage.headerCount

  private var bytes: UInt64 = 0
  private var found = 0

  package init(_ bytes: some Collection<UInt8>) { add(bytes) }

  package mutating func add(_ more: some Collection<UInt8>) {
    for byte in more.prefix(Self.count - found) { bytes = bytes << 8 | UInt64(byte) }
    found = min(Self.count, found + more.count)
  }

  /// Whether what follows it may be a key: no message begins so, and it is the rest of one whose
  /// beginning is missing, or it is one of those that may.
  package var mayHoldKey: Bool {
    guard found > 0 else { return false }
    let start = found == 1 ? bytes << 8 | 0x40 : bytes >> UInt64((found - 2) * 8)
    guard start == 0x4040 else { return true }
    return found == Self.count && Catalog.mayHoldKeys(iAP2: UInt16(truncatingIfNeeded: bytes))
  }

  /// Whether the bytes that come next may be a key.
  package var mayGoOnWithKey: Bool { found > 0 && found < Self.count || mayHoldKey }

  /// Whether bytes begin as a message does.
  package static func begins(_ bytes: [UInt8]) -> Bool { bytes.first == 0x40 }

  /// Whether the head of a message that may hold a key is in the bytes, which come after `before`.
  package static func isOfKey(in bytes: RawSpan, behind before: [UInt8] = []) -> Bool {
    // The last six bytes.
    var last: UInt64 = 0
    for byte in before.suffix(count - 1) { last = last << 8 | UInt64(byte) }
    for index in 0..<bytes.byteCount {
      last = (last << 8 | UInt64(bytes.byte(at: index))) & 0xFFFF_FFFF_FFFF
      if last >> 32 == 0x4040, Catalog.mayHoldKeys(iAP2: UInt16(truncatingIfNeeded: last)) {
        return true
      }
    }
    return false
  }
}
