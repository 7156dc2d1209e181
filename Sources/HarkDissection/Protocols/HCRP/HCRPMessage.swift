import HarkCore

/// A PDU of HCRP's control channel, with what matches replies to requests. Hardcopy Cable Replacement Profile 1.2,
/// Control Channel Protocol.
package struct HCRPMessage: Message {
  /// PDU ID; nil if the PDU ends before it.
  package internal(set) var code: UInt16?
  /// Transaction ID: a reply repeats that of its request.
  package internal(set) var transaction: UInt16?
  /// Status Code; nil for requests.
  package internal(set) var status: UInt16?

  /// Whether a Status Code says that the server did what the client requested.
  package static func isSuccess(_ status: UInt16) -> Bool { status == 0x0001 }

  package init() {}

  /// - Parameters:
  ///   - isFromAcceptor: Whether the server sent it, which accepted the channel.
  ///   - isCut: Whether the recorder did not keep the PDU to its end.
  package init(_ bytes: RawSpan, isFromAcceptor: Bool, isCut: Bool) {
    var context = Context()
    (context.isFromAcceptor, context.isTruncated) = (isFromAcceptor, isCut)
    self = HCRP.message(bytes, context).message
  }
}
