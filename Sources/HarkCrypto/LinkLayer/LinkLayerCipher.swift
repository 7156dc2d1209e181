import Crypto

/// The encryption of LE data channel PDUs: AES-CCM with a MIC of 4 octets.
/// Core Specification, Vol 6, Part E.
public struct LinkLayerCipher: Sendable {
  /// LL_START_ENC_RSP, which each side sends as its first encrypted PDU. Vol 6, Part B, 2.4.2.7 and 5.1.3.1
  static let startEncRsp: UInt8 = 0x06

  private let sessionKey: Secret
  private let iv: [UInt8]

  /// Derives the session key. Vol 6, Part B, 5.1.3.1.
  ///
  /// - Parameter ltk: Most significant octet first.
  /// - Returns: Nil for wrong sizes.
  public init?(ltk: Secret, _ diversifiers: LinkLayerDiversifiers) {
    defer { Sodium.wipeStack() }
    guard ltk.count == 16, diversifiers.hasRightSizes,
      var key = AESBlock.encrypt(diversifiers.skd, ltk.key)
    else { return nil }
    sessionKey = Secret(taking: &key)
    iv = diversifiers.iv
  }

  /// The payload of a PDU, or nil if its MIC does not match.
  ///
  /// - Parameters:
  ///   - payload: The encrypted octets and the MIC, as on the air.
  ///   - header: The first octet of the PDU's header; NESN, SN and MD do not count.
  ///   - counter: The packet counter of this direction, 39 bits.
  public func open(_ payload: [UInt8], header: UInt8, counter: UInt64, fromCentral: Bool)
    -> [UInt8]?
  {
    defer { Sodium.wipeStack() }
    guard counter < 1 << 39 else { return nil }
    return Self.open(
      payload, header: header, nonce: Self.nonce(counter, fromCentral, iv), sessionKey.key)
  }

  /// The same with a session key outside of guarded memory, for a search.
  static func open(_ payload: [UInt8], header: UInt8, nonce: [UInt8], _ key: SymmetricKey)
    -> [UInt8]?
  {
    guard payload.count >= 4, payload.count <= 255 + 4,
      let text = crypt(Array(payload.dropLast(4)), nonce, key),
      let expected = code(text, header, nonce, key)
    else { return nil }
    // No secret depends on the time of this comparison: the whole message is in the capture.
    return expected == Array(payload.suffix(4)) ? text : nil
  }

  /// What `open` opens: the payload of at most 255 octets encrypted, and its MIC.
  package func seal(_ text: [UInt8], header: UInt8, counter: UInt64, fromCentral: Bool)
    -> [UInt8]?
  {
    defer { Sodium.wipeStack() }
    guard text.count <= 255, counter < 1 << 39 else { return nil }
    let nonce = Self.nonce(counter, fromCentral, iv)
    let key = sessionKey.key
    guard let payload = Self.crypt(text, nonce, key),
      let code = Self.code(text, header, nonce, key)
    else {
      return nil
    }
    return payload + code
  }

  static func nonce(_ counter: UInt64, _ fromCentral: Bool, _ iv: [UInt8]) -> [UInt8] {
    var nonce = (0..<5).map { UInt8(truncatingIfNeeded: counter >> (8 * $0)) } + iv
    if fromCentral { nonce[4] |= 0x80 }
    return nonce
  }

  private static func crypt(_ text: [UInt8], _ nonce: [UInt8], _ key: SymmetricKey) -> [UInt8]? {
    var text = text
    for (index, start) in stride(from: 0, to: text.count, by: 16).enumerated() {
      guard let pad = block(0x01, nonce, index + 1, key) else { return nil }
      for offset in start..<min(start + 16, text.count) { text[offset] ^= pad[offset - start] }
    }
    return text
  }

  /// The MIC of a plaintext.
  private static func code(
    _ text: [UInt8], _ header: UInt8, _ nonce: [UInt8], _ key: SymmetricKey
  ) -> [UInt8]? {
    guard let mask = block(0x01, nonce, 0, key),
      let code = authenticate(text, header & 0xE3, nonce, key)
    else { return nil }
    return (0..<4).map { code[$0] ^ mask[$0] }
  }

  /// CBC-MAC over B0, the one octet of additional data, and the text. RFC 3610, 2.2.
  private static func authenticate(
    _ text: [UInt8], _ header: UInt8, _ nonce: [UInt8], _ key: SymmetricKey
  )
    -> [UInt8]?
  {
    guard var state = block(0x49, nonce, text.count, key) else { return nil }
    let padding = [UInt8](repeating: 0, count: (16 - text.count % 16) % 16)
    let blocks = [0, 1, header] + [UInt8](repeating: 0, count: 13) + text + padding
    for start in stride(from: 0, to: blocks.count, by: 16) {
      for offset in 0..<16 { state[offset] ^= blocks[start + offset] }
      guard let next = AESBlock.encrypt(state, key) else { return nil }
      state = next
    }
    return state
  }

  static func block(_ flags: UInt8, _ nonce: [UInt8], _ number: Int, _ key: SymmetricKey)
    -> [UInt8]?
  {
    AESBlock.encrypt([flags] + nonce + [UInt8(number >> 8), UInt8(number & 0xFF)], key)
  }
}
