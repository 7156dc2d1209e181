/// Subevents of the LE Meta event: Channel Sounding.
/// Core Specification, Vol 4, Part E, 7.7.65.39 to 7.7.65.46.
package enum LESoundingEvent: HCIEventGroup {
  case capabilitiesComplete(status: UInt8)
  case faeTableComplete(status: UInt8)
  case securityEnableComplete(status: UInt8)
  case configComplete(Configuration)
  case procedureEnableComplete(Procedures)
  case subeventResult(Result)
  case testEndComplete(status: UInt8)

  /// 7.7.65.42
  package struct Configuration: Sendable {
    package let status: UInt8
    /// Nil if the event is cut.
    package let config: UInt8?
    package let action: Action?
    package let mainMode: UInt8?
    package let subMode: UInt8?
    package let role: UInt8?

    package enum Action: UInt8, Sendable { case removed, created }
  }

  /// 7.7.65.43
  package struct Procedures: Sendable {
    package let status: UInt8
    package let config: UInt8?
    package let isOn: Bool?
    /// From one procedure to the next, in connection events.
    package let interval: UInt16?
    /// 0 if they go on until they are disabled.
    package let count: UInt16?
  }

  /// Also of a continuation. 7.7.65.44, 7.7.65.45
  package struct Result: Sendable {
    package let config: UInt8
    /// Nil in a continuation.
    package let counter: UInt16?
    package let procedureDone: UInt8
    package let subeventDone: UInt8
    package let procedureAbort: UInt8
    package let subeventAbort: UInt8

    /// The reason for which a side stops what works: Local Host or remote request.
    package static let requested: UInt8 = 0x1

    package enum Done: UInt8, Sendable {
      case complete = 0x0
      case partial = 0x1
      case aborted = 0xF
    }

    package var isProcedureComplete: Bool { Done(rawValue: procedureDone) == .complete }
    package var isProcedureAborted: Bool { Done(rawValue: procedureDone) == .aborted }
    package var isSubeventAborted: Bool { Done(rawValue: subeventDone) == .aborted }
  }

  private static let p = HCIParameters.shared
  private static let cs = HCIParameters.shared.sounding
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]
  private static let outcome: [Parameter] = [
    .u8(cs.procedureDone), .u8(cs.subeventDone), .nibbles(cs.procedureAbort, cs.subeventAbort),
    .special(.soundingSteps),
  ]

  static let rows: [Row] = [
    Row(
      0x2C, "HCI_LE_CS_Read_Remote_Supported_Capabilities_Complete",
      handleStatus + HCICommand.soundingCapabilities),
    Row(
      0x38, "HCI_LE_CS_Read_Remote_Supported_Capabilities_Complete [v2]",
      handleStatus + HCICommand.soundingCapabilities + HCICommand.laterSoundingCapabilities),
    Row(
      0x2D, "HCI_LE_CS_Read_Remote_FAE_Table_Complete",
      handleStatus + [.bytes(72, cs.faeTable)]),
    Row(0x2E, "HCI_LE_CS_Security_Enable_Complete", handleStatus),
    Row(
      0x2F, "HCI_LE_CS_Config_Complete",
      handleStatus + [.u8(cs.config), .u8(cs.csAction)] + HCICommand.soundingConfiguration + [
        .u8(cs.tIP1), .u8(cs.tIP2), .u8(cs.tFCS), .u8(cs.tPM),
      ]),
    Row(
      0x30, "HCI_LE_CS_Procedure_Enable_Complete",
      handleStatus + [
        .u8(cs.config), .u8(cs.state), .u8(cs.toneAntennas), .u8(cs.selectedTxPower),
        .u24(cs.subeventLength), .u8(cs.subeventsPerEvent), .u16(cs.csSubeventInterval),
        .u16(cs.eventInterval), .u16(cs.procedureInterval), .u16(cs.procedureCount),
        .u16(cs.maxProcedureLength),
      ]),
    Row(
      0x31, "HCI_LE_CS_Subevent_Result",
      [
        .handle(p.handle), .u8(cs.config), .u16(cs.startCounter), .u16(cs.procedureCounter),
        .special(.frequencyCompensation), .u8(cs.referencePower),
      ] + outcome),
    Row(
      0x32, "HCI_LE_CS_Subevent_Result_Continue", [.handle(p.handle), .u8(cs.config)] + outcome),
    Row(0x33, "HCI_LE_CS_Test_End_Complete", [.u8(p.status)]),
  ]

  enum Code: UInt8 {
    case readRemoteSupportedCapabilitiesComplete = 0x2C
    case readRemoteFAETableComplete = 0x2D
    case securityEnableComplete = 0x2E
    case configComplete = 0x2F
    case procedureEnableComplete = 0x30
    case subeventResult = 0x31
    case subeventResultContinue = 0x32
    case testEndComplete = 0x33
    case readRemoteSupportedCapabilitiesCompleteV2 = 0x38
  }

  static func read(_ code: Code, _ values: ParameterValues) -> LESoundingEvent? {
    switch code {
    case .subeventResult, .subeventResultContinue: return result(values)
    case .configComplete:
      return values.u8(p.status).map { status in
        .configComplete(
          .init(
            status: status, config: values.u8(cs.config),
            action: values.u8(cs.csAction).flatMap { .init(rawValue: $0) },
            mainMode: values.u8(cs.mainMode), subMode: values.u8(cs.subMode),
            role: values.u8(cs.csRole)))
      }
    case .procedureEnableComplete:
      return values.u8(p.status).map { status in
        .procedureEnableComplete(
          .init(
            status: status, config: values.u8(cs.config), isOn: values.u8(cs.state).map { $0 == 1 },
            interval: values.u16(cs.procedureInterval), count: values.u16(cs.procedureCount)))
      }
    case .readRemoteSupportedCapabilitiesComplete, .readRemoteSupportedCapabilitiesCompleteV2:
      return values.u8(p.status).map { .capabilitiesComplete(status: $0) }
    case .readRemoteFAETableComplete:
      return values.u8(p.status).map { .faeTableComplete(status: $0) }
    case .securityEnableComplete:
      return values.u8(p.status).map { .securityEnableComplete(status: $0) }
    case .testEndComplete: return values.u8(p.status).map { .testEndComplete(status: $0) }
    }
  }

  private static func result(_ values: ParameterValues) -> LESoundingEvent? {
    guard let config = values.u8(cs.config), let procedureDone = values.u8(cs.procedureDone),
      let subeventDone = values.u8(cs.subeventDone),
      let procedureAbort = values.u8(cs.procedureAbort),
      let subeventAbort = values.u8(cs.subeventAbort)
    else { return nil }
    return .subeventResult(
      .init(
        config: config, counter: values.u16(cs.procedureCounter), procedureDone: procedureDone,
        subeventDone: subeventDone, procedureAbort: procedureAbort, subeventAbort: subeventAbort))
  }
}
