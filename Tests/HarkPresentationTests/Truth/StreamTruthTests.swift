import HarkCore
import HarkSamples
import HarkSession
import Testing

@testable import HarkPresentation

/// Isochronous streams and periodic advertising against truth.json, which the generator wrote of what
/// crossed the emulated air.
@Suite struct StreamTruthTests {
  private struct Reported {
    let event: Event
    let device: String?
    let text: String
  }

  private static func events(_ name: String) throws -> [Reported] {
    var reported: [Reported] = []
    try Sample.read(name, Sample.firstFile(name)) { event, session in
      switch event.content {
      case .isochronous, .periodic:
        reported.append(
          Reported(
            event: event,
            device: event.device.map { session.devices[Int($0.index)].address.description },
            text: EventText.sentence(event, session)))
      default: break
      }
    }
    return reported
  }

  private static func dictionaries(_ value: Any?) -> [[String: Any]] {
    value as? [[String: Any]] ?? []
  }

  @Test func streamsAndTheirLinks() throws {
    let truth = try Sample.truth("earbuds-session")
    let addresses = try #require(truth["addresses"] as? [String: [String: String]])
    let expected = Self.dictionaries(truth["isochronous"]).map { stream in
      let side = stream["device"] as? String == "L" ? "accessory" : "right"
      let sizes = stream["maxSDU"] as? [Int] ?? []
      return [
        "\(stream["handle"] ?? "")", "\(stream["cig"] ?? "")", "\(stream["cis"] ?? "")",
        addresses[side]?["staticRandom"] ?? "", sizes.map(String.init).joined(separator: " "),
      ]
    }
    let established = try Self.events("earbuds-session").compactMap { reported -> [String]? in
      guard
        case .isochronous(.established(let it)) = reported.event.content
      else { return nil }
      return [
        "\(it.handle)", "\(it.name?.cig ?? 0)", "\(it.name?.cis ?? 0)", reported.device ?? "",
        "\(it.toPeripheral.maxPDU) \(it.toCentral.maxPDU)",
      ]
    }
    #expect(expected.count == 3)
    #expect(established == expected)
  }

  @Test func lossesAndGaps() throws {
    let truth = try Sample.truth("earbuds-session")
    let lost = Self.dictionaries(truth["sdus"]).count { $0["heard"] as? Bool == false }
    let missed = Self.dictionaries(truth["notRecorded"]).count
    let warnings = try Self.events("earbuds-session").filter { $0.event.severity == .warning }
    #expect(
      warnings.map(\.text) == [
        "isochronous stream 0x0003: the controller did not receive \(lost) SDUs completely",
        "isochronous stream 0x0003: \(missed) SDU of the peer missing, according to the sequence numbers",
      ])
    #expect(warnings.allSatisfy { $0.device == "E2:4F:2A:22:22:22" })
  }

  /// What happened, in the words of the truth, from what is reported.
  private static func kind(_ event: Event) -> String? {
    switch event.content {
    case .periodic(.failed): "syncFailed"
    case .periodic(.synchronized): "synchronized"
    case .periodic(.group): "announced"
    case .periodic(.changed(let change)): change.isFirst ? nil : "changed"
    case .periodic(.lost): "lost"
    case .periodic(.started): "started"
    case .periodic(.stopped): "stopped"
    case .isochronous(.group(let group)): group.isOurs ? "groupCreated" : "groupSynchronized"
    case .isochronous(.groupEnded(let group)): group.isOurs ? "groupEnded" : "groupLost"
    default: nil
    }
  }

  @Test func trains() throws {
    let truth = Self.dictionaries(try Sample.truth("periodic-session")["events"])
    let reported = try Self.events("periodic-session")
    #expect(
      reported.compactMap { Self.kind($0.event) } == truth.map { $0["kind"] as? String ?? "" })
    let synchronized = try #require(truth.first { $0["kind"] as? String == "synchronized" })
    let address = try #require(synchronized["address"] as? String)
    for one in reported {
      switch one.event.content {
      case .periodic(.synchronized(let it)):
        #expect(Int(it.sync) == synchronized["sync"] as? Int)
        #expect(Int(it.train.advertiser.sid) == synchronized["sid"] as? Int)
        #expect(it.train.advertiser.address.description == address)
        #expect(one.device == address)
      case .periodic(.changed), .periodic(.group), .periodic(.lost):
        #expect(one.device == address)
      case .isochronous(.group(let group)) where !group.isOurs:
        #expect(one.device == address)
      case .isochronous(.groupEnded(let group)) where !group.isOurs:
        #expect(one.device == address)
      default: break
      }
    }
  }
}
