import HarkCore

// Channels of AAP whose beginning is not in the capture, or whose PSM nothing explains: the form of
// their messages must show it. All of them begin with the same four octets and have a length that the
// opcode and counts inside demand.
extension AAPMessage {
  /// How much bytes look like a message of AAP.
  package enum Resemblance: Sendable { case none, some, message, handshake }

  private static let header: UInt64 = 0x0004_0004

  package static func begins(_ bytes: RawSpan) -> Bool {
    bytes.byteCount >= 6 && bytes.unsigned(at: 0, 4) == header
  }

  /// Whether the bytes begin as a message with keys does.
  package static func mayHoldKeys(_ bytes: RawSpan) -> Bool {
    begins(bytes) && opcode(bytes) == .proximityKeys
  }

  /// As `mayHoldKeys`, of bytes that may end before the opcode does.
  package static func mayBeginWithKeys(_ bytes: RawSpan) -> Bool {
    let count = min(6, bytes.byteCount)
    let beginning = header | UInt64(Opcode.proximityKeys.rawValue) << 32
    return count > 0 && bytes.unsigned(at: 0, count) == beginning & (1 << (UInt64(count) * 8) - 1)
  }

  private static func opcode(_ bytes: RawSpan) -> Opcode? {
    Opcode(rawValue: UInt16(truncatingIfNeeded: bytes.unsigned(at: 4, 2)))
  }

  /// A message that nothing is wrong with has a known opcode, codes that are known, and the length these
  /// demand. For undocumented opcodes, only the header is known; if a known one has
  /// another length, it is a different message.
  package static func resemblance(of bytes: RawSpan) -> Resemblance {
    let count = bytes.byteCount
    guard begins(bytes) else { return isHandshake(bytes) ? .handshake : .none }
    func octet(_ offset: Int) -> UInt8 { offset < count ? bytes.byte(at: offset) : 0 }
    func length(at offset: Int) -> Int {
      count >= offset + 2 ? Int(bytes.unsigned(at: offset, 2)) : .max / 2
    }
    let fits: Bool
    switch opcode(bytes) {
    case .battery:
      let batteries = Int(octet(6))
      fits =
        1...4 ~= batteries && count == 7 + 5 * batteries
        && (0..<batteries).allSatisfy { [1, 2, 4, 8].contains(octet(7 + 5 * $0)) }
    case .earDetection: fits = count == 8 && octet(6) <= 3 && octet(7) <= 3
    case .roleState, .conversationalAwareness: fits = count == 10
    case .controlCommand: fits = count == 11 && AAPNames.setting(octet(6)) != nil
    case .connectionState: fits = count == 14 && octet(12) <= 2 && octet(13) <= 2
    case .audioSource: fits = count == 13 && octet(12) <= 2
    case .requestNotifications: fits = 10...11 ~= count
    case .smartRouting, .smartRoutingRelayed:
      fits = count >= 16 && count >= 14 + length(at: 12)
    case .customMessage: fits = count == 12 + length(at: 10)
    case .stemPress: fits = count == 8 && 5...8 ~= octet(6) && 1...2 ~= octet(7)
    case .connectedDevices: fits = octet(8) > 0 && count == 9 + 8 * Int(octet(8))
    case .proximityKeysRequest: fits = count == 8
    case .proximityKeys: fits = 1...2 ~= octet(6) && count == 7 + 20 * Int(octet(6))
    case .setFeatureFlags: fits = count == 14
    default: return .some
    }
    return fits ? .message : .none
  }

  /// Whether the bytes are a connect request or its response, as long as these are: version 1, for the
  /// service of accessories.
  private static func isHandshake(_ bytes: RawSpan) -> Bool {
    let count = bytes.byteCount
    guard count >= 16, bytes.unsigned(at: 2, 2) == 4 else { return false }
    switch bytes.unsigned(at: 0, 2) {
    case 0: return count == 16 && bytes.unsigned(at: 4, 2) == 1
    case 1: return count == 18 && bytes.unsigned(at: 6, 2) == 1
    default: return false
    }
  }
}
