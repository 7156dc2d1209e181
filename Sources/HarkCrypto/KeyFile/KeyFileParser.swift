import HarkCore

/// Walks the JSON of a key file and gathers everything that is wrong with it.
struct KeyFileParser {
  typealias Problem = KeyFileError.Problem
  typealias Members = [String: JSONNode]

  let bytes: [UInt8]
  let name: String
  /// What is wrong, and where in the text.
  private var found: [(offset: Int, path: String, reason: String)] = []
  /// More mistakes than anybody corrects at once.
  private static let mostProblems = 1_000
  private static let mostLevels = 32

  init(bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  mutating func parse() throws(KeyFileError) -> KeyFile {
    let root: JSONNode
    guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
      throw KeyFileError(file: name, problems: [notKeys(FileContents(bytes))])
    }
    do {
      let limits = JSONParser.Limits(
        levels: Self.mostLevels, values: .max, takesDuplicates: false)
      root = try JSONParser.read(bytes, in: bytes.indices, limits)
    } catch {
      report("", error.offset, "not JSON: \(Self.text(of: error.reason))")
      throw KeyFileError(file: name, problems: problems())
    }
    var file = KeyFile()
    if let found = format(of: root), found.text != "hark-keys" {
      // Of another file, the members say nothing.
      report("format", found.node, "must be \"hark-keys\"")
      checkVersion(found.members["version"], root)
      throw KeyFileError(file: name, problems: problems())
    }
    if let members = object(root, "", Self.members) {
      checkFormat(members, root)
      file.note = optionalText(members, "note", "")
      file.isTest = optionalFlag(members, "test", "") ?? false
      let lists = Self.lists.map { (read: $0.read, elements: elements(members, $0.name)) }
      let count = lists.reduce(0) { $0 + $1.elements.count }
      if count > KeyRing.mostOfFiles {
        report("", root, "\(count) keys; hark accepts at most \(KeyRing.mostOfFiles)")
        throw KeyFileError(file: name, problems: problems())
      }
      file.keys.reserveCapacity(count)
      SecretSlab.beginFilling()
      defer { SecretSlab.endFilling() }
      for list in lists {
        for (path, element) in list.elements { list.read(&self, element, path, &file.keys) }
      }
    }
    guard found.isEmpty else { throw KeyFileError(file: name, problems: problems()) }
    return file
  }

  /// Another file was named.
  private func notKeys(_ contents: FileContents?) -> Problem {
    let reason =
      contents == .empty
      ? "the file is empty; 'hark keys' creates key files"
      : "not a key file but \(contents?.description ?? "text"); a key file is JSON or encrypted. "
        + "To import keys of another program or of a capture: hark keys import"
    return Problem(path: "", line: nil, column: nil, reason: reason)
  }

  /// A list of the file, and how one of its entries is read.
  private struct List: Sendable {
    let name: String
    let read: @Sendable (inout KeyFileParser, JSONNode, String, inout [StoredKey]) -> Void
  }

  private static let lists: [List] = [
    List(name: "accessoryKeys") { parser, node, path, keys in
      if let key = parser.accessoryKey(node, path) { keys.append(.accessory(key)) }
    },
    List(name: "sessionKeys") { parser, node, path, keys in
      if let key = parser.sessionKey(node, path) { keys.append(.session(key)) }
    },
    List(name: "internetKeys") { parser, node, path, keys in
      if let key = parser.internetKey(node, path) { keys.append(.internet(key)) }
    },
    List(name: "proximityKeys") { $0.proximityKeys($1, $2, &$3) },
    List(name: "longTermKeys") { $0.bondingKey(.longTermKey, $1, $2, &$3) },
    List(name: "identityResolvingKeys") { $0.bondingKey(.identityResolvingKey, $1, $2, &$3) },
    List(name: "signatureResolvingKeys") { $0.bondingKey(.signatureResolvingKey, $1, $2, &$3) },
    List(name: "linkKeys") { $0.bondingKey(.linkKey, $1, $2, &$3) },
    List(name: "temporaryKeys") { $0.bondingKey(.temporaryKey, $1, $2, &$3) },
  ]

  private static let members = ["format", "version", "note", "test"] + lists.map(\.name)

  /// The value of the member `format`, and the others.
  private func format(of root: JSONNode) -> (node: JSONNode, text: String, members: Members)? {
    guard case .object(let list) = root.value else { return nil }
    let members = Members(list.map { ($0.name, $0.value) }) { first, _ in first }
    guard let node = members["format"], case .string(let range) = node.value else { return nil }
    return (node, JSONParser.string(range, in: bytes), members)
  }

  private mutating func checkFormat(_ members: Members, _ root: JSONNode) {
    _ = requiredText(members, "format", "", root)
    checkVersion(members["version"], root)
  }

  private mutating func checkVersion(_ version: JSONNode?, _ root: JSONNode) {
    guard let version else {
      return report("version", root, "missing; this version of hark reads version 1")
    }
    guard case .number(let range) = version.value, bytes[range].elementsEqual("1".utf8) else {
      return report("version", version, "must be the number 1; this version of hark reads no other")
    }
  }
}

// What every member needs.
extension KeyFileParser {
  private mutating func report(_ path: String, _ offset: Int, _ reason: String) {
    guard found.count < Self.mostProblems else { return }
    found.append((offset, path, reason))
  }

  /// What is wrong in the order of the text, with lines and columns.
  private func problems() -> [Problem] {
    var (line, start, position) = (1, 0, 0)
    let inOrder = found.indices.sorted { (found[$0].offset, $0) < (found[$1].offset, $1) }
    return inOrder.map { index in
      let (offset, path, reason) = found[index]
      while position < min(offset, bytes.count) {
        if bytes[position] == 0x0A { (line, start) = (line + 1, position + 1) }
        position += 1
      }
      return Problem(path: path, line: line, column: offset - start + 1, reason: reason)
    }
  }

  mutating func report(_ path: String, _ node: JSONNode?, _ reason: String) {
    report(path, node?.offset ?? 0, reason)
  }

  private static func join(_ path: String, _ name: String) -> String {
    path.isEmpty ? name : "\(path).\(name)"
  }

  /// The members of an object; each that is not `known` is an error.
  mutating func object(_ node: JSONNode, _ path: String, _ known: [String]) -> Members? {
    guard case .object(let list) = node.value else {
      report(path, node, "must be an object, not \(node.kind)")
      return nil
    }
    var members: Members = [:]
    for (name, value) in list {
      members[name] = value
      guard known.contains(name) == false else { continue }
      // A name is shown only when it resembles a known one: anything else may be a pasted key.
      if let near = Spelling.nearest(to: name, in: known) {
        report(Self.join(path, name), value, "unknown member; did you mean '\(near)'?")
      } else {
        report(path, value, "unknown member; known members are \(known.joined(separator: ", "))")
      }
    }
    return members
  }

  private mutating func elements(_ members: Members, _ name: String) -> [(String, JSONNode)] {
    guard let node = members[name] else { return [] }
    guard case .array(let list) = node.value else {
      report(name, node, "must be an array, not \(node.kind)")
      return []
    }
    return list.enumerated().map { ("\(name)[\($0.offset)]", $0.element) }
  }

  mutating func optionalText(_ members: Members, _ name: String, _ path: String) -> String? {
    guard let node = members[name] else { return nil }
    guard case .string(let range) = node.value else {
      report(Self.join(path, name), node, "must be a string, not \(node.kind)")
      return nil
    }
    return JSONParser.string(range, in: bytes)
  }

  private mutating func optionalFlag(_ members: Members, _ name: String, _ path: String) -> Bool? {
    guard let node = members[name] else { return nil }
    guard case .bool(let flag) = node.value else {
      report(Self.join(path, name), node, "must be true or false, not \(node.kind)")
      return nil
    }
    return flag
  }

  /// A whole number of up to 32 bits.
  mutating func optionalNumber(_ members: Members, _ name: String, _ path: String) -> UInt32? {
    guard let node = members[name] else { return nil }
    guard case .number(let range) = node.value,
      let value = UInt32(String(decoding: bytes[range], as: UTF8.self))
    else {
      report(Self.join(path, name), node, "must be a whole number below 4294967296")
      return nil
    }
    return value
  }

  mutating func requiredText(
    _ members: Members, _ name: String, _ path: String, _ owner: JSONNode
  ) -> String? {
    if members[name] == nil { report(Self.join(path, name), owner, "missing") }
    return optionalText(members, name, path)
  }

  mutating func texts(_ members: Members, _ name: String, _ path: String) -> [String] {
    guard let node = members[name] else { return [] }
    guard case .array(let list) = node.value else {
      report("\(path).\(name)", node, "must be an array of strings, not \(node.kind)")
      return []
    }
    var result: [String] = []
    for (index, element) in list.enumerated() {
      if case .string(let range) = element.value {
        result.append(JSONParser.string(range, in: bytes))
      } else {
        report("\(path).\(name)[\(index)]", element, "must be a string, not \(element.kind)")
      }
    }
    return result
  }

  mutating func requiredKey(
    _ members: Members, _ name: String, _ path: String, _ owner: JSONNode, _ sizes: [Int]
  ) -> [UInt8]? {
    guard let node = members[name] else {
      report("\(path).\(name)", owner, "missing")
      return nil
    }
    return keyBytes(node, "\(path).\(name)", sizes)
  }

  mutating func keyBytes(_ node: JSONNode, _ path: String, _ sizes: [Int]) -> [UInt8]? {
    guard case .string(let range) = node.value else {
      report(path, node, "must be a string, not \(node.kind)")
      return nil
    }
    if let mistake = KeyText.mistake(bytes[range], sizes: sizes) {
      report(path, node, mistake)
      return nil
    }
    guard let key = KeyText.bytes(bytes[range], sizes: sizes) else {
      report(path, node, "neither hexadecimal digits nor base64")
      return nil
    }
    return key
  }
}

extension KeyFileParser {
  private static func text(of reason: JSONParser.Failure.Reason) -> String {
    switch reason {
    case .expected(let what): "expected \(what)"
    case .expectedEnd: "expected the end of the file"
    case .tooDeep: "more than \(mostLevels) levels"
    case .tooMany: "too many values"
    case .duplicate: "duplicate member"
    }
  }
}

extension JSONNode {
  /// What a user would call it.
  fileprivate var kind: String {
    switch value {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
