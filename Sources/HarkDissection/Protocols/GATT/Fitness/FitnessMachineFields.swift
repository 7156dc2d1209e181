/// The fields of values of the Fitness Machine Service. FTMS 1.0, 4.
struct FitnessMachineFields: Sendable {
  // 4.3.1.1
  static let features: [UInt64: StaticString] = [
    0: "Average Speed", 1: "Cadence", 2: "Total Distance", 3: "Inclination", 4: "Elevation Gain",
    5: "Pace", 6: "Step Count", 7: "Resistance Level", 8: "Stride Count", 9: "Expended Energy",
    10: "Heart Rate Measurement", 11: "Metabolic Equivalent", 12: "Elapsed Time",
    13: "Remaining Time", 14: "Power Measurement", 15: "Force on Belt and Power Output",
    16: "User Data Retention",
  ]
  // 4.3.1.2
  static let targets: [UInt64: StaticString] = [
    0: "Speed Target Setting", 1: "Inclination Target Setting", 2: "Resistance Target Setting",
    3: "Power Target Setting", 4: "Heart Rate Target Setting",
    5: "Targeted Expended Energy Configuration", 6: "Targeted Step Number Configuration",
    7: "Targeted Stride Number Configuration", 8: "Targeted Distance Configuration",
    9: "Targeted Training Time Configuration",
    10: "Targeted Time in Two Heart Rate Zones Configuration",
    11: "Targeted Time in Three Heart Rate Zones Configuration",
    12: "Targeted Time in Five Heart Rate Zones Configuration",
    13: "Indoor Bike Simulation Parameters", 14: "Wheel Circumference Configuration",
    15: "Spin Down Control", 16: "Targeted Cadence Configuration",
  ]
  // 4.10.1.2
  static let statuses: [UInt64: StaticString] = [
    0x0: "Other", 0x1: "Idle", 0x2: "Warming Up", 0x3: "Low Intensity Interval",
    0x4: "High Intensity Interval", 0x5: "Recovery Interval", 0x6: "Isometric",
    0x7: "Heart Rate Control", 0x8: "Fitness Test",
    0x9: "Speed Outside of Control Region - Low", 0xA: "Speed Outside of Control Region - High",
    0xB: "Cool Down", 0xC: "Watt Control", 0xD: "Manual Mode (Quick Start)", 0xE: "Pre-Workout",
    0xF: "Post-Workout",
  ]
  // 4.16.1
  static let opcodes: [UInt64: StaticString] = [
    0x00: "Request Control", 0x01: "Reset", 0x02: "Set Target Speed",
    0x03: "Set Target Inclination", 0x04: "Set Target Resistance Level", 0x05: "Set Target Power",
    0x06: "Set Target Heart Rate", 0x07: "Start or Resume", 0x08: "Stop or Pause",
    0x09: "Set Targeted Expended Energy", 0x0A: "Set Targeted Number of Steps",
    0x0B: "Set Targeted Number of Strides", 0x0C: "Set Targeted Distance",
    0x0D: "Set Targeted Training Time", 0x0E: "Set Targeted Time in Two Heart Rate Zones",
    0x0F: "Set Targeted Time in Three Heart Rate Zones",
    0x10: "Set Targeted Time in Five Heart Rate Zones",
    0x11: "Set Indoor Bike Simulation Parameters", 0x12: "Set Wheel Circumference",
    0x13: "Spin Down Control", 0x14: "Set Targeted Cadence", 0x80: "Response Code",
  ]
  // 4.16.2.22
  static let results: [UInt64: StaticString] = [
    1: "Success", 2: "Op Code not supported", 3: "Invalid Parameter", 4: "Operation Failed",
    5: "Control Not Permitted",
  ]
  // 4.17.1
  static let changes: [UInt64: StaticString] = [
    0x01: "Reset", 0x02: "Fitness Machine Stopped or Paused by the User",
    0x03: "Fitness Machine Stopped by Safety Key",
    0x04: "Fitness Machine Started or Resumed by the User", 0x05: "Target Speed Changed",
    0x06: "Target Incline Changed", 0x07: "Target Resistance Level Changed",
    0x08: "Target Power Changed", 0x09: "Target Heart Rate Changed",
    0x0A: "Targeted Expended Energy Changed", 0x0B: "Targeted Number of Steps Changed",
    0x0C: "Targeted Number of Strides Changed", 0x0D: "Targeted Distance Changed",
    0x0E: "Targeted Training Time Changed",
    0x0F: "Targeted Time in Two Heart Rate Zones Changed",
    0x10: "Targeted Time in Three Heart Rate Zones Changed",
    0x11: "Targeted Time in Five Heart Rate Zones Changed",
    0x12: "Indoor Bike Simulation Parameters Changed", 0x13: "Wheel Circumference Changed",
    0x14: "Spin Down Status", 0x15: "Targeted Cadence Changed", 0xFF: "Control Permission Lost",
  ]
  // 4.16.2.9, 4.16.2.20, 4.17.2.14
  static let stops: [UInt64: StaticString] = [1: "Stop", 2: "Pause"]
  static let spins: [UInt64: StaticString] = [1: "Start", 2: "Ignore"]
  static let spinStatuses: [UInt64: StaticString] = [
    1: "Spin Down Requested", 2: "Success", 3: "Error", 4: "Stop Pedaling",
  ]

  // 3.1.2
  static let kinds: [UInt64: StaticString] = [
    0: "Treadmill Supported", 1: "Cross Trainer Supported", 2: "Step Climber Supported",
    3: "Stair Climber Supported", 4: "Rower Supported", 5: "Indoor Bike Supported",
  ]

  let available = Field("Flags", .hex, flags: [0: "Fitness Machine Available"])
  let kind = Field("Fitness Machine Type", .hex, flags: kinds, inLine: true)
  let feature = Field("Fitness Machine Features", .hex, flags: features, inLine: true)
  let target = Field("Target Setting Features", .hex, flags: targets, inLine: true)
  let flags = Field("Flags", .hex)
  let direction = Field("Movement Direction", names: [0: "Forward", 1: "Backward"])
  let speed = Field("Instantaneous Speed", unit: "0.01 km/h", inLine: true)
  let averageSpeed = Field("Average Speed", unit: "0.01 km/h")
  let cadence = Field("Instantaneous Cadence", unit: "0.5 /min", inLine: true)
  let averageCadence = Field("Average Cadence", unit: "0.5 /min")
  let distance = Field("Total Distance", unit: "m", inLine: true)
  let resistance = Field("Resistance Level", .signed, inLine: true)
  let tenths = Tenths()
  let later = Later()
  let power = Field("Instantaneous Power", .signed, unit: "W", inLine: true)
  let averagePower = Field("Average Power", .signed, unit: "W")
  let energy = Field("Total Energy", unit: "kcal", special: [0xFFFF: "not available"])
  let energyPerHour = Field("Energy Per Hour", unit: "kcal", special: [0xFFFF: "not available"])
  let energyPerMinute = Field("Energy Per Minute", unit: "kcal", special: [0xFF: "not available"])
  let heartRate = Field("Heart Rate", unit: "/min", inLine: true)
  let metabolic = Field("Metabolic Equivalent, in tenths")
  let elapsed = Field("Elapsed Time", unit: "s", inLine: true)
  let left = Field("Remaining Time", unit: "s")
  let inclination = Field("Inclination", .signed, unit: "0.1 %", inLine: true)
  let ramp = Field("Ramp Angle Setting", .signed, unit: "0.1 °")
  let gain = Field("Positive Elevation Gain", unit: "0.1 m")
  let loss = Field("Negative Elevation Gain", unit: "0.1 m")
  let metres = Metres()
  let pace = Field("Instantaneous Pace", unit: "0.1 km/min")
  let averagePace = Field("Average Pace", unit: "0.1 km/min")
  let rowing = Rowing()
  let force = Field("Force on Belt", .signed, unit: "N")
  let output = Field("Power Output", .signed, unit: "W")
  let strokeRate = Field("Stroke Rate", unit: "0.5 /min", inLine: true)
  let averageStrokeRate = Field("Average Stroke Rate", unit: "0.5 /min")
  let strokes = Field("Stroke Count", inLine: true)
  let stepRate = Field("Step Per Minute", unit: "/min", inLine: true)
  let averageStepRate = Field("Average Step Rate", unit: "/min")
  let strides = Field("Stride Count", unit: "tenths", inLine: true)
  let whole = Whole()
  let floors = Field("Floors", inLine: true)
  let steps = Field("Step Count", inLine: true)
  let statusFlags = Field(
    "Flags", .hex, flags: [0: "Training Status String present", 1: "Extended String present"])
  let status = Field("Training Status", .hex, names: statuses, inLine: true)
  let text = Field("Training Status String", .text, inLine: true)
  let speedRange = Range(.decimal, unit: "0.01 km/h")
  let inclinationRange = Range(.signed, unit: "0.1 %")
  let resistanceRange = Range(.signed, unit: "tenths")
  let heartRateRange = Range(.decimal, unit: "/min")
  let powerRange = Range(.signed, unit: "W")

  let opcode = Field("Op Code", .hex, names: opcodes, inLine: true)
  let request = Field("Request Op Code", .hex, names: opcodes, inLine: true)
  let result = Field("Result Code", .hex, names: results, inLine: true)
  let change = Field("Op Code", .hex, names: changes, inLine: true)
  let stop = Field("Control Information", .hex, names: stops, inLine: true)
  let spin = Field("Spin Down Control", .hex, names: spins, inLine: true)
  let spinStatus = Field("Spin Down Status", .hex, names: spinStatuses, inLine: true)
  let targetSpeed = Field("Target Speed", unit: "0.01 km/h", inLine: true)
  let targetInclination = Field("Target Inclination", .signed, unit: "0.1 %", inLine: true)
  let targetResistance = Field("Target Resistance Level, in tenths", inLine: true)
  let wide = Wide()
  let targetPower = Field("Target Power", .signed, unit: "W", inLine: true)
  let targetHeartRate = Field("Target Heart Rate", unit: "/min", inLine: true)
  let targetEnergy = Field("Targeted Expended Energy", unit: "kcal", inLine: true)
  let targetSteps = Field("Targeted Number of Steps", inLine: true)
  let targetStrides = Field("Targeted Number of Strides", inLine: true)
  let targetDistance = Field("Targeted Distance", unit: "m", inLine: true)
  let targetTime = Field("Targeted Training Time", unit: "s", inLine: true)
  let zoneTime = Field("Targeted Time in Heart Rate Zone", unit: "s", inLine: true)
  let windSpeed = Field("Wind Speed", .signed, unit: "0.001 m/s", inLine: true)
  let grade = Field("Grade", .signed, unit: "0.01 %", inLine: true)
  let rolling = Field("Coefficient of Rolling Resistance, in 0.0001")
  let drag = Field("Wind Resistance Coefficient", unit: "0.01 kg/m")
  let circumference = Field("Wheel Circumference", unit: "0.1 mm", inLine: true)
  let targetCadence = Field("Targeted Cadence", unit: "0.5 /min", inLine: true)
  let spinLow = Field("Target Speed Low", unit: "0.01 km/h", inLine: true)
  let spinHigh = Field("Target Speed High", unit: "0.01 km/h", inLine: true)

  /// In place of the fields of the same names: cross trainers and climbers count whole metres.
  struct Metres: Sendable {
    let gain = Field("Positive Elevation Gain", unit: "m")
    let loss = Field("Negative Elevation Gain", unit: "m")
  }

  /// The same of rowers: the time that 500 m take.
  struct Rowing: Sendable {
    let pace = Field("Instantaneous Pace", unit: "s", inLine: true)
    let averagePace = Field("Average Pace", unit: "s")
  }

  /// The same of cross trainers, which count it more finely.
  struct Tenths: Sendable {
    let resistance = Field("Resistance Level", .signed, unit: "tenths", inLine: true)
  }

  /// Stair climbers count whole strides.
  struct Whole: Sendable {
    let strides = Field("Stride Count", inLine: true)
  }

  /// What the GATT Specification Supplement, 3, has in one octet.
  struct Later: Sendable {
    let resistance = Field("Resistance Level", unit: "tens", inLine: true)
    let resistanceRange = Range(.decimal, unit: "tens")
  }

  /// What many clients write.
  struct Wide: Sendable {
    let targetResistance = Field("Target Resistance Level, in tenths", .signed, inLine: true)
  }

  // 4.11 to 4.15
  struct Range: Sendable {
    let minimum: Field
    let maximum: Field
    let increment: Field

    init(_ form: Field.Form, unit: StaticString) {
      minimum = Field("Minimum", form, unit: unit, inLine: true)
      maximum = Field("Maximum", form, unit: unit, inLine: true)
      increment = Field("Minimum Increment", unit: unit)
    }
  }
}
