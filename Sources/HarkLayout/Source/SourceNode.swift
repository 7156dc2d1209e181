/// A part of a layout's YAML, with its place.
package final class SourceNode {
  package enum Content {
    case scalar(Scalar)
    case sequence([SourceNode])
    case mapping([(key: SourceNode, value: SourceNode)])
  }

  package struct Scalar {
    package let text: String
    /// Whether it stands without quotes, so that it may mean a number, a truth value or nothing.
    package let isPlain: Bool
  }

  package let content: Content
  package let file: String
  package let location: SourceLocation
  /// `/seq/0/type`; empty for the document.
  package let path: String

  init(_ content: Content, file: String, location: SourceLocation, path: String) {
    self.content = content
    self.file = file
    self.location = location
    self.path = path
  }

  package var scalar: Scalar? { if case .scalar(let scalar) = content { scalar } else { nil } }

  package var items: [SourceNode]? { if case .sequence(let items) = content { items } else { nil } }

  package var pairs: [(key: SourceNode, value: SourceNode)]? {
    if case .mapping(let pairs) = content { pairs } else { nil }
  }

  /// The text of a scalar that is not nothing.
  package var text: String? { isNull ? nil : scalar?.text }

  /// The value of `key` in a mapping.
  package subscript(key: String) -> SourceNode? {
    pairs?.first { $0.key.scalar?.text == key }?.value
  }

  /// The key itself in a mapping: where to point at when it is not allowed.
  package func key(_ name: String) -> SourceNode? {
    pairs?.first { $0.key.scalar?.text == name }?.key
  }

  /// The same place under a longer path: for what has no node of its own.
  func below(_ name: String) -> SourceNode {
    SourceNode(content, file: file, location: location, path: path + "/" + name)
  }
}

// Only what Kaitai's own compiler resolves is resolved: a plain `on` or `yes` is a string.
// Kaitai Struct documentation, KSY reference, "Data types" of YAML scalars.
extension SourceNode {
  package var isNull: Bool {
    guard let scalar else { return false }
    return scalar.isPlain && ["", "~", "null", "Null", "NULL"].contains(scalar.text)
  }

  package var bool: Bool? {
    guard let scalar, scalar.isPlain else { return nil }
    return scalar.text == "true" ? true : scalar.text == "false" ? false : nil
  }

  /// A plain integer: decimal, `0x`, `0b` or `0o`, with `_` between digits.
  package var integer: Integer? {
    guard let scalar, scalar.isPlain else { return nil }
    return Integer(literal: scalar.text)
  }

  /// How messages name what is there instead of what was expected. Of a long text the beginning
  /// shows which it is.
  package var kindName: String {
    switch content {
    case .mapping: "a map"
    case .sequence: "an array"
    case .scalar(let scalar):
      if isNull {
        "null"
      } else {
        "'" + scalar.text.prefix(Self.longestNamed)
          + (scalar.text.count > Self.longestNamed ? "…'" : "'")
      }
    }
  }

  private static var longestNamed: Int { 60 }
}
