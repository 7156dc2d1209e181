/// Values, each of them once.
struct ValueList: RandomAccessCollection, Sendable {
  private var strings = ByteStrings()
  private var kinds: [PersonalKind] = []
  private var places = HashedPlaces()

  var startIndex: Int { 0 }
  var endIndex: Int { kinds.count }

  subscript(index: Int) -> PersonalValue {
    PersonalValue(kind: kinds[index], bytes: strings[index])
  }

  func kind(_ index: Int) -> PersonalKind { kinds[index] }

  func firstIndex(of value: PersonalValue) -> Int? {
    places.find(value.hashValue) { kinds[$0] == value.kind && strings.isEqual($0, value.bytes) }
  }

  /// - Returns: The number of the value, and whether it is new.
  mutating func insert(_ value: PersonalValue) -> (index: Int, isNew: Bool) {
    if let index = firstIndex(of: value) { return (index, false) }
    strings.append(value.bytes)
    kinds.append(value.kind)
    let (kinds, strings) = (kinds, strings)
    places.insert(kinds.count - 1) {
      PersonalValue(kind: kinds[$0], bytes: strings[$0]).hashValue
    }
    return (kinds.count - 1, true)
  }

  /// Whether a value has the same bytes in a list that began as `replacements`.
  func isEqual(_ index: Int, in others: ByteStrings) -> Bool {
    let range = strings.range(index)
    return strings.bytes[range].elementsEqual(others.bytes[range])
  }

  /// The same strings, of which each may become another of its length.
  var replacements: ByteStrings { strings }
}
