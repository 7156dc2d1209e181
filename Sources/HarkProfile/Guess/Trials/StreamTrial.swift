/// How a stream of bytes is cut into messages.
enum StreamTrial {
  /// `total` is the value of the integer and `plus`.
  struct Length {
    let offset: Int
    let integer: GuessedField.Integer
    let plus: Int
    let messages: [Sample]
    /// Of the pieces, how many end where a message does.
    let ends: Int
    let pieces: Int

    /// Whether a message continues in another piece. Where none does, a list of items is as likely.
    var spansPieces: Bool { ends < pieces }
  }

  private static let reach = 8
  private static let mostPlus = 16

  /// The bytes of one direction, and where its pieces end.
  private struct Side {
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
  static func length(_ samples: [Sample]) -> Length? {
    let sides = sides(samples)
    var best: Length?
    for offset in 0..<reach {
      for integer in GuessedField.Integer.allCases {
        for plus in 0...mostPlus {
          guard let found = length(sides, offset, integer, plus), found.isSound(samples.count)
          else { continue }
          if found.ends > best?.ends ?? 0 { best = found }
        }
      }
    }
    return best
  }

  private static func length(
    _ sides: [Side], _ offset: Int, _ integer: GuessedField.Integer, _ plus: Int
  ) -> Length? {
    var messages: [Sample] = []
    var ends = 0
    for side in sides {
      var place = 0
      let known = Set(side.ends)
      while place < side.bytes.count {
        let header = place + offset
        guard header + integer.size <= side.bytes.count else { return nil }
        let total = integer.value(side.bytes[header..<(header + integer.size)]) + plus
        guard total >= offset + integer.size, place + total <= side.bytes.count else { return nil }
        messages.append(side.message(side.bytes[place..<(place + total)], upTo: place + total))
        place += total
        if known.contains(place) { ends += 1 }
      }
    }
    return Length(
      offset: offset, integer: integer, plus: plus, messages: messages, ends: ends,
      pieces: sides.map(\.ends.count).reduce(0, +))
  }

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
  fileprivate func isSound(_ pieces: Int) -> Bool {
    guard messages.count >= Least.messages,
      Set(messages.map(\.bytes.count)).count >= Least.sizes
    else { return false }
    return ends >= Least.values && ends * 2 >= min(pieces, messages.count) || isMarked
  }

  private static var leastMarked: Int { 12 }

  /// Whether all messages begin with the same byte. Then pieces may end anywhere: by chance, a wrong length leads
  /// to the end of the bytes, but not to the same byte each time.
  private var isMarked: Bool {
    offset > 0 && messages.count >= Self.leastMarked
      && messages.allSatisfy { $0.bytes.first == messages[0].bytes.first }
  }
}
