import HarkCapture
import HarkCore
import HarkPresentation
import HarkSession

/// Findings as SARIF 2.1.0 (OASIS Static Analysis Results Interchange Format): one run over all
/// captures. What could not be judged is a result of the kind `open`; rules that had nothing to judge are
/// notifications, as readers of SARIF that do not know kinds would show results of them as problems.
public struct FindingsSARIF: FindingsWriter {
  private let version: String
  private let rules: [RuleDescription]
  private var results = JSONText()
  private var isEmpty = true
  /// What is wrong with captures: notifications.
  private var problems = JSONText()
  private var hasProblems = false
  /// Whether a capture could not be opened.
  private var hasFailed = false

  /// - Parameter version: Of hark.
  public init(version: String, rules: [RuleDescription]) {
    (self.version, self.rules) = (version, rules)
  }

  public mutating func write(
    _ name: String, _ findings: Findings, _ session: borrowing Session, _ end: CaptureEnd,
    to out: inout TextBuffer
  ) {
    if let problem = end.problem { notify(name, problem, level: "warning") }
    for one in findings.notJudged {
      notify(name, "Not judged: \(one.reason).", level: "note", rule: one.rule.id)
    }
    for subject in findings.difference?.gone ?? [] {
      notify(name, "\(subject.reported).", level: "note", rule: subject.rule)
    }
    for finding in findings.sorted {
      result(finding.rule, kind: "fail", level: finding.severity.level, name, finding.place) {
        json in
        let repetition = finding.repetition.map { " (\($0))" } ?? ""
        let text =
          "\(finding.rule.title): \(finding.observed)\(repetition). Expected: \(finding.expected)."
        json.object("message") { $0.string("text", text) }
        json.number("occurrenceCount", finding.occurrences)
        json.object("properties") { json in
          json.string("confidence", finding.confidence.rawValue)
          Self.frames(finding.place, to: &json)
        }
      }
    }
    for one in findings.undecided {
      result(one.rule, kind: "open", level: "none", name, one.place) { json in
        let text = "The rule “\(one.rule.title)” could not be checked completely: \(one.reason)."
        json.object("message") { $0.string("text", text) }
        json.object("properties") { Self.frames(one.place, to: &$0) }
      }
    }
  }

  public mutating func write(
    _ name: String, unopened problem: String, to out: inout TextBuffer
  ) {
    hasFailed = true
    notify(name, problem, level: "error")
  }

  // MARK: Between processes

  public mutating func writePiece(to out: inout TextBuffer) {
    out.byte(UInt8(ascii: hasFailed ? "1" : "0"))
    out.byte(0x0A)
    out.append(problems.text.bytes)
    out.byte(0x0A)
    out.append(results.text.bytes)
    out.byte(0x0A)
  }

  public mutating func take(piece: [UInt8]) {
    // JSON has no line feed in it.
    let parts = piece.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return }
    if parts[0].elementsEqual("1".utf8) { hasFailed = true }
    if !parts[1].isEmpty {
      if hasProblems { problems.text.byte(UInt8(ascii: ",")) }
      hasProblems = true
      problems.text.append(Array(parts[1]))
    }
    if !parts[2].isEmpty {
      if !isEmpty { results.text.byte(UInt8(ascii: ",")) }
      isEmpty = false
      results.text.append(Array(parts[2]))
    }
  }

  private static func frames(_ place: Place, to json: inout JSONText) {
    json.array("frames") { json in for frame in place.frames { json.element(frame.number) } }
  }

  private mutating func result(
    _ rule: RuleDescription, kind: StaticString, level: StaticString, _ name: String,
    _ place: Place, _ body: (inout JSONText) -> Void
  ) {
    if !isEmpty { results.text.byte(UInt8(ascii: ",")) }
    isEmpty = false
    var json = JSONText()
    json.object { json in
      json.string("ruleId", rule.id)
      json.number("ruleIndex", rules.firstIndex { $0.id == rule.id })
      json.string("kind", kind)
      json.string("level", level)
      body(&json)
      json.array("locations") { json in
        json.object { json in
          json.object("physicalLocation") { json in
            json.object("artifactLocation") { $0.string("uri", Self.uri(place.log?.path ?? name)) }
            if let log = place.log {
              json.object("region") { $0.number("startLine", log.line) }
            }
          }
          json.array("logicalLocations") { json in
            for frame in place.frames {
              json.object { $0.string("name", "packet \(frame.number)") }
            }
            if !place.label.isEmpty { json.object { $0.string("name", place.label) } }
          }
        }
      }
    }
    results.text.append(json.text.bytes)
  }

  public mutating func finish(to out: inout TextBuffer) {
    var json = JSONText()
    let results = results.text.bytes
    json.object { json in
      json.string("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      json.string("version", "2.1.0")
      json.array("runs") { json in
        json.object { json in
          json.object("tool") { $0.object("driver") { driver(to: &$0) } }
          invocations(to: &json)
          json.string("columnKind", "unicodeCodePoints")
          json.array("results") { $0.text.append(results) }
        }
      }
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }

  /// A capture that cannot be read to its end limits what could be judged, and so does what is not in
  /// it. 3.20, 3.58.
  private func invocations(to json: inout JSONText) {
    guard hasProblems else { return }
    json.array("invocations") { json in
      json.object { json in
        json.flag("executionSuccessful", !hasFailed)
        json.array("toolExecutionNotifications") { $0.text.append(problems.text.bytes) }
      }
    }
  }

  /// - Parameter rule: The one that judged nothing of the capture.
  private mutating func notify(
    _ name: String, _ text: String, level: StaticString, rule: String? = nil
  ) {
    if hasProblems { problems.text.byte(UInt8(ascii: ",")) }
    hasProblems = true
    var json = JSONText()
    json.object { json in
      json.string("level", level)
      json.object("message") { $0.string("text", text) }
      if let rule {
        json.object("associatedRule") { json in
          json.string("id", rule)
          json.number("index", rules.firstIndex { $0.id == rule })
        }
      }
      json.array("locations") { json in
        json.object { json in
          json.object("physicalLocation") { json in
            json.object("artifactLocation") { $0.string("uri", Self.uri(name)) }
          }
        }
      }
    }
    problems.text.append(json.text.bytes)
  }

  private func driver(to json: inout JSONText) {
    json.string("name", "hark")
    json.string("semanticVersion", version)
    json.objects("rules", rules) { rule, json in
      json.string("id", rule.id)
      json.object("shortDescription") { $0.string("text", rule.title + ".") }
      json.object("fullDescription") { $0.string("text", rule.meaning) }
      json.object("help") { $0.string("text", "\(rule.fix) Source: \(rule.source).") }
      json.object("defaultConfiguration") { $0.string("level", rule.severity.level) }
    }
  }

  /// A path as a URI reference: what RFC 3986 does not allow in one is percent-encoded.
  static func uri(_ path: String) -> String {
    var text = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
      }
    }
    return text
  }
}

extension Finding.Severity {
  var level: StaticString {
    switch self {
    case .info: "note"
    case .warning: "warning"
    case .error: "error"
    }
  }
}
