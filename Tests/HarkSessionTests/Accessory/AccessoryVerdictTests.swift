import HarkCore
import HarkCrypto
import Testing

@testable import HarkSession

struct AccessoryVerdictTests {
  let rx = Pebble.receive
  let tx = Pebble.transmit

  func data(_ blob: [UInt8]) -> [UInt8] { [0x03, 2] + PebbleSession.message(blob) }

  func meet() throws -> Air {
    var air = Air(Pebble.framing)
    air.keys.add(try PebbleSession.privateKey())
    _ = air.send([0x01] + PebbleSession.publicKey, on: tx, .notification)
    _ = air.send(PebbleSession.sessionValue, on: rx)
    return air
  }

  @Test func beforeTheExchange() throws {
    var air = Air(Pebble.framing)
    let events = air.send(data(PebbleSession.toAccessory), on: rx)
    #expect(events.last?.message?.verdict == .noEncapsulatedKey(publicKey: nil))
    #expect(events.last?.message?.size == 33)
    #expect(events.last?.message?.sessionID == PebbleSession.session)
  }

  /// What was seen of the exchange is said, and only where the beginning of the link is missing does the
  /// capture start too late.
  @Test(arguments: [false, true])
  func beforeTheEncapsulatedKey(_ isLinkWhole: Bool) throws {
    var air = Air(Pebble.framing)
    air.isLinkWhole = isLinkWhole
    var verdict = air.send(data(PebbleSession.toAccessory), on: rx).last?.message?.verdict
    #expect(verdict == .noEncapsulatedKey(publicKey: nil, isLinkWhole: isLinkWhole))
    let startsLate = "the capture starts after the key exchange"
    #expect("\(try #require(verdict))".contains(startsLate) != isLinkWhole)
    _ = air.send([0x01] + PebbleSession.publicKey, on: tx, .notification)
    let other = PebbleSession.toAccessory.dropLast() + [0]
    // The IV is the same, and that is reported too.
    verdict = air.send(data(Array(other)), on: rx).compactMap(\.message).last?.verdict
    let text = "\(try #require(verdict))"
    #expect(!text.contains(startsLate))
    #expect(text.contains("\(Fingerprint(publicKey: PebbleSession.publicKey))"))
  }

  @Test func withoutThePrivateKey() throws {
    var air = Air(Pebble.framing)
    _ = air.send([0x01] + PebbleSession.publicKey, on: tx, .notification)
    _ = air.send(PebbleSession.sessionValue, on: rx)
    let verdict = air.send(data(PebbleSession.toAccessory), on: rx).last?.message?.verdict
    let fingerprint = Fingerprint(publicKey: PebbleSession.publicKey)
    #expect(verdict == .noPrivateKey(.p256, publicKey: fingerprint))
  }

  @Test func tagFails() throws {
    var air = try meet()
    var blob = PebbleSession.toAccessory
    blob[14] ^= 1
    let verdict = air.send(data(blob), on: rx).last?.message?.verdict
    guard case .tagFails(let candidates, 1, false) = verdict else {
      Issue.record("\(String(describing: verdict))")
      return
    }
    #expect(candidates > 100)
  }

  @Test func tooShortAndCut() throws {
    var air = try meet()
    let short = air.send(data([1, 2, 3]), on: rx)
    #expect(short.last?.message?.verdict == .tooShort(bytes: 3))
    let cut = air.send(data(PebbleSession.toAccessory), on: rx, .write, missing: 7)
    #expect(cut.last?.message?.verdict == .cutByCapture(missingBytes: 7))
    let key = air.send(Array(PebbleSession.sessionValue.prefix(30)), on: rx, .write, missing: 73)
    #expect(key.first?.problem == .cutByCapture(missingBytes: 73))
  }

  @Test func unknownSession() throws {
    var air = try meet()
    let value: [UInt8] = [0x03, 2, 0] + PebbleSession.toAccessory
    let verdict = air.send(value, on: rx).last?.message?.verdict
    guard case .unknownSession = verdict else {
      Issue.record("\(String(describing: verdict))")
      return
    }
  }

  @Test func namesTheWrongPart() throws {
    var air = try meet()
    let sample = try PebbleSession.seal([3], PebbleSession.sampleCodeKey, iv: 7)
    let use = air.send(data(sample), on: rx).last?.message?.opened?.keyUse
    #expect(use?.deviations == [.sampleCode(byteCount: 50)])
    let lower = try PebbleSession.seal([3], PebbleSession.lowerVersionKey, iv: 8)
    let second = air.send(data(lower), on: rx).last?.message?.opened?.keyUse
    #expect(second?.deviations == [.version(used: "version1", expected: "Version1")])
  }

  @Test func nonceReuse() throws {
    var air = try meet()
    let one = try PebbleSession.seal([3], PebbleSession.toAccessoryKey, iv: 5)
    let two = try PebbleSession.seal([2, 0x61], PebbleSession.toAccessoryKey, iv: 5)
    #expect(air.send(data(one), on: rx).last?.message?.opened != nil)
    let events = air.send(data(two), on: rx)
    #expect(events.last?.observation == .nonceReuse(with: PacketID(3), isCertain: true))
  }

  @Test func staleGeneration() throws {
    var air = try meet()
    var value = PebbleSession.sessionValue
    // Another point of the curve: the accessory's own public key.
    value.replaceSubrange(2..<66, with: PebbleSession.publicKey)
    let rekey = air.send(value, on: rx).first?.encapsulatedKey
    #expect(rekey?.generation == 2)
    #expect(rekey?.replaces == 1)
    let events = air.send(data(PebbleSession.toAccessory), on: rx)
    #expect(events.contains { $0.message?.opened?.keyUse.exchange?.generation == 1 })
    #expect(
      events.last?.observation == .staleGeneration(used: 1, newest: 2, since: PacketID(3)))
    let again = air.send(value, on: rx).first?.encapsulatedKey
    #expect(again?.generation == 2)
    #expect(again?.repeats == PacketID(3))
    #expect(again?.replaces == nil)
  }

  @Test func answers() throws {
    var air = try meet()
    let add = try PebbleSession.seal([1, 5, 2, 0x6E, 0x31], PebbleSession.toAccessoryKey, iv: 1)
    _ = air.send(data(add), on: rx)
    let text: [UInt8] = [2, 0x6E, 0x31, 1, 0x72, 2, 0, 0x4F, 0x4B]
    let reply = try PebbleSession.seal(text, PebbleSession.toHostKey, iv: 2)
    let events = air.send([0x82, 2] + PebbleSession.message(reply), on: tx, .notification)
    let answers = events.last?.message?.opened?.answers
    #expect(answers == EarlierMessage(packet: PacketID(3), latency: 10_000_000))
  }
}
