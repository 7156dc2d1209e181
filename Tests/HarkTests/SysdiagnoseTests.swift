import Foundation
import HarkTestSupport
import Testing

/// A sysdiagnose as capture and as log, packed by the tar of this machine and as a folder.
@Suite struct SysdiagnoseTests {
  private static let name = "sysdiagnose_2026.11.20_17-02-11+0100_iPhone-OS_iPhone_23E261"
  private static let captures = Project.captures

  /// - Parameter has: What it holds: files of `captures`, and where they lie in it.
  private static func make(
    _ has: [(file: String, place: String)], isPacked: Bool, in folder: TestFolder
  ) throws -> String {
    let root = folder.url.appending(path: name)
    for (file, place) in has {
      let to = root.appending(path: place)
      try FileManager.default.createDirectory(
        at: to.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: captures.appending(path: file), to: to)
    }
    guard isPacked else { return root.path }
    let path = folder.url.appending(path: "\(name).tar.gz").path
    let made = try OtherProgram.run(
      "/usr/bin/tar", ["-C", folder.url.path, "-czf", path, name])
    try #require(made.code == 0)
    return path
  }

  private static let pklg = (
    file: "pebble-session/pebble-session.pklg",
    place: "logs/Bluetooth/bluetoothd-hci-latest.pklg"
  )
  private static let journal = (
    file: "app-side/pebble-journal.ndjson", place: "logs/Acme/journal.ndjson"
  )
  /// Its bytes do not matter: it is not read.
  private static let archive = (
    file: "app-side/message.hex", place: "system_logs.logarchive/Persist/1.tracev3"
  )

  /// The rows of the app's lane, without the file they come from.
  private static func rows(_ text: String) throws -> [String] {
    try text.split(separator: "\n").map { line in
      var row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      for key in ["file", "log", "source", "origin", "text", "summary"] { row[key] = nil }
      return try String(
        decoding: JSONSerialization.data(withJSONObject: row, options: .sortedKeys), as: UTF8.self)
    }
  }

  /// Capture and log out of one archive give what the two files give.
  @Test(arguments: [true, false]) func captureAndLog(_ isPacked: Bool) throws {
    let folder = try TestFolder()
    let path = try Self.make(
      [Self.pklg, Self.journal, Self.archive], isPacked: isPacked, in: folder)
    let found = try HarkProgram.run(
      "timeline", path, "--app-log", path, "-Y", "lane == app", "-f", "json")
    let session = Self.captures.appending(path: Self.pklg.file).path
    let journal = Self.captures.appending(path: Self.journal.file).path
    let plain = try HarkProgram.run(
      "timeline", session, "--app-log", journal, "-Y", "lane == app", "-f", "json")
    #expect(found.code == 0)
    let rows = try Self.rows(plain.text)
    #expect(rows.count > 5)
    #expect(try Self.rows(found.text) == rows)
    let archive =
      (isPacked ? "" : "\(path)/".replacing("\(Self.name)/", with: ""))
      + "\(Self.name)/system_logs.logarchive"
    #expect(
      found.stated.contains {
        $0.contains("an Apple log archive, which hark does not read")
          && $0.contains("log show --info --style ndjson --archive \(archive) > log.ndjson")
          && $0.contains("tar -xf") == isPacked
      }, "\(found.stated)")
  }

  /// A sysdiagnose without any log says how to get one.
  @Test func noLog() throws {
    let folder = try TestFolder()
    let path = try Self.make([Self.pklg, Self.archive], isPacked: true, in: folder)
    let found = try HarkProgram.run("findings", path, "--app-log", path)
    #expect(found.code == 1)
    #expect(found.stated.contains { $0.contains("log show --info --style ndjson --archive") })
    #expect(found.stated.contains { $0.contains("no app log that hark recognizes") })
  }

  /// Of a cut archive what precedes is read; the exit code says that it is cut.
  @Test func cut() throws {
    let folder = try TestFolder()
    let path = try Self.make([Self.pklg, Self.journal], isPacked: true, in: folder)
    let whole = try Data(contentsOf: URL(filePath: path))
    try whole[..<(whole.count - 1_500)].write(to: URL(filePath: path))
    let found = try HarkProgram.run("timeline", path)
    #expect(found.code == 2)
    #expect(!found.text.isEmpty)
    #expect(found.stated.contains { $0.contains("truncated") }, "\(found.stated)")
    let log = try HarkProgram.run(
      "timeline", Self.captures.appending(path: Self.pklg.file).path, "--app-log", path)
    #expect(log.stated.contains { $0.contains("truncated") }, "\(log.stated)")
  }

  /// Archives do not grow, and a redacted report needs its logs as files.
  @Test func refused() throws {
    let folder = try TestFolder()
    let path = try Self.make([Self.pklg, Self.journal], isPacked: true, in: folder)
    let live = try HarkProgram.run("live", path, "--app-log", path)
    #expect(live.code == 1 && live.stated.contains { $0.contains("cannot grow") }, "\(live.stated)")
    let out = folder.path("report.html")
    let report = try HarkProgram.run(
      "report", "--redact", Self.captures.appending(path: Self.pklg.file).path, "--app-log", path,
      "-o", out)
    #expect(report.code == 1)
    #expect(report.stated.contains { $0.contains("name the log in it") }, "\(report.stated)")
    #expect(!FileManager.default.fileExists(atPath: out))
  }

  /// A packet log that tar packed as a file with holes is missing, and that is said; in its folder it is read.
  @Test(arguments: [true, false]) func sparse(_ isAlone: Bool) throws {
    let folder = try TestFolder()
    let root = try Self.make(
      isAlone ? [] : [(Self.pklg.file, "logs/Bluetooth/bluetoothd-hci-2026.pklg")], isPacked: false,
      in: folder)
    let log = URL(filePath: root).appending(path: Self.pklg.place)
    try FileManager.default.createDirectory(
      at: log.deletingLastPathComponent(), withIntermediateDirectories: true)
    // A hole of a megabyte in front of a byte.
    try Data().write(to: log)
    let handle = try FileHandle(forWritingTo: log)
    try handle.seek(toOffset: 1 << 20)
    try handle.write(contentsOf: Data([1]))
    try handle.close()
    let path = folder.url.appending(path: "\(Self.name).tar").path
    let made = try OtherProgram.run(
      "/usr/bin/tar", ["-C", folder.url.path, "-cSf", path, Self.name])
    try #require(made.code == 0)
    let found = try HarkProgram.run("info", path)
    #expect(found.code == (isAlone ? 1 : 2))
    #expect(
      found.stated.joined().contains("sparse file") || found.text.contains("sparse file"))
    #expect(isAlone || found.text.contains("195"))
  }

  /// The captures of any other folder are not one: commands that read one capture refuse it.
  @Test(arguments: [
    ["show", "CAPTURES", "1"], ["gatt", "CAPTURES"], ["explain", "CAPTURES"],
    ["report", "CAPTURES", "-f", "md", "-o", "-"], ["diff", "CAPTURES", "CAPTURES"],
    ["streams", "CAPTURES"], ["redact", "CAPTURES", "OUT"], ["convert", "CAPTURES", "OUT"],
  ])
  func aFolderIsNotACapture(_ arguments: [String]) throws {
    let folder = try TestFolder()
    let captures = folder.url.appending(path: "captures")
    try FileManager.default.createDirectory(at: captures, withIntermediateDirectories: true)
    for name in ["pebble-session/pebble-session.pklg", "pebble-faults/pebble-faults.btsnoop"] {
      try FileManager.default.copyItem(
        at: Self.captures.appending(path: name),
        to: captures.appending(path: URL(filePath: name).lastPathComponent))
    }
    let words = arguments.map {
      $0 == "CAPTURES" ? captures.path : $0 == "OUT" ? folder.path("out.pklg") : $0
    }
    let found = try OtherProgram.run(HarkProgram.url.path, words)
    #expect(found.code == 1, "\(found.text)")
    #expect(
      found.stated.contains {
        $0.contains("expected a capture, found a directory; name a file in it")
      }, "\(found.stated)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.pklg")))
  }

  /// The folder with the logs of a sysdiagnose is one capture, also without the rest.
  @Test func onlyItsLogs() throws {
    let folder = try TestFolder()
    let path = try Self.make([Self.pklg], isPacked: false, in: folder) + "/logs/Bluetooth"
    let found = try HarkProgram.run("show", path, "195")
    #expect(found.code == 0, "\(found.stated)")
  }

  /// What is redacted of a sysdiagnose are its packets.
  @Test func redacted() throws {
    let folder = try TestFolder()
    let path = try Self.make([Self.pklg, Self.journal], isPacked: true, in: folder)
    let out = folder.path("shared.pklg")
    let made = try HarkProgram.run("redact", path, out)
    #expect(made.code == 0, "\(made.stated)")
    let session = try Data(contentsOf: Self.captures.appending(path: Self.pklg.file))
    #expect(try folder.bytes("shared.pklg").count == session.count)
  }
}
