/// Why a PDU could not be read to its end. What was read before stays valid.
public struct Malformed: Error, Sendable {
  public enum Reason: Sendable {
    /// There are fewer bytes than the field needs.
    case truncated(needed: Int, available: Int)
    /// The bytes are complete but cannot have a meaning.
    case invalid(StaticString)
  }

  public let reason: Reason
  /// The name of the protocol that was being read.
  public let layer: StaticString
  public let field: StaticString
  /// The field's offset in the PDU.
  public let offset: Int
  /// The name of the length field, or of the container, that ends the available bytes.
  public let limit: StaticString
  /// Whether the bytes from there on may be a part of a key.
  public var isSecret = false
  /// Whether the missing bytes are among those that the recorder truncated: the PDU may be correct.
  public package(set) var isCutByRecorder = false

  public init(
    reason: Reason, layer: StaticString, field: StaticString, offset: Int, limit: StaticString,
    isSecret: Bool = false
  ) {
    (self.reason, self.layer, self.field) = (reason, layer, field)
    (self.offset, self.limit, self.isSecret) = (offset, limit, isSecret)
  }

  static let emptyRecord = Malformed(
    reason: .truncated(needed: 1, available: 0), layer: "Record", field: "Packet", offset: 0,
    limit: "Record")
}

extension Malformed: CustomStringConvertible {
  /// `ATT: Client Rx MTU needs 2 bytes, 1 available (limited by PDU Length) at byte 10`.
  public var description: String {
    switch reason {
    case .truncated(let needed, let available):
      """
      \(layer): \(field) needs \(needed) byte\(needed == 1 ? "" : "s"), \(available) available \
      (limited by \(limit)) at byte \(offset)
      """
    case .invalid(let why): "\(layer): \(field): \(why) at byte \(offset)"
    }
  }
}
