import HarkCore

/// What is missing of a message that could not be put together.
public enum Gap: Hashable, Sendable {
  /// Values ended by `--END--` with no `--START--` before them.
  case endWithoutStart
  /// Values outside of any message, with no end either.
  case outsideMessage(Interruption)
  /// `--START--` and perhaps values, never ended.
  case startWithoutEnd(Interruption)
  /// A fragment that continues a message whose first fragment is missing.
  case continuationWithoutFirst
  /// A fragment that announces more, and no more came.
  case moreWithoutLast(Interruption)
  /// Numbered fragments that never arrived, from that number on.
  case lostFragments(first: Int, count: Int)
  /// A request without its answer.
  case noAnswer(Interruption)
  /// The message grew over what hark keeps, in bytes or values.
  case tooLarge(limit: Int)
}

/// A message that is whole and still not one of the framing's.
public struct UnreadableMessage: Hashable, Sendable {
  public var problem: FramingProblem
  /// The message's first 256 bytes at most, without what would be a secret.
  public var bytes: [UInt8]
  /// Where it could be read all the same.
  public var sessionID: String?
  public var receiptID: String?
  /// Whether it begins with nothing but zeros, as redaction leaves it.
  let isBlank: Bool

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
  /// The first byte is no type of the framing's.
  case unknownType(UInt8)
  case tooShort(field: String, needed: Int, available: Int)
  /// Bytes after the end.
  case trailing(offset: Int, count: Int)
  case keySize(SecurityMessage.KeyType, found: Int)
  /// The private key with it is not valid, or does not belong to the public key.
  case privateKey(reason: String)
  /// The value is longer than an attribute may be.
  case valueTooLong(size: Int, limit: Int)
  /// Not JSON from this byte on.
  case notJSON(offset: Int)
  /// The text ends inside of an object that began at `offset`.
  case truncatedJSON(offset: Int, depth: Int, inString: Bool)
  /// More than one object in one message; each is read.
  case concatenatedJSON(objects: Int)
  case deepJSON(limit: Int)
  /// Values inside of values, more than hark follows.
  case tooDeep(encoding: String, limit: Int)
  /// More values, or bytes of them, than hark makes of one message.
  case tooMany(encoding: String, limit: Int)
  /// A member that the object must have.
  case missing(field: String)
  case wrong(field: String)
  /// The text of a member in base64 is not a multiple of four characters: something is lost.
  case base64MidQuantum(field: String, characters: Int)
  case base64Character(field: String, offset: Int)
  /// An object unknown to the framing; its member names in order.
  case unknownObject(members: [String])
  /// The recorder kept only a part.
  case cutByCapture(missingBytes: Int)
}
