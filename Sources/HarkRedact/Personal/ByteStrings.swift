/// Strings of bytes in one piece of memory. A capture may have a million values, and an array of its own for each
/// takes many times the bytes of an address.
struct ByteStrings: RandomAccessCollection, Sendable {
  private(set) var bytes: [UInt8] = []
  private var ends: [Int] = []

  var startIndex: Int { 0 }
  var endIndex: Int { ends.count }

  /// Where the bytes of a string are.
  func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

  /// Another string has to have as many bytes as the one before.
  subscript(index: Int) -> [UInt8] {
    get { Array(bytes[range(index)]) }
    set {
      let range = range(index)
      precondition(newValue.count == range.count, "a string keeps its length")
      for (place, byte) in zip(range, newValue) { bytes[place] = byte }
    }
  }

  mutating func append(_ string: [UInt8]) {
    bytes += string
    ends.append(bytes.count)
  }

  func isEqual(_ index: Int, _ string: [UInt8]) -> Bool {
    let range = range(index)
    return range.count == string.count && bytes[range].elementsEqual(string)
  }
}

/// Finds the elements of a list by their hashes. It keeps their numbers alone.
struct HashedPlaces: Sendable {
  private var slots: [Int32] = []
  private var count = 0

  /// - Parameter isWanted: Whether an element is the one that is looked for.
  func find(_ hash: Int, _ isWanted: (Int) -> Bool) -> Int? {
    guard !slots.isEmpty else { return nil }
    var slot = hash & (slots.count - 1)
    while slots[slot] >= 0 {
      if isWanted(Int(slots[slot])) { return Int(slots[slot]) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds an element that is not among them.
  /// - Parameter hashOf: The hash of an element.
  mutating func insert(_ index: Int, _ hashOf: (Int) -> Int) {
    if 2 * (count + 1) > slots.count {
      let old = slots
      slots = [Int32](repeating: -1, count: Swift.max(16, 2 * old.count))
      for place in old where place >= 0 { put(place, hashOf(Int(place))) }
    }
    put(Int32(clamping: index), hashOf(index))
    count += 1
  }

  private mutating func put(_ place: Int32, _ hash: Int) {
    var slot = hash & (slots.count - 1)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = place
  }
}
