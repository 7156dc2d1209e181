// The texts that a profile states itself, which no message contains.
extension Profile {
  /// Constants and the texts of tables, wherever a rule uses them as a member.
  var statedTexts: Set<String> {
    (channels.map(\.contents) + plaintexts.map(\.contents)).reduce(into: []) {
      $1.addTexts(to: &$0)
    }
  }
}

extension Profile.Contents {
  fileprivate func addTexts(to texts: inout Set<String>) {
    for rule in rules {
      let formulas = Array(rule.members.values) + rule.lists.values.flatMap(\.members.values)
      for formula in formulas { texts.formUnion(formula.texts.map(\.text)) }
      rule.contents?.addTexts(to: &texts)
    }
  }
}
