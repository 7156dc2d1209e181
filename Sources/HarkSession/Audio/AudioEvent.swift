/// Something that happened to audio: its streams (AVDTP, A2DP), and the remote control (AVRCP).
public indirect enum AudioEvent: Sendable {
  // Streams
  /// What discovery told of this host's or the peer's stream end points.
  case endpoints([AudioEndpoint], isLocal: Bool)
  case configured(AudioStream)
  case reconfigured(AudioStream)
  case opened(AudioStream)
  case started(AudioStream)
  case suspended(AudioStream)
  case closed(AudioStream)
  case aborted(AudioStream)
  /// Its channel, its link, or the capture ended while it was there.
  case ended(AudioStream, withCapture: Bool)
  case delay(AudioStream)
  /// Media on a channel whose signaling is not in the capture: their shape tells.
  case recognized(AudioStream, cid: UInt16)
  /// Signals on a channel whose beginning is not in the capture: a command and its response tell.
  case signalsRecognized(cid: UInt16)
  /// So many media packets in a row are missing.
  case gap(AudioStream, lost: Int)
  /// Without an error where the signal itself is not known to the peer.
  case signalRejected(signal: UInt8, category: UInt8?, error: UInt8?)

  // Remote control
  /// A channel whose beginning is not in the capture: the shape of its messages tells.
  case controlRecognized(cid: UInt16)
  /// The events that one side can notify of.
  case notifications([UInt8], isLocal: Bool)
  /// The attributes of what is played, by their AttributeID.
  case track([Attribute])
  /// Position and length in ms.
  case playStatus(UInt8, position: UInt32?, length: UInt32?)
  /// Where in what is played it is, in ms; nil where nothing is selected.
  case position(UInt32?)
  /// Of 127; asked for by the controller, or reported by who renders.
  case volume(UInt8, isRequest: Bool)
  /// An operation of the panel was pressed.
  case operation(UInt8)
  /// A notification without a value of its own changed.
  case changed(event: UInt8)
  case battery(UInt8)
  case system(UInt8)
  /// Settings of the player: attribute and value.
  case settings([Setting])
  case addressedPlayer(UInt16)
  /// Items of a folder, a search, or a player list.
  case items(pdu: UInt8, count: Int)
  case remoteRejected(pdu: UInt8, status: UInt8)

  public struct Attribute: Equatable, Sendable {
    public let id: UInt32
    public let text: String
  }

  public struct Setting: Equatable, Sendable {
    public let attribute: UInt8
    public let value: UInt8
  }
}
