import HarkCore

/// An LMP PDU, as far as pairing is followed. Core Specification, Vol 2, Part C, 4.2.7.
package enum LMPMessage: Message, Equatable {
  /// Where IO capability, presence of Out of Band data and authentication requirements are, in this order. Anyone who
  /// requests that of the peer initiates the pairing.
  case ioCapability(Range<Int>, isRequest: Bool)
  /// With how many octets the payloads have that follow.
  case encapsulatedHeader(length: UInt8)
  /// Where the octets are.
  case encapsulatedPayload(Range<Int>)
  /// Where the commitment is.
  case simplePairingConfirm(Range<Int>)
  /// Where the random number is.
  case simplePairingNumber(Range<Int>)
  /// Where the check value is.
  case diffieHellmanKeyCheck(Range<Int>)
  /// With the Notification_Value.
  case keypressNotification(UInt8)
  case other

  package init() { self = .other }

  package init(_ bytes: RawSpan, isCut: Bool) {
    self = LMP.message(bytes, isCut: isCut).message
  }

  /// 5.1
  enum Opcode: UInt64 {
    case encapsulatedHeader = 61
    case encapsulatedPayload = 62
    case simplePairingConfirm = 63
    case simplePairingNumber = 64
    case diffieHellmanKeyCheck = 65
  }

  /// Those after the escape opcode. 5.1
  enum ExtendedOpcode: UInt64 {
    case ioCapabilityRequest = 25
    case ioCapabilityResponse = 26
    case keypressNotification = 30
  }

  /// - Parameter parameters: Where all of them are.
  init(_ opcode: Opcode?, _ parameters: Range<Int>, _ bytes: RawSpan) {
    switch opcode {
    case .encapsulatedHeader:
      self = .encapsulatedHeader(length: bytes.byte(at: parameters.upperBound - 1))
    case .encapsulatedPayload: self = .encapsulatedPayload(parameters)
    case .simplePairingConfirm: self = .simplePairingConfirm(parameters)
    case .simplePairingNumber: self = .simplePairingNumber(parameters)
    case .diffieHellmanKeyCheck: self = .diffieHellmanKeyCheck(parameters)
    case nil: self = .other
    }
  }

  /// - Parameter parameters: Where all of them are.
  init(extended opcode: ExtendedOpcode?, _ parameters: Range<Int>, _ bytes: RawSpan) {
    switch opcode {
    case .ioCapabilityRequest: self = .ioCapability(parameters, isRequest: true)
    case .ioCapabilityResponse: self = .ioCapability(parameters, isRequest: false)
    case .keypressNotification:
      self = .keypressNotification(bytes.byte(at: parameters.lowerBound))
    case nil: self = .other
    }
  }
}

/// A diagnostic packet of a controller that shows what a Link Manager sent or received.
package struct DiagnosticPacket: Message {
  package internal(set) var isReceived = false
  /// The Upper and the Lower Address Part of the peer.
  package internal(set) var peer: UInt32 = 0
  /// Where the LMP PDU is.
  package internal(set) var linkManager: Range<Int>?

  package init() {}

  package init(_ bytes: RawSpan, isCut: Bool) {
    self = H4.message(bytes, isCut: isCut).message
  }
}
