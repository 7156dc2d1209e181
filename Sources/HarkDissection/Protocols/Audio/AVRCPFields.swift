/// The fields of AVRCP, which control and browsing channel share. AVRCP 1.6, 6.
struct AVRCPFields: Sendable {
  typealias Codes = AVRCPCodes

  /// What a value means depends on the attribute: one path for all of them.
  struct SettingValue: Sendable {
    let settingValue: Field

    init(_ names: [UInt64: StaticString] = [:]) {
      settingValue = Field("PlayerApplicationSettingValueID", .hex, names: names, inLine: true)
    }
  }

  // AV/C frames
  let type = Field("ctype", .hex, names: Codes.types, inLine: true)
  let subunit = Field("Subunit_type", .hex, names: Codes.subunits)
  let subunitID = Field("Subunit_ID")
  let opcode = Field("Opcode", .hex, names: Codes.opcodes, title: true)
  let state = Field("state_flag", names: Codes.states, inLine: true)
  let operation = Field("operation_ID", .hex, names: Codes.operations, inLine: true)
  let digit = Digit()
  let operationLength = Field("Operation data field length")
  let operationData = Field("Operation data", .bytes)
  let vendorOperation = Field("Vendor unique operation", .hex)
  let company = Field("Company ID", .hex, names: [0x001958: "Bluetooth SIG"])
  let unitInformation = Field("Unit information", .hex)
  let unit = Field("Unit_type", .hex, names: Codes.subunits)
  let unitID = Field("Unit")
  let page = Field("Page")
  let extensionCode = Field("Extension code")
  let operands = Field("Operands", .bytes)
  // 6.3
  let pdu = Field("PDU ID", .hex, names: Codes.pdus, title: true)
  let packetType = Field("Packet Type", names: Codes.packetTypes)
  let length = Field("Parameter Length")
  let status = Field("Error/Status Code", .hex, names: Codes.statuses, inLine: true)
  let fragment = Field("Fragment", .bytes, role: .fragment)
  let parameters = Field("Parameters", .bytes)
  // 6.4 to 6.9
  let capability = Field("Capability ID", .hex, names: Codes.capabilities, inLine: true)
  let count = Field("Number of Entries")
  let entry = Field("Entry", .list)
  let setting = Field(
    "PlayerApplicationSettingAttributeID", .hex, names: Codes.settings, inLine: true)
  let equalizer = SettingValue(Codes.equalizer)
  let repeatMode = SettingValue(Codes.repeatMode)
  let shuffle = SettingValue(Codes.shuffle)
  let scan = SettingValue(Codes.scan)
  let otherSetting = SettingValue()
  let characterSet = Field("CharacterSetID", names: Codes.characterSets)
  let textLength = Field("String Length")
  let text = Field("String", .text, inLine: true, personal: .media)
  let battery = Field("Battery status", names: Codes.batteries, inLine: true)
  let identifier = Field("Identifier", .hex)
  let attribute = Field("AttributeID", names: Codes.mediaAttributes)
  let valueLength = Field("AttributeValueLength")
  let value = Field("AttributeValue", .text, inLine: true, personal: .media)
  let songLength = Field(
    "SongLength", unit: "ms", special: [0xFFFF_FFFF: "not supported"], inLine: true,
    personal: .input)
  let songPosition = Field(
    "SongPosition", unit: "ms", special: [0xFFFF_FFFF: "not supported, or no track"], inLine: true,
    personal: .input)
  let playStatus = Field("PlayStatus", .hex, names: Codes.playStatuses, inLine: true)
  let event = Field("EventID", .hex, names: Codes.events, inLine: true)
  let interval = Field("Playback interval", unit: "s")
  let systemStatus = Field("SystemStatus", names: Codes.systemStatuses, inLine: true)
  let continuing = Field("Continue PDU ID", .hex, names: Codes.pdus, inLine: true)
  let volume = Field("Absolute Volume", inLine: true)
  let player = Field("Player ID", .hex, inLine: true)
  // 6.10 to 6.12
  let uidCounter = Field("UID Counter")
  let items = Field("Number of Items", inLine: true)
  let folderDepth = Field("Folder Depth")
  let scope = Field("Scope", names: Codes.scopes, inLine: true)
  let startItem = Field("Start Item")
  let endItem = Field("End Item")
  let attributeCount = Field("Attribute Count")
  let direction = Field("Direction", names: Codes.directions, inLine: true)
  let uid = Field("UID", .hex)
  let item = Field("Item", .list)
  let itemType = Field("Item Type", names: Codes.itemTypes)
  let itemLength = Field("Item Length")
  let majorPlayerType = Field("Major Player Type", .hex, names: Codes.majorPlayerTypes)
  let playerSubType = Field("Player Sub Type", .hex, flags: Codes.playerSubTypes)
  let features = Field("Feature Bit Mask", .hex, flags: Codes.features)
  let moreFeatures = Field("Feature Bit Mask, octets 8 to 15", .hex, flags: Codes.moreFeatures)
  let folderType = Field("Folder Type", names: Codes.folderTypes)
  let isPlayable = Field("Is Playable", names: Codes.answers)
  let mediaType = Field("Media Type", names: Codes.mediaTypes)
  let nameLength = Field("Displayable Name Length")
  let name = Field("Displayable Name", .text, inLine: true, personal: .media)

  /// In place of the field of the same name, for digits: somebody enters a number or a code. AV/C Panel Subunit
  /// Specification 1.1, 9.4
  struct Digit: Sendable {
    let operation = Field(
      "operation_ID", .hex, names: Codes.operations, inLine: true, personal: .input)
  }
}
