/// Events of the Linux Bluetooth management interface (mgmt-api).
enum ManagementEvents {
  private static let m = MonitorRecord.shared.management
  private static let device: [Parameter] = [.bytes(6, m.mgmtAddress), .u8(m.mgmtAddressType)]

  static let events: [Row] = [
    Row(0x03, "Controller Error", [.u8(m.mgmtError)]),
    Row(0x04, "Index Added", []),
    Row(0x05, "Index Removed", []),
    Row(0x06, "New Settings", [.u32(m.mgmtCurrent)]),
    Row(0x07, "Class Of Device Changed", [.classOfDevice(m.mgmtClass)]),
    Row(0x08, "Local Name Changed", [.bytes(249, m.mgmtName), .bytes(11, m.mgmtShortName)]),
    Row(
      0x09, "New Link Key",
      [.u8(m.mgmtStore)] + device + [
        .u8(m.mgmtLinkKeyType), .bytes(16, m.mgmtValue), .u8(m.mgmtPINLength),
      ]),
    Row(
      0x0A, "New Long Term Key",
      [.u8(m.mgmtStore)] + device + [
        .u8(m.mgmtLongTermKeyType), .u8(m.mgmtCentral), .u8(m.mgmtKeySize), .u16(m.mgmtDiversifier),
        .bytes(8, m.mgmtRandomNumber), .bytes(16, m.mgmtValue),
      ]),
    Row(
      0x0B, "Device Connected",
      device + [.u32(m.mgmtFound), .longAdvertisingData(m.mgmtDataLength, m.mgmtData)]),
    Row(0x0C, "Device Disconnected", device + [.optional, .u8(m.mgmtReason)]),
    Row(0x0D, "Connect Failed", device + [.u8(m.mgmtStatus)]),
    Row(0x0E, "PIN Code Request", device + [.u8(m.mgmtSecure)]),
    Row(
      0x0F, "User Confirmation Request", device + [.u8(m.mgmtConfirm), .u32(m.mgmtNumericValue)]),
    Row(0x10, "User Passkey Request", device),
    Row(0x11, "Authentication Failed", device + [.u8(m.mgmtStatus)]),
    Row(
      0x12, "Device Found",
      device + [
        .u8(m.mgmtRSSI), .u32(m.mgmtFound), .longAdvertisingData(m.mgmtDataLength, m.mgmtData),
      ]),
    Row(0x13, "Discovering", [.u8(m.mgmtAddressTypes), .u8(m.mgmtDiscovering)]),
    Row(0x14, "Device Blocked", device),
    Row(0x15, "Device Unblocked", device),
    Row(0x16, "Device Unpaired", device),
    Row(0x17, "Passkey Notify", device + [.u32(m.mgmtPasskey), .u8(m.mgmtEntered)]),
    Row(
      0x18, "New Identity Resolving Key",
      [.u8(m.mgmtStore), .bytes(6, m.mgmtRandomAddress)] + device + [.bytes(16, m.mgmtValue)]),
    Row(
      0x19, "New Signature Resolving Key",
      [.u8(m.mgmtStore)] + device + [.u8(m.mgmtSignatureType), .bytes(16, m.mgmtValue)]),
    Row(0x1A, "Device Added", device + [.u8(m.mgmtAction)]),
    Row(0x1B, "Device Removed", device),
    Row(
      0x1C, "New Connection Parameter",
      [.u8(m.mgmtStore)] + device + [
        .u16(m.mgmtMinInterval), .u16(m.mgmtMaxInterval), .u16(m.mgmtLatency),
        .u16(m.mgmtSupervision),
      ]),
    Row(0x1D, "Unconfigured Index Added", []),
    Row(0x1E, "Unconfigured Index Removed", []),
    Row(0x1F, "New Configuration Options", [.u32(m.mgmtMissingOptions)]),
    Row(0x20, "Extended Index Added", [.u8(m.mgmtType), .u8(m.mgmtBus)]),
    Row(0x21, "Extended Index Removed", [.u8(m.mgmtType), .u8(m.mgmtBus)]),
    Row(
      0x22, "Local Out Of Band Extended Data Updated",
      [.u8(m.mgmtAddressTypes), .u16(m.mgmtDataLength), .rest(m.mgmtOutOfBand)]),
    Row(0x23, "Advertising Added", [.u8(m.mgmtInstance)]),
    Row(0x24, "Advertising Removed", [.u8(m.mgmtInstance)]),
    Row(
      0x25, "Extended Controller Information Changed",
      [.longAdvertisingData(m.mgmtDataLength, m.mgmtData)]),
    Row(0x26, "PHY Configuration Changed", [.u32(m.mgmtSelectedPHYs)]),
    Row(0x27, "Experimental Feature Changed", [.bytes(16, m.mgmtUUID), .u32(m.mgmtFeatureFlags)]),
    Row(0x28, "Default System Configuration Changed", ManagementCommands.configuration),
    Row(0x29, "Default Runtime Configuration Changed", ManagementCommands.configuration),
    Row(
      0x2A, "Device Flags Changed",
      device + [.u32(m.mgmtSupportedDevice), .u32(m.mgmtCurrentDevice)]),
    Row(0x2B, "Advertisement Monitor Added", [.u16(m.mgmtMonitor)]),
    Row(0x2C, "Advertisement Monitor Removed", [.u16(m.mgmtMonitor)]),
    Row(0x2D, "Controller Suspended", [.u8(m.mgmtSuspend)]),
    Row(0x2E, "Controller Resumed", [.u8(m.mgmtWake)] + device),
    Row(
      0x2F, "ADV Monitor Device Found",
      [.u16(m.mgmtMonitor)] + device + [
        .u8(m.mgmtRSSI), .u32(m.mgmtFound), .longAdvertisingData(m.mgmtDataLength, m.mgmtData),
      ]),
    Row(0x30, "ADV Monitor Device Lost", [.u16(m.mgmtMonitor)] + device),
    Row(
      0x31, "Mesh Device Found",
      device + [
        .u8(m.mgmtRSSI), .u64(m.mgmtInstant), .u32(m.mgmtFound),
        .longAdvertisingData(m.mgmtDataLength, m.mgmtData),
      ]),
    Row(0x32, "Mesh Packet Complete", [.u8(m.mgmtMeshHandle)]),
    Row(
      0x33, "Connection Subrate",
      device + [
        .u8(m.mgmtStatus), .u16(m.mgmtRate), .u16(m.mgmtSubrate), .u16(m.mgmtLatency),
        .u16(m.mgmtContinuation), .u16(m.mgmtSupervision),
      ]),
  ]
}
