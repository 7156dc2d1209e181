import HarkCapture
import HarkCore
import HarkCrypto
import HarkProfile
import HarkSelection
import HarkSession
import Testing

/// Resolvable private addresses in packets, with the identity that an IRK gives them.
@Suite struct ResolvedAddressTests {
  /// Core Specification, Vol 3, Part H, D.7: IRK ec0234a357c8ad05341010a60a397d9b and prand 0x708194 give the
  /// hash 0x0dfbaa. In the report its octets are reversed.
  private static let resolvable = "3e 0c 02 01 00 01 aa fb 0d 94 81 70 00 c8"
  /// With another hash.
  private static let other = "3e 0c 02 01 00 01 ab fb 0d 94 81 70 00 c8"

  private func keys(of address: BluetoothAddress?) throws -> KeyRing {
    var octets = Array(try #require(Hex.bytes("ec0234a357c8ad05341010a60a397d9b")).reversed())
    let irk = try BondingKey(
      .identityResolvingKey, &octets, address: address, origin: .file("lab.harkkeys"))
    var ring = KeyRing()
    ring.add(irk)
    return ring
  }

  private func trees(_ reports: [String], _ keys: KeyRing) throws -> [[String]] {
    var session = Session(keys: keys, framings: .known)
    session.keepsFields = true
    var reading = PacketReading()
    return try reports.map { report in
      let bytes = try #require(Hex.bytes(report))
      var record = CaptureRecord()
      (record.kind, record.direction) = (.event, .controllerToHost)
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      session.index(record, bytes.raw)
      reading.read(record, bytes.raw, &session)
      return session.catalog.lines(reading.tree, of: bytes.raw)
        .map { $0.trimmingPrefix(while: { $0 == " " }).description }
    }
  }

  @Test func identity() throws {
    let identity = try #require(BluetoothAddress("E2:4F:2A:22:22:22"))
    let reports = [Self.resolvable, Self.other, Self.resolvable]
    let found = try trees(reports, try keys(of: identity))
    let line = "Identity Address: E2:4F:2A:22:22:22 [inferred]"
    for tree in [found[0], found[2]] {
      let place = try #require(tree.firstIndex(of: "BD_ADDR: 70:81:94:0D:FB:AA"))
      #expect(tree[place + 1] == line)
      #expect(tree.last == "RSSI: -56 dBm")
    }
    #expect(!found[1].contains(line))
    // Nothing else is added.
    let without = try trees(reports, KeyRing())
    #expect(found.map { $0.filter { $0 != line } } == without)
    // An IRK alone gives no identity: its fingerprint shows which addresses belong together.
    let key = try keys(of: nil)
    let fingerprint = try #require(key.bondingKeys.first?.fingerprint)
    let made = "IRK Fingerprint: 0x\(fingerprint) [inferred]"
    let marked = try trees(reports, key)
    #expect(marked.map { $0.contains(made) } == [true, false, true], "\(marked)")
    #expect(marked.map { $0.filter { $0 != made } } == without)
  }
}
