import HarkCapture
import HarkCore
import HarkSamples
import HarkSession
import Testing

@testable import HarkPresentation

/// Calls against truth.json, which the generator's two stacks wrote.
@Suite struct CallTruthTests {
  @Test(arguments: Sample.calls) func events(_ name: String) throws {
    let events = try #require(Sample.truth(name)["events"] as? [[String: Any]])
    var reported: [String] = []
    try Sample.read(name, Sample.firstFile(name)) { event, _ in
      switch event.content {
      case .sdp(.found(let found)) where !found.isLocal:
        reported += found.records.map { "service \($0.serverChannel ?? 0) \($0.version ?? 0)" }
      case .rfcomm(.opened(let opened)) where !opened.byPeer:
        reported.append("dataLink \(opened.link.serverChannel) 1")
      case .rfcomm(.closed(let closed)): reported.append("dataLink \(closed.link.serverChannel) 0")
      case .handsFree(let event): Self.report(event).map { reported.append($0) }
      default: break
      }
    }
    #expect(reported == events.map(Self.expected))
  }

  /// What went over the synchronous links: the generator sends 8 frames of 60 bytes each way, each
  /// of its own number.
  @Test func sound() throws {
    let events = try #require(Sample.truth("hands-free")["events"] as? [[String: Any]])
    let sounds = events.filter { $0["kind"] as? String == "sound" && $0["isOn"] as? Bool == true }
    for number in UInt32(4)...5 {
      let capture = try Capture(path: Sample.path("hands-free", Sample.firstFile("hands-free")))
      var session = Session()
      session.followed = StreamID(number: number)
      var data: [[UInt8]] = [[], []]
      _ = capture.forEachRecord { record, bytes in
        session.index(record, bytes)
        for piece in session.pieces { data[Int(piece.direction.rawValue)] += piece.bytes }
        return true
      }
      let frames = (UInt8(0)..<8).flatMap { [UInt8](repeating: $0, count: 60) }
      #expect(data == [frames, frames])
      let sent = session.streams.filter { $0.kind == .synchronous(.esco) }
      #expect(sent.count == sounds.count && sent.allSatisfy { $0.bytes == [480, 480] })
    }
  }

  /// The number comes after the call it belongs to.
  private static func report(_ event: HandsFreeEvent) -> String? {
    switch event {
    case .connected(let it): "connected \(it.handsFree ?? 0) \(it.gateway ?? 0)"
    case .call(let call): call.state == .alerting ? nil : "call \(call.state.rawValue)"
    case .command(let command):
      switch command.action {
      case .answer: "command ATA"
      case .hangUp: "command AT+CHUP"
      case .dial(let number): "command ATD \(number)"
      default: nil
      }
    case .codecConfirmed(let codec): "codec \(codec.id)"
    case .refused(let it): "refused AT\(it.command ?? "")"
    case .gain(let gain): gain.isSpeaker ? "pieces AT+VGS=\(gain.value)" : nil
    case .audio(let audio) where audio.isOn:
      "sound on \(audio.codec.map { "\($0)" } ?? "unknown") \(audio.airMode ?? 0) \(audio.fits)"
    case .audio(let audio): "sound off \(audio.packets)"
    default: nil
    }
  }

  private static func expected(_ event: [String: Any]) -> String {
    func value(_ key: String) -> Any { event[key] ?? "" }
    let kind = event["kind"] as? String ?? ""
    switch kind {
    case "service": return "service \(value("serverChannel")) \(value("version"))"
    case "dataLink":
      return "dataLink \(value("serverChannel")) \(event["isOpen"] as? Bool == true ? 1 : 0)"
    case "connected": return "connected \(value("handsFree")) \(value("gateway"))"
    case "call": return "call \(value("state"))"
    case "command":
      return "command \(value("command"))" + (event["number"].map { " \($0)" } ?? "")
    case "codec": return "codec \(value("codec"))"
    case "sound" where event["isOn"] as? Bool == true:
      // mSBC goes through transparent links only. Hands-Free Profile 1.9, 5.7
      let fits = event["codec"] as? Int == 2 && event["airMode"] as? Int == 3
      return "sound on \(value("codec")) \(value("airMode")) \(fits)"
    case "sound": return "sound off \(value("packets"))"
    default: return "\(kind) \(value("command"))"
    }
  }
}
