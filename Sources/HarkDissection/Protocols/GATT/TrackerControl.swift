import HarkCore

/// What people that are not the owner may ask a tracker: what it is, and to make a sound. Detecting
/// Unwanted Location Trackers (IETF draft-ietf-dult-accessory-protocol-00), 3.12 to 3.15.
enum TrackerControl: Dissector {
  static let name: StaticString = "Location-enabled accessory"
  static let path: StaticString = "dult"
  static let specification: StaticString =
    "Detecting Unwanted Location Trackers Accessory Protocol (IETF draft), 3.12"
  static let places: [AttachmentPoint] = [
    .attribute(BluetoothUUID(high: 0x8E0C_0001_1D68_FB92, low: 0xBF61_4837_7421_680E))
  ]

  // 3.12.1, 3.13.4, 3.15: requests, and the answers to them
  static let opcodes: [UInt64: StaticString] = [
    0x0003: "Get_Product_Data", 0x0803: "Get_Product_Data_Response",
    0x0004: "Get_Manufacturer_Name", 0x0804: "Get_Manufacturer_Name_Response",
    0x0005: "Get_Model_Name", 0x0805: "Get_Model_Name_Response",
    0x0006: "Get_Accessory_Category", 0x0806: "Get_Accessory_Category_Response",
    0x0007: "Get_Protocol_Implementation_Version",
    0x0807: "Get_Protocol_Implementation_Version_Response",
    0x0008: "Get_Accessory_Capabilities", 0x0808: "Get_Accessory_Capabilities_Response",
    0x0009: "Get_Network_ID", 0x0809: "Get_Network_ID_Response",
    0x000A: "Get_Firmware_Version", 0x080A: "Get_Firmware_Version_Response",
    0x000B: "Get_Battery_Type", 0x080B: "Get_Battery_Type_Response",
    0x000C: "Get_Battery_Level", 0x080C: "Get_Battery_Level_Response",
    0x000D: "Get_Network_Version", 0x080D: "Get_Network_Version_Response",
    0x0300: "Sound_Start", 0x0301: "Sound_Stop", 0x0302: "Command_Response",
    0x0303: "Sound_Completed", 0x0404: "Get_Identifier", 0x0405: "Get_Identifier_Response",
  ]
  static let categories: [UInt64: StaticString] = [
    1: "Location Tracker", 128: "Other", 129: "Luggage", 130: "Backpack", 131: "Jacket",
    132: "Coat", 133: "Shoes", 134: "Bike", 135: "Scooter", 136: "Stroller", 137: "Wheelchair",
    138: "Boat", 139: "Helmet", 140: "Skateboard", 141: "Skis", 142: "Snowboard",
    143: "Surfboard", 144: "Camera", 145: "Laptop", 146: "Watch", 147: "Flash drive",
    148: "Drone", 149: "Headphones", 150: "Earphones", 151: "Inhaler", 152: "Sunglasses",
    153: "Handbag", 154: "Wallet", 155: "Umbrella", 156: "Water bottle", 157: "Tools",
    158: "Keys", 159: "Smart case", 160: "Remote", 161: "Hat", 162: "Motorbike",
    163: "Consumer electronic device", 164: "Apparel", 165: "Transportation device",
    166: "Sports equipment", 167: "Personal item",
  ]
  static let capabilities: [UInt64: StaticString] = [
    0: "Play sound", 1: "Motion detector UT", 2: "Identifier by NFC", 3: "Identifier by BLE",
  ]
  static let statuses: [UInt64: StaticString] = [
    0: "Success", 1: "Invalid_state", 2: "Invalid_configuration", 3: "Invalid_length",
    4: "Invalid_param", 0xFFFF: "Invalid_command",
  ]

  struct Fields: Sendable {
    let opcode = Field("Opcode", .hex, names: opcodes, inLine: true)
    let product = Field("Product Data", .bytes, inLine: true)
    let manufacturer = Field("Manufacturer Name", .text, inLine: true, personal: .model)
    let model = Field("Model Name", .text, inLine: true, personal: .model)
    let category = Field("Accessory Category", names: categories, inLine: true)
    let reserved = Field("Reserved", .bytes)
    let version = Field("Version", .hex, inLine: true)
    let capabilities = Field(
      "Accessory Capabilities", .hex, flags: TrackerControl.capabilities, inLine: true)
    let networkID = Field("Network ID", .hex, names: LocationTracker.networks, inLine: true)
    let batteryType = Field(
      "Battery Type", names: [0: "Powered", 1: "Non-rechargeable", 2: "Rechargeable"],
      inLine: true)
    let batteryLevel = Field(
      "Battery Level", names: [0: "Full", 1: "Medium", 2: "Low", 3: "Critically low"],
      inLine: true)
    let command = Field("CommandOpCode", .hex, names: opcodes, inLine: true)
    let status = Field("ResponseStatus", .hex, names: statuses, inLine: true)
    let identifier = Field("Identifier", .bytes, personal: .opaque)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch try pdu.u16(fields.opcode) {
    case 0x0803: try pdu.bytes(8, fields.product)
    case 0x0804: pdu.rest(fields.manufacturer)
    case 0x0805: pdu.rest(fields.model)
    case 0x0806:
      try pdu.u8(fields.category)
      try pdu.bytes(7, fields.reserved)
    case 0x0807, 0x080A, 0x080D: try pdu.u32(fields.version)
    case 0x0808: try pdu.u32(fields.capabilities)
    case 0x0809: try pdu.u8(fields.networkID)
    case 0x080B: try pdu.u8(fields.batteryType)
    case 0x080C: try pdu.u8(fields.batteryLevel)
    case 0x0302:
      try pdu.u16(fields.command)
      try pdu.u16(fields.status)
    case 0x0405: pdu.rest(fields.identifier)
    default: break
    }
  }
}
