import HarkCore
import Testing

@testable import HarkCrypto

@Suite struct KeyRingTests {
  @Test func exposedKeysAreMarked() throws {
    var ring = KeyRing()
    #expect(ring.add(try accessoryKey(.xWing, Sample.privateKey, name: "lab")))
    #expect(ring.entries[0].isExposed == false)
    let again = try accessoryKey(.xWing, Sample.privateKey, origin: .capture(PacketID(9)))
    #expect(ring.add(again) == false)
    #expect(ring.entries.count == 1)
    #expect(ring.entries[0].isExposed)
    #expect(ring.entries[0].name == "lab")
    #expect(ring.entries[0].origin == .file("test.harkkeys"))
    let other = try accessoryKey(
      .xWing, String(repeating: "03", count: 32), origin: .capture(PacketID(9)))
    #expect(ring.add(other) == true)
    #expect(ring.entries[1].isExposed)
    #expect(ring.entries[1].origin.description == "packet 9")
  }

  @Test func sessionKeysOnce() throws {
    var ring = KeyRing()
    func key() throws -> SessionKey {
      var bytes = [UInt8](repeating: 4, count: 32)
      return try SessionKey(
        &bytes, direction: .hostToAccessory, session: Sample.session, origin: .file("x"))
    }
    #expect(ring.add(try key()))
    #expect(ring.add(try key()) == false)
  }

  /// The IRK and address of the specification's sample data for ah. Vol 3, Part H, D.7.
  @Test func resolvesPrivateAddresses() throws {
    var ring = KeyRing()
    var irk = Array(try hex("ec0234a357c8ad05341010a60a397d9b").reversed())
    let identity = BluetoothAddress(0xC0DE_0000_0001)
    let key = try BondingKey(
      .identityResolvingKey, &irk, address: identity, origin: .capture(PacketID(5)))
    #expect(ring.add(key) == true)
    #expect(irk == [UInt8](repeating: 0, count: 16))
    #expect(ring.resolve(BluetoothAddress(0x7081_940D_FBAA, .random))?.address == identity)
    #expect(ring.resolve(BluetoothAddress(0x7081_940D_FBAB, .random)) == nil)
    #expect(ring.resolve(BluetoothAddress(0x7081_940D_FBAA, .public)) == nil)
    #expect(ring.entries[0].kind == "IRK")
    #expect(ring.entries[0].isExposed)
    var short: [UInt8] = [1, 2]
    #expect(throws: KeyError.symmetricSize(found: 2, expected: 16)) {
      try BondingKey(.longTermKey, &short, address: nil, origin: .capture(PacketID(5)))
    }
  }

  /// Many keys in one place find what one of them finds alone. Sample data for ah: Vol 3, Part H, D.7.
  @Test func resolvingKeys() throws {
    func key(_ text: String) throws -> BondingKey {
      var octets = Array(try hex(text).reversed())
      return try BondingKey(.identityResolvingKey, &octets, address: nil, origin: .file("x"))
    }
    let made = BluetoothAddress(0x7081_940D_FBAA, .random)
    let others = [
      BluetoothAddress(0x7081_940D_FBAB, .random), BluetoothAddress(0x7081_940D_FBAA, .public),
      BluetoothAddress(0xC081_940D_FBAA, .random),
    ]
    let right = try key("ec0234a357c8ad05341010a60a397d9b")
    #expect(
      right.resolves([others[0], made, others[1], others[2]]) == [false, true, false, false])
    var keys = ResolvingKeys()
    #expect(keys.firstIndex(resolving: made) == nil && keys.count == 0)
    for number in 0..<40 { keys.append(try key(String(repeating: "0\(number % 10)", count: 16))) }
    #expect(keys.firstIndex(resolving: made) == nil)
    keys.append(right)
    keys.append(try key("ffffffffffffffffffffffffffffffff"))
    #expect(keys.firstIndex(resolving: made) == 40 && keys.count == 42)
    #expect(others.allSatisfy { keys.firstIndex(resolving: $0) == nil })
    // A copy is not concerned by what the other one loses.
    let copy = keys
    keys.remove(at: 0)
    keys.remove(at: 38)
    #expect(keys.firstIndex(resolving: made) == 38 && keys.count == 40)
    keys.remove(at: 39)
    keys.remove(at: 38)
    #expect(keys.firstIndex(resolving: made) == nil && keys.count == 38)
    while keys.count > 0 { keys.remove(at: keys.count - 1) }
    #expect(keys.firstIndex(resolving: made) == nil)
    #expect(copy.firstIndex(resolving: made) == 40)
  }

  @Test(arguments: CipherSuite.allCases)
  func privateKeySizes(suite: CipherSuite) {
    for count in [0, 1, 31, 33, 63, 64, 65, 1216] {
      var bytes = [UInt8](repeating: 1, count: count)
      #expect(throws: KeyError.self) {
        try AccessoryKey(suite, privateKey: &bytes, origin: .file("x"))
      }
    }
  }

  @Test func forgetsTheOldest() {
    var table = RecentValues<Int, Int>(capacity: 3)
    for number in 0..<5 { table.set(number, number) }
    table.set(4, 40)
    #expect((0..<5).map { table[$0] } == [nil, nil, 2, 3, 40])
  }
}
