import Foundation
import HarkTestSupport
import Testing

/// The page in a real browser, headless.
@Suite struct BrowserTests {
  static func run(_ arguments: [String]) throws -> (output: String, status: Int32) {
    let process = Process()
    // Debian's own: the first on the PATH may lack websocket-client.
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let deadline = ProgramDeadline(process)
    let text = try String(decoding: deadline.readToEnd(output), as: UTF8.self)
    process.waitUntilExit()
    try deadline.check()
    return (text, process.terminationStatus)
  }

  static let hasBrowser =
    (try? run([
      "-c",
      """
      import shutil, sys, websocket
      sys.exit(not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
      """,
    ]).status == 0) ?? false

  @Test(
    .enabled(if: hasBrowser, "needs Chromium and python3-websocket: Tools/setup test"),
    .timeLimit(.minutes(3)), arguments: ["reading", "working", "captures"])
  func page(_ part: String) throws {
    let script = Project.tests.appending(path: "HarkWebTests/browser.py").path()
    let (output, status) = try Self.run([script, HarkProgram.url.path(), "--part", part])
    #expect(status == 0, "\(output)")
  }
}
