import HarkCrypto
import HarkDissection

/// Events of LE Audio: its streams and broadcasts, volume, media, calls.
public indirect enum LEAudioEvent: Sendable {
  // Streams: PACS, ASCS
  case capabilities(Capabilities)
  case operation(EndpointOperation)
  case accepted(Accepted)
  case refused(Refused)
  case endpoint(EndpointState)
  case streamEnded(StreamEnded)

  // Broadcasts: BASS
  case broadcastOperation(BroadcastOperation)
  case broadcastSource(BroadcastSource)
  case noBroadcastSource(NoBroadcastSource)

  // Volume: VCS, MICS
  case volumeOperation(VolumeOperation)
  case volume(Volume)
  case microphone(Microphone)

  // Media: MCS
  case mediaOperation(MediaOperation)
  case mediaResult(MediaResult)
  case mediaState(MediaState)
  case trackTitle(TrackTitle)

  // Calls: TBS
  case callOperation(CallOperation)
  case callResult(CallResult)
  case calls(Calls)
  case callEnded(CallEnded)
  case incomingCall(IncomingCall)

  // Keys
  case setKey(SetKey)
  case keyMaterial(KeyMaterial)

  var described: any Described {
    switch self {
    case .capabilities(let event): event
    case .operation(let event): event
    case .accepted(let event): event
    case .refused(let event): event
    case .endpoint(let event): event
    case .streamEnded(let event): event
    case .broadcastOperation(let event): event
    case .broadcastSource(let event): event
    case .noBroadcastSource(let event): event
    case .volumeOperation(let event): event
    case .volume(let event): event
    case .microphone(let event): event
    case .mediaOperation(let event): event
    case .mediaResult(let event): event
    case .mediaState(let event): event
    case .trackTitle(let event): event
    case .callOperation(let event): event
    case .callResult(let event): event
    case .calls(let event): event
    case .callEnded(let event): event
    case .incomingCall(let event): event
    case .setKey(let event): event
    case .keyMaterial(let event): event
    }
  }

  static func stream(_ name: StaticString) -> EventKind {
    EventKind(name, .audio, [.attributes, .endpoints])
  }

  static func control(_ name: StaticString) -> EventKind { EventKind(name, .audio, .attributes) }

  static func call(_ name: StaticString) -> EventKind { EventKind(name, .call, .attributes) }

  /// The name of a code, or its number.
  static func code(_ code: UInt8, _ path: String) -> String {
    Names.of(code, path) ?? Names.hex(code)
  }
}

extension EventSink {
  /// What the server says. Each event of LE Audio has a server.
  /// - Parameter isLocal: Whether the server is on the recorded side.
  mutating func statement(
    _ isLocal: Bool, _ event: Event, _ session: borrowing Session,
    _ sentence: @autoclosure () -> EventSentence
  ) {
    flag("local_server", isLocal, .identity)
    self.sentence(isLocal ? "\(Sides(of: event, session).host): \(sentence())" : sentence())
  }

  /// What the client requests from the server: `Play requested from the player`, or, if the server is on the recorded
  /// side, `peer requests Play from the player`.
  mutating func request(
    _ isLocal: Bool, _ event: Event, _ session: borrowing Session, _ operation: String,
    _ rest: @autoclosure () -> EventSentence
  ) {
    flag("local_server", isLocal, .identity)
    sentence(
      isLocal
        ? "\(Sides(of: event, session).peer) requests \(operation)\(rest())"
        : "\(operation) requested\(rest())")
  }
}

/// What was last reported on a link.
struct LEAudioState: Sendable {
  /// An attribute of the server on this host or on the peer.
  struct Key: Hashable {
    let handle: UInt16
    let isLocal: Bool
  }

  var endpoints: [Key: AudioStreamEndpoint] = [:]
  /// The values of other characteristics, by their handle.
  var values: [Key: [UInt8]] = [:]

  /// The most attributes remembered for a link. Beyond that, an event may be repeated, which does no harm.
  static let most = 256
}
