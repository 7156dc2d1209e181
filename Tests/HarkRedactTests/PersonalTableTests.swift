import HarkCore
import HarkCrypto
import HarkSession
import Testing

@testable import HarkRedact

@Suite struct PersonalTableTests {
  /// What a Live Activity shows and an accessory's own words are texts of people.
  @Test func textsOfMessages() {
    var activity = AccessoryLiveActivity()
    (activity.title, activity.body) = ("On its way", "12 min")
    #expect(
      DescribedTexts(of: .liveActivity(activity, .alert)).texts == ["On its way", "12 min"])
    let failure = AccessoryFailure(isRefusal: true, error: "busy", message: "Ask Ann")
    let described = DescribedTexts(of: .failure(failure))
    #expect(described.texts == ["Ask Ann"])
    #expect(described.identifiers == ["busy"])
  }

  /// Zeros and long runs of one byte are no keys; codes of a few octets may well be of equal ones, as the
  /// Consent Code 0x1111 of User Data Service 1.1, 3.2 is.
  @Test func equalOctets() {
    var table = PersonalTable(
      Pseudonyms(hash: RedactionMap().hash, level: .share), known: [:])
    func isTaken(_ kind: PersonalKind, _ bytes: [UInt8]) -> Bool {
      table.add(PersonalValue(kind: kind, bytes: bytes)) != nil
    }
    #expect(isTaken(.key, [0x11, 0x11]))
    #expect(!isTaken(.key, [0, 0]))
    #expect(!isTaken(.key, [UInt8](repeating: 0x11, count: 16)))
  }

  /// A serial number in a name is looked for by itself, and becomes the same there; a model's number is none.
  @Test func numbersInNames() throws {
    var table = PersonalTable(Pseudonyms(hash: RedactionMap().hash, level: .share), known: [:])
    let names = ["NOVA_O38240700268", "LE_WH-1000XM4", "P2PSRV1", "12345678"].map { Array($0.utf8) }
    let indices = names.map { table.add(PersonalValue(kind: .name, bytes: $0)) }
    table.settle(irks: [])
    let numbers = table.values.indices.filter { table.values[$0].kind == .serialNumber }
    #expect(numbers.map { table.values[$0].bytes } == [Array("O38240700268".utf8)])
    let number = try #require(numbers.first)
    let name = try #require(indices[0])
    #expect(table.isSearched(number))
    #expect(table.replacements[number] == Array(table.replacements[name][5...]))
  }

  private static let address = PersonalValue(
    kind: .address, bytes: [0x00, 0x1A, 0x7D, 0x11, 0x22, 0x33])

  private func pseudonym(
    _ value: PersonalValue, _ level: RedactionLevel, known: [PersonalValue: [UInt8]],
    irk: [UInt8]? = nil
  ) throws -> [UInt8] {
    var table = PersonalTable(
      Pseudonyms(hash: RedactionMap().hash, level: level), known: known)
    let added = table.add(value)
    let index = try #require(added)
    var irks: Set<PersonalTable.Index> = []
    if let irk {
      table.isRandom(value.bytes.reduce(0) { $0 << 8 | UInt64($1) })
      let key = table.add(PersonalValue(kind: .key, bytes: irk))
      irks.insert(try #require(key))
    }
    table.settle(irks: irks)
    return table.replacements[index]
  }

  /// What an earlier run kept of the maker does not stay with the strict level.
  @Test func stricterThanBefore() throws {
    let earlier: [UInt8] = [0x00, 0x1A, 0x7D, 1, 2, 3]
    let known = [Self.address: earlier]
    #expect(try pseudonym(Self.address, .share, known: known) == earlier)
    #expect(try pseudonym(Self.address, .strict, known: known).prefix(3) != earlier.prefix(3))
  }

  /// A resolvable address that an earlier run met without its IRK resolves with what that becomes.
  /// Core Specification, Vol 3, Part H, D.7: IRK and prand, most significant octet first.
  @Test func resolvableLater() throws {
    let irk = try #require(Hex.bytes("ec0234a357c8ad05341010a60a397d9b"))
    let address = PersonalValue(kind: .address, bytes: try #require(Hex.bytes("7081940dfbaa")))
    let known = [
      address: try #require(Hex.bytes("512233445566")),
      PersonalValue(kind: .key, bytes: irk.reversed()): [UInt8](repeating: 7, count: 16),
    ]
    let new = try pseudonym(address, .share, known: known, irk: irk.reversed())
    let code = SMPToolbox.ah(irk: [UInt8](repeating: 7, count: 16), prand: Array(new[..<3]))
    #expect(code == Array(new[3...]))
    #expect(try pseudonym(address, .share, known: known) == known[address])
  }

  /// Octets that a device reported the wrong way around stay so.
  @Test func turnedAround() throws {
    var table = PersonalTable(
      Pseudonyms(hash: RedactionMap().hash, level: .share), known: [:])
    let turned = PersonalValue(kind: .address, bytes: Self.address.bytes.reversed())
    let (added, addedTurned) = (table.add(Self.address), table.add(turned))
    let (first, second) = (try #require(added), try #require(addedTurned))
    table.settle(irks: [])
    #expect(table.replacements[second] == table.replacements[first].reversed())
  }
}
