import FoundationEssentials
import HarkCore
import HarkCrypto
import HarkTestSupport
import Testing

@testable import HarkSession

/// The plaintexts of the sample captures against what their generator, which is other code in
/// another language, says they mean.
struct AccessoryTruthTests {
  struct Truth: Decodable {
    struct Event: Decodable {
      var kind: String
      var direction: String
      var plaintext: String?
      var decoded: Decoded?
    }
    struct Decoded: Decodable {
      var type: String?
      var kind: String?
      var id: String?
      var title: String?
      var subtitle: String?
      var body: String?
      var identifier: String?
      var notificationIdentifier: String?
      var text: String?
      var userText: String?
      var notification: Notification?
    }
    struct Notification: Decodable {
      var title: String?
      var subtitle: String?
      var body: String?
      var notificationIdentifier: String?
    }
    var events: [Event]
  }

  static let folder = Project.captures.path

  @Test(arguments: [
    "notifbridge-lost-chunk", "notifbridge-v0", "notifbridge-v1", "pebble-bytes-trap",
    "pebble-faults", "pebble-reboot", "pebble-rekey", "pebble-session",
    "pebble-wrong-derivation",
  ]) func plaintexts(_ name: String) throws {
    let url = URL(filePath: "\(Self.folder)/\(name)/truth.json")
    let truth = try JSONDecoder().decode(Truth.self, from: Data(contentsOf: url))
    let framing = name.hasPrefix("pebble") ? Pebble.framing : NotifBridge.framing
    for event in truth.events {
      guard let plaintext = event.plaintext, let expected = event.decoded else { continue }
      let direction = try #require(MessageDirection(rawValue: event.direction))
      let decoded = framing.decode(plaintext: hex(plaintext), direction: direction)
      #expect(decoded.problem == nil)
      #expect(decoded.id == expected.id)
      try compare(decoded, expected)
    }
  }

  private func compare(_ decoded: DecodedPlaintext, _ expected: Truth.Decoded) throws {
    let content = try #require(decoded.contents.first)
    switch (content, expected.type ?? expected.kind) {
    case (.present(let notification), "present"), (.present(let notification), "notification"):
      #expect(notification.title == expected.title.nonEmpty)
      #expect(notification.subtitle == expected.subtitle.nonEmpty)
      #expect(notification.body == expected.body.nonEmpty)
      let identifier = expected.identifier ?? expected.notificationIdentifier
      #expect(notification.identifier?.notificationIdentifier == identifier)
    case (.add(let notification), "add"), (.update(let notification), "update"):
      #expect(notification.title == expected.notification?.title.nonEmpty)
      #expect(notification.subtitle == expected.notification?.subtitle.nonEmpty)
      #expect(notification.body == expected.notification?.body.nonEmpty)
      #expect(
        notification.identifier?.notificationIdentifier
          == expected.notification?.notificationIdentifier)
    case (.remove(let identifier), "remove"):
      if let name = expected.identifier { #expect(identifier.notificationIdentifier == name) }
    case (.response(let response), "reply"), (.response(let response), "respond"):
      #expect(response.userText == expected.text ?? expected.userText)
    case (.removeAllNotifications, "removeAll"), (.commandResult, "commandResult"),
      (.clear, "clear"), (.displayed, "displayed"):
      break
    case (_, let kind):
      Issue.record("\(content) for \(kind ?? "nothing")")
    }
  }
}
