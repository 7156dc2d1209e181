/// The parameters of AVRCP's PDUs on the control channel. AVRCP 1.6, 6.4 to 6.9 and 6.13.
enum AVRCPParameters {
  static var fields: AVRCPFields { AVRCP.fields }

  static func command(
    _ id: UInt8, _ pdu: inout PDU<some Sink>, _ message: inout AVRCPMessage
  ) throws(Malformed) {
    switch id {
    case 0x10: try pdu.u8(fields.capability)
    case 0x11, 0x30: break
    case 0x12: try pdu.u8(fields.setting)
    case 0x13, 0x15: try each(&pdu) { pdu throws(Malformed) in try pdu.u8(fields.setting) }
    case 0x14: try each(&pdu) { pdu throws(Malformed) in _ = try settingAndValue(&pdu) }
    case 0x16:
      let setting = try pdu.u8(fields.setting)
      try each(&pdu) { pdu throws(Malformed) in try pdu.u8(value(of: setting)) }
    case 0x17: try each(&pdu) { pdu throws(Malformed) in try pdu.u16be(fields.characterSet) }
    case 0x18: try pdu.u8(fields.battery)
    case 0x20:
      try pdu.u64be(fields.identifier)
      try each(&pdu) { pdu throws(Malformed) in try pdu.u32be(fields.attribute) }
    case 0x31:
      try pdu.u8(fields.event)
      try pdu.u32be(fields.interval)
    case 0x40, 0x41: try pdu.u8(fields.continuing)
    case 0x50: message.volume = try volume(&pdu)
    case 0x60: try pdu.u16be(fields.player)
    case 0x74, 0x90:
      try pdu.u8(fields.scope)
      try pdu.u64be(fields.uid)
      try pdu.u16be(fields.uidCounter)
    default: pdu.rest(fields.parameters)
    }
  }

  static func response(
    _ id: UInt8, _ pdu: inout PDU<some Sink>, _ message: inout AVRCPMessage
  ) throws(Malformed) {
    switch id {
    case 0x10: try capabilities(&pdu, &message)
    case 0x11: try each(&pdu) { pdu throws(Malformed) in try pdu.u8(fields.setting) }
    case 0x12:
      // Which attribute the values are of, only the command says.
      try each(&pdu) { pdu throws(Malformed) in try pdu.u8(fields.otherSetting.settingValue) }
    case 0x13: try settings(&pdu, &message)
    case 0x14, 0x17, 0x18, 0x41: break
    case 0x15, 0x16:
      try entries(&pdu) { pdu throws(Malformed) in
        try pdu.u8(id == 0x15 ? fields.setting : fields.otherSetting.settingValue)
        try pdu.u16be(fields.characterSet)
        let length = Int(try pdu.u8(fields.textLength))
        try text(length, fields.text, by: fields.textLength, &pdu)
      }
    case 0x20:
      try attributes(&pdu) { id, value in
        message.attributes.append(AVRCPMessage.Attribute(id: id, value: value))
      }
    case 0x30:
      message.songLength = try pdu.u32be(fields.songLength)
      message.songPosition = try pdu.u32be(fields.songPosition)
      message.playStatus = try pdu.u8(fields.playStatus)
    case 0x31: try notification(&pdu, &message)
    case 0x50: message.volume = try volume(&pdu)
    case 0x60, 0x74, 0x90: message.status = try pdu.u8(fields.status)
    default: pdu.rest(fields.parameters)
    }
  }

  /// 6.7.2
  private static func notification(
    _ pdu: inout PDU<some Sink>, _ message: inout AVRCPMessage
  ) throws(Malformed) {
    let event = try pdu.u8(fields.event)
    message.event = event
    switch AVRCPMessage.Event(rawValue: event) {
    case .playbackStatusChanged: message.playStatus = try pdu.u8(fields.playStatus)
    case .trackChanged: try pdu.u64be(fields.identifier)
    case .playbackPosChanged: message.songPosition = try pdu.u32be(fields.songPosition)
    case .battStatusChanged: message.battery = try pdu.u8(fields.battery)
    case .systemStatusChanged: message.systemStatus = try pdu.u8(fields.systemStatus)
    case .playerApplicationSettingChanged: try settings(&pdu, &message)
    case .addressedPlayerChanged:
      message.player = try pdu.u16be(fields.player)
      try pdu.u16be(fields.uidCounter)
    case .uidsChanged: try pdu.u16be(fields.uidCounter)
    case .volumeChanged: message.volume = try volume(&pdu)
    default: if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, fields.parameters) }
    }
  }

  private static func settings(
    _ pdu: inout PDU<some Sink>, _ message: inout AVRCPMessage
  ) throws(Malformed) {
    try each(&pdu) { pdu throws(Malformed) in
      message.settings.append(try settingAndValue(&pdu))
    }
  }

  /// 6.4.1
  private static func capabilities(
    _ pdu: inout PDU<some Sink>, _ message: inout AVRCPMessage
  ) throws(Malformed) {
    let kind = try pdu.u8(fields.capability)
    message.hasEvents = kind == 3
    try each(&pdu) { pdu throws(Malformed) in
      switch kind {
      case 2: try pdu.u24be(fields.company)
      default: message.events.append(try pdu.u8(fields.event))
      }
    }
  }

  /// A count, and that many elements as single fields.
  static func each<Out: Sink>(
    _ pdu: inout PDU<Out>, _ body: (inout PDU<Out>) throws(Malformed) -> Void
  ) throws(Malformed) {
    let count = try pdu.u8(fields.count)
    for _ in 0..<count { try body(&pdu) }
  }

  /// A count, and that many elements of several fields.
  static func entries<Out: Sink>(
    _ pdu: inout PDU<Out>, _ body: (inout PDU<Out>) throws(Malformed) -> Void
  ) throws(Malformed) {
    let count = try pdu.u8(fields.count)
    for _ in 0..<count { try pdu.group(fields.entry, body) }
  }

  /// 6.6.1: attributes of media, with their values. `found` is given where the value of each is.
  static func attributes(
    _ pdu: inout PDU<some Sink>, found: (UInt32, Range<Int>) -> Void = { _, _ in }
  ) throws(Malformed) {
    try entries(&pdu) { pdu throws(Malformed) in
      let attribute = try pdu.u32be(fields.attribute)
      try pdu.u16be(fields.characterSet)
      let length = Int(try pdu.u16be(fields.valueLength))
      let start = pdu.position
      try text(length, fields.value, by: fields.valueLength, &pdu)
      if pdu.position > start { found(attribute, start..<pdu.position) }
    }
  }

  static func text(
    _ length: Int, _ field: Field, by lengthField: Field, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    try pdu.inside(length, by: lengthField) { pdu throws(Malformed) in
      if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, field) }
    }
  }

  private static func settingAndValue(
    _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> AVRCPMessage.Setting {
    let setting = try pdu.u8(fields.setting)
    return AVRCPMessage.Setting(attribute: setting, value: try pdu.u8(value(of: setting)))
  }

  private static func value(of setting: UInt8) -> Field {
    switch setting {
    case 1: fields.equalizer.settingValue
    case 2: fields.repeatMode.settingValue
    case 3: fields.shuffle.settingValue
    case 4: fields.scan.settingValue
    default: fields.otherSetting.settingValue
    }
  }

  /// 6.13.1: the lower seven bits.
  private static func volume(_ pdu: inout PDU<some Sink>) throws(Malformed) -> UInt8 {
    let volume = try pdu.word(1, of: fields.volume) & 0x7F
    pdu.part(fields.volume, volume, of: 1)
    return UInt8(truncatingIfNeeded: volume)
  }
}
