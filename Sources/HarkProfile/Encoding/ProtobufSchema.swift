import HarkLayout

/// The message types of a descriptor set, as `protoc --descriptor_set_out` writes it
/// (google/protobuf/descriptor.proto). Read with hark's own reader: SwiftProtobuf has no messages
/// whose types are known only at run time, and would be needed for this file alone.
final class ProtobufSchema: Sendable {
  /// How a field is on the wire.
  enum Form: Sendable {
    case unsigned(bits: Int)
    case signed(bits: Int)
    case zigzag, bool, float, double, text, bytes
    case fixed(octets: Int, isSigned: Bool)
    case message(Int)
    case group(Int, number: UInt64)

    var wire: UInt64 {
      switch self {
      case .unsigned, .signed, .zigzag, .bool: 0
      case .double, .fixed(8, _): 1
      case .text, .bytes, .message: 2
      case .group: 3
      case .float, .fixed: 5
      }
    }
  }

  struct Field: Sendable {
    let name: String
    let form: Form
    let isRepeated, isMap: Bool
  }

  struct Message: Sendable {
    let fields: [UInt64: Field]
    /// What fields are that are left out: several are none, and those without presence zero.
    let defaults: ProfileValue.Members
  }

  let messages: [Message]
  /// All names of fields.
  let names: Set<String>
  private let numbers: [String: Int]
  private let enums: [(name: String, members: [String: Int])]

  static let mostMessages = 4096

  /// Nil if the bytes are no descriptor set, or name types that are not in it.
  init?(_ bytes: [UInt8]) {
    var draft = Draft()
    guard draft.read(bytes), let messages = draft.resolved() else { return nil }
    self.messages = messages
    numbers = draft.numbers
    enums = draft.enums
    names = Set(messages.flatMap { $0.fields.values.map(\.name) })
  }

  /// A type by its name with its package: `acme.Message`.
  func message(named name: String) -> Int? { numbers[name] }

  func name(ofType type: Int) -> String? { numbers.first { $0.value == type }?.key }

  var messageNames: [String] { numbers.keys.sorted() }

  /// The number of an enum's member; `path` may leave out what the enum is in.
  func value(of member: String, in path: TypePath) -> Integer? {
    let wanted = path.names.joined(separator: ".")
    for known in enums where known.name == wanted || known.name.hasSuffix("." + wanted) {
      if let number = known.members[member] { return Integer(Int64(number)) }
    }
    return nil
  }

  var enumMembers: [String] {
    enums.flatMap { known in
      let name = known.name.split(separator: ".").last ?? ""
      return known.members.keys.map { "\(name)::\($0)" }
    }
  }
}

/// A descriptor set as it is read: types are resolved when all are known.
private struct Draft {
  private struct Message {
    var fields: [Members]
    var isMapEntry: Bool
    /// Whether fields have no presence of their own.
    var isProto3: Bool
  }

  private typealias Members = ProfileValue.Members

  var numbers: [String: Int] = [:]
  var enums: [(name: String, members: [String: Int])] = []
  private var drafts: [Message] = []

  // The numbers of the fields are those of descriptor.proto.
  mutating func read(_ bytes: [UInt8]) -> Bool {
    guard let set = Self.message(.bytes(bytes)) else { return false }
    let files = Self.all(set, "f1")
    guard !files.isEmpty else { return false }
    for file in files {
      guard let file = Self.message(file) else { return false }
      let package = file["f2"]?.text ?? ""
      let isProto3 = file["f12"]?.text == "proto3"
      guard add(Self.all(file, "f4"), package, isProto3: isProto3, depth: 0),
        addEnums(Self.all(file, "f5"), package)
      else { return false }
    }
    return true
  }

  private mutating func add(
    _ types: [ProfileValue], _ scope: String, isProto3: Bool, depth: Int
  ) -> Bool {
    guard depth < ByteReader.deepest else { return false }
    for type in types {
      guard let type = Self.message(type), let name = type["f1"]?.text,
        drafts.count < ProtobufSchema.mostMessages
      else { return false }
      let path = scope.isEmpty ? name : "\(scope).\(name)"
      let options = type["f7"].flatMap { Self.message($0) }
      var fields: [Members] = []
      for field in Self.all(type, "f2") {
        guard let field = Self.message(field) else { return false }
        fields.append(field)
      }
      numbers[path] = drafts.count
      drafts.append(
        Message(fields: fields, isMapEntry: options?["f7"]?.bool ?? false, isProto3: isProto3))
      guard add(Self.all(type, "f3"), path, isProto3: isProto3, depth: depth + 1),
        addEnums(Self.all(type, "f4"), path)
      else { return false }
    }
    return true
  }

  private mutating func addEnums(_ types: [ProfileValue], _ scope: String) -> Bool {
    for type in types {
      guard let type = Self.message(type), let name = type["f1"]?.text else { return false }
      var members: [String: Int] = [:]
      for value in Self.all(type, "f2") {
        guard let value = Self.message(value), let name = value["f1"]?.text else { return false }
        // A number that is negative has all 64 bits.
        let number = value["f2"].flatMap { if case .int(let it) = $0 { it } else { nil } }
        members[name] = Int(Int64(bitPattern: number?.bits ?? 0))
      }
      enums.append((scope.isEmpty ? name : "\(scope).\(name)", members))
    }
    return true
  }

  func resolved() -> [ProtobufSchema.Message]? {
    var messages: [ProtobufSchema.Message] = []
    for draft in drafts {
      var fields: [UInt64: ProtobufSchema.Field] = [:]
      var defaults = Members()
      for field in draft.fields {
        guard let name = field["f1"]?.text, let number = field["f3"]?.int, number > 0,
          let form = form(field, UInt64(number))
        else { return nil }
        let isRepeated = field["f4"]?.int == 3
        var isMap = false
        if case .message(let type) = form { isMap = isRepeated && drafts[type].isMapEntry }
        fields[UInt64(number)] = ProtobufSchema.Field(
          name: name, form: form, isRepeated: isRepeated, isMap: isMap)
        if isMap {
          defaults.set(name, .object(Members()))
        } else if isRepeated {
          defaults.set(name, .array([]))
        } else if draft.isProto3 || draft.isMapEntry, field["f9"] == nil, field["f17"] == nil,
          let value = Self.zero(form)
        {
          // In a oneof, or declared as optional, it would have presence.
          defaults.set(name, value)
        }
      }
      messages.append(ProtobufSchema.Message(fields: fields, defaults: defaults))
    }
    return messages
  }

  private static func zero(_ form: ProtobufSchema.Form) -> ProfileValue? {
    switch form {
    case .unsigned, .signed, .zigzag, .fixed: ProfileValue(0)
    case .bool: .bool(false)
    case .float, .double: .float(0)
    case .text: .text("")
    case .bytes: .bytes([])
    case .message, .group: nil
    }
  }

  /// FieldDescriptorProto.Type.
  private func form(_ field: Members, _ number: UInt64) -> ProtobufSchema.Form? {
    func type() -> Int? {
      field["f6"]?.text.flatMap { numbers[$0.hasPrefix(".") ? String($0.dropFirst()) : $0] }
    }
    return switch field["f5"]?.int {
    case 1: .double
    case 2: .float
    case 3: .signed(bits: 64)
    case 4: .unsigned(bits: 64)
    case 5, 14: .signed(bits: 32)
    case 6: .fixed(octets: 8, isSigned: false)
    case 7: .fixed(octets: 4, isSigned: false)
    case 8: .bool
    case 9: .text
    case 10: type().map { .group($0, number: number) }
    case 11: type().map { .message($0) }
    case 12: .bytes
    case 13: .unsigned(bits: 32)
    case 15: .fixed(octets: 4, isSigned: true)
    case 16: .fixed(octets: 8, isSigned: true)
    case 17, 18: .zigzag
    default: nil
    }
  }

  // MARK: Messages without a schema

  private static func message(_ value: ProfileValue) -> Members? {
    guard case .bytes(let bytes) = value else { return nil }
    let message = ProtobufReader.read(bytes)
    guard message.problem == nil, case .object(let members) = message.value else { return nil }
    return members
  }

  private static func all(_ members: Members, _ name: String) -> [ProfileValue] {
    switch members[name] {
    case nil: []
    case .array(let items): items
    case let value?: [value]
    }
  }
}
