// What values follow from: whoever sees a number made from a key sees a part of the key.
extension Compiler {
  /// Notes which members the value of `attribute` is computed from, of those that its compiled `steps` use.
  func noteSources(of attribute: Attribute, in type: TypeSpecification, _ steps: Range<Int>) {
    let used = members(usedBy: steps, in: type)
    guard !used.isEmpty else { return }
    let isComputed =
      attribute.isInstance
      || layout.steps[steps].contains { $0.op == .xor || $0.op == .rotate }
    if isComputed { layout.sources[attribute.fieldIndex, default: []].formUnion(used) }
    for step in layout.steps[steps] where step.op == .call && step.c > 0 {
      let target = types[Int(step.a)]
      for parameter in target.parameters {
        layout.sources[node(of: parameter, in: target), default: []].formUnion(used)
      }
    }
  }

  /// The fields that are keys, and those that follow from them.
  var keys: Set<Int> {
    var all = Set(layout.fields.indices.filter { layout.fields[$0].personal == .key })
    var reached = all
    while !reached.isEmpty {
      let next = layout.sources.filter { node, sources in
        !all.contains(node) && !sources.isDisjoint(with: reached)
      }
      reached = Set(next.keys)
      all.formUnion(reached)
    }
    return all
  }

  /// The members and parameters whose values steps put on the stack, except for what only counts their bytes.
  func members(usedBy steps: Range<Int>, in type: TypeSpecification) -> Set<Int> {
    var used: Set<Int> = []
    for index in steps {
      let step = layout.steps[index]
      if index + 1 < layout.steps.count, [.size, .length].contains(layout.steps[index + 1].op) {
        continue
      }
      switch step.op {
      case .slot: used.formUnion(node(ofSlot: Int(step.a), in: type).map { [$0] } ?? [])
      case .member:
        used.formUnion(node(ofSlot: Int(step.a), in: types[Int(step.b)]).map { [$0] } ?? [])
      case .instance, .memberInstance: used.insert(layout.instances[Int(step.b)].field)
      default: break
      }
    }
    return used
  }

  private func node(ofSlot slot: Int, in type: TypeSpecification) -> Int? {
    if let parameter = type.parameters.first(where: { $0.slot == slot }) {
      return node(of: parameter, in: type)
    }
    return type.sequence.first { $0.slot == slot || $0.itemSlot == slot }?.fieldIndex
  }

  /// Parameters have numbers after those of all fields.
  private func node(of parameter: Parameter, in type: TypeSpecification) -> Int {
    layout.fields.count + type.index << 16 + parameter.slot
  }
}
