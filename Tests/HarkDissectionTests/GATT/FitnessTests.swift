import HarkCore
import Testing

@testable import HarkDissection

/// Values as the services named describe them.
@Suite struct FitnessTests {
  static let vectors: [Vector] = [
    HealthTests.value(
      "FTMS 1.0, 4.9.1: a bicycle's speed, cadence, power and heart rate", 0x2AD2,
      "44 02 c4 09 b4 00 c8 00 8c",
      [
        "Fitness Machine", "  Flags: 0x0244", "  Instantaneous Speed: 2500 (25 km/h)",
        "  Instantaneous Cadence: 180 (90 /min)", "  Instantaneous Power: 200 W",
        "  Heart Rate: 140 /min",
      ]),
    HealthTests.value(
      "FTMS 1.0, 4.4.1: the rest of a treadmill's, without the speed", 0x2ACD,
      "8d 04 e8 03 00 f6 ff 00 00 2c 01 ff ff ff 58 02",
      [
        "Fitness Machine", "  Flags: 0x048d", "  Total Distance: 1000 m",
        "  Inclination: -10 (-1 %)", "  Ramp Angle Setting: 0 (0 °)", "  Total Energy: 300 kcal",
        "  Energy Per Hour: not available (65535)", "  Energy Per Minute: not available (255)",
        "  Elapsed Time: 600 s",
      ]),
    HealthTests.value(
      "FTMS 1.0, 4.8.1: a rower", 0x2AD1, "08 00 38 64 00 78 00",
      [
        "Fitness Machine", "  Flags: 0x0008", "  Stroke Rate: 56 (28 /min)", "  Stroke Count: 100",
        "  Instantaneous Pace: 120 s",
      ]),
    HealthTests.value(
      "FTMS 1.0, 4.16.2.18: a hill", 0x2AD9, "11 e8 03 f4 01 28 33",
      [
        "Fitness Machine", "  Op Code: Set Indoor Bike Simulation Parameters (0x11)",
        "  Wind Speed: 1000 (1 m/s)", "  Grade: 500 (5 %)",
        "  Coefficient of Rolling Resistance, in 0.0001: 40",
        "  Wind Resistance Coefficient: 51 (0.51 kg/m)",
      ]),
    HealthTests.value(
      "FTMS 1.0, 4.16.2.22", 0x2AD9, "80 05 05",
      [
        "Fitness Machine", "  Op Code: Response Code (0x80)",
        "  Request Op Code: Set Target Power (0x05)",
        "  Result Code: Control Not Permitted (0x05)",
      ]),
    HealthTests.value(
      "FTMS 1.0, 4.17.2.14: five zones", 0x2ADA, "11 01 00 02 00 03 00 04 00 05 00",
      [
        "Fitness Machine", "  Op Code: Targeted Time in Five Heart Rate Zones Changed (0x11)",
        "  Targeted Time in Heart Rate Zone: 1 s", "  Targeted Time in Heart Rate Zone: 2 s",
        "  Targeted Time in Heart Rate Zone: 3 s", "  Targeted Time in Heart Rate Zone: 4 s",
        "  Targeted Time in Heart Rate Zone: 5 s",
      ]),
    HealthTests.value(
      "FTMS 1.0, 4.15.1", 0x2AD8, "9c ff dc 05 01 00",
      [
        "Fitness Machine", "  Minimum: -100 W", "  Maximum: 1500 W", "  Minimum Increment: 1 W",
      ]),
    HealthTests.value(
      "Cycling Power Service 1.1, 3.4.2: the length of the crank", 0x2A66, "20 05 01 59 01",
      [
        "Fitness", "  Op Code: Response Code (32)", "  Request Op Code: Request Crank Length (5)",
        "  Response Value: Success (1)", "  Crank Length: 345 (172.5 mm)",
      ]),
    HealthTests.value(
      "Body Composition Service 1.0, 3.2.1: fat, impedance and weight", 0x2A9C,
      "00 06 e1 00 88 13 98 3a",
      [
        "Body Composition", "  Flags: 0x0600: Impedance present, Weight present",
        "  Body Fat Percentage: 225 (22.5 %)", "  Impedance: 5000 (500 Ω)",
        "  Weight: 15000 (75 kg)",
      ]),
    HealthTests.value(
      "User Data Service 1.1, 3.2: consent", 0x2A9F, "02 01 d2 04",
      [
        "User Data", "  Op Code: Consent (0x02)", "  User Index: 1",
        "  Consent Code: 2 secret bytes",
      ]),
    HealthTests.value(
      "GATT Specification Supplement, 3: Date of Birth", 0x2A85, "cf 07 0c 1f",
      ["User Data", "  Year: 1999", "  Month: 12", "  Day: 31"]),
    HealthTests.value(
      "Pulse Oximeter Service 1.0, 3.3", 0x2A60, "81 00 20 00",
      [
        "Health", "  Supported Features: 0x0081: Measurement Status, Multiple Bonds",
        "  Measurement Status Support: 0x0020: Measurement Ongoing",
      ]),
    HealthTests.value(
      "CGMS 1.0.2, 3.2: without E2E-CRC, which is 0xFFFF then", 0x2AA8, "02 80 01 59 ff ff",
      [
        "Health",
        "  CGM Feature: 0x018002: Patient High/Low Alerts, CGM Trend Information, CGM Quality",
        "  CGM Type: Interstitial Fluid (ISF) (9)",
        "  CGM Sample Location: Subcutaneous tissue (5)", "  E2E-CRC: 0xffff",
      ]),
    HealthTests.value(
      "CGMS 1.0.2, 3.7: the level of the high alert", 0x2AAC, "07 b4 00",
      ["Health", "  Op Code: Set Patient High Alert Level (7)", "  Alert Level: 180.0 mg/dL"]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
