import HarkCore
import HarkDissection

/// The purpose of an HCI command, as far as hark reports its result. Core Specification, Vol 4, Part E, 7.1 to 7.8.
public struct CommandPurpose: Equatable, Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    case reset
    case scanStart = "scan-start"
    case scanStop = "scan-stop"
    case inquiryStart = "inquiry-start"
    case inquiryStop = "inquiry-stop"
    case periodicInquiryStart = "periodic-inquiry-start"
    case periodicInquiryStop = "periodic-inquiry-stop"
    case discoverability
    case advertisingStart = "advertising-start"
    case advertisingStop = "advertising-stop"
    case advertisingParameters = "advertising-parameters"
    case advertisingData = "advertising-data"
    case scanResponseData = "scan-response-data"
    case advertisingRemoval = "advertising-removal"
    case periodicAdvertisingStart = "periodic-advertising-start"
    case periodicAdvertisingStop = "periodic-advertising-stop"
    case periodicAdvertisingParameters = "periodic-advertising-parameters"
    case periodicAdvertisingData = "periodic-advertising-data"
    case periodicHandOver = "periodic-hand-over"
    case syncStart = "sync-start"
    case syncCancel = "sync-cancel"
    case syncEnd = "sync-end"
    case connection
    case connectionCancel = "connection-cancel"
    case connectionAcceptance = "connection-acceptance"
    case connectionRefusal = "connection-refusal"
    case synchronousConnection = "synchronous-connection"
    case disconnection
    case connectionParameters = "connection-parameters"
    case connectionParametersRefusal = "connection-parameters-refusal"
    case dataLength = "data-length"
    case phy
    case mode
    case role
    case authentication
    case encryption
    case pairingRefusal = "pairing-refusal"
    case acceptListAddition = "accept-list-addition"
    case acceptListRemoval = "accept-list-removal"
    case acceptListClearing = "accept-list-clearing"
    case resolvingListAddition = "resolving-list-addition"
    case resolvingListRemoval = "resolving-list-removal"
    case resolvingListClearing = "resolving-list-clearing"
    case addressResolution = "address-resolution"
    case advertiserListAddition = "advertiser-list-addition"
    case advertiserListRemoval = "advertiser-list-removal"
    case advertiserListClearing = "advertiser-list-clearing"
    case isochronousGroup = "isochronous-group"
    case isochronousGroupRemoval = "isochronous-group-removal"
    case isochronousStreams = "isochronous-streams"
    case isochronousAcceptance = "isochronous-acceptance"
    case isochronousRefusal = "isochronous-refusal"
    case broadcastGroup = "broadcast-group"
    case broadcastGroupEnd = "broadcast-group-end"
    case broadcastGroupSync = "broadcast-group-sync"
    case broadcastGroupSyncEnd = "broadcast-group-sync-end"
    case isochronousDataPath = "isochronous-data-path"
    case isochronousDataPathRemoval = "isochronous-data-path-removal"
  }

  public let kind: Kind
  /// The Advertising_Handles; empty for legacy advertising, and for all sets.
  public var sets: [UInt8] = []
  public var peer: BluetoothAddress?
  /// The Sync_Handle, CIG_ID, BIG_Handle, or the handle of an isochronous stream.
  public var number: UInt16?
  /// Whether Command Complete is the answer; otherwise it is Command Status, and an event reports the outcome.
  var isCompleted = true

  public init(
    _ kind: Kind, sets: [UInt8] = [], peer: BluetoothAddress? = nil, number: UInt16? = nil
  ) {
    (self.kind, self.sets, self.peer, self.number) = (kind, sets, peer, number)
  }
}

// What a command is for.
extension CommandPurpose {
  init?(_ command: HCICommandMessage) {
    guard let opcode = command.opcode,
      let found = Self.linkControl(opcode, command) ?? Self.advertising(opcode, command)
        ?? Self.periodicAdvertising(opcode, command) ?? Self.connections(opcode, command)
        ?? Self.isochronous(opcode, command)
    else { return nil }
    self = found
    isCompleted = !opcode.isAnsweredByStatus
  }

  /// BR/EDR, and commands for both transports. 7.1 to 7.3
  private static func linkControl(
    _ opcode: HCIOpcode, _ command: HCICommandMessage
  ) -> CommandPurpose? {
    switch opcode {
    case .inquiry: .init(.inquiryStart)
    case .inquiryCancel: .init(.inquiryStop)
    case .periodicInquiryMode: .init(.periodicInquiryStart)
    case .exitPeriodicInquiryMode: .init(.periodicInquiryStop)
    case .createConnection: .init(.connection, peer: command.peer)
    case .disconnect: .init(.disconnection)
    case .createConnectionCancel: .init(.connectionCancel, peer: command.peer)
    case .acceptConnectionRequest: .init(.connectionAcceptance, peer: command.peer)
    case .rejectConnectionRequest, .rejectSynchronousConnectionRequest:
      .init(.connectionRefusal, peer: command.peer)
    case .authenticationRequested: .init(.authentication)
    case .setConnectionEncryption, .leEnableEncryption, .leLongTermKeyRequestReply:
      .init(.encryption)
    case .setupSynchronousConnection, .acceptSynchronousConnectionRequest,
      .enhancedSetupSynchronousConnection, .enhancedAcceptSynchronousConnectionRequest:
      .init(.synchronousConnection)
    case .ioCapabilityRequestNegativeReply, .userConfirmationRequestNegativeReply,
      .userPasskeyRequestNegativeReply, .pinCodeRequestNegativeReply,
      .remoteOOBDataRequestNegativeReply:
      .init(.pairingRefusal, peer: command.peer)
    case .holdMode, .sniffMode, .exitSniffMode: .init(.mode)
    case .switchRole: .init(.role, peer: command.peer)
    case .reset: .init(.reset)
    case .writeScanEnable: .init(.discoverability)
    default: nil
    }
  }

  /// Advertising and scanning. 7.8
  private static func advertising(
    _ opcode: HCIOpcode, _ command: HCICommandMessage
  ) -> CommandPurpose? {
    func turning(_ start: Kind, _ stop: Kind) -> CommandPurpose? {
      command.isEnabling.map { .init($0 ? start : stop, sets: command.advertisingHandles) }
    }
    return switch opcode {
    case .leSetScanEnable, .leSetExtendedScanEnable: turning(.scanStart, .scanStop)
    case .leSetAdvertisingEnable, .leSetExtendedAdvertisingEnable:
      turning(.advertisingStart, .advertisingStop)
    case .leSetAdvertisingParameters, .leSetExtendedAdvertisingParameters,
      .leSetExtendedAdvertisingParametersV2:
      .init(.advertisingParameters, sets: command.advertisingHandles)
    case .leSetAdvertisingData, .leSetExtendedAdvertisingData:
      .init(.advertisingData, sets: command.advertisingHandles)
    case .leSetScanResponseData, .leSetExtendedScanResponseData:
      .init(.scanResponseData, sets: command.advertisingHandles)
    case .leRemoveAdvertisingSet:
      .init(.advertisingRemoval, sets: command.advertisingHandles)
    case .leClearAdvertisingSets: .init(.advertisingRemoval)
    case .leSetPeriodicAdvertisingEnable:
      turning(.periodicAdvertisingStart, .periodicAdvertisingStop)
    default: nil
    }
  }

  /// Periodic advertising. 7.8
  private static func periodicAdvertising(
    _ opcode: HCIOpcode, _ command: HCICommandMessage
  ) -> CommandPurpose? {
    switch opcode {
    case .leSetPeriodicAdvertisingParameters, .leSetPeriodicAdvertisingParametersV2:
      .init(.periodicAdvertisingParameters, sets: command.advertisingHandles)
    case .leSetPeriodicAdvertisingData:
      .init(.periodicAdvertisingData, sets: command.advertisingHandles)
    case .lePeriodicAdvertisingCreateSync: .init(.syncStart, peer: command.peer)
    case .lePeriodicAdvertisingCreateSyncCancel: .init(.syncCancel)
    case .lePeriodicAdvertisingTerminateSync: .init(.syncEnd, number: command.syncHandle)
    case .leAddDeviceToPeriodicAdvertiserList:
      .init(.advertiserListAddition, peer: command.peer)
    case .leRemoveDeviceFromPeriodicAdvertiserList:
      .init(.advertiserListRemoval, peer: command.peer)
    case .leClearPeriodicAdvertiserList: .init(.advertiserListClearing)
    case .lePeriodicAdvertisingSyncTransfer: .init(.periodicHandOver, number: command.syncHandle)
    case .lePeriodicAdvertisingSetInfoTransfer:
      .init(.periodicHandOver, sets: command.advertisingHandles)
    default: nil
    }
  }

  /// LE connections, and the lists that determine their peers. 7.8
  private static func connections(
    _ opcode: HCIOpcode, _ command: HCICommandMessage
  ) -> CommandPurpose? {
    switch opcode {
    case .leCreateConnection, .leExtendedCreateConnection, .leExtendedCreateConnectionV2:
      .init(.connection, peer: command.peer)
    case .leCreateConnectionCancel: .init(.connectionCancel)
    case .leClearFilterAcceptList: .init(.acceptListClearing)
    case .leAddDeviceToFilterAcceptList: .init(.acceptListAddition, peer: command.peer)
    case .leRemoveDeviceFromFilterAcceptList: .init(.acceptListRemoval, peer: command.peer)
    case .leConnectionUpdate: .init(.connectionParameters)
    case .leRemoteConnectionParameterRequestNegativeReply: .init(.connectionParametersRefusal)
    case .leSetDataLength: .init(.dataLength)
    case .leSetPHY: .init(.phy)
    case .leAddDeviceToResolvingList: .init(.resolvingListAddition, peer: command.peer)
    case .leRemoveDeviceFromResolvingList: .init(.resolvingListRemoval, peer: command.peer)
    case .leClearResolvingList: .init(.resolvingListClearing)
    case .leSetAddressResolutionEnable: .init(.addressResolution)
    default: nil
    }
  }

  /// Isochronous streams. 7.8.97 to 7.8.110
  private static func isochronous(
    _ opcode: HCIOpcode, _ command: HCICommandMessage
  ) -> CommandPurpose? {
    let (cig, big) = (command.cig.map { UInt16($0) }, command.big.map { UInt16($0) })
    return switch opcode {
    case .leSetCIGParameters: .init(.isochronousGroup, number: cig)
    case .leCreateCIS: .init(.isochronousStreams)
    case .leRemoveCIG: .init(.isochronousGroupRemoval, number: cig)
    case .leAcceptCISRequest: .init(.isochronousAcceptance, number: command.handle)
    case .leRejectCISRequest: .init(.isochronousRefusal, number: command.handle)
    case .leCreateBIG: .init(.broadcastGroup, number: big)
    case .leTerminateBIG: .init(.broadcastGroupEnd, number: big)
    case .leBIGCreateSync: .init(.broadcastGroupSync, number: big)
    case .leBIGTerminateSync: .init(.broadcastGroupSyncEnd, number: big)
    case .leSetupISODataPath: .init(.isochronousDataPath, number: command.handle)
    case .leRemoveISODataPath: .init(.isochronousDataPathRemoval, number: command.handle)
    default: nil
    }
  }
}
