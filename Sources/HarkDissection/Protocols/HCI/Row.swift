/// One command or event: its code, its name, and its parameters in order.
struct Row: Sendable {
  let code: UInt16
  let name: StaticString
  /// Nil where the parameters are not decoded yet: they show as named-but-opaque.
  let parameters: [Parameter]?
  /// The return parameters in the command's Command Complete event.
  let returns: [Parameter]?

  init(
    _ code: UInt16, _ name: StaticString, _ parameters: [Parameter]? = nil,
    returns: [Parameter]? = nil
  ) {
    self.code = code
    self.name = name
    self.parameters = parameters
    self.returns = returns
  }
}

/// The rows of several sections of the specification as one table.
struct Rows: Sendable {
  private let rows: [UInt16: Row]

  init(_ sections: [[Row]]) {
    rows = Dictionary(sections.joined().map { ($0.code, $0) }) { first, _ in first }
  }

  subscript(code: UInt16) -> Row? { rows[code] }

  var names: [UInt64: StaticString] {
    Dictionary(uniqueKeysWithValues: rows.values.map { (UInt64($0.code), $0.name) })
  }
}

/// One parameter of a command or event: which field it is and how many octets it takes.
struct Parameter: Sendable {
  enum Kind: Sendable {
    case integer, handle, bytes, rest, counted, each, advertisingData
  }

  let kind: Kind
  let count: Int
  let field: Field
  /// The field of the number in front of a `counted` or `each` parameter.
  var counter: Field
  var inner: [Parameter] = []

  private init(_ kind: Kind, _ count: Int, _ field: Field, counter: Field? = nil) {
    self.kind = kind
    self.count = count
    self.field = field
    self.counter = counter ?? field
  }

  static func u8(_ field: Field) -> Parameter { Parameter(.integer, 1, field) }
  static func u16(_ field: Field) -> Parameter { Parameter(.integer, 2, field) }
  static func u24(_ field: Field) -> Parameter { Parameter(.integer, 3, field) }
  static func u32(_ field: Field) -> Parameter { Parameter(.integer, 4, field) }
  static func u40(_ field: Field) -> Parameter { Parameter(.integer, 5, field) }
  static func u64(_ field: Field) -> Parameter { Parameter(.integer, 8, field) }
  /// A Bluetooth Device Address.
  static func address(_ field: Field) -> Parameter { Parameter(.integer, 6, field) }
  /// A Connection_Handle: 12 bits of two octets. The first one of a packet becomes its handle.
  static func handle(_ field: Field) -> Parameter { Parameter(.handle, 2, field) }
  /// Exactly `count` octets, as bytes or, by the field's form, as text.
  static func bytes(_ count: Int, _ field: Field) -> Parameter { Parameter(.bytes, count, field) }
  /// All that is left.
  static func rest(_ field: Field) -> Parameter { Parameter(.rest, 0, field) }
  /// An octet that counts the octets behind it.
  static func counted(_ counter: Field, _ field: Field) -> Parameter {
    Parameter(.counted, 0, field, counter: counter)
  }
  /// An octet that counts the groups behind it; each has the parameters `inner`.
  static func each(_ counter: Field, _ group: Field, _ inner: [Parameter]) -> Parameter {
    var parameter = Parameter(.each, 0, group, counter: counter)
    parameter.inner = inner
    return parameter
  }
  /// An octet that counts the octets of advertising data behind it.
  static func advertisingData(_ counter: Field, _ field: Field) -> Parameter {
    Parameter(.advertisingData, -1, field, counter: counter)
  }
  /// `count` octets of advertising data.
  static func advertisingData(count: Int, _ field: Field) -> Parameter {
    Parameter(.advertisingData, count, field)
  }
}

extension PDU {
  mutating func read(_ parameters: [Parameter]) throws(Malformed) {
    for parameter in parameters { try read(parameter) }
  }

  mutating func read(_ parameter: Parameter) throws(Malformed) {
    let field = parameter.field
    switch parameter.kind {
    case .integer: try unsigned(parameter.count, field)
    case .handle:
      let value = try word(2, of: field) & 0x0FFF
      part(field, value, of: 2)
      if facts.handle == Facts.noHandle { facts.handle = UInt16(truncatingIfNeeded: value) }
    case .bytes: try bytes(parameter.count, field)
    case .rest: rest(field)
    case .counted:
      let count = Int(try u8(parameter.counter))
      try bytes(count, field)
    case .each:
      let count = try u8(parameter.counter)
      for _ in 0..<count {
        try group(field) { pdu throws(Malformed) in try pdu.read(parameter.inner) }
      }
    case .advertisingData:
      let count = parameter.count < 0 ? Int(try u8(parameter.counter)) : parameter.count
      try within(count, field) { pdu throws(Malformed) in
        pdu.hand(to: .advertisingData, orElse: field)
      }
    }
  }
}
