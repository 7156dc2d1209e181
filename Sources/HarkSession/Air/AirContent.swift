import HarkCore
import HarkDissection

/// The content of a connection's PDU that may identify its sender. If an L2CAP PDU is fragmented, the first fragment
/// is enough.
enum AirContent {
  /// Of an L2CAP PDU.
  case continuation
  case attribute(ATTPDU)
  /// The first command of a C-frame; nil if no command has its code.
  case signaling(SignalingCommand.Code?, identifier: UInt8)
  case security(SMPMessage)
  case control(LLControlPDU)
  case other

  init(_ bytes: RawSpan, _ pdu: LLDataPDU) {
    switch pdu.header.llid {
    case .continuation: self = .continuation
    case .start: self.init(L2CAPBeginning(bytes, pdu.payload), in: bytes)
    case .control: self = .control(LLControlPDU(bytes.extracting(pdu.payload), isCut: true))
    case .reserved: self = .other
    }
  }

  private init(_ frame: L2CAPBeginning, in bytes: RawSpan) {
    self = .other
    guard !frame.information.isEmpty else { return }
    let information = bytes.extracting(frame.information)
    switch frame.channel {
    case .attributeProtocol: self = .attribute(ATTPDU(information, isCut: true))
    case .signaling:
      guard let command = SignalingFrame(information, isCut: true).first else { return }
      self = .signaling(command.code, identifier: command.identifier)
    case .securityManager: self = .security(SMPMessage(information, isCut: true))
    case .other, .reserved, nil: break
    }
  }

  /// The only side that sends such a PDU: 0 is the Central, 1 the Peripheral.
  var sender: Int? {
    switch self {
    case .control(let pdu): pdu.opcode?.sender?.rawValue
    case .signaling(let code, _): code?.senderOnLE
    case .security(let message): message.sender
    case .continuation, .attribute, .other: nil
    }
  }
}

extension SignalingCommand.Code {
  /// On LE links. Vol 3, Part A, 4.20 and 4.21
  fileprivate var senderOnLE: Int? {
    switch self {
    case .connectionParameterUpdateRequest: 1
    case .connectionParameterUpdateResponse: 0
    default: nil
    }
  }
}

extension SMPMessage {
  /// Vol 3, Part H, 3.5.1, 3.5.2, 3.6.7
  fileprivate var sender: Int? {
    switch self {
    case .pairingRequest: 0
    case .pairingResponse, .securityRequest: 1
    default: nil
    }
  }

  /// PDUs that both sides send, one after the other.
  enum Exchange {
    case confirm, random, publicKey, dhKeyCheck
  }

  var exchange: Exchange? {
    switch self {
    case .pairingConfirm: .confirm
    case .pairingRandom: .random
    case .pairingPublicKey: .publicKey
    case .pairingDHKeyCheck: .dhKeyCheck
    default: nil
    }
  }
}

extension ATTPDU.Opcode.Kind {
  /// Whether the ATT client sends it. Vol 3, Part F, 3.3.1
  var isOfClient: Bool {
    switch self {
    case .command, .request, .confirmation: true
    case .response, .notification, .indication: false
    }
  }
}
