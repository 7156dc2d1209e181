import HarkCore

/// What a fitness machine or a scale knows of its users. User Data Service 1.1, 3; GATT Specification
/// Supplement, 3.
enum UserData: Dissector {
  static let name: StaticString = "User Data"
  static let path: StaticString = "user"
  static let specification: StaticString =
    "User Data Service 1.1, 3; GATT Specification Supplement, 3"
  static let places: [AttachmentPoint] = (rows.map(\.code) + [0x2A9F, 0x2B4E])
    .map { .attribute(BluetoothUUID($0)) }

  // GATT Specification Supplement, 3: Gender, Sport Type for Aerobic and Anaerobic Thresholds
  static let genders: [UInt64: StaticString] = [0: "Male", 1: "Female", 2: "Unspecified"]
  static let sports: [UInt64: StaticString] = [
    0: "Unspecified", 1: "Running (Treadmill)", 2: "Cycling (Ergometer)",
    3: "Rowing (Ergometer)", 4: "Cross Training (Elliptical)", 5: "Climbing", 6: "Skiing",
    7: "Skating", 8: "Arm exercising", 9: "Lower body exercising", 10: "Upper body exercising",
    11: "Whole body exercising",
  ]
  // GATT Specification Supplement, 3: Handedness, High Intensity Exercise Threshold, Activity Goal
  static let hands: [UInt64: StaticString] = [
    0: "Left Handed", 1: "Right Handed", 2: "Ambidextrous", 3: "Unspecified",
  ]
  static let thresholds: [UInt64: StaticString] = [
    1: "Energy Expenditure per Hour", 2: "Metabolic Equivalent",
    3: "Percentage of Maximum Heart Rate", 4: "Heart Rate",
  ]
  static let goals: [UInt64: StaticString] = [
    0: "Total Energy Expenditure", 1: "Normal Walking Steps", 2: "Intensity Steps",
    3: "Floor Steps", 4: "Distance", 5: "Duration of Normal Walking",
    6: "Duration of Intensity Walking",
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
    let language = Field("Language", .text, inLine: true, role: .description)
    let segment = Field(
      "Segmentation Header", .hex, flags: [0: "First Segment", 1: "Last Segment"])
    let body = Field("Body", .bytes, personal: .opaque)
    let unit = Field("Unit", .uuid, inLine: true)
    let middleName = Field("Middle Name", .text, inLine: true, personal: .text)
    let fine = Fine()
    let stride = Field("Stride Length", unit: "0.001 m", inLine: true)
    let hand = Field("Handedness", names: hands, inLine: true)
    let wearing = Field("Device Wearing Position", inLine: true)
    let threshold = Field("Field Selector", names: thresholds)
    let thresholdEnergy = Field(
      "Threshold as Energy Expenditure per Hour", unit: "kJ", inLine: true)
    let thresholdMetabolic = Field(
      "Threshold as Metabolic Equivalent", unit: "0.1 MET", inLine: true)
    let thresholdPercentage = Field(
      "Threshold as Percentage of Maximum Heart Rate", unit: "%", inLine: true)
    let presence = Field("Presence Flags", .hex, flags: goals)
    let goalEnergy = Field("Total Energy Expenditure", inLine: true)
    let goalSteps = Field("Normal Walking Steps", inLine: true)
    let goalIntensitySteps = Field("Intensity Steps")
    let goalFloorSteps = Field("Floor Steps")
    let goalDistance = Field("Distance", inLine: true)
    let goalDuration = Field("Duration of Normal Walking")
    let goalIntensityDuration = Field("Duration of Intensity Walking")
    let sedentary = Field("Sedentary Interval Notification", inLine: true)
    let intake = Field("Caloric Intake", inLine: true)
    let index = Field("User Index", special: [0xFF: "Unknown User"], inLine: true)
    let opcode = Field("Op Code", .hex, names: opcodes, inLine: true)
    let users = Field("Number of Users", inLine: true)
    let consent = Field("Consent Code", secret: true)
    let request = Field("Request Op Code", .hex, names: opcodes, inLine: true)
    let response = Field("Response Value", .hex, names: responses, inLine: true)
  }
  static let fields = Field.measured(Fields())

  /// 0 in each of them means that it is not known.
  struct Birth: Sendable {
    let year = Field("Year", inLine: true, personal: .input)
    let month = Field("Month", inLine: true, personal: .input)
    let day = Field("Day", inLine: true, personal: .input)
  }

  /// Height in its other resolution.
  struct Fine: Sendable {
    let height = Field("Height", unit: "0.0001 m", inLine: true)
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
    Row(0x2AA2, "Language", [.rest(fields.language)]),
    Row(
      0x2B37, "Registered User", [.u8(fields.segment), .u8(fields.index), .rest(fields.body)]),
    Row(0x2B46, "Preferred Units", [.untilEnd(fields.unit, [.u16(fields.unit)])]),
    Row(0x2B47, "High Resolution Height", [.u16(fields.fine.height)]),
    Row(0x2B48, "Middle Name", [.rest(fields.middleName)]),
    Row(0x2B49, "Stride Length", [.u16(fields.stride)]),
    Row(0x2B4A, "Handedness", [.u8(fields.hand)]),
    Row(0x2B4B, "Device Wearing Position", [.u8(fields.wearing)]),
    Row(
      0x2B4C, "Four Zone Heart Rate Limits",
      [.u8(fields.limit), .u8(fields.limit), .u8(fields.limit)]),
    Row(
      0x2B4D, "High Intensity Exercise Threshold",
      [
        .choice(
          fields.threshold,
          [
            1: [.u16(fields.thresholdEnergy)], 2: [.u8(fields.thresholdMetabolic)],
            3: [.u8(fields.thresholdPercentage)], 4: [.u8(fields.limit)],
          ], orElse: fields.body)
      ]),
    Row(0x2B4F, "Sedentary Interval Notification", [.u16(fields.sedentary)]),
    Row(0x2B50, "Caloric Intake", [.u16(fields.intake)]),
  ]

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let type = (pdu.context.attributeType ?? pdu.context.requestedType)?.short ?? 0
    if type == 0x2A9F { return try controlPoint(&pdu) }
    if type == 0x2B4E { return try goal(&pdu) }
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
      if pdu.remaining == 0 { return }
      switch request {
      case 0x01, 0x05: try pdu.u8(fields.index)
      case 0x04: try pdu.u8(fields.users)
      default: break
      }
    default: break
    }
  }

  /// GATT Specification Supplement, 3: Activity Goal
  private static func goal(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u8(fields.presence)
    if flags & 1 != 0 { try pdu.u16(fields.goalEnergy) }
    if flags & 2 != 0 { try pdu.unsigned(3, fields.goalSteps) }
    if flags & 4 != 0 { try pdu.unsigned(3, fields.goalIntensitySteps) }
    if flags & 8 != 0 { try pdu.unsigned(3, fields.goalFloorSteps) }
    if flags & 0x10 != 0 { try pdu.unsigned(3, fields.goalDistance) }
    if flags & 0x20 != 0 { try pdu.unsigned(3, fields.goalDuration) }
    if flags & 0x40 != 0 { try pdu.unsigned(3, fields.goalIntensityDuration) }
  }
}
