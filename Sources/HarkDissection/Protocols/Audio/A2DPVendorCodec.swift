/// Vendor specific codecs of A2DP. The element begins with the vendor and its codec's identifier:
/// A2DP 1.4, 4.8.2. What follows is each vendor's own; the layouts are those of the Android Open
/// Source Project (aptX, aptX HD, LDAC, Opus), BlueALSA (LC3plus, FastStream) and Qualcomm's
/// published headers (aptX Low Latency, aptX Adaptive).
struct A2DPVendorCodec: Sendable {
  /// What a codec's identifier means depends on the vendor: one path for all of them.
  struct Codec: Sendable {
    let vendorCodec: Field

    init(_ names: [UInt64: StaticString] = [:]) {
      vendorCodec = Field("Vendor Specific Codec ID", .hex, names: names, inLine: true)
    }
  }

  struct AptX: Sendable {
    let samplingFrequency = Field(
      "Sampling Frequency", .hex,
      flags: [3: "16 kHz", 2: "32 kHz", 1: "44.1 kHz", 0: "48 kHz"])
    let channelMode = Field("Channel Mode", .hex, flags: [0: "MONO", 1: "STEREO"])
  }

  /// Bits that older and newer headers name otherwise are named as the newer do.
  struct AptXAdaptive: Sendable {
    let samplingFrequency = Field(
      "Sampling Frequency", .hex,
      flags: [
        3: "44.1 kHz", 4: "48 kHz", 5: "96 kHz", 6: "44.1 kHz (lossless)", 7: "96 kHz (TWM)",
      ])
    let channelMode = Field(
      "Channel Mode", .hex,
      flags: [
        0: "MONO", 1: "STEREO", 2: "TWS STEREO", 3: "JOINT STEREO", 4: "TWS MONO", 5: "TWS+",
      ])
  }

  struct LDAC: Sendable {
    let samplingFrequency = Field(
      "Sampling Frequency", .hex,
      flags: [
        5: "44.1 kHz", 4: "48 kHz", 3: "88.2 kHz", 2: "96 kHz", 1: "176.4 kHz", 0: "192 kHz",
      ])
    let channelMode = Field(
      "Channel Mode", .hex, flags: [2: "MONO", 1: "DUAL CHANNEL", 0: "STEREO"])
  }

  struct LC3plus: Sendable {
    let frameDuration = Field("Frame Duration", .hex, flags: [0: "2.5 ms", 1: "5 ms", 2: "10 ms"])
    let channels = Field("Channels", .hex, flags: [7: "1", 6: "2"])
    let samplingFrequency = Field("Sampling Frequency", .hex, flags: [8: "48 kHz", 7: "96 kHz"])
  }

  struct Opus: Sendable {
    let samplingFrequency = Field("Sampling Frequency", .hex, flags: [0: "48 kHz"])
    let frameDuration = Field("Frame Duration", .hex, flags: [0: "10 ms", 1: "20 ms"])
    let channelMode = Field(
      "Channel Mode", .hex, flags: [0: "MONO", 1: "STEREO", 2: "DUAL MONO"])
  }

  let vendor = Field(
    "Vendor ID", .hex, lookup: { AssignedNumbers.company(UInt16(truncatingIfNeeded: $0)) })
  let csr = Codec([1: "FastStream", 2: "aptX Low Latency"])
  let apt = Codec([1: "aptX"])
  let samsung = Codec([0x0102: "Samsung HD", 0x0103: "Samsung Scalable Codec"])
  let qualcomm = Codec([
    0x0002: "aptX Low Latency", 0x0024: "aptX HD", 0x0025: "aptX TWS+", 0x00AD: "aptX Adaptive",
  ])
  let google = Codec([1: "Opus"])
  let sony = Codec([0xAA: "LDAC"])
  let savitech = Codec([0x4C32: "LHDC V2", 0x4C33: "LHDC V3", 0x4C35: "LHDC V5"])
  let fraunhofer = Codec([1: "LC3plus"])
  let other = Codec()
  let aptX = AptX()
  let aptXAdaptive = AptXAdaptive()
  let family = A2DPSavitechCodec.shared
  let ldac = LDAC()
  let lc3plus = LC3plus()
  let opus = Opus()
  let bidirectional = Field("Bidirectional Link", names: A2DPCodec.answers)
  let vendorValue = Field("Vendor Specific Value", .bytes)

  static let shared = A2DPVendorCodec()

  /// Reads the identifiers and what follows them to the end of the window.
  func read(
    _ pdu: inout PDU<some Sink>, _ element: inout AudioCodec
  ) throws(Malformed) {
    let id = try pdu.u32(vendor)
    let codec = try pdu.u16(codecs(of: id).vendorCodec)
    (element.vendor, element.vendorCodec) = (id, codec)
    switch (id, codec) {
    case (0x004F, 0x0001), (0x00D7, 0x0024): try readAptX(&pdu, &element)
    case (0x000A, 0x0002), (0x00D7, 0x0002):
      try readAptX(&pdu, &element)
      let flags = try pdu.word(1, of: bidirectional)
      pdu.part(bidirectional, flags & 1, of: 1)
    case (0x00D7, 0x00AD): try readAptXAdaptive(&pdu, &element)
    case (0x053A, 0x4C32), (0x053A, 0x4C33): try family.readLHDC(&pdu, &element)
    case (0x053A, 0x4C35): try family.readLHDCV5(&pdu, &element)
    case (0x012D, 0x00AA): try readLDAC(&pdu, &element)
    case (0x08A9, 0x0001): try readLC3plus(&pdu, &element)
    case (0x00E0, 0x0001): try readOpus(&pdu, &element)
    default: break
    }
    if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, vendorValue) }
  }

  fileprivate func codecs(of vendor: UInt32) -> Codec {
    switch vendor {
    case 0x000A: csr
    case 0x004F: apt
    case 0x0075: samsung
    case 0x00D7: qualcomm
    case 0x00E0: google
    case 0x012D: sony
    case 0x053A: savitech
    case 0x08A9: fraunhofer
    default: other
    }
  }

  private func readAptX(
    _ pdu: inout PDU<some Sink>, _ codec: inout AudioCodec
  ) throws(Malformed) {
    let word = try pdu.word(1, of: aptX.samplingFrequency)
    pdu.part(aptX.samplingFrequency, word >> 4, of: 1)
    pdu.part(aptX.channelMode, word & 0xF, of: 1)
    codec.samplingFrequency = AudioCodec.only(word >> 4, [48_000, 44_100, 32_000, 16_000])
    codec.channels = AudioCodec.only(word & 3, [.mono, .stereo])
  }

  private func readAptXAdaptive(
    _ pdu: inout PDU<some Sink>, _ codec: inout AudioCodec
  ) throws(Malformed) {
    let frequency = UInt64(try pdu.u8(aptXAdaptive.samplingFrequency))
    codec.samplingFrequency = AudioCodec.only(
      frequency >> 3, [44_100, 48_000, 96_000, 44_100, 96_000])
    let mode = UInt64(try pdu.u8(aptXAdaptive.channelMode))
    codec.channels = AudioCodec.only(
      mode & 0x3F, [.mono, .stereo, .stereo, .jointStereo, .mono])
  }

  private func readLDAC(
    _ pdu: inout PDU<some Sink>, _ codec: inout AudioCodec
  ) throws(Malformed) {
    let frequency = UInt64(try pdu.u8(ldac.samplingFrequency))
    codec.samplingFrequency = AudioCodec.only(
      frequency & 0x3F, [192_000, 176_400, 96_000, 88_200, 48_000, 44_100])
    codec.channels = AudioCodec.only(
      UInt64(try pdu.u8(ldac.channelMode)) & 7, [.stereo, .dual, .mono])
  }

  private func readLC3plus(
    _ pdu: inout PDU<some Sink>, _ codec: inout AudioCodec
  ) throws(Malformed) {
    pdu.part(lc3plus.frameDuration, try pdu.word(1, of: lc3plus.frameDuration) >> 4, of: 1)
    let channels = UInt64(try pdu.u8(lc3plus.channels))
    codec.channels = AudioCodec.only(channels >> 6, [.stereo, .mono])
    let frequency = UInt64(try pdu.u16(lc3plus.samplingFrequency))
    codec.samplingFrequency = AudioCodec.only(frequency >> 7 & 3, [96_000, 48_000])
  }

  private func readOpus(
    _ pdu: inout PDU<some Sink>, _ codec: inout AudioCodec
  ) throws(Malformed) {
    let word = try pdu.word(1, of: opus.samplingFrequency)
    pdu.part(opus.samplingFrequency, word >> 7, of: 1)
    pdu.part(opus.frameDuration, word >> 3 & 3, of: 1)
    pdu.part(opus.channelMode, word & 7, of: 1)
    codec.samplingFrequency = AudioCodec.only(word >> 7, [48_000])
    codec.channels = AudioCodec.only(word & 7, [.mono, .stereo, .dual])
  }
}

extension AssignedNumbers {
  /// The name of a vendor specific codec of A2DP, or nil.
  public static func codec(vendor: UInt32, codec: UInt16) -> String? {
    A2DPVendorCodec.shared.codecs(of: vendor).vendorCodec.definition.name(of: UInt64(codec))
  }
}
