import HarkCore
import HarkDissection

// What iAP2's sessions carry beside messages: External Accessory data, file transfers.
extension Session {
  // MARK: External Accessory

  /// A session begins, ends, or the accessory says whether it takes it.
  mutating func externalAccessory(
    _ identifier: UInt16, _ bytes: RawSpan, _ index: Int, _ stream: StreamID,
    _ frames: Event.Frames, _ moment: Moment
  ) {
    let numbers = parameters(bytes, moment).map { ($0.path, $0.node?.value ?? 0) }
    func number(_ id: UInt16) -> UInt16? {
      numbers.first { $0.0 == [id] }.map { UInt16(truncatingIfNeeded: $0.1) }
    }
    guard let id = number(identifier == 0xEA00 ? 1 : 0) else { return }
    switch identifier {
    case 0xEA00:
      let number = number(0).map { UInt8(truncatingIfNeeded: $0) }
      let known = iap2States[index].identification
      let name = known.protocols.first { $0.identifier == number }?.name
      let isDeclared = known.name == nil && known.protocols.isEmpty ? nil : name != nil
      // The number of a session that never ended is used again.
      if let old = iap2States[index].externalAccessories.removeValue(forKey: id) {
        closeStream(old.stream, moment)
        tellEnd(of: old, .lost, iap2States[index].accessorySide, moment)
      }
      let session = EASession(
        sessionIdentifier: id, protocolIdentifier: number, protocolString: name)
      begin(session, index, stream, moment)
      note(session)
      emit(
        .iap2(.externalAccessory(.open(.init(eaSession: session, isDeclared: isDeclared)))), moment,
        frames: frames, severity: isDeclared == false ? .warning : .info)
    case 0xEA03:
      let isAccepted = number(1) == 0
      guard let session = iap2States[index].externalAccessories[id]?.session else { return }
      note(session)
      iap2States[index].externalAccessories[id]?.isAccepted = isAccepted
      emit(
        .iap2(.externalAccessory(.status(.init(eaSession: session, isAccepted: isAccepted)))),
        moment, frames: frames, severity: isAccepted ? .info : .warning)
    default:
      guard let old = iap2States[index].externalAccessories.removeValue(forKey: id) else { return }
      note(old.session)
      closeStream(old.stream, moment)
      tellEnd(of: old, .stopped, iap2States[index].accessorySide, moment)
    }
  }

  /// Notes whose packet this is.
  private mutating func note(_ session: EASession) {
    if let name = session.protocolString, accessoryProtocols.last != name {
      accessoryProtocols.append(name)
    }
  }

  private mutating func begin(
    _ session: EASession, _ index: Int, _ stream: StreamID, _ moment: Moment
  ) {
    guard iap2States[index].externalAccessories.count < IAP2State.mostExternalAccessories else {
      return
    }
    let own = openStream(
      .externalAccessory(session: session.sessionIdentifier), iap2States[index].link,
      parent: stream, name: session.protocolString, moment)
    iap2States[index].externalAccessories[session.sessionIdentifier] =
      IAP2State.ExternalAccessory(
        session: session, stream: own,
        entry: session.protocolString.flatMap { catalog.entry(forExternalAccessory: $0) })
  }

  mutating func externalAccessoryData(
    _ payload: RawSpan, packets: [UInt32], _ index: Int, _ stream: StreamID, _ moment: Moment
  ) {
    guard payload.byteCount >= 2 else { return }
    let id = UInt16(payload.byte(at: 0)) << 8 | UInt16(payload.byte(at: 1))
    if iap2States[index].externalAccessories[id] == nil {
      // Its beginning is not in the capture.
      let session = EASession(
        sessionIdentifier: id, protocolIdentifier: nil, protocolString: nil)
      begin(session, index, stream, moment)
      iap2States[index].externalAccessories[id]?.isAccepted = true
    }
    guard let own = iap2States[index].externalAccessories[id] else { return }
    note(own.session)
    let data = payload.extracting(2..<payload.byteCount)
    streamed(data, own.stream, moment)
    iap2States[index].externalAccessories[id]?.cut += moment.cut
    if accessories.framings.usesStreams, let name = own.session.protocolString {
      vendorData(
        data, .externalAccessory(name), toServer: moment.side != iap2States[index].accessorySide,
        packets: [], moment)
    }
    if let entry = own.entry, data.byteCount > 0 {
      if entry.cutter == nil, !moment.isSliced {
        complete("message", data, entry, packets: packets)
      } else if entry.cutter != nil {
        _ = cut(data, by: entry, of: own.stream, packets: packets, isInPlace: false, moment)
      }
    }
    guard data.byteCount > 0, !own.hasData[moment.side] else { return }
    iap2States[index].externalAccessories[id]?.hasData[moment.side] = true
    let isEarly = !own.isAccepted
    let traffic = traffic(of: own, iap2States[index].accessorySide, only: moment.side)
    emit(
      .iap2(
        .externalAccessory(
          .data(.init(eaSession: own.session, traffic: traffic, isEarly: isEarly)))), moment,
      severity: isEarly ? .warning : .info)
  }

  /// - Parameter only: The index of the one direction that counts; nil for both.
  private func traffic(
    of session: IAP2State.ExternalAccessory, _ accessorySide: Int?, only side: Int? = nil
  ) -> EASession.Traffic {
    let bytes = streams[Int(session.stream.index)].bytes
    let (sent, received) = (
      Int(Direction.hostToController.rawValue), Int(Direction.controllerToHost.rawValue)
    )
    return EASession.Traffic(
      sent: side == received ? 0 : bytes[sent], received: side == sent ? 0 : bytes[received],
      isHostAccessory: accessorySide.map { $0 == sent }, cut: side == nil ? session.cut : 0)
  }

  mutating func tellEnd(
    of session: IAP2State.ExternalAccessory, _ end: EASession.End, _ accessorySide: Int?,
    _ moment: Moment
  ) {
    let traffic = traffic(of: session, accessorySide)
    let closed = EASessionEvent.Closed(
      eaSession: session.session, traffic: traffic, end: end, isTaken: session.isAccepted)
    emit(
      .iap2(.externalAccessory(.close(closed))), moment,
      severity: traffic.sent + traffic.received + traffic.cut == 0 ? .warning : .info)
  }

  // MARK: File transfers

  mutating func fileData(_ payload: RawSpan, _ index: Int, _ moment: Moment) {
    guard payload.byteCount >= 2 else { return }
    let (id, control) = (payload.byte(at: 0), payload.byte(at: 1))
    let bytes = iap2States[index].fileTransfers[id] ?? 0
    let step: IAP2Event.FileTransfer.Step
    switch control {
    case 0x00, 0x40, 0x80, 0xC0:
      let size = UInt64(truncatingIfNeeded: payload.byteCount - 2)
      iap2States[index].fileTransfers[id] = (control & 0x80 != 0 ? 0 : bytes) &+ size
      return
    case 0x04:
      guard payload.byteCount >= 10 else { return }
      step = .setup(size: payload.unsigned(at: 2, 8).byteSwapped)
    case 0x02: step = .cancelled(bytes: bytes)
    case 0x05: step = .succeeded(bytes: bytes)
    case 0x06: step = .failed(bytes: bytes)
    default: return
    }
    if control != 0x04 { iap2States[index].fileTransfers[id] = nil }
    emit(
      .iap2(.fileTransfer(.init(identifier: id, step: step))), moment,
      severity: control == 0x06 ? .warning : .info)
  }
}
