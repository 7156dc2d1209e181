import Yams

/// Reads the YAML of a layout, keeping every place.
///
/// Anchors and aliases are refused: no published layout has any, and with them a short file can
/// stand for an endless one.
package struct Document {
  /// No layout nests deeper; the specification's own tests reach 14.
  static let deepest = 48
  static let longest = 1 << 20

  private let file: String
  private let diagnostics: Diagnostics

  /// The document's node, or nil where it is no YAML; why is told to `diagnostics`.
  package static func read(_ text: String, file: String, _ diagnostics: Diagnostics) -> SourceNode?
  {
    let document = Document(file: file, diagnostics: diagnostics)
    guard text.utf8.count <= longest else {
      document.fail("a layout of more than \(longest) bytes", SourceLocation(line: 1, column: 1))
      return nil
    }
    if let place = firstAlias(in: text) {
      document.fail("YAML anchors and aliases are not supported", place)
      return nil
    }
    do {
      // No resolver: what a scalar means is Kaitai's business, and Yams' uses regular expressions.
      let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
      guard let root = try parser.singleRoot() else {
        return SourceNode(
          .scalar(SourceNode.Scalar(text: "", isPlain: true)), file: file,
          location: SourceLocation(line: 1, column: 1), path: "")
      }
      return document.convert(root, path: "", depth: 0)
    } catch {
      document.fail(error, in: text)
      return nil
    }
  }

  private func convert(_ node: Node, path: String, depth: Int) -> SourceNode? {
    let location =
      node.mark.map { SourceLocation(line: $0.line, column: $0.column) }
      ?? SourceLocation(line: 1, column: 1)
    func made(_ content: SourceNode.Content) -> SourceNode {
      SourceNode(content, file: file, location: location, path: path)
    }
    guard depth <= Self.deepest else {
      fail("nested deeper than \(Self.deepest) levels", location)
      return nil
    }
    switch node {
    case .scalar(let scalar):
      return made(.scalar(SourceNode.Scalar(text: scalar.string, isPlain: scalar.style == .plain)))
    case .sequence(let sequence):
      var items: [SourceNode] = []
      for (index, item) in sequence.enumerated() {
        guard let item = convert(item, path: "\(path)/\(index)", depth: depth + 1) else {
          return nil
        }
        items.append(item)
      }
      return made(.sequence(items))
    case .mapping(let mapping):
      var pairs: [(key: SourceNode, value: SourceNode)] = []
      for (key, value) in mapping {
        let name = if case .scalar(let scalar) = key { scalar.string } else { "?" }
        guard let key = convert(key, path: "\(path)/\(name)", depth: depth + 1),
          let value = convert(value, path: "\(path)/\(name)", depth: depth + 1)
        else { return nil }
        pairs.append((key, value))
      }
      return made(.mapping(pairs))
    case .alias:
      fail("YAML anchors and aliases are not supported", location)
      return nil
    }
  }

  // MARK: What is wrong

  private func fail(_ message: String, _ location: SourceLocation) {
    diagnostics.add(
      Diagnostic(.error, file: file, location, path: "/", message))
  }

  private func fail(_ error: any Error, in text: String) {
    func at(_ mark: Mark) -> SourceLocation { Self.inside(text, mark.line, mark.column) }
    guard let error = error as? YamlError else {
      return fail("not YAML", SourceLocation(line: 1, column: 1))
    }
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      // libyaml's own limit, which is higher, in words for its programmers.
      let isDeep = problem.hasPrefix("Maximum nesting level")
      fail(isDeep ? "nested deeper than \(Self.deepest) levels" : problem, at(mark))
    case .duplicatedKeysInMapping(let keys, let context):
      let key = keys.first ?? ""
      let first = at(context.mark)
      fail(
        "found duplicate key \(key)", Self.second(key, behind: first, in: text) ?? first)
    case .reader(let problem, _, _, _):
      fail(problem, SourceLocation(line: 1, column: 1))
    default:
      fail("not YAML: \(error)", SourceLocation(line: 1, column: 1))
    }
  }

  /// Where a text ends too early, its last line does: the parser tells of one behind it.
  private static func inside(_ text: String, _ line: Int, _ column: Int) -> SourceLocation {
    // YAML 1.1, 5.4
    let breaks: Set<Character> = ["\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}"]
    let lines = text.split(omittingEmptySubsequences: false) { breaks.contains($0) }
    let last = lines.lastIndex { !$0.isEmpty } ?? 0
    if line <= last + 1 { return SourceLocation(line: max(1, line), column: max(1, column)) }
    return SourceLocation(line: last + 1, column: lines[last].unicodeScalars.count + 1)
  }

  /// Where `key` stands again, in the column of the first: Yams tells only of that.
  private static func second(
    _ key: String, behind first: SourceLocation, in text: String
  ) -> SourceLocation? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated().dropFirst(first.line) {
      if line.unicodeScalars.dropFirst(first.column - 1).starts(with: (key + ":").unicodeScalars),
        line.unicodeScalars.prefix(first.column - 1).allSatisfy({ $0 == " " })
      {
        return SourceLocation(line: index + 1, column: first.column)
      }
    }
    return nil
  }

  /// Where a `*name` stands whose `&name` there is, both at the beginning of a word. Asked before
  /// the parser: it follows aliases by itself.
  private static func firstAlias(in text: String) -> SourceLocation? {
    var anchors: Set<[UInt8]> = []
    var found: SourceLocation?
    for sign in [UInt8(ascii: "&"), UInt8(ascii: "*")] {
      var (line, column) = (1, 1)
      var previous = UInt8(ascii: "\n")
      var name: [UInt8]?
      var place = SourceLocation(line: 1, column: 1)
      for byte in Array(text.utf8) + [UInt8(ascii: "\n")] {
        if name != nil, isName(byte) {
          name?.append(byte)
        } else if let word = name {
          if sign == UInt8(ascii: "&") {
            if !word.isEmpty { anchors.insert(word) }
          } else if anchors.contains(word), found == nil {
            found = place
          }
          name = nil
        }
        if byte == sign, !isName(previous) {
          name = []
          place = SourceLocation(line: line, column: column)
        }
        (line, column) = byte == UInt8(ascii: "\n") ? (line + 1, 1) : (line, column + 1)
        previous = byte
      }
      if anchors.isEmpty { return nil }
    }
    return found
  }

  private static func isName(_ byte: UInt8) -> Bool {
    !(byte <= 0x20 || [0x2C, 0x5B, 0x5D, 0x7B, 0x7D].contains(byte))
  }
}
