/// The commands that somebody follows. Core Specification, Vol 4, Part E, 7.1 to 7.8.
package enum HCIOpcode: UInt16, Sendable {
  // Link Control. 7.1
  case inquiry = 0x0401
  case inquiryCancel = 0x0402
  case periodicInquiryMode = 0x0403
  case exitPeriodicInquiryMode = 0x0404
  case createConnection = 0x0405
  case disconnect = 0x0406
  case createConnectionCancel = 0x0408
  case acceptConnectionRequest = 0x0409
  case rejectConnectionRequest = 0x040A
  case linkKeyRequestReply = 0x040B
  case linkKeyRequestNegativeReply = 0x040C
  case pinCodeRequestNegativeReply = 0x040E
  case authenticationRequested = 0x0411
  case setConnectionEncryption = 0x0413
  case setupSynchronousConnection = 0x0428
  case acceptSynchronousConnectionRequest = 0x0429
  case rejectSynchronousConnectionRequest = 0x042A
  case ioCapabilityRequestReply = 0x042B
  case userConfirmationRequestNegativeReply = 0x042D
  case userPasskeyRequestNegativeReply = 0x042F
  case remoteOOBDataRequestReply = 0x0430
  case remoteOOBDataRequestNegativeReply = 0x0433
  case ioCapabilityRequestNegativeReply = 0x0434
  case enhancedSetupSynchronousConnection = 0x043D
  case enhancedAcceptSynchronousConnectionRequest = 0x043E
  case remoteOOBExtendedDataRequestReply = 0x0445

  // Link Policy. 7.2
  case holdMode = 0x0801
  case sniffMode = 0x0803
  case exitSniffMode = 0x0804
  case roleDiscovery = 0x0809
  case switchRole = 0x080B

  // Controller and Baseband. 7.3
  case reset = 0x0C03
  case flush = 0x0C08
  case writeScanEnable = 0x0C1A
  case readClassOfDevice = 0x0C23
  case writeClassOfDevice = 0x0C24
  case hostNumberOfCompletedPackets = 0x0C35
  case readLocalOOBData = 0x0C57
  case enhancedFlush = 0x0C5F
  case sendKeypressNotification = 0x0C60
  case readLocalOOBExtendedData = 0x0C7D

  // Informational and Status parameters. 7.4, 7.5
  case readLocalVersionInformation = 0x1001
  case readBufferSize = 0x1005
  case readBDADDR = 0x1009
  case readEncryptionKeySize = 0x1408

  // LE Controller. 7.8
  case leReadBufferSize = 0x2002
  case leSetAdvertisingParameters = 0x2006
  case leSetAdvertisingData = 0x2008
  case leSetScanResponseData = 0x2009
  case leSetAdvertisingEnable = 0x200A
  case leSetScanEnable = 0x200C
  case leCreateConnection = 0x200D
  case leCreateConnectionCancel = 0x200E
  case leClearFilterAcceptList = 0x2010
  case leAddDeviceToFilterAcceptList = 0x2011
  case leRemoveDeviceFromFilterAcceptList = 0x2012
  case leConnectionUpdate = 0x2013
  case leEnableEncryption = 0x2019
  case leLongTermKeyRequestReply = 0x201A
  case leLongTermKeyRequestNegativeReply = 0x201B
  case leRemoteConnectionParameterRequestNegativeReply = 0x2021
  case leSetDataLength = 0x2022
  case leAddDeviceToResolvingList = 0x2027
  case leRemoveDeviceFromResolvingList = 0x2028
  case leClearResolvingList = 0x2029
  case leSetAddressResolutionEnable = 0x202D
  case leSetPHY = 0x2032
  case leSetExtendedAdvertisingParameters = 0x2036
  case leSetExtendedAdvertisingData = 0x2037
  case leSetExtendedScanResponseData = 0x2038
  case leSetExtendedAdvertisingEnable = 0x2039
  case leRemoveAdvertisingSet = 0x203C
  case leClearAdvertisingSets = 0x203D
  case leSetPeriodicAdvertisingParameters = 0x203E
  case leSetPeriodicAdvertisingData = 0x203F
  case leSetPeriodicAdvertisingEnable = 0x2040
  case leSetExtendedScanEnable = 0x2042
  case leExtendedCreateConnection = 0x2043
  case lePeriodicAdvertisingCreateSync = 0x2044
  case lePeriodicAdvertisingCreateSyncCancel = 0x2045
  case lePeriodicAdvertisingTerminateSync = 0x2046
  case leAddDeviceToPeriodicAdvertiserList = 0x2047
  case leRemoveDeviceFromPeriodicAdvertiserList = 0x2048
  case leClearPeriodicAdvertiserList = 0x2049
  case lePeriodicAdvertisingSyncTransfer = 0x205A
  case lePeriodicAdvertisingSetInfoTransfer = 0x205B
  case leReadBufferSizeV2 = 0x2060
  case leSetCIGParameters = 0x2062
  case leCreateCIS = 0x2064
  case leRemoveCIG = 0x2065
  case leAcceptCISRequest = 0x2066
  case leRejectCISRequest = 0x2067
  case leCreateBIG = 0x2068
  case leTerminateBIG = 0x206A
  case leBIGCreateSync = 0x206B
  case leBIGTerminateSync = 0x206C
  case leSetupISODataPath = 0x206E
  case leRemoveISODataPath = 0x206F
  case leSetExtendedAdvertisingParametersV2 = 0x207F
  case leExtendedCreateConnectionV2 = 0x2085
  case leSetPeriodicAdvertisingParametersV2 = 0x2086

  /// Whether a code is one of those that manufacturers give. 5.4.1
  package static func isVendorSpecific(_ code: UInt16) -> Bool { code >> 10 == 0x3F }

  /// Whether Command Status answers it: an event says how it ended. Others are answered by Command
  /// Complete.
  package var isAnsweredByStatus: Bool {
    switch self {
    case .inquiry, .createConnection, .disconnect, .acceptConnectionRequest,
      .rejectConnectionRequest, .authenticationRequested, .setConnectionEncryption,
      .setupSynchronousConnection, .acceptSynchronousConnectionRequest,
      .rejectSynchronousConnectionRequest, .enhancedSetupSynchronousConnection,
      .enhancedAcceptSynchronousConnectionRequest, .holdMode, .sniffMode, .exitSniffMode,
      .switchRole, .leCreateConnection, .leConnectionUpdate, .leEnableEncryption, .leSetPHY,
      .leExtendedCreateConnection, .lePeriodicAdvertisingCreateSync, .leCreateCIS,
      .leAcceptCISRequest, .leCreateBIG, .leTerminateBIG, .leBIGCreateSync,
      .leExtendedCreateConnectionV2:
      true
    default: false
    }
  }

  /// Whether it goes to links of BR/EDR only.
  package var isForBREDRLinks: Bool {
    switch self {
    case .authenticationRequested, .setConnectionEncryption, .holdMode, .sniffMode, .exitSniffMode,
      .roleDiscovery, .switchRole:
      true
    default: false
    }
  }

  /// Whether it goes to links of LE only.
  package var isForLELinks: Bool {
    switch self {
    case .leConnectionUpdate, .leEnableEncryption, .leLongTermKeyRequestReply,
      .leLongTermKeyRequestNegativeReply, .leRemoteConnectionParameterRequestNegativeReply,
      .leSetDataLength, .leSetPHY, .lePeriodicAdvertisingSyncTransfer,
      .lePeriodicAdvertisingSetInfoTransfer:
      true
    default: false
    }
  }
}
