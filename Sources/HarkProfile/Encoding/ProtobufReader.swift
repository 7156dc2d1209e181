import HarkLayout
import HarkSession

/// Reads Protocol Buffers (protobuf.dev, "Encoding"). With a schema fields have their names. Without
/// one, or for a field that it lacks, field 3 is the member `f3`: a number as it is on the wire,
/// bytes for whatever has a length, an object for a group, an array where there are several.
struct ProtobufReader {
  private var reader: ByteReader
  private let schema: ProtobufSchema?

  /// Reads a message, of one of the types of `schema` where that is given.
  static func read(
    _ bytes: [UInt8], _ schema: ProtobufSchema? = nil, type: Int = 0
  ) -> DecodedMessage {
    ByteReader.read(bytes, "protobuf") { (reader) throws(FramingProblem) in
      var fields = ProtobufReader(reader: reader, schema: schema)
      let value = try fields.message(schema.map { $0.messages[type] }, 0, group: nil)
      reader = fields.reader
      return .object(value)
    }
  }

  /// The numbers of a packed field; nil if the bytes are not numbers.
  static func packed(_ bytes: [UInt8]) -> [ProfileValue]? {
    var fields = ProtobufReader(reader: ByteReader(bytes, "protobuf"), schema: nil)
    var values: [ProfileValue] = []
    do throws(FramingProblem) {
      while fields.reader.remaining > 0 {
        try fields.reader.enter(0)
        values.append(.int(Integer(unsigned: try fields.varint())))
      }
    } catch {
      return nil
    }
    return values
  }

  // MARK: Messages

  private mutating func message(
    _ type: ProtobufSchema.Message?, _ depth: Int, group: UInt64?
  ) throws(FramingProblem) -> ProfileValue.Members {
    var members = type?.defaults ?? ProfileValue.Members()
    try reader.enter(depth, values: 1 + members.names.count)
    while reader.remaining > 0 {
      let key = try varint()
      let (number, wire) = (key >> 3, key & 7)
      if wire == 4, number == group { return members }
      guard number > 0, number < 1 << 29 else { throw reader.wrong }
      if let field = type?.fields[number], try read(field, wire, depth, &members) { continue }
      let name = "f\(number)"
      members.collect(try value(wire, number, depth), in: name)
    }
    guard group == nil else { throw reader.wrong }
    return members
  }

  /// A field of which only the wire is known.
  private mutating func value(
    _ wire: UInt64, _ number: UInt64, _ depth: Int
  ) throws(FramingProblem) -> ProfileValue {
    try reader.enter(depth)
    switch wire {
    case 0: return .int(Integer(unsigned: try varint()))
    case 1: return .int(Integer(unsigned: try reader.number(8, isLittle: true)))
    case 2: return .bytes(Array(try reader.take(try length())))
    case 3: return .object(try message(nil, depth + 1, group: number))
    case 5: return .int(Integer(unsigned: try reader.number(4, isLittle: true)))
    default: throw reader.wrong
    }
  }

  /// A field of the schema. False, and nothing is read, where the wire has another type.
  private mutating func read(
    _ field: ProtobufSchema.Field, _ wire: UInt64, _ depth: Int,
    _ members: inout ProfileValue.Members
  ) throws(FramingProblem) -> Bool {
    if wire == 2, field.isRepeated, field.form.wire != 2, field.form.wire != 3 {
      let outer = try reader.narrow(to: try length())
      while reader.remaining > 0 {
        members.append(try value(field.form, depth), to: field.name)
      }
      reader.widen(to: outer)
      return true
    }
    guard wire == field.form.wire else { return false }
    let value = try value(field.form, depth)
    if field.isMap {
      if case .object(let entry) = value {
        members.set(entry["key"]?.asKey ?? "", entry["value"] ?? .null, in: field.name)
      }
    } else if field.isRepeated {
      members.append(value, to: field.name)
    } else {
      members.set(field.name, value)
    }
    return true
  }

  private mutating func value(
    _ form: ProtobufSchema.Form, _ depth: Int
  ) throws(FramingProblem) -> ProfileValue {
    try reader.enter(depth)
    switch form {
    case .unsigned(let bits):
      let value = try varint()
      return .int(Integer(unsigned: bits == 32 ? value & 0xFFFF_FFFF : value))
    case .signed(let bits):
      let value = Int64(bitPattern: try varint())
      return .int(Integer(bits == 32 ? Int64(Int32(truncatingIfNeeded: value)) : value))
    case .zigzag: return .int(Integer(Self.zigzag(try varint())))
    case .bool: return .bool(try varint() != 0)
    case .fixed(let octets, let isSigned):
      let value = try reader.number(octets, isLittle: true)
      guard isSigned else { return .int(Integer(unsigned: value)) }
      return .int(
        Integer(octets == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)))
    case .float:
      let bits = UInt32(truncatingIfNeeded: try reader.number(4, isLittle: true))
      return .float(Double(Float(bitPattern: bits)))
    case .double: return .float(Double(bitPattern: try reader.number(8, isLittle: true)))
    case .text: return try reader.text(try length())
    case .bytes: return .bytes(Array(try reader.take(try length())))
    case .message(let type):
      let outer = try reader.narrow(to: try length())
      let inner = try message(schema?.messages[type], depth + 1, group: nil)
      reader.widen(to: outer)
      return .object(inner)
    case .group(let type, let number):
      return .object(try message(schema?.messages[type], depth + 1, group: number))
    }
  }

  static func zigzag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Of ten bytes at most; bits beyond the 64th are lost.
  private mutating func varint() throws(FramingProblem) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let byte = try reader.byte()
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw reader.wrong
  }

  private mutating func length() throws(FramingProblem) -> Int { Int(clamping: try varint()) }
}
