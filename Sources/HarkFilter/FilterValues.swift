import HarkCore
import HarkDissection

/// Makes checks from the values of a comparison, or reports why they do not fit the compared
/// field.
struct FilterValues {
  let text: String
  let catalog: Catalog
  let comparison: FilterComparison
  let test: Int

  typealias Checks = [(field: Field?, check: Filter.Check)]

  /// The kind of values that a field has, for comparisons.
  enum Kind {
    case number(Field.Definition?)
    case signed(Field.Definition)
    case float
    case bytes, text, address, device
    case uuid(isBigEndian: Bool)
    case service
    case duration, moment
    case choice(FilterProperty, isOrdered: Bool)
    case group
    case key

    var described: String {
      switch self {
      case .number, .signed, .float, .duration: "a number"
      case .bytes: "a string of bytes"
      case .text, .device: "a text"
      case .address: "an address"
      case .uuid, .service: "a UUID"
      case .moment: "a time"
      case .choice: "one of a set of words"
      case .group: "a group of fields"
      case .key: "a key"
      }
    }
  }

  private var subjectName: String { FilterNames.shown(comparison.name.spelled) }

  func error(_ range: Range<Int>, _ message: String) -> FilterError {
    FilterError(text, range, message)
  }

  func checks(
    of subject: FilterSubject, _ filter: inout Filter
  ) throws(FilterError) -> Checks {
    switch subject {
    case .property(let property):
      try expectNames(of: property)
      return [(nil, try check(kind(of: property), &filter))]
    case .protocols: return [(nil, try check(.bytes, &filter))]
    case .fields(let fields): return try checks(of: fields, &filter)
    }
  }

  private func kind(of property: FilterProperty) -> Kind {
    switch property.form {
    case .number: .number(nil)
    case .text: .text
    case .service: .service
    case .bytes: .bytes
    case .duration: .duration
    case .moment: .moment
    case .device: .device
    case .choice(_, let isOrdered): .choice(property, isOrdered: isOrdered)
    }
  }

  private func kind(of definition: Field.Definition) -> Kind {
    if definition.secret { return .key }
    return switch definition.form {
    case .decimal, .hex: .number(definition)
    case .signed: .signed(definition)
    case .bytes: .bytes
    case .text, .utf16: .text
    case .address: .address
    case .uuid, .attributeType: .uuid(isBigEndian: false)
    case .uuidBigEndian: .uuid(isBigEndian: true)
    case .float, .medical: .float
    case .group, .list: .group
    }
  }

  /// A path may stand for several fields, some of which have no such value.
  private func checks(
    of fields: [(field: Field, entry: Entry)], _ filter: inout Filter
  ) throws(FilterError) -> Checks {
    var checks: Checks = []
    var failure: FilterError?
    var seen: Set<UInt16> = []
    let kinds = fields.map { kind(of: $0.field.definition) }
    // A value that is sometimes decoded further is still compared by its bytes.
    let areBytes = kinds.contains { if case .bytes = $0 { true } else { false } }
    for (index, (field, _)) in fields.enumerated() where seen.insert(field.id).inserted {
      var kind = kinds[index]
      if case .key = kind, comparison.function != .length {
        failure = failure ?? keyFailure
        continue
      }
      if areBytes, comparison.function == nil { kind = .bytes }
      do throws(FilterError) {
        checks.append((field, try check(kind, &filter)))
      } catch {
        failure = failure ?? error
      }
    }
    if checks.isEmpty, let failure { throw failure }
    return checks
  }

  private var keyFailure: FilterError {
    error(
      comparison.subject,
      "\(subjectName) is a key, which hark never shows; test its presence or len(…)")
  }

  // MARK: One kind of values

  private func check(_ kind: Kind, _ filter: inout Filter) throws(FilterError) -> Filter.Check {
    if comparison.function == .length {
      switch kind {
      case .bytes, .text, .device, .address, .key: break
      default:
        throw error(
          comparison.subject,
          "\(subjectName) is \(kind.described): only bytes and texts have a length")
      }
      guard comparison.slice == nil else {
        throw error(comparison.subject, "remove […]: it determines the length")
      }
      guard comparison.operation != nil else {
        throw error(comparison.subject, "len(…) is a number: compare it with one")
      }
      return try number(.length, called: "len(…)", &filter)
    }
    if let slice = comparison.slice { return try sliced(slice, kind, &filter) }
    if let mask = comparison.mask {
      guard case .number(let definition) = kind else {
        throw error(
          mask.range, "\(subjectName) is \(kind.described): & works on numbers")
      }
      return try masked(mask, definition, &filter)
    }
    guard let (operation, place) = comparison.operation else {
      throw error(comparison.subject, "there is nothing to compare this with")
    }
    if operation == .contains || operation == .matches {
      return try search(kind, operation, place, &filter)
    }
    switch kind {
    case .number(let definition): return try numbers(definition, &filter)
    case .signed(let definition): return try signed(definition, &filter)
    case .float:
      return try ranges(.float, &filter) { token throws(FilterError) in
        guard let value = FilterLiteral.float(token.spelled) else {
          throw error(token.range, "\(shown(token)) is not a number")
        }
        return FilterKey.of(value)
      }
    case .duration:
      return try ranges(.number, &filter) { token throws(FilterError) in
        guard let value = FilterLiteral.nanoseconds(token.spelled) else {
          throw error(token.range, "\(shown(token)) is not a number of seconds, such as 12.5")
        }
        return FilterKey.of(value)
      }
    case .moment: return try moments(&filter)
    case .choice(let property, let isOrdered):
      try needsEquality(unless: isOrdered, kind)
      return try ranges(.number, &filter) { token throws(FilterError) in
        try choice(token, property)
      }
    case .address:
      try needsEquality(kind)
      return try ranges(.address, &filter) { token throws(FilterError) in
        guard let value = FilterLiteral.address(plain(token)) else {
          throw error(token.range, "\(shown(token)) is not an address, such as C0:DE:00:00:00:01")
        }
        return value
      }
    case .uuid(let isBigEndian):
      try needsEquality(kind)
      return try uuids(isBigEndian, &filter)
    case .service:
      try needsEquality(kind)
      return try services(&filter)
    case .bytes: return try strings(.bytes, kind, &filter)
    case .text, .device:
      try needsEquality(kind)
      return try strings(.text, kind, &filter)
    case .group:
      throw error(
        comparison.subject,
        "\(subjectName) is a group of fields: test only its presence")
    case .key: throw keyFailure
    }
  }

  private func needsEquality(unless isOrdered: Bool = false, _ kind: Kind) throws(FilterError) {
    guard !isOrdered, let (operation, place) = comparison.operation else { return }
    switch operation {
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      throw error(place, "\(subjectName) is \(kind.described): these have no order, only == and !=")
    case .isIn:
      if let range = comparison.values.first(where: { $0.last != nil })?.last?.range {
        throw error(range, "\(subjectName) is \(kind.described): these have no ranges")
      }
    default: break
    }
  }

  // MARK: Numbers

  /// The values that lengths and counts are compared with.
  func number(
    _ source: Filter.Source, called name: String, _ filter: inout Filter
  ) throws(FilterError) -> Filter.Check {
    if let (operation, place) = comparison.operation,
      operation == .contains || operation == .matches
    {
      throw error(place, "\(name) is a number: compare it with ==, <, in, …")
    }
    return try ranges(source, &filter) { token throws(FilterError) in
      try unsigned(token, nil)
    }
  }

  private func numbers(
    _ definition: Field.Definition?, _ filter: inout Filter
  ) throws(FilterError) -> Filter.Check {
    try ranges(.number, &filter) { token throws(FilterError) in try unsigned(token, definition) }
  }

  private func masked(
    _ mask: FilterToken, _ definition: Field.Definition?, _ filter: inout Filter
  ) throws(FilterError) -> Filter.Check {
    let bits = try unsigned(mask, definition)
    var check: Filter.Check
    if comparison.operation == nil {
      check = Filter.Check(test: test, source: .number)
      check.operands = filter.ranges.count..<(filter.ranges.count + 1)
      filter.ranges.append(Filter.KeyRange(low: 1, high: .max))
    } else {
      try needsNumbers()
      check = try numbers(definition, &filter)
    }
    check.mask = bits
    return check
  }

  private func needsNumbers() throws(FilterError) {
    if let (operation, place) = comparison.operation,
      operation == .contains || operation == .matches
    {
      throw error(place, "compare bits of a number with ==, !=, <, …")
    }
  }

  private func signed(
    _ definition: Field.Definition, _ filter: inout Filter
  ) throws(FilterError) -> Filter.Check {
    try ranges(.signed, &filter) { token throws(FilterError) in
      if token.kind == .word, let value = FilterLiteral.signed(token.spelled) {
        return FilterKey.of(value)
      }
      let code = try unsigned(token, definition)
      // Special values of one octet are named by the octet: 0xFF is -1. Codes are signed numbers.
      return FilterKey.of(
        definition.isMeasure && code < 0x100
          ? Int64(Int8(truncatingIfNeeded: code)) : Int64(bitPattern: code))
    }
  }

  /// A number, or the name of a code or of a bit.
  private func unsigned(
    _ token: FilterToken, _ definition: Field.Definition?
  ) throws(FilterError) -> UInt64 {
    if token.kind == .word, let (value, isNegative) = FilterLiteral.number(token.spelled) {
      guard !isNegative || value == 0 else {
        throw error(token.range, "\(subjectName) is never negative")
      }
      return value
    }
    let name = plain(token)
    guard let definition, definition.hasNames || !definition.flags.isEmpty else {
      throw error(token.range, "\(shown(token)) is not a number" + hexHint(token))
    }
    if let code = FilterNames.code(name, definition) { return code }
    let complaint = "\(shown(token)) is neither a number nor a name of \(subjectName)"
    let hint = hexHint(token)
    throw FilterError(text, token.range) {
      let nearest = FilterNames.nearest(to: name, among: FilterNames.names(definition))
        .map(Self.quoted).joined(separator: ", ")
      return complaint + (nearest.isEmpty ? "" : "; did you mean \(nearest)?") + hint
    }
  }

  private func hexHint(_ token: FilterToken) -> String {
    token.kind == .word && UInt64(token.spelled, radix: 16) != nil
      ? "; hexadecimal numbers start with 0x: 0x\(token.spelled)" : ""
  }

  /// A name, in quotes if needed.
  static func quoted(_ name: String) -> String {
    name.utf8.allSatisfy {
      0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F || $0 == 0x2D
    } ? name : "\"\(name)\""
  }

  private func choice(_ token: FilterToken, _ property: FilterProperty) throws(FilterError)
    -> UInt64
  {
    let name = FilterNames.key(plain(token))
    let wanted = property == .lane ? FilterProperty.laneAliases[name] ?? name : name
    if !wanted.isEmpty, let index = property.choices.firstIndex(of: wanted) { return UInt64(index) }
    let all = property.choices.filter { !$0.isEmpty }
    let nearest = FilterNames.nearest(to: name, among: all)
    let advice =
      nearest.isEmpty
      ? "it is one of \(all.joined(separator: ", "))"
      : "did you mean \(nearest.joined(separator: ", "))?"
    throw error(token.range, "\(property.name) is never \(shown(token)); \(advice)")
  }

  private func moments(_ filter: inout Filter) throws(FilterError) -> Filter.Check {
    var isTimeOfDay: Bool?
    var check = try ranges(.number, &filter) { token throws(FilterError) in
      guard let moment = FilterLiteral.moment(plain(token)) else {
        throw error(
          token.range,
          "\(shown(token)) is not a time, such as 10:20:30 or \"2026-11-21 10:20:30\"")
      }
      let (key, ofDay) =
        switch moment {
        case .date(let time): (time, false)
        case .timeOfDay(let time): (time, true)
        }
      guard isTimeOfDay ?? ofDay == ofDay else {
        throw error(token.range, "dates and times of day cannot be mixed")
      }
      isTimeOfDay = ofDay
      return FilterKey.of(key)
    }
    if isTimeOfDay == true { check.source = .timeOfDay }
    return check
  }

  /// The values as ranges of keys.
  private func ranges(
    _ source: Filter.Source, _ filter: inout Filter,
    _ key: (FilterToken) throws(FilterError) -> UInt64
  ) throws(FilterError) -> Filter.Check {
    var check = Filter.Check(test: test, source: source)
    let start = filter.ranges.count
    let operation = comparison.operation?.0 ?? .equal
    for (first, last) in comparison.values {
      let value = try key(first)
      var range = Filter.KeyRange(low: value, high: value)
      if let last {
        range.high = try key(last)
        guard range.low <= range.high else {
          throw error(
            first.range.lowerBound..<last.range.upperBound,
            "this range is empty: its end precedes its start")
        }
      }
      switch operation {
      case .less: range = Filter.KeyRange(low: 0, high: value &- 1)
      case .lessOrEqual: range.low = 0
      case .greater: range = Filter.KeyRange(low: value &+ 1, high: .max)
      case .greaterOrEqual: range.high = .max
      default: break
      }
      // Nothing is below the minimum or above the maximum.
      let isEmpty = operation == .less && value == 0 || operation == .greater && value == .max
      if isEmpty { range = Filter.KeyRange(low: 1, high: 0) }
      filter.ranges.append(range)
    }
    check.operands = start..<filter.ranges.count
    check.isNegated = operation == .notEqual || operation == .anyNotEqual
    return check
  }

  func shown(_ token: FilterToken) -> String {
    token.spelled.utf8.count <= 40 ? token.spelled : "this"
  }

  /// The value without quotes.
  func plain(_ token: FilterToken) -> String {
    if case .text(let bytes, _) = token.kind {
      String(decoding: bytes, as: UTF8.self)
    } else {
      token.spelled
    }
  }
}
