import Foundation
import HarkFilter
import Testing

/// What events and messages say of packets, asked of packets: compared with what the timeline's JSON, findings
/// and the generators of the samples say.
@Suite struct PacketEventFilterTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let file: String
    var keys = true

    var testDescription: String { name }
    var path: String { ConvertTests.sample("\(name)/\(name).\(file)") }
    var options: [String] {
      keys ? ["--keys", ConvertTests.sample("\(name)/accessory.harkkeys")] : []
    }
  }

  static let samples = [
    Sample(name: "pebble-session", file: "btsnoop"), Sample(name: "lens-session", file: "btsnoop"),
    Sample(name: "helmet-session", file: "btsnoop"),
    Sample(name: "notifbridge-v1", file: "btsnoop", keys: false),
    Sample(name: "hands-free", file: "btsnoop", keys: false),
  ]

  static func hark(_ arguments: [String]) throws -> (text: String, said: [String], code: Int32) {
    try ConvertTests.run(GoldenTranscriptTests.program.path, arguments)
  }

  /// The numbers of the packets that match.
  static func numbers(_ filter: String, _ path: String, _ options: [String]) throws -> [Int] {
    let found = try hark(["packets", path, "-e", "frame.number", "-Y", filter] + options)
    #expect(found.code == 0, "\(found.said)")
    return found.text.split(separator: "\n").dropFirst().compactMap { Int($0) }
  }

  /// The events of the timeline, as JSON has them.
  static func events(_ path: String, _ options: [String]) throws -> [[String: Any]] {
    try hark(["timeline", path, "--format", "json"] + options).text.split(separator: "\n").map {
      try #require(
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// What the packets of some events must be, and what others may be.
  static func frames(_ events: [[String: Any]]) throws -> (ends: Set<Int>, all: Set<Int>, most: Int)
  {
    var (ends, all, most) = (Set<Int>(), Set<Int>(), 0)
    for event in events {
      let frames = try #require(event["frames"] as? [Int])
      let count = try #require(event["frame_count"] as? Int)
      guard count > 0 else { continue }
      ends.formUnion(frames)
      all.formUnion(count > 2 ? Set(frames[0]...frames[1]) : Set(frames))
      most += count
    }
    return (ends, all, most)
  }

  @Test(arguments: samples) func lanes(_ sample: Sample) throws {
    let events = try Self.events(sample.path, sample.options)
    let lanes = Set(events.compactMap { $0["lane"] as? String })
    #expect(lanes.count > 4)
    for lane in lanes {
      let (ends, all, most) = try Self.frames(events.filter { $0["lane"] as? String == lane })
      guard !ends.isEmpty else { continue }
      let found = Set(try Self.numbers("lane == \(lane)", sample.path, sample.options))
      #expect(found.isSuperset(of: ends), "\(lane): \(ends.subtracting(found).sorted())")
      #expect(found.isSubset(of: all), "\(lane): \(found.subtracting(all).sorted())")
      #expect(found.count <= most, "\(lane)")
    }
  }

  /// The fragments of each message of truth.json: nine events, the first of 2 and one of 3 packets.
  @Test func allFragmentsOfMessages() throws {
    let sample = Self.samples[0]
    let found = try Self.numbers("lane == notification", sample.path, sample.options)
    #expect(found == [154, 155, 160, 163, 164, 165, 170, 171, 175, 178, 181, 185, 188])
    let one = try Self.numbers("text contains \"Design review\"", sample.path, sample.options)
    #expect(one == [163, 164, 165])
    let both = try Self.numbers(
      "lane == notification and att.opcode == 0x12 and text contains \"Nordpost\"", sample.path,
      sample.options)
    #expect(Set(both).isSubset(of: [170, 171, 178]) && !both.isEmpty)
  }

  @Test(arguments: samples) func severities(_ sample: Sample) throws {
    let events = try Self.events(sample.path, sample.options)
    let (ends, _, _) = try Self.frames(
      events.filter { ["warning", "error"].contains($0["severity"] as? String) })
    let found = Set(
      try Self.numbers("severity >= warning or number == 1", sample.path, sample.options))
    #expect(found.isSuperset(of: ends), "\(ends.subtracting(found).sorted())")
  }

  /// `hark findings` names the packets that are evidence.
  @Test(arguments: [
    Sample(name: "pebble-faults", file: "btsnoop"),
    Sample(name: "pebble-wrong-derivation", file: "btsnoop"),
  ])
  func rules(_ sample: Sample) throws {
    let text = try Self.hark(["findings", sample.path, "--format", "json"] + sample.options).text
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let findings = try #require(report["findings"] as? [[String: Any]])
    #expect(!findings.isEmpty)
    for (rule, ofRule) in Dictionary(grouping: findings, by: { $0["rule"] as? String ?? "" }) {
      let evidence = Set(ofRule.flatMap { $0["frames"] as? [Int] ?? [] })
      guard !evidence.isEmpty else { continue }
      let found = try Self.numbers("rule == \"\(rule)\"", sample.path, sample.options)
      #expect(Set(found).isSuperset(of: evidence), "\(rule): \(found), \(evidence.sorted())")
      let last = Set(ofRule.compactMap { $0["last_frame"] as? Int })
      #expect(Set(found).isSubset(of: evidence.union(last)), "\(rule): \(found)")
      let rows = try Self.hark(
        ["timeline", sample.path, "-Y", "rule == \"\(rule)\"", "--format", "json"] + sample.options)
      let told = rows.text.split(separator: "\n").count
      #expect(told == ofRule.count, "\(rule)")
    }
  }

  @Test func unknownRules() throws {
    let found = try Self.hark(
      ["packets", Self.samples[0].path, "-Y", "rule == \"keys.nonce-reus\""])
    #expect(found.code == 64)
    #expect(found.said.joined().contains("keys.nonce-reuse"))
  }

  // MARK: Messages

  /// The titles of the notifications that the generator sealed, in the order of truth.json.
  private static func titles(_ name: String) throws -> [String] {
    let data = try ConvertTests.bytes(ConvertTests.sample("\(name)/truth.json"))
    let truth = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let events = try #require(truth["events"] as? [[String: Any]])
    return events.compactMap { event in
      let decoded = event["decoded"] as? [String: Any]
      let inner = decoded?["notification"] as? [String: Any]
      return (decoded?["title"] ?? inner?["title"]) as? String
    }
  }

  @Test(arguments: [
    ("pebble-session", "pebble.title_title"), ("lens-session", "lens.note_title"),
    ("helmet-session", "helmet.posted_title"), ("notifbridge-v1", "notifbridge.notification_title"),
    ("notifbridge-v0", "notifbridge.notification_title"),
  ])
  func titlesOfPlaintexts(_ name: String, _ field: String) throws {
    let sample = Sample(name: name, file: "btsnoop", keys: !name.hasPrefix("notif"))
    let titles = try Self.titles(name)
    #expect(titles.count > 1)
    let rows = try Self.hark(
      ["packets", sample.path, "-Y", field, "-e", "frame.number", "-e", field] + sample.options)
    let found = rows.text.split(separator: "\n").dropFirst()
      .map { String($0.split(separator: "\t", maxSplits: 1).last ?? "") }
    // Of helmets, changed notifications have another field.
    let isAll = name != "helmet-session"
    #expect(
      isAll ? Set(found) == Set(titles) : Set(found).isSubset(of: titles), "\(found), \(titles)")
    #expect(!found.isEmpty)
    // Each alone, by packets and by events.
    for title in Set(found) where !title.contains("\"") {
      let filter = "\(field) == \"\(title)\""
      let numbers = try Self.numbers(filter, sample.path, sample.options)
      #expect(numbers.count == found.count { $0 == title }, "\(title)")
      let events = try Self.hark(
        ["timeline", sample.path, "--format", "json", "-Y", filter] + sample.options)
      #expect(events.text.contains(title), "\(filter)")
      #expect(events.code == 0)
    }
  }

  /// Keys open what is sealed: without them nothing of it is there.
  @Test func withoutKeysNothingIsOpen() throws {
    let found = try Self.hark(
      ["packets", Self.samples[0].path, "-Y", "pebble.title_title", "-e", "frame.number"])
    #expect(found.text == "frame.number\n")
    let sealed = try Self.numbers("pebble.sealed_session_id", Self.samples[0].path, [])
    #expect(sealed.count > 5)
  }

  @Test func comments() throws {
    let folder = try ConvertTests.Folder()
    let sample = Self.samples[0]
    let file = folder.path("a.pcapng")
    #expect(try Self.hark(["convert", sample.path, file] + sample.options).code == 0)
    let bytes = try ConvertTests.bytes(file)
    #expect(bytes.range(of: Data("pebble.title_title: \"Parcel 3 stops away\"".utf8)) != nil)
    #expect(try Self.hark(["convert", sample.path, file]).code == 0)
    #expect(try ConvertTests.bytes(file).range(of: Data("pebble.title_title".utf8)) == nil)
  }

  /// What matches is written, the same that is shown.
  @Test(arguments: [
    "lane == notification", "pebble.title_title", "severity >= warning or lane == keys",
  ])
  func converted(_ filter: String) throws {
    let folder = try ConvertTests.Folder()
    let sample = Self.samples[0]
    let file = folder.path("a.btsnoop")
    let run = try Self.hark(["convert", sample.path, file, "-Y", filter] + sample.options)
    #expect(run.code == 0, "\(run.said)")
    let count = try Self.numbers(filter, sample.path, sample.options).count
    #expect(run.said.contains { $0.hasSuffix(": \(count) of 193 records written") }, "\(run.said)")
  }

  @Test(arguments: ["lane == notification", "text contains \"a\"", "severity == error", "rule"])
  func recordRefuses(_ filter: String) throws {
    let found = try Self.hark(["record", "-w", "/nowhere/a.btsnoop", "-Y", filter, "-"])
    #expect(found.code == 64)
    #expect(found.said.joined().contains("known only after a packet has come"), "\(found.said)")
  }
}
