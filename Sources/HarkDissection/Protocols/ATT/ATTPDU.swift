import HarkCore

/// A PDU of ATT. Core Specification, Vol 3, Part F, 3.3.1, 3.4.
///
/// Values pass in most packets, and the index pass has read those already: of PDUs that carry a value or
/// name no more than one attribute, the message is made of what it learned. Others are read again, and
/// lists only where somebody asks for them.
package struct ATTPDU: Message {
  package typealias Opcode = ATTOpcode

  /// Nil if no PDU has that opcode.
  package internal(set) var opcode: Opcode?
  /// The Attribute Handle; 0 if the PDU has none, or several.
  package internal(set) var handle: UInt16 = 0
  /// Where the Attribute Value is in the bytes that were read; of Read Multiple all of them.
  package internal(set) var value = 0..<0
  /// The Value Offset of Read Blob and of prepared writes.
  package internal(set) var offset: UInt16 = 0
  /// The Client Rx MTU or Server Rx MTU. 3.4.2
  package internal(set) var mtu: UInt16 = 0
  /// Where a search begins. 3.4.3.1, 3.4.3.3, 3.4.4.1, 3.4.4.9
  package internal(set) var startingHandle: UInt16 = 0
  /// Where it ends.
  package internal(set) var endingHandle: UInt16 = 0
  /// The Attribute Type or Attribute Group Type that a search is for.
  package internal(set) var type: BluetoothUUID?
  /// The value that Find By Type Value searches for, where it is a UUID: that of a service.
  /// Vol 3, Part G, 4.4.2
  package internal(set) var service: BluetoothUUID?
  /// The Flags of Execute Write. 3.4.6.3
  package internal(set) var execution: Execution?
  /// Nil if the Request Opcode In Error is cut off, too.
  package internal(set) var failure: Failure?
  /// Whether all of the PDU could be read.
  package internal(set) var isWhole = false
  /// Where the PDU is in the bytes.
  private var all = 0..<0

  /// In bytes.
  package var size: Int { all.count }

  /// 3.4.6.3
  package enum Execution: UInt8, Sendable {
    case cancel = 0x00
    case write = 0x01
  }

  /// ATT_ERROR_RSP. 3.4.1.1
  package struct Failure: Sendable {
    /// The Request Opcode In Error; nil if no PDU has it.
    package internal(set) var request: Opcode?
    /// The same as a number.
    package internal(set) var requestCode: UInt8 = 0
    /// The Error Code.
    package internal(set) var error: UInt8 = 0
  }

  /// The Error Code by which a search ends. 3.4.1.1
  package static let attributeNotFound: UInt8 = 0x0A

  package init() {}

  /// - Parameter isCut: Whether the recorder did not keep the PDU to its end.
  package init(_ bytes: RawSpan, isCut: Bool) {
    (self, isWhole) = ATT.message(bytes, isCut: isCut)
    all = 0..<bytes.byteCount
  }

  /// A PDU of which the index pass learned `facts`. Ranges are those of `bytes`, as in `facts`.
  /// - Parameter place: Where the PDU is in `bytes`.
  package init(_ facts: Facts, in bytes: RawSpan, at place: Range<Int>, isCut: Bool) {
    opcode = Opcode(facts)
    handle = facts.attribute
    all = place
    if opcode?.isReadAgain == true {
      read(bytes, isCut: isCut) { pdu, message throws(Malformed) in
        try ATT.read(&pdu, &message)
      }
    } else {
      value = facts.payload
    }
    isWhole = !facts.isMalformed
  }

  /// Whether it is the response to a request with that opcode, or refuses it.
  package func answers(_ request: Opcode) -> Bool {
    opcode == .errorResponse ? failure?.request == request : opcode == request.response
  }

  private mutating func read(
    _ bytes: RawSpan, isCut: Bool, requestedType: BluetoothUUID? = nil,
    _ body: (inout PDU<Summary>, inout ATTPDU) throws(Malformed) -> Void
  ) {
    var context = Context()
    context.isTruncated = isCut
    context.requestedType = requestedType
    PDU.reading(bytes, out: Summary(), context) { pdu in
      pdu.moveOn(to: all.lowerBound)
      // What was read before an error stays.
      do {
        try pdu.limit(to: all.count, by: ATT.fields.value)
        try body(&pdu, &self)
      } catch {}
    }
  }
}

/// The beginning of a PDU of ATT, for those who ask before it is read. Core Specification, Vol 3, Part F, 3.3.1
package struct ATTBeginning: Sendable {
  /// Nil if no PDU has that opcode.
  package let opcode: ATTOpcode?
  /// What follows: the Attribute Handle where the PDU has one and is no Error Response.
  package let handle: UInt16

  package init(_ bytes: RawSpan) {
    opcode = ATTOpcode(rawValue: bytes.byteCount > 0 ? bytes.byte(at: 0) : 0)
    handle = UInt16(truncatingIfNeeded: bytes.unsigned(at: 1, 2))
  }
}

// MARK: Lists

extension ATTPDU {
  /// What a response to a search says about one attribute, or of a group. 3.4.3.2, 3.4.3.4, 3.4.4.2, 3.4.4.10
  package struct Entry: Sendable {
    package internal(set) var handle: UInt16 = 0
    /// The Group End Handle, or End Group Handle.
    package internal(set) var end: UInt16 = 0
    /// Of the declaration of a characteristic. Vol 3, Part G, 3.3.1
    package internal(set) var valueHandle: UInt16 = 0
    package internal(set) var properties: UInt8 = 0
    /// Of the service or characteristic that is declared, or the attribute's type.
    package internal(set) var uuid: BluetoothUUID?
    /// Where the value is, of what is no declaration.
    package internal(set) var value: Range<Int>?
  }

  /// One of several values. 3.4.4.12, 3.4.7.4
  package struct PartialValue: Sendable {
    /// 0 in a response, which names none.
    package internal(set) var handle: UInt16 = 0
    /// The Value Length: that of the whole value, where it was cut by its sender or the recorder.
    package internal(set) var length = 0
    /// Where as much of it is as there is.
    package internal(set) var range = 0..<0

    package var isWhole: Bool { range.count == length }
  }

  /// The entries of a response to a search, up to the first that is not whole.
  /// - Parameters:
  ///   - bytes: What the PDU was read from.
  ///   - requestedType: What Read By Type or Read By Group Type asked for.
  package func entries(
    _ bytes: RawSpan, requestedType: BluetoothUUID?, isCut: Bool
  ) -> [Entry] {
    var entries: [Entry] = []
    var copy = self
    copy.read(bytes, isCut: isCut, requestedType: requestedType) { pdu, _ throws(Malformed) in
      let opcode = try pdu.u8(ATT.fields.opcode)
      try ATT.entries(opcode, &pdu) { entries.append($0) }
    }
    return entries
  }

  /// The handles that Read Multiple and Read Multiple Variable ask for. 3.4.4.7, 3.4.4.11
  package func handles(_ bytes: RawSpan) -> [UInt16] {
    var handles: [UInt16] = []
    var copy = self
    copy.read(bytes, isCut: false) { pdu, _ throws(Malformed) in
      try pdu.u8(ATT.fields.opcode)
      try ATT.handles(&pdu) { handles.append($0) }
    }
    return handles
  }

  /// The values of Read Multiple Variable responses and Multiple Handle Value notifications, up to the first
  /// whose length is missing.
  package func values(_ bytes: RawSpan, isCut: Bool) -> [PartialValue] {
    var values: [PartialValue] = []
    var copy = self
    copy.read(bytes, isCut: isCut) { pdu, _ throws(Malformed) in
      let opcode = try pdu.u8(ATT.fields.opcode)
      try ATT.values(opcode, &pdu) { values.append($0) }
    }
    return values
  }
}
