import HarkCore

/// A message of AVRCP, as far as it changes something. AVRCP 1.6, 4 and 6.
package struct AVRCPMessage: Message {
  /// The ctype. AV/C Digital Interface Command Set General Specification, tables 7.1 and 7.2
  package enum CommandType: UInt8, Sendable {
    case control = 0x0
    case status = 0x1
    case specificInquiry = 0x2
    case notify = 0x3
    case generalInquiry = 0x4
    case notImplemented = 0x8
    case accepted = 0x9
    case rejected = 0xA
    case inTransition = 0xB
    case stable = 0xC
    case changed = 0xD
    case interim = 0xF
  }

  /// 4.3 and 4.4
  package enum Opcode: UInt8, Sendable {
    case vendorDependent = 0x00
    case unitInfo = 0x30
    case subunitInfo = 0x31
    case passThrough = 0x7C
  }

  /// Those PDUs of table 4.5 that somebody follows.
  package enum Identifier: UInt8, Sendable {
    case getCapabilities = 0x10
    case getCurrentPlayerApplicationSettingValue = 0x13
    case getElementAttributes = 0x20
    case getPlayStatus = 0x30
    case registerNotification = 0x31
    case setAbsoluteVolume = 0x50
    case getFolderItems = 0x71
    case getTotalNumberOfItems = 0x75
    case search = 0x80
  }

  /// The PDU that rejects a command of the browsing channel whose PDU ID is unknown. 6.15.1
  package static let generalReject: UInt8 = 0xA0

  /// 6.3.1
  package enum PacketType: UInt8, Sendable {
    case single, start, `continue`, end
  }

  /// Appendix H
  package enum Event: UInt8, Sendable {
    case playbackStatusChanged = 0x01
    case trackChanged = 0x02
    case trackReachedEnd = 0x03
    case trackReachedStart = 0x04
    case playbackPosChanged = 0x05
    case battStatusChanged = 0x06
    case systemStatusChanged = 0x07
    case playerApplicationSettingChanged = 0x08
    case nowPlayingContentChanged = 0x09
    case availablePlayersChanged = 0x0A
    case addressedPlayerChanged = 0x0B
    case uidsChanged = 0x0C
    case volumeChanged = 0x0D
  }

  /// What the message is read as.
  package enum Form: Sendable {
    case control
    case browsing(isResponse: Bool)
    /// A response with the parameters of all its parts, after the header of the first.
    case reassembled
  }

  /// Appendix E
  package enum AttributeID: UInt32, Sendable {
    case title = 1
    case artist, album, trackNumber, trackCount, genre, playingTime, coverArt
  }

  /// An attribute of media. 6.6.1
  package struct Attribute: Sendable {
    /// See `AttributeID`.
    package let id: UInt32
    /// Where its value is in the message.
    package let value: Range<Int>
  }

  /// A setting of the player. Appendix F
  package struct Setting: Sendable {
    package let attribute: UInt8
    package let value: UInt8
  }

  /// Nil for messages of the browsing channel, and where no message has that type.
  package internal(set) var type: CommandType?
  package internal(set) var opcode: Opcode?
  /// The PDU ID; nil if the message has none.
  package internal(set) var identifier: UInt8?
  package internal(set) var packetType = PacketType.single
  /// Where the parameters are in a message that is only a part of a response.
  package internal(set) var fragment = 0..<0
  /// Of PASS THROUGH.
  package internal(set) var operation: UInt8 = 0
  package internal(set) var isReleased = false
  /// The Error/Status Code. 6.15.3
  package internal(set) var status: UInt8?
  /// Whether `events` are those that can be notified of.
  package internal(set) var hasEvents = false
  package internal(set) var events: [UInt8] = []
  /// That which is notified of.
  package internal(set) var event: UInt8?
  package internal(set) var attributes: [Attribute] = []
  package internal(set) var settings: [Setting] = []
  package internal(set) var playStatus: UInt8?
  /// In milliseconds.
  package internal(set) var songPosition: UInt32?
  package internal(set) var songLength: UInt32?
  /// Of 127.
  package internal(set) var volume: UInt8?
  package internal(set) var battery: UInt8?
  package internal(set) var systemStatus: UInt8?
  package internal(set) var player: UInt16?
  package internal(set) var items: Int?

  /// Whether a response says that what was asked for was not done. 6.15.3
  package var isRejected: Bool {
    type == .rejected || status.map { $0 != Self.completedWithoutError } ?? false
  }

  /// Whether there are no items, or attributes, where they were asked for. 6.15.3
  package var isOutOfBounds: Bool { status == 0x0B }

  /// Whether the other side does not have what was asked for. AV/C General Specification, table 7.2
  package var isNotImplemented: Bool { type == .notImplemented }

  private static let completedWithoutError: UInt8 = 0x04

  package init() {}

  /// - Parameter isCut: Whether the recorder did not keep the message to its end.
  package init(_ bytes: RawSpan, as form: Form, isCut: Bool) {
    switch form {
    case .control: self = AVRCP.message(bytes, isCut: isCut).message
    case .browsing(let isResponse):
      var context = Context()
      context.isTruncated = isCut
      context.isResponse = isResponse
      self = AVRCPBrowsing.message(bytes, context).message
    case .reassembled: self = AVRCPResponse.message(bytes, isCut: isCut).message
    }
  }
}
