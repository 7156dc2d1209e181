import Foundation
import HarkCapture
import HarkTestSupport
import Testing

@testable import HarkRecord

@Suite struct RecordOptionsTests {
  @Test func defaults() throws {
    let request = try RecordOptions.parse(["-w", "a.btsnoop"])
    var expected = RecordOptions()
    expected.source = "monitor"
    expected.path = "a.btsnoop"
    expected.format = try RecordingFormat(ofFile: "a.btsnoop")
    expected.buffer = 33_554_432
    #expect(request == .record(expected))
  }

  @Test func everything() throws {
    let request = try RecordOptions.parse([
      "--rotate-size", "100M", "bluetooth0", "--rotate-time=2h", "--rotate-count", "10", "-wa",
      "--buffer=64k",
    ])
    var expected = RecordOptions()
    expected.source = "bluetooth0"
    expected.path = "a"
    expected.rotation = Rotation(size: 104_857_600, time: 7_200, count: 10)
    expected.buffer = 65_536
    #expect(request == .record(expected))
    #expect(try RecordOptions.parse(["-", "-w", "-"]) != .help)
    #expect(try RecordOptions.parse(["--help"]) == .help)
    #expect(try RecordOptions.parse(["--version"]) == .version)
    #expect(try RecordOptions.parse(["--list"]) == .list)
    #expect(try RecordOptions.parse(["--list=tsv"]) == .table)
  }

  /// As hark starts the one that reads and the one that writes.
  @Test func partners() throws {
    var reader = RecordOptions()
    (reader.path, reader.isRelay) = ("-", true)
    #expect(try RecordOptions.parse(["-w", "-", "--relay", "--", "monitor"]) == .record(reader))
    var writer = RecordOptions()
    (writer.source, writer.path, writer.sourceName) = ("-", "a", "monitor")
    #expect(
      try RecordOptions.parse(["-", "-w", "a", "--source-name", "monitor"]) == .record(writer))
  }

  @Test func theVersionIsThatOfHark() throws {
    let path = Project.root.appending(path: "Sources/hark/Hark.swift")
    let source = try String(contentsOf: path, encoding: .utf8)
    #expect(source.contains("static let version = \"\(Recorder.version)\""))
  }

  @Test(arguments: [
    ([], "name a file to write: -w FILE, or -w - for standard output"),
    (["-w"], "'-w' needs a value"),
    (
      ["-w", "a.b/x.TXT"],
      "'a.b/x.TXT': hark cannot record as .txt: use one of the extensions .btsnoop, .log, .cfa, "
        + ".pcap, .cap, .pcapng, .ntar, .pklg"
    ),
    (["-x"], "unknown option '-x'"),
    (["a", "b", "-w", "c"], "only one source is possible: remove 'b'"),
    (["-w", "-", "--rotate-size", "1M"], "standard output cannot be rotated: name a file"),
    (
      ["-w", "a", "--rotate-count", "3"],
      "--rotate-count needs --rotate-size or --rotate-time"
    ),
    (
      ["-w", "a", "--rotate-size", "many"],
      "--rotate-size takes a size such as 100M, not 'many'"
    ),
    (["-w", "a", "--rotate-size", "5"], "--rotate-size must be at least 4096, not '5'"),
    (["-w", "a", "--rotate-time", "0"], "--rotate-time must be at least 1, not '0'"),
    (["-w", "a", "--buffer", "99999999999G"], "--buffer: '99999999999G' is too large"),
    (["-w", "a", "--buffer", "-1"], "--buffer takes a size such as 32M, not '-1'"),
    (
      ["-w", "a", "--buffer", "99999999999999999999"],
      "--buffer takes a size such as 32M, not '99999999999999999999'"
    ),
  ])
  func mistakes(arguments: [String], text: String) {
    #expect(throws: RecordOptions.Mistake(text)) { try RecordOptions.parse(arguments) }
  }

  /// What says no format gets btsnoop, and so does what is no file.
  @Test(arguments: [
    ("a", "btsnoop"), ("a.b/c", "btsnoop"), (".hidden", "btsnoop"), ("a.2026-11-21", "btsnoop"),
    ("-", "btsnoop"), ("/dev/null", "btsnoop"), ("hci.log", "btsnoop"), ("a.PCAP", "pcap"),
    ("a.b.pcapng", "pcapng"), ("a.pklg", "pklg"),
  ])
  func formats(path: String, name: String) throws {
    #expect(try RecordingFormat(ofFile: path).name ?? "btsnoop" == name)
  }

  @Test(arguments: [
    ("trace.btsnoop", 1, "trace.00001.btsnoop"), ("/a.b/trace", 123_456, "/a.b/trace.123456"),
    ("a/.hidden", 2, "a/.hidden.00002"),
  ])
  func namesOfFiles(path: String, number: Int, expected: String) {
    #expect(Rotation.path(path, number: number) == expected)
  }
}
