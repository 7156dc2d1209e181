import Crypto
import FoundationEssentials
import HarkCore
import HarkCrypto
import HarkProfile
import Testing

@testable import HarkSession

/// What NotifBridge's phone writes, made as it makes it.
struct NotifBridgePhone {
  static let identifier = "0F6DA2C1-3C07-4D53-9B44-8A1E2F70C9D1"
  static let session = "11111111-2222-3333-4444-555555555555"
  static let seed = [UInt8](repeating: 7, count: 32)

  let publicKey: [UInt8]
  let encapsulated: [UInt8]
  private let sender: HPKE.Sender

  init() throws {
    let key = try XWingMLKEM768X25519.PrivateKey(
      seedRepresentation: Self.seed, publicKey: nil)
    publicKey = Array(key.publicKey.rawRepresentation)
    sender = try HPKE.Sender(
      recipientKey: key.publicKey,
      ciphersuite: .XWingMLKEM768X25519_SHA256_AES_GCM_256,
      info: Data("XWing-Version1-\(Self.identifier)".utf8))
    encapsulated = Array(sender.encapsulatedKey)
  }

  func seal(_ plaintext: String, _ direction: String, iv: UInt8) throws -> String {
    let context = "XWing-Version1-\(Self.identifier)-\(direction)-\(Self.session)"
    let key = try sender.exportSecret(context: Data(context.utf8), outputByteCount: 32)
    let nonce = try AES.GCM.Nonce(data: [UInt8](repeating: iv, count: 12))
    let box = try AES.GCM.seal(Array(plaintext.utf8), using: key, nonce: nonce)
    return (Data(nonce) + box.ciphertext + box.tag).base64EncodedString()
  }

  var shareKeyEvent: String {
    """
    {"identifier":"\(Self.identifier)","ciphersuite":"XWing","version":"Version1",\
    "encapsulatedKey":"\(text(encapsulated))","publicKey":"\(text(publicKey))",\
    "privateKeySeed":"\(text(Self.seed))"}
    """
  }

  func prepare(exchange: String, receipt: String) -> String {
    """
    {"phase":"prepare","exchangeID":"\(exchange)","receiptID":"\(receipt)",\
    "publicKey":"\(text(publicKey))","privateKeySeed":"\(text(Self.seed))"}
    """
  }

  func activate(exchange: String, receipt: String) -> String {
    """
    {"phase":"activate","exchangeID":"\(exchange)","receiptID":"\(receipt)",\
    "encapsulatedKey":"\(text(encapsulated))","identifier":"\(Self.identifier)",\
    "ciphersuite":"XWing","version":"Version1"}
    """
  }

  func envelope(
    _ plaintext: String, _ direction: String = "HostToAccessory", iv: UInt8 = 1,
    receipt: String? = nil
  ) throws -> String {
    let data = try seal(plaintext, direction, iv: iv)
    let id = receipt.map { ",\"receiptID\":\"\($0)\"" } ?? ""
    return "{\"sessionID\":\"\(Self.session)\",\"data\":\"\(data)\"\(id)}"
  }

  private func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}

extension Air {
  /// Between sentinels, in chunks; what all values gave.
  mutating func message(
    _ text: String, on role: NotifBridge.Role, size: Int = 182,
    _ operation: VendorValue.Operation = .write
  ) -> [AccessoryEvent] {
    let bytes = Array(text.utf8)
    let uuid = NotifBridge.uuid(role.rawValue)
    var events = send(Array("--START--".utf8), on: uuid, operation)
    for start in stride(from: 0, to: bytes.count, by: size) {
      events += send(Array(bytes[start..<min(start + size, bytes.count)]), on: uuid, operation)
    }
    return events + send(Array("--END--".utf8), on: uuid, operation)
  }
}

struct AccessoryNotifBridgeTests {
  static let start = Array("--START--".utf8)
  static let end = Array("--END--".utf8)
  let notification = NotifBridge.uuid(0x47)
  let reverse = NotifBridge.uuid(0x4B)

  @Test func recognised() {
    #expect(NotifBridge.service.description == "D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C44")
    #expect(VendorFramings.known.named(by: NotifBridge.service)?.name == NotifBridge.name)
    #expect(VendorFramings.known.using(characteristic: reverse)?.name == NotifBridge.name)
    #expect(VendorFramings.known.using(characteristic: NotifBridge.uuid(0x45)) == nil)
  }

  @Test func firstVersion() throws {
    let phone = try NotifBridgePhone()
    var air = Air(NotifBridge.framing)
    let keys = air.message(phone.shareKeyEvent, on: .keySharing)
    #expect(keys.count == 3)
    let fingerprint = Fingerprint(publicKey: phone.publicKey)
    #expect(
      keys.first?.content
        == .exposedKey(
          ExposedKeyEvent(fingerprint: fingerprint, suite: .xWing, isNew: true)))
    #expect(keys[1].publicKey?.hasPrivateKey == true)
    #expect(keys[2].encapsulatedKey?.generation == 1)
    #expect(keys[2].encapsulatedKey?.step.message.version == "Version1")
    #expect(air.keys.accessoryKeys.first?.origin.isExposed == true)

    let event = """
      {"version":3,"id":"A0","kind":"remove","sentAt":0.5,\
      "identity":{"sourceIdentifier":"com.a","notificationIdentifier":"n"}}
      """
    let events = air.message(try phone.envelope(event), on: .notification)
    let opened = try #require(events.last?.message?.opened)
    #expect(opened.keyUse.origin.isExposed)
    #expect(
      opened.decoded.contents
        == [.remove(.init(sourceIdentifier: "com.a", notificationIdentifier: "n"))])
    #expect(opened.decoded.sentAt == Timestamp(nanoseconds: 978_307_200_500_000_000))
    #expect(opened.decoded.id == "A0")
  }

  @Test func secondVersion() throws {
    let phone = try NotifBridgePhone()
    var air = Air(NotifBridge.framing)
    _ = air.message(phone.prepare(exchange: "E", receipt: "R1"), on: .keySharing)
    let receipt = "{\"kind\":\"notifbridge.accepted.v1\",\"id\":\"R1\"}"
    let prepared = air.message(receipt, on: .reverseNotify, .indication)
    #expect(prepared.count == 1)
    #expect(prepared.first?.acceptance?.subject == .key(.prepare))

    let active = air.message(phone.activate(exchange: "E", receipt: "R2"), on: .keySharing)
    #expect(active.first?.encapsulatedKey?.step.phase == .activate)
    let done = air.message(
      receipt.replacing("R1", with: "R2"), on: .reverseNotify, .indication)
    #expect(
      done.last?.content
        == .keyExchangeComplete(
          KeyExchangeCompletion(generation: 1, exchangeID: "E", latency: 30_000_000)))

    let command = """
      {"version":3,"id":"C1","kind":"respond","actionIdentifier":"reply","userText":"ok",\
      "identity":{"sourceIdentifier":"com.a","notificationIdentifier":"n"}}
      """
    let sent = air.message(
      try phone.envelope(command, "AccessoryToHost", iv: 2), on: .reverseNotify, .indication)
    #expect(sent.last?.message?.opened?.decoded.contents.count == 1)
    let result = """
      {"version":3,"id":"E2","kind":"commandResult",\
      "result":{"commandID":"c1","success":true,"message":""}}
      """
    let answer = air.message(try phone.envelope(result, iv: 3), on: .notification)
    #expect(answer.last?.message?.opened?.answers?.packet == sent.last?.frames.last)
  }

  @Test func slices() throws {
    var air = Air(NotifBridge.framing)
    func slice(_ id: UInt8, _ bytes: [UInt8]) -> [UInt8] {
      Array("NBW1".utf8) + [UInt8](repeating: id, count: 16) + bytes
    }
    func receipt(_ id: UInt8) -> [UInt8] {
      Array("NBA1".utf8) + [UInt8](repeating: id, count: 16)
    }
    #expect(air.send(slice(1, Self.start), on: notification).isEmpty)
    #expect(air.send(receipt(1), on: reverse, .indication).isEmpty)
    #expect(air.send(slice(2, Array("{}".utf8)), on: notification).isEmpty)
    let next = air.send(slice(3, Self.end), on: notification)
    #expect(next.count == 2)
    #expect(
      next.first?.flowControl
        == .unconfirmed(
          slice: [UInt8](repeating: 2, count: 16), waited: 10_000_000, .startedAgain))
    #expect(next.last?.problem == .unknownObject(members: []))
    #expect(
      air.send(receipt(2), on: reverse, .indication).first?.flowControl
        == .lateReceipt(slice: [UInt8](repeating: 2, count: 16), latency: 20_000_000))
    #expect(
      air.send(receipt(3), on: reverse, .indication).first?.flowControl
        == .confirmed(slices: 2, slowest: 20_000_000))
    #expect(
      air.send(receipt(9), on: reverse, .indication).first?.flowControl
        == .unknownReceipt(slice: [UInt8](repeating: 9, count: 16)))
    _ = air.send(slice(4, Self.start), on: notification)
    let closed = air.close()
    #expect(closed.first?.gap == .startWithoutEnd(.linkClosed))
    #expect(
      closed.last?.flowControl
        == .unconfirmed(slice: [UInt8](repeating: 4, count: 16), waited: 0, .linkClosed))
    #expect(
      air.send(Array("NBW1..".utf8), on: notification).first?.problem
        == .tooShort(field: "Wrapper", needed: 20, available: 6))
  }

  @Test func sentinels() {
    var air = Air(NotifBridge.framing)
    func send(_ text: String) -> [AccessoryEvent] { air.send(Array(text.utf8), on: notification) }
    // A sentinel inside of a value, or split over two, is content.
    _ = send("--START--")
    _ = send("{\"a\":\"--END--")
    _ = send("--EN")
    _ = send("D--\"}")
    let message = send("--END--")
    #expect(message.first?.problem == .unknownObject(members: ["a"]))
    #expect(message.first?.origin.values == 5)
    #expect(message.first?.origin.size == 22)

    // The end of the message, in the packet 5, came twice.
    #expect(send("--END--").first?.gap == .repeated(PacketID(5)))
    _ = send("lost")
    let late = send("--END--")
    #expect(late.first?.gap == .endWithoutStart)
    #expect(late.first?.origin.size == 4)
    _ = send("lost")
    #expect(send("--START--").first?.gap == .outsideMessage(.startedAgain))
    _ = send("{")
    let again = send("--START--")
    #expect(again.first?.gap == .startWithoutEnd(.startedAgain))
    #expect(again.first?.frames.count == 2)
    #expect(send("--END--").first?.problem == .empty)
    #expect(air.close().isEmpty)
    _ = send("--START--")
    _ = send("NB-RECEIVER-READY-1")
    #expect(send("--END--").first?.flowControl == .receiverReady)
  }

  @Test func damagedJSON() throws {
    let phone = try NotifBridgePhone()
    let whole = try phone.envelope("{}")
    func problems(_ text: String) -> [FramingProblem] {
      var air = Air(NotifBridge.framing)
      return air.message(text, on: .notification).compactMap(\.problem)
    }
    #expect(
      problems(String(whole.dropLast(9)))
        == [.truncatedJSON(offset: 0, depth: 1, inString: true)])
    #expect(problems(whole + whole) == [.concatenatedJSON(objects: 2)])
    #expect(problems(whole + "x") == [.notJSON(offset: whole.utf8.count)])
    #expect(problems("[]") == [.unknownArray(items: 0)])
    #expect(problems("12") == [.scalarJSON])
    #expect(problems("1x") == [.notJSON(offset: 0)])
    #expect(problems(String(repeating: "{\"a\":", count: 99)) == [.deepJSON(limit: 64)])
    #expect(problems("{\"sessionID\":\"S\"}") == [.missing(field: "data")])
    let long = String(repeating: "x", count: 256)
    #expect(
      problems("{\"sessionID\":\"\(long)\",\"data\":\"\"}") == [.wrong(field: "sessionID")])
    #expect(problems("{\"sessionID\":{},\"data\":\"\"}") == [.wrong(field: "sessionID")])
    #expect(
      problems("{\"sessionID\":\"S\",\"data\":\"QUJDR\"}")
        == [.base64MidQuantum(field: "data", characters: 5)])
    #expect(
      problems("{\"sessionID\":\"S\",\"data\":\"QU*D\"}")
        == [.base64Character(field: "data", offset: 2)])
    #expect(
      problems("{\"phase\":\"prepare\",\"privateKeySeed\":\"QUJD\"}").first
        == .privateKey(reason: "3 bytes; an X-Wing private key has 32 (its seed)"))
  }

  @Test func brokenMessagesDoNotLeakTheSeed() throws {
    let phone = try NotifBridgePhone()
    var air = Air(NotifBridge.framing)
    for text in [String(phone.shareKeyEvent.dropLast(1)), "{\"privateKeySeed\":\"x\"} y"] {
      for event in air.message(text, on: .keySharing) {
        guard case .unreadable(let message) = event.content else { continue }
        #expect(message.bytes.isEmpty)
      }
    }
  }
}
