import Foundation
import HarkCore
import HarkCrypto
import HarkSamples
import HarkSession
import Testing

@testable import HarkPresentation

/// What the bundled profiles make of invented vendors' messages, member by member, against
/// truth.json: its generator encodes with libraries that share nothing with hark.
@Suite struct VendorTruthTests {
  /// Notifications, Live Activities, answers and what was shown.
  @Test(arguments: ["lens-session", "lens-activities", "lens-network", "helmet-session"])
  func contents(_ name: String) throws {
    let events = try #require(Sample.truth(name)["events"] as? [[String: Any]])
    var reported: [MessageDirection: [[String: String]]] = [:]
    try Sample.read(name, Sample.firstFile(name)) { event, _ in
      guard case .accessory(let event) = event.content, case .message(let message) = event.content
      else { return }
      let decoded = message.opened?.decoded
      #expect(decoded?.problem == nil)
      #expect(decoded?.contents.count == 1)
      reported[event.direction, default: []].append(
        decoded?.contents.first.map(Self.members) ?? [:])
    }
    for direction in MessageDirection.allCases {
      let wanted = events.filter { $0["direction"] as? String == direction.rawValue }
        .compactMap { $0["decoded"] as? [String: Any] }
      // Nothing answers a Live Activity.
      #expect(wanted.isEmpty == (name == "lens-activities" && direction == .accessoryToHost))
      #expect(reported[direction, default: []] == wanted.map(Self.texts))
    }
  }

  /// What confirms a message, and the message it confirms.
  @Test(arguments: ["lens-session", "lens-activities", "lens-network", "helmet-session"])
  func receipts(_ name: String) throws {
    let events = try #require(Sample.truth(name)["events"] as? [[String: Any]])
    var reported: [String] = []
    try Sample.read(name, Sample.firstFile(name)) { event, _ in
      guard case .accessory(let event) = event.content, case .accepted(let receipt) = event.content
      else { return }
      #expect(receipt.answers != nil)
      reported.append("\(event.direction.rawValue) \(receipt.receiptID)")
    }
    let wanted = events.filter { $0["kind"] as? String == "receipt" }
      .map { "\($0["direction"] ?? "") \($0["receiptID"] ?? "")" }
    #expect(!wanted.isEmpty)
    #expect(reported == wanted)
  }

  /// What an accessory says about its configuration, all members as they are then, and what is wrong
  /// with it. What never comes is no one's message.
  @Test(arguments: ["aria-session", "aria-faults", "helmet-session"])
  func configurations(_ name: String) throws {
    var reported: [String] = []
    try Sample.read(name, Sample.firstFile(name)) { event, _ in
      if case .audioSourceNotCleared(let it) = event.content {
        reported.append("audioSourceNotCleared \(it.source)")
      }
      guard case .accessory(let event) = event.content else { return }
      switch event.content {
      case .plain(let message):
        guard case .configuration(let report) = message.contents.first else { return }
        reported.append(Self.text(report.event))
        reported += report.remarks.map(Self.text)
        #expect(event.direction == .accessoryToHost)
      case .unreadable(let message):
        #expect(message.problem == .wrong(field: "CRC"))
        reported.append("checksum")
      default: break
      }
    }
    let events = try #require(Sample.truth(name)["events"] as? [[String: Any]])
    let wanted = events.compactMap { event -> String? in
      if let configuration = event["configuration"] as? [String: Any] {
        return Self.text(configuration)
      }
      let fault = event["fault"] as? String
      switch fault {
      case "capabilityNotDeclared", "addressReversed", "audioSourceNotCleared":
        return "\(fault ?? "") \(event["capability"] ?? event["address"] ?? "")"
      case "secondaryWithoutPrimary", "checksum": return fault
      default: return nil
      }
    }
    #expect(wanted.count > 4)
    #expect(reported == wanted)
  }

  /// What became of the phone's commands.
  @Test func commandResults() throws {
    var reported: [String] = []
    try Sample.read("helmet-session", "helmet-session.btsnoop") { event, session in
      guard case .accessory(let content) = event.content,
        case .plain(let message) = content.content,
        case .commandResult(let id, let success, let text) = message.contents.first
      else { return }
      reported.append("\(id) \(success) \(text)")
      #expect(EventText.sentence(event, session).hasPrefix("accessory "))
    }
    let events = try #require(Sample.truth("helmet-session")["events"] as? [[String: Any]])
    let wanted = events.filter { $0["kind"] as? String == "commandResult" }.map {
      "\($0["command"] ?? "") \($0["success"] as? Bool ?? false) \($0["message"] ?? "")"
    }
    #expect(wanted.count == 2)
    #expect(reported == wanted)
  }

  private static func text(_ configuration: [String: Any]) -> String {
    let capabilities = configuration["deviceCapabilities"] as? [String] ?? []
    let members = ["devicePlacement", "primary", "secondary"].map {
      configuration[$0] as? String ?? "nil"
    }
    return "\(configuration["call"] ?? "") \(capabilities.sorted()) \(members)"
  }

  private static func text(_ event: AccessoryControlDevice.Event) -> String {
    let (call, configuration): (String, AccessoryControlDevice.Configuration)
    switch event {
    case .register(let value): (call, configuration) = ("register", value)
    case .update(let value): (call, configuration) = ("update", value)
    case .failed(let error): return "\(error)"
    }
    let members = [
      configuration.devicePlacement?.rawValue,
      configuration.primaryAudioSourceDeviceIdentifier.map { Hex.text($0) },
      configuration.secondaryAudioSourceDeviceIdentifier.map { Hex.text($0) },
    ]
    let capabilities = configuration.deviceCapabilities.map(\.rawValue).sorted()
    return "\(call) \(capabilities) \(members.map { $0 ?? "nil" })"
  }

  private static func text(_ remark: AccessoryControlDevice.Remark) -> String {
    switch remark {
    case .notDeclared(_, let capability): "capabilityNotDeclared \(capability.rawValue)"
    case .reversed(_, let address): "addressReversed \(address)"
    case .secondaryWithoutPrimary: "secondaryWithoutPrimary"
    default: "\(remark)"
    }
  }

  // MARK: The generator's side

  /// The members of `decoded` as text, those of actions with their place.
  private static func texts(_ decoded: [String: Any]) -> [String: String] {
    var texts: [String: String] = [:]
    for (name, value) in decoded {
      let name = name == "identifier" ? "notificationIdentifier" : name
      guard let actions = value as? [[String: Any]] else {
        texts[name] = (value as? Bool).map { "\($0)" } ?? "\(value)"
        continue
      }
      for (place, action) in actions.enumerated() {
        for (member, value) in action {
          texts["action \(place) \(member)"] = (value as? Bool).map { "\($0)" } ?? "\(value)"
        }
      }
    }
    return texts
  }

  // MARK: hark's side

  private static func members(_ content: AccessoryContent) -> [String: String] {
    switch content {
    case .add(let notification): return members(notification, "add")
    case .update(let notification): return members(notification, "update")
    case .remove(let identifier): return members(identifier, "remove")
    case .removeAllNotifications: return ["type": "removeAll"]
    case .response(let response):
      var members = members(response.identifier, "reply")
      members["actionIdentifier"] = response.actionIdentifier
      members["text"] = response.userText
      return members
    case .displayed(let identifier, let didAlert):
      var members = members(identifier, "displayed")
      members["didAlert"] = didAlert.map { "\($0)" }
      return members
    case .liveActivity(let activity, let step):
      var members = ["type": "liveActivity.\(step.rawValue)"]
      members["notificationIdentifier"] = activity.identifier
      members["sourceIdentifier"] = activity.sourceIdentifier
      members["sourceName"] = activity.sourceName
      members["state"] = activity.state
      members["relevance"] = activity.relevance.map { "\($0)" }
      members["title"] = activity.title
      members["body"] = activity.body
      return members
    default: return ["type": "\(content)"]
    }
  }

  private static func members(
    _ identifier: AccessoryNotification.Identifier?, _ type: String
  ) -> [String: String] {
    var members = ["type": type]
    members["notificationIdentifier"] = identifier?.notificationIdentifier
    members["sourceIdentifier"] = identifier?.sourceIdentifier
    return members
  }

  private static func members(
    _ notification: AccessoryNotification, _ type: String
  ) -> [String: String] {
    var members = members(notification.identifier, type)
    members["sourceName"] = notification.sourceName
    members["title"] = notification.title
    members["subtitle"] = notification.subtitle
    members["body"] = notification.body
    members["threadIdentifier"] = notification.threadIdentifier
    members["sourceIconSize"] = notification.sourceIconSize.map { "\($0)" }
    members["alert"] = notification.alerting.shouldAlert.map { "\($0)" }
    for (place, action) in notification.actions.enumerated() {
      members["action \(place) identifier"] = action.identifier
      members["action \(place) title"] = action.title
      let takesText = if case .textInput = action.type { true } else { false }
      members["action \(place) textInput"] = "\(takesText)"
    }
    return members
  }
}
