import HarkCapture
import HarkCore
import HarkCrypto
import Testing

@testable import HarkSession

/// Keys of the Linux Bluetooth management interface, laid out as BlueZ's documentation of it
/// (mgmt-api) says; btmon reads the same records so.
@Suite struct ManagementKeyTests {
  /// 16 octets that tell which key they are.
  private static func key(_ last: String) -> String {
    "00112233445566778899aabbccddee" + last
  }

  private struct Found: Equatable {
    var kind: BondingKey.Kind
    var address: String?
    var fingerprint: String
  }

  private func keys(_ records: [MadeRecord]) -> [Found] {
    MadeRecord.session(records).keys.bondingKeys.map {
      Found(
        kind: $0.kind, address: $0.address.map { "\($0)" }, fingerprint: "\($0.fingerprint)")
    }
  }

  private func control(_ code: String, _ parameters: String, isEvent: Bool = false) -> MadeRecord {
    MadeRecord(
      kind: isEvent ? .controlEvent : .controlCommand, isReceived: isEvent,
      hex: "01000000" + code + parameters.filter { $0 != " " })
  }

  /// The same key by SMP or HCI has the fingerprint to compare with.
  private func fingerprint(_ key: String) throws -> String {
    var octets = try #require(Hex.bytes(key))
    let key = try BondingKey(
      .longTermKey, &octets, address: nil, origin: .capture(PacketID(1)))
    return "\(key.fingerprint)"
  }

  private static let whose = "C0:DE:00:00:00:03"
  private static let others = "C0:DE:00:00:00:04"
  private static let first = "030000" + "00dec0"
  private static let second = "040000" + "00dec0"

  /// Set Powered with the statuses Success, RFKilled and one that is not known.
  @Test func refusalsAreReported() {
    let records = ["0200 0500 00", "0200 0500 12", "0100 0500 7f", "0600 01000000"].map {
      control(String($0.filter { $0 != " " }.prefix(4)), String($0.dropFirst(5)), isEvent: true)
    }
    let notes = MadeRecord.session(records).events.compactMap {
      if case .capture(.note(let it)) = $0.content { "\(it.source): \(it.text)" } else { nil }
    }
    #expect(
      notes == [
        "kernel: Set Powered failed: RFKilled", "kernel: Set Powered failed: Unknown (127)",
      ])
  }

  @Test func loadedKeysAreExposed() throws {
    // Debug_Keys, Key_Count; Address, Address_Type, Key_Type, Value, PIN_Length.
    let linkKeys =
      "00 0200" + Self.first + "00 04" + Self.key("01") + "00" + Self.second + "00 04"
      + Self.key("02") + "00"
    // Key_Count; Address, Address_Type, Key_Type, Central, Encryption_Size,
    // Encrypted_Diversifier, Random_Number, Value.
    let longTermKeys =
      "0100" + Self.second + "02 01 00 10 3412 0102030405060708" + Self.key("03")
    // Key_Count; Address, Address_Type, Value.
    let resolvingKeys = "0100" + Self.first + "01" + Self.key("04")
    let found = keys([
      control("1200", linkKeys), control("1300", longTermKeys), control("3000", resolvingKeys),
      // Privacy, Identity_Resolving_Key: of this host.
      control("2f00", "01" + Self.key("05")),
    ])
    #expect(
      found == [
        Found(
          kind: .linkKey, address: Self.whose, fingerprint: try fingerprint(Self.key("01"))),
        Found(
          kind: .linkKey, address: Self.others, fingerprint: try fingerprint(Self.key("02"))),
        Found(
          kind: .longTermKey, address: Self.others, fingerprint: try fingerprint(Self.key("03"))),
        Found(
          kind: .identityResolvingKey, address: Self.whose,
          fingerprint: try fingerprint(Self.key("04"))),
        Found(
          kind: .identityResolvingKey, address: nil, fingerprint: try fingerprint(Self.key("05"))),
      ])
  }

  @Test func newKeysAreExposed() throws {
    let found = keys([
      // Store_Hint in front of each; Random_Address in front of an IRK.
      control(
        "0900", "01" + Self.first + "00 04" + Self.key("01") + "00", isEvent: true),
      control(
        "0a00", "01" + Self.second + "01 02 00 10 0000 0000000000000000" + Self.key("02"),
        isEvent: true),
      control(
        "1800", "01" + "aabbccddee4f" + Self.first + "01" + Self.key("03"), isEvent: true),
      control("1900", "01" + Self.first + "01 00" + Self.key("04"), isEvent: true),
    ])
    #expect(
      found.map(\.kind)
        == [.linkKey, .longTermKey, .identityResolvingKey, .signatureResolvingKey])
    #expect(found.map(\.address) == [Self.whose, Self.others, Self.whose, Self.whose])
    let expected = try ["01", "02", "03", "04"].map { try fingerprint(Self.key($0)) }
    #expect(found.map(\.fingerprint) == expected)
  }

  /// More keys are announced than there are, or a part of one.
  @Test func cutListsAreReadAsFarAsTheyGo() {
    let one = Self.first + "01" + Self.key("04")
    #expect(keys([control("3000", "ffff" + one + one.dropLast(2))]).count == 1)
    #expect(keys([control("3000", "01"), control("3000", ""), control("2f00", "01")]).isEmpty)
    #expect(keys([control("1200", "00")]).isEmpty)
  }
}
