/// A value, or a message made of several, of which the analysis has read the beginning.
struct Sample {
  let bytes: [UInt8]
  /// The packet that ends it.
  let frame: UInt32
  let toServer: Bool
  let isStep: Bool
  /// The part that is not analyzed yet.
  var rest: Range<Int>

  init(_ bytes: [UInt8], frame: UInt32, toServer: Bool, isStep: Bool) {
    (self.bytes, self.frame, self.toServer, self.isStep) = (bytes, frame, toServer, isStep)
    rest = 0..<bytes.count
  }

  init(_ value: TrafficValue) {
    self.init(value.bytes, frame: value.frame, toServer: value.toServer, isStep: value.isStep)
  }

  var tail: ArraySlice<UInt8> { bytes[rest] }

  func byte(_ offset: Int) -> UInt8 { bytes[rest.lowerBound + offset] }

  mutating func skip(_ count: Int) {
    rest = (rest.lowerBound + min(count, rest.count))..<rest.upperBound
  }

  mutating func trim(_ count: Int) {
    rest = rest.lowerBound..<max(rest.lowerBound, rest.upperBound - count)
  }
}

/// The samples of a channel, or of one kind of its messages.
struct Samples {
  private(set) var all: [Sample]
  /// One of those with the same bytes: repetitions add no information.
  private(set) var distinct: [Sample] = []

  init(_ all: [Sample]) {
    self.all = all
    var seen: Set<ArraySlice<UInt8>> = []
    distinct = all.filter { seen.insert($0.tail).inserted }
  }

  /// How long the shortest rest is.
  var shortest: Int { distinct.map(\.rest.count).min() ?? 0 }
  var longest: Int { distinct.map(\.rest.count).max() ?? 0 }
  var sizes: Set<Int> { Set(distinct.map(\.rest.count)) }

  func column(_ offset: Int) -> [UInt8] { distinct.map { $0.byte(offset) } }

  mutating func skip(_ count: Int) { change { $0.skip(count) } }

  mutating func trim(_ count: Int) { change { $0.trim(count) } }

  /// The distinct ones stay: skipped bytes distinguish them.
  private mutating func change(_ body: (inout Sample) -> Void) {
    for index in all.indices { body(&all[index]) }
    for index in distinct.indices { body(&distinct[index]) }
  }

  mutating func skip(each count: (Sample) -> Int) { change { $0.skip(count($0)) } }

  /// `12 of 12 values, frames 3, 5, 9, …`.
  func evidence(_ samples: [Sample]? = nil) -> Evidence {
    Evidence(
      held: (samples ?? distinct).count, of: distinct.count, (samples ?? distinct).map(\.frame))
  }
}

/// How often a guess holds, and where.
public struct Evidence: Hashable, Sendable, CustomStringConvertible {
  public let held: Int
  public let of: Int
  /// The first of the packets.
  public let frames: [UInt32]
  private let isMore: Bool

  init(held: Int, of: Int, _ frames: [UInt32]) {
    (self.held, self.of) = (held, of)
    self.frames = Array(frames.prefix(4))
    isMore = frames.count > 4
  }

  public var description: String {
    let list = frames.map { "\($0)" }.joined(separator: ", ") + (isMore ? ", …" : "")
    let values = of == 1 ? "value" : "different values"
    return "\(held) of \(of) \(values), \(frames.count == 1 ? "packet" : "packets") \(list)"
  }
}

/// How much is needed before hark reports anything. What a value's bytes show by themselves (a point of a
/// curve, a text) needs no second value.
public enum Least {
  /// Values that are not equal to each other, of which a byte is constant or a length is right.
  public static let values = 4
  /// Sizes that a length was right for.
  public static let sizes = 3
  /// Values of which a byte has few different ones.
  public static let codes = 8
  /// Times that a counter went on by one.
  public static let steps = 6
  /// Messages that a length leads through.
  public static let messages = 6
  /// Characters of a text.
  public static let characters = 12
}
