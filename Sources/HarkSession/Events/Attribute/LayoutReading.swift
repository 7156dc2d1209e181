import HarkCore
import HarkDissection

/// A value or an SDU that a layout reads, and what the layout makes of it.
package struct LayoutReading: Sendable {
  private let entry: Entry
  /// Empty for values that are too long to keep.
  private let bytes: [UInt8]

  /// A layout may read from the end of a value, so all of it is kept. Longer ones are shown as bytes.
  private static let most = 4_096
  /// Fields that a sentence lists.
  private static let mostFields = 24

  /// - Parameter cut: How many bytes are missing at the end.
  init(_ entry: Entry, _ value: RawSpan, cut: Int) {
    self.entry = entry
    bytes = cut == 0 && value.byteCount <= Self.most ? value.array : []
  }

  /// Whether keys are among the fields: then bytes are never shown.
  var isSecret: Bool { entry.holdsKeys }

  /// `acme_frame: hello (1), battery 87 %`; nil if the layout does not read the value to its end, or names nothing that
  /// fits in a line.
  var words: EventSentence? {
    guard !bytes.isEmpty else { return nil }
    let catalog = Catalog.shared
    var context = Context()
    context.isSecret = isSecret
    var tree = Tree()
    catalog.describe(bytes.raw, entry, context, into: &tree)
    guard tree.failures.isEmpty, !tree.nodes.contains(where: { $0.kind == .undecoded }) else {
      return nil
    }
    if let summary = tree.summaries.last?.text {
      return "\(entry.name.description): \(personal: String(decoding: summary, as: UTF8.self))"
    }
    let titles = tree.nodes.filter { catalog.definitions[Int($0.field.id)].title }
    let values = tree.nodes.filter {
      let definition = catalog.definitions[Int($0.field.id)]
      return definition.inLine && !definition.title
    }
    guard !titles.isEmpty || !values.isEmpty else { return nil }
    var parts = titles.map { catalog.words(of: $0, in: bytes) }
    var previous: Field?
    for value in values {
      let words = catalog.words(of: value, in: bytes)
      // Equal fields are named once.
      let name = catalog.definitions[Int(value.field.id)].name
      parts.append(value.field == previous ? words : "\(name) \(words)")
      previous = value.field
    }
    let shown = Array(parts.prefix(Self.mostFields)).joined(separator: ", ")
    let rest = parts.count > Self.mostFields ? ", …" : ""
    return "\(entry.name.description): \(shown)\(rest)"
  }
}

extension Catalog {
  /// The value of a node, marked as personal where it may be.
  func words(of node: Tree.Node, in bytes: [UInt8]) -> EventSentence {
    var text = TextBuffer()
    write(node, of: bytes.raw, to: &text)
    let definition = definitions[Int(node.field.id)]
    switch definition.form {
    case .text, .utf16, .address, .bytes: return "\(personal: text.string)"
    default: return definition.personal == nil ? "\(text.string)" : "\(personal: text.string)"
    }
  }
}
