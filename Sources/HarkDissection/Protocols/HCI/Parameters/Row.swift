/// One command or event: its code, its name, and its parameters in order.
struct Row: Sendable {
  let code: UInt16
  let name: StaticString
  /// Nil if the parameters are not decoded yet: they show as named-but-opaque.
  let parameters: [Parameter]?
  /// The return parameters in the command's Command Complete event; nil if only the Status is
  /// decoded.
  let returns: [Parameter]?
  /// What the event shows to be open: the link of the handle that is its first parameter, after the Status.
  /// Nil for events of links that have gone, and of none.
  let shows: HCIEventSign.Transport?

  init(
    _ code: UInt16, _ name: StaticString, _ parameters: [Parameter]? = nil,
    returns: [Parameter]? = nil, shows: HCIEventSign.Transport? = nil
  ) {
    self.code = code
    self.name = name
    self.parameters = parameters
    self.returns = returns
    self.shows = shows
  }
}

/// One parameter of a command or event: which field it is and how many octets it takes.
struct Parameter: Sendable {
  enum Kind: UInt8, Sendable {
    case octets, address, handle, twelveBits, nibbles, rest, counted, group, each, perBit
    case classOfDevice, advertisingData, longAdvertisingData, choice, option, optional, untilEnd,
      special, reportedData, followedData, ownData
  }

  let kind: Kind
  let count: UInt8
  let field: Field
  /// The field of the number or mask in front of what it counts.
  let counter: Field
  let inner: [Parameter]
  /// Whether octets without meaning may follow.
  var isPadded: Bool { kind == .advertisingData && field != counter && count > 0 }

  /// Whether it may be a part of advertising data.
  var isPart: Bool { kind == .reportedData || kind == .followedData || kind == .ownData }

  private init(
    _ kind: Kind, _ count: UInt8, _ field: Field, counter: Field? = nil, inner: [Parameter] = []
  ) {
    self.kind = kind
    self.count = count
    self.field = field
    self.counter = counter ?? field
    self.inner = inner
  }

  static func u8(_ field: Field) -> Parameter { Parameter(.octets, 1, field) }
  static func u16(_ field: Field) -> Parameter { Parameter(.octets, 2, field) }
  static func u24(_ field: Field) -> Parameter { Parameter(.octets, 3, field) }
  /// A Class of Device, of HCI or of the management interface.
  static func classOfDevice(_ field: Field) -> Parameter { Parameter(.classOfDevice, 3, field) }
  static func u32(_ field: Field) -> Parameter { Parameter(.octets, 4, field) }
  static func u40(_ field: Field) -> Parameter { Parameter(.octets, 5, field) }
  static func u64(_ field: Field) -> Parameter { Parameter(.octets, 8, field) }
  /// A Bluetooth Device Address.
  static func address(_ field: Field) -> Parameter { Parameter(.address, 6, field) }
  /// A Connection_Handle: 12 bits of two octets. The first one of a packet becomes its handle.
  static func handle(_ field: Field) -> Parameter { Parameter(.handle, 2, field) }
  /// 12 bits of two octets that are no Connection_Handle, such as a Sync_Handle.
  static func u12(_ field: Field) -> Parameter { Parameter(.twelveBits, 2, field) }
  /// An octet of two fields with 4 bits each.
  static func nibbles(_ low: Field, _ high: Field) -> Parameter {
    Parameter(.nibbles, 1, low, counter: high)
  }
  /// An octet that says which parameters follow; those of other values than `options` are `other`.
  static func choice(
    _ field: Field, _ options: [UInt8: [Parameter]], orElse other: Field
  ) -> Parameter {
    Parameter(
      .choice, 1, other, counter: field,
      inner: options.sorted { $0.key < $1.key }.map {
        Parameter(.option, $0.key, field, inner: $0.value)
      })
  }
  /// From here on the parameters may end: later editions have more of them.
  static let optional = Parameter(.optional, 0, HCIParameters.shared.padding)
  /// Exactly `count` octets, as bytes or, by the field's form, as text.
  static func bytes(_ count: UInt8, _ field: Field) -> Parameter {
    Parameter(.octets, count, field)
  }
  /// Everything that is left.
  static func rest(_ field: Field) -> Parameter { Parameter(.rest, 0, field) }
  /// An octet that counts the octets after it.
  static func counted(_ counter: Field, _ field: Field) -> Parameter {
    Parameter(.counted, 0, field, counter: counter)
  }
  /// One group of the parameters `inner`.
  static func group(_ group: Field, _ inner: [Parameter]) -> Parameter {
    Parameter(.group, 0, group, inner: inner)
  }
  /// An octet that counts the groups after it; each has the parameters `inner`.
  static func each(_ counter: Field, _ group: Field, _ inner: [Parameter]) -> Parameter {
    Parameter(.each, 0, group, counter: counter, inner: inner)
  }
  /// As above, with two octets that count the groups.
  static func eachOf16(
    _ counter: Field, _ group: Field, _ inner: [Parameter]
  ) -> Parameter {
    Parameter(.each, 2, group, counter: counter, inner: inner)
  }
  /// An octet that counts how often the parameter after it occurs.
  static func each(_ counter: Field, _ element: Parameter) -> Parameter {
    Parameter(.each, 0, element.field, counter: counter, inner: [element])
  }
  /// An octet that is a mask, and after it a group for each bit that is set.
  static func perBit(_ mask: Field, _ group: Field, _ inner: [Parameter]) -> Parameter {
    Parameter(.perBit, 0, group, counter: mask, inner: inner)
  }
  /// Groups of the parameters `inner`, as many as there are.
  static func untilEnd(_ group: Field, _ inner: [Parameter]) -> Parameter {
    Parameter(.untilEnd, 0, group, inner: inner)
  }
  /// Parameters of which one says where another one is.
  static func special(_ which: SpecialParameters) -> Parameter {
    Parameter(.special, which.rawValue, HCIParameters.shared.padding)
  }
  /// An octet that counts the octets of advertising data after it.
  static func advertisingData(_ counter: Field, _ field: Field) -> Parameter {
    Parameter(.advertisingData, 0, field, counter: counter)
  }
  /// An octet that counts the octets of advertising data after it, and after these as many
  /// octets without meaning as make `count` of both.
  static func advertisingData(
    _ counter: Field, _ field: Field, paddedTo count: UInt8
  ) -> Parameter {
    Parameter(.advertisingData, count, field, counter: counter)
  }
  /// Two octets that count the octets of advertising data after them.
  static func longAdvertisingData(_ counter: Field, _ field: Field) -> Parameter {
    Parameter(.longAdvertisingData, 0, field, counter: counter)
  }
  /// As above, of data that may be a part of more.
  static func advertisingData(
    _ counter: Field, _ field: Field, partOf part: AdvertisingPart
  ) -> Parameter {
    switch part {
    case .report: Parameter(.reportedData, 23, field, counter: counter)
    case .train: Parameter(.followedData, 1, field, counter: counter)
    case .ownSet: Parameter(.ownData, 2, field, counter: counter)
    case .ownTrain: Parameter(.ownData, 1, field, counter: counter)
    }
  }
  /// `count` octets of advertising data.
  static func advertisingData(count: UInt8, _ field: Field) -> Parameter {
    Parameter(.advertisingData, count, field)
  }
}

/// The rows of several sections of the specification as one flat table, in which reading a packet
/// neither allocates nor counts references.
final class Rows: Sendable {
  /// A parameter whose own parameters are `inner`; `counter` is `field` where nothing is counted.
  struct Step: Sendable {
    let kind: Parameter.Kind
    let count: UInt8
    let isGrouped: Bool
    let field: Field
    let counter: Field
    let inner: Block
    /// How many octets this and the steps up to `plainEnd` take, if all of them are plain octets:
    /// where no fields are wanted, one step goes over them all.
    var plainCount: UInt16 = 0
    var plainEnd: UInt16 = 0

    var isPlain: Bool { kind == .octets || kind == .classOfDevice }
  }

  /// A run of steps.
  struct Block: Sendable {
    let start: UInt16
    let end: UInt16
  }

  struct Line: Sendable {
    let parameters: Block?
    let returns: Block?
    let shows: HCIEventSign.Transport?
  }

  private let rows: [Row]
  private let lines: [Line]
  private let base: UInt16
  /// By code, less `base`: the number of its line, from 1; 0 if there is none.
  private let numbers: [UInt16]
  let steps: [Step]

  /// - Parameter base: The least code there is.
  init(_ sections: [[Row]], base: UInt16 = 0) {
    rows = Array(sections.joined())
    self.base = base
    let last = rows.map(\.code).max() ?? base
    var numbers = [UInt16](repeating: 0, count: Int(last - base) + 1)
    var lines: [Line] = []
    var steps: [Step] = []
    for row in rows {
      lines.append(
        Line(
          parameters: row.parameters.map { Self.append($0, &steps) },
          returns: row.returns.map { Self.append($0, &steps) }, shows: row.shows))
      numbers[Int(row.code - base)] = UInt16(lines.count)
    }
    (self.lines, self.numbers, self.steps) = (lines, numbers, steps)
  }

  private static func append(_ parameters: [Parameter], _ steps: inout [Step]) -> Block {
    let inner = parameters.map { append($0.inner, &steps) }
    let start = UInt16(steps.count)
    for (parameter, block) in zip(parameters, inner) {
      let isGrouped: Bool
      switch parameter.field.form {
      case .list, .group: isGrouped = true
      default: isGrouped = false
      }
      steps.append(
        Step(
          kind: parameter.kind, count: parameter.count, isGrouped: isGrouped,
          field: parameter.field, counter: parameter.counter, inner: block))
    }
    for index in (Int(start)..<steps.count).reversed() where steps[index].isPlain {
      let hasNext = index + 1 < steps.count && steps[index + 1].isPlain
      steps[index].plainCount =
        UInt16(steps[index].count) + (hasNext ? steps[index + 1].plainCount : 0)
      steps[index].plainEnd = hasNext ? steps[index + 1].plainEnd : UInt16(index + 1)
    }
    return Block(start: start, end: UInt16(steps.count))
  }

  subscript(code: UInt16) -> Line? {
    let index = Int(code) &- Int(base)
    guard index >= 0, index < numbers.count, numbers[index] != 0 else { return nil }
    return lines[Int(numbers[index]) &- 1]
  }

  /// The fields of all parameters, or of what commands return.
  func fields(_ block: (Row) -> [Parameter]?) -> Set<Field> {
    var found: Set<Field> = []
    func add(_ parameters: [Parameter]) {
      for parameter in parameters {
        switch parameter.kind {
        case .optional: break
        case .special:
          found.formUnion(SpecialParameters(rawValue: parameter.count)?.fields ?? [])
        default:
          found.formUnion([parameter.field, parameter.counter])
          if parameter.isPadded { found.insert(HCIParameters.shared.padding) }
          if parameter.isPart {
            let fields = HCIParameters.shared.advertising
            found.formUnion([fields.dataFragment, fields.secret.dataFragment])
          }
          add(parameter.inner)
        }
      }
    }
    for row in rows { add(block(row) ?? []) }
    return found
  }

  /// The names of all codes, and those of `others` and `vendors`, which have no row.
  func names(
    and others: [UInt64: StaticString] = [:], vendors: ClosedRange<UInt64>? = nil
  ) -> [UInt64: StaticString] {
    var names = [UInt64: StaticString](
      minimumCapacity: others.count + (vendors?.count ?? 0) + rows.count)
    for (code, name) in others { names[code] = name }
    if let vendors { for code in vendors { names[code] = "Vendor-Specific" } }
    for row in rows { names[UInt64(row.code)] = row.name }
    return names
  }
}

extension PDU {
  /// Reads the parameters of `block`. Those of a command that failed may end early.
  mutating func read(
    _ block: Rows.Block, of rows: Rows, mayEnd: Bool = false
  ) throws(Malformed) {
    var index = block.start
    var mayEnd = mayEnd
    while index < block.end {
      if mayEnd, remaining == 0 { return }
      let step = rows.steps[Int(index)]
      if step.kind == .optional { mayEnd = true }
      if step.plainCount > 0, skip(Int(step.plainCount)) {
        index = step.plainEnd
        continue
      }
      try readStep(index, of: rows)
      index &+= 1
    }
  }

  // By its number: of most steps few members are needed, and handing on a step copies all of them.
  private mutating func readStep(_ index: UInt16, of rows: Rows) throws(Malformed) {
    let step = rows.steps[Int(index)]
    switch step.kind {
    case .octets: try bytes(Int(step.count), step.field)
    case .classOfDevice:
      let isHCI = step.field == HCIParameters.shared.brEDR.classOfDevice
      try classOfDevice(
        step.field,
        isHCI
          ? HCIParameters.shared.brEDR.device : MonitorRecord.shared.management.device)
    case .address: try noteAddress(bytes(6, step.field))
    case .handle:
      let value = try word(2, of: step.field) & 0x0FFF
      part(step.field, value, of: 2)
      if facts.handle == Facts.noHandle { facts.handle = UInt16(truncatingIfNeeded: value) }
    case .twelveBits:
      let value = try word(2, of: step.field) & 0x0FFF
      part(step.field, value, of: 2)
    case .rest: rest(step.field)
    case .counted:
      let count = Int(try u8(step.counter))
      if count > 0 { try bytes(count, step.field) }
    case .group: try repeated(index, 1, of: rows)
    case .each:
      let count = step.count == 2 ? Int(try u16(step.counter)) : Int(try u8(step.counter))
      try repeated(index, count, of: rows)
    case .perBit: try repeated(index, try u8(step.counter).nonzeroBitCount, of: rows)
    case .advertisingData: try advertisingData(step)
    case .reportedData, .followedData, .ownData: try advertisingPart(step)
    case .longAdvertisingData:
      let count = Int(try u16(step.counter))
      if count > 0 {
        try within(count, step.field) { pdu throws(Malformed) in
          pdu.hand(to: .advertisingData, orElse: step.field)
        }
      }
    case .nibbles:
      let value = try word(1, of: step.field)
      part(step.field, value & 0x0F, of: 1)
      part(step.counter, value >> 4, of: 1)
    case .choice: try choice(step, of: rows)
    case .untilEnd: while remaining > 0 { try repeated(index, 1, of: rows) }
    case .special: try special(SpecialParameters(rawValue: step.count))
    case .option, .optional: break
    }
  }

  private mutating func choice(_ step: Rows.Step, of rows: Rows) throws(Malformed) {
    let value = try u8(step.counter)
    for index in step.inner.start..<step.inner.end {
      let option = rows.steps[Int(index)]
      if option.count == value {
        try read(option.inner, of: rows)
        return
      }
    }
    if remaining > 0 { rest(step.field) }
  }

  /// The first address of a packet becomes its address; in LE events its type precedes it.
  @inline(__always)
  private mutating func noteAddress(_ range: Range<Int>) {
    guard facts.address == 0 else { return }
    facts.address = bytes.unsigned(at: range.lowerBound, 6)
    facts.addressType = bytes.byte(at: range.lowerBound &- 1)
  }

  private mutating func repeated(
    _ index: UInt16, _ count: Int, of rows: Rows
  ) throws(Malformed) {
    let step = rows.steps[Int(index)]
    let (field, inner) = (step.field, step.inner)
    guard step.isGrouped else {
      for _ in 0..<count { try read(inner, of: rows) }
      return
    }
    for _ in 0..<count {
      try group(field) { pdu throws(Malformed) in try pdu.read(inner, of: rows) }
    }
  }

  private mutating func advertisingData(_ step: Rows.Step) throws(Malformed) {
    let isCounted = step.counter != step.field
    let count = Int(isCounted ? try u8(step.counter) : step.count)
    if count > 0 {
      try within(count, step.field) { pdu throws(Malformed) in
        pdu.hand(to: .advertisingData, orElse: step.field)
      }
    }
    if isCounted, Int(step.count) > count {
      let padding = min(Int(step.count) &- count, remaining)
      if padding > 0 { try bytes(padding, HCIParameters.shared.padding) }
    }
  }
}
