import HarkCore

/// The header of an L2CAP PDU on an LE link, of which only the beginning may be there: a Link Layer sends
/// it in pieces. Core Specification, Vol 3, Part A, 2.1 and 3.1
package struct L2CAPBeginning: Sendable {
  package enum Channel: Sendable {
    case attributeProtocol, signaling, securityManager
    /// By a service of the Bluetooth SIG, or allocated dynamically.
    case other
    case reserved
  }

  /// Of the whole PDU in octets, with its header; nil where the PDU Length is not there.
  package let size: Int?
  /// Nil where the Channel ID is not there.
  package let channel: Channel?
  /// Where as much of the Information Payload is as there is.
  package let information: Range<Int>

  private static let headerSize = 4

  /// - Parameter range: Where in `bytes` the PDU is.
  package init(_ bytes: RawSpan, _ range: Range<Int>) {
    let start = range.lowerBound
    let length = Int(bytes.unsigned(at: start, 2))
    size = range.count >= 2 ? length + Self.headerSize : nil
    let cid = UInt16(truncatingIfNeeded: bytes.unsigned(at: start + 2, 2))
    channel = range.count >= Self.headerSize ? Channel(cid: cid) : nil
    information = range.dropFirst(Self.headerSize).prefix(length)
  }
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
