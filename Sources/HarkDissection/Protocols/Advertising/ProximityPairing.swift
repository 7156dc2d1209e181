import HarkCore

/// The proximity pairing message of Apple's advertising. Only the holder of the key can read its
/// end. `Continuity` reads the rest of it.
package enum ProximityPairing {
  /// AD type, company, and the type and length of the message.
  private static let header: [UInt8] = [0xFF, 0x4C, 0x00, 0x07, 0x19]
  private static let length = 25
  private static let blockLength = 16

  /// Whether such a message may be all that the advertising data at `start` is: as of headphones. It takes two octets
  /// to see that it is not.
  package static func fills(_ bytes: RawSpan, at start: Int) -> Bool {
    let end = start + 1 + header.count + length
    guard start >= 0, end <= bytes.byteCount,
      bytes.byte(at: start + header.count) == header[header.count - 1]
    else { return false }
    return header.indices.reversed().allSatisfy { bytes.byte(at: start + 1 + $0) == header[$0] }
  }

  /// The same of an event with one report: RSSI is the last octet of a legacy report. Vol 4, Part E, 7.7.65.2,
  /// 7.7.65.13.
  package static func fillsReport(_ event: RawSpan) -> Bool {
    let size = 1 + header.count + length
    return fills(event, at: event.byteCount - 1 - size) || fills(event, at: event.byteCount - size)
  }

  /// Where the encrypted block of such a message in an advertising report is; nil if there is none.
  package static func encryptedBlock(in bytes: RawSpan) -> Range<Int>? {
    let last = bytes.byteCount - header.count - length
    guard last >= 0 else { return nil }
    for start in 0...last
    where bytes.byte(at: start) == header[0]
      && header.indices.allSatisfy({ bytes.byte(at: start + $0) == header[$0] })
    {
      let end = start + header.count + length
      return (end - blockLength)..<end
    }
    return nil
  }
}
