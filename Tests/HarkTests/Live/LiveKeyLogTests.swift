import Foundation
import HarkTestSupport
import Testing

/// `hark live --key-log`: session keys that come while the capture does. The keys are those that the sample's
/// generator exported from its HPKE contexts.
@Suite struct LiveKeyLogTests {
  private static let folder = Project.captures.appending(path: "pebble-rekey")
  private static let capture = folder.appending(path: "pebble-rekey.btsnoop")

  private struct Keys: Decodable {
    struct Key: Decodable {
      let direction: String
      let sessionID: String
      let key: String
    }
    let sessionKeys: [Key]
  }

  private static func keys() throws -> [Keys.Key] {
    try JSONDecoder().decode(
      Keys.self, from: Data(contentsOf: folder.appending(path: "session.harkkeys"))
    ).sessionKeys
  }

  private static func lines(_ keys: some Sequence<Keys.Key>) -> Data {
    Data(
      keys.map {
        #"{"direction":"\#($0.direction)","sessionID":"\#($0.sessionID)","key":"\#($0.key)"}"#
          + "\n"
      }.joined().utf8)
  }

  /// What is reported for messages, without times.
  private static func reported(_ lines: [String]) -> [String] {
    lines.compactMap { line in
      [" notification ", " reply "].compactMap { line.firstRange(of: $0) }.first
        .map { String(line[$0.lowerBound...]) }
    }
  }

  /// More keys come while the capture does; all open what `hark timeline` opens with them.
  @Test func grows() throws {
    let keys = try Self.keys()
    try #require(keys.count == 4)
    let expected = Self.reported(
      try HarkProgram.timeline(
        Self.capture.path, "--width", "0", "--keys",
        Self.folder.appending(path: "session.harkkeys").path))
    try #require(expected.count > 3)
    let folder = try TestFolder()
    let log = folder.url.appending(path: "keys.ndjson")
    try (Self.lines(keys.prefix(2)) + Data("no key\n".utf8)).write(to: log)
    let (header, records) = LiveTests.records(try Data(contentsOf: Self.capture))
    let live = try LiveTests.Running(["live", "-", "--width", "0", "--key-log", log.path])
    let writer = live.input.fileHandleForWriting
    // Up to the first exchange: no message was sent yet.
    let change = 170
    try writer.write(contentsOf: header + records.prefix(change).reduce(Data(), +))
    var output = try live.read(until: "key generation 1 begins")
    let handle = try FileHandle(forWritingTo: log)
    try handle.seekToEnd()
    try handle.write(contentsOf: Self.lines(keys.dropFirst(2)))
    try handle.close()
    try writer.write(contentsOf: records.dropFirst(change).reduce(Data(), +))
    try writer.close()
    let (rest, errors, status) = try live.end()
    output += rest.split(separator: "\n").map(String.init)
    #expect(status == 0)
    #expect(Self.reported(output) == expected)
    #expect(errors.contains("keys.ndjson: line 3: not JSON"), "\(errors)")
    for key in keys { #expect(!output.joined().contains(key.key) && !errors.contains(key.key)) }
  }

  /// The key file gets its key when messages have passed: they are shown then, and those behind them at once. The file is
  /// replaced, as `hark keys` and editors do, or written to.
  @Test(arguments: [true, false]) func keyFileChanges(isReplaced: Bool) throws {
    let folder = try TestFolder()
    let file = folder.url.appending(path: "acme.harkkeys")
    try Data(#"{"format":"hark-keys","version":1,"test":true}"#.utf8).write(to: file)
    let expected = Self.reported(
      try HarkProgram.timeline(
        LiveTests.capture.path, "--width", "0", "--keys", LiveTests.keys.path))
    try #require(expected.count > 3 && !expected.joined().contains("encrypted message"))
    let (header, records) = LiveTests.records(try Data(contentsOf: LiveTests.capture))
    let live = try LiveTests.Running(["live", "-", "--width", "0", "--keys", file.path])
    let writer = live.input.fileHandleForWriting
    // Behind the first message, which is in packets 154 and 155, and what shows that it is whole.
    let locked = 160
    try writer.write(contentsOf: header + records.prefix(locked).reduce(Data(), +))
    var output = try live.read(until: "is missing; add it to a key file")
    let keys = try Data(contentsOf: LiveTests.keys)
    if isReplaced {
      let other = folder.url.appending(path: "other")
      try keys.write(to: other)
      try #require(rename(other.path, file.path) == 0)
    } else {
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: keys)
      try handle.close()
    }
    // Nothing comes meanwhile.
    output += try live.read(until: expected[0].prefix(30).description)
    try writer.write(contentsOf: records.dropFirst(locked).reduce(Data(), +))
    try writer.close()
    let (rest, errors, status) = try live.end()
    output += rest.split(separator: "\n").map(String.init)
    #expect(status == 0)
    let reported = Self.reported(output).filter {
      !$0.contains("is missing; add it to a key file")
    }
    .map { $0.replacing(/; (ended )?[0-9.]+ m?s earlier/, with: "") }
    #expect(reported == expected, "\(reported)")
    #expect(errors.contains("acme.harkkeys: read again, 1 key"), "\(errors)")
  }

  /// Over the air, an LTK that comes when all packets were read decrypts them, too; nothing is shown twice.
  @Test func anLTKComesLate() throws {
    let (capture, link) = (
      Project.capture("pebble-air/pebble-air.pcap"), Project.capture("pebble-air/link.harkkeys")
    )
    let folder = try TestFolder()
    let file = folder.url.appending(path: "air.harkkeys")
    try Data(#"{"format":"hark-keys","version":1,"test":true}"#.utf8).write(to: file)
    let locked = try HarkProgram.timeline(capture, "--width", "0")
    let opened = try HarkProgram.timeline(capture, "--width", "0", "--keys", link)
    let new = opened.filter { !locked.contains($0) }
    try #require(new.count > 10)
    let live = try LiveTests.Running(["live", "-", "--width", "0", "--keys", file.path])
    let writer = live.input.fileHandleForWriting
    try writer.write(contentsOf: Data(contentsOf: URL(filePath: capture)))
    var output = try live.read(until: "not decrypted")
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(contentsOf: URL(filePath: link)))
    try handle.close()
    output += try live.read(until: "link decrypted from here on")
    // The last of what it opens.
    if !output.contains(try #require(new.last)) {
      output += try live.read(until: try #require(new.last))
    }
    try writer.close()
    let (rest, errors, status) = try live.end()
    output += rest.split(separator: "\n").map(String.init)
    #expect(status == 0 && errors.contains("air.harkkeys: read again, 1 key"), "\(errors)")
    let lost = new.filter { !output.contains($0) }
    #expect(lost.isEmpty, "\(lost)")
    let twice = Dictionary(grouping: output, by: { $0 }).filter { line, all in
      all.count > max(1, locked.filter { $0 == line }.count, opened.filter { $0 == line }.count)
    }
    #expect(twice.isEmpty, "\(twice.keys)")
  }

  @Test func noFile() throws {
    let found = try HarkProgram.run("live", Self.capture.path, "--key-log", "/no/such/keys")
    #expect(found.code == 1)
    #expect(found.stated.contains { $0.contains("/no/such/keys: cannot open") })
  }
}
