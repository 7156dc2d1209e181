import HarkCore
import HarkCrypto
import Testing

@testable import HarkProfile
@testable import HarkSession

/// The profile of Pebble says the same as the Swift code it stands for.
struct PebbleEqualTests {
  static let swift = Pebble.framing
  static let captures = [
    "pebble-bytes-trap", "pebble-faults", "pebble-reboot", "pebble-rekey", "pebble-session",
    "pebble-wrong-derivation",
  ]

  static let others: [any VendorFraming] = [ANCS.framing, AMS.framing]

  @Test(arguments: captures, [true, false])
  func captured(_ name: String, _ withKeys: Bool) throws {
    let profile = try Profile.project("pebble").framing
    let expected = try Sample.events(
      name, VendorFramings(Self.others + [Self.swift]), withKeys: withKeys)
    let found = try Sample.events(
      name, VendorFramings(Self.others + [profile]), withKeys: withKeys)
    #expect(expected.count == found.count)
    for (a, b) in zip(expected, found) { #expect("\(a)" == "\(b)") }
    #expect(expected.contains { if case .accessory = $0.content { true } else { false } })
  }

  static let plaintexts: [[UInt8]] = [
    [1, 1, 2, 0x48, 0x69, 3, 1, 0x21, 4, 4] + Array("Mail".utf8) + [5, 2, 0x6E, 0x31, 6, 1, 1]
      + [7, 7, 1, 1, 0x72, 3, 0x52, 0x65, 0x70] + [9, 1, 0xFF],
    [1, 7, 5, 0, 1, 0x72, 0, 0x58, 7, 4, 1, 9, 0x72, 0, 1, 1, 0x41, 6, 0, 2, 0],
    [2, 0x6E, 0x31], [3], [3, 0], [], [4], [9, 9], [1], [1, 1, 1, 0x41, 3, 9, 0x42],
    [1, 6, 2, 0, 1, 6, 1, 0], [1, 1, 2, 0xC3, 0x28],
    [2, 0x6E, 0x31, 1, 0x72, 2, 0, 0x4F, 0x4B], [0, 0, 0, 0], [1, 0x41, 1, 0x42, 9, 0, 0x43],
  ]

  @Test func everyPlaintext() throws {
    let profile = try Profile.project("pebble").framing
    var random = Random(state: 7)
    func compare(_ bytes: [UInt8]) {
      for direction in [MessageDirection.hostToAccessory, .accessoryToHost] {
        let expected = Self.swift.decode(plaintext: bytes, direction: direction)
        let found = profile.decode(plaintext: bytes, direction: direction)
        #expect(expected == found, "\(bytes), \(direction)")
      }
    }
    for plaintext in Self.plaintexts {
      for count in 0...plaintext.count { compare(Array(plaintext.prefix(count))) }
      for _ in 0..<200 { compare(random.mutate(plaintext)) }
    }
  }

  @Test(arguments: 0..<8) func everyValue(_ seed: UInt64) throws {
    let profile = try Profile.project("pebble").framing
    var random = Random(state: seed)
    var (expected, found) = (AccessoryChannel(Self.swift), AccessoryChannel(profile))
    var (keys, same) = (KeyRing(), KeyRing())
    let id = Array("ABCDEF12-3456-7890-ABCD-EF0123456789".utf8)
    let blob = [36] + id + [UInt8](repeating: 5, count: 60)
    let values: [([UInt8], BluetoothUUID, VendorValue.Operation)] = [
      ([1] + [UInt8](repeating: 2, count: 64), Pebble.transmit, .notification),
      ([2, 4] + [UInt8](repeating: 3, count: 64) + [36] + id, Pebble.receive, .write),
      ([2, 4] + [UInt8](repeating: 3, count: 64) + [36] + id + [0], Pebble.receive, .write),
      ([3, 3] + blob.prefix(30), Pebble.receive, .writeCommand),
      ([3, 1] + blob[30..<50], Pebble.receive, .writeCommand),
      ([3, 0] + blob.dropFirst(30), Pebble.receive, .writeCommand),
      ([3, 2] + blob, Pebble.receive, .write), ([0x82, 2] + blob, Pebble.transmit, .notification),
      ([0x82, 3] + blob.prefix(9), Pebble.transmit, .indication),
      ([], Pebble.receive, .write), ([UInt8](repeating: 3, count: 513), Pebble.receive, .write),
      ([3, 2, 0], Pebble.receive, .read), ([3, 2], Pebble.receive, .write),
      ([0x77], Pebble.transmit, .notification), ([1, 0], Pebble.transmit, .subscribe(true)),
    ]
    for packet in 0..<300 {
      guard let (bytes, uuid, operation) = values.randomElement(using: &random) else { continue }
      let value = VendorValue(
        frames: [PacketID(UInt32(packet))], time: Timestamp(microseconds: Int64(packet) * 10),
        channel: .characteristic(uuid), toServer: uuid == Pebble.receive, operation: operation,
        bytes: random.mutate(bytes),
        missingBytes: Int.random(in: 0...9, using: &random) == 0 ? 77 : 0,
        link: UInt32.random(in: 0...1, using: &random))
      let (a, b) = (
        expected.receive(value, keys: &keys), found.receive(value, keys: &same)
      )
      #expect(a == b, "\(value.bytes)")
      if packet % 50 == 49 {
        let link = UInt32.random(in: 0...1, using: &random)
        #expect(
          expected.linkClosed(.linkClosed, link: link, keys: &keys)
            == found.linkClosed(.linkClosed, link: link, keys: &same))
      }
    }
  }
}
