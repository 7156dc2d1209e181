import HarkCore
import HarkFindings
import HarkSamples
import Testing

@testable import HarkSession

// Logs that cover another time than the capture, and lines of other processes than the extension.
extension FindingsMadeTests {
  private static func app(
    _ kind: AppEvent.Kind, _ facts: [AppEvent.Fact: String] = [:], isExtension: Bool? = true,
    process: String? = "Acme", log: String = "app.ndjson", text: String = ""
  ) -> AppEvent {
    var event = AppEvent(kind, AppEvent.Origin(file: log, line: 7), text: text)
    (event.process, event.isCertain) = (process, true)
    (event.isExtension, event.isContainerApp) = (isExtension == true, isExtension == false)
    for (fact, value) in facts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      event[fact] = value
    }
    return event
  }

  /// What the log covers, in milliseconds from the beginning of the conversation.
  private static func clock(_ range: ClosedRange<Int64>) -> AppEvent {
    func time(_ milliseconds: Int64) -> Timestamp {
      Timestamp(nanoseconds: 1_700_000_000_000_000_000 + milliseconds * 1_000_000)
    }
    var event = AppEvent(.clock, AppEvent.Origin(file: "app.ndjson", line: 0))
    event.clock = AppClock(.matches)
    event.clock?.covers = time(range.lowerBound)...time(range.upperBound)
    return event
  }

  private static let session = "27563CF7-E1EA-5E4F-9566-CFF165355BED"
  private static let transport: [AppEvent.Fact: String] = [.session: session, .size: "300"]
  private static let source: [UInt8] = [0xC0, 0xDE, 0, 0, 0, 7]
  private static let sourceText = "C0:DE:00:00:00:07"
  private static let capabilities: [AppEvent.Fact: String] = [
    .capabilities: "audioSwitching, placement"
  ]

  private static func says(_ made: inout MadeConversation, _ source: [UInt8]?) {
    var now = AccessoryControlDevice.Configuration()
    now.primaryAudioSourceDeviceIdentifier = source
    var change = AccessoryControlDevice.Change()
    change.primaryAudioSourceDeviceIdentifier = source.map { .value($0) } ?? .cleared
    made.configure(.update(now), [], change)
  }

  private static func register(_ made: inout MadeConversation) {
    made.encrypt()
    made.configure(.register(.init()))
    made.report(app(.configurationRegistered, capabilities, isExtension: false))
    made.report(app(.line))
  }

  static let logCoverage = [
    // Nothing of the air is in the capture after its last packet.
    Case(
      "a message is handed over after the capture",
      cannotTell: [
        "keys.cannot-decrypt", "transport.not-forwarded",
      ]
    ) {
      $0.message(session, from: .hostToAccessory)
      $0.wait(60_000)
      $0.reportLast(.app(app(.transportMessage, transport)))
      $0.wait(60_000)
      $0.reportLast(.app(app(.line)))
    },
    // A Bluetooth capture does not show what goes over another transport.
    Case(
      "a session over the local network",
      cannotTell: [
        "keys.cannot-decrypt", "transport.not-forwarded",
      ]
    ) {
      $0.message(session, from: .hostToAccessory)
      $0.report(app(.sessionRequested, [.session: session, .transport: "localNetwork"]))
      $0.report(app(.sessionAccepted, [.session: session]))
      $0.report(app(.transportMessage, [.session: session, .size: "900"]))
      $0.wait(60_000)
      $0.report(app(.line))
      $0.disconnect()
    },
    Case(
      "a session over Bluetooth", finds: ["transport.not-forwarded"],
      cannotTell: ["keys.cannot-decrypt"]
    ) {
      $0.message(session, from: .hostToAccessory)
      $0.report(app(.sessionRequested, [.session: session, .transport: "bluetooth"]))
      $0.report(app(.sessionAccepted, [.session: session]))
      $0.report(app(.transportMessage, [.session: session, .size: "900"]))
      $0.wait(60_000)
      $0.report(app(.line))
      $0.disconnect()
    },
    Case("a key of a cipher suite of a later system", cannotTell: ["keys.public-key-unanswered"]) {
      $0.report(
        app(.securityMessage, [.keyType: "publicKey", .cipherSuite: "mlKEM1024", .size: "1568"]))
    },
    Case(
      "a key that no known suite has", finds: ["keys.wrong-size"],
      cannotTell: ["keys.public-key-unanswered"]
    ) {
      $0.report(app(.securityMessage, [.keyType: "publicKey", .size: "1568"]))
    },
    Case(
      "an alert is confirmed after the capture",
      cannotTell: [
        "keys.cannot-decrypt", "notifications.alert-not-sent",
      ]
    ) {
      $0.message(session, from: .hostToAccessory)
      $0.wait(60_000)
      $0.reportLast(.app(app(.liveActivity, [.state: "alert", .result: "true"])))
      $0.wait(60_000)
      $0.reportLast(.app(app(.line)))
    },
    Case(
      "a key is received after the capture",
      cannotTell: ["keys.not-forwarded", "keys.public-key-unanswered"]
    ) {
      $0.key(.publicKey, .p256)
      $0.wait(2_000)
      $0.reportLast(.app(app(.securityMessage, [.keyType: "encapsulatedKey"])))
      $0.wait(60_000)
      $0.reportLast(.app(app(.messageResult, [.result: "success"])))
    },
    // An update after the log's last line is not in it.
    Case("a new source after the log", cannotTell: ["audio.source-not-updated"]) {
      register(&$0)
      says(&$0, source)
      $0.wait(60_000)
      $0.disconnect()
    },
    Case("a source is cleared after the log", cannotTell: ["audio.source-not-cleared"]) {
      register(&$0)
      says(&$0, source)
      $0.report(app(.configurationUpdated, [.primarySource: sourceText]))
      $0.wait(2_000)
      says(&$0, nil)
      $0.wait(60_000)
      $0.disconnect()
    },
    Case("a log of other programs goes on", finds: ["audio.source-not-updated"]) {
      $0.report(clock(0...60_000))
      register(&$0)
      says(&$0, source)
      $0.wait(60_000)
      $0.disconnect()
    },
    // Two days later by the clock of the capture.
    Case("the clock is set after a new source", cannotTell: ["audio.source-not-updated"]) {
      $0.report(clock(0...60_000))
      register(&$0)
      says(&$0, source)
      $0.wait(172_800_000)
      $0.event("13 05 01 4000 0100")
      $0.disconnect()
    },
    Case("the log ends before the decision", cannotTell: ["transport.session-undecided"]) {
      $0.report(app(.sessionRequested))
      $0.wait(60_000)
      $0.disconnect()
    },
    Case("the log ends while the central is off", cannotTell: ["app.central-off"]) {
      $0.report(app(.centralState, [.state: "poweredOff"]))
      $0.wait(1_000)
      $0.report(app(.line))
      $0.wait(60_000)
      $0.disconnect()
    },
    // The first update may have been before the log.
    Case("an update as the log begins") {
      register(&$0)
      says(&$0, source)
      $0.wait(20_000)
      $0.report(
        app(.configurationUpdated, [.primarySource: sourceText], log: "/logs/late.ndjson"))
      $0.disconnect()
    },
    Case("a log that begins after the accessory speaks", cannotTell: ["app.never-launched"]) {
      $0.say(.transport(.decision(.accept), sessionID: "S"))
      $0.wait(20_000)
      $0.report(app(.line, isExtension: nil, process: "deviceaccessd"))
      $0.disconnect()
    },
    Case("an extension of which the log has only the end") {
      $0.report(app(.line, isExtension: nil, process: "deviceaccessd"))
      $0.say(.transport(.decision(.accept), sessionID: "S"))
      $0.report(
        app(
          .extensionEnded, [.bundle: "com.acme.relay", .error: "jetsam: per-process-limit"],
          process: "runningboardd"))
      $0.disconnect()
    },
    Case("a log that ends before the accessory speaks", cannotTell: ["app.never-launched"]) {
      $0.report(app(.line, isExtension: nil, process: "deviceaccessd"))
      $0.wait(20_000)
      $0.say(.transport(.decision(.accept), sessionID: "S"))
      $0.disconnect()
    },
  ]

  private static let unauthorized: [AppEvent.Fact: String] = [
    .state: "unauthorized", .service: "com.apple.server.bluetooth.le.att.xpc",
  ]

  static let processes = [
    Case("the central of the container app stays off") {
      $0.report(app(.centralState, [.state: "poweredOff"], isExtension: false))
      $0.wait(20_000)
      $0.report(app(.line, isExtension: false))
    },
    Case("the system refuses Bluetooth to another program") {
      $0.report(app(.centralState, unauthorized, isExtension: nil, process: "mediaserverd"))
      $0.wait(20_000)
      $0.report(app(.line))
    },
    Case("the system refuses Bluetooth to the extension", finds: ["app.central-off"]) {
      $0.report(app(.centralState, unauthorized, isExtension: nil))
      $0.wait(20_000)
      $0.report(app(.line))
    },
    Case("launched at the second attempt") {
      $0.report(
        app(.extensionNotLaunched, isExtension: nil, process: "deviceaccessd", text: "Failed"))
      $0.wait(1_000)
      $0.report(app(.line))
      $0.wait(60_000)
      $0.report(app(.line))
    },
    Case("another extension is launched", finds: ["app.never-launched"]) {
      $0.report(
        app(
          .extensionNotLaunched, [.extensionPoint: "com.apple.accessory-transport-security"],
          isExtension: nil, process: "deviceaccessd"))
      $0.wait(1_000)
      $0.report(
        app(.line, [.extensionPoint: "com.apple.accessory-transport-extension"]))
    },
  ]

  /// The system's line names the cause, before or after the connection is interrupted.
  @Test(arguments: [false, true]) func cause(isBefore: Bool) throws {
    let findings = MadeConversation.over(interval: "1800", connects: true) {
      let ended = Self.app(
        .extensionEnded, [.bundle: "com.acme.relay", .error: "jetsam: per-process-limit"],
        isExtension: true, process: "runningboardd")
      if isBefore { $0.report(ended) }
      $0.report(Self.app(.connectionInterrupted, isExtension: false))
      $0.wait(200)
      if !isBefore { $0.report(ended) }
      $0.wait(10_000)
      $0.report(Self.app(.line))
    }
    let finding = try #require(findings.all.first { $0.rule.id == "app.connection-interrupted" })
    #expect(
      finding.observed
        == "Acme: XPC connection interrupted; com.acme.relay ended: jetsam: per-process-limit "
        + "(app.ndjson:7)")
  }

  /// Another process of the system that ends at the same time is no cause, unless it is the service itself.
  @Test(arguments: [
    ("com.apple.WebKit.GPU", ""),
    ("com.acme.relay", "; com.acme.relay ended: jetsam: highwater (app.ndjson:7)"),
  ])
  func noCause(_ bundle: String, _ cause: String) throws {
    let findings = MadeConversation.over(interval: "1800", connects: true) {
      $0.report(
        Self.app(
          .extensionEnded, [.bundle: bundle, .error: "jetsam: highwater"], isExtension: nil,
          process: "runningboardd"))
      $0.report(
        Self.app(.connectionInterrupted, [.service: "com.acme.relay"], isExtension: false))
      $0.wait(10_000)
      $0.report(Self.app(.line))
    }
    let finding = try #require(findings.all.first { $0.rule.id == "app.connection-interrupted" })
    let observed = "\(finding.observed)"
    #expect(cause.isEmpty ? !observed.contains(bundle) : observed.hasSuffix(cause))
  }

  /// The process that reports the interruption is not the other side, and a program of the user is not the system's service.
  @Test(arguments: [("com.acme.transport", nil), ("com.acme.relay", "com.apple.deviceaccessd")])
  func notTheOtherSide(_ bundle: String, _ service: String?) throws {
    let findings = MadeConversation.over(interval: "1800", connects: true) {
      var facts: [AppEvent.Fact: String] = [.bundle: "com.acme.transport"]
      facts[.service] = service
      $0.report(Self.app(.connectionInterrupted, facts, isExtension: true))
      $0.wait(2_000)
      $0.report(
        Self.app(
          .extensionEnded, [.bundle: bundle, .error: "jetsam: highwater"], isExtension: true,
          process: "runningboardd"))
      $0.wait(10_000)
      $0.report(Self.app(.line))
    }
    let finding = try #require(findings.all.first { $0.rule.id == "app.connection-interrupted" })
    #expect(!"\(finding.observed)".contains("jetsam"))
  }
}
