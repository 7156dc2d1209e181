/// One of the things a message seems to be made of, for programs.
package struct GuessedPart {
  package let name: String
  /// `3` bytes, `u2be`, or nothing for everything that is left.
  package let size: String?
  /// `constant`, `counter`, `length` and so on.
  package let meaning: String
  /// What was seen.
  package let evidence: String
  /// The bytes of a constant that is short.
  package var bytes: [UInt8]?
  /// The values of a code, and how often each is there.
  package var codes: [(value: UInt8, count: Int)] = []
  /// The value of a code with which it is there.
  package var code: UInt8?
  /// What is inside.
  package var parts: [GuessedPart] = []
}

extension ChannelGuess {
  /// `sentinels`, `length`, `sequence` and so on, as profiles name them; nil if each value is a
  /// message.
  package var assemblyName: String? {
    switch assembly {
    case .none: nil
    case .sentinels: "sentinels"
    case .length: "length"
    case .cobs: "cobs"
    case .slip: "slip"
    case .lines: "lines"
    case .sequence: "sequence"
    case .runs: "runs"
    }
  }

  package var encodingName: String? { encoding?.name }

  /// What values are made of.
  package var valueParts: [GuessedPart] { values.parts }

  /// What the messages are made of that values make, where that is something else.
  package var messageParts: [GuessedPart] { messages?.parts ?? [] }

  /// The members of messages in a general encoding: what each holds, and in how many it is.
  package var memberParts: [(name: String, holds: String, key: String?, count: Int, of: Int)] {
    (encoding?.members ?? []).map { ($0.name, $0.holds, $0.key?.described, $0.count, $0.of) }
  }
}

extension Structure {
  fileprivate var parts: [GuessedPart] {
    var parts = fields.map { GuessedPart($0) }
    if let fragments {
      parts.append(
        GuessedPart(
          name: "message", size: nil, meaning: "message", evidence: fragments.evidence,
          parts: fragments.message.parts))
    }
    parts += cases.map { item in
      GuessedPart(
        name: kind ?? "", size: nil, meaning: "case", evidence: item.evidence, code: item.value,
        parts: item.structure.parts)
    }
    if let checksum {
      parts.append(
        GuessedPart(
          name: "checksum", size: checksum.integer, meaning: "checksum", evidence: checksum.evidence
        ))
    }
    return parts
  }
}

extension GuessedPart {
  fileprivate init(_ field: GuessedField) {
    var bytes: [UInt8]?
    var codes: [(value: UInt8, count: Int)] = []
    var parts: [GuessedPart] = []
    switch field.meaning {
    // What is longer may be a key.
    case .constant(let all): bytes = all.count <= LayoutWriter.longestConstant ? all : nil
    case .code(let all): codes = all
    case .body(_, _, let inner), .items(let inner): parts = inner.parts
    default: break
    }
    let size: String? =
      switch field.size {
      case .bytes(let count): "\(count)"
      case .integer(let integer): integer.rawValue
      case .rest: nil
      }
    self.init(
      name: field.id, size: size, meaning: field.meaning.name, evidence: field.evidence,
      bytes: bytes, codes: codes, parts: parts)
  }
}

extension GuessedField.Meaning {
  var name: String {
    switch self {
    case .constant: "constant"
    case .counter: "counter"
    case .length: "length"
    case .body: "body"
    case .items: "items"
    case .code: "code"
    case .flags: "flags"
    case .text: "text"
    case .encoded: "encoded"
    case .sized: "sized-text"
    case .key: "key"
    case .random(let isSealed): isSealed ? "sealed" : "random"
    case .unknown: "unknown"
    }
  }
}
