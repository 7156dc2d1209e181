import HarkCore
import Testing

@testable import HarkDissection

/// Identities beside the resolvable private addresses in trees. The address is the one of the sample data: Core
/// Specification, Vol 3, Part H, D.7, prand 708194 and hash 0DFBAA.
@Suite struct PrivateAddressTests {
  private static let address = BluetoothAddress(0x7081_940D_FBAA, .random)
  private static let identity = BluetoothAddress(0xC0DE_0000_0001, .random)
  /// As they are sent.
  private static let sent: [UInt8] = [0xAA, 0xFB, 0x0D, 0x94, 0x81, 0x70]
  private static let other: [UInt8] = [0x02, 0, 0, 0, 0xDE, 0xC0]

  /// The names of the fields of addresses in the tree, and the identities beside them.
  private static func lines(_ bytes: [UInt8], _ kind: PacketKind) -> [String] {
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .record(kind), Context(), into: &tree)
    let before = Catalog.shared.lines(tree, of: bytes.raw)
    PrivateAddresses(.shared).resolve(in: &tree) { $0 == address ? identity : nil }
    let lines = Catalog.shared.lines(tree, of: bytes.raw)
    // Nothing else moves.
    #expect(lines.filter { !$0.contains("Identity Address") } == before)
    return zip(lines, lines.dropFirst()).filter {
      $0.1.contains("Identity Address: C0:DE:00:00:00:01 [inferred]")
    }
    .map { String($0.0.drop { $0 == " " }.prefix { $0 != ":" }) }
  }

  private static func event(_ subevent: UInt8, _ parameters: [UInt8]) -> [UInt8] {
    [0x3E, UInt8(parameters.count + 1), subevent] + parameters
  }

  /// Vol 4, Part E, 7.7.65.2, 7.7.65.11, 7.7.65.13, 7.7.65.19, 7.7.65.10, and 7.8.4. With Address_Type 0, the address
  /// is a public one, however it begins.
  @Test(arguments: [
    (event(0x02, [1, 0, 1] + sent + [0, 0xC0]), ["BD_ADDR"]),
    (event(0x02, [1, 0, 0] + sent + [0, 0xC0]), []),
    (event(0x0B, [1, 1, 1] + sent + [1] + sent + [0xC0]), ["BD_ADDR", "Direct_Address"]),
    (event(0x0B, [1, 1, 0] + sent + [0xFE] + sent + [0xC0]), ["Direct_Address"]),
    (
      event(
        0x0D, [1, 0x13, 0, 1] + sent + [1, 0, 0xFF, 0x7F, 0xC0, 0, 0, 0] + other + [0]),
      ["BD_ADDR"]
    ),
    (event(0x13, [0, 1] + sent), ["Scanner_Address"]),
    (
      event(
        0x0A,
        [0, 0x40, 0, 0, 0] + other + [UInt8](repeating: 0, count: 6) + sent + [
          24, 0, 0, 0, 72, 0, 0,
        ]
      ), ["Peer_Resolvable_Private_Address"]
    ),
  ])
  func events(_ bytes: [UInt8], _ fields: [String]) {
    #expect(Self.lines(bytes, .event) == fields)
  }

  @Test func ownAddress() {
    #expect(Self.lines([0x05, 0x20, 6] + Self.sent, .command) == ["Random_Address"])
  }

  /// Vol 6, Part B, 2.3: TxAdd (0x40) is of the sender's address, RxAdd (0x80) of the other one.
  @Test(
    arguments: [
      (0x40, sent, ["AdvA"]), (0x00, sent, []),
      (0xC1, other + sent, ["TargetA"]), (0x41, other + sent, []), (0x41, sent + other, ["AdvA"]),
      (0xC3, other + sent, ["AdvA"]), (0x43, other + sent, []), (0x43, sent + other, ["ScanA"]),
      (0xC3, sent + sent, ["ScanA", "AdvA"]),
      (0xC5, sent + other + [UInt8](repeating: 1, count: 22), ["InitA"]),
      (0xC5, other + sent + [UInt8](repeating: 1, count: 22), ["AdvA"]),
      // Extended Header with AdvA and TargetA: 2.3.4.
      (0xC7, [13, 0x03] + other + sent, ["TargetA"]), (0x47, [13, 0x03] + sent + other, ["AdvA"]),
    ] as [(UInt8, [UInt8], [String])])
  func overTheAir(_ header: UInt8, _ payload: [UInt8], _ fields: [String]) {
    let pdu = [0xD6, 0xBE, 0x89, 0x8E, header, UInt8(payload.count)] + payload + [0, 0, 0]
    #expect(Self.lines(pdu, .leLinkLayer) == fields)
  }

  /// A copy that somebody else reads stays as it is.
  @Test func copiesStay() {
    var tree = Tree()
    let bytes = Self.event(0x02, [1, 0, 1] + Self.sent + [0, 0xC0])
    Catalog.shared.describe(bytes.raw, .record(.event), Context(), into: &tree)
    let copy = tree
    PrivateAddresses(.shared).resolve(in: &tree) { _ in Self.identity }
    #expect(tree.nodes.count == copy.nodes.count + 1)
    #expect(copy.nodes.allSatisfy { $0.kind != .inferred })
  }
}
