import HarkCore

/// A datagram of a file transfer of iAP2.
package struct IAP2FileDatagram: Message {
  package enum Control: UInt8, Sendable {
    case data = 0x00
    case start = 0x01
    case cancel = 0x02
    case pause = 0x03
    case setup = 0x04
    case success = 0x05
    case failure = 0x06
    case lastData = 0x40
    case firstData = 0x80
    case onlyData = 0xC0
  }

  package internal(set) var transfer: UInt8 = 0
  /// Nil if no datagram has that octet.
  package internal(set) var control: Control?
  /// In bytes: of a setup.
  package internal(set) var size: UInt64?
  /// Where the data are in the datagram.
  package internal(set) var data = 0..<0

  package init() {}

  package init(_ bytes: RawSpan) {
    self = IAP2FileTransfer.message(bytes, isCut: false).message
  }
}
