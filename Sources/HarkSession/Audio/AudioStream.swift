import HarkCore
import HarkDissection

/// A stream between two stream endpoints, from its configuration to its end. AVDTP 1.3, 6.
public struct AudioStream: Sendable {
  public enum State: String, Sendable {
    case configured, open, streaming, suspended
  }

  /// The stream endpoints by owner: this host, the peer. Empty if the signaling is not in the capture, and only the
  /// form of the media shows that they exist.
  public let seids: [UInt8]
  public internal(set) var codec: AudioCodec?
  /// Whether content protection adds a header to the payload.
  public internal(set) var isProtected = false
  /// Whether this host sends the media; nil if that is unknown.
  public internal(set) var isSource: Bool?
  public internal(set) var state = State.configured
  /// In units of 0.1 ms, as reported by the sink.
  public internal(set) var delay: UInt16?
  /// The media packets since the last start, also those that came while it was not started.
  public internal(set) var account: MediaAccount
  /// When it was opened or suspended.
  var idleSince: PacketTime?
  /// Whether media in that state were reported.
  var hasIdleMedia = false
  /// Who configured it, by the side that sent the command, and the packet that accepted it.
  var configured: (side: Int, packet: UInt32)?
  /// Whether the channel of its media has been opened.
  var hasMediaChannel = false
  /// Distinguishes the streams of a link.
  let number: Int

  /// Whether media may not be sent: it is open, but was not started, or was suspended. 6
  var isIdle: Bool { idleSince != nil }

  /// Packets that were queued before the suspension arrive within this time.
  private static let longestQueue: Int64 = 100_000_000

  /// Whether media come too late for that.
  mutating func isLate(_ moment: PacketContext, _ counts: borrowing Session.Counts) -> Bool {
    guard let idleSince, !hasIdleMedia else { return false }
    guard let waited = counts.elapsed(since: idleSince, moment) else {
      // The clock was set: from now on, time is known again.
      self.idleSince = PacketTime(moment)
      return false
    }
    return waited > Self.longestQueue
  }

  mutating func start() { (state, idleSince) = (.streaming, nil) }

  /// It is opened or suspended.
  mutating func idle(_ state: State, _ moment: PacketContext) {
    (self.state, idleSince, hasIdleMedia) = (state, PacketTime(moment), false)
  }

  /// Whether the media look like SBC, if no configuration is known.
  var showsSBC = false

  /// Whether the payload of its media packets is only SBC, without a header.
  var carriesSBC: Bool { showsSBC || codec?.kind == .sbc && !isProtected }
}

/// A stream end point, as far as discovery shows it. AVDTP 1.3, 8.6.
public struct AudioEndpoint: Sendable {
  public let seid: UInt8
  public let isInUse: Bool
  public let isSink: Bool
  public internal(set) var codec: AudioCodec?
}
