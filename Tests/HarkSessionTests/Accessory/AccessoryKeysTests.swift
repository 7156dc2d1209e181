import HarkCore
import HarkCrypto
import HarkProfile
import Testing

@testable import HarkSession

/// Whose keys open a message: of several phones, several addresses, and refused exchanges.
struct AccessoryKeysTests {
  /// Several devices on several links; packets are numbered from 1.
  private struct Room {
    var accessories = Accessories()
    var keys = KeyRing()
    var packet: UInt32 = 0

    init() throws { keys.add(try PebbleSession.privateKey()) }

    /// - Parameter peer: The phone, if the recorded host is the accessory; otherwise nil.
    mutating func send(
      _ bytes: [UInt8], on uuid: BluetoothUUID = Pebble.receive,
      _ operation: VendorValue.Operation = .write, device: Int = 0, peer: UInt32? = nil
    ) -> [AccessoryEvent] {
      packet += 1
      let link = LinkID(Int(peer ?? UInt32(device)))
      var value = VendorValue(
        frames: [PacketID(packet)], time: Timestamp(microseconds: Int64(packet) * 10_000),
        channel: .characteristic(uuid), toServer: uuid == Pebble.receive, operation: operation,
        bytes: bytes, link: UInt32(link.index))
      value.peer = peer
      let owner: Session.DatabaseKey = peer == nil ? .device(DeviceID(device)) : .local(0)
      return accessories.receive(
        value, owner, link, by: .known, keys: &keys, identifiers: [])
    }

    mutating func announce(device: Int = 0, peer: UInt32? = nil) {
      _ = send(
        [0x01] + PebbleSession.publicKey, on: Pebble.transmit, .notification, device: device,
        peer: peer)
    }

    mutating func close(device: Int) {
      _ = accessories.linkClosed(LinkID(device), .linkClosed, keys: &keys)
    }
  }

  private static func data(iv: UInt8) throws -> [UInt8] {
    [0x03, 2]
      + PebbleSession.message(try PebbleSession.seal([3], PebbleSession.toAccessoryKey, iv: iv))
  }

  /// Another phone's: its encapsulated key is another point of the curve, and its name for the accessory is its own.
  private static var otherExchange: [UInt8] {
    var value = nextExchange
    value.replaceSubrange(67..<75, with: Array("0A11C10B".utf8))
    return value
  }

  /// The same phone's next one.
  private static var nextExchange: [UInt8] {
    var value = PebbleSession.sessionValue
    value.replaceSubrange(2..<66, with: PebbleSession.publicKey)
    return value
  }

  @Test func generationsOfTwoPhones() throws {
    var room = try Room()
    room.announce(peer: 1)
    let one = room.send(PebbleSession.sessionValue, peer: 1).first?.encapsulatedKey
    let two = room.send(Self.otherExchange, peer: 2).first?.encapsulatedKey
    #expect(one?.generation == 1 && two?.generation == 1)
    #expect(two?.replaces == nil)
    let events = room.send(try Self.data(iv: 1), peer: 1)
    #expect(events.contains { $0.message?.opened?.keyUse.exchange?.generation == 1 })
    #expect(!events.contains { $0.observation != nil })
    // Each phone's own next exchange ends its keys, also from another address: its name for the accessory stays.
    let next = room.send(Self.nextExchange, peer: 3).first?.encapsulatedKey
    #expect(next?.generation == 2 && next?.replaces == 1)
    let stale = room.send(try Self.data(iv: 2), peer: 1)
    #expect(
      stale.last?.observation == .staleGeneration(used: 1, newest: 2, since: PacketID(5)))
    // The accessory, or a replay, uses one phone's keys with another phone.
    let mixed = room.send(try Self.data(iv: 4), peer: 2).compactMap(\.message).last?.verdict
    #expect(mixed == .keysOfOther(exchange: PacketID(2)))
    // What has made no exchange may be a phone with a new address.
    let unknown = room.send(try Self.data(iv: 5), peer: 4).compactMap(\.message).last?.opened
    #expect(unknown?.keyUse.exchange?.packet == PacketID(2))
  }

  /// A public key is random: who announces it is the same accessory.
  @Test func anotherAddress() throws {
    var room = try Room()
    room.announce()
    _ = room.send(PebbleSession.sessionValue)
    room.close(device: 0)
    room.announce(device: 1)
    let opened = room.send(try Self.data(iv: 1), device: 1).compactMap(\.message).last?.opened
    #expect(opened?.keyUse.exchange?.packet == PacketID(2))
    #expect(opened?.keyUse.deviations.isEmpty == true)
  }

  @Test func keysOfAnotherAccessory() throws {
    var room = try Room()
    room.announce()
    _ = room.send(PebbleSession.sessionValue)
    // Both are connected.
    let verdict = room.send(try Self.data(iv: 1), device: 1).compactMap(\.message).last?.verdict
    #expect(verdict == .keysOfOther(exchange: PacketID(2)))
    #expect(try #require(verdict).description.contains("another device's exchange in packet 2"))
    // No exchange explains damaged data.
    var damaged = try Self.data(iv: 2)
    damaged[damaged.count - 1] ^= 1
    let other = room.send(damaged, device: 1).compactMap(\.message).last?.verdict
    #expect(other == .noEncapsulatedKey(publicKey: nil))
  }

  @Test func refusedExchange() throws {
    var room = try Room()
    room.announce()
    _ = room.send(PebbleSession.sessionValue, .refused(0x0E))
    let verdict = room.send(try Self.data(iv: 1)).compactMap(\.message).last?.verdict
    #expect(verdict == .keysRefused(exchange: PacketID(2)))
    // The phone sends it again.
    _ = room.send(PebbleSession.sessionValue)
    #expect(room.send(try Self.data(iv: 2)).contains { $0.message?.opened != nil })
  }

  /// The second of three fragments is refused.
  @Test(arguments: [false, true]) func refusedFragment(_ isSentAgain: Bool) throws {
    var room = try Room()
    room.announce()
    _ = room.send(PebbleSession.sessionValue)
    let message = PebbleSession.message(PebbleSession.toAccessory)
    _ = room.send([0x03, 3] + message.prefix(50))
    let second: [UInt8] = [0x03, 1] + message[50..<55]
    _ = room.send(second, .refused(0x11))
    if isSentAgain { _ = room.send(second) }
    let last = room.send([0x03, 0] + message[55...]).compactMap(\.message).last
    #expect(isSentAgain ? last?.opened != nil : last?.verdict == .partRefused(PacketID(4)))
  }

  /// One of three fragments is sent twice. The first flag resets a receiver, and nothing continues after the last one.
  @Test(arguments: 0...2) func repeatedFragment(_ repeated: Int) throws {
    var room = try Room()
    room.announce()
    _ = room.send(PebbleSession.sessionValue)
    let message = PebbleSession.message(PebbleSession.toAccessory)
    let fragments: [[UInt8]] = [
      [0x03, 3] + message.prefix(50), [0x03, 1] + message[50..<55], [0x03, 0] + message[55...],
    ]
    var events: [AccessoryEvent] = []
    for (index, fragment) in fragments.enumerated() {
      events += room.send(fragment)
      if index == repeated { events += room.send(fragment) }
    }
    let outcomes = events.compactMap(\.message)
    let gaps = events.compactMap { event in
      if case .incomplete(let gap) = event.content { gap } else { nil }
    }
    #expect(outcomes.count == 1)
    switch repeated {
    case 0:
      #expect(gaps == [.begunAgain(PacketID(4))])
      #expect(outcomes.first?.opened != nil)
    case 1:
      let repetition = Repetition(packet: PacketID(5), original: PacketID(4))
      #expect(outcomes.first?.verdict == .partRepeated(repetition))
      #expect(
        outcomes.first?.verdict?.description.contains("packet 5 repeats packet 4") == true)
    default:
      #expect(gaps == [.repeated(PacketID(5))])
      #expect(outcomes.first?.opened != nil)
    }
  }

  /// Two equal fragments may both belong to a message, and a wrong key is no repetition's fault.
  @Test func equalFragments() throws {
    var room = try Room()
    room.announce()
    _ = room.send(PebbleSession.sessionValue)
    let sealed = try PebbleSession.seal([3], PebbleSession.toAccessoryKey, iv: 7)
    // The IV consists of twelve equal bytes.
    let message = PebbleSession.message(sealed)
    _ = room.send([0x03, 3] + message.prefix(37))
    for place in [37, 43] { _ = room.send([0x03, 1] + message[place..<(place + 6)]) }
    #expect(room.send([0x03, 0] + message[49...]).contains { $0.message?.opened != nil })
    var wrong = sealed
    wrong[wrong.count - 1] ^= 1
    let damaged = PebbleSession.message(wrong)
    _ = room.send([0x03, 3] + damaged.prefix(37))
    for place in [37, 43] { _ = room.send([0x03, 1] + damaged[place..<(place + 6)]) }
    let verdict = room.send([0x03, 0] + damaged[49...]).compactMap(\.message).last?.verdict
    if case .tagFails = verdict {} else { Issue.record("\(String(describing: verdict))") }
  }

  /// Two threads send a message each, and each waits for the response to its last part.
  @Test func interleavedMessages() throws {
    var room = try Room()
    room.announce()
    _ = room.send(PebbleSession.sessionValue)
    func fragments(_ iv: UInt8) throws -> [[UInt8]] {
      let message = PebbleSession.message(
        try PebbleSession.seal([3, iv], PebbleSession.toAccessoryKey, iv: iv))
      return [
        [0x03, 3] + message.prefix(30), [0x03, 1] + message[30..<50], [0x03, 0] + message[50...],
      ]
    }
    // Packets 3 to 8.
    var events: [AccessoryEvent] = []
    for (one, other) in zip(try fragments(1), try fragments(2)) {
      events += room.send(one)
      events += room.send(other)
    }
    let gaps = events.compactMap { event in
      if case .incomplete(let gap) = event.content { gap } else { nil }
    }
    #expect(
      events.compactMap(\.message).map(\.verdict) == [.partsInterleaved(PacketID(3))])
    #expect(gaps == [.moreWithoutLast(.startedAgain), .interleaved(PacketID(4))])
    // What comes later is a message of its own.
    var last: [AccessoryEvent] = []
    for fragment in try fragments(3) { last += room.send(fragment) }
    #expect(last.contains { $0.message?.opened != nil })
  }

  /// A notification that the phone's extension sends without sealing it, whether the key is known or not.
  @Test(arguments: [true, false]) func notEncrypted(_ hasExchange: Bool) throws {
    var room = try Room()
    room.announce()
    if hasExchange { _ = room.send(PebbleSession.sessionValue) }
    var plaintext: [UInt8] = [1]
    for (tag, text) in [(1, "Title"), (3, "A body that needs more room"), (4, "App"), (5, "n1")] {
      plaintext += [UInt8(tag), UInt8(text.utf8.count)]
      plaintext += Array(text.utf8)
    }
    plaintext += [6, 1, 1]
    let clear = room.send([0x03, 2] + PebbleSession.message(plaintext)).compactMap(\.message)
    #expect(clear.last?.verdict == .notEncrypted)
  }
}
