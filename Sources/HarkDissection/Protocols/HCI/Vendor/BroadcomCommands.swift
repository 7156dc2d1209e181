/// Commands of Broadcom's Controllers, which others make today as well. No public specification as a
/// whole: data sheets of Infineon and Cypress, and what drivers of Linux and Android send.
extension HCIParameters {
  struct Broadcom: Sendable {
    let brcmEncodedRate = Field("Encoded_Baud_Rate", .hex)
    let brcmRate = Field("Explicit_Baud_Rate", unit: "baud", inLine: true)
    let brcmRouting = Field(
      "SCO_Routing", names: [0: "PCM", 1: "Transport", 2: "Codec", 3: "I2S"], inLine: true)
    let brcmInterfaceRate = Field("PCM_Interface_Rate", .hex)
    let brcmFrameType = Field("Frame_Type", names: [0: "Short", 1: "Long"])
    let brcmSyncMode = Field("Sync_Mode", names: [0: "Peripheral", 1: "Central"])
    let brcmClockMode = Field("Clock_Mode", names: [0: "Peripheral", 1: "Central"])
    let brcmLSBFirst = Field("LSB_First", names: HCICodes.truths)
    let brcmFillBits = Field("Fill_Bits")
    let brcmFillData = Field("Fill_Data")
    let brcmFillNumber = Field("Fill_Number")
    let brcmRightJustify = Field("Right_Justify", names: HCICodes.truths)
    let brcmSleepMode = Field("Sleep_Mode", .hex, inLine: true)
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
    let brcmFeatures = Field("Controller_Features", .bytes)
  }
}

extension HCICommand {
  private static let p = HCIParameters.shared
  private static let r = HCIParameters.shared.broadcom

  static let broadcom: [Row] = [
    Row(0xFC01, "Broadcom Write BD ADDR", [.bytes(6, p.address)]),
    Row(
      0xFC18, "Broadcom Update UART Baud Rate", [.u16(r.brcmEncodedRate), .u32(r.brcmRate)]),
    Row(
      0xFC1C, "Broadcom Write SCO PCM Int Param",
      [
        .u8(r.brcmRouting), .u8(r.brcmInterfaceRate), .u8(r.brcmFrameType), .u8(r.brcmSyncMode),
        .u8(r.brcmClockMode),
      ]),
    Row(
      0xFC1E, "Broadcom Write PCM Data Format Param",
      [
        .u8(r.brcmLSBFirst), .u8(r.brcmFillBits), .u8(r.brcmFillData), .u8(r.brcmFillNumber),
        .u8(r.brcmRightJustify),
      ]),
    Row(
      0xFC27, "Broadcom Set Sleepmode Param",
      [
        .u8(r.brcmSleepMode), .u8(r.brcmIdleHost), .u8(r.brcmIdleController),
        .rest(r.brcmSleepSettings),
      ]),
    Row(0xFC2E, "Broadcom Download Minidriver", []),
    Row(0xFC45, "Broadcom Write UART Clock Setting", [.u8(r.brcmClock)]),
    Row(0xFC4C, "Broadcom Write RAM", [.u32(r.brcmMemory), .rest(r.brcmData)]),
    Row(
      0xFC4D, "Broadcom Read RAM", [.u32(r.brcmMemory), .u8(r.brcmCount)],
      returns: [.u8(p.status), .rest(r.brcmData)]),
    Row(0xFC4E, "Broadcom Launch RAM", [.u32(r.brcmMemory)]),
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
      returns: [.u8(p.status), .bytes(8, r.brcmFeatures)]),
    Row(
      0xFC79, "Broadcom Read Verbose Config Version Info", [],
      returns: [
        .u8(p.status), .u8(r.brcmChip), .u8(r.brcmTarget), .u16(r.brcmBuildBase),
        .u16(r.brcmBuild),
      ]),
  ]
}
