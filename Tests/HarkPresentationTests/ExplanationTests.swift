import Foundation
import HarkCapture
import HarkCore
import HarkCrypto
import HarkProfile
import HarkTestSupport
import Testing

@testable import HarkPresentation
@testable import HarkSession

/// `hark explain` of private addresses and of encrypted advertising.
@Suite struct ExplanationTests {
  /// Keys of a public example; the block and the address were computed by Python's cryptography.
  private static let keys = """
    {"format": "hark-keys", "version": 1, "proximityKeys": [{"address": "C0:DE:00:00:00:01",
    "encryptionKey": "1bdd73d2be019b9855cc5b367bf99d5d",
    "identityResolvingKey": "64dd9ce7bcb5b50a9a334542cbaf1902"}]}
    """
  private static func report(_ address: String) -> String {
    "3e 2b 02 01 00 01 \(address) 1f 1e ff 4c 00 07 19 01 0e 20 2b 99 8f 11 00 00"
      + " 72 c2 1c 93 85 6e 33 ba 4c c8 3b a5 f4 47 da e7 c4"
  }
  /// 4A:11:22:D7:1D:CB, which that IRK made, and 4A:11:22:D7:1D:CC, which it did not.
  private static let (own, other) = ("cb 1d d7 22 11 4a", "cc 1d d7 22 11 4a")
  /// LE Connection Complete with a random address. Vol 4, Part E, 7.7.65.1
  private static func connected(_ address: String) -> String {
    "3e 13 01 00 40 00 00 01 \(address) 18 00 00 00 48 00 00"
  }

  private struct Explained: Decodable {
    struct Item: Decodable, Equatable {
      let layer, reason: String
      let opened: Bool
      let firstFrame: Int
      let addresses: Int?
      let tried, remedies: [String]
    }
    let encrypted: [Item]
  }

  private func explained(
    _ records: [String], packet: PacketID? = nil, _ keys: KeyRing = KeyRing()
  ) throws -> [Explained.Item] {
    var session = Session(keys: keys, framings: .known)
    var explanation = Explanation(packet: packet)
    for hex in records {
      let bytes = try #require(Hex.bytes(hex))
      var record = CaptureRecord()
      (record.kind, record.direction) = (.event, .controllerToHost)
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      session.index(record, bytes.raw)
      explanation.take(session)
      session.dropEvents()
    }
    session.finish()
    explanation.take(session)
    var out = TextBuffer()
    explanation.writeJSON(session, to: &out)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Explained.self, from: Data(out.bytes)).encrypted
  }

  @Test func withoutKeys() throws {
    let items = try explained([
      Self.connected(Self.own), Self.report(Self.own), Self.report(Self.own),
    ])
    #expect(items.map(\.layer) == ["advertising", "address"])
    #expect(items.map(\.reason) == ["irk-and-proximity-key", "irk"])
    #expect(items.map(\.firstFrame) == [2, 1])
    #expect(items[1].tried == ["no IRK: none was given, and the capture has none"])
    #expect(items[1].remedies.contains { $0.contains("--irk KEY@") })
    #expect(items[0].remedies.contains { $0.contains("Proximity Keys Request") })
  }

  /// The IRK names the device, and its key opens what it advertises.
  @Test func withKeys() throws {
    let ring = KeyRing([try KeyFile(Array(Self.keys.utf8), name: "lab.harkkeys")])
    let records = [Self.connected(Self.own), Self.report(Self.own)]
    let items = try explained(records, ring)
    #expect(items.map(\.layer) == ["advertising"])
    #expect(items.map(\.opened) == [true])
    // Of another's address, neither fits.
    let others = try explained([Self.connected(Self.other), Self.report(Self.other)], ring)
    #expect(others.map(\.reason) == ["irk-and-proximity-key", "irk"])
    #expect(others[0].tried[0].hasPrefix("1 IRK, but no match: "))
  }

  /// What only advertises is counted, and a packet shows what is its own.
  @Test func advertisersAndOnePacket() throws {
    let third = "cd 1d d7 22 11 4a"
    let records = [Self.report(Self.other), Self.report(third), Self.connected(Self.own)]
    let all = try explained(records)
    #expect(all.filter { $0.layer == "address" }.map(\.addresses) == [1, 2])
    #expect(try explained(records, packet: PacketID(2)).map(\.layer) == ["advertising"])
    #expect(try explained(records, packet: PacketID(3)).map(\.layer) == ["address"])
  }

  // MARK: Links

  /// The sample of a connection that was recorded over the air.
  /// - Parameter budget: What the search in large key rings may cost; one LTK costs 3 blocks for LL_START_ENC_RSP of an
  ///   unknown sender: the session key, and a block of each side's key stream.
  private func tried(_ keys: KeyRing, budget: Int) throws -> Explained.Item {
    var session = Session(keys: keys, framings: .known)
    session.air.ringSearchBudget = budget
    var explanation = Explanation()
    _ = try Capture(path: Project.capture("pebble-air/pebble-air.pcap")).forEachRecord {
      session.index($0, $1)
      explanation.take(session)
      session.dropEvents()
      return true
    }
    var out = TextBuffer()
    explanation.writeJSON(session, to: &out)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let items = try decoder.decode(Explained.self, from: Data(out.bytes)).encrypted
    return try #require(items.first { $0.layer == "link" })
  }

  private static func ring(_ count: Int, of address: BluetoothAddress? = nil) throws -> KeyRing {
    var ring = KeyRing()
    for number in 0..<count {
      var octets = [UInt8(number >> 8), UInt8(number & 0xFF)] + [UInt8](repeating: 0x5A, count: 14)
      ring.add(
        try BondingKey(.longTermKey, &octets, address: address, origin: .file("many.harkkeys")))
    }
    return ring
  }

  /// Only what was tried is called tried.
  @Test func triedLTKs() throws {
    let few = try tried(Self.ring(3), budget: 0)
    #expect(few.tried.count == 1)
    #expect(few.tried[0].hasPrefix("3 LTKs, but the message integrity check fails with each: "))
    let all = try tried(Self.ring(300), budget: 1 << 20)
    #expect(all.tried.count == 1 && all.tried[0].hasPrefix("300 LTKs, but "))
    let some = try tried(Self.ring(300), budget: 3 * 100)
    #expect(some.tried.count == 2)
    #expect(some.tried[0].hasPrefix("100 of 300 LTKs, but "))
    #expect(some.tried[1].hasPrefix("200 LTKs not tried: "))
    #expect(some.remedies[0].hasPrefix("give fewer LTKs"))
    let none = try tried(Self.ring(300), budget: 0)
    #expect(none.tried.count == 1 && none.tried[0].hasPrefix("300 LTKs not tried: "))
    // Those of the link's device come first. Key files do not contain the kind of an address.
    let device = BluetoothAddress(0xE24F_2A22_2222)
    let own = try tried(Self.ring(300, of: device), budget: 0)
    #expect(own.tried[0].hasPrefix("256 of 300 LTKs, but "))
  }
}
