import HarkCore

/// The content of a PDU as one value: code that follows a conversation reads messages, never bytes. Before a PDU is
/// read, a message is empty.
package protocol Message: Sendable {
  init()
}

/// A dissector that fills a message while it records the fields: each byte is read in one place, and if no sink wants
/// the fields, they cost nothing.
protocol MessageDissector: Dissector {
  associatedtype Content: Message

  /// Reads one PDU that fills the given bytes. If there is an error, what was read before it stays in `message`.
  static func read(_ pdu: inout PDU<some Sink>, _ message: inout Content) throws(Malformed)
}

extension MessageDissector {
  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    var message = Content()
    try read(&pdu, &message)
  }

  /// Reads `bytes`, one PDU, without recording its fields. Ranges in the message refer to `bytes`.
  /// - Parameter isCut: Whether the recorder cut the end of the PDU.
  static func message(_ bytes: RawSpan, isCut: Bool) -> (message: Content, isWhole: Bool) {
    var context = Context()
    context.isTruncated = isCut
    return message(bytes, context)
  }

  /// As above, if more is known than the bytes show.
  static func message(_ bytes: RawSpan, _ context: Context) -> (message: Content, isWhole: Bool) {
    message(bytes, context, code: 0)
  }

  /// Reads the value of an attribute of the type `type`, from an ATT PDU with that opcode.
  static func message(_ value: RawSpan, of type: BluetoothUUID?, in opcode: ATTOpcode) -> Content {
    var context = Context()
    context.attributeType = type
    return message(value, context, code: UInt16(opcode.rawValue)).message
  }

  /// - Parameter code: The code of the layer around the PDU.
  private static func message(
    _ bytes: RawSpan, _ context: Context, code: UInt16
  ) -> (message: Content, isWhole: Bool) {
    PDU.reading(bytes, out: Summary(), context) { pdu in
      pdu.facts.code = code
      var message = Content()
      do { try read(&pdu, &message) } catch { return (message, false) }
      return (message, !pdu.facts.isMalformed)
    }
  }
}
