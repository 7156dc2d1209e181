/// A dictionary that forgets what was stored first when it is full.
public struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let capacity: Int
  private var values: [Key: Value] = [:]
  private var order: [Key] = []
  private var oldest = 0

  /// - Parameter capacity: At least 1.
  public init(capacity: Int) { self.capacity = capacity }

  public subscript(key: Key) -> Value? { values[key] }

  /// Stores a value and gives the one it replaces. A key keeps its place in time.
  @discardableResult
  public mutating func set(_ key: Key, _ value: Value) -> Value? {
    if let earlier = values.updateValue(value, forKey: key) { return earlier }
    if order.count < capacity {
      order.append(key)
    } else {
      values[order[oldest]] = nil
      order[oldest] = key
      oldest = (oldest + 1) % capacity
    }
    return nil
  }
}
