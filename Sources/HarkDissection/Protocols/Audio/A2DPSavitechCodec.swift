/// LHDC, the codec family of Savitech, as it is published in files under the licence of the Android
/// Open Source Project (V3 to V5) and by chip vendors (V2).
struct A2DPSavitechCodec: Sendable {
  static let answers = A2DPCodec.answers

  /// V2, V3, and V4 which shares the identifier of V3.
  struct LHDC: Sendable {
    let samplingFrequency = Field(
      "Sampling Frequency", .hex, flags: [3: "44.1 kHz", 2: "48 kHz", 1: "88.2 kHz", 0: "96 kHz"])
    let bitDepth = Field("Bit Depth", .hex, flags: [1: "16", 0: "24"])
    let features = Field("Features", .hex, flags: [0: "JAS", 1: "AR"])
    let version = Field("Version", names: [0: "LHDC V2", 1: "LHDC V3", 2: "LHDC V4"])
    let maxBitRate = Field(
      "Maximum Bit Rate", names: [0: "900 kbit/s", 1: "500 kbit/s", 2: "400 kbit/s"])
    let lowLatency = Field("Low Latency", names: answers)
    let llac = Field("LLAC", names: answers)
    let channelSplit = Field(
      "Channel Split", .hex, flags: [0: "none", 1: "TWS", 2: "TWS, pre-split"])
    let moreFeatures = Field(
      "More Features", .hex, flags: [0: "META", 1: "Minimum Bit Rate", 2: "LARC", 3: "LHDC V4"])
  }

  struct LHDCV5: Sendable {
    let samplingFrequency = Field(
      "Sampling Frequency", .hex, flags: [5: "44.1 kHz", 4: "48 kHz", 2: "96 kHz", 0: "192 kHz"])
    let minBitRate = Field(
      "Minimum Bit Rate",
      names: [0: "64 kbit/s", 1: "160 kbit/s", 2: "256 kbit/s", 3: "400 kbit/s"])
    let maxBitRate = Field(
      "Maximum Bit Rate",
      names: [0: "1000 kbit/s", 1: "400 kbit/s", 2: "500 kbit/s", 3: "900 kbit/s"])
    let bitDepth = Field("Bit Depth", .hex, flags: [2: "16", 1: "24", 0: "32"])
    let frameLength = Field("Frame Length of 5 ms", names: answers)
    let version = Field("Version")
    let features = Field(
      "Features", .hex,
      flags: [
        0: "AR", 1: "JAS", 2: "META", 4: "Lossless 96 kHz", 5: "Lossless 24 bit",
        6: "Low Latency", 7: "Lossless 48 kHz",
      ])
    let moreFeatures = Field("More Features", .hex, flags: [7: "Lossless Raw 48 kHz"])
  }

  let lhdc = LHDC()
  let lhdcV5 = LHDCV5()

  static let shared = A2DPSavitechCodec()

  /// What follows the identifiers of V2 and V3.
  func readLHDC(
    _ pdu: inout PDU<some Sink>, _ codec: inout AudioCodec
  ) throws(Malformed) {
    let first = try pdu.word(1, of: lhdc.samplingFrequency)
    codec.samplingFrequency = AudioCodec.only(first & 0xF, [96_000, 88_200, 48_000, 44_100])
    pdu.part(lhdc.features, first >> 6, of: 1)
    pdu.part(lhdc.bitDepth, first >> 4 & 3, of: 1)
    pdu.part(lhdc.samplingFrequency, first & 0xF, of: 1)
    let second = try pdu.word(1, of: lhdc.version)
    pdu.part(lhdc.llac, second >> 7, of: 1)
    pdu.part(lhdc.lowLatency, second >> 6 & 1, of: 1)
    pdu.part(lhdc.maxBitRate, second >> 4 & 3, of: 1)
    pdu.part(lhdc.version, second & 0xF, of: 1)
    let third = try pdu.word(1, of: lhdc.channelSplit)
    pdu.part(lhdc.moreFeatures, third >> 4, of: 1)
    pdu.part(lhdc.channelSplit, third & 0xF, of: 1)
  }

  /// What follows the identifiers of V5.
  func readLHDCV5(
    _ pdu: inout PDU<some Sink>, _ codec: inout AudioCodec
  ) throws(Malformed) {
    let first = try pdu.word(1, of: lhdcV5.samplingFrequency)
    codec.samplingFrequency =
      AudioCodec.only(
        first & 0x35, [192_000, nil, 96_000, nil, 48_000, 44_100] as [UInt32?]) ?? nil
    pdu.part(lhdcV5.samplingFrequency, first & 0x3F, of: 1)
    let second = try pdu.word(1, of: lhdcV5.minBitRate)
    pdu.part(lhdcV5.minBitRate, second >> 6, of: 1)
    pdu.part(lhdcV5.maxBitRate, second >> 4 & 3, of: 1)
    pdu.part(lhdcV5.bitDepth, second & 7, of: 1)
    let third = try pdu.word(1, of: lhdcV5.frameLength)
    pdu.part(lhdcV5.frameLength, third >> 4 & 1, of: 1)
    pdu.part(lhdcV5.version, third & 0xF, of: 1)
    try pdu.u8(lhdcV5.features)
    try pdu.u8(lhdcV5.moreFeatures)
  }
}
