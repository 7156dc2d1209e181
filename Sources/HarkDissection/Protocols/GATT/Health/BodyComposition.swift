import HarkCore

/// What a scale measures beside the weight. Body Composition Service 1.0, 3.
enum BodyComposition: Dissector {
  static let name: StaticString = "Body Composition"
  static let path: StaticString = "body"
  static let specification: StaticString = "Body Composition Service 1.0, 3"
  static let places: [AttachmentPoint] = [0x2A9B, 0x2A9C].map {
    .attribute(BluetoothUUID(UInt16($0)))
  }

  // 3.1.1
  static let features: [UInt64: StaticString] = [
    0: "Time Stamp", 1: "Multiple Users", 2: "Basal Metabolism", 3: "Muscle Percentage",
    4: "Muscle Mass", 5: "Fat Free Mass", 6: "Soft Lean Mass", 7: "Body Water Mass",
    8: "Impedance", 9: "Weight", 10: "Height",
  ]
  // 3.2.1
  static let flagNames: [UInt64: StaticString] = [
    0: "Imperial (pounds and inches)", 1: "Time stamp present", 2: "User ID present",
    3: "Basal Metabolism present", 4: "Muscle Percentage present", 5: "Muscle Mass present",
    6: "Fat Free Mass present", 7: "Soft Lean Mass present", 8: "Body Water Mass present",
    9: "Impedance present", 10: "Weight present", 11: "Height present",
    12: "Multiple Packet Measurement",
  ]

  struct Fields: Sendable {
    let feature = Field("Body Composition Feature", .hex, flags: features, inLine: true)
    let massResolution = Field(
      "Mass Measurement Resolution", names: Fitness.massResolutions)
    let heightResolution = Field(
      "Height Measurement Resolution", names: Fitness.heightResolutions)
    let flags = Field("Flags", .hex, flags: flagNames)
    let fat = Field(
      "Body Fat Percentage", unit: "0.1 %", special: [0xFFFF: "Measurement Unsuccessful"],
      inLine: true)
    let user = Field("User ID", special: [255: "unknown"])
    let metabolism = Field("Basal Metabolism", unit: "kJ")
    let muscle = Field("Muscle Percentage", unit: "0.1 %", inLine: true)
    let metric = Masses("0.005 kg", "0.001 m")
    let imperial = Masses("0.01 lb", "0.1 in")
    let impedance = Field("Impedance", unit: "0.1 Ω")
  }
  static let fields = Field.measured(Fields())

  /// A flag selects the unit.
  struct Masses: Sendable {
    let muscleMass, fatFree, softLean, water, weight, height: Field

    init(_ mass: StaticString, _ length: StaticString) {
      muscleMass = Field("Muscle Mass", unit: mass)
      fatFree = Field("Fat Free Mass", unit: mass)
      softLean = Field("Soft Lean Mass", unit: mass)
      water = Field("Body Water Mass", unit: mass)
      weight = Field("Weight", unit: mass, inLine: true)
      height = Field("Height", unit: length)
    }
  }

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let type = pdu.context.attributeType ?? pdu.context.requestedType
    if type?.short == 0x2A9C { return try measurement(&pdu) }
    let word = try pdu.word(4, of: fields.feature)
    pdu.part(fields.feature, word & 0x7FF, of: 4)
    pdu.part(fields.massResolution, word >> 11 & 0xF, of: 4)
    pdu.part(fields.heightResolution, word >> 15 & 7, of: 4)
  }

  private static func measurement(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u16(fields.flags)
    let masses = flags & 1 != 0 ? fields.imperial : fields.metric
    try pdu.u16(fields.fat)
    if flags & 2 != 0 { try Health.dateTime(&pdu) }
    if flags & 4 != 0 { try pdu.u8(fields.user) }
    if flags & 8 != 0 { try pdu.u16(fields.metabolism) }
    if flags & 0x10 != 0 { try pdu.u16(fields.muscle) }
    if flags & 0x20 != 0 { try pdu.u16(masses.muscleMass) }
    if flags & 0x40 != 0 { try pdu.u16(masses.fatFree) }
    if flags & 0x80 != 0 { try pdu.u16(masses.softLean) }
    if flags & 0x100 != 0 { try pdu.u16(masses.water) }
    if flags & 0x200 != 0 { try pdu.u16(fields.impedance) }
    if flags & 0x400 != 0 { try pdu.u16(masses.weight) }
    if flags & 0x800 != 0 { try pdu.u16(masses.height) }
  }
}
