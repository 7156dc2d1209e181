import HarkCore

/// Reads the YAML of a layout, keeping every place.
///
/// Aliases are refused: no published layout has any, and with them a short file can stand for an
/// endless one.
package struct Document {
  /// No layout nests deeper; the specification's own tests reach 14.
  static let deepest = 48
  static let longest = 1 << 20

  private let file: String
  private let reader: YAMLReader

  /// The document's node, or nil if it is not YAML; `diagnostics` gets the reason.
  package static func read(_ text: String, file: String, _ diagnostics: Diagnostics) -> SourceNode?
  {
    func fail(_ message: String, _ location: SourceLocation) {
      diagnostics.add(Diagnostic(.error, file: file, location, path: "/", message))
    }
    guard text.utf8.count <= longest else {
      fail("a layout of more than \(longest) bytes", SourceLocation(line: 1, column: 1))
      return nil
    }
    // A capture, or another file that is not text.
    if let contents = FileContents(Array(text.utf8)), contents != .empty {
      fail("\(contents), not YAML", SourceLocation(line: 1, column: 1))
      return nil
    }
    var text = text
    let read = text.withUTF8 { bytes in
      Result { () throws(YAMLReader.Failure) -> SourceNode in
        try unsafe Document(file: file, reader: YAMLReader(bytes)).root()
      }
    }
    switch read {
    case .success(let root): return root
    case .failure(let failure):
      fail(failure.message, inside(text, failure.location))
      return nil
    }
  }

  private func root() throws(YAMLReader.Failure) -> SourceNode {
    _ = try reader.next()
    // An empty text has no document.
    if case .streamEnd = try reader.next() {
      return SourceNode(
        .scalar(SourceNode.Scalar(text: "", isPlain: true)), file: file,
        location: SourceLocation(line: 1, column: 1), path: "")
    }
    let root = try node(reader.next(), path: "", depth: 0)
    _ = try reader.next()
    guard case .streamEnd = try reader.next() else {
      throw failure("but found another document")
    }
    return root
  }

  /// What begins with `event`, read to its end.
  private func node(
    _ event: YAMLReader.Event, path: String, depth: Int
  ) throws(YAMLReader.Failure) -> SourceNode {
    guard depth <= Self.deepest else {
      throw failure("nested deeper than \(Self.deepest) levels")
    }
    let location = reader.location
    let content: SourceNode.Content =
      switch event {
      case .scalar(let scalar): .scalar(scalar)
      case .sequence: .sequence(try items(path, depth))
      case .mapping: .mapping(try pairs(path, depth))
      case .alias: throw failure("YAML anchors and aliases are not supported")
      case .end, .streamEnd, .boundary: throw failure("not YAML")
      }
    return SourceNode(content, file: file, location: location, path: path)
  }

  private func items(_ path: String, _ depth: Int) throws(YAMLReader.Failure) -> [SourceNode] {
    var items: [SourceNode] = []
    while true {
      let event = try reader.next()
      if case .end = event { return items }
      items.append(try node(event, path: "\(path)/\(items.count)", depth: depth + 1))
    }
  }

  private func pairs(
    _ path: String, _ depth: Int
  ) throws(YAMLReader.Failure) -> [(key: SourceNode, value: SourceNode)] {
    var pairs: [(key: SourceNode, value: SourceNode)] = []
    var names: Set<String> = []
    while true {
      let event = try reader.next()
      if case .end = event { return pairs }
      var name = "?"
      if case .scalar(let scalar) = event {
        name = scalar.text
        guard names.insert(name).inserted else { throw failure("found duplicate key \(name)") }
      }
      let key = try node(event, path: "\(path)/\(name)", depth: depth + 1)
      pairs.append((key, try node(reader.next(), path: key.path, depth: depth + 1)))
    }
  }

  private func failure(_ message: String) -> YAMLReader.Failure {
    YAMLReader.Failure(message: message, location: reader.location)
  }

  /// If a text ends too early, the last line is to blame: the parser names the line after it.
  private static func inside(_ text: String, _ place: SourceLocation) -> SourceLocation {
    // YAML 1.1, 5.4
    let breaks: Set<Character> = ["\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}"]
    let lines = text.split(omittingEmptySubsequences: false) { breaks.contains($0) }
    let last = lines.lastIndex { !$0.isEmpty } ?? 0
    if place.line <= last + 1 { return place }
    return SourceLocation(line: last + 1, column: lines[last].unicodeScalars.count + 1)
  }
}
