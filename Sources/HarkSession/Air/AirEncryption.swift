import HarkCrypto

/// The encryption of a connection heard on the air. Core Specification, Vol 6, Part B, 5.1.3.
struct AirEncryption {
  /// Whether PDUs with a payload are encrypted now.
  private(set) var isOn = false
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
  /// Whether it was told that they cannot be read.
  var isLockTold = false

  /// PDUs that a sniffer did not hear leave gaps in the counters: as many are tried.
  static let widest: UInt64 = 32
  /// After so many PDUs that no key opens, no more are tried.
  static let mostFailures = 64

  var isTried: Bool { failures < Self.mostFailures }

  /// LL_ENC_REQ. Values least significant octet first, as sent.
  mutating func request(skd: UInt64, iv: UInt32, isShortTerm: Bool) {
    self = AirEncryption()
    self.isShortTerm = isShortTerm
    central = (Self.octets(skd, 8), Self.octets(UInt64(iv), 4))
  }

  /// LL_ENC_RSP.
  mutating func respond(skd: UInt64, iv: UInt32) {
    peripheral = (Self.octets(skd, 8), Self.octets(UInt64(iv), 4))
  }

  /// LL_START_ENC_REQ: all that comes behind it is encrypted.
  mutating func start() {
    isOn = true
    counters = [0, 0]
    (failures, cipher) = (0, nil)
  }

  mutating func pause() { isOn = false }

  /// Who wrote the capture has put plaintexts in place of what was sent.
  mutating func openElsewhere() { (isOn, isOpenedElsewhere) = (false, true) }

  mutating func rejected() {
    if !isOn { (central, peripheral) = (nil, nil) }
  }

  /// What begins encryption, where all of it was heard.
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
