import HarkCore

/// The header of an L2CAP PDU, of which only the beginning may be there: a Link Layer sends it in pieces.
/// Core Specification, Vol 3, Part A, 2.1 and 3.1
///
/// Public as only that lets the compiler put it into the session, which reads the header of each packet.
public struct L2CAPBeginning: Sendable {
  package enum Channel: Sendable {
    case attributeProtocol, signaling, securityManager
    /// By a service of the Bluetooth SIG, or allocated dynamically.
    case other
    case reserved
  }

  @inlinable
  public static var headerSize: Int { 4 }

  /// Of the whole PDU in octets, with its header; nil if the PDU Length is not there.
  public let size: Int?
  /// Nil if the Channel ID is not there.
  public let cid: UInt16?
  /// Where as much of the Information Payload is as there is.
  public let information: Range<Int>
  /// What is there after the header, also where the PDU Length says less.
  public let rest: Range<Int>

  /// - Parameter range: Where in `bytes` the PDU is.
  @inlinable
  public init(_ bytes: RawSpan, _ range: Range<Int>) {
    let start = range.lowerBound
    let length = Int(bytes.unsigned(at: start, 2))
    size = range.count >= 2 ? length + Self.headerSize : nil
    cid =
      range.count >= Self.headerSize
      ? UInt16(truncatingIfNeeded: bytes.unsigned(at: start + 2, 2)) : nil
    rest = min(start + Self.headerSize, range.upperBound)..<range.upperBound
    information = rest.lowerBound..<min(rest.lowerBound + length, rest.upperBound)
  }

  @inlinable
  public init(_ bytes: RawSpan) { self.init(bytes, 0..<bytes.byteCount) }

  /// The first octet after the header, by which PDUs of the fixed channels say what they are; 0 if
  /// that is not there.
  @inlinable
  public func code(_ bytes: RawSpan) -> UInt8 { rest.isEmpty ? 0 : bytes.byte(at: rest.lowerBound) }

  package var channel: Channel? { cid.map { Channel(cid: $0) } }
}

extension L2CAPBeginning.Channel {
  /// 2.1, table 2.3
  init(cid: UInt16) {
    self =
      switch cid {
      case 0x0004: .attributeProtocol
      case 0x0005: .signaling
      case 0x0006: .securityManager
      case 0x0020...0x003E, 0x0040...0x007F: .other
      default: .reserved
      }
  }
}

/// The SDU Length at the front of a K-frame that begins an SDU, or of what may be one. Vol 3, Part A, 3.4.3
package struct KFrameBeginning: Sendable {
  /// Of a K-frame with all of the SDU: the octets of its SDU Length, and the SDU. Nil if the length is not
  /// there.
  package let size: Int?

  package static let lengthSize = 2

  /// - Parameter frame: The Information Payload.
  package init(_ frame: RawSpan) {
    size =
      frame.byteCount >= Self.lengthSize
      ? Self.lengthSize + Int(frame.unsigned(at: 0, Self.lengthSize)) : nil
  }
}
