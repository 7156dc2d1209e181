import HarkCore

/// Values of fitness machines: treadmills, bicycles, rowers. Fitness Machine Service 1.0, 4.
enum FitnessMachine: Dissector {
  static let name: StaticString = "Fitness Machine"
  static let path: StaticString = "machine"
  static let specification: StaticString = "Fitness Machine Service 1.0, 4"
  static let places: [AttachmentPoint] =
    (0x2ACC...0x2ADA).map { .attribute(BluetoothUUID(UInt16($0))) }
    + [.serviceData(BluetoothUUID(0x1826 as UInt16))]

  static let fields = Field.measured(FitnessMachineFields())

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch (pdu.context.attributeType ?? pdu.context.requestedType)?.short {
    case 0x2ACC:
      try pdu.u32(fields.feature)
      try pdu.u32(fields.target)
    case 0x2ACD: try treadmill(&pdu)
    case 0x2ACE: try crossTrainer(&pdu)
    case 0x2ACF: try stepClimber(&pdu)
    case 0x2AD0: try stairClimber(&pdu)
    case 0x2AD1: try rower(&pdu)
    case 0x2AD2: try bike(&pdu)
    case 0x2AD3:
      let flags = try pdu.u8(fields.statusFlags)
      try pdu.u8(fields.status)
      if flags & 3 != 0 { try AdvertisingData.all(fields.text, &pdu) }
    case 0x2AD4: try range(fields.speedRange, 2, &pdu)
    case 0x2AD5: try range(fields.inclinationRange, 2, &pdu)
    case 0x2AD6:
      // The GATT Specification Supplement has one octet each in place of two.
      let isShort = pdu.remaining == 3
      try range(
        isShort ? fields.later.resistanceRange : fields.resistanceRange, isShort ? 1 : 2, &pdu)
    case 0x2AD7: try range(fields.heartRateRange, 1, &pdu)
    case 0x2AD8: try range(fields.powerRange, 2, &pdu)
    case 0x2AD9: try controlPoint(&pdu)
    case 0x2ADA: try status(&pdu)
    case nil:
      // 3.1: what advertisements say about the machine.
      try pdu.u8(fields.available)
      try pdu.u16(fields.kind)
    default: break
    }
  }

  private static func range(
    _ range: FitnessMachineFields.Range, _ size: Int, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    try pdu.bytes(size, range.minimum)
    try pdu.bytes(size, range.maximum)
    try pdu.bytes(size, range.increment)
  }

  // MARK: Data. A value may come in two: the first field is there where bit 0 is not set.

  private static func treadmill(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u16(fields.flags)
    // The GATT Specification Supplement has two octets of seconds for each pace: the length shows which.
    let paces = (flags & 0x60).nonzeroBitCount
    let isLater =
      paces > 0 && pdu.remaining == FitnessMachineSizes.treadmill.size(UInt64(flags)) + paces
    if flags & 1 == 0 { try pdu.u16(fields.speed) }
    if flags & 2 != 0 { try pdu.u16(fields.averageSpeed) }
    if flags & 4 != 0 { try pdu.unsigned(3, fields.distance) }
    if flags & 8 != 0 { try inclination(&pdu) }
    if flags & 0x10 != 0 {
      try pdu.u16(fields.gain)
      try pdu.u16(fields.loss)
    }
    if isLater {
      if flags & 0x20 != 0 { try pdu.u16(fields.rowing.pace) }
      if flags & 0x40 != 0 { try pdu.u16(fields.rowing.averagePace) }
    } else {
      if flags & 0x20 != 0 { try pdu.u8(fields.pace) }
      if flags & 0x40 != 0 { try pdu.u8(fields.averagePace) }
    }
    try common(flags >> 7, &pdu)
    if flags & 0x1000 != 0 {
      try pdu.bytes(2, fields.force)
      try pdu.bytes(2, fields.output)
    }
    // In no specification, but treadmills send it.
    if flags & 0x2000 != 0, pdu.remaining >= 3 { try pdu.unsigned(3, fields.steps) }
  }

  private static func crossTrainer(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.word(3, of: fields.flags)
    pdu.part(fields.flags, flags, of: 3)
    pdu.part(fields.direction, flags >> 15 & 1, of: 3)
    let isLater = pdu.remaining == FitnessMachineSizes.crossTrainer.size(flags) - 1
    if flags & 1 == 0 { try pdu.u16(fields.speed) }
    if flags & 2 != 0 { try pdu.u16(fields.averageSpeed) }
    if flags & 4 != 0 { try pdu.unsigned(3, fields.distance) }
    if flags & 8 != 0 {
      try pdu.u16(fields.stepRate)
      try pdu.u16(fields.averageStepRate)
    }
    if flags & 0x10 != 0 { try pdu.u16(fields.strides) }
    if flags & 0x20 != 0 {
      try pdu.u16(fields.metres.gain)
      try pdu.u16(fields.metres.loss)
    }
    if flags & 0x40 != 0 { try inclination(&pdu) }
    if flags & 0x80 != 0 { try resistance(fields.tenths.resistance, isLater, &pdu) }
    if flags & 0x100 != 0 { try pdu.bytes(2, fields.power) }
    if flags & 0x200 != 0 { try pdu.bytes(2, fields.averagePower) }
    try common(UInt16(truncatingIfNeeded: flags >> 10), &pdu)
  }

  private static func stepClimber(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u16(fields.flags)
    if flags & 1 == 0 {
      try pdu.u16(fields.floors)
      try pdu.u16(fields.steps)
    }
    try climb(flags, &pdu)
    try common(flags >> 4, &pdu)
  }

  private static func stairClimber(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u16(fields.flags)
    if flags & 1 == 0 { try pdu.u16(fields.floors) }
    try climb(flags, &pdu)
    if flags & 0x10 != 0 { try pdu.u16(fields.whole.strides) }
    try common(flags >> 5, &pdu)
  }

  private static func climb(_ flags: UInt16, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    if flags & 2 != 0 { try pdu.u16(fields.stepRate) }
    if flags & 4 != 0 { try pdu.u16(fields.averageStepRate) }
    if flags & 8 != 0 { try pdu.u16(fields.metres.gain) }
  }

  private static func rower(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u16(fields.flags)
    let isLater = pdu.remaining == FitnessMachineSizes.rower.size(UInt64(flags)) - 1
    if flags & 1 == 0 {
      try pdu.u8(fields.strokeRate)
      try pdu.u16(fields.strokes)
    }
    if flags & 2 != 0 { try pdu.u8(fields.averageStrokeRate) }
    if flags & 4 != 0 { try pdu.unsigned(3, fields.distance) }
    if flags & 8 != 0 { try pdu.u16(fields.rowing.pace) }
    if flags & 0x10 != 0 { try pdu.u16(fields.rowing.averagePace) }
    if flags & 0x20 != 0 { try pdu.bytes(2, fields.power) }
    if flags & 0x40 != 0 { try pdu.bytes(2, fields.averagePower) }
    if flags & 0x80 != 0 { try resistance(fields.resistance, isLater, &pdu) }
    try common(flags >> 8, &pdu)
  }

  private static func bike(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u16(fields.flags)
    let isLater = pdu.remaining == FitnessMachineSizes.bike.size(UInt64(flags)) - 1
    if flags & 1 == 0 { try pdu.u16(fields.speed) }
    if flags & 2 != 0 { try pdu.u16(fields.averageSpeed) }
    if flags & 4 != 0 { try pdu.u16(fields.cadence) }
    if flags & 8 != 0 { try pdu.u16(fields.averageCadence) }
    if flags & 0x10 != 0 { try pdu.unsigned(3, fields.distance) }
    if flags & 0x20 != 0 { try resistance(fields.resistance, isLater, &pdu) }
    if flags & 0x40 != 0 { try pdu.bytes(2, fields.power) }
    if flags & 0x80 != 0 { try pdu.bytes(2, fields.averagePower) }
    try common(flags >> 8, &pdu)
  }

  /// Two octets in the service, one in the GATT Specification Supplement.
  private static func resistance(
    _ field: Field, _ isLater: Bool, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    if isLater { try pdu.u8(fields.later.resistance) } else { try pdu.bytes(2, field) }
  }

  private static func inclination(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.bytes(2, fields.inclination)
    try pdu.bytes(2, fields.ramp)
  }

  /// What is at the end of all: energy, heart rate, metabolic equivalent, times.
  private static func common(_ flags: UInt16, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    if flags & 1 != 0 {
      try pdu.u16(fields.energy)
      try pdu.u16(fields.energyPerHour)
      try pdu.u8(fields.energyPerMinute)
    }
    if flags & 2 != 0 { try pdu.u8(fields.heartRate) }
    if flags & 4 != 0 { try pdu.u8(fields.metabolic) }
    if flags & 8 != 0 { try pdu.u16(fields.elapsed) }
    if flags & 0x10 != 0 { try pdu.u16(fields.left) }
  }

  // MARK: Control. 4.16, 4.17

  private static func controlPoint(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch try pdu.u8(fields.opcode) {
    case let code where 0x02...0x06 ~= code: try target(code, &pdu)
    case 0x08: try pdu.u8(fields.stop)
    case let code where 0x09...0x12 ~= code: try target(code - 2, &pdu)
    case 0x13: try pdu.u8(fields.spin)
    case 0x14: try pdu.u16(fields.targetCadence)
    case 0x80:
      let request = try pdu.u8(fields.request)
      try pdu.u8(fields.result)
      if request == 0x13, pdu.remaining == 4 {
        try pdu.u16(fields.spinLow)
        try pdu.u16(fields.spinHigh)
      }
    default: break
    }
  }

  private static func status(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch try pdu.u8(fields.change) {
    case 0x02: try pdu.u8(fields.stop)
    case let code where 0x05...0x09 ~= code: try target(code - 3, &pdu)
    case let code where 0x0A...0x13 ~= code: try target(code - 3, &pdu)
    case 0x14: try pdu.u8(fields.spinStatus)
    case 0x15: try pdu.u16(fields.targetCadence)
    default: break
    }
  }

  /// The parameters that procedures and what they change have in common: 2 speed to 6 heart rate, 7
  /// energy to 16 circumference of the wheel.
  private static func target(_ number: UInt8, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch number {
    case 2: try pdu.u16(fields.targetSpeed)
    case 3: try pdu.bytes(2, fields.targetInclination)
    case 4:
      // One octet by 4.16.2.5; many clients write two.
      if pdu.remaining == 2 {
        try pdu.bytes(2, fields.wide.targetResistance)
      } else {
        try pdu.u8(fields.targetResistance)
      }
    case 5: try pdu.bytes(2, fields.targetPower)
    case 6: try pdu.u8(fields.targetHeartRate)
    case 7: try pdu.u16(fields.targetEnergy)
    case 8: try pdu.u16(fields.targetSteps)
    case 9: try pdu.u16(fields.targetStrides)
    case 10: try pdu.unsigned(3, fields.targetDistance)
    case 11: try pdu.u16(fields.targetTime)
    case 12...14:
      // In two zones, three, and five.
      let zones = number == 14 ? 5 : Int(number) - 10
      for _ in 0..<zones { try pdu.u16(fields.zoneTime) }
    case 15:
      try pdu.bytes(2, fields.windSpeed)
      try pdu.bytes(2, fields.grade)
      try pdu.u8(fields.rolling)
      try pdu.u8(fields.drag)
    case 16: try pdu.u16(fields.circumference)
    default: break
    }
  }
}
