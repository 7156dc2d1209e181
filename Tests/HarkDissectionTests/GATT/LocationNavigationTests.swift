import HarkCore
import Testing

@testable import HarkDissection

/// Values as the Location and Navigation Service 1.0 describes them.
@Suite struct LocationNavigationTests {
  static let vectors: [Vector] = [
    HealthTests.value(
      "LNS 1.0, 3.2: all of Location and Speed", 0x2A67,
      """
      ff 14 f4 01 39 30 00 4a 52 40 1c bd 0b e8 fa 60 9f 00 28 23 05 ea 07 0b
      16 0c 1e 00
      """,
      [
        "Location and Navigation",
        "  Flags: 0x007f: Instantaneous Speed present, Total Distance present, Location present, "
          + "Elevation present, Heading present, Rolling Time present, UTC Time present",
        "  Position Status: Position OK (1)", "  Speed and Distance Format: 2D (0)",
        "  Elevation Source: Barometric Air Pressure (1)",
        "  Heading Source: Magnetic compass (1)", "  Instantaneous Speed: 500 (5 m/s)",
        "  Total Distance: 12345 (1234.5 m)", "  Latitude: 473977418 (47.398 °)",
        "  Longitude: -85455939 (-8.546 °)", "  Elevation: 40800 (408 m)",
        "  Heading: 9000 (90 °)", "  Rolling Time: 5 s", "  Time Stamp", "    Year: 2026",
        "    Month: 11", "    Day: 22", "    Hours: 12", "    Minutes: 30", "    Seconds: 0",
      ]),
    HealthTests.value(
      "LNS 1.0, 3.2: below the sea, by the satellites", 0x2A67, "08 03 18 fc ff",
      [
        "Location and Navigation", "  Flags: 0x0008: Elevation present",
        "  Position Status: Estimated Position (2)", "  Speed and Distance Format: 3D (1)",
        "  Elevation Source: Positioning System (0)", "  Heading Source: Movement (0)",
        "  Elevation: -1000 (-10 m)",
      ]),
    HealthTests.value(
      "LNS 1.0, 3.4: on the way to a waypoint", 0x2A68, "8b 00 28 23 50 46 39 30 00 18 fc ff",
      [
        "Location and Navigation",
        "  Flags: 0x0083: Remaining Distance present, Remaining Vertical Distance present, "
          + "Waypoint Reached",
        "  Position Status: Position OK (1)", "  Heading Source: Movement (0)",
        "  Navigation Indicator Type: To Waypoint (0)", "  Bearing: 9000 (90 °)",
        "  Heading: 18000 (180 °)", "  Remaining Distance: 12345 (1234.5 m)",
        "  Remaining Vertical Distance: -1000 (-10 m)",
      ]),
    HealthTests.value(
      "LNS 1.0, 3.3: beacons, error and dilution", 0x2A69,
      "eb 00 08 0c f4 01 00 00 05 0a",
      [
        "Location and Navigation",
        "  Flags: 0x006b: Number of Beacons in Solution present, "
          + "Number of Beacons in View present, EHPE present, HDOP present, VDOP present",
        "  Position Status: Position OK (1)", "  Number of Beacons in Solution: 8",
        "  Number of Beacons in View: 12", "  EHPE: 500 (5 m)", "  HDOP, in fifths: 5",
        "  VDOP, in fifths: 10",
      ]),
    HealthTests.value(
      "LNS 1.0, 3.1", 0x2A6A, "05 00 10 00",
      [
        "Location and Navigation",
        "  LN Feature: 0x00100005: Instantaneous Speed, Location, Position Status",
      ]),
    HealthTests.value(
      "LNS 1.0, 3.5: Navigation Control", 0x2A6B, "03 05",
      [
        "Location and Navigation", "  Op Code: Navigation Control (0x03)",
        "  Navigation Control: Start navigation from the nearest waypoint (5)",
      ]),
    HealthTests.value(
      "LNS 1.0, 3.5: the name of a route", 0x2A6B, "20 05 01 48 6f 6d 65",
      [
        "Location and Navigation", "  Op Code: Response Code (0x20)",
        "  Request Op Code: Request Name of Route (0x05)", "  Response Value: Success (0x01)",
        "  Route Name: \"Home\"",
      ]),
    HealthTests.value(
      "LNS 1.0, 3.5: the number of routes", 0x2A6B, "20 04 01 02 01",
      [
        "Location and Navigation", "  Op Code: Response Code (0x20)",
        "  Request Op Code: Request Number of Routes (0x04)", "  Response Value: Success (0x01)",
        "  Number of Routes: 258",
      ]),
    HealthTests.value(
      "LNS 1.0, 3.5: Set Elevation", 0x2A6B, "08 60 9f 00",
      [
        "Location and Navigation", "  Op Code: Set Elevation (0x08)", "  Elevation: 40800 (408 m)",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
