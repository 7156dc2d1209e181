import Foundation
import HarkCapture
import HarkCore
import HarkCrypto
import HarkSamples
import HarkSession
import Testing

@testable import HarkPresentation

/// The iAP2 captures against truth.json, which the generator's two sides wrote.
@Suite struct IAP2TruthTests {
  struct Found {
    /// By direction: `DeviceToAccessory`, `AccessoryToDevice`.
    var messages: [String: [String]] = [:]
    var data: [String: [UInt8]] = [:]
    var sentences: [String] = []
  }

  private static func direction(_ direction: Direction) -> String {
    direction == .hostToController ? "DeviceToAccessory" : "AccessoryToDevice"
  }

  /// Reads a capture; `followed` is the stream whose data is kept.
  private func read(_ name: String, _ followed: StreamID? = nil) throws -> (
    Found, [HarkSession.Stream]
  ) {
    let capture = try Capture(path: Sample.path(name, Sample.firstFile(name)))
    var session = Session()
    session.keepsFields = true
    session.followed = followed
    var found = Found()
    func take(_ session: inout Session) {
      for event in session.events where event.lane == .iap2 {
        found.sentences.append(EventText.sentence(event, session))
      }
      for piece in session.pieces {
        found.data[Self.direction(piece.direction), default: []] += piece.bytes
      }
      session.dropEvents()
    }
    _ = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      for pdu in session.completed.all {
        let whole = Array(session.completed.bytes(of: pdu))
        let isInPacket = pdu.inner?.path.description == "iap2.csm"
        guard isInPacket || pdu.entry?.path.description == "iap2.csm" else { continue }
        let message = isInPacket ? Array(whole.dropFirst(9).dropLast()) : whole
        found.messages[Self.direction(record.direction), default: []].append(
          "\(Fingerprint(of: message))")
      }
      take(&session)
      return true
    }
    session.finish()
    for event in session.events where event.lane == .iap2 {
      found.sentences.append(EventText.sentence(event, session))
    }
    return (found, session.streams)
  }

  /// Every message, whole, in order and once.
  @Test(arguments: Sample.iap2) func messages(_ name: String) throws {
    let events = try #require(Sample.truth(name)["events"] as? [[String: Any]])
    let (found, _) = try read(name)
    for direction in ["DeviceToAccessory", "AccessoryToDevice"] {
      let wanted = events.filter {
        $0["kind"] as? String == "message" && $0["direction"] as? String == direction
      }
      #expect(!wanted.isEmpty)
      #expect(
        found.messages[direction]
          == wanted.map { String(($0["sha256"] as? String ?? "").prefix(8)) }
      )
    }
    let again = events.filter { $0["kind"] as? String == "retransmission" }
    #expect(
      found.sentences.filter { $0.hasSuffix("retransmitted") }
        == again.map { "packet \($0["sequence"] as? Int ?? -1) retransmitted" })
  }

  /// What an app and the accessory exchanged, without what was sent again.
  @Test(arguments: Sample.iap2) func data(_ name: String) throws {
    let events = try #require(Sample.truth(name)["events"] as? [[String: Any]])
    let (_, streams) = try read(name)
    let own = streams.filter { if case .externalAccessory = $0.kind { true } else { false } }
    let wanted = events.filter { $0["kind"] as? String == "data" }
    guard let stream = own.first else {
      #expect(wanted.isEmpty)
      return
    }
    #expect(own.count == 1)
    let (found, _) = try read(name, stream.id)
    for direction in ["DeviceToAccessory", "AccessoryToDevice"] {
      var rest = found.data[direction] ?? []
      for event in wanted where event["direction"] as? String == direction {
        let count = try #require(event["length"] as? Int)
        let part = Array(rest.prefix(count))
        rest.removeFirst(part.count)
        #expect("\(Fingerprint(of: part))" == String((event["sha256"] as? String ?? "").prefix(8)))
      }
      #expect(rest == [])
    }
  }

  @Test func sentencesOfFaults() throws {
    let rejected = try read("iap2-rejected").0.sentences
    #expect(
      rejected.last == """
        identification rejected because of SupportedExternalAccessoryProtocol \
        (com.acme.speaker.control, com.acme.speaker.firmware), SupportedLanguage
        """)
    let silent = try read("iap2-no-data").0.sentences
    #expect(
      silent.last == """
        External Accessory session 1 (com.acme.speaker.firmware) ended with its link without any \
        data in either direction; the accessory never accepted it
        """)
  }
}
