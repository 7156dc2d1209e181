import HarkDissection

/// What sequence numbers show about the PDUs that one side of a connection sends. A side sends a PDU again, with the
/// same SN, until a NESN of the other side acknowledges it. Core Specification, Vol 6, Part B, 4.5.9.
struct AirSequence {
  /// The SN of the last PDU that the side is known to have sent.
  private var sn: UInt8?
  /// The NESN of the last PDU that was received from it.
  private(set) var nesn: UInt8?
  /// A hash of that PDU without the header bits that a retransmission may change.
  private var digest: UInt64 = 0
  /// Whether the PDU with `sn` was received, and not only its acknowledgment.
  private var isReceived = false
  private var isAcknowledged = false
  /// How many of its PDUs were not received, at least, since `takeMissing`.
  private(set) var missing = 0

  /// Whether the last PDU had the same number and content, so that this one is a retransmission.
  func hasSent(_ header: LLDataHeader, _ digest: UInt64) -> Bool {
    isReceived && sn == header.sn && self.digest == digest
  }

  /// Takes a PDU that the side sends.
  /// - Parameter isUnprovable: Whether a PDU with the same number and content may well be another one.
  /// - Returns: Whether it is new, as far as that is known.
  mutating func send(_ header: LLDataHeader, _ digest: UInt64, isUnprovable: Bool) -> Bool {
    let isSame = hasSent(header, digest)
    let isNew = !isSame || isUnprovable
    if isNew {
      // Between two PDUs with the same SN, there was one with the other SN.
      if isReceived, sn == header.sn, !isSame { missing += 1 }
      isAcknowledged = false
    }
    (sn, nesn, self.digest, isReceived) = (header.sn, header.nesn, digest, true)
    return isNew
  }

  /// Takes the NESN of a PDU that the other side sends.
  mutating func acknowledge(_ nesn: UInt8) {
    guard let sn else { return }
    if nesn != sn {
      isAcknowledged = true
    } else if isAcknowledged {
      // NESN changes only with the next PDU: the other side has received one that was not captured.
      (self.sn, isReceived) = (1 - sn, false)
      missing += 1
    }
  }

  mutating func takeMissing() -> Int {
    defer { missing = 0 }
    return missing
  }
}
