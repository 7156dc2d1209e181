import Foundation
import HarkTestSupport
import Testing

/// `hark gatt --save` and `--gatt`: what is known about devices from elsewhere.
@Suite struct GATTLibraryCommandTests {
  static let sample = Project.capture("pebble-session/pebble-session.btsnoop")

  /// Of the sample's watch: an attribute that the sample does not show.
  static let known = """
    {"address": "E2:4F:2A:22:22:22",
     "attributes": {"0x0F00": "5E6A0001-8C1D-4F7B-9A53-2F0D6C1B7E42"}}
    """

  @Test func savedAndBorrowed() throws {
    let folder = try TestFolder()
    let saved = folder.path("watch.json")
    #expect(try HarkProgram.run("gatt", Self.sample, "--save", saved).code == 0)
    let (text, stated, code) = try HarkProgram.run("gatt", saved)
    #expect(code != 0 && text.isEmpty && !stated.isEmpty)
    let again = try HarkProgram.run("gatt", Self.sample, "--gatt", folder.path(""))
    #expect(again.code == 0)
    // Discovery shows all of it.
    #expect(!again.0.contains("library"))
  }

  /// UUIDs have the names that a file gives them, also in filters; where hark redacts, they have not.
  @Test func namesOfTheUser() throws {
    let folder = try TestFolder()
    let names = folder.path("names.json")
    let text = """
      {"names": {"3D9C0002-7A54-4E0B-8E21-6F0A5B4C9D12": "Lamp of Mara",
                 "3d9c0001-7a54-4e0b-8e21-6f0a5b4c9d12": "Acme Lens"}}
      """
    try text.write(toFile: names, atomically: true, encoding: .utf8)
    let lens = Project.capture("lens-session/lens-session.btsnoop")
    for library in [names, folder.path("")] {
      let (gatt, stated, code) = try HarkProgram.run("gatt", lens, "--gatt", library)
      #expect(code == 0 && stated.isEmpty)
      #expect(gatt.contains("Lamp of Mara") && gatt.contains("Acme Lens "))
    }
    let timeline = try HarkProgram.run("timeline", lens, "--gatt", names).0
    #expect(timeline.contains("read Lamp of Mara (3D9C0002-…): a3 00"))
    // The read of the value.
    let found = try HarkProgram.run(
      "packets", lens, "--gatt", names, "-Y", "att.attribute == \"Lamp of Mara\"", "-e",
      "frame.number")
    #expect(found.code == 0 && found.0.contains("143"))
    let report = try HarkProgram.run(
      "report", lens, "--gatt", names, "--redact", "--level", "share", "-f", "md", "-o", "-")
    #expect(report.code == 0 && !report.0.contains("Lamp of Mara"))
  }

  /// Pipes in folders are left alone: to open one would mean to wait for a writer.
  @Test func pipesInFolders() throws {
    let folder = try TestFolder()
    try Self.known.write(
      toFile: folder.path("known.json"), atomically: true, encoding: .utf8)
    for name in ["a.json", "a.ksy", "Info.plist", "info"] {
      #expect(mkfifo(folder.path(name), 0o600) == 0)
    }
    #expect(try HarkProgram.run("gatt", Self.sample, "--gatt", folder.path("")).code == 0)
    #expect(try HarkProgram.run("dissectors", "check", folder.path("")).code == 1)
    #expect(try HarkProgram.run("check-app", folder.path("")).code == 1)
    let keys = folder.path("new.harkkeys")
    #expect(try HarkProgram.run("keys", "import", keys, folder.path("")).code == 1)
  }

  /// What `hark gatt -f json` and `hark report` write is a library, too.
  @Test(arguments: ["gatt", "report"]) func objects(_ command: String) throws {
    let folder = try TestFolder()
    let known = folder.path("known.json")
    let (text, _, code) =
      command == "gatt"
      ? try HarkProgram.run("gatt", Self.sample, "-f", "json")
      : try HarkProgram.run("report", Self.sample, "-f", "json", "-o", "-")
    #expect(code == 0)
    try text.write(toFile: known, atomically: true, encoding: .utf8)
    #expect(try HarkProgram.run("gatt", Self.sample, "--gatt", known).code == 0)
    let (saved, _, _) = try HarkProgram.run("gatt", Self.sample, "--save", "-")
    // The same attributes, whichever of them the library is made of.
    let names = try #require(
      try JSONSerialization.jsonObject(with: Data(saved.utf8)) as? [String: Any])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let databases =
      object["databases"] as? [[String: Any]]
      ?? (object["captures"] as? [[String: Any]])?.first?["databases"] as? [[String: Any]]
    func handles(_ databases: [[String: Any]]?) -> [Int] {
      (databases?.first?["characteristics"] as? [[String: Any]] ?? []).compactMap {
        $0["handle"] as? Int
      }
    }
    #expect(!handles(databases).isEmpty)
    #expect(handles(databases) == handles(names["databases"] as? [[String: Any]]))
  }

  /// Names of a library get into no redacted report.
  @Test func redacted() throws {
    let folder = try TestFolder()
    let library = folder.path("secret-name.json")
    try Self.known.write(toFile: library, atomically: true, encoding: .utf8)
    let (plain, shared) = (folder.path("plain.html"), folder.path("shared.html"))
    let borrowed = try HarkProgram.run("gatt", Self.sample, "--gatt", library).0
    #expect(borrowed.contains("5E6A0001") && borrowed.contains("secret-name.json"))
    #expect(try HarkProgram.run("report", Self.sample, "--gatt", library, "-o", plain).code == 0)
    let report = try HarkProgram.run(
      "report", Self.sample, "--gatt", library, "--redact", "-o", shared)
    #expect(report.code == 0)
    let texts = try [plain, shared].map { try String(contentsOfFile: $0, encoding: .utf8) }
    #expect(texts[0].contains("secret-name.json"))
    #expect(!texts[1].contains("secret-name") && !texts[1].contains("5E6A0001"))
    let copy = folder.path("copy.btsnoop")
    #expect(
      try HarkProgram.run("redact", Self.sample, copy, "--gatt", library).code == 0)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
    #expect(bytes.range(of: Data("secret-name".utf8)) == nil)
  }

  /// The records of the sample from `first` on, as a file of btsnoop: a header of 16 octets, and records with one of
  /// 24 whose second word is the size of the data.
  private static func late(from first: Int, in folder: TestFolder) throws -> String {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: sample)))
    var place = 16
    for _ in 1..<first {
      let count = bytes[place + 4..<place + 8].reduce(0) { $0 << 8 | Int($1) }
      place += 24 + count
    }
    let path = folder.path("late.btsnoop")
    try Data(bytes[..<16] + bytes[place...]).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// On a link whose beginning is missing the only entry is used, and gets into nothing that is redacted.
  @Test func redactedOnlyEntry() throws {
    let folder = try TestFolder()
    let library = folder.path("secret-name.json")
    try """
    {"name": "Secret", "attributes": {"0x0022": "5E6A0001-8C1D-4F7B-9A53-2F0D6C1B7E42",
     "0x001f": "5E6A0002-8C1D-4F7B-9A53-2F0D6C1B7E42"}}
    """.write(toFile: library, atomically: true, encoding: .utf8)
    let capture = try Self.late(from: 151, in: folder)
    let timeline = try HarkProgram.run("timeline", capture, "--gatt", library).0
    #expect(timeline.contains("secret-name.json, the only entry of the library"))
    #expect(timeline.contains("(borrowed)"))
    let packets = try HarkProgram.run("packets", capture, "--gatt", library).0
    #expect(packets.contains("[borrowed name]"))
    let frame = try HarkProgram.run("show", capture, "1", "--gatt", library).0
    #expect(frame.contains("borrowed from secret-name.json, the only entry of the library"))
    let info = try HarkProgram.run("info", capture, "--gatt", library).0
    #expect(info.contains("from secret-name.json, the only entry of the library"))
    #expect(
      try HarkProgram.run("info", capture, "--gatt", library, "-f", "json").0.contains(
        #""source":"secret-name.json","match":"the only entry"}"#))
    let shared = folder.path("shared.html")
    #expect(
      try HarkProgram.run("report", capture, "--gatt", library, "--redact", "-o", shared).code == 0)
    let text = try String(contentsOfFile: shared, encoding: .utf8)
    #expect(!text.contains("secret-name") && !text.contains("5E6A000"))
  }

  /// Attributes that values identify are marked wherever they are named. The discovery in the whole sample shows that 0x0022 and
  /// 0x001F are Pebble's.
  @Test func inferred() throws {
    let folder = try TestFolder()
    let capture = try Self.late(from: 146, in: folder)
    let packets = try HarkProgram.run("packets", capture, "-f", "json").0
    var marked: Set<Int> = []
    for line in packets.split(separator: "\n") {
      let packet = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      guard packet["attribute_inferred"] as? Bool == true else { continue }
      let handle = ["layers", "hci.acl", "l2cap", "att", "handle"].reduce(packet as Any?) {
        ($0 as? [String: Any])?[$1]
      }
      marked.insert(handle as? Int ?? 0)
    }
    #expect(marked.subtracting([0]) == [0x1F, 0x22])
    #expect(try HarkProgram.run("packets", capture).0.contains("[inferred name]"))
    #expect(
      try HarkProgram.run("info", capture).0.contains(
        "No discovery shows what 2 attributes (0x001f, 0x0022) are: hark infers it from values."))
    let whole = try HarkProgram.run("packets", Self.sample).0
    #expect(!whole.contains("[inferred name]"))
  }

  /// A library that has nothing about the capture's devices: hark says so, and `info` does not advise to give one.
  @Test func unused() throws {
    let folder = try TestFolder()
    let (first, second) = (folder.path("a.json"), folder.path("b.json"))
    // Of which the capture's link, whose beginning is missing, may be either.
    for (path, type) in [(first, "2A19"), (second, "2A37")] {
      try """
      {"address": "C0:DE:00:00:00:77", "attributes": {"0x0F00": "\(type)"}}
      """.write(toFile: path, atomically: true, encoding: .utf8)
    }
    func lines(_ stated: [String]) -> [String] { stated.filter { $0.contains("no entry matches") } }
    let whole = try HarkProgram.run("timeline", Self.sample, "--gatt", first)
    #expect(whole.code == 0)
    #expect(
      lines(whole.1) == [
        "hark: \(first): no entry matches a device of \(Self.sample) "
          + "(by Database Hash, address, identity, name)"
      ])
    // Of the only entry and of two files, one matches.
    let known = folder.path("known.json")
    try Self.known.write(toFile: known, atomically: true, encoding: .utf8)
    let both = try HarkProgram.run("gatt", Self.sample, "--gatt", known, "--gatt", first)
    #expect(lines(both.1).count == 1 && lines(both.1)[0].contains("a.json"))
    #expect(lines(try HarkProgram.run("gatt", Self.sample, "--gatt", folder.path("")).1).isEmpty)
    // Many captures have many devices.
    let many = try HarkProgram.run("info", Self.sample, Self.sample + ".gone", "--gatt", first)
    #expect(lines(many.1).isEmpty)

    let capture = try DecodeAsTests.late("tutorial", from: 144, in: folder)
    let advice = "add an earlier capture with --gatt"
    #expect(try HarkProgram.run("info", capture).0.contains(advice))
    try """
    {"address": "C0:DE:00:00:00:78", "attributes": {"0x0F00": "2A37"}}
    """.write(toFile: second, atomically: true, encoding: .utf8)
    let info = try HarkProgram.run("info", capture, "--gatt", first, "--gatt", second)
    #expect(!info.0.contains(advice))
    #expect(info.0.contains("No entry of the library of --gatt matches its peer."))
    #expect(lines(info.1).count == 2)
  }

  /// Two files about one device, as BlueZ keeps them, count as one; the one given last is used. Two devices do not.
  @Test(arguments: [("E2:4F:2A:22:22:22", true), ("11:22:33:44:55:66", false)])
  func sameDevice(_ other: String, _ isSame: Bool) throws {
    let folder = try TestFolder()
    let all = folder.path("bluetooth")
    let adapter = all + "/C0:DE:00:00:00:01"
    for (device, name, service) in [
      ("cache", "E2:4F:2A:22:22:22", "001d=2800:0022:50000000-328e-0fbb-c642-1aa6699bdada\n"),
      (other, "attributes", ""),
    ] {
      let path = adapter + "/" + device
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let text = """
        [Attributes]
        \(service)001e=2803:001f:10:50000001-328e-0fbb-c642-1aa6699bdada
        0021=2803:0022:0c:50000002-328e-0fbb-c642-1aa6699bdada
        0020=2902

        """
      try text.write(toFile: path + "/" + name, atomically: true, encoding: .utf8)
    }
    let capture = try Self.late(from: 152, in: folder)
    for library in [adapter, all] {
      let (timeline, _, code) = try HarkProgram.run("timeline", capture, "--gatt", library)
      #expect(code == 0)
      #expect(timeline.contains("GATT database borrowed from") == isSame)
    }
  }

  private static let map = """
    {"name": "Watch", "attributes": {"0x0022": "5E6A0001-8C1D-4F7B-9A53-2F0D6C1B7E42",
     "0x001f": "5E6A0002-8C1D-4F7B-9A53-2F0D6C1B7E42"}}
    """

  /// Packets that name a borrowed attribute say so in JSON, and no others.
  @Test func markedInJSON() throws {
    let folder = try TestFolder()
    let library = folder.path("watch.json")
    try Self.map.write(toFile: library, atomically: true, encoding: .utf8)
    let capture = try Self.late(from: 151, in: folder)
    let packets = try HarkProgram.run("packets", capture, "--gatt", library, "-f", "json").0
    var count = 0
    for line in packets.split(separator: "\n") {
      let packet = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      func inside(_ object: Any?, _ names: [String]) -> Any? {
        names.reduce(object) { ($0 as? [String: Any])?[$1] }
      }
      let handle = inside(packet, ["layers", "hci.acl", "l2cap", "att", "handle"]) as? Int
      let isMarked = packet["attribute_borrowed"] as? Bool ?? false
      #expect(isMarked == (handle == 0x22 || handle == 0x1F), "\(line)")
      if isMarked { count += 1 }
    }
    #expect(count > 0)
    #expect(try !HarkProgram.run("packets", capture, "-f", "json").0.contains("attribute_borrowed"))
  }

  /// A report has the names of the timeline, with its mark.
  @Test func markedInReports() throws {
    let folder = try TestFolder()
    let library = folder.path("watch.json")
    try Self.map.write(toFile: library, atomically: true, encoding: .utf8)
    let capture = try Self.late(from: 151, in: folder)
    for format in ["json", "md"] {
      let report = folder.path("report.\(format)")
      #expect(
        try HarkProgram.run("report", capture, "--gatt", library, "-o", report).code == 0)
      let text = try String(contentsOfFile: report, encoding: .utf8)
      #expect(text.contains("(borrowed)"), "\(format)")
    }
  }

  /// What is inferred of a framing opens with the key, and gets into no redacted report and no redacted capture.
  @Test func redactedInferred() throws {
    let folder = try TestFolder()
    let capture = try Self.late(from: 151, in: folder)
    let keys = Project.capture("pebble-session/accessory.harkkeys")
    let timeline = try HarkProgram.run("timeline", capture, "--keys", keys).0
    #expect(timeline.contains("Mara Lindqvist") && timeline.contains("is inferred to be"))
    let shared = folder.path("shared.html")
    #expect(
      try HarkProgram.run("report", capture, "--keys", keys, "--redact", "-o", shared).code == 0)
    let text = try String(contentsOfFile: shared, encoding: .utf8)
    for name in ["Mara", "Lindqvist", "Okafor", "Nordpost"] { #expect(!text.contains(name)) }
    for level in ["strict", "share"] {
      let copy = folder.path(level + ".btsnoop")
      let run = try HarkProgram.run("redact", capture, copy, "--keys", keys, "--level", level)
      #expect(run.code == 0)
      // The key no longer opens anything, and at strict nothing shows the framing any more.
      let timeline = try HarkProgram.run("timeline", copy, "--keys", keys).0
      #expect(!timeline.contains("Mara") && !timeline.contains("Lindqvist"))
      #expect(level == "share" || !timeline.contains("is inferred to be"))
    }
  }

  @Test(arguments: [("none.json", nil), ("text.txt", "hello"), ("broken.json", "{")])
  func faulty(_ name: String, _ text: String?) throws {
    let folder = try TestFolder()
    try text?.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
    let (out, stated, code) = try HarkProgram.run("info", Self.sample, "--gatt", folder.path(name))
    #expect(code == 1 && out.isEmpty)
    #expect(stated.joined().contains(name))
  }
}
