/// Commands of the Linux Bluetooth management interface up to 0x2F, and what they return (mgmt-api).
enum ManagementCommands {
  private static let m = MonitorRecord.shared.management
  private static let device: [Parameter] = [.bytes(6, m.mgmtAddress), .u8(m.mgmtAddressType)]

  static let commands: [Row] = [
    Row(
      0x01, "Read Management Version Information", [],
      returns: [.u8(m.mgmtVersion), .u16(m.mgmtRevision)]),
    Row(
      0x02, "Read Management Supported Commands", [],
      returns: [.special(.commandsAndEvents)]),
    Row(
      0x03, "Read Controller Index List", [],
      returns: [.eachOf16(m.mgmtNumControllers, m.mgmtController, [.u16(m.mgmtIndex)])]),
    Row(
      0x04, "Read Controller Information", [],
      returns: [
        .bytes(6, m.mgmtAddress), .u8(m.mgmtBluetoothVersion), .u16(m.mgmtManufacturer),
        .u32(m.mgmtSupported), .u32(m.mgmtCurrent), .classOfDevice(m.mgmtClass),
        .bytes(249, m.mgmtName),
        .bytes(11, m.mgmtShortName),
      ]),
    Row(0x05, "Set Powered", [.u8(m.mgmtPowered)], returns: [.u32(m.mgmtCurrent)]),
    Row(
      0x06, "Set Discoverable", [.u8(m.mgmtDiscoverable), .u16(m.mgmtTimeout)],
      returns: [.u32(m.mgmtCurrent)]),
    Row(0x07, "Set Connectable", [.u8(m.mgmtConnectable)], returns: [.u32(m.mgmtCurrent)]),
    Row(0x08, "Set Fast Connectable", [.u8(m.mgmtFast)], returns: [.u32(m.mgmtCurrent)]),
    Row(0x09, "Set Bondable", [.u8(m.mgmtBondable)], returns: [.u32(m.mgmtCurrent)]),
    Row(0x0A, "Set Link Security", [.u8(m.mgmtLinkSecurity)], returns: [.u32(m.mgmtCurrent)]),
    Row(
      0x0B, "Set Secure Simple Pairing", [.u8(m.mgmtSimplePairing)], returns: [.u32(m.mgmtCurrent)]),
    Row(0x0C, "Set High Speed", [.u8(m.mgmtHighSpeed)], returns: [.u32(m.mgmtCurrent)]),
    Row(0x0D, "Set Low Energy", [.u8(m.mgmtLowEnergy)], returns: [.u32(m.mgmtCurrent)]),
    Row(
      0x0E, "Set Device Class", [.u8(m.mgmtMajor), .u8(m.mgmtMinor)],
      returns: [.classOfDevice(m.mgmtClass)]),
    Row(
      0x0F, "Set Local Name", [.bytes(249, m.mgmtName), .bytes(11, m.mgmtShortName)],
      returns: [.bytes(249, m.mgmtName), .bytes(11, m.mgmtShortName)]),
    Row(
      0x10, "Add UUID", [.bytes(16, m.mgmtUUID), .u8(m.mgmtHint)],
      returns: [.classOfDevice(m.mgmtClass)]),
    Row(0x11, "Remove UUID", [.bytes(16, m.mgmtUUID)], returns: [.classOfDevice(m.mgmtClass)]),
    Row(
      0x12, "Load Link Keys",
      [
        .u8(m.mgmtDebugKeys),
        .eachOf16(
          m.mgmtKeyCount, m.mgmtKey,
          device + [.u8(m.mgmtLinkKeyType), .bytes(16, m.mgmtValue), .u8(m.mgmtPINLength)]),
      ], returns: []),
    Row(
      0x13, "Load Long Term Keys",
      [
        .eachOf16(
          m.mgmtKeyCount, m.mgmtKey,
          device + [
            .u8(m.mgmtLongTermKeyType), .u8(m.mgmtCentral), .u8(m.mgmtKeySize),
            .u16(m.mgmtDiversifier), .bytes(8, m.mgmtRandomNumber), .bytes(16, m.mgmtValue),
          ])
      ], returns: []),
    Row(0x14, "Disconnect", device, returns: device),
    Row(
      0x15, "Get Connections", [], returns: [.eachOf16(m.mgmtConnections, m.mgmtConnection, device)]
    ),
    Row(
      0x16, "PIN Code Reply", device + [.u8(m.mgmtPINLength), .bytes(16, m.mgmtPIN)],
      returns: device),
    Row(0x17, "PIN Code Negative Reply", device, returns: device),
    Row(0x18, "Set IO Capability", [.u8(m.mgmtIOCapability)], returns: []),
    Row(0x19, "Pair Device", device + [.u8(m.mgmtIOCapability)], returns: device),
    Row(0x1A, "Cancel Pair Device", device, returns: device),
    Row(0x1B, "Unpair Device", device + [.u8(m.mgmtDisconnect)], returns: device),
    Row(0x1C, "User Confirmation Reply", device, returns: device),
    Row(0x1D, "User Confirmation Negative Reply", device, returns: device),
    Row(0x1E, "User Passkey Reply", device + [.u32(m.mgmtPasskey)], returns: device),
    Row(0x1F, "User Passkey Negative Reply", device, returns: device),
    Row(
      0x20, "Read Local Out Of Band Data", [],
      returns: [
        .bytes(16, m.mgmtHash192), .bytes(16, m.mgmtRandomizer192), .optional,
        .bytes(16, m.mgmtHash256), .bytes(16, m.mgmtRandomizer256),
      ]),
    Row(
      0x21, "Add Remote Out Of Band Data",
      device + [
        .bytes(16, m.mgmtHash192), .bytes(16, m.mgmtRandomizer192), .optional,
        .bytes(16, m.mgmtHash256), .bytes(16, m.mgmtRandomizer256),
      ], returns: device),
    Row(0x22, "Remove Remote Out Of Band Data", device, returns: device),
    Row(0x23, "Start Discovery", [.u8(m.mgmtAddressTypes)], returns: [.u8(m.mgmtAddressTypes)]),
    Row(0x24, "Stop Discovery", [.u8(m.mgmtAddressTypes)], returns: [.u8(m.mgmtAddressTypes)]),
    Row(0x25, "Confirm Name", device + [.u8(m.mgmtNameKnown)], returns: device),
    Row(0x26, "Block Device", device, returns: device),
    Row(0x27, "Unblock Device", device, returns: device),
    Row(
      0x28, "Set Device ID",
      [.u16(m.mgmtSource), .u16(m.mgmtVendor), .u16(m.mgmtProduct), .u16(m.mgmtDeviceVersion)],
      returns: []),
    Row(0x29, "Set Advertising", [.u8(m.mgmtAdvertising)], returns: [.u32(m.mgmtCurrent)]),
    Row(0x2A, "Set BR/EDR", [.u8(m.mgmtClassic)], returns: [.u32(m.mgmtCurrent)]),
    Row(0x2B, "Set Static Address", [.bytes(6, m.mgmtAddress)], returns: [.u32(m.mgmtCurrent)]),
    Row(0x2C, "Set Scan Parameters", [.u16(m.mgmtInterval), .u16(m.mgmtWindow)], returns: []),
    Row(
      0x2D, "Set Secure Connections", [.u8(m.mgmtSecureConnections)], returns: [.u32(m.mgmtCurrent)]
    ),
    Row(0x2E, "Set Debug Keys", [.u8(m.mgmtDebugKeys)], returns: [.u32(m.mgmtCurrent)]),
    Row(
      0x2F, "Set Privacy", [.u8(m.mgmtPrivacy), .bytes(16, m.mgmtIRK)],
      returns: [.u32(m.mgmtCurrent)]),
  ]
}
