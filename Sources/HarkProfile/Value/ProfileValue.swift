import HarkCore
import HarkLayout

/// What a message says, whatever it was encoded with: the value a profile's expressions look at.
package enum ProfileValue: Hashable, Sendable {
  /// Nothing, or nothing that could be read: whatever is made of it is null, too.
  case null
  case bool(Bool)
  case int(Integer)
  case float(Double)
  case text(String)
  case bytes([UInt8])
  case array([ProfileValue])
  case object(Members)

  /// The members of an object in the order of the message.
  package struct Members: Hashable, Sendable {
    /// More than that are left out: members are looked for one by one.
    static let most = 1024

    package private(set) var names: [String] = []
    package private(set) var values: [ProfileValue] = []
    /// False if the message ended inside of it.
    var isWhole = true

    package subscript(name: String) -> ProfileValue? {
      for index in names.indices where names[index] == name { return values[index] }
      return nil
    }

    /// Sets a member; one that is there already is replaced, as JSON readers do.
    mutating func set(_ name: String, _ value: ProfileValue) {
      for index in names.indices where names[index] == name {
        values[index] = value
        return
      }
      guard names.count < Self.most else { return }
      names.append(name)
      values.append(value)
    }

    /// Adds an item to the array `name`.
    mutating func append(_ value: ProfileValue, to name: String) {
      for index in names.indices where names[index] == name {
        guard case .array(var items) = values[index] else { break }
        // Taken out while it grows, so that it is not copied.
        values[index] = .null
        items.append(value)
        values[index] = .array(items)
        return
      }
      set(name, .array([value]))
    }

    /// Sets a member; of one that is there already an array is made, or grows.
    mutating func collect(_ value: ProfileValue, in name: String) {
      for index in names.indices where names[index] == name {
        if case .array = values[index] { return append(value, to: name) }
        values[index] = .array([values[index], value])
        return
      }
      set(name, value)
    }

    /// Sets a member of the object `name`, which is there.
    mutating func set(_ key: String, _ value: ProfileValue, in name: String) {
      for index in names.indices where names[index] == name {
        guard case .object(var members) = values[index] else { return }
        // Taken out while it grows, as above.
        values[index] = .null
        members.set(key, value)
        values[index] = .object(members)
        return
      }
    }
  }

  init(_ value: Int) { self = .int(Integer(Int64(value))) }

  /// The text of bytes that are declared to be one. U+FFFD replaces what is not UTF-8.
  init(text bytes: [UInt8]) { self = .text(String(decoding: bytes, as: UTF8.self)) }
}

// What the members of hark's model are made of.
extension ProfileValue {
  /// Text, or bytes that spell it; bytes that do not, as hexadecimal digits.
  package var text: String? {
    switch self {
    case .text(let text): text
    case .bytes(let bytes): String(spelling: bytes)
    case .int(let value): "\(value)"
    default: nil
    }
  }

  package var bytes: [UInt8]? {
    switch self {
    case .bytes(let bytes): bytes
    case .text(let text): Array(text.utf8)
    default: nil
    }
  }

  package var bool: Bool? {
    switch self {
    case .bool(let value): value
    case .int(let value): value.bits != 0
    default: nil
    }
  }

  package var int: Int? {
    switch self {
    case .int(let value): value.int
    case .float(let value): Int(exactly: value)
    default: nil
    }
  }

  package var number: Double? {
    switch self {
    case .int(let value): value.double
    case .float(let value): value
    default: nil
    }
  }

  /// Of seconds since 1970-01-01 00:00:00 UTC. Nil if it is no number of seconds; nil inside of that for a time that a
  /// `Timestamp` cannot hold, such as Foundation's `distantFuture`.
  var time: Timestamp?? {
    guard let seconds = number, seconds.isFinite else { return nil }
    return .some(Int64(exactly: (seconds * 1e9).rounded()).map { Timestamp(nanoseconds: $0) })
  }

  /// Whether it lacks something that the message did not bring to its end.
  var isWhole: Bool { if case .object(let members) = self { members.isWhole } else { true } }
}
