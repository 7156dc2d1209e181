import HarkCore

/// Walks the JSON of a key file and gathers all that is wrong with it.
struct KeyFileParser {
  typealias Problem = KeyFileError.Problem
  typealias Members = [String: JSONNode]

  private let bytes: [UInt8]
  private let name: String
  /// What is wrong, and where in the text.
  private var found: [(offset: Int, path: String, reason: String)] = []
  /// More mistakes than anybody corrects at once.
  private static let mostProblems = 1_000
  private static let mostLevels = 32

  init(bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  mutating func parse() throws(KeyFileError)
    -> (String?, Bool, [AccessoryKey], [SessionKey], [BondingKey], [BondingKey])
  {
    let root: JSONNode
    do {
      let limits = JSONParser.Limits(
        levels: Self.mostLevels, values: .max, takesDuplicates: false)
      root = try JSONParser.read(bytes, in: bytes.indices, limits)
    } catch {
      report("", error.offset, "not JSON: \(Self.text(of: error.reason))")
      throw KeyFileError(file: name, problems: problems())
    }
    var note: String?
    var isTest = false
    var accessoryKeys: [AccessoryKey] = []
    var sessionKeys: [SessionKey] = []
    var proximityKeys: [BondingKey] = []
    var longTermKeys: [BondingKey] = []
    let known = [
      "format", "version", "note", "test", "accessoryKeys", "sessionKeys", "proximityKeys",
      "longTermKeys",
    ]
    if let members = object(root, "", known) {
      checkFormat(members, root)
      note = optionalText(members, "note", "")
      isTest = optionalFlag(members, "test", "") ?? false
      for (path, element) in elements(members, "accessoryKeys") {
        if let key = accessoryKey(element, path) { accessoryKeys.append(key) }
      }
      for (path, element) in elements(members, "sessionKeys") {
        if let key = sessionKey(element, path) { sessionKeys.append(key) }
      }
      for (path, element) in elements(members, "proximityKeys") {
        proximityKeys += self.proximityKeys(element, path)
      }
      for (path, element) in elements(members, "longTermKeys") {
        longTermKeys += longTermKey(element, path)
      }
    }
    let count = accessoryKeys.count + sessionKeys.count + proximityKeys.count + longTermKeys.count
    if count > KeyRing.mostOfFiles {
      report("", root, "holds \(count) keys; hark takes \(KeyRing.mostOfFiles) at most")
    }
    guard found.isEmpty else { throw KeyFileError(file: name, problems: problems()) }
    return (note, isTest, accessoryKeys, sessionKeys, proximityKeys, longTermKeys)
  }

  private mutating func checkFormat(_ members: Members, _ root: JSONNode) {
    if let format = requiredText(members, "format", "", root), format != "hark-keys" {
      report("format", members["format"], "must be \"hark-keys\"")
    }
    guard let version = members["version"] else {
      return report("version", root, "is missing; this hark reads version 1")
    }
    guard case .number(let range) = version.value, bytes[range].elementsEqual("1".utf8) else {
      return report("version", version, "must be the number 1; this hark reads no other")
    }
  }

  private mutating func accessoryKey(_ node: JSONNode, _ path: String) -> AccessoryKey? {
    let known = ["name", "note", "cipherSuite", "privateKey", "publicKey", "identifiers"]
    guard let members = object(node, path, known) else { return nil }
    let label = optionalText(members, "name", path)
    _ = optionalText(members, "note", path)
    let identifiers = texts(members, "identifiers", path)
    let suite = requiredText(members, "cipherSuite", path, node).flatMap {
      CipherSuite(spelling: $0)
    }
    if suite == nil, case .string = members["cipherSuite"]?.value {
      report("\(path).cipherSuite", members["cipherSuite"], "must be \"xWing\" or \"p256\"")
    }
    let publicKey = members["publicKey"].flatMap {
      keyBytes($0, "\(path).publicKey", [64, 65, 1216])
    }
    guard var secret = requiredKey(members, "privateKey", path, node, [32, 64]) else { return nil }
    defer { Sodium.wipe(&secret) }
    guard let suite else { return nil }
    do {
      return try AccessoryKey(
        suite, privateKey: &secret, publicKey: publicKey, name: label, identifiers: identifiers,
        origin: .file(name))
    } catch {
      let member = error == .publicKeyDiffers ? "publicKey" : "privateKey"
      report("\(path).\(member)", members[member], "\(error)")
      return nil
    }
  }

  private mutating func sessionKey(_ node: JSONNode, _ path: String) -> SessionKey? {
    let known = ["name", "note", "direction", "sessionID", "key"]
    guard let members = object(node, path, known) else { return nil }
    let label = optionalText(members, "name", path)
    _ = optionalText(members, "note", path)
    let spelling = requiredText(members, "direction", path, node)
    let direction = spelling.flatMap { MessageDirection(rawValue: $0) }
    if spelling != nil, direction == nil {
      report(
        "\(path).direction", members["direction"],
        "must be \"HostToAccessory\" or \"AccessoryToHost\"")
    }
    let session = requiredText(members, "sessionID", path, node)
    if let session, session.utf8.count != 36 || BluetoothUUID(session) == nil {
      report("\(path).sessionID", members["sessionID"], "must be a UUID of 36 characters")
    }
    guard var secret = requiredKey(members, "key", path, node, [32]) else { return nil }
    defer { Sodium.wipe(&secret) }
    do {
      // What is missing was reported; the key is made all the same to check its size.
      return try SessionKey(
        &secret, direction: direction ?? .hostToAccessory, session: session ?? "", name: label,
        origin: .file(name))
    } catch {
      report("\(path).key", members["key"], "\(error)")
      return nil
    }
  }
}

// Keys of pairing.
extension KeyFileParser {
  /// Most significant octet first, as the specification prints it.
  private mutating func longTermKey(_ node: JSONNode, _ path: String) -> [BondingKey] {
    let known = ["name", "note", "address", "key"]
    guard let members = object(node, path, known) else { return [] }
    _ = optionalText(members, "name", path)
    _ = optionalText(members, "note", path)
    let text = optionalText(members, "address", path)
    let address = text.flatMap { Self.address($0) }
    if text != nil, address == nil {
      report("\(path).address", members["address"], "must be six octets, such as C0:DE:00:00:00:01")
    }
    guard var octets = requiredKey(members, "key", path, node, [16]) else { return [] }
    octets.reverse()
    var keys: [BondingKey] = []
    add(.longTermKey, &octets, address, "\(path).key", members, to: &keys)
    return keys
  }

  private mutating func proximityKeys(_ node: JSONNode, _ path: String) -> [BondingKey] {
    let known = ["note", "address", "encryptionKey", "identityResolvingKey"]
    guard let members = object(node, path, known) else { return [] }
    _ = optionalText(members, "note", path)
    let text = requiredText(members, "address", path, node)
    let address = text.flatMap { Self.address($0) }
    if text != nil, address == nil {
      report("\(path).address", members["address"], "must be six octets, such as C0:DE:00:00:00:01")
    }
    var keys: [BondingKey] = []
    if var octets = requiredKey(members, "encryptionKey", path, node, [16]) {
      // The form that is given is that of AES, and the one that is taken that of SMP.
      octets.reverse()
      add(.proximityPairingKey, &octets, address, "\(path).encryptionKey", members, to: &keys)
    }
    if let node = members["identityResolvingKey"],
      var octets = keyBytes(node, "\(path).identityResolvingKey", [16])
    {
      add(
        .identityResolvingKey, &octets, address, "\(path).identityResolvingKey", members,
        to: &keys)
    }
    return keys
  }

  private mutating func add(
    _ kind: BondingKey.Kind, _ octets: inout [UInt8], _ address: BluetoothAddress?,
    _ path: String, _ members: Members, to keys: inout [BondingKey]
  ) {
    do {
      keys.append(try BondingKey(kind, &octets, address: address, origin: .file(name)))
    } catch {
      let member = path.split(separator: ".").last.map(String.init) ?? ""
      report(path, members[member], "\(error)")
    }
  }

  /// `C0:DE:00:00:00:01`
  private static func address(_ text: String) -> BluetoothAddress? {
    let octets = text.split(separator: ":", omittingEmptySubsequences: false)
    guard octets.count == 6, octets.allSatisfy({ $0.utf8.count == 2 }),
      let value = UInt64(octets.joined(), radix: 16)
    else { return nil }
    return BluetoothAddress(value)
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

  private mutating func report(_ path: String, _ node: JSONNode?, _ reason: String) {
    report(path, node?.offset ?? 0, reason)
  }

  private static func join(_ path: String, _ name: String) -> String {
    path.isEmpty ? name : "\(path).\(name)"
  }

  /// The members of an object; each that is not `known` is an error.
  private mutating func object(_ node: JSONNode, _ path: String, _ known: [String]) -> Members? {
    guard case .object(let list) = node.value else {
      report(path, node, "must be an object, is \(node.kind)")
      return nil
    }
    var members: Members = [:]
    for (name, value) in list {
      members[name] = value
      guard known.contains(name) == false else { continue }
      // A name is shown only when it resembles a known one: anything else may be a pasted key.
      if let near = Spelling.nearest(to: name, in: known) {
        report(Self.join(path, name), value, "unknown member; did you mean `\(near)`?")
      } else {
        report(path, value, "unknown member; known are \(known.joined(separator: ", "))")
      }
    }
    return members
  }

  private mutating func elements(_ members: Members, _ name: String) -> [(String, JSONNode)] {
    guard let node = members[name] else { return [] }
    guard case .array(let list) = node.value else {
      report(name, node, "must be an array, is \(node.kind)")
      return []
    }
    return list.enumerated().map { ("\(name)[\($0.offset)]", $0.element) }
  }

  private mutating func optionalText(_ members: Members, _ name: String, _ path: String) -> String?
  {
    guard let node = members[name] else { return nil }
    guard case .string(let range) = node.value else {
      report(Self.join(path, name), node, "must be a string, is \(node.kind)")
      return nil
    }
    return JSONParser.string(range, in: bytes)
  }

  private mutating func optionalFlag(_ members: Members, _ name: String, _ path: String) -> Bool? {
    guard let node = members[name] else { return nil }
    guard case .bool(let flag) = node.value else {
      report(Self.join(path, name), node, "must be true or false, is \(node.kind)")
      return nil
    }
    return flag
  }

  private mutating func requiredText(
    _ members: Members, _ name: String, _ path: String, _ owner: JSONNode
  ) -> String? {
    if members[name] == nil { report(Self.join(path, name), owner, "is missing") }
    return optionalText(members, name, path)
  }

  private mutating func texts(_ members: Members, _ name: String, _ path: String) -> [String] {
    guard let node = members[name] else { return [] }
    guard case .array(let list) = node.value else {
      report("\(path).\(name)", node, "must be an array of strings, is \(node.kind)")
      return []
    }
    var result: [String] = []
    for (index, element) in list.enumerated() {
      if case .string(let range) = element.value {
        result.append(JSONParser.string(range, in: bytes))
      } else {
        report("\(path).\(name)[\(index)]", element, "must be a string, is \(element.kind)")
      }
    }
    return result
  }

  private mutating func requiredKey(
    _ members: Members, _ name: String, _ path: String, _ owner: JSONNode, _ sizes: Set<Int>
  ) -> [UInt8]? {
    guard let node = members[name] else {
      report("\(path).\(name)", owner, "is missing")
      return nil
    }
    return keyBytes(node, "\(path).\(name)", sizes)
  }

  private mutating func keyBytes(_ node: JSONNode, _ path: String, _ sizes: Set<Int>) -> [UInt8]? {
    guard case .string(let range) = node.value else {
      report(path, node, "must be a string, is \(node.kind)")
      return nil
    }
    guard let key = KeyText.bytes(bytes[range], sizes: sizes) else {
      report(path, node, "is neither hexadecimal digits nor base64")
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
    case .duplicate: "this member is here twice"
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
