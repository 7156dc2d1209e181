import HarkLayout
import HarkSession

/// Reads MessagePack (github.com/msgpack/msgpack, spec.md): one object. Keys of maps become text; of an extension the
/// bytes are read, without its type.
struct MessagePackReader {
  private var reader: ByteReader

  static func read(_ bytes: [UInt8]) -> DecodedMessage {
    ByteReader.read(bytes, "MessagePack") { (reader) throws(FramingProblem) in
      var objects = MessagePackReader(reader: reader)
      let value = try objects.object(0)
      reader = objects.reader
      return value
    }
  }

  private mutating func object(_ depth: Int) throws(FramingProblem) -> ProfileValue {
    try reader.enter(depth)
    let first = try reader.byte()
    switch first {
    case 0x00...0x7F: return ProfileValue(Int(first))
    case 0xE0...0xFF: return ProfileValue(Int(Int8(bitPattern: first)))
    case 0x80...0x8F: return .object(map(Int(first & 0x0F), depth))
    case 0x90...0x9F: return .array(array(Int(first & 0x0F), depth))
    case 0xA0...0xBF: return try reader.text(Int(first & 0x1F))
    case 0xC0: return .null
    case 0xC2, 0xC3: return .bool(first == 0xC3)
    case 0xC4...0xC6: return .bytes(Array(try reader.take(try count(1 << (first - 0xC4)))))
    case 0xC7...0xC9: return try extended(try count(1 << (first - 0xC7)))
    case 0xCA:
      return .float(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try reader.number(4)))))
    case 0xCB: return .float(Double(bitPattern: try reader.number(8)))
    case 0xCC...0xCF:
      return .int(Integer(unsigned: try reader.number(1 << Int(first - 0xCC))))
    case 0xD0...0xD3: return try signed(1 << Int(first - 0xD0))
    case 0xD4...0xD8: return try extended(1 << Int(first - 0xD4))
    case 0xD9...0xDB: return try reader.text(try count(1 << (first - 0xD9)))
    case 0xDC, 0xDD: return .array(array(try count(2 << (first - 0xDC)), depth))
    case 0xDE, 0xDF: return .object(map(try count(2 << (first - 0xDE)), depth))
    // 0xC1 is never used.
    default: throw reader.wrong
    }
  }

  private mutating func count(_ size: Int) throws(FramingProblem) -> Int {
    Int(clamping: try reader.number(size))
  }

  private mutating func signed(_ size: Int) throws(FramingProblem) -> ProfileValue {
    let bits = try reader.number(size)
    let unused = UInt64(64 - 8 * size)
    return .int(Integer(wide: Int128(Int64(bitPattern: bits << unused) >> Int64(unused))))
  }

  /// A type, and that many bytes.
  private mutating func extended(_ count: Int) throws(FramingProblem) -> ProfileValue {
    _ = try reader.byte()
    return .bytes(Array(try reader.take(count)))
  }

  /// Those before the first that cannot be read.
  private mutating func array(_ count: Int, _ depth: Int) -> [ProfileValue] {
    var items: [ProfileValue] = []
    while reader.failure == nil, items.count < count {
      do throws(FramingProblem) {
        items.append(try object(depth + 1))
      } catch {
        reader.fail(error)
      }
    }
    return items
  }

  private mutating func map(_ count: Int, _ depth: Int) -> ProfileValue.Members {
    var members = ProfileValue.Members()
    var left = count
    while reader.failure == nil, left > 0 {
      do throws(FramingProblem) {
        let key = try object(depth + 1)
        guard reader.failure == nil else { break }
        members.set(key.asKey, try object(depth + 1))
        left -= 1
      } catch {
        reader.fail(error)
      }
    }
    return members
  }
}
