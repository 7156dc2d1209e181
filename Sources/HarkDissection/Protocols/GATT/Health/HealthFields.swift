import HarkCore

/// The fields of the values in `Health`.
struct HealthFields: Sendable {
  // Heart Rate Service 1.0
  let heartRateFlags = Field(
    "Flags", .hex,
    flags: [
      0: "16-bit value", 1: "Sensor Contact detected", 2: "Sensor Contact supported",
      3: "Energy Expended present", 4: "RR-Interval present",
    ])
  let contact = Field("Sensor Contact", names: HealthCodes.contact)
  let heartRate = Field("Heart Rate Measurement Value", unit: "/min", inLine: true)
  let energy = Field("Energy Expended", unit: "kJ", inLine: true)
  let interbeat = Field("RR-Interval", unit: "0.9765625 ms")
  let bodyLocation = Field(
    "Body Sensor Location", names: HealthCodes.bodyLocations, inLine: true)
  let heartRateControl = Field(
    "Heart Rate Control Point", names: [1: "Reset Energy Expended"], inLine: true)

  // Health Thermometer Service 1.0
  let thermometerFlags = Field("Flags", .hex, flags: HealthCodes.thermometerFlags)
  let temperature = Field("Temperature", .medical, unit: "°C", inLine: true)
  let fahrenheit = Fahrenheit()
  let temperatureType = Field(
    "Temperature Type", names: HealthCodes.temperatureTypes, inLine: true)
  let interval = Field("Measurement Interval", unit: "s", special: [0: "none"], inLine: true)

  // Blood Pressure Service 1.1.1
  let pressureFlags = Field("Flags", .hex, flags: HealthCodes.pressureFlags)
  let millimetres = Pressure("mmHg")
  let kilopascal = Pressure("kPa")
  let pressureStatus = Field(
    "Measurement Status", .hex, flags: HealthCodes.pressureStatus, personal: .health)
  let pressureFeature = Field(
    "Blood Pressure Feature", .hex, flags: HealthCodes.pressureFeatures, inLine: true)

  // Glucose Service 1.0.1
  let glucoseFlags = Field("Flags", .hex, flags: HealthCodes.glucoseFlags)
  let sequence = Field("Sequence Number", inLine: true)
  let baseOffset = Field("Base Time Offset", .signed, unit: "min")
  let concentration = Field("Glucose Concentration", .medical, unit: "kg/L", inLine: true)
  let molar = Molar()
  let glucoseType = Field("Type", names: HealthCodes.glucoseTypes)
  let sampleLocation = Field("Sample Location", names: HealthCodes.sampleLocations)
  let glucoseStatus = Field(
    "Sensor Status Annunciation", .hex, flags: HealthCodes.glucoseStatus, personal: .health)
  let glucoseFeature = Field(
    "Glucose Feature", .hex, flags: HealthCodes.glucoseFeatures, inLine: true)
  let contextFlags = Field("Flags", .hex, flags: HealthCodes.contextFlags)
  let extendedFlags = Field("Extended Flags", .hex)
  let carbohydrate = Field(
    "Carbohydrate ID", names: HealthCodes.carbohydrates, inLine: true, personal: .health)
  let carbohydrateMass = Field("Carbohydrate", .medical, unit: "kg", inLine: true)
  let meal = Field("Meal", names: HealthCodes.meals, inLine: true, personal: .health)
  let tester = Field("Tester", names: HealthCodes.testers)
  let health = Field("Health", names: HealthCodes.healths)
  let exercise = Field("Exercise Duration", unit: "s", special: [0xFFFF: "overrun"])
  let intensity = Field("Exercise Intensity", unit: "%")
  let medication = Field(
    "Medication ID", names: HealthCodes.medications, inLine: true, personal: .health)
  let medicationAmount = Field("Medication", .medical, unit: "kg", inLine: true)
  let litres = Litres()
  let hbA1c = Field("HbA1c", .medical, unit: "%", inLine: true)

  // Record Access Control Point
  let recordOpcode = Field("Op Code", names: HealthCodes.recordOpcodes, inLine: true)
  let recordOperator = Field("Operator", names: HealthCodes.recordOperators, inLine: true)
  let operand = Field("Operand", .bytes)
  let recordCount = Field("Number of Records", inLine: true)
  let recordRequest = Field("Request Op Code", names: HealthCodes.recordOpcodes, inLine: true)
  let recordResponse = Field(
    "Response Code Value", names: HealthCodes.recordResponses, inLine: true)

  // Pulse Oximeter Service 1.0.1
  let spotCheckFlags = Field("Flags", .hex, flags: HealthCodes.spotCheckFlags)
  let continuousFlags = Field("Flags", .hex, flags: HealthCodes.continuousFlags)
  let saturation = Field("SpO2", .medical, unit: "%", inLine: true)
  let pulseRate = Field("Pulse Rate", .medical, unit: "/min", inLine: true)
  let fastSaturation = Field("SpO2PR-Fast SpO2", .medical, unit: "%")
  let fastPulseRate = Field("SpO2PR-Fast Pulse Rate", .medical, unit: "/min")
  let slowSaturation = Field("SpO2PR-Slow SpO2", .medical, unit: "%")
  let slowPulseRate = Field("SpO2PR-Slow Pulse Rate", .medical, unit: "/min")
  let oximeterStatus = Field(
    "Measurement Status", .hex, flags: HealthCodes.oximeterStatus, personal: .health)
  let oximeterSensor = Field("Device and Sensor Status", .hex, flags: HealthCodes.oximeterSensor)
  let amplitude = Field("Pulse Amplitude Index", .medical, unit: "%")

  // Continuous Glucose Monitoring Service 1.0.2
  let measurements = Field("CGM Measurement", .list)
  let size = Field("Size")
  let monitorFlags = Field("Flags", .hex, flags: HealthCodes.monitorFlags)
  let monitorConcentration = Field(
    "CGM Glucose Concentration", .medical, unit: "mg/dL", inLine: true)
  let timeOffset = Field("Time Offset", unit: "min", inLine: true)
  let monitorStatus = Field(
    "Sensor Status Annunciation", .hex, flags: HealthCodes.monitorStatus, personal: .health)
  let trend = Field("CGM Trend Information", .medical, unit: "mg/dL/min", inLine: true)
  let quality = Field("CGM Quality", .medical, unit: "%")
  let runTime = Field("CGM Session Run Time", unit: "h", inLine: true)
  let features = HealthFeatures()
  let crc = Field("E2E-CRC", .hex, structural: false)

  let time = Field("Time Stamp", .group)
  let year = Field("Year")
  let month = Field("Month")
  let day = Field("Day")
  let hours = Field("Hours")
  let minutes = Field("Minutes")
  let seconds = Field("Seconds")
  let user = Field("User ID", special: [255: "unknown"])

  // In place of the fields of the same names: flags select the unit.
  struct Fahrenheit: Sendable {
    let temperature = Field("Temperature", .medical, unit: "°F", inLine: true)
  }

  struct Pressure: Sendable {
    let systolic: Field
    let diastolic: Field
    let mean: Field

    init(_ unit: StaticString) {
      systolic = Field("Systolic", .medical, unit: unit, inLine: true)
      diastolic = Field("Diastolic", .medical, unit: unit, inLine: true)
      mean = Field("Mean Arterial Pressure", .medical, unit: unit)
    }
  }

  struct Molar: Sendable {
    let concentration = Field("Glucose Concentration", .medical, unit: "mol/L", inLine: true)
  }

  struct Litres: Sendable {
    let medicationAmount = Field("Medication", .medical, unit: "L", inLine: true)
  }
}
