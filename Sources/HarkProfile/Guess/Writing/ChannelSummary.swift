import HarkSession

extension ChannelGuess {
  /// What passed, and how messages are made, in some lines.
  public var summary: [String] {
    var lines = [
      "\(traffic.channel.described)\(traffic.device.map { " of \($0)" } ?? ""): \(traffic.overview)"
        + (traffic.leftOut > 0 ? ", \(traffic.leftOut) more omitted" : "")
    ]
    if let inferred = traffic.inferred {
      lines.append("Inferred to be \(Names.attributeType(inferred)), by its values")
    }
    let messages = count(messageCount, "message")
    switch assembly {
    case .none: break
    case .sentinels(let sentinels):
      lines.append(
        "\(messages), each between a start value (\(sentinels.start.count) bytes) and an end value "
          + "(\(sentinels.end.count) bytes)"
          + (sentinels.header > 0 ? ", in a wrapper of \(sentinels.header) bytes" : ""))
    case .length(let length):
      lines.append(
        "A length (\(length.integer.rawValue) at byte \(length.offset), and \(length.plus)) leads "
          + "through the whole stream: \(messages), \(length.ends) of them end with a frame")
    case .sequence(let sequence):
      lines.append(
        "\(sequence.fragments.count) values are numbered parts of \(messages), "
          + "of \(sequence.counts.min() ?? 0) to \(sequence.counts.max() ?? 0) parts each")
    case .cobs: lines.append("Consistent Overhead Byte Stuffing: \(messages)")
    case .slip: lines.append("SLIP: \(messages)")
    case .lines: lines.append("Lines of text: \(messages)")
    case .runs(let runs):
      lines.append(
        "\(runs.values) values are in \(runs.runs) runs of \(runs.size) bytes that end with a "
          + "shorter one: perhaps chunks of longer messages")
    }
    if let encoding {
      lines.append("Each message is \(encoding.name)")
    } else if traffic.values.count < Least.values {
      lines.append(
        "Fewer than \(Least.values) values: only guesses that the bytes prove by themselves")
    }
    return lines + keys
  }

  private func count(_ number: Int, _ what: String) -> String {
    "\(number) \(what)\(number == 1 ? "" : "s")"
  }

  /// Each field with its place, meaning and evidence, indented as they are nested.
  public var details: [String] {
    var lines: [String] = []
    Self.describe(values, depth: 1, to: &lines)
    if let messages, !messages.isEmpty {
      lines.append("  a message:")
      Self.describe(messages, depth: 2, to: &lines)
    }
    for member in encoding?.members ?? [] {
      lines.append(
        "  \(member.name): \(member.holds)" + (member.key.map { ", \($0.described)" } ?? "")
          + "; in \(member.count) of \(member.of)")
    }
    return lines
  }

  private static func describe(_ structure: Structure, depth: Int, to lines: inout [String]) {
    let indent = String(repeating: "  ", count: depth)
    for field in structure.fields {
      switch field.meaning {
      case .body(_, _, let inner), .items(let inner):
        lines.append("\(indent)\(field.id)\(field.evidence.isEmpty ? "" : ": \(field.evidence)")")
        describe(inner, depth: depth + 1, to: &lines)
      default:
        lines.append("\(indent)\(field.id)\(field.size.described): \(field.evidence)")
      }
    }
    if let fragments = structure.fragments {
      lines.append("\(indent)\(fragments.evidence), of which each is:")
      describe(fragments.message, depth: depth + 1, to: &lines)
    }
    for item in structure.cases {
      lines.append(
        "\(indent)\(structure.kind ?? "") \(item.value.codeName.dropFirst()): \(item.evidence)")
      describe(item.structure, depth: depth + 1, to: &lines)
    }
    if let checksum = structure.checksum {
      lines.append("\(indent)checksum, \(checksum.integer): \(checksum.evidence)")
    }
  }
}

extension GuessedField.Size {
  fileprivate var described: String {
    switch self {
    case .bytes(let count): ", \(count) \(count == 1 ? "byte" : "bytes")"
    case .integer(let integer): ", \(integer.rawValue)"
    case .rest: ""
    }
  }
}

extension ChannelGuess {
  /// The text of its layout.
  public var layout: String { LayoutWriter.text(of: self) }
}
