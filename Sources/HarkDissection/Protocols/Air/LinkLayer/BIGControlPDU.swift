import HarkCore

/// A BIG Control PDU, which a broadcaster sends to all receivers of its group. Core Specification, Vol 6, Part B, 2.6.3
package struct BIGControlPDU: Message {
  package internal(set) var content = Content.other

  /// An instant is the lower 16 bits of the bigEventCounter of the BIG event in which the change takes effect.
  package enum Content: Equatable, Sendable {
    /// A bit for each channel that is used. 2.6.3.1
    case channelMapInd(channelMap: UInt64, instant: UInt16)
    /// 2.6.3.2
    case terminateInd(reason: UInt8, instant: UInt16)
    /// A PDU with an unknown opcode, or that could not be read to its end.
    case other
  }

  package init() {}

  /// - Parameter isCut: Whether the recorder did not keep the PDU to its end.
  package init(_ bytes: RawSpan, isCut: Bool) {
    var context = Context()
    context.isTruncated = isCut
    PDU.reading(bytes, out: Summary(), context) { pdu in
      // What was read before an error stays.
      try? LinkLayer.fields.data.group(&pdu, &self)
    }
  }
}
