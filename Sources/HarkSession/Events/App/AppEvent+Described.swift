import HarkCore

// What the app's side reports about itself.
extension AppEvent {
  var described: any Described { Description(app: self) }

  private struct Description: Described {
    let app: AppEvent

    var kind: EventKind { EventKind("app", .app, app.kind.topics) }

    func describe(_ event: Event, in session: borrowing Session, to sink: inout some EventSink) {
      app.describe(to: &sink)
      sink.sentence(app.sentence)
    }
  }

  private func describe(to sink: inout some EventSink) {
    sink.word("event", kind.rawValue, .incidental)
    sink.object("log") { sink in
      sink.text("file", origin.file, .parameter)
      if origin.line > 0 { sink.number("line", origin.line) }
    }
    if kind == .clock, let clock { clock.describe(to: &sink) }
    internet?.describe(to: &sink)
    if let declaration {
      sink.objects("bundles", declaration.bundles) { $0.describe(to: &$1) }
    }
    sink.flag("certain", isCertain)
    sink.text("process", process, .parameter)
    sink.number("pid", pid)
    sink.text("subsystem", subsystem, .parameter)
    sink.text("category", category, .parameter)
    sink.word("level", level?.rawValue)
    if !facts.isEmpty {
      sink.objects("facts", facts) { entry, sink in
        sink.word("name", entry.fact.rawValue)
        sink.text("value", entry.value, .parameter)
      }
    }
    if !text.isEmpty { sink.text("message", text) }
    if !bodies.isEmpty { sink.texts("bodies", bodies) }
  }

  // MARK: The sentence

  private var sentence: EventSentence {
    if kind == .clock { return clock.map { "\(personal: origin.file): \($0.words)" } ?? "" }
    if let internet { return internet.words }
    if kind == .declaration { return declaration?.words ?? "" }
    return who + what + bodies.reduce("") { "\($0); \(personal: $1)" }
  }

  private var who: EventSentence { process.map { "\(personal: $0): " } ?? "" }

  private var what: EventSentence {
    let meaning = meaning
    // The category precedes lines that hark does not know: `[CBDaemon] `.
    if meaning.text.isEmpty { return (category.map { "[\(personal: $0)] " } ?? "") + line }
    return line.text.isEmpty ? meaning : "\(meaning) – \(line)"
  }

  /// Longer lines of logs are cut in sentences; JSON has all of them.
  private static let longestLine = 300

  private var line: EventSentence {
    guard text.unicodeScalars.count > Self.longestLine else { return "\(personal: text)" }
    let cut = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.longestLine)))
    return "\(personal: cut)…"
  }

  /// The meaning of a line; empty if hark does not know it.
  private var meaning: EventSentence {
    var parts = meaningParts
    guard !parts.isEmpty else { return "" }
    // For a log line, the error is the line itself.
    if let error = self[.error], error != text || !error.contains(" ") {
      parts.append("error \(personal: error)")
    }
    return parts.filter { !$0.text.isEmpty }.joined(separator: ", ")
  }

  private var meaningParts: [EventSentence] {
    switch kind {
    case .extensionLaunched: ["extension launched", value(.extensionPoint)]
    case .extensionNotLaunched: ["extension not launched", value(.extensionPoint)]
    case .extensionEnded: ["extension ended", value(.bundle), value(.extensionPoint)]
    case .entitlementMissing: ["entitlement missing", value(.entitlement)]
    case .connectionRequested: ["XPC connection requested", value(.service)]
    case .connectionAccepted:
      ["XPC connection accepted", value(.interface, after: "by "), value(.service)]
    case .connectionResumed: ["XPC connection resumed", value(.service)]
    case .connectionRejected: ["XPC connection rejected", value(.service)]
    case .connectionInterrupted: ["XPC connection interrupted", value(.service)]
    case .connectionInvalidated: ["XPC connection invalidated", value(.service)]
    case .xpcRequest: ["XPC request", value(.service)]
    case .sessionRequested: ["\(whose)session requested"] + session
    case .sessionAccepted: ["\(whose)session accepted"] + session
    case .sessionRejected: ["\(whose)session rejected"] + session
    case .sessionCancelled: ["\(whose)session cancelled"] + session
    case .sessionInvalidated: ["\(whose)session invalidated"] + session
    case .securityMessage:
      [
        "SecurityMessage \(value(.keyType))", value(.cipherSuite), value(.version), size,
        value(.transports, after: "supportedTransports [", before: "]"),
        value(.identifier, after: "identifier "),
      ]
    case .transportMessage: ["TransportMessage\(way)", size] + session
    case .dataEvent:
      [
        self[.dataKind].map { "DataEvent.\(personal: $0)" } ?? "DataEvent", size,
        value(.feature, after: "featureID "),
      ]
    case .messageResult: ["message result \(value(.result))"] + session
    case .completionMissing: ["completion never called"] + session
    case .notification:
      [
        "notification\(value(.notification, after: " "))",
        value(.decision, after: "ForwardingDecision "),
      ]
    case .liveActivity: ["Live Activity \(value(.state))", value(.name), alertShown]
    case .forwardingDecision: ["ForwardingDecision \(value(.decision))"]
    case .centralState: [self[.state] == nil ? "central state" : "central \(value(.state))"]
    case .deviceFound: ["device found"] + device
    case .deviceConnected: ["device connected"] + device
    case .deviceDisconnected: ["device disconnected"] + device
    case .configurationRegistered: ["AccessoryControlDevice.register"] + configured
    case .accessorySetup: ["AccessorySetupKit \(value(.state))"] + device
    case .configurationRead: ["AccessoryControlDevice.current"] + configured
    case .configurationUpdated: ["AccessoryControlDevice.update"] + configured
    case .configurationFailed: ["AccessoryControlDevice failed"]
    case .eaSessionOpened: ["EASession opened", value(.eaProtocol)]
    case .eaAccessoryConnected: ["EAAccessoryDidConnect", value(.name), value(.eaProtocol)]
    case .eaAccessoryDisconnected: ["EAAccessoryDidDisconnect", value(.name)]
    case .eaSessionFailed: ["EASession is nil", value(.eaProtocol)]
    case .eaStreamEvent: ["EASession stream \(value(.state))", value(.eaProtocol)]
    case .eaSessionClosed: ["EASession closed", value(.eaProtocol)]
    case .eaStreamError: ["EASession stream error", value(.eaProtocol)]
    case .wifiSharing: ["Wi-Fi sharing", value(.state)]
    case .line, .declaration, .clock, .internetMessage: []
    }
  }

  /// Empty if the line does not have it.
  private func value(
    _ fact: Fact, after prefix: StaticString = "", before suffix: StaticString = ""
  ) -> EventSentence {
    self[fact].map { "\(prefix)\(personal: $0)\(suffix)" } ?? ""
  }

  /// What `activityUpdatedForAlert` returned: whether the accessory shows the alert.
  private var alertShown: EventSentence {
    switch self[.result] {
    case "true": "confirmed as shown"
    case "false": "not shown"
    default: value(.result)
    }
  }

  private var whose: StaticString {
    switch point {
    case .security: "security "
    case .transport: "transport "
    case .dataProvider, nil: ""
    }
  }

  private var session: [EventSentence] {
    [value(.session, after: "session "), value(.transport, after: "over ")]
  }

  private var size: EventSentence {
    self[.size].flatMap { Int($0) }.map { "\(Names.count($0, "byte"))" } ?? ""
  }

  private var way: StaticString {
    switch self[.direction] {
    case "HostToAccessory": " to the accessory"
    case "AccessoryToHost": " from the accessory"
    default: ""
    }
  }

  private var device: [EventSentence] {
    [
      value(.name, after: "“", before: "”"), value(.address),
      value(.identifier, after: "CoreBluetooth identifier "),
    ]
  }

  private var configured: [EventSentence] {
    [
      value(.capabilities, after: "deviceCapabilities [", before: "]"),
      value(.placement, after: "devicePlacement "),
      value(.primarySource, after: "primaryAudioSource "),
      value(.secondarySource, after: "secondaryAudioSource "),
    ]
  }
}

extension AppEvent.Kind {
  fileprivate var topics: Topics {
    switch self {
    case .clock: []
    case .internetMessage: .internetMessages
    case .declaration: .declaration
    case .sessionRequested, .sessionAccepted, .sessionRejected, .sessionCancelled,
      .sessionInvalidated, .transportMessage, .dataEvent, .messageResult, .completionMissing:
      [.logs, .sessions]
    case .securityMessage: [.logs, .keyExchange]
    case .eaAccessoryConnected, .eaAccessoryDisconnected, .eaSessionOpened, .eaSessionFailed,
      .eaSessionClosed, .eaStreamEvent, .eaStreamError:
      [.logs, .externalAccessory]
    case .configurationRegistered, .configurationRead, .configurationUpdated, .configurationFailed:
      [.logs, .configuration]
    case .wifiSharing: [.logs, .networkSharing]
    case .extensionLaunched, .extensionNotLaunched, .extensionEnded, .entitlementMissing,
      .connectionRequested, .connectionAccepted, .connectionResumed, .connectionRejected,
      .connectionInterrupted, .connectionInvalidated, .xpcRequest, .notification,
      .forwardingDecision, .centralState,
      .deviceFound, .deviceConnected, .deviceDisconnected, .accessorySetup, .liveActivity, .line:
      .logs
    }
  }
}

extension EventSink {
  fileprivate mutating func texts(_ name: StaticString, _ values: [String]) {
    list(name) { sink in for value in values { sink.element(.text(value), .parameter) } }
  }
}

extension AppDeclaration {
  fileprivate var words: EventSentence {
    guard let first = bundles.first else { return "" }
    var parts: [EventSentence] = []
    func add(_ what: StaticString, _ names: [EventSentence]) {
      if !names.isEmpty { parts.append("\(what) \(names.few(most: 4))") }
    }
    add("extension points", bundles.compactMap(\.extensionPoint).map { "\(personal: $0)" })
    add("EnhancedSecurity for", bundles.flatMap(\.securedPoints).map { "\(personal: $0)" })
    add("services", Self.unique(bundles.flatMap(\.services)).map { "\(personal: $0)" })
    add("names", Self.unique(bundles.flatMap(\.names)).map { "“\(personal: $0)”" })
    add("External Accessory protocols", bundles.flatMap(\.protocols).map { "\(personal: $0)" })
    if parts.isEmpty { parts = ["nothing about accessories"] }
    return "\(personal: first.label) declares \(parts.joined(separator: "; "))"
  }

  private static func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }
}

extension AppDeclaration.Bundle {
  fileprivate func describe(to sink: inout some EventSink) {
    sink.text("path", path, .parameter)
    sink.text("identifier", identifier, .parameter)
    sink.text("name", name, .parameter)
    sink.text("extension_point", extensionPoint, .parameter)
    sink.text("minimum_system", minimumSystem, .parameter)
    if let definedPoints {
      sink.texts("defined_points", definedPoints)
      sink.texts("secured_points", securedPoints)
    }
    sink.texts("services", services)
    sink.texts("names", names)
    sink.texts("ea_protocols", protocols)
    if let entitlements { sink.texts("entitlements", entitlements.sorted()) }
  }
}
