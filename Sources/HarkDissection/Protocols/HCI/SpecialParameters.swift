/// Parameters of which one says where another one is, or what it means: no list of steps can say that.
enum SpecialParameters: UInt8, Sendable {
  /// Frequency_Compensation or Measured_Freq_Offset: 15 bits, of which the last is the sign.
  case frequencyCompensation
  /// Num_Antenna_Paths, Num_Steps_Reported, and the steps, whose data have as many tones as there are
  /// paths.
  case soundingSteps
  /// Both lengths, and behind them advertising data and scan response data.
  case advertisingAndScanResponse
  /// Both numbers, and behind them commands and events of the management interface.
  case commandsAndEvents
  /// A length, and structures of its own kind as in advertising data.
  case capabilities
  /// The answer to Read Version of Intel.
  case intelVersion
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
    case nil: break
    }
  }
}
