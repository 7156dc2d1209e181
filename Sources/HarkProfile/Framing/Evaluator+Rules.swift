import HarkCore
import HarkSession

extension Profile.Contents {
  enum Choice {
    case rule(Rule)
    /// No rule holds; `isUndecided` where one could not be decided, and why, where that is known.
    case none(isUndecided: Bool, FramingProblem?)
  }

  func choose(_ evaluator: inout Evaluator) -> Choice {
    var isUndecided = false
    let selected = selector.map { evaluator.value($0) } ?? .null
    for rule in rules {
      if let wanted = rule.selected, !evaluator.areEqual(selected, wanted) { continue }
      guard let when = rule.when else { return .rule(rule) }
      switch evaluator.value(when).bool {
      case true: return .rule(rule)
      case false: break
      case nil: isUndecided = true
      }
    }
    guard let selector else { return .none(isUndecided: isUndecided, nil) }
    let field = selector.fieldName ?? "switch-on"
    if case .null = selected { return .none(isUndecided: true, .missing(field: field)) }
    if encoding.source != nil, let type = selected.int.flatMap({ UInt8(exactly: $0) }) {
      return .none(isUndecided: isUndecided, .unknownType(type))
    }
    return .none(isUndecided: isUndecided, .unknownValue(field: field))
  }
}

// Members of rules. Values that do not suit their purpose are noted.
extension Evaluator {
  /// Does something with a rule in the part of the message that it is about.
  mutating func inside<T>(
    _ rule: Rule, _ body: (inout Evaluator) throws(FramingProblem) -> T
  ) throws(FramingProblem) -> T {
    guard rule.scope != nil || !rule.needs.isEmpty else { return try body(&self) }
    let outer = here
    defer { here = outer }
    if let scope = rule.scope {
      let part = value(scope)
      switch part {
      case .object: here = part
      case .null: throw .missing(field: scope.fieldName ?? "of")
      default: throw .wrong(field: scope.fieldName ?? "of")
      }
    }
    for need in rule.needs {
      if case .null = value(need) { throw .missing(field: need.fieldName ?? "needs") }
    }
    return try body(&self)
  }

  mutating func holds(_ rule: Rule) -> Bool { rule.when.map { value($0).bool == true } ?? true }

  mutating func value(_ member: Member, of rule: Rule) -> ProfileValue {
    value(member, rule.members)
  }

  mutating func value(_ member: Member, _ items: Rule.Items) -> ProfileValue {
    value(member, items.members)
  }

  private mutating func value(_ member: Member, _ members: [Member: Formula]) -> ProfileValue {
    guard let formula = members[member] else { return .null }
    fault = nil
    let value = value(formula)
    if let fault { note(fault.problem(field: formula.fieldName ?? member.rawValue)) }
    return value
  }

  private mutating func value<T>(
    _ member: Member, _ members: [Member: Formula], _ make: (ProfileValue) -> T?
  ) -> T? {
    let value = value(member, members)
    if case .null = value { return nil }
    if let made = make(value) { return made }
    note(.wrong(field: members[member]?.fieldName ?? member.rawValue))
    return nil
  }

  /// What the message calls a member.
  func name(_ member: Member, of rule: Rule) -> String {
    rule.members[member]?.fieldName ?? member.rawValue
  }

  mutating func text(_ member: Member, of rule: Rule) -> String? {
    text(member, rule.members)
  }

  mutating func bytes(_ member: Member, of rule: Rule) -> [UInt8]? {
    value(member, rule.members) { $0.octets ?? $0.bytes }
  }

  mutating func bool(_ member: Member, of rule: Rule) -> Bool? {
    value(member, rule.members) { $0.bool }
  }

  mutating func int(_ member: Member, of rule: Rule) -> Int? {
    int(member, rule.members)
  }

  mutating func double(_ member: Member, of rule: Rule) -> Double? {
    value(member, rule.members) { value in
      if case .float(let number) = value { number } else { value.int.map { Double($0) } }
    }
  }

  /// A name or a number, as text.
  mutating func code(_ member: Member, of rule: Rule) -> String? {
    value(member, rule.members) { $0.text ?? $0.int.map { "\($0)" } ?? $0.number.map { "\($0)" } }
  }

  mutating func time(_ member: Member, of rule: Rule) -> Timestamp? {
    time(member, rule.members)
  }

  mutating func text(_ member: Member, _ items: Rule.Items) -> String? {
    text(member, items.members)
  }

  mutating func bool(_ member: Member, _ items: Rule.Items) -> Bool? {
    value(member, items.members) { $0.bool }
  }

  mutating func int(_ member: Member, _ items: Rule.Items) -> Int? { int(member, items.members) }

  mutating func text(_ member: Member, _ members: [Member: Formula]) -> String? {
    value(member, members) { $0.text }
  }

  mutating func int(_ member: Member, _ members: [Member: Formula]) -> Int? {
    value(member, members) { $0.int }
  }

  mutating func time(_ member: Member, _ members: [Member: Formula]) -> Timestamp? {
    value(member, members) { $0.time } ?? nil
  }

  /// Items that were not read whole are left out.
  mutating func items<T>(
    _ list: ItemList, of rule: Rule, _ make: (inout Evaluator, Rule.Items) -> T?
  ) -> [T] {
    guard let items = rule.lists[list] else { return [] }
    let all = value(items.each)
    switch all {
    case .null, .array: break
    default: note(.wrong(field: items.each.fieldName ?? list.rawValue))
    }
    return each(all) { evaluator, item in
      guard item.isWhole, items.when.map({ evaluator.value($0).bool == true }) ?? true else {
        return nil
      }
      if let made = make(&evaluator, items) { return made }
      let member = list.members.required.first { items.members[$0] != nil }
      let name = member.flatMap { items.members[$0]?.fieldName } ?? member?.rawValue
      evaluator.note(.missing(field: name ?? list.rawValue))
      return nil
    }
  }
}
