import HarkCore
import HarkSession

/// Findings that were accepted before: what `hark findings --format json` wrote.
///
/// A finding is an accepted one if that capture had one of the same rule about the same device. Captures are known
/// by their paths, or else by the ends of these, at least the names of their files, where only one fits.
public struct FindingsBaseline: Sendable {
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// What an accepted finding is about.
  public struct Subject: Hashable, Sendable, Comparable {
    public let rule: String
    /// Empty if the finding is about no device.
    public let device: String

    /// What is said of one that is there no more.
    var reported: String { "gone: [\(rule)]" + (device.isEmpty ? "" : " \(device)") }

    public static func < (a: Subject, b: Subject) -> Bool {
      (a.rule, a.device) < (b.rule, b.device)
    }
  }

  /// How a capture differs from what was accepted of it.
  public struct Difference: Sendable {
    /// How many findings are accepted ones; they are not shown.
    public internal(set) var accepted = 0
    /// Of accepted findings that are there no more.
    public internal(set) var gone: [Subject] = []
    /// Whether nothing was accepted of the capture, as the baseline does not have it.
    public internal(set) var isOfNewCapture = false
  }

  public static let longest = 1 << 30

  /// A capture that the baseline has.
  public struct Capture: Sendable {
    public let name: String
    fileprivate let subjects: [Subject: Int]
    /// How many findings were accepted of it.
    public var findings: Int { subjects.values.reduce(0, +) }
  }

  private var captures: [Capture] = []
  /// Which of them each capture is that is read now, by its path.
  private var matches: [String: Int] = [:]

  /// - Throws: Where `bytes` are not the JSON of findings.
  public init(_ bytes: [UInt8]) throws(Failure) {
    var start = 0
    var line = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      line += 1
      if start < end { try add(bytes, start..<end, line) }
      start = end + 1
    }
    guard !captures.isEmpty else {
      throw Failure(
        description:
          "no findings in it; --baseline takes the output of 'hark findings --format json'")
    }
  }

  private mutating func add(
    _ bytes: [UInt8], _ range: Range<Int>, _ line: Int
  ) throws(Failure) {
    let limits = JSONParser.Limits(levels: 16, values: 1 << 20, takesDuplicates: true)
    guard let root = try? JSONParser.read(bytes, in: range, limits) else {
      throw Failure(
        description: "line \(line) is not JSON; hark findings --format json writes a baseline")
    }
    guard root["summary"] == nil else { return }
    guard let name = root["name"]?.text(in: bytes) else {
      throw Failure(
        description: "line \(line) names no capture; hark findings --format json writes a baseline")
    }
    var subjects: [Subject: Int] = [:]
    if case .array(let findings)? = root["findings"]?.value {
      for finding in findings {
        let subject = Subject(
          rule: finding["rule"]?.text(in: bytes) ?? "",
          device: Device.name(ofLabel: finding["device"]?.text(in: bytes) ?? ""))
        subjects[subject, default: 0] += 1
      }
    }
    captures.append(Capture(name: name, subjects: subjects))
  }

  /// Finds out which captures these are. One whose path the baseline has is that one; otherwise the longest common end
  /// of two paths decides, if no other path here or there has it: many captures are called `btsnoop_hci.log`.
  public mutating func match(_ paths: [String]) {
    let names = captures.map(\.name)
    let known = Dictionary(names.indices.map { (names[$0], $0) }) { $1 }
    matches = Dictionary(paths.compactMap { path in known[path].map { (path, $0) } }) { $1 }
    var taken = Set(matches.values)
    for count in (1...Self.mostParts).reversed() {
      let before = Self.grouped(names, byLast: count)
      guard !before.isEmpty else { continue }
      for (end, now) in Self.grouped(Array(Set(paths)), byLast: count) {
        guard now.count == 1, matches[now[0]] == nil, let one = before[end], one.count == 1,
          let index = known[one[0]], taken.insert(index).inserted
        else { continue }
        matches[now[0]] = index
      }
    }
  }

  /// Paths with at least so many parts, by their last ones.
  private static func grouped(_ paths: [String], byLast count: Int) -> [[Substring]: [String]] {
    var groups: [[Substring]: [String]] = [:]
    for path in paths {
      let parts = path.split(separator: "/")
      if parts.count >= count { groups[Array(parts.suffix(count)), default: []].append(path) }
    }
    return groups
  }

  private static let mostParts = 16

  /// Captures that the baseline has and that are not read now, by their names. Call it after `match`.
  public var goneCaptures: [Capture] {
    let taken = Set(matches.values)
    return captures.indices.filter { !taken.contains($0) }.map { captures[$0] }
      .sorted { $0.name < $1.name }
  }

  fileprivate func subjects(of path: String) -> [Subject: Int]? {
    matches[path].map { captures[$0].subjects }
  }
}

extension Findings {
  /// Takes away the findings that were accepted of the capture before. Call it after `finish`, with a baseline that
  /// knows from `match` which captures there are.
  public mutating func compare(with baseline: FindingsBaseline, capture: String) {
    var difference = FindingsBaseline.Difference()
    guard var left = baseline.subjects(of: capture) else {
      difference.isOfNewCapture = true
      self.difference = difference
      return
    }
    all.removeAll { finding in
      let subject = FindingsBaseline.Subject(
        rule: finding.rule.id, device: Device.name(ofLabel: finding.place.label))
      guard let count = left[subject], count > 0 else { return false }
      left[subject] = count - 1
      difference.accepted += 1
      return true
    }
    // Only of rules that looked can be said that they found nothing.
    let rules = Set(descriptions.map(\.id))
    difference.gone = left.filter { $0.value > 0 && rules.contains($0.key.rule) }.keys.sorted()
    self.difference = difference
  }
}
