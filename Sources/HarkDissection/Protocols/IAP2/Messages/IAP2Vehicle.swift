/// Messages of iAP2's control session about the vehicle and where it is: what their parameters are
/// called, as independent implementations name them.
struct IAP2Vehicle: Sendable {
  typealias Identifier = IAP2ParameterNames.Identifier

  static let alerts: [UInt64: StaticString] = [
    0: "Traction loss", 1: "Anti-lock brake system warning", 2: "Low tire pressure warning",
    3: "Hazard warning", 4: "Hard brake", 5: "Air bag deploy",
  ]
  static let connectors: [UInt64: StaticString] = [
    0: "CCS1", 1: "CCS2", 2: "J1772", 3: "CHAdeMO", 4: "Mennekes", 5: "GB/T (DC)",
    6: "GB/T (AC)", 7: "NACS (DC)", 8: "NACS (AC)",
  ]
  static let statusNames: [UInt64: StaticString] = [
    3: "Range", 4: "OutsideTemperature", 5: "InsideTemperature", 6: "RangeWarning",
    9: "RangeGasoline", 10: "RangeDiesel", 11: "RangeElectric", 12: "RangeCNG",
    13: "RangeWarningGasoline", 14: "RangeWarningDiesel", 15: "RangeWarningElectric",
    16: "RangeWarningCNG", 17: "WiperStatus", 18: "BarometricPressure", 19: "Alerts",
    20: "PassengerSeatStatus",
  ]

  let status = Identifier(
    statusNames.merging([
      21: "MinBatteryCharge", 22: "CurrentBatteryCharge", 23: "MaxBatteryCharge",
      24: "DisplayedBatteryPercentage", 25: "isCharging", 26: "ChargingParameter",
      27: "ConsumptionParameter", 28: "ActiveConnector", 30: "MaxRangeElectric",
    ]) { $1 })
  let wiperStatus = Identifier([0: "WasherOn", 1: "WipeDuration", 2: "WaitDuration"])
  let startLocation = Identifier([
    1: "GlobalPositioningSystemFixData", 2: "RecommendedMinimumSpecificGPSTransitData",
    3: "GPSSatellitesInView", 4: "VehicleSpeedData", 5: "VehicleGyroData",
    6: "VehicleAccelerometerData", 7: "VehicleHeadingData",
    0x8000: "NMEASentenceRSVDIntervalMin", 0x8001: "NMEASentenceGPGGAIntervalMin",
    0x8002: "NMEASentenceGPRMCIntervalMin", 0x8003: "NMEASentenceGPGSVIntervalMin",
    0x8004: "NMEASentencePASCDIntervalMin", 0x8005: "NMEASentencePAGCDIntervalMin",
    0x8006: "NMEASentencePAACDIntervalMin", 0x8007: "NMEASentenceGPHDTIntervalMin",
  ])
  let location = Identifier([0: "NMEASentence"])
  let dataStatus = Identifier([0: "StatusValueA", 1: "StatusValueV", 2: "StatusValueX"])

  let range = Field("Range", unit: "km")
  let temperature = Field("Temperature", .signed, unit: "°C")
  let pressure = Field("Pressure", unit: "mbar")
  let alert = Field("Alert", names: alerts)
  let charge = Field("Charge", unit: "Wh")
  let batteryPercentage = Field("Battery Percentage", unit: "0.001 %")
  let connector = Field("Connector", names: connectors)

  static let shared = IAP2Vehicle()
}

extension IAP2ParameterSet {
  private static let names = IAP2Vehicle.shared

  /// Those of messages 0xA100 to 0xA102 and 0xFFF0 to 0xFFFC.
  static let vehicle: [UInt16: IAP2ParameterSet] = [
    0xA100: status, 0xA101: status,
    0xFFF0: IAP2ParameterSet(names.dataStatus),
    0xFFFA: IAP2ParameterSet(
      names.startLocation,
      Dictionary(uniqueKeysWithValues: (0x8000...0x8007).map { ($0, milliseconds) })),
    0xFFFB: IAP2ParameterSet(names.location, [0: personal]),
  ]

  private static let status = IAP2ParameterSet(
    names.status,
    [
      3: .number(names.range), 4: .number(names.temperature), 5: .number(names.temperature),
      6: boolean, 9: .number(names.range), 10: .number(names.range), 11: .number(names.range),
      12: .number(names.range), 13: boolean, 14: boolean, 15: boolean, 16: boolean,
      17: .group(
        IAP2ParameterSet(names.wiperStatus, [0: boolean, 1: milliseconds, 2: milliseconds])),
      18: .number(names.pressure), 19: .octets(names.alert), 20: boolean,
      21: .number(names.charge), 22: .number(names.charge), 23: .number(names.charge),
      24: .number(names.batteryPercentage), 25: boolean, 26: text, 27: text,
      28: .number(names.connector), 30: .number(names.range),
    ])
}
