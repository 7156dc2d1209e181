/// L2CAP channels that always have the same CID. Core Specification, Vol 3, Part A, 2.1, tables 2.1 to 2.3
///
/// Public as only that lets the compiler put it into the session, which asks for each frame.
public enum FixedChannel: UInt16, Sendable {
  case signaling = 0x0001
  case attributeProtocol = 0x0004
  case leSignaling = 0x0005
  case securityManager = 0x0006
  case securityManagerOfBREDR = 0x0007

  /// Whether channels with that CID are allocated dynamically: they belong to the side that opened them.
  @inlinable
  public static func isDynamic(_ cid: UInt16) -> Bool { cid >= 0x0040 }

  /// Whether the channel shows that its link is an LE one.
  public var isOfLE: Bool {
    switch self {
    case .attributeProtocol, .leSignaling, .securityManager: true
    case .signaling, .securityManagerOfBREDR: false
    }
  }
}

/// What dynamic L2CAP channels lead to, by numbers that are the same on all devices: those of PSMs and of
/// SPSMs. Assigned Numbers, 2.5
package enum FixedPSM: UInt16, Sendable {
  case sdp = 0x0001
  case rfcomm = 0x0003
  case bnep = 0x000F
  case hidControl = 0x0011
  case hidInterrupt = 0x0013
  case avctp = 0x0017
  case avdtp = 0x0019
  case avctpBrowsing = 0x001B
  case att = 0x001F
  case eatt = 0x0027
}
