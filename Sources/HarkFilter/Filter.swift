import HarkCore
import HarkDissection

/// A condition on packets and events, compiled to flat lists: tests, the checks that decide them, and
/// what follows from the tests. The language is described in docs/filters.md.
public struct Filter: Sendable {
  /// One comparison. Its values are checked one by one, as they are found.
  struct Test: Sendable {
    /// Whether one fitting value is enough, or each must fit. Without a value neither does.
    var needsAll = false
    /// What is compared, if it is not a protocol's field.
    var property: FilterProperty?
    /// Runs of `ranges` that how many values there are must be in; empty if that is not asked.
    var counts = 0..<0
  }

  /// How a value is to be read.
  enum Source: UInt8, Sendable {
    /// What is there, is enough.
    case presence
    case number, signed, float
    /// The bytes themselves, or those of a text up to its first NUL.
    case bytes, text
    case address
    case uuid, uuidBigEndian
    /// The name of the code, or of the UUID.
    case name, uuidName
    /// How many bytes.
    case length
    case timeOfDay
  }

  /// What a value must be.
  enum Predicate: UInt8, Sendable {
    case ranges
    /// Between two of `strings`.
    case strings
    /// Before, the same, after the first of `strings`: see `order`.
    case order
    case contains
    case pattern
    case uuids
  }

  /// What a value of one field, or of one property, must be for one test.
  struct Check: Sendable {
    var test: Int
    var source: Source
    var predicate = Predicate.ranges
    var isNegated = false
    /// The run of `ranges`, `strings`, `patterns` or `uuids` it is compared with.
    var operands = 0..<0
    /// For `.order`: 1 for before, 2 for the same, 4 for after; their sum.
    var order: UInt8 = 0
    var mask: UInt64 = .max
    var slice: FilterComparison.Slice?
    /// The path of the layer that the field must stand in, as its number; see `FilterScan`.
    var layer: UInt16 = .max
  }

  /// What follows from the tests, in the order in which it is found out. Each works on a stack.
  enum Step: Sendable {
    case test(Int)
    case not
    /// Both, or one, of the two topmost.
    case and, or
    /// Goes on after the step `to` if the topmost is already decided against the rest.
    case orElse(to: Int)
    case andThen(to: Int)
  }

  /// Numbers of all forms as keys that have their order. See `FilterKey`.
  struct KeyRange: Sendable {
    var low: UInt64
    var high: UInt64
  }

  struct StringRange: Sendable {
    var low: [UInt8]
    var high: [UInt8]
  }

  public let text: String
  var tests: [Test] = []
  var steps: [Step] = []
  var checks: [Check] = []
  var ranges: [KeyRange] = []
  var strings: [StringRange] = []
  var patterns: [FilterPattern] = []
  var uuids: [BluetoothUUID] = []
  /// The checks of each property.
  var propertyChecks: [FilterProperty: Range<Int>] = [:]
  var scan = FilterScan()
  /// The tests of what events show about packets. The severity is not among them: the worst one counts.
  var eventTests: [Int] = []
  /// By the number of the kind: whether a packet of it may match.
  var kinds = [Bool](repeating: true, count: 256)
  /// By the number of the kind: whether a packet of it may have a field that is asked for.
  public internal(set) var kindsWithFields = [Bool](repeating: false, count: 256)

  /// Reads the text of a filter.
  public init(_ text: String, catalog: Catalog = .shared) throws(FilterError) {
    try self.init([text], catalog: catalog)
  }

  /// Reads texts that all have to match, at least one. A mistake is shown in its own text alone.
  public init(_ texts: [String], catalog: Catalog = .shared) throws(FilterError) {
    var parts: [FilterExpression] = []
    for text in texts { parts.append(.text(text, try FilterParser.expression(text, catalog))) }
    var compiler = FilterCompiler(texts.joined(separator: " and "), catalog)
    self = try compiler.compile(.all(parts))
  }

  init(empty text: String) { self.text = text }

  /// Whether a packet of the kind may match: others need not be read.
  public func mayMatch(_ kind: PacketKind) -> Bool { kinds[Int(kind.rawValue)] }

  /// Whether the fields of a packet of the kind are asked for.
  public func wantsFields(of kind: PacketKind) -> Bool { kindsWithFields[Int(kind.rawValue)] }

  /// By the number of the kind: whether the fields of a packet decide whether it matches.
  public var kindsToRead: [Bool] { zip(kinds, kindsWithFields).map { $0 && $1 } }

  /// Whether `property` is asked for.
  public func wants(_ property: FilterProperty) -> Bool { propertyChecks[property] != nil }

  /// Whether a choice is asked for by its name: `lane == finding`, `lane in {finding, link}`.
  public func names(_ choice: String, of property: FilterProperty) -> Bool {
    guard let checks = propertyChecks[property],
      let number = property.choices.firstIndex(of: choice)
    else { return false }
    return self.checks[checks].contains { check in
      !check.isNegated && check.source == .number
        && ranges[check.operands].contains { $0.low == $0.high && $0.low == UInt64(number) }
    }
  }

  /// Whether it is asked what events a packet shows.
  public var asksEvents: Bool {
    FilterProperty.allCases.contains { $0.isOfShownEvents && wants($0) }
  }

  /// Whether findings are asked for: without that, no rule need look.
  public var asksFindings: Bool { wants(.rule) || names("finding", of: .lane) }

  /// The texts that `property` is compared with by `==`, `!=` and `in`.
  public func texts(of property: FilterProperty) -> [String] {
    guard let checks = propertyChecks[property] else { return [] }
    return self.checks[checks].filter { $0.predicate == .strings && $0.slice == nil }
      .flatMap { strings[$0.operands].map { String(decoding: $0.low, as: UTF8.self) } }
  }

  /// The protocols whose fields are asked for, by the first part of their paths.
  public internal(set) var paths: Set<String> = []

  /// The numbers of the fields that are asked for, by the paths of their protocols.
  public internal(set) var fieldNumbers: [String: Set<UInt16>] = [:]

  /// Whether any field or property of packets is asked for, so that an event depends on its packets.
  public var asksPackets: Bool {
    tests.contains { $0.property.map { !$0.isOfEvent } ?? true }
  }
}

/// Numbers as keys in the order of what they stand for.
enum FilterKey {
  static func of(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

  static func of(_ number: Double) -> UInt64 {
    let bits = (number == 0 ? 0 : number).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }
}
