import Foundation
import HarkCore
import HarkSession
import HarkTestSupport
import Testing

@testable import HarkAppLog

@Suite struct FormatTests {
  private static let near = Timestamp(nanoseconds: 1_763_700_000_000_000_000)

  private static func format(_ line: String) -> (any LogFormat.Type)? {
    LogFormats.all.first { $0.recognises(Array(line.utf8)) }
  }

  private static func record(_ line: String) throws -> LogRecord {
    guard let type = format(line) else { throw AppLogError("no format: \(line)") }
    var format = type.init(near: near)
    guard case .record(let record) = format.read(Array(line.utf8)) else {
      throw AppLogError("no record: \(line)")
    }
    return record
  }

  /// One line of each style, in the shape that `log`, idevicesyslog and pymobiledevice3 write.
  @Test(arguments: [
    "2022-08-25 15:22:01.008417+0100 0x4a7f     Error       0x0                  365    0    "
      + "bluetoothd: (CoreUtils) [com.apple.bluetooth:CBDaemon] a [b] c",
    "2022-08-25 15:22:01.008417+0100  localhost bluetoothd[365]: (CoreUtils) "
      + "[com.apple.bluetooth:CBDaemon] a [b] c",
    "2022-08-25 15:22:01.008 E  bluetoothd[365:4a7f] (CoreUtils) [com.apple.bluetooth:CBDaemon] a [b] c",
    "Nov 21 17:19:26 iPhone bluetoothd(CoreUtils)[365] <Error>: [com.apple.bluetooth:CBDaemon] a [b] c",
    "Nov 21 17:19:26.123456 bluetoothd(CoreUtils)[365] <Error>: [com.apple.bluetooth:CBDaemon] a [b] c",
    "2024-05-01 12:00:00.123456 bluetoothd{CoreUtils}[365] <ERROR>: [com.apple.bluetooth:CBDaemon] a [b] c",
  ])
  func text(_ line: String) throws {
    let record = try Self.record(line)
    #expect(record.process == "bluetoothd")
    #expect(record.pid == 365)
    #expect(record.library == "CoreUtils")
    #expect(record.subsystem == "com.apple.bluetooth")
    #expect(record.category == "CBDaemon")
    #expect(record.message == "a [b] c")
    #expect(record.level == (line.contains("localhost") ? .default : .error))
  }

  /// What `log show` writes behind the last entry is no part of it.
  @Test func footer() {
    var format = LogText(near: Self.near)
    let entry = "2022-08-25 15:22:01.008417+0100 0x4a Default 0x0 365 0 bluetoothd: (C) [a:b] c"
    guard case .record = format.read(Array(entry.utf8)) else {
      Issue.record("no entry")
      return
    }
    for line in [
      String(repeating: "-", count: 120),
      "Log      - Default:          2, Info:                0, Debug:             0, Error: 0",
      "Activity - Create:           0, Transition:          0, Actions:           0",
    ] {
      guard case .nothing = format.read(Array(line.utf8)) else {
        Issue.record("something: \(line)")
        return
      }
    }
  }

  /// A log as text does not say where a process lies: what it says does.
  @Test func speaking() {
    var meaning = Meaning(own: AppNames())
    func event(_ message: String, of process: String) -> AppEvent? {
      var record = LogRecord(time: Self.near, message: message)
      record.process = process
      return meaning.event(record)
    }
    #expect(event("hello", of: "AcmeTransport") == nil)
    #expect(event("accept(sessionRequest:)", of: "AcmeTransport")?.kind == .sessionRequested)
    #expect(event("hello", of: "AcmeTransport")?.kind == .line)
    #expect(event("hello", of: "Other") == nil)
  }

  /// Lines of Xcode's console, which are the app's own.
  @Test(arguments: [
    "2026-11-20 16:41:02.781574+0100 Acme Watch[731:19071] [transport] accept(sessionRequest:)",
    "2026-11-20 16:41:02.781574+0100 Acme Watch[731:4a7f] accept(sessionRequest:)",
  ])
  func xcode(_ line: String) throws {
    let record = try Self.record(line)
    #expect(record.process == "Acme Watch" && record.pid == 731 && record.isApp)
    #expect(record.time.nanoseconds == 1_795_189_262_781_574_000)
    var meaning = Meaning(own: AppNames())
    let event = meaning.event(record)
    #expect(event?.kind == .sessionRequested)
  }

  /// devicectl's own lines without a time are not continuations of the app's lines.
  @Test func devicectl() throws {
    var format = LogText(near: Self.near)
    var messages: [String] = []
    for line in [
      "Launched application with com.acme.watch bundle identifier.",
      "Waiting for the application to terminate…",
      "2026-11-20 16:41:02.781574+0100 Acme[731:19071] session invalidated",
      "App terminated due to signal 9.",
    ] {
      guard case .record(let record) = format.read(Array(line.utf8)) else { continue }
      #expect(record.process == "Acme" && record.isApp)
      messages.append(record.message)
    }
    #expect(messages == ["session invalidated", "App terminated due to signal 9."])
  }

  /// What hark does not read says how to get a log out of it.
  @Test(arguments: [
    ("system_logs.logarchive", "system_logs.logarchive"),
    ("a b/system_logs.logarchive/", "'a b/system_logs.logarchive'"),
    ("a/x.logarchive/Persist/0000.tracev3", "a/x.logarchive"),
    ("a/0000.tracev3", "system_logs.logarchive"),
  ])
  func archives(_ path: String, _ archive: String) throws {
    let error = #expect(throws: AppLogError.self) { try AppLog(path: path) }
    #expect(
      error?.description
        == "\(path): an Apple log archive; on a Mac, export it with 'log show --info --style ndjson "
        + "--archive \(archive) > log.ndjson'")
  }

  /// A line of Console, as developers paste it into forums.
  @Test func console() throws {
    let record = try Self.record(
      "default\t2024-08-05 13:28:53.664196 -0500\tbluetoothd\tDevice connecting - {cbuuid: "
        + "0BB0FBE0-F708-23DD-B310-E487518668BE, devicename: Reader 0471, result: 0, adv-addr: "
        + "4C:5B:B3:85:CD:D6-Public, resolved-addr: }")
    #expect(record.time.nanoseconds == 1_722_882_533_664_196_000)
    #expect(record.process == "bluetoothd")
    var meaning = Meaning(own: AppNames())
    let stated = meaning.event(record)
    let event = try #require(stated)
    #expect(event[.identifier] == "0BB0FBE0-F708-23DD-B310-E487518668BE")
    #expect(event.address?.description == "4C:5B:B3:85:CD:D6")
  }

  /// Entries of today, which Console copies without their date, as people paste them into reports: they lie on the day
  /// that brings them nearest to the capture, which is at 04:40 UTC here.
  @Test(arguments: [
    ("default\t16:03:17.612312-0800\tbluetoothd\tAbout to scan for type: 7", "bluetoothd", 197),
    ("error\t23:59:59.500000+0100\tAcme\tsession invalidated", "Acme", -3_600),
  ])
  func consoleOfToday(_ line: String, _ process: String, _ second: Int64) throws {
    let record = try Self.record(line)
    #expect(record.process == process && record.hasZone)
    let midnight = Timestamp(seconds: 1_763_683_200, nanoseconds: 0)
    #expect(record.time.since(midnight) / 1_000_000_000 == second)
  }

  /// What idevicesyslog says about itself between entries belongs to none.
  @Test func connected() {
    var format = LogText(near: Self.near)
    let entry = "Nov 21 17:19:26 iPhone bluetoothd(CoreUtils)[365] <Notice>: a"
    guard case .record = format.read(Array(entry.utf8)) else {
      Issue.record("no entry")
      return
    }
    for line in ["[disconnected]", "[connected]", "[connected:00008110-000A]"] {
      guard case .nothing = format.read(Array(line.utf8)) else {
        Issue.record("something: \(line)")
        return
      }
    }
  }

  @Test func unified() throws {
    let record = try Self.record(
      #"{"timestamp":"2022-08-25 15:22:01.008417+0100","eventType":"logEvent","messageType":"Fault","#
        + #""processImagePath":"\/usr\/sbin\/bluetoothd","processID":9,"subsystem":"","#
        + #""eventMessage":"<private> \u2013 x","senderImagePath":"\/a\/CoreUtils"}"#)
    #expect(record.time.nanoseconds == 1_661_437_321_008_417_000)
    #expect(record.process == "bluetoothd")
    #expect(record.library == "CoreUtils")
    #expect(record.subsystem == nil)
    #expect(record.level == .fault)
    #expect(record.message == "<private> – x")
    #expect(!record.isApp)
  }

  @Test func banners() throws {
    var format = UnifiedLog(near: Self.near)
    for line in [
      "Filtering the log data using \"x\"", "Timestamp                       Thread",
      "Skipping info and debug messages, pass --info and/or --debug to include.",
      "getpwuid_r did not find a match for uid 0", #"{"count":12,"finished":1}"#,
      #"{"timestamp":"2022-08-25 15:22:01.008417+0100","eventType":"activityCreateEvent"}"#,
    ] {
      guard case .nothing = format.read(Array(line.utf8)) else {
        Issue.record("something: \(line)")
        continue
      }
    }
    guard case .damaged = format.read(Array(#"{"timestamp":"2022-08-25 15:2"#.utf8)) else {
      Issue.record("a line that was cut is damaged")
      return
    }
  }

  @Test func journal() throws {
    var format = Journal(near: Self.near)
    let header = #"{"journal":"hark","version":1,"process":"Ext","pid":7,"extension_point":"p"}"#
    guard case .nothing = format.read(Array(header.utf8)) else {
      Issue.record("a header is no entry")
      return
    }
    let line =
      #"{"time":"2026-01-02T03:04:05.5Z","event":"security-message","size":65,"key_type":"publicKey"}"#
    guard case .record(let record) = format.read(Array(line.utf8)) else {
      Issue.record("no entry")
      return
    }
    let event = try #require(record.event)
    #expect(event.kind == .securityMessage)
    #expect(event[.size] == "65")
    #expect(event[.extensionPoint] == "p")
    #expect(record.process == "Ext")
    #expect(event.isCertain)
    for bad in [#"{"event":"line"}"#, #"{"time":"yesterday","event":"line"}"#, "{", "x"] {
      guard case .damaged = format.read(Array(bad.utf8)) else {
        Issue.record("not damaged: \(bad)")
        continue
      }
    }
  }

  /// A file in the folder is a line in the list.
  @Test func everyFormatIsListed() throws {
    let folder = Project.root.appending(path: "Sources/HarkAppLog/Formats")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    #expect(files.map { $0.dropLast(6) }.sorted() == LogFormats.all.map { "\($0)"[...] }.sorted())
  }

  /// Prefixes, bit flips and repetitions of each line trap nothing.
  @Test func mutations() throws {
    let lines = [
      "2022-08-25 15:22:01.008417+0100 0x4a7f Error 0x0 365 0 bluetoothd: (C) [a:b] c",
      "Nov 21 17:19:26 iPhone bluetoothd(CoreUtils)[365] <Error>: a",
      #"{"timestamp":"2022-08-25 15:22:01.008417+0100","eventMessage":"x","processImagePath":"a/b"}"#,
      #"{"time":"2026-01-02T03:04:05.5Z","event":"line","journal":"hark"}"#,
    ]
    var read = 0
    for line in lines {
      let bytes = Array(line.utf8)
      for index in bytes.indices {
        for mutant in [Array(bytes[..<index]), bytes.flipped(index)] {
          for type in LogFormats.all {
            _ = type.recognises(mutant)
            var format = type.init(near: Timestamp(nanoseconds: .max))
            if case .record(let record) = format.read(mutant) {
              read += 1
              var meaning = Meaning(own: AppNames())
              _ = meaning.event(record)
            }
          }
        }
      }
    }
    #expect(read > 100)
  }
}

extension [UInt8] {
  fileprivate func flipped(_ index: Int) -> [UInt8] {
    var copy = self
    copy[index] ^= 1 << UInt8(index & 7)
    return copy
  }
}
