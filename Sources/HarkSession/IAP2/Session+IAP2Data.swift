import HarkCore
import HarkDissection

// What iAP2's sessions carry beside messages: External Accessory data, file transfers.
extension Session {
  // MARK: External Accessory

  mutating func startExternalAccessory(
    _ bytes: RawSpan, _ index: Int, _ stream: StreamID, _ frames: Event.Frames,
    _ moment: PacketContext
  ) {
    guard let (id, number) = IAP2ControlMessage(bytes).started else { return }
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
  }

  /// The accessory says whether it takes a session.
  mutating func externalAccessoryStatus(
    _ bytes: RawSpan, _ index: Int, _ frames: Event.Frames, _ moment: PacketContext
  ) {
    let message = IAP2ControlMessage(bytes)
    let isAccepted = message.isAccepted
    guard let id = message.session,
      let session = iap2States[index].externalAccessories[id]?.session
    else { return }
    note(session)
    iap2States[index].externalAccessories[id]?.isAccepted = isAccepted
    emit(
      .iap2(.externalAccessory(.status(.init(eaSession: session, isAccepted: isAccepted)))),
      moment, frames: frames, severity: isAccepted ? .info : .warning)
  }

  mutating func stopExternalAccessory(_ bytes: RawSpan, _ index: Int, _ moment: PacketContext) {
    guard let id = IAP2ControlMessage(bytes).session,
      let old = iap2States[index].externalAccessories.removeValue(forKey: id)
    else { return }
    note(old.session)
    closeStream(old.stream, moment)
    tellEnd(of: old, .stopped, iap2States[index].accessorySide, moment)
  }

  /// Notes whose packet this is.
  private mutating func note(_ session: EASession) {
    if let name = session.protocolString, accessoryProtocols.last != name {
      accessoryProtocols.append(name)
    }
  }

  private mutating func begin(
    _ session: EASession, _ index: Int, _ stream: StreamID, _ moment: PacketContext
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
    _ payload: RawSpan, packets: [UInt32], _ index: Int, _ stream: StreamID, _ moment: PacketContext
  ) {
    let message = IAP2ExternalAccessoryData(payload)
    guard let id = message.session else { return }
    if iap2States[index].externalAccessories[id] == nil {
      // Its beginning is not in the capture.
      let session = EASession(
        sessionIdentifier: id, protocolIdentifier: nil, protocolString: nil)
      begin(session, index, stream, moment)
      iap2States[index].externalAccessories[id]?.isAccepted = true
    }
    guard let own = iap2States[index].externalAccessories[id] else { return }
    note(own.session)
    let data = payload.extracting(message.data)
    streamed(data, own.stream, moment)
    iap2States[index].externalAccessories[id]?.cut += moment.cut
    if accessories.framings.usesStreams, let name = own.session.protocolString {
      vendorData(
        data, .externalAccessory(name), toServer: moment.side != iap2States[index].accessorySide,
        packets: [], moment)
    }
    if let entry = own.entry, data.byteCount > 0 {
      if entry.cutter == nil, !moment.isTruncated {
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
    _ moment: PacketContext
  ) {
    let traffic = traffic(of: session, accessorySide)
    let closed = EASessionEvent.Closed(
      eaSession: session.session, traffic: traffic, end: end, isTaken: session.isAccepted)
    emit(
      .iap2(.externalAccessory(.close(closed))), moment,
      severity: traffic.sent + traffic.received + traffic.cut == 0 ? .warning : .info)
  }

  // MARK: File transfers

  mutating func fileData(_ payload: RawSpan, _ index: Int, _ moment: PacketContext) {
    let datagram = IAP2FileDatagram(payload)
    let id = datagram.transfer
    let bytes = iap2States[index].fileTransfers[id] ?? 0
    let step: IAP2Event.FileTransfer.Step
    switch datagram.control {
    case .firstData, .onlyData:
      iap2States[index].fileTransfers[id] = UInt64(datagram.data.count)
      return
    case .data, .lastData:
      iap2States[index].fileTransfers[id] = bytes &+ UInt64(datagram.data.count)
      return
    case .setup:
      guard let size = datagram.size else { return }
      step = .setup(size: size)
    case .cancel: step = .cancelled(bytes: bytes)
    case .success: step = .succeeded(bytes: bytes)
    case .failure: step = .failed(bytes: bytes)
    case .start, .pause, nil: return
    }
    if datagram.control != .setup { iap2States[index].fileTransfers[id] = nil }
    emit(
      .iap2(.fileTransfer(.init(identifier: id, step: step))), moment,
      severity: datagram.control == .failure ? .warning : .info)
  }
}
