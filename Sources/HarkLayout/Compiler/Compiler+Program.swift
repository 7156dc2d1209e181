// Types, instances and entries as steps.
extension Compiler {
  func compile(_ type: TypeSpecification) {
    layout.types[type.index] = Layout.CompiledType(
      name: localName(of: type), entry: layout.steps.count, slotCount: type.slotCount,
      fields: type.fields)
    append(endianSteps(of: type))
    for attribute in type.sequence {
      let start = layout.steps.count
      append(steps(for: attribute, in: type))
      noteSources(of: attribute, in: type, start..<layout.steps.count)
    }
    for instance in type.instances { append([Step(.show, 0, instance.instanceIndex)]) }
    append([Step(.endObject)])
    for instance in type.instances {
      let start = layout.steps.count
      layout.instances[instance.instanceIndex].entry = start
      append(instanceSteps(instance, in: type))
      noteSources(of: instance, in: type, start..<layout.steps.count)
    }
    if let key = type.toString {
      let steps = piece(key, Context(type: type), "string") { $0.isString }
      if type === types[0] {
        let start = layout.steps.count
        layout.summaryEntry = start
        append(steps + [Step(.stop)])
        layout.sourcesOfSummary = members(usedBy: start..<layout.steps.count, in: type)
      }
    }
  }

  /// Expressions that belong to the layout as a whole.
  func compileEntries(of root: TypeSpecification, probes: [SourceNode]) {
    if let key = root.extras.total {
      layout.totalEntry = layout.steps.count
      append(piece(key, Context(type: root), "integer") { $0.isInteger } + [Step(.stop)])
    }
    for probe in probes {
      layout.probes.append(layout.steps.count)
      if let key = SchemaReader(diagnostics: diagnostics).expression(probe) {
        append((piece(key, Context(type: root))?.steps ?? []) + [Step(.stop)])
      }
    }
  }

  /// Decides the byte order of an object. User guide, section 7.6 ("Switching default endianness").
  private func endianSteps(of type: TypeSpecification) -> [Step] {
    guard case .calculated(let on, let cases) = type.meta.endian else { return [] }
    let context = Context(type: type)
    guard let value = piece(on, context) else { return [] }
    guard cases.count <= Self.mostCases else {
      diagnostics.error(on.node, "more than \(Self.mostCases) cases")
      return []
    }
    var ends: [Step] = [Step(.undecidedEndian)]
    for item in cases.reversed() {
      let set = Step(.setEndian, item.isLittle ? 1 : 0)
      guard let when = item.when else {
        ends = [set]
        continue
      }
      guard let other = piece(when, context), let compare = compared(value, other, when.node)
      else { continue }
      ends =
        value.steps + other.steps
        + [compare, Step(.jumpIfFalse, 2), set, Step(.jump, ends.count)] + ends
    }
    return ends
  }

  /// The step that compares for equality, or reports why there is none.
  func compared(_ a: Piece, _ b: Piece, _ node: SourceNode) -> Step? {
    do throws(ExpressionError) {
      return try comparison(.equal, a.type, b.type)
    } catch {
      diagnostics.error(node, error.message)
      return nil
    }
  }

  // MARK: Instances

  private func instanceSteps(_ instance: Attribute, in type: TypeSpecification) -> [Step] {
    let context = Context(type: type, attribute: instance)
    guard instance.value != nil else {
      var before: [Step] = []
      var flags = 0
      if let stream = instance.stream {
        before += piece(stream, context, "stream") { $0.isStream }
        flags |= StepFlag.otherStream
      }
      if let position = instance.position {
        before += piece(position, context, "integer") { $0.isInteger }
        flags |= StepFlag.position
      }
      let seek = Step(.seek, flags: flags)
      return steps(for: instance, in: type, before: before + [seek])
        + [Step(.endInstance, instance.slot, flags: StepFlag.store)]
    }
    var value = instance.valuePiece?.steps ?? []
    if case .enumeration(let spec) = instance.resolved, instance.enumeration != nil {
      value.append(Step(.toEnum, spec.index))
    }
    if let condition = instance.condition {
      let test = piece(condition, context, "boolean") { $0.isBool }
      value =
        test + [Step(.jumpIfFalse, value.count + 1)] + value
        + [Step(.jump, 1), constant(.null)]
    }
    return value + [Step(.endInstance, instance.slot)]
  }
}
