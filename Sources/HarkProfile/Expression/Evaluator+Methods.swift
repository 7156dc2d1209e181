import HarkCore
import HarkLayout

// Members, indexes and methods.
extension Evaluator {
  /// A member of an object; of an array, the members of all its items that have one.
  mutating func member(
    _ value: ProfileValue, _ name: String, _ method: Method?
  ) -> ProfileValue {
    switch value {
    case .object(let members):
      if let value = members[name] { return value }
    case .array(let items):
      if let method, method.isOfArrays { return call(value, method, []) }
      guard take(items.count) else { return .null }
      return .array(
        items.compactMap { item in
          guard case .object(let members) = item, let value = members[name], value != .null else {
            return nil
          }
          return value
        })
    default: break
    }
    return method.map { call(value, $0, []) } ?? .null
  }

  /// An item of an array or of bytes; the member of an object whose key is a number, or a text that is no name.
  func item(_ value: ProfileValue, _ key: ProfileValue) -> ProfileValue {
    if case .object(let members) = value {
      switch key {
      case .int, .text: return key.text.flatMap { members[$0] } ?? .null
      default: return .null
      }
    }
    guard let index = key.int, index >= 0 else { return .null }
    switch value {
    case .array(let items): return index < items.count ? items[index] : .null
    case .bytes(let bytes): return index < bytes.count ? ProfileValue(Int(bytes[index])) : .null
    default: return .null
    }
  }

  mutating func call(
    _ value: ProfileValue, _ method: Method, _ arguments: [ProfileValue]
  ) -> ProfileValue {
    guard take(value.weight >> 3) else { return .null }
    switch (method, value) {
    case (.exists, .null), (.default, .null):
      // It is asked for what cannot be read, too.
      fault = nil
      return method == .exists ? .bool(false) : arguments[0]
    case (.exists, _): return .bool(true)
    case (.default, _): return value
    case (.all, .null): return .array([])
    case (_, .null): return .null
    case (.nonEmpty, _): return value.isEmpty ? .null : value
    case (.named, .int(let number)):
      return Self.named(number, arguments[0])
    case (.named, .array(let items)):
      guard take(items.count << 6) else { return .null }
      return .array(
        items.map {
          if case .int(let number) = $0 { Self.named(number, arguments[0]) } else { .null }
        })
    case (.flags, .int(let number)):
      let bits = (0..<64).filter { number.bits >> UInt64($0) & 1 == 1 }
      return .array(
        bits.map { bit in
          let name = Self.named(Integer(Int64(bit)), arguments[0])
          return name == .null ? .text("bit \(bit)") : name
        })
    case (.has, .object(let members)):
      return arguments[0].text.map { .bool(members[$0] != nil) } ?? .null
    case (.toI, .int), (.toS, .text): return value
    case (.toI, .float(let number)):
      return Int64(exactly: number.rounded(.down)).map {
        .int(Integer($0))
      } ?? .null
    case (.toI, .bool(let isTrue)): return ProfileValue(isTrue ? 1 : 0)
    case (.toI, .text(let text)):
      let radix = arguments.first?.int ?? 10
      guard (2...36).contains(radix) else { return .null }
      return Int64(text, radix: radix).map { .int(Integer($0)) } ?? .null
    case (.toS, .int(let number)): return .text("\(number)")
    case (.toS, .bytes(let bytes)): return .text(String(spelling: bytes))
    case (.hex, .text(let text)): return made(Hex.bytes(text).map { .bytes($0) })
    case (.base64, .text(let text)): return base64(text)
    case (.base64url, .text(let text)): return made(Base64.decode(text.utf8).map { .bytes($0) })
    case (.base64Size, .text(let text)): return ProfileValue(Base64.size(text))
    case (.toHex, .bytes(let bytes)):
      return .text(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    case (.uuid, .bytes(let bytes)):
      return bytes.count == 16
        ? .text(BluetoothUUID(high: Self.number(bytes[..<8]), low: Self.number(bytes[8...])).long)
        : made(nil)
    case (.json, _): return decoded(value, .json)
    case (.cbor, _): return decoded(value, .cbor)
    case (.plist, _): return decoded(value, .propertyList)
    case (.opack, .bytes): return decoded(value, .opack)
    case (.msgpack, .bytes): return decoded(value, .messagePack)
    case (.uuid, _), (.hex, _), (.base64, _), (.base64url, _), (.base64Size, _): return made(nil)
    case (.message, _), (.packed, _), (.signed, _), (.zigzag, _), (.float, _), (.double, _),
      (.all, _):
      return Self.field(value, method)
    default: return Self.part(value, method, arguments)
    }
  }

  /// What a field of Protocol Buffers may mean.
  private static func field(_ value: ProfileValue, _ method: Method) -> ProfileValue {
    switch (method, value) {
    case (.message, .bytes(let bytes)): return ProtobufReader.read(bytes).value
    case (.message, .object): return value
    case (.packed, .bytes(let bytes)):
      return ProtobufReader.packed(bytes).map { .array($0) } ?? .null
    case (.signed, .int(let number)): return .int(Integer(Int64(bitPattern: number.bits)))
    case (.zigzag, .int(let number)): return .int(Integer(ProtobufReader.zigzag(number.bits)))
    case (.float, .int(let number)):
      return .float(Double(Float(bitPattern: UInt32(truncatingIfNeeded: number.bits))))
    case (.double, .int(let number)): return .float(Double(bitPattern: number.bits))
    case (.all, .array): return value
    case (.all, _): return .array([value])
    default: return .null
    }
  }

  private static func named(_ number: Integer, _ table: ProfileValue) -> ProfileValue {
    if case .object(let texts) = table { texts["\(number)"] ?? .null } else { .null }
  }

  /// Notes that there was something of which nothing could be made.
  private mutating func made(_ value: ProfileValue?) -> ProfileValue {
    if value == nil { fault = fault ?? .form }
    return value ?? .null
  }

  private mutating func decoded(_ value: ProfileValue, _ encoding: Encoding) -> ProfileValue {
    guard let message = value.bytes.map({ encoding.read($0) }), message.problem == nil else {
      return made(nil)
    }
    return message.value
  }

  private mutating func base64(_ text: String) -> ProfileValue {
    do throws(Evaluator.Fault) {
      return .bytes(try Base64.decode(text))
    } catch {
      fault = fault ?? error
      return .null
    }
  }

  /// What looks at the parts of text, bytes and arrays.
  private static func part(
    _ value: ProfileValue, _ method: Method, _ arguments: [ProfileValue]
  ) -> ProfileValue {
    switch value {
    case .text(let text):
      switch method {
      case .size, .length: return ProfileValue(text.unicodeScalars.count)
      case .reverse: return .text(String(text.reversed()))
      case .substring:
        guard let range = range(arguments, text.unicodeScalars.count) else { return .null }
        let scalars = text.unicodeScalars.dropFirst(range.lowerBound).prefix(range.count)
        return .text(String(String.UnicodeScalarView(scalars)))
      default: return .null
      }
    case .bytes(let bytes):
      switch method {
      case .size, .length: return ProfileValue(bytes.count)
      case .first: return octet(bytes.first)
      case .last: return octet(bytes.last)
      case .min: return octet(bytes.min())
      case .max: return octet(bytes.max())
      case .reverse: return .bytes(bytes.reversed())
      case .slice: return range(arguments, bytes.count).map { .bytes(Array(bytes[$0])) } ?? .null
      default: return .null
      }
    case .array(let items):
      switch method {
      case .size, .length: return ProfileValue(items.count)
      case .first: return items.first ?? .null
      case .last: return items.last ?? .null
      case .min: return items.compactMap(\.int).min().map { ProfileValue($0) } ?? .null
      case .max: return items.compactMap(\.int).max().map { ProfileValue($0) } ?? .null
      case .reverse: return .array(items.reversed())
      case .slice: return range(arguments, items.count).map { .array(Array(items[$0])) } ?? .null
      default: return .null
      }
    default: return .null
    }
  }

  private static func octet(_ byte: UInt8?) -> ProfileValue {
    byte.map { ProfileValue(Int($0)) } ?? .null
  }

  private static func range(_ arguments: [ProfileValue], _ count: Int) -> Range<Int>? {
    guard arguments.count == 2, let from = arguments[0].int, let to = arguments[1].int, from >= 0,
      from <= to, to <= count
    else { return nil }
    return from..<to
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension Method {
  fileprivate var isOfArrays: Bool {
    switch self {
    case .size, .length, .first, .last, .min, .max, .reverse, .exists, .nonEmpty, .all: true
    default: false
    }
  }
}

extension BluetoothUUID {
  /// All 36 characters in capitals.
  var long: String {
    func digits(_ value: UInt64, _ count: Int) -> String {
      let text = String(value, radix: 16, uppercase: true)
      return String(repeating: "0", count: Swift.max(0, count - text.count)) + text
    }
    return [
      digits(high >> 32, 8), digits(high >> 16 & 0xFFFF, 4), digits(high & 0xFFFF, 4),
      digits(low >> 48, 4), digits(low & 0xFFFF_FFFF_FFFF, 12),
    ].joined(separator: "-")
  }
}

extension ProfileValue {
  /// How much work it is to go through it.
  fileprivate var weight: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    case .array(let items): items.count
    default: 0
    }
  }

  fileprivate var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .bytes(let bytes): bytes.isEmpty
    case .array(let items): items.isEmpty
    case .object(let members): members.names.isEmpty
    default: false
    }
  }
}
