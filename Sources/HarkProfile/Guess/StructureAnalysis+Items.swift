// Lists of values with tags.
extension StructureAnalysis {
  mutating func items() -> Bool {
    guard structure.kind == nil || scope.depth == 0, let found = ItemTrial.find(samples) else {
      return false
    }
    let evidence = samples.evidence()
    let list = found.codes.map { "\(GuessLines.hex($0.value)) (\($0.count))" }
      .joined(separator: ", ")
    var item = Structure()
    item.kind = "tag"
    let tag = GuessedField(
      id: "tag", size: .integer(.u1), meaning: .code(found.codes),
      evidence: "\(found.codes.count) different: \(list)")
    let name = found.isLengthFirst ? "len_item" : "len_value"
    let length = GuessedField(
      id: name, size: .integer(found.length), meaning: .length(minus: 0),
      evidence: found.isLengthFirst ? "counts the tag and the value" : "counts the value")
    item.fields = found.isLengthFirst ? [length, tag] : [tag, length]
    item.fields.append(
      GuessedField(
        id: "value", size: .rest,
        meaning: .body(length: name, minus: found.isLengthFirst ? 1 : 0, Structure()),
        evidence: ""))
    var inner = scope
    inner.depth += 1
    (inner.mayFragment, inner.mayHaveKind, inner.mayHaveChecksum) = (false, false, false)
    for code in found.codes {
      let own = found.items.filter { found.tag($0) == code.value }
      item.cases.append(
        GuessedCase(
          value: code.value, structure: Self.of(own, inner), evidence: "\(Samples(own).evidence())")
      )
    }
    add(
      "items", .rest, .items(item),
      "\(found.items.count) items, each with a tag and a length, to the end; \(evidence)")
    return true
  }
}
