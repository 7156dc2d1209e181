import HarkCore
import HarkDissection

/// A stream between two stream end points, from its configuration to its end. AVDTP 1.3, 6.
public struct AudioStream: Sendable {
  public enum State: String, Sendable {
    case configured, open, streaming, suspended
  }

  /// The stream end points by whose they are: this host's, the peer's. Empty if the signaling is
  /// not in the capture, and the form of the media alone shows that they are there.
  public let seids: [UInt8]
  public internal(set) var codec: AudioCodec?
  /// Whether content protection puts a header in front of the payload.
  public internal(set) var isProtected = false
  /// Whether this host sends the media; nil if nothing shows it.
  public internal(set) var isSource: Bool?
  public internal(set) var state = State.configured
  /// In 0.1 ms, as the sink reported it.
  public internal(set) var delay: UInt16?
  /// Of the media packets since the last start.
  public internal(set) var account: MediaAccount
  /// How many of its channels have been opened.
  var channels = 0
  /// Distinguishes the streams of a link.
  let number: Int

  /// Whether the media look like SBC, if no configuration is known.
  var showsSBC = false

  /// Whether the payload of its media packets is SBC's, with nothing in front of it.
  var carriesSBC: Bool { showsSBC || codec?.kind == .sbc && !isProtected }
}

/// A stream end point, as far as discovery shows it. AVDTP 1.3, 8.6.
public struct AudioEndpoint: Sendable {
  public let seid: UInt8
  public let isInUse: Bool
  public let isSink: Bool
  public internal(set) var codec: AudioCodec?
}
