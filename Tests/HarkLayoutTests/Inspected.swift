import HarkCore

@testable import HarkLayout

/// What a value is, taken out of a machine to be compared.
indirect enum Inspected: CustomStringConvertible {
  case null
  case integer(Int128)
  case float(Double)
  case bool(Bool)
  case string(String)
  case enumeration(String, UInt64)
  case list([Inspected])
  case object(Int)
  case stream

  init(_ value: Value, in machine: borrowing LayoutMachine, _ packet: RawSpan, depth: Int = 0) {
    switch value.tag {
    case .unset, .pending, .null: self = .null
    case .int, .bigInt: self = .integer(value.integer.wide)
    case .float: self = .float(value.double)
    case .bool: self = .bool(value.isTrue)
    case .string:
      self = .string(String(decoding: machine.bytes(of: value, packet), as: UTF8.self))
    case .bytes: self = .list(machine.bytes(of: value, packet).map { .integer(Int128($0)) })
    case .enumeration:
      self = .enumeration(machine.layout.enums[Int(value.detail)].name, value.bits)
    case .array:
      let items = machine.arrays[value.number]
      self =
        depth > 4
        ? .null : .list(items.map { Inspected($0, in: machine, packet, depth: depth + 1) })
    case .object: self = .object(value.number)
    case .stream: self = .stream
    }
  }

  func matches(_ other: Inspected) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.float(let a), .float(let b)): Self.isNear(a, b)
    case (.float(let a), .integer(let b)), (.integer(let b), .float(let a)):
      Self.isNear(a, Double(b))
    case (.bool(let a), .bool(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.enumeration(let a, let x), .enumeration(let b, let y)): a == b && x == y
    case (.enumeration(_, let a), .integer(let b)), (.integer(let b), .enumeration(_, let a)):
      Int128(Int64(bitPattern: a)) == b
    case (.list(let a), .list(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.matches($1) }
    default: false
    }
  }

  /// As exact as the suite's own runners are.
  private static func isNear(_ a: Double, _ b: Double) -> Bool {
    a == b || abs(a - b) <= 1e-6 * max(abs(a), abs(b))
  }

  var description: String {
    switch self {
    case .null: "null"
    case .integer(let value): "\(value)"
    case .float(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .string(let value): "\"\(value)\""
    case .enumeration(let name, let value): "\(name)(\(value))"
    case .list(let items): "\(items)"
    case .object(let number): "object \(number)"
    case .stream: "stream"
    }
  }
}
