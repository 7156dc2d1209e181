import HarkCore
import HarkFindings
import HarkSamples
import Testing

@testable import HarkSession

// What the app calls, judged by what the accessory says: AudioAccessoryKit, Wi-Fi sharing, sessions.
extension FindingsMadeTests {
  private static func call(
    _ kind: AppEvent.Kind, _ facts: [AppEvent.Fact: String] = [:], isExtension: Bool? = nil
  ) -> AppEvent {
    var event = AppEvent(kind, AppEvent.Origin(file: "app.ndjson", line: 7))
    // The container app registers; everything else is the extension's.
    event.isExtension = isExtension ?? (kind != .configurationRegistered)
    event.isContainerApp = !event.isExtension
    (event.process, event.isCertain) = (event.isExtension ? "AriaAudio" : "Aria", true)
    for (fact, value) in facts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      event[fact] = value
    }
    return event
  }

  private static let all: [AppEvent.Fact: String] = [.capabilities: "audioSwitching, placement"]
  /// The peer of the conversation, and its octets turned around.
  private static let (peer, reversed) = ("11:22:33:44:55:66", "66:55:44:33:22:11")

  /// The accessory says where it is worn, or which sources it has.
  private static func says(
    _ made: inout MadeConversation, _ now: AccessoryControlDevice.Configuration,
    _ before: AccessoryControlDevice.Configuration = .init()
  ) {
    var change = AccessoryControlDevice.Change()
    change.devicePlacement = now.devicePlacement.map { .value($0.rawValue) } ?? .nothing
    change.primaryAudioSourceDeviceIdentifier =
      now.primaryAudioSourceDeviceIdentifier.map { .value($0) } ?? .cleared
    made.configure(.update(now), [], change, before: before)
  }

  private static func registered(_ made: inout MadeConversation, hearsExtension: Bool = true) {
    made.encrypt()
    made.configure(.register(.init()))
    made.report(call(.configurationRegistered, all))
    if hearsExtension { made.report(call(.line)) }
  }

  private static let other: [UInt8] = [0xC0, 0xDE, 0, 0, 0, 7]
  private static let otherText = "C0:DE:00:00:00:07"

  static let appCalls = [
    Case("the app updates in time") {
      registered(&$0)
      says(&$0, .init(devicePlacement: .inEar))
      $0.report(call(.configurationUpdated, [.placement: "inEar", .primarySource: peer]))
      $0.wait(40_000)
      $0.report(call(.configurationUpdated, [.primarySource: "nil"]))
      $0.disconnect()
    },
    Case("the app never updates the placement", finds: ["audio.placement-never-updated"]) {
      registered(&$0)
      says(&$0, .init(devicePlacement: .inEar))
      $0.wait(6_000)
      $0.report(call(.line))
      $0.disconnect()
    },
    Case("logs of the app only", cannotTell: ["audio.placement-never-updated"]) {
      registered(&$0, hearsExtension: false)
      says(&$0, .init(devicePlacement: .inEar))
      $0.wait(6_000)
      $0.disconnect()
    },
    Case("a placement that never changes") {
      registered(&$0)
      $0.wait(60_000)
      $0.disconnect()
    },
    Case("the app did not declare it", finds: ["audio.not-declared"]) {
      $0.encrypt()
      $0.report(call(.configurationRegistered, [.capabilities: "audioSwitching"]))
      $0.report(call(.configurationUpdated, [.placement: "inEar"]))
      $0.disconnect()
    },
    Case("the log lacks the app's declaration") {
      $0.encrypt()
      $0.report(call(.configurationRegistered, [.capabilities: "Capabilities(rawValue: 3)"]))
      $0.report(call(.configurationUpdated, [.placement: "inEar"]))
      $0.disconnect()
    },
    Case("the app updates first", finds: ["audio.update-before-register"]) {
      $0.encrypt()
      $0.report(call(.configurationUpdated, [.placement: "inEar"]))
      $0.report(call(.configurationRegistered, all))
      $0.disconnect()
    },
    Case("registered again after invalidated") {
      $0.encrypt()
      $0.report(call(.configurationUpdated, [.placement: "inEar"]))
      $0.report(call(.configurationFailed, [.error: "invalidated"]))
      $0.report(call(.configurationRegistered, all))
      $0.disconnect()
    },
    Case("a placement that Apple does not define", finds: ["audio.invalid-value"]) {
      registered(&$0)
      $0.report(call(.configurationUpdated, [.placement: "onEar"]))
      $0.disconnect()
    },
    Case("the app reverses the address", finds: ["audio.address-reversed"]) {
      registered(&$0)
      $0.report(call(.configurationUpdated, [.primarySource: reversed]))
      $0.disconnect()
    },
    Case("the app names only a secondary source", finds: ["audio.secondary-without-primary"]) {
      registered(&$0)
      $0.report(call(.configurationUpdated, [.secondarySource: otherText]))
      $0.disconnect()
    },
    Case("data without its octets") {
      registered(&$0)
      $0.report(
        call(.configurationUpdated, [.primarySource: "6 bytes", .secondarySource: otherText]))
      $0.disconnect()
    },
    Case("a log that begins in the middle") {
      $0.encrypt()
      $0.report(call(.configurationUpdated, [.secondarySource: otherText]))
      $0.disconnect()
    },
    Case("the app names a source that has left", finds: ["audio.source-not-cleared"]) {
      registered(&$0)
      says(&$0, .init(primaryAudioSourceDeviceIdentifier: other))
      $0.report(call(.configurationUpdated, [.primarySource: otherText]))
      says(&$0, .init(), .init(primaryAudioSourceDeviceIdentifier: other))
      $0.wait(6_000)
      $0.report(call(.line))
      $0.disconnect()
    },
    Case("the app names a peer whose link closed", finds: ["audio.source-not-cleared"]) {
      registered(&$0)
      $0.report(call(.configurationUpdated, [.primarySource: peer]))
      $0.disconnect()
      $0.wait(6_000)
      $0.report(call(.line))
    },
    Case("the app clears a source that has left") {
      registered(&$0)
      says(&$0, .init(primaryAudioSourceDeviceIdentifier: other))
      $0.report(call(.configurationUpdated, [.primarySource: otherText]))
      says(&$0, .init(), .init(primaryAudioSourceDeviceIdentifier: other))
      $0.wait(1_000)
      $0.report(call(.configurationUpdated, [.primarySource: "nil"]))
      $0.wait(6_000)
      $0.disconnect()
    },
    // The second call names another accessory: it says nothing of the one in the capture.
    Case("the app updates another accessory late", finds: ["audio.placement-never-updated"]) {
      $0.encrypt()
      $0.configure(.register(.init()))
      $0.report(call(.configurationRegistered, all.merging([.address: peer]) { $1 }))
      says(&$0, .init(devicePlacement: .inEar))
      $0.wait(6_000)
      $0.report(call(.configurationRegistered, all.merging([.address: otherText]) { $1 }))
      $0.report(call(.configurationUpdated, [.placement: "inEar", .address: otherText]))
      $0.disconnect()
    },
    Case(
      "an accessory is invalidated, another one updated", finds: ["audio.invalidated-ignored"]
    ) {
      $0.encrypt()
      for address in [peer, otherText] {
        $0.report(call(.configurationRegistered, all.merging([.address: address]) { $1 }))
      }
      $0.report(call(.configurationFailed, [.error: "invalidated", .address: otherText]))
      $0.report(call(.configurationUpdated, [.placement: "inEar", .address: peer]))
      $0.wait(31_000)
      $0.report(call(.line, isExtension: false))
      $0.disconnect()
    },
    Case("the app names a source late", finds: ["audio.late-update"]) {
      registered(&$0)
      says(&$0, .init(primaryAudioSourceDeviceIdentifier: other))
      $0.wait(40_000)
      $0.report(call(.configurationUpdated, [.primarySource: otherText]))
      $0.disconnect()
    },
    Case("the app's clock is a little ahead") {
      registered(&$0)
      $0.report(call(.configurationUpdated, [.primarySource: otherText]))
      says(&$0, .init(primaryAudioSourceDeviceIdentifier: other))
      $0.wait(40_000)
      $0.report(call(.configurationUpdated, [.primarySource: otherText]))
      $0.disconnect()
    },
    Case("the app shares no networks", finds: ["wifi.not-secured"]) {
      $0.report(call(.wifiSharing, [.error: "accessoryTransportNotSecured", .state: "failed"]))
    },
    Case("the app shares networks") { $0.report(call(.wifiSharing, [.state: "shared"])) },
    Case("a line of the extension itself") {
      $0.say(.transport(.decision(.accept), sessionID: "S"))
      $0.report(call(.line))
    },
    Case("a log from another time", cannotTell: ["app.never-launched"]) {
      var clock = AppEvent(.clock, AppEvent.Origin(file: "app.ndjson", line: 0))
      clock.clock = AppClock(.none)
      clock.clock?.outside = 3
      $0.report(clock)
    },
    Case("a decision that names the session of a request") {
      $0.report(call(.sessionRequested))
      $0.report(call(.sessionAccepted, [.session: "27563CF7-E1EA-5E4F-9566-CFF165355BED"]))
      $0.wait(31_000)
      $0.report(call(.line))
    },
    Case("a session in which messages pass", cannotTell: ["keys.public-key-unanswered"]) {
      $0.report(call(.sessionRequested))
      $0.report(call(.securityMessage, [.keyType: "publicKey"]))
      $0.wait(31_000)
      $0.report(call(.line))
    },
    Case(
      "a log that may lack the decision", cannotTell: ["transport.session-undecided"]
    ) {
      var request = call(.sessionRequested)
      request.isCertain = false
      $0.report(request)
      $0.wait(31_000)
      $0.report(call(.line))
    },
    Case("the app reports the key twice") {
      $0.pair()
      $0.key(.publicKey, .p256)
      $0.report(call(.securityMessage, [.keyType: "encapsulatedKey", .size: "65"]))
      $0.report(call(.securityMessage, [.keyType: "encapsulatedKey", .size: "65"]))
      $0.key(.encapsulatedKey, .p256)
      $0.report(call(.messageResult, [.result: "success"]))
      $0.wait(31_000)
      $0.report(call(.line))
      $0.disconnect()
    },
    Case("the extension registers", finds: ["audio.wrong-process"]) {
      $0.encrypt()
      $0.report(call(.configurationRegistered, all, isExtension: true))
      $0.disconnect()
    },
    Case("the container app updates", finds: ["audio.wrong-process"]) {
      registered(&$0)
      $0.report(call(.configurationUpdated, [.placement: "inEar"], isExtension: false))
      $0.disconnect()
    },
    Case("the container app asks for the current configuration", finds: ["audio.wrong-process"]) {
      registered(&$0)
      $0.report(call(.configurationRead, isExtension: false))
      $0.disconnect()
    },
    Case("the extension asks for the current configuration") {
      registered(&$0)
      $0.report(call(.configurationRead))
      $0.disconnect()
    },
    Case("no new registration after invalidated", finds: ["audio.invalidated-ignored"]) {
      registered(&$0)
      $0.report(call(.configurationFailed, [.error: "invalidated"]))
      $0.wait(31_000)
      $0.report(call(.line))
    },
    Case("the app registers again after invalidated") {
      registered(&$0)
      $0.report(call(.configurationFailed, [.error: "invalidated"]))
      $0.wait(2_000)
      $0.report(call(.configurationRegistered, all))
      $0.wait(31_000)
      $0.report(call(.line))
    },
    Case("invalidated, and logs of the extension only", cannotTell: ["audio.invalidated-ignored"]) {
      $0.encrypt()
      $0.report(call(.configurationFailed, [.error: "invalidated"]))
      $0.wait(31_000)
      $0.report(call(.line))
    },
    Case("invalidated as the log ends", cannotTell: ["audio.invalidated-ignored"]) {
      registered(&$0)
      $0.report(call(.configurationFailed, [.error: "invalidated"]))
    },
    Case("both sources are one device", finds: ["audio.same-source-twice"]) {
      registered(&$0)
      $0.report(
        call(.configurationUpdated, [.primarySource: otherText, .secondarySource: otherText]))
      $0.disconnect()
    },
    Case("two sources") {
      registered(&$0)
      $0.report(call(.configurationUpdated, [.primarySource: peer, .secondarySource: otherText]))
      $0.report(call(.configurationUpdated, [.primarySource: "nil"]))
      $0.disconnect()
    },
    Case("the app never names a new source", finds: ["audio.source-not-updated"]) {
      registered(&$0)
      says(&$0, .init(primaryAudioSourceDeviceIdentifier: other))
      $0.wait(6_000)
      $0.report(call(.line))
      $0.disconnect()
    },
    Case("a new source, and the capture ends", cannotTell: ["audio.source-not-updated"]) {
      registered(&$0)
      says(&$0, .init(primaryAudioSourceDeviceIdentifier: other))
    },
    Case("a new source, and logs of the app only", cannotTell: ["audio.source-not-updated"]) {
      registered(&$0, hearsExtension: false)
      says(&$0, .init(primaryAudioSourceDeviceIdentifier: other))
      $0.wait(6_000)
      $0.disconnect()
    },
    Case("the accessory reports what the app did not register", finds: ["audio.not-declared"]) {
      $0.encrypt()
      $0.configure(.register(.init()))
      $0.report(call(.configurationRegistered, [.capabilities: "audioSwitching"]))
      says(&$0, .init(devicePlacement: .inEar))
      $0.disconnect()
    },
    Case(
      "registered before the link opens", finds: ["audio.registered-before-pairing"],
      connects: false
    ) {
      $0.report(call(.configurationRegistered, all))
      $0.connect()
      $0.pair()
      $0.disconnect()
    },
    Case(
      "registered before accessoryAdded", finds: ["audio.registered-before-pairing"],
      connects: false
    ) {
      $0.report(call(.configurationRegistered, all))
      $0.report(call(.accessorySetup, [.state: "accessoryAdded"], isExtension: false))
    },
    Case("registered after accessoryAdded", connects: false) {
      $0.report(call(.accessorySetup, [.state: "accessoryAdded"], isExtension: false))
      $0.report(call(.configurationRegistered, all))
      $0.connect()
      $0.pair()
      $0.disconnect()
    },
    Case("registered for an accessory that was paired earlier", connects: false) {
      $0.report(call(.configurationRegistered, all))
      $0.connect()
      $0.encrypt()
      $0.disconnect()
    },
    Case("a request that the app does not decide", finds: ["transport.session-undecided"]) {
      $0.report(call(.sessionRequested))
      $0.wait(31_000)
      $0.report(call(.line))
    },
  ]
}
