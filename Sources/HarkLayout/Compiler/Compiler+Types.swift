// What members are, before they are read.
extension Compiler {
  func resolve(_ parameter: Parameter, in type: TypeSpecification) -> ValueType {
    if let known = parameter.resolved { return known }
    var result = ValueType.bytes
    if let (node, name) = parameter.type {
      if let found = valueType(name, from: type) {
        result = found
      } else {
        diagnostics.error(
          node,
          "unable to find type '\(name.path)', searching from \(type.fullName)"
            + hint(name.path, from: type))
        result = .unknown
      }
    }
    if let node = parameter.enumeration { result = enumerated(result, node, in: type) }
    parameter.resolved = result
    return result
  }

  /// A type by the name casts and params use. Kaitai Struct user guide, section 7.4.
  func valueType(_ name: TypeName, from type: TypeSpecification) -> ValueType? {
    if name.isArray {
      return valueType(TypeName(path: name.path), from: type).map { .array($0) }
    }
    if name.path.names.count == 1, !name.path.isAbsolute {
      switch name.path.names[0] {
      case "bytes": return .bytes
      case "bool": return .bool
      case "struct": return .anyObject
      case "io": return .stream
      case "any": return .any
      case let word:
        switch TypeReference.Kind(builtIn: word) {
        case .integer(let octets, _, _): return .integer(isOctet: octets == 1)
        case .bits(let count, _): return count == 1 ? .bool : .int
        case .float: return .float
        case .string, .terminatedString: return .string
        case .user, nil: break
        }
      }
    }
    return find(name.path, from: type).map { .object($0) }
  }

  func resolve(_ attribute: Attribute, in type: TypeSpecification) -> ValueType {
    if let known = attribute.resolved { return known }
    guard !attribute.isResolving, depth < Self.deepest else {
      diagnostics.error(
        attribute.node,
        attribute.isResolving
          ? "its type depends on itself" : "its type depends on too many other types")
      return .unknown
    }
    attribute.isResolving = true
    depth += 1
    defer {
      attribute.isResolving = false
      depth -= 1
    }
    var result: ValueType
    if let value = attribute.value {
      let made = piece(value, Context(type: type, attribute: attribute))
      attribute.valuePiece = made
      result = made?.type ?? .unknown
      if let node = attribute.enumeration { result = enumerated(result, node, in: type) }
    } else if attribute.isBroken {
      result = .unknown
    } else {
      result = itemType(of: attribute, in: type)
      if case .none = attribute.repetition {} else { result = .array(result) }
    }
    attribute.resolved = result
    return result
  }

  /// What one item of it is, or it itself where it does not repeat.
  private func itemType(of attribute: Attribute, in type: TypeSpecification) -> ValueType {
    var result: ValueType
    switch attribute.type {
    case .bytes: result = .bytes
    case .one(let reference):
      result = valueType(of: reference, attribute, in: type)
    case .choice(let choice):
      var combined: ValueType?
      for item in choice.cases {
        let next = valueType(of: item.type, attribute, in: type)
        combined = combined.map { $0.combined(with: next) ?? .any } ?? next
      }
      // What no case takes stays bytes, where their number is known.
      if attribute.isDelimited, !choice.cases.contains(where: { $0.when == nil }) {
        combined = combined?.combined(with: .bytes) ?? .any
      }
      result = combined ?? .any
    }
    if let node = attribute.enumeration { result = enumerated(result, node, in: type) }
    return result
  }

  private func valueType(
    of reference: TypeReference, _ attribute: Attribute, in type: TypeSpecification
  ) -> ValueType {
    switch reference.kind {
    case .integer(let octets, _, _): return .integer(isOctet: octets == 1)
    case .float: return .float
    case .bits(let count, _):
      return count == 1 && attribute.enumeration == nil ? .bool : .int
    case .string, .terminatedString: return .string
    case .user(let path):
      if let found = find(path, from: type) { return .object(found) }
      let what = type.top.meta.allowsOpaqueTypes ? "opaque type" : "type"
      diagnostics.error(
        reference.node,
        "unable to find \(what) '\(path)', searching from \(type.fullName)" + hint(path, from: type)
      )
      return .unknown
    }
  }

  private func enumerated(
    _ type: ValueType, _ node: SourceNode, in place: TypeSpecification
  ) -> ValueType {
    guard let spec = enumeration(node, in: place) else { return .unknown }
    guard type.isInteger else {
      diagnostics.error(node, "tried to resolve non-integer \(type) to enum")
      return .unknown
    }
    return .enumeration(spec)
  }

  // MARK: Sizes

  /// How many bits objects of `type` always take; nil if that depends. User guide, section
  /// 6.5 ("sizeof").
  func bitSize(of type: TypeSpecification) -> Int? {
    switch type.bitSize {
    case .known(let size): return size
    case .pending: return nil
    case .unknown: break
    }
    guard depth < Self.deepest else { return nil }
    depth += 1
    defer { depth -= 1 }
    type.bitSize = .pending
    let size = sumOfBits(in: type)
    type.bitSize = .known(size)
    return size
  }

  private func sumOfBits(in type: TypeSpecification) -> Int? {
    var sum = 0
    for attribute in type.sequence {
      guard attribute.condition == nil, let size = bitSize(of: attribute, in: type)
      else { return nil }
      if !attribute.isBits { sum = (sum + 7) / 8 * 8 }
      sum += size
      guard sum < 1 << 40 else { return nil }
    }
    return sum
  }

  func bitSize(of attribute: Attribute, in type: TypeSpecification) -> Int? {
    switch attribute.repetition {
    case .none: return bitSizeOfItem(attribute, in: type)
    case .count(let key):
      guard case .integer(let value) = key.expression.kind, let count = value.int,
        let size = bitSizeOfItem(attribute, in: type), (0..<1 << 20).contains(count)
      else { return nil }
      return size * count
    case .toEnd, .until: return nil
    }
  }

  private func bitSizeOfItem(_ attribute: Attribute, in type: TypeSpecification) -> Int? {
    guard attribute.value == nil else { return nil }
    if let contents = attribute.contents { return contents.count * 8 }
    if let size = attribute.size {
      guard case .integer(let value) = size.expression.kind, let count = value.int,
        count < 1 << 32
      else { return nil }
      return count * 8
    }
    guard case .one(let reference) = attribute.type, !attribute.isDelimited else { return nil }
    return bitSize(of: reference.kind, in: type)
  }

  func bitSize(of kind: TypeReference.Kind, in type: TypeSpecification) -> Int? {
    switch kind {
    case .integer(let octets, _, _), .float(let octets, _): octets * 8
    case .bits(let count, _): count
    case .string, .terminatedString: nil
    case .user(let path):
      find(path, from: type).flatMap { bitSize(of: $0) }
    }
  }
}

extension Attribute {
  var isBits: Bool {
    if case .one(let reference) = type, case .bits = reference.kind { true } else { false }
  }
}
