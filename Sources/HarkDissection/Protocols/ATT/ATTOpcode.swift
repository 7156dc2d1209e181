/// The Attribute Opcode. Core Specification, Vol 3, Part F, 3.4.8
///
/// Public as only that lets the compiler put its small properties into the session, which asks for each packet.
public enum ATTOpcode: UInt8, Sendable {
  case errorResponse = 0x01
  case exchangeMTURequest = 0x02
  case exchangeMTUResponse = 0x03
  case findInformationRequest = 0x04
  case findInformationResponse = 0x05
  case findByTypeValueRequest = 0x06
  case findByTypeValueResponse = 0x07
  case readByTypeRequest = 0x08
  case readByTypeResponse = 0x09
  case readRequest = 0x0A
  case readResponse = 0x0B
  case readBlobRequest = 0x0C
  case readBlobResponse = 0x0D
  case readMultipleRequest = 0x0E
  case readMultipleResponse = 0x0F
  case readByGroupTypeRequest = 0x10
  case readByGroupTypeResponse = 0x11
  case writeRequest = 0x12
  case writeResponse = 0x13
  case prepareWriteRequest = 0x16
  case prepareWriteResponse = 0x17
  case executeWriteRequest = 0x18
  case executeWriteResponse = 0x19
  case handleValueNotification = 0x1B
  case handleValueIndication = 0x1D
  case handleValueConfirmation = 0x1E
  case readMultipleVariableRequest = 0x20
  case readMultipleVariableResponse = 0x21
  case multipleHandleValueNotification = 0x23
  case writeCommand = 0x52
  case signedWriteCommand = 0xD2

  /// Of a PDU of ATT that the index pass read.
  public init?(_ facts: Facts) { self.init(rawValue: UInt8(truncatingIfNeeded: facts.code)) }

  /// Whether servers send PDUs with that code: their opcodes are odd, also those that nothing has yet. 3.4.8
  public static func isOfServer(_ code: UInt8) -> Bool { code & 1 == 1 }

  /// 3.3
  public enum Kind: Sendable {
    case command, request, response, notification, indication, confirmation
  }

  public var kind: Kind {
    switch self {
    case .exchangeMTURequest, .findInformationRequest, .findByTypeValueRequest,
      .readByTypeRequest, .readRequest, .readBlobRequest, .readMultipleRequest,
      .readByGroupTypeRequest, .writeRequest, .prepareWriteRequest, .executeWriteRequest,
      .readMultipleVariableRequest:
      .request
    case .errorResponse, .exchangeMTUResponse, .findInformationResponse,
      .findByTypeValueResponse, .readByTypeResponse, .readResponse, .readBlobResponse,
      .readMultipleResponse, .readByGroupTypeResponse, .writeResponse, .prepareWriteResponse,
      .executeWriteResponse, .readMultipleVariableResponse:
      .response
    case .handleValueNotification, .multipleHandleValueNotification: .notification
    case .handleValueIndication: .indication
    case .handleValueConfirmation: .confirmation
    case .writeCommand, .signedWriteCommand: .command
    }
  }

  /// The response to a request, where it is not refused.
  public var response: ATTOpcode? {
    switch self {
    case .exchangeMTURequest: .exchangeMTUResponse
    case .findInformationRequest: .findInformationResponse
    case .findByTypeValueRequest: .findByTypeValueResponse
    case .readByTypeRequest: .readByTypeResponse
    case .readRequest: .readResponse
    case .readBlobRequest: .readBlobResponse
    case .readMultipleRequest: .readMultipleResponse
    case .readByGroupTypeRequest: .readByGroupTypeResponse
    case .writeRequest: .writeResponse
    case .prepareWriteRequest: .prepareWriteResponse
    case .executeWriteRequest: .executeWriteResponse
    case .readMultipleVariableRequest: .readMultipleVariableResponse
    default: nil
    }
  }

  /// Whether it is a request about one attribute.
  public var namesAttribute: Bool {
    switch self {
    case .readRequest, .readBlobRequest, .writeRequest, .prepareWriteRequest: true
    default: false
    }
  }

  /// Whether it searches for attributes: by a range of handles. 3.4.3, 3.4.4.1, 3.4.4.9
  public var isSearch: Bool {
    switch self {
    case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest,
      .readByGroupTypeRequest:
      true
    default: false
    }
  }

  /// Whether it answers a search by a list, of which a part says something, too.
  public var isSearchResponse: Bool {
    switch self {
    case .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse,
      .readByGroupTypeResponse:
      true
    default: false
    }
  }

  /// Whether a client writes by it, or by a later one what it queues. 3.4.5, 3.4.6
  public var isWrite: Bool {
    switch self {
    case .writeRequest, .writeCommand, .signedWriteCommand, .prepareWriteRequest,
      .executeWriteRequest:
      true
    default: false
    }
  }

  /// Of a PDU that carries the value of the attribute it names and nothing after it: how many octets the
  /// opcode and the handle take. 3.4.5.1, 3.4.5.3, 3.4.7.1, 3.4.7.2
  public var sizeBeforeValue: Int? {
    switch self {
    case .writeRequest, .writeCommand, .handleValueNotification, .handleValueIndication: 3
    default: nil
    }
  }

  /// Whether the index pass learns less of it than an `ATTPDU` says.
  var isReadAgain: Bool {
    switch self {
    case .readRequest, .readResponse, .readBlobResponse, .readMultipleResponse, .writeRequest,
      .writeResponse, .executeWriteResponse, .handleValueNotification, .handleValueIndication,
      .handleValueConfirmation, .writeCommand, .signedWriteCommand:
      false
    default: true
    }
  }
}
