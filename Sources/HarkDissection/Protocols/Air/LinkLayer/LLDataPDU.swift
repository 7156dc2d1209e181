import HarkCore

/// The first octet of the header of a Data Physical Channel PDU. Core Specification, Vol 6, Part B, 2.4
package struct LLDataHeader: Sendable {
  package let octet: UInt8

  package enum LLID: UInt8, Sendable {
    case reserved = 0
    /// Of an L2CAP PDU, or an empty PDU.
    case continuation = 1
    /// Of an L2CAP PDU, or all of it.
    case start = 2
    case control = 3
  }

  package init(_ octet: UInt8) { self.octet = octet }

  package var llid: LLID { LLID(rawValue: octet & 3) ?? .reserved }
  /// Next Expected Sequence Number.
  package var nesn: UInt8 { octet >> 2 & 1 }
  /// Sequence Number.
  package var sn: UInt8 { octet >> 3 & 1 }
  /// More Data.
  package var md: UInt8 { octet >> 4 & 1 }
  /// CTEInfo Present.
  var cp: UInt8 { octet >> 5 & 1 }

  /// Whether it has a value that is reserved for future use, which no device sends.
  package var hasReserved: Bool { llid == .reserved || octet & 0b1100_0000 != 0 }

  /// What a retransmission may not change: NESN and MD it may. 4.5.9
  package var unchanging: UInt8 { octet & 0b10_1011 }

  /// In a CIS, LLID and SN: a retransmission may change the rest. In a BIS, LLID and bits of CSSN, which stays the same
  /// within a BIG event. 2.6.1, 2.6.2
  package var ofStream: UInt8 { octet & 0b1011 }
}

/// A Data Physical Channel PDU in a packet. 2.4
package struct LLDataPDU: Sendable {
  package let header: LLDataHeader
  /// From the header on, without the CRC: after the end of a record that the recorder cut.
  package let range: Range<Int>
  /// What stands after the header and CTEInfo, as far as the recorder kept it.
  package let payload: Range<Int>

  /// - Parameter range: As `AirHeader` finds it.
  package init(_ bytes: RawSpan, _ range: Range<Int>) {
    header = LLDataHeader(bytes.byte(at: range.lowerBound))
    self.range = range
    let length = Int(bytes.byte(at: range.lowerBound + 1))
    let end = min(range.upperBound, bytes.byteCount)
    payload = min(range.upperBound - length, end)..<end
  }

  /// The header and CTEInfo, for a payload of another length in octets; nil if the record does not hold them whole, or the
  /// payload is too long for a PDU.
  package func header(in bytes: RawSpan, payload count: Int) -> [UInt8]? {
    guard payload.upperBound <= bytes.byteCount, payload.lowerBound >= range.lowerBound + 2,
      let length = UInt8(exactly: count)
    else { return nil }
    var header = bytes.array(range.lowerBound..<payload.lowerBound)
    header[1] = length
    return header
  }
}
