import HarkCore

/// Values of fitness services: cycling, running, weight. Cycling Speed and Cadence Service 1.0,
/// Running Speed and Cadence Service 1.0, Cycling Power Service 1.1, Weight Scale Service 1.0.
enum Fitness: Dissector {
  static let name: StaticString = "Fitness"
  static let path: StaticString = "fitness"
  static let specification: StaticString =
    "GATT Specification Supplement, 3; CSCS 1.0; RSCS 1.0; CPS 1.1; WSS 1.0"
  static let places: [AttachmentPoint] = [
    0x2A53, 0x2A54, 0x2A55, 0x2A5B, 0x2A5C, 0x2A5D, 0x2A63, 0x2A65, 0x2A66, 0x2A9D, 0x2A9E,
  ].map { .attribute(BluetoothUUID(UInt16($0))) }

  // CSCS 3.1, 3.2
  static let cadenceFlags: [UInt64: StaticString] = [
    0: "Wheel Revolution Data present", 1: "Crank Revolution Data present",
  ]
  static let cadenceFeatures: [UInt64: StaticString] = [
    0: "Wheel Revolution Data", 1: "Crank Revolution Data", 2: "Multiple Sensor Locations",
  ]
  static let locations: [UInt64: StaticString] = [
    0: "Other", 1: "Top of shoe", 2: "In shoe", 3: "Hip", 4: "Front Wheel", 5: "Left Crank",
    6: "Right Crank", 7: "Left Pedal", 8: "Right Pedal", 9: "Front Hub", 10: "Rear Dropout",
    11: "Chainstay", 12: "Rear Wheel", 13: "Rear Hub", 14: "Chest", 15: "Spider",
    16: "Chain Ring",
  ]
  // CSCS 3.4
  static let opcodes: [UInt64: StaticString] = [
    1: "Set Cumulative Value", 2: "Start Sensor Calibration", 3: "Update Sensor Location",
    4: "Request Supported Sensor Locations", 16: "Response Code",
  ]
  static let responses: [UInt64: StaticString] = [
    1: "Success", 2: "Op Code not supported", 3: "Invalid Parameter", 4: "Operation Failed",
  ]
  // RSCS 3.1, 3.2
  static let runningFlags: [UInt64: StaticString] = [
    0: "Instantaneous Stride Length present", 1: "Total Distance present", 2: "Running",
  ]
  static let runningFeatures: [UInt64: StaticString] = [
    0: "Instantaneous Stride Length Measurement", 1: "Total Distance Measurement",
    2: "Walking or Running Status", 3: "Sensor Calibration Procedure",
    4: "Multiple Sensor Locations",
  ]
  // CPS 3.1, 3.2
  static let powerFlags: [UInt64: StaticString] = [
    0: "Pedal Power Balance present", 1: "Pedal Power Balance Reference: Left",
    2: "Accumulated Torque present", 3: "Accumulated Torque Source: Crank",
    4: "Wheel Revolution Data present", 5: "Crank Revolution Data present",
    6: "Extreme Force Magnitudes present", 7: "Extreme Torque Magnitudes present",
    8: "Extreme Angles present", 9: "Top Dead Spot Angle present",
    10: "Bottom Dead Spot Angle present", 11: "Accumulated Energy present",
    12: "Offset Compensation Indicator",
  ]
  static let powerFeatures: [UInt64: StaticString] = [
    0: "Pedal Power Balance", 1: "Accumulated Torque", 2: "Wheel Revolution Data",
    3: "Crank Revolution Data", 4: "Extreme Magnitudes", 5: "Extreme Angles",
    6: "Top and Bottom Dead Spot Angles", 7: "Accumulated Energy",
    8: "Offset Compensation Indicator", 9: "Offset Compensation",
    10: "Cycling Power Measurement Characteristic Content Masking",
    11: "Multiple Sensor Locations", 12: "Crank Length Adjustment",
    13: "Chain Length Adjustment", 14: "Chain Weight Adjustment", 15: "Span Length Adjustment",
    16: "Sensor Measurement Context: Torque", 17: "Instantaneous Measurement Direction",
    18: "Factory Calibration Date", 19: "Enhanced Offset Compensation",
  ]
  // WSS 3.1, 3.2
  static let weightFlags: [UInt64: StaticString] = [
    0: "Imperial (pounds and inches)", 1: "Time stamp present", 2: "User ID present",
    3: "BMI and Height present",
  ]
  static let weightFeatures: [UInt64: StaticString] = [
    0: "Time Stamp", 1: "Multiple Users", 2: "BMI",
  ]
  static let massResolutions: [UInt64: StaticString] = [
    0: "Not specified", 1: "0.5 kg or 1 lb", 2: "0.2 kg or 0.5 lb", 3: "0.1 kg or 0.2 lb",
    4: "0.05 kg or 0.1 lb", 5: "0.02 kg or 0.05 lb", 6: "0.01 kg or 0.02 lb",
    7: "0.005 kg or 0.01 lb",
  ]
  static let heightResolutions: [UInt64: StaticString] = [
    0: "Not specified", 1: "0.01 m or 1 in", 2: "0.005 m or 0.5 in", 3: "0.001 m or 0.1 in",
  ]

  struct Fields: Sendable {
    let cadenceFlags = Field("Flags", .hex, flags: Fitness.cadenceFlags)
    let wheelRevolutions = Field("Cumulative Wheel Revolutions", inLine: true)
    let wheelTime = Field("Last Wheel Event Time", unit: "0.9765625 ms")
    let powerWheelTime = Field("Last Wheel Event Time", unit: "0.48828125 ms")
    let crankRevolutions = Field("Cumulative Crank Revolutions", inLine: true)
    let crankTime = Field("Last Crank Event Time", unit: "0.9765625 ms")
    let cadenceFeature = Field("CSC Feature", .hex, flags: cadenceFeatures, inLine: true)
    let location = Field("Sensor Location", names: locations, inLine: true)
    let opcode = Field("Op Code", names: opcodes, inLine: true)
    let request = Field("Request Op Code", names: opcodes, inLine: true)
    let response = Field("Response Value", names: responses, inLine: true)
    let cumulative = Field("Cumulative Value", inLine: true)

    let runningFlags = Field("Flags", .hex, flags: Fitness.runningFlags, inLine: true)
    let speed = Field("Instantaneous Speed", unit: "0.00390625 m/s", inLine: true)
    let cadence = Field("Instantaneous Cadence", unit: "/min", inLine: true)
    let stride = Field("Instantaneous Stride Length", unit: "0.01 m")
    let distance = Field("Total Distance", unit: "0.1 m", inLine: true)
    let runningFeature = Field("RSC Feature", .hex, flags: runningFeatures, inLine: true)

    let powerFlags = Field("Flags", .hex, flags: Fitness.powerFlags)
    let power = Field("Instantaneous Power", .signed, unit: "W", inLine: true)
    let balance = Field("Pedal Power Balance", unit: "0.5 %")
    let torque = Field("Accumulated Torque", unit: "0.03125 Nm")
    let forceMaximum = Field("Maximum Force Magnitude", .signed, unit: "N")
    let forceMinimum = Field("Minimum Force Magnitude", .signed, unit: "N")
    let torqueMaximum = Field("Maximum Torque Magnitude", .signed, unit: "0.03125 Nm")
    let torqueMinimum = Field("Minimum Torque Magnitude", .signed, unit: "0.03125 Nm")
    let angleMaximum = Field("Maximum Angle", unit: "°")
    let angleMinimum = Field("Minimum Angle", unit: "°")
    let topAngle = Field("Top Dead Spot Angle", unit: "°")
    let bottomAngle = Field("Bottom Dead Spot Angle", unit: "°")
    let energy = Field("Accumulated Energy", unit: "kJ", inLine: true)
    let powerFeature = Field("Cycling Power Feature", .hex, flags: powerFeatures, inLine: true)

    let powerControl = CyclingPowerControl()

    let weightFlags = Field("Flags", .hex, flags: Fitness.weightFlags)
    let weight = Field(
      "Weight", unit: "0.005 kg", special: [0xFFFF: "Measurement Unsuccessful"], inLine: true)
    let height = Field("Height", unit: "0.001 m")
    let imperial = Imperial()
    let user = Field("User ID", special: [255: "unknown"])
    let bmi = Field("BMI", unit: "0.1 kg/m²", inLine: true)
    let weightFeature = Field("Weight Scale Feature", .hex, flags: weightFeatures, inLine: true)
    let weightResolution = Field(
      "Weight Measurement Resolution", names: massResolutions)
    let heightResolution = Field(
      "Height Measurement Resolution", names: heightResolutions)

    /// In place of the fields of the same names: a flag selects the unit.
    struct Imperial: Sendable {
      let weight = Field(
        "Weight", unit: "0.01 lb", special: [0xFFFF: "Measurement Unsuccessful"], inLine: true)
      let height = Field("Height", unit: "0.1 in")
    }
  }
  static let fields = Field.measured(Fields())

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch (pdu.context.attributeType ?? pdu.context.requestedType)?.short {
    case 0x2A5B:
      let flags = try pdu.u8(fields.cadenceFlags)
      if flags & 1 != 0 {
        try pdu.u32(fields.wheelRevolutions)
        try pdu.u16(fields.wheelTime)
      }
      if flags & 2 != 0 { try crank(&pdu) }
    case 0x2A5C: try pdu.u16(fields.cadenceFeature)
    case 0x2A5D: try pdu.u8(fields.location)
    case 0x2A55: try controlPoint(&pdu)
    case 0x2A53: try running(&pdu)
    case 0x2A54: try pdu.u16(fields.runningFeature)
    case 0x2A63: try power(&pdu)
    case 0x2A65: try pdu.u32(fields.powerFeature)
    case 0x2A66: try powerControlPoint(&pdu)
    case 0x2A9D: try weight(&pdu)
    case 0x2A9E:
      let word = try pdu.word(4, of: fields.weightFeature)
      pdu.part(fields.weightFeature, word & 7, of: 4)
      pdu.part(fields.weightResolution, word >> 3 & 0xF, of: 4)
      pdu.part(fields.heightResolution, word >> 7 & 7, of: 4)
    default: break
    }
  }

  static func crank(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u16(fields.crankRevolutions)
    try pdu.u16(fields.crankTime)
  }

  static func controlPoint(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch try pdu.u8(fields.opcode) {
    case 1: try pdu.u32(fields.cumulative)
    case 3: try pdu.u8(fields.location)
    case 16:
      try pdu.u8(fields.request)
      try pdu.u8(fields.response)
      while pdu.remaining > 0 { try pdu.u8(fields.location) }
    default: break
    }
  }

  static func running(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u8(fields.runningFlags)
    try pdu.u16(fields.speed)
    try pdu.u8(fields.cadence)
    if flags & 1 != 0 { try pdu.u16(fields.stride) }
    if flags & 2 != 0 { try pdu.u32(fields.distance) }
  }

  static func power(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u16(fields.powerFlags)
    try pdu.bytes(2, fields.power)
    if flags & 1 != 0 { try pdu.u8(fields.balance) }
    if flags & 4 != 0 { try pdu.u16(fields.torque) }
    if flags & 0x10 != 0 {
      try pdu.u32(fields.wheelRevolutions)
      try pdu.u16(fields.powerWheelTime)
    }
    if flags & 0x20 != 0 { try crank(&pdu) }
    if flags & 0x40 != 0 {
      try pdu.bytes(2, fields.forceMaximum)
      try pdu.bytes(2, fields.forceMinimum)
    }
    if flags & 0x80 != 0 {
      try pdu.bytes(2, fields.torqueMaximum)
      try pdu.bytes(2, fields.torqueMinimum)
    }
    if flags & 0x100 != 0 {
      let angles = try pdu.word(3, of: fields.angleMaximum)
      pdu.part(fields.angleMaximum, angles & 0xFFF, of: 3)
      pdu.part(fields.angleMinimum, angles >> 12, of: 3)
    }
    if flags & 0x200 != 0 { try pdu.u16(fields.topAngle) }
    if flags & 0x400 != 0 { try pdu.u16(fields.bottomAngle) }
    if flags & 0x800 != 0 { try pdu.u16(fields.energy) }
  }

  static func weight(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u8(fields.weightFlags)
    let isImperial = flags & 1 != 0
    try pdu.u16(isImperial ? fields.imperial.weight : fields.weight)
    if flags & 2 != 0 { try Health.dateTime(&pdu) }
    if flags & 4 != 0 { try pdu.u8(fields.user) }
    if flags & 8 != 0 {
      try pdu.u16(fields.bmi)
      try pdu.u16(isImperial ? fields.imperial.height : fields.height)
    }
  }
}
