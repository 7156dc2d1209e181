import HarkCore

/// What a channel of AVCTP remembers, and what AVRCP on it has told.
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

/// What a message of AVRCP says, as far as it changes something.
struct AVRCPMessage: Sendable {
  var label: UInt8 = 0
  var isResponse = false
  var type: UInt8 = 0
  var opcode: UInt8 = 0
  var pdu: UInt8 = 0
  /// Single, start, continue, end.
  var packetType: UInt8 = 0
  var isReleased = false
  var operation: UInt8 = 0
  var status: UInt8?
  var capability: UInt8 = 0
  var events: [UInt8] = []
  var attributes: [AudioEvent.Attribute] = []
  var settings: [AudioEvent.Setting] = []
  var playStatus: UInt8?
  var songPosition: UInt32?
  var songLength: UInt32?
  var volume: UInt8?
  var battery: UInt8?
  var systemStatus: UInt8?
  var player: UInt16?
  var items: Int?
}
