import HarkCore

/// Whether the payload of a PDU is in the clear, as its own lengths say, though what is known about its
/// connection, or its sniffer, calls it encrypted: programs put plaintexts in place of what was sent, and
/// where the end of encryption was not received, the next LL_ENC_REQ shows it.
public enum LinkLayerPlaintext {
  /// By number of octets with the opcode: whether an LL Control PDU has as many. Vol 6, Part B, 2.4.2
  private static let lengths: [Bool] = {
    var lengths = [Bool](repeating: false, count: 256)
    for count in LinkLayerControl.lengths where count > 0 { lengths[count] = true }
    return lengths
  }()

  /// - Parameter payload: Where it is in `bytes`: after the header and CTEInfo, before the CRC.
  package static func isShape(
    of bytes: RawSpan, _ payload: Range<Int>, llid: LLDataHeader.LLID
  ) -> Bool {
    let start = payload.lowerBound
    switch llid {
    case .start:
      // A whole L2CAP PDU on a fixed channel of LE. Vol 3, Part A, 2.1 and 3.1
      let isFixed = 4...6 ~= bytes.unsigned(at: start + 2, 2)
      return isFixed && payload.count > 4
        && bytes.unsigned(at: start, 2) == UInt64(payload.count - 4)
    case .control:
      // One of the length of its opcode, where no PDU has that with a MIC after it. 2.4
      let count = payload.count
      guard 4..<256 ~= count else { return false }
      return LinkLayerControl.lengths[Int(bytes.byte(at: start))] == count && !lengths[count - 4]
    case .reserved, .continuation: return false
    }
  }

  /// Whether the payload has as many octets as the LL Control PDU whose opcode it begins with.
  package static func isWholeControl(of bytes: RawSpan, _ payload: Range<Int>) -> Bool {
    !payload.isEmpty
      && LinkLayerControl.lengths[Int(bytes.byte(at: payload.lowerBound))] == payload.count
  }

  /// Whether a PDU that seems to be encrypted is as long as an LL_ENC_REQ in the clear and begins with its opcode.
  package static func isEncryptionRequest(
    of bytes: RawSpan, _ payload: Range<Int>, llid: LLDataHeader.LLID
  ) -> Bool {
    let opcode = LLControlPDU.Opcode.encReq.rawValue
    return llid == .control && payload.count == LinkLayerControl.lengths[Int(opcode)]
      && bytes.byte(at: payload.lowerBound) == opcode
  }

  /// Whether the payload is framed data of an isochronous stream: SDU segments, each with a Segmentation Header, and the
  /// first of an SDU with a Time_Offset. Vol 6, Part G, 4.2
  package static func isFramed(_ bytes: RawSpan, _ payload: Range<Int>) -> Bool {
    var place = payload.lowerBound
    guard payload.count > 1, payload.upperBound <= bytes.byteCount else { return false }
    while place < payload.upperBound {
      guard payload.upperBound - place >= 2 else { return false }
      let (header, length) = (bytes.byte(at: place), Int(bytes.byte(at: place + 1)))
      // SC and CMPLT; the rest is reserved.
      let isContinuation = header & 1 == 1
      guard header & 0b1111_1100 == 0, isContinuation || length >= 3 else { return false }
      place += 2 + length
    }
    return place == payload.upperBound
  }
}
