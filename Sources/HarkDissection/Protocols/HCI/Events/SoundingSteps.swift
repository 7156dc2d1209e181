/// What Channel Sounding measured, step by step. Core Specification, Vol 4, Part E, 7.7.65.44.
extension PDU {
  /// 15 bits of two octets, in two's complement.
  mutating func frequencyOffset(_ field: Field) throws(Malformed) {
    let value = try word(2, of: field)
    part(field, value & 0x4000 != 0 ? value | 0x8000 : value & 0x7FFF, of: 2)
  }

  /// From Num_Antenna_Paths on.
  mutating func soundingSteps() throws(Malformed) {
    let tones = Int(try u8(HCIParameters.shared.sounding.steps.numAntennaPaths)) &+ 1
    let count = try u8(HCIParameters.shared.sounding.steps.numSteps)
    for _ in 0..<count {
      try group(HCIParameters.shared.sounding.steps.step) { pdu throws(Malformed) in
        try pdu.soundingStep(tones)
      }
    }
  }

  private mutating func soundingStep(_ tones: Int) throws(Malformed) {
    let cs = HCIParameters.shared.sounding.steps
    let mode = try u8(cs.stepMode)
    try u8(cs.stepChannel)
    let length = Int(try u8(cs.stepDataLength))
    if length == 0 || skip(length) { return }
    // Whether a step has a frequency offset (the initiator's) or Packet_PCTs (with a sounding
    // sequence) is nowhere said but by its length.
    let timing = mode == 3 ? length &- 1 &- 4 &* tones : length
    switch (mode, timing) {
    case (0, 3), (0, 5), (1, 6), (1, 14), (3, 6), (3, 14), (2, 1 &+ 4 &* tones):
      try within(length, cs.stepParts) { pdu throws(Malformed) in
        if mode == 0 { return try pdu.calibration(cs) }
        if mode != 2 { try pdu.timing(timing, cs) }
        if mode != 1 { try pdu.phases(tones, cs) }
      }
    default: try bytes(length, cs.stepData)
    }
  }

  private mutating func quality(_ cs: HCIParameters.Sounding.Steps) throws(Malformed) {
    let value = try word(1, of: cs.stepQuality)
    part(cs.stepQuality, value & 0x0F, of: 1)
    part(cs.stepBitErrors, value >> 4, of: 1)
  }

  /// Mode-0.
  private mutating func calibration(_ cs: HCIParameters.Sounding.Steps) throws(Malformed) {
    try quality(cs)
    try u8(cs.stepRSSI)
    try u8(cs.stepAntenna)
    if remaining > 0 { try frequencyOffset(cs.stepFrequencyOffset) }
  }

  /// Mode-1, and what mode-3 has of it.
  private mutating func timing(
    _ count: Int, _ cs: HCIParameters.Sounding.Steps
  ) throws(Malformed) {
    try quality(cs)
    try u8(cs.stepNADM)
    try u8(cs.stepRSSI)
    try u16(cs.stepTime)
    try u8(cs.stepAntenna)
    if count == 14 {
      try phaseCorrection(4, cs.stepPacketPCT1, cs)
      try phaseCorrection(4, cs.stepPacketPCT2, cs)
    }
  }

  /// Mode-2, and what mode-3 has of it.
  private mutating func phases(
    _ tones: Int, _ cs: HCIParameters.Sounding.Steps
  ) throws(Malformed) {
    try u8(cs.stepPermutation)
    for _ in 0..<tones {
      try group(cs.stepTone) { pdu throws(Malformed) in
        try pdu.phaseCorrection(3, cs.stepTonePCT, cs)
        let value = try pdu.word(1, of: cs.stepToneQuality)
        pdu.part(cs.stepToneQuality, value & 0x0F, of: 1)
        pdu.part(cs.stepToneExtension, value >> 4, of: 1)
      }
    }
  }

  /// A Phase Correction Term: the sample of 12 bits in phase, and that in quadrature.
  private mutating func phaseCorrection(
    _ count: Int, _ field: Field, _ cs: HCIParameters.Sounding.Steps
  ) throws(Malformed) {
    try group(field) { pdu throws(Malformed) in
      let value = try pdu.word(count, of: field)
      if count == 4, value == 0xFFFF_FFFF { return pdu.part(cs.stepNoPCT, value, of: count) }
      pdu.part(cs.stepI, (value & 0xFFF).signExtended(from: 12), of: count)
      pdu.part(cs.stepQ, (value >> 12 & 0xFFF).signExtended(from: 12), of: count)
    }
  }
}

extension UInt64 {
  /// Two's complement of `bits` bits as one of 64.
  fileprivate func signExtended(from bits: Int) -> UInt64 {
    let shift = 64 - bits
    return UInt64(bitPattern: Int64(bitPattern: self << shift) >> shift)
  }
}
