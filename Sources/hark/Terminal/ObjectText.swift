import HarkAppLog
import HarkCore
import HarkPresentation

/// Writes XPC objects and property lists as a tree, with the bytes of each value.
struct ObjectText {
  let style: Style

  func write(_ file: ObjectFile, _ name: String, to out: inout TextBuffer) {
    style.write(.strong, to: &out) { $0.printable(name) }
    out.string("  \(file.count) \(file.count == 1 ? "byte" : "bytes")")
    if let spelling = file.spelling { out.string(", in \(spelling)") }
    out.byte(0x0A)
    for node in file.nodes { write(node, 1, to: &out) }
    if let problem = file.problem {
      style.write(.error, to: &out) { $0.string("  \(problem)") }
      out.byte(0x0A)
    }
  }

  private func write(_ node: ObjectNode, _ depth: Int, to out: inout TextBuffer) {
    var line = String(repeating: "  ", count: depth) + "\(node.name): \(node.kind)"
    if !node.value.isEmpty, node.value != node.kind {
      line += node.kind == "string" ? " \"\(node.value)\"" : " \(node.value)"
    }
    line = Timeline.printable(line)
    out.string(line)
    out.string(String(repeating: " ", count: max(0, Self.column - Columns.of(line))))
    style.write(.faint, to: &out) { out in
      out.string("  [\(node.range.lowerBound)..<\(node.range.upperBound)]")
    }
    out.byte(0x0A)
    for child in node.children { write(child, depth + 1, to: &out) }
  }

  /// Where the places of the bytes stand.
  private static let column = 60

  /// One JSON object. The form is described in docs/app-log.md.
  static func json(_ file: ObjectFile, _ name: String, to out: inout TextBuffer) {
    var json = JSONText()
    json.object { json in
      json.string("name", name)
      json.number("size", file.count)
      json.string("spelling", file.spelling)
      json.objects("objects", file.nodes) { node, json in members(of: node, to: &json) }
      json.string("problem", file.problem?.description)
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }

  private static func members(of node: ObjectNode, to json: inout JSONText) {
    json.string("name", node.name)
    json.string("type", node.kind)
    if node.children.isEmpty { json.string("value", node.value) }
    json.number("offset", node.range.lowerBound)
    json.number("size", node.range.count)
    if !node.children.isEmpty {
      json.objects("children", node.children) { child, json in members(of: child, to: &json) }
    }
  }
}
