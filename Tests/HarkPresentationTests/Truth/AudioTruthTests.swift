import HarkCore
import HarkSamples
import HarkSession
import Testing

@testable import HarkPresentation

/// Audio against truth.json, which the generator's two stacks wrote.
@Suite struct AudioTruthTests {
  @Test(arguments: Sample.audio) func events(_ name: String) throws {
    let events = try #require(Sample.truth(name)["events"] as? [[String: Any]])
    var reported: [String] = []
    try Sample.read(name, Sample.firstFile(name)) { event, _ in
      if case .audio(let event) = event.content { reported.append(Self.report(event)) }
    }
    #expect(reported == events.map(Self.expected))
  }

  private static func report(_ event: AudioEvent) -> String {
    switch event {
    case .endpoints(let it) where !it.isLocal:
      "endpoints \(it.endpoints.map(\.seid)) \(it.endpoints.compactMap(\.codec).map(\.name))"
    case .signalRejected(let it): "rejected \(it.signal) \(it.error ?? 0)"
    case .configured(let it):
      "configured \(it.stream.codec?.samplingFrequency ?? 0) "
        + "\(it.stream.codec?.bitpool.map { [$0.lowerBound, $0.upperBound] } ?? [])"
    case .delay(let it): "delay \(it.stream.delay ?? 0)"
    case .opened: "opened"
    case .started: "started"
    case .suspended(let it): "suspended \(account(it.stream))"
    case .closed(let it): "closed \(account(it.stream))"
    case .gap(let it): "gap \(it.lost)"
    case .notifications(let it): "notifications \(it.events) \(it.isLocal)"
    case .playStatus(let it) where it.position == nil && it.length == nil:
      "playStatus \(it.status)"
    case .volume(let it): "volume \(it.volume) \(it.isRequest)"
    case .operation(let it): "operation \(it.operation)"
    case .changed(let it): "changed \(it.event)"
    case .track(let it):
      "track " + it.attributes.map { "\($0.id) \($0.text)" }.sorted().joined(separator: ", ")
    default: "\(event)"
    }
  }

  private static func account(_ stream: AudioStream) -> String {
    "\(stream.account.packets) \(stream.account.lost) \(stream.account.duplicates)"
  }

  private static func expected(_ event: [String: Any]) -> String {
    func value(_ key: String) -> Any { event[key] ?? "" }
    func flag(_ key: String) -> Bool { event[key] as? Bool == true }
    let kind = event["kind"] as? String ?? ""
    switch kind {
    case "endpoints":
      return "endpoints \(event["seids"] as? [Int] ?? []) "
        + "\(event["codecs"] as? [String] ?? [])"
    case "rejected": return "rejected \(value("signal")) \(value("error"))"
    case "configured":
      return "configured \(value("samplingFrequency")) \(event["bitpool"] as? [Int] ?? [])"
    case "delay": return "delay \(value("delay"))"
    case "suspended", "closed":
      return "\(kind) \(value("packets")) \(value("lost")) \(value("duplicates"))"
    case "gap": return "gap \(value("lost"))"
    case "notifications":
      return "notifications \(event["events"] as? [Int] ?? []) \(flag("isLocal"))"
    case "playStatus": return "playStatus \(value("status"))"
    case "volume": return "volume \(value("volume")) \(flag("isRequest"))"
    case "operation": return "operation \(value("operation"))"
    case "changed": return "changed \(value("event"))"
    case "track":
      let attributes = event["attributes"] as? [String: String] ?? [:]
      return "track " + attributes.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")
    default: return kind
    }
  }
}
