import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// What accessories advertise in the clear by Apple's formats. The layouts are those that librepods, OpenHaystack and
/// the HomeKit Accessory Protocol Specification describe.
@Suite struct AppleAdvertisingTests {
  static let block = "00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f"
  static let first = "01 00 00 00 00 d1"
  static let second = "02 00 00 00 00 d1"

  /// One legacy report with the AD structures.
  private func advertised(_ data: String, from address: String = first) -> MadeRecord {
    let count = data.split(separator: " ").count
    return .event(
      "3e " + hex(count + 12) + " 02 01 00 01 \(address) " + hex(count) + " \(data) c4")
  }

  private func hex(_ number: Int) -> String { Hex.text([UInt8(number)]) }

  private func headphones(
    _ status: String, buds: String = "9a", box: String = "35", lid: String = "00",
    connection: String = "04"
  ) -> MadeRecord {
    advertised(
      "1e ff 4c 00 07 19 01 14 20 \(status) \(buds) \(box) \(lid) 00 \(connection) \(Self.block)")
  }

  private func reported(_ records: [MadeRecord]) -> [AAPEvent.Advertised] {
    MadeRecord.session(records).events.compactMap { event in
      guard case .accessoryProtocol(.advertised(let it)) = event.content else { return nil }
      return it
    }
  }

  /// Any number of advertisers pass by: those that come late are news, too.
  @Test func manyAdvertisers() throws {
    let content = try #require(reported([headphones("2b")]).first).content
    var advertisers = AppleAdvertisers()
    for number in UInt64(1)...5_000 {
      let news = advertisers.take(content, from: BluetoothAddress(number))
      #expect(news == .first)
    }
    let again = advertisers.take(content, from: BluetoothAddress(5_000))
    #expect(again == nil)
  }

  /// Of the addresses over the air, the last 4096 are remembered.
  @Test func manyAddresses() throws {
    let content = try #require(reported([headphones("2b")]).first).content
    var advertisers = AppleAdvertisers()
    for number in UInt64(1)...5_000 {
      let isNew = advertisers.isNew(content, at: BluetoothAddress(number))
      #expect(isNew)
    }
    let isKnown = [UInt64(905), 4_096, 5_000].map {
      !advertisers.isNew(content, at: BluetoothAddress($0))
    }
    #expect(isKnown == [true, true, true])
    let isForgotten = advertisers.isNew(content, at: BluetoothAddress(904))
    #expect(isForgotten)
  }

  @Test func headphonesOnlyWhenTheyChange() throws {
    let all = reported([
      headphones("2b"), headphones("2b"), headphones("21"), headphones("21", lid: "08"),
      headphones("21", lid: "08", connection: "07"),
    ])
    #expect(all.map(\.isFirst) == [true, false, false, false])
    guard case .proximityPairing(let it) = try #require(all.first).content else {
      Issue.record("\(all)")
      return
    }
    #expect(it.isPaired)
    #expect(it.model == 0x1420)
    #expect(it.status == [.firstInEar, .secondInEar, .primaryIsLeft, .init(rawValue: 1)])
    #expect((it.upperBattery, it.lowerBattery) == (9, 10))
    #expect((it.upperCase, it.lowerCase) == (3, 5))
    #expect(!it.isLidClosed)
    #expect(it.connection == 4)
    guard case .proximityPairing(let last) = try #require(all.last).content else { return }
    #expect(last.isLidClosed)
    #expect(last.connection == 7)
  }

  /// The encrypted end differs in each advertisement, and both buds advertise: sides, and what is this bud, are swapped.
  @Test func theOtherBudSaysTheSame() {
    #expect(
      reported([
        headphones("23", buds: "9a", box: "15"), headphones("49", buds: "a9", box: "25"),
      ]).count == 1)
  }

  @Test func findMy() {
    let key = "00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15"
    let separated = "1e ff 4c 00 12 19 90 \(key) 01 a5"
    let near = "07 ff 4c 00 12 02 10 01"
    let all = reported([
      advertised(separated), advertised(separated), advertised(near),
      advertised("02 01 06 \(near)", from: Self.second),
      // A length that nothing describes.
      advertised("0b ff 4c 00 12 06 10 00 01 02 03 04", from: "03 00 00 00 00 d1"),
    ])
    let contents = all.map { it in
      guard case .findMy(let findMy) = it.content else { return "\(it.content)" }
      return "\(findMy.isSeparated ? "separated" : "near") \(findMy.battery) \(it.isFirst)"
    }
    #expect(contents == ["separated 2 true", "near 0 false", "near 0 true"])
  }

  @Test func homeKitAndBeacon() throws {
    let homeKit = "12 ff 4c 00 06 2d 01 11 22 33 44 55 66 05 00 02 00 03 02"
    let paired = "12 ff 4c 00 06 2d 00 11 22 33 44 55 66 05 00 03 00 03 02"
    let beacon =
      "1a ff 4c 00 02 15 e2 c5 6d b5 df fb 48 d2 b0 60 d0 f5 a7 10 96 e0 00 01 00 02 c5"
    let all = reported([
      advertised(homeKit), advertised(homeKit), advertised(paired),
      advertised(beacon, from: Self.second), advertised(beacon, from: Self.second),
    ])
    #expect(all.count == 3)
    guard case .homeKit(let before) = all[0].content, case .homeKit(let after) = all[1].content,
      case .beacon(let it) = all[2].content
    else {
      Issue.record("\(all)")
      return
    }
    #expect((before.isPaired, before.category, before.stateNumber) == (false, 5, 2))
    #expect((after.isPaired, after.stateNumber, after.configuration) == (true, 3, 3))
    #expect("\(it.uuid)" == "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")
    #expect((it.major, it.minor, it.power) == (1, 2, -59))
  }

  private static let beacon =
    "1a ff 4c 00 02 15 e2 c5 6d b5 df fb 48 d2 b0 60 d0 f5 a7 10 96 e0 00 01 00 02 c5"

  /// HCI_LE_Set_Advertising_Data and HCI_LE_Set_Extended_Advertising_Data, with the answers of the Controller: this host
  /// advertises it, and not another device. Core Specification, Vol 4, Part E, 7.8.7, 7.8.54.
  @Test func ownAdvertising() throws {
    func command(_ opcode: String, _ parameters: String) -> [MadeRecord] {
      let count = parameters.split(separator: " ").count
      return [
        .command("\(opcode) \(hex(count)) \(parameters)"), .event("0e 04 01 \(opcode) 00"),
      ]
    }
    let data = Self.beacon.split(separator: " ")
    let padded = Self.beacon + String(repeating: " 00", count: 31 - data.count)
    let legacy = command("08 20", hex(data.count) + " " + padded)
    let other = padded.replacing("00 02 c5", with: "00 03 c5")
    // Set 1, in one command, and set 2, in a first (1) and a last fragment (2).
    let whole = command("37 20", "01 03 01 \(hex(data.count)) \(Self.beacon)")
    let parts =
      command("37 20", "02 01 01 0a \(data[..<10].joined(separator: " "))")
      + command("37 20", "02 02 01 \(hex(data.count - 10)) \(data[10...].joined(separator: " "))")
    let all = reported(
      legacy + legacy + command("08 20", hex(data.count) + " " + other) + whole + parts)
    #expect(all.map(\.address) == [nil, nil, nil, nil])
    #expect(all.map(\.isFirst) == [true, false, true, true])
    let minors = all.compactMap { if case .beacon(let it) = $0.content { it.minor } else { nil } }
    #expect(minors == [2, 3, 2, 2])
    let sentences = MadeRecord.sentences(legacy) { content in
      if case .accessoryProtocol(.advertised) = content { true } else { false }
    }
    #expect(
      sentences == [
        "this host sets advertising data: iBeacon: UUID E2C56DB5-DFFB-48D2-B060-D0F5A71096E0, major 1, minor 2, "
          + "measured power -59 dBm"
      ])
    // The Controller refuses it: Command Disallowed.
    let refused: [MadeRecord] = [legacy[0], .event("0e 04 01 08 20 0c")]
    #expect(reported(refused).isEmpty)
  }

  /// What phones advertise, what other companies do, and what is cut.
  @Test(arguments: [
    "0a ff 4c 00 10 05 47 1c 01 02 03", "07 ff 4d 00 12 02 10 01", "06 ff 4c 00 12 02 10",
    "04 ff 4c 00 12", "03 ff 4c 00",
  ])
  func others(_ data: String) {
    #expect(reported([advertised(data)]).isEmpty)
  }
}
