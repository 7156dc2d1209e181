import HarkCore
import HarkCrypto
import HarkProfile
import Testing

@testable import HarkSession

struct AccessoryPebbleTests {
  let tx = Pebble.transmit
  let rx = Pebble.receive

  /// Up to the exchanged keys.
  func meet(withKey: Bool = true) throws -> Air {
    var air = Air(Pebble.framing)
    if withKey { air.keys.add(try PebbleSession.privateKey()) }
    _ = air.send([0x01] + PebbleSession.publicKey, on: tx, .notification)
    _ = air.send(PebbleSession.sessionValue, on: rx)
    return air
  }

  func data(_ blob: [UInt8], flags: UInt8 = 2) -> [UInt8] {
    [0x03, flags] + PebbleSession.message(blob)
  }

  @Test func recognised() {
    #expect(VendorFramings.known.named(by: Pebble.service)?.name == Pebble.name)
    #expect(Pebble.service.description == "50000000-328E-0FBB-C642-1AA6699BDADA")
    #expect(tx.description == "50000001-328E-0FBB-C642-1AA6699BDADA")
    #expect(VendorFramings.known.using(characteristic: rx)?.name == Pebble.name)
    #expect(VendorFramings.known.using(characteristic: Pebble.service) == nil)
    #expect(VendorFramings.known.using(characteristic: BluetoothUUID(UInt16(0x2A00))) == nil)
  }

  @Test func wholeSession() throws {
    var air = Air(Pebble.framing)
    air.keys.add(try PebbleSession.privateKey())
    let announced = air.send([0x01] + PebbleSession.publicKey, on: tx, .notification)
    let publicKey = try #require(announced.first?.publicKey)
    #expect(publicKey.hasPrivateKey)
    #expect(publicKey.fingerprint == Fingerprint(publicKey: PebbleSession.publicKey))
    #expect(announced.first?.direction == .accessoryToHost)

    let exchange = air.send(PebbleSession.sessionValue, on: rx)
    let key = try #require(exchange.first?.encapsulatedKey)
    #expect(key.generation == 1)
    #expect(key.replaces == nil)
    #expect(key.step.message.identifier == PebbleSession.identifier)
    #expect(key.publicKey == publicKey.fingerprint)

    let events = air.send(data(PebbleSession.toAccessory), on: rx)
    #expect(events.count == 2)
    #expect(events.first?.content == .sessionSeen(.init(sessionID: PebbleSession.session)))
    let opened = try #require(events.last?.message?.opened)
    #expect(opened.plaintext == Array("hello".utf8))
    #expect(opened.keyUse.deviations.isEmpty)
    #expect(opened.keyUse.exchange?.generation == 1)
    #expect(opened.decoded.problem == .unknownType(0x68))

    let reply = air.send(
      [0x82, 2] + PebbleSession.message(PebbleSession.toHost), on: tx, .notification)
    #expect(reply.count == 1)
    #expect(reply.first?.message?.opened?.plaintext == Array("hello".utf8))
    #expect(reply.first?.direction == .accessoryToHost)
  }

  @Test func fragments() throws {
    var air = try meet()
    let message = PebbleSession.message(PebbleSession.toAccessory)
    #expect(air.send([0x03, 3] + message.prefix(20), on: rx, .writeCommand).isEmpty)
    #expect(air.send([0x03, 1] + message[20..<40], on: rx, .writeCommand).isEmpty)
    let events = air.send([0x03, 0] + message[40...], on: rx)
    #expect(events.last?.message?.opened != nil)
    #expect(events.last?.frames == [PacketID(3), PacketID(4), PacketID(5)])
    #expect(events.last?.origin.size == message.count)
    #expect(events.last?.message?.size == PebbleSession.toAccessory.count)
  }

  @Test func gaps() throws {
    var air = try meet()
    let message = PebbleSession.message(PebbleSession.toAccessory)
    #expect(air.send([0x03, 1, 9], on: rx).first?.gap == .continuationWithoutFirst)
    _ = air.send([0x03, 3] + message.prefix(20), on: rx)
    let again = air.send([0x03, 2] + message, on: rx)
    #expect(again.first?.gap == .moreWithoutLast(.startedAgain))
    #expect(again.first?.origin.size == 20)
    #expect(again.last?.message?.opened != nil)
    _ = air.send([0x03, 3] + message.prefix(20), on: rx)
    #expect(air.close().first?.gap == .moreWithoutLast(.linkClosed))
    #expect(air.close(.captureEnded).isEmpty)
  }

  /// The link closes after the first part, and the sender continues on the next one: one message is lost, and its rest
  /// has one row. What follows is another message.
  @Test func restOnNextLink() throws {
    var air = try meet()
    let message = PebbleSession.message(PebbleSession.toAccessory)
    _ = air.send([0x03, 3] + message.prefix(20), on: rx)
    let first = air.packet
    #expect(air.close().map(\.gap) == [.moreWithoutLast(.linkClosed)])
    let rest = air.send([0x03, 1] + message[20..<30], on: rx, link: 1)
    #expect(rest.map(\.gap) == [.rest(of: PacketID(first))])
    #expect(rest.first?.origin.size == 12)
    #expect(air.send([0x03, 1] + message[30..<40], on: rx, link: 1).isEmpty)
    #expect(air.send([0x03, 0] + message[40...], on: rx, link: 1).isEmpty)
    let next = air.send([0x03, 2] + message, on: rx, link: 1)
    #expect(next.contains { $0.message != nil })
    let other = air.send([0x03, 0, 1], on: rx, link: 1)
    #expect(other.map(\.gap) == [.continuationWithoutFirst])
  }

  @Test func linksAreApart() throws {
    var air = try meet()
    let message = PebbleSession.message(PebbleSession.toAccessory)
    _ = air.send([0x03, 3] + message.prefix(20), on: rx)
    let other = air.send([0x03, 0, 1], on: rx, .write, link: 1)
    #expect(other.first?.gap == .continuationWithoutFirst)
    #expect(air.close(link: 1).isEmpty)
    let events = air.send([0x03, 0] + message[20...], on: rx)
    #expect(events.last?.message?.opened != nil)
    for link in 100..<200 {
      _ = air.send([0x03, 3, 1], on: rx, .write, link: UInt32(link))
    }
    #expect(air.close(link: 199).count == 1)
    #expect(air.close(link: 100).isEmpty)
  }

  @Test func surviveReconnect() throws {
    var air = try meet()
    _ = air.close()
    let events = air.send(data(PebbleSession.toAccessory), on: rx)
    #expect(events.last?.message?.opened != nil)
    #expect(events.last?.message?.followsKeyOnLink == false)
    _ = air.send(PebbleSession.sessionValue, on: rx)
    let data2 = try PebbleSession.seal([3], PebbleSession.toAccessoryKey, iv: 9)
    #expect(air.send(data(data2), on: rx).first?.message?.followsKeyOnLink == true)
    _ = air.close()
    let retry = air.send(data(PebbleSession.toAccessory), on: rx)
    #expect(retry.count == 2)
    #expect(retry.last?.observation == .duplicate(of: PacketID(3)))
    #expect(retry.first?.message?.observations == [.duplicate(of: PacketID(3))])
  }

  /// A reply with an action that its notification does not offer, and one to a notification that was removed.
  @Test func doubtfulReplies() throws {
    var air = try meet()
    var iv: UInt8 = 0
    func show(_ plaintext: [UInt8]) throws {
      iv += 1
      let blob = try PebbleSession.seal(plaintext, PebbleSession.toAccessoryKey, iv: iv)
      _ = air.send(data(blob), on: rx)
    }
    func doubt(_ plaintext: [UInt8]) throws -> NotificationResponse.Doubt? {
      iv += 1
      let blob = try PebbleSession.seal(plaintext, PebbleSession.toHostKey, iv: iv)
      let events = air.send([0x82, 2] + PebbleSession.message(blob), on: tx, .notification)
      guard
        case .response(let response) = try #require(
          events.last?.message?.opened?.decoded.contents.first)
      else {
        Issue.record("\(events)")
        return nil
      }
      return response.doubt
    }
    // Of notification n1 with the actions r and x, without text.
    let offered: [UInt8] = [2, 0x6E, 0x31, 1, 0x72, 0, 0]
    let other: [UInt8] = [2, 0x6E, 0x31, 1, 0x78, 0, 0]
    // Nothing shows what it offers.
    #expect(try doubt(other) == nil)
    let identifier: [UInt8] = [5, 2, 0x6E, 0x31]
    // Without actions, it does not say what is possible.
    try show([1] + identifier)
    #expect(try doubt(other) == nil)
    try show([1] + identifier + [7, 7, 1, 1, 0x72, 3, 0x52, 0x65, 0x70])
    #expect(try doubt(offered) == nil)
    #expect(try doubt(other) == .notOffered)
    // The rest of a notification that ends early may offer it.
    try show([1] + identifier + [7, 7, 1, 1, 0x72, 3, 0x52, 0x65, 0x70, 7, 9, 0])
    #expect(try doubt(other) == nil)
    try show([2, 0x6E, 0x31])
    #expect(try doubt(offered) == .removed)
    try show([1] + identifier + [7, 7, 1, 1, 0x72, 3, 0x52, 0x65, 0x70])
    #expect(try doubt(offered) == nil)
    try show([3])
    #expect(try doubt(offered) == .removed)
  }

  @Test func malformed() throws {
    var air = Air(Pebble.framing)
    #expect(air.send([], on: rx).first?.problem == .empty)
    #expect(air.send([0x77], on: rx).first?.problem == .unknownType(0x77))
    // A kind of the other direction.
    #expect(air.send([0x82, 2, 0], on: rx).first?.problem == .unknownType(0x82))
    #expect(
      air.send([0x01, 1, 2], on: tx, .notification).first?.problem
        == .keySize(.publicKey, found: 2))
    #expect(
      air.send([0x02, 4], on: rx).first?.problem
        == .tooShort(field: "Encapsulated Key", offset: 1, needed: 65, available: 1))
    #expect(
      air.send([0x02] + PebbleSession.encapsulated + [9, 65], on: rx).first?.problem
        == .tooShort(field: "Identifier", offset: 67, needed: 9, available: 1))
    #expect(
      air.send([0x03], on: rx).first?.problem
        == .tooShort(field: "Flags", offset: 1, needed: 1, available: 0))
    #expect(
      air.send([0x03, 2, 36, 65], on: rx).first?.problem
        == .tooShort(field: "Session ID", offset: 1, needed: 36, available: 1))
    #expect(
      air.send([UInt8](repeating: 3, count: 513), on: rx).first?.problem
        == .valueTooLong(size: 513, limit: 512))
    let trailing = air.send(PebbleSession.sessionValue + [0], on: rx)
    #expect(trailing.first?.encapsulatedKey != nil)
    #expect(trailing.last?.problem == .trailing(offset: 103, count: 1))
    #expect(air.send([0x03, 2, 0], on: rx, .read).isEmpty)
  }

  @Test func present() throws {
    let plaintext =
      [1, 1, 2, 0x48, 0x69, 3, 1, 0x21, 4, 4] + Array("Mail".utf8) + [5, 2, 0x6E, 0x31, 6, 1, 1]
      + [7, 7, 1, 1, 0x72, 3, 0x52, 0x65, 0x70] + [9, 1, 0xFF]
    let decoded = Pebble.decode(plaintext: plaintext, direction: .hostToAccessory)
    #expect(decoded.problem == nil)
    guard case .present(let notification) = decoded.contents.first else {
      Issue.record("not a notification")
      return
    }
    #expect(notification.title == "Hi")
    #expect(notification.body == "!")
    #expect(notification.sourceName == "Mail")
    #expect(notification.identifier == .init(notificationIdentifier: "n1"))
    #expect(notification.alerting.shouldAlert == true)
    #expect(
      notification.actions
        == [.init(identifier: "r", title: "Rep", type: .textInput(placeholder: nil))])
    // Every byte belongs to exactly one field.
    #expect(decoded.fields.flatMap { Array($0.range) } == Array(plaintext.indices))
    #expect(decoded.fields.last?.name == "Unknown")
    for count in plaintext.indices {
      let part = Pebble.decode(
        plaintext: Array(plaintext.prefix(count)), direction: .hostToAccessory)
      #expect(part.fields.allSatisfy { $0.range.upperBound <= count })
    }
  }

  @Test func otherPlaintexts() {
    #expect(
      Pebble.decode(plaintext: [2, 0x6E, 0x31], direction: .hostToAccessory).contents
        == [.remove(.init(notificationIdentifier: "n1"))])
    #expect(
      Pebble.decode(plaintext: [3], direction: .hostToAccessory).contents
        == [.removeAllNotifications])
    #expect(
      Pebble.decode(plaintext: [3, 0], direction: .hostToAccessory).problem
        == .trailing(offset: 1, count: 1))
    #expect(Pebble.decode(plaintext: [], direction: .hostToAccessory).problem == .empty)
    let short = Pebble.decode(plaintext: [1, 1, 1, 0x41, 3, 9, 0x42], direction: .hostToAccessory)
    #expect(
      short.problem == .tooShort(field: "Field", offset: 6, needed: 9, available: 1))
    #expect(short.contents.count == 1)
    let reply = Pebble.decode(
      plaintext: [2, 0x6E, 0x31, 1, 0x72, 2, 0, 0x4F, 0x4B], direction: .accessoryToHost)
    #expect(
      reply.contents
        == [
          .response(
            NotificationResponse(
              identifier: .init(notificationIdentifier: "n1"), actionIdentifier: "r",
              userText: "OK"))
        ])
  }
}
