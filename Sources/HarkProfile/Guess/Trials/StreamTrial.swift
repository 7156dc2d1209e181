/// How a stream of bytes is cut into messages.
enum StreamTrial {
  /// `total` is the value of the integer and `plus`.
  struct Length {
    let offset: Int
    let integer: GuessedField.Integer
    let plus: Int
    fileprivate(set) var messages: [Sample] = []
    /// Where they are in the bytes of each side.
    fileprivate var cuts: [(side: Int, range: Range<Int>)] = []
    /// Of the pieces, how many end where a message does.
    fileprivate(set) var ends = 0
    let pieces: Int
    /// Whether the first and the last message of each direction are complete.
    fileprivate(set) var isWhole = true

    /// Whether a message continues in another piece. Where none does, a list of items is as likely.
    var spansPieces: Bool { ends < pieces }
  }

  private static let reach = 8
  private static let mostPlus = 16
  /// Messages that all attempts cut together, at most: bytes that are all small make many of each attempt.
  private static let mostCuts = 1 << 21

  /// The bytes of one direction, and where its pieces end.
  fileprivate struct Side {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    var frames: [UInt32] = []
    let toServer: Bool
    /// The same places as `ends`.
    let knownEnds: Set<Int>

    init(_ samples: [Sample], toServer: Bool) {
      self.toServer = toServer
      for sample in samples where sample.toServer == toServer {
        bytes += sample.bytes
        ends.append(bytes.count)
        frames.append(sample.frame)
      }
      knownEnds = Set(ends)
    }

    /// Messages with the places where they end, in order, and the packets that end them.
    func samples(_ messages: [(bytes: [UInt8], end: Int)]) -> [Sample] {
      var index = 0
      return messages.map { message in
        while index + 1 < ends.count, ends[index] < message.end { index += 1 }
        return Sample(message.bytes, frame: frames[index], toServer: toServer, isStep: true)
      }
    }
  }

  private static func sides(_ samples: [Sample]) -> [Side] {
    [true, false].map { Side(samples, toServer: $0) }.filter { !$0.bytes.isEmpty }
  }

  // MARK: A length

  /// A length that leads from message to message through all bytes of both directions.
  /// - Parameter isTentative: Whether few messages are enough.
  static func length(_ samples: [Sample], isTentative: Bool = false) -> Length? {
    let sides = sides(samples)
    var best: Length?
    var cutsLeft = mostCuts
    for offset in 0..<reach {
      for integer in GuessedField.Integer.allCases {
        for plus in 0...mostPlus {
          guard let found = length(sides, offset, integer, plus, &cutsLeft),
            found.isSound(samples.count, sides) || isTentative && found.isExact
          else { continue }
          if best.map({ found.isLikelier(than: $0) }) ?? true { best = found }
        }
      }
    }
    return best?.cut(sides)
  }

  /// The same length in other samples; nil if it does not lead through them.
  static func again(_ length: Length, _ samples: [Sample]) -> Length? {
    let sides = sides(samples)
    var cutsLeft = mostCuts
    return Self.length(sides, length.offset, length.integer, length.plus, &cutsLeft)?.cut(sides)
  }

  private static func length(
    _ sides: [Side], _ offset: Int, _ integer: GuessedField.Integer, _ plus: Int,
    _ cutsLeft: inout Int
  ) -> Length? {
    var found = Length(
      offset: offset, integer: integer, plus: plus,
      pieces: sides.map(\.ends.count).reduce(0, +))
    for (index, side) in sides.enumerated() {
      // A capture may begin inside a message: the next one begins with a later piece.
      let begins = [0] + side.ends.prefix(mostSkipped)
      guard begins.contains(where: { found.take(side, index, from: $0, &cutsLeft) }) else {
        return nil
      }
    }
    return found
  }

  /// The most pieces before the first message.
  private static let mostSkipped = 8

  // MARK: Delimiters

  /// Consistent Overhead Byte Stuffing: no zeros but after each message.
  static func cobs(_ samples: [Sample], fewest: Int = Least.values) -> [Sample]? {
    // A text that ends with a zero is no message of COBS: its first byte leads nowhere.
    delimited(samples, by: 0, fewest, Joining.cobs)
  }

  /// RFC 1055.
  static func slip(_ samples: [Sample], fewest: Int = Least.values) -> [Sample]? {
    delimited(samples, by: 0xC0, fewest, Joining.slip)
  }

  /// Lines that span pieces, or of which a piece holds several. A last one that has no end is left out.
  static func lines(_ samples: [Sample], fewest: Int = Least.values) -> [Sample]? {
    delimited(samples, by: 0x0A, fewest, isCut: true) { bytes in
      let line = Joining.line(bytes)
      return line.contains { $0 < 0x20 && $0 != 0x09 } ? nil : line
    }?.filter { !$0.bytes.isEmpty }
  }

  /// Whether pieces have no control characters but those that divide lines and columns.
  static func areTexts(_ pieces: [Sample]) -> Bool {
    pieces.allSatisfy { piece in
      piece.bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }
    }
  }

  /// Whether lines are plain text, and pieces divide them otherwise than at their ends. Where each piece is a line, it is
  /// a message by itself.
  static func isText(_ lines: [Sample], in pieces: [Sample]) -> Bool {
    let isDivided = pieces.contains { piece in
      piece.bytes.last != 0x0A || piece.bytes.dropLast().contains(0x0A)
    }
    return isDivided && lines.reduce(0) { $0 + $1.bytes.count } >= fewestCharacters
      && areTexts(pieces) && pieces.allSatisfy { $0.bytes.allSatisfy { $0 < 0x80 } }
  }

  private static let fewestCharacters = 32

  private static func delimited(
    _ samples: [Sample], by end: UInt8, _ fewest: Int, isCut: Bool = false,
    _ decode: ([UInt8]) -> [UInt8]?
  ) -> [Sample]? {
    var messages: [Sample] = []
    for side in sides(samples) {
      // Both begin and end where pieces do.
      guard isCut || side.bytes.last == end else { return nil }
      var own: [(bytes: [UInt8], end: Int)] = []
      var begin = 0
      for place in side.bytes.indices where side.bytes[place] == end {
        defer { begin = place + 1 }
        guard place > begin else { continue }
        guard let message = decode(Array(side.bytes[begin..<place])) else { return nil }
        own.append((message, place + 1))
      }
      messages += side.samples(own)
    }
    return messages.count >= fewest ? messages : nil
  }
}

extension StreamTrial.Length {
  /// Adds the messages of one direction from a place on; false if the length does not lead to its end, or to a message
  /// that the capture has the beginning of.
  fileprivate mutating func take(
    _ side: StreamTrial.Side, _ index: Int, from begin: Int, _ cutsLeft: inout Int
  ) -> Bool {
    let known = cuts.count
    var isTaken = false
    defer { if !isTaken { cuts.removeSubrange(known...) } }
    var (place, largest, ends, isWhole) = (begin, 0, 0, self.isWhole)
    let first = begin < side.bytes.count ? side.bytes[begin] : 0
    while place < side.bytes.count {
      let header = place + offset
      let rest = side.bytes.count - place
      let hasLength = offset + integer.size <= rest
      let total =
        hasLength ? integer.value(side.bytes[header..<(header + integer.size)]) + plus : rest + 1
      guard total >= offset + integer.size else { return false }
      guard total <= rest else {
        guard rest <= largest, side.bytes[place] == first else { return false }
        isWhole = false
        break
      }
      cutsLeft -= 1
      guard cutsLeft > 0 else { return false }
      cuts.append((index, place..<(place + total)))
      largest = max(largest, total)
      place += total
      if side.knownEnds.contains(place) { ends += 1 }
    }
    guard cuts.count > known else { return false }
    if begin > 0 {
      // A message that the length does not fit is not the end of one.
      guard side.bytes[0] != first else { return false }
      isWhole = false
    }
    (isTaken, self.isWhole) = (true, isWhole)
    self.ends += ends
    return true
  }

  /// With its messages.
  fileprivate func cut(_ sides: [StreamTrial.Side]) -> Self {
    var found = self
    for (index, side) in sides.enumerated() {
      found.messages += side.samples(
        cuts.filter { $0.side == index }.map { (Array(side.bytes[$0.range]), $0.range.upperBound) })
    }
    found.cuts = []
    return found
  }

  fileprivate func isSound(_ pieces: Int, _ sides: [StreamTrial.Side]) -> Bool {
    guard cuts.count >= Least.messages, Set(cuts.map(\.range.count)).count >= Least.sizes else {
      return false
    }
    return isWhole && ends >= Least.values && ends * 2 >= min(pieces, cuts.count)
      || isMarked(sides)
  }

  /// Whether each of a few messages ends with a piece.
  fileprivate var isExact: Bool { isWhole && cuts.count >= 2 && ends == cuts.count }

  /// Whether more pieces end with a message, or a larger share of the messages ends with a piece: the first byte of a
  /// length of two, which is 0 in short messages, is no empty message.
  fileprivate func isLikelier(than other: Self) -> Bool {
    ends == other.ends ? cuts.count < other.cuts.count : ends > other.ends
  }

  private static var leastMarked: Int { 12 }

  /// Whether all messages begin with the same byte. Then pieces may end anywhere: by chance, a wrong length leads
  /// to the end of the bytes, but not to the same byte each time.
  private func isMarked(_ sides: [StreamTrial.Side]) -> Bool {
    guard offset > 0, cuts.count >= Self.leastMarked else { return false }
    func first(_ cut: (side: Int, range: Range<Int>)) -> UInt8 {
      sides[cut.side].bytes[cut.range.lowerBound]
    }
    return cuts.allSatisfy { first($0) == first(cuts[0]) }
  }
}
