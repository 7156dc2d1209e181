import Crypto
import HarkCore
import Testing

@testable import HarkCrypto

@Suite struct DecryptorTests {
  let info = "XWing-Version1-\(Sample.identifier)"
  var context: String { "\(info)-HostToAccessory-\(Sample.session)" }

  @Test func encapsulatedKeyNeverSeen() throws {
    var scene = try Scene(.xWing)
    let blob = [UInt8](repeating: 1, count: 40)
    #expect(scene.open(blob).verdict == .noEncapsulatedKey(publicKey: nil))
    _ = scene.decryptor.publicKey(scene.key.publicKey, suite: .xWing)
    let verdict = scene.open([UInt8](repeating: 2, count: 40)).verdict
    #expect(verdict == .noEncapsulatedKey(publicKey: scene.key.fingerprint))
    let start = "the accessory announced public key "
    #expect(verdict?.description.hasPrefix(start) == true)
  }

  /// A right key with another form of the message, which its tag proves: NIST SP 800-38D, 7.1, and RFC 8439, 2.8.
  @Test func wrongForms() throws {
    var scene = try Scene(.xWing)
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone)
    let key = try phone.export(context)
    let text = Array("hello, accessory".utf8)
    func sealed(_ data: [UInt8]) throws -> [UInt8] {
      Array(try #require(try AES.GCM.seal(text, using: key, authenticating: data).combined))
    }
    let whole = try phone.seal("hello, accessory", context)
    let (iv, tag) = (whole.prefix(12), whole.suffix(16))
    let ciphertext = whole.dropFirst(12).dropLast(16)
    let uuid = try #require(Hex.bytes(Sample.session.filter { $0 != "-" }))
    let chaCha = Array(try ChaChaPoly.seal(text, using: key).combined)
    let forms: [([UInt8], WrongForm)] = [
      (try sealed(Array(Sample.session.utf8)), .additionalData(.session)),
      (try sealed(uuid), .additionalData(.sessionBytes)),
      (try sealed(Array(context.utf8)), .additionalData(.context)),
      (try sealed(Array(info.utf8)), .additionalData(.info)),
      (Array(whole.dropLast(1)), .shortTag(bytes: 15)),
      (Array(whole.dropLast(4)), .shortTag(bytes: 12)), (chaCha, .chaCha20Poly1305),
      (Array(iv + tag + ciphertext), .tagFirst), (Array(ciphertext + tag + iv), .ivLast),
    ]
    for (blob, form) in forms { #expect(scene.open(blob).verdict == .wrongForm(form)) }
    // Damage, and data that nobody can guess, stay what they are.
    var damaged = whole
    damaged[14] ^= 1
    for blob in [damaged, try sealed([1, 2, 3])] {
      guard case .tagFails = scene.open(blob).verdict else {
        Issue.record("\(String(describing: scene.open(blob).verdict))")
        continue
      }
    }
    // The same with a key that opened a message before.
    #expect(scene.open(whole).plaintext == text)
    #expect(scene.open(Array(whole.dropLast(2))).verdict == .wrongForm(.shortTag(bytes: 14)))
  }

  @Test func noPrivateKey() throws {
    var scene = try Scene(.xWing)
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone)
    let blob = try phone.seal("hi", context)
    let keys = scene.ring
    scene.ring = KeyRing()
    let fingerprint = scene.key.fingerprint
    let locked = scene.open(blob)
    #expect(locked.verdict == .noPrivateKey(.xWing, publicKey: fingerprint))
    #expect(
      locked.verdict?.description
        == "the private key of public key \(fingerprint) (X-Wing) is missing; add it to a key file"
    )
    scene.ring.add(try accessoryKey(.xWing, String(repeating: "02", count: 32)))
    #expect(scene.open(blob).verdict == .noPrivateKey(.xWing, publicKey: fingerprint))
    scene.ring = keys
    scene.ring.add(try accessoryKey(.xWing, String(repeating: "02", count: 32)))
    #expect(scene.open(blob).plaintext != nil, "a key that comes later opens what was locked")
  }

  @Test func publicKeyNeverSeen() throws {
    var scene = try Scene(.xWing)
    scene.ring = KeyRing()
    let phone = try Phone(scene.key, info: info)
    _ = scene.decryptor.encapsulatedKey(
      EncapsulatedKey(
        phone.encapsulatedKey, suite: .xWing, packet: PacketID(1), identifier: Sample.identifier))
    let blob = try phone.seal("hi", context)
    #expect(scene.open(blob).verdict == .noPrivateKey(.xWing, publicKey: nil))
    scene.ring.add(try accessoryKey(.xWing, String(repeating: "02", count: 32)))
    scene.ring.add(scene.key)
    let opened = scene.open(blob)
    #expect(opened.keyUse?.exchange?.privateKey == scene.key.fingerprint)
    #expect(opened.keyUse?.deviations == [])
  }

  @Test func anotherPublicKeyThanAnnounced() throws {
    var scene = try Scene(.p256)
    let other = try accessoryKey(.p256, String(repeating: "02", count: 32))
    scene.ring.add(other)
    let info = "P256-Version1-\(Sample.identifier)"
    let phone = try Phone(other, info: info)
    scene.exchange(phone)
    let opened = scene.open(try phone.seal("hi", "\(info)-HostToAccessory-\(Sample.session)"))
    let expected = NonstandardDerivation.otherPublicKey(
      used: other.fingerprint, announced: scene.key.fingerprint)
    #expect(opened.keyUse?.deviations == [expected])
  }

  @Test func tagFails() throws {
    var scene = try Scene(.xWing)
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone)
    var blob = try phone.seal("hi", context)
    blob[20] ^= 1
    let verdict = scene.open(blob).verdict
    guard case .tagFails(let candidates, 1, false) = verdict else {
      Issue.record("\(String(describing: verdict))")
      return
    }
    #expect(candidates >= 144)
    #expect(verdict?.description.hasPrefix("no key gives the right tag (") == true)
  }

  @Test func manyFailuresEndTheSearch() throws {
    var scene = try Scene(.xWing)
    scene.exchange(try Phone(scene.key, info: info))
    var verdict: Verdict?
    for number in 0...Decryptor.mostFailures {
      verdict = scene.open([UInt8](repeating: UInt8(number), count: 60)).verdict
    }
    #expect(verdict == .tagFails(candidates: 1, generations: 1, isLimited: true))
  }

  @Test func sessionUnknown() throws {
    var scene = try Scene(.xWing)
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone)
    let blob = try phone.seal("hi", context)
    guard case .unknownSession = scene.open(blob, session: nil).verdict else {
      Issue.record("opened without a session")
      return
    }
    _ = scene.open(try phone.seal("a message that names the session", context))
    let opened = scene.open(try phone.seal("again", context), session: nil)
    #expect(opened.plaintext == Array("again".utf8))
    #expect(opened.keyUse?.deviations == [])
  }

  /// With another Y, no point has this X.
  @Test func publicKeyThatIsNoPoint() throws {
    var scene = try Scene(.p256)
    var bytes = scene.key.publicKey
    #expect(scene.decryptor.publicKey(bytes, suite: .p256).defect == nil)
    bytes[40] ^= 1
    let sighting = scene.decryptor.publicKey(bytes, suite: .p256)
    #expect(sighting.defect == "not a point on the curve P-256")
    #expect(sighting.replaces != nil)
  }

  @Test(arguments: [CipherSuite.xWing, .p256])
  func unusableEncapsulatedKey(suite: CipherSuite) throws {
    var scene = try Scene(suite)
    for count in [7, suite.encapsulatedKeySize] {
      let sighting = scene.decryptor.encapsulatedKey(
        EncapsulatedKey(
          [UInt8](repeating: 0, count: count), suite: suite, packet: PacketID(1)))
      // Zeros are no point.
      #expect((sighting.defect != nil) == (count == 7 || suite == .p256))
      let verdict = scene.open([UInt8](repeating: UInt8(count & 0xFF), count: 50)).verdict
      guard case .unusableEncapsulatedKey = verdict else {
        Issue.record("\(String(describing: verdict))")
        continue
      }
    }
  }

  @Test func shortMessages() throws {
    var scene = try Scene(.xWing)
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone)
    for count in 0..<28 {
      let verdict = scene.open([UInt8](repeating: 0, count: count)).verdict
      #expect(verdict == .tooShort(bytes: count))
      // NIST SP 800-38D, 5.2.1.2: a tag of 128 bits.
      #expect(verdict?.description.contains("shorter than the tag alone") == (count < 16))
      #expect(verdict?.description.hasPrefix("\(count) byte\(count == 1 ? "" : "s"), ") == true)
    }
    #expect(scene.open(try phone.seal("", context)).plaintext == [])
  }

  @Test func duplicates() throws {
    var scene = try Scene(.xWing)
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone)
    let blob = try phone.seal("hi", context)
    #expect(scene.open(blob).observations.isEmpty)
    let first = PacketID(scene.packet)
    for _ in 0..<2 {
      let again = scene.open(blob)
      #expect(again.plaintext != nil)
      #expect(again.observations == [.duplicate(of: first)])
    }
    let damaged = blob.dropLast() + [blob[blob.count - 1] ^ 1]
    _ = scene.open(Array(damaged))
    let locked = PacketID(scene.packet)
    let again = scene.open(Array(damaged))
    #expect(again.verdict != nil)
    #expect(again.observations.contains(.duplicate(of: locked)))
  }

  @Test func nonceReuse() throws {
    var scene = try Scene(.xWing)
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone)
    let iv = [UInt8](repeating: 5, count: 12)
    _ = scene.open(try phone.seal("one", context, iv: iv))
    let first = PacketID(scene.packet)
    let opened = scene.open(try phone.seal("two", context, iv: iv))
    #expect(opened.observations == [.nonceReuse(with: first, isCertain: true)])
    let otherKey = "\(info)-AccessoryToHost-\(Sample.session)"
    let other = scene.open(try phone.seal("three", otherKey, iv: iv), .accessoryToHost)
    #expect(other.observations.isEmpty, "another direction has another key")

    var blind = Decryptor()
    var noKeys = KeyRing()
    func open(_ text: String, _ packet: UInt32) throws -> Opened {
      let message = SealedMessage(
        try phone.seal(text, context, iv: iv), session: Sample.session,
        direction: .hostToAccessory, packet: PacketID(packet))
      return blind.open(message, with: &noKeys)
    }
    #expect(try open("one", 1).observations.isEmpty)
    #expect(
      try open("two", 2).observations == [.nonceReuse(with: PacketID(1), isCertain: false)])
  }

  /// Keys that were given in the wrong byte order, or for the wrong suite.
  @Test func wronglyGivenKeys() throws {
    var right = [UInt8](1...32)
    var reversed = Array(right.reversed())
    var other = right
    let key = try AccessoryKey(.p256, privateKey: &right, origin: .file("test"))
    let swapped = try AccessoryKey(.p256, privateKey: &reversed, origin: .file("test"))
    let hybrid = try AccessoryKey(.xWing, privateKey: &other, origin: .file("test"))
    guard case .reversed = swapped.mistake(for: key.fingerprint),
      case .suite(.p256) = hybrid.mistake(for: key.fingerprint)
    else {
      Issue.record("no mistake found")
      return
    }
    #expect(key.mistake(for: key.fingerprint) == nil)
    #expect(key.mistake(for: Fingerprint(publicKey: [1])) == nil)
  }

  /// A message that lost a part is sent again: the same IV is no reuse, whether a key is known or not.
  @Test(arguments: [true, false]) func damagedCopies(_ hasKey: Bool) throws {
    var scene = try Scene(.xWing)
    let phone = try Phone(scene.key, info: info)
    if hasKey {
      scene.exchange(phone)
    } else {
      scene.ring = KeyRing()
    }
    let whole = try phone.seal("a text that is long enough", context)
    let short = Array(whole.prefix(14) + whole.dropFirst(18))
    let lost = scene.open(short)
    #expect(lost.plaintext == nil && lost.observations.isEmpty)
    let again = scene.open(whole)
    #expect((again.plaintext != nil) == hasKey)
    guard case .otherCopy(_, let missing) = again.observations.first else {
      Issue.record("\(again.observations)")
      return
    }
    #expect(again.observations.count == 1 && missing == 4)
  }

  /// What cannot be an encapsulated key yields no keys: those in use stay the newest.
  @Test func invalidKeysEndNoGeneration() throws {
    var scene = try Scene(.p256)
    let info = "P256-Version1-\(Sample.identifier)"
    let context = "\(info)-HostToAccessory-\(Sample.session)"
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone)
    let zeros = scene.decryptor.encapsulatedKey(
      EncapsulatedKey(
        [UInt8](repeating: 0, count: 65), suite: .p256, packet: PacketID(99),
        identifier: Sample.identifier))
    #expect(zeros.defect != nil)
    #expect(zeros.replaces == nil)
    let opened = scene.open(try phone.seal("still", context))
    #expect(opened.plaintext == Array("still".utf8))
    #expect(opened.observations == [])
    #expect(scene.exchange(try Phone(scene.key, info: info)).replaces == 1)
  }

  /// An exchange between the parts of a message comes too late for it.
  @Test func aMessageThatBeganBeforeTheExchangeIsNotStale() throws {
    var scene = try Scene(.xWing)
    let old = try Phone(scene.key, info: info)
    scene.exchange(old)
    #expect(scene.exchange(try Phone(scene.key, info: info)).generation == 2)
    let exchange = scene.packet
    for (first, isStale) in [(exchange - 1, false), (exchange + 1, true)] {
      scene.packet = exchange + 2
      let message = SealedMessage(
        try old.seal("\(first)", context), session: Sample.session, direction: .hostToAccessory,
        packet: PacketID(scene.packet), firstPacket: PacketID(first))
      let opened = scene.decryptor.open(message, with: &scene.ring)
      #expect(opened.keyUse?.exchange?.generation == 1)
      #expect(opened.observations.isEmpty == !isStale)
    }
  }

  /// Of three exchanges, a message with the first one's keys begins before the third.
  @Test func aMessageIsStaleAfterTheSecondExchange() throws {
    var scene = try Scene(.xWing)
    let old = try Phone(scene.key, info: info)
    scene.exchange(old)
    scene.exchange(try Phone(scene.key, info: info))
    let second = scene.packet
    scene.exchange(try Phone(scene.key, info: info))
    let message = SealedMessage(
      try old.seal("text", context), session: Sample.session, direction: .hostToAccessory,
      packet: PacketID(scene.packet + 1), firstPacket: PacketID(scene.packet))
    guard
      case .staleGeneration(let used, let newest, let since)? =
        scene.decryptor.open(message, with: &scene.ring).observations.first
    else {
      Issue.record("not stale")
      return
    }
    #expect((used, newest) == (1, 2))
    #expect(since == PacketID(second))
  }

  @Test func staleGeneration() throws {
    var scene = try Scene(.xWing)
    let old = try Phone(scene.key, info: info)
    let new = try Phone(scene.key, info: info)
    #expect(scene.exchange(old).generation == 1)
    #expect(scene.open(try old.seal("one", context)).observations.isEmpty)
    #expect(scene.exchange(new).generation == 2)
    let since = PacketID(scene.packet)
    #expect(scene.exchange(new).repeats == since)
    let stale = scene.open(try old.seal("two", context))
    #expect(stale.plaintext == Array("two".utf8))
    #expect(stale.observations == [.staleGeneration(used: 1, newest: 2, since: since)])
    let fresh = scene.open(try new.seal("three", context))
    #expect(fresh.keyUse?.exchange?.generation == 2)
    #expect(fresh.observations.isEmpty)

    // The phone sends its earlier key once more: that is the current one again, and the later one is stale.
    let first = scene.decryptor.exchange.generations.first?.key.packet
    let back = scene.exchange(old)
    let returned = PacketID(scene.packet)
    #expect(back.generation == 1 && back.replaces == 2)
    #expect(back.repeats == first)
    #expect(scene.open(try old.seal("four", context)).observations.isEmpty)
    let late = scene.open(try new.seal("five", context))
    #expect(late.observations == [.staleGeneration(used: 2, newest: 1, since: returned)])

    for _ in 0..<KeyExchange.mostGenerations {
      scene.exchange(try Phone(scene.key, info: info))
    }
    #expect(scene.decryptor.exchange.generations.count == KeyExchange.mostGenerations)
    #expect(scene.decryptor.exchange.generations.last?.number == 10)
    #expect(scene.decryptor.exchange.count == 10)
  }

  @Test func exportedSessionKeys() throws {
    var scene = try Scene(.xWing)
    let phone = try Phone(scene.key, info: info)
    var bytes = try phone.export(context).bytes
    scene.ring = KeyRing()
    scene.ring.add(
      try SessionKey(
        &bytes, direction: .hostToAccessory, session: Sample.session.lowercased(), name: "lab",
        origin: .file("x.harkkeys")))
    let opened = scene.open(try phone.seal("hi", context))
    #expect(opened.plaintext == Array("hi".utf8))
    #expect(opened.keyUse?.exchange == nil)
    #expect(opened.keyUse?.summary == "decrypts with session key lab of the key file")
    let swapped = scene.open(try phone.seal("ho", context), .accessoryToHost)
    #expect(
      swapped.keyUse?.deviations == [.listedFor(direction: .hostToAccessory, session: nil)])
  }

  /// The key file may name a wrong session, and lack the key of the other direction.
  @Test func mistakesInTheKeyFile() throws {
    let other = "11111111-2222-3333-4444-555555555555"
    func open(
      _ direction: MessageDirection, _ session: String, isRight: Bool = false
    ) throws -> Opened {
      var scene = try Scene(.xWing)
      let phone = try Phone(scene.key, info: info)
      var bytes = isRight ? try phone.export(context).bytes : [UInt8](repeating: 9, count: 32)
      scene.ring = KeyRing()
      scene.ring.add(
        try SessionKey(&bytes, direction: direction, session: session, origin: .file("x.harkkeys")))
      return scene.open(try phone.seal("hi", context))
    }
    let opened = try open(.hostToAccessory, other, isRight: true)
    #expect(opened.plaintext == Array("hi".utf8))
    #expect(opened.keyUse?.deviations == [.listedFor(direction: nil, session: other)])
    #expect(
      try open(.hostToAccessory, Sample.session).verdict
        == .sessionKeysFail(count: 1, lacking: nil))
    #expect(
      try open(.accessoryToHost, Sample.session).verdict
        == .sessionKeysFail(count: 1, lacking: .hostToAccessory))
    #expect(
      try open(.hostToAccessory, other).verdict == .noEncapsulatedKey(publicKey: nil))
  }

  @Test(arguments: CipherSuite.allCases)
  func damagedInputNeverTraps(suite: CipherSuite) throws {
    var random = SystemRandomNumberGenerator()
    let key = try accessoryKey(suite, Sample.privateKey)
    let info = "\(suite.spellings[0])-Version1-\(Sample.identifier)"
    let phone = try Phone(key, info: info)
    let blob = try phone.seal("hi", "\(info)-HostToAccessory-\(Sample.session)")
    func damage(_ bytes: [UInt8]) -> [UInt8] {
      var bytes = bytes
      if Bool.random(using: &random) { bytes.removeLast(.random(in: 0...min(3, bytes.count))) }
      if let index = bytes.indices.randomElement(), Bool.random() {
        bytes[index] = .random(in: 0...255)
      }
      return bytes
    }
    for round in 0..<40 {
      var decryptor = Decryptor()
      var ring = KeyRing()
      ring.add(key)
      _ = decryptor.publicKey(damage(key.publicKey), suite: suite)
      _ = decryptor.encapsulatedKey(
        EncapsulatedKey(
          damage(phone.encapsulatedKey), suite: suite, packet: PacketID(1),
          identifier: round % 3 == 0 ? nil : "ü\u{0}"))
      let message = SealedMessage(
        damage(blob), session: round % 4 == 0 ? "" : Sample.session, direction: .hostToAccessory,
        packet: PacketID(2))
      let opened = decryptor.open(message, with: &ring)
      #expect((opened.plaintext == nil) == (opened.verdict != nil))
    }
  }
}
