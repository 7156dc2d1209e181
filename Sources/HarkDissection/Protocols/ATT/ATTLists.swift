import HarkCore

// PDUs of ATT with lists: searches, several handles, several values. `each` takes an entry once it is whole.
extension ATT {
  /// 3.4.3.1, 3.4.3.3, 3.4.4.1, 3.4.4.9
  static func search(
    _ opcode: UInt8, _ pdu: inout PDU<some Sink>, _ message: inout ATTPDU
  ) throws(Malformed) {
    let isSecret = pdu.context.isSecret
    message.startingHandle = try pdu.u16(fields.startingHandle)
    message.endingHandle = try pdu.u16(fields.endingHandle)
    if opcode == 0x06 {
      message.type = try pdu.uuid(2, fields.type)
      let size = pdu.remaining
      // Discovery by service UUID. Vol 3, Part G, 4.4.2.
      let isService = message.type?.short == 0x2800 && (size == 2 || size == 16)
      let searched = isService ? pdu.rest(fields.typed.value) : pdu.rest(value(isSecret))
      message.service = BluetoothUUID(littleEndian: pdu.bytes.extracting(searched))
    } else if opcode != 0x04 {
      message.type = try pdu.uuid(pdu.remaining > 2 ? 16 : 2, fields.type)
    }
  }

  /// 3.4.3.2, 3.4.3.4, 3.4.4.2, 3.4.4.10
  static func entries(
    _ opcode: UInt8, _ pdu: inout PDU<some Sink>, _ each: (ATTPDU.Entry) -> Void
  ) throws(Malformed) {
    switch opcode {
    case 0x05: try information(&pdu, each)
    case 0x07:
      while pdu.remaining > 0 {
        var found = ATTPDU.Entry()
        try pdu.group(fields.entries) { pdu throws(Malformed) in
          found.handle = try pdu.u16(fields.handle)
          found.end = try pdu.u16(fields.groupEndHandle)
        }
        each(found)
      }
    default:
      let length = Int(try pdu.u8(fields.length))
      guard length >= (opcode == 0x09 ? 2 : 4) else {
        throw pdu.invalid(fields.length, "is too short for an entry")
      }
      while pdu.remaining > 0 {
        var found = ATTPDU.Entry()
        try pdu.within(length, fields.entries) { pdu throws(Malformed) in
          found.handle = try pdu.u16(fields.handle)
          if opcode == 0x11 { found.end = try pdu.u16(fields.groupEndHandle) }
          try entry(opcode, &pdu, &found)
        }
        each(found)
      }
    }
  }

  /// The value of an entry, as far as the requested type determines it. Vol 3, Part G, 3.1, 3.3.1.
  private static func entry(
    _ opcode: UInt8, _ pdu: inout PDU<some Sink>, _ found: inout ATTPDU.Entry
  ) throws(Malformed) {
    let size = pdu.remaining
    if opcode == 0x11, size == 2 || size == 16 {
      found.uuid = try pdu.uuid(size, fields.uuid)
    } else if opcode == 0x09, pdu.context.requestedType?.short == 0x2803, size == 5 || size == 19 {
      found.properties = try pdu.u8(fields.properties)
      found.valueHandle = try pdu.u16(fields.valueHandle)
      found.uuid = try pdu.uuid(size - 3, fields.ofAttribute.uuid)
    } else {
      if size > 0 { found.value = pdu.position..<pdu.end }
      decoded(opcode == 0x09 ? pdu.context.requestedType : nil, &pdu)
    }
  }

  /// 3.4.3.2
  private static func information(
    _ pdu: inout PDU<some Sink>, _ each: (ATTPDU.Entry) -> Void
  ) throws(Malformed) {
    let format = try pdu.u8(fields.format)
    guard format == 1 || format == 2 else {
      throw pdu.invalid(fields.format, "is neither 1 nor 2")
    }
    while pdu.remaining > 0 {
      var found = ATTPDU.Entry()
      try pdu.group(fields.entries) { pdu throws(Malformed) in
        found.handle = try pdu.u16(fields.handle)
        found.uuid = try pdu.uuid(format == 1 ? 2 : 16, fields.ofAttribute.uuid)
      }
      each(found)
    }
  }

  /// 3.4.4.7, 3.4.4.11
  static func handles(
    _ pdu: inout PDU<some Sink>, _ each: (UInt16) -> Void
  ) throws(Malformed) {
    while pdu.remaining > 0 { each(try pdu.u16(fields.handle)) }
  }

  /// 3.4.4.12, 3.4.7.4
  static func values(
    _ opcode: UInt8, _ pdu: inout PDU<some Sink>, _ each: (ATTPDU.PartialValue) -> Void
  ) throws(Malformed) {
    var index = 0
    while pdu.remaining > 0 {
      var found = ATTPDU.PartialValue()
      if opcode == 0x23 { found.handle = try pdu.u16(fields.handle) }
      try lengthAndValue(
        pdu.context.attributeTypes[index], mayBeCut: opcode == 0x21, &pdu, &found)
      each(found)
      index += 1
    }
  }

  private static func lengthAndValue(
    _ type: BluetoothUUID?, mayBeCut: Bool, _ pdu: inout PDU<some Sink>,
    _ found: inout ATTPDU.PartialValue
  ) throws(Malformed) {
    let isSecret = pdu.context.isSecret
    let length = Int(try pdu.u16(fields.valueLength))
    let start = pdu.position
    (found.length, found.range) = (length, start..<(start + min(length, pdu.remaining)))
    if !mayBeCut, length > pdu.remaining, !pdu.context.isTruncated {
      pdu.note(
        .warning, "is more than the bytes that follow", over: 2, clause: "Vol 3, Part F, 3.4.7.4")
    }
    // A value that does not fit is cut by the sender, and its length is still the whole one.
    guard let type, !isSecret, length > 0, length <= pdu.remaining else {
      try pdu.bytes(min(length, pdu.remaining), value(isSecret))
      return
    }
    pdu.inferred(fields.attribute, type)
    try pdu.about(type) { pdu throws(Malformed) in
      try pdu.inside(length, by: fields.valueLength) { pdu throws(Malformed) in
        decoded(type, &pdu)
      }
    }
  }
}
