import HarkCore
import HarkLayout
import HarkSession

/// How the bytes of a message make a value.
enum Encoding: Sendable {
  case layout(LayoutSource, type: Int)
  case json, cbor, propertyList, opack, messagePack
  /// Without a schema fields have numbers.
  case protobuf(ProtobufSchema?, type: Int)
  /// The value is the bytes.
  case raw

  /// Those that need nothing beside them, by what a profile calls them.
  static let named: [(name: String, encoding: Encoding)] = [
    ("json", .json), ("cbor", .cbor), ("plist", .propertyList), ("opack", .opack),
    ("msgpack", .messagePack),
    ("protobuf", .protobuf(nil, type: 0)), ("raw", .raw),
  ]

  func read(_ bytes: [UInt8], listsFields: Bool = false) -> DecodedMessage {
    switch self {
    case .layout(let source, let type): source.read(bytes, type: type, listsFields: listsFields)
    case .json: JSONReader.read(bytes)
    case .cbor: CBORReader.read(bytes)
    case .propertyList: PropertyListReader.read(bytes)
    case .opack: OPACKReader.read(bytes)
    case .messagePack: MessagePackReader.read(bytes)
    case .protobuf(let schema, let type): ProtobufReader.read(bytes, schema, type: type)
    case .raw: DecodedMessage(value: .bytes(bytes))
    }
  }

  /// What a message says, as people read it; nil for raw bytes.
  func tree(_ bytes: [UInt8], _ frames: [PacketID] = []) -> MessageTreeText? {
    if case .raw = self { return nil }
    let message = read(bytes, listsFields: true)
    var tree = MessageTreeText(
      title, bytes, frames, lines: isReadable ? [] : message.lines, fields: message.fields,
      secrets: message.secrets)
    tree.notes = message.notes
    return tree
  }

  /// Whether the beginning of a message may mean something when bytes in the middle are missing.
  var standsLosses: Bool {
    switch self {
    case .layout, .raw: true
    default: false
    }
  }

  /// Whether people see what a message says in its bytes, or in the list of its fields.
  var isReadable: Bool {
    switch self {
    case .layout, .json, .raw: true
    case .cbor, .propertyList, .opack, .messagePack, .protobuf: false
    }
  }

  var source: LayoutSource? { if case .layout(let source, _) = self { source } else { nil } }

  var isRaw: Bool { if case .raw = self { true } else { false } }

  /// Whether packets already show it: a layout with places of its own.
  var isAttached: Bool {
    if case .layout(let source, let type) = self {
      type == source.layout.type(named: "") && !source.layout.attachments.isEmpty
    } else {
      false
    }
  }

  /// What expressions can name.
  var names: (any NamedValues)? {
    switch self {
    case .layout(let source, _): source
    case .protobuf(let schema, _): schema
    case .json, .cbor, .propertyList, .opack, .messagePack, .raw: nil
    }
  }
}

/// A description of messages that gives members and values names.
protocol NamedValues {
  /// For people: `the layout`.
  var kind: String { get }
  /// All names of members.
  var names: Set<String> { get }
  /// The value of an enum's member.
  func value(of member: String, in path: TypePath) -> Integer?
  /// All members of enums, each after the last name of its enum: `kind::data`.
  var enumMembers: [String] { get }
}

extension LayoutSource: NamedValues {
  var kind: String { "the layout" }
}

extension ProtobufSchema: NamedValues {
  var kind: String { "the descriptor set" }
}
