import Foundation
import HarkCapture
import HarkCore
import HarkCrypto
import HarkDissection
import Testing

@testable import HarkSession

/// Connections heard on the air: the sample, which air.py made of pebble-session, and real ones.
@Suite struct AirTests {
  static let folder = Samples.root + "/captures/pebble-air/"
  static let files = ["pebble-air.pcap", "pebble-air.pcapng"]

  struct Heard {
    var directions = ""
    var frames: [String] = []
    var events: [Event.Content] = []
    var counts = Session.Counts()
    var links: [Link] = []
  }

  static func keys(_ names: [String]) throws -> KeyRing {
    KeyRing(try names.map { try KeyFile(path: folder + $0) })
  }

  /// Indexes a capture. `frames` are the L2CAP frames that were put together or decrypted, or stand
  /// in a PDU as a whole.
  static func hear(_ path: String, keys: KeyRing = KeyRing()) throws -> Heard {
    let capture = try Capture(path: path)
    var session = Session(keys: keys, framings: .known)
    session.keepsFields = true
    var heard = Heard()
    let l2cap = try #require(Catalog.shared.fields(at: "l2cap.length").first)
    var tree = Tree()
    _ = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      heard.events += session.events.map(\.content)
      session.dropEvents()
      guard let row = session.packets[UInt32(session.packets.count)] else { return false }
      heard.directions +=
        row.flags.contains(.directionUnknown) ? " " : row.direction == .hostToController ? ">" : "<"
      for pdu in session.completed.all where pdu.entry?.path.description == "l2cap" {
        heard.frames.append(Hex.text(Array(session.completed.bytes(of: pdu))))
      }
      session.takeFields(bytes, row, into: &tree)
      if session.tables.record.linkLayer.isRetransmission { return true }
      if let node = tree.nodes.first(where: { $0.field == l2cap }) {
        let end = Int(node.offset) + 4 + Int(node.value)
        heard.frames.append(Hex.text(bytes.array(Int(node.offset)..<end)))
      }
      return true
    }
    session.finish()
    heard.events += session.events.map(\.content)
    heard.counts = session.counts
    heard.links = session.links
    return heard
  }

  static func truth() throws -> [String: Any] { try Samples.truth(beside: folder + files[0]) }

  // MARK: The sample

  /// One file gives directions, in the other they are inferred.
  @Test(arguments: files) func directions(_ file: String) throws {
    let heard = try Self.hear(Self.folder + file)
    #expect(heard.directions == (try Self.truth()["directions"] as? String))
  }

  @Test(arguments: files) func connection(_ file: String) throws {
    let heard = try Self.hear(Self.folder + file)
    let link = try #require(heard.links.first)
    #expect(heard.links.count == 1)
    #expect(link.certainty == .seen)
    // CONNECT_IND is one of them.
    #expect(link.packets - 1 == (try Self.truth()["connectionPackets"] as? Int))
    #expect(link.air?.accessAddress == 0x50A7_C3E9)
    #expect(link.air?.central?.description == "5E:71:01:D0:A9:01")
    #expect(link.peer?.description == "E2:4F:2A:22:22:22")
    #expect(link.interval == 15_000_000)
    #expect(link.air?.channelMap == 0x1F_FFFF_FFFF)
    #expect(link.air?.hop == 9)
    #expect(heard.counts.air.wrongCRCs == (try Self.truth()["wrongCRC"] as? [Int])?.count)
    #expect(
      heard.counts.air.retransmissions == (try Self.truth()["retransmissions"] as? Int))
    #expect(heard.counts.air.missing == 0)
    let channels = heard.counts.air.channels.indices.filter { heard.counts.air.channels[$0] > 0 }
    #expect(channels == (try Self.truth()["channels"] as? [Int]))
    #expect(heard.counts.malformed == 0)
  }

  /// With the LTK, all that the two said comes back; each frame once.
  @Test(arguments: files) func decrypted(_ file: String) throws {
    let heard = try Self.hear(Self.folder + file, keys: try Self.keys(["link.harkkeys"]))
    let expected = try #require(try Self.truth()["l2capFrames"] as? [String])
    #expect(heard.frames == expected)
    #expect(heard.counts.air.encrypted == heard.counts.air.opened)
    #expect(heard.counts.air.encrypted > 50)
    #expect(heard.links.first?.reason == 0x13)
    #expect(heard.events.contains { if case .linkLayer(.opened) = $0 { true } else { false } })
  }

  @Test(arguments: files) func locked(_ file: String) throws {
    let heard = try Self.hear(Self.folder + file)
    #expect(heard.counts.air.opened == 0)
    let locks = heard.events.compactMap { event -> LinkLayerEvent.Lock? in
      if case .linkLayer(.locked(let locked)) = event { locked.lock } else { nil }
    }
    #expect(locks == [.secureConnections])
  }

  // MARK: Real captures

  static func corpus(_ end: String) -> String? {
    Samples.manifest.first { $0.file.hasSuffix(end) }?.path
  }

  /// Without the header that says who sent a packet, the same is found.
  @Test(.enabled(if: corpus("dlt251_whad_pairing.pcap") != nil, "no corpus of real captures here"))
  func inferredDirections() throws {
    let reported = try Self.hear(
      try #require(Self.corpus("@ebda323332/ressources/pcaps/pairing.pcap"))
    ).directions
    let inferred = try Self.hear(try #require(Self.corpus("dlt251_whad_pairing.pcap"))).directions
    #expect(reported.count == inferred.count)
    // The header names the wrong sender of packet 13, for example: the packet begins T_IFS after one of the Peripheral,
    // with the Central's sequence numbers (4.5.9).
    let different = zip(reported, inferred).enumerated().filter { $1.0 != $1.1 }.map {
      $0.offset + 1
    }
    #expect(different == [])
  }

  /// crackle's tests give the LTK, and what another program decrypted with it.
  @Test(.enabled(if: corpus("known_ltk.pcap") != nil, "no corpus of real captures here"))
  func decryptedAsCrackleDoes() throws {
    let keys = KeyRing([
      try KeyFile(
        Array(
          """
          {"format": "hark-keys", "version": 1, "longTermKeys":
            [{"key": "7f62c053f104a5bbe68b1d896a2ed49c"}]}
          """.utf8), name: "crackle")
    ])
    let ours = try Self.hear(try #require(Self.corpus("02_ltk_decrypt/known_ltk.pcap")), keys: keys)
    #expect(ours.counts.air.opened > 0)
    #expect(ours.counts.air.opened == ours.counts.air.encrypted)
    // crackle writes plaintexts in place of what was sent, and leaves MIC and CRC as they were.
    let output = try Capture(
      path: try #require(Self.corpus("02_ltk_decrypt/out/expected_output.pcap")))
    var records: [String] = []
    _ = output.forEachRecord { _, bytes in
      records.append(Hex.text(bytes.array))
      return true
    }
    #expect(ours.frames.count == 5)
    for frame in ours.frames { #expect(records.contains { $0.contains(frame) }) }
  }

  /// A legacy pairing without a passkey gives its key away.
  @Test(
    .enabled(if: corpus("pairing_and_ltk_exchange.pcap") != nil, "no corpus of real captures here"))
  func justWorks() throws {
    let heard = try Self.hear(try #require(Self.corpus("pairing_and_ltk_exchange.pcap")))
    #expect(heard.counts.air.opened > 0)
  }
}
