import Foundation
import FoundationXML
import HarkFindings
import HarkTestSupport
import Testing

/// What other programs read of findings.
@Suite struct FindingsFormatTests {
  static let path = "captures/pebble-faults/pebble-faults.btsnoop"
  static let keys = "captures/pebble-faults/accessory.harkkeys"

  private func run(_ arguments: [String]) throws -> (text: String, code: String) {
    let output = try HarkProgram.transcript(["findings"] + arguments)
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    let end = try #require(lines.lastIndex { $0.hasPrefix("? ") })
    return (lines[..<end].joined(separator: "\n"), String(lines[end]))
  }

  /// Without what is said on standard error.
  private func written(_ arguments: [String]) throws -> String {
    try run(arguments).text.split(separator: "\n").filter { !$0.hasPrefix("! ") }
      .joined(separator: "\n")
  }

  private func object(_ arguments: [String]) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(written(arguments).utf8))
    return try #require(value as? [String: Any])
  }

  /// SARIF 2.1.0, 3.13, 3.14, 3.19, 3.27: what every log must have, and indices that lead somewhere.
  @Test func sarif() throws {
    let log = try object([Self.path, "-k", Self.keys, "-f", "sarif"])
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    #expect(driver["name"] as? String == "hark")
    let rules = try #require(driver["rules"] as? [[String: Any]])
    #expect(rules.count == Rules.all.count)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(
      results.filter { $0["kind"] as? String == "fail" }.compactMap { $0["ruleId"] as? String }
        == ["keys.nonce-reuse", "keys.cannot-decrypt", "keys.repeated-message"])
    // The second message that no key decrypts (#169) has another sentence.
    let texts = results.compactMap { ($0["message"] as? [String: Any])?["text"] as? String }
    #expect(
      texts.contains {
        $0.contains(
          " (and 1 similar case, the last in #169). Expected: a message that a key of the exchange decrypts."
        )
      })
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
      let text = (result["message"] as? [String: Any])?["text"] as? String
      #expect(text?.isEmpty == false)
      // 3.27.10: the level is none where the kind is not fail.
      #expect((result["level"] as? String == "none") == (result["kind"] as? String != "fail"))
      let location = try #require((result["locations"] as? [[String: Any]])?.first)
      let place = try #require(location["physicalLocation"] as? [String: Any])
      #expect((place["artifactLocation"] as? [String: Any])?["uri"] as? String == Self.path)
    }
  }

  /// Where a log shows it, the place is its line: 3.29.4, 3.30.5. Lines of the sample, counted by eye.
  @Test func log() throws {
    let arguments = [
      "captures/pebble-session/pebble-session.pklg", "-k",
      "captures/pebble-session/accessory.harkkeys", "--app-log",
      "captures/app-side/pebble-log.ndjson",
    ]
    let sarif = try object(arguments + ["-f", "sarif"])
    let run = try #require((sarif["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    let entitlement = try #require(
      results.first { $0["ruleId"] as? String == "app.entitlement-missing" })
    let location = try #require((entitlement["locations"] as? [[String: Any]])?.first)
    let place = try #require(location["physicalLocation"] as? [String: Any])
    #expect(
      (place["artifactLocation"] as? [String: Any])?["uri"] as? String
        == "captures/app-side/pebble-log.ndjson")
    #expect((place["region"] as? [String: Any])?["startLine"] as? Int == 12)
    let findings = try #require(
      try object(arguments + ["-f", "json"])["findings"] as? [[String: Any]])
    let reported = try #require(
      findings.first { $0["rule"] as? String == "app.entitlement-missing" })
    for member in ["log", "last_log"] {
      let log = try #require(reported[member] as? [String: Any])
      #expect(log["file"] as? String == "pebble-log.ndjson" && log["line"] as? Int == 12)
    }
  }

  /// What had nothing to check is a note that names its rule, and no result. 3.58.3.
  @Test func sarifNotJudged() throws {
    let log = try object([Self.path, "-k", Self.keys, "-f", "sarif"])
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    let rules = try #require(driver["rules"] as? [[String: Any]])
    let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
    #expect(invocation["executionSuccessful"] as? Bool == true)
    let notes = try #require(invocation["toolExecutionNotifications"] as? [[String: Any]])
    var ids: [String] = []
    for note in notes {
      #expect(note["level"] as? String == "note")
      let rule = try #require(note["associatedRule"] as? [String: Any])
      let index = try #require(rule["index"] as? Int)
      #expect(rules[index]["id"] as? String == rule["id"] as? String)
      ids.append(try #require(rule["id"] as? String))
    }
    #expect(ids.contains("ea.no-data") && !ids.contains("keys.nonce-reuse"))
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(Set(results.compactMap { $0["ruleId"] as? String }).isDisjoint(with: ids))
  }

  private final class Counter: NSObject, XMLParserDelegate {
    var counts: [String: Int] = [:]
    var failing: [String] = []
    var skipped: [String: String] = [:]
    var properties: [String: String] = [:]
    private var test = ""

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String] = [:]
    ) {
      counts[name, default: 0] += 1
      if name == "testcase" { test = attributes["name"] ?? "" }
      if name == "failure" { failing.append(test) }
      if name == "skipped" { skipped[test] = attributes["message"] }
      if name == "property" { properties[attributes["name"] ?? ""] = attributes["value"] }
    }
  }

  @Test func junit() throws {
    let text = try run([Self.path, "-k", Self.keys, "-f", "junit"]).text
    let counter = Counter()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = counter
    #expect(parser.parse())
    #expect(counter.counts["testsuite"] == 1)
    #expect(counter.counts["testcase"] == Rules.all.count)
    #expect(counter.failing == ["keys.cannot-decrypt", "keys.nonce-reuse"])
    #expect(counter.skipped["ea.no-data"] == "the capture has no iAP2 traffic")
    #expect(
      text.contains(
        " (and 1 similar case, the last in #169); expected: a message that a key of the exchange"))
    // What was judged, or found below the threshold, is not skipped.
    for id in ["keys.nonce-reuse", "keys.repeated-message", "link.supervision-timeout"] {
      #expect(counter.skipped[id] == nil)
    }
    #expect(text.contains("skipped=\"\(counter.skipped.count)\""))
  }

  /// A capture that is cut short is reported in every format: who reads the findings is to know.
  @Test func truncated() throws {
    let folder = try TestFolder()
    let file = folder.path("cut.btsnoop")
    let bytes = try Project.bytes(
      Project.root.appendingPathComponent(Self.path).path)
    try bytes.prefix(bytes.count - 3).write(to: URL(fileURLWithPath: file))
    let pair = [file, "-k", Self.keys]
    let text = try run(pair)
    #expect(text.code == "? 2")
    let problem = try #require(
      text.text.split(separator: "\n").first { $0.hasPrefix("truncated: record ") })
    #expect(problem.hasSuffix(" records before it"))
    let report = try object(pair + ["-f", "json"])
    #expect(report["status"] as? String == "truncated")
    #expect((report["damages"] as? [Any])?.count == 1)
    let log = try object(pair + ["-f", "sarif"])
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
    #expect(invocation["executionSuccessful"] as? Bool == true)
    let notes = try #require(invocation["toolExecutionNotifications"] as? [[String: Any]])
    #expect(
      notes.filter { $0["associatedRule"] == nil }
        .map { ($0["message"] as? [String: Any])?["text"] as? String } == [String(problem)])
    let counter = Counter()
    let parser = XMLParser(data: Data(try written(pair + ["-f", "junit"]).utf8))
    parser.delegate = counter
    #expect(parser.parse())
    #expect(counter.properties == ["capture": String(problem)])
    #expect(counter.counts["system-err"] == 1)
    // What was found goes before how the capture ended.
    #expect(try self.run(pair + ["--fail-on", "error"]).code == "? 3")
  }

  /// A capture that cannot be opened is named beside the others.
  @Test func unopened() throws {
    let pair = [Self.path, "no-such-file", "-k", Self.keys]
    let log = try object(pair + ["-f", "sarif"])
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    #expect((run["results"] as? [Any])?.isEmpty == false)
    let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
    #expect(invocation["executionSuccessful"] as? Bool == false)
    let notes = try #require(invocation["toolExecutionNotifications"] as? [[String: Any]])
    let note = try #require(notes.last)
    #expect(note["level"] as? String == "error")
    #expect(
      ((note["message"] as? [String: Any])?["text"] as? String)?.contains("no-such-file") == true)
    let counter = Counter()
    let parser = XMLParser(data: Data(try written(pair + ["-f", "junit"]).utf8))
    parser.delegate = counter
    #expect(parser.parse())
    #expect(counter.counts["testsuite"] == 2 && counter.counts["error"] == 1)
    let lines = try written(pair + ["-f", "json"]).split(separator: "\n")
    // A summary follows.
    #expect(lines.count == 3)
    let last = try JSONSerialization.jsonObject(with: Data(lines[1].utf8))
    #expect((last as? [String: Any])?["name"] as? String == "no-such-file")
    #expect((last as? [String: Any])?["status"] as? String == "unopened")
    for form in ["sarif", "junit", "json", "text"] {
      #expect(try self.run(pair + ["-f", form, "--fail-on", "error"]).code == "? 1")
    }
  }

  @Test func exitCodes() throws {
    let pair = [Self.path, "-k", Self.keys]
    #expect(try run(pair).code == "? 0")
    #expect(try run(pair + ["--fail-on", "error"]).code == "? 3")
    #expect(try run(pair + ["--fail-on", "error", "--skip", "keys.*"]).code == "? 0")
    #expect(
      try run(pair + ["--rule", "keys.repeated-message", "--fail-on", "warning"]).code == "? 0")
    #expect(try run(pair + ["--rule", "keys.repeated-message", "--fail-on", "info"]).code == "? 3")
    #expect(try run([Self.path, "no-such-file", "--fail-on", "info"]).code == "? 1")
    #expect(try run(["--rule", "keys.nonce-reus", Self.path]).code == "? 64")
    #expect(try run([]).code == "? 64")
    for form in ["sarif", "junit"] {
      let refused = try run(["--list", "-f", form])
      #expect(refused.code == "? 64")
      #expect(refused.text.contains("--list and --explain write text or json, not \(form)"))
    }
  }

  @Test func json() throws {
    let report = try object([Self.path, "-k", Self.keys, "-f", "json"])
    let findings = try #require(report["findings"] as? [[String: Any]])
    let reuse = try #require(findings.first { $0["rule"] as? String == "keys.nonce-reuse" })
    // By truth.json the message of packet 160 has the IV of packet 154.
    #expect(reuse["frames"] as? [Int] == [154, 160])
    #expect(report["framings"] as? [String] == ["Pebble"])
    let notJudged = try #require(report["not_judged"] as? [[String: Any]])
    #expect((report["counts"] as? [String: Int])?["not_judged"] == notJudged.count)
    let gap = try #require(notJudged.first { $0["rule"] as? String == "audio.media-gap" })
    #expect(gap["reason"] as? String == "the capture has no A2DP streams")
    #expect(gap["hidden"] as? Bool == false)
  }

  /// The timeline tells them when they are known, in its own lane; who asks for it by name needs no
  /// other option.
  @Test(arguments: [
    ["--lane", "finding"], ["-Y", "lane == finding"], ["-Y", "lane in {finding, gap}"],
    ["-Y", "lane == finding and device", "--findings"],
  ])
  func timeline(_ options: [String]) throws {
    let output = try HarkProgram.transcript(
      ["timeline", Self.path, "-k", Self.keys, "-f", "json"] + options)
    let rules = try output.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
      (try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["rule"] as? String
    }
    #expect(rules == ["keys.repeated-message", "keys.nonce-reuse", "keys.cannot-decrypt"])
  }
}
