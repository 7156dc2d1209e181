import HarkCore
import HarkPresentation
import HarkSession

/// The numbers of packets on the command line: `144`, `144-150`, and as hark prints them, `#144` and `#144–150`.
enum PacketNumbers {
  static let most = 10_000

  /// Nil if a text is neither a number nor a range of numbers.
  static func range(_ text: String) -> ClosedRange<UInt32>? {
    let ends = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "–" }
    let numbers = ends.compactMap { end in
      UInt32(end.hasPrefix("#") ? end.dropFirst() : end).flatMap { $0 > 0 ? $0 : nil }
    }
    guard numbers.count == ends.count, let first = numbers.first, let last = numbers.last,
      numbers.count <= 2, first <= last
    else { return nil }
    return first...last
  }

  /// Each number once, in order; nil if there are more than `most`.
  static func all(_ texts: [String]) -> [UInt32]? {
    var numbers: Set<UInt32> = []
    for range in texts.compactMap(range) {
      guard range.count <= most else { return nil }
      numbers.formUnion(range)
    }
    return numbers.count <= most ? numbers.sorted() : nil
  }
}

/// Packets of which everything is to be shown once the capture was read.
struct WantedPackets {
  /// In order.
  private(set) var frames: [FrameEvents]
  /// Where each is in `frames`.
  private let places: [UInt32: Int]
  /// The first that was not read yet.
  private var next = 0

  /// - Parameter numbers: In order, each once.
  init(_ numbers: [UInt32]) {
    frames = numbers.map { FrameEvents(PacketID($0)) }
    places = Dictionary(uniqueKeysWithValues: zip(numbers, 0...))
  }

  /// Takes what happened with the record indexed last, or after the last one.
  mutating func take(_ session: borrowing Session, _ record: RawSpan) {
    var own: Int?
    if next < frames.count, session.packetCount == Int(frames[next].packet.number) {
      frames[next].take(session, record)
      own = next
      next += 1
    }
    // Packets before may be parts of a message that ends here.
    var others: Set<Int> = []
    for event in session.events {
      guard case .accessory(let event) = event.content else { continue }
      for frame in event.frames { if let place = places[frame.number] { others.insert(place) } }
    }
    for message in session.messages {
      for frame in message.tree?.frames ?? [] {
        if let place = places[frame.number] { others.insert(place) }
      }
    }
    for place in others where place != own { frames[place].take(session, record) }
  }
}
