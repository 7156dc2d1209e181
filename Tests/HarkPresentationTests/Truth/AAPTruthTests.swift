import Foundation
import HarkCore
import HarkSamples
import HarkSession
import Testing

@testable import HarkPresentation

/// Headphones against truth.json, which the generator's two sides wrote.
@Suite struct AAPTruthTests {
  @Test(arguments: Sample.headphones)
  func reportsAllThatChanged(_ name: String) throws {
    let events = try #require(Sample.truth(name)["events"] as? [[String: Any]])
    var expected = Expected()
    for event in events { expected.take(event) }
    if expected.sensors > 0 { expected.reported.append("\(expected.sensors) custom messages") }
    var reported: [String] = []
    var frames: [Event.Frames] = []
    try Sample.read(name, Sample.firstFile(name)) { event, session in
      if let text = Self.text(event) {
        reported.append(text)
        frames.append(event.frames)
      }
    }
    let recognized = reported.filter { $0.hasPrefix("recognized") }
    #expect(recognized == (name == "aap-middle" ? ["recognized 64"] : []))
    // Both fall on one message; which is reported first is of no account.
    #expect(reported.filter { !$0.hasPrefix("recognized") } == expected.reported)
  }

  /// Messages read before the protocol was known are reported with their own frames.
  @Test func namesTheFramesOfEarlierMessages() throws {
    var first: [Event.Frames] = []
    try Sample.read("aap-middle", "aap-middle.btsnoop") { event, _ in
      if case .accessoryProtocol = event.content { first.append(event.frames) }
    }
    #expect(
      first.prefix(3) == [
        Event.Frames(PacketID(1), PacketID(3), count: 3), Event.Frames(PacketID(1)),
        Event.Frames(PacketID(3)),
      ])
  }

  @Test func namesTheDevice() throws {
    let session = try Sample.read("aap-session", "aap-session.btsnoop") { _, _ in }
    let names = session.devices.map(\.name)
    #expect(names == ["Acme Buds"])
    let kinds = session.keys.bondingKeys.map(\.kind)
    #expect(kinds == [.identityResolvingKey, .proximityPairingKey])
    let areExposed = session.keys.entries.allSatisfy(\.isExposed)
    #expect(areExposed)
  }

  /// What the truth's messages amount to: only changes are reported.
  private struct Expected {
    var reported: [String] = []
    var batteries: [String: String] = [:]
    var level: Int?
    var sensors = 0

    mutating func take(_ event: [String: Any]) {
      func text(_ member: String) -> String { event[member].map { "\($0)" } ?? "nil" }
      switch event["kind"] as? String {
      case "connect": reported.append("connect")
      case "connected": reported.append("connected")
      case "unanswered": reported.append("unanswered")
      case "features": reported.append("features")
      case "featuresAcknowledged": reported.append("features acknowledged")
      case "notifications": reported.append("notifications")
      case "keysRequest": reported.append("keys requested 5")
      case "keys": reported += ["key IRK", "key proximity pairing key"]
      case "information":
        reported.append("information \(text("name")) \(text("model")) \(text("firmware"))")
      case "battery":
        var changed: [String] = []
        for component in ["left", "right", "case"] {
          let values = event[component] as? [Any] ?? []
          let value = values.map { "\($0)" }.joined(separator: " ")
          if batteries.updateValue(value, forKey: component) != value {
            changed.append("\(component) \(value)")
          }
        }
        if !changed.isEmpty { reported.append("battery " + changed.joined(separator: ", ")) }
      case "ears":
        reported.append("\(text("primary")), \(text("secondary")): \(text("placement"))")
      case "hosts":
        let hosts = (event["hosts"] as? [[Any]] ?? []).map { "\($0[0]) \($0[1])" }
        reported.append("hosts " + hosts.joined(separator: ", "))
      case "audioSource":
        let (primary, secondary) = (
          event["primary"] as? String ?? "nil", event["secondary"] as? String ?? "nil"
        )
        reported.append("source \(text("host")) \(text("audio")): \(primary), \(secondary)")
      case "audioSourceNotCleared": reported.append("not cleared \(text("host"))")
      case "setting":
        reported.append("setting \(text("identifier")) \(text("value")) \(text("step"))")
      case "smartRouting":
        let says = (event["says"] as? [String: String] ?? [:]).sorted { $0.key < $1.key }
        reported.append(
          "routing \(text("host")) " + says.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
      case "stemPress": reported.append("press \(text("press")) \(text("bud"))")
      case "conversation" where event["level"] as? Int != level:
        level = event["level"] as? Int
        reported.append("conversation \(text("level"))")
      case "sensor": sensors += 1
      default: break
      }
    }
  }

  private static func text(_ event: Event) -> String? {
    if case .security(.keyInCapture(let key)) = event.content {
      return "key \(key.keyKind.rawValue)"
    }
    guard case .accessoryProtocol(let content) = event.content else { return nil }
    switch content {
    case .connect: return "connect"
    case .connected(let event): return event.latency == nil ? "connected unasked" : "connected"
    case .connectUnanswered: return "unanswered"
    case .recognized(let event): return "recognized \(event.cid)"
    case .featuresRequested: return "features"
    case .featuresAcknowledged: return "features acknowledged"
    case .notificationsRequested: return "notifications"
    case .keysRequested(let event): return "keys requested \(event.keys)"
    case .information(let event):
      return "information \(event.name) \(event.model) \(event.firmware)"
    case .battery(let event):
      let names: [UInt8: String] = [2: "right", 4: "left", 8: "case"]
      let states: [UInt8: String] = [1: "charging", 2: "discharging", 4: "disconnected"]
      return "battery "
        + event.batteries.map {
          "\(names[$0.component] ?? "?") \($0.level) \(states[$0.status] ?? "?")"
        }.joined(separator: ", ")
    case .accessoryControl(let event): return control(event.control, event.cause)
    case .audioSourceNotCleared(let event): return "not cleared \(event.source)"
    case .setting(let setting): return self.setting(setting)
    case .smartRouting(let event):
      return "routing \(event.peer) "
        + ["PlayingApp", "hostStreamingState", "playingApp", "reason", "remotescore"].sorted()
        .compactMap { key -> String? in
          switch event.object?[key] {
          case .string(let text): "\(key) \(text)"
          case .integer(let number): "\(key) \(number)"
          default: nil
          }
        }.joined(separator: ", ")
    case .stemPress(let event): return "press \(event.press) \(event.bud)"
    case .conversation(let event): return "conversation \(event.level)"
    case .customMessages(let event):
      return "\(event.count) custom messages" + (event.client == 0x100000 ? "" : " of another")
    default: return "\(content)"
    }
  }

  private static func setting(_ setting: AAPEvent.Setting) -> String {
    let step =
      switch setting.step {
      case .set: "set"
      case .confirmed: "confirmed"
      case .overruled: "overruled"
      case .reported: "reported"
      }
    return "setting \(setting.identifier) \(setting.value) \(step)"
  }

  private static func control(
    _ control: AccessoryControlDevice.Event, _ cause: AAPEvent.Cause
  ) -> String {
    let configuration: AccessoryControlDevice.Configuration
    switch control {
    case .register(let value), .update(let value): configuration = value
    case .failed(let error): return "\(error)"
    }
    switch cause {
    case .ears(let primary, let secondary):
      let names = ["in ear", "out of ear", "in case"]
      return "\(names[Int(primary)]), \(names[Int(secondary)]): "
        + (configuration.devicePlacement?.rawValue ?? "nil")
    case .hosts(let hosts):
      return "hosts " + hosts.map { "\($0.address) \($0.link)" }.joined(separator: ", ")
    case .audioSource(let host, let type):
      func address(_ octets: [UInt8]?) -> String {
        octets.map { $0.map { Hex.text([$0]).uppercased() }.joined(separator: ":") } ?? "nil"
      }
      return "source \(host) \(type): "
        + "\(address(configuration.primaryAudioSourceDeviceIdentifier)), "
        + address(configuration.secondaryAudioSourceDeviceIdentifier)
    case .connection(let host, let state, let type): return "connection \(host) \(state) \(type)"
    }
  }
}
