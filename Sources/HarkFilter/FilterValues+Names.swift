extension FilterValues {
  /// Texts of which hark knows all: any other is a misspelling. `never` of an expectation would always hold of it.
  func expectNames(of property: FilterProperty) throws(FilterError) {
    switch property {
    case .event:
      try expect(EventKindNames.all, or: "docs/timeline-json.md lists the kinds of events")
    case .rule: try expect(RuleNames.all, or: "'hark findings --list' shows all rules")
    default: break
    }
  }

  private func expect(_ names: [String], or advice: String) throws(FilterError) {
    let named: Set<FilterComparison.Operator> = [.equal, .notEqual, .allEqual, .anyNotEqual, .isIn]
    guard comparison.function == nil, comparison.slice == nil,
      let operation = comparison.operation?.0, named.contains(operation)
    else { return }
    for (token, last) in comparison.values where last == nil {
      guard case .text = token.kind, !names.contains(plain(token)) else { continue }
      let nearest = FilterNames.nearest(to: plain(token), among: names)
      throw error(
        token.range,
        "\(comparison.name.spelled) is never \(shown(token)); "
          + (nearest.isEmpty
            ? advice
            : "did you mean \(nearest.map { "\"\($0)\"" }.joined(separator: ", "))?"))
    }
  }
}
