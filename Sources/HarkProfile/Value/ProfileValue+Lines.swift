import HarkCore

extension ProfileValue {
  /// The value as people read it: a member or an item a line, what is inside of it below.
  func lines() -> [String] {
    var lines: [String] = []
    add(nil, indented: 0, to: &lines)
    return lines
  }

  /// - Parameter name: Of the member or item; nil for the whole value.
  private func add(_ name: String?, indented depth: Int, to lines: inout [String]) {
    guard lines.count < Self.mostLines else { return }
    let start = String(repeating: "  ", count: depth) + (name ?? "")
    let inner = name == nil ? depth : depth + 1
    func begin(isEmpty: Bool) {
      if isEmpty {
        lines.append(name == nil ? "(empty)" : start + " (empty)")
      } else if name != nil {
        lines.append(start)
      }
    }
    switch self {
    case .object(let members):
      begin(isEmpty: members.names.isEmpty)
      for (name, value) in zip(members.names, members.values) {
        value.add(name, indented: inner, to: &lines)
      }
    case .array(let items):
      begin(isEmpty: items.isEmpty)
      for (index, item) in items.enumerated() {
        item.add("[\(index)]", indented: inner, to: &lines)
      }
    default: lines.append(name == nil ? shown : "\(start): \(shown)")
    }
    if lines.count == Self.mostLines { lines.append("…") }
  }

  /// The value in one line.
  var summary: String {
    switch self {
    case .array(let items): "array of \(items.count)"
    case .object(let members): "object with \(members.names.prefix(8).joined(separator: ", "))"
    default: shown
    }
  }

  /// The value as the name of a member: CBOR, MessagePack and OPACK have keys of any type.
  var asKey: String {
    switch self {
    case .text, .bytes, .int: text ?? ""
    default: summary
    }
  }

  private var shown: String {
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .int(let value): return "\(value)"
    case .float(let value): return "\(value)"
    case .text(let text): return "\"\(text)\""
    case .bytes(let bytes):
      var text = TextBuffer()
      for byte in bytes.prefix(Self.bytesInLine) { text.hex(byte) }
      if bytes.count > Self.bytesInLine { text.text("… ") }
      if bytes.isEmpty || bytes.count > Self.bytesInLine {
        text.string("(\(bytes.count) bytes)")
      }
      return text.string
    case .array, .object: return ""
    }
  }

  /// How many bytes of a value are spelled out, and how many lines there are at most.
  private static var bytesInLine: Int { 32 }
  private static var mostLines: Int { 1_000 }
}
