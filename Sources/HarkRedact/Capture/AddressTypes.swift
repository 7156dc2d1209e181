import HarkDissection

/// The types of the addresses in a packet, which show which ones are random.
struct AddressTypes {
  private var isNextRandom = false
  /// Of the target's address, or of the address after the next one.
  private var isSecondRandom: Bool?
  /// The last address, and where it ends.
  private var last: (address: UInt64, end: Int)?

  /// Takes a type.
  /// - Parameter next: The node after it.
  /// - Returns: The address before it, if the type describes it as random.
  mutating func take(
    _ type: FieldRoles.AddressType, _ node: Tree.Node, before next: Tree.Node?
  ) -> UInt64? {
    let isRandom = type.isRandom(node.value)
    let before = last?.end == node.range.lowerBound ? last?.address : nil
    switch type {
    case .second: isSecondRandom = isRandom
    case .last: return isRandom ? before : nil
    case .next: isNextRandom = isRandom
    case .adjacent:
      let precedesAddress = next.map {
        $0.isAddress && $0.range.lowerBound == node.range.upperBound
      }
      if before != nil, precedesAddress != true { return isRandom ? before : nil }
      isNextRandom = isRandom
    }
    return nil
  }

  /// Takes an address.
  /// - Returns: Whether a type before it describes it as random.
  mutating func isRandom(_ node: Tree.Node) -> Bool {
    defer {
      last = (node.value, node.range.upperBound)
      if let second = isSecondRandom { (isNextRandom, isSecondRandom) = (second, nil) }
    }
    // A directed PDU may have the target's address alone. Vol 6, Part B, 2.3.4
    return Self.targets.contains(node.field) ? isSecondRandom ?? isNextRandom : isNextRandom
  }

  private static let targets = Set(Catalog.shared.fields(at: "ll.targetA"))
}

extension Tree.Node {
  fileprivate var isAddress: Bool {
    if case .address = field.definition.form { true } else { false }
  }
}
