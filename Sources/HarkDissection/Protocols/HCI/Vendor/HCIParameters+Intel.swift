extension HCIParameters {
  /// No public specification: what drivers and tools of Linux know of Intel's Controllers.
  struct Intel: Sendable {
    typealias Names = [UInt64: StaticString]

    let intelAll = Field("Requested_Type", .hex, names: [0xFF: "All, as TLV"])
    let version = Version()
    let intelResetType = Field(
      "Reset_Type", .hex, names: [0: "Soft software reset", 1: "Hard software reset"])
    let intelPatchEnable = Field("Patch_Enable", names: HCICodes.switches)
    let intelReload = Field("DDC_Reload", names: HCICodes.switches)
    let intelBootOption = Field(
      "Boot_Option", .hex, names: [0: "Current image", 1: "Specified address"])
    let intelBootAddress = Field("Boot_Address", .hex)
    let intelMode = Field("Manufacturer_Mode", names: HCICodes.switches, inLine: true)
    let intelModeReset = Field(
      "Mode_Reset",
      names: [0: "None", 1: "Reset, patches deactivated", 2: "Reset, patches activated"])
    let intelBaudRate = Field("Baud_Rate", .hex, names: baudRates, inLine: true)
    let intelFragment = Field(
      "Fragment_Type", .hex, names: [0: "Init", 1: "Data", 2: "Signature", 3: "Public key"],
      inLine: true)
    let intelData = Field("Data", .bytes)
    let intelTransmit = Field("Transmit_Traces", .hex)
    let intelTransmitARQ = Field("Transmit_ARQ", .hex)
    let intelReceive = Field("Receive_Traces", .hex)
    let intelException = Field(
      "Type", .hex, names: [0: "Fatal Exception", 1: "Debug Exception"], inLine: true)
    let intelMask = Field("Event_Mask", .hex, flags: events)
    let intelDDC = Field("DDC", .list)
    let intelDDCLength = Field("Length")
    let intelDDCData = Field("Identifier and value", .bytes)
    let intelIdentifier = Field("Identifier", .hex)
    let intelMemory = Field("Address", .hex, inLine: true)
    let intelAccess = Field(
      "Mode", .hex, names: [0: "Byte access", 1: "Half word access", 2: "Word access"])
    let intelMemoryLength = Field("Length")
    let intelPage = Field("Page", .hex)
    let intelMaxPage = Field("Max_Page", .hex)
    let intelFeatures = Field("Supported_Features", .bytes)
    let intelPPAG = Field("Enable", .hex, flags: [0: "EU", 1: "China"], inLine: true)
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

    let intelLine = Field("Line")
    let intelModule = Field("Module", .hex, names: modules, inLine: true)
    let intelReason = Field("Reason", .hex)
    let intelZero = Field("Zero", .hex)
    let intelNumCommands = Field("Num_Commands")
    let intelSource = Field(
      "Source", .hex,
      names: [0: "Bootloader", 1: "Operational firmware", 2: "Self test firmware"])
    let intelBootReset = Field(
      "Reset_Type", .hex,
      names: [
        0: "Hardware reset", 1: "Soft watchdog reset", 2: "Soft software reset",
        3: "Hard watchdog reset", 4: "Hard software reset",
      ])
    let intelResetReason = Field(
      "Reset_Reason", .hex,
      names: [
        0: "Power on", 1: "Reset command", 2: "Intel reset command", 3: "Watchdog",
        4: "Fatal exception", 5: "System exception",
      ])
    let intelDDCStatus = Field(
      "DDC_Status", .hex,
      names: [
        0: "Firmware default", 1: "Firmware default and OTP", 2: "Persistent RAM", 3: "Not used",
      ])
    let intelMemoryStatus = Field("Memory_Status", .hex, names: [2: "Invalid manufacturing data"])
    let intelResult = Field("Result", .hex, names: results, inLine: true)
    let intelOpcode = Field("Opcode", .hex)
    let intelLinkData = Field("Link data", .bytes)
    let intelScans = Field("Scan_Status", .hex, flags: [0: "Inquiry scan", 1: "Page scan"])
    let intelTrace = Field(
      "Type", .hex,
      names: [
        0: "LMP received", 1: "LMP sent", 2: "LMP acknowledged", 3: "LL received", 4: "LL sent",
        5: "LL acknowledged",
      ], inLine: true)
    let intelTable = Field(
      "Packet_Type_Table", names: [0: "Basic rate", 1: "Enhanced data rate"])
    let intelSystemException = Field(
      "Type", .hex,
      names: [0: "None", 1: "Undefined instruction", 2: "Prefetch abort", 3: "Data abort"],
      inLine: true)
    let intelString = Field("Text", .text, inLine: true)
    let intelTelemetry = Field("Telemetry", .list)
    let intelTelemetryType = Field("Type", .hex, names: telemetry)
    let intelTelemetryLength = Field("Length")
    let intelTelemetryValue = Field("Value", .bytes)

    /// What Read Version answers.
    struct Version: Sendable {
      let intelVersionItem = Field("Version", .list)
      let intelVersionType = Field("Type", .hex, names: versions)
      let intelVersionLength = Field("Length")
      let intelVersionData = Field("Version_Data", .bytes)
      let intelPlatform = Field("Hardware_Platform", .hex)
      let intelHardware = Field("Hardware_Variant", .hex, inLine: true)
      let intelHardwareRevision = Field("Hardware_Revision", .hex)
      let intelFirmware = Field("Firmware_Variant", .hex, inLine: true)
      let intelFirmwareRevision = Field("Firmware_Revision", .hex)
      let intelBuildNumber = Field("Firmware_Build_Number")
      let intelBuildWeek = Field("Firmware_Build_Week")
      let intelBuildYear = Field("Firmware_Build_Year", unit: "years since 2000")
      let intelPatch = Field("Firmware_Patch", inLine: true)
    }

    private static let versions: Names = [
      0x10: "CNVi TOP", 0x11: "CNVr TOP", 0x12: "CNVi BT", 0x13: "CNVr BT", 0x14: "CNVi OTP",
      0x15: "CNVr OTP", 0x16: "Device revision", 0x17: "USB vendor", 0x18: "USB product",
      0x19: "PCIe vendor", 0x1A: "PCIe device", 0x1B: "PCIe subsystem", 0x1C: "Image type",
      0x1D: "Time stamp", 0x1E: "Build type", 0x1F: "Build number",
      0x20: "Firmware build product", 0x21: "Firmware build hardware",
      0x22: "Firmware build step", 0x23: "Bluetooth version", 0x24: "Manufacturer",
      0x25: "HCI revision", 0x26: "LMP subversion", 0x27: "OTP patch version",
      0x28: "Secure boot", 0x29: "Key from header", 0x2A: "OTP lock", 0x2B: "API lock",
      0x2C: "Debug lock", 0x2D: "Minimum firmware", 0x2E: "Limited CCE", 0x2F: "SBE type",
      0x30: "OTP BD_ADDR", 0x31: "Unlocked state",
    ]
    private static let baudRates: Names = [
      0: "9600", 1: "19200", 2: "38400", 3: "57600", 4: "115200", 5: "230400", 6: "460800",
      7: "921600", 8: "1843200", 9: "3250000", 10: "2000000", 11: "3000000", 12: "3714286",
      13: "4333333", 14: "6500000",
    ]
    private static let events: Names = [
      0: "Bootup", 1: "SCO Rejected via LMP", 2: "PTT Switch Notification", 7: "Scan Status",
      9: "Debug Exception", 10: "Fatal Exception", 11: "System Exception",
      13: "LE Link Established", 14: "FW Trace String",
    ]
    private static let modules: Names = [
      1: "BC", 2: "HCI", 3: "LLC", 4: "OS", 5: "LM", 6: "SC", 7: "SP", 8: "OSAL", 9: "LC",
      10: "APP", 11: "TLD", 0xF0: "Debug",
    ]
    private static let results: Names = [
      0: "Success", 1: "General failure", 2: "Hardware failure", 3: "Signature verification failed",
      4: "Command buffer cannot be parsed", 5: "Command failed", 6: "Wrong command parameters",
      7: "Command missing",
    ]
    /// Of a connection, each.
    private static let telemetry: Names = [
      0x01: "Event type", 0x4A: "ACL Connection_Handle", 0x4B: "HEC errors", 0x4C: "CRC errors",
      0x4D: "Packets from host", 0x4E: "Packets sent", 0x4F: "Packets sent without retry",
      0x50: "Packets sent with 1 retry", 0x51: "Packets sent with 2 retries",
      0x52: "Packets sent with 3 retries", 0x53: "Packets sent with 4 retries or more",
      0x54: "DH1 sent", 0x55: "DH3 sent", 0x56: "DH5 sent", 0x57: "2-DH1 sent",
      0x58: "2-DH3 sent", 0x59: "2-DH5 sent", 0x5A: "3-DH1 sent", 0x5B: "3-DH3 sent",
      0x5C: "3-DH5 sent", 0x5D: "Packets received", 0x5E: "Throughput (bit/s)",
      0x5F: "Greatest packet latency (µs)", 0x60: "Average packet latency (µs)",
      0x61: "Average RSSI", 0x62: "Bad SNR, 1M, 2M, 3M", 0x63: "Bad RSSI received, 1M, 2M, 3M",
      0x64: "Bad RSSI sent, 1M, 2M, 3M", 0x6A: "SCO Connection_Handle",
      0x6B: "SCO packets received", 0x6C: "SCO packets sent", 0x6D: "SCO payloads not received",
      0x6E: "SCO payloads not sent", 0x6F: "Slots without sync", 0x70: "Slots with HEC errors",
      0x71: "Slots with CRC errors", 0x72: "Slots with NAK", 0x73: "Slots not sent due to Wi-Fi",
      0x74: "Slots not received due to Wi-Fi", 0x75: "Samples inserted", 0x76: "Samples dropped",
      0x77: "Mute samples at the start", 0x78: "PLC injections",
    ]
  }
}
