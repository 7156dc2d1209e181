import HarkCore
import HarkCrypto
import HarkDissection

// Messages of iAP2's control session: reassembly and meaning.
extension IAP2Follower {
  /// Bytes of the control session; messages begin and end anywhere in them.
  mutating func controlData(
    _ payload: RawSpan, _ packets: [UInt32], _ index: Int, _ stream: StreamID,
    _ moment: PacketContext, _ tables: inout Tables, _ accessory: inout AccessoryFollower,
    _ messages: inout MessageFollower
  ) {
    let side = moment.side
    if states[index].sides[side].message.bytes.isEmpty,
      IAP2ControlMessage.length(of: payload) == payload.byteCount
    {
      return message(payload, packets, index, stream, moment, &tables, &accessory, &messages)
    }
    // So many bytes were looked at before.
    var known = states[index].sides[side].message.bytes.count
    states[index].sides[side].message.bytes += payload.array
    states[index].sides[side].message.packets += packets
    while true {
      let pending = states[index].sides[side].message
      guard pending.bytes.count >= IAP2ControlMessage.headerCount else { return }
      if let length = IAP2ControlMessage.reversedLength(of: pending.bytes.raw, known: known) {
        let isBefore = length <= pending.bytes.count - payload.byteCount
        let own =
          isBefore ? Array(pending.packets.dropLast(packets.count)) : pending.packets
        reversedMessage(
          length, pending, own.isEmpty ? pending.packets : own, index, stream, moment, &tables,
          &accessory, &messages)
        takeMessage(length, of: pending, packets, &known, index, side)
        continue
      }
      guard let length = IAP2ControlMessage.length(of: pending.bytes.raw) else {
        // The rest of a message whose beginning is missing, or a length that no message has.
        conceal(pending.packets, &tables)
        states[index].sides[side].message.removeAll()
        return reportUnreadable(pending, moment, &tables)
      }
      guard pending.bytes.count >= length else { return }
      let whole = pending.bytes.raw.extracting(0..<length)
      tables.complete(
        "iAP2 control session message", whole, entries[.control], packets: pending.packets)
      message(whole, pending.packets, index, stream, moment, &tables, &accessory, &messages)
      takeMessage(length, of: pending, packets, &known, index, side)
    }
  }

  /// Removes a message from what is pending.
  /// - Parameters:
  ///   - packets: Of what remains.
  ///   - known: How many of the pending bytes were looked at before.
  private mutating func takeMessage(
    _ length: Int, of pending: IAP2State.Message, _ packets: [UInt32], _ known: inout Int,
    _ index: Int, _ side: Int
  ) {
    known = max(0, known - length)
    states[index].sides[side].message.bytes.removeFirst(length)
    if length == pending.bytes.count {
      states[index].sides[side].message.packets.removeAll()
    } else {
      states[index].sides[side].message.packets = packets
    }
  }

  /// A message whose header states its length with its bytes reversed. It is read with the right length, unless its
  /// identifier is unknown, which may be reversed, too, or the lengths of its parameters are: its values may be keys.
  private mutating func reversedMessage(
    _ length: Int, _ pending: IAP2State.Message, _ packets: [UInt32], _ index: Int,
    _ stream: StreamID, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    guard let identifier = pending.identifier,
      let stated = IAP2ControlMessage.statedLength(of: pending.bytes.raw)
    else { return }
    var bytes = Array(pending.bytes.prefix(length))
    tables.complete("iAP2 control session message", bytes.raw, entries[.control], packets: packets)
    bytes.swapAt(2, 3)
    if Catalog.isFromDevice(iAP2: identifier) != nil, IAP2ControlMessage(bytes.raw).failure == nil {
      message(bytes.raw, packets, index, stream, moment, &tables, &accessory, &messages)
    } else {
      conceal(packets, &tables)
    }
    tables.emit(
      .iap2(
        .malformedMessage(
          .init(identifier: identifier, problem: .reversedLength(stated, is: length)))), moment,
      frames: Event.Frames(packets, moment), severity: .warning)
  }

  /// Bytes of which no message can be read.
  private mutating func reportUnreadable(
    _ pending: IAP2State.Message, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard IAP2ControlMessage.isStart(pending.bytes.raw), let identifier = pending.identifier,
      let length = IAP2ControlMessage.statedLength(of: pending.bytes.raw)
    else { return reportIncomplete(pending, moment, &tables) }
    tables.emit(
      .iap2(.malformedMessage(.init(identifier: identifier, problem: .length(length)))), moment,
      frames: Event.Frames(pending.packets, moment), severity: .warning)
  }

  private mutating func message(
    _ bytes: RawSpan, _ packets: [UInt32], _ index: Int, _ stream: StreamID,
    _ moment: PacketContext, _ tables: inout Tables, _ accessory: inout AccessoryFollower,
    _ messages: inout MessageFollower
  ) {
    guard let code = IAP2ControlMessage.identifier(of: bytes) else { return }
    defer { checkParameters(code, bytes, Event.Frames(packets, moment), moment, &tables) }
    if Catalog.mayHoldKeys(iAP2: code) { conceal(packets, &tables) }
    let frames = Event.Frames(packets, moment)
    let identifier = IAP2ControlMessage.Identifier(rawValue: code)
    checkSide(code, identifier, index, frames, moment, &tables)
    switch identifier {
    case .identificationInformation, .identificationInformationUpdate:
      identification(
        bytes, isUpdate: identifier != .identificationInformation, index, frames, moment, &tables)
    case .identificationAccepted:
      states[index].questions.remove(.identification)
      tables.emit(.iap2(.identificationAccepted(.init())), moment, frames: frames)
    case .identificationRejected: identificationRejected(bytes, index, frames, moment, &tables)
    case .requestAuthenticationCertificate, .authenticationCertificate,
      .requestAuthenticationChallengeResponse, .authenticationResponse, .authenticationFailed,
      .authenticationSucceeded, .accessoryAuthenticationSerialNumber:
      authentication(identifier, bytes, index, frames, moment, &tables)
    case .startExternalAccessorySession:
      startExternalAccessory(
        bytes, index, stream, frames, moment, &tables, &accessory, &messages)
    case .stopExternalAccessorySession:
      stopExternalAccessory(bytes, index, stream, frames, moment, &tables, &accessory, &messages)
    case .statusExternalAccessorySession:
      externalAccessoryStatus(bytes, index, frames, moment, &tables)
    case .startIdentification, .cancelIdentification, nil:
      if identifier == .startIdentification {
        states[index].questions.insert(.identification)
      } else if identifier == .cancelIdentification {
        states[index].questions.remove(.identification)
      }
      message(code, bytes, frames, moment, &tables)
    }
  }

  /// Each message is sent by one side only. The SYN shows which side is the accessory; without it, the identification,
  /// or else the first message.
  private mutating func checkSide(
    _ code: UInt16, _ identifier: IAP2ControlMessage.Identifier?, _ index: Int,
    _ frames: Event.Frames, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let isFromDevice = Catalog.isFromDevice(iAP2: code) else { return }
    let side = isFromDevice ? 1 - moment.side : moment.side
    let evidence: IAP2State.SideEvidence
    switch identifier {
    case .startIdentification, .identificationInformation, .identificationAccepted,
      .identificationRejected, .cancelIdentification, .identificationInformationUpdate:
      evidence = .identification
    case .requestAuthenticationCertificate, .authenticationCertificate,
      .requestAuthenticationChallengeResponse, .authenticationResponse, .authenticationFailed,
      .authenticationSucceeded, .accessoryAuthenticationSerialNumber,
      .startExternalAccessorySession, .stopExternalAccessorySession,
      .statusExternalAccessorySession, nil:
      evidence = .message
    }
    let isStronger = evidence.rawValue > states[index].sideEvidence.rawValue
    if states[index].accessorySide == nil || isStronger {
      states[index].accessorySide = side
      states[index].sideEvidence = evidence
    } else if states[index].accessorySide != side {
      // Two messages that contradict each other do not show which one is wrong.
      tables.emit(
        .iap2(.wrongSender(.init(identifier: code, isFromAccessory: isFromDevice))), moment,
        frames: frames, severity: states[index].sideEvidence == .message ? .info : .warning)
    }
  }

  private func checkParameters(
    _ identifier: UInt16, _ bytes: RawSpan, _ frames: Event.Frames, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let message = IAP2ControlMessage(bytes)
    let problem: IAP2Event.MalformedMessage.Problem
    if let failure = message.failure {
      problem = .malformed(failure)
    } else if let missing = message.missingSession(of: .init(rawValue: identifier)) {
      problem = .lacks(parameter: missing)
    } else {
      return
    }
    tables.emit(
      .iap2(.malformedMessage(.init(identifier: identifier, problem: problem))), moment,
      frames: frames, severity: .warning)
  }

  /// A message that no code here reads: its values are reported.
  private mutating func message(
    _ identifier: UInt16, _ bytes: RawSpan, _ frames: Event.Frames, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let values = Catalog.mayHoldKeys(iAP2: identifier) ? [] : values(bytes, tables)
    tables.emit(
      .iap2(.message(.init(identifier: identifier, size: bytes.byteCount, values: values))), moment,
      frames: frames)
  }

  private static let mostValues = 32

  /// Of groups, what they hold.
  private func values(_ bytes: RawSpan, _ tables: borrowing Tables) -> [IAP2Value] {
    let all = IAP2ControlMessage(bytes).parameters
    var values: [IAP2Value] = []
    for (index, parameter) in all.enumerated() where values.count < Self.mostValues {
      guard index + 1 == all.count || all[index + 1].path.count <= parameter.path.count
      else { continue }
      let text = parameter.value.map { valueText($0, bytes, tables) }
      let isText = parameter.value.map { Self.isText($0.field.definition.form) } ?? false
      values.append(IAP2Value(path: parameter.path, text: text, isText: isText))
    }
    return values
  }

  private static func isText(_ form: Field.Form) -> Bool {
    if case .text = form { return true }
    if case .utf16 = form { return true }
    return false
  }

  private func valueText(_ node: Tree.Node, _ bytes: RawSpan, _ tables: borrowing Tables) -> String
  {
    var text = TextBuffer()
    tables.catalog.write(node, of: bytes, to: &text)
    return text.string
  }

  // MARK: Identification

  private mutating func identification(
    _ bytes: RawSpan, isUpdate: Bool, _ index: Int, _ frames: Event.Frames, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let message = IAP2ControlMessage(bytes)
    // What could not be read may be the protocols.
    guard message.failure == nil else { return }
    var known = isUpdate ? states[index].identification : IAP2Identification()
    for parameter in message.parameters { note(parameter, bytes, &known) }
    states[index].identification = known
    // If the capture was made on the accessory, the device of the link is the Apple device.
    if moment.isFromPeer, let name = known.name,
      let device = moment.link.flatMap({ tables.links[$0].device })
    {
      tables.devices.name(tables.devices.current(device), name)
    }
    if !isUpdate { states[index].questions.insert(.identification) }
    tables.emit(
      .iap2(.identification(.init(identification: known, isUpdate: isUpdate))), moment,
      frames: frames)
  }

  private mutating func identificationRejected(
    _ bytes: RawSpan, _ index: Int, _ frames: Event.Frames, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    states[index].questions.remove(.identification)
    let known = states[index].identification
    let rejected = IAP2ControlMessage(bytes).parameters.map {
      IAP2RejectedParameter($0.path, known)
    }
    tables.emit(
      .iap2(.identificationRejected(.init(parameters: rejected))), moment, frames: frames,
      severity: .error)
  }

  private func note(
    _ parameter: IAP2ControlMessage.Parameter, _ message: RawSpan,
    _ known: inout IAP2Identification
  ) {
    let last = known.protocols.count - 1
    let number = parameter.value?.value ?? 0
    var text: String?
    if let value = parameter.value { text = message.utf8(value.range) }
    switch IAP2ControlMessage.IdentificationParameter(parameter.path) {
    case .name: known.name = text
    case .modelIdentifier: known.modelIdentifier = text
    case .manufacturer: known.manufacturer = text
    case .serialNumber: known.serialNumber = text
    case .firmwareVersion: known.firmwareVersion = text
    case .hardwareVersion: known.hardwareVersion = text
    // Protocols are numbered with one octet.
    case .externalAccessoryProtocol where last < 255: known.protocols.append(.init())
    case .protocolIdentifier where last >= 0:
      known.protocols[last].identifier = UInt8(clamping: number)
    case .protocolName where last >= 0: known.protocols[last].name = text ?? ""
    case .protocolMatchAction where last >= 0:
      known.protocols[last].matchAction = UInt8(clamping: number)
    default: break
    }
  }

  // MARK: Authentication

  private mutating func authentication(
    _ identifier: IAP2ControlMessage.Identifier?, _ bytes: RawSpan, _ index: Int,
    _ frames: Event.Frames, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let range = IAP2ControlMessage(bytes).parameters.first?.value?.range ?? 0..<0
    let value = bytes.array(range)
    let fingerprint = Fingerprint(of: value)
    let step: IAP2Event.Authentication.Step
    switch identifier {
    case .requestAuthenticationCertificate:
      states[index].questions.insert(.authentication)
      step = .certificateRequested
    case .authenticationCertificate: step = .certificate(size: value.count, fingerprint)
    case .requestAuthenticationChallengeResponse:
      step = .challenge(size: value.count, fingerprint)
    case .authenticationResponse: step = .response(size: value.count, fingerprint)
    case .authenticationFailed: step = .failed
    case .authenticationSucceeded: step = .succeeded
    default: step = .serialNumber
    }
    if step == .failed || step == .succeeded {
      states[index].questions.remove(.authentication)
    }
    tables.emit(
      .iap2(.authentication(.init(step: step))), moment, frames: frames,
      severity: step == .failed ? .error : .info)
  }
}

extension IAP2RejectedParameter {
  /// - Parameter known: What the accessory has reported about itself.
  init(_ path: [UInt16], _ known: IAP2Identification) {
    self.path = path
    value =
      switch IAP2ControlMessage.IdentificationParameter(path) {
      case .name: known.name
      case .modelIdentifier: known.modelIdentifier
      case .manufacturer: known.manufacturer
      case .serialNumber: known.serialNumber
      case .firmwareVersion: known.firmwareVersion
      case .hardwareVersion: known.hardwareVersion
      case .externalAccessoryProtocol:
        known.protocols.isEmpty ? nil : known.protocols.map(\.name).joined(separator: ", ")
      case .protocolIdentifier, .protocolName, .protocolMatchAction, nil: nil
      }
  }
}
