import HarkCore
import HarkDissection

/// Makes a filter of an expression: looks names up, checks that values fit, and lays all out flat.
struct FilterCompiler {
  /// Where what is emitted now was written.
  private(set) var text: String
  let catalog: Catalog
  private let index: FilterCatalog
  private(set) var filter: Filter
  /// The fields and layers that checks are for: check, field, and the entry that declares it.
  private var scanned: [(check: Int, field: Field, entry: Entry)] = []
  private var ofProperties: [(property: FilterProperty, check: Filter.Check)] = []
  private var ofFields: [(field: Field, entry: Entry, check: Filter.Check)] = []

  init(_ text: String, _ catalog: Catalog) {
    (self.text, self.catalog) = (text, catalog)
    index = FilterCatalog.of(catalog)
    filter = Filter(empty: text)
  }

  mutating func compile(_ expression: FilterExpression) throws(FilterError) -> Filter {
    try emit(expression)
    layOut()
    decideKinds()
    return filter
  }

  // MARK: Logic

  private mutating func emit(_ expression: FilterExpression) throws(FilterError) {
    switch expression {
    case .all(let parts): try emit(parts, .and) { .andThen(to: $0) }
    case .any(let parts): try emit(parts, .or) { .orElse(to: $0) }
    case .not(let inner):
      try emit(inner)
      filter.steps.append(.not)
    case .comparison(let comparison):
      filter.steps.append(.test(filter.tests.count))
      filter.tests.append(Filter.Test())
      try emit(comparison)
    case .text(let text, let inner):
      self.text = text
      try emit(inner)
    }
  }

  private mutating func emit(
    _ parts: [FilterExpression], _ join: Filter.Step, _ jump: (Int) -> Filter.Step
  ) throws(FilterError) {
    for (index, part) in parts.enumerated() {
      let start = filter.steps.count
      if index > 0 { filter.steps.append(.not) }
      try emit(part)
      guard index > 0 else { continue }
      filter.steps[start] = jump(filter.steps.count)
      filter.steps.append(join)
    }
  }

  // MARK: Comparisons

  private mutating func emit(_ comparison: FilterComparison) throws(FilterError) {
    guard let subject = FilterNames.subject(comparison.name.spelled, index) else {
      let (name, catalog) = (comparison.name.spelled, catalog)
      throw FilterError(text, comparison.name.range) {
        FilterNames.complaint(about: name, catalog)
      }
    }
    let operation = comparison.operation?.0
    let test = filter.tests.count - 1
    filter.tests[test].needsAll =
      switch comparison.quantifier {
      case .all: true
      case .any: false
      case nil: operation == .notEqual || operation == .allEqual
      }
    if case .property(let property) = subject { filter.tests[test].property = property }
    if comparison.function == .count {
      return try emit(count: comparison, of: subject, test)
    }
    if comparison.function == nil, comparison.slice == nil, comparison.mask == nil,
      operation == nil
    {
      guard comparison.quantifier == nil else {
        throw FilterError(text, comparison.subject, "there is nothing to compare this with")
      }
      return add([(nil, Filter.Check(test: test, source: .presence))], of: subject)
    }
    let values = FilterValues(text: text, catalog: catalog, comparison: comparison, test: test)
    let checks: FilterValues.Checks
    do throws(FilterError) {
      checks = try values.checks(of: subject, &filter)
    } catch {
      throw refusal(of: comparison) ?? error
    }
    add(checks, of: subject)
  }

  /// A value that does not fit may be the name of a field, which other programs compare with fields.
  private func refusal(of comparison: FilterComparison) -> FilterError? {
    let tokens = comparison.values.flatMap { [$0.first, $0.last].compactMap { $0 } }
    return tokens.first {
      $0.kind == .word && $0.spelled.contains(".") && FilterNames.subject($0.spelled, index) != nil
    }.map {
      let name = FilterNames.shown($0.spelled)
      return FilterError(
        text, $0.range, "\(name) is a field: filters compare fields with values, not with fields")
    }
  }

  private mutating func emit(
    count comparison: FilterComparison, of subject: FilterSubject, _ test: Int
  ) throws(FilterError) {
    guard comparison.operation != nil else {
      throw FilterError(text, comparison.subject, "count(…) is a number: compare it with one")
    }
    guard comparison.slice == nil else {
      throw FilterError(text, comparison.subject, "count(…) does not accept […]: remove it")
    }
    let values = FilterValues(text: text, catalog: catalog, comparison: comparison, test: test)
    let check = try values.number(.length, called: "count(…)", &filter)
    filter.tests[test].counts = check.isNegated ? invert(check.operands) : check.operands
    add([(nil, Filter.Check(test: test, source: .presence))], of: subject)
  }

  /// What lies between the ranges.
  private mutating func invert(_ operands: Range<Int>) -> Range<Int> {
    let start = filter.ranges.count
    var low: UInt64 = 0
    for range in filter.ranges[operands].sorted(by: { $0.low < $1.low }) {
      if range.low > low { filter.ranges.append(Filter.KeyRange(low: low, high: range.low - 1)) }
      guard range.high < .max else { return start..<filter.ranges.count }
      low = max(low, range.high + 1)
    }
    filter.ranges.append(Filter.KeyRange(low: low, high: .max))
    return start..<filter.ranges.count
  }

  /// Notes checks: each for one field, or for all that the subject stands for.
  private mutating func add(
    _ checks: [(field: Field?, check: Filter.Check)], of subject: FilterSubject
  ) {
    for (field, check) in checks {
      switch subject {
      case .property(let property): ofProperties.append((property, check))
      case .protocols(let entries):
        for entry in entries { ofFields.append((entry.layer, entry, check)) }
      case .fields(let all):
        for one in all where field == nil || field == one.field {
          ofFields.append((one.field, one.entry, check))
        }
      }
    }
  }

  // MARK: Laying out

  private mutating func layOut() {
    filter.eventTests = filter.tests.indices.filter { test in
      filter.tests[test].property.map { $0.isOfShownEvents && $0 != .severity } ?? false
    }
    for property in FilterProperty.allCases {
      let start = filter.checks.count
      filter.checks += ofProperties.filter { $0.property == property }.map(\.check)
      if filter.checks.count > start {
        filter.propertyChecks[property] = start..<filter.checks.count
      }
    }
    guard !ofFields.isEmpty else { return }
    filter.fieldNumbers = Dictionary(grouping: ofFields, by: \.entry.path.description)
      .mapValues { Set($0.map(\.field.id)) }
    filter.paths = Set(filter.fieldNumbers.keys)
    let paths = index.numbers
    let declaring = index.declaring(Set(ofFields.map(\.field.id)))
    let count = catalog.definitions.count
    var byField: [Int: [Int]] = [:]
    var seen: Set<[Int]> = []
    for (field, entry, check) in ofFields {
      let isLayer = entry.layer == field
      let layer = isLayer ? UInt16.max : paths[entry.path.description] ?? .max
      // Several entries may share a path and its fields.
      let key = [Int(field.id), Int(layer), check.test, check.operands.lowerBound]
      guard Int(field.id) < count, seen.insert(key).inserted else { continue }
      byField[Int(field.id), default: []].append(filter.checks.count)
      var check = check
      if declaring[field.id] != nil { check.layer = layer }
      filter.checks.append(check)
    }
    filter.scan.starts = []
    filter.scan.starts.reserveCapacity(count + 1)
    for (field, checks) in byField.sorted(by: { $0.key < $1.key }) {
      extendStarts(to: field + 1)
      filter.scan.checks += checks
    }
    extendStarts(to: count + 1)
    filter.scan.declaring = declaring
    if !declaring.isEmpty { filter.scan.layers = index.layers }
    for field in catalog.fields(at: "l2cap.psm") { filter.scan.psm += byField[Int(field.id)] ?? [] }
  }

  /// The checks of all fields up to there that have no start yet begin after those there are.
  private mutating func extendStarts(to count: Int) {
    let missing = count - filter.scan.starts.count
    filter.scan.starts += repeatElement(UInt32(filter.scan.checks.count), count: missing)
  }

  // MARK: Kinds of packets

  /// Finds out which kinds of packets may match, with each test open that is not decided by the kind.
  private mutating func decideKinds() {
    var possible = [[Bool]](
      repeating: [Bool](repeating: true, count: 256), count: filter.tests.count)
    for index in filter.tests.indices where filter.tests[index].property == nil {
      possible[index] = [Bool](repeating: false, count: 256)
    }
    for (_, entry, check) in ofFields {
      for kind in PacketKind.allCases where entry.mayBe(in: kind) {
        possible[check.test][Int(kind.rawValue)] = true
        filter.kindsWithFields[Int(kind.rawValue)] = true
      }
    }
    if filter.tests.contains(where: { $0.property?.needsFields ?? false }) {
      filter.kindsWithFields = [Bool](repeating: true, count: 256)
    }
    var run = FilterRun(filter)
    for kind in PacketKind.allCases {
      let number = Int(kind.rawValue)
      run.begin()
      if filter.propertyChecks[.kind] != nil { run.add(.kind, UInt64(number)) }
      filter.kinds[number] = run.mayMatch {
        filter.tests[$0].property == nil && !possible[$0][number]
      }
    }
  }
}

extension Entry {
  /// Whether a packet of the kind may contain it: protocols attached only to L2CAP occur only in data, and
  /// what is a record of its own in no data. Everything else may be anywhere.
  func mayBe(in kind: PacketKind) -> Bool {
    places.isEmpty
      || places.contains { place in
        switch place {
        case .record(let other):
          switch other {
          case .acl, .sco, .iso: kind == other
          default: kind != .acl && kind != .sco && kind != .iso
          }
        case .vendorEvent: kind == .event
        case .vendorCommand: kind == .command
        case .l2cap, .channel, .psm, .service, .serverChannel, .avctp, .avctpBrowsing, .reassembled,
          .reassembledResponse, .media, .mediaPayload, .iap2, .iap1, .attribute, .hidReport,
          .hidReportDescriptor:
          kind.isData || kind == .usbAccessory
        case .linkLayerControl: kind.isAir
        case .linkManager: kind == .basebandRadio || kind == .h4
        case .internetProtocol, .udpPort, .tcpPort, .networkService: kind.isNetwork
        case .advertisingData, .advertisingType, .company, .serviceData: true
        }
      }
  }
}
