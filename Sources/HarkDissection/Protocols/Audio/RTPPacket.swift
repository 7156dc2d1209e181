import HarkCore

/// A media packet of AVDTP. AVDTP 1.3, 7.2; RFC 3550, 5.1.
package struct RTPPacket: Message {
  package struct Header: Sendable {
    package let sequence: UInt16
    /// In units of the codec's clock.
    package let timestamp: UInt32
    /// The SSRC.
    package let source: UInt32
  }

  /// Nil if it cannot be read, and of packets of the control protocol.
  package internal(set) var header: Header?
  /// Whether the packet is one of RTP's control protocol. RFC 3550, 6
  package internal(set) var isControl = false

  package init() {}

  package init(_ bytes: RawSpan) {
    self = AVDTPMedia.message(bytes, isCut: false).message
  }
}

// Channels of which the capture does not have the beginning: their PSM is not known, and the form of
// their packets must show it.
extension RTPPacket {
  /// Version 2 without padding, extension and contributing sources; a dynamic payload type; a payload. No
  /// signal of AVDTP has this in its second octet.
  package static func resembles(_ bytes: RawSpan) -> Bool {
    bytes.byteCount > 12 && bytes.byte(at: 0) == 0x80 && bytes.byte(at: 1) & 0x7F >= 96
  }

  /// Whether the payload of such a packet has a frame of SBC, which begins with its syncword, after an octet
  /// that counts the frames. A2DP 1.4, 4.3.4 and 12.3.
  package static func resemblesSBC(_ bytes: RawSpan) -> Bool {
    bytes.byteCount > 13 && bytes.byte(at: 13) == 0x9C
  }
}
