/// How a stream of bytes is cut into messages.
enum StreamTrial {
  /// `total` is the value of the integer and `plus`.
  struct Length {
    let offset: Int
    let integer: GuessedField.Integer
    let plus: Int
    fileprivate(set) var messages: [Sample]
    /// Of the pieces, how many end where a message does.
    fileprivate(set) var ends: Int
    let pieces: Int
    /// Whether the first and the last message of each direction are complete.
    fileprivate(set) var isWhole = true

    /// Whether a message continues in another piece. Where none does, a list of items is as likely.
    var spansPieces: Bool { ends < pieces }
  }

  private static let reach = 8
  private static let mostPlus = 16

  /// The bytes of one direction, and where its pieces end.
  fileprivate struct Side {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    var frames: [UInt32] = []
    let toServer: Bool

    init(_ samples: [Sample], toServer: Bool) {
      self.toServer = toServer
      for sample in samples where sample.toServer == toServer {
        bytes += sample.bytes
        ends.append(bytes.count)
        frames.append(sample.frame)
      }
    }

    /// The message between two places, with the packet that ends it.
    func message(_ bytes: some Collection<UInt8>, upTo end: Int) -> Sample {
      let index = ends.firstIndex { $0 >= end } ?? 0
      return Sample(Array(bytes), frame: frames[index], toServer: toServer, isStep: true)
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
    for offset in 0..<reach {
      for integer in GuessedField.Integer.allCases {
        for plus in 0...mostPlus {
          guard let found = length(sides, offset, integer, plus),
            found.isSound(samples.count) || isTentative && found.isExact
          else { continue }
          if best.map({ found.isLikelier(than: $0) }) ?? true { best = found }
        }
      }
    }
    return best
  }

  private static func length(
    _ sides: [Side], _ offset: Int, _ integer: GuessedField.Integer, _ plus: Int
  ) -> Length? {
    var found = Length(
      offset: offset, integer: integer, plus: plus, messages: [], ends: 0,
      pieces: sides.map(\.ends.count).reduce(0, +))
    for side in sides {
      // A capture may begin inside a message: the next one begins with a later piece.
      let begins = [0] + side.ends.prefix(mostSkipped)
      guard begins.contains(where: { found.take(side, from: $0) }) else { return nil }
    }
    return found
  }

  /// The most pieces before the first message.
  private static let mostSkipped = 8

  // MARK: Delimiters

  /// Consistent Overhead Byte Stuffing: no zeros but after each message.
  static func cobs(_ samples: [Sample]) -> [Sample]? {
    delimited(samples, by: 0, Joining.cobs)
  }

  /// RFC 1055.
  static func slip(_ samples: [Sample]) -> [Sample]? {
    delimited(samples, by: 0xC0, Joining.slip)
  }

  private static func delimited(
    _ samples: [Sample], by end: UInt8, _ decode: ([UInt8]) -> [UInt8]?
  ) -> [Sample]? {
    var messages: [Sample] = []
    for side in sides(samples) {
      // Both begin and end where pieces do.
      guard side.bytes.last == end else { return nil }
      var begin = 0
      for place in side.bytes.indices where side.bytes[place] == end {
        defer { begin = place + 1 }
        guard place > begin else { continue }
        guard let message = decode(Array(side.bytes[begin..<place])) else { return nil }
        messages.append(side.message(message, upTo: place + 1))
      }
    }
    // A text that ends with a zero is no message of COBS: its first byte leads nowhere.
    return messages.count >= Least.values ? messages : nil
  }
}

extension StreamTrial.Length {
  /// Adds the messages of one direction from a place on; false if the length does not lead to its end, or to a message
  /// that the capture has the beginning of.
  fileprivate mutating func take(_ side: StreamTrial.Side, from begin: Int) -> Bool {
    var own: [Sample] = []
    var (place, largest, ends) = (begin, 0, 0)
    let known = Set(side.ends)
    while place < side.bytes.count {
      let header = place + offset
      let rest = side.bytes.count - place
      let hasLength = offset + integer.size <= rest
      let total =
        hasLength ? integer.value(side.bytes[header..<(header + integer.size)]) + plus : rest + 1
      guard total >= offset + integer.size else { return false }
      guard total <= rest else {
        guard rest <= largest, side.bytes[place] == own.first?.bytes.first else { return false }
        isWhole = false
        break
      }
      own.append(side.message(side.bytes[place..<(place + total)], upTo: place + total))
      largest = max(largest, total)
      place += total
      if known.contains(place) { ends += 1 }
    }
    if begin > 0 {
      // A message that the length does not fit is not the end of one.
      guard side.bytes[0] != own.first?.bytes.first else { return false }
      isWhole = false
    }
    messages += own
    self.ends += ends
    return !own.isEmpty
  }

  fileprivate func isSound(_ pieces: Int) -> Bool {
    guard messages.count >= Least.messages,
      Set(messages.map(\.bytes.count)).count >= Least.sizes
    else { return false }
    return isWhole && ends >= Least.values && ends * 2 >= min(pieces, messages.count) || isMarked
  }

  /// Whether each of a few messages ends with a piece.
  fileprivate var isExact: Bool { isWhole && messages.count >= 2 && ends == messages.count }

  /// Whether more pieces end with a message, or a larger share of the messages ends with a piece: the first byte of a
  /// length of two, which is 0 in short messages, is no empty message.
  fileprivate func isLikelier(than other: Self) -> Bool {
    ends == other.ends ? messages.count < other.messages.count : ends > other.ends
  }

  private static var leastMarked: Int { 12 }

  /// Whether all messages begin with the same byte. Then pieces may end anywhere: by chance, a wrong length leads
  /// to the end of the bytes, but not to the same byte each time.
  private var isMarked: Bool {
    offset > 0 && messages.count >= Self.leastMarked
      && messages.allSatisfy { $0.bytes.first == messages[0].bytes.first }
  }
}
