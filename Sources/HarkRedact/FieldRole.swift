import HarkDissection

/// What fields are to the redaction, by their declarations.
struct FieldRoles {
  struct Role {
    /// What is removed of its value; nil where it stays.
    var kind: PersonalKind?
    var isText = false
    /// Whether it is a text in UTF-16, most significant octet first.
    var isUTF16 = false
    /// Whether some of its words say what it is.
    var isDocument = false
    /// Whether it says if the address behind it is a random one.
    var isAddressType = false
    /// Whether an address in it is a random one, whatever stands before.
    var isRandom = false
    var isIRK = false
    /// Whether it is a part of something that another PDU explains.
    var isFragment = false
    /// Whether that is a key.
    var isOfKey = false
    /// Whether nobody explains what is in it.
    var isOpaque = false
    /// Whether it is the CRC of a packet of LE on the air.
    var isAirCRC = false
    /// Whether it says if that is right.
    var isAirCheck = false
    var checksum: Field.Checksum?
    /// How many bytes at its beginning stay: other tools read a header there.
    var front = 0
  }

  let level: RedactionLevel
  private var roles: [Field: Role] = [:]

  init(_ level: RedactionLevel) { self.level = level }

  mutating func role(of node: Tree.Node) -> Role {
    if let role = roles[node.field] { return role }
    let role = made(of: node.field, isUndecoded: node.kind == .undecoded, count: node.count)
    roles[node.field] = role
    return role
  }

  func made(of field: Field, isUndecoded: Bool = false, count: UInt32 = 0) -> Role {
    let definition = field.definition
    let name = definition.name.description
    var role = Role()
    role.kind = definition.personal.flatMap { PersonalKind($0, level) }
    if definition.secret, definition.personal == nil { role.kind = .key }
    if case .address = definition.form { role.kind = .address }
    if case .text = definition.form { role.isText = true }
    if case .utf16 = definition.form { role.isUTF16 = true }
    role.isDocument = definition.personal == .document
    role.isFragment = name.hasPrefix("Fragment") || name == "SDU Segment"
    role.isOfKey = role.isFragment && definition.secret
    // What it is put together to has the key, and the header in front of it.
    if role.isOfKey { role.kind = nil }
    role.isOpaque = isUndecoded || definition.personal == .opaque
    if level == .strict, role.isOpaque { role.kind = .opaque }
    role.isAddressType = name.contains("Address") && name.hasSuffix("Type")
    role.isRandom = name.contains("Random") || name.contains("Resolvable")
    role.isIRK = role.kind == .key && (name.contains("IRK") || name.contains("Identity"))
    role.isAirCRC = name == "CRC" && count == 3
    role.isAirCheck = name == "CRC check"
    role.checksum = definition.checksum
    if name == "Diagnostics of the controller" { role.front = 4 }
    return role
  }

  /// Whether what is read may have been heard wrong: a packet on the air whose CRC is wrong, or cannot be
  /// checked.
  mutating func isDoubtful(_ tree: Tree) -> Bool {
    // The CRC is the last of a packet, and what it is checked for behind it.
    let last = tree.nodes.suffix(2).map { (role: role(of: $0), value: $0.value) }
    return last.contains { $0.role.isAirCRC }
      && !last.contains { $0.role.isAirCheck && $0.value == 1 }
  }
}
