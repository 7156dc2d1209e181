import HarkCore

// Names, members and methods. Kaitai Struct user guide, section 6.4.
extension Compiler {
  func named(_ name: String, _ context: Context) throws(ExpressionError) -> Piece {
    switch name {
    case "_":
      guard let item = context.item, let attribute = context.attribute else { break }
      return Piece(type: item, steps: [Step(.slot, attribute.itemSlot)])
    case "_index":
      guard let attribute = context.attribute else { break }
      guard case .none = attribute.repetition else {
        let last = context.isBehindItem ? [Step(.integer, 1), Step(.subtract)] : []
        return Piece(type: .int, steps: [Step(.arrayCount, attribute.slot)] + last)
      }
    case "_parent": return Piece(type: parentType(of: context.type), steps: [Step(.parent)])
    case "_root": return Piece(type: .object(context.type.top), steps: [Step(.root)])
    case "_io": return Piece(type: .stream, steps: [Step(.stream)])
    case "_sizeof", "_bitsizeof":
      return try size(
        bitSize(of: context.type), inBits: name == "_bitsizeof", of: "type `\(context.type.name)`")
    default: break
    }
    guard name.hasPrefix("_") || SchemaReader.isIdentifier(name) else {
      throw ExpressionError(message: "invalid ID: '\(name)', expected /^[a-z][a-z0-9_]*$/")
    }
    guard let member = context.type.members[name] else {
      throw ExpressionError(
        message: "unable to access '\(name)' in \(context.type.fullName) context"
          + name.hint(among: context.type.members.keys))
    }
    return piece(of: member, in: context.type, isOwn: true)
  }

  private func piece(
    of member: TypeSpecification.Member, in type: TypeSpecification, isOwn: Bool
  ) -> Piece {
    switch member {
    case .parameter(let parameter):
      return Piece(
        type: resolve(parameter, in: type),
        steps: [isOwn ? Step(.slot, parameter.slot) : Step(.member, parameter.slot, type.index)])
    case .attribute(let attribute):
      return Piece(
        type: resolve(attribute, in: type),
        steps: [isOwn ? Step(.slot, attribute.slot) : Step(.member, attribute.slot, type.index)],
        attribute: attribute)
    case .instance(let instance):
      let step =
        isOwn
        ? Step(.instance, instance.slot, instance.instanceIndex)
        : Step(.memberInstance, type.index, instance.instanceIndex)
      return Piece(type: resolve(instance, in: type), steps: [step], attribute: instance)
    }
  }

  func member(
    _ object: Expression, _ name: String, _ context: Context
  ) throws(ExpressionError) -> Piece {
    let made = try piece(object, context)
    switch (name, made.type) {
    case ("_sizeof", _), ("_bitsizeof", _):
      guard let attribute = made.attribute else { break }
      return try size(
        bitSize(of: attribute, in: owner(of: attribute)), inBits: name == "_bitsizeof",
        of: "`\(attribute.id ?? "")`")
    case ("_io", .object), ("_io", .anyObject):
      return Piece(type: .stream, steps: made.steps + [Step(.memberStream)])
    case ("_parent", .object(let type)):
      return Piece(type: parentType(of: type), steps: made.steps + [Step(.memberParent)])
    case ("_root", .object(let type)):
      return Piece(type: .object(type.top), steps: made.steps + [Step(.memberRoot)])
    case ("_parent", .anyObject):
      return Piece(type: .anyObject, steps: made.steps + [Step(.memberParent)])
    case (_, .object(let type)):
      guard let member = type.members[name] else { break }
      var result = piece(of: member, in: type, isOwn: false)
      result.steps = made.steps + result.steps
      return result
    default: break
    }
    return try method(made, name, nil, context)
  }

  private func owner(of attribute: Attribute) -> TypeSpecification {
    types.first { type in (type.sequence + type.instances).contains { $0 === attribute } }
      ?? types[0]
  }

  /// A method, with its arguments where there are parentheses.
  func method(
    _ object: Piece, _ name: String, _ arguments: [Expression]?, _ context: Context
  ) throws(ExpressionError) -> Piece {
    let given = arguments ?? []
    func none(_ type: ValueType, _ op: Step.Op?) throws(ExpressionError) -> Piece {
      guard given.isEmpty else {
        throw ExpressionError(
          message: "wrong arguments to method call `\(name)` on \(object.type): expected ()")
      }
      return Piece(type: type, steps: object.steps + (op.map { [Step($0)] } ?? []))
    }
    switch (object.type, name) {
    case (.unknown, _): return Piece(type: .unknown, steps: object.steps)
    case (.integer, "to_s"): return try none(.string, .integerToString)
    case (.integer, "to_i"): return try none(.int, nil)
    case (.float, "to_i"): return try none(.int, .floatToInteger)
    case (.bool, "to_i"): return try none(.int, .boolToInteger)
    case (.enumeration, "to_i"): return try none(.int, .enumToInteger)
    case (.string, "length"): return try none(.int, .length)
    case (.string, "reverse"): return try none(.string, .reverse)
    case (.string, "to_i"): return try parseInteger(object, given, context)
    case (.string, "substring"):
      let steps = try integers(given, 2, of: name, object.type, context)
      return Piece(type: .string, steps: object.steps + steps + [Step(.substring)])
    case (.bytes, "to_s"): return try decode(object, given)
    case (.bytes, "length"), (.bytes, "size"): return try none(.int, .size)
    case (.bytes, "first"), (.bytes, "last"), (.bytes, "min"), (.bytes, "max"):
      return try none(.integer(isOctet: true), Self.elements[name])
    case (.array(let item), "first"), (.array(let item), "last"):
      return try none(item, Self.elements[name])
    case (.array(let item), "min"), (.array(let item), "max"):
      guard item.isNumber || item.isString else { break }
      return try none(item, Self.elements[name])
    case (.array, "size"), (.array, "length"): return try none(.int, .size)
    case (.stream, "pos"): return try none(.int, .streamPosition)
    case (.stream, "size"): return try none(.int, .streamSize)
    case (.stream, "eof"): return try none(.bool, .streamEnd)
    default: break
    }
    throw ExpressionError(
      message: "don't know how to call method '\(name)' of object type '\(object.type)'")
  }

  private static let elements: [String: Step.Op] = [
    "first": .first, "last": .last, "min": .least, "max": .most,
  ]

  private func integers(
    _ arguments: [Expression], _ count: Int, of name: String, _ type: ValueType, _ context: Context
  ) throws(ExpressionError) -> [Step] {
    var steps: [Step] = []
    for argument in arguments {
      let made = try piece(argument, context)
      guard made.type.isInteger, arguments.count == count else {
        throw ExpressionError(message: "wrong arguments to method call `\(name)` on \(type)")
      }
      steps += made.steps
    }
    guard arguments.count == count else {
      throw ExpressionError(message: "wrong arguments to method call `\(name)` on \(type)")
    }
    return steps
  }

  private func parseInteger(
    _ object: Piece, _ arguments: [Expression], _ context: Context
  ) throws(ExpressionError) -> Piece {
    let radix =
      arguments.isEmpty
      ? [Step(.integer, 10)]
      : try integers(arguments, 1, of: "to_i", object.type, context)
    return Piece(type: .int, steps: object.steps + radix + [Step(.parseInteger)])
  }

  private func decode(
    _ object: Piece, _ arguments: [Expression]
  ) throws(ExpressionError) -> Piece {
    guard arguments.count == 1 else {
      throw ExpressionError(
        message: "wrong arguments to method call `to_s` on byte array: expected (string)")
    }
    guard case .string(let name) = arguments[0].kind else {
      throw ExpressionError(message: "to_s: argument #0: expected string literal")
    }
    return Piece(
      type: .string, steps: object.steps + [Step(.decode, encodingIndex(TextEncoding(name: name)))])
  }

  func encodingIndex(_ encoding: TextEncoding) -> Int {
    if let index = layout.encodings.firstIndex(of: encoding) { return index }
    layout.encodings.append(encoding)
    return layout.encodings.count - 1
  }
}
