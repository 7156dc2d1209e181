/// What is known about a value before anything is read. Kaitai Struct user guide, section 6.4.
indirect enum ValueType {
  /// Of something that is wrong and has been reported: goes with everything.
  case unknown
  /// `isOctet`: one octet wide, or a literal that is.
  case integer(isOctet: Bool)
  case float, bool, string, bytes
  case enumeration(EnumSpecification)
  case object(TypeSpecification)
  /// An object of one of several types.
  case anyObject
  case stream
  case array(ValueType)
  /// What only a cast makes usable.
  case any

  static var int: ValueType { .integer(isOctet: false) }

  var isUnknown: Bool { if case .unknown = self { true } else { false } }
  var isAny: Bool { if case .any = self { true } else { false } }
  var isInteger: Bool { if case .integer = self { true } else { isUnknown } }
  var isBool: Bool { if case .bool = self { true } else { isUnknown } }
  var isString: Bool { if case .string = self { true } else { isUnknown } }
  var isBytes: Bool { if case .bytes = self { true } else { isUnknown } }
  var isFloat: Bool { if case .float = self { true } else { isUnknown } }
  var isNumber: Bool { isInteger || isFloat }
  var isStream: Bool { if case .stream = self { true } else { isUnknown } }
  var isObject: Bool {
    switch self {
    case .object, .anyObject, .unknown: true
    default: false
    }
  }

  /// What a value is that may be either; nil if nothing is both.
  func combined(with other: ValueType) -> ValueType? {
    switch (self, other) {
    case (.unknown, _): other
    case (_, .unknown): self
    case (.integer(let a), .integer(let b)): .integer(isOctet: a && b)
    case (.float, .float), (.integer, .float), (.float, .integer): .float
    case (.bool, .bool), (.string, .string), (.bytes, .bytes), (.stream, .stream): self
    case (.enumeration(let a), .enumeration(let b)) where a === b: self
    case (.object(let a), .object(let b)): a === b ? self : .anyObject
    case (.object, .anyObject), (.anyObject, .object), (.anyObject, .anyObject): .anyObject
    case (.array(let a), .array(let b)): a.combined(with: b).map { .array($0) }
    case (.any, _), (_, .any): .any
    default: nil
    }
  }

  /// Whether a param of this type takes a value of `other`.
  func takes(_ other: ValueType) -> Bool {
    switch (self, other) {
    case (.any, _), (.unknown, _), (_, .unknown), (.integer, .integer), (.float, .float),
      (.float, .integer), (.bool, .bool), (.string, .string), (.bytes, .bytes), (.stream, .stream),
      (.anyObject, .object), (.anyObject, .anyObject):
      true
    case (.enumeration(let a), .enumeration(let b)): a === b
    case (.object(let a), .object(let b)): a === b
    case (.array(let a), .array(let b)): a.takes(b)
    default: false
    }
  }
}

extension ValueType: CustomStringConvertible {
  var description: String {
    switch self {
    case .unknown: "unknown"
    case .integer: "integer"
    case .float: "float"
    case .bool: "boolean"
    case .string: "string"
    case .bytes: "byte array"
    case .enumeration(let spec): "enum \(spec.name)"
    case .object(let spec): "type \(spec.name)"
    case .anyObject: "struct"
    case .stream: "stream"
    case .array(let item): "array of \(item)"
    case .any: "any"
    }
  }
}

/// A compiled expression: its type and steps that leave its value on the stack.
struct Piece {
  var type: ValueType
  var steps: [Step] = []
  /// The value, where it is an integer or enum member that never changes.
  var constant: Value?
  /// The member it names, for `_sizeof`.
  var attribute: Attribute?
}
