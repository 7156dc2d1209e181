import HarkCore
import HarkSession
import Testing

@testable import HarkAppLog

/// Which lines of a log are the user's, and what the system says about the user's processes.
@Suite struct ProcessTests {
  private static let app = "/private/var/containers/Bundle/Application/1B2C/Acme.app"
  private static let process = "\(app)/PlugIns/AcmeTransport.appex/AcmeTransport"

  /// An entry of the unified log, at a second of 2026-11-20 16:41 UTC.
  private static func entry(
    _ message: String, at second: Int = 1, process: String = process, sender: String? = nil,
    subsystem: String = "", pid: Int = 731
  ) -> String {
    let sender = sender.map { #","senderImagePath":"\#($0)""# } ?? ""
    return #"{"timestamp":"2026-11-20 16:41:\#(second < 10 ? "0" : "")\#(second).000000Z","#
      + #""eventType":"logEvent","messageType":"Default","processImagePath":"\#(process)","#
      + #""processID":\#(pid),"subsystem":"\#(subsystem)","eventMessage":"\#(message)"\#(sender)}"#
  }

  private static func events(_ lines: [String], own: AppNames = AppNames()) throws -> [AppEvent] {
    let bytes = Array(lines.joined(separator: "\n").utf8)
    return try AppLog(bytes: bytes, name: "log", own: own).entries.map(\.event)
  }

  /// Lines of the app's own code, whichever library writes them.
  @Test(arguments: [
    process, "\(app)/PlugIns/AcmeTransport.appex/AcmeTransport.debug.dylib",
    "\(app)/Frameworks/AcmeKit.framework/AcmeKit",
    "/System/Library/Frameworks/Foundation.framework/Foundation", "", nil,
  ])
  func own(_ sender: String?) throws {
    let events = try Self.events([
      Self.entry("accept(sessionRequest:)", sender: sender), Self.entry("hello", sender: sender),
    ])
    #expect(events.map(\.kind) == [.sessionRequested, .line])
    #expect(events.filter(\.isExtension).count == 2)
  }

  @Test(arguments: [
    ("/System/Library/Frameworks/CFNetwork.framework/CFNetwork", "com.apple.CFNetwork"),
    ("/usr/lib/libsqlite3.dylib", ""),
    ("/System/Library/Frameworks/Foundation.framework/Foundation", "com.apple.foundation"),
  ])
  func foreign(_ sender: String, _ subsystem: String) throws {
    let lines = [Self.entry("hello", sender: sender, subsystem: subsystem)]
    let events = try Self.events(lines)
    #expect(events.isEmpty)
  }

  /// Only a connection with `peer=true` was accepted, and only its end means anything.
  @Test func connections() throws {
    func line(_ text: String) -> String {
      Self.entry(text, sender: "/usr/lib/system/libxpc.dylib", subsystem: "com.apple.xpc")
    }
    let activating = "activating connection: mach=true listener=false peer"
    let events = try Self.events([
      line("[0x104e08c30] \(activating)=false name=com.apple.cfprefsd.daemon"),
      line("[0x104e08c33] \(activating)=true name=com.acme.peer[90].0x104e08c33"),
      line("[0x104e08c30] Connection interrupted"),
      line("[0x104e08c30] invalidated after the last release of the connection object"),
      line("[0x104e08c33] Connection interrupted"),
      line("[0x104e08c33] invalidated after the last release of the connection object"),
      line("[0x104e08c34] invalidated because the current process cancelled the connection"),
      line(
        "[0x104e08c35] invalidated because the client process (pid 90) either cancelled or exited"),
    ])
    #expect(
      events.map(\.kind) == [
        .line, .connectionAccepted, .line, .line, .connectionInterrupted, .connectionInvalidated,
        .line, .connectionInvalidated,
      ])
  }

  /// How RunningBoard and the kernel say that an extension ended.
  @Test func exits() throws {
    let runningboard = "/usr/libexec/runningboardd"
    let events = try Self.events([
      Self.entry("hello", sender: Self.process),
      Self.entry(
        "[xpcservice<com.acme.transport([osservice<com.apple.deviceaccessd>:204])>:731] termination "
          + "reported by launchd (2, 9, 9)", process: runningboard,
        subsystem: "com.apple.runningboard", pid: 33),
      Self.entry(
        "[xpcservice<com.acme.transport>:731] Process exited: <RBSProcessExitContext| specific, "
          + "status:<RBSProcessExitStatus| domain:jetsam(1) code:per-process-limit(7)>>",
        process: runningboard, subsystem: "com.apple.runningboard", pid: 33),
      Self.entry(
        "memorystatus: killing_specific_process pid 731 [AcmeTransport] (per-process-limit 100 - 3s)",
        process: "/kernel", pid: 0),
      // Of others.
      Self.entry(
        "[xpcservice<com.apple.WebKit.GPU>:80] Process exited: <RBSProcessExitContext| voluntary>",
        process: runningboard, subsystem: "com.apple.runningboard", pid: 33),
      Self.entry(
        "memorystatus: killing_specific_process pid 90 [photoanalysisd] (vm-pageshortage 0 - 3s)",
        process: "/kernel", pid: 0),
    ])
    #expect(events.map(\.kind) == [.line, .extensionEnded, .extensionEnded, .extensionEnded])
    #expect(
      events.map { $0[.error] } == [
        nil, nil, "jetsam: per-process-limit", "jetsam: per-process-limit",
      ])
    #expect(events[1][.bundle] == "com.acme.transport")
    #expect(events[3].process == "AcmeTransport")
    #expect(events.map(\.severity) == [.info, .info, .warning, .warning])
    #expect(events.filter(\.isExtension).count == 4)
  }

  /// An app that ends is no extension that does, also if the kernel cuts their names alike; of other programs nothing is
  /// known.
  @Test func exitsOfApps() throws {
    let lines = [
      "runningboardd(RunningBoard)[34] <Notice>: [app<com.acme.watch>:732] Process exited: "
        + "<RBSProcessExitContext| voluntary>",
      "runningboardd(RunningBoard)[34] <Notice>: [xpcservice<com.example.widget>:733] Process "
        + "exited: <RBSProcessExitContext| voluntary>",
      "kernel()[0] <Notice>: memorystatus: killing_specific_process pid 900 [AcmeWatchCompani] "
        + "(per-process-limit 100 - 3s)",
      "kernel()[0] <Notice>: memorystatus: killing_specific_process pid 901 [AcmeWatchCompanionTransp] "
        + "(per-process-limit 100 - 3s)",
    ].map { "Nov 20 18:05:00.000000 iPhone \($0)" }
    let own = AppNames(
      all: ["com.acme.watch", "AcmeWatchCompanion", "AcmeWatchCompanionTransport"],
      extensions: ["AcmeWatchCompanionTransport"])
    let events = try Self.events(lines, own: own)
    #expect(events.map(\.kind) == [.line, .line, .extensionEnded])
    let unknown = try Self.events(lines)
    #expect(unknown.isEmpty)
  }

  /// What RunningBoard writes in brackets is a part of its message, and no subsystem.
  @Test func bracketsOfMessages() throws {
    let text =
      "[xpcservice<com.acme.transport>:731] Process exited: <RBSProcessExitContext| voluntary>"
    let line =
      "2026-11-20 18:05:00.000000+0000 0x4a7f     Default     0x0                  34    0    "
    let own = AppNames(all: ["com.acme.transport"], extensions: ["com.acme.transport"])
    let events = try Self.events(["\(line)runningboardd: (RunningBoard) \(text)"], own: own)
    let event = try #require(events.first)
    #expect(event.kind == .extensionEnded && event.subsystem == nil && event.text == text)
  }

  /// The name of the phone has blanks, or precedes the names of processes only in some lines.
  @Test func hosts() throws {
    let spaced = [
      "Annas iPhone bluetoothd(bluetoothd)[91]", "Annas iPhone bluetoothd(CoreUtils)[91]",
      "Annas iPhone Acme Watch(Foundation)[134]",
    ]
    let mixed = ["bluetoothd[91]", "iPhone bluetoothd(CoreUtils)[91]", "iPhone Acme[134]"]
    for (heads, name) in [(spaced, "Acme Watch"), (mixed, "Acme")] {
      let lines = heads.enumerated().map { second, head in
        "Nov 20 18:05:0\(second).000000 \(head) <Notice>: session request accepted"
      }
      let own = AppNames(all: [name])
      let events = try Self.events(lines, own: own)
      #expect(events.map(\.process) == ["bluetoothd", "bluetoothd", name])
    }
  }

  /// All lines of a log have the name of a host in front, or none: the later ones show how the earlier ones are meant. Each
  /// log begins with the line of a process `Acme Watch`, with `Otto` in front or without it.
  @Test(arguments: [
    // A name without blanks has no host in front.
    (["Acme Watch", "AcmeTransport"], "Acme Watch", false),
    // The names have nothing in common.
    (["Acme Watch", "Beta Tool"], "Acme Watch", false),
    // A process of the system, and what a process itself writes: Acme Watch has a library AcmeWatch.
    (["Otto Acme Watch", "Otto bluetoothd"], "Acme Watch", false),
    (["Otto Acme Watch", "Otto Acme Watch(AcmeWatch)"], "Acme Watch", false),
    (["Acme Watch", "Acme Watch(AcmeWatch)"], "Acme Watch", false),
    // Nothing shows it.
    (["Acme Watch", "Acme Watch"], "Watch", true),
    (["Otto Acme Watch", "Otto Beta"], "Acme Watch", true),
    (["localhost Acme Watch", "localhost Acme Watch"], "Acme Watch", false),
    // Not only the app begins with this word.
    (
      ["Otto Acme Watch"] + ["A", "B", "C", "D", "E", "F", "G"].map { "Otto \($0)" }, "Acme Watch",
      false
    ),
  ])
  func hostsOfAll(_ heads: [String], _ process: String, _ isGuess: Bool) throws {
    let lines = heads.enumerated().map { second, head in
      "Nov 20 18:05:0\(second).000000 \(head)[134] <Notice>: session request accepted"
    }
    let log = try AppLog(bytes: Array(lines.joined(separator: "\n").utf8), name: "log")
    #expect(log.entries.first?.event.process == process)
    #expect(log.summary.contains("hark treats the first word as a host") == isGuess)
  }

  /// The names of the user's processes show it.
  @Test(arguments: ["Acme Watch", "Watch"]) func hostsByName(_ process: String) throws {
    let line = "Nov 20 18:05:00.000000 Acme Watch[134] <Notice>: session request accepted"
    let log = try AppLog(
      bytes: Array(line.utf8), name: "log", own: AppNames(all: [process]))
    #expect(log.entries.first?.event.process == process)
    #expect(!log.summary.contains("hark treats the first word"))
  }

  /// The state of the central that a daemon writes is not the app's.
  @Test func central() throws {
    let state = "centralManagerDidUpdateState(_:) state"
    let events = try Self.events([
      Self.entry("\(state) = poweredOff", sender: Self.process),
      Self.entry("\(state) = unknown", sender: Self.process),
      Self.entry(
        "\(state) = poweredOff", process: "/usr/sbin/mediaserverd",
        sender: "/System/Library/Frameworks/CoreBluetooth.framework/CoreBluetooth"),
    ])
    #expect(events.map(\.kind) == [.centralState, .centralState, .line])
    #expect(events.map { $0[.state] } == ["poweredOff", "unknown", nil])
    #expect(events.map(\.severity) == [.warning, .info, .info])
  }

  /// Names of processes with blanks, with and without the name of a host in front.
  @Test(arguments: [
    (["2026-11-20 17:41:01.05 Acme Watch{Acme Watch}[731] <NOTICE>: a"], "Acme Watch"),
    (["2026-11-20 17:41:01.05 Acme Watch{Foundation}[731] <NOTICE>: a"], "Acme Watch"),
    (
      ["Nov 20 17:41:01.05 Acme Transport Ext(AcmeTransport)[731] <Notice>: a"],
      "Acme Transport Ext"
    ),
    (["Nov 20 17:41:01 Ottos-iPhone Acme Watch(AcmeWatch)[731] <Notice>: a"], "Acme Watch"),
    (["Nov 20 17:41:01 Ottos-iPhone Acme Watch(Foundation)[731] <Notice>: a"], "Acme Watch"),
    (["2026-11-20 17:41:01.05+0100  localhost Acme Watch[731]: (Foundation) a"], "Acme Watch"),
    (
      [
        "Nov 20 17:41:01 bluetoothd(CoreUtils)[9] <Notice>: a",
        "Nov 20 17:41:01 Acme Watch(Foundation)[731] <Notice>: a",
      ], "Acme Watch"
    ),
    (["Nov 20 17:41:01 Ottos-iPhone bluetoothd(CoreUtils)[9] <Notice>: a"], "bluetoothd"),
  ])
  func names(_ lines: [String], _ name: String) throws {
    var format = LogText(near: Timestamp(nanoseconds: 0))
    var names: [String?] = []
    for line in lines {
      if case .record(let record) = format.read(Array(line.utf8)) { names.append(record.process) }
    }
    #expect(names.last == name)
  }

  /// RFC 3339, 5.6: `T` and `Z` may be in lower case.
  @Test func lowerCase() throws {
    let upper = try #require(LogTime("2026-11-20T16:41:01.5Z".utf8))
    let lower = try #require(LogTime("2026-11-20t16:41:01.5z".utf8))
    #expect(lower.time == upper.time && lower.hasZone)
  }

  /// The log covers the lines of all processes, by the capture's clock; one without entries says so.
  @Test func covers() throws {
    func clock(_ lines: [String]) throws -> AppEvent {
      let log = try AppLog(bytes: Array(lines.joined(separator: "\n").utf8), name: "log")
      var side = AppSide([log], nil, offset: 1_000_000_000, landmarks: nil)
      var session = Session(framings: .known)
      side.report(before: Timestamp(nanoseconds: 0), &session)
      let found = session.events.lazy.compactMap { event -> AppEvent? in
        if case .app(let app) = event.content, app.kind == .clock { app } else { nil }
      }.first
      return try #require(found)
    }
    let whole = try clock([
      Self.entry("x", at: 2, process: "/usr/sbin/other"),
      Self.entry("a", at: 4, sender: Self.process),
      Self.entry("x", at: 9, process: "/usr/sbin/other"),
    ])
    let covers = try #require(whole.clock?.covers)
    // 2026-11-20T16:41:03Z and 16:41:10Z.
    #expect(covers.lowerBound.nanoseconds == 1_795_192_863_000_000_000)
    #expect(covers.upperBound.nanoseconds == 1_795_192_870_000_000_000)
    let empty = try clock([Self.entry("x", process: "/usr/sbin/other"), "{\"timestamp\":\"20"])
    #expect(
      empty.clock?.words
        == "hark kept 0 of its 2 lines (1 damaged): nothing can match the capture")
  }
}
