import Foundation
import HarkTestSupport
import Testing

/// hark-record in a process of its own, with a pipe as standard input.
final class RecorderProcess: @unchecked Sendable {
  /// It is built into the folder that holds the tests.
  static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "hark-record")

  let process = Process()
  let deadline: ProgramDeadline
  private let input = Pipe()
  private let errors: URL
  /// What it writes with `-w -`, if that is asked for.
  let output: Pipe?
  private var inputIsClosed = false

  init(
    _ arguments: [String], _ folder: TestFolder, hasOutput: Bool = false,
    environment: [String: String] = [:]
  ) throws {
    deadline = ProgramDeadline(process)
    errors = folder.url.appending(path: "errors")
    _ = FileManager.default.createFile(atPath: errors.path(), contents: nil)
    output = hasOutput ? Pipe() : nil
    process.executableURL = Self.program
    process.arguments = arguments
    // These tests may run under sudo, too.
    let callers = ["SUDO_UID", "SUDO_GID", "PKEXEC_UID", "DOAS_USER"]
    let inherited = ProcessInfo.processInfo.environment.filter { !callers.contains($0.key) }
    process.environment = inherited.merging(environment) { $1 }
    process.standardInput = input
    process.standardError = try FileHandle(forWritingTo: errors)
    if let output { process.standardOutput = output }
    try process.run()
    try input.fileHandleForReading.close()
    try output?.fileHandleForWriting.close()
  }

  /// Sends bytes to its standard input; waits as a pipe makes one wait.
  func send(_ bytes: [UInt8]) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(bytes))
  }

  func closeInput() throws {
    guard !inputIsClosed else { return }
    inputIsClosed = true
    try input.fileHandleForWriting.close()
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// What it said so far.
  var stated: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

  /// Waits until something is so, but not forever.
  static func wait(_ what: String, _ condition: () throws -> Bool) throws {
    let end = Date() + Double(ProgramDeadline.seconds)
    while try !condition() {
      try #require(Date() < end, "gave up waiting: \(what)")
      usleep(10_000)
    }
  }

  /// Waits until it has ended; its exit code, or the signal that ended it as a negative number.
  func end() throws -> Int32 {
    process.waitUntilExit()
    try deadline.check()
    return process.terminationReason == .exit
      ? process.terminationStatus : -process.terminationStatus
  }
}

/// btsnoop put together from the format's description, apart from the writer that is tested.
enum Traffic {
  static let epoch: UInt64 = 0x00DC_DDB3_0F2F_8000
  /// 2026-11-19 10:01:02 in microseconds since 1970.
  static let time: UInt64 = 1_795_082_462_000_000

  static func big(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
  }

  static func header(_ datalink: UInt64) -> [UInt8] {
    Array("btsnoop\0".utf8) + big(1, 4) + big(datalink, 4)
  }

  static func record(_ packet: [UInt8], flags: UInt64, drops: UInt64 = 0, time: UInt64) -> [UInt8] {
    big(UInt64(packet.count), 4) + big(UInt64(packet.count), 4) + big(flags, 4) + big(drops, 4)
      + big(time + epoch, 8) + packet
  }

  /// The `number`-th ACL packet of a stream, 60 bytes with its header: the number is in it.
  static func h4(_ number: Int) -> [UInt8] {
    var packet: [UInt8] = [2, 0x40, 0x20, 31, 0]
    packet += big(UInt64(number), 8) + [UInt8](repeating: UInt8(number & 0xFF), count: 23)
    return record(packet, flags: 1, time: time + UInt64(number))
  }

  static func h4(_ range: Range<Int>) -> [UInt8] { range.flatMap(h4) }

  static let h4Count = 60

  /// The whole file with the first `count` packets.
  static func h4File(_ count: Int) -> [UInt8] { header(1002) + h4(0..<count) }
}
