import Foundation
import HarkSamples
import HarkTestSupport
import Testing

/// docs/tutorial.md does what it says: its ```yaml blocks are written to the files that their first
/// lines name, its ```console blocks are commands and lines of their output, in order; `…` stands for
/// lines left out.
@Suite struct TutorialTests {
  enum Block {
    case file(String, text: String, isAtEnd: Bool)
    case command([String], lines: [String])
  }

  static func blocks() throws -> [Block] {
    let file = Project.root.appendingPathComponent("docs/tutorial.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    return try text.components(separatedBy: "\n```").enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }
      .map { _, block in
        var lines = block.components(separatedBy: "\n")
        let kind = lines.removeFirst()
        let head = try #require(lines.first).components(separatedBy: " ")
        lines.removeFirst()
        if kind == "console" {
          try #require(head.prefix(2) == ["$", "hark"])
          return .command(Array(head.dropFirst(2)), lines: lines)
        }
        try #require(kind == "yaml" && head.first == "#" && head.count > 1)
        let name = head[1].trimmingCharacters(in: [","])
        return .file(name, text: lines.joined(separator: "\n") + "\n", isAtEnd: head.count > 2)
      }
  }

  @Test func stepsAreReal() throws {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try files.createDirectory(
      at: folder.appendingPathComponent("clip"), withIntermediateDirectories: true)
    defer { try? files.removeItem(at: folder) }
    try files.createSymbolicLink(
      at: folder.appendingPathComponent("captures"),
      withDestinationURL: Project.root.appendingPathComponent("captures"))
    var written: [String: String] = [:]
    var commands = 0
    for block in try Self.blocks() {
      switch block {
      case .file(let name, let text, let isAtEnd):
        written[name] = (isAtEnd ? written[name] ?? "" : "") + text
        try written[name]?.write(
          to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
      case .command(let words, let lines):
        let output = try HarkProgram.transcript(words, in: folder)
        #expect(output.hasSuffix("? 0\n"), "\(words)")
        expectLines(lines, in: output)
        commands += 1
      }
    }
    #expect(commands >= 8)
    let lines = written.values.reduce(0) { $0 + $1.count { $0 == "\n" } }
    #expect(lines < 100, "\(lines) lines of YAML")
    // What hark makes of the capture with the profile is what was sent.
    let truth = try #require(Sample.truth("tutorial")["events"] as? [[String: Any]])
    let reported = try HarkProgram.transcript(
      [
        "timeline", "captures/tutorial/tutorial.btsnoop", "--dissectors", "clip", "--keys",
        "captures/tutorial/accessory.harkkeys", "--format", "json",
      ], in: folder)
    let objects = try reported.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(
      objects.compactMap { $0["plaintext"] as? String }
        == truth.compactMap { $0["plaintext"] as? String })
    let texts = objects.compactMap { $0["text"] as? String }.joined(separator: "\n")
    for event in truth {
      guard let decoded = event["decoded"] as? [String: Any] else { continue }
      for member in ["title", "body", "text", "source", "identifier", "notificationIdentifier"] {
        if let text = decoded[member] as? String { #expect(texts.contains(text), "\(text)") }
      }
    }
  }
}

/// That lines are in an output, in order and without gaps but where `…` stands.
func expectLines(
  _ lines: [String], in output: String, _ location: SourceLocation = #_sourceLocation
) {
  var rest = output.components(separatedBy: "\n")[...]
  var maySkip = false
  for line in lines {
    if line == "…" {
      maySkip = true
      continue
    }
    guard let found = rest.firstIndex(of: line) else {
      Issue.record("not in the output: \(line)", sourceLocation: location)
      return
    }
    #expect(
      maySkip || found == rest.startIndex, "lines are left out before: \(line)",
      sourceLocation: location)
    rest = rest[(found + 1)...]
    maySkip = false
  }
}
