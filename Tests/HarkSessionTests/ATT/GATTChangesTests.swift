import HarkCore
import HarkDissection
import HarkSamples
import Testing

@testable import HarkSession

/// Servers whose attributes change. Core Specification, Vol 3, Part G, 2.5.2, 4.4.1, 7.1.
struct GATTChangesTests {
  private static let connection = "043e13010040000001222222 2a4fe2180000004800 00"

  /// ATT PDUs on one link: `>` from the client, `<` from the server; `link` opens it anew.
  private static func packets(_ pdus: [String], host: String = "<") -> [String] {
    pdus.map { pdu in
      if pdu == "link" { return connection.filter { $0 != " " } }
      if pdu == "end" { return "0405040040 0013".filter { $0 != " " } }
      let bytes = Hex.bytes(String(pdu.dropFirst())) ?? []
      let isReceived = pdu.hasPrefix(host)
      let head: [UInt8] = [
        2, 0x40, isReceived ? 0x20 : 0, UInt8(bytes.count + 4), 0, UInt8(bytes.count), 0, 4, 0,
      ]
      return (isReceived ? "" : ">") + Hex.text(head + bytes)
    }
  }

  private static func made(_ pdus: [String]) -> (database: GATTDatabase?, made: HCIPackets) {
    let made = HCIPackets(packets(pdus))
    return (made.databases.first { $0.key.isPeer }?.value, made)
  }

  /// Device Information at 1–3, Battery at 4–7 with its level at 6 and the configuration at 7.
  private static let first = [
    "link",
    ">100100ffff0028", "<1106" + "010003000a18" + "040007000f18", ">100800ffff0028", "<011008000a",
    ">08010003000328", "<0907" + "0200020300" + "262a", ">08040007000328",
    "<0907" + "0500120600" + "192a", ">0407000700", "<0501" + "07000229",
    ">1207000100", "<13", "<1b060050", ">0a0300", "<0b312e30",
  ]

  private static func discoveries(_ made: HCIPackets) -> [String] {
    made.reported.map(\.text).filter { $0.hasPrefix("discovered") }
  }

  @Test func completeDiscoveryReplaces() throws {
    let (database, made) = Self.made(
      Self.first + [
        "end", "link", ">100100ffff0028", "<1106" + "010003000a18", ">100400ffff0028",
        "<011004000a", ">08010003000328", "<0907" + "0200020300" + "262a", ">0a0300", "<0b322e30",
        ">0a0600", "<010a060001",
      ])
    let server = try #require(database)
    #expect(server.services.keys.sorted() == [1])
    #expect(server.characteristics.keys.sorted() == [3])
    #expect(server.descriptors.isEmpty)
    // The same attribute keeps its values.
    #expect(server.uses[3]?.reads == 2)
    #expect(server.uses[6] == nil && server.uses[7] == nil)
    #expect(
      Self.discoveries(made) == [
        "discovered: 2 services, 2 characteristics, 1 descriptor",
        "discovered: 1 service, 1 characteristic",
      ])
    #expect(made.reported.map(\.text).contains { $0.contains("of attribute 0x0006 refused") })
  }

  /// A search of some handles shows nothing of the others.
  @Test func partialDiscoveryKeeps() throws {
    let (database, _) = Self.made(
      Self.first + ["end", "link", ">100100ffff0028", "<1106" + "010003000a18", ">0a0300", "<0b31"])
    #expect(try #require(database).services.keys.sorted() == [1, 4])
    let (other, _) = Self.made(
      Self.first + ["end", "link", ">0601000300" + "0028" + "0f18", "<010601000a"])
    #expect(try #require(other).services.keys.sorted() == [1, 4])
    // Battery is not there any more.
    let (third, _) = Self.made(
      Self.first + ["end", "link", ">060100ffff" + "0028" + "0f18", "<010601000a"])
    #expect(try #require(third).services.keys.sorted() == [1])
    #expect(try #require(third).characteristics.keys.sorted() == [3])
  }

  /// Other services in the same handles: their attributes, values and counts are new.
  @Test func otherServices() throws {
    let (database, made) = Self.made(
      Self.first + [
        "end", "link", ">100100ffff0028", "<1106" + "010004000a18" + "050009000d18",
        ">100a00ffff0028", "<01100a000a", ">08050009000328", "<0907" + "0600100700" + "372a",
        "<1b07000048", ">0a0300", "<0b32",
      ])
    let server = try #require(database)
    #expect(server.services.keys.sorted() == [1, 5])
    #expect(server.services[1]?.end == 4)
    #expect(server.characteristics.keys.sorted() == [3, 7])
    #expect(server.descriptors.isEmpty)
    #expect(server.uses[6] == nil)
    #expect(server.uses[7]?.notifications == 1 && server.uses[7]?.writes == 0)
    #expect(made.reported.map(\.text).contains("notification of Heart Rate Measurement: 72 /min"))
  }

  /// The characteristics of a service change: one that is listed no more is gone, with its descriptor.
  @Test func otherCharacteristics() throws {
    let (database, _) = Self.made(
      Self.first + ["end", "link", ">08040007000328", "<010804000a", ">0a0300", "<0b31"])
    let server = try #require(database)
    #expect(server.characteristics.keys.sorted() == [3] && server.descriptors.isEmpty)
    #expect(server.services.keys.sorted() == [1, 4])
    let (other, _) = Self.made(
      Self.first + ["end", "link", ">08040007000328", "<0907" + "0500020600" + "292a"])
    #expect(try #require(other).type(of: 6) == BluetoothUUID(UInt16(0x2A29)))
    #expect(try #require(other).uses[6] == nil)
    #expect(try #require(other).descriptors.isEmpty)
  }

  /// Service Changed at 0x0003: what was used before without a known type need not be what is discovered later.
  @Test func serviceChanged() throws {
    let known = [
      "link", ">08010003000328", "<0907" + "0200200300" + "052a", "<1b12000048",
      "<1d0300" + "1000ffff", ">1e",
    ]
    let (before, _) = Self.made(known)
    #expect(try #require(before).uses[0x12]?.notifications == 1)
    let (after, _) = Self.made(known + [">081000ffff0328", "<0907" + "1100121200" + "192a"])
    #expect(try #require(after).uses[0x12] == nil)
    // Not in the range.
    let (other, _) = Self.made(
      known.map { $0 == "<1d03001000ffff" ? "<1d0300" + "2000ffff" : $0 } + [
        ">081000ffff0328", "<0907" + "1100121200" + "192a",
      ])
    #expect(try #require(other).uses[0x12]?.notifications == 1)
    #expect(try #require(before).isInvalidated(0x12, discovered: PacketID(1)))
    #expect(!(try #require(before).isInvalidated(0x0F, discovered: PacketID(1))))
    #expect(!(try #require(before).isInvalidated(0x12, discovered: PacketID(8))))
  }

  /// A host shows some of its services to some devices only.
  @Test func hostServices() throws {
    let pdus = [
      "link", ">100100ffff0028", "<1106" + "010003000a18" + "040007000f18", ">100800ffff0028",
      "<011008000a", "end", "link", ">100100ffff0028", "<1106" + "010003000a18", ">100400ffff0028",
      "<011004000a",
    ]
    let made = HCIPackets(Self.packets(pdus, host: ">"))
    let server = try #require(made.databases.first { !$0.key.isPeer }?.value)
    #expect(server.services.keys.sorted() == [1, 4])
  }

  @Test func handles() {
    var set = HandleSet()
    for handle: UInt16 in [1, 63, 64, 700, .max] { set.insert(handle) }
    #expect(set.handles(in: 0...(.max)) == [1, 63, 64, 700, .max])
    #expect(set.handles(in: 2...64) == [63, 64])
    #expect(set.handles(in: 65...699) == [])
    #expect(set.last(through: 699) == 64)
    #expect(set.last(through: 63) == 63)
    #expect(set.last(through: 62) == 1)
    #expect(set.last(through: 0) == nil)
    #expect(set.last(through: .max) == .max)
    set.remove(64)
    #expect(set.last(through: 699) == 63)
    #expect(HandleSet().last(through: 5) == nil && HandleSet().handles(in: 0...5) == [])
    #expect(HandleSet().isSubset(of: set) && !set.isSubset(of: HandleSet()))
  }
}
