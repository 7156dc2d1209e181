import HarkCore

/// What a fitness machine or a scale knows of its users. User Data Service 1.1, 3; GATT Specification
/// Supplement, 3.
enum UserData: Dissector {
  static let name: StaticString = "User Data"
  static let path: StaticString = "user"
  static let specification: StaticString =
    "User Data Service 1.1, 3; GATT Specification Supplement, 3"
  static let places: [Place] = (rows.map(\.code) + [0x2A9F])
    .map { .attribute(BluetoothUUID($0)) }

  // GATT Specification Supplement, 3: Gender, Sport Type for Aerobic and Anaerobic Thresholds
  static let genders: [UInt64: StaticString] = [0: "Male", 1: "Female", 2: "Unspecified"]
  static let sports: [UInt64: StaticString] = [
    0: "Unspecified", 1: "Running (Treadmill)", 2: "Cycling (Ergometer)",
    3: "Rowing (Ergometer)", 4: "Cross Training (Elliptical)", 5: "Climbing", 6: "Skiing",
    7: "Skating", 8: "Arm exercising", 9: "Lower body exercising", 10: "Upper body exercising",
    11: "Whole body exercising",
  ]
  // User Data Service 1.1, 3.2
  static let opcodes: [UInt64: StaticString] = [
    0x01: "Register New User", 0x02: "Consent", 0x03: "Delete User Data",
    0x04: "List All Users", 0x05: "Delete User(s)", 0x20: "Response Code",
  ]
  static let responses: [UInt64: StaticString] = [
    1: "Success", 2: "Op Code not supported", 3: "Invalid Parameter", 4: "Operation Failed",
    5: "User Not Authorized",
  ]

  struct Fields: Sendable {
    let limit = Field("Heart Rate Limit", unit: "/min", inLine: true)
    let age = Field("Age", unit: "years", inLine: true, personal: .input)
    let birth = Birth()
    let year = Field("Year", inLine: true)
    let month = Field("Month", inLine: true)
    let day = Field("Day", inLine: true)
    let email = Field("Email Address", .text, inLine: true, personal: .text)
    let firstName = Field("First Name", .text, inLine: true, personal: .text)
    let lastName = Field("Last Name", .text, inLine: true, personal: .text)
    let gender = Field("Gender", names: genders, inLine: true)
    let height = Field("Height", unit: "0.01 m", inLine: true)
    let circumference = Field("Circumference", unit: "0.01 m", inLine: true)
    let sport = Field("Sport Type", names: sports, inLine: true)
    let oxygen = Field("VO2 Max", unit: "ml/kg/min", inLine: true)
    let weight = Field("Weight", unit: "0.005 kg", inLine: true)
    let increment = Field("Database Change Increment", inLine: true)
    let index = Field("User Index", special: [0xFF: "Unknown User"], inLine: true)
    let opcode = Field("Op Code", .hex, names: opcodes, inLine: true)
    let consent = Field("Consent Code", secret: true)
    let request = Field("Request Op Code", .hex, names: opcodes, inLine: true)
    let response = Field("Response Value", .hex, names: responses, inLine: true)
  }
  static let fields = Fields()

  /// 0 in each of them means that it is not known.
  struct Birth: Sendable {
    let year = Field("Year", inLine: true, personal: .input)
    let month = Field("Month", inLine: true, personal: .input)
    let day = Field("Day", inLine: true, personal: .input)
  }

  static let date: [Parameter] = [.u16(fields.year), .u8(fields.month), .u8(fields.day)]
  static let sections: [[Row]] = [rows]
  static let table = Rows(sections)
  static let rows: [Row] = [
    Row(0x2A7E, "Aerobic Heart Rate Lower Limit", [.u8(fields.limit)]),
    Row(0x2A7F, "Aerobic Threshold", [.u8(fields.limit)]),
    Row(0x2A80, "Age", [.u8(fields.age)]),
    Row(0x2A81, "Anaerobic Heart Rate Lower Limit", [.u8(fields.limit)]),
    Row(0x2A82, "Anaerobic Heart Rate Upper Limit", [.u8(fields.limit)]),
    Row(0x2A83, "Anaerobic Threshold", [.u8(fields.limit)]),
    Row(0x2A84, "Aerobic Heart Rate Upper Limit", [.u8(fields.limit)]),
    Row(
      0x2A85, "Date of Birth",
      [.u16(fields.birth.year), .u8(fields.birth.month), .u8(fields.birth.day)]),
    Row(0x2A86, "Date of Threshold Assessment", date),
    Row(0x2A87, "Email Address", [.rest(fields.email)]),
    Row(0x2A88, "Fat Burn Heart Rate Lower Limit", [.u8(fields.limit)]),
    Row(0x2A89, "Fat Burn Heart Rate Upper Limit", [.u8(fields.limit)]),
    Row(0x2A8A, "First Name", [.rest(fields.firstName)]),
    Row(
      0x2A8B, "Five Zone Heart Rate Limits",
      [.u8(fields.limit), .u8(fields.limit), .u8(fields.limit), .u8(fields.limit)]),
    Row(0x2A8C, "Gender", [.u8(fields.gender)]),
    Row(0x2A8D, "Heart Rate Max", [.u8(fields.limit)]),
    Row(0x2A8E, "Height", [.u16(fields.height)]),
    Row(0x2A8F, "Hip Circumference", [.u16(fields.circumference)]),
    Row(0x2A90, "Last Name", [.rest(fields.lastName)]),
    Row(0x2A91, "Maximum Recommended Heart Rate", [.u8(fields.limit)]),
    Row(0x2A92, "Resting Heart Rate", [.u8(fields.limit)]),
    Row(0x2A93, "Sport Type for Aerobic and Anaerobic Thresholds", [.u8(fields.sport)]),
    Row(0x2A94, "Three Zone Heart Rate Limits", [.u8(fields.limit), .u8(fields.limit)]),
    Row(0x2A95, "Two Zone Heart Rate Limits", [.u8(fields.limit)]),
    Row(0x2A96, "VO2 Max", [.u8(fields.oxygen)]),
    Row(0x2A97, "Waist Circumference", [.u16(fields.circumference)]),
    Row(0x2A98, "Weight", [.u16(fields.weight)]),
    Row(0x2A99, "Database Change Increment", [.u32(fields.increment)]),
    Row(0x2A9A, "User Index", [.u8(fields.index)]),
  ]

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let type = (pdu.context.attributeType ?? pdu.context.requestedType)?.short ?? 0
    if type == 0x2A9F { return try controlPoint(&pdu) }
    if let parameters = table[type]?.parameters { try pdu.read(parameters, of: table) }
  }

  private static func controlPoint(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch try pdu.u8(fields.opcode) {
    case 0x01: try pdu.u16(fields.consent)
    case 0x02:
      try pdu.u8(fields.index)
      try pdu.u16(fields.consent)
    case 0x05: try pdu.u8(fields.index)
    case 0x20:
      let request = try pdu.u8(fields.request)
      try pdu.u8(fields.response)
      if request == 0x01, pdu.remaining > 0 { try pdu.u8(fields.index) }
    default: break
    }
  }
}
