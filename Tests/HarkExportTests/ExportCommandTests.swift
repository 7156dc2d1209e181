import Foundation
import HarkCapture
import HarkCore
import HarkSamples
import HarkTestSupport
import Testing

@testable import HarkExport

/// `hark export`: what is in the tables, and that they are whole whatever happens.
@Suite struct ExportCommandTests {
  static let pebble = Project.capture("pebble-session/pebble-session.btsnoop")
  static let keys = Project.capture("pebble-session/accessory.harkkeys")

  /// A folder with captures, a file that is none, and one that is cut.
  static func folder() throws -> TestFolder {
    let folder = try TestFolder()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "in"), withIntermediateDirectories: true)
    for name in ["pebble-session", "pebble-faults", "ancs-session", "iap2-rejected"] {
      try Project.bytes(Project.capture("\(name)/\(name).btsnoop"))
        .write(to: folder.url.appending(path: "in/\(name).btsnoop"))
    }
    try Project.bytes(pebble).dropLast(5).write(to: folder.url.appending(path: "in/cut.btsnoop"))
    try Data("# Notes\n".utf8).write(to: folder.url.appending(path: "in/notes.md"))
    return folder
  }

  @discardableResult
  static func export(_ arguments: String...) throws -> (text: String, stated: [String], code: Int32)
  {
    try OtherProgram.run(HarkProgram.url.path, ["export"] + arguments)
  }

  /// All rows of a database, in an order that does not change.
  static func rows(_ path: String) throws -> [String] {
    let reader = try FleetReader(path)
    return try ExportTable.allCases.flatMap { table in
      try reader.rows("SELECT * FROM \(table.name) ORDER BY 1, 2").map { row in
        table.name + " " + row.map { $0 ?? "null" }.joined(separator: "|")
      }
    }
  }

  @Test func tables() throws {
    let folder = try Self.folder()
    let (input, output) = (folder.path("in"), folder.path("f.sqlite"))
    let (text, stated, code) = try Self.export(input, output)
    #expect(code == 2 && stated.contains { $0.contains("cut.btsnoop: truncated") })
    #expect(text.hasPrefix("5 captures: 4 read, 1 damaged; 1 other file skipped\n"))
    let reader = try FleetReader(output)
    #expect(try reader.rows("PRAGMA integrity_check") == [["ok"]])
    let packets = try reader.rows("SELECT packets, status FROM capture ORDER BY name")
    // Of the sample: `hark info`, which counts them in another way, says so in the README.
    #expect(packets.contains { $0 == ["193", "complete"] })
    #expect(packets.contains { $0 == ["192", "truncated"] })
    let rules = try reader.rows(
      "SELECT rule FROM finding JOIN capture USING (capture) WHERE name = 'pebble-faults.btsnoop'"
    ).compactMap { $0[0] }
    let faults = Project.capture("pebble-faults/pebble-faults.btsnoop")
    let findings = try OtherProgram.run(HarkProgram.url.path, ["findings", faults]).text
    #expect(rules.contains("keys.nonce-reuse") && rules.allSatisfy { findings.contains("[\($0)]") })
    #expect(
      try reader.rows("SELECT DISTINCT label FROM connected_device").contains(["Acme Watch 4F2A"]))
    // The same again: nothing is read, nothing is doubled.
    let before = try Self.rows(output)
    #expect(try Self.export(input, output).text.contains("5 unchanged captures skipped"))
    #expect(try Self.rows(output) == before)
    #expect(try Self.export(input, output, "--again").code == 2)
    #expect(try Self.rows(output) == before)
    // Other options would mix rows that mean something else.
    let other = try Self.export(input, output, "--with-text")
    #expect(other.code == 1 && other.stated.contains { $0.contains("without --with-text") })
    #expect(try Self.rows(output) == before)
  }

  /// The summaries and the view count the same devices: one with two names is one, by its address; one whose address
  /// no packet shows is known by its link.
  @Test func devices() throws {
    let folder = try TestFolder()
    let whole = try Project.bytes(Project.capture("pebble-faults/pebble-faults.btsnoop"))
    var renamed = whole
    let name = try #require(renamed.firstRange(of: Data("Acme Watch 4F2A".utf8)))
    renamed.replaceSubrange(name, with: Data("Acme Watch 0000".utf8))
    // Its connection begins with packet 43: 16 octets of the file's header, then of each record 24 and its data.
    var start = whole.startIndex + 16
    for _ in 0..<75 {
      start += 24 + whole[(start + 4)..<(start + 8)].reduce(0) { $0 << 8 | Int($1) }
    }
    let middle = whole.prefix(16) + whole[start...]
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "in"), withIntermediateDirectories: true)
    for (name, bytes) in [("whole", whole), ("renamed", renamed), ("middle", middle)] {
      try bytes.write(to: folder.url.appending(path: "in/\(name).btsnoop"))
    }
    let (input, output) = (folder.path("in"), folder.path("f.sqlite"))
    let text = try Self.export(input, output).text
    let counts = try FleetReader(output).rows(
      "SELECT rule, captures, devices, firmware_versions FROM finding_rule")
    #expect(counts.contains(["keys.nonce-reuse", "3", "2", "1"]), "\(counts)")
    let form = try Regex(
      #"(\S+) +in (\d+) captures?(?:, (\d+) devices?)?(?:, (\d+) firmware versions?)?"#)
    for report in [text, try OtherProgram.run(HarkProgram.url.path, ["findings", input]).text] {
      let rows = report.matches(of: form).map { match in
        (1...4).map { match.output[$0].substring.map(String.init) ?? "0" }
      }
      #expect(Set(rows) == Set(counts.map { $0.map { $0 ?? "0" } }), "\(report)")
    }
    // Of each rule and of all captures.
    let all = try FleetReader(output).rows(
      "SELECT count(DISTINCT address), count(DISTINCT firmware) FROM connected_device")
    #expect(all == [["1", "1"]])
    let info = try OtherProgram.run(HarkProgram.url.path, ["info", input]).text
    #expect(info.hasSuffix("s, 1 device, 1 firmware version\n"), "\(info.suffix(200))")
  }

  /// A link that was open before the capture began has the name and the make of its peer, as far as they were read.
  @Test func unknownPeer() throws {
    let folder = try TestFolder()
    let (input, output) = (folder.path("ring.btsnoop"), folder.path("f.sqlite"))
    try Data(Self.ring).write(to: URL(filePath: input))
    try Self.export(input, output)
    let reader = try FleetReader(output)
    let link = try reader.rows("SELECT device, peer_address, label, model, firmware FROM link")
    #expect(link == [[nil, nil, "Ring B", nil, "1.2.3"]])
    let device = try reader.rows("SELECT address, label, firmware FROM connected_device")
    #expect(device == [[nil, "Ring B", "1.2.3"]])
  }

  /// Read By Type of Device Name and of Firmware Revision String, with answers, on link 0x0040.
  private static let ring: [UInt8] = {
    var capture = MadeCapture()
    let packets: [MadePacket] = [
      .pdu(4, "08 0100 ffff 002a", received: false),
      .pdu(4, "09 08 0300 52696e672042", received: true),
      .pdu(4, "08 0100 ffff 262a", received: false),
      .pdu(4, "09 07 0c00 312e322e33", received: true),
    ]
    for packet in packets {
      var record = CaptureRecord()
      record.kind = packet.kind
      record.direction = packet.isReceived ? .controllerToHost : .hostToController
      record.time = Timestamp(nanoseconds: 1_700_000_000_000_000_000)
      capture.add(record, Hex.bytes(packet.hex) ?? [])
    }
    return capture.bytes
  }()

  /// A database of an earlier version gets the columns that it does not have.
  @Test func earlierColumns() throws {
    let folder = try TestFolder()
    let (input, output) = (folder.path("ring.btsnoop"), folder.path("f.sqlite"))
    try Data(Self.ring).write(to: URL(filePath: input))
    try Self.export(input, output)
    let views = try FleetReader(output).rows("SELECT name FROM sqlite_master WHERE type = 'view'")
    do {
      let connection = try SQLiteConnection(output, .writing)
      for view in views.compactMap(\.first) {
        try connection.run("DROP VIEW \(try #require(view))")
      }
      try connection.run("CREATE VIEW of_user AS SELECT link FROM link")
      for column in ["label", "manufacturer", "model", "hardware", "firmware", "software"] {
        try connection.run("ALTER TABLE link DROP COLUMN \(column)")
      }
    }
    #expect(try Self.export(input, output, "--again").code == 0)
    let reader = try FleetReader(output)
    #expect(try reader.rows("SELECT label, firmware FROM link") == [["Ring B", "1.2.3"]])
    #expect(try reader.rows("SELECT link FROM of_user") == [["1"]])
    #expect(try reader.rows("SELECT rule FROM finding_firmware").isEmpty)
  }

  /// Extensions of other formats are refused before anything is written.
  @Test(arguments: ["q.parquet", "q.CSV", "q.jsonl"]) func otherFormats(_ name: String) throws {
    let folder = try TestFolder()
    let result = try Self.export(Self.pebble, folder.path(name))
    #expect(result.code == 64 && result.stated.contains { $0.contains("SQLite database") })
    #expect(folder.names.isEmpty)
  }

  /// Why a capture cannot be redacted stays, if it consists of no contents of the file.
  @Test func unreadableRedacted() throws {
    let folder = try TestFolder()
    let (empty, other) = (folder.path("empty.btsnoop"), folder.path("other.btsnoop"))
    try Data().write(to: URL(filePath: empty))
    try Data("my secret".utf8).write(to: URL(filePath: other))
    let output = folder.path("f.sqlite")
    let missing = folder.path("missing.btsnoop")
    try Self.export(
      empty, other, missing, output, "--redact", "share", "--map", folder.path("m.map"))
    let errors = try FleetReader(output).rows("SELECT error FROM capture ORDER BY error")
    #expect(
      errors == [
        ["cannot open: No such file or directory"], ["hark cannot redact it"],
        ["the file is empty"],
      ])
  }

  @Test func changedCapture() throws {
    let folder = try Self.folder()
    let (input, output) = (folder.path("in"), folder.path("f.sqlite"))
    try Self.export(input, output)
    try Project.bytes(Self.pebble).write(to: folder.url.appending(path: "in/cut.btsnoop"))
    #expect(try Self.export(input, output).text.contains("4 unchanged captures skipped"))
    let again = folder.path("again.sqlite")
    try Self.export(input, again)
    #expect(try Self.rows(output) == Self.rows(again))
  }

  @Test func unreadable() throws {
    let folder = try Self.folder()
    let (bad, output) = (folder.path("bad.pklg"), folder.path("f.sqlite"))
    try Data("no capture".utf8).write(to: URL(filePath: bad))
    let result = try Self.export(bad, Self.pebble, folder.path("missing.pklg"), output)
    #expect(result.code == 1)
    let rows = try FleetReader(output).rows("SELECT name, status FROM capture ORDER BY name")
    #expect(
      rows == [
        ["bad.pklg", "unopened"], ["missing.pklg", "unopened"],
        ["pebble-session.btsnoop", "complete"],
      ])
    let errors = try FleetReader(output).rows("SELECT error FROM capture WHERE error IS NOT NULL")
    #expect(errors.count == 2 && errors.allSatisfy { $0[0]?.isEmpty == false })
  }

  /// A capture that never ends and one on which hark crashes are rows with their error, until they can be read.
  @Test(arguments: ["timed-out", "crashed"]) func isolated(_ status: String) throws {
    let folder = try TestFolder()
    let (poisoned, output) = (folder.path("poisoned.btsnoop"), folder.path("f.sqlite"))
    #expect(mkfifo(poisoned, 0o600) == 0)
    if status == "timed-out" {
      #expect(try Self.export(poisoned, Self.pebble, output, "--time-limit", "1").code == 1)
    } else {
      let process = Process()
      process.executableURL = HarkProgram.url
      process.arguments = ["export", poisoned, output]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      let deadline = ProgramDeadline(process)
      // As a crash would; Swift's own handler takes the signals of crashes and continues where there was none.
      kill(try #require(OtherProgram.children(of: process.processIdentifier).first), SIGKILL)
      process.waitUntilExit()
      try deadline.check()
      #expect(process.terminationStatus == 1)
      #expect(try Self.export(Self.pebble, output).code == 0)
    }
    let query = "SELECT status, error, packets FROM capture ORDER BY name"
    let error =
      status == "crashed"
      ? "hark crashed while reading it (signal 9)" : "not read within 1 second"
    let whole = ["complete", nil, "193"]
    #expect(try FleetReader(output).rows(query) == [whole, [status, error, nil]])
    try FileManager.default.removeItem(atPath: poisoned)
    try Project.bytes(Self.pebble).write(to: URL(filePath: poisoned))
    #expect(try Self.export(poisoned, Self.pebble, output).text.contains("1 unchanged capture"))
    #expect(try FleetReader(output).rows(query) == [whole, whole])
  }

  /// What people wrote is there with `--with-text` only.
  @Test func texts() throws {
    let folder = try TestFolder()
    let secret = "The 17:10 is on time"
    for (option, name) in [("--jobs=1", "without"), ("--with-text", "with")] {
      let output = folder.path(name)
      try Self.export(Self.pebble, output, "--keys", Self.keys, "--packets", option)
      let bytes = try Data(contentsOf: URL(filePath: output))
      #expect((bytes.range(of: Data(secret.utf8)) != nil) == (name == "with"), "\(name)")
      let hex = secret.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      #expect((bytes.range(of: Data(hex.joined().utf8)) != nil) == (name == "with"), "\(name)")
      let reader = try FleetReader(output)
      #expect(try reader.rows("SELECT count(*) FROM notification") != [["0"]])
      let withText = try reader.rows("SELECT body FROM notification WHERE body IS NOT NULL")
      #expect(withText.isEmpty == (name == "without"))
      #expect(try reader.rows("SELECT count(*) FROM packet") == [["193"]])
    }
  }

  @Test(arguments: ["share", "strict"]) func redaction(_ level: String) throws {
    let folder = try Self.folder()
    let (input, map) = (folder.path("in"), folder.path("fleet.map"))
    var labels: [[String?]] = []
    for (output, jobs) in [("one.sqlite", "1"), ("two.sqlite", "3")] {
      let path = folder.path(output)
      try Self.export(
        input, path, "--redact", level, "--map", map, "--jobs", jobs, "--keys", Self.keys)
      let bytes = try Data(contentsOf: URL(filePath: path))
      for secret in ["Acme Watch 4F2A", "E2:4F:2A:22:22:22", "pebble-faults", folder.url.path()] {
        #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
      }
      let reader = try FleetReader(path)
      #expect(try reader.rows("SELECT count(*) FROM capture WHERE packets > 0") == [["5"]])
      // The session, the one with faults and the cut one are of the same watch.
      let watch = try reader.rows(
        "SELECT label FROM connected_device GROUP BY label HAVING count(*) >= 2 ORDER BY label")
      #expect(!watch.isEmpty)
      labels.append(try reader.rows("SELECT label FROM device ORDER BY label").map { $0[0] })
    }
    #expect(labels[0] == labels[1])
    let text = try String(contentsOfFile: map, encoding: .utf8)
    #expect(text.hasPrefix("# hark redaction map 1") && text.split(separator: "\n").count > 5)
  }

  // MARK: JSON lines

  /// Both forms have the same rows.
  @Test func lines() throws {
    let folder = try Self.folder()
    let (input, output) = (folder.path("in"), folder.path("tables/"))
    try Self.export(input, folder.path("f.sqlite"), "--packets")
    #expect(try Self.export(input, output, "--packets", "--format", "jsonl").code == 2)
    #expect(
      try Self.export(input, output, "--packets", "-f", "jsonl").text
        .contains("5 unchanged captures skipped"))
    let reader = try FleetReader(folder.path("f.sqlite"))
    for table in ExportTable.allCases {
      let columns = table.columns.map(\.name).filter { table != .capture || $0 != "day" }
      let expected = try reader.rows(
        "SELECT \(columns.joined(separator: ", ")) FROM \(table.name) ORDER BY 1, 2")
      let files = try FileManager.default.subpathsOfDirectory(atPath: output + table.name)
        .filter { $0.hasSuffix(".jsonl.gz") }
      #expect(files.allSatisfy { $0.hasPrefix("day=2026-11-") }, "\(files)")
      var found: [[String?]] = []
      for file in files {
        let text = try OtherProgram.run("/bin/gzip", ["-dc", output + table.name + "/" + file]).text
        for line in text.split(separator: "\n") {
          let object = try #require(
            JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
          #expect(object.count == columns.count)
          found.append(
            columns.map { column in
              object[column].flatMap { $0 is NSNull ? nil : "\($0)" }
            })
        }
      }
      let order = { (row: [String?]) in (row[0] ?? "", Int(row[1] ?? "") ?? 0) }
      #expect(found.sorted { order($0) < order($1) } == expected, "\(table.name)")
    }
  }

  /// Files of an export that was killed go with the next one.
  @Test func leftovers() throws {
    let folder = try TestFolder()
    let tables = folder.path("tables")
    try Self.export(Self.pebble, tables, "-f", "jsonl")
    let files = try FileManager.default.subpathsOfDirectory(atPath: tables)
    let file = try #require(files.first { $0.hasPrefix("event/") && $0.hasSuffix(".gz") })
    let left = URL(filePath: tables + "/" + file).deletingLastPathComponent()
      .appending(path: ".hark-1")
    try Data("left".utf8).write(to: left)
    try Self.export(Self.pebble, tables, "-f", "jsonl", "--again")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: tables) == files)
  }

  // MARK: Ends

  /// Ended in the middle, the database opens, and the next run makes it whole.
  @Test(arguments: [SIGTERM, SIGKILL]) func ended(_ signal: Int32) throws {
    let folder = try Self.folder()
    for number in 0..<30 {
      try Project.bytes(Self.pebble)
        .write(to: folder.url.appending(path: "in/more-\(number).btsnoop"))
    }
    let (input, output) = (folder.path("in"), folder.path("f.sqlite"))
    let process = Process()
    process.executableURL = HarkProgram.url
    process.arguments = ["export", input, output, "--jobs", "2"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let deadline = ProgramDeadline(process)
    // Something is written.
    var size = 0
    while size < 300_000, process.isRunning {
      usleep(2_000)
      var status = stat()
      size = stat(output + "-wal", &status) == 0 ? Int(status.st_size) : size
    }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    try deadline.check()
    // Closed before the next run: only one program at a time uses a database with a log.
    do {
      let reader = try FleetReader(output)
      #expect(try reader.rows("PRAGMA integrity_check") == [["ok"]])
      #expect(
        try reader.rows(
          """
          SELECT count(*) FROM capture c WHERE events <> (SELECT count(*) FROM event e
          WHERE e.capture = c.capture)
          """) == [["0"]])
      #expect(
        try reader.rows(
          """
          SELECT count(*) FROM event WHERE capture NOT IN (SELECT capture FROM capture)
          """) == [["0"]])
    }
    // 0 if the damaged capture was read before.
    #expect([0, 2].contains(try Self.export(input, output).code))
    try Self.export(input, folder.path("fresh.sqlite"))
    #expect(try Self.rows(output) == Self.rows(folder.path("fresh.sqlite")))
  }

  /// A file that may grow no further is as a full disk.
  @Test func fullDisk() throws {
    let folder = try Self.folder()
    let (input, output) = (folder.path("in"), folder.path("f.sqlite"))
    // Blocks of 512 bytes.
    let limited = try OtherProgram.run(
      "/bin/sh",
      ["-c", "ulimit -f 500; exec \"$@\"", "sh", HarkProgram.url.path, "export", input, output])
    #expect(limited.code == 1)
    #expect(limited.stated.contains { $0.contains("f.sqlite: cannot") }, "\(limited.stated)")
    #expect(try FleetReader(output).rows("PRAGMA integrity_check") == [["ok"]])
    // 0 if the damaged capture was read before.
    #expect([0, 2].contains(try Self.export(input, output).code))
    try Self.export(input, folder.path("fresh.sqlite"))
    #expect(try Self.rows(output) == Self.rows(folder.path("fresh.sqlite")))
  }

  /// On a disk without any room, other programs open the database, too.
  @Test(.enabled(if: canMount)) func fullFileSystem() throws {
    let folder = try Self.folder()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "disk"), withIntermediateDirectories: true)
    let script = """
      cd "$1"; mount -t tmpfs -o size=600k tmpfs disk; "$0" export in disk/f.sqlite; echo "code $?"
      python3 -c 'import sqlite3; print(sqlite3.connect("disk/f.sqlite").execute("PRAGMA integrity_check").fetchone())'
      """
    let (text, stated, _) = try OtherProgram.run(
      "/usr/bin/unshare", ["-rm", "sh", "-c", script, HarkProgram.url.path, folder.url.path])
    #expect(text.contains("code 1") && text.contains("('ok',)"), "\(text) \(stated)")
    #expect(stated.contains { $0.contains("cannot write: the disk is full") }, "\(stated)")
  }

  /// Whether a test may mount a disk of its own.
  private static let canMount =
    (try? OtherProgram.run("/usr/bin/unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"])
      .code) == 0

  /// A database of another program stays as it is.
  @Test func otherDatabases() throws {
    let folder = try TestFolder()
    let path = folder.path("other.sqlite")
    for statement in ["CREATE TABLE cat (name)", "PRAGMA application_id = 7"] {
      let script =
        "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(sys.argv[2]); d.commit()"
      #expect(try OtherProgram.run("/usr/bin/python3", ["-c", script, path, statement]).code == 0)
      let before = try Data(contentsOf: URL(filePath: path))
      let result = try Self.export(Self.pebble, path)
      #expect(result.code == 1)
      #expect(result.stated.contains { $0.contains("not a database of hark export") })
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["other.sqlite"])
    }
  }

  /// Files that are no database of ours stay as they are.
  @Test func otherFiles() throws {
    let folder = try TestFolder()
    let text = folder.path("notes.txt")
    try Data(repeating: 0x41, count: 5_000).write(to: URL(filePath: text))
    let result = try Self.export(Self.pebble, text)
    #expect(result.code == 1)
    #expect(result.stated.contains { $0.contains("not a database of hark export") })
    #expect(try Data(contentsOf: URL(filePath: text)) == Data(repeating: 0x41, count: 5_000))
    #expect(try Self.export(Self.pebble, "-").code == 64)
    #expect(try Self.export(Self.pebble, folder.path("x"), "--redact", "share").code == 64)
  }
}
