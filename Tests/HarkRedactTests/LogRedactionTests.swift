import Foundation
import HarkCapture
import HarkCore
import HarkTestSupport
import Testing

@testable import HarkRedact

/// Logs of the app's side, alone and beside a capture.
@Suite struct LogRedactionTests {
  private static let logs = [
    "pebble-log.ndjson", "pebble-journal.ndjson", "aria-syslog.json", "iap2-syslog.txt",
    "activities-journal.ndjson",
  ]

  private func redact(
    _ text: String, _ level: RedactionLevel = .share, map: RedactionMap = RedactionMap()
  ) throws -> (text: String, map: RedactionMap) {
    let log = CaptureBytes(Array(text.utf8), name: "log")
    let redacted = try Redaction(level: level, map: map).redact(log: log)
    #expect(redacted.bytes.count == log.bytes.count)
    return (String(decoding: redacted.bytes, as: UTF8.self), redacted.map)
  }

  @Test(arguments: logs, RedactionLevel.allCases)
  func samples(_ name: String, _ level: RedactionLevel) throws {
    let log = try Samples.read("app-side/\(name)")
    let redacted = try Redaction(level: level, map: RedactionMap()).redact(log: log)
    #expect(redacted.bytes.count == log.bytes.count)
    #expect(redacted.list.entries ?? 0 > 0)
    for secret in [
      "E2:4F:2A:22:22:22", "F47F6DB4-24D5-596D-93BC-29DA89054161", "Acme Watch 4F2A",
      "C0:DE:00:00:00:02", "Pizza",
    ] {
      #expect(!redacted.bytes.holds(Array(secret.utf8)))
    }
    // Every line that was JSON is so still.
    let lines = [log.bytes, redacted.bytes].map { $0.split(separator: 0x0A).map { Data($0) } }
    for (line, twin) in zip(lines[0], lines[1])
    where (try? JSONSerialization.jsonObject(with: line)) != nil {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: twin) }
    }
  }

  /// The same becomes the same in a capture and in the logs beside it.
  @Test func besideCapture() throws {
    let capture = try Samples.read("pebble-session/pebble-session.btsnoop")
    let log = try Samples.read("app-side/pebble-log.ndjson")
    let redacted = try Redaction(level: .share, map: RedactionMap(), framings: .known)
      .redact(capture, logs: [log])
    let address = PersonalValue(kind: .address, bytes: [0xE2, 0x4F, 0x2A, 0x22, 0x22, 0x22])
    let new = try #require(redacted.map.values[address])
    let digits = new.map { String(format: "%02X", $0) }.joined(separator: ":")
    #expect(redacted.logs.first?.bytes.holds(Array(digits.utf8)) == true)
    #expect(redacted.bytes.holds(Array(new.reversed())))
    let name = PersonalValue(kind: .name, bytes: Array("Acme Watch 4F2A".utf8))
    let called = try #require(redacted.map.values[name])
    #expect(redacted.logs.first?.bytes.holds(called) == true && redacted.bytes.holds(called))
  }

  /// The kernel names a program that wrote lines, too, and may cut its name short: it stays the same program.
  @Test(arguments: ["AcmeRelay", "AcmeWatchCompanion"], RedactionLevel.allCases)
  func killed(_ name: String, _ level: RedactionLevel) throws {
    let text = try redact(
      """
      Nov 20 18:05:02.000000 iPhone \(name)(\(name))[1900] <Notice>: session request accepted
      Nov 20 18:05:03.000000 iPhone kernel()[0] <Notice>: memorystatus: killing_specific_process \
      pid 1900 [\(name.prefix(16))] (per-process-limit 100 - 3s) 100000KB

      """, level
    ).text
    #expect(text.contains("Acme") == (level == .share))
    #expect(text.contains(" pid 1900 ["))
    let lines = text.split(separator: "\n")
    let first = try #require(lines.first?.split(separator: " ").dropFirst(4).first)
    let cut = try #require(lines.last?.split(separator: "[").last?.prefix { $0 != "]" })
    #expect(first.hasPrefix(cut) && cut.count == min(name.count, 16))
  }

  @Test(arguments: RedactionLevel.allCases) func coordinates(_ level: RedactionLevel) throws {
    let line =
      "Nov 14 22:13:21 mac bluetoothd[312]: lat=52.51, lon: -13.37 of 48 at -61 dBm, at 59.33, 18.06\n"
    let text = try redact(line, level).text
    #expect(
      !text.contains("52.51") && !text.contains("13.37") && !text.contains("59.33"), "\(text)")
    #expect(text.contains(" 48 ") && text.contains("-61"), "\(text)")
  }

  /// As many identifiers in a row as fit into a long line.
  @Test func identifiersInARow() throws {
    let count = 8_000
    let message = String(repeating: "com.apple.", count: count) + "acme"
    let text = try redact(line.replacing("MESSAGE", with: message)).text
    #expect(text.contains(String(repeating: "com.apple.", count: count)))
  }

  private let line = """
    {"timestamp": "2026-11-20 17:41:00.045117+0100", "subsystem": "com.apple.bluetooth", \
    "processImagePath": "/usr/sbin/bluetoothd", "eventMessage": "MESSAGE", "processID": 91}

    """

  /// What a user is called, in a path whose letters are written by their numbers.
  @Test(arguments: RedactionLevel.allCases) func escapedPaths(_ level: RedactionLevel) throws {
    let text = try redact(
      line.replacing(
        "/usr/sbin/bluetoothd", with: #"/Users/\u0438\u0432\u0430\u043d/Acme.app/Acme"#), level
    ).text
    #expect(text.contains("/Users/") && text.contains("/Acme.app/Acme") == (level == .share))
    for secret in ["0438", "0432", "0430", "043d"] { #expect(!text.contains("\\u" + secret)) }
  }

  /// Everything that is not known to be a word of programs is replaced.
  @Test(arguments: RedactionLevel.allCases) func freeText(_ level: RedactionLevel) throws {
    let text = try redact(
      line.replacing(
        "MESSAGE",
        with: #"Rejecting connection from Ottilie's \"Würfel\" at caf\u00e9 4711, code 12"#), level
    ).text
    #expect(text.contains("Rejecting connection"))
    for secret in ["Ottilie", "Würfel", "caf", "\\u00e9", "4711"] {
      #expect(!text.contains(secret))
    }
    #expect(text.contains(" from ") == (level == .share))
    #expect(
      text.contains("\"subsystem\": \"com.apple.bluetooth\"")
        && text.contains(", \"processID\": 91}"))
  }

  /// However an address, a telephone number or a key is written.
  @Test(
    arguments: [
      ("peer 3c.5a.b4.91.e7.20", ["3c.5a.b4", "91.e7.20"]),
      ("peer 3c5a.b491.e720", ["3c5a.b4", "b491.e7"]),
      ("peer 3C-5a-B4-91-e7-20", ["5a-B4-91", "91-e7-20"]),
      ("uint8_t a[6] = {0x3c,0x5a,0xb4,0x91,0xe7,0x20};", ["0x5a,0xb4", "0x91,0xe7"]),
      ("bytes [60, 90, 180, 145, 231, 32]", ["90, 180", "145, 231"]),
      ("call from (398) 825-61036", ["398) 825", "825-61036"]),
      ("call from 0160 555 017 21", ["0160 555", "017 21"]),
      ("call from 030/398/825", ["398/825"]), ("call from 4915550172", ["49155", "50172"]),
      ("LTK 8f3a22d1 90b4c7e6", ["8f3a22", "90b4c7"]),
    ], RedactionLevel.allCases)
  func spellings(_ spelling: (message: String, gone: [String]), _ level: RedactionLevel) throws {
    let text = try redact(line.replacing("MESSAGE", with: spelling.message), level).text
    for part in spelling.gone { #expect(!text.contains(part), "\(part) in \(text)") }
  }

  /// Octets, one by one, in arrays of an object; words of memory; and numbers in what Apple's names begin.
  @Test(arguments: RedactionLevel.allCases) func arrays(_ level: RedactionLevel) throws {
    let members =
      #""Qwzrk": [60,90,180,51,66,97], "Zq": [10, 20, 30, 40], "Kz": ["0x0011","0x2233","0x4455"]"#
    let text = try redact(
      line.replacing("\"processID\": 91", with: "\"processID\": 91, \(members)").replacing(
        "MESSAGE",
        with: "key 0x0011 0x2233 0x4455 0x6677 com.apple.15123456789 com.apple.home.3c5ab4334261"),
      level
    ).text
    for gone in [
      "60,90", "180,51", "66,97", "10, 20", "30, 40", "0x0011", "0x2233", "0x6677", "15123456789",
      "3c5ab4334261",
    ] { #expect(!text.contains(gone), "\(gone) in \(text)") }
    #expect(text.contains("com.apple.") && text.contains("\"processID\": 91"))
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(object?.values.compactMap { $0 as? [Int] }.map(\.count).sorted() == [4, 6])
  }

  /// Of identifiers that start with `com.apple.`, the parts stay that Apple uses: an app may name a service or a device
  /// after a person.
  @Test(arguments: RedactionLevel.allCases) func identifiers(_ level: RedactionLevel) throws {
    let kept = [
      "com.apple.MobileSMS", "com.apple.mobilesafari", "com.apple.WiFiInfrastructure",
      "com.apple.developer.accessory-transport-extension", "com.apple.accessory-data-provider",
      "com.apple.server.bluetooth.le.att.xpc", "com.apple.widgetkit-extension",
    ]
    let gone = [
      "com.apple.Mara.Lindqvist", "com.apple.home.maralindqvist-wiesn", "com.apple.HomeOttilie2",
      "com.apple.Zoë",
    ]
    let message = (kept + gone).joined(separator: ", ")
    let text = try redact(line.replacing("MESSAGE", with: message), level).text
    for identifier in kept { #expect(text.contains(identifier + ","), "\(identifier) in \(text)") }
    #expect(text.contains("com.apple.home.") && text.contains("com.apple.Home"))
    for name in ["Mara", "Lindqvist", "lindqvist", "wiesn", "Ottilie", "Zoë"] {
      #expect(!text.contains(name), "\(name) in \(text)")
    }
    let system = try redact(
      line.replacing("com.apple.bluetooth", with: "com.apple.Ottilie.bluetooth"), .strict
    ).text
    #expect(!system.contains("Ottilie") && system.contains(".bluetooth\""))
  }

  /// With `strict` names of programs stay where hark knows them; so do names of members. Numbers of members
  /// that are unknown go at either level.
  @Test(arguments: RedactionLevel.allCases) func labels(_ level: RedactionLevel) throws {
    let text = try redact(
      line.replacing("com.apple.bluetooth", with: "com.zorbing.ottilie")
        .replacing("/usr/sbin/bluetoothd", with: "/Applications/Ottilie.app/Zorbing")
        .replacing("\"processID\": 91", with: "\"processID\": 91, \"Qwzrk\": 4915550172"), level
    ).text
    #expect(text.contains("\"processID\": 91") && text.contains("/Applications/"))
    #expect(text.contains("com.zorbing.ottilie") == (level == .share))
    #expect(text.contains("/Ottilie.app/Zorbing") == (level == .share))
    #expect(!text.contains("Qwzrk") && !text.contains("915550172"))
  }

  /// What programs say stays, what people and devices are called goes.
  @Test(arguments: [
    (
      "opening session failed as protocol com.acme.speaker.light is not declared in Info.plist",
      ["opening session failed as protocol ", " is not declared in Info.plist"], ["acme", "light"]
    ),
    (
      "accessoryd sessionResult = 1, useSocketInterface = 1, sessionID = 0x1F, list of sessionUUIDs",
      [
        "accessoryd sessionResult = 1, useSocketInterface = 1, sessionID = 0x1F, list of sessionUUIDs"
      ],
      []
    ),
    (
      "EASession for accessory with serial F2LX9912K, code 482913, PIN 4711, key 0x8F3A22D1",
      ["EASession for accessory with serial ", ", code ", ", PIN ", ", key "],
      ["F2LX9912K", "482913", "4711", "8F3A22D1"]
    ),
    (
      #"Error Domain=NSPOSIXErrorDomain Code=-71158 \"Connection refused\" by Max"#,
      ["Error Domain=NSPOSIXErrorDomain Code=-71158", "Connection refused", " by "], ["Max"]
    ),
    (
      "Joined network Fritz!Box 7590 XY at 192.168.178.23 as anna@example.net, file /Users/anna/x.plist",
      ["network ", " at ", " as ", ", file /Users/"],
      ["Fritz", "7590", "XY", "192.168", "178.23", "anna", "example"]
    ),
    (
      "XPC connection from EAAccessoryManager interrupted",
      ["XPC connection from EAAccessoryManager"], []
    ),
  ])
  func words(_ message: String, _ kept: [String], _ gone: [String]) throws {
    let text = try redact(line.replacing("MESSAGE", with: message)).text
    for part in kept { #expect(text.contains(part), "\(part) of \(text)") }
    for part in gone { #expect(!text.contains(part), "\(part) in \(text)") }
  }

  /// The words of a line's own format are the program's, whatever they are.
  @Test func formats() throws {
    let message = line.replacing("MESSAGE", with: "Zorbing Ottilie with zest 4711")
    let plain = try redact(message).text
    #expect(!plain.contains("Zorbing") && !plain.contains("zest"))
    let format = message.replacing(
      "\"processID\"",
      with: "\"formatString\": \"Zorbing %{public}@ with zest %llu\", \"processID\"")
    let text = try redact(format).text
    #expect(text.contains("Zorbing ") && text.contains(" with zest "))
    #expect(!text.contains("Ottilie") && !text.contains("4711"))
    let strict = try redact(format, .strict).text
    #expect(!strict.contains("Zorbing") && !strict.contains("zest"))
  }

  @Test func parts() {
    func parts(_ word: String) -> [String] {
      let bytes = Array(word.utf8)
      return LogVocabulary.parts(of: bytes.indices, in: bytes).map {
        String(decoding: bytes[$0], as: UTF8.self)
      }
    }
    #expect(parts("handleConnectionComplete") == ["handle", "Connection", "Complete"])
    #expect(parts("EASessionUUIDs") == ["EA", "Session", "UUIDs"])
    #expect(parts("XPC") == ["XPC"] && parts("UUIDsOf") == ["UUIDs", "Of"] && parts("é") == ["é"])
  }

  @Test func values() throws {
    let uuid = "0F8E1C52-7B1A-4E0B-9C39-3D5A2A7F1E66"
    let (text, map) = try redact(
      line.replacing(
        "MESSAGE", with: "Device found: CBDevice \(uuid), BDA e2:4f:2a:33:33:33, Nm 'Ottilie')")
        + line.replacing(
          "MESSAGE",
          with: "battery service 0000180F-0000-1000-8000-00805F9B34FB of \(uuid.lowercased())")
        + line.replacing("/usr/sbin/bluetoothd", with: "/Users/ottilie/Applications/Acme.app/Acme"))
    #expect(
      !text.lowercased().contains(uuid.lowercased()) && !text.lowercased().contains("ottilie"))
    #expect(text.contains("0000180F-0000-1000-8000-00805F9B34FB"))
    #expect(!text.contains("e2:4f:2a:33:33:33"))
    // The same values, however they are spelt.
    let octets = try #require(Hex.bytes(uuid.replacing("-", with: "")))
    let new = try #require(map.values[PersonalValue(kind: .identifier, bytes: octets)])
    let digits = new.map { String(format: "%02x", $0) }.joined()
    #expect(text.lowercased().replacing("-", with: "").ranges(of: digits).count == 2)
    // With the same map again.
    #expect(
      try redact("\(line.replacing("MESSAGE", with: uuid))", map: map).text.lowercased().replacing(
        "-", with: ""
      ).contains(digits))
  }

  /// `idevicesyslog`: the phone's name precedes each line.
  @Test func hostName() throws {
    let text = try redact(
      """
      Nov 20 18:04:58.495528 Ottilies-Phone bluetoothd(CoreUtils)[91] <Notice>: Connected to device C0:DE:00:00:00:07 over BR/EDR
      \tand Ottilie goes on

      """
    ).text
    #expect(!text.contains("Ottilie") && !text.contains("C0:DE:00:00:00:07"))
    #expect(text.hasPrefix("Nov 20 18:04:58.495528 "))
    #expect(text.contains(" bluetoothd(CoreUtils)[91] <Notice>: Connected to device "))
  }

  /// Whatever is in a file.
  @Test(arguments: logs) func mutated(_ name: String) throws {
    let log = try Samples.read("app-side/\(name)")
    var dice = Dice(state: DailyPart.seed(17))
    for _ in 0..<DailyPart.rounds(5, of: 20) {
      var bytes = log.bytes
      for _ in 0..<12 {
        bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(
          in: 0...255, using: &dice)
      }
      let changed = CaptureBytes(bytes, name: name)
      guard Redaction.isLog(changed) else { continue }
      do {
        let made = try Redaction(level: .share, map: RedactionMap()).redact(log: changed)
        #expect(made.bytes.count == bytes.count, "\(DailyPart.note)")
      } catch let error as RedactionError {
        #expect(!error.description.isEmpty)
      }
    }
  }
}
