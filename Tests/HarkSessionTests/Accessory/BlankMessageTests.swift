import HarkCore
import HarkCrypto
import Testing

@testable import HarkSession

/// Keys, messages and values of nothing but zeros, as redaction leaves them.
struct BlankMessageTests {
  static func blanks(_ events: [AccessoryEvent]) -> [BlankMessage] {
    events.compactMap { if case .blank(let blank) = $0.content { blank } else { nil } }
  }

  static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  /// Neither a wrong key nor one whose exchange begins; and messages, whose IVs are all the same, are no
  /// reuse of one.
  @Test func keysAndMessages() throws {
    var air = Air(Pebble.framing)
    let publicKey = air.send([0x01] + Self.zeros(64), on: Pebble.transmit, .notification)
    #expect(
      Self.blanks(publicKey) == [BlankMessage(subject: .key(.publicKey, .p256), size: 64)])
    #expect(publicKey.count == 1)
    for _ in 0..<2 {
      let message = air.send(
        [0x03, 2] + PebbleSession.message(Self.zeros(60)), on: Pebble.receive)
      #expect(
        Self.blanks(message)
          == [BlankMessage(subject: .message(sessionID: PebbleSession.session), size: 60)])
      #expect(message.allSatisfy { $0.message == nil && $0.observation == nil })
    }
  }

  /// The first of a place alone is reported; that of another link is of another place.
  @Test func values() {
    var air = Air(NotifBridge.framing)
    let place = NotifBridge.uuid(NotifBridge.Role.notification.rawValue)
    let first = air.send(Self.zeros(20), on: place)
    #expect(Self.blanks(first) == [BlankMessage(subject: .value, size: 20)])
    #expect(air.send(Self.zeros(7), on: place).isEmpty)
    // Nothing of a message was begun.
    #expect(air.close().isEmpty)
    #expect(Self.blanks(air.send(Self.zeros(20), on: place, link: 1)).count == 1)
  }

  /// A value of zeros in a message belongs to it.
  @Test func inside() {
    var air = Air(NotifBridge.framing)
    let place = NotifBridge.uuid(NotifBridge.Role.notification.rawValue)
    var events: [AccessoryEvent] = []
    for bytes in [
      Array("--START--".utf8), Array("{\"a\":".utf8), Self.zeros(20), Array("--END--".utf8),
    ] {
      events += air.send(bytes, on: place)
    }
    #expect(Self.blanks(events).isEmpty)
    #expect(events.compactMap(\.problem).count == 1)
    #expect(events.last?.origin.values == 4)
  }
}
