import HarkCore

/// The state of an AVCTP channel, and what AVRCP on it has reported.
struct AVCTPState: Sendable {
  struct Command: Sendable {
    var packet: UInt32
  }

  /// A message or response that has arrived in part.
  struct Assembly: Sendable {
    var bytes: [UInt8] = []
    var packets: [UInt32] = []
    /// How many AVCTP packets are still missing.
    var missing = 0
    /// The PDU ID of a response.
    var identifier: UInt8?
  }

  /// The commands without a final answer, by transaction label and the direction in which they were sent.
  var commands: [UInt8: Command] = [:]
  /// AVCTP messages, and AVRCP responses inside them, by direction.
  var messages = [Assembly(), Assembly()]
  var responses = [Assembly(), Assembly()]
  /// What a side plays.
  struct Player: Sendable {
    var status: UInt8?
    var length: UInt32?
    var track: [AudioEvent.Attribute] = []
  }

  /// The players of this host and of the peer: on one channel, both sides may be a Target. AVCTP 1.4, 4
  var players = [Player(), Player()]
  /// The volumes of this host and of the peer, and those that the other side requested, until the answer.
  var volumes: [UInt8?] = [nil, nil]
  var requestedVolumes: [UInt8?] = [nil, nil]

  /// Of a message that is put together.
  static let longest = 65_536
}
