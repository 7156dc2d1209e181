import HarkCore

/// A C-frame: what one side says on an L2CAP signaling channel. Core Specification, Vol 3, Part A, 4.
package struct SignalingFrame: Message {
  /// Mostly the only command, and so not in the list, which would be allocated for each frame.
  package private(set) var first: SignalingCommand?
  /// Those after it, up to the last one that is whole.
  package private(set) var others: [SignalingCommand] = []

  package init() {}

  /// - Parameter isCut: Whether the recorder did not keep the frame to its end.
  package init(_ bytes: RawSpan, isCut: Bool) {
    let frame = L2CAPSignaling.message(bytes, isCut: isCut)
    self = frame.message
    // Reading stops in the command that lacks something: what it would have said is not known.
    if !frame.isWhole, others.popLast() == nil { first = nil }
  }

  mutating func append(_ command: SignalingCommand) {
    if first == nil { first = command } else { others.append(command) }
  }
}

/// A command of L2CAP signaling: a request, a response or an indication. What a command of its kind does
/// not say is 0 or nil. Core Specification, Vol 3, Part A, 4
package struct SignalingCommand: Equatable, Sendable {
  /// Nil if no command has that code.
  package internal(set) var code: Code?
  package internal(set) var identifier: UInt8 = 0
  /// The PSM or SPSM.
  package internal(set) var psm: UInt16 = 0
  package private(set) var sourceCIDs: [UInt16] = []
  package private(set) var destinationCIDs: [UInt16] = []
  /// What it means depends on the code.
  package internal(set) var result: UInt16?
  /// Of Command Reject. 4.1
  package internal(set) var reason: UInt16?
  /// How many K-frames the one who sends this takes, or takes in addition. 4.22 to 4.26
  package internal(set) var credits: UInt16 = 0
  /// The longest SDU, in bytes.
  package internal(set) var mtu: UInt16 = 0
  /// The longest payload of a frame, in bytes.
  package internal(set) var mps: UInt16 = 0
  /// The endpoint that credits are for. 4.24
  package internal(set) var cid: UInt16 = 0
  /// Nil also of reserved modes. 5.4
  package internal(set) var mode: L2CAPFraming.Mode?
  /// TxWindow Size: how many unacknowledged I-frames the sender of a request takes. 5.4
  package internal(set) var txWindow: UInt8?
  /// Whether frames are to end with a Frame Check Sequence. 5.5
  package internal(set) var hasFCS: Bool?
  /// Max Window Size: frames are to have the Extended Control Field. 5.7
  package internal(set) var maxWindow: UInt16?
  package internal(set) var parameters = Parameters()
  /// Whether another Configuration Request or Response with more options follows. 4.4, 4.5
  package internal(set) var isContinued = false

  /// 4, table 4.2; Create Channel to Move Channel Confirmation are of versions before 5.3.
  package enum Code: UInt8, Sendable {
    case commandReject = 0x01
    case connectionRequest = 0x02
    case connectionResponse = 0x03
    case configurationRequest = 0x04
    case configurationResponse = 0x05
    case disconnectionRequest = 0x06
    case disconnectionResponse = 0x07
    case echoRequest = 0x08
    case echoResponse = 0x09
    case informationRequest = 0x0A
    case informationResponse = 0x0B
    case createChannelRequest = 0x0C
    case createChannelResponse = 0x0D
    case moveChannelRequest = 0x0E
    case moveChannelResponse = 0x0F
    case moveChannelConfirmationRequest = 0x10
    case moveChannelConfirmationResponse = 0x11
    case connectionParameterUpdateRequest = 0x12
    case connectionParameterUpdateResponse = 0x13
    case leCreditBasedConnectionRequest = 0x14
    case leCreditBasedConnectionResponse = 0x15
    case flowControlCredit = 0x16
    case creditBasedConnectionRequest = 0x17
    case creditBasedConnectionResponse = 0x18
    case creditBasedReconfigureRequest = 0x19
    case creditBasedReconfigureResponse = 0x1A

    /// Whether commands with that code answer another, by their habit: before Credit Based Connection Request
    /// responses have odd codes, from there on even ones.
    package static func isResponse(_ code: UInt8) -> Bool {
      (code & 1 == 1) != (code >= creditBasedConnectionRequest.rawValue)
    }

    /// Whether a response is to follow.
    package var isRequest: Bool {
      switch self {
      case .connectionRequest, .configurationRequest, .disconnectionRequest, .echoRequest,
        .informationRequest, .createChannelRequest, .moveChannelRequest,
        .moveChannelConfirmationRequest, .connectionParameterUpdateRequest,
        .leCreditBasedConnectionRequest, .creditBasedConnectionRequest,
        .creditBasedReconfigureRequest:
        true
      default: false
      }
    }

    /// Whether the command is defined on a signaling channel: that of BR/EDR or that of LE. Table 4.2
    package func isDefined(on channel: FixedChannel) -> Bool {
      switch self {
      case .commandReject, .disconnectionRequest, .disconnectionResponse, .flowControlCredit,
        .creditBasedConnectionRequest, .creditBasedConnectionResponse,
        .creditBasedReconfigureRequest, .creditBasedReconfigureResponse:
        true
      case .connectionParameterUpdateRequest, .connectionParameterUpdateResponse,
        .leCreditBasedConnectionRequest, .leCreditBasedConnectionResponse:
        channel == .leSignaling
      case .connectionRequest, .connectionResponse, .configurationRequest, .configurationResponse,
        .echoRequest, .echoResponse, .informationRequest, .informationResponse,
        .createChannelRequest, .createChannelResponse, .moveChannelRequest, .moveChannelResponse,
        .moveChannelConfirmationRequest, .moveChannelConfirmationResponse:
        channel == .signaling
      }
    }

    /// Whether it is the response to `request`, or Command Reject, which answers any.
    package func answers(_ request: Code) -> Bool {
      self == .commandReject || request.isRequest && rawValue == request.rawValue + 1
    }
  }

  /// Of a Configuration Response. 4.5
  package enum ConfigurationResult: UInt16, Sendable {
    case success = 0
    case unacceptableParameters = 1
    case rejected = 2
    case unknownOptions = 3
    case pending = 4
    case flowSpecificationRejected = 5
  }

  /// Of a Connection Parameter Update Request. 4.20
  package struct Parameters: Equatable, Sendable {
    /// The interval, in units of 1.25 ms.
    package internal(set) var minimum: UInt16 = 0
    package internal(set) var maximum: UInt16 = 0
    /// In connection events.
    package internal(set) var latency: UInt16 = 0
    /// In units of 10 ms.
    package internal(set) var timeout: UInt16 = 0
  }

  /// Whether the response says that all was done that was asked for.
  package var isSuccess: Bool { result == 0 }
  /// Whether another response with the same identifier follows. 4.3, 4.5, 4.26
  package var isPending: Bool {
    guard let result else { return false }
    switch code {
    case .connectionResponse, .createChannelResponse, .moveChannelResponse: return result == 1
    case .configurationResponse: return configurationResult == .pending
    case .creditBasedConnectionResponse: return 0x000D...0x000F ~= result
    default: return false
    }
  }
  package var configurationResult: ConfigurationResult? {
    result.flatMap { ConfigurationResult(rawValue: $0) }
  }

  /// Commands name no more channels. 4.25
  private static let mostChannels = 5

  mutating func addSource(_ cid: UInt16) {
    if sourceCIDs.count < Self.mostChannels { sourceCIDs.append(cid) }
  }

  mutating func addDestination(_ cid: UInt16) {
    if destinationCIDs.count < Self.mostChannels { destinationCIDs.append(cid) }
  }
}
