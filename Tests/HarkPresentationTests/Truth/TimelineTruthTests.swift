import Foundation
import HarkCore
import HarkCrypto
import HarkSamples
import HarkSession
import Testing

@testable import HarkPresentation

/// The events against truth.json, which the generator's two stacks wrote: an independent witness.
@Suite struct TimelineTruthTests {
  /// What is compared of a message.
  struct Reported: Equatable, CustomStringConvertible {
    var direction: String
    var kind: String
    var texts: [String] = []
    var actions: [String] = []
    var plaintext: String?
    var session: String?

    var description: String {
      "\(direction) \(kind) \(texts) \(actions) \(plaintext ?? "-") \(session ?? "-")"
    }
  }

  @Test(arguments: Sample.all + ["helmet-session"])
  func messages(_ name: String) throws {
    let events = try #require(Sample.truth(name)["events"] as? [[String: Any]])
    let expected = events.filter { $0["kind"] as? String == "message" }.map(Self.expected)
    var reported: [Reported] = []
    try Sample.read(name, Sample.firstFile(name)) { event, session in
      guard case .accessory(let accessory) = event.content else { return }
      let isMessage =
        switch accessory.content {
        case .message, .incomplete, .unreadable: true
        default: false
        }
      if isMessage {
        let text = EventText.sentence(event, session)
        let found = Self.reported(accessory)
        reported.append(found)
        for part in found.texts + found.actions { #expect(text.contains(part)) }
      }
    }
    // Both stacks tell the time of sending; on their way two messages may cross. Each direction
    // keeps its order.
    for direction in MessageDirection.allCases.map(\.rawValue) {
      let found = reported.filter { $0.direction == direction }
      let wanted = expected.filter { $0.direction == direction }
      #expect(found.count == wanted.count)
      for (found, wanted) in zip(found, wanted) { #expect(found == wanted) }
    }
  }

  @Test(arguments: Sample.all + ["helmet-session"])
  func keys(_ name: String) throws {
    let events = try #require(Sample.truth(name)["events"] as? [[String: Any]])
    let kinds = ["publicKey", "encapsulatedKey", "privateKeySeed", "receipt"]
    let expected = events.compactMap { $0["kind"] as? String }.filter { kinds.contains($0) }
    let identifiers = events.filter { $0["kind"] as? String == "encapsulatedKey" }
      .compactMap { $0["identifier"] as? String }
    var reported: [String] = []
    var named: [String] = []
    try Sample.read(name, Sample.firstFile(name)) { event, _ in
      guard case .accessory(let event) = event.content else { return }
      switch event.content {
      case .publicKey: reported.append("publicKey")
      case .encapsulatedKey(let key):
        reported.append("encapsulatedKey")
        named.append(key.step.message.identifier ?? "")
      case .exposedKey: reported.append("privateKeySeed")
      case .accepted: reported.append("receipt")
      default: break
      }
    }
    // The keys that come in one message have no order among themselves.
    #expect(reported.sorted() == expected.sorted())
    #expect(named == identifiers)
  }

  @Test(arguments: Sample.all + Sample.services + Sample.channels + ["tutorial"])
  func capture(_ name: String) throws {
    let truth = try Sample.truth(name)
    let session = try Sample.read(name, Sample.firstFile(name)) { _, _ in }
    let others = truth["notPackets"] as? [String: [Any]] ?? [:]
    let records = session.packets.count - (others[try Sample.firstFile(name)]?.count ?? 0)
    #expect(records == truth["packets"] as? Int)
    let closings = try #require(truth["disconnections"] as? [[String: Any]])
    let reasons = closings.compactMap { $0["phoneSees"] as? Int }
    #expect(session.links.compactMap { $0.reason.map { Int($0) } } == reasons)
    let accessory = try #require(truth["accessoryName"] as? String)
    #expect(session.devices.contains { $0.name == accessory })
  }

  // MARK: The generator's side

  private static func expected(_ event: [String: Any]) -> Reported {
    var reported = Reported(direction: event["direction"] as? String ?? "", kind: "")
    if let locked = event["locked"] as? [String: Any] {
      reported.kind = "locked: \(locked["reason"] as? String ?? "")"
      return reported
    }
    reported.plaintext = event["plaintext"] as? String
    reported.session = event["sessionID"] as? String
    guard var decoded = event["decoded"] as? [String: Any] else { return reported }
    let kind = (decoded["type"] ?? decoded["kind"]) as? String ?? ""
    // The generator names kinds as each vendor does.
    reported.kind = ["notification": "present", "respond": "reply"][kind] ?? kind
    for inner in ["notification", "result"] {
      if let value = decoded[inner] as? [String: Any] { decoded = value }
    }
    for member in ["title", "subtitle", "body", "text", "userText", "message"] {
      if let text = decoded[member] as? String, !text.isEmpty { reported.texts.append(text) }
    }
    for action in decoded["actions"] as? [[String: Any]] ?? [] {
      reported.actions.append(action["title"] as? String ?? "")
    }
    return reported
  }

  // MARK: hark's side

  private static func reported(_ event: AccessoryEvent) -> Reported {
    var reported = Reported(direction: event.direction.rawValue, kind: "")
    guard case .message(let message) = event.content else {
      reported.kind = "locked: incomplete"
      return reported
    }
    switch message.outcome {
    // What fails before any key came on its link was sealed with a key that never arrived.
    case .locked(.tagFails):
      reported.kind = message.followsKeyOnLink ? "locked: tagMismatch" : "locked: noKey"
    case .locked(.noEncapsulatedKey): reported.kind = "locked: noKey"
    case .locked(let verdict): reported.kind = "locked: \(verdict)"
    case .opened(let opened):
      reported.plaintext = Hex.text(opened.plaintext)
      reported.session = message.sessionID
      for content in opened.decoded.contents { add(content, to: &reported) }
    }
    return reported
  }

  private static func add(_ content: AccessoryContent, to reported: inout Reported) {
    switch content {
    case .add(let notification): add(notification, "add", to: &reported)
    case .update(let notification): add(notification, "update", to: &reported)
    case .present(let notification): add(notification, "present", to: &reported)
    case .remove: reported.kind = "remove"
    case .removeAllNotifications: reported.kind = "removeAll"
    case .response(let response):
      reported.kind = "reply"
      reported.texts = [response.userText].compactMap { $0 }.filter { !$0.isEmpty }
    case .clear: reported.kind = "clear"
    case .displayed: reported.kind = "displayed"
    case .commandResult(_, _, let message):
      reported.kind = "commandResult"
      reported.texts = [message]
    case .liveActivity(let activity, let step):
      reported.kind = "liveActivity.\(step.rawValue)"
      reported.texts = [activity.title, activity.body].compactMap { $0 }
    case .application, .request, .refused, .media, .configuration, .externalAccessory,
      .transport, .security, .networkSharing, .greeting, .failure:
      reported.kind = "\(content)"
    }
  }

  private static func add(
    _ notification: AccessoryNotification, _ kind: String, to reported: inout Reported
  ) {
    reported.kind = kind
    reported.texts = [notification.title, notification.subtitle, notification.body]
      .compactMap { $0 }.filter { !$0.isEmpty }
    reported.actions = notification.actions.compactMap(\.title)
  }
}
