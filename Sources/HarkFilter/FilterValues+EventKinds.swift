extension FilterValues {
  /// What no event ever is would be a misspelling: `never` of an expectation always holds of it.
  func expectEventKinds() throws(FilterError) {
    let named: Set<FilterComparison.Operator> = [.equal, .notEqual, .allEqual, .anyNotEqual, .isIn]
    guard comparison.function == nil, comparison.slice == nil,
      let operation = comparison.operation?.0, named.contains(operation)
    else { return }
    for (token, last) in comparison.values where last == nil {
      guard case .text = token.kind, !EventKindNames.all.contains(plain(token)) else { continue }
      let nearest = FilterNames.nearest(to: plain(token), among: EventKindNames.all)
      throw error(
        token.range,
        "event is never \(shown(token)); "
          + (nearest.isEmpty
            ? "docs/timeline-json.md lists the kinds of events"
            : "did you mean \(nearest.map { "\"\($0)\"" }.joined(separator: ", "))?"))
    }
  }
}
