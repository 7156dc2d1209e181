import HarkCore
import HarkCrypto
import HarkDissection

/// The encryption of a connection received over the air. Core Specification, Vol 6, Part B, 5.1.3.
struct AirEncryption {
  /// Whether PDUs with a payload are currently encrypted.
  private(set) var isOn = false
  /// Whether both sides have agreed on encryption, which LL_START_ENC_REQ begins.
  private(set) var isAwaited = false
  /// Data PDUs that seem to be in the clear but begin with a channel that LE does not have: they are encrypted, and
  /// the start of encryption was not received.
  private var strange = 0
  private(set) var isOpenedElsewhere = false
  /// Whether EDIV and Rand are 0: the key is that of the current pairing, or of LE Secure Connections. Vol 3, Part H,
  /// 2.4.4.1.
  private(set) var isShortTerm = false
  private(set) var cipher: LinkLayerCipher?
  private(set) var key: BondingKey?
  private var central: (skd: [UInt8], iv: [UInt8])?
  private var peripheral: (skd: [UInt8], iv: [UInt8])?
  /// The packet counters, by sender: Vol 6, Part E, 2.1.
  var counters: [UInt64] = [0, 0]
  /// Encrypted PDUs that no key decrypted.
  var failures = 0
  /// Whether the passkey of the pairing has been searched for.
  var isSearched = false
  /// Whether it was reported that they cannot be decrypted.
  var isLockReported = false

  /// Consecutive PDUs that the key did not decrypt, by sender: how many counters were tried for each.
  private var missed: [[UInt64]] = [[], []]
  /// The total number of counters tried in vain.
  private var trials: UInt64 = 0
  /// The first of the consecutive PDUs that no key decrypted.
  private(set) var firstFailure: PacketID?
  /// How often the keys of the key ring were tried.
  private(set) var keyTrials = 0
  private var isRingTried = false
  var trial = KeyTrial()

  /// PDUs that a sniffer missed leave gaps in the counters: at least this many are tried for each PDU.
  static let narrowest: UInt64 = 32
  /// For the first PDU that fails, unless too many counters were tried in vain: a gap must not make received PDUs
  /// unreadable.
  private static let wide: UInt64 = 1 << 10
  /// A single one may be a device's mistake, or was received with errors if CRCs are not recorded.
  private static let mostStrange = 2
  /// After consecutive failures, twice as many as for the previous PDU, up to this number.
  private static let widest: UInt64 = 1 << 15
  /// In all, of one encryption.
  private static let mostTrials: UInt64 = 1 << 16
  /// A large key ring is tried for few PDUs, a small one for every PDU that fails.
  private static let mostKeyTrials = 4_096
  /// After this many PDUs that no key decrypts, no more are tried.
  static let mostFailures = 64

  var isTried: Bool { failures < Self.mostFailures }

  /// How many counters are tried for a side's next PDU.
  func window(of side: Int) -> UInt64 {
    guard trials < Self.mostTrials else { return Self.narrowest }
    return min(Self.wide << UInt64(min(missed[side].count, 16)), Self.widest)
  }

  /// The key did not decrypt a PDU, probably sent by `side`, with any counter in `window`.
  mutating func missed(_ window: UInt64, of side: Int, tried: UInt64) {
    missed[side].append(window)
    trials += tried
  }

  /// The key decrypted a PDU whose counter is `distance` beyond the next one.
  /// - Returns: How many earlier PDUs have a wrong MIC, because their counters were tried, and how many were not
  ///   received.
  mutating func found(_ distance: UInt64, of side: Int) -> (wrong: Int, lost: Int) {
    defer { missed[side] = [] }
    return (missed[side].count { $0 >= distance }, max(0, Int(distance) - missed[side].count))
  }

  /// No key opened a PDU.
  mutating func failed(_ packet: PacketID) {
    if failures == 0 { firstFailure = packet }
    failures += 1
  }

  /// The values of LL_ENC_REQ and LL_ENC_RSP are valid for one start of encryption.
  private var isUsed: Bool { cipher != nil || failures > 0 }

  /// How many counters are tried with each of `count` keys that may be the link's: more for few keys and for the
  /// first PDUs, because a sniffer may have missed many PDUs after the start.
  func reach(keyCount count: Int) -> UInt64 {
    guard count <= 256 else { return 3 }
    return failures < 2 && count <= 8 ? Self.wide : Self.narrowest
  }

  /// Whether a key ring with `count` keys is tried once more; each attempt is counted.
  mutating func tries(ring count: Int) -> Bool {
    keyTrials += 1
    return !isRingTried && keyTrials <= max(4, Self.mostKeyTrials / max(1, count))
  }

  /// The LTKs of the key ring are not tried any more.
  mutating func endTrials() { isRingTried = true }

  /// LL_ENC_REQ. The values are in the order sent, least significant octet first.
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

  /// LL_START_ENC_REQ: everything after it is encrypted.
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

  /// The values agreed on for encryption are no longer valid.
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

  /// The PDUs that begin encryption, if all of them were received.
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
