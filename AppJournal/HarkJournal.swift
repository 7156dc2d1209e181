// Copyright 2026 the hark authors. Licensed under the Apache License, Version 2.0.
//
// Add this one file to an app or an extension. It records what happens on the app's side of an accessory,
// which no Bluetooth capture shows: `hark timeline capture.pklg --app-log journal.ndjson` lists both in
// order of time. docs/app-journal.md describes the format.
//
//   let journal = HarkJournal(
//     file: HarkJournal.defaultFile(in: groupContainer),
//     extensionPoint: "com.apple.accessory-transport-security")
//   journal.write(.extensionLaunched)
//   journal.write(.securityMessage, [.keyType: "publicKey", .size: message.key.count])
//
// Never write keys or the text of notifications: hark compares only sizes and identifiers.
import Foundation

#if canImport(os)
  import os
#endif

public final class HarkJournal: @unchecked Sendable {
  /// What happened.
  public enum Event: String, Sendable, CaseIterable {
    case extensionLaunched = "extension-launched"
    case extensionNotLaunched = "extension-not-launched"
    case extensionEnded = "extension-ended"
    case connectionRequested = "connection-requested"
    case connectionAccepted = "connection-accepted"
    case connectionResumed = "connection-resumed"
    case connectionRejected = "connection-rejected"
    case connectionInterrupted = "connection-interrupted"
    case connectionInvalidated = "connection-invalidated"
    case xpcRequest = "xpc-request"
    case sessionRequested = "session-requested"
    case sessionAccepted = "session-accepted"
    case sessionRejected = "session-rejected"
    case sessionCancelled = "session-cancelled"
    case sessionInvalidated = "session-invalidated"
    case securityMessage = "security-message"
    case transportMessage = "transport-message"
    case dataEvent = "data-event"
    case messageResult = "message-result"
    case completionMissing = "completion-missing"
    case notification
    case liveActivity = "live-activity"
    case forwardingDecision = "forwarding-decision"
    case centralState = "central-state"
    case deviceFound = "device-found"
    case deviceConnected = "device-connected"
    case deviceDisconnected = "device-disconnected"
    case accessorySetup = "accessory-setup"
    case configurationRegistered = "configuration-registered"
    case configurationRead = "configuration-read"
    case configurationUpdated = "configuration-updated"
    case configurationFailed = "configuration-failed"
    case eaAccessoryConnected = "ea-accessory-connected"
    case eaAccessoryDisconnected = "ea-accessory-disconnected"
    case eaSessionFailed = "ea-session-failed"
    case eaStreamEvent = "ea-stream-event"
    case eaSessionOpened = "ea-session-opened"
    case eaSessionClosed = "ea-session-closed"
    case eaStreamError = "ea-stream-error"
    case wifiSharing = "wifi-sharing"
    /// Anything else: `message` describes it.
    case line
  }

  /// A fact about an event.
  public enum Fact: String, Sendable, CaseIterable {
    case bundle
    case extensionPoint = "extension_point"
    case entitlement, service, interface, session, feature, transport, transports
    case dataKind = "data_kind"
    case keyType = "key_type"
    case cipherSuite = "cipher_suite"
    case version, size, direction, address, identifier, name
    case eaProtocol = "ea_protocol"
    case state, result, error, capabilities, placement
    case primarySource = "primary_audio_source"
    case secondarySource = "secondary_audio_source"
    case notification, decision
  }

  private let lock = NSLock()
  private var file: FileHandle?
  private let echoes: Bool
  /// The members that identify the writer of a line among the lines of other writers.
  private let writer: [String: Any]

  /// Opens a journal, and appends to an existing one.
  /// - Parameters:
  ///   - file: The file to write. If it is nil, or a sandbox denies access to it, lines go to the
  ///     unified log only.
  ///   - extensionPoint: The identifier of this extension's point; nil in the app.
  ///   - echoes: Whether to write to the unified log as well, with the subsystem `hark`.
  public init(file url: URL?, extensionPoint: String? = nil, echoes: Bool = true) {
    self.echoes = echoes
    if let url {
      // The app and its extensions may write to one file: each line goes after the last.
      let descriptor = open(url.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
      if descriptor >= 0 { file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true) }
    }
    var writer: [String: Any] = [:]
    writer["extension_point"] = extensionPoint
    writer["bundle"] = Bundle.main.bundleIdentifier
    self.writer = writer
    let header: [String: Any] = [
      "journal": "hark", "version": 1, "process": ProcessInfo.processInfo.processName,
      "pid": Int(ProcessInfo.processInfo.processIdentifier),
    ]
    append(header.merging(writer) { own, _ in own }, echoes: false)
  }

  /// `hark-journal.ndjson` in a folder, such as the container of the app group.
  public static func defaultFile(in folder: URL?) -> URL? {
    folder?.appendingPathComponent("hark-journal.ndjson")
  }

  /// Writes one line. Any thread may call it.
  /// - Parameter facts: Texts, numbers, Booleans, arrays and sets of texts, optionals of these, and
  ///   values of Apple's enumerations as they are. Audio sources and addresses are written as
  ///   hexadecimal digits, other data as its size.
  public func write(_ event: Event, _ facts: [Fact: Any] = [:], message: String? = nil) {
    var line: [String: Any] = ["event": event.rawValue, "time": Self.text(Date())]
    for (fact, value) in facts { line[fact.rawValue] = Self.plain(value, of: fact) }
    line["message"] = message
    append(line, echoes: echoes)
  }

  // MARK: Wrappers that record every call

  /// Records a call of `accept(connection:)` and its decision.
  ///
  ///     func accept(connection: NSXPCConnection) -> Bool {
  ///       journal.accept("NSXPCConnection") { …; connection.resume(); return true }
  ///     }
  public func accept(_ interface: String, _ body: () throws -> Bool) rethrows -> Bool {
    write(.connectionRequested, [.interface: interface])
    do {
      let isAccepted = try body()
      write(isAccepted ? .connectionAccepted : .connectionRejected, [.interface: interface])
      return isAccepted
    } catch {
      write(.connectionRejected, [.interface: interface, .error: error])
      throw error
    }
  }

  /// Returns a completion to call instead of the one from a system framework. It records its result, or that
  /// it was released without being called: the system treats such a message as delivered.
  ///
  ///     func messageReceived(_ message: SecurityMessage, completion: …) {
  ///       let completion = journal.completion(completion)
  public func completion<Result>(
    _ completion: @escaping @Sendable (Result) -> Void, _ facts: [Fact: Any] = [:]
  ) -> @Sendable (Result) -> Void {
    let call = Call(journal: self, facts: facts)
    return { result in
      call.complete("\(result)")
      completion(result)
    }
  }

  /// Records a call of `AccessoryControlDevice`, and the error that it throws.
  ///
  ///     try await journal.call(.configurationUpdated, [.placement: "inEar"]) {
  ///       try await device.update(configuration)
  ///     }
  public func call<Value>(
    _ event: Event, _ facts: [Fact: Any] = [:], _ body: () async throws -> Value
  ) async rethrows -> Value {
    write(event, facts)
    do {
      return try await body()
    } catch {
      write(.configurationFailed, [.error: error])
      throw error
    }
  }

  // MARK: Whole methods of event handlers

  /// Records a session request, and the decision.
  ///
  ///     func accept(sessionRequest: AccessorySecuritySession.Request)
  ///       -> AccessorySecuritySession.Request.Decision
  ///     { journal.session { sessionRequest.accept { … } } }
  public func session<Decision>(
    _ facts: [Fact: Any] = [:], _ body: () throws -> Decision
  ) rethrows -> Decision {
    write(.sessionRequested, facts)
    let decision = try body()
    let words = "\(decision)".lowercased()
    // A decision of an unknown kind is not recorded.
    if words.contains("reject") {
      write(.sessionRejected, facts)
    } else if words.contains("accept") {
      write(.sessionAccepted, facts)
    }
    return decision
  }

  /// Records a message from the system, without its bytes, and its completion.
  ///
  ///     func messageReceived(_ message: SecurityMessage, completion: …) {
  ///       journal.messageReceived(message, completion) { message, completion in … }
  ///     }
  public func messageReceived<Message, Result>(
    _ message: Message, _ completion: @escaping @Sendable (Result) -> Void,
    _ body: (Message, @escaping @Sendable (Result) -> Void) throws -> Void
  ) rethrows {
    let facts = Self.facts(of: message)
    write(Self.event(facts), facts)
    var session: [Fact: Any] = [:]
    session[.session] = facts[.session]
    try body(message, self.completion(completion, session))
  }

  /// Records a message to the system, without its bytes, and the error that sending it throws.
  ///
  ///     try journal.send(message) { try session.sendSecurityMessage($0) }
  public func send<Message, Value>(
    _ message: Message, _ body: (Message) throws -> Value
  ) rethrows -> Value {
    var facts = Self.facts(of: message)
    let event = Self.event(facts)
    if event == .transportMessage { facts[.direction] = "AccessoryToHost" }
    write(event, facts)
    do {
      return try body(message)
    } catch {
      write(.messageResult, [.result: "failure", .error: error])
      throw error
    }
  }

  /// Records a `DataEvent`, without its bytes.
  ///
  ///     func dataEventHandler(event: AccessoryTransportSession.DataEvent) {
  ///       journal.dataEvent(event) { event in … }
  ///     }
  public func dataEvent<Event, Value>(
    _ event: Event, _ body: (Event) throws -> Value
  ) rethrows -> Value {
    var facts: [Fact: Any] = [.direction: "HostToAccessory"]
    if let content = Mirror(reflecting: event).children.first {
      facts[.dataKind] = content.label
      for part in Mirror(reflecting: content.value).children {
        if let data = part.value as? Data { facts[.size] = data.count }
        if let feature = part.value as? String { facts[.feature] = feature }
      }
    }
    write(.dataEvent, facts)
    return try body(event)
  }

  /// Records the end of a session, and the reason.
  ///
  ///     func sessionInvalidated(error: (any Error)?) { journal.sessionInvalidated(error) { … } }
  public func sessionInvalidated<Value>(
    _ error: (any Error)?, _ facts: [Fact: Any] = [:], _ body: () throws -> Value
  ) rethrows -> Value {
    var facts = facts
    if let error { facts[.error] = error }
    write(.sessionInvalidated, facts)
    return try body()
  }

  /// Records a request that an `XPCPeerHandler` receives, by the name of its type.
  ///
  ///     func handleIncomingRequest(_ input: Translate) -> (any Encodable)? {
  ///       journal.request(input) { … }
  ///     }
  public func request<Input, Output>(
    _ input: Input, _ body: (Input) throws -> Output
  ) rethrows -> Output {
    write(.xpcRequest, [.interface: "XPCSession"], message: "\(Input.self)")
    return try body(input)
  }

  private static func event(_ facts: [Fact: Any]) -> Event {
    facts[.keyType] == nil ? .transportMessage : .securityMessage
  }

  /// Members of a `SecurityMessage` or a `TransportMessage`: for data, only its size.
  private static func facts(of message: Any) -> [Fact: Any] {
    var facts: [Fact: Any] = [:]
    for (label, value) in Mirror(reflecting: message).children {
      switch label {
      case "keyType": facts[.keyType] = "\(value)"
      case "cipherSuite": facts[.cipherSuite] = "\(value)"
      case "version": facts[.version] = "\(value)"
      case "key", "data": facts[.size] = (value as? Data)?.count
      case "sessionID": facts[.session] = "\(value)"
      case "supportedTransports":
        facts[.transports] = Mirror(reflecting: value).children.map { "\($0.value)" }
      default: break
      }
    }
    if facts[.keyType] == nil, facts[.session] != nil { facts[.direction] = "HostToAccessory" }
    return facts
  }

  /// One completion, until its last copy is released.
  private final class Call: @unchecked Sendable {
    private let journal: HarkJournal
    private let facts: [Fact: Any]
    private let lock = NSLock()
    private var isCompleted = false

    init(journal: HarkJournal, facts: [Fact: Any]) { (self.journal, self.facts) = (journal, facts) }

    /// - Parameter result: `success`, or `failure(…)` around an error.
    func complete(_ result: String) {
      lock.lock()
      isCompleted = true
      lock.unlock()
      var facts = facts
      if result.hasPrefix("failure("), result.hasSuffix(")") {
        facts[.result] = "failure"
        facts[.error] = String(result.dropFirst("failure(".count).dropLast())
      } else {
        facts[.result] = result
      }
      journal.write(.messageResult, facts)
    }

    deinit { if !isCompleted { journal.write(.completionMissing, facts) } }
  }

  /// `2026-01-02T03:04:05.678901Z`, always in UTC.
  static func text(_ date: Date) -> String {
    let microseconds = Int64((date.timeIntervalSince1970 * 1_000_000).rounded(.down))
    var seconds = time_t(microseconds / 1_000_000)
    var fields = tm()
    gmtime_r(&seconds, &fields)
    func padded(_ value: Int64, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let day = [Int64(fields.tm_year) + 1900, Int64(fields.tm_mon) + 1, Int64(fields.tm_mday)]
    let time = [Int64(fields.tm_hour), Int64(fields.tm_min), Int64(fields.tm_sec)]
    return padded(day[0], 4) + "-" + padded(day[1], 2) + "-" + padded(day[2], 2) + "T"
      + time.map { padded($0, 2) }.joined(separator: ":") + "."
      + padded(microseconds % 1_000_000, 6) + "Z"
  }

  /// A value in a form that JSON can hold; null for nil.
  private static func plain(_ value: Any, of fact: Fact) -> Any {
    switch value {
    case let text as String: return text
    case let flag as Bool: return flag
    case let number as Int: return number
    case let number as any BinaryInteger: return Int(clamping: number)
    case let number as Double where number.isFinite: return number
    case let texts as [String]: return texts
    case let texts as Set<String>: return texts.sorted()
    case let identifier as UUID: return identifier.uuidString
    case let data as Data:
      switch fact {
      case .primarySource, .secondarySource, .address:
        return data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
          .joined(separator: ":")
      default: return data.count
      }
    default: break
    }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      return mirror.children.first.map { plain($0.value, of: fact) } ?? NSNull()
    }
    return "\(value)"
  }

  /// A line for the unified log, which has no header line.
  func echo(_ object: [String: Any]) -> String? {
    Self.json(object.merging(writer) { own, _ in own })
      .map { "hark-journal " + String(decoding: $0, as: UTF8.self) }
  }

  private static func json(_ object: [String: Any]) -> Data? {
    try? JSONSerialization.data(
      withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
  }

  private func append(_ object: [String: Any], echoes: Bool) {
    guard var line = Self.json(object) else { return }
    #if canImport(os)
      if echoes, let text = echo(object) {
        Logger(subsystem: "hark", category: "journal").notice("\(text, privacy: .public)")
      }
    #endif
    line.append(0x0A)
    lock.lock()
    defer { lock.unlock() }
    // Each line is written at once, so that a killed process leaves only complete lines.
    try? file?.write(contentsOf: line)
  }
}
