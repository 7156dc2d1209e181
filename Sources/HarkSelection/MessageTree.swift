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

  package init(_ values: [MessageValue]) { read(values) }

  /// `pebble.title_title: "…"`, without groups.
  package var lines: [String] {
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

  /// Takes values; those of undeclared fields are left out.
  mutating func read(_ values: [MessageValue]) {
    clear()
    var found: [FieldValue] = []
    for value in values {
      guard let (field, entry) = Self.field(for: value) else { continue }
      append(value.content, of: field, entry, to: &found)
    }
    guard !found.isEmpty else { return }
    tree.fill(found)
    isEmpty = false
  }

  /// A path may stand for several fields: messages of one vendor may have several encodings.
  private static func field(for value: MessageValue) -> (Field, Entry)? {
    guard let dot = value.path.lastIndex(of: ".") else { return nil }
    let label = value.path[value.path.index(after: dot)...]
    return Catalog.shared.declared(by: String(value.path[..<dot])).first { declaration in
      declaration.label == label && declaration.field.definition.form.takes(value.content)
    }.map { ($0.field, $0.entry) }
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
    case (.group, _): add()
    // The members of an encoding without a schema are texts, whatever they are.
    case (_, .text):
      bytes += content.text
      add()
    case (.text(let value), _), (.bytes(let value), _):
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
  /// Whether a field of the form may have the value.
  fileprivate func takes(_ content: MessageValue.Content) -> Bool {
    switch (content, self) {
    // An object of an encoding without a schema is declared as a text.
    case (.group, .group), (.group, .list), (.group, .text): true
    case (.group, _), (_, .group), (_, .list): false
    case (_, .text): true
    case (.text, .bytes), (.bytes, .bytes), (.bytes, .uuid), (.bytes, .uuidBigEndian),
      (.bytes, .attributeType):
      true
    case (.text, _), (.bytes, _): false
    case (.float, .float): true
    case (.computed, _): true
    case (.float, _), (_, .float): false
    case (.flag, _), (.number, _): true
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
