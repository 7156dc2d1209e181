import HarkCore
import HarkCrypto
import HarkDissection

// Messages of iAP2's control session: put together, and what they mean.
extension Session {
  /// Bytes of the control session; messages begin and end anywhere in them.
  mutating func controlData(
    _ payload: RawSpan, _ packets: [UInt32], _ index: Int, _ stream: StreamID, _ moment: Moment
  ) {
    let side = moment.side
    if iap2States[index].sides[side].message.bytes.isEmpty,
      Self.messageLength(payload) == payload.byteCount
    {
      return message(payload, packets, index, stream, moment)
    }
    iap2States[index].sides[side].message.bytes += payload.array
    iap2States[index].sides[side].message.packets += packets
    while true {
      let pending = iap2States[index].sides[side].message
      guard pending.bytes.count >= 6 else { return }
      guard let length = Self.messageLength(pending.bytes.raw) else {
        // The rest of a message whose beginning is missing.
        conceal(pending.packets)
        iap2States[index].sides[side].message.removeAll()
        return tellIncomplete(pending, moment)
      }
      guard pending.bytes.count >= length else { return }
      let whole = pending.bytes.raw.extracting(0..<length)
      complete(
        "iAP2 control session message", whole, iap2Entries.sessions[0], packets: pending.packets)
      message(whole, pending.packets, index, stream, moment)
      iap2States[index].sides[side].message.bytes.removeFirst(length)
      if length == pending.bytes.count {
        iap2States[index].sides[side].message.packets.removeAll()
      } else {
        iap2States[index].sides[side].message.packets = packets
      }
    }
  }

  /// The length of the message that begins with `bytes`; nil where none does.
  static func messageLength(_ bytes: RawSpan) -> Int? {
    guard bytes.byteCount >= 6, bytes.byte(at: 0) == 0x40, bytes.byte(at: 1) == 0x40 else {
      return nil
    }
    let length = Int(bytes.byte(at: 2)) << 8 | Int(bytes.byte(at: 3))
    return length >= 6 ? length : nil
  }

  private mutating func message(
    _ bytes: RawSpan, _ packets: [UInt32], _ index: Int, _ stream: StreamID, _ moment: Moment
  ) {
    let identifier = UInt16(bytes.byte(at: 4)) << 8 | UInt16(bytes.byte(at: 5))
    if Catalog.mayHoldKeys(iAP2: identifier) { conceal(packets) }
    if let isFromDevice = Catalog.isFromDevice(iAP2: identifier) {
      iap2States[index].accessorySide = isFromDevice ? 1 - moment.side : moment.side
    }
    let frames = Event.Frames(packets, moment)
    switch identifier {
    case 0x1D00...0x1D06: identification(identifier, bytes, index, frames, moment)
    case 0xAA00...0xAA06: authentication(identifier, bytes, index, frames, moment)
    case 0xEA00, 0xEA01, 0xEA03:
      externalAccessory(identifier, bytes, index, stream, frames, moment)
    default: message(identifier, bytes, frames, moment)
    }
  }

  /// A message that nothing here reads: its values are told.
  private mutating func message(
    _ identifier: UInt16, _ bytes: RawSpan, _ frames: Event.Frames, _ moment: Moment
  ) {
    let values = Catalog.mayHoldKeys(iAP2: identifier) ? [] : values(bytes, moment)
    emit(
      .iap2(.message(.init(identifier: identifier, size: bytes.byteCount, values: values))), moment,
      frames: frames)
  }

  private static let mostValues = 32

  private mutating func values(_ bytes: RawSpan, _ moment: Moment) -> [IAP2Value] {
    let all = parameters(bytes, moment)
    return all.indices.lazy
      .filter { $0 + 1 == all.count || all[$0 + 1].path.count <= all[$0].path.count }
      .prefix(Self.mostValues).map { index in
        IAP2Value(path: all[index].path, text: all[index].node.map { valueText($0, bytes) })
      }
  }

  private func valueText(_ node: Tree.Node, _ bytes: RawSpan) -> String {
    var text = TextBuffer()
    catalog.write(node, of: bytes, to: &text)
    return text.string
  }

  // MARK: Parameters

  struct IAP2Parameter {
    /// The identifiers of the groups around it, and its own.
    let path: [UInt16]
    /// Its value, or nil where it has none.
    var node: Tree.Node?
  }

  /// The parameters of a message, in order; groups stand before what they hold.
  mutating func parameters(_ message: RawSpan, _ moment: Moment) -> [IAP2Parameter] {
    describe(message, .iap2(0), moment)
    let paths = Paths.IAP2.all
    var parameters: [IAP2Parameter] = []
    var path: [UInt16] = []
    for node in tree.nodes {
      if paths.identifiers.contains(node.field) {
        // The message's layer and the parameter are around it.
        path.removeLast(max(0, path.count - (Int(node.depth) - 2)))
        path.append(UInt16(truncatingIfNeeded: node.value))
        parameters.append(IAP2Parameter(path: path))
      } else if node.kind != .group, node.field != paths.parameterLength, !parameters.isEmpty {
        parameters[parameters.count - 1].node = node
      }
    }
    return parameters
  }

  private func text(_ parameter: IAP2Parameter, _ message: RawSpan) -> String? {
    parameter.node.map { catalog.string($0, of: message) }
  }

  // MARK: Identification

  private mutating func identification(
    _ identifier: UInt16, _ bytes: RawSpan, _ index: Int, _ frames: Event.Frames,
    _ moment: Moment
  ) {
    switch identifier {
    case 0x1D01, 0x1D06:
      var known = iap2States[index].identification
      if identifier == 0x1D01 { known = IAP2Identification() }
      for parameter in parameters(bytes, moment) { note(parameter, bytes, &known) }
      iap2States[index].identification = known
      // Where the capture was made on the accessory, the device of the link is the Apple device.
      if moment.direction == .controllerToHost, let name = known.name,
        let device = moment.link.flatMap({ linkTable[$0].device })
      {
        deviceTable.name(deviceTable.current(device), name)
      }
      if identifier == 0x1D01 { iap2States[index].questions.insert(.identification) }
      emit(
        .iap2(.identification(.init(identification: known, isUpdate: identifier == 0x1D06))),
        moment, frames: frames)
    case 0x1D02:
      iap2States[index].questions.remove(.identification)
      emit(.iap2(.identificationAccepted(.init())), moment, frames: frames)
    case 0x1D03:
      iap2States[index].questions.remove(.identification)
      let known = iap2States[index].identification
      let parameters = parameters(bytes, moment)
      let rejected = parameters.map { IAP2RejectedParameter($0.path, known) }
      emit(
        .iap2(.identificationRejected(.init(parameters: rejected))), moment, frames: frames,
        severity: .error)
    default:
      if identifier == 0x1D00 { iap2States[index].questions.insert(.identification) }
      if identifier == 0x1D05 { iap2States[index].questions.remove(.identification) }
      message(identifier, bytes, frames, moment)
    }
  }

  private func note(
    _ parameter: IAP2Parameter, _ message: RawSpan, _ known: inout IAP2Identification
  ) {
    let last = known.protocols.count - 1
    let number = parameter.node?.value ?? 0
    switch parameter.path {
    case [0]: known.name = text(parameter, message)
    case [1]: known.modelIdentifier = text(parameter, message)
    case [2]: known.manufacturer = text(parameter, message)
    case [3]: known.serialNumber = text(parameter, message)
    case [4]: known.firmwareVersion = text(parameter, message)
    case [5]: known.hardwareVersion = text(parameter, message)
    // Protocols are told apart by a number of one octet.
    case [10] where last < 255: known.protocols.append(.init())
    case [10, 0] where last >= 0: known.protocols[last].identifier = UInt8(clamping: number)
    case [10, 1] where last >= 0: known.protocols[last].name = text(parameter, message) ?? ""
    case [10, 2] where last >= 0: known.protocols[last].matchAction = UInt8(clamping: number)
    default: break
    }
  }

  // MARK: Authentication

  private mutating func authentication(
    _ identifier: UInt16, _ bytes: RawSpan, _ index: Int, _ frames: Event.Frames,
    _ moment: Moment
  ) {
    let value = parameters(bytes, moment).first?.node.map { bytes.array($0.range) } ?? []
    let fingerprint = Fingerprint(of: value)
    if identifier == 0xAA00 { iap2States[index].questions.insert(.authentication) }
    let step: IAP2Event.Authentication.Step
    switch identifier {
    case 0xAA00: step = .certificateRequested
    case 0xAA01: step = .certificate(size: value.count, fingerprint)
    case 0xAA02: step = .challenge(size: value.count, fingerprint)
    case 0xAA03: step = .response(size: value.count, fingerprint)
    case 0xAA04: step = .failed
    case 0xAA05: step = .succeeded
    default: step = .serialNumber
    }
    if identifier == 0xAA04 || identifier == 0xAA05 {
      iap2States[index].questions.remove(.authentication)
    }
    emit(
      .iap2(.authentication(.init(step: step))), moment, frames: frames,
      severity: identifier == 0xAA04 ? .error : .info)
  }
}

extension IAP2RejectedParameter {
  /// - Parameter known: What the accessory had said of itself.
  init(_ path: [UInt16], _ known: IAP2Identification) {
    self.path = path
    value =
      switch path {
      case [0]: known.name
      case [1]: known.modelIdentifier
      case [2]: known.manufacturer
      case [3]: known.serialNumber
      case [4]: known.firmwareVersion
      case [5]: known.hardwareVersion
      case [10]:
        known.protocols.isEmpty ? nil : known.protocols.map(\.name).joined(separator: ", ")
      default: nil
      }
  }
}
