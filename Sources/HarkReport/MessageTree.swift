import HarkCore
import HarkDissection
import HarkSession

/// The values of the messages that a packet completes, as a tree of fields: those of messages that no packet
/// has as they are. Its bytes are those of the values alone.
public struct MessageTree: Sendable {
  public private(set) var tree = Tree()
  public private(set) var bytes: [UInt8] = []
  public private(set) var isEmpty = true

  public init() {}

  init(_ values: [MessageValue]) { read(values) }

  /// `pebble.title_title: "…"`, without groups.
  var lines: [String] {
    let catalog = Catalog.shared
    var path = ""
    return tree.nodes.compactMap { node in
      switch node.kind {
      case .layer:
        path = catalog.label(of: node.field)
        return nil
      case .group: return nil
      case .value, .part, .inferred, .undecoded:
        var text = TextBuffer()
        text.string("\(path).\(catalog.label(of: node.field)): ")
        catalog.write(node, of: bytes.raw, to: &text)
        return text.string
      }
    }
  }

  mutating func clear() {
    guard !isEmpty else { return }
    bytes.removeAll(keepingCapacity: true)
    tree.fill([])
    isEmpty = true
  }

  /// Takes values; those of fields that nobody declares are left out.
  mutating func read(_ values: [MessageValue]) {
    clear()
    var found: [FieldValue] = []
    for value in values {
      guard let (field, entry) = Self.field(at: value.path) else { continue }
      append(value.content, of: field, entry, to: &found)
    }
    guard !found.isEmpty else { return }
    tree.fill(found)
    isEmpty = false
  }

  private static func field(at path: String) -> (Field, Entry)? {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    let label = path[path.index(after: dot)...]
    let declared = Catalog.shared.declared(by: String(path[..<dot]))
    return declared.first { $0.label == label }.map { ($0.field, $0.entry) }
  }

  private mutating func append(
    _ content: MessageValue.Content, of field: Field, _ entry: Entry, to found: inout [FieldValue]
  ) {
    let start = bytes.count
    func add(_ number: UInt64 = 0, isInferred: Bool = false) {
      found.append(
        FieldValue(entry, field, number, at: start..<bytes.count, isInferred: isInferred))
    }
    let form = field.definition.form
    switch (content, form) {
    case (.group, .group), (.group, .list): add()
    case (.group, _), (_, .group), (_, .list): break
    // The members of an encoding without a schema are texts, whatever they are.
    case (_, .text):
      bytes += content.text
      add()
    case (.text(let value), _), (.bytes(let value), _):
      guard form.isOfBytes else { break }
      bytes += value
      add(value.count <= 8 ? value.reversed().reduce(0) { $0 << 8 | UInt64($1) } : 0)
    case (.float(let number, let size), _):
      bytes += [UInt8](repeating: 0, count: size)
      add(size == 4 ? UInt64(Float(number).bitPattern) : number.bitPattern)
    case (.flag(let flag), _):
      bytes.append(0)
      add(flag ? 1 : 0)
    case (.number(let number, let size), _):
      bytes += [UInt8](repeating: 0, count: size)
      add(number)
    case (.computed(let number), _): add(number, isInferred: true)
    }
  }
}

extension Field.Form {
  /// Whether a value is the bytes that it was read from.
  fileprivate var isOfBytes: Bool {
    switch self {
    case .bytes, .uuid, .uuidBigEndian, .attributeType: true
    default: false
    }
  }
}

extension MessageValue.Content {
  fileprivate var text: [UInt8] {
    switch self {
    case .text(let text): text
    case .bytes(let bytes): Array(Hex.text(bytes).utf8)
    case .flag(let flag): Array("\(flag)".utf8)
    case .float(let number, _): Array("\(number)".utf8)
    case .number(let number, _), .computed(let number):
      Array("\(Int64(bitPattern: number))".utf8)
    case .group: []
    }
  }
}
