import HarkCore

/// The state of an AVCTP channel, and what AVRCP on it has reported.
struct AVCTPState: Sendable {
  struct Command: Sendable {
    var packet: UInt32
  }

  /// A message or a response of which parts have come.
  struct Assembly: Sendable {
    var bytes: [UInt8] = []
    var packets: [UInt32] = []
    /// How many packets of AVCTP still have to come.
    var missing = 0
    /// The PDU ID of a response.
    var identifier: UInt8?
  }

  /// The commands without a last answer, by transaction label and the direction they were sent in.
  var commands: [UInt8: Command] = [:]
  /// Messages of AVCTP, and responses of AVRCP inside of them, by direction.
  var messages = [Assembly(), Assembly()]
  var responses = [Assembly(), Assembly()]
  var playStatus: UInt8?
  var length: UInt32?
  var track: [AudioEvent.Attribute] = []
  var volume: UInt8?

  /// Of a message that is put together.
  static let longest = 65_536
}
