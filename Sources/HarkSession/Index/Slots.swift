/// Values by key, for few keys, one of which is looked up again and again: the last one found is tried first, so that
/// the index pass rarely hashes.
struct Slots<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private(set) var values: [Value] = []
  private(set) var keys: [Key] = []
  private var slots: [Key: Int] = [:]
  private var last = 0
  private let make: @Sendable (Key) -> Value

  /// `make` creates the value of a key that is looked up for the first time.
  init(_ make: @escaping @Sendable (Key) -> Value) { self.make = make }

  @inline(__always)
  func find(_ key: Key) -> Int? {
    if last < keys.count, keys[last] == key { return last }
    return slots[key]
  }

  private mutating func slot(_ key: Key) -> Int {
    if let slot = find(key) {
      last = slot
      return slot
    }
    values.append(make(key))
    keys.append(key)
    slots[key] = keys.count - 1
    last = keys.count - 1
    return last
  }

  subscript(key: Key) -> Value {
    mutating get { values[slot(key)] }
    @inline(__always)
    _modify {
      let slot = slot(key)
      yield &values[slot]
    }
  }

  /// Changes the value of `key`; unlike the subscript it never allocates.
  @inline(__always)
  mutating func update(_ key: Key, _ change: (inout Value) -> Void) {
    let slot = slot(key)
    change(&values[slot])
  }

  /// Like `update`, for a value that `find` has found.
  @inline(__always)
  mutating func updateValue(_ slot: Int, _ change: (inout Value) -> Void) {
    change(&values[slot])
  }

  var all: [Key: Value] { slots.mapValues { values[$0] } }
}

/// A dictionary for the index pass, which looks up the same few keys again and again: the last two found are compared
/// first, so that `find` rarely hashes.
struct FoundRecently<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private(set) var all: [Key: Value] = [:]
  private var last: (key: Key, value: Value)?
  private var earlier: (key: Key, value: Value)?

  subscript(key: Key) -> Value? {
    get { all[key] }
    set {
      all[key] = newValue
      (last, earlier) = (nil, nil)
    }
  }

  /// Like the subscript; remembers what it found.
  @inline(__always)
  mutating func find(_ key: Key) -> Value? {
    if let last, last.key == key { return last.value }
    if let earlier, earlier.key == key { return earlier.value }
    return look(key)
  }

  @inline(never)
  private mutating func look(_ key: Key) -> Value? {
    guard let value = all[key] else { return nil }
    earlier = last
    last = (key, value)
    return value
  }
}

typealias Controllers = Slots<UInt16, Session.Controller>
typealias Databases = Slots<Session.DatabaseKey, GATTDatabase>
