import Foundation
import HarkCore
import HarkSamples
import Testing

@testable import HarkPresentation
@testable import HarkSession

@Suite struct TimelineJSONTests {
  static let document = Sample.folder.deletingLastPathComponent()
    .appending(path: "docs/timeline-json.md")

  private func objects(_ name: String) throws -> [[String: Any]] {
    var out = TextBuffer()
    try Sample.read(name, Sample.firstFile(name)) { event, session in
      TimelineJSON().write(event, session, to: &out)
    }
    return try out.string.split(separator: "\n").map { line in
      try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
  }

  @Test(arguments: Sample.all + Sample.headphones + Sample.vendors)
  func everyLineIsAnObject(_ name: String) throws {
    let objects = try objects(name)
    #expect(!objects.isEmpty)
    for object in objects {
      for member in ["time", "time_relative", "frames", "lane", "severity", "kind", "text"] {
        #expect(object[member] != nil, "\(member)")
      }
      #expect((object["text"] as? String)?.isEmpty == false)
    }
  }

  /// What is written is described, and under these names.
  @Test func membersAreDocumented() throws {
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    for name in Sample.all + Sample.headphones + Sample.vendors {
      for object in try objects(name) {
        let kind = object["kind"] as? String ?? ""
        #expect(text.contains("`\(kind)`"), "\(kind)")
        for member in object.keys { #expect(text.contains("`\(member)`"), "\(kind): \(member)") }
      }
    }
    for (content, _) in TimelineSentenceTests.table + TimelineSentenceTests.security
      + TimelineSentenceTests.data
    {
      var out = TextBuffer()
      TimelineJSON().write(TimelineSentenceTests.event(content), Session(), to: &out)
      let object = try JSONSerialization.jsonObject(with: Data(out.bytes)) as? [String: Any]
      let kind = object?["kind"] as? String ?? ""
      #expect(text.contains("`\(kind)`"), "\(kind)")
      for member in (object ?? [:]).keys { #expect(text.contains("`\(member)`"), "\(member)") }
    }
  }

  /// No private key and no session key is in any output, however it is written.
  @Test func secretsStayInside() throws {
    for name in Sample.all {
      let truth = try Sample.truth(name)
      let pairing = truth["pairing"] as? [String: Any] ?? [:]
      var secrets: [String] = []
      collect(pairing["keys"] ?? [:], &secrets)
      #expect(!secrets.isEmpty)
      var out = TextBuffer()
      let session = try Sample.read(name, Sample.firstFile(name)) { event, session in
        TimelineJSON().write(event, session, to: &out)
      }
      GATTReport().writeJSON(session, to: &out)
      let text = out.string.lowercased()
      for secret in secrets {
        #expect(!text.contains(secret))
        #expect(!text.contains(reversed(secret)))
      }
    }
  }

  private func collect(_ value: Any, _ secrets: inout [String]) {
    guard let object = value as? [String: Any] else { return }
    for (name, inner) in object {
      if name == "value", let text = inner as? String { secrets.append(text.lowercased()) }
      collect(inner, &secrets)
    }
  }

  private func reversed(_ hex: String) -> String {
    Hex.text((Hex.bytes(hex) ?? []).reversed())
  }
}
