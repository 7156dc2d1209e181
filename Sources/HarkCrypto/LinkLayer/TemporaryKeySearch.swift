/// Looks for the temporary key of an LE legacy pairing that was received: it is 0 for Just Works, and else the
/// passkey, a number of six digits. Core Specification, Vol 3, Part H, 2.3.5.2 and 2.3.5.3.
///
/// Values are most significant octet first, as the cryptographic toolbox takes them.
public struct TemporaryKeySearch: Sendable {
  /// How many values there are.
  public static let count: UInt32 = 1_000_000
  /// How many are tried between two reports of progress.
  public static let step: UInt32 = 50_000

  /// A Confirm Value, and what it was made of besides.
  public struct Confirmation: Sendable {
    let confirm: AESSearch.Block
    let random: AESSearch.Block
    let p1: AESSearch.Block
    let p2: AESSearch.Block

    /// As `SMPToolbox.c1` takes them; nil for wrong sizes. 2.2.3
    public init?(
      confirm: [UInt8], random: [UInt8], request: [UInt8], response: [UInt8], initiatorType: UInt8,
      responderType: UInt8, initiator: [UInt8], responder: [UInt8]
    ) {
      guard confirm.count == 16, random.count == 16, request.count == 7, response.count == 7,
        initiator.count == 6, responder.count == 6
      else { return nil }
      self.confirm = AESSearch.block(confirm)
      self.random = AESSearch.block(random)
      p1 = AESSearch.block(response + request + [responderType, initiatorType])
      p2 = AESSearch.block([0, 0, 0, 0] + initiator + responder)
    }

    /// Whether the temporary key `key` confirms it.
    func fits(_ key: UInt32, _ aes: AESSearch) -> Bool {
      let key = AESSearch.Block(0, 0, 0, key)
      return aes.encrypt(aes.encrypt(random ^ p1, key) ^ p2, key) == confirm
    }
  }

  /// The first PDU that a side sends encrypted, LL_START_ENC_RSP, and the inputs of its key. Vol 6, Part B, 5.1.3.1.
  public struct EncryptionStart: Sendable {
    /// What s1 encrypts. 2.2.4
    let randoms: AESSearch.Block
    let skd: AESSearch.Block
    /// The octets of the short term key that are left of 16, where the key is shorter. 2.3.4
    let mask: AESSearch.Block
    /// What makes the first octets of the key stream, and the first octet that they give. Vol 6, Part E, 2
    let counter: AESSearch.Block
    let first: UInt8
    let open: @Sendable (_ shortTermKey: [UInt8]) -> Bool

    /// - Parameters:
    ///   - payload: The opcode and the MIC, as on the air; nil for another PDU's size.
    ///   - header: The first octet of the PDU's header.
    ///   - fromCentral: Whether the Central sent it.
    public init?(
      central: [UInt8], peripheral: [UInt8], keySize: Int, _ diversifiers: LinkLayerDiversifiers,
      payload: [UInt8], header: UInt8, fromCentral: Bool
    ) {
      guard central.count == 16, peripheral.count == 16, 7...16 ~= keySize, payload.count == 5,
        diversifiers.hasRightSizes
      else { return nil }
      randoms = AESSearch.block(Array(peripheral.suffix(8) + central.suffix(8)))
      skd = AESSearch.block(diversifiers.skd)
      let kept = [UInt8](repeating: 0xFF, count: keySize)
      mask = AESSearch.block([UInt8](repeating: 0, count: 16 - keySize) + kept)
      counter = AESSearch.block(
        [0x01] + LinkLayerCipher.nonce(0, fromCentral, diversifiers.iv) + [0, 1])
      first = payload[0] ^ LinkLayerCipher.startEncRsp
      open = { key in
        var key = key
        return LinkLayerCipher(ltk: Secret(taking: &key), diversifiers)?
          .open(payload, header: header, counter: 0, fromCentral: fromCentral)
          == [LinkLayerCipher.startEncRsp]
      }
    }

    /// Whether the temporary key `key` opens it.
    func fits(_ key: UInt32, _ aes: AESSearch) -> Bool {
      let made = aes.encrypt(randoms, AESSearch.Block(0, 0, 0, key)) & mask
      let stream = aes.encrypt(counter, aes.encrypt(skd, made))
      return UInt8(truncatingIfNeeded: stream[0] >> 24) == first && open(AESSearch.octets(made))
    }
  }

  /// What a key has to fit.
  public enum Evidence: Sendable {
    case confirmation(Confirmation)
    case encryptionStart(EncryptionStart)

    func fits(_ key: UInt32, _ aes: AESSearch) -> Bool {
      switch self {
      case .confirmation(let confirmation): confirmation.fits(key, aes)
      case .encryptionStart(let start): start.fits(key, aes)
      }
    }
  }

  /// The key; nil if none fits.
  /// - Parameter progress: Receives now and then how many were tried.
  public static func run(
    _ evidence: Evidence, progress: (_ tried: UInt32) -> Void = { _ in }
  ) -> UInt32? {
    let aes = AESSearch()
    for start in stride(from: 0, to: count, by: Int(step)) {
      progress(start)
      for key in start..<start + step where evidence.fits(key, aes) { return key }
    }
    return nil
  }
}
