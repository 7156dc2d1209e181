import HarkCore
import HarkCrypto
import Testing

@testable import HarkSession

/// One device under several addresses. The IRK, and the address it makes, are those of the Core
/// Specification, Vol 3, Part H, D.7.
@Suite struct IdentityTests {
  static let irk = "9b 7d 39 0a a6 10 10 34 05 ad c8 57 a3 34 02 ec"
  static let none = "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
  static let resolvable = "aa fb 0d 94 81 70"
  static let identity = "66 55 44 33 22 11"

  /// HCI_LE_Add_Device_To_Resolving_List. Vol 4, Part E, 7.8.38.
  static let listed = MadeRecord.command("27 20 27 00 \(identity) \(irk) \(none)")

  /// HCI_LE_Connection_Complete. 7.7.65.1.
  static func connected(_ type: String, _ address: String, handle: String = "40") -> MadeRecord {
    .event("3e 13 01 00 \(handle) 00 00 \(type) \(address) 18 00 00 00 48 00 00")
  }

  static let closed = MadeRecord.event("05 04 00 40 00 13")

  /// The devices that are left, by their addresses.
  private func devices(_ session: borrowing Session) -> [[String]] {
    session.devices.filter { $0.mergedInto == nil }.map { device in
      [device.address.description]
        + device.addresses.map(\.description).filter { $0 != device.address.description }
    }
  }

  /// Two accessories of one model: the ends of their addresses tell them apart.
  @Test func devicesWithOneName() {
    // HCI_Remote_Name_Request_Complete. Vol 4, Part E, 7.7.7.
    func named(_ address: String, _ name: String) -> MadeRecord {
      let octets = Array(name.utf8) + [UInt8](repeating: 0, count: 248 - name.utf8.count)
      return .event("07 ff 00 \(address) \(Hex.text(octets))")
    }
    let (one, other) = ("01 22 33 44 55 66", "02 22 33 44 55 66")
    func labels(_ records: [MadeRecord]) -> [String] {
      MadeRecord.session(records).devices.map(\.label)
    }
    #expect(labels([named(one, "Buds")]) == ["Buds"])
    let same = [named(one, "Buds"), named(other, "Buds")]
    #expect(labels(same) == ["Buds (…22:01)", "Buds (…22:02)"])
    #expect(labels(same + [named(other, "Sara")]) == ["Buds", "Sara"])
    #expect(labels(same + [named(other, "Sara"), named(one, "Sara")]).first == "Sara (…22:01)")
    #expect(Device.name(ofLabel: "Buds (…22:01)") == "Buds")
    #expect(Device.name(ofLabel: "Buds (…)") == "Buds (…)")
  }

  private let both = [["11:22:33:44:55:66", "70:81:94:0D:FB:AA"]]

  @Test func keysGivenToTheController() {
    let session = MadeRecord.session([
      Self.listed, Self.listed, Self.connected("01", Self.resolvable),
    ])
    #expect(devices(session) == both)
    let exposed = session.events.compactMap {
      if case .security(.keyInCapture(let key)) = $0.content { key } else { nil }
    }
    #expect(exposed.map(\.keyKind) == [.identityResolvingKey])
    #expect(exposed.first?.address?.description == "11:22:33:44:55:66")
    #expect(session.keys.entries.map(\.isExposed) == [true])
    // Hosts know devices that never come.
    #expect(MadeRecord.session([Self.listed]).devices.isEmpty)
  }

  @Test func keyThatComesLater() {
    let before = [Self.connected("01", Self.resolvable)]
    #expect(devices(MadeRecord.session(before + [Self.listed])) == both)
    // The same, where the identity was seen before, or after.
    let known = [Self.connected("00", Self.identity, handle: "41")]
    #expect(devices(MadeRecord.session(known + before + [Self.listed])) == both)
    #expect(devices(MadeRecord.session(before + known + [Self.listed])) == both)
  }

  @Test func controllersThatResolve() {
    // HCI_LE_Enhanced_Connection_Complete. 7.7.65.10.
    let resolved = MadeRecord.event(
      "3e 1f 0a 00 40 00 00 02 \(Self.identity) 00 00 00 00 00 00 \(Self.resolvable) "
        + "18 00 00 00 48 00 00")
    #expect(devices(MadeRecord.session([resolved])) == both)
    let before = [Self.connected("01", Self.resolvable), Self.closed]
    #expect(devices(MadeRecord.session(before + [resolved])) == both)
  }

  /// What is known about a device stays known when it comes back under another address and tells
  /// during pairing who it is.
  @Test func identityAddressInformation() {
    let session = MadeRecord.session([
      Self.connected("00", Self.identity),
      .pdu(4, "08 01 00 ff ff 03 28", received: false),
      .pdu(4, "09 07 02 00 10 03 00 19 2a", received: true),
      Self.closed, Self.connected("01", Self.resolvable),
      .pdu(4, "08 04 00 ff ff 03 28", received: false),
      .pdu(4, "09 07 05 00 10 06 00 4d 2a", received: true),
      .pdu(4, "1b 06 00 01", received: true),
      .pdu(6, "08 \(Self.irk)", received: true), .pdu(6, "09 00 \(Self.identity)", received: true),
      .pdu(4, "1b 03 00 57", received: true),
    ])
    #expect(devices(session) == both)
    #expect(session.links.map(\.device?.index) == [0, 0])
    let database = session.database(for: .device(DeviceID(1)))
    #expect(database?.characteristics.keys.sorted() == [3, 6])
    #expect(database?.uses[6]?.notifications == 1)
    let values = session.events.compactMap {
      if case .attribute(.value(let value)) = $0.content { value.uuid } else { nil }
    }
    #expect(values == [BluetoothUUID(0x2A4D as UInt16), BluetoothUUID(0x2A19 as UInt16)])
    // A device without private addresses has no IRK. Vol 3, Part H, 2.4.2.1.
    let without = MadeRecord.session([
      Self.connected("00", Self.identity), .pdu(6, "08 \(Self.none)", received: true),
    ])
    #expect(without.keys.bondingKeys.isEmpty)
  }
}
