import Foundation
import HarkCapture
import HarkCore
import HarkSamples
import Testing

@testable import HarkPresentation
@testable import HarkSession

/// What a session borrows where the capture began after discovery.
@Suite struct GATTLibraryTests {
  private static let samples = ["ams-session", "ancs-session", "pebble-session", "tutorial"]

  private static func library(_ entries: [GATTLibrary.Entry]) -> GATTLibrary {
    var library = GATTLibrary()
    for entry in entries { library.add(entry) }
    return library
  }

  /// The packets of a sample but those of `left`.
  private static func session(
    _ name: String, without left: Set<UInt32> = [], library: GATTLibrary = GATTLibrary(),
    _ each: (borrowing Session) -> Void = { _ in }
  ) throws -> Session {
    let capture = try Capture(path: Sample.path(name, Sample.firstFile(name)))
    var session = Session(library: library)
    _ = capture.forEachRecord { record, bytes in
      if !left.contains(record.number) { session.index(record, bytes) }
      each(session)
      session.dropEvents()
      return true
    }
    session.finish()
    each(session)
    return session
  }

  private static func proofs(_ database: GATTDatabase) -> Set<UInt32> {
    Set(
      database.services.values.map(\.frame.number)
        + database.characteristics.values.map(\.frame.number)
        + database.descriptors.values.map(\.frame.number))
  }

  /// A capture without its discovery, with the whole one as library, has the names of the whole one.
  @Test(arguments: samples) func withoutDiscovery(_ name: String) throws {
    let whole = try Self.session(name)
    let entries = GATTLibrary.entries(of: whole, source: "whole.pklg")
    let keys = GATTReport.keys(whole)
    let key = try #require(keys.first { if case .device = $0 { true } else { false } })
    let knownFound = whole.database(for: key)
    let known = try #require(knownFound)
    #expect(!known.characteristics.isEmpty)
    let left = Self.proofs(known)
    var kinds: [String] = []
    let late = try Self.session(name, without: left, library: Self.library(entries)) { session in
      kinds += session.events.map { "\($0.content.described.kind.name)" }
    }
    let bare = try Self.session(name, without: left)
    let lateKeys = GATTReport.keys(late)
    let lateKey = try #require(lateKeys.first)
    let lentFound = late.database(for: lateKey)
    let lent = try #require(lentFound)
    let match = late.lender(of: lateKey)?.match
    #expect(match == .address)
    #expect(kinds.contains("gatt-borrowed") && !kinds.contains("gatt-returned"))
    #expect(lent.hasSameAttributes(as: known))
    #expect(lent.characteristics.keys.allSatisfy { lent.isBorrowed($0) })
    for handle in known.uses.keys { #expect(lent.type(of: handle) == known.type(of: handle)) }
    let shown = bare.database(for: lateKey)?.characteristics
    #expect(shown?.isEmpty ?? true)
    var text = TextBuffer()
    GATTReport().write(late, to: &text)
    #expect(text.string.contains("from whole.pklg, matched by address"))
  }

  /// What discovery shows is not borrowed, and does not change.
  @Test(arguments: samples) func withDiscovery(_ name: String) throws {
    let whole = try Self.session(name)
    let again = try Self.session(
      name, library: Self.library(GATTLibrary.entries(of: whole, source: "whole.pklg")))
    let databases = whole.databases
    for (key, database) in databases {
      let sameFound = again.database(for: key)
      let same = try #require(sameFound)
      #expect(same.hasSameAttributes(as: database))
      #expect(Self.proofs(database).isSubset(of: Self.proofs(same)))
    }
  }

  /// A library that is about another state of the server is given back once discovery shows that.
  @Test func returned() throws {
    let whole = try Self.session("ams-session")
    var entries = GATTLibrary.entries(of: whole, source: "old.pklg")
    let one = try #require(
      entries[0].database.characteristics.values.first {
        $0.uuid != BluetoothUUID(0x2A19 as UInt16)
      })
    var changed = one
    changed.uuid = BluetoothUUID(0x2A19 as UInt16)
    #expect(one.uuid != changed.uuid)
    entries[0].database.add(changed)
    var kinds: [String] = []
    let session = try Self.session("ams-session", library: Self.library(entries)) { session in
      kinds += session.events.map { "\($0.content.described.kind.name)" }
    }
    #expect(kinds.contains("gatt-returned"))
    let keys = GATTReport.keys(session)
    let key = try #require(keys.first)
    let source = session.lender(of: key)?.source
    #expect(source == nil)
    let knownFound = whole.database(for: key)
    let known = try #require(knownFound)
    let databaseFound = session.database(for: key)
    let database = try #require(databaseFound)
    #expect(database.hasSameAttributes(as: known))
    #expect(!database.hasBorrowed)
  }

  /// Of two devices of one name that differ, it is not known which one it is.
  @Test func names() {
    var library = GATTLibrary()
    for (source, uuid) in [("a.json", 0x2A19 as UInt16), ("b.json", 0x2A37)] {
      var entry = GATTLibrary.Entry(source: source, name: "Watch")
      entry.database.add(
        GATTDatabase.Descriptor(handle: 9, uuid: BluetoothUUID(uuid), frame: .borrowed))
      var device = Device(
        id: DeviceID(0), address: BluetoothAddress(1), addresses: [], name: "Watch",
        firstSeen: PacketID(1))
      library.add(entry)
      let isSure = library.entries.count == 1
      #expect((library.lender(of: device, peer: nil)?.match == .name) == isSure)
      device.name = "Other"
      #expect(library.lender(of: device, peer: nil) == nil)
    }
  }

  @Test(arguments: samples) func saved(_ name: String) throws {
    let whole = try Self.session(name)
    var text = TextBuffer()
    let known = GATTLibraryJSON(whole)
    #expect(known.count > 0)
    known.write(to: &text)
    let read = try GATTLibrary.readJSON(text.bytes, source: "saved.json")
    let entries = GATTLibrary.entries(of: whole, source: "saved.json")
    #expect(read.count == entries.count)
    for (entry, original) in zip(read, entries) {
      #expect(entry.database.hasSameAttributes(as: original.database))
      #expect(entry.name == original.name)
      #expect(Set(original.addresses.map(\.value)).isSubset(of: entry.addresses.map(\.value)))
      for (handle, one) in original.database.characteristics {
        #expect(entry.database.characteristics[handle]?.properties == one.properties)
        #expect(entry.database.characteristics[handle]?.declaration == one.declaration)
      }
    }
  }

  @Test func map() throws {
    let text = """
      {"name": "Acme", "attributes": {"0x0864": "5E6A0001-8C1D-4F7B-9A53-2F0D6C1B7E42", "0x0865": "2902"}}
      """
    let entry = try #require(try GATTLibrary.readJSON(Array(text.utf8), source: "map").first)
    #expect(entry.name == "Acme")
    #expect(
      entry.database.type(of: 0x0864) == BluetoothUUID("5E6A0001-8C1D-4F7B-9A53-2F0D6C1B7E42"))
    #expect(entry.database.characteristic(owning: 0x0865)?.handle == 0x0864)
  }

  /// The example of BlueZ's documentation (settings-storage), and a Database Hash before its UUID.
  @Test func blueZ() throws {
    let text = """
      [General]
      Name=Heart
      [Attributes]
      0001=2800:0005:1801
      0002=2803:0003:20:2a05
      0004=2902
      0014=2800:001c:1800
      0015=2803:0016:02:2a00
      0028=2800:ffff:0000180d-0000-1000-8000-00805f9b34fb
      0029=2803:002a:10:00002a37-0000-1000-8000-00805f9b34fb
      """
    let path = "/var/lib/bluetooth/00:11:22:33:44:55/cache/C0:DE:00:00:00:01"
    let entry = try #require(GATTLibrary.readBlueZ(Array(text.utf8), path: path, source: "cache"))
    #expect(entry.name == "Heart")
    #expect(entry.addresses.map(\.description) == ["C0:DE:00:00:00:01"])
    #expect(entry.database.services.keys.sorted() == [0x01, 0x14, 0x28])
    #expect(entry.database.services[0x28]?.end == 0xFFFF)
    #expect(entry.database.type(of: 0x03) == BluetoothUUID(0x2A05 as UInt16))
    #expect(entry.database.characteristics[0x03]?.properties == 0x20)
    #expect(entry.database.type(of: 0x04) == BluetoothUUID(0x2902 as UInt16))
    #expect(entry.database.type(of: 0x2A) == BluetoothUUID(0x2A37 as UInt16))
    let folder = GATTLibrary.readBlueZ(
      Array(text.utf8), path: "C0:DE:00:00:00:01/attributes", source: "attributes")
    #expect(folder?.addresses.map(\.description) == ["C0:DE:00:00:00:01"])
    #expect(
      GATTLibrary.readBlueZ(Array("[General]\nName=Heart".utf8), path: path, source: "") == nil)
  }

  /// The sample of BlueZ's doc/settings-storage.txt, with services as store_primaries_from_sdp_record in src/device.c
  /// writes them: decimal handles, and the UUID with its most significant octet first.
  @Test func attributesOfBlueZ() throws {
    let text = """
      [1]
      UUID=00002800-0000-1000-8000-00805f9b34fb
      Value=1800
      EndGroupHandle=9

      [4]
      UUID=00002803-0000-1000-8000-00805f9b34fb
      Value=020600002A

      [6]
      UUID=00002a00-0000-1000-8000-00805f9b34fb
      Value=4578616D706C6520446576696365

      [7]
      UUID=00002902-0000-1000-8000-00805f9b34fb

      [10]
      UUID=00002800-0000-1000-8000-00805f9b34fb
      Value=7905F431B5CE4E99A40F4B1E122D00D0

      [12]
      UUID=00002803-0000-1000-8000-00805f9b34fb
      Value=100500
      """
    let entry = try #require(
      GATTLibrary.readBlueZ(
        Array(text.utf8), path: "C0:DE:00:00:00:01/attributes", source: "attributes"))
    #expect(entry.database.services.keys.sorted() == [1, 10])
    #expect(entry.database.services[1]?.end == 9)
    #expect(entry.database.services[1]?.uuid == BluetoothUUID(0x1800 as UInt16))
    #expect(entry.database.services[10]?.end == 0xFFFF)
    #expect(
      entry.database.services[10]?.uuid == BluetoothUUID("7905F431-B5CE-4E99-A40F-4B1E122D00D0"))
    #expect(entry.database.characteristics.keys.sorted() == [6])
    #expect(entry.database.characteristics[6]?.properties == 2)
    #expect(entry.database.type(of: 6) == BluetoothUUID(0x2A00 as UInt16))
    #expect(entry.database.type(of: 7) == BluetoothUUID(0x2902 as UInt16))
  }

  @Test func namesOfUUIDs() throws {
    let text =
      #"{"names": {"ffe1": "Serial Data", "3D9C0002-7A54-4E0B-8E21-6F0A5B4C9D12": "Lens – État"}}"#
    let bytes = Array(text.utf8)
    #expect(try GATTLibrary.readJSON(bytes, source: "names.json").isEmpty)
    #expect(
      try GATTLibrary.readNames(bytes) == [
        BluetoothUUID(0xFFE1 as UInt16): "Serial Data",
        try #require(BluetoothUUID("3D9C0002-7A54-4E0B-8E21-6F0A5B4C9D12")): "Lens – État",
      ])
    #expect(try GATTLibrary.readNames(Array(#"{"attributes": {}}"#.utf8)).isEmpty)
  }

  @Test(arguments: [
    ("{", "valid JSON"), ("{}", "neither"), (#"{"version": 2, "databases": []}"#, "version"),
    (#"{"attributes": {"0": "2902"}}"#, "handle"), (#"{"attributes": {"0x12": "x"}}"#, "UUID"),
    (#"{"databases": [{"services": [{"start": 5, "end": 2}]}]}"#, "ends after"),
    (#"{"databases": [{"characteristics": [{"handle": 70000}]}]}"#, "0xFFFF"),
    (#"{"databases": [{"database_hash": "00"}]}"#, "32"),
    (#"{"names": {"Acme": "State"}}"#, "a UUID"),
    (#"{"names": {"0x2A19": "State"}}"#, "Battery Level"),
    (#"{"names": {"0xFFE1": ""}}"#, "1 to 100"), (#"{"names": {"0xFFE1": "a\u202Eb"}}"#, "control"),
    (#"{"names": ["0xFFE1"]}"#, "an object"),
  ])
  func faulty(_ text: String, _ words: String) {
    let error = #expect(throws: GATTLibraryError.self) {
      try GATTLibrary.readJSON(Array(text.utf8), source: "faulty.json")
    }
    #expect(error?.description.contains(words) == true)
  }
}
