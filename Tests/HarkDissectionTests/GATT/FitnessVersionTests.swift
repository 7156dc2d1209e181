import HarkCore
import Testing

@testable import HarkDissection

/// Values of which there are two published versions, by the services and by the GATT Specification
/// Supplement, and what machines send beside them.
@Suite struct FitnessVersionTests {
  static let vectors: [Vector] = [
    HealthTests.value(
      "Characteristic of 2017: a stair climber's strides are whole", 0x2AD0, "10 00 0c 00 2c 01",
      ["Fitness Machine", "  Flags: 0x0010", "  Floors: 12", "  Stride Count: 300"]),
    HealthTests.value(
      "FTMS 1.0, 4.5.1: a cross trainer's are tenths, and it has a direction", 0x2ACE,
      "91 80 00 2c 01 32 00",
      [
        "Fitness Machine", "  Flags: 0x008091", "  Movement Direction: Backward (1)",
        "  Stride Count: 300 tenths", "  Resistance Level: 50 tenths",
      ]),
    HealthTests.value(
      "GATT Specification Supplement, 3: Cross Trainer Data", 0x2ACE, "81 01 00 05 c8 00",
      [
        "Fitness Machine", "  Flags: 0x000181", "  Movement Direction: Forward (0)",
        "  Resistance Level: 5 tens", "  Instantaneous Power: 200 W",
      ]),
    HealthTests.value(
      "FTMS 1.0, 4.9.1: two octets of resistance", 0x2AD2, "61 00 1e 00 c8 00",
      [
        "Fitness Machine", "  Flags: 0x0061", "  Resistance Level: 30",
        "  Instantaneous Power: 200 W",
      ]),
    HealthTests.value(
      "GATT Specification Supplement, 3: Indoor Bike Data", 0x2AD2, "61 00 03 c8 00",
      [
        "Fitness Machine", "  Flags: 0x0061", "  Resistance Level: 3 tens",
        "  Instantaneous Power: 200 W",
      ]),
    HealthTests.value(
      "GATT Specification Supplement, 3: Rower Data, without a resistance", 0x2AD1,
      "21 00 c8 00", ["Fitness Machine", "  Flags: 0x0021", "  Instantaneous Power: 200 W"]),
    HealthTests.value(
      "FTMS 1.0, 4.4.1: pace in tenths of km/min", 0x2ACD, "21 01 05 78",
      [
        "Fitness Machine", "  Flags: 0x0121", "  Instantaneous Pace: 5 (0.5 km/min)",
        "  Heart Rate: 120 /min",
      ]),
    HealthTests.value(
      "GATT Specification Supplement, 3: Treadmill Data, seconds for 500 m", 0x2ACD,
      "21 01 2c 01 78",
      [
        "Fitness Machine", "  Flags: 0x0121", "  Instantaneous Pace: 300 s",
        "  Heart Rate: 120 /min",
      ]),
    HealthTests.value(
      "What treadmills send: steps", 0x2ACD, "01 20 10 27 00",
      ["Fitness Machine", "  Flags: 0x2001", "  Step Count: 10000"]),
    HealthTests.value(
      "Characteristic of 2017: Supported Resistance Level Range", 0x2AD6, "0a 00 e8 03 0a 00",
      [
        "Fitness Machine", "  Minimum: 10 tenths", "  Maximum: 1000 tenths",
        "  Minimum Increment: 10 tenths",
      ]),
    HealthTests.value(
      "GATT Specification Supplement, 3: Supported Resistance Level Range", 0x2AD6, "01 0f 01",
      [
        "Fitness Machine", "  Minimum: 1 tens", "  Maximum: 15 tens",
        "  Minimum Increment: 1 tens",
      ]),
    HealthTests.value(
      "FTMS 1.0, 4.16.2.5", 0x2AD9, "04 c8",
      [
        "Fitness Machine", "  Op Code: Set Target Resistance Level (0x04)",
        "  Target Resistance Level, in tenths: 200",
      ]),
    HealthTests.value(
      "What clients write: two octets", 0x2AD9, "04 2c 01",
      [
        "Fitness Machine", "  Op Code: Set Target Resistance Level (0x04)",
        "  Target Resistance Level, in tenths: 300",
      ]),
    Vector(
      "FTMS 1.0, 3.1: a bicycle's service data",
      .serviceData(BluetoothUUID(0x1826 as UInt16)), "01 20 00",
      [
        "Fitness Machine", "  Flags: 0x01: Fitness Machine Available",
        "  Fitness Machine Type: 0x0020: Indoor Bike Supported",
      ]),
    HealthTests.value(
      "Weight Scale Service 1.0, 3.2: no weight", 0x2A9D, "00 ff ff",
      ["Fitness", "  Flags: 0x00", "  Weight: Measurement Unsuccessful (65535)"]),
    HealthTests.value(
      "Weight Scale Service 1.0, 3.1: resolutions", 0x2A9E, "bf 01 00 00",
      [
        "Fitness", "  Weight Scale Feature: 0x00000007: Time Stamp, Multiple Users, BMI",
        "  Weight Measurement Resolution: 0.005 kg or 0.01 lb (7)",
        "  Height Measurement Resolution: 0.001 m or 0.1 in (3)",
      ]),
    HealthTests.value(
      "User Data Service 1.1, 3.2: List All Users gives how many there are", 0x2A9F,
      "20 04 01 03",
      [
        "User Data", "  Op Code: Response Code (0x20)",
        "  Request Op Code: List All Users (0x04)", "  Response Value: Success (0x01)",
        "  Number of Users: 3",
      ]),
    HealthTests.value(
      "User Data Service 1.1, 3.2: Delete User gives which one", 0x2A9F, "20 05 01 02",
      [
        "User Data", "  Op Code: Response Code (0x20)",
        "  Request Op Code: Delete User(s) (0x05)", "  Response Value: Success (0x01)",
        "  User Index: 2",
      ]),
    HealthTests.value(
      "GATT Specification Supplement, 3: Activity Goal", 0x2B4E, "03 d0 07 10 27 00",
      [
        "User Data", "  Presence Flags: 0x03: Total Energy Expenditure, Normal Walking Steps",
        "  Total Energy Expenditure: 2000", "  Normal Walking Steps: 10000",
      ]),
    HealthTests.value(
      "GATT Specification Supplement, 3: High Intensity Exercise Threshold", 0x2B4D, "02 3c",
      [
        "User Data", "  Field Selector: Metabolic Equivalent (2)",
        "  Threshold as Metabolic Equivalent: 60 (6 MET)",
      ]),
    HealthTests.value(
      "GATT Specification Supplement, 3: Preferred Units", 0x2B46, "02 27 01 27",
      [
        "User Data", "  Unit: 0x2702 (mass (kilogram))", "  Unit: 0x2701 (length (metre))",
      ]),
    HealthTests.value(
      "GATT Specification Supplement, 3: High Resolution Height", 0x2B47, "b4 46",
      ["User Data", "  Height: 18100 (1.81 m)"]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
