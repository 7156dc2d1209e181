import HarkCore

/// A PDU, an SDU or a message of which some bytes are missing.
public struct IncompletePDU: Sendable {
  /// What carries it.
  public enum Place: Sendable {
    /// An L2CAP channel of which no more is known.
    case cid(UInt16)
    case channel(Channel)
    case stream(Stream)
    /// A value that is written in parts, by its handle.
    case attribute(UInt16)
  }

  /// Nil where too little of it came.
  public let place: Place?
  /// How many bytes came, up to the first that is missing.
  public let have: Int
  /// How many never came, as far as its length is known.
  public let missing: Int
  /// How many passed that cannot be put behind those: the recorder cut one of its packets.
  public let cut: Int

  public init(place: Place?, have: Int, missing: Int = 0, cut: Int = 0) {
    (self.place, self.have, self.missing, self.cut) = (place, have, missing, cut)
  }
}
