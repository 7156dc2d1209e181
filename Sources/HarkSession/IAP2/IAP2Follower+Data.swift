import HarkCore
import HarkDissection

// Content of iAP2's sessions other than messages: External Accessory data, file transfers.
extension IAP2Follower {
  // MARK: External Accessory

  mutating func startExternalAccessory(
    _ bytes: RawSpan, _ index: Int, _ stream: StreamID, _ frames: Event.Frames,
    _ moment: PacketContext, _ tables: inout Tables, _ accessory: inout AccessoryFollower,
    _ messages: inout MessageFollower
  ) {
    guard let (id, number) = IAP2ControlMessage(bytes).started else { return }
    let known = states[index].identification
    let name = known.protocols.first { $0.identifier == number }?.name
    let isDeclared = known.name == nil && known.protocols.isEmpty ? nil : name != nil
    // The number of a session that was never stopped is reused.
    if states[index].externalAccessories[id] != nil {
      flushOther(index, stream, moment, &tables, &accessory, &messages)
    }
    if let old = states[index].externalAccessories.removeValue(forKey: id) {
      close(old, moment, &tables, &accessory, &messages)
      reportEnd(of: old, .replaced, states[index].accessorySide, moment, &tables)
    }
    let session = EASession(
      sessionIdentifier: id, protocolIdentifier: number, protocolString: name)
    begin(session, index, stream, moment, &tables)
    note(session, &tables)
    tables.emit(
      .iap2(.externalAccessory(.open(.init(eaSession: session, isDeclared: isDeclared)))), moment,
      frames: frames, severity: isDeclared == false ? .warning : .info)
  }

  /// The accessory accepts or refuses a session.
  mutating func externalAccessoryStatus(
    _ bytes: RawSpan, _ index: Int, _ frames: Event.Frames, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let message = IAP2ControlMessage(bytes)
    let isAccepted = message.isAccepted
    guard let id = message.session else { return }
    guard let session = states[index].externalAccessories[id]?.session else {
      return unknown(.statusExternalAccessorySession, id, index, frames, moment, &tables)
    }
    note(session, &tables)
    states[index].externalAccessories[id]?.answered(isAccepted: isAccepted)
    tables.emit(
      .iap2(.externalAccessory(.status(.init(eaSession: session, isAccepted: isAccepted)))),
      moment, frames: frames, severity: isAccepted ? .info : .warning)
  }

  mutating func stopExternalAccessory(
    _ bytes: RawSpan, _ index: Int, _ stream: StreamID, _ frames: Event.Frames,
    _ moment: PacketContext, _ tables: inout Tables, _ accessory: inout AccessoryFollower,
    _ messages: inout MessageFollower
  ) {
    guard let id = IAP2ControlMessage(bytes).session else { return }
    flushOther(index, stream, moment, &tables, &accessory, &messages)
    guard let old = states[index].externalAccessories.removeValue(forKey: id) else {
      return unknown(.stopExternalAccessorySession, id, index, frames, moment, &tables)
    }
    if states[index].closed.count < IAP2State.mostExternalAccessories {
      states[index].closed.insert(id)
    }
    note(old.session, &tables)
    close(old, moment, &tables, &accessory, &messages)
    reportEnd(of: old, .stopped, states[index].accessorySide, moment, &tables)
  }

  /// Notes whose packet this is.
  private mutating func note(_ session: EASession, _ tables: inout Tables) {
    if let name = session.protocolString, tables.record.accessoryProtocols.last != name {
      tables.record.accessoryProtocols.append(name)
    }
  }

  /// Data for a session that is not open: the receiver discards it.
  private mutating func stray(
    _ id: UInt16, _ count: Int, _ index: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard states[index].strays.insert(id).inserted else { return }
    let isFromAccessory = states[index].accessorySide.map { $0 == moment.side }
    // A session that the capture does not show from its beginning has no protocol.
    let reversed = states[index].externalAccessories[id.byteSwapped]?.session
    tables.emit(
      .iap2(
        .externalAccessory(
          .stray(
            .init(
              sessionIdentifier: id, count: count, isFromAccessory: isFromAccessory,
              isReversed: reversed?.protocolIdentifier != nil)))),
      moment, severity: .warning)
  }

  /// A message about a session that is not open. Messages of both sides that end a session may cross.
  private func unknown(
    _ message: IAP2ControlMessage.Identifier, _ id: UInt16, _ index: Int, _ frames: Event.Frames,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    let state = states[index]
    guard state.knowsSessions(tables.counts.lost),
      state.closed.count < IAP2State.mostExternalAccessories
    else { return }
    let wasOpen = state.closed.contains(id)
    tables.emit(
      .iap2(
        .externalAccessory(
          .unknown(
            .init(message: message.rawValue, sessionIdentifier: id, wasOpen: wasOpen)))),
      moment, frames: frames, severity: wasOpen ? .info : .warning)
  }

  private mutating func begin(
    _ session: EASession, _ index: Int, _ stream: StreamID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard states[index].externalAccessories.count < IAP2State.mostExternalAccessories else {
      return
    }
    states[index].strays.remove(session.sessionIdentifier)
    let own = tables.openStream(
      .externalAccessory(session: session.sessionIdentifier), states[index].link,
      parent: stream, name: session.protocolString, moment)
    states[index].externalAccessories[session.sessionIdentifier] =
      IAP2State.ExternalAccessory(
        session: session, stream: own,
        entry: session.protocolString.flatMap { tables.catalog.entry(forExternalAccessory: $0) })
  }

  /// - Parameters:
  ///   - packets: Its packets.
  ///   - isLate: Whether it waited for a missing packet, so that it is not in the packet that is being read.
  mutating func externalAccessoryData(
    _ payload: RawSpan, packets: [UInt32], isLate: Bool = false, _ index: Int, _ stream: StreamID,
    _ moment: PacketContext, _ tables: inout Tables, _ accessory: inout AccessoryFollower,
    _ messages: inout MessageFollower
  ) {
    let message = IAP2ExternalAccessoryData(payload)
    guard let id = message.session else {
      return tooShort(payload.byteCount, index, Event.Frames(packets, moment), moment, &tables)
    }
    if states[index].externalAccessories[id] == nil, states[index].knowsSessions(tables.counts.lost)
    {
      return stray(id, message.data.count + moment.cut, index, moment, &tables)
    }
    if states[index].externalAccessories[id] == nil {
      // Its beginning is not in the capture.
      let session = EASession(
        sessionIdentifier: id, protocolIdentifier: nil, protocolString: nil)
      begin(session, index, stream, moment, &tables)
      states[index].externalAccessories[id]?.answered(isAccepted: true)
    }
    guard let own = states[index].externalAccessories[id] else { return }
    note(own.session, &tables)
    let data = payload.extracting(message.data)
    let origin = isLate ? packets.last.map { PacketID($0) } : nil
    tables.streamed(data, own.stream, from: origin, moment)
    states[index].externalAccessories[id]?.cut += moment.cut
    let channel = own.session.protocolString.map { VendorChannel.externalAccessory($0) }
    let isFramed = channel.map { tables.framings.uses($0) } ?? false
    if isFramed, let channel {
      accessory.vendorData(
        data, channel, of: own.stream, toServer: moment.side != states[index].accessorySide,
        packets: isLate ? packets : [], moment, &tables)
    }
    if let entry = own.entry, data.byteCount > 0 {
      _ = messages.cut(
        data, by: entry, of: own.stream, packets: packets, isInPlace: false, isFramed: isFramed,
        moment, &tables)
    }
    guard data.byteCount > 0, !own.hasData[moment.side] else { return }
    states[index].externalAccessories[id]?.hasData[moment.side] = true
    let isEarly = !own.isAccepted && !own.isRefused
    let traffic = traffic(of: own, states[index].accessorySide, only: moment.side, tables)
    tables.emit(
      .iap2(
        .externalAccessory(
          .data(
            .init(
              eaSession: own.session, traffic: traffic, isEarly: isEarly, isRefused: own.isRefused))
        )
      ),
      moment, severity: isEarly || own.isRefused ? .warning : .info)
  }

  /// Data that ends before its session is known, unless the recorder cut it.
  private func tooShort(
    _ count: Int, _ index: Int, _ frames: Event.Frames, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard moment.cut == 0 else { return }
    let isFromAccessory = states[index].accessorySide.map { $0 == moment.side }
    tables.emit(
      .iap2(
        .externalAccessory(
          .dataTooShort(.init(count: count, isFromAccessory: isFromAccessory)))),
      moment, frames: frames, severity: .warning)
  }

  /// - Parameter only: The index of the only direction that counts; nil for both.
  private func traffic(
    of session: IAP2State.ExternalAccessory, _ accessorySide: Int?, only side: Int? = nil,
    _ tables: borrowing Tables
  ) -> EASession.Traffic {
    let bytes = tables.streams[Int(session.stream.index)].bytes
    let (sent, received) = (
      Int(Direction.hostToController.rawValue), Int(Direction.controllerToHost.rawValue)
    )
    return EASession.Traffic(
      sent: side == received ? 0 : bytes[sent], received: side == sent ? 0 : bytes[received],
      isHostAccessory: accessorySide.map { $0 == sent }, cut: side == nil ? session.cut : 0)
  }

  mutating func reportEnd(
    of session: IAP2State.ExternalAccessory, _ end: EASession.End, _ accessorySide: Int?,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    let traffic = traffic(of: session, accessorySide, tables)
    let closed = EASessionEvent.Closed(
      eaSession: session.session, traffic: traffic, end: end, isTaken: session.wasAccepted)
    tables.emit(
      .iap2(.externalAccessory(.close(closed))), moment,
      severity: traffic.sent + traffic.received + traffic.cut == 0 ? .warning : .info)
  }

  // MARK: File transfers

  mutating func fileData(
    _ payload: RawSpan, _ index: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let datagram = IAP2FileDatagram(payload)
    let id = datagram.transfer
    let bytes = states[index].fileTransfers[id] ?? 0
    let step: IAP2Event.FileTransfer.Step
    switch datagram.control {
    case .firstData, .onlyData:
      states[index].fileTransfers[id] = UInt64(datagram.data.count)
      return
    case .data, .lastData:
      states[index].fileTransfers[id] = bytes &+ UInt64(datagram.data.count)
      return
    case .setup:
      guard let size = datagram.size else { return }
      step = .setup(size: size)
    case .cancel: step = .cancelled(bytes: bytes)
    case .success: step = .succeeded(bytes: bytes)
    case .failure: step = .failed(bytes: bytes)
    case .start, .pause, nil: return
    }
    if datagram.control != .setup { states[index].fileTransfers[id] = nil }
    tables.emit(
      .iap2(.fileTransfer(.init(identifier: id, step: step))), moment,
      severity: datagram.control == .failure ? .warning : .info)
  }
}
