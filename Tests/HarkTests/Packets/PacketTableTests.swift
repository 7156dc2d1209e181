import Foundation
import HarkTestSupport
import Testing

/// The forms of `hark packets -e`, parts of a capture by time, and `--limit`. tshark's columns are the measure
/// where it is installed.
@Suite struct PacketTableTests {
  static let path = Project.capture("pebble-session/pebble-session.btsnoop")
  static let fields = "frame.number,frame.time_delta,frame.length,att.opcode,frame.device"

  static func packets(_ options: String...) throws -> String {
    let found = try OtherProgram.run(HarkProgram.url.path, ["packets", path] + options)
    #expect(found.code == 0, "\(found.stated)")
    return found.text
  }

  @Test func `CSV and JSON have the cells of TSV`() throws {
    let table = try Self.packets("-e", Self.fields).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    let csv = try Self.packets("-e", Self.fields, "--format", "csv").split(separator: "\n")
    let json = try Self.packets("-e", Self.fields, "--format", "json").split(separator: "\n")
    #expect(csv.count == table.count && json.count == table.count - 1)
    #expect(csv.first == Self.fields[...])
    for (cells, object) in zip(table.dropFirst(), json) {
      let members = try #require(
        JSONSerialization.jsonObject(with: Data(object.utf8)) as? [String: Any])
      let present = zip(table[0], cells).filter { !$0.1.isEmpty }.map(\.0)
      #expect(Set(members.keys) == Set(present))
      #expect((members["frame.number"] as? Int).map(String.init) == cells[0])
      #expect((members["frame.device"] as? String ?? "") == cells[4])
      #expect((members["att.opcode"] as? String ?? "") == cells[3])
    }
  }

  @Test(.enabled(if: OtherProgram.isThere(OtherProgram.tshark)))
  func `codes in JSON are the strings of tshark, and numbers are numbers`() throws {
    let theirs = try OtherProgram.run(
      OtherProgram.tshark,
      [
        "-r", Self.path, "-Y", "btatt", "-T", "fields", "-e", "btatt.opcode", "-e",
        "btl2cap.length",
      ]
    ).text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    let ours = try Self.packets(
      "-Y", "att", "-e", "att.opcode,l2cap.length", "--format", "json"
    ).split(separator: "\n")
    try #require(ours.count > 10 && ours.count == theirs.count)
    for (object, cells) in zip(ours, theirs) {
      #expect(object == "{\"att.opcode\":\"\(cells[0])\",\"l2cap.length\":\(cells[1])}")
    }
  }

  @Test(.enabled(if: OtherProgram.isThere(OtherProgram.tshark)))
  func `names of Wireshark's give the values of tshark`() throws {
    let names = [
      "frame.number", "bthci_acl.chandle", "btl2cap.length", "btatt.opcode", "btatt.handle",
      "btatt.starting_handle", "btatt.client_rx_mtu", "btatt.error_code",
    ]
    // tshark gives responses the handle of their request, too.
    let filter = "btatt.opcode in {0x02, 0x08, 0x12} and not bthci_acl.length > 60"
    let theirs = try OtherProgram.run(
      OtherProgram.tshark,
      ["-r", Self.path, "-Y", filter, "-T", "fields"] + names.flatMap { ["-e", $0] }
    ).text.split(separator: "\n")
    let ours = try Self.packets("-Y", filter, "-e", names.joined(separator: ","))
      .split(separator: "\n").dropFirst()
    try #require(ours.count > 4)
    // tshark writes handles with other numbers of digits, hark numbers in decimal.
    func numbers(_ rows: some Sequence<Substring>) -> [[Int?]] {
      rows.map { row in
        row.split(separator: "\t", omittingEmptySubsequences: false).map { cell in
          cell.hasPrefix("0x") ? Int(cell.dropFirst(2), radix: 16) : Int(cell)
        }
      }
    }
    #expect(numbers(ours) == numbers(theirs))
  }

  /// Strangers choose the names of their devices, and spreadsheets compute what begins with one of four characters.
  @Test(
    arguments: [
      (#"=HYPERLINK("x","y")"#, #""'=HYPERLINK(""x"",""y"")""#), ("@SUM(1)", "'@SUM(1)"),
      ("+cmd|x", "'+cmd|x"), ("-A1", "'-A1"), ("+49151", "+49151"), ("-70", "-70"),
      ("'s Buds", "'s Buds"),
    ])
  func `no cell of CSV is a formula`(name: String, cell: String) throws {
    // btsnoop 1002 with an LE Advertising Report: Core Specification, Vol 4, Part E, 7.7.65.2
    let data = [UInt8(name.utf8.count + 1), 9] + Array(name.utf8)
    let report = [2, 1, 0, 0, 6, 5, 4, 3, 2, 1, UInt8(data.count)] + data + [0xC0]
    let packet = [4, 0x3E, UInt8(report.count)] + report
    var file = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
    for _ in 0..<2 { file += [0, 0, 0, UInt8(packet.count)] }
    file += [0, 0, 0, 3, 0, 0, 0, 0] + [0x00, 0xE2, 0x30, 0, 0, 0, 0, 0] + packet
    let folder = try TestFolder()
    try Data(file).write(to: folder.url.appending(path: "made.btsnoop"))
    func row(_ form: String) throws -> Substring? {
      try OtherProgram.run(
        HarkProgram.url.path,
        ["packets", folder.path("made.btsnoop"), "-e", "ad.localName", "--format", form]
      ).text.split(separator: "\n").last
    }
    #expect(try row("csv") == cell[...])
    #expect(try row("tsv") == name[...])
  }

  @Test func `a list of values is quoted in CSV and an array in JSON`() throws {
    // Several services in one response.
    let filter = [
      "-Y", "att.opcode == 0x11", "-e", "att.groupEndHandle,frame.number", "--limit", "1",
    ]
    let cells = try OtherProgram.run(HarkProgram.url.path, ["packets", Self.path] + filter).text
      .split(separator: "\n").last.map { $0.split(separator: "\t") }
    let row = try #require(cells)
    try #require(row[0].contains(","))
    let csv = try OtherProgram.run(
      HarkProgram.url.path, ["packets", Self.path, "--format", "csv"] + filter
    ).text.split(separator: "\n")
    #expect(csv.last == "\"\(row[0])\",\(row[1])")
  }

  @Test func `time_delta is the time since the packet before, matching or not`() throws {
    let rows = try Self.packets("-e", "frame.number,frame.time").split(separator: "\n").dropFirst()
      .map { $0.split(separator: "\t") }
    let times = rows.map { Double($0[1]) ?? .nan }
    let slow = zip(times.indices, times).filter { $0.0 > 0 && $0.1 - times[$0.0 - 1] > 0.05 }
    try #require(slow.count > 1)
    let found = try Self.packets(
      "-Y", "frame.time_delta > 0.05", "-e", "frame.number,frame.time_delta"
    ).split(separator: "\n").dropFirst().map { $0.split(separator: "\t") }
    #expect(found.map { Int($0[0]) } == slow.map { $0.0 + 1 })
    for (row, packet) in zip(found, slow) {
      let delta = try #require(Double(row[1]))
      #expect(abs(delta - (packet.1 - times[packet.0 - 1])) < 0.000_01)
    }
  }

  @Test(.enabled(if: OtherProgram.isThere(OtherProgram.tshark)))
  func `time_delta is tshark's`() throws {
    let theirs = try OtherProgram.run(
      OtherProgram.tshark,
      ["-r", Self.path, "-T", "fields", "-e", "frame.number", "-e", "frame.time_delta"]
    ).text
    let ours = try Self.packets("-e", "frame.number,frame.time_delta").split(separator: "\n")
    #expect(ours.dropFirst().map(String.init) == theirs.split(separator: "\n").map(String.init))
  }

  @Test func `--limit stops after the packets it asks for`() throws {
    let all = try Self.packets().split(separator: "\n")
    #expect(try Self.packets("--limit", "5").split(separator: "\n") == Array(all.prefix(5)))
    let none = try OtherProgram.run(HarkProgram.url.path, ["packets", Self.path, "--limit", "0"])
    #expect(none.code == 64)
  }

  @Test func `--from and --to cut packets and events`() throws {
    let part = try Self.packets("--from", "+0.5", "--to", "+2", "-e", "frame.time_relative")
    let times = part.split(separator: "\n").dropFirst().compactMap { Double($0) }
    let all = try Self.packets("-e", "frame.time_relative").split(separator: "\n").dropFirst()
      .compactMap { Double($0) }
    #expect(times == all.filter { (0.5...2).contains($0) })
    let events = try OtherProgram.run(
      HarkProgram.url.path, ["timeline", Self.path, "--from", "+0.5", "--to", "+2", "-f", "json"])
    let found = try events.text.split(separator: "\n").map {
      try #require(
        (JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["time_relative"]
          as? Double)
    }
    #expect(!found.isEmpty && found.allSatisfy { (0.5...2).contains($0) })
    let wrong = try OtherProgram.run(
      HarkProgram.url.path, ["timeline", Self.path, "--from", "noon"])
    #expect(wrong.code == 64)
    // As the timeline writes them.
    for (from, to) in [("+0.5s", "+2 s"), ("+0.5 s", "+2")] {
      #expect(
        try Self.packets("--from", from, "--to", to, "-e", "frame.time_relative") == part)
    }
    // Without the sign, it would be 1970, and everything would match.
    let early = try OtherProgram.run(HarkProgram.url.path, ["packets", Self.path, "--from", "0.5"])
    #expect(early.code == 64)
    #expect(
      early.stated.first
        == "hark: '0.5' would be seconds since 1970: write +0.5 for seconds since the first packet")
  }

  @Test(
    arguments: [
      ("keys lst", "keys list"), ("dissectors chek", "dissectors check"),
      ("extcap instal", "extcap install"),
    ])
  func `a mistyped second word is corrected`(_ typed: String, _ meant: String) throws {
    let words = typed.split(separator: " ").map(String.init)
    let found = try OtherProgram.run(HarkProgram.url.path, words)
    #expect(found.code == 64)
    #expect(
      found.stated.contains { $0.contains("no command '\(typed)'; did you mean '\(meant)'?") })
  }

  @Test(arguments: [("inof", "info"), ("tiemline", "timeline"), ("finding", "findings")])
  func `a slip of the fingers names the command`(_ typed: String, _ meant: String) throws {
    let found = try OtherProgram.run(HarkProgram.url.path, [typed])
    #expect(found.code == 64)
    #expect(found.stated.contains { $0.contains("did you mean '\(meant)'?") })
  }
}
