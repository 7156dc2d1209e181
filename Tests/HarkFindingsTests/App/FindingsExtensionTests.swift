import HarkFindings
import HarkSamples
import Testing

@testable import HarkSession

// What extensions do with their connections, sessions, keys and messages, as journals tell it.
extension FindingsMadeTests {
  private static let session = "27563CF7-E1EA-5E4F-9566-CFF165355BED"

  private static func app(
    _ kind: AppEvent.Kind, _ facts: [AppEvent.Fact: String] = [:],
    of point: AccessoryExtensionPoint? = .security, pid: Int? = nil, text: String = ""
  ) -> AppEvent {
    var event = AppEvent(kind, AppEvent.Origin(file: "app.ndjson", line: 7), text: text)
    (event.process, event.isCertain, event.pid) = ("Acme", true, pid)
    (event.isExtension, event.isContainerApp) = (point != nil, point == nil)
    event[.extensionPoint] = point?.rawValue
    for (fact, value) in facts { event[fact] = value }
    return event
  }

  private static func declared(
    _ body: (inout [AppDeclaration.Bundle]) -> Void
  ) -> AppEvent {
    var host = AppDeclaration.Bundle(path: "")
    (host.identifier, host.name) = ("com.acme.host", "Host")
    var bundle = AppDeclaration.Bundle(path: "PlugIns/Filter.appex")
    (bundle.identifier, bundle.name) = ("com.acme.host.filter", "Filter")
    bundle.extensionPoint = "com.acme.host.Filters"
    var bundles = [host, bundle]
    body(&bundles)
    var event = AppEvent(.declaration, AppEvent.Origin(file: "Info.plist", line: 0))
    event.declaration = AppDeclaration(bundles)
    return event
  }

  /// A host whose extension point has the attribute, with an extension that is bound to it.
  private static let secured = declared {
    $0[0].definedPoints = ["com.acme.host.Filters"]
    $0[0].securedPoints = ["com.acme.host.Filters"]
    $0[1].executable = "Acme"
  }

  private static func openSecurity(_ made: inout MadeConversation) {
    made.report(app(.sessionRequested))
    made.report(app(.sessionAccepted))
  }

  private static let encapsulated: [AppEvent.Fact: String] = [
    .keyType: "encapsulatedKey", .cipherSuite: "p256", .size: "65",
  ]

  static let extensions = [
    Case("a security session is rejected", finds: ["keys.session-failed"]) {
      $0.report(app(.sessionRequested))
      $0.report(app(.sessionRejected, [.error: "unsupported"]))
    },
    Case("a transport session is rejected", finds: ["transport.session-failed"]) {
      $0.report(app(.sessionRequested, of: .transport))
      $0.report(app(.sessionRejected, [.error: "unsupported"], of: .transport))
    },
    Case("a security session ends") {
      openSecurity(&$0)
      $0.report(app(.sessionInvalidated))
    },
    Case("a security session is invalidated by an error", finds: ["keys.session-failed"]) {
      openSecurity(&$0)
      $0.report(app(.sessionInvalidated, [.error: "unknown"]))
    },
    Case(
      "a key after the security session", finds: ["keys.after-invalidation"],
      cannotTell: ["keys.not-forwarded"]
    ) {
      openSecurity(&$0)
      $0.report(app(.sessionInvalidated))
      $0.report(app(.securityMessage, encapsulated))
      $0.report(app(.messageResult, [.result: "success"]))
    },
    Case("a key in the next security session", cannotTell: ["keys.not-forwarded"]) {
      openSecurity(&$0)
      $0.report(app(.sessionInvalidated))
      openSecurity(&$0)
      $0.report(app(.securityMessage, encapsulated))
      $0.report(app(.messageResult, [.result: "success"]))
    },
    Case(
      "a completion is never called", finds: ["keys.completion-missing"],
      cannotTell: ["keys.not-forwarded"]
    ) {
      openSecurity(&$0)
      $0.report(app(.securityMessage, encapsulated))
      $0.wait(31_000)
      $0.report(app(.line))
    },
    Case(
      "a completion is released without a call", finds: ["keys.completion-missing"],
      cannotTell: ["keys.not-forwarded"]
    ) {
      openSecurity(&$0)
      $0.report(app(.securityMessage, encapsulated))
      $0.report(app(.completionMissing))
    },
    Case("a completion is called late", cannotTell: ["keys.not-forwarded"]) {
      openSecurity(&$0)
      $0.report(app(.securityMessage, encapsulated))
      $0.wait(60_000)
      $0.report(app(.messageResult, [.result: "success"]))
    },
    Case("a completion is called", cannotTell: ["keys.not-forwarded"]) {
      openSecurity(&$0)
      $0.report(app(.securityMessage, encapsulated))
      $0.report(app(.messageResult, [.result: "success"]))
      $0.wait(31_000)
      $0.report(app(.line))
    },
    Case("a log without completions", cannotTell: ["keys.not-forwarded"]) {
      openSecurity(&$0)
      var key = app(.securityMessage, encapsulated)
      key.isCertain = false
      $0.report(key)
      $0.wait(31_000)
      $0.report(app(.line))
    },
    Case(
      "localNetwork with P-256", finds: ["keys.transport-needs-xwing"],
      cannotTell: ["keys.not-forwarded"]
    ) {
      $0.report(
        app(
          .securityMessage,
          [
            .keyType: "publicKey", .cipherSuite: "p256", .size: "64",
            .transports: "bluetooth, localNetwork",
          ]))
      $0.report(app(.securityMessage, encapsulated))
      $0.report(app(.messageResult, [.result: "success"]))
    },
    Case("localNetwork with X-Wing", cannotTell: ["keys.not-forwarded"]) {
      $0.report(
        app(
          .securityMessage,
          [
            .keyType: "publicKey", .cipherSuite: "xWing", .size: "1216",
            .transports: "bluetooth, localNetwork",
          ]))
      $0.report(
        app(
          .securityMessage,
          [.keyType: "encapsulatedKey", .cipherSuite: "xWing", .size: "1120"]))
      $0.report(app(.messageResult, [.result: "success"]))
    },
    Case("accepted and not resumed", finds: ["app.accepted-not-resumed"]) {
      $0.report(app(.connectionAccepted))
      $0.wait(6_000)
      $0.report(app(.connectionInvalidated))
    },
    Case("accepted and resumed") {
      $0.report(app(.connectionAccepted))
      $0.report(app(.connectionResumed))
      $0.wait(6_000)
      $0.report(app(.connectionInvalidated))
    },
    Case("accepted by a ConnectionHandler") {
      $0.report(app(.connectionAccepted, [.interface: "XPCSession"]))
      $0.wait(6_000)
      $0.report(app(.connectionInvalidated))
    },
    Case("NSXPCConnection and EnhancedSecurity", finds: ["app.enhanced-security"]) {
      $0.report(secured)
      $0.report(app(.connectionAccepted, [.interface: "NSXPCConnection"], of: nil))
      $0.report(app(.connectionResumed, of: nil))
    },
    Case("XPCSession and EnhancedSecurity") {
      $0.report(secured)
      $0.report(app(.connectionAccepted, [.interface: "XPCSession"], of: nil))
    },
    Case("launched, and no connection follows", finds: ["app.launched-not-connected"]) {
      $0.report(app(.extensionLaunched))
      $0.wait(11_000)
      $0.report(app(.extensionEnded))
    },
    Case("launched and connected") {
      $0.report(app(.extensionLaunched))
      $0.report(app(.connectionAccepted))
      $0.report(app(.connectionResumed))
      $0.wait(11_000)
      $0.report(app(.extensionEnded))
    },
    Case("launched three times", finds: ["app.crash-loop"]) {
      for pid in 731...733 {
        $0.report(app(.extensionLaunched, pid: pid))
        $0.report(app(.sessionRequested, pid: pid))
        $0.report(app(.sessionAccepted, pid: pid))
        $0.wait(5_000)
      }
    },
    Case("launched again at once, three times", finds: ["app.crash-loop"]) {
      for _ in 0..<3 {
        $0.report(app(.extensionLaunched, pid: 731))
        $0.report(app(.extensionLaunched, pid: 731))
        $0.wait(500)
        $0.report(app(.extensionEnded, pid: 731))
      }
    },
    Case("one launch that daemon and extension report") {
      var line = app(.extensionLaunched, [.bundle: "com.acme.relay"], pid: 204)
      line.isCertain = false
      for _ in 0..<3 {
        $0.report(line)
        $0.wait(1_000)
      }
      $0.report(app(.extensionLaunched, [.bundle: "com.acme.relay"], pid: 731))
      $0.report(app(.sessionRequested))
      $0.report(app(.sessionAccepted))
    },
    Case("launched three times in an hour") {
      for pid in 731...733 {
        $0.report(app(.extensionLaunched, pid: pid))
        $0.report(app(.sessionRequested, pid: pid))
        $0.report(app(.sessionAccepted, pid: pid))
        $0.report(app(.sessionInvalidated, pid: pid))
        $0.wait(1_200_000)
      }
    },
    Case("invalidated in a session", finds: ["app.connection-invalidated"]) {
      openSecurity(&$0)
      $0.report(app(.connectionInvalidated))
      $0.wait(2_000)
      $0.report(app(.line))
    },
    Case("invalidated as the session ends") {
      openSecurity(&$0)
      $0.report(app(.connectionInvalidated))
      $0.report(app(.sessionInvalidated))
      $0.wait(2_000)
      $0.report(app(.line))
    },
    Case("a service that does not exist", finds: ["app.connection-invalidated"]) {
      $0.report(
        app(.connectionInvalidated, [.error: "Error Domain=NSCocoaErrorDomain Code=4099"], of: nil))
    },
    Case("a binding that the host does not define", finds: ["app.binding-mismatch"]) {
      $0.report(declared { $0[0].definedPoints = ["com.acme.host.Filter"] })
    },
    Case("a host that defines nothing", finds: ["app.binding-mismatch"]) {
      $0.report(declared { _ in })
    },
    Case("a binding that the host defines") {
      $0.report(declared { $0[0].definedPoints = ["com.acme.host.Filters"] })
    },
    Case("a binding to another app's point") {
      $0.report(declared { $0[1].extensionPoint = "com.other.app.Filters" })
    },
    Case("an extension for systems that do not have its point", finds: ["app.deployment-target"]) {
      $0.report(target("26.2"))
    },
    Case("an extension for systems that have its point") { $0.report(target("26.5.1")) },
    Case("AudioAccessoryKit on a system without it", finds: ["app.deployment-target"]) {
      $0.report(
        declared {
          $0 = [$0[0]]
          $0[0].minimumSystem = "18.0"
        })
      $0.encrypt()
      $0.report(app(.configurationRegistered, of: nil))
      $0.disconnect()
    },
  ]

  private static func identified(_ protocols: [IAP2Identification.ExternalAccessoryProtocol])
    -> Event.Content
  {
    let identification = IAP2Identification(protocols: protocols)
    return .iap2(.identification(.init(identification: identification, isUpdate: false)))
  }

  /// RequestAppLaunch, of which parameter 0 is AppBundleID.
  private static func launch(_ bundle: String) -> Event.Content {
    .iap2(
      .message(
        .init(identifier: 0xEA02, size: 40, values: [.init(path: [0], text: bundle, isText: true)]))
    )
  }

  static let protocols = [
    Case("an accessory without a protocol", finds: ["ea.no-protocol"]) {
      $0.report(identified([]))
    },
    Case("an accessory with a protocol") {
      $0.report(identified([.init(identifier: 1, name: "com.acme.control")]))
    },
    Case("another app is asked for", finds: ["app.launch-bundle"]) {
      $0.report(declared { $0 = [$0[0]] })
      $0.report(launch("com.acme.old"))
    },
    Case("the app is asked for") {
      $0.report(declared { $0 = [$0[0]] })
      $0.report(launch("com.acme.host"))
    },
    Case(
      "a session for a protocol that the app does not declare", finds: ["app.ea-protocol-missing"]
    ) {
      $0.report(declared { $0 = [$0[0]] })
      $0.report(app(.eaSessionOpened, [.eaProtocol: "com.acme.control"], of: nil))
    },
    Case("a session for a protocol that the app declares") {
      $0.report(
        declared {
          $0 = [$0[0]]
          $0[0].protocols = ["com.acme.control"]
        })
      $0.report(app(.eaSessionOpened, [.eaProtocol: "com.acme.control"], of: nil))
    },
    Case("a line says that the protocol is not declared", finds: ["app.ea-protocol-missing"]) {
      $0.report(
        app(
          .eaSessionFailed, [.eaProtocol: "com.acme.control"], of: nil,
          text: "opening session failed as protocol com.acme.control is not declared in Info.plist")
      )
    },
  ]

  static let alerts = [
    Case("an alert is confirmed and sent", cannotTell: ["keys.cannot-decrypt"]) {
      $0.message(session, from: .hostToAccessory)
      $0.report(app(.liveActivity, [.state: "alert", .result: "true"], of: .dataProvider))
      $0.message(session, from: .hostToAccessory)
      $0.wait(6_000)
      $0.report(app(.line, of: .dataProvider))
    },
    Case(
      "an alert is confirmed and not sent", finds: ["notifications.alert-not-sent"],
      cannotTell: ["keys.cannot-decrypt"]
    ) {
      $0.message(session, from: .hostToAccessory)
      $0.wait(3_000)
      $0.report(app(.liveActivity, [.state: "alert", .result: "true"], of: .dataProvider))
      $0.wait(6_000)
      $0.report(app(.line, of: .dataProvider))
    },
    Case("an alert of a Live Activity is confirmed and sent") {
      $0.say(.liveActivity(.init(), .start), from: .hostToAccessory)
      $0.wait(3_000)
      $0.report(app(.liveActivity, [.state: "alert", .result: "true"], of: .dataProvider))
      $0.say(.liveActivity(.init(), .alert), from: .hostToAccessory)
      $0.wait(6_000)
      $0.report(app(.line, of: .dataProvider))
    },
    Case(
      "a notification follows a confirmed alert of a Live Activity",
      finds: ["notifications.alert-not-sent"]
    ) {
      $0.say(.liveActivity(.init(), .start), from: .hostToAccessory)
      $0.wait(3_000)
      $0.report(app(.liveActivity, [.state: "alert", .result: "true"], of: .dataProvider))
      $0.say(.add(.init()), from: .hostToAccessory)
      $0.wait(6_000)
      $0.report(app(.line, of: .dataProvider))
    },
    Case(
      "an update without an alert follows a confirmed alert",
      finds: ["notifications.alert-not-sent"]
    ) {
      $0.say(.liveActivity(.init(), .alert), from: .hostToAccessory)
      $0.wait(3_000)
      $0.report(app(.liveActivity, [.state: "alert", .result: "true"], of: .dataProvider))
      $0.say(.liveActivity(.init(), .update), from: .hostToAccessory)
      $0.wait(6_000)
      $0.report(app(.line, of: .dataProvider))
    },
    Case("a framing that does not distinguish alerts") {
      $0.say(.liveActivity(.init(), .start), from: .hostToAccessory)
      $0.wait(3_000)
      $0.report(app(.liveActivity, [.state: "alert", .result: "true"], of: .dataProvider))
      $0.say(.liveActivity(.init(), .update), from: .hostToAccessory)
      $0.wait(6_000)
      $0.report(app(.line, of: .dataProvider))
    },
    Case("the phone shows the alert itself", cannotTell: ["keys.cannot-decrypt"]) {
      $0.message(session, from: .hostToAccessory)
      $0.wait(3_000)
      $0.report(app(.notification, [.result: "false"], of: .dataProvider))
      $0.wait(6_000)
      $0.report(app(.line, of: .dataProvider))
    },
  ]

  private static func target(_ version: String) -> AppEvent {
    declared {
      $0[1].extensionPoint = AccessoryExtensionPoint.security.rawValue
      ($0[1].supports, $0[1].services) = (["Bluetooth"], ["180F"])
      $0[1].minimumSystem = version
    }
  }

  private static func handed(
    _ size: Int, _ direction: String = "HostToAccessory", _ kind: AppEvent.Kind = .transportMessage
  ) -> AppEvent {
    app(
      kind,
      [.size: "\(size)", .direction: direction, kind == .dataEvent ? .feature : .session: session],
      of: .transport)
  }

  static let delivery = [
    // Messages on the air have 40 bytes here.
    Case("a message that the extension receives is sent", cannotTell: ["keys.cannot-decrypt"]) {
      $0.report(handed(40))
      $0.message(session, from: .hostToAccessory)
      $0.wait(20_000)
      $0.report(app(.line, of: .transport))
    },
    // A size that no message has.
    Case("a journal with a wrong size", cannotTell: ["keys.cannot-decrypt"]) {
      $0.report(handed(.min))
      $0.report(handed(40))
      $0.message(session, from: .hostToAccessory)
    },
    Case("two processes report one message", cannotTell: ["keys.cannot-decrypt"]) {
      $0.report(handed(40))
      $0.report(handed(40))
      $0.message(session, from: .hostToAccessory)
      $0.wait(20_000)
      $0.report(app(.line, of: .transport))
    },
    Case("a DataEvent is sent as a profile describes it") {
      $0.report(handed(40, "HostToAccessory", .dataEvent))
      $0.say(
        .transport(
          .dataEvent(.plaintext(data: [UInt8](repeating: 7, count: 38), featureID: session)),
          sessionID: session), from: .hostToAccessory)
      $0.wait(20_000)
      $0.report(app(.line, of: .transport))
    },
    Case("a DataEvent is sent", cannotTell: ["keys.cannot-decrypt"]) {
      $0.report(handed(40, "HostToAccessory", .dataEvent))
      $0.message(session, from: .hostToAccessory)
      $0.wait(20_000)
      $0.report(app(.line, of: .transport))
    },
    Case(
      "a DataEvent that is never sent", finds: ["transport.not-forwarded"],
      cannotTell: ["keys.cannot-decrypt"]
    ) {
      $0.report(handed(40, "HostToAccessory", .dataEvent))
      $0.message(session, from: .hostToAccessory)
      $0.report(handed(300, "HostToAccessory", .dataEvent))
      $0.wait(20_000)
      $0.report(app(.line, of: .transport))
    },
    Case(
      "a message in another session", finds: ["transport.not-forwarded"],
      cannotTell: ["keys.cannot-decrypt"]
    ) {
      $0.report(handed(40))
      $0.message("other", from: .hostToAccessory)
      $0.wait(20_000)
      $0.report(app(.line, of: .transport))
    },
    Case(
      "a message whose failure is reported", finds: ["transport.message-failed"],
      cannotTell: ["keys.cannot-decrypt"]
    ) {
      $0.report(handed(40))
      $0.message(session, from: .hostToAccessory)
      $0.report(handed(300))
      $0.report(
        app(.messageResult, [.error: "transportFailed", .session: session], of: .transport))
      $0.wait(20_000)
      $0.report(app(.line, of: .transport))
    },
    // The failure is that of the message which was sent.
    Case(
      "a message that is never sent, before one that fails",
      finds: ["transport.message-failed", "transport.not-forwarded"],
      cannotTell: ["keys.cannot-decrypt"]
    ) {
      $0.report(handed(300))
      $0.report(handed(40))
      $0.message(session, from: .hostToAccessory)
      $0.report(
        app(.messageResult, [.error: "transportFailed", .session: session], of: .transport))
      $0.wait(20_000)
      $0.report(app(.line, of: .transport))
    },
    // Both sides report the same sizes, so another size is another message.
    Case(
      "a message of another size", finds: ["transport.not-forwarded"],
      cannotTell: ["keys.cannot-decrypt"]
    ) {
      for _ in 0..<2 {
        $0.report(handed(40))
        $0.message(session, from: .hostToAccessory)
      }
      $0.report(handed(70))
      $0.message(session, from: .hostToAccessory)
      $0.wait(20_000)
      $0.report(app(.line, of: .transport))
    },
    Case("an unknown framing") {
      $0.report(handed(40))
      $0.wait(20_000)
      $0.report(app(.line, of: .transport))
    },
    Case("packets were lost", cannotTell: ["keys.cannot-decrypt", "transport.not-forwarded"]) {
      $0.message(session, from: .hostToAccessory)
      $0.report(handed(40))
      $0.report(handed(300))
      $0.record(.event, received: true, "13 05 01 4000 0100", dropped: 3)
      $0.wait(20_000)
      $0.report(app(.line, of: .transport))
    },
    Case(
      "the accessory's message is not passed on", finds: ["transport.not-forwarded"],
      cannotTell: ["keys.cannot-decrypt", "transport.unknown-session"]
    ) {
      for _ in 0..<2 {
        $0.message(session, from: .accessoryToHost)
        $0.report(handed(40, "AccessoryToHost"))
        $0.message(session, from: .accessoryToHost)
        $0.wait(20_000)
      }
      $0.message(session, from: .accessoryToHost)
      $0.report(handed(40, "AccessoryToHost"))
      $0.wait(20_000)
      $0.report(app(.line, of: .transport))
    },
  ]
}
