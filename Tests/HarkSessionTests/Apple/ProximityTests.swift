import HarkCore
import HarkCrypto
import Testing

@testable import HarkSession

/// Proximity pairing advertising that is opened with keys AAP gave away.
@Suite struct ProximityTests {
  /// The keys of a public example of the answer; what is encrypted, and the address that the IRK
  /// makes, were computed by Python's cryptography.
  static let keys =
    "04 00 04 00 31 00 02 01 00 10 00 64 dd 9c e7 bc b5 b5 0a 9a 33 45 42 cb af 19 02"
    + " 04 00 10 00 1b dd 73 d2 be 01 9b 98 55 cc 5b 36 7b f9 9d 5d"
  /// 77 %, 80 % and charging, 50 %.
  static let first = "72 c2 1c 93 85 6e 33 ba 4c c8 3b a5 f4 47 da e7"
  /// 77 %, 81 % and charging, no case.
  static let second = "e1 99 0f eb 92 05 cf 6d b6 db 0d c3 47 5c 26 e5"
  static let resolvable = "cb 1d d7 22 11 4a"

  static let connection = [
    BREDRTests.connected,
    MadeRecord.pdu(1, "02 01 04 00 01 10 40 00", received: false, link: 0x0B),
    MadeRecord.pdu(1, "03 01 08 00 41 00 40 00 00 00 00 00", received: true, link: 0x0B),
    // The handshake: no PSM tells what the channel carries.
    MadeRecord.pdu(
      0x41, "00 00 04 00 01 00 02 00 00 00 00 00 00 00 00 00", received: false, link: 0x0B),
  ]
  static let given = MadeRecord.pdu(0x40, keys, received: true, link: 0x0B)

  /// One report: a random address, flags of nothing, the message.
  static func advertised(_ block: String, from address: String = resolvable) -> MadeRecord {
    .event(
      "3e 2b 02 01 00 01 \(address) 1f 1e ff 4c 00 07 19 01 0e 20 2b 99 8f 11 00 00 \(block) c4")
  }

  private func reported(_ records: [MadeRecord]) -> [String] {
    MadeRecord.session(records).events.compactMap { event in
      guard case .accessoryProtocol(.advertisedBattery(let battery)) = event.content else {
        return nil
      }
      return (battery.plaintext.buds + [battery.plaintext.box]).map {
        ($0.level.map { "\($0)" } ?? "-") + ($0.isCharging ? "+" : "")
      }.joined(separator: " ")
    }
  }

  @Test func opened() {
    let records =
      Self.connection + [
        Self.advertised(Self.first), Self.given, Self.advertised(Self.first),
        Self.advertised(Self.first), Self.advertised(Self.second),
      ]
    #expect(reported(records) == ["77 80+ 50", "77 81+ -"])
  }

  /// The advertiser is the accessory that gave the keys, under its resolvable address.
  @Test func resolved() throws {
    let session = MadeRecord.session(
      Self.connection + [Self.given, Self.advertised(Self.first)])
    let event = try #require(
      session.events.first {
        if case .accessoryProtocol(.advertisedBattery) = $0.content { true } else { false }
      })
    let device = try #require(event.device)
    let addresses = session.devices[Int(device.index)].addresses.map(\.description)
    #expect(addresses.contains("4A:11:22:D7:1D:CB"))
    #expect(addresses.count == 2)
  }

  /// Another's advertising is left alone: any key makes something of any block.
  @Test func ofOthers() {
    let other = "cc 1d d7 22 11 4a"
    #expect(
      reported(Self.connection + [Self.given, Self.advertised(Self.first, from: other)]) == [])
  }

  /// The keys come in a file, and the capture has nothing of AAP.
  @Test func keysOfAFile() throws {
    let file = try KeyFile(
      Array(
        """
        {"format": "hark-keys", "version": 1, "proximityKeys": [{"address": "C0:DE:00:00:00:01",
        "encryptionKey": "1bdd73d2be019b9855cc5b367bf99d5d",
        "identityResolvingKey": "64dd9ce7bcb5b50a9a334542cbaf1902"}]}
        """.utf8), name: "lab.harkkeys")
    let bytes = Hex.bytes(Self.advertised(Self.first).hex) ?? []
    let ring = KeyRing([file])
    let opened = Session(keys: ring).openProximity(
      bytes.raw, from: BluetoothAddress(0x4A11_22D7_1DCB, hciType: 1))
    #expect(opened?.buds.map(\.level) == [77, 80] && opened?.box.level == 50)
    let other = Session(keys: ring).openProximity(
      bytes.raw, from: BluetoothAddress(0x4A11_22D7_1DCC, hciType: 1))
    #expect(other == nil)
  }

  /// A public test of another project: this key, in the order AAP sends it, made this address.
  @Test func order() throws {
    var octets: [UInt8] = [
      0x79, 0x04, 0x65, 0x1E, 0xE2, 0xCC, 0xD9, 0x26, 0xF2, 0x6E, 0x20, 0xEE, 0x3E, 0xCC, 0xDE,
      0x79,
    ]
    let irk = try BondingKey(
      .identityResolvingKey, &octets, address: nil, origin: .capture(PacketID(1)))
    #expect(irk.resolves(BluetoothAddress(0x5A16_2B91_D1CD, hciType: 1)))
  }
}
