import HarkCore

/// A remark about a message besides its content.
public enum Observation: Hashable, Sendable, CustomStringConvertible {
  /// The same blob as in an earlier packet: a retry, or a replay.
  case duplicate(of: PacketID)
  /// IV and tag of an earlier packet, but other bytes between them: one message, of which one copy is damaged.
  /// `missing` is how many bytes that packet has less than this one.
  case otherCopy(of: PacketID, missing: Int)
  /// The same IV as in an earlier packet, under the same key, for another message: AES-GCM then
  /// protects neither. `isCertain` is false if both messages are locked and only session and
  /// direction are known to be the same.
  case nonceReuse(with: PacketID, isCertain: Bool)
  /// Sealed with the key of generation `used` although a later key exchange was seen.
  case staleGeneration(used: Int, newest: Int, since: PacketID)

  /// Whether it is true of encrypted messages only.
  public var isOfEncryption: Bool {
    switch self {
    case .duplicate: false
    case .otherCopy, .nonceReuse, .staleGeneration: true
    }
  }

  public var description: String {
    switch self {
    case .duplicate(let packet):
      "the same bytes as packet \(packet.number): a retry or a replay"
    case .otherCopy(let packet, let missing):
      "it has the IV and the tag of packet \(packet.number), which "
        + (missing > 0
          ? "is \(missing) \(missing == 1 ? "byte" : "bytes") shorter: the same message again, and packet "
            + "\(packet.number) lacks a part of it"
          : missing < 0
            ? "is \(-missing) \(missing == -1 ? "byte" : "bytes") longer: the same message again, but this copy lacks a "
              + "part, or packet \(packet.number) has one twice"
            : "has other bytes between them: the same message again, and one of the two is damaged")
    case .nonceReuse(let packet, true):
      "nonce reuse with packet \(packet.number): same key, same IV, different message"
    case .nonceReuse(let packet, false):
      "the IV of packet \(packet.number) occurs again in the same session and direction: nonce reuse "
        + "unless the key changed"
    case .staleGeneration(let used, let newest, let packet):
      "encrypted with key generation \(used), although generation \(newest) has been current since packet "
        + "\(packet.number)"
    }
  }
}
