import HarkCore
import Testing

@testable import HarkSession

/// A library entry is found by the Database Hash alone. Core Specification, Vol 3, Part G, 7.3.
@Suite struct BorrowingTests {
  private static let hash = "f1ca2d48ecf58bac8a8830bbb9fbe990"

  private static func library(hash: String) throws -> GATTLibrary {
    let text = """
      {"databases": [{"database_hash": "\(hash)", "attributes": {"0x0010": "2A19"}}]}
      """
    var library = GATTLibrary()
    for entry in try GATTLibrary.readJSON(Array(text.utf8), source: "known.json") {
      library.add(entry)
    }
    return library
  }

  /// Read By Type of the Database Hash, and its answer. Vol 3, Part F, 3.4.4.1
  private static let read = [
    MadeRecord.pdu(4, "08 01 00 ff ff 2a 2b", received: false),
    MadeRecord.pdu(4, "09 12 0a 00 \(hash)", received: true),
    MadeRecord.pdu(4, "1b 10 00 64", received: true),
  ]

  private static func type(with library: GATTLibrary) -> BluetoothUUID? {
    var session = Session(library: library)
    for record in read { record.index(in: &session) }
    return session.databases.values.first?.type(of: 0x10)
  }

  @Test func byHash() throws {
    #expect(Self.type(with: GATTLibrary()) == nil)
    #expect(Self.type(with: try Self.library(hash: Self.hash)) == BluetoothUUID(0x2A19 as UInt16))
    let other = String(repeating: "00", count: 16)
    #expect(Self.type(with: try Self.library(hash: other)) == nil)
  }

  /// Four entries, each of which knows the server in another way: the surest one is used, whichever was given last.
  @Test(arguments: 0..<4) func order(_ left: Int) throws {
    let entries = [
      #"{"database_hash": "\#(Self.hash)", "attributes": {"0x0010": "2A19"}}"#,
      #"{"address": "C2:00:00:00:00:01", "attributes": {"0x0010": "2A37"}}"#,
      #"{"address": "C0:00:00:00:00:02", "attributes": {"0x0010": "2A6E"}}"#,
      #"{"name": "Watch", "attributes": {"0x0010": "2A6F"}}"#,
    ]
    let known = Array(entries[left...])
    for given in [known, known.reversed()] {
      var library = GATTLibrary()
      for (number, text) in given.enumerated() {
        for entry in try GATTLibrary.readJSON(Array(text.utf8), source: "\(number).json") {
          library.add(entry)
        }
      }
      let device = Device(
        id: DeviceID(0), address: try #require(BluetoothAddress("C0:00:00:00:00:02")),
        addresses: [], name: "Watch", firstSeen: PacketID(1))
      let peer = try #require(BluetoothAddress("C2:00:00:00:00:01"))
      let hash = (0..<16).map { UInt8(Self.hash.dropFirst(2 * $0).prefix(2), radix: 16) ?? 0 }
      let lender = try #require(
        library.lender(hash: hash) ?? library.lender(of: device, peer: peer))
      let expected: [GATTLibrary.Match] = [.databaseHash, .address, .identity, .name]
      #expect(lender.match == expected[left])
      let types: [UInt16] = [0x2A19, 0x2A37, 0x2A6E, 0x2A6F]
      #expect(
        library.entries[lender.entry].database.type(of: 0x10) == BluetoothUUID(types[left]))
    }
  }

  /// On a link with an address, the hash that the client reads outweighs the address.
  @Test func hashOutweighsAddress() throws {
    var library = try Self.library(hash: Self.hash)
    let text = #"{"address": "C0:DE:00:00:00:02", "attributes": {"0x0010": "2A37"}}"#
    for entry in try GATTLibrary.readJSON(Array(text.utf8), source: "address.json") {
      library.add(entry)
    }
    var session = Session(library: library)
    IdentityTests.connected("00", "02 00 00 00 de c0").index(in: &session)
    func type() -> BluetoothUUID? { session.databases.values.first?.type(of: 0x10) }
    #expect(type() == BluetoothUUID(0x2A37 as UInt16))
    for record in Self.read { record.index(in: &session) }
    #expect(type() == BluetoothUUID(0x2A19 as UInt16))
  }
}
