import Foundation
import HarkCore
import HarkSession
import Testing

@testable import HarkAppLog
@testable import HarkJournal

/// What the file for apps writes, hark reads.
@Suite struct JournalTests {
  @Test func roundTrip() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "hark-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let point = "com.apple.accessory-transport-security"
    let journal = HarkJournal(file: file, extensionPoint: point)
    let before = Date()
    journal.write(.extensionLaunched)
    journal.write(
      .securityMessage, [.keyType: "publicKey", .size: 1216, .capabilities: ["a", "b"]],
      message: "a \"b\"\n/c")
    DispatchQueue.concurrentPerform(iterations: 200) { index in
      journal.write(.line, message: "\(index)")
    }
    let again = HarkJournal(file: file)
    again.write(.extensionEnded)
    let log = try AppLog(path: file.path())
    #expect(log.format == "hark journal")
    #expect(log.counts.damaged == 0)
    #expect(log.entries.count == 203)
    let key = try #require(log.entries.first { $0.event.kind == .securityMessage })
    #expect(key.event[.size] == "1216")
    #expect(key.event[.capabilities] == "a, b")
    #expect(key.event[.extensionPoint] == point)
    #expect(key.event.text == "a \"b\"\n/c")
    #expect(key.event.pid == Int(ProcessInfo.processInfo.processIdentifier))
    let passed = Double(key.time.nanoseconds) / 1e9 - before.timeIntervalSince1970
    #expect(passed > -0.001 && passed < 60)
    let lines = Set(log.entries.filter { $0.event.kind == .line }.map(\.event.text))
    #expect(lines == Set((0..<200).map { "\($0)" }))
  }

  /// An event of a later journal keeps its name, with a message and without.
  @Test func unknownEvents() throws {
    let lines = [
      #"{"journal":"hark","version":1,"process":"Acme"}"#,
      #"{"time":"2026-01-02T03:04:05.5Z","event":"session-paused","message":"busy"}"#,
      #"{"time":"2026-01-02T03:04:06.5Z","event":"session-paused"}"#,
      #"{"time":"2026-01-02T03:04:07.5Z","event":"line","message":"idle"}"#,
    ]
    let log = try AppLog(bytes: Array(lines.joined(separator: "\n").utf8), name: "journal")
    #expect(log.entries.map(\.event.text) == ["session-paused: busy", "session-paused", "idle"])
    #expect(log.entries.map(\.event.kind) == [.line, .line, .line])
  }

  enum Outcome: Error {
    case success
    case failure(Problem)
  }
  enum Problem: Error { case transportFailed, invalidated }

  /// What the wrappers write by themselves.
  @Test func wrappers() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "hark-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let journal = HarkJournal(file: file, extensionPoint: "com.apple.accessory-transport-security")
    let complete: @Sendable (Outcome) -> Void = { _ in }
    journal.completion(complete, [.session: "S"])(.success)
    journal.completion(complete)(.failure(.transportFailed))
    // It is released at once.
    _ = journal.completion(complete, [.session: "T"])
    #expect(journal.accept("NSXPCConnection") { true })
    #expect(!journal.accept("XPCSession") { false })
    #expect(await journal.call(.configurationUpdated, [.placement: "inEar"]) { 5 } == 5)
    await #expect(throws: Problem.self) {
      try await journal.call(.configurationUpdated) { throw Problem.invalidated }
    }
    let events = try AppLog(path: file.path()).entries.map(\.event)
    #expect(
      events.map(\.kind) == [
        .messageResult, .messageResult, .completionMissing, .connectionRequested,
        .connectionAccepted, .connectionRequested, .connectionRejected, .configurationUpdated,
        .configurationUpdated, .configurationFailed,
      ])
    #expect(events[0][.result] == "success" && events[0][.session] == "S")
    #expect(events[1][.result] == "failure" && events[1][.error] == "transportFailed")
    #expect(events[2][.session] == "T")
    #expect(events[4][.interface] == "NSXPCConnection")
    #expect(events[7][.placement] == "inEar" && events[9][.error] == "invalidated")
  }

  // In the form of Apple's types, by their documentation.
  private enum KeyType { case publicKey, encapsulatedKey }
  private enum Suite { case xWing, p256 }
  private enum Transport { case bluetooth, internet }
  private struct SecurityMessage {
    let keyType: KeyType
    let cipherSuite: Suite
    let key: Data
    let supportedTransports: [Transport]
  }
  private struct TransportMessage {
    let sessionID: UUID
    let data: Data
  }
  private enum DataEvent {
    case ciphertext(Data, featureID: String)
    case plaintext(Data, featureID: String)
  }
  private enum Decision {
    case accept
    case reject(Problem?)
    case other
  }
  private struct Translate { let text: String }

  /// Whole methods of both event handlers and of a peer handler. No byte of a key or a message is written.
  @Test func handlers() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "hark-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let journal = HarkJournal(file: file, extensionPoint: "com.apple.accessory-transport-security")
    for decision in [Decision.accept, .reject(nil), .other] { _ = journal.session { decision } }
    let complete: @Sendable (Outcome) -> Void = { _ in }
    let secret = Data(repeating: 0xA7, count: 1120)
    let key = SecurityMessage(
      keyType: .encapsulatedKey, cipherSuite: .xWing, key: secret,
      supportedTransports: [.bluetooth, .internet])
    journal.messageReceived(key, complete) { message, completion in
      #expect(message.key == secret)
      completion(.success)
    }
    let session = UUID()
    let message = TransportMessage(sessionID: session, data: Data(repeating: 0xA7, count: 60))
    // The completion is forgotten.
    journal.messageReceived(message, complete) { _, _ in }
    #expect(journal.send(message) { $0.data.count } == 60)
    #expect(throws: Problem.self) { try journal.send(key) { _ in throw Problem.transportFailed } }
    journal.dataEvent(DataEvent.ciphertext(Data(count: 33), featureID: "F")) { _ in }
    #expect(journal.request(Translate(text: "private")) { _ in 7 } == 7)
    journal.sessionInvalidated(Problem.invalidated) {}
    journal.sessionInvalidated(nil) {}
    let events = try AppLog(path: file.path()).entries.map(\.event)
    #expect(
      events.map(\.kind) == [
        .sessionRequested, .sessionAccepted, .sessionRequested, .sessionRejected,
        .sessionRequested, .securityMessage, .messageResult, .transportMessage,
        .completionMissing, .transportMessage, .securityMessage, .messageResult, .dataEvent,
        .xpcRequest, .sessionInvalidated, .sessionInvalidated,
      ])
    try #require(events.count == 16)
    #expect(events[5][.keyType] == "encapsulatedKey" && events[5][.size] == "1120")
    #expect(events[5][.cipherSuite] == "xWing" && events[5][.transports] == "bluetooth, internet")
    #expect(events[7][.session] == session.uuidString && events[7][.size] == "60")
    #expect(events[7][.direction] == "HostToAccessory")
    #expect(events[8][.session] == session.uuidString)
    #expect(events[9][.direction] == "AccessoryToHost")
    #expect(events[11][.error] == "transportFailed")
    #expect(events[12][.dataKind] == "ciphertext" && events[12][.feature] == "F")
    #expect(events[12][.size] == "33")
    #expect(events[14][.error] == "invalidated" && events[15][.error] == nil)
    let text = try String(contentsOf: file, encoding: .utf8).lowercased()
    #expect(!text.contains("a7a7") && !text.contains("p6enp") && !text.contains("private"))
  }

  private enum CBManagerState { case poweredOff }

  /// Values as an app has them: optionals, data, sets, Apple's enumerations.
  @Test func values() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "hark-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let journal = HarkJournal(file: file)
    let source: Data? = Data([0xC0, 0xDE, 0, 0, 0, 1])
    let nothing: Data? = nil
    let error: (any Error)? = nil
    journal.write(
      .configurationUpdated,
      [
        .primarySource: source as Any, .secondarySource: nothing as Any, .error: error as Any,
        .capabilities: Set(["placement", "audioSwitching"]), .size: UInt8(5),
      ])
    journal.write(.centralState, [.state: CBManagerState.poweredOff])
    let events = try AppLog(path: file.path()).entries.map(\.event)
    #expect(events[0][.primarySource] == "C0:DE:00:00:00:01")
    #expect(events[0][.secondarySource] == "nil")
    #expect(events[0][.error] == nil)
    #expect(events[0][.capabilities] == "audioSwitching, placement")
    #expect(events[0][.size] == "5")
    #expect(events[1][.state] == "poweredOff")
  }

  /// What journals have of Apple's values, and the names that they are.
  @Test(arguments: [
    (#""state":4"#, AppEvent.Fact.state, "poweredOff" as String?),
    (#""state":"CBManagerState(rawValue: 4)""#, .state, "poweredOff"),
    (#""state":".poweredOn""#, .state, "poweredOn"), (#""error":"nil""#, .error, nil),
    (#""error":null"#, .error, nil),
    (#""error":"Optional(AccessoryMessage.Error.transportFailed)""#, .error, "transportFailed"),
    (#""error":"it broke. Twice.""#, .error, "it broke. Twice."),
    (#""placement":"Optional(X.Placement.inEar)""#, .placement, "inEar"),
    (#""primary_audio_source":null"#, .primarySource, "nil"),
  ])
  func names(_ member: String, _ fact: AppEvent.Fact, _ value: String?) throws {
    let line = #"{"time":"2026-01-02T03:04:05.5Z","event":"line",\#(member)}"#
    var format = Journal(near: Timestamp(nanoseconds: 0))
    guard case .record(let record) = format.read(Array(line.utf8)) else {
      Issue.record("no entry: \(line)")
      return
    }
    #expect(record.event?[fact] == value)
  }

  /// In the unified log each line says whose it is, as the header does in a file.
  @Test func echo() throws {
    let point = "com.apple.accessory-data-provider"
    let journal = HarkJournal(file: nil, extensionPoint: point)
    let text = try #require(
      journal.echo(["time": "2026-11-20T16:41:02Z", "event": "extension-launched"]))
    let event = try #require(Journal.event(in: text))
    #expect(event.kind == .extensionLaunched && event.isCertain)
    #expect(event[.extensionPoint] == point)
  }

  /// As Windows' editors write it.
  @Test func byteOrderMark() throws {
    let lines =
      "{\"journal\":\"hark\",\"version\":1}\n"
      + "{\"time\":\"2026-11-20T16:41:02Z\",\"event\":\"line\",\"message\":\"a\"}\n"
    let log = try AppLog(bytes: [0xEF, 0xBB, 0xBF] + Array(lines.utf8), name: "journal")
    #expect(log.format == "hark journal" && log.entries.count == 1 && log.counts.damaged == 0)
  }

  /// What a log is packed in, or written in, is said.
  @Test(arguments: [
    ([0x1F, 0x8B, 8, 0], "compressed"), ([0xFF, 0xFE, 0x7B, 0], "UTF-16"), ([], "empty"),
    // log show --style json: a banner, then one array.
    (Array("Skipping info and debug messages\n[{\n".utf8), "--style ndjson"),
  ])
  func unreadable(_ head: [UInt8], _ word: String) throws {
    let error = #expect(throws: AppLogError.self) { try AppLog(bytes: head, name: "journal") }
    #expect(error?.description.contains(word) == true)
  }

  /// A redacted journal keeps the names of events.
  @Test func eventsAreReadWords() {
    #expect(Set(AppEvent.Kind.allCases.map(\.rawValue)).isSubset(of: AppLog.readWords))
  }

  /// The file for apps and the program know the same names.
  @Test func names() {
    let events = Set(HarkJournal.Event.allCases.map(\.rawValue))
    let kinds = Set(AppEvent.Kind.allCases.map(\.rawValue))
    #expect(events.isSubset(of: kinds))
    #expect(
      kinds.subtracting(events) == [
        "entitlement-missing", "declaration", "clock", "internet-message",
      ])
    #expect(
      Set(HarkJournal.Fact.allCases.map(\.rawValue))
        == Set(AppEvent.Fact.allCases.map(\.rawValue)))
  }

  #if DEBUG
    /// Session keys are entries of a key file, a line each, which the owner alone may read.
    @Test func keyLog() throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "hark-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: file) }
      let session = try #require(UUID(uuidString: "F2D1052D-95CD-5F73-BB5C-C446F117A653"))
      for (index, direction) in ["HostToAccessory", "AccessoryToHost"].enumerated() {
        let log = try #require(HarkKeyLog(file: file))
        log.write(direction: direction, session: session, key: Data([UInt8(index), 0xAB]))
      }
      #expect(
        try String(contentsOf: file, encoding: .utf8)
          == #"{"direction":"HostToAccessory","sessionID":"F2D1052D-95CD-5F73-BB5C-C446F117A653","key":"00ab"}"#
          + "\n"
          + #"{"direction":"AccessoryToHost","sessionID":"F2D1052D-95CD-5F73-BB5C-C446F117A653","key":"01ab"}"#
          + "\n")
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
  #endif

  /// A journal of a later version, and the decision about a notification.
  @Test func laterVersion() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "hark-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    for version in [1, 2] {
      let text = """
        {"journal":"hark","version":\(version),"process":"Acme","pid":1}
        {"time":"2026-11-18T11:06:40.000000Z","event":"notification","notification":"a","decision":"deny"}

        """
      try Data(text.utf8).write(to: file)
      let log = try AppLog(path: file.path())
      #expect(log.summary.contains("journal version 2") == (version == 2))
      #expect(log.entries.first?.event[.decision] == "deny")
    }
  }
}
