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
    /// How messages with it begin.
    var prefix: [UInt8] = []
  }

  /// What the names in a derivation are taken from.
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
  let key: Part
  let keyBytes: [UInt8]
  let keyFrame: UInt32
  let identifier: Source
  /// What keys are derived with; empty without an identifier.
  public let identifierText: String
  /// Where the accessory's public key is announced.
  let announced: Part?
  let info: String
  let isUsual: Bool
  /// Whether it was found in messages read in the encoding that they have after a header.
  private(set) var isOpened = false
  private(set) var sealed: [Sealed] = []

  /// All that opened, in the order of the capture.
  public var messages: [Message] { sealed.flatMap(\.messages).sorted { $0.frame < $1.frame } }

  // MARK: The search

  static let reach = 72
  /// How far after the name of a session sealed data mostly begins: a length may be between them.
  private static let nearest = 2
  static let mostCandidates = 8
  /// Messages of one place that a candidate is tried with.
  static let mostTried = 6
  /// Messages of other channels that it is tried with: few where only the size suggests a key.
  private static let mostOthers = 18, mostUnprovedOthers = 6
  private static let mostIdentifiers = 12
  private static let identifierSize = 16
  private static let uuidCharacters = 36
  private static let trailings = [0, 1, 2, 4]

  /// Looks for an exchange in what passed; nil if none opens anything. If messages have to be put together on less
  /// evidence than a guess needs, what opens proves that, and the guesses change.
  public static func find(in guesses: inout [ChannelGuess], _ ring: inout KeyRing) -> KeySearch? {
    if let found = find(guesses, &ring) { return found }
    guard !ring.publicKeys.isEmpty else { return nil }
    let tentative = guesses.map(\.tentative)
    guard tentative.contains(where: { $0 != nil }) else { return nil }
    let others = zip(guesses, tentative).map { $1 ?? $0 }
    guard let found = find(others, &ring) else { return nil }
    for (index, other) in others.enumerated() where found.concerns(index) { guesses[index] = other }
    return found
  }

  private static func find(_ guesses: [ChannelGuess], _ ring: inout KeyRing) -> KeySearch? {
    if guesses.contains(where: { $0.content != nil }),
      var found = find(in: SearchedBytes.all(guesses, isOpened: true), &ring)
    {
      found.isOpened = true
      return found
    }
    return find(in: SearchedBytes.all(guesses, isOpened: false), &ring)
  }

  static func find(in pieces: [SearchedBytes], _ ring: inout KeyRing) -> KeySearch? {
    let suites = Set(ring.publicKeys.map(\.suite))
    guard !suites.isEmpty else { return nil }
    let own = ring.publicKeys
    let announced = pieces.lazy.compactMap { announcement($0, own) }.first
    let candidates = candidates(pieces, own, suites)
    // The usual derivation is cheap to try, so that it may be tried for each place where an encapsulated key
    // of X-Wing may be: only its size suggests it.
    for (efforts, most) in [
      ([Effort.usual], candidates.count), ([.wide, .thorough], mostCandidates),
    ] {
      for candidate in candidates.prefix(most) {
        let bytes = candidate.piece.bytes[
          candidate.offset..<candidate.offset + candidate.shape.size]
        guard var exchange = UnframedExchange(Array(bytes), candidate.shape.suite, &ring) else {
          continue
        }
        var budget = UnframedExchange.Budget()
        if let found = open(&exchange, candidate, pieces, announced, efforts, &budget) {
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
          prefix: Array(piece.bytes[..<min(offset, longestPrefix)]))
      }
    }
    return nil
  }

  private static func open(
    _ exchange: inout UnframedExchange, _ candidate: Candidate, _ pieces: [SearchedBytes],
    _ announced: Part?, _ efforts: [Effort], _ budget: inout UnframedExchange.Budget
  ) -> KeySearch? {
    let (piece, key) = (candidate.piece, candidate.part)
    let identifiers = identifiers(piece, key, exchange.identifiers)
    let later = pieces.filter { $0.frame > piece.frame && $0.bytes.count >= shortest }
    // Other traffic must not take all attempts: the key's own channel comes first, and then each place in turn.
    let likely = later.filter { !isText($0.bytes) }
    let own = inTurn(likely.filter { $0.place.channel == piece.place.channel })
    let others = inTurn(likely.filter { $0.place.channel != piece.place.channel })
    let mostOthers = candidate.shape.isProvable ? mostOthers : mostUnprovedOthers
    for effort in efforts {
      let tried =
        effort == .usual
        ? own.prefix(mostTried) + others.prefix(mostOthers)
        : own.prefix(mostTriedHard) + others.prefix(mostTriedHard)
      for one in tried {
        for identifier in identifiers {
          guard !budget.isSpent else { return nil }
          guard let found = open(one, &exchange, identifier.text, effort, &budget) else { continue }
          return KeySearch(
            exchange, key, piece, identifier, announced, found, one, later, effort, &budget)
        }
      }
    }
    return nil
  }

  /// How much is tried.
  enum Effort {
    /// The usual derivation, with the session right in front of what is sealed.
    case usual
    /// The same with any 16 bytes in front of it as the session, and with checksums after it.
    case wide
    /// Derivations with one deviation.
    case thorough
  }

  private static let mostTriedHard = 3

  /// Nonce and tag, and one byte.
  private static let shortest = 29

  private static func identifiers(
    _ piece: SearchedBytes, _ key: Part, _ known: [String]
  ) -> [(source: Source, text: String)] {
    var found: [(source: Source, text: String)] = []
    for text in piece.texts { found.append((.member(text.expression), text.text)) }
    let bytes = piece.bytes
    let end = key.offset + (key.count ?? 0)
    for offset in characters(bytes) {
      let text = String(decoding: bytes[offset..<offset + uuidCharacters], as: UTF8.self)
      found.append((.characters(offset), text))
    }
    for text in known { found.append((.fixed(text), text)) }
    found.append((.fixed(""), ""))
    for offset in [key.offset - identifierSize, end, bytes.count - identifierSize, 0, 1, 2]
    where offset >= 0 && offset + identifierSize <= bytes.count
      && (offset >= end || offset + identifierSize <= key.offset)
    {
      if !found.contains(where: { $0.source == .bytes(offset) }) {
        found.append((.bytes(offset), uuid(bytes, offset)))
      }
    }
    return Array(found.prefix(mostIdentifiers))
  }

  /// Where the text of a UUID begins.
  private static func characters(_ bytes: [UInt8]) -> [Int] {
    guard bytes.count >= uuidCharacters else { return [] }
    return (0...min(reach, bytes.count - uuidCharacters)).filter { offset in
      bytes[offset..<offset + uuidCharacters].enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == 0x2D : Hex.value(of: byte) != nil
      }
    }
  }

  private static func uuid(_ bytes: [UInt8], _ offset: Int) -> String {
    var (high, low): (UInt64, UInt64) = (0, 0)
    for byte in bytes[offset..<offset + 8] { high = high << 8 | UInt64(byte) }
    for byte in bytes[offset + 8..<offset + identifierSize] { low = low << 8 | UInt64(byte) }
    return BluetoothUUID(high: high, low: low).long
  }

  // MARK: Sealed messages

  private struct Opened {
    let offset: Int
    let trailing: Int
    let session: Source
    let plaintext: [UInt8]
    let direction: MessageDirection
    let info: String
  }

  /// Tries each offset of one message, with each session that may be named in it.
  private static func open(
    _ piece: SearchedBytes, _ exchange: inout UnframedExchange, _ identifier: String,
    _ effort: Effort, _ budget: inout UnframedExchange.Budget
  ) -> Opened? {
    let bytes = piece.bytes
    var places: [(offset: Int, trailing: Int)] = []
    var boxes: [UnframedExchange.Sealed] = []
    for trailing in effort == .wide ? trailings : [0] {
      guard bytes.count - trailing >= shortest else { continue }
      for offset in 0...min(reach, bytes.count - trailing - shortest) {
        guard let box = UnframedExchange.Sealed(bytes[offset..<bytes.count - trailing]) else {
          continue
        }
        places.append((offset, trailing))
        boxes.append(box)
      }
    }
    var sessions: [(source: Source, text: String?)] = piece.texts.map {
      (.member($0.expression), $0.text)
    }
    for offset in characters(bytes) {
      sessions.append(
        (
          .characters(offset),
          String(decoding: bytes[offset..<offset + uuidCharacters], as: UTF8.self)
        ))
    }
    if bytes.count >= identifierSize + shortest {
      for offset in 0...min(reach, bytes.count - identifierSize - shortest) {
        sessions.append((.bytes(offset), uuid(bytes, offset)))
      }
    }
    sessions.append((.fixed(""), nil))
    let usual: MessageDirection = piece.place.toServer ? .hostToAccessory : .accessoryToHost
    for session in sessions {
      // What is sealed stands after the session's name.
      var range = 0...reach
      if case .characters(let offset) = session.source {
        range = min(reach, offset + uuidCharacters)...reach
      }
      if case .bytes(let offset) = session.source {
        let end = min(reach, offset + identifierSize)
        range = end...(effort == .wide ? reach : min(reach, end + nearest))
      }
      let chosen = boxes.indices.filter { range.contains(places[$0].offset) }
      guard !chosen.isEmpty else { continue }
      for direction in [usual, usual.opposite] {
        let names = UnframedExchange.Names(
          identifier: identifier, session: session.text, direction: direction)
        guard
          let found = exchange.open(
            chosen.map { boxes[$0] }, names, isThorough: effort == .thorough, &budget)
        else { continue }
        let place = places[chosen[found.index]]
        return Opened(
          offset: place.offset, trailing: place.trailing, session: session.source,
          plaintext: found.plaintext, direction: direction, info: found.info)
      }
    }
    return nil
  }

  private init(
    _ exchange: UnframedExchange, _ key: Part, _ piece: SearchedBytes,
    _ identifier: (source: Source, text: String), _ announced: Part?, _ first: Opened,
    _ firstPiece: SearchedBytes, _ later: [SearchedBytes], _ effort: Effort,
    _ budget: inout UnframedExchange.Budget
  ) {
    (suite, self.key, keyFrame) = (exchange.suite, key, piece.frame)
    publicKey = exchange.publicKey ?? Fingerprint(publicKey: [])
    (self.identifier, self.announced) = (identifier.source, announced)
    identifierText = identifier.text
    keyBytes = Array(piece.bytes[key.offset..<key.offset + (key.count ?? 0)])
    (info, isUsual) = (first.info, effort != .thorough)
    var exchange = exchange
    var known: [SearchedBytes.Place: Opened] = [firstPiece.place: first]
    for own in Self.byPlace(later) {
      let place = own[0].place
      for piece in Self.someOfAllSizes(own) where known[place] == nil {
        known[place] = Self.open(piece, &exchange, identifier.text, effort, &budget)
      }
      guard let opened = known[place] else { continue }
      sealed.append(
        Self.all(own, opened, &exchange, identifier.text, isThorough: !isUsual, &budget))
    }
  }

  static let longestPrefix = 4

  /// All messages at a place, as the first one that opened was made.
  private static func all(
    _ pieces: [SearchedBytes], _ first: Opened, _ exchange: inout UnframedExchange,
    _ identifier: String, isThorough: Bool, _ budget: inout UnframedExchange.Budget
  ) -> Sealed {
    var messages: [Message] = []
    var prefixes: [[UInt8]] = []
    var locked = 0
    for piece in pieces {
      let bytes = piece.bytes
      let session: String? =
        switch first.session {
        case .bytes(let offset) where offset + identifierSize <= bytes.count: uuid(bytes, offset)
        case .characters(let offset) where offset + uuidCharacters <= bytes.count:
          String(decoding: bytes[offset..<offset + uuidCharacters], as: UTF8.self)
        case .member(let expression): piece.texts.first { $0.expression == expression }?.text
        default: nil
        }
      guard bytes.count - first.trailing - first.offset >= shortest,
        let box = UnframedExchange.Sealed(bytes[first.offset..<bytes.count - first.trailing]),
        let found = exchange.open(
          [box],
          UnframedExchange.Names(
            identifier: identifier, session: session, direction: first.direction),
          isThorough: isThorough, &budget)
      else {
        locked += 1
        continue
      }
      messages.append(
        Message(
          frame: piece.frame, direction: first.direction, plaintext: found.plaintext,
          session: session, sealed: Array(bytes[first.offset..<bytes.count - first.trailing])))
      var end = first.offset
      if case .bytes(let offset) = first.session { end = min(end, offset) }
      if case .characters(let offset) = first.session { end = min(end, offset) }
      prefixes.append(Array(bytes[..<min(end, longestPrefix)]))
    }
    var prefix = prefixes.first ?? []
    for other in prefixes {
      prefix = Array(zip(prefix, other).prefix { $0 == $1 }.map(\.0))
    }
    let part = Part(
      place: pieces[0].place, offset: first.offset, count: nil, trailing: first.trailing,
      prefix: prefix)
    return Sealed(part: part, session: first.session, messages: messages, locked: locked)
  }
}
