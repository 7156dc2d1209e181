/// Commands of Broadcom's Controllers, which others make today as well. No public specification as a
/// whole: data sheets of Infineon and Cypress, and what drivers of Linux and Android send.
extension HCIParameters {
  struct Broadcom: Sendable {
    let brcmEncodedRate = Field("Encoded_Baud_Rate", .hex)
    let brcmRate = Field("Explicit_Baud_Rate", unit: "baud", inLine: true, structural: true)
    let brcmRouting = Field(
      "SCO_Routing", names: [0: "PCM", 1: "Transport", 2: "Codec", 3: "I2S"], inLine: true)
    let brcmInterfaceRate = Field(
      "PCM_Interface_Rate",
      names: [0: "128 kb/s", 1: "256 kb/s", 2: "512 kb/s", 3: "1024 kb/s", 4: "2048 kb/s"])
    let brcmFrameType = Field("Frame_Type", names: [0: "Short", 1: "Long"])
    let brcmSyncMode = Field("Sync_Mode", names: [0: "Peripheral", 1: "Central"])
    let brcmClockMode = Field("Clock_Mode", names: [0: "Peripheral", 1: "Central"])
    let brcmLSBFirst = Field("LSB_First", names: HCICodes.truths)
    let brcmFillBits = Field("Fill_Bits")
    let brcmFillData = Field("Fill_Data")
    let brcmFillNumber = Field("Fill_Number")
    let brcmRightJustify = Field("Right_Justify", names: HCICodes.truths)
    let brcmSleepMode = Field("Sleep_Mode", .hex, names: sleepModes, inLine: true)
    let brcmIdleHost = Field("Idle_Threshold_Host")
    let brcmIdleController = Field("Idle_Threshold_HC")
    let brcmSleepSettings = Field("Sleep_Settings", .bytes)
    let brcmClock = Field("UART_Clock", names: [1: "48 MHz", 2: "24 MHz"], inLine: true)
    let brcmMemory = Field("Address", .hex, inLine: true)
    let brcmCount = Field("Length")
    let brcmData = Field("Data", .bytes)
    let brcmI2SEnable = Field("I2S_Enable", names: HCICodes.switches)
    let brcmI2SMode = Field("I2S_Mode", names: [0: "Peripheral", 1: "Central"])
    let brcmI2SRate = Field("I2S_Sample_Rate", names: [0: "8 kHz", 1: "16 kHz", 2: "4 kHz"])
    let brcmI2SClock = Field("I2S_Clock_Rate", .hex)
    let brcmChip = Field("Chip_ID", .hex, inLine: true)
    let brcmTarget = Field("Target_ID", .hex)
    let brcmBuildBase = Field("Build_Base", .hex)
    let brcmBuild = Field("Build_Number", .hex)
    let brcmUSBVendor = Field("Vendor_ID", .hex)
    let brcmUSBProduct = Field("Product_ID", .hex)
    let brcmFeatures = Field(
      "Controller_Features", .hex,
      flags: [
        0: "Multi-AV transport bandwidth reducer", 1: "WBS SBC", 2: "FW LC-PLC",
        3: "FM SBC internal stack",
      ])
    let brcmRadio = Field("Radio", names: HCICodes.switches, inLine: true)
    let brcmHID = Field("Mode", names: [0: "Bluetooth", 1: "HID"], inLine: true)
    let brcmPriority = Field("Priority", names: [0: "Low", 1: "High"], inLine: true)
    let brcmWBS = Field("WBS", names: HCICodes.switches, inLine: true)
    let brcmCodec = Field("Codec", names: [0: "None", 1: "CVSD", 2: "mSBC"], inLine: true)
    let brcmDiagnostic = Field(
      "Type", .hex,
      names: [0: "LMP sent", 1: "LMP received", 0x80: "LL sent", 0x81: "LL received"],
      inLine: true)

    private static let sleepModes: [UInt64: StaticString] = [
      0: "None", 1: "UART", 2: "UART with messaging", 3: "USB", 4: "H4IBSS",
      5: "USB with Host wake", 6: "SDIO", 7: "UART CS-N", 8: "SPI", 9: "H5", 10: "H4DS",
      12: "UART with BREAK",
    ]
  }
}

extension HCICommand {
  private static let p = HCIParameters.shared
  private static let r = HCIParameters.shared.broadcom

  private static let pcm: [Parameter] = [
    .u8(r.brcmRouting), .u8(r.brcmInterfaceRate), .u8(r.brcmFrameType), .u8(r.brcmSyncMode),
    .u8(r.brcmClockMode),
  ]
  private static let sleep: [Parameter] = [
    .u8(r.brcmSleepMode), .u8(r.brcmIdleHost), .u8(r.brcmIdleController),
    .rest(r.brcmSleepSettings),
  ]

  static let broadcom: [Row] = [
    Row(0xFC01, "Broadcom Write BD ADDR", [.bytes(6, p.address)]),
    Row(
      0xFC18, "Broadcom Update UART Baud Rate", [.u16(r.brcmEncodedRate), .u32(r.brcmRate)]),
    Row(0xFC1C, "Broadcom Write SCO PCM Int Param", pcm),
    Row(0xFC1D, "Broadcom Read SCO PCM Int Param", [], returns: [.u8(p.status)] + pcm),
    Row(
      0xFC1E, "Broadcom Write PCM Data Format Param",
      [
        .u8(r.brcmLSBFirst), .u8(r.brcmFillBits), .u8(r.brcmFillData), .u8(r.brcmFillNumber),
        .u8(r.brcmRightJustify),
      ]),
    Row(0xFC27, "Broadcom Set Sleepmode Param", sleep),
    Row(0xFC28, "Broadcom Read Sleepmode Param", [], returns: [.u8(p.status)] + sleep),
    Row(0xFC2E, "Broadcom Download Minidriver", []),
    Row(0xFC34, "Broadcom Enable Radio", [.u8(r.brcmRadio)]),
    Row(0xFC3B, "Broadcom Enable USB HID Emulation", [.u8(r.brcmHID)]),
    Row(
      0xFC44, "Broadcom Read UART Clock Setting", [], returns: [.u8(p.status), .u8(r.brcmClock)]),
    Row(0xFC45, "Broadcom Write UART Clock Setting", [.u8(r.brcmClock)]),
    Row(
      0xFC48, "Broadcom Read Raw RSSI", [.u12(p.handle)],
      returns: [.u8(p.status), .u12(p.handle), .u8(p.rssi)]),
    Row(0xFC4C, "Broadcom Write RAM", [.u32(r.brcmMemory), .rest(r.brcmData)]),
    Row(
      0xFC4D, "Broadcom Read RAM", [.u32(r.brcmMemory), .u8(r.brcmCount)],
      returns: [.u8(p.status), .rest(r.brcmData)]),
    Row(0xFC4E, "Broadcom Launch RAM", [.u32(r.brcmMemory)]),
    Row(
      0xFC57, "Broadcom Write High Priority Connection", [.u12(p.handle), .u8(r.brcmPriority)]),
    Row(
      0xFC5A, "Broadcom Read USB Product", [],
      returns: [.u8(p.status), .u16(r.brcmUSBVendor), .u16(r.brcmUSBProduct)]),
    Row(
      0xFC6D, "Broadcom Write I2SPCM Interface Param",
      [
        .u8(r.brcmI2SEnable), .u8(r.brcmI2SMode), .u8(r.brcmI2SRate), .u8(r.brcmI2SClock),
      ]),
    Row(
      0xFC6E, "Broadcom Read Controller Features", [],
      returns: [.u8(p.status), .u64(r.brcmFeatures)]),
    Row(
      0xFC79, "Broadcom Read Verbose Config Version Info", [],
      returns: [
        .u8(p.status), .u8(r.brcmChip), .u8(r.brcmTarget), .u16(r.brcmBuildBase),
        .u16(r.brcmBuild),
      ]),
    Row(0xFC7E, "Broadcom Enable WBS", [.u8(r.brcmWBS), .u16(r.brcmCodec)]),
  ]
}

extension HCIEvent {
  private static let r = HCIParameters.shared.broadcom

  static let broadcom: [Row] = [
    // The clock in it has its most significant octet first.
    Row(0xB4, "Broadcom LM Diag", [.u8(r.brcmDiagnostic), .rest(r.brcmData)])
  ]
}
