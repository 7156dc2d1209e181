import HarkCore
import HarkLayout

/// An expression of a profile, checked and with its constants known. The language is Kaitai
/// Struct's (user guide, section 6); types are known only when there is a message.
indirect enum Formula: Sendable {
  case constant(ProfileValue)
  /// `_`: the value itself, or the item of a list.
  case here
  /// `_root`: the whole message.
  case root
  /// A member of `here`.
  case name(String)
  /// A member, or the result of a method of that name if there is no such member.
  case member(Formula, String, Method?)
  case call(Formula, Method, [Formula])
  case index(Formula, Formula)
  case list([Formula])
  case joined([Formula])
  case unary(UnaryOperator, Formula)
  case binary(BinaryOperator, Formula, Formula)
  case conditional(Formula, Formula, Formula)
}

/// What can be asked of a value after a dot. A member of that name comes first.
enum Method: String, CaseIterable, Sendable {
  // Of Kaitai Struct.
  case size, length, first, last, min, max, reverse, substring
  case toI = "to_i"
  case toS = "to_s"
  // Of profiles.
  /// Whether it is there at all.
  case exists
  /// The same, or null where it is empty.
  case nonEmpty = "non_empty"
  /// Another value where it is not.
  case `default`
  /// The bytes that a text of hexadecimal digits, base64, or base64 for addresses spells.
  case hex, base64, base64url
  /// How many bytes a text in base64 spells.
  case base64Size = "base64_size"
  /// The digits of bytes.
  case toHex = "to_hex"
  /// The text of a UUID of 16 bytes, the most significant first.
  case uuid
  /// A part of bytes or of an array, from and until an index.
  case slice
  /// What text or bytes say that are a message of their own.
  case json, cbor, plist, opack, msgpack
  /// The same of a message of Protocol Buffers, by the numbers of its fields.
  case message
  // Of fields of Protocol Buffers whose type is not known.
  /// The numbers of a field that is packed.
  case packed
  /// A number with a sign: in two's complement, or as `sint32` and `sint64` have it.
  case signed, zigzag
  /// The number whose bits they are, of 32 and of 64.
  case float, double
  /// An array of all there are: of one value, or none, as well.
  case all
  /// The text that a table of the profile has for it, or for each item of an array.
  case named
  /// The texts that a table of the profile has for the bits that are set.
  case flags
  /// Whether an object has a member of that name, be it null.
  case has

  var arguments: ClosedRange<Int> {
    switch self {
    case .toI, .toS: 0...1
    case .default, .named, .flags, .has: 1...1
    case .substring, .slice: 2...2
    default: 0...0
    }
  }
}

/// Texts by number, for `named`.
typealias ProfileTable = [Int: String]

extension Formula {
  /// What is known where an expression stands.
  struct Context {
    /// Nil if any name may be a member's.
    var names: (any NamedValues)?
    var tables: [String: ProfileTable] = [:]
  }

  init(_ expression: Expression, _ context: Context) throws(ExpressionError) {
    func made(_ inner: Expression) throws(ExpressionError) -> Formula {
      try Formula(inner, context)
    }
    func all(_ inner: [Expression]) throws(ExpressionError) -> [Formula] {
      var result: [Formula] = []
      for one in inner { result.append(try made(one)) }
      return result
    }
    switch expression.kind {
    case .integer(let value): self = .constant(.int(value))
    case .float(let value): self = .constant(.float(value))
    case .string(let text): self = .constant(.text(text))
    case .bool(let value): self = .constant(.bool(value))
    case .interpolated(let parts): self = .joined(try all(parts))
    case .name("_"): self = .here
    case .name("_root"): self = .root
    case .name(let name):
      try context.check(name)
      self = .name(name)
    case .enumMember(let path, let member):
      guard let names = context.names else {
        throw ExpressionError(
          message: "'\(path)::\(member)' needs a layout or a descriptor set, which define enums")
      }
      guard let value = names.value(of: member, in: path) else {
        let wanted = "\(path)::\(member)"
        throw ExpressionError(
          message: "\(names.kind) has no enum member '\(wanted)'"
            + wanted.hint(among: names.enumMembers))
      }
      self = .constant(.int(value))
    case .list(let items): self = .list(try all(items))
    case .unary(let operation, let inner): self = .unary(operation, try made(inner))
    case .binary(let operation, let a, let b): self = .binary(operation, try made(a), try made(b))
    case .conditional(let a, let b, let c):
      self = .conditional(try made(a), try made(b), try made(c))
    case .index(let value, let index): self = .index(try made(value), try made(index))
    case .member(let value, let name):
      let method = Method(rawValue: name).flatMap { $0.arguments.contains(0) ? $0 : nil }
      if method == nil { try context.check(name, isAfterPeriod: true) }
      self = .member(try made(value), name, method)
    case .call(let value, let name, let arguments):
      self = try Self.call(try made(value), name, arguments, try all(arguments), context)
    case .cast, .sizeOf:
      throw ExpressionError(message: "only layouts have casts and sizes of types")
    }
  }

  private static func call(
    _ value: Formula, _ name: String, _ expressions: [Expression], _ arguments: [Formula],
    _ context: Context
  ) throws(ExpressionError) -> Formula {
    guard let method = Method(rawValue: name) else {
      let known = Method.allCases.map(\.rawValue).sorted().joined(separator: ", ")
      let hint = name.hint(among: Method.allCases.map(\.rawValue))
      throw ExpressionError(message: "unknown method '\(name)'\(hint), expected: \(known)")
    }
    guard method.arguments.contains(arguments.count) else {
      throw ExpressionError(
        message: "'\(name)' takes \(method.arguments.upperBound) arguments, got \(arguments.count)")
    }
    if method == .named || method == .flags {
      guard case .string(let table) = expressions[0].kind, context.tables[table] != nil else {
        let known = context.tables.keys.sorted()
        var message = "'\(name)' takes the name of a table of `tables`, in quotes"
        if case .string(let table) = expressions[0].kind { message += table.hint(among: known) }
        if !known.isEmpty { message += ", expected: \(known.joined(separator: ", "))" }
        throw ExpressionError(message: message)
      }
      let texts = context.tables[table] ?? [:]
      var members = ProfileValue.Members()
      for (number, text) in texts.sorted(by: { $0.key < $1.key }) {
        members.set("\(number)", .text(text))
      }
      return .call(value, method, [.constant(.object(members))])
    }
    return .call(value, method, arguments)
  }
}

extension Formula {
  /// The texts that it can be, as far as they are in the profile: constants, and those of tables, of which other
  /// expressions may want some.
  var texts: [(text: String, isOfTable: Bool)] {
    switch self {
    case .constant(.text(let text)): [(text, false)]
    case .list(let items): items.flatMap(\.texts)
    case .conditional(_, let yes, let no): yes.texts + no.texts
    case .call(_, .named, let arguments), .call(_, .flags, let arguments):
      arguments.flatMap { argument -> [(text: String, isOfTable: Bool)] in
        guard case .constant(.object(let members)) = argument else { return [] }
        return members.values.compactMap {
          if case .text(let text) = $0 { (text, true) } else { nil }
        }
      }
    case .call(let inner, .default, let arguments): inner.texts + arguments.flatMap(\.texts)
    case .call(let inner, .nonEmpty, _), .call(let inner, .all, _): inner.texts
    case .member(let inner, _, .nonEmpty?), .member(let inner, _, .all?): inner.texts
    default: []
    }
  }

  /// What the message calls what it looks at: `data` of `body.data.base64`, and the member of a number: `member 3` of `_[3]`.
  var fieldName: String? {
    switch self {
    case .name(let name): name
    case .member(let inner, let name, let method): method == nil ? name : inner.fieldName
    case .index(.here, .constant(let key)), .index(.root, .constant(let key)):
      key.int.map { "member \($0)" } ?? key.text
    case .call(let inner, _, _), .index(let inner, _), .unary(_, let inner),
      .binary(_, let inner, _):
      inner.fieldName
    default: nil
    }
  }
}

extension Formula.Context {
  fileprivate func check(
    _ name: String, isAfterPeriod: Bool = false
  ) throws(ExpressionError) {
    guard let names, !names.names.contains(name) else { return }
    // Fields that a descriptor set does not know have their number.
    if names is ProtobufSchema, name.first == "f", UInt32(name.dropFirst()) != nil { return }
    let methods = Method.allCases.filter { isAfterPeriod && $0.arguments.contains(0) }
    let hint = name.hint(among: Array(names.names) + methods.map(\.rawValue))
    throw ExpressionError(message: "\(names.kind) has no member '\(name)'\(hint)")
  }
}
