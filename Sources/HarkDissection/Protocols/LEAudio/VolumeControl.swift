import HarkCore

/// Volume Control Service, Volume Offset Control Service, Audio Input Control Service and
/// Microphone Control Service: how loud each output and input is.
enum VolumeControl: MessageDissector {
  static let name: StaticString = "Volume Control"
  static let path: StaticString = "volume"
  static let specification: StaticString =
    "VCS 1.0, 3; VOCS 1.0, 3; AICS 1.0, 3; MICS 1.0, 3"
  static let places: [AttachmentPoint] = (Array(0x2B77...0x2B83) + [0x2BC3])
    .map { .attribute(BluetoothUUID(UInt16($0))) }

  // VCS 3.2.2
  static let volumeOpcodes: [UInt64: StaticString] = [
    0: "Relative Volume Down", 1: "Relative Volume Up", 2: "Unmute/Relative Volume Down",
    3: "Unmute/Relative Volume Up", 4: "Set Absolute Volume", 5: "Unmute", 6: "Mute",
  ]
  // VOCS 3.3
  static let offsetOpcodes: [UInt64: StaticString] = [1: "Set Volume Offset"]
  // AICS 3.5
  static let inputOpcodes: [UInt64: StaticString] = [
    1: "Set Gain Setting", 2: "Unmute", 3: "Mute", 4: "Set Manual Gain Mode",
    5: "Set Automatic Gain Mode",
  ]
  // AICS 2.2.1.3
  static let gainModes: [UInt64: StaticString] = [
    0: "Manual Only", 1: "Automatic Only", 2: "Manual", 3: "Automatic",
  ]

  struct Fields: Sendable {
    let volume = Field("Volume_Setting", inLine: true)
    let mute = Field("Mute", names: LEAudioNames.mutes, inLine: true)
    let state = State()
    let changeCounter = Field("Change_Counter")
    let flags = Field(
      "Volume Flags", .hex,
      names: [0: "Reset Volume Setting", 1: "User Set Volume Setting"], inLine: true)
    let offset = Field("Volume_Offset", .signed, inLine: true)
    let location = Field(
      "Audio Location", .hex, flags: LEAudioNames.locations, special: LEAudioNames.noLocation,
      inLine: true)
    let description = Field("Description", .text, inLine: true, personal: .name)
    let gain = Field("Gain_Setting", .signed, inLine: true)
    let gainMode = Field("Gain_Mode", names: gainModes, inLine: true)
    let gainUnits = Field("Gain_Setting_Units", unit: "0.1 dB")
    let gainMinimum = Field("Gain_Setting_Minimum", .signed)
    let gainMaximum = Field("Gain_Setting_Maximum", .signed)
    let inputType = Field("Audio Input Type", names: LEAudioNames.inputTypes, inLine: true)
    let inputStatus = Field(
      "Audio Input Status", names: [0: "Inactive", 1: "Active"], inLine: true)
    let output = Operation(volumeOpcodes)
    let offsets = Operation(offsetOpcodes)
    let input = Operation(inputOpcodes)

    /// The output of VCS is never disabled. VCS 3.1.2
    struct State: Sendable {
      let mute = Field("Mute", names: [0: "Not Muted", 1: "Muted"], inLine: true)
    }

    /// Each service has opcodes of its own: one path for all.
    struct Operation: Sendable {
      let opcode: Field

      init(_ names: [UInt64: StaticString]) {
        opcode = Field("Opcode", .hex, names: names, title: true)
      }
    }
  }
  static let fields = Fields()

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout LEAudioValue) throws(Malformed) {
    let type = (pdu.context.attributeType ?? pdu.context.requestedType)?.short ?? 0
    switch type {
    case 0x2B7D:
      let setting = try pdu.u8(fields.volume)
      message = .volume(setting: setting, mute: try pdu.u8(fields.state.mute))
      try pdu.u8(fields.changeCounter)
    case 0x2B7E:
      let opcode = try pdu.u8(fields.output.opcode)
      try pdu.u8(fields.changeCounter)
      message = .volumeOperation(opcode: opcode, setting: nil)
      if opcode == 4 {
        message = .volumeOperation(opcode: opcode, setting: try pdu.u8(fields.volume))
      }
    case 0x2B7F: try pdu.u8(fields.flags)
    case 0x2B80:
      try pdu.bytes(2, fields.offset)
      try pdu.u8(fields.changeCounter)
    case 0x2B81: try pdu.u32(fields.location)
    case 0x2B82:
      let opcode = try pdu.u8(fields.offsets.opcode)
      try pdu.u8(fields.changeCounter)
      if opcode == 1 { try pdu.bytes(2, fields.offset) }
    case 0x2B83, 0x2B7C: try AdvertisingData.all(fields.description, &pdu)
    case 0x2BC3: message = .microphone(mute: try pdu.u8(fields.mute))
    default: try input(type, &pdu)
    }
  }

  /// AICS 3
  static func input(_ type: UInt16, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch type {
    case 0x2B77:
      try pdu.bytes(1, fields.gain)
      try pdu.u8(fields.mute)
      try pdu.u8(fields.gainMode)
      try pdu.u8(fields.changeCounter)
    case 0x2B78:
      try pdu.u8(fields.gainUnits)
      try pdu.bytes(1, fields.gainMinimum)
      try pdu.bytes(1, fields.gainMaximum)
    case 0x2B79: try pdu.u8(fields.inputType)
    case 0x2B7A: try pdu.u8(fields.inputStatus)
    case 0x2B7B:
      let opcode = try pdu.u8(fields.input.opcode)
      try pdu.u8(fields.changeCounter)
      if opcode == 1 { try pdu.bytes(1, fields.gain) }
    default: break
    }
  }
}
