import HarkCore
import HarkCrypto
import HarkFindings
import Testing

@testable import HarkSession

/// Two accessories of one phone, and one accessory on two links: what one does is not what the other does, whatever
/// identifiers they share.
extension FindingsMadeTests {
  static let owners = notificationsOfTwo + receiptsOfTwo + sessionsOfTwo + configurationsOfTwo

  /// LE link 0x0041, to another accessory.
  private static func connectSecond(_ made: inout MadeConversation) {
    made.event("3e 13 01 00 4100 00 00 0200aabbccc2 1800 0000 4800 00")
  }

  /// Does the same on both links.
  private static func onBoth(
    _ made: inout MadeConversation, _ body: (inout MadeConversation) -> Void
  ) {
    for link in 0..<2 {
      made.reportedLink = link
      body(&made)
    }
    made.reportedLink = nil
  }

  private static func on(
    _ link: Int, _ made: inout MadeConversation, _ body: (inout MadeConversation) -> Void
  ) {
    made.reportedLink = link
    body(&made)
    made.reportedLink = nil
  }

  private static func notification(_ id: String) -> AccessoryNotification {
    var notification = AccessoryNotification()
    notification.identifier = .init(notificationIdentifier: id)
    notification.alerting.shouldAlert = true
    return notification
  }

  private static let notificationsOfTwo = [
    Case("two accessories alert once each for one notification") {
      connectSecond(&$0)
      onBoth(&$0) { $0.say(.add(notification("n")), from: .hostToAccessory) }
      onBoth(&$0) { $0.say(.displayed(.init(notificationIdentifier: "n"), didAlert: true)) }
    },
    Case("one of two accessories alerts twice", finds: ["notifications.alert-twice"]) {
      connectSecond(&$0)
      onBoth(&$0) { $0.say(.add(notification("n")), from: .hostToAccessory) }
      onBoth(&$0) { $0.say(.displayed(.init(notificationIdentifier: "n"), didAlert: true)) }
      on(1, &$0) { $0.say(.displayed(.init(notificationIdentifier: "n"), didAlert: true)) }
    },
    Case("one of two accessories never shows a notification", finds: ["notifications.never-shown"])
    {
      connectSecond(&$0)
      for id in ["1", "2"] {
        onBoth(&$0) { $0.say(.add(notification(id)), from: .hostToAccessory) }
        onBoth(&$0) {
          if id == "2", $0.reportedLink == 0 { return }
          $0.say(.displayed(.init(notificationIdentifier: id), didAlert: true))
        }
      }
      $0.wait(11_000)
      $0.disconnect()
    },
  ]

  private static let receiptsOfTwo = [
    Case("both links count from 1") {
      connectSecond(&$0)
      for number in 1...3 {
        onBoth(&$0) {
          $0.message(
            from: .hostToAccessory, receipt: "\(number)", opened: [],
            plaintext: [UInt8($0.reportedLink ?? 0), UInt8(number)])
        }
        onBoth(&$0) { $0.accept("\(number)", after: 20) }
      }
      $0.disconnect()
    },
    Case("a new link counts from 1", cannotTell: ["transport.missing-receipt"]) {
      $0.message(from: .hostToAccessory, receipt: "1", opened: [], plaintext: [1])
      $0.disconnect()
      $0.connect()
      $0.message(from: .hostToAccessory, receipt: "1", opened: [], plaintext: [2])
      $0.accept("1", after: 20)
      $0.disconnect()
    },
    Case("a receipt is missing on one of two links", finds: ["transport.missing-receipt"]) {
      connectSecond(&$0)
      for number in 1...4 {
        onBoth(&$0) { $0.message(from: .hostToAccessory, receipt: "\(number)", opened: []) }
        onBoth(&$0) {
          if number < 4 || $0.reportedLink == 1 { $0.accept("\(number)", after: 20) }
        }
      }
      $0.wait(31_000)
      $0.disconnect()
    },
    Case("one of two accessories confirms the key", finds: ["keys.exchange-unconfirmed"]) {
      connectSecond(&$0)
      onBoth(&$0) { $0.key(.encapsulatedKey, .xWing, receipt: "e") }
      on(1, &$0) { $0.accept("e", after: 20) }
      $0.wait(16_000)
      $0.disconnect()
    },
    Case("both sides count from 1, and one confirms", finds: ["keys.exchange-unconfirmed"]) {
      $0.key(.publicKey, .xWing, receipt: "1")
      $0.key(.encapsulatedKey, .xWing, receipt: "1")
      $0.accept("1", after: 20, from: .hostToAccessory)
      $0.wait(16_000)
      $0.disconnect()
    },
  ]

  private static let sessionsOfTwo = [
    // The name of a session is no UUID: that of one accessory is not that of another.
    Case("the session of another accessory has ended", finds: ["transport.session-failed"]) {
      connectSecond(&$0)
      onBoth(&$0) { $0.message("1", from: .hostToAccessory, opened: []) }
      on(0, &$0) { $0.say(.transport(.sessionInvalidated(error: .invalidated), sessionID: "1")) }
      on(1, &$0) { $0.message("1", from: .accessoryToHost, opened: []) }
      $0.disconnect()
    },
    Case("a reply in the session of another accessory", finds: ["transport.unknown-session"]) {
      connectSecond(&$0)
      on(0, &$0) { $0.message("1", from: .hostToAccessory, opened: []) }
      on(1, &$0) {
        $0.message("2", from: .hostToAccessory, opened: [])
        $0.message("1", from: .accessoryToHost, opened: [])
      }
      $0.disconnect()
    },
    Case(
      "the app opens a session for the protocol of another accessory",
      finds: ["ea.protocol-undeclared"]
    ) {
      connectSecond(&$0)
      onBoth(&$0) {
        let name = $0.reportedLink == 0 ? "com.acme.first" : "com.acme.second"
        let identification = IAP2Identification(protocols: [.init(identifier: 1, name: name)])
        $0.report(.iap2(.identification(.init(identification: identification, isUpdate: false))))
      }
      on(1, &$0) {
        var event = AppEvent(.eaSessionOpened, AppEvent.Origin(file: "app.ndjson", line: 7))
        event[.eaProtocol] = "com.acme.first"
        $0.report(.app(event))
      }
    },
  ]

  // MARK: Configurations

  private static func register(_ made: inout MadeConversation) {
    var change = AccessoryControlDevice.Change()
    change.deviceCapabilities = .value(["placement"])
    made.configure(.register(.init(deviceCapabilities: [.placement])), [], change)
  }

  private static func updatePlacement(_ made: inout MadeConversation) {
    var change = AccessoryControlDevice.Change()
    change.devicePlacement = .value("inEar")
    made.configure(
      .update(.init(deviceCapabilities: [.placement], devicePlacement: .inEar)), [], change)
  }

  private static let configurationsOfTwo = [
    Case(
      "updates, and a registration on a later link", cannotTell: ["audio.update-before-register"]
    ) {
      $0.encrypt()
      updatePlacement(&$0)
      $0.disconnect()
      $0.connect()
      $0.encrypt()
      register(&$0)
      updatePlacement(&$0)
      $0.disconnect()
    },
    Case("an update and then the registration", finds: ["audio.update-before-register"]) {
      $0.encrypt()
      updatePlacement(&$0)
      register(&$0)
      updatePlacement(&$0)
      $0.disconnect()
    },
    // The line names no accessory: it is about the one that has just changed.
    Case("an update of one accessory after a change of the other") {
      func place(_ placement: AccessoryControlDevice.Placement, _ made: inout MadeConversation) {
        var change = AccessoryControlDevice.Change()
        change.devicePlacement = .value(placement.rawValue)
        made.configure(
          .update(.init(deviceCapabilities: [.placement], devicePlacement: placement)), [], change)
      }
      func update(_ placement: String) -> AppEvent {
        var event = AppEvent(.configurationUpdated, AppEvent.Origin(file: "app.ndjson", line: 7))
        (event.isExtension, event.isCertain) = (true, true)
        event[.placement] = placement
        return event
      }
      $0.encrypt()
      connectSecond(&$0)
      $0.event("08 04 00 4100 01")
      onBoth(&$0) { register(&$0) }
      on(0, &$0) { place(.inEar, &$0) }
      $0.report(update("inEar"))
      on(1, &$0) { place(.offHead, &$0) }
      $0.wait(7_000)
      on(0, &$0) { place(.offHead, &$0) }
      $0.report(update("offHead"))
      $0.disconnect()
    },
    Case("a registration that is repeated after an update") {
      $0.encrypt()
      register(&$0)
      updatePlacement(&$0)
      register(&$0)
      $0.wait(40_000)
      $0.disconnect()
    },
  ]

  /// A session that ends without an error has not failed.
  @Test(arguments: [(nil, "ended"), ("unknown", "failed")] as [(String?, String)])
  func endOfSession(_ error: String?, _ word: String) throws {
    func event(_ kind: AppEvent.Kind, _ transport: String? = nil) -> AppEvent {
      var event = AppEvent(kind, AppEvent.Origin(file: "app.ndjson", line: 7))
      (event.isExtension, event.isCertain) = (true, true)
      (event[.transport], event[.error]) = (transport, transport == nil ? error : nil)
      return event
    }
    let findings = MadeConversation.over {
      $0.report(event(.sessionRequested, "bluetooth"))
      $0.report(event(.sessionInvalidated))
      $0.report(event(.sessionRequested, "localNetwork"))
      $0.disconnect()
    }
    let finding = try #require(findings.all.first { $0.rule.id == "transport.switched" })
    #expect(
      finding.observed
        == "a session over localNetwork is requested; the previous one was over bluetooth and \(word)"
    )
  }

  /// The finding names the side that sent the key.
  @Test func unconfirmedPublicKey() throws {
    let findings = MadeConversation.over {
      $0.key(.publicKey, .xWing, receipt: "p")
      $0.key(.encapsulatedKey, .xWing)
      $0.wait(16_000)
      $0.disconnect()
    }
    let finding = try #require(findings.all.first { $0.rule.id == "keys.exchange-unconfirmed" })
    #expect(
      finding.observed
        == "the accessory sent a key with receipt identifier “p”; no receipt within 15 s")
    #expect(finding.expected == "a receipt with the same identifier from the phone")
  }
}
