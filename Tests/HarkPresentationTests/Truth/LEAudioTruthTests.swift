import HarkCore
import HarkDissection
import HarkSamples
import HarkSession
import HarkTestSupport
import Testing

@testable import HarkPresentation

/// LE Audio against truth.json, in which the generator's stack wrote what its own classes say.
@Suite struct LEAudioTruthTests {
  @Test func events() throws {
    let events = try #require(Sample.truth("leaudio-session")["events"] as? [[String: Any]])
    var reported: [String] = []
    var isLive = false
    try Sample.read("leaudio-session", Sample.firstFile("leaudio-session")) { event, _ in
      guard case .leAudio(let content) = event.content else { return }
      // The generator notes no reads of endpoints and volume.
      if case .trackTitle = content { isLive = true }
      if isLive { Self.report(content).map { reported.append($0) } }
    }
    let expected = events.flatMap(Self.expected)
    #expect(reported.sorted() == expected.sorted())
    // In their order, what one endpoint does.
    func endpoint(_ texts: [String]) -> [String] { texts.filter { $0.hasPrefix("endpoint 1 ") } }
    #expect(endpoint(reported) == endpoint(expected))
  }

  private static func name(_ code: some FixedWidthInteger, _ path: String) -> String {
    (Names.of(code, path) ?? "?").uppercased().filter { $0 != "_" && $0 != " " && $0 != "-" }
  }

  private static func report(_ event: LEAudioEvent) -> String? {
    switch event {
    case .operation(let it):
      let ids = it.operations.map { "\($0.endpoint)" }.joined(separator: " ")
      return "operation \(name(it.opcode, "ascs.opcode")) \(ids)"
    case .refused(let it):
      return "refused \(name(it.opcode, "ascs.opcode")) \(it.endpoint) "
        + "\(name(it.response, "ascs.response")) \(name(it.reason, "ascs.reason"))"
    case .endpoint(let it):
      guard it.isForeseen else { return nil }
      return "endpoint \(it.endpoint.id) \(name(it.endpoint.state.rawValue, "ascs.state")) "
        + (it.endpoint.isSink ? "SINK" : "SOURCE")
    case .streamEnded(let it): return "linkEnds \(it.endpoint.id)"
    case .volume(let it): return "volume \(it.setting) \(it.mute)"
    case .volumeOperation(let it):
      return "volumeOperation \(name(it.opcode, "volume.opcode")) "
        + (it.setting.map { "\($0)" } ?? "")
    case .trackTitle(let it): return "track \(it.title)"
    case .mediaState(let it): return "mediaState \(name(it.state, "mcs.state"))"
    case .mediaOperation(let it): return "mediaOperation \(name(it.opcode, "mcs.opcode"))"
    case .mediaResult(let it):
      return "mediaResult \(name(it.opcode, "mcs.opcode")) \(name(it.result, "mcs.result"))"
    default: return nil
    }
  }

  private static func expected(_ event: [String: Any]) -> [String] {
    func text(_ key: String) -> String {
      "\(event[key] ?? "")".filter { $0 != "_" }
    }
    let kind = text("kind")
    switch kind {
    case "operation":
      let ids = (event["endpoints"] as? [Int] ?? []).map { "\($0)" }.joined(separator: " ")
      return ["operation \(text("operation")) \(ids)"]
    case "refused":
      return ["refused \(text("operation")) \(text("ase")) \(text("response")) \(text("reason"))"]
    case "endpoint": return ["endpoint \(text("ase")) \(text("state")) \(text("role"))"]
    case "linkEnds": return (event["streaming"] as? [Int] ?? []).map { "linkEnds \($0)" }
    case "volume": return ["volume \(text("setting")) \(event["muted"] as? Bool == true ? 1 : 0)"]
    case "volumeOperation": return ["volumeOperation \(text("operation")) \(text("setting"))"]
    case "track": return ["track \(event["title"] ?? "")"]
    case "mediaResult": return ["mediaResult \(text("operation")) \(text("result"))"]
    default: return ["\(kind) \(text(kind == "mediaState" ? "state" : "operation"))"]
    }
  }

  /// The Set Identity Resolving Key is in no output.
  @Test(arguments: [
    ["timeline"], ["timeline", "-f", "json"], ["packets"], ["packets", "-f", "json"], ["gatt"],
    ["gatt", "-f", "json"], ["show", "191"], ["show", "191", "-f", "json"], ["streams", "1"],
  ])
  func setKeyIsConcealed(_ command: [String]) throws {
    let truth = try Sample.truth("leaudio-session")
    let gatt = try #require(truth["gatt"] as? [String: Any])
    let key = try #require(gatt["setIdentityResolvingKey"] as? String)
    let file = "captures/leaudio-session/leaudio-session.btsnoop"
    let output = try HarkProgram.transcript([command[0], file] + command.dropFirst())
    #expect(!output.filter { $0 != " " && $0 != ":" }.contains(key.prefix(16)))
  }

  /// Periodic advertising has the structure that the generator's class wrote.
  @Test func broadcast() throws {
    let events = try #require(Sample.truth("broadcast-session")["events"] as? [[String: Any]])
    let streams = try #require(events.first?["streams"] as? [Int])
    let output = try HarkProgram.transcript([
      "packets", "captures/broadcast-session/broadcast-session.btsnoop", "--format", "json", "-Y",
      "base",
    ])
    let line = try #require(output.split(separator: "\n").first)
    for stream in streams { #expect(line.contains("\"streamIndex\":\(stream)")) }
    #expect(line.contains("\"language\":\"eng\"") && line.contains("\"language\":\"spa\""))
  }
}
