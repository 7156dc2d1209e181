import HarkCore
import Testing

@testable import HarkSession

/// A link that was open before the capture began has no address: the entry of the library that is left is
/// the one it is about. What attributes allow: Core Specification, Vol 3, Part G, 3.3.1.1.
@Suite struct EliminationTests {
  /// A battery level that notifies at 0x0010, and a vendor's value that is written at 0x0864.
  private static let watch = """
    {"name": "Watch", "characteristics": [
      {"declaration": 15, "handle": 16, "uuid": "2A19", "properties": ["read", "notify"]},
      {"declaration": "0x0863", "handle": "0x0864", "uuid": "5E6A0001-8C1D-4F7B-9A53-2F0D6C1B7E42",
       "properties": ["write", "notify"]}],
     "descriptors": [{"handle": "0x0865", "uuid": "2902"}]}
    """
  /// A keyboard: the same battery level elsewhere.
  private static let keyboard = """
    {"name": "Keyboard", "characteristics": [
      {"declaration": 15, "handle": 16, "uuid": "2A4D", "properties": ["read", "notify"]}]}
    """

  private static func library(_ databases: [String]) throws -> GATTLibrary {
    var library = GATTLibrary()
    for (index, text) in databases.enumerated() {
      for entry in try GATTLibrary.readJSON(Array(text.utf8), source: "\(index).json") {
        library.add(entry)
      }
    }
    return library
  }

  private static func notification(_ hex: String, link: UInt8 = 0x40) -> MadeRecord {
    MadeRecord.pdu(4, "1b \(hex)", received: true, link: link)
  }

  /// What is borrowed for each link in turn, and the kinds of events.
  private static func lenders(
    _ databases: [String], _ records: [MadeRecord]
  ) throws -> (matches: [GATTLibrary.Match?], kinds: [String]) {
    var session = Session(library: try library(databases))
    for record in records { record.index(in: &session) }
    var kinds: [String] = []
    session.takeEvents { kinds.append("\($0.content.described.kind.name)") }
    let links = session.links.map(\.id)
    var matches: [GATTLibrary.Match?] = []
    for link in links { matches.append(session.lender(of: .link(link))?.match) }
    return (matches, kinds.filter { $0.hasPrefix("gatt-") })
  }

  @Test func onlyEntry() throws {
    var session = Session(library: try Self.library([Self.watch]))
    Self.notification("10 00 64").index(in: &session)
    let link = LinkID(0)
    let found = session.database(for: .link(link))
    let database = try #require(found)
    #expect(database.type(of: 0x10) == BluetoothUUID(0x2A19 as UInt16))
    #expect(database.isBorrowed(0x0864))
    let lender = session.lender(of: .link(link))
    #expect(lender?.match == .onlyEntry)
    #expect(lender?.source == "0.json")
    // The first value is reported by its name already.
    let value = session.events.compactMap { event -> BluetoothUUID? in
      guard case .attribute(.value(let value)) = event.content else { return nil }
      return value.uuid
    }
    #expect(value == [BluetoothUUID(0x2A19 as UInt16)])
  }

  /// What the link shows and no server with these attributes does.
  @Test(arguments: [
    // A value of Battery Level has one octet.
    "1b 10 00 64 64",
    // The server does not indicate it.
    "1d 10 00 64",
    // There is no such attribute.
    "1b 11 00 64",
    // A descriptor sends nothing.
    "1b 65 08 01 00",
  ])
  func unfit(_ pdu: String) throws {
    let record = MadeRecord.pdu(4, pdu, received: true)
    let (matches, kinds) = try Self.lenders([Self.watch], [record, Self.notification("10 00 64")])
    #expect(matches == [nil])
    #expect(!kinds.contains("gatt-borrowed"))
  }

  /// Of several entries the one that fits, as soon as the others are ruled out.
  @Test func onlyFit() throws {
    let both = [Self.keyboard, Self.watch]
    #expect(try Self.lenders(both, [Self.notification("10 00 64")]).matches == [nil])
    let written = MadeRecord.pdu(4, "52 64 08 01 02", received: false)
    let found = try Self.lenders(both, [Self.notification("10 00 64"), written])
    #expect(found.matches == [.onlyFit])
    // Two files about one device are one entry.
    #expect(
      try Self.lenders([Self.watch, Self.watch], [Self.notification("10 00 64")]).matches
        == [.onlyFit])
  }

  /// A request shows enough to borrow by, as its value may be a key, and rules nothing out: it may be refused.
  @Test func requests() throws {
    let write = MadeRecord.pdu(4, "12 64 08 01", received: false)
    #expect(try Self.lenders([Self.watch], [write]).matches == [.onlyEntry])
    let unknown = MadeRecord.pdu(4, "12 66 08 01", received: false)
    #expect(try Self.lenders([Self.watch], [unknown]).matches == [nil])
    #expect(try Self.lenders([Self.watch], [unknown, write]).matches == [.onlyEntry])
    // The server took it, Vol 3, Part F, 3.4.5.2: it has that attribute.
    let taken = MadeRecord.pdu(4, "13", received: true)
    #expect(try Self.lenders([Self.watch], [unknown, taken, write]).matches == [nil])
  }

  @Test func contradicted() throws {
    let (matches, kinds) = try Self.lenders(
      [Self.watch], [Self.notification("10 00 64"), Self.notification("30 00 01")])
    #expect(matches == [nil])
    #expect(kinds.filter { $0 == "gatt-borrowed" }.count == 1)
    #expect(kinds.filter { $0 == "gatt-returned" }.count == 1)
  }

  /// One device has one link; once that turns out to be another's, the entry is free.
  @Test func twoLinks() throws {
    let records = [Self.notification("10 00 64"), Self.notification("10 00 63", link: 0x41)]
    #expect(try Self.lenders([Self.watch], records).matches == [.onlyEntry, nil])
    let contradiction = Self.notification("30 00 01")
    #expect(
      try Self.lenders([Self.watch], records + [contradiction]).matches == [nil, .onlyEntry])
  }

  /// What the phone itself serves says nothing of the peer's server.
  @Test func ownServer() throws {
    let own = MadeRecord.pdu(4, "1b 10 00 64", received: false)
    #expect(try Self.lenders([Self.watch], [own]).matches == [nil])
  }

  /// A link that begins in the capture has an address: the only entry need not be about it.
  @Test func wholeLink() throws {
    // HCI_LE_Connection_Complete, Vol 4, Part E, 7.7.65.1: handle 0x0040 to 06:05:04:03:02:01.
    let opened = MadeRecord.event(
      "3e 13 01 00 40 00 00 00 01 02 03 04 05 06 18 00 00 00 48 00 00")
    let (_, kinds) = try Self.lenders([Self.watch], [opened, Self.notification("10 00 64")])
    #expect(!kinds.contains("gatt-borrowed"))
  }
}
