import HarkCore
import HarkCrypto

/// What is missing from a message that could not be assembled.
public enum Gap: Hashable, Sendable {
  /// Values ended by `--END--` without a `--START--` before them.
  case endWithoutStart
  /// Values outside of any message, without an end.
  case outsideMessage(Interruption)
  /// `--START--` and perhaps values, never ended.
  case startWithoutEnd(Interruption)
  /// A fragment that continues a message, although none has begun.
  case continuationWithoutFirst
  /// A fragment that announces more, although no more arrived.
  case moreWithoutLast(Interruption)
  /// Numbered fragments that never arrived, from that number on.
  case lostFragments(first: Int, count: Int)
  /// The last part of a message came again after that packet, which has completed the message: nothing is missing.
  case repeated(PacketID)
  /// The sender began the same message again in that packet, which a receiver accepts.
  case begunAgain(PacketID)
  /// The rest of the message that began in that packet, whose values alternate with those of another one.
  case interleaved(PacketID)
  /// A message that the end of its link or stream interrupted, and that began in that packet, continues on the next one.
  case rest(of: PacketID)
  /// A request without an answer.
  case noAnswer(Interruption)
  /// The message exceeded the limit on bytes or values.
  case tooLarge(limit: Int)

  /// Whether it is the end of a message whose beginning is missing.
  var isRest: Bool {
    switch self {
    case .endWithoutStart, .continuationWithoutFirst: true
    default: false
    }
  }

  /// Whether the next message began before this one ended.
  var isInterruptedByNext: Bool {
    switch self {
    case .startWithoutEnd(.startedAgain), .moreWithoutLast(.startedAgain): true
    default: false
    }
  }
}

/// A complete message that is not one of the framing's.
public struct UnreadableMessage: Hashable, Sendable {
  public var problem: FramingProblem
  /// At most the first 256 bytes of the message, without secrets.
  public var bytes: [UInt8]
  /// Its content, if it could be read anyway.
  public var sessionID: String?
  public var receiptID: String?
  /// Whether it begins with zeros, as after redaction.
  let isBlank: Bool
  /// Why, if the message can be read without a value that was sent twice, or without those of another message.
  var cause: Verdict?

  static let keptBytes = 256

  public init(
    _ problem: FramingProblem, bytes: [UInt8], isSecret: Bool = false, sessionID: String? = nil,
    receiptID: String? = nil
  ) {
    self.problem = problem
    self.bytes = isSecret ? [] : Array(bytes.prefix(Self.keptBytes))
    isBlank = BlankMessage.isBlank(Array(bytes.prefix(BlankMessage.beginning)))
    self.sessionID = sessionID
    self.receiptID = receiptID
  }
}

/// Why a message cannot be read. Offsets and sizes are bytes of the message.
public enum FramingProblem: Error, Hashable, Sendable {
  case empty
  /// The first byte is not one of the framing's types.
  case unknownType(UInt8)
  /// A field ends after the message, or after the part of the message that it is in. `available` are the bytes from its
  /// `offset` on.
  case tooShort(
    field: String, offset: Int = 0, needed: Int, available: Int, within: String? = nil)
  /// Bytes after the end.
  case trailing(offset: Int, count: Int)
  case keySize(SecurityMessage.KeyType, found: Int)
  /// Its private key is invalid, or does not belong to the public key.
  case privateKey(reason: String)
  /// The value is longer than the receiver accepts.
  case valueTooLong(size: Int, limit: Int)
  /// Not JSON from this byte on.
  case notJSON(offset: Int)
  /// The text ends inside an object that began at `offset`.
  case truncatedJSON(offset: Int, depth: Int, inString: Bool)
  /// More than one object in one message; each is read.
  case concatenatedJSON(objects: Int)
  case deepJSON(limit: Int)
  /// Values are nested more deeply than hark follows.
  case tooDeep(encoding: String, limit: Int)
  /// More values, or more bytes of them, than hark creates for one message.
  case tooMany(encoding: String, limit: Int)
  /// A member that the object must have.
  case missing(field: String)
  case wrong(field: String)
  /// The field says what the message is, and the framing does not know that.
  case unknownValue(field: String)
  /// The length of a member's base64 text is not a multiple of four: something is lost.
  case base64MidQuantum(field: String, characters: Int)
  case base64Character(field: String, offset: Int)
  /// An object unknown to the framing; its member names in order.
  case unknownObject(members: [String])
  /// An array unknown to the framing.
  case unknownArray(items: Int)
  /// JSON that is neither an object nor an array.
  case scalarJSON
  /// The recorder cut a part.
  case cutByCapture(missingBytes: Int)
}
