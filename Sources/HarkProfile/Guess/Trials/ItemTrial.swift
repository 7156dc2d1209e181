/// Whether samples are items to their ends: a tag, a length and that many bytes, in either order.
struct ItemTrial {
  let length: GuessedField.Integer
  /// Whether the length comes first, and counts the tag as well.
  let isLengthFirst: Bool
  private(set) var items: [Sample] = []
  private(set) var tags: [UInt8: Int] = [:]

  private static let mostTags = 16

  static func find(_ samples: Samples) -> ItemTrial? {
    guard samples.distinct.count >= Least.values else { return nil }
    for length in GuessedField.Integer.allCases {
      for isLengthFirst in [false, true] {
        var trial = ItemTrial(length: length, isLengthFirst: isLengthFirst)
        if trial.fits(samples) { return trial }
      }
    }
    return nil
  }

  private init(length: GuessedField.Integer, isLengthFirst: Bool) {
    (self.length, self.isLengthFirst) = (length, isLengthFirst)
  }

  private mutating func fits(_ samples: Samples) -> Bool {
    for sample in samples.distinct {
      guard take(sample) else { return false }
    }
    // One item in each is a length of its own, and tags that are all different are none.
    return items.count >= 2 * samples.distinct.count && tags.count <= Self.mostTags
      && tags.count * 3 <= items.count
      && Set(items.map(\.rest.count)).count >= Least.sizes
  }

  /// Cuts one sample into its items; false if they do not end with it.
  private mutating func take(_ sample: Sample) -> Bool {
    var place = sample.rest.lowerBound
    let end = sample.rest.upperBound
    while place < end {
      guard place + 1 + length.size <= end else { return false }
      let size = length.value(sample.bytes[(isLengthFirst ? place : place + 1)...])
      let count = isLengthFirst ? size - 1 : size
      let tag = sample.bytes[isLengthFirst ? place + length.size : place]
      place += 1 + length.size
      guard count >= 0, count <= end - place else { return false }
      var item = sample
      item.rest = place..<(place + count)
      items.append(item)
      tags[tag, default: 0] += 1
      place += count
    }
    return true
  }

  /// The tag that is before an item.
  func tag(_ item: Sample) -> UInt8 {
    item.bytes[item.rest.lowerBound - (isLengthFirst ? 1 : 1 + length.size)]
  }

  var codes: [(value: UInt8, count: Int)] {
    tags.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
