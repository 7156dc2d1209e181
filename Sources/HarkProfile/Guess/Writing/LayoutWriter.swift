/// Writes a guess as a layout: stock Kaitai Struct, and hark's keys where they are needed.
struct LayoutWriter {
  private var types: [(name: String, doc: String, structure: Structure)] = []
  private var enums: [(name: String, codes: [(value: UInt8, count: Int)])] = []

  static let longestConstant = 16

  static func text(of guess: ChannelGuess) -> String {
    var writer = LayoutWriter()
    return writer.write(guess)
  }

  /// The name of a type for what a field holds, in the type `outer`.
  static func typeName(_ outer: String, _ name: String) -> String {
    outer.isEmpty ? name : "\(outer)_\(name)"
  }

  static func enumName(_ type: String, _ field: String) -> String { typeName(type, field) }

  private mutating func write(_ guess: ChannelGuess) -> String {
    var lines = GuessLines()
    lines.comment("A starting point from hark dissectors guess: choose the names.")
    for line in guess.summary { lines.comment(line) }
    lines.line("meta:")
    lines.indented {
      $0.line("id: \(guess.id)")
      $0.line("title: Guess of \(guess.id)")
    }
    let place = guess.traffic.channel.attachment
    lines.line("-hark-attach:")
    lines.indented { $0.line("- \(place.key): \(place.value)") }
    if case .length(let length) = guess.assembly,
      let index = guess.values.fields.firstIndex(where: { $0.isLength })
    {
      // The field may have more bytes than those of the length that change.
      let end = guess.values.fields[...index].map(\.fixedSize).reduce(0, +)
      lines.line("-hark-stream:")
      lines.indented {
        $0.line("header: \(max(end, length.offset + length.integer.size))")
        $0.line(
          "total: \(guess.values.fields[index].id)"
            + (length.plus == 0 ? "" : " + \(length.plus)"))
      }
    }
    lines.append(body(guess.values, type: "", isMessage: guess.messages == nil))
    if let messages = guess.messages, !messages.isEmpty {
      types.append(("message", "A message, assembled from values.", messages))
    }
    writeTypes(to: &lines)
    writeEnums(to: &lines)
    return lines.text
  }

  // MARK: Types

  private mutating func writeTypes(to lines: inout GuessLines) {
    guard !types.isEmpty else { return }
    lines.line("types:")
    // Types that are in others come up on the way.
    var index = 0
    while index < types.count {
      let type = types[index]
      index += 1
      let body = body(type.structure, type: type.name, isMessage: true)
      lines.indented { lines in
        lines.line("\(type.name):")
        lines.indented {
          if !type.doc.isEmpty { $0.comment(type.doc) }
          $0.append(body)
        }
      }
    }
  }

  private func writeEnums(to lines: inout GuessLines) {
    guard !enums.isEmpty else { return }
    lines.line("enums:")
    lines.indented { lines in
      for item in enums {
        lines.line("\(item.name):")
        lines.indented {
          for code in item.codes {
            $0.line("\(GuessLines.hex(code.value)): \(code.value.codeName)")
          }
        }
      }
    }
  }

  private mutating func body(
    _ structure: Structure, type: String, isMessage: Bool
  ) -> GuessLines {
    var lines = GuessLines()
    lines.line("seq:")
    let after = structure.checksum?.size ?? 0
    lines.indented { lines in
      if structure.isEmpty {
        lines.line("- id: content")
        lines.line("  size-eos: true")
      }
      for field in structure.fields {
        if !field.evidence.isEmpty { lines.comment(field.evidence) }
        lines.line("- id: \(field.id)")
        lines.indented { write(field, in: structure, type: type, after: after, to: &$0) }
      }
      if !structure.cases.isEmpty, !structure.hasBody {
        lines.line("- id: body")
        lines.indented { lines in
          Self.rest(after, to: &lines)
          writeCases(of: structure, type: type, to: &lines)
        }
      }
      if let checksum = structure.checksum {
        lines.comment(checksum.evidence)
        lines.line("- id: checksum")
        lines.line("  type: \(checksum.integer)")
        lines.line("  -hark-checksum:")
        lines.line("    algorithm: \(checksum.algorithm.rawValue)")
        lines.line("    over: checked")
      }
    }
    writeInstances(of: structure, to: &lines)
    if let fragments = structure.fragments, !fragments.message.isEmpty {
      types.append(
        (Self.typeName(type, "message"), "\(fragments.evidence).", fragments.message))
    }
    return lines
  }

  private func writeInstances(of structure: Structure, to lines: inout GuessLines) {
    guard structure.checksum != nil || structure.fragments != nil else { return }
    lines.line("instances:")
    lines.indented { lines in
      if let checksum = structure.checksum {
        lines.line("checked:")
        lines.line("  pos: \(checksum.from)")
        lines.line("  size: _io.size - \(checksum.from + checksum.size)")
      }
      if let fragments = structure.fragments {
        lines.line("is_first:")
        lines.line("  value: \(fragments.field) & \(GuessLines.hex(fragments.first)) != 0")
        lines.line("has_more:")
        lines.line("  value: \(fragments.field) & \(GuessLines.hex(fragments.more)) != 0")
      }
    }
  }

  private mutating func write(
    _ field: GuessedField, in structure: Structure, type: String, after: Int,
    to lines: inout GuessLines
  ) {
    switch field.meaning {
    case .constant(let bytes):
      // What is longer may be a key.
      lines.line(
        bytes.count <= Self.longestConstant
          ? "contents: \(GuessLines.list(bytes))" : "size: \(bytes.count)")
    case .text:
      lines.line("type: str")
      Self.rest(after, to: &lines)
      lines.line("encoding: UTF-8")
    case .sized(let length, let isText):
      if isText { lines.line("type: str") }
      lines.line("size: \(length)")
      if isText { lines.line("encoding: UTF-8") }
    case .body(let length, let minus, let inner):
      lines.line("size: \(length)" + (minus == 0 ? "" : minus > 0 ? " - \(minus)" : " + \(-minus)"))
      if !structure.cases.isEmpty, inner.isEmpty {
        writeCases(of: structure, type: type, to: &lines)
      } else if !inner.isPlain {
        let name = Self.typeName(type, field.id)
        types.append((name, "", inner))
        lines.line("type: \(name)")
      }
    case .items(let inner):
      let name = Self.typeName(type, "item")
      types.append((name, "", inner))
      lines.line("type: \(name)")
      lines.line(after == 0 ? "repeat: eos" : "repeat: until")
      if after > 0 { lines.line("repeat-until: _io.pos + \(after) >= _io.size") }
    case .code(let codes):
      lines.line("type: u1")
      let name = Self.enumName(type, field.id)
      enums.append((name, codes))
      lines.line("enum: \(name)")
    case .counter, .length, .flags, .key, .random, .encoded, .unknown:
      switch field.size {
      case .bytes(let count): lines.line("size: \(count)")
      case .integer(let integer): lines.line("type: \(integer.rawValue)")
      case .rest: Self.rest(after, to: &lines)
      }
    }
  }

  private static func rest(_ after: Int, to lines: inout GuessLines) {
    lines.line(after == 0 ? "size-eos: true" : "size: _io.size - _io.pos - \(after)")
  }

  private mutating func writeCases(
    of structure: Structure, type: String, to lines: inout GuessLines
  ) {
    guard let kind = structure.kind else { return }
    let reported = structure.cases.filter { !$0.structure.isPlain }
    for item in structure.cases where item.structure.isPlain {
      lines.comment("\(item.value.codeName): nothing recognized; \(item.evidence)")
    }
    guard !reported.isEmpty else { return }
    lines.line("type:")
    lines.indented { lines in
      lines.line("switch-on: \(kind)")
      lines.line("cases:")
      lines.indented { lines in
        for item in reported {
          let name = Self.typeName(type, "\(kind)_\(item.value.codeName)")
          types.append((name, item.evidence, item.structure))
          lines.line(
            "\(Self.enumName(type, kind))::\(item.value.codeName): \(name)")
        }
      }
    }
  }
}

extension GuessedField {
  fileprivate var isLength: Bool { if case .length = meaning { true } else { false } }

  /// Its bytes; 0 if their number varies.
  fileprivate var fixedSize: Int {
    switch size {
    case .bytes(let count): count
    case .integer(let integer): integer.size
    case .rest: 0
    }
  }
}

extension Structure {
  /// Whether nothing is known about it, so that it needs no type.
  var isPlain: Bool {
    guard cases.isEmpty, checksum == nil, fragments == nil, fields.count <= 1 else { return false }
    if let only = fields.first, case .rest = only.size, case .unknown = only.meaning { return true }
    return fields.isEmpty
  }

  /// Whether a length limits what the cases describe.
  var hasBody: Bool {
    fields.contains { field in
      if case .body = field.meaning { true } else { false }
    }
  }
}
