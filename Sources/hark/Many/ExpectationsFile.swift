import ArgumentParser
import HarkCore
import HarkFilter
import HarkFindings
import HarkLayout
import HarkPlatform

/// The YAML of `hark expect`, described in docs/expect.md.
struct ExpectationsFile {
  private(set) var expectations: [Expectation] = []
  private let diagnostics = Diagnostics()

  private static let longest = 1 << 20
  private static let most = 1_000
  private static let keys = [
    "name", "captures", "severity", "event", "count", "within", "of", "before", "never", "findings",
    "rules",
  ]

  /// - Throws: `ExitCode.failure`, after reporting everything that is wrong on standard error.
  init(_ path: String) throws {
    let bytes = try InputFile.bytes(path, most: Self.longest)
    let root = Document.read(String(decoding: bytes, as: UTF8.self), file: path, diagnostics)
    if let root { read(root) }
    guard diagnostics.all.isEmpty else {
      for one in diagnostics.all {
        Console.complain(
          "\(one.file):\(one.location.line):\(one.location.column): \(one.message)")
      }
      throw ExitCode.failure
    }
  }

  private mutating func read(_ root: SourceNode) {
    for (key, _) in root.pairs ?? [] where key.scalar?.text != "expectations" {
      diagnostics.error(key, "unknown key \(key.kindName); the file has one list, 'expectations'")
    }
    guard let items = root["expectations"]?.items, !items.isEmpty else {
      return diagnostics.error(root, "expected a list 'expectations' with at least one item")
    }
    guard items.count <= Self.most else {
      return diagnostics.error(
        items[Self.most], "a file has at most \(Self.most) expectations: split it")
    }
    var names: Set<String> = []
    for item in items {
      guard let expectation = expectation(item) else { continue }
      if !names.insert(expectation.name).inserted {
        diagnostics.error(item["name"] ?? item, "another expectation has this name")
      }
      expectations.append(expectation)
    }
  }

  private func expectation(_ node: SourceNode) -> Expectation? {
    guard let pairs = node.pairs else {
      diagnostics.error(node, "expected a map with 'name' and a condition, found \(node.kindName)")
      return nil
    }
    for (key, _) in pairs where !Self.keys.contains(key.scalar?.text ?? "") {
      let name = key.scalar?.text ?? ""
      let near = Self.keys.min { $0.edits(to: name) < $1.edits(to: name) } ?? ""
      diagnostics.error(key, "unknown key \(key.kindName); did you mean '\(near)'?")
    }
    guard let name = node["name"]?.text, !name.isEmpty else {
      diagnostics.error(node, "an expectation needs a name")
      return nil
    }
    guard let condition = condition(node) else { return nil }
    return Expectation(
      name: name, severity: severity(node["severity"]) ?? .error, condition: condition,
      captures: node["captures"]?.text)
  }

  private func condition(_ node: SourceNode) -> Expectation.Condition? {
    let kinds = ["event", "never", "findings"].filter { node[$0] != nil }
    guard kinds.count == 1 else {
      diagnostics.error(node, "expected one of 'event', 'never' and 'findings'")
      return nil
    }
    switch kinds[0] {
    case "never":
      refuse(["count", "within", "of", "before", "rules"], in: node, beside: "never")
      return filter(node["never"]).map { .count($0, 0...0) }
    case "findings":
      refuse(["count", "within", "of", "before"], in: node, beside: "findings")
      return findings(node)
    default:
      refuse(["rules"], in: node, beside: "event")
      return event(node)
    }
  }

  private func refuse(_ keys: [String], in node: SourceNode, beside kind: String) {
    for key in keys {
      if let key = node.key(key) {
        diagnostics.error(key, "\(key.kindName) cannot be combined with '\(kind)'")
      }
    }
  }

  private func event(_ node: SourceNode) -> Expectation.Condition? {
    guard let event = filter(node["event"]) else { return nil }
    if let within = node["within"] {
      guard let limit = duration(within), let of = node["of"] else {
        diagnostics.error(
          within, "expected a time such as '500 ms', and 'of' with the event it begins at")
        return nil
      }
      refuse(["count", "before"], in: node, beside: "within")
      return filter(of).map { .within(event: event, of: $0, limit) }
    }
    if let of = node["of"] { diagnostics.error(of, "'of' needs 'within'") }
    if let before = node["before"] {
      refuse(["count"], in: node, beside: "before")
      return filter(before).map { .before(event: event, other: $0) }
    }
    guard let count = node["count"] else { return .count(event, 1...Int.max) }
    guard let range = Self.range(count.text ?? "") else {
      diagnostics.error(
        count, "expected a number, or a range such as 2..5 or 1.., found \(count.kindName)")
      return nil
    }
    return .count(event, range)
  }

  private func findings(_ node: SourceNode) -> Expectation.Condition? {
    guard let least = severity(node["findings"]) else { return nil }
    var types = Rules.all
    if let rules = node["rules"] {
      do {
        let names = (rules.items ?? [rules]).compactMap(\.text)
        types = try names.flatMap(RuleOptions.matching).compactMap(Rules.named)
      } catch {
        diagnostics.error(rules, "\(error)")
        return nil
      }
    }
    return .noFindings(least, rules: types)
  }

  private func severity(_ node: SourceNode?) -> Finding.Severity? {
    guard let node else { return nil }
    let found = Finding.Severity.allCases.first { $0.name == node.text }
    if found == nil {
      diagnostics.error(node, "expected info, warning or error, found \(node.kindName)")
    }
    return found
  }

  private func filter(_ node: SourceNode?) -> Filter? {
    guard let node else { return nil }
    do {
      return try Filter(node.text ?? "")
    } catch {
      diagnostics.error(node, "\(error.message)")
      return nil
    }
  }

  /// `500 ms`, `2 s`, `1 min`, in nanoseconds.
  private func duration(_ node: SourceNode) -> Int64? {
    let parts = (node.text ?? "").split(separator: " ")
    let units: [Substring: Double] = ["us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9, "min": 6e10]
    guard parts.count == 2, let number = Double(String(parts[0])), let unit = units[parts[1]],
      number >= 0, number * unit < 1e18
    else { return nil }
    return Int64(number * unit)
  }

  /// `3`, `2..5`, `1..`
  private static func range(_ text: String) -> ClosedRange<Int>? {
    if let number = Int(text), number >= 0 { return number...number }
    guard let dots = text.firstRange(of: "..") else { return nil }
    guard let low = Int(text[..<dots.lowerBound]), low >= 0 else { return nil }
    let rest = text[dots.upperBound...]
    guard !rest.isEmpty else { return low...Int.max }
    guard let high = Int(rest), high >= low else { return nil }
    return low...high
  }
}

extension Expectation {
  /// Whether it holds for a capture of this path.
  func concerns(_ path: String) -> Bool {
    guard let captures else { return true }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return unsafe fnmatch(captures, captures.contains("/") ? path : name, 0) == 0
  }
}
