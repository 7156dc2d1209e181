/// A codec of LE Audio with its configuration, or with what of it a device can do.
/// Basic Audio Profile 1.0.1, 4.3; Assigned Numbers, 6.12.4 and 6.12.5.
package struct LEAudioCodec: Equatable, Sendable {
  /// The Coding_Format; 6 is LC3. Assigned Numbers, 2.11
  package let format: UInt8
  package let company: UInt16
  package let vendorCodec: UInt16
  /// Of a configuration, by the number that it has there.
  var samplingFrequency: UInt8?
  var frameDuration: UInt8?
  /// Of a capability, as bits.
  var supportedSamplingFrequencies: UInt16 = 0
  var supportedFrameDurations: UInt8 = 0
  /// The Audio_Channel_Allocation of a configuration.
  package internal(set) var locations: UInt32?
  package internal(set) var octets: ClosedRange<UInt16>?

  init(format: UInt8, company: UInt16, vendorCodec: UInt16) {
    (self.format, self.company, self.vendorCodec) = (format, company, vendorCodec)
  }

  package static let vendorSpecific: UInt8 = 0xFF

  /// Whether its parameters are LTV structures: those of vendors need not be.
  var isLTV: Bool { format != Self.vendorSpecific }

  /// Numbers of the Assigned Numbers: several in a capability, one in a configuration.
  package var samplingFrequencies: [UInt8] {
    samplingFrequency.map { [$0] } ?? Self.bits(supportedSamplingFrequencies).map { $0 + 1 }
  }

  /// As above. Bits after the first two say which of those is preferred.
  package var frameDurations: [UInt8] {
    frameDuration.map { [$0] } ?? Self.bits(UInt16(supportedFrameDurations & 3))
  }

  private static func bits(_ mask: UInt16) -> [UInt8] {
    (0..<UInt8(16)).filter { mask >> UInt16($0) & 1 == 1 }
  }
}
