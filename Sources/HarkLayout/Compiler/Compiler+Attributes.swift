// Members as steps. Each leaves its value in its slot, and nothing on the stack.
extension Compiler {
  /// `before` is done once, if the member is there at all.
  func steps(
    for attribute: Attribute, in type: TypeSpecification, before: [Step] = []
  ) -> [Step] {
    let context = Context(type: type, attribute: attribute)
    var main = before + repeated(attribute, in: type)
    if let condition = attribute.condition {
      let test = piece(condition, context, "boolean") { $0.isBool }
      let absent = [constant(.null), Step(.store, attribute.slot)]
      main =
        test + [Step(.jumpIfFalse, main.count + 1)] + main + [Step(.jump, absent.count)] + absent
    }
    return main
  }

  private func repeated(_ attribute: Attribute, in type: TypeSpecification) -> [Step] {
    let context = Context(type: type, attribute: attribute)
    let (slot, item) = (attribute.slot, attribute.itemSlot)
    let read = [Step(.mark, 0, attribute.fieldIndex)] + itemSteps(attribute, in: type)
    let checks = checks(of: attribute, in: type)
    let append = Step(.append, slot, item)
    switch attribute.repetition {
    case .none: return read + [Step(.store, slot)] + checks
    case .toEnd:
      let body = read + [append] + checks
      return [Step(.beginArray, slot), Step(.loopUntilEnd, body.count + 1)] + body
        + [Step(.jump, -(body.count + 2))]
    case .count(let key):
      let count = piece(key, Context(type: type), "integer") { $0.isInteger }
      let body = read + [append] + checks
      let begin = Step(.beginArray, slot, attribute.countSlot, flags: StepFlag.counted)
      let loop = Step(.loopWhileCount, body.count + 1, slot, c: attribute.countSlot)
      return count + [begin, loop] + body + [Step(.jump, -(body.count + 2))]
    case .until(let key):
      var behind = context
      behind.item = itemType(of: attribute)
      behind.isBehindItem = true
      let until = piece(key, behind, "boolean") { $0.isBool }
      let body = read + [append] + checks + until
      return [Step(.beginArray, slot)] + body + [Step(.jumpIfFalse, -(body.count + 1))]
    }
  }

  private func itemType(of attribute: Attribute) -> ValueType {
    guard let resolved = attribute.resolved else { return .unknown }
    if case .none = attribute.repetition { return resolved }
    if case .array(let item) = resolved { return item }
    return resolved
  }

  // MARK: One item

  private func itemSteps(_ attribute: Attribute, in type: TypeSpecification) -> [Step] {
    switch attribute.type {
    case .bytes: return bytes(attribute, in: type) + found(attribute)
    case .one(let reference): return steps(for: reference, attribute, in: type)
    case .choice(let choice): return steps(for: choice, attribute, in: type)
    }
  }

  private func found(_ attribute: Attribute) -> [Step] {
    [Step(.found, 0, attribute.fieldIndex)]
  }

  private func steps(
    for choice: SwitchType, _ attribute: Attribute, in type: TypeSpecification
  ) -> [Step] {
    let context = Context(type: type, attribute: attribute)
    guard let on = piece(choice.on, context) else { return [constant(.null)] }
    var cases: [(node: SourceNode, when: Piece, steps: [Step])] = []
    // Nothing is read where no case fits, unless it is known how much.
    var other =
      attribute.isDelimited ? bytes(attribute, in: type) + found(attribute) : [constant(.null)]
    for item in choice.cases {
      let steps = steps(for: item.type, attribute, in: type)
      if let when = item.when {
        guard let made = piece(when, context) else { continue }
        cases.append((item.node, made, steps))
      } else {
        other = steps
      }
    }
    if let table = table(on, cases, other) { return table }
    guard cases.count <= Self.mostCases, cases.count * on.steps.count <= Self.mostSteps else {
      diagnostics.error(choice.on.node, "more than \(Self.mostCases) computed cases")
      return []
    }
    var result = other
    for item in cases.reversed() {
      guard let compare = compared(on, item.when, item.node) else { continue }
      result =
        on.steps + item.when.steps + [compare, Step(.jumpIfFalse, item.steps.count + 1)]
        + item.steps + [Step(.jump, result.count)] + result
    }
    return result
  }

  /// A table of where to continue, where all cases are integers or enum members that never change.
  private func table(
    _ on: Piece, _ cases: [(node: SourceNode, when: Piece, steps: [Step])], _ other: [Step]
  ) -> [Step]? {
    guard !cases.isEmpty, cases.count < Int(UInt16.max) else { return nil }
    var targets: [Int64: Int] = [:]
    var body: [Step] = []
    let end = cases.reduce(0) { $0 + $1.steps.count + 1 } + other.count
    for item in cases {
      guard let value = item.when.constant, value.tag != .bigInt,
        compared(on, item.when, item.node) != nil
      else { return nil }
      let key = Int64(bitPattern: value.bits)
      if targets[key] == nil { targets[key] = body.count }
      body += item.steps
      body.append(Step(.jump, end - body.count - 1))
    }
    let start = layout.cases.count
    layout.cases += targets.map { Layout.Case(key: $0, skipped: $1) }.sorted { $0.key < $1.key }
    return on.steps + [Step(.table, start, body.count, c: targets.count)] + body + other
  }

  private func steps(
    for reference: TypeReference, _ attribute: Attribute, in type: TypeSpecification
  ) -> [Step] {
    switch reference.kind {
    case .integer(let octets, let isSigned, let isLittle):
      let order = octets == 1 ? 0 : order(isLittle, reference.node, in: type)
      let flags = order | (isSigned ? StepFlag.signed : 0)
      return [Step(.readInteger, octets, flags: flags)] + enumerated(attribute)
        + found(attribute)
    case .float(let octets, let isLittle):
      let order = order(isLittle, reference.node, in: type)
      return [Step(.readFloat, octets, flags: order)] + found(attribute)
    case .bits(let count, let isLittle):
      var flags = isLittle ?? isBitLittleEndian(type) ? StepFlag.little : 0
      if count == 1, attribute.enumeration == nil { flags |= StepFlag.boolean }
      return [Step(.readBits, count, flags: flags)] + enumerated(attribute) + found(attribute)
    case .string, .terminatedString:
      guard let encoding = encoding(of: attribute, in: type) else {
        diagnostics.error(attribute.node, "string type, but no encoding found")
        return []
      }
      let isTerminated = if case .terminatedString = reference.kind { true } else { false }
      return bytes(attribute, in: type, end: isTerminated ? encoding.unit : nil)
        + [Step(.decode, encodingIndex(encoding))] + found(attribute)
    case .user(let path): return call(path, reference, attribute, in: type)
    }
  }

  private func enumerated(_ attribute: Attribute) -> [Step] {
    if case .enumeration(let spec) = itemType(of: attribute) {
      [Step(.toEnum, spec.index)]
    } else {
      []
    }
  }

  /// The byte order flags of a number.
  private func order(_ isLittle: Bool?, _ node: SourceNode, in type: TypeSpecification) -> Int {
    if let isLittle { return isLittle ? StepFlag.little : 0 }
    switch endian(of: type) {
    case .fixed(let isLittle): return isLittle ? StepFlag.little : 0
    case .calculated: return StepFlag.calculated
    case nil:
      diagnostics.error(
        node, "unable to use type '\(node.text ?? "")' without default endianness")
      return 0
    }
  }

  // MARK: Objects

  private func call(
    _ path: TypePath, _ reference: TypeReference, _ attribute: Attribute,
    in type: TypeSpecification
  ) -> [Step] {
    guard let target = find(path, from: type) else { return [] }
    let context = Context(type: type, attribute: attribute)
    var steps = arguments(reference, of: target, context)
    var flags = target.top === type.top ? 0 : StepFlag.foreign
    if target.outer == nil { flags |= StepFlag.top }
    switch attribute.parent {
    case .implicit: break
    case .none: flags |= StepFlag.noParent
    case .given(let key):
      steps += piece(key, context, "struct") { $0.isObject }
      flags |= StepFlag.givenParent
    }
    if attribute.isDelimited {
      steps += bytes(attribute, in: type)
      flags |= StepFlag.substream
    }
    let count = reference.arguments.count
    return steps + [Step(.call, target.index, attribute.fieldIndex, c: count, flags: flags)]
  }

  private func arguments(
    _ reference: TypeReference, of target: TypeSpecification, _ context: Context
  ) -> [Step] {
    guard reference.arguments.count == target.parameters.count else {
      diagnostics.error(
        reference.node,
        """
        parameter count mismatch: \(target.parameters.count) declared, but \
        \(reference.arguments.count) used
        """)
      return []
    }
    var steps: [Step] = []
    for (index, argument) in reference.arguments.enumerated() {
      let key = ExpressionKey(node: reference.node, expression: argument)
      guard let made = piece(key, context) else { continue }
      let parameter = target.parameters[index]
      let expected = resolve(parameter, in: target)
      if !expected.takes(made.type) {
        diagnostics.error(
          reference.node,
          """
          can't pass argument #\(index) of type \(made.type) into parameter `\(parameter.id)` of \
          type \(expected)
          """)
      }
      steps += made.steps
    }
    return steps
  }
}
