/// AVRCP's PDUs of the browsing channel. AVRCP 1.6, 6.10 to 6.12.
enum AVRCPBrowsing: MessageDissector {
  static let name: StaticString = "AVRCP"
  static let path: StaticString = "avrcp"
  static let specification: StaticString = "Audio/Video Remote Control Profile 1.6, 6.10 to 6.12"
  static let places: [AttachmentPoint] = [.avctpBrowsing(0x110E), .avctpBrowsing(0x110C)]

  static var fields: AVRCP.Fields { AVRCP.fields }

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout AVRCPMessage
  ) throws(Malformed) {
    let id = try pdu.u8(fields.pdu)
    message.identifier = id
    let length = Int(try pdu.u16be(fields.length))
    try pdu.limit(to: length, by: fields.length)
    // The PDUs do not say what they are; AVCTP's C/R does.
    if pdu.context.isResponse { try response(id, &pdu, &message) } else { try command(id, &pdu) }
  }

  private static func command(_ id: UInt8, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch id {
    case 0x70: try pdu.u16be(fields.player)
    case 0x71:
      try pdu.u8(fields.scope)
      try pdu.u32be(fields.startItem)
      try pdu.u32be(fields.endItem)
      let count = try pdu.u8(fields.attributeCount)
      // 0xFF: no attributes are asked for.
      if count != 0xFF { for _ in 0..<count { try pdu.u32be(fields.attribute) } }
    case 0x72:
      try pdu.u16be(fields.uidCounter)
      try pdu.u8(fields.direction)
      try pdu.u64be(fields.uid)
    case 0x73:
      try pdu.u8(fields.scope)
      try pdu.u64be(fields.uid)
      try pdu.u16be(fields.uidCounter)
      try AVRCPParameters.each(&pdu) { pdu throws(Malformed) in
        try pdu.u32be(fields.attribute)
      }
    case 0x75: try pdu.u8(fields.scope)
    case 0x80:
      try pdu.u16be(fields.characterSet)
      let length = Int(try pdu.u16be(fields.textLength))
      try AVRCPParameters.text(length, fields.text, by: fields.textLength, &pdu)
    default: pdu.rest(fields.parameters)
    }
  }

  private static func response(
    _ id: UInt8, _ pdu: inout PDU<some Sink>, _ message: inout AVRCPMessage
  ) throws(Malformed) {
    message.status = try pdu.u8(fields.status)
    // Where something went wrong nothing may follow.
    guard pdu.remaining > 0 else { return }
    switch id {
    case 0x70:
      try pdu.u16be(fields.uidCounter)
      message.items = Int(try pdu.u32be(fields.items))
      try pdu.u16be(fields.characterSet)
      let depth = try pdu.u8(fields.folderDepth)
      for _ in 0..<depth {
        try pdu.group(fields.entry) { pdu throws(Malformed) in try name(&pdu) }
      }
    case 0x71:
      try pdu.u16be(fields.uidCounter)
      let count = try pdu.u16be(fields.items)
      message.items = Int(count)
      for _ in 0..<count { try item(&pdu) }
    case 0x72: message.items = Int(try pdu.u32be(fields.items))
    case 0x73: try AVRCPParameters.attributes(&pdu)
    case 0x75, 0x80:
      try pdu.u16be(fields.uidCounter)
      message.items = Int(try pdu.u32be(fields.items))
    default: pdu.rest(fields.parameters)
    }
  }

  /// 6.10.2
  private static func item(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.group(fields.item) { pdu throws(Malformed) in
      let type = try pdu.u8(fields.itemType)
      let length = Int(try pdu.u16be(fields.itemLength))
      try pdu.inside(length, by: fields.itemLength) { pdu throws(Malformed) in
        switch type {
        case 1: try player(&pdu)
        case 2:
          try pdu.u64be(fields.uid)
          try pdu.u8(fields.folderType)
          try pdu.u8(fields.isPlayable)
          try pdu.u16be(fields.characterSet)
          try name(&pdu)
        case 3:
          try pdu.u64be(fields.uid)
          try pdu.u8(fields.mediaType)
          try pdu.u16be(fields.characterSet)
          try name(&pdu)
          try AVRCPParameters.attributes(&pdu)
        default: if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, fields.parameters) }
        }
      }
    }
  }

  /// 6.10.2.1
  private static func player(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u16be(fields.player)
    try pdu.u8(fields.majorPlayerType)
    try pdu.u32be(fields.playerSubType)
    try pdu.u8(fields.playStatus)
    try pdu.u64(fields.features)
    try pdu.u64(fields.moreFeatures)
    try pdu.u16be(fields.characterSet)
    try name(&pdu)
  }

  private static func name(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let length = Int(try pdu.u16be(fields.nameLength))
    try AVRCPParameters.text(length, fields.name, by: fields.nameLength, &pdu)
  }
}
