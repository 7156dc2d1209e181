import Foundation
import HarkCapture
import HarkTestSupport
import Testing

@Suite struct ZipTests {
  /// Python's own module and unzip read what is written.
  @Test func archive() throws {
    var zip = ZipWriter()
    let long = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
    try zip.add("report.md", Array("# What\n".utf8))
    try zip.add("empty.json", [])
    try zip.add("captures/größer.pklg", long)
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).zip")
    try Data(zip.finished()).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let script = """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[1]) as z:
          assert z.testzip() is None
          assert z.namelist() == ["report.md", "empty.json", "captures/größer.pklg"], z.namelist()
          assert z.read("report.md") == b"# What\\n" and z.read("empty.json") == b""
          print(len(z.read("captures/größer.pklg")), sum(z.read("captures/größer.pklg")))
      """
    let sum = long.reduce(0) { $0 + Int($1) }
    #expect(try run("python3", ["-c", script, file.path()]) == "\(long.count) \(sum)\n")
    if FileManager.default.isExecutableFile(atPath: "/usr/bin/unzip") {
      #expect(try run("unzip", ["-tqq", file.path()]) == "")
    }
  }

  private func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardOutput = pipe
    try process.run()
    let deadline = ProgramDeadline(process)
    let output = try deadline.readToEnd(pipe)
    process.waitUntilExit()
    try deadline.check()
    try #require(process.terminationStatus == 0)
    return String(decoding: output, as: UTF8.self)
  }
}
