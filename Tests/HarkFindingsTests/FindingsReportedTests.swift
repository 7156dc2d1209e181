import HarkFindings
import HarkSamples
import Testing

@testable import HarkSession

/// What the app's side tells of key exchange, sessions and External Accessory, where the accessory's
/// framing belongs to no vendor that hark knows. Sizes are those of CryptoKit's representations.
@Suite struct FindingsReportedTests {
  typealias Case = FindingsMadeTests.Case

  private static func app(
    _ kind: AppEvent.Kind, _ facts: [AppEvent.Fact: String] = [:]
  ) -> Event.Content {
    var event = AppEvent(kind, AppEvent.Origin(file: "/logs/app.ndjson", line: 7))
    for (fact, value) in facts { event[fact] = value }
    event.isCertain = true
    return .app(event)
  }

  private static func key(_ type: String, _ suite: String?, _ size: Int?) -> Event.Content {
    var facts: [AppEvent.Fact: String] = [.keyType: type]
    facts[.cipherSuite] = suite
    facts[.size] = size.map { "\($0)" }
    return app(.securityMessage, facts)
  }

  private static func declared(
    _ body: (inout AppDeclaration.Bundle) -> Void
  ) -> Event.Content {
    var bundle = AppDeclaration.Bundle(path: "PlugIns/Transport.appex")
    bundle.extensionPoint = "com.apple.accessory-data-provider"
    bundle.supports = ["Bluetooth"]
    bundle.services = ["180F"]
    bundle.capabilities = ["AccessoryNotifications.NotificationsForwarding"]
    body(&bundle)
    var event = AppEvent(.declaration, AppEvent.Origin(file: "Info.plist", line: 0))
    event.declaration = AppDeclaration([bundle])
    return .app(event)
  }

  /// An app with extensions for some points.
  /// - Parameter areInside: Whether they were found in the app; otherwise, their Info.plist files were named.
  private static func whole(
    _ points: [AccessoryExtensionPoint], areInside: Bool = true
  ) -> Event.Content {
    var bundles = [AppDeclaration.Bundle(path: "")]
    for point in points {
      var bundle = AppDeclaration.Bundle(path: areInside ? "Extensions/\(point).appex" : "")
      bundle.extensionPoint = point.rawValue
      bundle.supports = ["Bluetooth"]
      bundle.services = ["180F"]
      if point == .dataProvider {
        bundle.capabilities = ["AccessoryNotifications.NotificationsForwarding"]
      }
      bundles.append(bundle)
    }
    var event = AppEvent(.declaration, AppEvent.Origin(file: "Info.plist", line: 0))
    event.declaration = AppDeclaration(bundles)
    return .app(event)
  }

  /// What a container app declares.
  private static func app(_ body: (inout AppDeclaration.Bundle) -> Void) -> Event.Content {
    var bundle = AppDeclaration.Bundle(path: "")
    body(&bundle)
    var event = AppEvent(.declaration, AppEvent.Origin(file: "Info.plist", line: 0))
    event.declaration = AppDeclaration([bundle])
    return .app(event)
  }

  private static func links(
    _ strong: Set<String>, weakly: Set<String> = []
  ) -> AppDeclaration.Frameworks {
    var frameworks = AppDeclaration.Frameworks()
    (frameworks.strong, frameworks.weak) = (strong, weakly)
    return frameworks
  }

  private static func identification(_ name: String) -> Event.Content {
    var it = IAP2Identification()
    it.protocols = [.init(identifier: 1, name: name, matchAction: 1)]
    return .iap2(.identification(.init(identification: it, isUpdate: false)))
  }

  /// The link 0x0041 to another device, which is never encrypted.
  private static func connectAnother(_ it: inout MadeConversation) {
    it.event("3e 13 01 00 4100 00 00 998877665544 1800 0000 4800 00")
  }

  static let keys = [
    Case("a public key of P-256 with 04", finds: ["keys.wrong-size"]) {
      $0.report(key("publicKey", "p256", 65))
      $0.report(key("encapsulatedKey", "p256", 65))
    },
    Case("a public key of X-Wing that is short", finds: ["keys.wrong-size"]) {
      $0.report(key("publicKey", "xWing", 1184))
      $0.report(key("encapsulatedKey", "xWing", 1120))
    },
    Case("a key that fits no suite", finds: ["keys.wrong-size"]) {
      $0.report(key("publicKey", nil, 100))
      $0.report(key("encapsulatedKey", nil, 65))
    },
    Case("keys of the right sizes") {
      $0.report(key("publicKey", "xWing", 1216))
      $0.report(key("encapsulatedKey", nil, 1120))
    },
    Case("a public key without an answer", finds: ["keys.public-key-unanswered"]) {
      $0.pair()
      $0.report(key("publicKey", "p256", 64))
      $0.wait(100_000)
      $0.report(app(.line))
    },
    Case("no pairing in the capture", cannotTell: ["keys.public-key-unanswered"]) {
      $0.report(key("publicKey", "p256", 64))
      $0.wait(100_000)
      $0.report(app(.line))
    },
    Case("the log ends early", cannotTell: ["keys.public-key-unanswered"]) {
      $0.pair()
      $0.report(key("publicKey", "p256", 64))
      $0.wait(100_000)
      $0.disconnect()
    },
    Case("messages go on") {
      $0.pair()
      $0.report(key("publicKey", "p256", 64))
      $0.report(app(.transportMessage, [.direction: "HostToAccessory"]))
      $0.wait(100_000)
      $0.report(app(.line))
    },
    Case("X-Wing offered, P-256 used", finds: ["keys.suite-downgrade"]) {
      $0.report(key("publicKey", "xWing", 1216))
      $0.report(key("encapsulatedKey", "p256", 65))
    },
    Case("X-Wing used, and later P-256 offered and used") {
      $0.report(key("publicKey", "xWing", 1216))
      $0.report(key("encapsulatedKey", "xWing", 1120))
      $0.report(key("publicKey", "p256", 64))
      $0.report(key("encapsulatedKey", "p256", 65))
    },
    Case("both offered, P-256 used", finds: ["keys.suite-downgrade"]) {
      $0.report(key("publicKey", "xWing", 1216))
      $0.report(key("publicKey", "p256", 64))
      $0.report(key("encapsulatedKey", "p256", 65))
    },
    Case("internet with P-256", finds: ["keys.transport-needs-xwing"]) {
      $0.report(app(.sessionRequested, [.transport: "internet"]))
      $0.report(app(.sessionAccepted))
      $0.report(key("publicKey", "p256", 64))
      $0.report(key("encapsulatedKey", "p256", 65))
    },
    Case("Bluetooth with P-256") {
      $0.report(app(.sessionRequested, [.transport: "bluetooth"]))
      $0.report(app(.sessionAccepted))
      $0.report(key("publicKey", "p256", 64))
      $0.report(key("encapsulatedKey", "p256", 65))
    },
  ]

  static let sessions = [
    Case("a reply in another session", finds: ["transport.unknown-session"]) {
      $0.report(app(.sessionAccepted, [.session: "A"]))
      $0.report(app(.transportMessage, [.session: "B", .direction: "AccessoryToHost"]))
    },
    Case("a reply in the session") {
      $0.report(app(.sessionAccepted, [.session: "A"]))
      $0.report(app(.transportMessage, [.session: "a", .direction: "AccessoryToHost"]))
    },
    Case("a log with replies only") {
      $0.report(app(.transportMessage, [.session: "B", .direction: "AccessoryToHost"]))
    },
    Case("a protocol with an invalid name", finds: ["ea.protocol-name"]) {
      $0.report(app(.eaSessionOpened, [.eaProtocol: "acme"]))
    },
    Case("a protocol that the accessory does not declare", finds: ["ea.protocol-undeclared"]) {
      $0.report(identification("com.acme.speaker"))
      $0.report(app(.eaSessionOpened, [.eaProtocol: "com.other.x"]))
    },
    Case("a protocol that the accessory declares") {
      $0.report(identification("com.acme.speaker"))
      $0.report(app(.eaSessionOpened, [.eaProtocol: "com.acme.speaker"]))
    },
    Case("an accessory that was identified before") {
      $0.report(app(.eaSessionOpened, [.eaProtocol: "com.other.x"]))
    },
  ]

  static let links = [
    Case("registered for the encrypted one of two", connects: false) {
      connectAnother(&$0)
      $0.connect()
      $0.encrypt()
      $0.report(app(.configurationRegistered, [.address: "11:22:33:44:55:66"]))
    },
    Case(
      "registered for one of two", cannotTell: ["audio.registered-before-pairing"], connects: false
    ) {
      connectAnother(&$0)
      $0.connect()
      $0.encrypt()
      $0.report(app(.configurationRegistered))
    },
    Case(
      "registered for the unencrypted one of two", finds: ["audio.registered-before-pairing"]
    ) {
      $0.encrypt()
      connectAnother(&$0)
      $0.report(app(.configurationRegistered, [.address: "44:55:66:77:88:99"]))
    },
  ]

  private static func solicit(_ it: inout MadeConversation, at services: String) {
    it.advertise("02 01 06  11 15 d0002d121e4b0fa4994eceb531f40579")
    it.connect(role: "01")
    // All primary services: GAP, GATT, and behind them one of 128 bits.
    it.pdu(4, "10 0100 ffff 0028", received: false)
    it.pdu(4, "11 06 0100 0900 0018 0a00 0b00 0118", received: true)
    it.pdu(4, "10 0c00 ffff 0028", received: false)
    it.pdu(4, "11 14 0c00 1f00 \(services)", received: true)
    it.pdu(4, "10 2000 ffff 0028", received: false)
    it.pdu(4, "01 10 2000 0a", received: true)
    it.disconnect()
  }

  static let services = [
    Case("all services, and ANCS solicited", finds: ["ancs.not-found"], connects: false) {
      solicit(&$0, at: "dcf855ad02c5f48e3a43360f2b50d389")
    },
    Case("all services, and ANCS among them", connects: false) {
      solicit(&$0, at: "d0002d121e4b0fa4994eceb531f40579")
    },
    Case(
      "a link key, and LE from a changing address", cannotTell: ["link.classic-only-bond"],
      connects: false
    ) {
      $0.event("03 0b 00 0b00 665544332211 01 00")
      $0.event("18 17 665544332211 00112233445566778899aabbccddeeff 04")
      $0.event("3e 13 01 00 4100 00 01 998877665544 1800 0000 4800 00")
      $0.event("05 04 00 4100 13")
    },
    Case("a link key, and LE from a fixed random address", connects: false) {
      $0.event("03 0b 00 0b00 665544332211 01 00")
      $0.event("18 17 665544332211 00112233445566778899aabbccddeeff 04")
      $0.event("3e 13 01 00 4100 00 01 9988776655c4 1800 0000 4800 00")
      $0.event("05 04 00 4100 13")
    },
  ]

  static let declarations = [
    Case("all is declared") { $0.report(declared { _ in }) },
    Case("a value of another type", finds: ["app.info-key-missing"]) {
      $0.report(declared { $0.mistyped = ["EXCapabilities is a string"] })
    },
    Case("a capability of another type", finds: ["app.info-key-missing"]) {
      $0.report(
        declared {
          $0.capabilities = []
          $0.mistyped = ["EXCapabilities is a string, but should be an array of strings"]
        })
    },
    Case("a data provider without a security extension", finds: ["app.extension-missing"]) {
      $0.report(whole([.dataProvider, .transport]))
    },
    Case("a data provider and what carries its messages") {
      $0.report(whole([.dataProvider, .transport, .security]))
    },
    // The files of the other extensions may not have been named.
    Case("the Info.plist files of an app and its data provider") {
      $0.report(whole([.dataProvider], areInside: false))
    },
    // Wi-Fi sharing needs it alone.
    Case("a transport extension alone") { $0.report(whole([.transport])) },
    Case("a technology that differs in case", finds: ["app.info-key-missing"]) {
      $0.report(app { $0.supports = ["bluetooth", "WiFi"] })
    },
    Case("a technology of a later release") {
      $0.report(app { $0.supports = ["Bluetooth", "Ultrawideband"] })
    },
    Case("both technologies") { $0.report(app { $0.supports = ["Bluetooth", "WiFi"] }) },
    Case("a company identifier of 17 bits", finds: ["app.info-key-missing"]) {
      $0.report(app { $0.companies = [0x4C, 70_000] })
    },
    Case("a capability that does not exist", finds: ["app.info-key-missing"]) {
      $0.report(declared { $0.capabilities = ["Notifications.Forwarding"] })
    },
    Case("an extension point that is cut short", finds: ["app.extension-point"]) {
      $0.report(
        declared {
          $0.extensionPoint = "com.apple.accessory-transport"
          $0.entitlements = ["com.apple.developer.accessory-transport-extension"]
        })
    },
    Case("the mode of accessories, and no protocol", finds: ["app.ea-protocol-missing"]) {
      $0.report(app { $0.backgroundModes = ["external-accessory"] })
    },
    Case("ExternalAccessory is linked, and no protocol", finds: ["app.ea-protocol-missing"]) {
      $0.report(app { $0.frameworks = links(["ExternalAccessory"]) })
    },
    Case("ExternalAccessory is linked, and a protocol") {
      $0.report(
        app {
          $0.frameworks = links(["ExternalAccessory"])
          $0.protocols = ["com.acme.control"]
        })
    },
    Case("an app declares a protocol with an invalid name", finds: ["ea.protocol-name"]) {
      $0.report(app { $0.protocols = ["com.acme.control", "control"] })
    },
    Case("only AudioAccessoryKit is linked", finds: ["app.framework-missing"]) {
      $0.report(app { $0.frameworks = links(["AudioAccessoryKit"]) })
    },
    Case("only AudioAccessoryKit is linked, and a part was not read") {
      $0.report(
        app {
          $0.frameworks = links(["AudioAccessoryKit"])
          $0.frameworks?.isWhole = false
        })
    },
    Case("both frameworks of audio accessories are linked") {
      $0.report(app { $0.frameworks = links(["AudioAccessoryKit", "AccessorySetupKit"]) })
    },
    Case("AudioAccessoryKit on an older system", finds: ["app.deployment-target"]) {
      $0.report(
        app {
          $0.minimumSystem = "26.3"
          $0.frameworks = links(["AudioAccessoryKit", "AccessorySetupKit"])
        })
    },
    Case("AudioAccessoryKit on an older system, linked weakly") {
      $0.report(
        app {
          $0.minimumSystem = "26.3"
          $0.frameworks = links(["AccessorySetupKit"], weakly: ["AudioAccessoryKit"])
        })
    },
    Case("a car, and an unrelated app") {
      $0.report(declared { $0.protocols = [] })
      $0.report(identification("com.car.x"))
    },
  ]

  @Test(arguments: keys + sessions + links + services + declarations) func reported(_ one: Case) {
    let findings = one.run()
    #expect(findings.ids == one.finds)
    // Whether a reported key went to the accessory, only a known framing would show.
    let undecided = Set(findings.undecided.map(\.rule.id)).subtracting(["keys.not-forwarded"])
    #expect(undecided.sorted() == one.cannotTell)
  }

  /// The evidence is the line, and not the packet before it.
  @Test func evidence() throws {
    let findings = MadeConversation.over(interval: "1800", connects: true) {
      $0.report(Self.app(.sessionAccepted, [.session: "A"]))
      $0.report(Self.app(.sessionInvalidated, [.session: "A"]))
      $0.report(Self.app(.transportMessage, [.session: "A", .direction: "AccessoryToHost"]))
    }
    let finding = try #require(findings.all.first)
    #expect(finding.rule.id == "transport.send-after-invalidation")
    #expect(finding.observed == "a message in session A, which ended in app.ndjson:7")
    #expect(finding.place.log?.path == "/logs/app.ndjson" && finding.place.log?.line == 7)
    #expect(finding.lastEvidence == "app.ndjson:7")
  }

  /// Both possibilities are named.
  @Test func cutPoint() throws {
    let findings = MadeConversation.over(interval: "1800", connects: true) {
      $0.report(Self.declared { $0.extensionPoint = "com.apple.accessory-transport" })
    }
    #expect(
      findings.all.first?.expected
        == "com.apple.accessory-transport-security or com.apple.accessory-transport-extension")
  }
}
