import HarkCore

/// The state of an AVCTP channel, and what AVRCP on it has reported.
struct AVCTPState: Sendable {
  struct Command: Sendable {
    var packet: UInt32
  }

  /// A response of AVRCP that has arrived in part.
  struct PartialResponse: Sendable {
    var bytes: [UInt8] = []
    var packets: [UInt32] = []
    /// The PDU ID.
    var identifier: UInt8?
  }

  /// What a side plays.
  struct Player: Sendable {
    var status: UInt8?
    var length: UInt32?
    var track: [AudioEvent.Attribute] = []
  }

  /// The commands without a final answer, by transaction label and the direction in which they were sent.
  var commands: [UInt8: Command] = [:]
  /// AVCTP messages, and AVRCP responses inside them, by direction.
  var messages = [PacketAssembly(), PacketAssembly()]
  var responses = [PartialResponse(), PartialResponse()]
  /// The players of this host and of the peer: on one channel, both sides may be a Target. AVCTP 1.4, 4
  var players = [Player(), Player()]
  /// The volumes of this host and of the peer, and those that the other side requested, until the answer.
  var volumes: [UInt8?] = [nil, nil]
  var requestedVolumes: [UInt8?] = [nil, nil]

  /// Of a response in parts.
  static let longest = 65_536
}
