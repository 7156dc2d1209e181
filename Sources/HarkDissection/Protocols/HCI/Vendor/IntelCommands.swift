/// Commands and events of Intel's Controllers. No public specification: what drivers of Linux send.
extension HCIParameters {
  struct Intel: Sendable {
    let intelAll = Field("Requested_Type", .hex, names: [0xFF: "All, as TLV"])
    let intelVersionData = Field("Version_Data", .bytes)
    let intelResetType = Field("Reset_Type", .hex)
    let intelPatchEnable = Field("Patch_Enable", names: HCICodes.switches)
    let intelReload = Field("DDC_Reload", names: HCICodes.switches)
    let intelBootOption = Field("Boot_Option", .hex)
    let intelBootAddress = Field("Boot_Address", .hex)
    let intelMode = Field("Manufacturer_Mode", names: HCICodes.switches, inLine: true)
    let intelModeReset = Field(
      "Mode_Reset",
      names: [0: "None", 1: "Reset, patches deactivated", 2: "Reset, patches activated"])
    let intelFragment = Field(
      "Fragment_Type", .hex, names: [0: "Init", 1: "Data", 2: "Signature", 3: "Public key"],
      inLine: true)
    let intelData = Field("Data", .bytes)
    let intelMask = Field("Event_Mask", .hex)
    let intelOTP = Field("OTP_Format", .hex)
    let intelOTPContent = Field("OTP_Content", .hex)
    let intelOTPPatch = Field("OTP_Patch", .hex)
    let intelDevice = Field("Device_Revision", .hex)
    let intelSecureBoot = Field("Secure_Boot", names: HCICodes.switches)
    let intelKeyFromHeader = Field("Key_From_Header", .hex)
    let intelKeyType = Field("Key_Type", .hex)
    let intelOTPLock = Field("OTP_Lock", names: HCICodes.switches)
    let intelAPILock = Field("API_Lock", names: HCICodes.switches)
    let intelDebugLock = Field("Debug_Lock", names: HCICodes.switches)
    let intelMinBuild = Field("Minimum_Firmware_Build_Number")
    let intelMinWeek = Field("Minimum_Firmware_Build_Week")
    let intelMinYear = Field("Minimum_Firmware_Build_Year", unit: "years since 2000")
    let intelLimitedCCE = Field("Limited_CCE", .hex)
    let intelUnlocked = Field("Unlocked_State", .hex)
    let intelZero = Field("Zero", .hex)
    let intelNumCommands = Field("Num_Commands")
    let intelSource = Field("Source", .hex)
    let intelResetReason = Field("Reset_Reason", .hex)
    let intelDDCStatus = Field("DDC_Status", .hex)
    let intelResult = Field("Result", .hex, inLine: true)
    let intelOpcode = Field("Opcode", .hex)
  }
}

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

  static let intel: [Row] = [
    Row(
      0xFC01, "Intel Reset",
      [
        .u8(i.intelResetType), .u8(i.intelPatchEnable), .u8(i.intelReload),
        .u8(i.intelBootOption), .u32(i.intelBootAddress),
      ]),
    Row(0xFC02, "Intel No Operation"),
    Row(
      0xFC05, "Intel Read Version", [.optional, .u8(i.intelAll)],
      // Later Controllers give a list of types, lengths and values.
      returns: [.u8(p.status), .rest(i.intelVersionData)]),
    Row(0xFC06, "Intel Set UART Baudrate"),
    Row(0xFC09, "Intel Secure Send", [.u8(i.intelFragment), .rest(i.intelData)]),
    Row(0xFC0D, "Intel Read Boot Parameters", [], returns: bootParameters),
    Row(0xFC0E, "Intel Write Boot Parameters", [.u32(i.intelBootAddress), .rest(i.intelData)]),
    Row(0xFC11, "Intel Manufacturer Mode", [.u8(i.intelMode), .u8(i.intelModeReset)]),
    Row(0xFC22, "Intel Read Exception Information"),
    Row(0xFC2F, "Intel Write BD Data"),
    Row(0xFC30, "Intel Read BD Data"),
    Row(0xFC31, "Intel Write BD Address", [.bytes(6, p.address)]),
    Row(0xFC3F, "Intel Software RF Kill"),
    Row(0xFC43, "Intel Activate Deactivate Traces"),
    Row(0xFC52, "Intel Set Event Mask", [.u64(i.intelMask)]),
    Row(0xFC8B, "Intel DDC Config Write", [.rest(i.intelData)]),
    Row(0xFC8E, "Intel Memory Write", [.rest(i.intelData)]),
    Row(0xFCA1, "Intel Set Link Statistics Events Tracing"),
    Row(0xFCA6, "Intel Read Debug Features"),
  ]
}

extension HCIEvent {
  private static let p = HCIParameters.shared
  private static let i = HCIParameters.shared.intel

  static let intel: [Row] = [
    Row(0x00, "Intel Startup"),
    Row(0x01, "Intel Fatal Exception"),
    Row(
      0x02, "Intel Bootup",
      [
        .u8(i.intelZero), .u8(i.intelNumCommands), .u8(i.intelSource), .u8(i.intelResetType),
        .u8(i.intelResetReason), .u8(i.intelDDCStatus),
      ]),
    Row(0x03, "Intel Default BD Data"),
    Row(
      0x06, "Intel Secure Send Result",
      [.u8(i.intelResult), .u16(i.intelOpcode), .u8(p.status)]),
  ]
}
