import HarkCore
import HarkCrypto
import HarkDissection
import HarkProfile
import Testing

@testable import HarkSession

/// Damaged input must neither trap nor grow without limit. The seeds are fixed.
struct AccessoryMutationTests {
  /// SplitMix64.
  struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  static func mutate(_ bytes: [UInt8], _ random: inout Random) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      guard let index = bytes.indices.randomElement(using: &random) else { break }
      switch Int.random(in: 0...3, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.removeSubrange(index...)
      case 2: bytes.remove(at: index)
      default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
      }
    }
    return bytes
  }

  @Test(arguments: 0..<4) func pebble(_ seed: UInt64) throws {
    var random = Random(state: seed)
    var air = Air(Pebble.framing)
    air.keys.add(try PebbleSession.privateKey())
    let message = PebbleSession.message(PebbleSession.toAccessory)
    let values: [([UInt8], BluetoothUUID, VendorValue.Operation)] = [
      ([1] + PebbleSession.publicKey, Pebble.transmit, .notification),
      (PebbleSession.sessionValue, Pebble.receive, .write),
      ([3, 3] + message.prefix(30), Pebble.receive, .writeCommand),
      ([3, 0] + message.dropFirst(30), Pebble.receive, .writeCommand),
      ([0x82, 2] + PebbleSession.message(PebbleSession.toHost), Pebble.transmit, .notification),
    ]
    for _ in 0..<100 {
      guard let (bytes, uuid, operation) = values.randomElement(using: &random) else { continue }
      let missing = Int.random(in: 0...20, using: &random) == 0 ? Int.max : 0
      _ = air.send(Self.mutate(bytes, &random), on: uuid, operation, missing: missing)
    }
    _ = air.close()
  }

  @Test(arguments: 0..<4) func notifBridge(_ seed: UInt64) throws {
    var random = Random(state: seed)
    let phone = try NotifBridgePhone()
    var air = Air(NotifBridge.framing)
    let texts = [
      phone.shareKeyEvent, phone.prepare(exchange: "E", receipt: "R"),
      phone.activate(exchange: "E", receipt: "R"),
      try phone.envelope("{\"kind\":\"removeAll\"}", receipt: "R"),
      "{\"kind\":\"notifbridge.accepted.v1\",\"id\":\"R\"}",
    ]
    for _ in 0..<60 {
      guard let text = texts.randomElement(using: &random),
        let role = NotifBridge.Role.allCases.randomElement(using: &random)
      else { continue }
      let bytes = Self.mutate(Array(text.utf8), &random)
      let uuid = NotifBridge.uuid(role.rawValue)
      _ = air.send(Self.mutate(Array("--START--".utf8), &random), on: uuid)
      for start in stride(from: 0, to: bytes.count, by: 400) {
        _ = air.send(Array(bytes[start..<min(start + 400, bytes.count)]), on: uuid)
      }
      _ = air.send(Self.mutate(Array("--END--".utf8), &random), on: uuid)
    }
    _ = air.close()
  }

  @Test(arguments: 0..<4) func services(_ seed: UInt64) {
    var random = Random(state: seed)
    for framing in [ANCS.framing, AMS.framing] {
      var air = Air(framing)
      let values: [([UInt8], BluetoothUUID, VendorValue.Operation)] = [
        (hex("00 1b 06 03 05000000"), ANCS.notificationSource, .notification),
        (ANCSTests.request, ANCS.controlPoint, .write),
        ([1, 0x61, 0, 0], ANCS.controlPoint, .write),
        (ANCSTests.request, ANCS.controlPoint, .refused(0xA2)),
        (Array(ANCSTests.answer.prefix(40)), ANCS.dataSource, .notification),
        (Array(ANCSTests.answer[40...]), ANCS.dataSource, .notification),
        ([2, 0, 1, 2], AMSMessage.type(of: .entityUpdate), .write),
        ([2, 2, 1, 0x41, 0xC3], AMSMessage.type(of: .entityUpdate), .notification),
        ([2, 2], AMSMessage.type(of: .entityAttribute), .write),
        ([0x41], AMSMessage.type(of: .entityAttribute), .read),
      ]
      for _ in 0..<300 {
        guard let (bytes, uuid, operation) = values.randomElement(using: &random) else { continue }
        let missing = Int.random(in: 0...20, using: &random) == 0 ? Int.max : 0
        for event in air.send(Self.mutate(bytes, &random), on: uuid, operation, missing: missing) {
          #expect(event.frames.allSatisfy { $0.number <= air.packet })
        }
      }
      _ = air.close()
    }
  }

  @Test(arguments: 0..<2) func plaintexts(_ seed: UInt64) {
    var random = Random(state: seed)
    let seeds: [[UInt8]] = [
      [1, 1, 2, 0x48, 0x69, 6, 1, 1, 7, 7, 1, 1, 0x72, 3, 0x52, 0x65, 0x70],
      [2, 0, 1, 0x54, 0, 0, 0, 0, 0, 0, 0, 0, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      Array("{\"kind\":\"add\",\"notification\":{\"attributes\":6,\"actions\":[]}}".utf8),
    ]
    for _ in 0..<3000 {
      guard let plain = seeds.randomElement(using: &random) else { continue }
      let bytes = Self.mutate(plain, &random)
      for direction in MessageDirection.allCases {
        for framing in VendorFramings.known.all {
          let decoded = framing.decode(plaintext: bytes, direction: direction)
          var end = 0
          for field in decoded.fields {
            #expect(field.range.lowerBound >= end)
            #expect(field.range.upperBound <= bytes.count)
            end = field.range.upperBound
          }
        }
      }
    }
  }

  @Test func limits() {
    var air = Air(NotifBridge.framing)
    let uuid = NotifBridge.uuid(0x47)
    _ = air.send(Array("--START--".utf8), on: uuid)
    var gaps: [Gap] = []
    let chunk = [UInt8](repeating: 0x20, count: 65_535)
    for _ in 0..<130 { gaps += air.send(chunk, on: uuid).compactMap(\.gap) }
    #expect(gaps == [.tooLarge(limit: 8 << 20)])

    // Values without content are counted too.
    let value = VendorValue(
      frames: [PacketID(1)], time: Timestamp(nanoseconds: 0), channel: .characteristic(uuid),
      toServer: true, operation: .write, bytes: [])
    var message = PartialMessage(value, .hostToAccessory, header: 0)
    var values = 1
    while values <= PartialMessage.valueLimit, message.append(value, header: 0) { values += 1 }
    #expect(values == PartialMessage.valueLimit)
  }

  @Test func recentValuesForget() {
    var values = RecentValues<Int, Int>(capacity: 3)
    for key in 0..<10 { values.set(key, key) }
    #expect((0..<10).filter { values[$0] != nil } == [7, 8, 9])
    #expect(values.set(9, 1) == 9)
  }
}
