import HarkCore

/// The header of an HCI ACL data packet, and that of the L2CAP PDU that may begin in it.
/// Core Specification, Vol 4, Part E, 5.4.2
///
/// Public as only that lets the compiler put it into the session, which reads the header of each packet.
public struct ACLBeginning: Sendable {
  /// The Packet_Boundary_Flag.
  public enum Boundary: UInt8, Sendable {
    case firstNotFlushable = 0
    case continuing = 1
    case firstFlushable = 2
    case complete = 3
  }

  public let handle: UInt16
  public let boundary: Boundary
  /// What is after the header, if it is the beginning of an L2CAP PDU.
  public let frame: L2CAPBeginning

  @inlinable
  public static var headerSize: Int { 4 }

  @inlinable
  public init(_ bytes: RawSpan) {
    let word = UInt16(truncatingIfNeeded: bytes.unsigned(at: 0, 2))
    handle = word & 0x0FFF
    boundary = Boundary(rawValue: UInt8(truncatingIfNeeded: word >> 12 & 3)) ?? .complete
    frame = L2CAPBeginning(
      bytes, min(Self.headerSize, bytes.byteCount)..<bytes.byteCount)
  }

  /// Where the data of the packet ends, according to its Data_Total_Length.
  package static func dataEnd(_ bytes: RawSpan) -> Int {
    min(headerSize + Int(bytes.unsigned(at: 2, 2)), bytes.byteCount)
  }

  /// The Connection_Handle alone.
  @inlinable
  public static func handle(_ bytes: RawSpan) -> UInt16 {
    UInt16(truncatingIfNeeded: bytes.unsigned(at: 0, 2)) & 0x0FFF
  }
}
