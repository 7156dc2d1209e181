// Expressions. Kaitai Struct user guide, section 6.
extension Compiler {
  /// Compiles `key`, and reports what is wrong with it.
  func piece(_ key: ExpressionKey, _ context: Context) -> Piece? {
    do throws(ExpressionError) {
      return try piece(key.expression, context)
    } catch {
      diagnostics.error(key.node, error.message)
      return nil
    }
  }

  /// As above, where only a type that `isExpected` will do.
  func piece(
    _ key: ExpressionKey, _ context: Context, _ expected: String,
    _ isExpected: (ValueType) -> Bool
  ) -> [Step] {
    guard let piece = piece(key, context) else { return [] }
    if !isExpected(piece.type) {
      diagnostics.error(key.node, "invalid type: expected \(expected), got \(piece.type)")
    }
    return piece.steps
  }

  func piece(_ expression: Expression, _ context: Context) throws(ExpressionError) -> Piece {
    switch expression.kind {
    case .integer(let value):
      let isOctet = value.int.map { (-128...255).contains($0) } ?? false
      return Piece(
        type: .integer(isOctet: isOctet), steps: [constant(Value(value))], constant: Value(value))
    case .float(let value): return Piece(type: .float, steps: [constant(Value(value))])
    case .bool(let value): return Piece(type: .bool, steps: [constant(Value(value))])
    case .string(let text):
      return Piece(type: .string, steps: [constant(.string, Array(text.utf8))])
    case .interpolated(let parts): return try interpolated(parts, context)
    case .name(let name): return try named(name, context)
    case .enumMember(let path, let member): return try enumMember(path, member, context)
    case .list(let items): return try list(items, context)
    case .unary(let sign, let operand): return try unary(sign, operand, context)
    case .binary(let sign, let left, let right): return try binary(sign, left, right, context)
    case .conditional(let condition, let yes, let no):
      return try conditional(condition, yes, no, context)
    case .index(let array, let index): return try indexed(array, index, context)
    case .member(let object, let name): return try member(object, name, context)
    case .call(let object, let name, let arguments):
      return try method(try piece(object, context), name, arguments, context)
    case .cast(let value, let name): return try cast(value, to: name, context)
    case .sizeOf(let name, let inBits): return try sizeOf(name, inBits: inBits, context)
    }
  }

  private func interpolated(
    _ parts: [Expression], _ context: Context
  ) throws(ExpressionError) -> Piece {
    var steps: [Step] = []
    for (index, part) in parts.enumerated() {
      let made = try piece(part, context)
      guard made.type.isString || made.type.isNumber else {
        throw ExpressionError(message: "a value of \(made.type) cannot be part of a string")
      }
      steps += made.steps + [Step(.text)]
      if index > 0 { steps.append(Step(.join)) }
    }
    return Piece(type: .string, steps: steps)
  }

  private func enumMember(
    _ path: TypePath, _ name: String, _ context: Context
  ) throws(ExpressionError) -> Piece {
    guard let spec = findEnum(path, from: context.type) else {
      throw ExpressionError(
        message: "unable to find enum '\(path)', searching from \(context.type.fullName)"
          + hint(enum: path, from: context.type))
    }
    guard let member = spec.members.first(where: { $0.name == name }) else {
      throw ExpressionError(
        message: """
          unable to find enum member '\(path)::\(name)' (enum '\(spec.name)' defined at \
          \(spec.node.path))\(hint(name, of: spec))
          """)
    }
    let value = Value(tag: .enumeration, detail: UInt32(spec.index), bits: member.value.bits)
    return Piece(type: .enumeration(spec), steps: [constant(value)], constant: value)
  }

  private func list(
    _ items: [Expression], _ context: Context
  ) throws(ExpressionError) -> Piece {
    var type: ValueType?
    var steps: [Step] = []
    for item in items {
      let made = try piece(item, context)
      guard let next = type?.combined(with: made.type) ?? (type == nil ? made.type : nil) else {
        throw ExpressionError(message: "an array of values of different types")
      }
      type = next
      steps += made.steps
    }
    // Octets make a byte array. Kaitai Struct user guide, section 6.1.4.
    if case .integer(isOctet: true) = type ?? .integer(isOctet: true) {
      return Piece(type: .bytes, steps: steps + [Step(.makeBytes, items.count)])
    }
    return Piece(
      type: .array(type ?? .unknown), steps: steps + [Step(.makeArray, items.count)])
  }

  private func conditional(
    _ condition: Expression, _ yes: Expression, _ no: Expression, _ context: Context
  ) throws(ExpressionError) -> Piece {
    let test = try piece(condition, context)
    guard test.type.isBool else {
      throw ExpressionError(message: "invalid type: expected boolean, got \(test.type)")
    }
    let (yes, no) = (try piece(yes, context), try piece(no, context))
    guard let type = yes.type.combined(with: no.type) else {
      throw ExpressionError(message: "can't combine \(yes.type) and \(no.type)")
    }
    let steps =
      test.steps + [Step(.jumpIfFalse, yes.steps.count + 1)] + yes.steps
      + [Step(.jump, no.steps.count)] + no.steps
    if case .integer = type { return Piece(type: .int, steps: steps) }
    return Piece(type: type, steps: steps)
  }

  private func indexed(
    _ array: Expression, _ index: Expression, _ context: Context
  ) throws(ExpressionError) -> Piece {
    let (container, place) = (try piece(array, context), try piece(index, context))
    guard place.type.isInteger else {
      throw ExpressionError(message: "unable to index with \(place.type)")
    }
    let type: ValueType
    switch container.type {
    case .array(let item): type = item
    case .bytes: type = .integer(isOctet: true)
    case .unknown: type = .unknown
    default: throw ExpressionError(message: "unable to index into \(container.type)")
    }
    return Piece(type: type, steps: container.steps + place.steps + [Step(.index)])
  }

  private func cast(
    _ value: Expression, to name: TypeName, _ context: Context
  ) throws(ExpressionError) -> Piece {
    guard let target = valueType(name, from: context.type) else {
      throw ExpressionError(
        message:
          "unable to find type '\(name.path)', searching from \(context.type.fullName)"
          + hint(name.path, from: context.type))
    }
    if case .list(let items) = value.kind, let made = try castList(items, to: target, context) {
      return made
    }
    let made = try piece(value, context)
    if case .object(let type) = target {
      guard made.type.isObject || made.type.isAny else {
        throw ExpressionError(message: "can't cast \(made.type) to \(target)")
      }
      return Piece(
        type: target, steps: made.steps + [Step(.checkType, type.index)],
        attribute: made.attribute)
    }
    return Piece(type: target, steps: made.steps, constant: made.constant)
  }

  /// A list is made as what it is cast to.
  private func castList(
    _ items: [Expression], to target: ValueType, _ context: Context
  ) throws(ExpressionError) -> Piece? {
    var steps: [Step] = []
    for item in items { steps += try piece(item, context).steps }
    switch target {
    case .bytes: return Piece(type: .bytes, steps: steps + [Step(.makeBytes, items.count)])
    case .array: return Piece(type: target, steps: steps + [Step(.makeArray, items.count)])
    default: return nil
    }
  }

  private func sizeOf(
    _ name: TypeName, inBits: Bool, _ context: Context
  ) throws(ExpressionError) -> Piece {
    let bits: Int?
    if name.path.names.count == 1, let kind = TypeReference.Kind(builtIn: name.path.names[0]) {
      bits = bitSize(of: kind, in: context.type)
    } else {
      guard let type = find(name.path, from: context.type) else {
        throw ExpressionError(
          message:
            "unable to find type '\(name.path)', searching from \(context.type.fullName)"
            + hint(name.path, from: context.type))
      }
      bits = bitSize(of: type)
    }
    return try size(bits, inBits: inBits, of: "type `\(name.path)`")
  }

  func size(_ bits: Int?, inBits: Bool, of what: String) throws(ExpressionError) -> Piece {
    guard let bits else {
      throw ExpressionError(message: "unable to derive sizeof for \(what): dynamic sized type")
    }
    return Piece(type: .int, steps: [constant(Value(inBits ? bits : (bits + 7) / 8))])
  }
}
