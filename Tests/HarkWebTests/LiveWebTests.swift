import Foundation
import HarkTestSupport
import Testing

/// `hark live --web` with the app's side and with session keys that come while the capture does: the page, its
/// filters and its packets have what `hark live` tells.
@Suite struct LiveWebTests {
  private static let folder = Project.captures.appending(path: "pebble-rekey")

  private struct Keys: Decodable {
    struct Key: Codable {
      let direction: String
      let sessionID: String
      let key: String
    }
    let sessionKeys: [Key]
  }

  /// A journal whose clock is the capture's.
  private static let journal = """
    {"journal":"hark","version":1,"process":"AcmeTransport","extension_point":"com.apple.accessory-transport-extension"}
    {"time":"TIME","event":"session-requested"}
    {"time":"TIME","event":"session-accepted"}

    """

  private struct Page {
    let port: UInt16
    let path: String

    init(_ address: String) throws {
      let parts = try #require(URLComponents(string: address))
      (port, path) = (try UInt16(#require(parts.port)), parts.path)
    }

    func ask(_ name: String) -> String {
      let client = Client(port)
      client.send("GET \(path)\(name) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
      return client.answer()?.body ?? ""
    }

    /// Asks until the answer has all texts; gives the last answer.
    func wait(_ name: String, for texts: String...) -> String {
      var answer = ""
      for _ in 0..<600 {
        answer = ask(name)
        if texts.allSatisfy({ answer.contains($0) }) { return answer }
        usleep(100_000)
      }
      return answer
    }
  }

  private static func append(_ text: Data, to file: URL) throws {
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    try handle.write(contentsOf: text)
    try handle.close()
  }

  @Test func grows() throws {
    let keys = try JSONDecoder().decode(
      Keys.self, from: Data(contentsOf: Self.folder.appending(path: "session.harkkeys")))
    let lines = try keys.sessionKeys.map { try JSONEncoder().encode($0) + Data("\n".utf8) }
    let bytes = try Data(contentsOf: Self.folder.appending(path: "pebble-rekey.btsnoop"))
    let folder = try TestFolder()
    let capture = folder.url.appending(path: "growing.btsnoop")
    let keyLog = folder.url.appending(path: "keys.ndjson")
    let appLog = folder.url.appending(path: "journal.ndjson")
    // A whole record ends there: the rest of another would be waited for.
    var half = 16
    while half < bytes.count / 2 {
      half += 24 + bytes[(half + 4)..<(half + 8)].reduce(0) { $0 << 8 | Int($1) }
    }
    try bytes.prefix(half).write(to: capture)
    try (lines[0] + lines[1]).write(to: keyLog)
    try Data().write(to: appLog)

    let process = Process()
    let output = Pipe()
    let deadline = ProgramDeadline(process)
    process.executableURL = HarkProgram.url
    process.arguments = [
      "live", capture.path, "--web", "--app-log", appLog.path, "--app-clock-offset", "0",
      "--key-log", keyLog.path,
    ]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let address = try String(decoding: deadline.read(output), as: UTF8.self)
    let page = try Page(address.trimmingCharacters(in: .whitespacesAndNewlines))

    // The log grows while no packet comes; its lines carry the time of the last packet.
    let first = page.wait("rows?count=500", for: "\"rows\":[{")
    let time = try #require(first.matches(of: /"time":"([^"]+)"/).last?.1)
    try Self.append(
      Data(Self.journal.replacing("TIME", with: "\(time)Z").utf8), to: appLog)
    let filtered = page.wait("rows?filter=lane%20==%20app", for: "session-accepted")
    #expect(filtered.contains("session-requested") && filtered.contains("session-accepted"))

    // Keys and packets come.
    try Self.append(lines[2] + lines[3], to: keyLog)
    usleep(300_000)
    try Self.append(bytes.suffix(from: half), to: capture)
    let all = page.wait("rows?count=500", for: "link-closed")
    let opened = page.wait(
      "rows?count=500&filter=lane%20==%20notify", for: "wx-1", "tram-12",
      "Next one in 3 minutes.")
    // The page and a session that is given the same again see the same.
    func titles(_ text: String) -> [String] {
      text.matches(of: /"title":"([^"]+)"/).map { String($0.1) }
    }
    #expect(titles(opened) == titles(all))
    #expect(titles(all) == ["Good morning", "Tram 12", "Tram 12"])
    let packet = try #require(opened.firstMatch(of: /"frames":\[(\d+)/)?.1)
    #expect(page.ask("packet?number=\(packet)").contains(try #require(titles(all).first)))
    for key in keys.sessionKeys { #expect(!all.contains(key.key)) }
    process.interrupt()
    process.waitUntilExit()
    try deadline.check()
  }

  /// The key log is a FIFO. Each line comes in two parts: one while no packet comes, the other as packets come.
  @Test func aKeyLogInParts() throws {
    let keys = try JSONDecoder().decode(
      Keys.self, from: Data(contentsOf: Self.folder.appending(path: "session.harkkeys")))
    let bytes = try Data(contentsOf: Self.folder.appending(path: "pebble-rekey.btsnoop"))
    var records: [Data] = []
    var place = 16
    while place < bytes.count {
      let size = 24 + bytes[(place + 4)..<(place + 8)].reduce(0) { $0 << 8 | Int($1) }
      records.append(bytes[place..<(place + size)])
      place += size
    }
    let folder = try TestFolder()
    func fifo(_ name: String) throws -> FileHandle {
      try #require(mkfifo(folder.path(name), 0o600) == 0)
      // For reading, too, or it would wait for a reader.
      let descriptor = open(folder.path(name), O_RDWR | O_CLOEXEC)
      try #require(descriptor >= 0)
      return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
    let (capture, keyLog) = (try fifo("capture"), try fifo("keys"))
    try capture.write(contentsOf: bytes.prefix(16) + records[0])

    let process = Process()
    let output = Pipe()
    let deadline = ProgramDeadline(process)
    process.executableURL = HarkProgram.url
    process.arguments = [
      "live", folder.path("capture"), "--web", "--key-log", folder.path("keys"),
    ]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let address = try String(decoding: deadline.read(output), as: UTF8.self)
    let page = try Page(address.trimmingCharacters(in: .whitespacesAndNewlines))
    let count = keys.sessionKeys.count
    for (index, key) in keys.sessionKeys.enumerated() {
      let line = try JSONEncoder().encode(key) + Data("\n".utf8)
      try keyLog.write(contentsOf: line.prefix(line.count / 2))
      // It is read meanwhile.
      usleep(400_000)
      let part = records[
        (1 + index * (records.count - 1) / count)..<(1 + (index + 1) * (records.count - 1) / count)]
      try capture.write(contentsOf: part.reduce(Data(), +))
      try keyLog.write(contentsOf: line.suffix(from: line.count / 2))
    }
    let all = page.wait(
      "rows?count=500", for: "link-closed", "wx-1", "tram-12", "Next one in 3 minutes.")
    let titles = all.matches(of: /"title":"([^"]+)"/).map { String($0.1) }
    #expect(titles.sorted() == ["Good morning", "Tram 12", "Tram 12"])
    #expect(!all.contains("\"reason\":\"unknown-session\""))
    process.interrupt()
    process.waitUntilExit()
    try deadline.check()
  }
}
