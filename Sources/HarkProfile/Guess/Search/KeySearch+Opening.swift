import HarkCrypto
import HarkSession

// What the key opens.
extension KeySearch {
  private static let trailings = [0, 1, 2, 4]
  /// Nonce and tag, and one byte.
  static let shortest = 29

  struct Opened {
    let offset: Int
    let trailing: Int
    let session: Source
    let plaintext: [UInt8]
    let direction: MessageDirection
    let info: String
  }

  /// Tries each offset of one message, with each session that may be named in it.
  static func open(
    _ piece: SearchedBytes, _ exchange: inout UnframedExchange, _ identifier: String,
    _ effort: Effort, _ budget: inout UnframedExchange.Budget
  ) -> Opened? {
    let bytes = piece.bytes
    var sessions: [(source: Source, text: String?)] = piece.texts.map {
      (.member($0.expression), $0.text)
    }
    for source in characters(bytes) + octets(bytes, effort) {
      sessions.append((source, text(of: source, in: bytes)))
    }
    sessions.append((.fixed(""), nil))
    // By the number of bytes after them.
    var boxes: [Int: [UnframedExchange.Sealed?]] = [:]
    let usual: MessageDirection = piece.place.toServer ? .hostToAccessory : .accessoryToHost
    for session in sessions {
      var chosen: [(offset: Int, trailing: Int, box: UnframedExchange.Sealed)] = []
      for (offsets, trailing) in places(beside: session.source, in: bytes, effort) {
        let all =
          boxes[trailing]
          ?? (0..<max(0, min(reach, bytes.count - trailing - shortest) + 1)).map {
            UnframedExchange.Sealed(bytes[$0..<bytes.count - trailing])
          }
        boxes[trailing] = all
        for offset in offsets.clamped(to: all.indices) {
          if let box = all[offset] { chosen.append((offset, trailing, box)) }
        }
      }
      guard !chosen.isEmpty else { continue }
      for direction in [usual, usual.opposite] {
        let names = UnframedExchange.Names(
          identifier: identifier, session: session.text, direction: direction)
        guard
          let found = exchange.open(
            chosen.map(\.box), names, isThorough: effort == .thorough, &budget)
        else { continue }
        let place = chosen[found.index]
        return Opened(
          offset: place.offset, trailing: place.trailing, session: session.source,
          plaintext: found.plaintext, direction: direction, info: found.info)
      }
    }
    return nil
  }

  /// Any 16 bytes may name a session: before what is sealed, or after it at the end.
  static func octets(_ bytes: [UInt8], _ effort: Effort) -> [Source] {
    let last = bytes.count - identifierSize - shortest
    guard last >= 0 else { return [] }
    return (0...min(reach, last)).map { .bytes($0) }
      + (effort == .wide ? trailings : [0]).map { .bytes(-identifierSize - $0) }
  }

  /// Where what is sealed may begin, and how many bytes follow it, if the session's name is at a place.
  static func places(
    beside session: Source, in bytes: [UInt8], _ effort: Effort
  ) -> [(offsets: Range<Int>, trailing: Int)] {
    let all = 0..<reach + 1
    if let range = range(of: session, in: bytes) {
      let isAtEnd: Bool
      var begins = min(reach, range.upperBound)..<all.upperBound
      switch session {
      case .bytes(let offset):
        isAtEnd = offset < 0
        if effort != .wide { begins = begins.clamped(to: 0..<begins.lowerBound + nearest + 1) }
      case .characters(let offset): isAtEnd = offset < 0
      case .member, .fixed: isAtEnd = false
      }
      if isAtEnd {
        let after = bytes.count - range.lowerBound
        return (0...(session.isText ? nearest : 0)).map { (all, after + $0) }
      }
      return (effort == .wide ? trailings : [0]).map { (begins, $0) }
    }
    return (effort == .wide ? trailings : [0]).map { (all, $0) }
  }

  /// All that opens of what came after the key, place by place.
  /// - Parameter first: What is known to open already.
  static func sealed(
    _ later: [SearchedBytes], _ first: [SearchedBytes.Place: Opened],
    _ exchange: inout UnframedExchange, _ identifier: String, _ effort: Effort,
    _ budget: inout UnframedExchange.Budget
  ) -> [Sealed] {
    var sealed: [Sealed] = []
    for own in byPlace(later) {
      var opened = first[own[0].place]
      for piece in someOfAllSizes(own.filter { !isText($0.bytes) }) where opened == nil {
        opened = open(piece, &exchange, identifier, effort, &budget)
      }
      guard let opened else { continue }
      sealed.append(all(own, opened, &exchange, identifier, effort, &budget))
    }
    return withoutCopies(sealed)
  }

  /// A member may hold another with the same data, as messages of Protocol Buffers do: the most exact one counts.
  private static func withoutCopies(_ sealed: [Sealed]) -> [Sealed] {
    var known: Set<[UInt8]> = []
    let order = sealed.indices.sorted {
      let (one, other) = (sealed[$0].part, sealed[$1].part)
      return one.offset + one.trailing < other.offset + other.trailing
    }
    // Data that is sent twice has one place.
    let kept = order.filter { index in
      let own = sealed[index].messages.map(\.sealed)
      defer { known.formUnion(own) }
      return !own.allSatisfy { known.contains($0) }
    }
    return kept.sorted().map { sealed[$0] }
  }

  /// All messages at a place, as the first one that opened was made.
  private static func all(
    _ pieces: [SearchedBytes], _ first: Opened, _ exchange: inout UnframedExchange,
    _ identifier: String, _ effort: Effort, _ budget: inout UnframedExchange.Budget
  ) -> Sealed {
    var messages: [Message] = []
    var (prefixes, leads): ([[UInt8]], [[UInt8]]) = ([], [])
    var marks: [SearchedBytes.Mark]?
    var locked = 0
    for piece in pieces {
      let bytes = piece.bytes
      var session = text(of: first.session, in: bytes)
      if case .member(let expression) = first.session {
        session = piece.texts.first { $0.expression == expression }?.text
      }
      guard bytes.count - first.trailing - first.offset >= shortest,
        let box = UnframedExchange.Sealed(bytes[first.offset..<bytes.count - first.trailing]),
        let found = exchange.open(
          [box],
          UnframedExchange.Names(
            identifier: identifier, session: session, direction: first.direction),
          isThorough: effort == .thorough, &budget)
      else {
        locked += 1
        continue
      }
      messages.append(
        Message(
          frame: piece.frame, direction: first.direction, plaintext: found.plaintext,
          session: session, sealed: Array(bytes[first.offset..<bytes.count - first.trailing])))
      prefixes.append(prefix(of: bytes, before: first.offset, first.session))
      leads.append(piece.lead)
      marks = marks?.filter { piece.marks.contains($0) } ?? piece.marks
    }
    let part = Part(
      place: pieces[0].place, offset: first.offset, count: nil, trailing: first.trailing,
      prefix: common(prefixes), lead: common(leads), marks: marks ?? [])
    return Sealed(part: part, session: first.session, messages: messages, locked: locked)
  }

  private static let longestPrefix = 4

  /// How bytes begin, before what differs from message to message.
  static func prefix(
    of bytes: [UInt8], before offset: Int, _ name: Source = .fixed("")
  ) -> [UInt8] {
    let end = min(offset, range(of: name, in: bytes)?.lowerBound ?? offset)
    return Array(bytes[..<min(end, longestPrefix)])
  }

  private static func common(_ prefixes: [[UInt8]]) -> [UInt8] {
    prefixes.dropFirst().reduce(prefixes.first ?? []) { common, other in
      zip(common, other).prefix { $0 == $1 }.map(\.0)
    }
  }
}

extension KeySearch.Source {
  fileprivate var isText: Bool { if case .characters = self { true } else { false } }
}
