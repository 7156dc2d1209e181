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
      for one in diagnostics.inOrder {
        Console.complain(
          "\(one.file):\(one.location.line):\(one.location.column): \(one.message)")
      }
      if root == nil {
        Console.complain(
          FileContents(bytes) == nil
            ? "\(path): this is not YAML; put a filter with special characters in single quotes"
            : "\(path): name the file with expectations first: hark expect FILE CAPTURE")
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
      if let name = item["name"], let text = name.text, !text.isEmpty,
        !names.insert(text).inserted
      {
        diagnostics.error(name, "another expectation has this name")
      }
      if let expectation = expectation(item) { expectations.append(expectation) }
    }
    expectations = Expectation.identified(expectations)
  }

  /// Reads all of it before giving up, so that all mistakes are reported.
  private func expectation(_ node: SourceNode) -> Expectation? {
    guard let pairs = node.pairs else {
      diagnostics.error(node, "expected a map with 'name' and a condition, found \(node.kindName)")
      return nil
    }
    for (key, _) in pairs where !Self.keys.contains(key.scalar?.text ?? "") {
      let name = key.scalar?.text ?? ""
      let hint =
        name.nearest(among: Self.keys).map { "did you mean '\($0)'?" }
        ?? "the keys are " + Self.keys.joined(separator: ", ")
      diagnostics.error(key, "unknown key \(key.kindName); \(hint)")
    }
    let name = node["name"]?.text ?? ""
    if name.isEmpty { diagnostics.error(node, "an expectation needs a name") }
    let severity = severity(node["severity"]) ?? .error
    guard let condition = condition(node), !name.isEmpty else { return nil }
    return Expectation(
      name: name, severity: severity, condition: condition, captures: node["captures"]?.text)
  }

  private func condition(_ node: SourceNode) -> Expectation.Condition? {
    let kinds = ["event", "never", "findings"].filter { node[$0] != nil }
    guard kinds.count == 1 else {
      diagnostics.error(node, "expected one of 'event', 'never' and 'findings'")
      (_, _, _) = (filter(node["never"]), findings(node), event(node))
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
    let (event, of, before) = (filter(node["event"]), filter(node["of"]), filter(node["before"]))
    let count = node["count"].map { range($0) } ?? 1...Int.max
    if let within = node["within"] {
      refuse(["count", "before"], in: node, beside: "within")
      guard let limit = duration(within), node["of"] != nil else {
        diagnostics.error(
          within, "expected a time such as '500 ms', and 'of' with the event it begins at")
        return nil
      }
      guard let event, let of else { return nil }
      return .within(event: event, of: of, limit)
    }
    if let of = node["of"] { diagnostics.error(of, "'of' needs 'within'") }
    if node["before"] != nil {
      refuse(["count"], in: node, beside: "before")
      guard let event, let before else { return nil }
      return .before(event: event, other: before)
    }
    guard let event, let count else { return nil }
    return .count(event, count)
  }

  private func findings(_ node: SourceNode) -> Expectation.Condition? {
    let least = severity(node["findings"])
    var types = Rules.all
    if let rules = node["rules"] {
      do {
        let names = (rules.items ?? [rules]).compactMap(\.text)
        types = try names.flatMap(RuleOptions.matching).compactMap(Rules.named)
      } catch {
        diagnostics.error(rules, OptionMistake.message(of: error))
        return nil
      }
    }
    guard let least else { return nil }
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

  private func range(_ node: SourceNode) -> ClosedRange<Int>? {
    let range = Self.range(node.text ?? "")
    if range == nil {
      diagnostics.error(
        node, "expected a number, or a range such as 2..5 or 1.., found \(node.kindName)")
    }
    return range
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
    let name = path.fileName
    return unsafe fnmatch(captures, captures.contains("/") ? path : name, 0) == 0
  }
}
