import Foundation
import HarkCapture
import HarkTestSupport
import Testing

/// `hark convert`: what it writes, as hark and other programs read it.
@Suite struct ConvertTests {
  // MARK: The same timeline

  /// Formats that hold all of a capture of one controller, directions and times in microseconds.
  static let whole = ["btsnoop", "pcap", "pcapng", "pklg", "btsnoop-2001", "pcap-254"]

  @Test(arguments: [
    ("pebble-session/pebble-session", "btsnoop"), ("hands-free/hands-free", "btsnoop"),
    ("iap2-session/iap2-session", "pklg"), ("lens-session/lens-session", "pcapng"),
  ])
  func theTimelineStaysTheSame(_ name: String, _ ending: String) throws {
    let folder = try TestFolder()
    let source = Project.capture("\(name).\(ending)")
    let expected = try HarkProgram.timeline(source)
    #expect(expected.count > 10)
    for format in Self.whole {
      let file = folder.path(format)
      let (_, stated, code) = try HarkProgram.run("convert", source, file, "-f", format)
      #expect(code == 0, "\(stated)")
      let lines = try HarkProgram.timeline(file)
      // PacketLogger's notes have no other place, comments have pcapng only.
      let hasRoom = stated.allSatisfy {
        !$0.contains("PacketLogger's own") && !$0.contains("of PacketLogger")
          && !$0.contains("has no comments")
      }
      guard hasRoom else { continue }
      #expect(lines == expected, "\(format)")
    }
  }

  /// A clock two hours ahead of UTC: what it shows is reported in UTC, and written so.
  @Test func zones() throws {
    let folder = try TestFolder()
    let source = Project.capture("pebble-session/pebble-session.btsnoop")
    let file = folder.path("utc.pcapng")
    let (_, stated, code) = try HarkProgram.run("convert", source, file, "--time-zone", "+02:00")
    #expect(code == 0, "\(stated)")
    let zoned = try HarkProgram.run("timeline", source, "--time-zone", "+02:00").0
    let lines = try HarkProgram.timeline(file)
    #expect(lines.contains { $0.hasPrefix("14:41:00.130 ") })
    #expect(zoned.contains("\n14:41:00.130 "))
    let west = try HarkProgram.run("timeline", source, "--time-zone", "-03:30").0
    #expect(west.contains("\n20:11:00.130 "))
  }

  /// A copy in the clear says what the original says with the key, to hark without a key and to tshark.
  @Test(arguments: ["pcap", "pcapng"]) func inTheClear(_ ending: String) throws {
    let folder = try TestFolder()
    let source = Project.capture("pebble-air/pebble-air.\(ending)")
    let file = folder.path("clear.\(ending)")
    let keys = Project.capture("pebble-air/link.harkkeys")
    let (_, stated, code) = try HarkProgram.run(
      "convert", source, file, "--decrypt", "--no-comments", "--keys", keys)
    #expect(
      code == 0 && stated.contains { $0.contains("encrypted packets are in the clear") },
      "\(stated)")
    func reported(_ lines: [String]) -> [String] {
      lines.filter {
        !$0.contains("link decrypted") && !$0.contains("Central starts link encryption")
      }
      .filter { [" gatt ", " notification ", " keys ", " session "].contains(where: $0.contains) }
    }
    let expected = reported(try HarkProgram.timeline(source, "--keys", keys))
    let clear = try HarkProgram.timeline(file)
    #expect(expected.count > 5 && reported(clear) == expected, "\(reported(clear))")
    #expect(!clear.contains { $0.contains("not readable") })
    let info = try HarkProgram.run("info", file).0
    let before = try HarkProgram.run("info", source).0
    #expect(info.contains("wrong CRC") == before.contains("wrong CRC"), "\(info)")
  }

  @Test func monitorCapturesStayTheSame() throws {
    let folder = try TestFolder()
    let source = Project.capture("hands-free/hands-free-monitor.btsnoop")
    let expected = try HarkProgram.timeline(source)
    for ending in ["btsnoop", "pcap", "pcapng"] {
      let file = folder.path("a.\(ending)")
      let (_, stated, code) = try HarkProgram.run("convert", source, file)
      #expect(code == 0)
      #expect(stated.count == 1, "\(stated)")
      #expect(try HarkProgram.timeline(file) == expected, "\(ending)")
    }
  }

  // MARK: Other programs

  static let samples = [
    "pebble-session/pebble-session.btsnoop", "pebble-session/pebble-session.pklg",
    "hands-free/hands-free-monitor.btsnoop", "formats/187-le-ns.pcap", "formats/mixed.pcapng",
    "iap2-no-data/iap2-no-data.pcapng", "formats/h5.btsnoop",
  ]

  /// Wireshark's programs open every kind without a complaint, and see as many packets. Each sample is
  /// written in some of the kinds every day.
  @Test(
    .enabled(
      if: OtherProgram.isThere(OtherProgram.tshark, OtherProgram.capinfos),
      "tshark is missing: Tools/setup peers"),
    arguments: samples)
  func wiresharkOpensIt(_ sample: String) throws {
    let folder = try TestFolder()
    let place = try #require(Self.samples.firstIndex(of: sample))
    for (number, output) in CaptureOutput.allCases.enumerated()
    where output.holdsHCI {
      guard DailyPart.includes(number + place, oneIn: 3) else { continue }
      let file = folder.path(output.rawValue)
      let (_, stated, code) = try HarkProgram.run(
        "convert", Project.capture(sample), file, "-f", output.rawValue)
      #expect(code == 0, "\(stated)")
      let words = try #require(stated.last).split(separator: " ")
      // `… 193 of 193 records written`
      let count = try #require(Int(words[words.count - 5]))
      let found = try OtherProgram.run(
        OtherProgram.tshark, ["-r", file, "-T", "fields", "-e", "frame.number"])
      #expect(found.code == 0)
      #expect(found.text.split(separator: "\n").count == count, "\(output) of \(sample)")
      #expect(
        found.stated.allSatisfy { $0.hasPrefix("Running as user") }, "\(output): \(found.stated)")
      let informed = try OtherProgram.run(OtherProgram.capinfos, ["-c", "-T", "-r", file])
      #expect(informed.code == 0)
      #expect(informed.stated == [], "\(output)")
      #expect(informed.text.contains("\t\(count)"), "\(informed.text)")
    }
  }

  /// What tshark says about each packet: the time, which way, how long, the comments.
  @Test(
    .enabled(if: OtherProgram.isThere(OtherProgram.tshark), "tshark is missing: Tools/setup peers"))
  func tsharkSeesDirectionsAndComments() throws {
    let folder = try TestFolder()
    let source = Project.capture("pebble-session/pebble-session.btsnoop")
    let keys = Project.capture("pebble-session/accessory.harkkeys")
    let file = folder.path("a.pcapng")
    try HarkProgram.run("convert", source, file, "--keys", keys)
    let fields = [
      "-T", "fields", "-e", "frame.time_epoch", "-e", "frame.p2p_dir", "-e", "hci_h4.direction",
      "-e", "frame.len",
    ]
    let before = try OtherProgram.run(OtherProgram.tshark, ["-r", source] + fields).text
    let after = try OtherProgram.run(OtherProgram.tshark, ["-r", file] + fields).text
    #expect(before == after)
    #expect(after.split(separator: "\n").count > 100)
    let comments = try OtherProgram.run(
      OtherProgram.tshark,
      ["-r", file, "-Y", "frame.comment", "-T", "fields", "-e", "frame.comment"]
    ).text
    #expect(comments.contains("hark: notification: notification from Messages: “Mara Lindqvist”"))
    #expect(comments.contains("hark: plaintext ("))
    let notified = try OtherProgram.run(
      OtherProgram.tshark,
      ["-r", file, "-Y", "frame.comment contains \"Mara\"", "-T", "fields", "-e", "frame.number"]
    ).text
    // The last of the packets that the timeline names for it.
    #expect(notified.split(separator: "\n").first == "155")
    #expect(comments.contains("hark: link: LE link 0x0001 to E2:4F:2A:22:22:22 as Central"))
    // Without the user's keys nothing decrypted is written.
    try HarkProgram.run("convert", source, file)
    let plain = try OtherProgram.run(
      OtherProgram.tshark,
      ["-r", file, "-Y", "frame.comment", "-T", "fields", "-e", "frame.comment"]
    ).text
    #expect(plain.contains("hark: link: "))
    #expect(!plain.contains("plaintext ("))
    #expect(!plain.contains("Lindqvist"))
    // A second time, comments are not doubled; without them none are left.
    let again = folder.path("again.pcapng")
    try HarkProgram.run("convert", file, again)
    #expect(try Project.bytes(file) == Project.bytes(again))
    try HarkProgram.run("convert", file, again, "--no-comments")
    let none = try OtherProgram.run(OtherProgram.tshark, ["-r", again, "-Y", "frame.comment"]).text
    #expect(none == "")
  }

  @Test(
    .enabled(if: OtherProgram.isThere(OtherProgram.btmon), "btmon is missing: Tools/setup peers"))
  func btmonReadsIt() throws {
    let folder = try TestFolder()
    var compared = 0
    for sample in ["hands-free/hands-free", "coc-session/coc-session", "aria-session/aria-session"]
    {
      let source = Project.capture("\(sample).btsnoop")
      let expected = try OtherProgram.run(OtherProgram.btmon, ["-r", source])
      // btmon 5.66 crashes on some captures, whoever wrote them.
      guard expected.code == 0 else { continue }
      compared += 1
      // A line for each packet begins with its direction.
      func packets(_ text: String) -> Int {
        text.split(separator: "\n").count { "<>".contains($0.first ?? " ") }
      }
      #expect(packets(expected.text) > 50)
      for format in ["btsnoop-1002", "btsnoop-2001", "pklg"] {
        let file = folder.path(format)
        try HarkProgram.run("convert", source, file, "-f", format)
        let found = try OtherProgram.run(OtherProgram.btmon, ["-r", file])
        #expect(found.code == 0, "\(sample) as \(format)")
        #expect(found.stated == [])
        #expect(packets(found.text) == packets(expected.text), "\(sample) as \(format)")
      }
    }
    #expect(compared > 0)
  }

  // MARK: Parts

  /// The last part of a session with its keys: with the state before it, it is reported as it was.
  @Test func aPartWithItsState() throws {
    let folder = try TestFolder()
    let source = Project.capture("pebble-session/pebble-session.btsnoop")
    let keys = Project.capture("pebble-session/accessory.harkkeys")
    let (part, bare) = (folder.path("part.btsnoop"), folder.path("bare.btsnoop"))
    let options = ["-Y", "lane == notification or lane == reply", "--from", "+3", "-k", keys]
    let program = HarkProgram.url.path
    let kept = try OtherProgram.run(
      program, ["convert", source, part] + options + ["--keep-state"])
    #expect(kept.code == 0, "\(kept.stated)")
    let without = try OtherProgram.run(program, ["convert", source, bare] + options)
    #expect(without.code == 0)
    /// What was said, without the time since the beginning and the packets.
    func reported(_ path: String, _ lanes: String = "notify,reply") throws -> [String] {
      try HarkProgram.timeline(path, "--lane", lanes, "-k", keys).map { line in
        var text = String(line.prefix(12)) + line.dropFirst(23)
        if let frames = text.range(of: "  #") { text.removeSubrange(frames.lowerBound...) }
        return text.replacingOccurrences(of: #" after #\d+"#, with: "", options: .regularExpression)
      }
    }
    let expected = try reported(source)
    #expect(expected.count > 4)
    #expect(try reported(part) == expected)
    #expect(try reported(part).contains { $0.contains("Mara Lindqvist") })
    #expect(try !reported(bare).contains { $0.contains("Mara Lindqvist") })
    // Which is less than all, and more than what was asked for.
    func count(_ path: String) throws -> Int {
      try HarkProgram.run("packets", path).text.split(separator: "\n").count
    }
    let counts = try [bare, part, source].map(count)
    #expect(counts == counts.sorted())
    #expect(Set(counts).count == 3)
    // Devices, services and security are those of the whole.
    let gatt = try [part, source].map { path in
      try HarkProgram.run("gatt", path).text.split(separator: "\n").filter {
        !$0.contains(" read (")
      }
      .map { line in
        line.replacingOccurrences(of: #" *#[\d–#, ]+.*$"#, with: "", options: .regularExpression)
      }.dropFirst()
    }
    #expect(gatt[0] == gatt[1])
  }

  /// A part by time and link holds what hark itself lists for it.
  @Test func partsAreWhatFiltersSay() throws {
    let folder = try TestFolder()
    let source = Project.capture("hands-free/hands-free.btsnoop")
    let file = folder.path("part.pklg")
    func rows(_ path: String, _ options: String...) throws -> [String] {
      let found = try OtherProgram.run(
        HarkProgram.url.path,
        ["packets", path, "-e", "frame.time,frame.kind,frame.length"] + options)
      return found.text.split(separator: "\n").dropFirst().map(String.init)
    }
    try HarkProgram.run(
      "convert", source, file, "--from", "+0.1", "--to", "+20", "-Y", "kind == acl")
    let expected = try rows(
      source, "-Y", "kind == acl and time_relative >= 0.1 and time_relative <= 20")
    #expect(try rows(file) == expected)
    #expect(expected.count > 2)
    try HarkProgram.run("convert", source, file, "--link", "1")
    #expect(try rows(file) == rows(source, "-Y", "link == 1"))
  }

  // MARK: Several captures

  /// The two halves of a capture make the whole again, in whatever order they are named.
  @Test func halvesMakeTheWhole() throws {
    let folder = try TestFolder()
    let source = Project.capture("pebble-session/pebble-session.btsnoop")
    let (first, second) = (folder.path("1.pklg"), folder.path("2.pcapng"))
    try HarkProgram.run("convert", source, first, "-Y", "number <= 100")
    try HarkProgram.run("convert", source, second, "-Y", "number > 100")
    let whole = folder.path("whole.btsnoop")
    let (_, stated, code) = try HarkProgram.run("convert", second, first, whole)
    #expect(code == 0)
    #expect(stated == ["hark: \(whole): 193 of 193 records written"])
    #expect(try Project.bytes(whole) == Project.bytes(source))
  }

  /// Two captures of one time have controllers of their own, which pcapng names.
  @Test func twoAtOnce() throws {
    let folder = try TestFolder()
    let source = Project.capture("pebble-session/pebble-session.btsnoop")
    let both = folder.path("both.pcapng")
    let (_, stated, code) = try HarkProgram.run(
      "convert", source, Project.capture("pebble-session/pebble-session.pklg"), both)
    #expect(code == 0)
    #expect(stated.first?.hasSuffix("another capture from the same time has hci0, too") == true)
    let info = try HarkProgram.run("info", both).text
    #expect(info.contains("hci0") && info.contains("hci1"))
    // Each is reported as it was alone.
    let alone = try HarkProgram.timeline(source).dropFirst().count
    #expect(try HarkProgram.timeline(both, "-Y", "controller == 0").dropFirst().count == alone)
    // One of them can be had back.
    let one = folder.path("one.btsnoop")
    let back = try HarkProgram.run("convert", both, one, "--no-comments")
    #expect(back.stated.contains { $0.contains("stores one controller: 193 records of hci1") })
    #expect(try Project.bytes(one) == Project.bytes(source))
  }

  /// PacketLogger's texts are its user's, not hark's: they stay without hark's comments, too.
  @Test(arguments: [[], ["--no-comments"]]) func notesOfPacketLogger(_ options: [String]) throws {
    let folder = try TestFolder()
    let (source, output) = (folder.path("noted.pklg"), folder.path("noted.pcapng"))
    // Length, seconds, microseconds, type: an HCI_Reset, and the note before it.
    var bytes: [UInt8] = []
    for (type, payload) in [(UInt8(0xFC), Array("Here it fails".utf8)), (0, [0x03, 0x0C, 0x00])] {
      bytes += [0, 0, 0, UInt8(9 + payload.count), 0x69, 0, 0, 0, 0, 0, 0, 1, type] + payload
    }
    try Data(bytes).write(to: URL(filePath: source))
    let run = try OtherProgram.run(
      HarkProgram.url.path, ["convert", source, output] + options)
    #expect(run.code == 0)
    #expect(!run.stated.contains { $0.contains("cannot store") }, "\(run.stated)")
    #expect(run.stated.contains { $0.contains("1 text of PacketLogger is a comment") })
    #expect(try Project.bytes(output).firstRange(of: Data("Here it fails".utf8)) != nil)
  }

  // MARK: What goes wrong

  @Test func anInputIsNeverWritten() throws {
    let folder = try TestFolder()
    let file = folder.path("a.btsnoop")
    let source = Project.capture("pebble-session/pebble-session.btsnoop")
    try FileManager.default.copyItem(atPath: source, toPath: file)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("b.btsnoop"), withDestinationPath: file)
    for name in ["a.btsnoop", "b.btsnoop"] {
      let (_, stated, code) = try HarkProgram.run("convert", file, folder.path(name))
      #expect(code == 1)
      #expect(stated.first?.contains("this is the capture itself") == true)
    }
    #expect(try Project.bytes(file) == Project.bytes(source))
    // A capture that cannot be read costs no file its content either.
    try Data("x".utf8).write(to: folder.url.appendingPathComponent("x"))
    let (_, _, code) = try HarkProgram.run("convert", folder.path("x"), file)
    #expect(code == 1)
    #expect(try Project.bytes(file).count > 1_000)
  }

  @Test func damageIsReportedAndTheRestIsWritten() throws {
    let folder = try TestFolder()
    let source = Project.capture("pebble-session/pebble-session.btsnoop")
    let cut = folder.path("cut.btsnoop")
    try Project.bytes(source).prefix(5_000)
      .write(to: URL(fileURLWithPath: cut))
    let file = folder.path("a.pcap")
    let (_, stated, code) = try HarkProgram.run("convert", cut, file)
    #expect(code == 2)
    #expect(stated.contains { $0.contains("truncated: record 122 at byte 4974") })
    #expect(try HarkProgram.run("packets", file).text.split(separator: "\n").count == 121)
  }

  /// What is written may hold secrets, and is its owner's alone.
  @Test func filesArePrivate() throws {
    let folder = try TestFolder()
    let file = folder.path("a.pcapng")
    _ = FileManager.default.createFile(
      atPath: file, contents: nil, attributes: [.posixPermissions: 0o644])
    try HarkProgram.run("convert", Project.capture("pebble-session/pebble-session.pklg"), file)
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func pipes() throws {
    let folder = try TestFolder()
    let source = Project.capture("pebble-session/pebble-session.btsnoop")
    let file = folder.path("a.pcap")
    let program = HarkProgram.url.path
    let (_, stated, code) = try OtherProgram.run(
      "/bin/sh",
      [
        "-c",
        "cat '\(source)' | '\(program)' convert - - -f pklg | '\(program)' convert - '\(file)'",
      ])
    #expect(code == 0, "\(stated)")
    #expect(try HarkProgram.timeline(file) == HarkProgram.timeline(source))
  }

  // MARK: What was there before

  /// Nothing that matches, a key file that is wrong, a clock that goes backwards: what was there stays,
  /// and nothing is left beside it.
  @Test(
    arguments: [
      (
        ["-Y", "frame.number == 99999"], 1,
        "not written: no match in 193 packets"
      ),
      (["--from", "+900"], 1, "not written: no match in 193 packets"),
      (["--keys", "/nowhere.harkkeys"], 1, "nothing was read"),
      (
        ["--from", "+20", "--to", "+10"], 64,
        "--from +20 is after --to +10"
      ),
      (["--from", "16:42", "--to", "2026-11-20"], 1, "not written"),
      (["--from", "2026-11-20 16:42", "--to", "2026-11-20 16:41:59.5"], 64, " is after --to "),
    ] as [([String], Int32, String)])
  func whatWasThereStays(_ options: [String], _ code: Int32, _ complaint: String) throws {
    let folder = try TestFolder()
    let file = folder.path("a.pcapng")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: file))
    let source = Project.capture("pebble-session/pebble-session.btsnoop")
    let program = HarkProgram.url.path
    for path in [file, folder.path("new.pcapng")] {
      let found = try OtherProgram.run(program, ["convert", source, path] + options)
      #expect(found.code == code)
      #expect(found.stated.contains { $0.contains(complaint) }, "\(found.stated)")
    }
    #expect(try Project.bytes(file) == Data("precious".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.pcapng"])
    let piped = try OtherProgram.run(program, ["convert", source, "-", "-f", "pcapng"] + options)
    #expect(piped.code == code && piped.text.isEmpty)
  }

  /// The same times, the right way round.
  @Test func timesInOrder() throws {
    let folder = try TestFolder()
    let source = Project.capture("pebble-session/pebble-session.btsnoop")
    for (from, to) in [("+10", "+20"), ("+0", "+0"), ("16:41", "16:42"), ("+0", "2026-11-21")] {
      let found = try HarkProgram.run(
        "convert", source, folder.path("a.pcapng"), "--from", from, "--to", to)
      #expect(found.code == 0, "\(found.stated)")
    }
  }

  /// A run that a signal ends leaves what was there, and nothing else.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func interrupted(_ signal: Int32) throws {
    let folder = try TestFolder()
    let file = folder.path("a.pcapng")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: file))
    let process = Process()
    // Who runs the tests may have them ignored, which would be kept.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "--default-signal=INT,TERM,HUP", HarkProgram.url.path, "convert", "-", file,
    ]
    let input = Pipe()
    process.standardInput = input
    process.standardError = FileHandle.nullDevice
    try process.run()
    let deadline = ProgramDeadline(process)
    let bytes = try Project.bytes(Project.capture("pebble-session/pebble-session.btsnoop"))
    try input.fileHandleForWriting.write(contentsOf: bytes)
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }
    let end = Date() + 60
    while try names().count < 2, Date() < end { usleep(10_000) }
    // Its handler is there a moment after the file.
    usleep(200_000)
    #expect(try names().count == 2)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    try deadline.check()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
    #expect(try names() == ["a.pcapng"])
    #expect(try Project.bytes(file) == Data("precious".utf8))
    try input.fileHandleForWriting.close()
  }
}
