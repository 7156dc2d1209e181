import HarkCore
import HarkCrypto
import HarkSession

/// Looks for a key exchange and what is sealed with it on channels that no profile describes, with the private key
/// of the accessory: everything of the size of a key may be one, and the tag of AES-GCM decides.
public struct KeySearch {
  /// Bytes of messages: from one place on up to their end, or a number of them.
  struct Part: Hashable {
    let place: SearchedBytes.Place
    let offset: Int
    /// Nil: all but `trailing`.
    let count: Int?
    var trailing = 0
    /// How the bytes of the place begin, in messages with it.
    var prefix: [UInt8] = []
    /// Places in `prefix` whose bytes differ from message to message, such as counters and lengths.
    var varying: Set<Int> = []
    /// How messages with it begin, if they are a word of them.
    var lead: [UInt8] = []
    /// Other members that all messages with it have.
    var marks: [SearchedBytes.Mark] = []
  }

  /// What the names in a derivation are taken from. A place below 0 counts from the end.
  enum Source: Hashable {
    /// 16 bytes of the message, from one place on.
    case bytes(Int)
    /// The 36 characters of a UUID in the message, from one place on.
    case characters(Int)
    /// A member of the message.
    case member(String)
    /// None is sent, or it comes from a key file.
    case fixed(String)
  }

  /// What was sealed at one place, and opened.
  struct Sealed {
    let part: Part
    let session: Source
    var messages: [Message]
    /// How many messages at the place stayed locked.
    var locked: Int
  }

  public struct Message: Sendable {
    public let frame: UInt32
    public let direction: MessageDirection
    public let plaintext: [UInt8]
    /// What its key is derived with; nil without a session.
    public let session: String?
    public let sealed: [UInt8]
  }

  let suite: CipherSuite
  /// Of the private key's public key.
  public let publicKey: Fingerprint
  private(set) var key: Part
  let keyBytes: [UInt8]
  let keyFrame: UInt32
  let identifier: Source
  /// What keys are derived with; empty without an identifier.
  public let identifierText: String
  /// Where the accessory's public key is announced.
  private(set) var announced: Part?
  let info: String
  private let effort: Effort
  var isUsual: Bool { effort != .thorough }
  /// Whether it was found in messages read in the encoding that they have after a header.
  private(set) var isOpened = false
  private(set) var sealed: [Sealed] = []

  /// All that opened, in the order of the capture.
  public var messages: [Message] { sealed.flatMap(\.messages).sorted { $0.frame < $1.frame } }

  // MARK: The search

  static let reach = 72
  /// How far the name of a session mostly is from sealed data: a length may be between them.
  static let nearest = 2
  static let mostCandidates = 8
  /// Messages of one place that a candidate is tried with.
  static let mostTried = 6
  /// Messages of other channels that it is tried with: few where only the size suggests a key.
  private static let mostOthers = 18, mostUnprovedOthers = 6
  private static let mostTriedHard = 3

  /// Looks for an exchange in what passed; nil if none opens anything. If messages have to be put together on less
  /// evidence than a guess needs, what opens proves that, and the guesses change.
  public static func find(in guesses: inout [ChannelGuess], _ ring: inout KeyRing) -> KeySearch? {
    guard !ring.publicKeys.isEmpty, var found = exchange(in: &guesses, &ring) else { return nil }
    found.extend(&guesses, &ring)
    return found
  }

  private static func exchange(
    in guesses: inout [ChannelGuess], _ ring: inout KeyRing
  ) -> KeySearch? {
    if let found = find(guesses, &ring) { return found }
    let tentative = guesses.map(\.tentative)
    guard tentative.contains(where: { $0 != nil }) else { return nil }
    let others = zip(guesses, tentative).map { $1 ?? $0 }
    guard let found = find(others, &ring) else { return nil }
    for (index, other) in others.enumerated() where found.concerns(index) { guesses[index] = other }
    return found
  }

  private static func find(_ guesses: [ChannelGuess], _ ring: inout KeyRing) -> KeySearch? {
    if guesses.contains(where: { $0.made.content != nil }),
      var found = find(in: SearchedBytes.all(guesses, isOpened: true), &ring)
    {
      found.isOpened = true
      return found
    }
    return find(in: SearchedBytes.all(guesses, isOpened: false), &ring)
  }

  /// Reads the channels of which nothing opened like those that did, or on less evidence, and keeps what opens then:
  /// one side may send too few messages to show how they are made, or their encoding.
  private mutating func extend(_ guesses: inout [ChannelGuess], _ ring: inout KeyRing) {
    guard var exchange = UnframedExchange(keyBytes, suite, &ring) else { return }
    var budget = UnframedExchange.Budget()
    let own = ring.publicKeys
    let known = Set([key.place.channel] + sealed.map(\.part.place.channel)).sorted()
    let isEncoded = known.filter { guesses[$0].encoding != nil }
    for index in guesses.indices where index != key.place.channel && !isEncoded.contains(index) {
      let others = known.contains(index) ? isEncoded : known + [index]
      for other in others {
        let guess = other == index ? guesses[index].tentative : guesses[index].like(guesses[other])
        guard let guess, extend(guess, index, own, &exchange, &budget) else { continue }
        guesses[index] = guess
        break
      }
    }
  }

  /// Whether another way to read a channel opens as much, or finds the accessory's public key.
  private mutating func extend(
    _ guess: ChannelGuess, _ index: Int, _ own: [(suite: CipherSuite, bytes: [UInt8])],
    _ exchange: inout UnframedExchange, _ budget: inout UnframedExchange.Budget
  ) -> Bool {
    let pieces = SearchedBytes.of(guess, index, isOpened: isOpened)
    let later = pieces.filter { $0.frame > keyFrame && $0.bytes.count >= Self.shortest }
    let opened = Self.sealed(later, [:], &exchange, identifierText, effort, &budget)
    let found = pieces.lazy.compactMap { Self.announcement($0, own) }.first
    let known = sealed.filter { $0.part.place.channel == index }.flatMap(\.messages).count
    let isBetter = known == 0 && announced == nil && found != nil
    guard isBetter || !opened.isEmpty && opened.flatMap(\.messages).count >= known else {
      return false
    }
    if announced == nil || announced?.place.channel == index {
      announced = found
      announced?.leaveOutVarying(of: pieces)
    }
    sealed = sealed.filter { $0.part.place.channel != index } + opened
    return true
  }

  static func find(in pieces: [SearchedBytes], _ ring: inout KeyRing) -> KeySearch? {
    let suites = Set(ring.publicKeys.map(\.suite))
    guard !suites.isEmpty else { return nil }
    let own = ring.publicKeys
    let announced = pieces.lazy.compactMap { announcement($0, own) }.first
    let candidates = candidates(pieces, own, suites)
    // The usual derivation is cheap to try, so that it may be tried for each place where an encapsulated key
    // of X-Wing may be: only its size suggests it.
    for (effort, most) in [
      (Effort.usual, candidates.count), (.wide, mostCandidates), (.thorough, mostCandidates),
    ] {
      for candidate in candidates.prefix(most) {
        guard
          var exchange = UnframedExchange(
            Array(candidate.bytes), candidate.shape.suite, &ring)
        else { continue }
        var budget = UnframedExchange.Budget()
        if var found = open(&exchange, candidate, pieces, announced, effort, &budget) {
          found.key.leaveOutVarying(of: pieces)
          found.announced?.leaveOutVarying(of: pieces)
          return found
        }
      }
    }
    return nil
  }

  private static func announcement(
    _ piece: SearchedBytes, _ own: [(suite: CipherSuite, bytes: [UInt8])]
  ) -> Part? {
    for key in own where piece.bytes.count >= key.bytes.count {
      for offset in 0...min(reach, piece.bytes.count - key.bytes.count)
      where piece.bytes[offset] == key.bytes[0]
        && piece.bytes[offset..<offset + key.bytes.count].elementsEqual(key.bytes)
      {
        return Part(
          place: piece.place, offset: offset, count: key.bytes.count,
          prefix: prefix(of: piece.bytes, before: offset), lead: piece.lead, marks: piece.marks)
      }
    }
    return nil
  }

  private static func open(
    _ exchange: inout UnframedExchange, _ candidate: Candidate, _ pieces: [SearchedBytes],
    _ announced: Part?, _ effort: Effort, _ budget: inout UnframedExchange.Budget
  ) -> KeySearch? {
    let piece = candidate.piece
    let identifiers = identifiers(candidate, exchange.identifiers)
    let later = pieces.filter { $0.frame > piece.frame && $0.bytes.count >= shortest }
    // Other traffic must not take all attempts: the key's own channel comes first, and then each place in turn.
    let likely = later.filter { !isText($0.bytes) }
    let own = inTurn(likely.filter { $0.place.channel == piece.place.channel })
    let others = inTurn(likely.filter { $0.place.channel != piece.place.channel })
    let mostOthers = candidate.shape.isProvable ? mostOthers : mostUnprovedOthers
    let tried =
      effort == .usual
      ? own.prefix(mostTried) + others.prefix(mostOthers)
      : own.prefix(mostTriedHard) + others.prefix(mostTriedHard)
    for one in tried {
      for identifier in identifiers {
        guard !budget.isSpent else { return nil }
        guard let found = open(one, &exchange, identifier.text, effort, &budget) else { continue }
        return KeySearch(
          exchange, candidate, identifier, announced, found, at: one.place, later, effort,
          &budget)
      }
    }
    return nil
  }

  /// How much is tried.
  enum Effort {
    /// The usual derivation, with the session right beside what is sealed.
    case usual
    /// The same with any 16 bytes in front of it as the session, and with checksums after it.
    case wide
    /// Derivations with one deviation.
    case thorough
  }

  private init(
    _ exchange: UnframedExchange, _ candidate: Candidate,
    _ identifier: (source: Source, text: String), _ announced: Part?, _ first: Opened,
    at place: SearchedBytes.Place, _ later: [SearchedBytes],
    _ effort: Effort, _ budget: inout UnframedExchange.Budget
  ) {
    (suite, key, keyFrame) = (
      exchange.suite, candidate.part(before: identifier.source), candidate.piece.frame
    )
    publicKey = exchange.publicKey ?? Fingerprint(publicKey: [])
    (self.identifier, self.announced) = (identifier.source, announced)
    (identifierText, keyBytes) = (identifier.text, Array(candidate.bytes))
    (info, self.effort) = (first.info, effort)
    var exchange = exchange
    sealed = Self.sealed(later, [place: first], &exchange, identifierText, effort, &budget)
  }
}
