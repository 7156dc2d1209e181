/// Codec information elements of the Advanced Audio Distribution Profile. A2DP 1.4, 4.3 to 4.7.
///
/// In a capability several bits may be set, in a configuration one of each kind is.
struct A2DPCodec: Sendable {
  // Assigned Numbers, 6.3
  static let mediaTypes: [UInt64: StaticString] = [0: "Audio", 1: "Video", 2: "Multimedia"]
  // Assigned Numbers, 6.5.1
  static let audioTypes: [UInt64: StaticString] = [
    0x00: "SBC", 0x01: "MPEG-1,2 Audio", 0x02: "MPEG-2,4 AAC", 0x03: "MPEG-D USAC",
    0x04: "ATRAC family", 0xFF: "non-A2DP Codec",
  ]
  // Assigned Numbers, 6.5.2
  static let videoTypes: [UInt64: StaticString] = [
    0x01: "H.263 baseline", 0x02: "MPEG-4 Visual Simple Profile", 0x03: "H.263 profile 3",
    0x04: "H.263 profile 8", 0xFF: "non-VDP Codec",
  ]
  static let answers: [UInt64: StaticString] = [0: "not supported", 1: "supported"]

  /// What a Media Codec Type means depends on the Media Type: one path for both.
  struct CodecType: Sendable {
    let codecType: Field

    init(_ names: [UInt64: StaticString]) {
      codecType = Field("Media Codec Type", .hex, names: names, inLine: true)
    }
  }

  // 4.3.2
  struct SBC: Sendable {
    let samplingFrequency = Field(
      "Sampling Frequency", .hex,
      flags: [3: "16 kHz", 2: "32 kHz", 1: "44.1 kHz", 0: "48 kHz"])
    let channelMode = Field(
      "Channel Mode", .hex, flags: [3: "MONO", 2: "DUAL CHANNEL", 1: "STEREO", 0: "JOINT STEREO"])
    let blockLength = Field("Block Length", .hex, flags: [3: "4", 2: "8", 1: "12", 0: "16"])
    let subbands = Field("Subbands", .hex, flags: [1: "4", 0: "8"])
    let allocation = Field("Allocation Method", .hex, flags: [1: "SNR", 0: "Loudness"])
    let minimumBitpool = Field("Minimum Bitpool Value")
    let maximumBitpool = Field("Maximum Bitpool Value")
  }

  // 4.4.2
  struct MPEG12: Sendable {
    let layer = Field(
      "Layer", .hex, flags: [2: "Layer I (mp1)", 1: "Layer II (mp2)", 0: "Layer III (mp3)"])
    let crc = Field("CRC Protection", names: answers)
    let channelMode = Field(
      "Channel Mode", .hex, flags: [3: "MONO", 2: "DUAL CHANNEL", 1: "STEREO", 0: "JOINT STEREO"])
    let mediaPayloadFormat = Field("Media Payload Format 2", names: answers)
    let samplingFrequency = Field(
      "Sampling Frequency", .hex,
      flags: [
        5: "16 kHz", 4: "22.05 kHz", 3: "24 kHz", 2: "32 kHz", 1: "44.1 kHz", 0: "48 kHz",
      ])
    let vbr = Field("VBR", names: answers)
    let bitRateIndexes = Field("Bit Rate Indexes", .hex)
  }

  // 4.5.2
  struct AAC: Sendable {
    let objectType = Field(
      "Object Type", .hex,
      flags: [
        7: "MPEG-2 AAC LC", 6: "MPEG-4 AAC LC", 5: "MPEG-4 AAC LTP", 4: "MPEG-4 AAC scalable",
        3: "MPEG-4 HE-AAC", 2: "MPEG-4 HE-AACv2", 1: "MPEG-4 AAC-ELDv2", 0: "MPEG-D DRC",
      ])
    let samplingFrequency = Field(
      "Sampling Frequency", .hex,
      flags: [
        11: "8 kHz", 10: "11.025 kHz", 9: "12 kHz", 8: "16 kHz", 7: "22.05 kHz", 6: "24 kHz",
        5: "32 kHz", 4: "44.1 kHz", 3: "48 kHz", 2: "64 kHz", 1: "88.2 kHz", 0: "96 kHz",
      ])
    let channels = Field("Channels", .hex, flags: [3: "1", 2: "2", 1: "5.1", 0: "7.1"])
    let vbr = Field("VBR", names: answers)
    let bitRate = Field("Bit Rate", unit: "bit/s")
  }

  // 4.6.2
  struct USAC: Sendable {
    let objectType = Field(
      "Object Type", .hex, flags: [1: "MPEG-D USAC with MPEG-D DRC"])
    let samplingFrequency = Field(
      "Sampling Frequency", .hex,
      flags: [
        25: "7.35 kHz", 24: "8 kHz", 23: "8.82 kHz", 22: "9.6 kHz", 21: "11.025 kHz",
        20: "11.76 kHz", 19: "12 kHz", 18: "12.8 kHz", 17: "14.7 kHz", 16: "16 kHz",
        15: "17.64 kHz", 14: "19.2 kHz", 13: "22.05 kHz", 12: "24 kHz", 11: "29.4 kHz",
        10: "32 kHz", 9: "35.28 kHz", 8: "38.4 kHz", 7: "44.1 kHz", 6: "48 kHz", 5: "58.8 kHz",
        4: "64 kHz", 3: "70.56 kHz", 2: "76.8 kHz", 1: "88.2 kHz", 0: "96 kHz",
      ])
    let channels = Field("Channels", .hex, flags: [3: "1", 2: "2"])
    let vbr = Field("VBR", names: answers)
    let bitRate = Field("Bit Rate", unit: "bit/s")
  }

  // 4.7.2
  struct ATRAC: Sendable {
    let version = Field(
      "Version", names: [1: "ATRAC", 2: "ATRAC2", 3: "ATRAC3"])
    let channelMode = Field(
      "Channel Mode", .hex, flags: [2: "SINGLE CHANNEL", 1: "DUAL CHANNEL", 0: "JOINT STEREO"])
    let samplingFrequency = Field(
      "Sampling Frequency", .hex, flags: [1: "44.1 kHz", 0: "48 kHz"])
    let vbr = Field("VBR", names: answers)
    let bitRateIndexes = Field("Bit Rate Indexes", .hex)
    let maximumSUL = Field("Maximum SUL", unit: "octets")
    let reserved = Field("Reserved", .hex, role: .reserved)
  }

  let mediaType = Field("Media Type", names: mediaTypes)
  let audio = CodecType(audioTypes)
  let video = CodecType(videoTypes)
  let sbc = SBC()
  let mpeg12 = MPEG12()
  let aac = AAC()
  let usac = USAC()
  let atrac = ATRAC()
  let vendor = A2DPVendorCodec.shared
  let information = Field("Media Codec Specific Information", .bytes)

  static let shared = A2DPCodec()

  /// Reads the element to the end of the window, and of audio what it configures.
  func read(
    _ pdu: inout PDU<some Sink>, _ element: inout AudioCodec?
  ) throws(Malformed) {
    element = nil
    let type = try pdu.word(1, of: mediaType) >> 4
    pdu.part(mediaType, type, of: 1)
    let isAudio = type == 0
    let codec = try pdu.u8(isAudio ? audio.codecType : video.codecType)
    var configured = AudioCodec(type: codec)
    defer { if isAudio { element = configured } }
    switch AudioCodec.Kind(rawValue: codec) {
    case .sbc where isAudio: try readSBC(&pdu, &configured)
    case .mpeg12 where isAudio: try readMPEG12(&pdu, &configured)
    case .aac where isAudio: try readAAC(&pdu, &configured)
    case .usac where isAudio: try readUSAC(&pdu, &configured)
    case .atrac where isAudio: try readATRAC(&pdu, &configured)
    case .vendorSpecific: try vendor.read(&pdu, &configured)
    default: if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, information) }
    }
  }

  private func readSBC(
    _ pdu: inout PDU<some Sink>, _ codec: inout AudioCodec
  ) throws(Malformed) {
    let first = try pdu.word(1, of: sbc.samplingFrequency)
    pdu.part(sbc.samplingFrequency, first >> 4, of: 1)
    pdu.part(sbc.channelMode, first & 0xF, of: 1)
    let second = try pdu.word(1, of: sbc.blockLength)
    pdu.part(sbc.blockLength, second >> 4, of: 1)
    pdu.part(sbc.subbands, second >> 2 & 3, of: 1)
    pdu.part(sbc.allocation, second & 3, of: 1)
    let least = try bitpool(sbc.minimumBitpool, &pdu)
    let most = try bitpool(sbc.maximumBitpool, &pdu)
    codec.samplingFrequency = AudioCodec.only(first >> 4, [48_000, 44_100, 32_000, 16_000])
    codec.channels = AudioCodec.only(first & 0xF, AudioCodec.modes)
    if least <= most { codec.bitpool = least...most }
  }

  private func bitpool(
    _ field: Field, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> UInt8 {
    let value = try pdu.u8(field)
    if value < 2 || value > 250 {
      pdu.note(.error, "is outside the range 2 to 250", over: 1, clause: "A2DP 1.4, 4.3.2.6")
    }
    return value
  }

  private func readMPEG12(
    _ pdu: inout PDU<some Sink>, _ codec: inout AudioCodec
  ) throws(Malformed) {
    let first = try pdu.word(1, of: mpeg12.layer)
    pdu.part(mpeg12.layer, first >> 5, of: 1)
    pdu.part(mpeg12.crc, first >> 4 & 1, of: 1)
    pdu.part(mpeg12.channelMode, first & 0xF, of: 1)
    let second = try pdu.word(1, of: mpeg12.mediaPayloadFormat)
    pdu.part(mpeg12.mediaPayloadFormat, second >> 6 & 1, of: 1)
    pdu.part(mpeg12.samplingFrequency, second & 0x3F, of: 1)
    let rates = try pdu.bigEndian(2, of: mpeg12.vbr)
    pdu.part(mpeg12.vbr, rates >> 15, of: 2)
    pdu.part(mpeg12.bitRateIndexes, rates & 0x7FFF, of: 2)
    codec.samplingFrequency = AudioCodec.only(
      second & 0x3F, [48_000, 44_100, 32_000, 24_000, 22_050, 16_000])
    codec.channels = AudioCodec.only(first & 0xF, AudioCodec.modes)
  }

  private func readAAC(
    _ pdu: inout PDU<some Sink>, _ codec: inout AudioCodec
  ) throws(Malformed) {
    try pdu.u8(aac.objectType)
    let word = try pdu.bigEndian(2, of: aac.samplingFrequency)
    pdu.part(aac.samplingFrequency, word >> 4, of: 2)
    pdu.part(aac.channels, word & 0xF, of: 2)
    let rate = try pdu.bigEndian(3, of: aac.vbr)
    pdu.part(aac.vbr, rate >> 23, of: 3)
    pdu.part(aac.bitRate, rate & 0x7F_FFFF, of: 3)
    codec.samplingFrequency = AudioCodec.only(
      word >> 4,
      [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025,
        8_000,
      ])
    codec.channels = AudioCodec.only(word & 0xF, [.surround71, .surround51, .stereo, .mono])
    codec.isVariable = rate >> 23 == 1
    codec.bitRate = UInt32(truncatingIfNeeded: rate & 0x7F_FFFF)
  }

  private func readUSAC(
    _ pdu: inout PDU<some Sink>, _ codec: inout AudioCodec
  ) throws(Malformed) {
    let word = try pdu.bigEndian(4, of: usac.samplingFrequency)
    pdu.part(usac.objectType, word >> 30, of: 4)
    pdu.part(usac.samplingFrequency, word >> 4 & 0x3FF_FFFF, of: 4)
    pdu.part(usac.channels, word & 0xF, of: 4)
    let rate = try pdu.bigEndian(3, of: usac.vbr)
    pdu.part(usac.vbr, rate >> 23, of: 3)
    pdu.part(usac.bitRate, rate & 0x7F_FFFF, of: 3)
    codec.samplingFrequency = AudioCodec.only(
      word >> 4 & 0x3FF_FFFF,
      [
        96_000, 88_200, 76_800, 70_560, 64_000, 58_800, 48_000, 44_100, 38_400, 35_280, 32_000,
        29_400, 24_000, 22_050, 19_200, 17_640, 16_000, 14_700, 12_800, 12_000, 11_760, 11_025,
        9_600, 8_820, 8_000, 7_350,
      ])
    codec.channels = AudioCodec.only(word >> 2 & 3, [.stereo, .mono])
    codec.isVariable = rate >> 23 == 1
    codec.bitRate = UInt32(truncatingIfNeeded: rate & 0x7F_FFFF)
  }

  private func readATRAC(
    _ pdu: inout PDU<some Sink>, _ codec: inout AudioCodec
  ) throws(Malformed) {
    let first = try pdu.word(1, of: atrac.version)
    pdu.part(atrac.version, first >> 5, of: 1)
    pdu.part(atrac.channelMode, first >> 2 & 7, of: 1)
    let word = try pdu.bigEndian(3, of: atrac.samplingFrequency)
    pdu.part(atrac.samplingFrequency, word >> 20 & 3, of: 3)
    pdu.part(atrac.vbr, word >> 19 & 1, of: 3)
    pdu.part(atrac.bitRateIndexes, word & 0x7_FFFF, of: 3)
    codec.samplingFrequency = AudioCodec.only(word >> 20 & 3, [48_000, 44_100])
    codec.channels = AudioCodec.only(first >> 2 & 7, [.jointStereo, .dual, .mono])
    try pdu.u16be(atrac.maximumSUL)
    try pdu.u8(atrac.reserved)
  }
}
