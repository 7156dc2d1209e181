/// A codec of LE Audio with its configuration, or with what of it a device can do.
/// Basic Audio Profile 1.0.1, 4.3; Assigned Numbers, 6.12.4 and 6.12.5.
public struct LEAudioCodec: Equatable, Sendable {
  /// The Coding_Format; 6 is LC3, 255 a vendor's.
  public let format: UInt8
  public let company: UInt16
  public let vendorCodec: UInt16
  /// Numbers of the Assigned Numbers: several in a capability, one in a configuration.
  public internal(set) var samplingFrequencies: [UInt8] = []
  public internal(set) var frameDurations: [UInt8] = []
  /// The Audio_Channel_Allocation of a configuration.
  public internal(set) var locations: UInt32?
  public internal(set) var octets: ClosedRange<UInt16>?

  /// The Codec_ID in front of what is read.
  init?(_ reader: inout ValueReader) {
    guard let format = reader.u8(), let company = reader.u16(), let codec = reader.u16() else {
      return nil
    }
    (self.format, self.company, vendorCodec) = (format, company, codec)
  }

  mutating func configure(_ list: [UInt8]) {
    guard format != 0xFF else { return }
    let structures = ValueReader.structures(list)
    samplingFrequencies = Array((structures[1] ?? []).prefix(1))
    frameDurations = Array((structures[2] ?? []).prefix(1))
    var allocation = ValueReader(structures[3] ?? [])
    locations = allocation.number(4)
    var size = ValueReader(structures[4] ?? [])
    octets = size.u16().map { $0...$0 }
  }

  mutating func limit(_ list: [UInt8]) {
    guard format != 0xFF else { return }
    let structures = ValueReader.structures(list)
    var frequencies = ValueReader(structures[1] ?? [])
    samplingFrequencies = Self.bits(frequencies.u16() ?? 0).map { $0 + 1 }
    frameDurations = Self.bits(UInt16(structures[2]?.first ?? 0) & 3)
    var size = ValueReader(structures[4] ?? [])
    if let least = size.u16(), let most = size.u16(), least <= most { octets = least...most }
  }

  private static func bits(_ mask: UInt16) -> [UInt8] {
    (0..<UInt8(16)).filter { mask >> UInt16($0) & 1 == 1 }
  }
}
