// What names mean. Kaitai Struct user guide, sections 4.7 ("Nested types") and 7.
extension Compiler {
  /// No path in a layout is longer.
  private static let longestPath = 16

  /// The type `path` names where `type` is: one declared in it or around it, or another file's.
  func find(_ path: TypePath, from type: TypeSpecification) -> TypeSpecification? {
    guard path.names.count <= Self.longestPath else { return nil }
    var found = path.isAbsolute ? path.names.first.flatMap { tops[$0] } : type
    for name in path.names.dropFirst(path.isAbsolute ? 1 : 0) {
      found = found.flatMap { find(name, from: $0) }
    }
    return found
  }

  private func find(_ name: String, from type: TypeSpecification) -> TypeSpecification? {
    var place: TypeSpecification? = type
    while let here = place {
      if let found = here.types.first(where: { $0.name == name }) { return found }
      if here.name == name { return here }
      place = here.outer
    }
    return tops[name]
  }

  func findEnum(_ path: TypePath, from type: TypeSpecification) -> EnumSpecification? {
    var place = TypePath(names: path.names, isAbsolute: path.isAbsolute)
    guard let name = place.names.popLast() else { return nil }
    if !place.names.isEmpty {
      return find(place, from: type)?.enums.first { $0.name == name }
    }
    var here: TypeSpecification? = type
    while let type = here {
      if let found = type.enums.first(where: { $0.name == name }) { return found }
      here = type.outer
    }
    return nil
  }

  /// The enum that a key names; reports an error if there is none.
  func enumeration(_ node: SourceNode, in type: TypeSpecification) -> EnumSpecification? {
    guard let text = node.text else {
      diagnostics.error(node, "expected string, got \(node.kindName)")
      return nil
    }
    var hint = ""
    do throws(ExpressionError) {
      let path = try ExpressionParser.parseType(text).name.path
      if let found = findEnum(path, from: type) { return found }
      hint = self.hint(enum: path, from: type)
    } catch {}
    diagnostics.error(
      node, "unable to find enum '\(text)', searching from \(type.fullName)\(hint)")
    return nil
  }

  // MARK: Parents

  /// Notes who has members of which types: that decides what `_parent` is there.
  func collectUsers(in type: TypeSpecification) {
    for attribute in type.sequence + type.instances {
      for reference in attribute.references {
        // Files do not see each other's objects.
        guard case .user(let path) = reference.kind, let used = find(path, from: type),
          used.top === type.top
        else { continue }
        used.users.append((type, attribute.parent))
      }
    }
  }

  /// The type of `_parent` in `type`: known where all who use it agree.
  func parentType(of type: TypeSpecification) -> ValueType {
    if let known = type.parentType { return known }
    guard depth < Self.deepest else { return .anyObject }
    depth += 1
    defer { depth -= 1 }
    // What asks for itself on the way gets the weakest answer.
    type.parentType = .anyObject
    let result = deriveParentType(of: type)
    type.parentType = result
    return result
  }

  private func deriveParentType(of type: TypeSpecification) -> ValueType {
    var result: ValueType?
    for (user, parent) in type.users {
      let next: ValueType
      switch parent {
      case .none: continue
      case .implicit: next = .object(user)
      case .given(let key):
        let context = Context(type: user)
        next = (try? piece(key.expression, context).type) ?? .anyObject
      }
      guard case .object = next else { return .anyObject }
      result = result.map { $0.combined(with: next) ?? .anyObject } ?? next
    }
    return result ?? .anyObject
  }

  // MARK: Defaults that are inherited

  func endian(of type: TypeSpecification) -> TypeSpecification.Endian? {
    var here: TypeSpecification? = type
    while let type = here {
      if let endian = type.meta.endian { return endian }
      here = type.outer
    }
    return nil
  }

  func isBitLittleEndian(_ type: TypeSpecification) -> Bool {
    var here: TypeSpecification? = type
    while let type = here {
      if let isLittle = type.meta.isBitLittleEndian { return isLittle }
      here = type.outer
    }
    return false
  }

  func encoding(of attribute: Attribute, in type: TypeSpecification) -> TextEncoding? {
    if let name = attribute.encoding?.text { return TextEncoding(name: name) }
    var here: TypeSpecification? = type
    while let type = here {
      if let name = type.meta.encoding?.text { return TextEncoding(name: name) }
      here = type.outer
    }
    return nil
  }
}

extension Attribute {
  /// The types it may be of.
  var references: [TypeReference] {
    switch type {
    case .bytes: []
    case .one(let reference): [reference]
    case .choice(let choice): choice.cases.map(\.type)
    }
  }
}

/// Where an expression stands: what the names in it mean.
struct Context {
  let type: TypeSpecification
  /// The member that is read, for `_index`.
  var attribute: Attribute?
  /// What `_` is: the item or value that was just read.
  var item: ValueType?
  /// Whether that item is already counted.
  var isBehindItem = false
}
