import HarkCore
import HarkDissection

/// How redaction treats each field, from the field's declaration.
struct FieldRoles {
  struct Role {
    /// The kind of personal data to remove; nil if the value stays, or if nothing is declared.
    var kind: PersonalKind?
    /// Which values stay.
    var structure = Structure.none
    var isText = false
    /// Whether it is a text in UTF-16, most significant octet first.
    var isUTF16 = false
    /// Whether some of its words name the parts of the text.
    var isDocument = false
    var isUUID = false
    /// Which address it describes, if it is the type of one.
    var addressType: AddressType?
    /// Whether an address in it is a random one, whatever precedes it.
    var isRandom = false
    var isIRK = false
    /// Whether it is part of a value that another PDU defines.
    var isFragment = false
    /// Whether that is an L2CAP PDU, of which the first fragment has the header.
    var isOfL2CAP = false
    /// Whether it shows if a fragment continues a PDU: 1 if it does.
    var showsFragment = false
    /// Whether that value is a key.
    var isOfKey = false
    /// Whether its content is undecoded: `share` may keep it.
    var isOpaque = false
    /// Whether it is the CRC of an over-the-air LE packet.
    var isAirCRC = false
    /// Whether it is what the CRCs of a connection begin with.
    var isCRCInit = false
    /// Whether it shows if the CRC is right.
    var isAirCheck = false
    /// Whether it helps to find a key: a value from pairing, or from the start of encryption.
    var isPairing = false
    /// Whether its value identifies the PDU.
    var isTitle = false
    /// Whether it is free text: `share` keeps some of its words.
    var isFreeText = false
    /// Whether it is a number of any kind: a row of many may not be the numbers that they are read as.
    var isNumber = false
    /// Whether it stays because it is a number or a code, and not because of its declaration.
    var isGuessed = false
    /// Whether it is a number, a code or a channel map, and stays because of its declaration.
    var isDeclaredNumber = false
    /// How it is computed from what may be removed. What that was can be guessed with it, so it never stays.
    var checksum: Field.Checksum?
    /// Whether it is the HEC of a BR/EDR packet header, which is computed from a part of an address.
    var isHeaderCheck = false
    /// Whether its named values belong to no one.
    var keepsNamed = false
    /// Whether its format describes itself, and not what it is a number of.
    var isElement = false
    /// Whether it is the name of an AT command or result code, of which the beginning says that it is one.
    var isCommandName = false
  }

  /// The address that a type describes.
  enum AddressType {
    case next
    /// The next one, or the last one if none follows the type directly.
    case adjacent
    case last
    /// The second one of the packet.
    case second

    /// Core Specification, Vol 4, Part E, 7.7.65.2 and 7.7.65.13; of the management interface, 2 is LE Random.
    func isRandom(_ value: UInt64) -> Bool {
      switch self {
      case .next, .adjacent, .second: value & 1 == 1 || value == 0xFE
      case .last: value == 2
      }
    }
  }

  /// Which values of a field reveal nothing about a person or a device.
  enum Structure {
    case none
    case all
    /// Numbers of at most this many octets, and longer ones with a small value.
    case number(upTo: UInt32)
    /// Flags, with a mask of the bits that have names.
    case flags(named: UInt64)
    /// Codes that have names.
    case named
    /// UUIDs that are assigned.
    case assignedUUID(isBigEndian: Bool)
    /// Unused bits of an octet: the bits beside them decide whether they stay.
    case reserved
  }

  let level: RedactionLevel
  /// By the field's number.
  private var roles: [Role?] = []

  private let withheld: Set<Field>

  /// - Parameter withheld: Fields of which nothing stays, regardless of their declaration.
  init(_ level: RedactionLevel, without withheld: Set<Field> = []) {
    (self.level, self.withheld) = (level, withheld)
  }

  mutating func role(of node: Tree.Node) -> Role {
    let id = Int(node.field.id)
    if id < roles.count, let role = roles[id] { return role }
    if id >= roles.count {
      roles += [Role?](repeating: nil, count: id + 1 - roles.count)
    }
    let role = made(of: node.field, isUndecoded: node.kind == .undecoded)
    roles[id] = role
    return role
  }

  func made(of field: Field, isUndecoded: Bool = false) -> Role {
    let definition = field.definition
    var role = Role()
    if withheld.contains(field) { return role }
    role.kind = definition.personal.flatMap { PersonalKind($0, level) }
    if definition.secret, definition.personal == nil { role.kind = .key }
    if case .address = definition.form { role.kind = .address }
    if case .text = definition.form { role.isText = true }
    if case .uuid = definition.form { role.isUUID = true }
    if case .utf16 = definition.form { role.isUTF16 = true }
    role.isDocument = definition.personal == .document
    switch definition.role {
    case .fragment: role.isFragment = true
    case .l2capFragment: (role.isFragment, role.isOfL2CAP) = (true, true)
    case .continuation: role.showsFragment = true
    case .addressType:
      role.addressType = Self.ownAddressTypes.contains(field) ? .next : .adjacent
    case .managementAddressType: role.addressType = .last
    case .secondAddressType: role.addressType = .second
    case .randomAddress: role.isRandom = true
    case .identityResolvingKey: role.isIRK = role.kind == .key
    case .crc: role.isAirCRC = true
    case .crcCheck: role.isAirCheck = true
    case .crcInit: role.isCRCInit = true
    case .element: role.isElement = true
    case .reserved, .description, nil: break
    }
    if Self.broadcasterTypes.contains(field) { role.addressType = .adjacent }
    role.isOfKey = role.isFragment && definition.secret
    // The reassembled value contains the key, and the header before it.
    if role.isOfKey { role.kind = nil }
    role.isTitle = definition.title
    let isNumeric = Self.isNumeric(definition)
    role.isGuessed = isNumeric && definition.structural == nil && definition.personal == nil
    role.isDeclaredNumber = isNumeric && definition.structural == true
    role.isNumber =
      role.isGuessed && definition.flags.isEmpty && definition.unit.utf8CodeUnitCount == 0
    role.isPairing = Self.pairing.contains(field)
    role.checksum = definition.checksum
    role.isHeaderCheck = Self.headerChecks.contains(field)
    role.keepsNamed = role.kind == .number && definition.hasNames
    role.isCommandName = Self.commandNames.contains(field)
    if role.kind == nil, !isUndecoded, definition.personal != .opaque {
      role.structure = structure(of: definition)
    }
    if case .none = role.structure, role.kind == nil, !role.isFragment,
      definition.structural == nil
    {
      if role.isText || role.isUTF16 {
        role.isFreeText = level == .share
        role.kind = level == .share ? .word : .model
        // They are read as a whole, with the bytes before them.
        if level == .share, NoteFields.shared.all.contains(field) { role = Role() }
      } else {
        role.isOpaque = true
      }
    }
    return role
  }

  /// Channel maps are bytes, if they stay.
  private static func isNumeric(_ definition: Field.Definition) -> Bool {
    switch definition.form {
    case .decimal, .signed, .hex: !definition.title
    case .bytes: definition.structural == true
    default: false
    }
  }

  /// From its form, names and unit, except for what its declaration states.
  private func structure(of definition: Field.Definition) -> Structure {
    if let structural = definition.structural { return structural ? .all : .none }
    // `share` keeps everything that is decoded and not personal.
    let isShared = level == .share
    switch definition.form {
    case .group, .list, .address: return .none
    case .bytes: return definition.hasNames ? .named : .none
    case .text, .utf16:
      if definition.hasNames { return isShared ? .all : .named }
      return isShared && (definition.personal == .model || definition.role == .description)
        ? .all : .none
    case .float, .medical: return isShared ? .all : .none
    case .uuid, .attributeType: return isShared ? .all : .assignedUUID(isBigEndian: false)
    case .uuidBigEndian: return isShared ? .all : .assignedUUID(isBigEndian: true)
    case .decimal, .signed, .hex:
      if isShared { return .number(upTo: 8) }
      if definition.role == .reserved { return .reserved }
      if !definition.flags.isEmpty {
        return .flags(named: definition.flags.keys.reduce(0) { $0 | (1 << $1) })
      }
      // A longer one may show when a device was turned on, or which song plays. Those that do not are declared.
      if !definition.unit.description.isEmpty { return .number(upTo: 3) }
      return .number(upTo: 2)
    }
  }

  /// Whether a layer is that of a control PDU of LE.
  static func isControl(_ layer: Field) -> Bool { control.contains(layer) }

  private static let control = Set(
    Catalog.shared.entries.lazy.filter { $0.places.contains(.linkLayerControl) }.map(\.layer))

  /// In commands that connect, they follow the address of the peer.
  private static let ownAddressTypes = Set(Catalog.shared.fields(at: "hci.cmd.ownAddressType"))

  /// In filters of Android (APCF), the type follows the address.
  private static let broadcasterTypes = Set(
    Catalog.shared.fields(at: "hci.cmd.androidBroadcasterType"))

  private static let commandNames = Set(
    ["hfp.command", "hfp.result"].flatMap { Catalog.shared.fields(at: $0) }.filter {
      $0.definition.personal == nil
    })

  private static let headerChecks = Set(Catalog.shared.fields(at: "bb.hec"))

  /// Core Specification, Vol 3, Part H, 3.5; Vol 6, Part B, 2.4.2.4
  private static let pairing = Set(
    [
      "smp.confirm", "smp.random", "ll.encrypted", "ll.control.centralSKD",
      "ll.control.centralIV", "ll.control.peripheralSKD", "ll.control.peripheralIV",
    ].flatMap { Catalog.shared.fields(at: $0) })

  /// Whether the packet may have been received with errors: over the air, with a CRC that is wrong or cannot be
  /// checked.
  mutating func isDoubtful(_ tree: Tree) -> Bool {
    // The CRC is the last field of a packet; the result of its check follows.
    var (hasCRC, isChecked) = (false, false)
    for index in max(0, tree.nodes.count - 2)..<tree.nodes.count {
      let node = tree.nodes[index]
      let role = role(of: node)
      if role.isAirCRC, node.count == 3 { hasCRC = true }
      if role.isAirCheck, node.value == 1 { isChecked = true }
    }
    return hasCRC && !isChecked
  }
}

extension FieldRoles.Role {
  /// How many bytes at the beginning of a value say what it is, and nothing about anyone: `AT+`, `+`. V.250, 5.2.1 and
  /// 5.4.1
  func prefix(of bytes: [UInt8]) -> Int {
    guard isCommandName else { return 0 }
    let letters = bytes.prefix(2).map { $0 & 0xDF }.elementsEqual("AT".utf8) ? 2 : 0
    return letters
      + (bytes.dropFirst(letters).first.map { "+%*#^$&\\".utf8.contains($0) } == true ? 1 : 0)
  }

  /// Whether the value of a node stays; `bytes` are its bytes.
  func stays(_ node: Tree.Node, _ bytes: @autoclosure () -> [UInt8]) -> Bool {
    if isUUID, ![2, 4, 16].contains(node.count) { return false }
    switch structure {
    case .none, .reserved: return false
    case .all: return true
    // Two octets are too short for a name, an address or a key.
    case .number(let most):
      if node.count <= most { return true }
      // Nodes have no value for longer runs of bytes.
      guard node.count <= 8 else { return false }
      return node.value < 1 << 16 || node.field.definition.name(of: node.value) != nil
    case .flags: return node.count <= 8
    case .named: return node.field.definition.name(of: node.value) != nil
    case .assignedUUID(let isBigEndian):
      // Two octets are too short for a name, here too.
      if node.count == 2 { return true }
      if node.count == 4 {
        let short = UInt32(truncatingIfNeeded: node.value)
        return short < 1 << 16 || AssignedNumbers.name(of: BluetoothUUID(short)) != nil
      }
      let octets = isBigEndian ? bytes().reversed() : bytes()
      guard let uuid = BluetoothUUID(littleEndian: octets.raw) else { return false }
      return uuid.short != nil || AssignedNumbers.name(of: uuid) != nil
    }
  }

  /// Whether it is a UUID of two or four octets, which may stay with `strict` although it is not assigned.
  func isShortUUID(_ node: Tree.Node) -> Bool {
    if case .assignedUUID = structure { return node.count <= 4 }
    return false
  }

  /// Whether unnamed bits are set in more octets than a number may have.
  func hasUnnamedBits(_ node: Tree.Node) -> Bool {
    guard case .flags(let named) = structure, node.count > 2 else { return false }
    return node.value & ~named != 0
  }

  /// The kind of replacement for a value that does not stay, if its declaration names none.
  func replacement(_ node: Tree.Node) -> PersonalKind? {
    if case .assignedUUID = structure, node.count == 16 { return .uuid }
    return isText || isUTF16 ? .text : nil
  }
}
