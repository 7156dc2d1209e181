import HarkCore

/// A frame of iAP, the protocol of accessories before iAP2. The layout is long known from public
/// observation (the iPodLinux project and others); over RFCOMM the sync byte is left out.
enum IAP1: MessageDissector {
  static let name: StaticString = "iAP1"
  static let path: StaticString = "iap1"
  static let specification: StaticString =
    "not public; based on observations of the iPodLinux project and others"
  static let places: [AttachmentPoint] = [.iap1]

  static let lingoes: [UInt64: StaticString] = [
    0x00: "General", 0x01: "Microphone", 0x02: "Simple Remote", 0x03: "Display Remote",
    0x04: "Extended Interface", 0x05: "Accessory Power", 0x06: "USB Host Mode", 0x07: "RF Tuner",
    0x08: "Accessory Equalizer", 0x09: "Sports", 0x0A: "Digital Audio", 0x0C: "Storage",
    0x0D: "iPod Out", 0x0E: "Location",
  ]
  struct Fields: Sendable {
    let sync = Field("Sync Byte", .hex)
    let start = Field("Start of Packet", .hex)
    let length = Field("Packet Payload Length")
    let lingo = Field("Lingo ID", .hex, names: lingoes, inLine: true)
    let command = Field("Command ID", .hex, inLine: true)
    let general = Commands(IAP1Commands.general)
    let simpleRemote = Commands(IAP1Commands.simpleRemote)
    let displayRemote = Commands(IAP1Commands.displayRemote)
    let extendedInterface = Commands(IAP1Commands.extendedInterface)
    let digitalAudio = Commands(IAP1Commands.digitalAudio)
    let transaction = Field("Transaction ID", inLine: true)
    let status = Field("Status", names: IAP1Commands.statuses, inLine: true)
    let acknowledged = Field("Acknowledged Command ID", .hex, names: IAP1Commands.general)
    let maxPayload = Field("Maximum Payload Size")
    let data = Field("Command Data", .bytes, inLine: true)
    let checksum = Field("Packet Payload Checksum", .hex, checksum: IAP2.checksum)

    /// In place of the field of the same name, where the lingo's commands have names.
    struct Commands: Sendable {
      let command: Field

      init(_ names: [UInt64: StaticString]) {
        command = Field("Command ID", .hex, names: names, title: true)
      }
    }
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout IAP1Frame
  ) throws(Malformed) {
    if pdu.peek() == 0xFF { try pdu.u8(fields.sync) }
    guard pdu.peek() == 0x55 else { throw pdu.invalid(fields.start, "is not 0x55") }
    try pdu.u8(fields.start)
    let checked = pdu.position
    var length = UInt16(try pdu.u8(fields.length))
    // Longer payloads have their length after a 0.
    if length == 0 { length = try pdu.u16be(fields.length) }
    // Of a record that was cut by its recorder, what is there is read.
    let there = pdu.context.isTruncated ? min(Int(length), pdu.remaining) : Int(length)
    try pdu.inside(there, by: fields.length) { pdu throws(Malformed) in
      let lingo = try pdu.u8(fields.lingo)
      message.lingo = lingo
      switch lingo {
      case 0x00:
        let command = try pdu.u8(fields.general.command)
        message.command = UInt16(command)
        try general(command, &pdu)
      case 0x02: message.command = UInt16(try pdu.u8(fields.simpleRemote.command))
      case 0x03: message.command = UInt16(try pdu.u8(fields.displayRemote.command))
      case 0x04: message.command = try pdu.u16be(fields.extendedInterface.command)
      case 0x0A: message.command = UInt16(try pdu.u8(fields.digitalAudio.command))
      default: message.command = UInt16(try pdu.u8(fields.command))
      }
      pdu.rest(fields.data)
    }
    if pdu.context.isTruncated, pdu.remaining == 0 { return }
    try pdu.u8(fields.checksum)
    if IAP2.sum(pdu.bytes, checked..<pdu.position) != 0 {
      pdu.note(.error, "does not match the octets before it", over: 1)
    }
  }

  /// Accessories that identify themselves by IDPS number their commands: the number precedes
  /// the data. Only the size shows it; if that varies, nothing does.
  private static func general(
    _ command: UInt8, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    guard let size = IAP1Commands.sizes[command] else { return }
    if pdu.remaining == size + 2 { try pdu.u16be(fields.transaction) }
    guard pdu.remaining == size else { return }
    switch command {
    case 0x02:
      try pdu.u8(fields.status)
      try pdu.u8(fields.acknowledged)
    case 0x12: try pdu.u16be(fields.maxPayload)
    default: break
    }
  }
}

/// What a frame of iAP asks for, or answers.
package struct IAP1Frame: Message {
  package internal(set) var lingo: UInt8 = 0
  package internal(set) var command: UInt16 = 0

  package init() {}

  package init(_ bytes: RawSpan) { self = IAP1.message(bytes, isCut: false).message }
}
