import HarkCore

/// Finds the resolvable private addresses in trees. Core Specification, Vol 6, Part B, 1.3.2.2.
public struct PrivateAddresses: Sendable {
  /// What a field says of the address that it is, or of another.
  private enum Role: UInt8, Sendable {
    case none
    /// An address, whose kind a field beside it shows.
    case address
    case randomAddress
    /// The first address of an advertising PDU, of the kind that TxAdd shows, and the other one. Vol 6, Part B, 2.3.
    case advertiser, sender, target
    case type, txAdd, rxAdd
  }

  /// By the field's number.
  private let roles: [Role]
  private let definitions: [Field.Definition]

  public init(_ catalog: Catalog) {
    definitions = catalog.definitions
    roles = definitions.map(Self.role)
  }

  private static func role(_ definition: Field.Definition) -> Role {
    let name = definition.name.description
    if case .address = definition.form {
      switch name {
      case "AdvA": return .advertiser
      case "ScanA", "InitA": return .sender
      case "TargetA": return .target
      case "Identity Address": return .none
      default:
        return name.contains("Random") || name.contains("Resolvable") ? .randomAddress : .address
      }
    }
    switch name {
    case "TxAdd": return .txAdd
    case "RxAdd": return .rxAdd
    case "AType", "AddrType": return .type
    default:
      let isType = name.contains("Address") && name.hasSuffix("Type") && definition.hasNames
      return isType && !name.hasPrefix("Own") ? .type : .none
    }
  }

  /// Adds the identity to each resolvable private address of a tree that has one.
  /// - Parameter identity: Gives the identity of the device that made an address, or nil.
  public func resolve(
    in tree: inout Tree, _ identity: (BluetoothAddress) -> BluetoothAddress?
  ) {
    var found: [Tree.Inference] = []
    for index in tree.nodes.indices {
      let node = tree.nodes[index]
      // All other addresses have other bits at their beginning.
      guard node.value >> 46 == 0b01, node.kind == .value, isRandom(index, tree) else { continue }
      guard let address = identity(BluetoothAddress(node.value, .random)) else { continue }
      let fields = ResolvedAddress.fields
      let isInLine = definitions[Int(node.field.id)].inLine
      found.append(
        Tree.Inference(
          index: index, field: (isInLine ? fields.inLine : fields.other).identity,
          value: address.value))
    }
    if !found.isEmpty { tree.add(found) }
  }

  /// Whether the node with this index is a random address.
  private func isRandom(_ index: Int, _ tree: Tree) -> Bool {
    switch role(tree.nodes[index]) {
    case .none, .type, .txAdd, .rxAdd: false
    case .randomAddress: true
    case .sender: flag(.txAdd, before: index, tree)
    case .target: flag(.rxAdd, before: index, tree)
    case .advertiser:
      if let last = last(before: index, tree, where: { [.txAdd, .sender].contains($0) }),
        role(tree.nodes[last]) == .sender
      {
        flag(.rxAdd, before: index, tree)
      } else {
        // In data PDUs, its kind is a field of its own.
        flag(.txAdd, before: index, tree) || hasRandomType(index, tree)
      }
    case .address: hasRandomType(index, tree)
    }
  }

  private func role(_ node: Tree.Node) -> Role {
    Int(node.field.id) < roles.count ? roles[Int(node.field.id)] : .none
  }

  private func flag(_ wanted: Role, before index: Int, _ tree: Tree) -> Bool {
    last(before: index, tree) { $0 == wanted }.map { tree.nodes[$0].value == 1 } ?? false
  }

  private func last(before index: Int, _ tree: Tree, where fits: (Role) -> Bool) -> Int? {
    tree.nodes[..<index].lastIndex { fits(role($0)) }
  }

  /// Whether the type beside an address calls it random. In a part of a packet, types stand either before their
  /// addresses or after them.
  private func hasRandomType(_ index: Int, _ tree: Tree) -> Bool {
    let depth = tree.nodes[index].depth
    let beginning = tree.nodes[..<index].lastIndex { $0.depth < depth }.map { $0 + 1 } ?? 0
    let end = tree.nodes[index...].firstIndex { $0.depth < depth } ?? tree.nodes.endIndex
    let siblings = (beginning..<end).filter { tree.nodes[$0].depth == depth }
    let first = siblings.first { [.type, .address].contains(role(tree.nodes[$0])) }
    let comesAfter = first.map { role(tree.nodes[$0]) == .address } ?? false
    let type =
      comesAfter
      ? siblings.first { $0 > index && role(tree.nodes[$0]) == .type }
      : siblings.last { $0 < index && role(tree.nodes[$0]) == .type }
    guard let type else { return false }
    let node = tree.nodes[type]
    return definitions[Int(node.field.id)].name(of: node.value)?.contains("andom") ?? false
  }
}
