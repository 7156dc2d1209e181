import Foundation
import HarkTestSupport
import Testing

/// The script of the GitHub Action, with a release made of the program as it is built.
@Suite struct CheckCapturesTests {
  private static let faults = Project.root.appending(path: "captures/pebble-faults").path()

  private let folder: TestFolder
  private let checksum: String

  init() throws {
    folder = try TestFolder()
    let script = """
      set -e
      cd "$1"
      name=hark-1.2.3-linux-$(uname -m)
      mkdir -p "$name/bin" v1.2.3
      printf '#!/bin/sh\\nexec "%s" "$@"\\n' "$2" >"$name/bin/hark"
      chmod +x "$name/bin/hark"
      tar -czf "v1.2.3/$name.tar.gz" "$name"
      sha256sum <"v1.2.3/$name.tar.gz" | cut -d' ' -f1
      """
    let made = try OtherProgram.run(
      "/bin/sh", ["-c", script, "sh", folder.url.path, HarkProgram.url.path])
    #expect(made.code == 0, "\(made.stated)")
    checksum = made.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func check(_ variables: [String: String]) throws -> (
    text: String, stated: [String], code: Int32
  ) {
    let given = [
      "HARK_VERSION": "1.2.3", "HARK_SHA256": checksum,
      "HARK_RELEASES": "file://\(folder.url.path)", "HARK_CAPTURES": Self.faults,
    ].merging(variables) { $1 }
    let tool = Project.root.appending(path: "Tools/check-captures").path()
    return try OtherProgram.run(
      "/usr/bin/env", given.map { "\($0)=\($1)" } + ["bash", tool])
  }

  /// Two captures of one session, in which an IV is used twice and a message does not decrypt: see its truth.json.
  @Test func findings() throws {
    let keys = Self.faults + "/accessory.harkkeys"
    let (junit, sarif) = (folder.path("new/hark.xml"), folder.path("hark.sarif"))
    let output = folder.path("output")
    let run = try check([
      "HARK_ARGUMENTS": "\n--keys=\(keys)\r\n", "GITHUB_OUTPUT": output,
      "HARK_REPORTS": "junit \(junit)\r\n\nsarif \(sarif)\n",
    ])
    #expect(run.code == 3 && run.text.contains("keys.nonce-reuse"), "\(run.stated)")
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "exit-code=3\n")
    let suites = try String(contentsOfFile: junit, encoding: .utf8)
      .components(separatedBy: "<testsuite ")
    #expect(suites.count == 3)
    let object = try JSONSerialization.jsonObject(with: Data(folder.bytes("hark.sarif")))
    #expect((object as? [String: Any])?["version"] as? String == "2.1.0")
  }

  @Test func expectations() throws {
    let file = folder.path("nightly.yaml")
    let yaml = "expectations:\n  - name: It connects\n    event: lane == link\n"
    try Data(yaml.utf8).write(to: URL(filePath: file))
    let run = try check(["HARK_EXPECTATIONS": file])
    #expect(run.code == 0, "\(run.stated)")
  }

  /// The name of a release's tag begins with v.
  @Test func versionOfTag() throws {
    #expect(try check(["HARK_VERSION": "v1.2.3", "HARK_FAIL_ON": "never"]).code == 0)
  }

  @Test func neverFails() throws {
    #expect(try check(["HARK_FAIL_ON": "warning"]).code == 3)
    #expect(try check(["HARK_FAIL_ON": "never"]).code == 0)
  }

  /// Nothing runs that is not what was named.
  @Test(arguments: [
    ("HARK_SHA256", String(repeating: "0", count: 64), 1, "does not have the expected SHA-256"),
    ("HARK_VERSION", "1.2.4", 1, "cannot download"),
    ("HARK_RELEASES", "http://127.0.0.1:9", 1, "cannot download"),
    ("HARK_VERSION", "../1.2.3", 64, "not a version"), ("HARK_SHA256", "", 64, "not set"),
    ("HARK_CAPTURES", "", 64, "not set"), ("HARK_FAIL_ON", "maybe", 64, "HARK_FAIL_ON"),
    ("HARK_CAPTURES", "/nowhere", 1, "/nowhere"), ("HARK_REPORTS", "junit", 64, "HARK_REPORTS"),
  ]) func refusals(_ name: String, _ value: String, _ code: Int32, _ stated: String) throws {
    let run = try check([name: value])
    #expect(run.code == code && run.stated.contains { $0.contains(stated) }, "\(run)")
  }

  /// The action passes each of its inputs on, and none as text of a command.
  @Test func action() throws {
    let text = try String(
      contentsOf: Project.root.appending(path: "action.yml"), encoding: .utf8)
    let script = try String(
      contentsOf: Project.root.appending(path: "Tools/check-captures"), encoding: .utf8)
    for line in text.split(separator: "\n") where line.contains("HARK_") {
      let name = line.trimmingCharacters(in: .whitespaces).prefix { $0 != ":" && $0 != " " }
      if name.hasPrefix("HARK_"), name != "HARK_ACTION" {
        #expect(script.contains(name), "\(name)")
      }
    }
    let command = try #require(text.split(separator: "\n").last { $0.contains("run:") })
    #expect(!command.contains("${{"))
  }
}
