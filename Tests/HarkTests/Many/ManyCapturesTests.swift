import Foundation
import HarkTestSupport
import Testing

/// Commands over many captures at once.
@Suite struct ManyCapturesTests {
  static let captures = Project.root.appending(path: "captures")

  /// A folder with three captures, one of them cut, and three files that are none.
  static func folder() throws -> TestFolder {
    let folder = try TestFolder()
    let sample = try Data(
      contentsOf: captures.appending(path: "pebble-session/pebble-session.btsnoop"))
    try folder.write(sample, to: "a.btsnoop")
    try folder.write(sample.dropLast(5), to: "sub/cut.btsnoop")
    try folder.write(
      Data(contentsOf: captures.appending(path: "iap2-rejected/iap2-rejected.btsnoop")),
      to: "sub/rejected, 2.btsnoop")
    try folder.write(Data("# Notes\n".utf8), to: "notes.md")
    try folder.write(Data(), to: "empty.log")
    try folder.write(Data([1, 2, 3]), to: ".hidden")
    return folder
  }

  static func run(_ arguments: [String]) throws -> (text: String, stated: [String], code: Int32) {
    try OtherProgram.run(HarkProgram.url.path, arguments)
  }

  static func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test(arguments: [1, 2, 7]) func findings(_ jobs: Int) throws {
    let folder = try Self.folder()
    let (text, stated, code) = try Self.run([
      "findings", folder.root, "--jobs", "\(jobs)", "--format", "json",
    ])
    let objects = try Self.objects(text)
    #expect(
      objects.dropLast().map { ($0["name"] as? String)?.dropFirst(folder.root.count + 1) } == [
        "a.btsnoop", "sub/cut.btsnoop", "sub/rejected, 2.btsnoop",
      ])
    let summary = try #require(objects.last?["summary"] as? [String: Any])
    #expect(summary["captures"] as? Int == 3 && summary["damaged"] as? Int == 1)
    #expect(summary["other_files"] as? Int == 2 && summary["unopened"] as? Int == 0)
    let rules = try #require(summary["findings"] as? [[String: Any]])
    let counted = objects.dropLast().flatMap { object in
      Set((object["findings"] as? [[String: Any]] ?? []).compactMap { $0["rule"] as? String })
    }
    for rule in rules {
      let name = try #require(rule["rule"] as? String)
      #expect(rule["captures"] as? Int == counted.count { $0 == name }, "\(name)")
    }
    #expect(Set(counted) == Set(rules.compactMap { $0["rule"] as? String }))
    #expect(code == 2 && stated.contains { $0.contains("cut.btsnoop: truncated") })
  }

  /// The exit code is that of findings; the summary counts the damaged capture all the same.
  @Test func findingsOfDamaged() throws {
    let folder = try Self.folder()
    let path = folder.root + "/sub/rejected, 2.btsnoop"
    try Data(contentsOf: URL(filePath: path)).dropLast(5).write(to: URL(filePath: path))
    let (text, _, code) = try Self.run(["findings", folder.root, "--fail-on", "info"])
    #expect(code == 3 && text.contains("3 captures: 1 read, 2 damaged"), "\(text)")
  }

  /// Each capture has a process of its own, in which threads initialize the same globals at the same time.
  @Test func threadsOfCopiesDoNotWaitForever() throws {
    let folder = try TestFolder()
    let sample = try Data(
      contentsOf: Self.captures.appending(path: "pebble-session/pebble-session.btsnoop"))
    for number in 1...40 { try folder.write(sample, to: "\(number).btsnoop") }
    let (text, stated, code) = try Self.run(["packets", folder.root, "--format", "json"])
    #expect(code == 0, "\(stated)")
    #expect(text.split(separator: "\n").count == 40 * 193)
  }

  /// Each capture gives what it gives alone.
  @Test func sameAsAlone() throws {
    let folder = try Self.folder()
    let files = ["a.btsnoop", "sub/cut.btsnoop", "sub/rejected, 2.btsnoop"]
      .map { folder.root + "/" + $0 }
    for command in [["timeline"], ["packets"], ["packets", "-e", "frame.number,frame.kind"]] {
      let many = try Self.objects(try Self.run(command + [folder.root, "-f", "json"]).text)
      for file in files {
        let alone = try Self.objects(try Self.run(command + [file, "-f", "json"]).text)
        let mine = many.filter { $0["capture"] as? String == file }
          .map { $0.filter { $0.key != "capture" } as NSDictionary }
        #expect(mine == alone.map { $0 as NSDictionary }, "\(command) \(file)")
      }
    }
    let rows = try Self.run(["packets", folder.root, "-f", "csv"]).text.split(separator: "\n")
    #expect(rows.first?.hasPrefix("capture,frame.number,") == true)
    #expect(rows.count { $0.hasPrefix("capture,") } == 1)
    #expect(rows.contains { $0.hasPrefix("\"\(folder.root)/sub/rejected, 2.btsnoop\",1,") })
    let text = try Self.run(["timeline", folder.root]).text
    #expect(text.components(separatedBy: "==> ").count == 4)
  }

  @Test func documents() throws {
    let folder = try Self.folder()
    let missing = folder.root + "/missing.btsnoop"
    let sarif = try Self.run(["findings", folder.root, missing, "-f", "sarif"])
    let document = try #require(try Self.objects(sarif.text).first)
    let run = try #require((document["runs"] as? [[String: Any]])?.first)
    let alone = try Self.objects(try Self.run(["findings", folder.root, "-f", "json"]).text)
    let expected = alone.dropLast().reduce(0) {
      $0 + ($1["findings"] as? [Any] ?? []).count + ($1["cannot_tell"] as? [Any] ?? []).count
    }
    #expect((run["results"] as? [Any])?.count == expected)
    let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
    #expect(invocation["executionSuccessful"] as? Bool == false && sarif.code == 1)
    let junit = try Self.run(["findings", folder.root, missing, "-f", "junit"]).text
    let xml = try XMLCount(junit)
    #expect(xml.counts["testsuite"] == 4 && xml.counts["testsuites"] == 1)
  }

  /// One that never ends and one that crashes are rows of their own.
  @Test func isolation() throws {
    let folder = try Self.folder()
    let pipe = folder.root + "/endless"
    #expect(mkfifo(pipe, 0o600) == 0)
    let slow = try Self.run(["info", pipe, folder.root + "/a.btsnoop", "--time-limit", "1"])
    #expect(slow.code == 1)
    #expect(slow.stated.contains { $0.hasSuffix("endless: not read within 1 second") })
    #expect(slow.text.contains("2 captures: 1 read, 1 not read"))

    let process = Process()
    process.executableURL = HarkProgram.url
    process.arguments = ["info", pipe, folder.root + "/a.btsnoop"]
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let children = OtherProgram.children(of: process.processIdentifier)
    // The one that waits at the pipe; the other has long ended.
    usleep(500_000)
    kill(try #require(children.first), SIGKILL)
    let limit = ProgramDeadline(process)
    let text = String(decoding: try limit.readToEnd(output), as: UTF8.self)
    let stated = String(decoding: try limit.readToEnd(errors), as: UTF8.self)
    process.waitUntilExit()
    try limit.check()
    #expect(stated.contains("endless: hark crashed while reading it (signal 9)"))
    #expect(text.contains("2 captures: 1 read, 1 not read") && process.terminationStatus == 1)
  }

  /// No process that reads a capture outlives the command.
  @Test func endsWithParent() throws {
    let folder = try TestFolder()
    let endless = try HeldFIFO(
      folder.path("endless"), holding: Self.captures.appending(path: "formats/h4.btsnoop").path)
    defer { endless.close() }
    let process = Process()
    process.executableURL = HarkProgram.url
    process.arguments = ["packets", folder.path("endless"), folder.path("endless")]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let deadline = ProgramDeadline(process)
    let child = try #require(OtherProgram.children(of: process.processIdentifier).first)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try deadline.check()
    let end = Date(timeIntervalSinceNow: 30)
    while kill(child, 0) == 0, Date() < end { usleep(10_000) }
    #expect(kill(child, 0) != 0)
  }

  /// A link out of a folder is not followed, also not to a folder, and hark says why.
  @Test func links() throws {
    let (folder, other) = (try Self.folder(), try Self.outside())
    defer { try? FileManager.default.removeItem(at: other) }
    let manager = FileManager.default
    let far = other.appending(path: "far.btsnoop").path
    try manager.copyItem(atPath: folder.root + "/a.btsnoop", toPath: far)
    for (link, target) in [
      ("far", far), ("folder", other.path), ("gone", "/nowhere"),
      ("inside", folder.root + "/a.btsnoop"), ("back", folder.root + "/sub"),
    ] {
      try manager.createSymbolicLink(
        atPath: folder.root + "/link-" + link, withDestinationPath: target)
    }
    let (text, stated, code) = try Self.run(["info", folder.root])
    #expect(code == 1 && text.contains("7 captures: 3 read, 1 damaged, 3 not read"), "\(text)")
    for (link, target, kind) in [("far", far, "file"), ("folder", other.path, "folder")] {
      #expect(
        stated.contains {
          $0.contains("link-\(link): ")
            && $0.contains("a symbolic link to \(target): name that \(kind), too")
        }, "\(stated)")
    }
    #expect(stated.contains { $0.contains("link-gone: cannot open: No such file") })
    // Named as well, it is read.
    let named = try Self.run(["info", folder.root + "/link-far", folder.root + "/a.btsnoop"])
    #expect(named.code == 0 && named.text.contains("2 captures: 2 read"))
  }

  /// A file that should be a capture, by its name or its beginning, is reported; other files are only counted.
  @Test func unreadableFiles() throws {
    let folder = try Self.folder()
    let sample = try Data(contentsOf: URL(filePath: folder.root + "/a.btsnoop"))
    let captures: [(name: String, bytes: Data)] = [
      // Recorders that failed, or were ended at once.
      ("empty.pklg", Data()), ("btsnoop_hci.log", Data()), ("zeros.pcapng", Data(count: 9)),
      // `btsnoop`, and nothing else.
      ("cut.log", sample.prefix(8)),
      ("version.dat", sample.prefix(8) + Data(repeating: 9, count: 40)),
    ]
    for (name, bytes) in captures { try folder.write(bytes, to: "bad/" + name) }
    // A capture of something else: magic, version 2.4, snaplen 65535, link type 8 (SLIP).
    let slip: [UInt8] =
      [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + [UInt8](repeating: 0, count: 8)
      + [0xFF, 0xFF, 0, 0, 8, 0, 0, 0]
    try folder.write(Data(slip), to: "bad/slip.pcap")
    let (text, stated, code) = try Self.run(["info", folder.root + "/bad"])
    #expect(code == 1 && text.contains("5 captures: 0 read, 5 not read; 1 other file skipped"))
    for (name, _) in captures {
      #expect(stated.contains { $0.contains("/bad/\(name): ") }, "\(name)")
    }
    let findings = try Self.objects(
      try Self.run(["findings", folder.root + "/bad", "-f", "json"]).text)
    #expect(findings.dropLast().count { $0["status"] as? String == "unopened" } == 5)
  }

  /// Folders that cannot be listed, and names that no argument can express, are not left out silently.
  @Test func unreadableNames() throws {
    let folder = try Self.folder()
    let deep = folder.root + "/deep" + String(repeating: "/d", count: 70)
    try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
    // On macOS, the file system refuses such a name.
    let odd = (folder.root + "/odd-").utf8.map { CChar(bitPattern: $0) } + [-1, 0]
    let descriptor = open(odd, O_CREAT | O_WRONLY, 0o600)
    if descriptor >= 0 { close(descriptor) }
    let (text, stated, code) = try Self.run(["info", folder.root])
    #expect(code == 1 && text.contains("\(descriptor < 0 ? 1 : 2) not read"), "\(text)")
    #expect(
      stated.contains { $0.contains("/d/d: expected a capture, found a directory") }, "\(stated)")
    if descriptor >= 0 {
      #expect(
        stated.contains { $0.contains("odd-\u{FFFD}: ") && $0.contains("not UTF-8") }, "\(stated)")
    }
    // Who may read everything has no such folder.
    guard geteuid() != 0 else { return }
    #expect(chmod(folder.root + "/sub", 0) == 0)
    defer { chmod(folder.root + "/sub", 0o700) }
    let locked = try Self.run(["info", folder.root + "/sub"])
    #expect(
      locked.code == 1
        && locked.stated.contains { $0.hasSuffix("sub: cannot open: Permission denied") })
  }

  /// A job that checks nothing does not succeed.
  @Test(arguments: ["info", "findings", "timeline", "packets", "export"])
  func nothing(_ command: String) throws {
    let folder = try Self.folder()
    for path in ["a.btsnoop", "sub"] {
      try FileManager.default.removeItem(atPath: folder.root + "/" + path)
    }
    let output = command == "export" ? [folder.root + "/f.sqlite"] : []
    let (_, stated, code) = try Self.run([command, folder.root] + output)
    #expect(code == 1 && stated.contains("hark: no capture found in \(folder.root)"), "\(stated)")
    let empty = folder.root + "/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
    let none = try Self.run([command, empty] + output)
    #expect(
      none.code == 1 && none.stated.contains("hark: no file found in \(empty)"), "\(none.stated)")
  }

  /// Keys are read once, before the processes of the captures: those cannot ask for a passphrase.
  @Test(arguments: ["info", "findings", "timeline", "packets"])
  func keysAreReadOnce(_ command: String) throws {
    let folder = try Self.folder()
    let (text, stated, code) = try Self.run([command, folder.root, "--passkey", "12"])
    #expect(text.isEmpty && code == 64)
    #expect(
      stated == [
        "hark: --passkey takes six digits", "hark: nothing was read: correct the key, or omit it",
      ])
    let missing = folder.path("missing.harkkeys")
    let file = try Self.run([command, folder.root, "--keys", missing])
    #expect(file.text.isEmpty && file.code == 1)
    #expect(file.stated.count { $0.contains(missing) } == 1, "\(file.stated)")
  }

  /// What each capture may take counts for that capture alone.
  @Test func memory() throws {
    let folder = try Self.folder()
    let large = folder.root + "/large.btsnoop"
    try MemoryTests.capture(1_500_000, filler: 0).write(to: URL(filePath: large))
    let (text, stated, code) = try Self.run([
      "info", large, folder.root + "/a.btsnoop", "--memory", "64M", "--jobs", "1",
    ])
    #expect(code == 2 && text.contains("2 captures: 1 read, 1 damaged"), "\(text)")
    #expect(
      stated.count == 1
        && stated.first?.contains("hark reached its memory limit (64 MiB)") == true
        && stated.first?.contains("large.btsnoop") == true,
      "\(stated)")
  }

  /// A folder that no rule of the sandbox has, as that of temporary files has.
  static func outside() throws -> URL {
    let folder = Project.root.appending(path: ".build/many-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// What was accepted is not shown again, what is new is, and what is gone is named.
  @Test func baseline() throws {
    let folder = try Self.folder()
    let faults = Self.captures.appending(path: "pebble-faults/pebble-faults.btsnoop")
    let accepted = folder.root + "/accepted.ndjson"
    let before = try Self.run(["findings", folder.root, "-f", "json"]).text
    try Data(before.utf8).write(to: URL(filePath: accepted))
    let same = try Self.objects(
      try Self.run([
        "findings", folder.root, "-f", "json", "--baseline", accepted, "--fail-on", "info",
      ]).text)
    for object in same.dropLast() { #expect((object["findings"] as? [Any])?.isEmpty == true) }
    let first = try Self.run(["findings", folder.root, "--baseline", accepted, "--fail-on", "info"])
    #expect(first.code == 2 && first.text.contains("of the baseline not shown"))
    #expect(first.text.hasSuffix("No new findings.\n"))
    // Another capture under the name of one that was accepted.
    try FileManager.default.removeItem(atPath: folder.root + "/sub/rejected, 2.btsnoop")
    try FileManager.default.copyItem(
      atPath: faults.path, toPath: folder.root + "/sub/rejected, 2.btsnoop")
    let (text, _, code) = try Self.run([
      "findings", folder.root, "-f", "json", "--baseline", accepted, "--fail-on", "warning",
    ])
    let object = try #require(try Self.objects(text).dropLast().last)
    let difference = try #require(object["baseline"] as? [String: Any])
    let gone = try #require(difference["gone"] as? [[String: Any]])
    #expect(gone.contains { $0["rule"] as? String == "ea.identification-rejected" })
    #expect((object["findings"] as? [Any])?.isEmpty == false && code == 3)
    let broken = try Self.run(["findings", folder.root, "--baseline", folder.root + "/notes.md"])
    #expect(broken.code == 1 && broken.stated.count == 1)
  }

  /// Captures of several phones, all with the same name; a new phone's is not taken for one of them, wherever the
  /// folder is, and one that is missing is named.
  @Test func baselineOfSameNames() throws {
    let folder = try TestFolder()
    let faults = try Data(
      contentsOf: Self.captures.appending(path: "pebble-faults/pebble-faults.btsnoop"))
    for name in ["anna", "ben"] { try folder.write(faults, to: "in/\(name)/btsnoop_hci.log") }
    let accepted = folder.path("accepted.ndjson")
    let before = try Self.run(["findings", folder.path("in"), "-f", "json"]).text
    try Data(before.utf8).write(to: URL(filePath: accepted))
    try FileManager.default.moveItem(atPath: folder.path("in"), toPath: folder.path("later"))
    try FileManager.default.moveItem(
      atPath: folder.path("later/ben"), toPath: folder.path("later/carl"))
    let (text, _, code) = try Self.run([
      "findings", folder.path("later"), "-f", "json", "--baseline", accepted, "--fail-on", "info",
    ])
    let objects = try Self.objects(text)
    let differences = objects.compactMap { $0["baseline"] as? [String: Any] }
    #expect(differences.map { $0["new_capture"] as? Bool } == [false, true] && code == 3)
    #expect((objects.first?["findings"] as? [Any])?.isEmpty == true)
    let summary = try #require(objects.last?["summary"] as? [String: Any])
    let gone = folder.path("in/ben/btsnoop_hci.log")
    #expect(summary["gone_captures"] as? [String] == [gone])
    let people = try Self.run(["findings", folder.path("later"), "--baseline", accepted]).text
    #expect(people.contains("\ngone: \(gone), with 2 findings\n"))
    // What is gone, in the formats of continuous integration.
    try FileManager.default.removeItem(atPath: folder.path("later/anna/btsnoop_hci.log"))
    try FileManager.default.copyItem(
      atPath: Self.captures.appending(path: "pebble-session/pebble-session.btsnoop").path,
      toPath: folder.path("later/anna/btsnoop_hci.log"))
    for format in ["junit", "sarif"] {
      let text = try Self.run([
        "findings", folder.path("later"), "-f", format, "--baseline", accepted,
      ]).text
      #expect(text.contains("gone: [keys.nonce-reuse] Acme Watch 4F2A"), "\(format)")
    }
  }

  /// A pattern or a list that leads to one capture is not the name of a file.
  @Test(arguments: ["info", "findings", "timeline", "packets"])
  func patternOfOne(_ command: String) throws {
    let folder = try Self.folder()
    try folder.write(Data("\(folder.root)/a.btsnoop\n".utf8), to: "one.txt")
    for name in [folder.root + "/a*", "@" + folder.root + "/one.txt"] {
      let (text, stated, code) = try Self.run([command, name])
      #expect(code == 0 && text.contains("a.btsnoop") && stated.count <= 1, "\(name): \(stated)")
    }
  }

  /// As `find` does: `**` is any folders, also none.
  @Test func deepPatterns() throws {
    let folder = try Self.folder()
    let sample = try Data(
      contentsOf: Self.captures.appending(path: "pebble-session/pebble-session.btsnoop"))
    for name in ["sub/de[e]p/*/b.btsnoop", "sub/de[e]p/x.pklg", ".not/c.btsnoop"] {
      try folder.write(sample, to: name)
    }
    func names(_ arguments: String...) throws -> [String] {
      let (text, _, code) = try Self.run(["info", "-f", "json"] + arguments)
      #expect(code == 0 || code == 2)
      return try Self.objects(text).compactMap { $0["name"] as? String }
    }
    let found = try OtherProgram.run(
      "/usr/bin/find", [folder.root, "-name", "*.btsnoop", "-not", "-path", "*/.not/*"]
    ).text.split(separator: "\n").map(String.init).sorted()
    #expect(found.count == 4)
    let deep = folder.root + "/**/*.btsnoop"
    #expect(try names(deep) == found)
    #expect(try names(deep, folder.root + "/sub/**/*.btsnoop", found[0]) == found)
    #expect(
      try names(folder.root + "/**/de*/**/b.*") == [folder.root + "/sub/de[e]p/*/b.btsnoop"])
    #expect(try names(folder.root + "/sub/**").count == 4)
  }

  @Test func lists() throws {
    let folder = try Self.folder()
    try folder.write(
      Data("\(folder.root)/a.btsnoop\n\(folder.root)/sub\r\n".utf8), to: "list.txt")
    let listed = try Self.run(["info", "@" + folder.root + "/list.txt", "-f", "json"])
    #expect(try Self.objects(listed.text).count == 4)
    // Captures that only the list names, where nothing else may be read.
    let other = try Self.outside().path
    defer { try? FileManager.default.removeItem(atPath: other) }
    try FileManager.default.copyItem(
      atPath: folder.root + "/a.btsnoop", toPath: other + "/far.btsnoop")
    try folder.write(Data((other + "/far.btsnoop\n").utf8), to: "far.txt")
    let far = try Self.run(["info", "@" + folder.root + "/far.txt", folder.root + "/a.btsnoop"])
    #expect(far.code == 0 && far.text.contains("2 captures: 2 read"))
    let pattern = try Self.run(["info", folder.root + "/sub/*.btsnoop", "-f", "json"])
    #expect(try Self.objects(pattern.text).count == 3)
    let none = try Self.run(["info", folder.root + "/*.nothing"])
    #expect(none.code == 1 && none.stated == ["hark: \(folder.root)/*.nothing: no file matches"])
    let missing = try Self.run(["info", "@/nowhere/list"])
    #expect(missing.code == 1)
    #expect(missing.stated == ["hark: /nowhere/list: cannot open: No such file or directory"])
    #expect(try Self.run(["info", folder.root, "--jobs", "0"]).code == 64)
    #expect(try Self.run(["timeline", folder.root, folder.root, "--web"]).code == 64)
  }

  /// Many more than run at once, and all of their output in order.
  @Test func order() throws {
    let folder = try TestFolder()
    let sample = try Data(
      contentsOf: Self.captures.appending(path: "pebble-session/pebble-session.btsnoop"))
    let names = (0..<120).map { String(format: "%03d.btsnoop", $0) }
    for name in names { try folder.write(sample, to: name) }
    let rows = try Self.run(["packets", folder.root, "-f", "csv", "--jobs", "8"]).text
      .split(separator: "\n").dropFirst()
    #expect(rows.count == 193 * names.count)
    let order = rows.map { $0.split(separator: ",")[0].split(separator: "/").last.map(String.init) }
    #expect(order == names.flatMap { Array(repeating: Optional($0), count: 193) })
  }
}

extension TestFolder {
  fileprivate var root: String { url.path }

  fileprivate func write(_ data: Data, to name: String) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }
}

/// How many elements of each name an XML document has.
private struct XMLCount {
  var counts: [String: Int] = [:]

  init(_ text: String) throws {
    for piece in text.split(separator: "<") where piece.first?.isLetter == true {
      counts[String(piece.prefix { $0.isLetter }), default: 0] += 1
    }
  }
}
