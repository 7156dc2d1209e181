import HarkLayout
import HarkSession

/// Reads CBOR (RFC 8949): one item. Tags are left out; keys of maps become text.
struct CBORReader {
  private var reader: ByteReader

  static func read(_ bytes: [UInt8]) -> DecodedMessage {
    ByteReader.read(bytes, "CBOR") { (reader) throws(FramingProblem) in
      var items = CBORReader(reader: reader)
      guard let value = try items.item(0) else { throw reader.wrong }
      reader = items.reader
      return value
    }
  }

  /// The next item; nil for the break that ends an item of unknown length.
  private mutating func item(_ depth: Int) throws(FramingProblem) -> ProfileValue? {
    try reader.enter(depth)
    let first = try reader.byte()
    let (major, info) = (first >> 5, first & 0x1F)
    if major == 7 { return try simple(info) }
    let argument: UInt64?
    switch info {
    case 0..<24: argument = UInt64(info)
    case 24..<28: argument = try reader.number(1 << Int(info - 24))
    case 31: argument = nil
    default: throw reader.wrong
    }
    switch (major, argument) {
    case (0, let value?): return .int(Integer(unsigned: value))
    case (1, let value?):
      let number = -1 - Int128(value)
      // A double is the nearest to what 64 bits do not hold, as in JSON.
      return number < Int128(Int64.min) ? .float(Double(number)) : .int(Integer(wide: number))
    case (2, _): return .bytes(try string(argument, major, depth))
    case (3, _): return ProfileValue(text: Array(try string(argument, major, depth)))
    case (4, _): return .array(items(argument, depth))
    case (5, _): return .object(members(argument, depth))
    case (6, _?):
      guard let tagged = try item(depth + 1) else { throw reader.wrong }
      return tagged
    default: throw reader.wrong
    }
  }

  private mutating func simple(_ info: UInt8) throws(FramingProblem) -> ProfileValue? {
    switch info {
    case 20, 21: return .bool(info == 21)
    case 22, 23: return .null
    case 25:
      return .float(Double(Float16(bitPattern: UInt16(truncatingIfNeeded: try reader.number(2)))))
    case 26:
      return .float(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try reader.number(4)))))
    case 27: return .float(Double(bitPattern: try reader.number(8)))
    case 31: return nil
    case 24: return ProfileValue(Int(try reader.number(1)))
    default: return ProfileValue(Int(info))
    }
  }

  private mutating func string(
    _ count: UInt64?, _ major: UInt8, _ depth: Int
  ) throws(FramingProblem) -> [UInt8] {
    if let count { return Array(try reader.take(Int(clamping: count))) }
    var whole: [UInt8] = []
    while let part = try item(depth + 1) {
      switch (major, part) {
      case (2, .bytes(let bytes)): whole += bytes
      case (3, .text(let text)): whole += text.utf8
      default: throw reader.wrong
      }
    }
    return whole
  }

  /// Those before the first that cannot be read.
  private mutating func items(_ count: UInt64?, _ depth: Int) -> [ProfileValue] {
    var items: [ProfileValue] = []
    while reader.failure == nil, count.map({ UInt64(items.count) < $0 }) ?? true {
      do throws(FramingProblem) {
        guard let value = try item(depth + 1) else {
          guard count == nil else { throw reader.wrong }
          break
        }
        items.append(value)
      } catch {
        reader.fail(error)
      }
    }
    return items
  }

  private mutating func members(_ count: UInt64?, _ depth: Int) -> ProfileValue.Members {
    var members = ProfileValue.Members()
    var read: UInt64 = 0
    while reader.failure == nil, count.map({ read < $0 }) ?? true {
      do throws(FramingProblem) {
        guard let key = try item(depth + 1) else {
          guard count == nil else { throw reader.wrong }
          break
        }
        guard reader.failure == nil, let value = try item(depth + 1) else { throw reader.wrong }
        members.set(key.asKey, value)
        read += 1
      } catch {
        reader.fail(error)
      }
    }
    return members
  }
}

extension DecodedMessage {
  private static let mostItems = 16

  /// Reads what follows the first item as more of them (RFC 8742), if all of it is maps and arrays.
  mutating func takeSequence(in bytes: [UInt8]) {
    guard problem == nil, value.holdsOthers, var begin = trailing?.lowerBound else { return }
    var items: [DecodedMessage] = []
    while begin < bytes.count {
      guard items.count < Self.mostItems else { return }
      var item = CBORReader.read(Array(bytes[begin...]))
      guard item.problem == nil, item.value.holdsOthers else { return }
      begin = item.trailing.map { begin + $0.lowerBound } ?? bytes.count
      item.trailing = nil
      items.append(item)
    }
    (trailing, others) = (nil, items)
  }
}

extension ProfileValue {
  /// Whether it is a map or an array.
  fileprivate var holdsOthers: Bool {
    switch self {
    case .object, .array: true
    case .null, .bool, .int, .float, .text, .bytes: false
    }
  }
}
