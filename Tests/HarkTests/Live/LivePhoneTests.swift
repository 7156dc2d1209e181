import Foundation
import HarkTestSupport
import Testing

/// `hark live phone` with stand-ins for the programs that read phones: shell scripts in a folder of their own, the
/// only one on PATH.
@Suite struct LivePhoneTests {
  private static let capture = Project.capture("lens-session/lens-session.btsnoop")

  /// Runs it with these programs.
  private static func run(
    _ programs: [String: String], _ arguments: String...
  ) throws -> (text: String, stated: [String], code: Int32) {
    let folder = try TestFolder()
    for (name, script) in programs {
      let path = folder.path(name)
      try ("#!/bin/sh\n" + script + "\n").write(toFile: path, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    return try OtherProgram.run(
      "/usr/bin/env",
      ["PATH=" + folder.path(""), HarkProgram.url.path, "live", "phone"] + arguments)
  }

  /// Writes the capture if it was given these arguments.
  private static func writer(_ arguments: String) -> String {
    "[ \"$*\" = '\(arguments)' ] || exit 64\nexec /bin/cat '\(capture)'"
  }

  @Test(arguments: [
    (["idevicebtlogger": "-f packetlogger -"], "idevicebtlogger"),
    (["pymobiledevice3": "btlogger live -"], "pymobiledevice3"),
    (
      ["idevicebtlogger": "-f packetlogger -", "pymobiledevice3": "btlogger live -"],
      "idevicebtlogger"
    ),
  ])
  func iPhone(_ programs: [String: String], _ used: String) throws {
    let (text, stated, code) = try Self.run(programs.mapValues(Self.writer))
    #expect(code == 0, "\(stated)")
    #expect(stated.contains { $0.contains("reading from \(used)") }, "\(stated)")
    #expect(stated.contains { $0.contains("258 packets") }, "\(stated)")
    #expect(text.contains("Acme Lens 7C"), "\(text)")
  }

  /// adb is there, and no Android phone is.
  @Test func iPhoneBesideADB() throws {
    let (text, stated, code) = try Self.run([
      "adb": "echo 'error: no devices/emulators found' >&2; exit 1",
      "pymobiledevice3": Self.writer("btlogger live -"),
    ])
    #expect(code == 0, "\(stated)")
    #expect(text.contains("Acme Lens 7C"), "\(text)")
  }

  /// What is missing is named, with what to install.
  @Test func nothing() throws {
    let (_, stated, code) = try Self.run([:])
    #expect(code == 1)
    #expect(stated.contains { $0.contains("no program that reads a phone's packets is installed") })
    #expect(stated.contains { $0.contains("pipx install pymobiledevice3") })
    let (_, alone, failed) = try Self.run([
      "adb": "echo 'error: no devices/emulators found' >&2; exit 1"
    ])
    #expect(failed == 1)
    #expect(
      alone.contains { $0.contains("adb finds no phone: error: no devices/emulators found") },
      "\(alone)")
  }

  /// The program fails: its own words, and no capture.
  @Test func failing() throws {
    let (text, stated, code) = try Self.run([
      "idevicebtlogger": "echo 'No device found!' >&2; exit 255"
    ])
    #expect(code == 1)
    #expect(text.isEmpty)
    #expect(stated.contains("No device found!"), "\(stated)")
  }

  /// adb forwards the port, and hark connects to it: here no one listens, or somebody else.
  @Test func android() throws {
    let folder = try TestFolder()
    let log = folder.path("calls")
    let (_, stated, code) = try Self.run([
      "adb": """
      echo "$*" >> '\(log)'
      case "$1" in get-state) echo device;; forward) echo 'cannot bind' >&2; exit 1;; esac
      """
    ])
    #expect(code == 1)
    #expect(stated.contains { $0.contains("adb forward failed: cannot bind") }, "\(stated)")
    #expect(
      try String(contentsOfFile: log, encoding: .utf8)
        == "get-state\nforward tcp:8872 tcp:8872\n")
  }
}
