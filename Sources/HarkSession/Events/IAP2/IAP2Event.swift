/// Events on a stream of iAP2, or of its predecessor iAP1.
public enum IAP2Event: Sendable {
  case detection(Detection)
  case iap1(IAP1)
  case synchronization(Synchronization)
  case reset(Reset)
  case sleep(Sleep)

  // Faults of the link
  case retransmitted(Retransmitted)
  case missing(Missing)
  case wanted(Wanted)
  case windowExceeded(WindowExceeded)
  case windowStalled(WindowStalled)
  case unacknowledged(Unacknowledged)
  case garbage(Garbage)
  case frameIncomplete(FrameIncomplete)
  case cut(Cut)
  case wrongChecksum(WrongChecksum)
  case undeclaredSession(UndeclaredSession)
  case incompleteMessage(IncompleteMessage)
  case packetTooLong(PacketTooLong)
  case acknowledgedUnsent(AcknowledgedUnsent)
  case malformedMessage(MalformedMessage)
  case wrongSender(WrongSender)
  case unanswered(Unanswered)

  // The control session
  case message(Message)
  case identification(Identification)
  case identificationAccepted(IdentificationAccepted)
  case identificationRejected(IdentificationRejected)
  case authentication(Authentication)

  // The other sessions
  case externalAccessory(EASessionEvent)
  case fileTransfer(FileTransfer)

  var described: any Described {
    switch self {
    case .detection(let event): event
    case .iap1(let event): event
    case .synchronization(let event): event
    case .reset(let event): event
    case .sleep(let event): event
    case .retransmitted(let event): event
    case .missing(let event): event
    case .wanted(let event): event
    case .windowExceeded(let event): event
    case .windowStalled(let event): event
    case .unacknowledged(let event): event
    case .garbage(let event): event
    case .frameIncomplete(let event): event
    case .cut(let event): event
    case .wrongChecksum(let event): event
    case .undeclaredSession(let event): event
    case .incompleteMessage(let event): event
    case .packetTooLong(let event): event
    case .acknowledgedUnsent(let event): event
    case .malformedMessage(let event): event
    case .wrongSender(let event): event
    case .unanswered(let event): event
    case .message(let event): event
    case .identification(let event): event
    case .identificationAccepted(let event): event
    case .identificationRejected(let event): event
    case .authentication(let event): event
    case .externalAccessory(let event): event.described
    case .fileTransfer(let event): event
    }
  }

  static func kind(_ name: StaticString, step: StaticString? = nil) -> EventKind {
    EventKind(name, .iap2, .externalAccessory, step: step)
  }

  /// The name of a message, or its identifier if it has no name.
  static func message(_ identifier: UInt16) -> String {
    Names.of(identifier, "iap2.csm.message") ?? "message \(Names.hex(identifier))"
  }
}
