/// A dictionary that forgets its oldest entries.
struct RecentTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let capacity: Int
  private var values: [Key: Value] = [:]
  private var order: [Key] = []
  private var oldest = 0

  init(capacity: Int) { self.capacity = capacity }

  subscript(key: Key) -> Value? { values[key] }

  /// Stores a value; an entry keeps the place in time of its first value.
  mutating func set(_ key: Key, _ value: Value) {
    guard values.updateValue(value, forKey: key) == nil else { return }
    if order.count < capacity {
      order.append(key)
    } else {
      values[order[oldest]] = nil
      order[oldest] = key
      oldest = (oldest + 1) % capacity
    }
  }
}
