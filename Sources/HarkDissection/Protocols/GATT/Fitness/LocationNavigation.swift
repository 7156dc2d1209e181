import HarkCore

/// Where somebody is and where to go. Location and Navigation Service 1.0, 3.
enum LocationNavigation: Dissector {
  static let name: StaticString = "Location and Navigation"
  static let path: StaticString = "location"
  static let specification: StaticString = "Location and Navigation Service 1.0, 3"
  static let places: [AttachmentPoint] = (0x2A67...0x2A6B).map {
    .attribute(BluetoothUUID(UInt16($0)))
  }

  static let fields = Field.measured(LocationNavigationFields())

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch (pdu.context.attributeType ?? pdu.context.requestedType)?.short {
    case 0x2A67: try location(&pdu)
    case 0x2A68: try navigation(&pdu)
    case 0x2A69: try quality(&pdu)
    case 0x2A6A: try pdu.u32(fields.feature)
    case 0x2A6B: try controlPoint(&pdu)
    default: break
    }
  }

  /// 3.2
  private static func location(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.word(2, of: fields.flags)
    pdu.part(fields.flags, flags & 0x7F, of: 2)
    pdu.part(fields.status, flags >> 7 & 3, of: 2)
    pdu.part(fields.format, flags >> 9 & 1, of: 2)
    pdu.part(fields.elevationSource, flags >> 10 & 3, of: 2)
    pdu.part(fields.headingSource, flags >> 12 & 1, of: 2)
    if flags & 1 != 0 { try pdu.u16(fields.speed) }
    if flags & 2 != 0 { try pdu.unsigned(3, fields.distance) }
    if flags & 4 != 0 {
      try pdu.u32(fields.latitude)
      try pdu.u32(fields.longitude)
    }
    if flags & 8 != 0 { try pdu.bytes(3, fields.elevation) }
    if flags & 0x10 != 0 { try pdu.u16(fields.heading) }
    if flags & 0x20 != 0 { try pdu.u8(fields.rolling) }
    if flags & 0x40 != 0 { try Health.dateTime(&pdu) }
  }

  /// 3.4
  private static func navigation(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.word(2, of: fields.course.flags)
    pdu.part(fields.course.flags, flags & 0x187, of: 2)
    pdu.part(fields.status, flags >> 3 & 3, of: 2)
    pdu.part(fields.headingSource, flags >> 5 & 1, of: 2)
    pdu.part(fields.indicator, flags >> 6 & 1, of: 2)
    try pdu.u16(fields.bearing)
    try pdu.u16(fields.heading)
    if flags & 1 != 0 { try pdu.unsigned(3, fields.left) }
    if flags & 2 != 0 { try pdu.bytes(3, fields.climb) }
    if flags & 4 != 0 { try Health.dateTime(&pdu) }
  }

  /// 3.3
  private static func quality(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.word(2, of: fields.fix.flags)
    pdu.part(fields.fix.flags, flags & 0x7F, of: 2)
    pdu.part(fields.status, flags >> 7 & 3, of: 2)
    if flags & 1 != 0 { try pdu.u8(fields.used) }
    if flags & 2 != 0 { try pdu.u8(fields.seen) }
    if flags & 4 != 0 { try pdu.u16(fields.first) }
    if flags & 8 != 0 { try pdu.u32(fields.horizontal) }
    if flags & 0x10 != 0 { try pdu.u32(fields.vertical) }
    if flags & 0x20 != 0 { try pdu.u8(fields.hdop) }
    if flags & 0x40 != 0 { try pdu.u8(fields.vdop) }
  }

  /// 3.5
  private static func controlPoint(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch try pdu.u8(fields.opcode) {
    case 0x01: try pdu.unsigned(3, fields.cumulative)
    case 0x02: try pdu.u16(fields.mask)
    case 0x03: try pdu.u8(fields.control)
    case 0x05, 0x06: try pdu.u16(fields.route)
    case 0x07: try pdu.u8(fields.rate)
    case 0x08: try pdu.bytes(3, fields.elevation)
    case 0x20:
      let request = try pdu.u8(fields.request)
      try pdu.u8(fields.response)
      if pdu.remaining == 0 { return }
      switch request {
      case 0x04: try pdu.u16(fields.routes)
      case 0x05: pdu.rest(fields.routeName)
      default: break
      }
    default: break
    }
  }
}
