import Foundation
import HarkTestSupport
import Testing

/// What a redacted report and a redacted bundle have of secrets in messages that hark does not decode.
@Suite struct ReportLeaksTests {
  /// AAP with names in OPACK, as earbuds and hosts send them to each other: decoded, and cut.
  private static func capture(_ names: [[UInt8]]) -> [UInt8] {
    var capture = MadeCapture()
    // Connection Complete. Core Specification, Vol 4, Part E, 7.7.3
    capture.event(3, [0, 0x40, 0, 1, 2, 3, 4, 5, 6, 1, 0])
    // Connection Request and Response, Configuration of both sides. Vol 3, Part A, 4.2 to 4.5
    capture.l2cap(1, [2, 1, 4, 0, 0x01, 0x10, 0x46, 0], isReceived: false)
    capture.l2cap(1, [3, 1, 8, 0, 0x47, 0, 0x46, 0, 0, 0, 0, 0])
    capture.l2cap(1, [4, 2, 4, 0, 0x47, 0, 0, 0], isReceived: false)
    capture.l2cap(1, [5, 2, 6, 0, 0x46, 0, 0, 0, 0, 0])
    capture.l2cap(1, [4, 3, 4, 0, 0x46, 0, 0, 0])
    capture.l2cap(1, [5, 3, 6, 0, 0x47, 0, 0, 0, 0, 0], isReceived: false)
    let zeros = [UInt8](repeating: 0, count: 8)
    capture.l2cap(0x47, [0, 0, 4, 0, 1, 0, 2, 0] + zeros, isReceived: false)
    for (index, key) in ["btName", "playingApp", "otherDevice"].enumerated() {
      let text = [0x40 + UInt8(names[index].count)] + names[index]
      let word = [0x40 + UInt8(key.utf8.count)] + Array(key.utf8)
      // A map of one pair; of two, the second of which is missing.
      for pairs in [UInt8(1), 2] {
        let map = [0xE0 + pairs] + word + text
        let head: [UInt8] = [4, 0, 4, 0, 0x10, 0, 1, 2, 3, 4, 5, 6]
        capture.l2cap(0x47, head + [UInt8(map.count + 1), 0, 1] + map, isReceived: index == 1)
      }
    }
    return capture.bytes
  }

  private static let unpack = """
    import sys, zipfile
    with zipfile.ZipFile(sys.argv[1]) as z:
        for name in z.namelist():
            sys.stdout.buffer.write(z.read(name))
    """

  @Test(arguments: ["strict", "share"]) func namesInOPACK(_ level: String) throws {
    let folder = try TestFolder()
    var dice = Dice(state: 21)
    let names = (0..<3).map { _ in
      (0..<14).map { _ in
        Array("bcdfghjklmnpqrstvwxz".utf8)[Int.random(in: 0..<20, using: &dice)]
      }
    }
    let capture = folder.path("aap.btsnoop")
    try Data(Self.capture(names)).write(to: URL(filePath: capture))
    func made(_ options: String...) throws -> [UInt8] {
      let path = folder.path(options.contains("--bundle") ? "made.zip" : "made.html")
      let program = HarkProgram.url.path
      let run = try OtherProgram.run(program, ["report", capture] + options + [path])
      try #require(run.code == 0, "\(run.stated)")
      guard options.contains("--bundle") else {
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
      }
      let unpacked = folder.path("unpacked")
      try Data().write(to: URL(filePath: unpacked))
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["python3", "-c", Self.unpack, path]
      process.standardOutput = try FileHandle(forWritingTo: URL(filePath: unpacked))
      try process.run()
      let deadline = ProgramDeadline(process)
      process.waitUntilExit()
      try deadline.check()
      try #require(process.terminationStatus == 0)
      return [UInt8](try Data(contentsOf: URL(filePath: unpacked)))
    }
    for name in names { #expect(try folder.bytes("aap.btsnoop").holds(name)) }
    let report = try made("--redact", "--level", level, "-o")
    let bundle = try made("--level", level, "--bundle")
    #expect(report.holds(Array("<html".utf8)) && bundle.holds(Array("btsnoop".utf8)))
    for name in names {
      for start in 0...(name.count - 6) {
        let part = Array(name[start..<(start + 6)])
        #expect(!report.holds(part) && !bundle.holds(part))
      }
    }
  }

  /// Neither the zone of a capture's clock nor UTC beside its own times is in a redacted report.
  @Test(arguments: ["md", "html", "json"]) func timeZone(_ form: String) throws {
    let folder = try TestFolder()
    func report(_ options: String...) throws -> String {
      let path = folder.path("report.\(form)")
      let run = try OtherProgram.run(
        HarkProgram.url.path,
        ["report", Project.capture("helmet-session/helmet-session.btsnoop"), "-o", path] + options)
      try #require(run.code == 0, "\(run.stated)")
      return try String(contentsOfFile: path, encoding: .utf8)
    }
    func clock(_ text: String) throws -> Substring {
      try #require(text.firstMatch(of: /\d{2}:\d{2}:\d{2}\.\d{3}/)).output
    }
    let zone = ["--time-zone", "Asia/Kathmandu"]
    let own = try report("--redact")
    let shifted = try report(zone[0], zone[1])
    let redacted = try report(zone[0], zone[1], "--redact")
    #expect(shifted.contains("Kathmandu") && (form == "json" || shifted.contains("+05:45")))
    #expect(!redacted.contains("Kathmandu") && !redacted.contains("+05:45"))
    #expect(try clock(redacted) == clock(own) && clock(shifted) != clock(own))
  }

  /// Keys in comments are in no report, redacted or not. PCAP Capture File Format (pcapng), 4.3
  @Test(arguments: ["md", "html", "json"]) func keysInComments(_ form: String) throws {
    let folder = try TestFolder()
    let key = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    var capture = MadeCapture(.pcapng)
    // Connection Complete. Core Specification, Vol 4, Part E, 7.7.3
    capture.event(3, [0, 0x40, 0, 1, 2, 3, 4, 5, 6, 1, 0])
    // HCI_Reset with a comment.
    let comment = Array("the link key: \(key)".utf8)
    #expect(comment.count == 46)
    let lengths: [UInt8] = [8, 0, 0, 0, 8, 0, 0, 0]
    let packet: [UInt8] = [0, 0, 0, 0, 1, 3, 0x0C, 0]
    let options: [UInt8] = [1, 0, 46, 0] + comment + [0, 0] + [0, 0, 0, 0]
    let head: [UInt8] = [6, 0, 0, 0, 96, 0, 0, 0] + [UInt8](repeating: 0, count: 12)
    let block = head + lengths + packet + options + [96, 0, 0, 0]
    #expect(block.count == 96)
    try Data(capture.bytes + block).write(to: URL(filePath: folder.path("keys.pcapng")))
    for isRedacted in [false, true] {
      let path = folder.path("report.\(form)")
      let run = try OtherProgram.run(
        HarkProgram.url.path,
        ["report", folder.path("keys.pcapng"), "-o", path] + (isRedacted ? ["--redact"] : []))
      try #require(run.code == 0, "\(run.stated)")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!text.lowercased().contains(key))
      if !isRedacted { #expect(text.contains("the link key: [key]")) }
    }
  }

  /// What the makers of an app chose is in no report of `strict`, as in logs; Apple's words are, so that the
  /// rules find the same.
  @Test func declarations() throws {
    let folder = try TestFolder()
    let program = HarkProgram.url.path
    func report(_ options: [String]) throws -> (text: String, rules: [String]) {
      let path = folder.path("report.json")
      let arguments = [
        "report", Project.capture("helmet-session/helmet-session.btsnoop"), "--app-info",
        folder.path("Info.plist"), "-o", path,
      ]
      let run = try OtherProgram.run(program, arguments + options)
      try #require(run.code == 0, "\(run.stated)")
      let data = try Data(contentsOf: URL(filePath: path))
      let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      let captures = try #require(json["captures"] as? [[String: Any]])
      let findings = try #require(captures.first?["findings"] as? [[String: Any]])
      let rules = findings.compactMap { $0["rule"] as? String }
      return (String(decoding: data, as: UTF8.self), rules.sorted())
    }
    try Self.plist.write(toFile: folder.path("Info.plist"), atomically: true, encoding: .utf8)
    let (plain, wanted) = try report([])
    let (strict, found) = try report(["--redact"])
    let (share, shared) = try report(["--redact", "--level", "share"])
    #expect(wanted == found && wanted == shared)
    #expect(wanted.contains("app.ea-protocol-missing"))
    for secret in ["Qorvexia", "qorvexia", "Zelmiport", "6B1F3A90"] {
      #expect(plain.contains(secret))
      #expect(!strict.contains(secret))
      #expect(share.contains(secret))
    }
    #expect(plain.contains("Zubrikanda") && !share.contains("Zubrikanda"))
    #expect(!strict.contains("Zubrikanda"))
  }

  private static let plist = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
      <key>CFBundleExecutable</key><string>QorvexiaLink</string>
      <key>CFBundleIdentifier</key><string>com.qorvexia.Zelmiport</string>
      <key>CFBundleName</key><string>Qorvexia Zelmiport</string>
      <key>NSAccessorySetupKitSupports</key><array><string>Bluetooth</string></array>
      <key>NSAccessorySetupBluetoothNames</key><array><string>Zubrikanda</string></array>
      <key>NSAccessorySetupBluetoothServices</key>
      <array><string>6B1F3A90-7C52-4E8D-A1B6-0F93D2C4E587</string></array>
      <key>UISupportedExternalAccessoryProtocols</key>
      <array><string>com.qorvexia.link</string></array>
      <key>UIBackgroundModes</key><array><string>external-accessory</string></array>
    </dict>
    </plist>
    """
}
