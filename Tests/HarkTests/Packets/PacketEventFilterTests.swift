import Foundation
import HarkFilter
import HarkTestSupport
import Testing

/// What events and messages say about packets, asked of packets: compared with what the timeline's JSON, findings
/// and the generators of the samples say.
@Suite struct PacketEventFilterTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let file: String
    var keys = true

    var testDescription: String { name }
    var path: String { Project.capture("\(name)/\(name).\(file)") }
    var options: [String] {
      keys ? ["--keys", Project.capture("\(name)/accessory.harkkeys")] : []
    }
  }

  static let samples = [
    Sample(name: "pebble-session", file: "btsnoop"), Sample(name: "lens-session", file: "btsnoop"),
    Sample(name: "helmet-session", file: "btsnoop"),
    Sample(name: "notifbridge-v1", file: "btsnoop", keys: false),
    Sample(name: "hands-free", file: "btsnoop", keys: false),
  ]

  static func hark(_ arguments: [String]) throws -> (text: String, stated: [String], code: Int32) {
    try OtherProgram.run(HarkProgram.url.path, arguments)
  }

  /// The numbers of the packets that match.
  static func numbers(_ filter: String, _ path: String, _ options: [String]) throws -> [Int] {
    let found = try hark(["packets", path, "-e", "frame.number", "-Y", filter] + options)
    #expect(found.code == 0, "\(found.stated)")
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
    for lane in DailyPart.of(lanes.sorted(), oneIn: 3) {
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
      let reported = rows.text.split(separator: "\n").count
      #expect(reported == ofRule.count, "\(rule)")
    }
  }

  @Test func unknownRules() throws {
    let found = try Self.hark(
      ["packets", Self.samples[0].path, "-Y", "rule == \"keys.nonce-reus\""])
    #expect(found.code == 64)
    #expect(found.stated.joined().contains("keys.nonce-reuse"))
  }

  // MARK: Messages

  /// The titles of the notifications that the generator sealed, in the order of truth.json.
  private static func titles(_ name: String) throws -> [String] {
    let data = try Project.bytes(Project.capture("\(name)/truth.json"))
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
    for title in DailyPart.of(Set(found).sorted(), oneIn: 3) where !title.contains("\"") {
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
    let folder = try TestFolder()
    let sample = Self.samples[0]
    let file = folder.path("a.pcapng")
    #expect(try Self.hark(["convert", sample.path, file] + sample.options).code == 0)
    let bytes = try Project.bytes(file)
    #expect(bytes.range(of: Data("pebble.title_title: \"Parcel 3 stops away\"".utf8)) != nil)
    #expect(try Self.hark(["convert", sample.path, file]).code == 0)
    #expect(try Project.bytes(file).range(of: Data("pebble.title_title".utf8)) == nil)
  }

  /// What matches is written, the same that is shown.
  @Test(arguments: [
    "lane == notification", "pebble.title_title", "severity >= warning or lane == keys",
  ])
  func converted(_ filter: String) throws {
    let folder = try TestFolder()
    let sample = Self.samples[0]
    let file = folder.path("a.btsnoop")
    let run = try Self.hark(["convert", sample.path, file, "-Y", filter] + sample.options)
    #expect(run.code == 0, "\(run.stated)")
    let count = try Self.numbers(filter, sample.path, sample.options).count
    #expect(
      run.stated.contains { $0.hasSuffix(": \(count) of 193 records written") }, "\(run.stated)")
  }

  // MARK: What can be read only once

  /// What is asked of samples read from a file and from pipes.
  private static let asked: [(sample: Sample, filters: [String])] = [
    (
      samples[0],
      [
        "lane == notification", "pebble.title_title", "text", "severity >= warning",
        "lane == gatt and att.opcode == ATT_WRITE_REQ", "not lane == link",
      ]
    ),
    (samples[1], ["lens.note_title", "lane in {keys, session}"]),
    (samples[2], ["helmet.posted_title or lane == reply"]),
    (samples[3], ["notifbridge.notification_title", "lane == notification"]),
    (samples[4], ["lane == call", "text contains \"call\""]),
    (Sample(name: "pebble-reboot", file: "btsnoop"), ["lane == session", "lane == keys"]),
    (Sample(name: "a2dp-session", file: "btsnoop", keys: false), ["lane == audio"]),
    (
      Sample(name: "pebble-faults", file: "btsnoop"),
      ["lane == finding", "rule and severity == error", "not rule and lane == notification"]
    ),
  ]

  /// Runs hark with a sample as its standard input or in its place, as a shell does.
  private static func shell(
    _ line: String, _ arguments: [String], _ sample: Sample
  ) throws -> (text: String, stated: [String], code: Int32) {
    try OtherProgram.run(
      "/bin/sh",
      ["-c", line, "sh", sample.path, HarkProgram.url.path] + arguments)
  }

  /// A packet waits for what is known about it only later: its rows are those of the file.
  @Test(arguments: asked) func ofPipes(_ sample: Sample, _ filters: [String]) throws {
    for filter in DailyPart.of(filters, oneIn: 2) {
      let arguments = ["-Y", filter] + sample.options
      let file = try Self.hark(["packets", sample.path] + arguments)
      #expect(file.code == 0 && !file.text.isEmpty, "\(filter): \(file.stated)")
      let input = #"f=$1 h=$2; shift 2; exec "$h" packets - "$@" < "$f""#
      #expect(try Self.shell(input, arguments, sample).text == file.text, "\(filter)")
      let pipe = #"f=$1 h=$2; shift 2; cat "$f" | "$h" packets - "$@""#
      let piped = try Self.shell(pipe, arguments, sample)
      #expect(piped.text == file.text, "\(filter)")
      #expect(piped.stated == [] && piped.code == 0)
    }
  }

  /// So do those of a FIFO, and columns without a filter.
  @Test func ofFIFOs() throws {
    let (folder, sample) = (try TestFolder(), Self.samples[0])
    let fifo = folder.path("fifo")
    try #require(mkfifo(fifo, 0o600) == 0)
    let arguments = ["-e", "frame.number,frame.device,pebble.title_title"] + sample.options
    let line = "f=$1 h=$2; shift 2; cat \"$f\" > '\(fifo)' & \"$h\" packets '\(fifo)' \"$@\""
    let file = try Self.hark(["packets", sample.path] + arguments).text
    #expect(file.contains("\tParcel 3 stops away\n"))
    #expect(try Self.shell(line, arguments, sample).text == file)
  }

  /// Who writes into the pipe need not end: a row comes some seconds after its packet.
  @Test func ofPipesThatStayOpen() throws {
    let (folder, sample) = (try TestFolder(), Self.samples[0])
    let filter = "lane == notification"
    let rows = try Self.numbers(filter, sample.path, sample.options)
    let fifo = folder.path("fifo")
    let held = try HeldFIFO(fifo, holding: sample.path)
    defer { held.close() }
    let process = Process()
    process.executableURL = HarkProgram.url
    process.arguments = ["packets", fifo, "-e", "frame.number", "-Y", filter] + sample.options
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let deadline = ProgramDeadline(process)
    var text = Data()
    while text.count(where: { $0 == 0x0A }) <= rows.count {
      let more = try deadline.read(output)
      guard !more.isEmpty else { break }
      text += more
    }
    let found = String(decoding: text, as: UTF8.self).split(separator: "\n").dropFirst()
    #expect(found.compactMap { Int($0) } == rows)
    #expect(process.isRunning)
    held.close()
    process.waitUntilExit()
    try deadline.check()
    #expect(process.terminationStatus == 0)
  }

  @Test(arguments: [
    (samples[0], "lane == notification"), (samples[0], "pebble.title_title"),
    (Sample(name: "pebble-faults", file: "btsnoop"), "rule"),
  ])
  func convertedFromPipes(_ sample: Sample, _ filter: String) throws {
    let folder = try TestFolder()
    let arguments = ["-Y", filter] + sample.options
    for name in ["a.btsnoop", "a.pcapng"] {
      let (file, piped) = (folder.path("file-" + name), folder.path("pipe-" + name))
      #expect(try Self.hark(["convert", sample.path, file] + arguments).code == 0)
      let line = "f=$1 h=$2; shift 2; cat \"$f\" | \"$h\" convert - '\(piped)' \"$@\""
      #expect(try Self.shell(line, arguments, sample).code == 0)
      #expect(try Project.bytes(piped) == Project.bytes(file))
    }
  }

  // MARK: Names for filters alone

  /// Every listed field is a column, but for groups, which have no value, and are asked for in filters.
  @Test func groupsAreNoColumns() throws {
    let rows = try Self.hark(["fields"]).text.split(separator: "\n")
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    var forms: [Substring: Set<Substring>] = [:]
    for row in rows { forms[row[0], default: []].insert(row[1]) }
    let groups = forms.filter { $0.value.isSubset(of: ["group", "list"]) }.keys.sorted()
    let values = forms.keys.filter { !groups.contains($0) }.sorted()
    #expect(groups.count > 100 && values.count > 3_000)
    let capture = Self.samples[0].path
    let all = try Self.hark([
      "packets", capture, "-Y", "number == 1", "-e",
      DailyPart.of(values, oneIn: 8).joined(separator: ","),
    ])
    #expect(all.code == 0 && all.text.split(separator: "\n").count == 2, "\(all.stated)")
    let group = try #require(groups.first)
    let found = try Self.hark(["packets", capture, "-e", String(group)])
    #expect(found.code == 64)
    #expect(found.stated.joined().contains("\(group) is a group of fields"), "\(found.stated)")
    let asked = try Self.hark(
      ["packets", capture, "-Y", groups.joined(separator: " or "), "-e", "frame.number"])
    #expect(asked.code == 0, "\(asked.stated)")
  }

  /// As a column such a name is answered with where it can be used. One in three of them each day.
  @Test(arguments: DailyPart.of(FilterProperty.allCases, oneIn: 3))
  func columns(_ property: FilterProperty) throws {
    for name in [property.rawValue, property.alias].compactMap({ $0 }) {
      let found = try Self.hark(["packets", Self.samples[0].path, "-e", name])
      if name.hasPrefix("frame.") {
        #expect(found.code == 0, "\(name): \(found.stated)")
        continue
      }
      #expect(found.code == 64)
      let stated = found.stated.first ?? ""
      #expect(
        property.alias == nil
          ? stated.contains("\(name) can be used in filters only (-Y)")
          : stated.contains("as a column, use \(property.rawValue)"), "\(stated)")
      let listed = try Self.hark(["fields", name])
      #expect(listed.code == 0 || listed.stated.joined().contains("filter"), "\(listed.stated)")
    }
  }

  /// What events say, and what only decrypted messages say, also with a layout that packets are read with, too.
  @Test(arguments: [
    "lane == notification", "text contains \"a\"", "severity == error", "rule",
    "event == \"message\"", "pebble.title_title contains \"Parcel\"", "att and pebble.reply_text",
    "lens.note_title", "helmet",
  ])
  func recordRefuses(_ filter: String) throws {
    let found = try Self.hark(["record", "-w", "/nowhere/a.btsnoop", "-Y", filter, "-"])
    #expect(found.code == 64)
    #expect(
      found.stated.joined().contains("is not known at recording time"), "\(found.stated)")
  }

  /// Those of the same layout that packets have.
  @Test(arguments: ["pebble", "pebble.kind == 3", "pebble.fragment_is_first"])
  func recordTakes(_ filter: String) throws {
    let path = Project.capture("pebble-session/pebble-session.btsnoop")
    let folder = try TestFolder()
    let found = try Self.hark(
      ["record", path, "-w", folder.path("a.btsnoop"), "--no-state", "-Y", filter])
    #expect(found.code == 0, "\(found.stated)")
    #expect(found.stated.contains { $0.contains(" packets match") && !$0.contains(": 0 of") })
  }

  /// Swift's JSONEncoder writes a case without values as an empty object: `{"background":{}}`.
  @Test(arguments: ["background", "dismiss"])
  func emptyObjects(_ name: String) throws {
    let path = Project.capture("notifbridge-v1/notifbridge-v1.btsnoop")
    func numbers(_ member: String) throws -> [Int] {
      try Self.numbers("notifbridge.notification_actions_type\(member)", path, [])
    }
    let found = try numbers("_\(name)")
    #expect(found.count == 2)
    #expect(try found == numbers(""))
  }
}
