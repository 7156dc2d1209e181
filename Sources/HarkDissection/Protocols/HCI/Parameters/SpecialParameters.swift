/// Parameters of which one says where another one is, or what it means: no list of steps can say that.
enum SpecialParameters: UInt8, Sendable {
  /// Frequency_Compensation or Measured_Freq_Offset: 15 bits, of which the last is the sign.
  case frequencyCompensation
  /// Num_Antenna_Paths, Num_Steps_Reported, and the steps, whose data have as many tones as there are
  /// paths.
  case soundingSteps
  /// Both lengths, and after them advertising data and scan response data.
  case advertisingAndScanResponse
  /// Both numbers, and after them commands and events of the management interface.
  case commandsAndEvents
  /// A length, and structures of its own kind as in advertising data.
  case capabilities
  /// The answer to Read Version of Intel.
  case intelVersion
  /// No octets: what is in front are the interval, the latency and the timeout of a connection, or the
  /// shortest and the longest interval and those.
  case timing
  case requestedTiming
  /// As the last, of the characteristic: 0xFFFF stands for any value.
  case preferredTiming
  /// What version 0.96 of Android's capabilities adds, and 0.98.
  case androidOffload

  /// What it reads of the parameters of HCI.
  var fields: Set<Field> {
    var found: Set<Field> = []
    let (sounding, intel) = (HCIParameters.shared.sounding, HCIParameters.shared.intel)
    switch self {
    case .frequencyCompensation: found = [sounding.frequencyCompensation]
    case .soundingSteps: Catalog.fields(of: sounding.steps) { found.insert($1) }
    case .intelVersion: Catalog.fields(of: intel.version) { found.insert($1) }
    case .androidOffload:
      let android = HCIParameters.shared.android
      found = [android.androidAddressGeneration, android.androidA2DPMask, android.androidQuality]
    case .advertisingAndScanResponse, .commandsAndEvents, .capabilities, .timing, .requestedTiming,
      .preferredTiming:
      break
    }
    return found
  }
}

extension PDU {
  mutating func special(_ which: SpecialParameters?) throws(Malformed) {
    switch which {
    case .frequencyCompensation:
      try frequencyOffset(HCIParameters.shared.sounding.frequencyCompensation)
    case .soundingSteps: try soundingSteps()
    case .advertisingAndScanResponse: try advertisingAndScanResponse()
    case .commandsAndEvents: try commandsAndEvents()
    case .capabilities: try capabilities()
    case .intelVersion: try intelVersion()
    case .timing:
      // A Status other than Success leaves the rest without meaning; it follows the subevent code.
      if bytes.byte(at: 3) == 0 {
        checkTiming(hasRange: false, clause: "Vol 4, Part E, 7.7.65.1, 7.7.65.3")
      }
    case .requestedTiming: checkTiming(hasRange: true, clause: "Vol 4, Part E, 7.8.12, 7.8.18")
    case .preferredTiming:
      checkTiming(hasRange: true, hasAny: true, clause: "Vol 3, Part C, 12.3")
    case .androidOffload: try androidOffload()
    case nil: break
    }
  }

  /// Qualcomm's Controllers with versions 0.97 and 0.98 have four octets here, which fit neither version: Android
  /// does not read such a rest either.
  private mutating func androidOffload() throws(Malformed) {
    let android = HCIParameters.shared.android
    guard remaining <= 1 || remaining >= 6 else {
      rest(android.androidMore)
      return
    }
    try u8(android.androidAddressGeneration)
    guard remaining > 0 else { return }
    try u32(android.androidA2DPMask)
    try u8(android.androidQuality)
  }
}
