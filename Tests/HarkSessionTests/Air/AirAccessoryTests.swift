import HarkCore
import HarkCrypto
import HarkProfile
import Testing

@testable import HarkSession

/// Two phones that use one accessory one after the other, received over the air: each has its own keys.
@Suite struct AirAccessoryTests {
  private static let second = BluetoothAddress(0xC0_0102_0304_06, .random)
  private static let (transmit, receive): (UInt8, UInt8) = (0x12, 0x15)

  private static func att(_ air: inout MadeAir, _ side: Int, _ pdu: [UInt8]) {
    let header: [UInt8] = [UInt8(pdu.count), 0, 4, 0]
    air.send(side, llid: 2, header + pdu)
  }

  private static func discover(_ air: inout MadeAir) {
    for (handle, properties, uuid) in [
      (transmit, UInt8(0x10), Pebble.transmit), (receive, 0x0C, Pebble.receive),
    ] {
      let octets: [UInt8] = (0..<16).map { (place: Int) -> UInt8 in
        let half = place < 8 ? uuid.low : uuid.high
        return UInt8(truncatingIfNeeded: half >> UInt64(8 * (place % 8)))
      }
      att(&air, 0, [0x08, handle - 1, 0, 0xFF, 0xFF, 0x03, 0x28])
      let declaration: [UInt8] = [0x09, 21, handle - 1, 0, properties, handle, 0]
      att(&air, 1, declaration + octets)
    }
  }

  private static func write(_ air: inout MadeAir, _ value: [UInt8]) {
    let header: [UInt8] = [0x12, receive, 0]
    att(&air, 0, header + value)
    att(&air, 1, [0x13])
  }

  private static func data(iv: UInt8) throws -> [UInt8] {
    [0x03, 2]
      + PebbleSession.message(try PebbleSession.seal([3], PebbleSession.toAccessoryKey, iv: iv))
  }

  /// - Parameter hasOwn: Whether the second phone exchanges keys itself; otherwise it may be the first one with another
  ///   address.
  @Test(arguments: [true, false]) func keysOfTheOtherPhone(hasOwn: Bool) throws {
    var air = MadeAir()
    air.connect()
    Self.discover(&air)
    let notification: [UInt8] = [0x1B, Self.transmit, 0, 0x01]
    Self.att(&air, 1, notification + PebbleSession.publicKey)
    Self.write(&air, PebbleSession.sessionValue)
    Self.write(&air, try Self.data(iv: 1))
    air.control(0, "02 13")
    air.connect(from: Self.second)
    var exchange = PebbleSession.sessionValue
    exchange.replaceSubrange(2..<66, with: PebbleSession.publicKey)
    exchange.replaceSubrange(67..<75, with: Array("0A11C10B".utf8))
    if hasOwn { Self.write(&air, exchange) }
    Self.write(&air, try Self.data(iv: 2))
    var keys = KeyRing()
    keys.add(try PebbleSession.privateKey())
    let contents = air.session(keys: keys).compactMap { event -> AccessoryEvent? in
      if case .accessory(let accessory) = event.content { accessory } else { nil }
    }
    let generations = contents.compactMap(\.encapsulatedKey).map(\.generation)
    #expect(generations == (hasOwn ? [1, 1] : [1]))
    let messages = contents.compactMap(\.message)
    #expect(messages.count == 2)
    #expect(messages.first?.opened != nil)
    let exchanged = messages.first?.opened?.keyUse.exchange?.packet ?? PacketID(0)
    #expect(
      hasOwn
        ? messages.last?.verdict == .keysOfOther(exchange: exchanged)
        : messages.last?.opened?.keyUse.exchange?.packet == exchanged)
  }
}
