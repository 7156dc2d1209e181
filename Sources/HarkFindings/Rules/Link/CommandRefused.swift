import HarkDissection
import HarkSession

struct CommandRefused: Rule {
  static let about = RuleDescription(
    id: "link.command-refused", title: "The controller refuses what its host requests",
    severity: .info, needs: .links,
    meaning:
      "The advertising, scan, connection, stream or change that the host requested does not begin; if an earlier "
      + "command started it, it continues.",
    source:
      "Core Specification, Vol 4, Part E, 7.7.14 (HCI_Command_Complete), 7.7.15 (HCI_Command_Status); Vol 1, "
      + "Part F, 2 (error codes)",
    fix:
      "Look at the status. 0x01: the controller does not know the command, so ask for its supported commands "
      + "and features first. 0x0C: its state does not allow the command, such as a second connection attempt or "
      + "new parameters while advertising. 0x11, 0x12, 0x1A, 0x20, 0x30: it does not take a parameter."
  )
  static let wants: Set<Event.Family> = [.controller]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .controller(.commandFailed(let failed)) = event.content,
      let purpose = failed.purpose, Self.begins(purpose.kind)
    else { return }
    switch HCIErrorCode(failed.status) {
    // The link has ended meanwhile, or the host has what it wants.
    case .unknownConnectionIdentifier, .connectionAlreadyExists, .operationCancelledByHost: return
    default: break
    }
    report.found(
      event, session, expected: "a controller that carries out the command",
      subject: "\(failed.opcode) \(failed.status)")
  }

  /// Whether something begins or changes by it. To stop, remove or cancel what there is not does no harm.
  private static func begins(_ kind: CommandPurpose.Kind) -> Bool {
    switch kind {
    case .scanStart, .inquiryStart, .periodicInquiryStart, .discoverability, .advertisingStart,
      .advertisingParameters, .advertisingData, .scanResponseData, .periodicAdvertisingStart,
      .periodicAdvertisingParameters, .periodicAdvertisingData, .periodicHandOver, .syncStart,
      .connection, .connectionAcceptance, .synchronousConnection, .connectionParameters,
      .dataLength, .phy, .mode, .role, .authentication, .encryption, .acceptListAddition,
      .resolvingListAddition, .addressResolution, .advertiserListAddition, .isochronousGroup,
      .isochronousStreams, .isochronousAcceptance, .broadcastGroup, .broadcastGroupSync,
      .isochronousDataPath:
      true
    case .reset, .scanStop, .inquiryStop, .periodicInquiryStop, .advertisingStop,
      .advertisingRemoval, .periodicAdvertisingStop, .syncCancel, .syncEnd, .connectionCancel,
      .connectionRefusal, .disconnection, .connectionParametersRefusal, .pairingRefusal,
      .acceptListRemoval, .acceptListClearing, .resolvingListRemoval, .resolvingListClearing,
      .advertiserListRemoval, .advertiserListClearing, .isochronousGroupRemoval,
      .isochronousRefusal, .broadcastGroupEnd, .broadcastGroupSyncEnd,
      .isochronousDataPathRemoval:
      false
    }
  }
}
