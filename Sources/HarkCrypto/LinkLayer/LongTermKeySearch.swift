import Crypto
import CryptoExtras

/// Looks for the LTK of an encrypted link among very many: making the guarded memory of each readable, and keeping each
/// session key in such memory, would take longer than the ciphers. Core Specification, Vol 6, Part B, 5.1.3.1; Part E.
public struct LongTermKeySearch: Sendable {
  /// One of the first encrypted PDUs of a side.
  public struct Attempt: Sendable {
    let counter: UInt64
    let fromCentral: Bool

    public init(counter: UInt64, fromCentral: Bool) {
      (self.counter, self.fromCentral) = (counter, fromCentral)
    }
  }

  private let skd: [UInt8]
  private let payload: [UInt8]
  private let header: UInt8
  private let nonces: [[UInt8]]
  /// The PDU can only be LL_START_ENC_RSP, which a side sends first: its opcode rules out most keys. 5.1.3.1
  public let isStart: Bool

  /// - Parameters:
  ///   - payload: The encrypted octets and the MIC.
  ///   - header: The first octet of the PDU's header.
  ///   - attempts: What may have been sent as which side's PDU. For a PDU of the size of LL_START_ENC_RSP, only the
  ///     counter 0 is tried.
  /// - Returns: Nil for wrong sizes, or without an attempt.
  public init?(
    _ diversifiers: LinkLayerDiversifiers, payload: [UInt8], header: UInt8, attempts: [Attempt]
  ) {
    guard diversifiers.hasRightSizes, payload.count > 4 else { return nil }
    (skd, self.payload, self.header) = (diversifiers.skd, payload, header)
    // LLID 3: an LL Control PDU. 2.4
    let isStart = header & 3 == 3 && payload.count == 5
    self.isStart = isStart
    nonces =
      attempts.filter { !isStart || $0.counter == 0 }.map {
        LinkLayerCipher.nonce($0.counter, $0.fromCentral, diversifiers.iv)
      }
    guard !nonces.isEmpty else { return nil }
  }

  /// What trying one key costs, in blocks of AES.
  public var cost: Int {
    // The key stream and the MIC of a PDU: RFC 3610, 2.2 and 2.3.
    1 + nonces.count * (isStart ? 1 : 3 + 2 * ((payload.count + 11) / 16))
  }

  /// The first key that decrypts the PDU; nil if none does.
  public func first(in keys: [BondingKey]) -> BondingKey? {
    defer { Sodium.wipeStack() }
    var (found, place): (Int?, Int) = (nil, 0)
    unsafe Secret.withBytes(of: keys.lazy.map(\.secret)) { bytes in
      if found == nil, bytes.count == 16, unsafe fits(SymmetricKey(data: bytes)) { found = place }
      place += 1
    }
    return found.map { keys[$0] }
  }

  private func fits(_ key: SymmetricKey) -> Bool {
    guard var made = AESBlock.encrypt(skd, key) else { return false }
    let session = SymmetricKey(data: made)
    Sodium.wipe(&made)
    return nonces.contains { nonce in
      if isStart {
        guard let pad = LinkLayerCipher.block(0x01, nonce, 1, session),
          payload[0] ^ pad[0] == LinkLayerCipher.startEncRsp
        else { return false }
      }
      return LinkLayerCipher.open(payload, header: header, nonce: nonce, session) != nil
    }
  }
}
