import HarkCore

/// A frame of RFCOMM. RFCOMM 1.2, 4.2; 3GPP TS 27.010, 5.2.
package struct RFCOMMFrame: Message {
  /// RFCOMM 4.2; TS 27.010, 5.2.1.3; with the P/F bit 0.
  package enum FrameType: UInt8, Sendable {
    case sabm = 0x2F
    case ua = 0x63
    case dm = 0x0F
    case disc = 0x43
    case uih = 0xEF
  }

  /// 0 for the multiplexer control channel, 2 to 61 for data links.
  package internal(set) var dlci: UInt8 = 0
  /// The C/R bit. TS 27.010, 5.2.1.2
  var cr = false
  /// Nil if no frame has that type.
  package internal(set) var type: FrameType?
  /// How many frames more the receiver of this one may send. RFCOMM 6.5.2
  package internal(set) var credits: UInt8 = 0
  /// Where the information is in the frame, as far as the recorder kept it.
  package internal(set) var information = 0..<0
  /// How many bytes of it the recorder did not keep.
  package internal(set) var missing = 0
  /// What the control channel carries.
  package internal(set) var command: Command?
  /// Whether its FCS is wrong: the receiver discards it. TS 27.010, 5.2.1.6
  package internal(set) var hasBadFCS = false
  /// Whether all of the frame could be read.
  package internal(set) var isWhole = false

  /// A command of the multiplexer, or its response. RFCOMM 4.3; TS 27.010, 5.4.6.3
  package enum Command: Sendable {
    case parameterNegotiation(Parameters)
    /// `status` with the bit that says whether there was an error. TS 27.010, 5.4.6.3.10
    case remoteLineStatus(dlci: UInt8, status: UInt8, isCommand: Bool)
    /// Non Supported Command Response.
    case notSupported(command: UInt8)
    case other(UInt8)
  }

  /// RFCOMM 5.5.3
  package struct Parameters: Sendable {
    package internal(set) var dlci: UInt8 = 0
    package internal(set) var flowControl = FlowControl.none
    /// In bytes.
    package internal(set) var maximumFrameSize: UInt16 = 0
    package internal(set) var initialCredits: UInt8 = 0

    package enum FlowControl: Sendable {
      case none, creditsRequested, creditsAccepted
    }
  }

  /// Whether the side that started the session sent the frame; nil if the frame's type is unknown. That side sets the
  /// C/R bit in commands and clears it in responses, and the other side does the opposite. TS 27.010, 5.2.1.2; RFCOMM
  /// 5.1.3
  package var isOfInitiator: Bool? {
    switch type {
    case .sabm, .disc, .uih: cr
    case .ua, .dm: !cr
    case nil: nil
    }
  }

  /// Whether bytes are a frame of a known type, of the right length and with the right FCS.
  package static func resembles(_ bytes: RawSpan) -> Bool {
    // Address with EA, control: most other frames differ here.
    guard bytes.byteCount >= 4, bytes.byte(at: 0) & 1 == 1,
      FrameType(rawValue: bytes.byte(at: 1) & 0xEF) != nil
    else { return false }
    let frame = RFCOMMFrame(bytes, isCut: false)
    // Data links have the numbers 2 to 61. RFCOMM 5.4
    return frame.isWhole && !frame.hasBadFCS && frame.type != nil
      && frame.information.upperBound + 1 == bytes.byteCount
      && (frame.dlci == 0 || 2...61 ~= frame.dlci)
  }

  package init() {}

  /// - Parameter isCut: Whether the recorder did not keep the frame to its end.
  package init(_ bytes: RawSpan, isCut: Bool) {
    (self, isWhole) = RFCOMM.message(bytes, isCut: isCut)
  }
}
