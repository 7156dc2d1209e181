/// A value of an XPC object or a property list, with the bytes that spell it.
public struct ObjectNode: Sendable {
  /// Its key in a dictionary, or its number in an array.
  public var name: String
  /// In Apple's words: `dictionary`, `uint64`, `string`.
  public var kind: String
  /// What it says; empty for containers.
  public var value: String
  /// Of the file or text that was read.
  public var range: Range<Int>
  public var children: [ObjectNode] = []

  init(_ name: String, _ kind: String, _ value: String = "", _ range: Range<Int>) {
    (self.name, self.kind, self.value, self.range) = (name, kind, value, range)
  }

  /// Levels below it.
  var depth: Int { (children.map(\.depth).max() ?? -1) + 1 }

  /// All in one line: `{op: 3, path: "a"}`.
  public var brief: String {
    switch kind {
    case "array": "[\(parts.joined(separator: ", "))]"
    case "string": "\"\(value)\""
    default:
      children.isEmpty
        ? (value.isEmpty ? kind : value) : "{\(parts.joined(separator: ", "))}"
    }
  }

  private var parts: [String] {
    children.map { kind == "array" ? $0.brief : "\($0.name): \($0.brief)" }
  }
}

/// Why bytes are no object, or end inside one.
public struct ObjectProblem: Error, CustomStringConvertible, Sendable {
  /// From the beginning of what was read.
  public let offset: Int
  public let description: String

  init(_ offset: Int, _ description: String) {
    (self.offset, self.description) = (offset, "\(description) at byte \(offset)")
  }
}
