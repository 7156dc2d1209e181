import HarkCore

/// What a Media Codec capability says about a stream that is configured: one of each kind. Where it
/// leaves a choice, as capabilities do, that part is nil. A2DP 1.4, 4.3 to 4.8.
public struct AudioCodec: Equatable, Sendable {
  public enum Channels: Sendable {
    case mono, dual, stereo, jointStereo, surround51, surround71
  }

  /// Assigned Numbers, 6.5.1
  package enum Kind: UInt8, Sendable {
    case sbc = 0x00
    case mpeg12 = 0x01
    case aac = 0x02
    case usac = 0x03
    case atrac = 0x04
    case vendorSpecific = 0xFF
  }

  /// The Media Codec Type.
  public let type: UInt8
  public internal(set) var vendor: UInt32?
  public internal(set) var vendorCodec: UInt16?
  /// Hz.
  public internal(set) var samplingFrequency: UInt32?
  public internal(set) var channels: Channels?
  /// Of SBC.
  public internal(set) var bitpool: ClosedRange<UInt8>?
  /// bit/s; 0 if it is not known. Of AAC and USAC.
  public internal(set) var bitRate: UInt32?
  public internal(set) var isVariable = false

  /// Nil if A2DP gives the type no name.
  package var kind: Kind? { Kind(rawValue: type) }

  init(type: UInt8) { self.type = type }

  /// `element` begins with the Media Type; nil for other media than audio and what is too short.
  package init?(_ element: RawSpan) {
    var codec: AudioCodec?
    PDU.reading(element, out: Summary(), Context()) { pdu in
      try? A2DPCodec.shared.read(&pdu, &codec)
    }
    guard let codec else { return nil }
    self = codec
  }

  /// The first for bit 0.
  static let modes: [Channels] = [.jointStereo, .stereo, .dual, .mono]

  /// The value of the only bit that is set, the first for bit 0.
  static func only<Value>(_ bits: UInt64, _ values: [Value]) -> Value? {
    guard bits.nonzeroBitCount == 1, bits.trailingZeroBitCount < values.count else { return nil }
    return values[bits.trailingZeroBitCount]
  }

  /// Whether media packets begin with the header of RTP. aptX and its low latency sibling leave it
  /// out, as Android sends them.
  package var hasRTP: Bool {
    switch (vendor, vendorCodec) {
    case (0x004F, 0x0001), (0x000A, 0x0002), (0x00D7, 0x0002), (0x000A, 0x0001): false
    default: true
    }
  }

  /// Units of the RTP timestamp in a second; nil if that is not known. A2DP 1.4, 4.3.4;
  /// RFC 2250, 3.
  package var clock: UInt32? { kind == .mpeg12 ? 90_000 : samplingFrequency }
}
