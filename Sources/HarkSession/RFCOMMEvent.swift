/// What RFCOMM tells.
public enum RFCOMMEvent: Sendable {
  case opened(DataLink, byPeer: Bool)
  case refused(DataLink)
  case closed(DataLink)
  /// The first bytes tell what a data link carries of which no service record is in the capture.
  case recognized(DataLink, protocolName: String)
  /// More frames were sent than the receiver had given credits for.
  case creditsExceeded(DataLink, byPeer: Bool)
  /// A command that the other side does not support, by its type. TS 27.010 5.4.6.3.8
  case unsupported(command: UInt8)
  /// The line status of a data link: an overrun, parity or framing error. TS 27.010 5.4.6.3.10
  case lineStatus(DataLink, UInt8)
}
