import HarkCore
import HarkDissection

extension FilterValues {
  /// Longer ones are searched for too slowly.
  static let longestPart = 1_024

  /// Texts and strings of bytes, as ranges of them.
  func strings(
    _ source: Filter.Source, _ kind: Kind, _ filter: inout Filter
  ) throws(FilterError) -> Filter.Check {
    var check = Filter.Check(test: test, source: source, predicate: .strings)
    let start = filter.strings.count
    let operation = comparison.operation?.0 ?? .equal
    for (first, last) in comparison.values {
      let low = try string(first, kind)
      var range = Filter.StringRange(low: low, high: low)
      if let last { range.high = try string(last, kind) }
      filter.strings.append(range)
    }
    check.operands = start..<filter.strings.count
    check.isNegated = operation == .notEqual || operation == .anyNotEqual
    switch operation {
    case .less: check.order = 1
    case .lessOrEqual: check.order = 3
    case .greater: check.order = 4
    case .greaterOrEqual: check.order = 6
    default: break
    }
    if check.order != 0 { check.predicate = .order }
    return check
  }

  /// The bytes that a value stands for.
  private func string(_ token: FilterToken, _ kind: Kind) throws(FilterError) -> [UInt8] {
    if case .text(let bytes, _) = token.kind {
      // Addresses in texts are written as hark shows them.
      if case .device = kind, let address = FilterLiteral.address(plain(token)) {
        return Array(BluetoothAddress(address).description.utf8)
      }
      return bytes
    }
    switch kind {
    case .text:
      throw error(token.range, "write texts in quotes: \"\(shown(token))\"")
    case .device:
      if let address = FilterLiteral.address(token.spelled) {
        return Array(BluetoothAddress(address).description.utf8)
      }
      throw error(
        token.range,
        "\(shown(token)) is not an address; write names in quotes: \"\(shown(token))\"")
    default:
      guard let bytes = FilterLiteral.bytes(token.spelled) else {
        throw error(
          token.range, "\(shown(token)) is not a string of bytes, such as 01:02:ff or \"text\"")
      }
      return bytes
    }
  }

  /// A part of the bytes.
  func sliced(
    _ slice: FilterComparison.Slice, _ kind: Kind, _ filter: inout Filter
  ) throws(FilterError) -> Filter.Check {
    let source: Filter.Source
    switch kind {
    case .bytes: source = .bytes
    case .text, .device: source = .text
    case .address: source = .address
    default:
      throw error(
        comparison.subject,
        "\(FilterNames.shown(comparison.name.spelled)) is \(kind.described): only bytes, texts "
          + "and addresses have parts")
    }
    if let mask = comparison.mask {
      throw error(mask.range, "& works on numbers, not on bytes")
    }
    var check: Filter.Check
    switch comparison.operation {
    case nil:
      // Whether the part is there.
      check = Filter.Check(test: test, source: source, predicate: .order)
      check.operands = filter.strings.count..<(filter.strings.count + 1)
      check.order = 7
      filter.strings.append(Filter.StringRange(low: [], high: []))
    case (.contains, let place)?, (.matches, let place)?:
      check = try search(
        .bytes, comparison.operation?.0 ?? .contains, place, &filter)
      check.source = source
    default:
      check = try strings(source, .bytes, &filter)
      check.source = source
    }
    check.slice = slice
    return check
  }

  /// `contains` and `matches`.
  func search(
    _ kind: Kind, _ operation: FilterComparison.Operator, _ place: Range<Int>,
    _ filter: inout Filter
  ) throws(FilterError) -> Filter.Check {
    let source: Filter.Source
    switch kind {
    case .bytes: source = .bytes
    case .text, .device: source = .text
    case .uuid, .service: source = .uuidName
    case .number(let definition?) where definition.hasNames: source = .name
    case .signed(let definition) where definition.hasNames: source = .name
    case .key: throw error(comparison.subject, "filters cannot search keys")
    default:
      throw error(
        place,
        "\(FilterNames.shown(comparison.name.spelled)) is \(kind.described): \(operation.rawValue) "
          + "works on bytes and texts; use ==, <, in, …")
    }
    guard let token = comparison.values.first?.first else {
      throw error(place, "a value is missing after this")
    }
    if source == .name || source == .uuidName, case .word = token.kind {
      throw error(
        token.range,
        "\(operation.rawValue) searches the name here: write a text in quotes, or compare with =="
      )
    }
    var check = Filter.Check(test: test, source: source)
    if operation == .matches {
      check.predicate = .pattern
      check.operands = filter.patterns.count..<(filter.patterns.count + 1)
      filter.patterns.append(try pattern(token, isText: source != .bytes))
      return check
    }
    let part = try string(token, kind)
    guard part.count <= Self.longestPart else {
      throw error(token.range, "contains takes at most \(Self.longestPart) bytes")
    }
    check.predicate = .contains
    check.operands = filter.strings.count..<(filter.strings.count + 1)
    filter.strings.append(Filter.StringRange(low: part, high: part))
    return check
  }

  private func pattern(_ token: FilterToken, isText: Bool) throws(FilterError) -> FilterPattern {
    guard case .text(let bytes, let isRaw) = token.kind else {
      throw error(token.range, "write a regular expression in quotes: \"\(shown(token))\"")
    }
    do throws(FilterPatternParser.Failure) {
      return try FilterPatternParser.pattern(bytes, isText: isText)
    } catch {
      // Where nothing was escaped, the expression's bytes are those of the text.
      let start = token.range.lowerBound + (isRaw ? 2 : 1)
      let isPlain = bytes.count == token.range.upperBound - 1 - start
      let place = isPlain ? min(start + error.offset, token.range.upperBound - 1) : nil
      throw self.error(place.map { $0..<($0 + 1) } ?? token.range, error.message)
    }
  }

  // MARK: UUIDs

  /// UUIDs, or names of External Accessory protocols, which are reverse-DNS names.
  func services(_ filter: inout Filter) throws(FilterError) -> Filter.Check {
    let names = comparison.values.map(\.first).filter { token in
      plain(token).contains(".") && BluetoothUUID(written: plain(token)) == nil
        && named(FilterNames.key(plain(token))).isEmpty
    }
    guard let first = names.first else { return try uuids(false, &filter) }
    guard names.count == comparison.values.count else {
      throw error(first.range, "UUIDs and names of protocols cannot be mixed")
    }
    return try strings(.text, .text, &filter)
  }

  private static let uuidsByKey = Dictionary(grouping: AssignedNumbers.named) {
    FilterNames.key($0.name)
  }

  private func named(_ key: String) -> [BluetoothUUID] {
    Self.uuidsByKey[key, default: []].map(\.uuid)
  }

  func uuids(
    _ isBigEndian: Bool, _ filter: inout Filter
  ) throws(FilterError) -> Filter.Check {
    var check = Filter.Check(
      test: test, source: isBigEndian ? .uuidBigEndian : .uuid, predicate: .uuids)
    let start = filter.uuids.count
    for (token, _) in comparison.values {
      if let uuid = BluetoothUUID(written: plain(token)) {
        filter.uuids.append(uuid)
        continue
      }
      let name = FilterNames.key(plain(token))
      let found = named(name)
      guard !found.isEmpty else {
        let nearest = FilterNames.nearest(to: name, among: AssignedNumbers.named.map(\.name))
        let advice =
          nearest.isEmpty
          ? "" : "; did you mean \(nearest.map(Self.quoted).joined(separator: ", "))?"
        throw error(token.range, "\(shown(token)) is neither a UUID nor the name of one\(advice)")
      }
      filter.uuids += found
    }
    check.operands = start..<filter.uuids.count
    check.isNegated =
      comparison.operation?.0 == .notEqual || comparison.operation?.0 == .anyNotEqual
    return check
  }
}
