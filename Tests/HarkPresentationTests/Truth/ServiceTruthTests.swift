import Foundation
import HarkCore
import HarkCrypto
import HarkSamples
import HarkSession
import Testing

@testable import HarkPresentation

/// ANCS and AMS against truth.json, which two stacks of other code wrote.
@Suite struct ServiceTruthTests {
  /// What one message was, and the bytes of it.
  struct Reported: Equatable {
    var kind: String
    var bytes: String
    var error: Int?
  }

  @Test(arguments: Sample.services) func messages(_ name: String) throws {
    let events = try #require(Sample.truth(name)["events"] as? [[String: Any]])
    var reported: [MessageDirection: [(Reported, sentence: String)]] = [:]
    var refused: [Int] = []
    try Sample.read(name, Sample.firstFile(name)) { event, session in
      if case .attribute(.attError(let it)) = event.content { refused.append(Int(it.error)) }
      guard case .accessory(let accessory) = event.content else { return }
      reported[accessory.direction, default: []].append(
        (Self.reported(accessory), EventText.sentence(event, session)))
    }
    // A command that does not exist has no row but its error's.
    let unknown = events.filter { Self.member($0, "command") as? String == "unknown" }
    #expect(refused == unknown.compactMap { $0["error"] as? Int })
    for direction in MessageDirection.allCases {
      let wanted = events.filter {
        $0["direction"] as? String == direction.rawValue
          && Self.member($0, "command") as? String != "unknown"
      }
      let found = reported[direction] ?? []
      #expect(found.map(\.0) == wanted.map(Self.expected))
      for (found, wanted) in zip(found, wanted) {
        let text = found.sentence
        for part in Self.texts(wanted) { #expect(text.contains(part), "\(part) in \(text)") }
      }
    }
  }

  private static func member(_ event: [String: Any], _ name: String) -> Any? {
    (event["decoded"] as? [String: Any])?[name]
  }

  private static func expected(_ event: [String: Any]) -> Reported {
    let kind = event["kind"] as? String ?? ""
    guard event["locked"] == nil else { return Reported(kind: "incomplete", bytes: "") }
    return Reported(
      kind: kind, bytes: event["bytes"] as? String ?? "", error: event["error"] as? Int)
  }

  /// Texts that its sentence must have: of attributes, except MessageSize and Date, and of media.
  private static func texts(_ event: [String: Any]) -> [String] {
    guard event["locked"] == nil, let decoded = event["decoded"] as? [String: Any] else {
      return []
    }
    if event["kind"] as? String == "answer" {
      return decoded.filter { !["0", "4", "5"].contains($0.key) }
        .compactMap { $0.value as? String }.filter { !$0.isEmpty }
    }
    guard let value = decoded["value"] as? String, decoded["entity"] as? Int == 2 else { return [] }
    return [value]
  }

  private static func reported(_ event: AccessoryEvent) -> Reported {
    guard case .plain(let message) = event.content, let content = message.contents.first else {
      return Reported(kind: "incomplete", bytes: "")
    }
    var reported = Reported(kind: kind(content), bytes: Hex.text(message.bytes))
    if case .refused(let inner, let error, _) = content {
      reported.kind = kind(inner)
      reported.error = Int(error)
    }
    if event.origin.values > 1 || message.answers != nil, reported.kind == "update" {
      reported.kind = "value"
    }
    return reported
  }

  private static func kind(_ content: AccessoryContent) -> String {
    switch content {
    case .add, .update, .remove: "announcement"
    case .request, .response: "request"
    case .present, .application: "answer"
    case .media(.supportedCommands): "commands"
    case .media(.command): "command"
    case .media(.watch): "watch"
    case .media(.choose): "choose"
    case .media(.update): "update"
    default: "\(content)"
    }
  }
}
