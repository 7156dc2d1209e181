import HarkCore

/// What a PDU says, as one value: those who follow a conversation read messages, never bytes. Before
/// anything is read, it says nothing.
package protocol Message: Sendable {
  init()
}

/// A dissector that makes a message of a PDU while it notes the fields: each byte is read in one place,
/// and if no sink wants the fields, they cost nothing.
protocol MessageDissector: Dissector {
  associatedtype Content: Message

  /// Reads one PDU that fills the bytes given. What was read before an error stays in `message`.
  static func read(_ pdu: inout PDU<some Sink>, _ message: inout Content) throws(Malformed)
}

extension MessageDissector {
  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    var message = Content()
    try read(&pdu, &message)
  }

  /// Reads `bytes`, one PDU, without noting its fields. Ranges in the message are those of `bytes`.
  /// - Parameter isCut: Whether the recorder did not keep the PDU to its end.
  static func message(_ bytes: RawSpan, isCut: Bool) -> (message: Content, isWhole: Bool) {
    var context = Context()
    context.isTruncated = isCut
    return message(bytes, context)
  }

  /// As above, where more is known than the bytes say.
  static func message(_ bytes: RawSpan, _ context: Context) -> (message: Content, isWhole: Bool) {
    message(bytes, context, code: 0)
  }

  /// Reads the value of an attribute of the type `type`, which passed in a PDU of ATT with that opcode.
  static func message(_ value: RawSpan, of type: BluetoothUUID?, in opcode: ATTOpcode) -> Content {
    var context = Context()
    context.attributeType = type
    return message(value, context, code: UInt16(opcode.rawValue)).message
  }

  /// - Parameter code: That of the layer around the PDU.
  private static func message(
    _ bytes: RawSpan, _ context: Context, code: UInt16
  ) -> (message: Content, isWhole: Bool) {
    var pdu = PDU(bytes, out: Summary(), context: context, catalog: .shared)
    pdu.facts.code = code
    var message = Content()
    do { try read(&pdu, &message) } catch { return (message, false) }
    return (message, !pdu.facts.isMalformed)
  }
}
