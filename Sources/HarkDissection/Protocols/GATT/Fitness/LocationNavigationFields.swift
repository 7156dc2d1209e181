/// The fields of values of the Location and Navigation Service. LNS 1.0, 3.
struct LocationNavigationFields: Sendable {
  // 3.1.1.1
  static let features: [UInt64: StaticString] = [
    0: "Instantaneous Speed", 1: "Total Distance", 2: "Location", 3: "Elevation", 4: "Heading",
    5: "Rolling Time", 6: "UTC Time", 7: "Remaining Distance", 8: "Remaining Vertical Distance",
    9: "Estimated Time of Arrival", 10: "Number of Beacons in Solution",
    11: "Number of Beacons in View", 12: "Time to First Fix",
    13: "Estimated Horizontal Position Error", 14: "Estimated Vertical Position Error",
    15: "Horizontal Dilution of Precision", 16: "Vertical Dilution of Precision",
    17: "Location and Speed Characteristic Content Masking", 18: "Fix Rate Setting",
    19: "Elevation Setting", 20: "Position Status",
  ]
  // 3.2.1.1
  static let present: [UInt64: StaticString] = [
    0: "Instantaneous Speed present", 1: "Total Distance present", 2: "Location present",
    3: "Elevation present", 4: "Heading present", 5: "Rolling Time present",
    6: "UTC Time present",
  ]
  static let statuses: [UInt64: StaticString] = [
    0: "No Position", 1: "Position OK", 2: "Estimated Position", 3: "Last Known Position",
  ]
  static let elevationSources: [UInt64: StaticString] = [
    0: "Positioning System", 1: "Barometric Air Pressure", 2: "Database Service", 3: "Other",
  ]
  static let headingSources: [UInt64: StaticString] = [0: "Movement", 1: "Magnetic compass"]
  // 3.5.1
  static let opcodes: [UInt64: StaticString] = [
    0x01: "Set Cumulative Value", 0x02: "Mask Location and Speed Characteristic Contents",
    0x03: "Navigation Control", 0x04: "Request Number of Routes",
    0x05: "Request Name of Route", 0x06: "Select Route", 0x07: "Set Fix Rate",
    0x08: "Set Elevation", 0x20: "Response Code",
  ]
  static let responses: [UInt64: StaticString] = [
    1: "Success", 2: "Op Code not supported", 3: "Invalid Parameter", 4: "Operation Failed",
  ]
  static let controls: [UInt64: StaticString] = [
    0: "Stop navigation", 1: "Start navigation to the first waypoint", 2: "Pause navigation",
    3: "Resume navigation", 4: "Skip the waypoint",
    5: "Start navigation from the nearest waypoint",
  ]
  static let masked: [UInt64: StaticString] = [
    0: "Instantaneous Speed", 1: "Total Distance", 2: "Location", 3: "Elevation", 4: "Heading",
    5: "Rolling Time", 6: "UTC Time",
  ]

  let feature = Field("LN Feature", .hex, flags: features, inLine: true)
  let flags = Field("Flags", .hex, flags: present)
  let course = Course()
  let fix = Fix()
  let status = Field("Position Status", names: statuses, inLine: true)
  let format = Field("Speed and Distance Format", names: [0: "2D", 1: "3D"])
  let elevationSource = Field("Elevation Source", names: elevationSources)
  let headingSource = Field("Heading Source", names: headingSources)
  let indicator = Field(
    "Navigation Indicator Type", names: [0: "To Waypoint", 1: "To Destination"])
  let speed = Field("Instantaneous Speed", unit: "0.01 m/s", inLine: true)
  let distance = Field("Total Distance", unit: "0.1 m", inLine: true)
  let latitude = Field(
    "Latitude", .signed, unit: "0.0000001 °", inLine: true, personal: .input)
  let longitude = Field(
    "Longitude", .signed, unit: "0.0000001 °", inLine: true, personal: .input)
  let elevation = Field("Elevation", .signed, unit: "0.01 m", inLine: true, personal: .input)
  let heading = Field("Heading", unit: "0.01 °", personal: .input)
  let rolling = Field("Rolling Time", unit: "s")

  let bearing = Field("Bearing", unit: "0.01 °", inLine: true, personal: .input)
  let left = Field("Remaining Distance", unit: "0.1 m", inLine: true)
  let climb = Field("Remaining Vertical Distance", .signed, unit: "0.01 m")

  let used = Field("Number of Beacons in Solution", inLine: true)
  let seen = Field("Number of Beacons in View", inLine: true)
  let first = Field("Time to First Fix", unit: "0.1 s")
  let horizontal = Field("EHPE", unit: "0.01 m", inLine: true)
  let vertical = Field("EVPE", unit: "0.01 m")
  let hdop = Field("HDOP, in fifths")
  let vdop = Field("VDOP, in fifths")

  let opcode = Field("Op Code", .hex, names: opcodes, inLine: true)
  let cumulative = Field("Cumulative Value", unit: "0.1 m", inLine: true)
  let mask = Field("Content Mask", .hex, flags: masked, inLine: true)
  let control = Field("Navigation Control", names: controls, inLine: true)
  let route = Field("Route Number", inLine: true)
  let rate = Field("Fix Rate", unit: "s", inLine: true)
  let request = Field("Request Op Code", .hex, names: opcodes, inLine: true)
  let response = Field("Response Value", .hex, names: responses, inLine: true)
  let routes = Field("Number of Routes", inLine: true)
  let routeName = Field("Route Name", .text, inLine: true, personal: .text)

  /// In place of the field of the same name: of the Navigation characteristic. 3.4.1.1
  struct Course: Sendable {
    let flags = Field(
      "Flags", .hex,
      flags: [
        0: "Remaining Distance present", 1: "Remaining Vertical Distance present",
        2: "Estimated Time of Arrival present", 7: "Waypoint Reached", 8: "Destination Reached",
      ])
  }

  /// Of the Position Quality characteristic. 3.3.1.1
  struct Fix: Sendable {
    let flags = Field(
      "Flags", .hex,
      flags: [
        0: "Number of Beacons in Solution present", 1: "Number of Beacons in View present",
        2: "Time to First Fix present", 3: "EHPE present", 4: "EVPE present", 5: "HDOP present",
        6: "VDOP present",
      ])
  }
}
