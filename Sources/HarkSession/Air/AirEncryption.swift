import HarkCore
import HarkCrypto
import HarkDissection

/// The encryption of a connection received on the air. Core Specification, Vol 6, Part B, 5.1.3.
struct AirEncryption {
  /// Whether PDUs with a payload are encrypted now.
  private(set) var isOn = false
  /// Whether both sides have agreed on encryption, which LL_START_ENC_REQ begins.
  private(set) var isAwaited = false
  /// Data PDUs in the clear that begin on a channel that LE does not have: these are encrypted, and its start was not
  /// received.
  private var strange = 0
  private(set) var isOpenedElsewhere = false
  /// Whether EDIV and Rand are 0: the key is that of the pairing under way, or of LE Secure
  /// Connections. Vol 3, Part H, 2.4.4.1.
  private(set) var isShortTerm = false
  private(set) var cipher: LinkLayerCipher?
  private(set) var key: BondingKey?
  private var central: (skd: [UInt8], iv: [UInt8])?
  private var peripheral: (skd: [UInt8], iv: [UInt8])?
  /// The packet counters, by who sends: Vol 6, Part E, 2.1.
  var counters: [UInt64] = [0, 0]
  /// Encrypted PDUs that no key opened.
  var failures = 0
  /// Whether the passkey of the pairing was looked for.
  var isSearched = false
  /// Whether it was reported that they cannot be read.
  var isLockTold = false

  /// PDUs in a row that the key did not open, by who sent them: how many counters were tried for each.
  private var missed: [[UInt64]] = [[], []]
  /// Counters tried in vain, in all.
  private var trials: UInt64 = 0
  /// The first PDU in a row that no key opened.
  private(set) var firstFailure: PacketID?
  /// How often the keys of the ring were tried.
  var keyTrials = 0

  /// PDUs that a sniffer did not hear leave gaps in the counters: at least as many are tried for each PDU.
  static let narrowest: UInt64 = 32
  /// For the first PDU that fails, unless too many counters were tried in vain: a gap costs no PDU that was received.
  private static let wide: UInt64 = 1 << 10
  /// One may be a mistake of a device, or received with errors where no CRC is recorded.
  private static let mostStrange = 2
  /// After PDUs in a row that fail, twice as many as for the one before, up to this number.
  private static let widest: UInt64 = 1 << 15
  /// In all, of one encryption.
  private static let mostTrials: UInt64 = 1 << 16
  /// A ring of many keys is tried for few PDUs, a small one for as many as fail.
  private static let mostKeyTrials = 4_096
  /// After this many PDUs that no key decrypts, no more are tried.
  static let mostFailures = 64

  var isTried: Bool { failures < Self.mostFailures }

  /// How many counters are tried for the next PDU of a side.
  func window(of side: Int) -> UInt64 {
    guard trials < Self.mostTrials else { return Self.narrowest }
    return min(Self.wide << UInt64(min(missed[side].count, 16)), Self.widest)
  }

  /// The key did not open a PDU, most likely of `side`, with any counter of `window`.
  mutating func missed(_ window: UInt64, of side: Int, tried: UInt64) {
    missed[side].append(window)
    trials += tried
  }

  /// The key opened a PDU whose counter is `distance` beyond the next one.
  /// - Returns: How many PDUs before it have a wrong MIC, as their counters were tried, and how many were not received.
  mutating func found(_ distance: UInt64, of side: Int) -> (wrong: Int, lost: Int) {
    defer { missed[side] = [] }
    return (missed[side].count { $0 >= distance }, max(0, Int(distance) - missed[side].count))
  }

  /// No key opened a PDU.
  mutating func failed(_ packet: PacketID) {
    if failures == 0 { firstFailure = packet }
    failures += 1
  }

  /// Values of LL_ENC_REQ and LL_ENC_RSP serve one start only.
  private var isUsed: Bool { cipher != nil || failures > 0 }

  /// How many counters are tried with each of `count` keys that may be that of the link: more for few keys and the first
  /// PDUs, as a sniffer may have missed many PDUs after the start.
  func reach(keyCount count: Int) -> UInt64 {
    guard count <= 256 else { return 3 }
    return failures < 2 && count <= 8 ? Self.wide : Self.narrowest
  }

  /// Whether a ring of `count` keys is tried once more; it is counted.
  mutating func tries(ring count: Int) -> Bool {
    keyTrials += 1
    return keyTrials <= max(4, Self.mostKeyTrials / max(1, count))
  }

  /// LL_ENC_REQ. Values least significant octet first, as sent.
  mutating func request(skd: UInt64, iv: UInt32, isShortTerm: Bool) {
    self = AirEncryption()
    self.isShortTerm = isShortTerm
    central = (Self.octets(skd, 8), Self.octets(UInt64(iv), 4))
  }

  /// LL_ENC_RSP.
  mutating func respond(skd: UInt64, iv: UInt32) {
    peripheral = (Self.octets(skd, 8), Self.octets(UInt64(iv), 4))
    isAwaited = central != nil
  }

  /// LL_START_ENC_REQ: all that comes after it is encrypted.
  mutating func start() {
    if isUsed { pause() }
    (isOn, isAwaited, strange) = (true, false, 0)
  }

  /// Starts encryption if a PDU with a payload shows that the start was not received.
  /// - Returns: Whether it starts.
  mutating func startUnheard(_ llid: LLDataHeader.LLID, count: Int, isStrange: Bool) -> Bool {
    guard !isOn, !isOpenedElsewhere else { return false }
    if isAwaited {
      // From LL_ENC_RSP on, no data is sent in the clear. LL_START_ENC_RSP is the first encrypted PDU: opcode and MIC.
      // 5.1.3.1
      if llid == .control ? count == 5 : count > 4 { start() }
    } else if llid == .start, count > 4 {
      strange = isStrange ? strange + 1 : 0
      if strange == Self.mostStrange { start() }
    }
    return isOn
  }

  /// What was agreed on for encryption counts no more.
  mutating func pause() {
    let isOpenedElsewhere = isOpenedElsewhere
    self = AirEncryption()
    self.isOpenedElsewhere = isOpenedElsewhere
  }

  /// The writer of the capture has replaced ciphertext with plaintext.
  mutating func openElsewhere() { (isOn, isAwaited, isOpenedElsewhere) = (false, false, true) }

  mutating func rejected() {
    if !isOn { (central, peripheral, isAwaited) = (nil, nil, false) }
  }

  /// What begins encryption, where all of it was received.
  var diversifiers: LinkLayerDiversifiers? {
    guard let central, let peripheral else { return nil }
    return LinkLayerDiversifiers(
      centralSKD: central.skd, peripheralSKD: peripheral.skd, centralIV: central.iv,
      peripheralIV: peripheral.iv)
  }

  mutating func use(_ cipher: LinkLayerCipher, of key: BondingKey) {
    (self.cipher, self.key) = (cipher, key)
  }

  /// Most significant octet first.
  private static func octets(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
