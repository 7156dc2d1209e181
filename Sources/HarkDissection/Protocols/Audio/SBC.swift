/// Media payload of the low complexity subband codec (SBC). A2DP 1.4, 4.3.4 and 12.
enum SBC: Dissector {
  static let name: StaticString = "SBC"
  static let path: StaticString = "sbc"
  static let specification: StaticString = "Advanced Audio Distribution Profile 1.4, 4.3.4 and 12"
  static let places: [AttachmentPoint] = [.mediaPayload(0x00)]

  static let answers: [UInt64: StaticString] = [0: "no", 1: "yes"]
  // 12.5.1, tables 12.16 to 12.20
  static let frequencies: [UInt64: StaticString] = [
    0: "16 kHz", 1: "32 kHz", 2: "44.1 kHz", 3: "48 kHz",
  ]
  static let blockCounts: [UInt64: StaticString] = [0: "4", 1: "8", 2: "12", 3: "16"]
  static let modes: [UInt64: StaticString] = [
    0: "MONO", 1: "DUAL_CHANNEL", 2: "STEREO", 3: "JOINT_STEREO",
  ]
  static let methods: [UInt64: StaticString] = [0: "LOUDNESS", 1: "SNR"]
  static let subbandCounts: [UInt64: StaticString] = [0: "4", 1: "8"]

  struct Fields: Sendable {
    let fragmented = Field("Fragmented", names: answers)
    let starting = Field("Starting Packet", names: answers)
    let last = Field("Last Packet", names: answers)
    let frames = Field("Number of Frames", inLine: true)
    let frame = Field("Frame", .list)
    let syncword = Field("syncword", .hex)
    let samplingFrequency = Field("sampling_frequency", names: frequencies)
    let blocks = Field("blocks", names: blockCounts)
    let channelMode = Field("channel_mode", names: modes)
    let allocation = Field("allocation_method", names: methods)
    let subbands = Field("subbands", names: subbandCounts)
    let bitpool = Field("bitpool")
    let crc = Field("crc_check", .hex, structural: false)
    let audio = Field("Audio Data", .bytes, personal: .opaque)
    let fragment = Field("Fragment", .bytes, role: .fragment)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let header = try pdu.word(1, of: fields.fragmented)
    pdu.part(fields.fragmented, header >> 7, of: 1)
    pdu.part(fields.starting, header >> 6 & 1, of: 1)
    pdu.part(fields.last, header >> 5 & 1, of: 1)
    pdu.part(fields.frames, header & 0xF, of: 1)
    guard header >> 7 == 0 else {
      pdu.rest(fields.fragment)
      return
    }
    for _ in 0..<(header & 0xF) { try frame(&pdu) }
  }

  /// 12.3 to 12.5
  private static func frame(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.group(fields.frame) { pdu throws(Malformed) in
      guard pdu.peek() == 0x9C || pdu.remaining == 0 else {
        throw pdu.invalid(fields.syncword, "is not 0x9c")
      }
      try pdu.u8(fields.syncword)
      let word = try pdu.word(1, of: fields.samplingFrequency)
      pdu.part(fields.samplingFrequency, word >> 6, of: 1)
      pdu.part(fields.blocks, word >> 4 & 3, of: 1)
      pdu.part(fields.channelMode, word >> 2 & 3, of: 1)
      pdu.part(fields.allocation, word >> 1 & 1, of: 1)
      pdu.part(fields.subbands, word & 1, of: 1)
      let bitpool = Int(try pdu.u8(fields.bitpool))
      try pdu.u8(fields.crc)
      try pdu.bytes(audioLength(Int(word), bitpool), fields.audio)
    }
  }

  /// How many octets follow a frame's header of four. 12.9.
  private static func audioLength(_ parameters: Int, _ bitpool: Int) -> Int {
    let blocks = 4 * ((parameters >> 4 & 3) + 1)
    let mode = parameters >> 2 & 3
    let subbands = parameters & 1 == 1 ? 8 : 4
    let channels = mode == 0 ? 1 : 2
    let scaleFactors = subbands * channels / 2
    // Two channels share the bits of a bitpool unless they are dual.
    let bits = blocks * bitpool * (mode == 1 ? 2 : 1) + (mode == 3 ? subbands : 0)
    return scaleFactors + (bits + 7) / 8
  }
}
