import Crypto
import HarkCapture
import HarkCore
import HarkDissection
import Testing

@testable import HarkCrypto
@testable import HarkSession

/// Connections on the air made up by hand: what two devices send each other, packet by packet.
struct MadeAir {
  static let accessAddress: [UInt8] = [0xE9, 0xC3, 0xA7, 0x50]
  static let crcInit: UInt32 = 0x5A_17C3
  static let central = BluetoothAddress(0xC0_0102_0304_05, .random)
  static let peripheral = BluetoothAddress(0xC1_1122_3344_55, .random)

  var records: [MadeRecord] = []
  /// The sequence numbers that each side sends next.
  private var numbers: [UInt8] = [0, 0]
  private var channel: UInt8 = 0
  /// Whether CRCs are recorded.
  var hasCRC = true

  private mutating func add(_ address: [UInt8], _ pdu: [UInt8], initial: UInt32) {
    let crc = hasCRC ? LinkLayerCRC.compute(pdu.raw, 0..<pdu.count, initial: initial) : 0
    let octets = (0..<3).map { UInt8(truncatingIfNeeded: crc >> (8 * $0)) }
    records.append(
      MadeRecord(
        kind: .leLinkLayer, isReceived: false, hex: Hex.text(address + pdu + octets),
        time: Int64(records.count)))
  }

  private static func octets(_ address: BluetoothAddress) -> [UInt8] {
    (0..<6).map { UInt8(truncatingIfNeeded: address.value >> (8 * $0)) }
  }

  mutating func connect(from central: BluetoothAddress = Self.central) {
    numbers = [0, 0]
    let data =
      Self.accessAddress + [0xC3, 0x17, 0x5A, 0x02, 0x09, 0x00, 0x18, 0x00, 0x00, 0x00, 0x48, 0x00]
      + [0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x2B]
    add(
      [0xD6, 0xBE, 0x89, 0x8E],
      [0xC5, 34] + Self.octets(central) + Self.octets(Self.peripheral) + data,
      initial: LinkLayerCRC.advertising)
  }

  /// A PDU of one side, in a connection event of its own where the Peripheral only answers with an empty one.
  /// - Parameter cteInfo: What is between the header, of which CP is then set, and the payload.
  mutating func send(_ side: Int, llid: UInt8, _ payload: [UInt8], cteInfo: UInt8? = nil) {
    for sender in [0, 1] {
      if sender == side {
        transmit(sender, llid: llid, payload, cteInfo: cteInfo, isFirst: sender == 0)
      } else {
        transmit(sender, llid: 1, [], isFirst: sender == 0)
      }
    }
  }

  /// One packet of a side.
  /// - Parameter isFirst: Whether it is the first of its connection event.
  mutating func transmit(
    _ side: Int, llid: UInt8, _ payload: [UInt8], cteInfo: UInt8? = nil, hasMore: Bool = false,
    isFirst: Bool
  ) {
    let code = (cteInfo == nil ? llid : llid | 0x20) | (hasMore ? 0x10 : 0)
    // Each side acknowledges what the other has sent last. Vol 6, Part B, 4.5.9
    let header = code | numbers[side] << 3 | numbers[1 - side] << 2
    numbers[side] ^= 1
    let between = cteInfo.map { [$0] } ?? []
    add(
      Self.accessAddress, [header, UInt8(payload.count)] + between + payload,
      initial: Self.crcInit)
    records[records.count - 1].time =
      isFirst ? Int64(records.count) : records[records.count - 2].time
  }

  /// PDUs of a side that were not received.
  mutating func skip(_ side: Int) { numbers[side] ^= 1 }

  /// A PDU without what belongs to it on the air: it comes `seconds` after the one before, alone, with
  /// sequence numbers that never change.
  mutating func makeUp(_ side: Int, llid: UInt8, _ payload: [UInt8], after seconds: Int64) {
    let time = (records.last?.time ?? 0) + seconds
    add(Self.accessAddress, [llid, UInt8(payload.count)] + payload, initial: Self.crcInit)
    records[records.count - 1].time = time
  }

  mutating func control(_ side: Int, _ hex: String) { send(side, llid: 3, Hex.bytes(hex) ?? []) }

  mutating func smp(_ side: Int, _ pdu: [UInt8]) {
    send(side, llid: 2, [UInt8(pdu.count), 0, 6, 0] + pdu)
  }

  func session(
    keys: KeyRing = KeyRing(), _ each: (inout Session, Int) -> Void = { _, _ in }
  ) -> [Event] {
    var events: [Event] = []
    var session = MadeRecord.session(records, keys: keys) { session, index in
      events += session.events
      session.dropEvents()
      each(&session, index)
    }
    events += session.events
    session.dropEvents()
    return events
  }
}

/// Core Specification, Vol 3, Part H, 2.3.5 and Vol 6, Part B, 5.1.3.
@Suite struct AirPairingTests {
  static let request: [UInt8] = [0x01, 0x04, 0x00, 0x05, 0x10, 0x01, 0x01]
  static let response: [UInt8] = [0x02, 0x00, 0x00, 0x05, 0x10, 0x01, 0x01]
  static let randoms = [
    [UInt8](1...16), [UInt8](stride(from: 200, to: 184, by: -1)),
  ]
  static let skds = [[UInt8](0x10...0x17), [UInt8](0x20...0x27)]
  static let ivs = [[UInt8](0x30...0x33), [UInt8](0x40...0x43)]

  static func octets(_ address: BluetoothAddress) -> [UInt8] {
    (0..<6).map { UInt8(truncatingIfNeeded: address.value >> (40 - 8 * UInt64($0))) }
  }

  /// Legacy pairing with a passkey, and an attribute that is read once the link is encrypted. The toolbox,
  /// which the sample data of the specification tests, makes the Confirm Values and the key.
  static func pairing(
    passkey: UInt32, confirms: Bool, cteInfo: UInt8? = nil
  ) throws -> MadeAir {
    try pairing(
      temporaryKey: [UInt8](repeating: 0, count: 12)
        + (0..<4).map { UInt8(truncatingIfNeeded: passkey >> (24 - 8 * UInt32($0))) },
      confirms: confirms, cteInfo: cteInfo)
  }

  /// - Parameters:
  ///   - key: Most significant octet first.
  ///   - oob: OOB Data Flag. Vol 3, Part H, 3.5.1
  static func pairing(
    temporaryKey key: [UInt8], confirms: Bool, oob: UInt8 = 0, cteInfo: UInt8? = nil
  ) throws -> MadeAir {
    var (request, response) = (request, response)
    (request[2], response[2]) = (oob, oob)
    var air = MadeAir()
    air.connect()
    air.smp(0, request)
    air.smp(1, response)
    for side in [0, 1] where confirms {
      let confirm = try #require(
        SMPToolbox.c1(
          k: key, r: randoms[side].reversed(), request: request.reversed(),
          response: response.reversed(), initiatorType: 1, responderType: 1,
          initiator: octets(MadeAir.central), responder: octets(MadeAir.peripheral)))
      air.smp(side, [0x03] + confirm.reversed())
    }
    for side in [0, 1] { air.smp(side, [0x04] + randoms[side]) }
    try air.encrypt(
      try #require(SMPToolbox.s1(k: key, r1: randoms[1].reversed(), r2: randoms[0].reversed())),
      cteInfo: cteInfo)
    return air
  }
}

extension MadeAir {
  static func cipher(_ ltk: inout [UInt8]) throws -> LinkLayerCipher {
    let (skds, ivs) = (AirPairingTests.skds, AirPairingTests.ivs)
    return try #require(
      LinkLayerCipher(
        ltk: Secret(taking: &ltk),
        LinkLayerDiversifiers(
          centralSKD: skds[0].reversed(),
          peripheralSKD: skds[1].reversed(),
          centralIV: ivs[0].reversed(), peripheralIV: ivs[1].reversed())))
  }

  /// Encryption begins, and an attribute is read.
  /// - Parameter ltk: Most significant octet first.
  mutating func encrypt(_ ltk: [UInt8], cteInfo: UInt8? = nil) throws {
    let (skds, ivs) = (AirPairingTests.skds, AirPairingTests.ivs)
    send(0, llid: 3, [0x03] + [UInt8](repeating: 0, count: 10) + skds[0] + ivs[0])
    send(1, llid: 3, [0x04] + skds[1] + ivs[1])
    control(1, "05")
    var ltk = ltk
    let cipher = try Self.cipher(&ltk)
    for (side, llid, counter, text) in [
      (0, UInt8(3), UInt64(0), [UInt8(0x06)]), (1, 3, 0, [0x06]),
      (0, 2, 1, [0x03, 0x00, 0x04, 0x00, 0x0A, 0x03, 0x00]),
      (1, 2, 1, [0x05, 0x00, 0x04, 0x00, 0x0B, 0x77, 0x61, 0x6C, 0x6C]),
    ] {
      let sealed = try #require(
        cipher.seal(
          text, header: cteInfo == nil ? llid : llid | 0x20, counter: counter,
          fromCentral: side == 0))
      send(side, llid: llid, sealed, cteInfo: cteInfo)
    }
  }
}

extension AirPairingTests {
  /// CTEInfo is no part of what is encrypted. Vol 6, Part B, 2.4 and 2.5.2
  @Test func encryptedWithCTEInfo() throws {
    let events = try Self.pairing(passkey: 0, confirms: true, cteInfo: 0x14).session()
    #expect(Self.values(events) == [[0x77, 0x61, 0x6C, 0x6C]])
  }

  static func values(_ events: [Event]) -> [[UInt8]] {
    events.compactMap { event in
      if case .attribute(.value(let value)) = event.content { value.bytes } else { nil }
    }
  }

  @Test(arguments: [(UInt32(0), true), (777, true), (777, false), (12_345, true)])
  func passkeyIsFound(passkey: UInt32, confirms: Bool) throws {
    let events = try Self.pairing(passkey: passkey, confirms: confirms).session()
    let opened = events.compactMap { event -> Bool? in
      if case .linkLayer(.opened(let opened)) = event.content,
        case .shortTermKey(let hasPasskey) = opened.key
      {
        hasPasskey
      } else {
        nil
      }
    }
    #expect(opened == [true])
    #expect(Self.values(events) == [[0x77, 0x61, 0x6C, 0x6C]])
    #expect(!events.contains { if case .linkLayer(.locked) = $0.content { true } else { false } })
  }

  // MARK: Keys that are given

  /// What opened the link.
  static func opened(_ events: [Event]) -> [LinkLayerEvent.Opened.Key] {
    events.compactMap { event in
      if case .linkLayer(.opened(let opened)) = event.content { opened.key } else { nil }
    }
  }

  /// A temporary key that no search finds, as data out of band are, and a passkey that is given.
  @Test func givenTemporaryKey() throws {
    var octets = (0..<16).map { UInt8(0xF0 - $0) }
    let air = try Self.pairing(temporaryKey: octets.reversed(), confirms: true, oob: 1)
    let locked = air.session()
    #expect(Self.opened(locked).isEmpty && Self.values(locked).isEmpty)
    var ring = KeyRing()
    ring.add(try BondingKey(.temporaryKey, &octets, address: nil, origin: .file("test")))
    let events = air.session(keys: ring)
    #expect(Self.values(events) == [[0x77, 0x61, 0x6C, 0x6C]])
    let keys = Self.opened(events)
    guard case .temporaryKey(let fingerprint)? = keys.first, keys.count == 1 else {
      Issue.record("\(keys)")
      return
    }
    #expect(fingerprint == ring.bondingKeys[0].fingerprint)
  }

  enum PrivateKeyAt: CaseIterable { case debugKey, ring, nowhere }

  /// LE Secure Connections with a private key that is known. The LTK is made by swift-crypto's key agreement and f5,
  /// which the sample data of the specification tests.
  @Test(arguments: PrivateKeyAt.allCases) func secureConnections(_ place: PrivateKeyAt) throws {
    let central = P256.KeyAgreement.PrivateKey()
    let peripheral =
      place == .debugKey
      ? try P256.KeyAgreement.PrivateKey(rawRepresentation: SMPToolbox.debugPrivateKey)
      : P256.KeyAgreement.PrivateKey()
    let air = try Self.secureConnections(central, peripheral)
    var ring = KeyRing()
    if place == .ring {
      var scalar = Array(peripheral.rawRepresentation)
      ring.add(try AccessoryKey(.p256, privateKey: &scalar, origin: .file("test")))
    }
    let events = air.session(keys: ring)
    let keys = Self.opened(events)
    if place == .nowhere {
      #expect(keys.isEmpty && Self.values(events).isEmpty)
      return
    }
    guard case .secureConnections(_, let isDebugKey)? = keys.first, keys.count == 1 else {
      Issue.record("\(keys)")
      return
    }
    #expect(isDebugKey == (place == .debugKey))
    #expect(Self.values(events) == [[0x77, 0x61, 0x6C, 0x6C]])
    let isReported = events.contains { event in
      if case .security(.pairing(.publicKeys(let keys))) = event.content {
        keys.isDebugKey
      } else {
        false
      }
    }
    #expect(isReported == (place == .debugKey))
  }

  /// - Parameter checks: DHKey Checks by their sender, which is also each octet's value.
  static func secureConnections(
    _ central: P256.KeyAgreement.PrivateKey, _ peripheral: P256.KeyAgreement.PrivateKey,
    checks: [UInt8] = []
  ) throws -> MadeAir {
    var air = MadeAir()
    air.connect()
    var (request, response) = (request, response)
    (request[3], response[3]) = (0x0D, 0x0D)
    air.smp(0, request)
    air.smp(1, response)
    for (side, key) in [central, peripheral].enumerated() {
      let octets = Array(key.publicKey.rawRepresentation)
      air.smp(side, [0x0C] + octets[..<32].reversed() + octets[32...].reversed())
    }
    for side in [0, 1] { air.smp(side, [0x04] + randoms[side]) }
    let secret = try central.sharedSecretFromKeyAgreement(with: peripheral.publicKey)
      .withUnsafeBytes { Array($0) }
    let keys = try #require(
      SMPToolbox.f5(
        w: secret, n1: randoms[0].reversed(), n2: randoms[1].reversed(),
        a1: [1] + octets(MadeAir.central), a2: [1] + octets(MadeAir.peripheral)))
    for value in checks {
      air.smp(Int(value), [0x0D] + [UInt8](repeating: value, count: 16))
    }
    try air.encrypt(keys.ltk)
    return air
  }

  /// A DHKey Check that the capture contains twice proves no more than once. Vol 3, Part H, 2.3.5.6.5
  @Test(arguments: [([0], false), ([0, 0], false), ([0, 1], true)] as [([UInt8], Bool)])
  func repeatedDHKeyCheck(_ checks: [UInt8], _ isCaptured: Bool) throws {
    let air = try Self.secureConnections(
      P256.KeyAgreement.PrivateKey(rawRepresentation: SMPToolbox.debugPrivateKey),
      P256.KeyAgreement.PrivateKey(), checks: checks)
    let completed = air.session().compactMap { event -> Bool? in
      if case .security(.pairing(.complete(let complete))) = event.content {
        complete.isCaptured
      } else {
        nil
      }
    }
    #expect(completed == [isCaptured])
  }

  // MARK: Losses

  /// The sniffer missed many PDUs: the counters are found again, and PDUs that were heard wrong are counted.
  @Test func lossesAndWrongMICs() throws {
    var air = try Self.pairing(passkey: 0, confirms: true)
    let key = [UInt8](repeating: 0, count: 16)
    var stk = try #require(
      SMPToolbox.s1(k: key, r1: Self.randoms[1].reversed(), r2: Self.randoms[0].reversed()))
    let cipher = try MadeAir.cipher(&stk)
    func value(_ number: UInt8) -> [UInt8] { [0x04, 0x00, 0x04, 0x00, 0x1B, 0x03, 0x00, number] }
    // 400 PDUs were not received: the first counter that is tried for is far from the next one.
    for (number, counter) in [UInt64](402...412).enumerated() {
      var sealed = try #require(
        cipher.seal(value(UInt8(number)), header: 2, counter: counter, fromCentral: false))
      if number == 9 { sealed[0] ^= 1 }
      air.send(1, llid: 2, sealed)
    }
    var (wrong, opened) = (0, 0)
    _ = air.session { session, _ in
      (wrong, opened) = (session.counts.air.wrongMICs, session.counts.air.opened)
    }
    #expect(wrong == 1)
    #expect(opened == 4 + 10)
  }

  /// A PDU that the key does not decrypt may be the answer: hark does not report it as missing.
  @Test func undecryptedAnswer() throws {
    for (flipped, unanswered) in [(nil, 1), (UInt8(1), 0)] as [(UInt8?, Int)] {
      var air = try Self.pairing(passkey: 0, confirms: true)
      var stk = try #require(
        SMPToolbox.s1(
          k: [UInt8](repeating: 0, count: 16), r1: Self.randoms[1].reversed(),
          r2: Self.randoms[0].reversed()))
      let cipher = try MadeAir.cipher(&stk)
      let request: [UInt8] = [0x03, 0x00, 0x04, 0x00, 0x0A, 0x03, 0x00]
      air.send(
        0, llid: 2, try #require(cipher.seal(request, header: 2, counter: 2, fromCentral: true)))
      if let flipped {
        let response: [UInt8] = [0x02, 0x00, 0x04, 0x00, 0x0B, 0x41]
        var sealed = try #require(
          cipher.seal(response, header: 2, counter: 2, fromCentral: false))
        sealed[0] ^= flipped
        air.send(1, llid: 2, sealed)
      }
      let found = air.session().count {
        if case .attribute(.requestUnanswered) = $0.content { true } else { false }
      }
      #expect(found == unanswered)
    }
  }

  /// No PDU that was received is lost to a gap of 1,000 before it, no gap makes a MIC wrong, and PDUs are counted once
  /// that counters and sequence numbers show as missing.
  @Test(arguments: [1, 2, 31, 32, 33, 1_000])
  func gap(_ count: UInt64) throws {
    var air = try Self.pairing(passkey: 0, confirms: true)
    var stk = try #require(
      SMPToolbox.s1(
        k: [UInt8](repeating: 0, count: 16), r1: Self.randoms[1].reversed(),
        r2: Self.randoms[0].reversed()))
    let cipher = try MadeAir.cipher(&stk)
    for number in UInt64(0)..<3 {
      let value: [UInt8] = [0x04, 0x00, 0x04, 0x00, 0x1B, 0x03, 0x00, UInt8(number)]
      let sealed = try #require(
        cipher.seal(value, header: 2, counter: 2 + count + number, fromCentral: false))
      if number == 0, count % 2 == 1 {
        // An odd number of PDUs shows in sequence numbers, too. Those that acknowledge them are missing as well.
        for side in [0, 1] { air.skip(side) }
      }
      air.send(1, llid: 2, sealed)
    }
    var counts = AirCounts()
    let values = Self.values(air.session { session, _ in counts = session.counts.air })
    // The two after it are only counted.
    #expect(values.last == [0])
    #expect(counts.wrongMICs == 0 && counts.opened == counts.encrypted)
    #expect(counts.missing == Int(count))
  }

  /// A ring with very many LTKs is searched at once; where the first encrypted PDUs are missing, too.
  @Test(arguments: [0, 1, 2], [false, true])
  func manyKeys(_ lost: Int, _ isAddressed: Bool) throws {
    var ltk = [UInt8](0xA0...0xAF)
    var air = MadeAir()
    air.connect()
    try air.encrypt(ltk)
    // The last four PDUs are encrypted; each has an empty one beside it.
    let first = air.records.count - 8
    air.records.removeSubrange(first..<(first + 2 * lost))
    var ring = KeyRing()
    ltk.reverse()
    for number in UInt16(0)..<400 {
      var other = [UInt8(number >> 8), UInt8(number & 0xFF)] + [UInt8](repeating: 0, count: 14)
      ring.add(try BondingKey(.longTermKey, &other, address: nil, origin: .file("test")))
    }
    let address = isAddressed ? MadeAir.peripheral : nil
    ring.add(try BondingKey(.longTermKey, &ltk, address: address, origin: .file("test")))
    let events = air.session(keys: ring)
    let keys = Self.opened(events)
    guard case .longTermKey(let fingerprint)? = keys.first, keys.count == 1 else {
      Issue.record("\(keys)")
      return
    }
    #expect(fingerprint == ring.bondingKeys[400].fingerprint)
    #expect(Self.values(events) == [[0x77, 0x61, 0x6C, 0x6C]])
  }

  /// Encryption is paused, and begins again with new values: counters start at 0. Vol 6, Part B, 5.1.3.2
  @Test func pauseAndRefresh() throws {
    var ltk = [UInt8](0xA0...0xAF)
    var air = MadeAir()
    air.connect()
    try air.encrypt(ltk)
    var copy = ltk
    let cipher = try MadeAir.cipher(&copy)
    for (side, opcode) in [(0, UInt8(0x0A)), (1, 0x0B)] {
      let sealed = cipher.seal([opcode], header: 3, counter: 2, fromCentral: side == 0)
      air.send(side, llid: 3, try #require(sealed))
    }
    air.control(0, "0b")
    try air.encrypt(ltk)
    var ring = KeyRing()
    ltk.reverse()
    ring.add(try BondingKey(.longTermKey, &ltk, address: nil, origin: .file("test")))
    let events = air.session(keys: ring)
    let changes = events.compactMap { event -> Bool? in
      if case .security(.encryption(let it)) = event.content { it.isOn } else { nil }
    }
    #expect(changes == [true, false, true])
    #expect(Self.values(events) == [[0x77, 0x61, 0x6C, 0x6C], [0x77, 0x61, 0x6C, 0x6C]])
  }

  /// Encryption is paused, and its end, the pause itself, or what begins it anew was not received. 5.1.3.2
  @Test(arguments: [
    ([Int](), 2), ([2], 2), ([0, 1, 2], 2), ([3], 1), ([4], 1), ([0, 1, 2, 3, 4], 1),
  ])
  func lostAroundPause(_ lost: [Int], _ read: Int) throws {
    var ltk = [UInt8](0xA0...0xAF)
    var air = MadeAir()
    air.connect()
    try air.encrypt(ltk)
    var copy = ltk
    let cipher = try MadeAir.cipher(&copy)
    let first = air.records.count
    for (side, opcode) in [(0, UInt8(0x0A)), (1, 0x0B)] {
      let sealed = cipher.seal([opcode], header: 3, counter: 2, fromCentral: side == 0)
      air.send(side, llid: 3, try #require(sealed))
    }
    air.control(0, "0b")
    try air.encrypt(ltk)
    for number in lost.reversed() {
      air.records.removeSubrange((first + 2 * number)..<(first + 2 * number + 2))
    }
    var ring = KeyRing()
    ltk.reverse()
    ring.add(try BondingKey(.longTermKey, &ltk, address: nil, origin: .file("test")))
    let events = air.session(keys: ring)
    let locks = events.compactMap { event -> LinkLayerEvent.Lock? in
      if case .linkLayer(.locked(let it)) = event.content { it.lock } else { nil }
    }
    #expect(Self.values(events).count == read)
    #expect(locks == (read == 2 ? [] : [.startNotHeard]))
    let changes = events.compactMap { event -> Bool? in
      if case .security(.encryption(let it)) = event.content { it.isOn } else { nil }
    }
    if read == 2 { #expect(changes == [true, false, true]) }
  }

  /// The start of encryption was not received: from LL_ENC_RSP on, what follows is encrypted.
  @Test(arguments: [[3], [3, 4], [3, 4, 5]])
  func startNotReceived(_ lost: [Int]) throws {
    var air = try Self.pairing(passkey: 0, confirms: true)
    // Each PDU has an empty one beside it; the request of encryption is the first of the last seven.
    let first = air.records.count - 2 * 7
    for number in lost.reversed() {
      let at = first + 2 * (number - 1)
      air.records.removeSubrange(at..<(at + 2))
    }
    let events = air.session()
    #expect(Self.values(events) == [[0x77, 0x61, 0x6C, 0x6C]])
    #expect(!events.contains { if case .channel = $0.content { true } else { false } })
  }

  /// The capture began when the link was encrypted: no data of its is shown as if it were in the clear.
  @Test func begunEncrypted() {
    var air = MadeAir()
    air.connect()
    for byte in UInt8(0)..<6 {
      air.send(0, llid: 2, [0x1B, byte, 0x3F, 0x9E, 1, 2, 3, 4, 5, 6, 7, byte])
    }
    var encrypted = 0
    let locks = air.session { session, _ in encrypted = session.counts.air.encrypted }
      .compactMap { event -> LinkLayerEvent.Lock? in
        if case .linkLayer(.locked(let locked)) = event.content { locked.lock } else { nil }
      }
    #expect(encrypted == 5)
    #expect(locks == [.startNotHeard])
  }

  /// FIPS 197, C.1, and what the other implementation gives.
  @Test func aes() throws {
    let key = [UInt8](0...15)
    let plain = (0..<16).map { UInt8($0 * 17) }
    let aes = AESSearch()
    let text = AESSearch.octets(aes.encrypt(AESSearch.block(plain), AESSearch.block(key)))
    #expect(Hex.text(text) == "69c4e0d86a7b0430d8cdb78070b4c55a")
    var (block, other) = (plain, key)
    for _ in 0..<200 {
      let expected = try #require(AESBlock.encrypt(block, .init(data: other)))
      let made = aes.encrypt(AESSearch.block(block), AESSearch.block(other))
      #expect(AESSearch.octets(made) == expected)
      (block, other) = (expected, block)
    }
  }

  /// A search over all passkeys takes long without optimization.
  static var isOptimized: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }

  /// crackle's capture of a pairing with a passkey, and what crackle decrypted.
  @Test(
    .enabled(
      if: isOptimized && AirTests.corpus("05_numeric_pin/numeric_pin.pcap") != nil,
      "a debug build, or no corpus of real captures here"))
  func passkeyAsCrackleFindsIt() throws {
    let ours = try AirTests.hear(
      try #require(AirTests.corpus("05_numeric_pin/numeric_pin.pcap")))
    let output = try Capture(
      path: try #require(AirTests.corpus("05_numeric_pin/out/expected_output.pcap")))
    var records: [String] = []
    _ = output.forEachRecord { _, bytes in
      records.append(Hex.text(bytes.array))
      return true
    }
    #expect(ours.counts.air.opened > 40)
    for frame in ours.frames { #expect(records.contains { $0.contains(frame) }) }
  }
}
