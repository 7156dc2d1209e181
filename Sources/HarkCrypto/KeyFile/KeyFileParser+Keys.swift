import HarkCore

// The entries of the lists.
extension KeyFileParser {
  /// What each key may have.
  private static let details = ["name", "note", "source", "address", "since", "until"]
  private static let accessoryMembers =
    details + ["cipherSuite", "privateKey", "publicKey", "identifiers"]
  private static let sessionMembers = details + ["direction", "sessionID", "key"]
  private static let internetMembers = details + ["direction", "keyID", "index", "key"]
  private static let proximityMembers = details + ["encryptionKey", "identityResolvingKey"]
  private static let bondingMembers = details + ["key"]

  private mutating func details(
    _ members: Members, _ path: String, needsAddress owner: JSONNode? = nil
  ) -> KeyDetails {
    var details = KeyDetails()
    details.name = optionalText(members, "name", path)
    details.note = optionalText(members, "note", path)
    details.source = optionalText(members, "source", path)
    let text =
      owner.map { requiredText(members, "address", path, $0) }
      ?? optionalText(members, "address", path)
    details.address = text.flatMap { BluetoothAddress($0) }
    if text != nil, details.address == nil {
      report("\(path).address", members["address"], "must be six octets, such as C0:DE:00:00:00:01")
    }
    details.since = date(members, "since", path)
    details.until = date(members, "until", path)
    return details
  }

  private mutating func date(_ members: Members, _ name: String, _ path: String) -> Timestamp? {
    guard let text = optionalText(members, name, path) else { return nil }
    guard let time = KeyDate.time(text) else {
      report(
        "\(path).\(name)", members[name],
        "must be a date in UTC, such as 2026-11-20 or 2026-11-20T16:41:00Z")
      return nil
    }
    return time
  }

  mutating func accessoryKey(_ node: JSONNode, _ path: String) -> AccessoryKey? {
    guard let members = object(node, path, Self.accessoryMembers) else { return nil }
    let details = details(members, path)
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
      var key = try AccessoryKey(
        suite, privateKey: &secret, publicKey: publicKey, identifiers: identifiers,
        origin: .file(name))
      key.details = details
      return key
    } catch {
      let member =
        switch error {
        case .publicKeyDiffers, .publicKeySize: "publicKey"
        case .size, .invalid, .symmetricSize: "privateKey"
        }
      report("\(path).\(member)", members[member], "\(error)")
      return nil
    }
  }

  private mutating func direction(
    _ members: Members, _ path: String, _ node: JSONNode
  ) -> MessageDirection {
    let spelling = requiredText(members, "direction", path, node)
    let direction = spelling.flatMap { MessageDirection(rawValue: $0) }
    if spelling != nil, direction == nil {
      report(
        "\(path).direction", members["direction"],
        "must be \"HostToAccessory\" or \"AccessoryToHost\"")
    }
    // What is missing was reported; the key is made all the same to check its size.
    return direction ?? .hostToAccessory
  }

  mutating func sessionKey(_ node: JSONNode, _ path: String) -> SessionKey? {
    guard let members = object(node, path, Self.sessionMembers) else { return nil }
    let details = details(members, path)
    let direction = direction(members, path, node)
    let session = requiredText(members, "sessionID", path, node)
    if let session, session.utf8.count != 36 || BluetoothUUID(session) == nil {
      report("\(path).sessionID", members["sessionID"], "must be a UUID of 36 characters")
    }
    guard var secret = requiredKey(members, "key", path, node, [32]) else { return nil }
    defer { Sodium.wipe(&secret) }
    do {
      var key = try SessionKey(
        &secret, direction: direction, session: session ?? "", origin: .file(name))
      key.details = details
      return key
    } catch {
      report("\(path).key", members["key"], "\(error)")
      return nil
    }
  }

  mutating func internetKey(_ node: JSONNode, _ path: String) -> InternetKey? {
    guard let members = object(node, path, Self.internetMembers) else { return nil }
    let details = details(members, path)
    let direction = direction(members, path, node)
    let index = optionalNumber(members, "index", path) ?? 0
    var keyID: UInt32?
    if let text = optionalText(members, "keyID", path) {
      keyID = text.utf8.count == 8 ? UInt32(text, radix: 16) : nil
      if keyID == nil {
        report("\(path).keyID", members["keyID"], "must be 8 hexadecimal digits")
      }
    }
    guard var secret = requiredKey(members, "key", path, node, [32]) else { return nil }
    defer { Sodium.wipe(&secret) }
    do {
      return try InternetKey(
        &secret, direction: direction, keyID: keyID, index: index, details: details,
        origin: .file(name))
    } catch {
      report("\(path).key", members["key"], "\(error)")
      return nil
    }
  }

  /// Most significant octet first, as the specification prints it.
  mutating func bondingKey(
    _ kind: BondingKey.Kind, _ node: JSONNode, _ path: String, _ keys: inout [StoredKey]
  ) {
    guard let members = object(node, path, Self.bondingMembers) else { return }
    let details = details(members, path)
    guard var octets = requiredKey(members, "key", path, node, [16]) else { return }
    octets.reverse()
    add(kind, &octets, details, "\(path).key", members["key"], &keys)
  }

  mutating func proximityKeys(_ node: JSONNode, _ path: String, _ keys: inout [StoredKey]) {
    guard let members = object(node, path, Self.proximityMembers) else { return }
    let details = details(members, path, needsAddress: node)
    if var octets = requiredKey(members, "encryptionKey", path, node, [16]) {
      // The form that is given is that of AES, and the one that is taken that of SMP.
      octets.reverse()
      add(
        .proximityPairingKey, &octets, details, "\(path).encryptionKey", members["encryptionKey"],
        &keys)
    }
    if let node = members["identityResolvingKey"],
      var octets = keyBytes(node, "\(path).identityResolvingKey", [16])
    {
      add(
        .identityResolvingKey, &octets, details, "\(path).identityResolvingKey", node, &keys)
    }
  }

  private mutating func add(
    _ kind: BondingKey.Kind, _ octets: inout [UInt8], _ details: KeyDetails, _ path: String,
    _ node: JSONNode?, _ keys: inout [StoredKey]
  ) {
    do {
      var key = try BondingKey(kind, &octets, address: details.address, origin: .file(name))
      key.details = details
      keys.append(.bonding(key))
    } catch {
      report(path, node, "\(error)")
    }
  }
}
