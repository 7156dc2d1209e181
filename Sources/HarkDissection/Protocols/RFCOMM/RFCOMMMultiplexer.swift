import HarkCore

/// Messages on the multiplexer control channel, DLCI 0. RFCOMM 4.3, TS 27.010 5.4.6.
struct RFCOMMMultiplexer: Sendable {
  // TS 27.010 5.4.6.3; those of RFCOMM 4.3
  static let commands: [UInt64: StaticString] = [
    0x04: "Non Supported Command Response (NSC)", 0x08: "Test Command (TEST)",
    0x14: "Remote Line Status (RLS)", 0x18: "Flow Control Off (FCoff)",
    0x20: "DLC parameter negotiation (PN)", 0x24: "Remote Port Negotiation (RPN)",
    0x28: "Flow Control On (FCon)", 0x38: "Modem Status Command (MSC)",
  ]
  static let roles: [UInt64: StaticString] = [0: "Response", 1: "Command"]
  // RFCOMM 5.5.3
  static let convergenceLayers: [UInt64: StaticString] = [
    0x0: "no credit based flow control", 0xE: "credit based flow control, response",
    0xF: "credit based flow control, request",
  ]
  // TS 27.010 5.4.6.3.7
  static let v24: [UInt64: StaticString] = [
    1: "FC", 2: "RTC", 3: "RTR", 6: "IC", 7: "DV",
  ]
  // TS 27.010 5.4.6.3.9
  static let rates: [UInt64: StaticString] = [
    0: "2400 bit/s", 1: "4800 bit/s", 2: "7200 bit/s", 3: "9600 bit/s", 4: "19200 bit/s",
    5: "38400 bit/s", 6: "57600 bit/s", 7: "115200 bit/s", 8: "230400 bit/s",
  ]
  static let dataBits: [UInt64: StaticString] = [
    0: "5 bits", 1: "6 bits", 2: "7 bits", 3: "8 bits",
  ]
  static let stopBits: [UInt64: StaticString] = [0: "1 stop bit", 1: "1.5 stop bits"]
  static let parities: [UInt64: StaticString] = [0: "no parity", 1: "parity"]
  static let parityTypes: [UInt64: StaticString] = [0: "odd", 1: "even", 2: "mark", 3: "space"]
  static let flowControls: [UInt64: StaticString] = [
    0: "XON/XOFF on input", 1: "XON/XOFF on output", 2: "RTR on input", 3: "RTR on output",
    4: "RTC on input", 5: "RTC on output",
  ]
  static let parameters: [UInt64: StaticString] = [
    0: "bit rate", 1: "data bits", 2: "stop bits", 3: "parity", 4: "parity type",
    5: "XON character", 6: "XOFF character", 8: "XON/XOFF on input", 9: "XON/XOFF on output",
    10: "RTR on input", 11: "RTR on output", 12: "RTC on input", 13: "RTC on output",
  ]
  // TS 27.010 5.4.6.3.10
  static let lineStatuses: [UInt64: StaticString] = [
    0: "error", 1: "overrun error", 2: "parity error", 3: "framing error",
  ]

  let command = Field("Command", .hex, names: commands, title: true)
  let role = Field("C/R", names: roles, inLine: true)
  let ea = Field("EA")
  let commandLength = Field("Command Length")
  let targetDLCI = Field("Target DLCI", inLine: true)
  let frameType = Field("Type of frame for information")
  let convergenceLayer = Field("Convergence Layer", .hex, names: convergenceLayers)
  let priority = Field("Priority")
  let timer = Field("Acknowledgement Timer")
  let maximumFrameSize = Field("Maximum Frame Size", unit: "bytes", inLine: true)
  let retransmissions = Field("Maximum Number of Retransmissions")
  let initialCredits = Field("Initial Credits", inLine: true)
  let signals = Field("V.24 Signals", .hex, flags: v24, inLine: true)
  let breakSignal = Field("Break Signal", .hex)
  let rate = Field("Bit Rate", names: rates, inLine: true)
  let dataBits = Field("Data Bits", names: dataBits)
  let stopBits = Field("Stop Bits", names: stopBits)
  let parity = Field("Parity", names: parities)
  let parityType = Field("Parity Type", names: parityTypes)
  let flowControl = Field("Flow Control", .hex, flags: flowControls)
  let xon = Field("XON Character", .hex)
  let xoff = Field("XOFF Character", .hex)
  let parameterMask = Field("Parameter Mask", .hex, flags: parameters)
  let lineStatus = Field("Line Status", .hex, flags: lineStatuses, inLine: true)
  let unsupported = Field("Unsupported Command", .hex, names: commands, inLine: true)
  let testPattern = Field("Test Pattern", .bytes)
  let values = Field("Values", .bytes)

  func read(
    _ pdu: inout PDU<some Sink>, _ message: inout RFCOMMFrame.Command?
  ) throws(Malformed) {
    let (type, isCommand) = try header(command, &pdu)
    let length = try RFCOMM.length(commandLength, &pdu)
    let there = pdu.context.isTruncated ? min(length, pdu.remaining) : length
    try pdu.inside(there, by: commandLength) { pdu throws(Malformed) in
      message = .other(type)
      switch type {
      case 0x04: message = .notSupported(command: try header(unsupported, &pdu).type)
      case 0x08: pdu.rest(testPattern)
      case 0x14:
        message = .remoteLineStatus(
          dlci: try dlci(&pdu), status: try pdu.u8(lineStatus), isCommand: isCommand)
      case 0x18, 0x28: break
      case 0x20: message = .parameterNegotiation(try parameterNegotiation(&pdu))
      case 0x24: try portNegotiation(&pdu)
      case 0x38: try modemStatus(&pdu)
      default: pdu.rest(values)
      }
    }
  }

  /// A type with its EA and C/R bits.
  private func header(
    _ field: Field, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> (type: UInt8, isCommand: Bool) {
    let word = try pdu.word(1, of: field)
    pdu.part(field, word >> 2, of: 1)
    pdu.part(role, word >> 1 & 1, of: 1)
    pdu.part(ea, word & 1, of: 1)
    return (UInt8(truncatingIfNeeded: word >> 2), word >> 1 & 1 == 1)
  }

  /// The DLCI of all commands but PN, in the upper bits.
  @discardableResult
  private func dlci(_ pdu: inout PDU<some Sink>) throws(Malformed) -> UInt8 {
    let word = try pdu.word(1, of: targetDLCI)
    pdu.part(targetDLCI, word >> 2, of: 1)
    pdu.part(ea, word & 1, of: 1)
    return UInt8(truncatingIfNeeded: word >> 2)
  }

  /// RFCOMM 5.5.3
  private func parameterNegotiation(
    _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> RFCOMMFrame.Parameters {
    var parameters = RFCOMMFrame.Parameters()
    parameters.dlci = try pdu.u8(targetDLCI)
    let word = try pdu.word(1, of: convergenceLayer)
    pdu.part(frameType, word & 0xF, of: 1)
    pdu.part(convergenceLayer, word >> 4, of: 1)
    parameters.flowControl =
      switch word >> 4 {
      case 0xF: .creditsRequested
      case 0xE: .creditsAccepted
      default: .none
      }
    try pdu.u8(priority)
    try pdu.u8(timer)
    parameters.maximumFrameSize = try pdu.u16(maximumFrameSize)
    try pdu.u8(retransmissions)
    parameters.initialCredits = try pdu.u8(initialCredits)
    return parameters
  }

  /// TS 27.010 5.4.6.3.7
  private func modemStatus(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try dlci(&pdu)
    let word = try pdu.word(1, of: signals)
    pdu.part(signals, word & ~1, of: 1)
    pdu.part(ea, word & 1, of: 1)
    if pdu.remaining > 0 { try pdu.u8(breakSignal) }
  }

  /// The DLCI alone asks for the parameters. TS 27.010 5.4.6.3.9
  private func portNegotiation(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try dlci(&pdu)
    guard pdu.remaining > 0 else { return }
    try pdu.u8(rate)
    let word = try pdu.word(1, of: self.dataBits)
    pdu.part(self.dataBits, word & 3, of: 1)
    pdu.part(self.stopBits, word >> 2 & 1, of: 1)
    pdu.part(parity, word >> 3 & 1, of: 1)
    pdu.part(parityType, word >> 4 & 3, of: 1)
    try pdu.u8(flowControl)
    try pdu.u8(xon)
    try pdu.u8(xoff)
    try pdu.u16(parameterMask)
  }
}
