/// Commands and events of Intel's Controllers. No public specification: what drivers of Linux send.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let i = HCIParameters.shared.intel
  private static let bootParameters: [Parameter] = [
    .u8(p.status), .u8(i.intelOTP), .u8(i.intelOTPContent), .u8(i.intelOTPPatch),
    .u16(i.intelDevice), .u8(i.intelSecureBoot), .u8(i.intelKeyFromHeader), .u8(i.intelKeyType),
    .u8(i.intelOTPLock), .u8(i.intelAPILock), .u8(i.intelDebugLock), .bytes(6, p.address),
    .u8(i.intelMinBuild), .u8(i.intelMinWeek), .u8(i.intelMinYear), .u8(i.intelLimitedCCE),
    .u8(i.intelUnlocked),
  ]

  /// In its first octet, 0x37 is a platform; everything else is the type of a first TLV.
  private static let version: [Parameter] = [.u8(p.status), .special(.intelVersion)]

  static let intel: [Row] = bring + memory + statistics

  /// What brings a Controller up.
  private static let bring: [Row] = [
    Row(
      0xFC01, "Intel Reset",
      [
        .u8(i.intelResetType), .u8(i.intelPatchEnable), .u8(i.intelReload),
        .u8(i.intelBootOption), .u32(i.intelBootAddress),
      ]),
    Row(0xFC02, "Intel No Operation"),
    Row(0xFC05, "Intel Read Version", [.optional, .u8(i.intelAll)], returns: version),
    Row(0xFC06, "Intel Set UART Baudrate", [.u8(i.intelBaudRate)]),
    Row(0xFC07, "Intel Enable LPM"),
    Row(0xFC08, "Intel PCM Write Configuration"),
    Row(0xFC09, "Intel Secure Send", [.u8(i.intelFragment), .rest(i.intelData)]),
    Row(0xFC0D, "Intel Read Boot Parameters", [], returns: bootParameters),
    Row(0xFC0E, "Intel Write Boot Parameters", [.u32(i.intelBootAddress), .rest(i.intelData)]),
    Row(0xFC0F, "Intel Unlock"),
    Row(0xFC10, "Intel Change UART Baudrate"),
    Row(0xFC11, "Intel Manufacturer Mode", [.u8(i.intelMode), .u8(i.intelModeReset)]),
    Row(0xFC2F, "Intel Write BD Data", [.bytes(6, p.address), .rest(i.intelData)]),
    Row(
      0xFC30, "Intel Read BD Data", [],
      returns: [.u8(p.status), .bytes(6, p.address), .rest(i.intelData)]),
    Row(0xFC31, "Intel Write BD Address", [.bytes(6, p.address)]),
    Row(0xFC34, "Intel Read Secure ID"),
    Row(0xFC3F, "Intel Software RF Kill", []),
    Row(0xFC50, "Intel Read HW Version"),
    Row(
      0xFCA6, "Intel Read Supported Features", [.u8(i.intelPage)],
      returns: [
        .u8(p.status), .u8(i.intelPage), .u8(i.intelMaxPage), .bytes(16, i.intelFeatures),
      ]),
    Row(0xFE0B, "Intel PPAG Enable", [.u32(i.intelPPAG)]),
  ]

  private static let memory: [Row] = [
    Row(0xFC89, "Intel DDC Write"),
    Row(0xFC8A, "Intel DDC Read"),
    Row(
      0xFC8B, "Intel DDC Config Write",
      [.untilEnd(i.intelDDC, [.counted(i.intelDDCLength, i.intelDDCData)])],
      returns: [.u8(p.status), .u16(i.intelIdentifier)]),
    Row(0xFC8C, "Intel DDC Config Read"),
    Row(0xFC8D, "Intel Memory Read"),
    Row(
      0xFC8E, "Intel Memory Write",
      [
        .u32(i.intelMemory), .u8(i.intelAccess), .u8(i.intelMemoryLength), .rest(i.intelData),
      ]),
  ]

  /// What says how it does.
  private static let statistics: [Row] = [
    Row(0xFC12, "Intel Read Link RSSI"),
    Row(0xFC22, "Intel Read Exception Information"),
    Row(0xFC24, "Intel Clear Exception Information"),
    Row(0xFC32, "Intel Flow Specification"),
    Row(0xFC38, "Intel Set Synchronous USB Interface Type"),
    Row(0xFC39, "Intel Config Synchronous Interface"),
    Row(
      0xFC43, "Intel Activate Deactivate Traces",
      [.u8(i.intelTransmit), .u8(i.intelTransmitARQ), .u8(i.intelReceive)]),
    Row(0xFC4D, "Intel Stimulate Exception", [.u8(i.intelException)]),
    Row(0xFC52, "Intel Set Event Mask", [.u64(i.intelMask)]),
    Row(0xFC53, "Intel Config Link Controller"),
    Row(0xFCA1, "Intel Set Link Statistics Events Tracing"),
  ]
}

extension HCIEvent {
  private static let p = HCIParameters.shared
  private static let i = HCIParameters.shared.intel
  private static let exception: [Parameter] = [
    .u16(i.intelLine), .u8(i.intelModule), .u8(i.intelReason),
  ]

  static let intel: [Row] = [
    Row(0x00, "Intel Startup", []),
    Row(0x01, "Intel Fatal Exception", exception),
    Row(
      0x02, "Intel Bootup",
      [
        .u8(i.intelZero), .u8(i.intelNumCommands), .u8(i.intelSource), .u8(i.intelBootReset),
        .u8(i.intelResetReason), .u8(i.intelDDCStatus),
      ]),
    Row(0x05, "Intel Default BD Data", [.u8(i.intelMemoryStatus)]),
    Row(
      0x06, "Intel Secure Send Result",
      [.u8(i.intelResult), .u16(i.intelOpcode), .u8(p.status)]),
    Row(0x08, "Intel Debug Exception", exception),
    Row(0x0F, "Intel LE Link Established", [.u12(p.handle), .rest(i.intelLinkData)]),
    Row(0x11, "Intel Scan Status", [.u8(i.intelScans)]),
    Row(0x16, "Intel Activate Deactivate Traces Complete", [.u8(p.status)]),
    Row(0x17, "Intel LMP PDU Trace", [.u8(i.intelTrace), .u12(p.handle), .rest(i.intelData)]),
    Row(0x19, "Intel Write BD Data Complete", [.u8(p.status)]),
    Row(0x25, "Intel SCO Rejected via LMP", [.bytes(6, p.address), .u8(p.reason)]),
    Row(0x26, "Intel PTT Switch Notification", [.u12(p.handle), .u8(i.intelTable)]),
    Row(0x29, "Intel System Exception", [.u8(i.intelSystemException), .rest(i.intelData)]),
    Row(0x2C, "Intel FW Trace String", [.rest(i.intelString)]),
    Row(0x2E, "Intel FW Trace Binary", [.rest(i.intelData)]),
  ]
}

extension PDU {
  /// Earlier Controllers give nine octets, later ones a list of types, lengths and values.
  mutating func intelVersion() throws(Malformed) {
    let i = HCIParameters.shared.intel.version
    if peek() == 0x37, remaining == 9 {
      if skip(9) { return }
      for field in [
        i.intelPlatform, i.intelHardware, i.intelHardwareRevision, i.intelFirmware,
        i.intelFirmwareRevision, i.intelBuildNumber, i.intelBuildWeek, i.intelBuildYear,
        i.intelPatch,
      ] { try u8(field) }
      return
    }
    while remaining > 0 {
      try group(i.intelVersionItem) { pdu throws(Malformed) in
        try pdu.u8(i.intelVersionType)
        let count = Int(try pdu.u8(i.intelVersionLength))
        if count > 0 { try pdu.bytes(count, i.intelVersionData) }
      }
    }
  }
}
