import HarkCore
import HarkCrypto

/// Something that happened to LE Audio: its streams and broadcasts, volume, media, calls.
public indirect enum LEAudioEvent: Sendable {
  // Streams: PACS, ASCS
  /// Codecs that the server can take (sink) or send, with what they can do.
  case capabilities([LEAudioCodec], isSink: Bool)
  /// What the client asks of endpoints.
  case operation(UInt8, [Operation])
  /// The endpoints that do it.
  case accepted(opcode: UInt8, endpoints: [UInt8])
  /// One that does not.
  case refused(opcode: UInt8, endpoint: UInt8, response: UInt8, reason: UInt8)
  /// The state an endpoint is in; `from` is nil for the first that the capture shows of it.
  case endpoint(
    AudioStreamEndpoint, from: AudioStreamEndpoint.State?, isForeseen: Bool)
  /// The link ended while a stream was not over.
  case streamEnded(AudioStreamEndpoint)

  // Broadcasts: BASS
  case broadcastOperation(UInt8, source: UInt8?, broadcast: UInt32?)
  case broadcastSource(BroadcastSource)

  // Volume: VCS, MICS
  case volumeOperation(UInt8, setting: UInt8?)
  case volume(setting: UInt8, mute: UInt8)
  case microphone(mute: UInt8)

  // Media: MCS
  case mediaOperation(UInt8)
  case mediaResult(UInt8, result: UInt8)
  case mediaState(UInt8)
  case trackTitle(String)

  // Calls: TBS
  case callOperation(UInt8, calls: [UInt8], uri: String?)
  case callResult(UInt8, call: UInt8, result: UInt8)
  case calls([Call])
  case callEnded(UInt8, reason: UInt8)
  case incomingCall(UInt8, uri: String)

  /// A coordinated set names itself by a key. CSIS 1.0.1, 5.1.
  case setKey(Fingerprint, isEncrypted: Bool)

  /// Session key of another characteristic that is a key. Core Specification, Vol 3, Part C, 12.6.
  case keyMaterial(BluetoothUUID, Fingerprint)

  /// What is asked of one endpoint. ASCS 1.0.1, 5.
  public struct Operation: Equatable, Sendable {
    public let endpoint: UInt8
    public internal(set) var codec: LEAudioCodec?
    public internal(set) var quality: AudioStreamEndpoint.Quality?
    public internal(set) var contexts: UInt16?
  }

  /// A broadcast that a device listens to. BASS 1.0.1, 3.2.
  public struct BroadcastSource: Equatable, Sendable {
    public let id: UInt8
    public let broadcast: UInt32
    public let synchronization: UInt8
    public let encryption: UInt8
    /// The BIS_Sync_State of each subgroup.
    public let streams: [UInt32]
  }

  /// TBS 1.0, 3.11.
  public struct Call: Equatable, Sendable {
    public let index: UInt8
    public let state: UInt8
    public let flags: UInt8
  }
}

/// What was told of a link last.
struct LEAudioState: Sendable {
  /// An attribute of the server on this host, or of the peer's.
  struct Key: Hashable {
    let handle: UInt16
    let isLocal: Bool
  }

  var endpoints: [Key: AudioStreamEndpoint] = [:]
  /// The values of other characteristics, by their handle.
  var values: [Key: [UInt8]] = [:]

  /// More attributes are not remembered of a link: what is told twice then is no harm.
  static let most = 256
}
