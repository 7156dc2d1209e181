import HarkCore

/// A regular expression over bytes, in which upper and lower case of ASCII letters are the same.
///
/// All ways to match are followed at once (Thompson's construction), so that the time is at most the
/// number of bytes times that of steps, whatever the expression: there is no backtracking.
struct FilterPattern: Sendable {
  enum Step: Sendable {
    case bytes(ByteSet)
    case jump(Int)
    case split(Int, Int)
    case atStart, atEnd
    case atWordBoundary, notAtWordBoundary
    case found
  }

  /// A set of bytes, a bit each.
  struct ByteSet: Sendable, Equatable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    static func == (a: ByteSet, b: ByteSet) -> Bool { a.words == b.words }

    init(_ bytes: some Sequence<UInt8> = []) { for byte in bytes { insert(byte) } }

    func contains(_ byte: UInt8) -> Bool {
      let word =
        switch byte >> 6 {
        case 0: words.0
        case 1: words.1
        case 2: words.2
        default: words.3
        }
      return word >> UInt64(byte & 63) & 1 == 1
    }

    mutating func insert(_ byte: UInt8) {
      let bit: UInt64 = 1 << UInt64(byte & 63)
      switch byte >> 6 {
      case 0: words.0 |= bit
      case 1: words.1 |= bit
      case 2: words.2 |= bit
      default: words.3 |= bit
      }
    }

    mutating func formUnion(_ other: ByteSet) {
      words.0 |= other.words.0
      words.1 |= other.words.1
      words.2 |= other.words.2
      words.3 |= other.words.3
    }

    var inverted: ByteSet {
      var set = self
      set.words = (~words.0, ~words.1, ~words.2, ~words.3)
      return set
    }

    /// With each letter its other case.
    var foldingCase: ByteSet {
      var set = self
      for letter in UInt8(ascii: "a")...UInt8(ascii: "z") {
        if contains(letter) { set.insert(letter ^ 0x20) }
        if contains(letter ^ 0x20) { set.insert(letter) }
      }
      return set
    }
  }

  let steps: [Step]

  /// Whether the expression fits somewhere in the bytes of `range`.
  func matches(_ bytes: RawSpan, _ range: Range<Int>) -> Bool { end(in: bytes, range) != nil }

  /// Where the first match ends; nil without a match.
  func end(in bytes: RawSpan, _ range: Range<Int>) -> Int? {
    var walk = Walk(count: steps.count)
    for position in range.lowerBound...range.upperBound {
      let place = Place(
        isStart: position == range.lowerBound, isEnd: position == range.upperBound,
        isBoundary: Self.isWord(bytes, position - 1, range)
          != Self.isWord(bytes, position, range))
      if walk.enter(steps, place) { return position }
      guard position < range.upperBound else { return nil }
      walk.take(bytes.byte(at: position), steps)
    }
    return nil
  }

  private static func isWord(_ bytes: RawSpan, _ position: Int, _ range: Range<Int>) -> Bool {
    range.contains(position) && FilterPatternParser.wordBytes.contains(bytes.byte(at: position))
  }

  private struct Place {
    let isStart: Bool
    let isEnd: Bool
    let isBoundary: Bool
  }

  /// The steps that all ways have come to.
  private struct Walk {
    /// Steps that take a byte, for the byte that comes.
    private var current: [Int] = []
    /// Steps that are after a byte that was taken.
    private var arrived: [Int] = []
    /// When each step was entered last.
    private var entered: [Int]
    private var round = 0

    init(count: Int) { entered = [Int](repeating: 0, count: count) }

    /// Follows what takes no byte, from the first step and from where a byte led; true once the end
    /// is found.
    mutating func enter(_ steps: [Step], _ place: Place) -> Bool {
      round += 1
      current.removeAll(keepingCapacity: true)
      arrived.append(0)
      while let index = arrived.popLast() {
        guard entered[index] != round else { continue }
        entered[index] = round
        switch steps[index] {
        case .bytes: current.append(index)
        case .jump(let target): arrived.append(target)
        case .split(let a, let b): arrived += [b, a]
        case .atStart: if place.isStart { arrived.append(index + 1) }
        case .atEnd: if place.isEnd { arrived.append(index + 1) }
        case .atWordBoundary: if place.isBoundary { arrived.append(index + 1) }
        case .notAtWordBoundary: if !place.isBoundary { arrived.append(index + 1) }
        case .found: return true
        }
      }
      return false
    }

    mutating func take(_ byte: UInt8, _ steps: [Step]) {
      for index in current {
        if case .bytes(let set) = steps[index], set.contains(byte) { arrived.append(index + 1) }
      }
    }
  }
}
