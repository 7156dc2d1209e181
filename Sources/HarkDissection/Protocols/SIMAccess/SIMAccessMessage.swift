import HarkCore

/// A message of the SIM Access Profile, with the parameters that somebody follows. SAP 1.1, 5.1 and 5.2.
package struct SIMAccessMessage: Message {
  /// Table 5.1
  package enum Kind: UInt8, Sendable {
    case connectRequest = 0x00
    case connectResponse = 0x01
    case disconnectRequest = 0x02
    case disconnectResponse = 0x03
    case disconnectIndication = 0x04
    case transferAPDURequest = 0x05
    case transferAPDUResponse = 0x06
    case transferATRRequest = 0x07
    case transferATRResponse = 0x08
    case powerSIMOffRequest = 0x09
    case powerSIMOffResponse = 0x0A
    case powerSIMOnRequest = 0x0B
    case powerSIMOnResponse = 0x0C
    case resetSIMRequest = 0x0D
    case resetSIMResponse = 0x0E
    case transferCardReaderStatusRequest = 0x0F
    case transferCardReaderStatusResponse = 0x10
    case statusIndication = 0x11
    case errorResponse = 0x12
    case setTransportProtocolRequest = 0x13
    case setTransportProtocolResponse = 0x14

    /// The request that it answers; nil for requests and indications, and of ERROR_RESP, which answers any.
    package var answered: Kind? {
      switch self {
      case .connectResponse: .connectRequest
      case .disconnectResponse: .disconnectRequest
      case .transferAPDUResponse: .transferAPDURequest
      case .transferATRResponse: .transferATRRequest
      case .powerSIMOffResponse: .powerSIMOffRequest
      case .powerSIMOnResponse: .powerSIMOnRequest
      case .resetSIMResponse: .resetSIMRequest
      case .transferCardReaderStatusResponse: .transferCardReaderStatusRequest
      case .setTransportProtocolResponse: .setTransportProtocolRequest
      case .connectRequest, .disconnectRequest, .disconnectIndication, .transferAPDURequest,
        .transferATRRequest, .powerSIMOffRequest, .powerSIMOnRequest, .resetSIMRequest,
        .transferCardReaderStatusRequest, .statusIndication, .errorResponse,
        .setTransportProtocolRequest:
        nil
      }
    }
  }

  /// Nil if the message has none.
  package internal(set) var code: UInt8?
  /// MaxMsgSize: the longest message, in octets.
  package internal(set) var maximum: UInt16?
  /// ConnectionStatus
  package internal(set) var status: UInt8?
  /// ResultCode
  package internal(set) var result: UInt8?
  /// DisconnectionType
  package internal(set) var disconnection: UInt8?
  /// StatusChange
  package internal(set) var change: UInt8?

  /// Nil if no message has that code.
  package var kind: Kind? { code.flatMap { Kind(rawValue: $0) } }

  /// Whether a ConnectionStatus says that the connection is made, even if only after a call. 5.2
  package static func isConnected(_ status: UInt8) -> Bool { status == 0x00 || status == 0x04 }

  /// Whether a ResultCode says that the request was processed. Table 5.18
  package static func isSuccess(_ result: UInt8) -> Bool { result == 0x00 }

  /// Whether a StatusChange says that the card cannot be used. Table 5.19
  package static func isFault(_ change: UInt8) -> Bool {
    switch change {
    case 0x01, 0x04, 0x05: false
    default: true
    }
  }

  /// The service that they are of.
  package static var service: BluetoothUUID { SIMAccess.service }

  package init() {}

  /// - Parameter isCut: Whether the recorder did not keep the message to its end.
  package init(_ bytes: RawSpan, isCut: Bool) {
    self = SIMAccess.message(bytes, isCut: isCut).message
  }
}
