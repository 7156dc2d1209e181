import HarkCore
import HarkLayout

// How values make messages.
extension ProfileLoader {
  func assembly(_ node: SourceNode) -> Assembly {
    switch node.text {
    case "none": return .none
    case "cobs": return .cobs
    case "slip": return .slip
    case "lines": return .lines
    default: break
    }
    guard let pairs = node.pairs, pairs.count == 1 else {
      let hint = (node.text ?? "").hint(among: ["none", "cobs", "slip", "lines"])
      diagnostics.error(
        node,
        "expected none, cobs, slip, lines, or a map of sentinels, length, terminator or sequence\(hint)"
      )
      return .none
    }
    let inner = pairs[0].value
    switch pairs[0].key.scalar?.text {
    case "sentinels":
      guard allow(["start", "end"], in: inner) else { return .none }
      let start = need("start", in: inner).flatMap { bytes($0) }
      let end = need("end", in: inner).flatMap { bytes($0) }
      guard let start, let end else { return .none }
      return .sentinels(start: start, end: end)
    case "length":
      guard allow(["header", "total", "encoding"], in: inner) else { return .none }
      let header = need("header", in: inner).flatMap { number($0, 1...1024) }
      return part(inner) { encoding in
        let total = formula(need("total", in: inner), encoding)
        guard let total, let header else { return .none }
        return .length(header: header, encoding: encoding, total: total)
      }
    case "terminator":
      guard let end = bytes(inner) else { return .none }
      guard (1...Joining.longestTerminator).contains(end.count) else {
        diagnostics.error(inner, "expected 1 to \(Joining.longestTerminator) bytes")
        return .none
      }
      return .terminator(end)
    case "sequence": return sequence(inner).map { .sequence($0) } ?? .none
    default:
      diagnostics.error(
        pairs[0].key, "unknown assembly, expected: sentinels, length, terminator, sequence")
      return .none
    }
  }

  private func sequence(_ node: SourceNode) -> FragmentSequence? {
    let members = ["number", "modulo", "first", "last", "total", "body", "key"]
    guard allow(["doc", "encoding", "gap", "repeat", "longest"] + members, in: node) else {
      return nil
    }
    let modulo = node["modulo"].flatMap { number($0, 2...FragmentSequence.mostNumber) }
    let longest = node["longest"].flatMap { number($0, 1...WholeMessage.byteLimit) }
    let gap = node["gap"].flatMap { choice($0, FragmentSequence.GapRule.allCases) }
    let repetition = node["repeat"].flatMap { choice($0, FragmentSequence.RepeatRule.allCases) }
    let (numbered, content) = (need("number", in: node), need("body", in: node))
    let (last, total) = (node["last"], node["total"])
    if (last == nil) == (total == nil) {
      diagnostics.error(node, "expected either 'last' or 'total'")
    }
    return part(node) { encoding in
      func formula(_ node: SourceNode?) -> Formula? { self.formula(node, encoding) }
      let first = formula(node["first"])
      let key = formula(node["key"])
      let end =
        formula(last).map { FragmentSequence.End.last($0) }
        ?? formula(total).map { .total($0) }
      let (number, body) = (formula(numbered), formula(content))
      guard let number, let body, let end else { return nil }
      return FragmentSequence(
        encoding: encoding, number: number, modulo: modulo, first: first, end: end, body: body,
        key: key, gap: gap ?? .drop, repetition: repetition ?? .ignore,
        longest: longest ?? WholeMessage.byteLimit)
    }
  }

  /// What is read with the encoding of `node`, if it names one.
  private func part<T>(_ node: SourceNode, _ read: (Encoding) -> T) -> T {
    node["encoding"].map { encoding($0, read) } ?? read(.raw)
  }

  private func choice<T: RawRepresentable>(
    _ node: SourceNode, _ known: [T]
  ) -> T? where T.RawValue == String {
    if let value = known.first(where: { $0.rawValue == node.text }) { return value }
    let names = known.map(\.rawValue).joined(separator: " or ")
    diagnostics.error(node, "expected \(names), got \(node.kindName)")
    return nil
  }
}
