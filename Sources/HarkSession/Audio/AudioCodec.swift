import HarkCore

/// What a Media Codec capability says of a stream that is configured: one of each kind. Where it
/// leaves a choice, as capabilities do, that part is nil. A2DP 1.4, 4.3 to 4.8.
public struct AudioCodec: Equatable, Sendable {
  public enum Channels: Sendable {
    case mono, dual, stereo, jointStereo, surround51, surround71
  }

  /// The Media Codec Type.
  public let type: UInt8
  public private(set) var vendor: UInt32?
  public private(set) var vendorCodec: UInt16?
  /// Hz.
  public private(set) var samplingFrequency: UInt32?
  public private(set) var channels: Channels?
  /// Of SBC.
  public private(set) var bitpool: ClosedRange<UInt8>?
  /// bit/s; 0 where it is not known. Of AAC and USAC.
  public private(set) var bitRate: UInt32?
  public private(set) var isVariable = false

  /// `element` begins with the Media Type; nil for other media than audio and what is too short.
  init?(_ element: RawSpan) {
    guard element.byteCount >= 2, element.byte(at: 0) >> 4 == 0 else { return nil }
    type = element.byte(at: 1)
    let bytes = element.extracting(2..<element.byteCount)
    switch type {
    case 0x00 where bytes.byteCount >= 4: sbc(bytes)
    case 0x01 where bytes.byteCount >= 4:
      samplingFrequency = Self.only(
        bytes.byte(at: 1) & 0x3F, [48_000, 44_100, 32_000, 24_000, 22_050, 16_000])
      channels = Self.only(bytes.byte(at: 0) & 0xF, Self.modes)
    case 0x02 where bytes.byteCount >= 6: aac(bytes)
    case 0x03 where bytes.byteCount >= 7: usac(bytes)
    case 0x04 where bytes.byteCount >= 4:
      samplingFrequency = Self.only(bytes.byte(at: 1) >> 4 & 3, [48_000, 44_100])
      channels = Self.only(bytes.byte(at: 0) >> 2 & 7, [.jointStereo, .dual, .mono])
    case 0xFF where bytes.byteCount >= 6: vendorSpecific(bytes)
    default: break
    }
  }

  private static let modes: [Channels] = [.jointStereo, .stereo, .dual, .mono]

  /// The value of the only bit that is set, the first for bit 0.
  private static func only<Value>(_ bits: some BinaryInteger, _ values: [Value]) -> Value? {
    let bits = UInt32(truncatingIfNeeded: bits)
    guard bits.nonzeroBitCount == 1, bits.trailingZeroBitCount < values.count else { return nil }
    return values[bits.trailingZeroBitCount]
  }

  private mutating func sbc(_ bytes: RawSpan) {
    samplingFrequency = Self.only(bytes.byte(at: 0) >> 4, [48_000, 44_100, 32_000, 16_000])
    channels = Self.only(bytes.byte(at: 0) & 0xF, Self.modes)
    let (least, most) = (bytes.byte(at: 2), bytes.byte(at: 3))
    if least <= most { bitpool = least...most }
  }

  private mutating func aac(_ bytes: RawSpan) {
    let high = bytes.byte(at: 1)
    let low = bytes.byte(at: 2) >> 4
    if high == 0 {
      samplingFrequency = Self.only(low, [96_000, 88_200, 64_000, 48_000])
    } else if low == 0 {
      samplingFrequency = Self.only(
        high, [44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000])
    }
    channels = Self.only(bytes.byte(at: 2) & 0xF, [.surround71, .surround51, .stereo, .mono])
    isVariable = bytes.byte(at: 3) >> 7 == 1
    bitRate =
      UInt32(bytes.byte(at: 3) & 0x7F) << 16 | UInt32(bytes.byte(at: 4)) << 8
      | UInt32(bytes.byte(at: 5))
  }

  private mutating func usac(_ bytes: RawSpan) {
    let word = UInt32(truncatingIfNeeded: bytes.unsigned(at: 0, 4)).byteSwapped
    samplingFrequency = Self.only(
      word >> 4 & 0x3FF_FFFF,
      [
        96_000, 88_200, 76_800, 70_560, 64_000, 58_800, 48_000, 44_100, 38_400, 35_280, 32_000,
        29_400, 24_000, 22_050, 19_200, 17_640, 16_000, 14_700, 12_800, 12_000, 11_760, 11_025,
        9_600, 8_820, 8_000, 7_350,
      ])
    channels = Self.only(word >> 2 & 3, [.stereo, .mono])
    isVariable = bytes.byte(at: 4) >> 7 == 1
    bitRate =
      UInt32(bytes.byte(at: 4) & 0x7F) << 16 | UInt32(bytes.byte(at: 5)) << 8
      | UInt32(bytes.byte(at: 6))
  }

  private mutating func vendorSpecific(_ bytes: RawSpan) {
    let id = UInt32(truncatingIfNeeded: bytes.unsigned(at: 0, 4))
    let codec = UInt16(truncatingIfNeeded: bytes.unsigned(at: 4, 2))
    (vendor, vendorCodec) = (id, codec)
    let (first, second) = (bytes.byte(at: 6), bytes.byte(at: 7))
    switch (id, codec) {
    case (0x004F, 0x0001), (0x00D7, 0x0024), (0x000A, 0x0002), (0x00D7, 0x0002):
      samplingFrequency = Self.only(first >> 4, [48_000, 44_100, 32_000, 16_000])
      channels = Self.only(first & 3, [.mono, .stereo])
    case (0x00D7, 0x00AD):
      samplingFrequency = Self.only(first >> 3, [44_100, 48_000, 96_000, 44_100, 96_000])
      channels = Self.only(second & 0x3F, [.mono, .stereo, .stereo, .jointStereo, .mono])
    case (0x053A, 0x4C32), (0x053A, 0x4C33):
      samplingFrequency = Self.only(first & 0xF, [96_000, 88_200, 48_000, 44_100])
    case (0x053A, 0x4C35):
      samplingFrequency =
        Self.only(
          first & 0x35, [192_000, nil, 96_000, nil, 48_000, 44_100] as [UInt32?]) ?? nil
    case (0x012D, 0x00AA):
      samplingFrequency = Self.only(
        first & 0x3F, [192_000, 176_400, 96_000, 88_200, 48_000, 44_100])
      channels = Self.only(second & 7, [.stereo, .dual, .mono])
    case (0x08A9, 0x0001):
      // Bit 8 of the field, least significant octet first, is 48 kHz; bit 7 is 96 kHz.
      let frequency = bytes.unsigned(at: 8, 2) >> 7 & 3
      samplingFrequency = Self.only(UInt8(truncatingIfNeeded: frequency), [96_000, 48_000])
      channels = Self.only(second >> 6, [.stereo, .mono])
    case (0x00E0, 0x0001):
      samplingFrequency = Self.only(first >> 7, [48_000])
      channels = Self.only(first & 7, [.mono, .stereo, .dual])
    default: break
    }
  }

  /// Whether media packets begin with the header of RTP. aptX and its low latency sibling leave it
  /// out, as Android sends them.
  var hasRTP: Bool {
    switch (vendor, vendorCodec) {
    case (0x004F, 0x0001), (0x000A, 0x0002), (0x00D7, 0x0002), (0x000A, 0x0001): false
    default: true
    }
  }

  /// Units of the RTP timestamp in a second; nil where that is not known. A2DP 1.4, 4.3.4;
  /// RFC 2250, 3.
  var clock: UInt32? { type == 0x01 ? 90_000 : samplingFrequency }
}
