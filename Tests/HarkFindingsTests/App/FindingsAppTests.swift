import HarkFindings
import Testing

@testable import HarkSession

// Conversations beside which the app's side says something.
extension FindingsMadeTests {
  private static func app(
    _ kind: AppEvent.Kind, _ facts: [AppEvent.Fact: String] = [:], _ text: String = ""
  ) -> Event.Content {
    var event = AppEvent(kind, AppEvent.Origin(file: "app.ndjson", line: 7), text: text)
    for (fact, value) in facts { event[fact] = value }
    event.isCertain = true
    return .app(event)
  }

  private static func line(of process: String) -> Event.Content {
    var event = AppEvent(.line, AppEvent.Origin(file: "app.ndjson", line: 7), text: "x")
    event.process = process
    return .app(event)
  }

  private static func declared(
    _ body: (inout AppDeclaration.Bundle) -> Void
  ) -> Event.Content {
    var bundle = AppDeclaration.Bundle(path: "PlugIns/Transport.appex")
    bundle.extensionPoint = "com.apple.accessory-transport-security"
    bundle.supports = ["Bluetooth"]
    bundle.services = ["180F"]
    body(&bundle)
    var event = AppEvent(.declaration, AppEvent.Origin(file: "Info.plist", line: 0))
    event.declaration = AppDeclaration([bundle])
    return .app(event)
  }

  /// A finding quotes the line of a log, but not the key in it.
  @Test func quotedKeys() {
    let key = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    let findings = MadeConversation.over { made in
      made.report(Self.app(.notification, [.error: "refused with session key \(key)"]))
    }
    let quotes = findings.all.map(\.observed).filter { $0.contains("session key") }
    #expect(findings.ids == ["app.forwarding-refused"])
    #expect(quotes.count == 1 && quotes[0].contains("session key [key]"))
    #expect(!quotes.contains { $0.contains(key) })
  }

  static let appSide = [
    Case("all is declared") { $0.report(declared { _ in }) },
    Case("another extension point", finds: ["app.extension-point"]) {
      $0.report(declared { $0.extensionPoint = "com.apple.accessory-transport-secure" })
    },
    Case("an extension of another kind") {
      $0.report(declared { $0.extensionPoint = "com.apple.widgetkit-extension" })
    },
    Case("no extension point", finds: ["app.extension-point"]) {
      $0.report(declared { $0.extensionPoint = nil })
    },
    Case("a journal without an extension point", finds: ["app.extension-point"]) {
      $0.report(app(.extensionLaunched, [.extensionPoint: "com.apple.accessory-data-providers"]))
    },
    Case("the right entitlement") {
      $0.report(declared { $0.entitlements = ["com.apple.developer.accessory-transport-security"] })
    },
    Case("the wrong entitlement", finds: ["app.entitlement-missing"]) {
      $0.report(declared { $0.entitlements = ["com.apple.developer.accessory-data-provider"] })
    },
    Case("keys are missing", finds: ["app.info-key-missing"]) {
      $0.report(declared { $0.supports = [] })
    },
    Case("rejected", finds: ["app.connection-rejected"]) { $0.report(app(.connectionRejected)) },
    Case("accepted and invalidated") {
      $0.report(app(.connectionAccepted))
      $0.report(app(.connectionInvalidated))
    },
    Case("interrupted", finds: ["app.connection-interrupted"]) {
      $0.report(app(.connectionInterrupted))
    },
    Case("the central stays off", finds: ["app.central-off"]) {
      $0.report(app(.centralState, [.state: "poweredOff"]))
      $0.wait(20_000)
      $0.report(app(.line))
    },
    Case("the central comes on") {
      $0.report(app(.centralState, [.state: "poweredOff"]))
      $0.wait(20_000)
      $0.report(app(.centralState, [.state: "poweredOn"]))
    },
    Case("the capture ends while the central is off", cannotTell: ["app.central-off"]) {
      $0.report(app(.centralState, [.state: "poweredOff"]))
    },
    Case("not launched", finds: ["app.never-launched"]) { $0.report(app(.extensionNotLaunched)) },
    Case("the accessory's messages are not handled", finds: ["app.never-launched"]) {
      $0.report(line(of: "deviceaccessd"))
      $0.say(.transport(.decision(.accept), sessionID: "S"))
      $0.report(line(of: "deviceaccessd"))
    },
    Case("a log of bluetoothd only", cannotTell: ["app.never-launched"]) {
      $0.say(.transport(.decision(.accept), sessionID: "S"))
      $0.report(line(of: "bluetoothd"))
    },
    Case("the extension handles it") {
      $0.say(.transport(.decision(.accept), sessionID: "S"))
      $0.report(line(of: "deviceaccessd"))
      $0.report(app(.sessionAccepted))
    },
    Case("launched") { $0.report(app(.extensionLaunched)) },
    Case("the app does not declare the protocol", finds: ["app.ea-protocol-missing"]) {
      $0.report(declared { $0.protocols = ["com.acme.other"] })
      $0.report(identification)
    },
    Case("the app declares the protocol") {
      $0.report(declared { $0.protocols = ["com.acme.speaker"] })
      $0.report(identification)
    },
    Case("an update after invalidated", finds: ["audio.update-after-invalidated"]) {
      $0.report(app(.configurationFailed, [.error: "invalidated"]))
      $0.report(app(.configurationUpdated, [.placement: "inEar"]))
    },
    Case("a new registration after invalidated") {
      $0.encrypt()
      $0.report(app(.configurationFailed, [.error: "invalidated"]))
      $0.report(app(.configurationRegistered))
      $0.report(app(.configurationUpdated, [.placement: "inEar"]))
      $0.disconnect()
    },
    Case("the app registers before pairing", finds: ["audio.registered-before-pairing"]) {
      $0.report(app(.configurationRegistered))
      $0.disconnect()
    },
  ]

  private static var identification: Event.Content {
    var it = IAP2Identification()
    it.protocols = [.init(identifier: 1, name: "com.acme.speaker", matchAction: 1)]
    return .iap2(.identification(.init(identification: it, isUpdate: false)))
  }
}
