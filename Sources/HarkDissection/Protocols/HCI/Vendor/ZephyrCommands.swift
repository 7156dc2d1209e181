/// Commands of Controllers that Zephyr runs on: its documentation, include/zephyr/bluetooth/hci_vs.h.
extension HCIParameters {
  struct Zephyr: Sendable {
    let zephyrPlatform = Field(
      "Hardware_Platform", .hex,
      names: [1: "Intel", 2: "Nordic Semiconductor", 3: "NXP", 4: "Espressif"], inLine: true)
    let zephyrHardwareVariant = Field("Hardware_Variant", .hex)
    let zephyrFirmwareVariant = Field(
      "Firmware_Variant", .hex,
      names: [
        1: "Standard Controller", 2: "Vendor-specific Controller", 3: "Firmware loader",
        4: "Rescue image",
      ])
    let zephyrFirmwareVersion = Field("Firmware_Version", inLine: true)
    let zephyrFirmwareRevision = Field("Firmware_Revision", inLine: true)
    let zephyrFirmwareBuild = Field("Firmware_Build", .hex)
    let zephyrCommands = Field("Supported_Commands", .bytes)
    let zephyrFeatures = Field("Supported_Features", .hex)
    let zephyrMask = Field("Event_Mask", .hex, flags: events)
    let zephyrReset = Field("Reset_Type", names: [0: "Soft", 1: "Hard"], inLine: true)
    let zephyrEnable = Field("Enable", names: HCICodes.switches, inLine: true)
    let zephyrTraceType = Field("Trace_Type", names: [0: "HCI events", 1: "VDC"])
    let zephyrBuild = Field("Build_Information", .text, inLine: true)
    let zephyrNumAddresses = Field("Num_Addresses")
    let zephyrStatic = Field("Static_Address", .list)
    let zephyrAddress = Field("BD_ADDR", .address, inLine: true, role: .randomAddress)
    let zephyrIdentityRoot = Field("Identity_Root", .bytes, secret: true)
    let zephyrEncryptionRoot = Field("Encryption_Root", .bytes, secret: true)
    let zephyrTemperature = Field("Temperature", .signed, unit: "°C", inLine: true)
    let zephyrNumVendors = Field("Num_Commands")
    let zephyrVendor = Field("Command", .list)
    let zephyrVendorID = Field("Vendor_ID", .hex, names: [1: "Android", 2: "Microsoft"])
    let zephyrBase = Field("Opcode_Base", .hex)
    let zephyrHandleType = Field(
      "Handle_Type", names: [0: "Advertising", 1: "Scanning", 2: "Connection"], inLine: true)
    let zephyrTXPower = Field(
      "TX_Power_Level", .signed, unit: "dBm", special: [0x7F: "no preference"], inLine: true)
    let zephyrSelectedTXPower = Field("Selected_TX_Power", .signed, unit: "dBm", inLine: true)
    let zephyrNumModes = Field("Num_Supported_Modes")
    let zephyrMode = Field("USB_Mode", names: [0: "H2", 1: "H4"], inLine: true)
    let zephyrPHYs = Field("PHYS", .hex, flags: HCICodes.physBits)
    let zephyrMinChannels = Field("Min_Used_Channels", inLine: true)
    let zephyrError = Field(
      "Error_Data_Type", names: [1: "Stack frame", 2: "Controller assertion", 3: "Trace"],
      inLine: true)
    let zephyrErrorData = Field("Error_Data", .bytes)
    let zephyrTrace = Field("Trace_Type", names: traces, inLine: true)
    let zephyrTraceData = Field("Trace_Data", .bytes)
    let zephyrISample = Field("I_Sample", .signed, special: noSample)
    let zephyrQSample = Field("Q_Sample", .signed, special: noSample)

    private static let events: [UInt64: StaticString] = [
      1: "Fatal_Error", 2: "Trace_Info", 3: "Scan_Req_RX", 4: "LE_Connectionless_IQ_Report",
      5: "LE_Connection_IQ_Report",
    ]
    private static let traces: [UInt64: StaticString] = [
      1: "LMP sent", 2: "LMP received", 3: "LLCP sent", 4: "LLCP received", 5: "LE connection",
    ]
    private static let noSample: [UInt64: StaticString] = [0x8000: "no valid sample"]
  }
}

extension HCICommand {
  private static let p = HCIParameters.shared
  private static let z = HCIParameters.shared.zephyr
  private static let handle: [Parameter] = [.u8(z.zephyrHandleType), .u12(p.handle)]

  static let zephyr: [Row] = [
    Row(
      0xFC01, "Zephyr Read_Version_Information", [],
      returns: [
        .u8(p.status), .u16(z.zephyrPlatform), .u16(z.zephyrHardwareVariant),
        .u8(z.zephyrFirmwareVariant), .u8(z.zephyrFirmwareVersion), .u16(z.zephyrFirmwareRevision),
        .u32(z.zephyrFirmwareBuild),
      ]),
    Row(
      0xFC02, "Zephyr Read_Supported_Commands", [],
      returns: [.u8(p.status), .bytes(64, z.zephyrCommands)]),
    Row(
      0xFC03, "Zephyr Read_Supported_Features", [],
      returns: [.u8(p.status), .u64(z.zephyrFeatures)]),
    Row(0xFC04, "Zephyr Set_Event_Mask", [.u64(z.zephyrMask)]),
    Row(0xFC05, "Zephyr Reset", [.u8(z.zephyrReset)]),
    Row(0xFC06, "Zephyr Write_BD_ADDR", [.bytes(6, p.address)]),
    Row(0xFC07, "Zephyr Set_Trace_Enable", [.u8(z.zephyrEnable), .u8(z.zephyrTraceType)]),
    Row(
      0xFC08, "Zephyr Read_Build_Information", [],
      returns: [.u8(p.status), .rest(z.zephyrBuild)]),
    Row(
      0xFC09, "Zephyr Read_Static_Addresses", [],
      returns: [
        .u8(p.status),
        .each(
          z.zephyrNumAddresses, z.zephyrStatic,
          [.bytes(6, z.zephyrAddress), .bytes(16, z.zephyrIdentityRoot)]),
      ]),
    Row(
      0xFC0A, "Zephyr Read_Key_Hierarchy_Roots", [],
      returns: [
        .u8(p.status), .bytes(16, z.zephyrIdentityRoot), .bytes(16, z.zephyrEncryptionRoot),
      ]),
    Row(
      0xFC0B, "Zephyr Read_Chip_Temperature", [],
      returns: [.u8(p.status), .u8(z.zephyrTemperature)]),
    Row(
      0xFC0C, "Zephyr Read_Host_Stack_Commands", [],
      returns: [
        .u8(p.status),
        .each(z.zephyrNumVendors, z.zephyrVendor, [.u16(z.zephyrVendorID), .u16(z.zephyrBase)]),
      ]),
    Row(0xFC0D, "Zephyr Set_Scan_Request_Reports", [.u8(z.zephyrEnable)]),
    Row(
      0xFC0E, "Zephyr Write_Tx_Power_Level", handle + [.u8(z.zephyrTXPower)],
      returns: [.u8(p.status)] + handle + [.u8(z.zephyrSelectedTXPower)]),
    Row(
      0xFC0F, "Zephyr Read_Tx_Power_Level", handle,
      returns: [.u8(p.status)] + handle + [.u8(z.zephyrTXPower)]),
    Row(
      0xFC10, "Zephyr Read_USB_Transport_Mode", [],
      returns: [.u8(p.status), .each(z.zephyrNumModes, .u8(z.zephyrMode))]),
    Row(0xFC11, "Zephyr Set_USB_Transport_Mode", [.u8(z.zephyrMode)]),
    Row(
      0xFC12, "Zephyr Set_Min_Num_Used_Chans",
      [.u12(p.handle), .u8(z.zephyrPHYs), .u8(z.zephyrMinChannels)]),
  ]
}

extension HCIEvent {
  private static let p = HCIParameters.shared
  private static let a = HCIParameters.shared.advertising
  private static let le = HCIParameters.shared.le
  private static let z = HCIParameters.shared.zephyr
  private static let iq: [Parameter] = [
    .u16(le.iqRSSI), .u8(le.rssiAntenna), .u8(a.cteType), .u8(le.slotDurations),
    .u8(le.packetStatus),
  ]
  private static let samples: Parameter = .each(
    le.sampleCount, le.sample, [.u16(z.zephyrISample), .u16(z.zephyrQSample)])

  static let zephyr: [Row] = [
    Row(0x02, "Zephyr Fatal_Error", [.u8(z.zephyrError), .rest(z.zephyrErrorData)]),
    Row(0x03, "Zephyr Trace_Info", [.u8(z.zephyrTrace), .rest(z.zephyrTraceData)]),
    Row(
      0x04, "Zephyr Scan_Req_RX", [.u8(a.addressType), .bytes(6, p.address), .u8(p.rssi)]),
    Row(
      0x05, "Zephyr LE_Connectionless_IQ_Report",
      [.u12(a.syncHandle), .u8(le.channelIndex)] + iq + [.u16(a.periodicEventCounter), samples]),
    Row(
      0x06, "Zephyr LE_Connection_IQ_Report",
      [.u12(p.handle), .u8(le.rxPHY), .u8(le.dataChannelIndex)] + iq
        + [.u16(le.connectionEventCounter), samples]),
  ]
}
