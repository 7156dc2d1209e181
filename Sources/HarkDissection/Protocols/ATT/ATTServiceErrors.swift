import HarkCore

/// Error Codes of ATT from 0x80 on, which mean what the service of the attribute says.
/// Core Specification, Vol 3, Part F, 3.4.1.1.
struct ATTServiceErrors: Sendable {
  /// In place of the field of the same name.
  struct Codes: Sendable {
    let error: Field

    init(_ names: [UInt64: StaticString]) {
      error = Field(
        "Error Code", .hex, names: ATT.errors.merging(names) { $1 }, inLine: true)
    }
  }

  // VCS 1.0, 1.6; VOCS 1.0, 1.6; AICS 1.0, 1.6; MICS 1.0, 1.6
  let volume = Codes([0x80: "Invalid Change Counter", 0x81: "Opcode Not Supported"])
  let offset = Codes([
    0x80: "Invalid Change Counter", 0x81: "Opcode Not Supported", 0x82: "Value Out Of Range",
  ])
  let input = Codes([
    0x80: "Invalid Change Counter", 0x81: "Opcode Not Supported", 0x82: "Mute Disabled",
    0x83: "Value Out of Range", 0x84: "Gain Mode Change Not Allowed",
  ])
  let microphone = Codes([0x80: "Mute Disabled"])
  // CSIS 1.0.1, 1.6
  let set = Codes([
    0x80: "Lock Denied", 0x81: "Lock Release Not Allowed", 0x82: "Invalid Lock Value",
    0x83: "OOB SIRK Only", 0x84: "Lock Already Granted",
  ])
  // BASS 1.0.1, 1.6
  let scan = Codes([0x80: "Opcode Not Supported", 0x81: "Invalid Source_ID"])
  // HAS 1.0, 1.6
  let hearing = Codes([
    0x80: "Invalid Opcode", 0x81: "Write Name Not Allowed",
    0x82: "Preset Synchronization Not Supported", 0x83: "Preset Operation Not Possible",
    0x84: "Invalid Parameters Length",
  ])
  // Heart Rate Service 1.0, 1.6
  let heartRate = Codes([0x80: "Control Point Not Supported"])
  // Cycling Speed and Cadence Service 1.0, 1.6; CGM Service 1.0.2, 1.6; Glucose Service 1.0.1, 1.6
  let procedure = Codes([
    0x80: "Procedure Already In Progress",
    0x81: "Client Characteristic Configuration descriptor improperly configured",
  ])

  // Bond Management Service 1.0, 1.6
  let bonds = Codes([0x80: "Op Code not supported", 0x81: "Operation failed"])
  // Object Transfer Service 1.0, 1.6
  let objects = Codes([
    0x80: "Write Request Rejected", 0x81: "Object Not Selected", 0x82: "Concurrency Limit Exceeded",
    0x83: "Object Name Already Exists",
  ])
  // User Data Service 1.1, 1.6
  let user = Codes([0x80: "User Data Access Not Permitted"])

  /// The field of error codes of attributes of the type `type`; nil if nothing is known about it.
  func field(of type: UInt16) -> Field? {
    switch type {
    case 0x2B7D...0x2B7F: volume.error
    case 0x2B80...0x2B83: offset.error
    case 0x2B77...0x2B7C: input.error
    case 0x2BC3: microphone.error
    case 0x2B84...0x2B87: set.error
    case 0x2BC7, 0x2BC8: scan.error
    case 0x2BDA...0x2BDC: hearing.error
    case 0x2A39: heartRate.error
    case 0x2AA4: bonds.error
    case 0x2ABD...0x2AC8: objects.error
    case 0x2A7E...0x2AA2, 0x2B37, 0x2B46...0x2B50: user.error
    case 0x2A52, 0x2A55, 0x2A66, 0x2AAC: procedure.error
    default: nil
    }
  }
}
