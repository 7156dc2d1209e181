import HarkCore

/// Values of health services: heart rate, temperature, blood pressure, glucose, oxygen.
/// GATT Specification Supplement, 3, and the services named below.
enum Health: Dissector {
  static let name: StaticString = "Health"
  static let path: StaticString = "health"
  static let specification: StaticString =
    "GATT Specification Supplement, 3; services of heart rate, temperature, blood pressure, …"
  static let places: [AttachmentPoint] = [
    0x2A18, 0x2A1C, 0x2A1D, 0x2A1E, 0x2A21, 0x2A34, 0x2A35, 0x2A36, 0x2A37, 0x2A38, 0x2A39,
    0x2A49, 0x2A51, 0x2A52, 0x2A5E, 0x2A5F, 0x2A60, 0x2AA7, 0x2AA8, 0x2AA9, 0x2AAA, 0x2AAB, 0x2AAC,
  ].map { .attribute(BluetoothUUID(UInt16($0))) }

  static let fields = Field.measured(HealthFields())

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch (pdu.context.attributeType ?? pdu.context.requestedType)?.short {
    case 0x2A37: try heartRate(&pdu)
    case 0x2A38: try pdu.u8(fields.bodyLocation)
    case 0x2A39: try pdu.u8(fields.heartRateControl)
    case 0x2A1C, 0x2A1E: try temperature(&pdu)
    case 0x2A1D: try pdu.u8(fields.temperatureType)
    case 0x2A21: try pdu.u16(fields.interval)
    case 0x2A35, 0x2A36: try pressure(&pdu)
    case 0x2A49: try pdu.u16(fields.pressureFeature)
    case 0x2A18: try glucose(&pdu)
    case 0x2A34: try glucoseContext(&pdu)
    case 0x2A51: try pdu.u16(fields.glucoseFeature)
    case 0x2A52: try records(&pdu)
    case 0x2A5E: try spotCheck(&pdu)
    case 0x2A5F: try continuous(&pdu)
    case 0x2A60: try oximeterFeatures(&pdu)
    case 0x2AA7: try monitor(&pdu)
    case 0x2AA8: try monitorFeature(&pdu)
    case 0x2AAA: try sessionStart(&pdu)
    case 0x2AAC: try specificOps(&pdu)
    case 0x2AA9:
      try pdu.u16(fields.timeOffset)
      try pdu.unsigned(3, fields.monitorStatus)
      if pdu.remaining == 2 { try pdu.u16(fields.crc) }
    case 0x2AAB:
      try pdu.u16(fields.runTime)
      if pdu.remaining == 2 { try pdu.u16(fields.crc) }
    default: break
    }
  }

  /// Heart Rate Service 1.0, 3.1
  static func heartRate(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.word(1, of: fields.heartRateFlags)
    pdu.part(fields.heartRateFlags, flags, of: 1)
    pdu.part(fields.contact, flags >> 1 & 3, of: 1)
    if flags & 1 != 0 { try pdu.u16(fields.heartRate) } else { try pdu.u8(fields.heartRate) }
    if flags & 8 != 0 { try pdu.u16(fields.energy) }
    if flags & 16 != 0 { while pdu.remaining > 0 { try pdu.u16(fields.interbeat) } }
  }

  /// Health Thermometer Service 1.0, 3.1
  static func temperature(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u8(fields.thermometerFlags)
    try pdu.medicalFloat(flags & 1 != 0 ? fields.fahrenheit.temperature : fields.temperature)
    if flags & 2 != 0 { try dateTime(&pdu) }
    if flags & 4 != 0 { try pdu.u8(fields.temperatureType) }
  }

  /// Blood Pressure Service 1.1.1, 3.1
  static func pressure(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u8(fields.pressureFlags)
    let pressure = flags & 1 != 0 ? fields.kilopascal : fields.millimetres
    try pdu.sfloat(pressure.systolic)
    try pdu.sfloat(pressure.diastolic)
    try pdu.sfloat(pressure.mean)
    if flags & 2 != 0 { try dateTime(&pdu) }
    if flags & 4 != 0 { try pdu.sfloat(fields.pulseRate) }
    if flags & 8 != 0 { try pdu.u8(fields.user) }
    if flags & 16 != 0 { try pdu.u16(fields.pressureStatus) }
  }

  /// Glucose Service 1.0.1, 3.1
  static func glucose(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u8(fields.glucoseFlags)
    try pdu.u16(fields.sequence)
    try dateTime(&pdu)
    if flags & 1 != 0 { try pdu.bytes(2, fields.baseOffset) }
    if flags & 2 != 0 {
      try pdu.sfloat(flags & 4 != 0 ? fields.molar.concentration : fields.concentration)
      let kind = try pdu.word(1, of: fields.glucoseType)
      pdu.part(fields.glucoseType, kind & 0xF, of: 1)
      pdu.part(fields.sampleLocation, kind >> 4, of: 1)
    }
    if flags & 8 != 0 { try pdu.u16(fields.glucoseStatus) }
  }

  /// Glucose Service 1.0.1, 3.2
  static func glucoseContext(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u8(fields.contextFlags)
    try pdu.u16(fields.sequence)
    if flags & 0x80 != 0 { try pdu.u8(fields.extendedFlags) }
    if flags & 1 != 0 {
      try pdu.u8(fields.carbohydrate)
      try pdu.sfloat(fields.carbohydrateMass)
    }
    if flags & 2 != 0 { try pdu.u8(fields.meal) }
    if flags & 4 != 0 {
      let kind = try pdu.word(1, of: fields.tester)
      pdu.part(fields.tester, kind & 0xF, of: 1)
      pdu.part(fields.health, kind >> 4, of: 1)
    }
    if flags & 8 != 0 {
      try pdu.u16(fields.exercise)
      try pdu.u8(fields.intensity)
    }
    if flags & 16 != 0 {
      try pdu.u8(fields.medication)
      try pdu.sfloat(flags & 32 != 0 ? fields.litres.medicationAmount : fields.medicationAmount)
    }
    if flags & 64 != 0 { try pdu.sfloat(fields.hbA1c) }
  }

  /// Glucose Service 1.0.1, 3.4
  static func records(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let opcode = try pdu.u8(fields.recordOpcode)
    let kind = try pdu.u8(fields.recordOperator)
    switch (opcode, kind) {
    case (6, _):
      try pdu.u8(fields.recordRequest)
      try pdu.u8(fields.recordResponse)
    case (5, _), (8, _): try pdu.u16(fields.recordCount)
    default: try AdvertisingData.all(fields.operand, &pdu)
    }
  }

  /// Pulse Oximeter Service 1.0.1, 3.1
  static func spotCheck(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u8(fields.spotCheckFlags)
    try pdu.sfloat(fields.saturation)
    try pdu.sfloat(fields.pulseRate)
    if flags & 1 != 0 { try dateTime(&pdu) }
    if flags & 2 != 0 { try pdu.u16(fields.oximeterStatus) }
    if flags & 4 != 0 { try pdu.unsigned(3, fields.oximeterSensor) }
    if flags & 8 != 0 { try pdu.sfloat(fields.amplitude) }
  }

  /// Pulse Oximeter Service 1.0.1, 3.2
  static func continuous(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u8(fields.continuousFlags)
    try pdu.sfloat(fields.saturation)
    try pdu.sfloat(fields.pulseRate)
    if flags & 1 != 0 {
      try pdu.sfloat(fields.fastSaturation)
      try pdu.sfloat(fields.fastPulseRate)
    }
    if flags & 2 != 0 {
      try pdu.sfloat(fields.slowSaturation)
      try pdu.sfloat(fields.slowPulseRate)
    }
    if flags & 4 != 0 { try pdu.u16(fields.oximeterStatus) }
    if flags & 8 != 0 { try pdu.unsigned(3, fields.oximeterSensor) }
    if flags & 16 != 0 { try pdu.sfloat(fields.amplitude) }
  }

  /// Continuous Glucose Monitoring Service 1.0.2, 3.1: one or several records.
  static func monitor(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    while pdu.remaining > 0 {
      try pdu.group(fields.measurements) { pdu throws(Malformed) in
        let size = Int(try pdu.u8(fields.size))
        guard size >= 6 else { throw pdu.invalid(fields.size, "is too small for a record") }
        try pdu.inside(size - 1, by: fields.size) { pdu throws(Malformed) in
          let flags = try pdu.u8(fields.monitorFlags)
          try pdu.sfloat(fields.monitorConcentration)
          try pdu.u16(fields.timeOffset)
          // The three octets are one status, of which those without a bit are left out.
          if flags & 0x80 != 0 { try status(0, &pdu) }
          if flags & 0x40 != 0 { try status(8, &pdu) }
          if flags & 0x20 != 0 { try status(16, &pdu) }
          if flags & 1 != 0 { try pdu.sfloat(fields.trend) }
          if flags & 2 != 0 { try pdu.sfloat(fields.quality) }
          if pdu.remaining == 2 { try pdu.u16(fields.crc) }
        }
      }
    }
  }

  private static func status(_ shift: UInt64, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    let octet = try pdu.word(1, of: fields.monitorStatus)
    pdu.part(fields.monitorStatus, octet << shift, of: 1)
  }

  static func dateTime(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.group(fields.time) { pdu throws(Malformed) in
      try pdu.u16(fields.year)
      try pdu.u8(fields.month)
      try pdu.u8(fields.day)
      try pdu.u8(fields.hours)
      try pdu.u8(fields.minutes)
      try pdu.u8(fields.seconds)
    }
  }
}
