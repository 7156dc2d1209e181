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
}
