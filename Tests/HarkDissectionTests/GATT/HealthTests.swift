import HarkCore
import Testing

@testable import HarkDissection

/// Values as the services named describe them.
@Suite struct HealthTests {
  static func value(
    _ source: String, _ type: UInt16, _ hex: String, _ lines: [String]
  ) -> Vector {
    var context = Context()
    context.attributeType = BluetoothUUID(type)
    return Vector(source, .attribute(BluetoothUUID(type)), hex, context: context, lines)
  }

  static let vectors: [Vector] = [
    value(
      "Heart Rate Service 1.0, 3.1: 72 beats, with RR-Intervals", 0x2A37, "16 48 00 04 33 03",
      [
        "Health",
        "  Flags: 0x16: Sensor Contact detected, Sensor Contact supported, RR-Interval present",
        "  Sensor Contact: supported, detected (3)", "  Heart Rate Measurement Value: 72 /min",
        "  RR-Interval: 1024 (1000 ms)", "  RR-Interval: 819 (799.805 ms)",
      ]),
    value(
      "Heart Rate Service 1.0, 3.1: 16-bit, energy", 0x2A37, "09 2c 01 e8 03",
      [
        "Health", "  Flags: 0x09: 16-bit value, Energy Expended present",
        "  Sensor Contact: not supported (0)", "  Heart Rate Measurement Value: 300 /min",
        "  Energy Expended: 1000 kJ",
      ]),
    value(
      "GATT Specification Supplement, 3.207: 36.4 °C in the ear", 0x2A1C,
      "06 6c 01 00 ff ea 07 0b 16 08 0f 00 03",
      [
        "Health", "  Flags: 0x06: Time Stamp present, Temperature Type present",
        "  Temperature: 36.4 °C", "  Time Stamp", "    Year: 2026", "    Month: 11", "    Day: 22",
        "    Hours: 8", "    Minutes: 15", "    Seconds: 0",
        "  Temperature Type: Ear (usually earlobe) (3)",
      ]),
    value(
      "Health Thermometer Service 1.0, 3.1: NaN in Fahrenheit", 0x2A1C, "01 ff ff 7f 00",
      [
        "Health", "  Flags: 0x01: Fahrenheit", "  Temperature: not available",
      ]),
    value(
      "Blood Pressure Service 1.1.1, 3.1: 120/80 mmHg, pulse 60", 0x2A35,
      "14 78 00 50 00 5d 00 3c 00 04 00",
      [
        "Health", "  Flags: 0x14: Pulse Rate present, Measurement Status present",
        "  Systolic: 120.0 mmHg", "  Diastolic: 80.0 mmHg", "  Mean Arterial Pressure: 93.0 mmHg",
        "  Pulse Rate: 60.0 /min", "  Measurement Status: 0x0004: Irregular pulse detected",
      ]),
    value(
      "Blood Pressure Service 1.1.1, 3.1: 16.0/10.6 kPa", 0x2A35, "01 a0 f0 6a f0 ff 07",
      [
        "Health", "  Flags: 0x01: kPa", "  Systolic: 16.0 kPa", "  Diastolic: 10.6 kPa",
        "  Mean Arterial Pressure: not available",
      ]),
    value(
      "Glucose Service 1.0.1, 3.1: 5.4 mmol/L", 0x2A18,
      "07 01 00 ea 07 0b 16 08 0f 00 0a 00 36 c0 11",
      [
        "Health",
        "  Flags: 0x07: Time Offset present, Glucose Concentration, Type and Sample Location "
          + "present, mol/L",
        "  Sequence Number: 1", "  Time Stamp", "    Year: 2026", "    Month: 11", "    Day: 22",
        "    Hours: 8", "    Minutes: 15", "    Seconds: 0", "  Base Time Offset: 10 min",
        "  Glucose Concentration: 0.0054 mol/L", "  Type: Capillary Whole blood (1)",
        "  Sample Location: Finger (1)",
      ]),
    value(
      "Glucose Service 1.0.1, 3.2", 0x2A34, "0b 01 00 01 3c d0 01 58 02 32",
      [
        "Health", "  Flags: 0x0b: Carbohydrate present, Meal present, Exercise present",
        "  Sequence Number: 1", "  Carbohydrate ID: Breakfast (1)", "  Carbohydrate: 0.06 kg",
        "  Meal: Preprandial (1)", "  Exercise Duration: 600 s", "  Exercise Intensity: 50 %",
      ]),
    value(
      "Glucose Service 1.0.1, 3.4: report all", 0x2A52, "01 01",
      [
        "Health", "  Op Code: Report stored records (1)", "  Operator: All records (1)",
      ]),
    value(
      "Glucose Service 1.0.1, 3.4: response", 0x2A52, "06 00 01 06",
      [
        "Health", "  Op Code: Response Code (6)", "  Operator: Null (0)",
        "  Request Op Code: Report stored records (1)",
        "  Response Code Value: No records found (6)",
      ]),
    value(
      "Pulse Oximeter Service 1.0.1, 3.1: 98 %, 60", 0x2A5E, "00 62 00 3c 00",
      [
        "Health", "  Flags: 0x00", "  SpO2: 98.0 %", "  Pulse Rate: 60.0 /min",
      ]),
    value(
      "IEEE 11073-20601, F.1: 0x07FF is NaN", 0x2A5E, "00 ff 07 3c 00",
      [
        "Health", "  Flags: 0x00", "  SpO2: not available", "  Pulse Rate: 60.0 /min",
      ]),
    value(
      "Pulse Oximeter Service 1.0.1, 3.2: with fast values", 0x2A5F,
      "05 62 00 3c 00 61 00 3d 00 20 00",
      [
        "Health", "  Flags: 0x05: SpO2PR-Fast present, Measurement Status present",
        "  SpO2: 98.0 %", "  Pulse Rate: 60.0 /min", "  SpO2PR-Fast SpO2: 97.0 %",
        "  SpO2PR-Fast Pulse Rate: 61.0 /min", "  Measurement Status: 0x0020: Measurement Ongoing",
      ]),
    value(
      "CGM Service 1.0.2, 3.1: 100 mg/dL, battery low, trend 1.2", 0x2AA7,
      "09 81 64 00 0a 00 02 0c f0",
      [
        "Health", "  CGM Measurement", "    Size: 9",
        "    Flags: 0x81: CGM Trend Information present, Status-Octet present",
        "    CGM Glucose Concentration: 100.0 mg/dL", "    Time Offset: 10 min",
        "    Sensor Status Annunciation: 0x02: Device battery low",
        "    CGM Trend Information: 1.2 mg/dL/min",
      ]),
    value(
      "CSC Service 1.0, 3.1", 0x2A5B, "03 e8 03 00 00 00 04 64 00 00 02",
      [
        "Fitness", "  Flags: 0x03: Wheel Revolution Data present, Crank Revolution Data present",
        "  Cumulative Wheel Revolutions: 1000", "  Last Wheel Event Time: 1024 (1000 ms)",
        "  Cumulative Crank Revolutions: 100", "  Last Crank Event Time: 512 (500 ms)",
      ]),
    value(
      "RSC Service 1.0, 3.1: 2.5 m/s", 0x2A53, "07 80 02 b4 6e 00 e8 03 00 00",
      [
        "Fitness",
        "  Flags: 0x07: Instantaneous Stride Length present, Total Distance present, Running",
        "  Instantaneous Speed: 640 (2.5 m/s)", "  Instantaneous Cadence: 180 /min",
        "  Instantaneous Stride Length: 110 (1.1 m)", "  Total Distance: 1000 (100 m)",
      ]),
    value(
      "Cycling Power Service 1.1, 3.2: 250 W", 0x2A63, "21 01 fa 00 64 0a 00 00 04 5a e0 10",
      [
        "Fitness",
        "  Flags: 0x0121: Pedal Power Balance present, Crank Revolution Data present, Extreme "
          + "Angles present",
        "  Instantaneous Power: 250 W", "  Pedal Power Balance: 100 (50 %)",
        "  Cumulative Crank Revolutions: 10", "  Last Crank Event Time: 1024 (1000 ms)",
        "  Maximum Angle: 90 °", "  Minimum Angle: 270 °",
      ]),
    value(
      "Weight Scale Service 1.0, 3.2: 70 kg, BMI 22", 0x2A9D, "0c b0 36 01 dc 00 fc 06",
      [
        "Fitness", "  Flags: 0x0c: User ID present, BMI and Height present",
        "  Weight: 14000 (70 kg)", "  User ID: 1", "  BMI: 220 (22 kg/m²)",
        "  Height: 1788 (1.788 m)",
      ]),
    value(
      "Weight Scale Service 1.0, 3.1", 0x2A9E, "3f 00 00 00",
      [
        "Fitness", "  Weight Scale Feature: 0x00000007: Time Stamp, Multiple Users, BMI",
        "  Weight Measurement Resolution: 0.005 kg or 0.01 lb (7)",
        "  Height Measurement Resolution: Not specified (0)",
      ]),
    value(
      "CSC Service 1.0, 3.4: a response", 0x2A55, "10 04 01 05 06",
      [
        "Fitness", "  Op Code: Response Code (16)",
        "  Request Op Code: Request Supported Sensor Locations (4)",
        "  Response Value: Success (1)", "  Sensor Location: Left Crank (5)",
        "  Sensor Location: Right Crank (6)",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
