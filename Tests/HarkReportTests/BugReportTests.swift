import Crypto
import Foundation
import HarkCapture
import HarkCore
import HarkFindings
import HarkProfile
import HarkSamples
import HarkSession
import Testing

@testable import HarkCrypto
@testable import HarkPresentation
@testable import HarkReport

@Suite struct BugReportTests {
  /// All forms of the report on a sample, with every packet in it.
  /// - Parameter file: Of the sample's folder; nil for the first that its truth file names.
  private static func make(_ name: String, file: String? = nil, title: String? = nil) throws -> (
    ReportedCapture, [(String, TextBuffer)], KeyRing
  ) {
    let capture = try Capture(path: Sample.path(name, try file ?? Sample.firstFile(name)))
    var session = Session(keys: try Sample.keys(name), framings: .known)
    session.keepsFields = true
    var gathering = CaptureGathering()
    var frames = AllFrameEvents()
    let end = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      gathering.take(session)
      frames.take(session, bytes)
      session.dropEvents()
      return true
    }
    session.finish()
    gathering.take(session)
    frames.take(session, RawSpan())
    var reported = gathering.finish(name, hash: "00ff", capture.info, end, session)
    for events in frames.all {
      guard let frame = FrameView(events, session) else { continue }
      var text = TextBuffer()
      FrameText().write(frame, session, to: &text)
      reported.excerpts.append(ReportedCapture.Excerpt(events.packet, text: text.string))
    }
    let report = BugReport(title: title, version: "1", [reported])
    var (html, markdown, json) = (TextBuffer(), TextBuffer(), TextBuffer())
    var (page, issue) = (BugReportHTML(), BugReportMarkdown())
    page.write(report, to: &html)
    issue.write(report, to: &markdown)
    BugReportJSON().write(report, to: &json)
    return (reported, [("html", html), ("md", markdown), ("json", json)], session.keys)
  }

  /// The page runs and shows nothing but what is in it: its policy names both elements by their hashes,
  /// and no attribute needs another. CSP Level 3, 6.7.3.3; HTML Living Standard, 4.2.6, 4.12.1.
  @Test func thePolicyNamesWhatIsThere() throws {
    let html = try #require(Self.make("pebble-faults").1.first { $0.0 == "html" }).1.string
    let policy = try #require(
      html.firstMatch(of: /http-equiv="Content-Security-Policy" content="([^"]*)"/)
    ).1
    var directives: [String: String] = [:]
    for directive in policy.split(separator: ";") {
      let words = directive.split(separator: " ")
      directives[String(words[0])] = words.dropFirst().joined(separator: " ")
    }
    #expect(directives["default-src"] == "'none'")
    for (element, directive) in [("style", "style-src"), ("script", "script-src")] {
      let parts = html.components(separatedBy: "<\(element)>")
      try #require(parts.count == 2, "one element, without attributes")
      let content = try #require(parts[1].components(separatedBy: "</\(element)>").first)
      let digest = Data(SHA256.hash(data: Data(content.utf8))).base64EncodedString()
      #expect(directives[directive] == "'sha256-\(digest)'")
    }
    #expect(!html.contains(/<[^>]* (?:style|on[a-z]+)=/))
    // The marks have their places.
    #expect(html.contains(/<a href="#t0-[0-9]+" class="p[0-9]+/))
    #expect(html.contains(".overview .p100 { left: 50"))
  }

  @Test(arguments: Sample.all + Sample.headphones + Sample.vendors)
  func noReportHoldsAKey(_ name: String) throws {
    let (_, texts, keys) = try Self.make(name)
    var finder = try KeyFinder(name, keys.secrets)
    for (form, text) in texts {
      if let found = finder.find(text) { Issue.record("\(form): \(found)") }
    }
  }

  /// What the samples were made to show, by their truth files.
  @Test(arguments: [
    ("pebble-wrong-derivation", "keys.wrong-derivation"),
    ("notifbridge-v0", "keys.private-key-exposed"),
  ])
  func findings(_ name: String, _ rule: String) throws {
    let (reported, texts, _) = try Self.make(name)
    let finding = try #require(reported.findings.first { $0.rule.id == rule })
    let frame = try #require(finding.place.frames.last)
    #expect(reported.evidence.contains(frame))
    for (form, text) in texts {
      #expect(text.string.contains(rule), "\(form)")
      #expect(
        text.string.contains(BugReportText.time(finding.place.time)) || form == "json", "\(form)")
    }
  }

  /// Whatever devices and users call themselves, a page runs nothing of it.
  @Test func hostileText() throws {
    let hostile = "</title><script>alert(1)</script>\"'&\u{1B}[2J"
    let (_, texts, _) = try Self.make("pebble-session", title: hostile)
    let html = texts[0].1.string
    #expect(!html.contains("<script>alert"))
    #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;'&amp;"))
    #expect(!html.utf8.contains(0x1B))
    #expect(html.components(separatedBy: "<script>").count == 2)
    #expect(!texts[1].1.string.contains("<script>"))
  }

  /// The page needs nothing from anywhere.
  @Test func isOneFile() throws {
    let (_, texts, _) = try Self.make("pebble-session")
    let html = texts[0].1.string
    for outside in ["src=", "href=\"http", "url(", "@import", "<link"] {
      #expect(!html.contains(outside), "\(outside)")
    }
  }

  /// Each event of the timeline is in the page, as `hark timeline` writes it.
  @Test(arguments: ["pebble-session", "aria-faults", "iap2-rejected"])
  func timeline(_ name: String) throws {
    let (reported, texts, _) = try Self.make(name)
    let capture = try Capture(path: Sample.path(name, Sample.firstFile(name)))
    var session = Session(keys: try Sample.keys(name), framings: .known)
    var timeline = Timeline()
    var text = TextBuffer()
    _ = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      for event in session.events { timeline.write(event, session, to: &text) }
      session.dropEvents()
      return true
    }
    session.finish()
    for event in session.events { timeline.write(event, session, to: &text) }
    timeline.flush(to: &text)
    let expected = text.string.split(separator: "\n").filter { $0.contains("#") }
    #expect(reported.lines.count == expected.count)
    #expect(texts[0].1.string.components(separatedBy: "<tr data-lane=").count == expected.count + 1)
    for (line, written) in zip(reported.lines, expected) {
      #expect(written.contains(Timeline.printable(line.text)))
    }
  }

  /// A fence inside a block does not end it.
  @Test func markdownFences() throws {
    let (reported, _, _) = try Self.make("pebble-wrong-derivation")
    var capture = reported
    capture.excerpts = [ReportedCapture.Excerpt(PacketID(1), text: "a\n````\n</details>")]
    var (markdown, text) = (BugReportMarkdown(), TextBuffer())
    markdown.write(BugReport(title: "a|b", version: "1", [capture]), to: &text)
    #expect(text.string.contains("\n`````\na\n````\n</details>\n`````\n"))
    #expect(text.string.hasPrefix("# a\\|b\n"))
  }

  /// Each answer is in one part of the picture.
  @Test func latency() throws {
    let (reported, _, _) = try Self.make("pebble-session")
    #expect(reported.traffic.answers.reduce(0, +) == reported.traffic.answered)
    #expect(reported.traffic.answered > 0)
    #expect(reported.traffic.median <= reported.traffic.longest)
    let truth = try Sample.truth("pebble-session")
    #expect(reported.packets == truth["packets"] as? Int)
  }

  /// An issue of GitHub holds 65,536 characters, and has the headings that BlueZ's template asks for.
  /// Notes of the page: beside the event that they are on, in every form, with the packets they name.
  @Test func notes() throws {
    var capture = try Self.make("iap2-rejected", file: "iap2-rejected-monitor.btsnoop").0
    let line = try #require(capture.lines.last)
    let (first, last) = (line.frames.first.number, line.frames.last.number)
    let file = """
      {"capture": "x.btsnoop", "notes": [
        {"packets": [\(first), \(last)], "text": "here <it> *stops*"}, {"packets": [1, 1], "text": ""}]}
      """
    capture.notes = try CaptureNotes(Array(file.utf8)).notes
    #expect(capture.notes.map(\.first.number) == [1, first])
    #expect(capture.evidence.contains(PacketID(1)))
    let report = BugReport(title: nil, version: "1", [capture])
    var (html, text) = (BugReportHTML(), TextBuffer())
    html.write(report, to: &text)
    #expect(text.string.contains("<h2>Notes</h2>"))
    #expect(text.string.contains("<h3>here &lt;it&gt; *stops*</h3>"))
    var (markdown, plain) = (BugReportMarkdown(), TextBuffer())
    markdown.write(report, to: &plain)
    #expect(plain.string.contains("* #1") && plain.string.contains("\\*stops\\*"))
    var json = TextBuffer()
    BugReportJSON().write(report, to: &json)
    #expect(json.string.contains(#""notes":[{"packets":[1,1],"text":"""#))
    #expect(capture.remarks.last?.event?.hasSuffix(line.text) == true)
  }

  @Test(arguments: [
    "", "[]", #"{"notes": 3}"#, #"{"notes": [{"packets": [2, 1]}]}"#,
    #"{"notes": [{"packets": [0, 1]}]}"#, #"{"notes": [{"packets": [1]}]}"#,
    #"{"notes": [{"packets": [1, 99999999999]}]}"#,
  ]) func brokenNotes(_ text: String) {
    #expect(throws: CaptureNotes.Failure.self) { try CaptureNotes(Array(text.utf8)) }
  }

  @Test func issue() throws {
    let (reported, _, _) = try Self.make(
      "iap2-rejected", file: "iap2-rejected-monitor.btsnoop")
    var capture = reported
    capture.excerpts = (1...20).map {
      ReportedCapture.Excerpt(PacketID($0), text: String(repeating: "0123456789\n", count: 1_000))
    }
    var (markdown, text) = (BugReportMarkdown(), TextBuffer())
    markdown.write(BugReport(title: nil, version: "1", [capture, capture]), to: &text)
    #expect(text.count < 65_536)
    let lines = text.string.split(separator: "\n", omittingEmptySubsequences: false)
    let headings = lines.filter { $0.hasPrefix("### ") }.map { $0.dropFirst(4) }
    #expect(
      headings.filter { !$0.contains(":") } == [
        "To reproduce", "btmon trace", "Versions",
      ])
    #expect(headings.first?.hasPrefix("Description") == true)
    #expect(lines.contains("* Kernel version: 6.12.0 (x86\\_64)"))
    // Each block that is begun is ended.
    #expect(
      text.string.components(separatedBy: "<details>").count
        == text.string.components(separatedBy: "</details>").count)
  }

  /// Whatever is in a capture, an issue holds the report, and none of the findings is forgotten.
  @Test func crowd() throws {
    let (reported, _, _) = try Self.make("pebble-faults")
    var capture = reported
    capture.crowd(devices: 4_000, omitted: 3_900)
    var (markdown, html, json) = (TextBuffer(), TextBuffer(), TextBuffer())
    var (issue, page) = (BugReportMarkdown(), BugReportHTML())
    let report = BugReport(title: nil, version: "1", [capture])
    issue.write(report, to: &markdown)
    page.write(report, to: &html)
    BugReportJSON().write(report, to: &json)
    #expect(markdown.count < 65_536)
    #expect(markdown.string.contains("more devices and sessions: see the HTML report"))
    for text in [markdown, html] {
      #expect(
        text.string.contains("2 errors, 1 note and 3900 more findings of the same rules"))
    }
    #expect(json.string.contains("\"findings_omitted\":3900"))
  }

  /// Every mark above the timeline leads to a line of its lane.
  @Test(arguments: ["pebble-faults", "aria-faults"]) func overview(_ name: String) throws {
    let (reported, texts, _) = try Self.make(name)
    let html = texts[0].1.string
    let overview = TimelineOverview(reported.lines)
    #expect(Set(overview.lanes.map(\.lane)) == Set(reported.lines.map(\.lane)))
    var counted = 0
    for (lane, marks) in overview.lanes {
      for mark in marks {
        counted += mark.count
        #expect(reported.lines[mark.line].lane == lane)
        #expect((0...TimelineOverview.parts).contains(mark.part))
        #expect(html.contains("href=\"#t0-\(mark.line)\""))
        #expect(html.contains(" id=\"t0-\(mark.line)\""))
      }
    }
    #expect(counted == reported.lines.count)
  }

  /// Texts of a diagram are in both widths, in lines that fit.
  @Test func diagrams() throws {
    let (reported, texts, _) = try Self.make("pebble-faults")
    let html = texts[0].1.string
    let shown = reported.diagrams.filter { !$0.steps.isEmpty }
    #expect(!shown.isEmpty)
    for kind in ["wide", "narrow"] {
      #expect(html.components(separatedBy: "<svg class=\"\(kind)\"").count == shown.count + 1)
    }
    let lines = html.components(separatedBy: "<text class=\"text\"").dropFirst().map {
      $0.components(separatedBy: "</text>")[0].components(separatedBy: ">").dropFirst().joined()
    }
    #expect(lines.allSatisfy { !$0.isEmpty && $0.count <= 110 })
  }
}

extension ReportedCapture {
  fileprivate mutating func crowd(devices count: Int, omitted: Int) {
    devices = (0..<count).map { number in
      Device(
        name: "Device \(number)", addresses: ["C0:DE:00:00:00:01"], services: 0, characteristics: 0,
        links: ["0x0001 LE to Device \(number)"])
    }
    findingsOmitted = omitted
  }
}

extension KeyRing {
  fileprivate var secrets: [[UInt8]] {
    accessoryKeys.map { unsafe $0.secret.withBytes { unsafe Array($0) } }
  }
}
