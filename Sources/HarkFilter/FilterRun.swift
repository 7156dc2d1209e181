import HarkCore
import HarkDissection

/// Runs a filter over one packet or event after another. Give it the values that it needs, then ask for the
/// result: first the properties, which are known without reading the packet, then its fields.
public struct FilterRun: Sendable {
  struct State {
    var count = 0
    var fits = 0
  }

  enum Answer: UInt8 { case no, yes, open }

  public let filter: Filter
  var states: [State]
  private var isScanned = false
  /// For an event, the known results of the tests on packets: a bit for each.
  private var known: [UInt64]?
  private var stack: [Answer] = []
  private var layers = [UInt16](repeating: .max, count: 64)

  public init(_ filter: Filter) {
    self.filter = filter
    states = [State](repeating: State(), count: filter.tests.count)
  }

  /// Forgets the previous packet.
  public mutating func begin() {
    for index in states.indices { states[index] = State() }
    isScanned = false
    if known != nil { known = nil }
  }

  /// The result, or nil if it depends on values not yet given.
  public mutating func decide() -> Bool? {
    let answer = answer { run, test in run.answer(of: test) }
    return answer == .open ? nil : answer == .yes
  }

  /// Whether a packet of a kind may match, if only the kind was given; `isImpossible` reports a test
  /// that no such packet passes.
  mutating func mayMatch(_ isImpossible: (Int) -> Bool) -> Bool {
    answer { run, test in
      if isImpossible(test) { return .no }
      return run.filter.tests[test].property == .kind ? run.answer(of: test) : .open
    } != .no
  }

  /// Whether the packet matches. All its values were given.
  public mutating func result() -> Bool {
    isScanned = true
    return decide() ?? false
  }

  private mutating func answer(_ test: (inout FilterRun, Int) -> Answer) -> Answer {
    stack.removeAll(keepingCapacity: true)
    var position = 0
    while position < filter.steps.count {
      switch filter.steps[position] {
      case .test(let index): stack.append(test(&self, index))
      case .not: stack.append(stack.removeLast().opposite)
      case .andThen(let target):
        if stack.last == .no { position = target }
      case .orElse(let target):
        if stack.last == .yes { position = target }
      case .and: stack.append(Answer.both(stack.removeLast(), stack.removeLast()))
      case .or:
        stack.append(Answer.both(stack.removeLast().opposite, stack.removeLast().opposite).opposite)
      }
      position += 1
    }
    return stack.last ?? .no
  }

  private func answer(of index: Int) -> Answer {
    let test = filter.tests[index]
    if let known, test.property.map({ !$0.isOfEvent }) ?? true {
      return known[index >> 6] >> UInt64(index & 63) & 1 == 1 ? .yes : .no
    }
    if !isScanned, test.property?.needsFields ?? true { return .open }
    let state = states[index]
    guard state.count > 0 else { return .no }
    if !test.counts.isEmpty { return contains(UInt64(state.count), test.counts) ? .yes : .no }
    return (test.needsAll ? state.fits == state.count : state.fits > 0) ? .yes : .no
  }

  // MARK: Events

  /// The number of words for the bits of a packet's tests.
  public var wordCount: Int { (filter.tests.count + 63) / 64 }

  /// Appends a bit for each test: its result for the packet that was given.
  public mutating func appendBits(to words: inout [UInt64]) {
    isScanned = true
    for word in 0..<wordCount {
      var bits: UInt64 = 0
      for index in (word * 64)..<min(filter.tests.count, word * 64 + 64)
      where answer(of: index) == .yes {
        bits |= 1 << UInt64(index & 63)
      }
      words.append(bits)
    }
  }

  /// Whether an event matches that has the given properties and is shown by a packet with these bits.
  public mutating func result(withBits words: [UInt64]) -> Bool {
    known = words
    defer { known = nil }
    return result()
  }

  // MARK: Properties

  public mutating func add(_ property: FilterProperty, _ number: UInt64) {
    check(property) { run, check in
      switch check.source {
      case .presence: true
      default: run.contains(number & check.mask, check.operands)
      }
    }
  }

  /// A choice by its name.
  public mutating func add(_ property: FilterProperty, choice: String) {
    add(property, UInt64(property.choices.firstIndex(of: choice) ?? Int.max))
  }

  /// Nanoseconds.
  public mutating func add(_ property: FilterProperty, nanoseconds: Int64) {
    check(property) { run, check in
      switch check.source {
      case .presence: return true
      case .timeOfDay:
        let day: Int64 = 86_400_000_000_000
        let time = (nanoseconds % day + day) % day
        return run.contains(FilterKey.of(time), check.operands)
      default: return run.contains(FilterKey.of(nanoseconds), check.operands)
      }
    }
  }

  public mutating func add(_ property: FilterProperty, text: String) {
    let bytes = Array(text.utf8)
    add(property, bytes: bytes.raw)
  }

  public mutating func add(_ property: FilterProperty, bytes: RawSpan) {
    guard let checks = filter.propertyChecks[property] else { return }
    for index in checks {
      let check = filter.checks[index]
      take(bytes, 0..<bytes.byteCount, check)
    }
  }

  public mutating func add(_ property: FilterProperty, _ uuid: BluetoothUUID) {
    check(property) { run, check in
      check.source == .presence || run.fits(uuid, isType: false, check)
    }
  }

  private mutating func check(
    _ property: FilterProperty, _ fits: (FilterRun, Filter.Check) -> Bool
  ) {
    guard let checks = filter.propertyChecks[property] else { return }
    for index in checks { note(fits(self, filter.checks[index]), filter.checks[index]) }
  }

  private mutating func note(_ fits: Bool, _ check: Filter.Check) {
    states[check.test].count += 1
    if fits != check.isNegated { states[check.test].fits += 1 }
  }

  // MARK: Fields

  /// Looks at the fields of a packet, or of a PDU that it completes. The tree was made from
  /// `bytes`.
  public mutating func scan(_ tree: borrowing Tree, _ bytes: RawSpan) {
    guard !filter.scan.isEmpty else { return }
    let dependsOnLayer = filter.scan.dependsOnLayer
    let fields = filter.scan.starts.count - 1
    for index in tree.nodes.indices {
      let node = tree.nodes[index]
      let id = Int(node.field.id)
      guard id < fields else { continue }
      let depth = min(Int(node.depth), 62)
      if dependsOnLayer {
        layers[depth + 1] = node.kind == .layer ? filter.scan.layers[id] : layers[depth]
      }
      let (start, end) = (Int(filter.scan.starts[id]), Int(filter.scan.starts[id + 1]))
      guard start != end else { continue }
      for place in start..<end {
        let check = filter.checks[filter.scan.checks[place]]
        if dependsOnLayer, check.layer != .max, check.layer != layers[depth],
          filter.scan.declaring[node.field.id]?.contains(layers[depth]) ?? false
        {
          continue
        }
        take(node, bytes, check)
      }
    }
  }

  /// The PSM of the packet's channel, for packets that do not contain one.
  public mutating func add(psm: UInt16) {
    for index in filter.scan.psm {
      let check = filter.checks[index]
      guard states[check.test].count == 0 else { continue }
      let fits =
        switch check.source {
        case .presence: true
        case .name: self.fits(Self.psm.name(of: UInt64(psm)), check)
        default: contains(UInt64(psm) & check.mask, check.operands)
        }
      note(fits, check)
    }
  }

  private static let psm = Catalog.shared.fields(at: "l2cap.psm")[0].definition

  private mutating func take(_ node: Tree.Node, _ bytes: RawSpan, _ check: Filter.Check) {
    switch check.source {
    case .presence: note(true, check)
    // A group may also be a value that a protocol decodes further. Its number means nothing.
    case .address where check.slice != nil:
      let octets = (0..<6).map { UInt8(truncatingIfNeeded: node.value >> UInt64(40 - $0 * 8)) }
      take(octets.raw, 0..<6, check)
    case .number, .signed, .float, .address, .name, .uuid, .uuidBigEndian, .uuidName:
      guard node.kind != .group, node.kind != .layer else { return }
      note(fits(node, bytes, check), check)
    case .length:
      guard node.kind != .inferred else { return }
      note(contains(UInt64(node.count), check.operands), check)
    case .bytes, .text, .timeOfDay:
      guard node.kind != .inferred else { return }
      if check.source == .text, case .utf16 = node.field.definition.form {
        let text = Array(Catalog.shared.string(node, of: bytes).utf8)
        take(text.raw, 0..<text.count, check)
      } else {
        take(bytes, node.range.clamped(to: 0..<bytes.byteCount), check)
      }
    }
  }

  /// Bytes of which a part is requested: without that part, there is no value.
  private mutating func take(_ bytes: RawSpan, _ range: Range<Int>, _ check: Filter.Check) {
    var range = range
    if check.source == .text, let end = range.first(where: { bytes.byte(at: $0) == 0 }) {
      range = range.lowerBound..<end
    }
    if let slice = check.slice {
      guard let part = slice.part(of: range) else { return }
      range = part
    }
    note(fits(bytes, range, check), check)
  }

  private func fits(_ node: Tree.Node, _ bytes: RawSpan, _ check: Filter.Check) -> Bool {
    switch check.source {
    case .signed:
      let shift = UInt64(64 &- min(8, max(Int(node.count), 1)) &* 8)
      let number = Int64(bitPattern: node.value << shift) >> Int64(shift)
      return contains(FilterKey.of(number), check.operands)
    case .float:
      let number =
        node.count == 4
        ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: node.value)))
        : Double(bitPattern: node.value)
      return !number.isNaN && contains(FilterKey.of(number), check.operands)
    case .name: return fits(node.field.definition.name(of: node.value), check)
    case .uuid, .uuidName, .uuidBigEndian:
      return uuid(of: node, bytes).map {
        fits($0, isType: isAttributeType(node.field), check)
      } ?? false
    default: return contains(node.value & check.mask, check.operands)
    }
  }

  private func uuid(of node: Tree.Node, _ bytes: RawSpan) -> BluetoothUUID? {
    if let inferred = node.inferredUUID { return inferred }
    guard node.range.upperBound <= bytes.byteCount else { return nil }
    let octets = bytes.extracting(node.range)
    if case .uuidBigEndian = node.field.definition.form {
      return BluetoothUUID(littleEndian: octets.array.reversed().raw)
    }
    return BluetoothUUID(littleEndian: octets)
  }

  private func isAttributeType(_ field: Field) -> Bool {
    if case .attributeType = field.definition.form { true } else { false }
  }

  // MARK: Predicates

  private func contains(_ key: UInt64, _ operands: Range<Int>) -> Bool {
    for index in operands {
      let range = filter.ranges[index]
      if key >= range.low, key <= range.high { return true }
    }
    return false
  }

  private func fits(_ uuid: BluetoothUUID, isType: Bool, _ check: Filter.Check) -> Bool {
    guard check.source == .uuidName else {
      return check.predicate == .uuids && check.operands.contains { filter.uuids[$0] == uuid }
    }
    let name =
      isType ? AssignedNumbers.name(ofAttributeType: uuid) : AssignedNumbers.name(of: uuid)
    return fits(name, check)
  }

  private func fits(_ name: String?, _ check: Filter.Check) -> Bool {
    guard let name else { return false }
    let bytes = Array(name.utf8)
    return fits(bytes.raw, 0..<bytes.count, check)
  }

  private func fits(_ bytes: RawSpan, _ range: Range<Int>, _ check: Filter.Check) -> Bool {
    if check.source == .presence { return true }
    if check.source == .length { return contains(UInt64(range.count), check.operands) }
    switch check.predicate {
    case .strings:
      return check.operands.contains {
        Self.compare(bytes, range, filter.strings[$0].low) >= 0
          && Self.compare(bytes, range, filter.strings[$0].high) <= 0
      }
    case .order:
      let order = Self.compare(bytes, range, filter.strings[check.operands.lowerBound].low)
      return check.order & (order < 0 ? 1 : order == 0 ? 2 : 4) != 0
    case .contains:
      return Self.contains(bytes, range, filter.strings[check.operands.lowerBound].low)
    case .pattern: return filter.patterns[check.operands.lowerBound].matches(bytes, range)
    case .ranges, .uuids: return false
    }
  }

  /// Below 0 if the bytes sort before `other`, 0 if they are equal, otherwise above 0.
  private static func compare(_ bytes: RawSpan, _ range: Range<Int>, _ other: [UInt8]) -> Int {
    for (index, byte) in zip(range, other) {
      let mine = bytes.byte(at: index)
      if mine != byte { return mine < byte ? -1 : 1 }
    }
    return range.count - other.count
  }

  private static func contains(_ bytes: RawSpan, _ range: Range<Int>, _ part: [UInt8]) -> Bool {
    start(of: part, in: bytes, range) != nil
  }

  /// The offset of `part` in the bytes of `range`; nil if they do not contain it.
  static func start(of part: [UInt8], in bytes: RawSpan, _ range: Range<Int>) -> Int? {
    guard let first = part.first else { return range.lowerBound }
    guard part.count <= range.count else { return nil }
    for start in range.lowerBound...(range.upperBound - part.count)
    where bytes.byte(at: start) == first {
      if part.indices.allSatisfy({ bytes.byte(at: start + $0) == part[$0] }) { return start }
    }
    return nil
  }
}

extension FilterRun.Answer {
  var opposite: Self {
    switch self {
    case .no: .yes
    case .yes: .no
    case .open: .open
    }
  }

  static func both(_ a: Self, _ b: Self) -> Self {
    a == .no || b == .no ? .no : a == .yes && b == .yes ? .yes : .open
  }
}

extension FilterComparison.Slice {
  /// The part of `range`; nil if `range` is too short.
  func part(of range: Range<Int>) -> Range<Int>? {
    let first = start < 0 ? range.upperBound + start : range.lowerBound + start
    let last = count.map { first + $0 } ?? range.upperBound
    guard first >= range.lowerBound, last <= range.upperBound, first < last else { return nil }
    return first..<last
  }
}
