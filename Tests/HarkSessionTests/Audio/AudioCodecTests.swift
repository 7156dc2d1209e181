import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Media Codec elements of A2DP 1.4, 4.3 to 4.8, and what they configure.
@Suite struct AudioCodecTests {
  static func codec(_ element: String) -> AudioCodec? { AudioCodec(hex(element).raw) }

  @Test(
    arguments: [
      // 4.3.2: 48 kHz, mono
      ("00 00 18 15 02 20", 48_000, AudioCodec.Channels.mono),
      // A capability leaves the choice.
      ("00 00 ff ff 02 35", nil, nil),
      // 4.4.2: 44.1 kHz, stereo
      ("00 01 22 02 00 00", 44_100, .stereo),
      // 4.5.2: 44.1 kHz is the last bit of the second octet, 48 kHz the first of the third.
      ("00 02 80 01 04 83 e8 00", 44_100, .stereo), ("00 02 80 00 84 83 e8 00", 48_000, .stereo),
      ("00 02 80 00 18 83 e8 00", 96_000, .mono), ("00 02 80 01 84 83 e8 00", nil, .stereo),
      // 4.7.2
      ("00 04 64 20 07 ff 04 5c 00", 44_100, .jointStereo),
      // 4.8.2: aptX, aptX HD, LDAC, LC3plus, Opus
      ("00 ff 4f 00 00 00 01 00 22", 44_100, .stereo),
      ("00 ff d7 00 00 00 24 00 12 00 00 00 00", 48_000, .stereo),
      ("00 ff 2d 01 00 00 aa 00 04 01", 96_000, .stereo),
      ("00 ff a9 08 00 00 01 00 40 40 80 00", 96_000, .stereo),
      ("00 ff a9 08 00 00 01 00 40 80 00 01", 48_000, .mono),
      ("00 ff e0 00 00 00 01 00 92", 48_000, .stereo),
      // aptX Adaptive as a phone was seen to configure it; LHDC V3 and V5
      ("00 ff d7 00 00 00 ad 00 40 02 50 64 64 64 ff", 44_100, .stereo),
      ("00 ff 3a 05 00 00 33 4c 11 01 01", 96_000, nil),
      ("00 ff 3a 05 00 00 35 4c 01 32 11 00 00", 192_000, nil),
      // 4.6.2: bit 7 of 26 is 44.1 kHz.
      ("00 03 80 00 08 04 82 ee 00", 44_100, .stereo),
      // Cut short, and a vendor that is not known
      ("00 00 11", nil, nil), ("00 ff ff ff 00 00 01 00 ff ff", nil, nil),
    ] as [(String, UInt32?, AudioCodec.Channels?)])
  func element(_ bytes: String, _ frequency: UInt32?, _ channels: AudioCodec.Channels?) throws {
    let codec = try #require(Self.codec(bytes))
    #expect(codec.samplingFrequency == frequency && codec.channels == channels)
  }

  @Test func bitRate() throws {
    let variable = try #require(Self.codec("00 02 80 01 04 83 e8 00"))
    #expect(variable.bitRate == 256_000 && variable.isVariable)
    let constant = try #require(Self.codec("00 02 80 01 04 02 ee 00"))
    #expect(constant.bitRate == 192_000 && !constant.isVariable)
  }

  /// RFC 2250, 3: MPEG audio counts in 90 kHz. AOSP sends aptX without RTP.
  @Test func clock() throws {
    #expect(try #require(Self.codec("00 01 22 02 00 00")).clock == 90_000)
    let aptX = try #require(Self.codec("00 ff 4f 00 00 00 01 00 22"))
    #expect(!aptX.hasRTP && aptX.vendorCodec == 1)
    // Video
    #expect(Self.codec("10 01 80 00") == nil)
  }
}
