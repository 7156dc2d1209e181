import HarkCore
import HarkDissection

// ATT writes: they take effect once the server accepts them. Core Specification, Vol 3, Part F, 3.4.5, 3.4.6.
extension ATTFollower {
  /// The server accepted the value of the request. The event has the time at which the request was sent.
  mutating func settle(
    _ link: LinkID, _ side: Int, _ moment: PacketContext, _ tables: inout Tables,
    _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    guard let request = tables.links.request(on: link, side), let write = request.write else {
      return
    }
    tables.links[link].att.requests[side]?.write = nil
    var asked = request.moment
    asked.link = link
    switch request.opcode {
    case .prepareWriteRequest:
      prepare(write, request.handle, link, asked, &tables)
    case .executeWriteRequest:
      execute(write, link, asked, isAnswered: true, moment, &tables, &leAudio, &accessory)
    default:
      valueDelivered(
        request.opcode, request.handle, write.bytes.raw, link, asked, frames: write.frames, &tables,
        &leAudio, &accessory)
    }
    passCommands(link, side, &tables, &leAudio, &accessory)
  }

  // MARK: Commands after writes

  /// A server processes the PDUs of one client in order: a command after an unanswered write takes effect after that
  /// write. False if no write is pending. Vol 3, Part F, 3.3.2.
  mutating func waits(
    _ opcode: ATTPDU.Opcode, _ handle: UInt16, _ value: RawSpan, _ key: Session.DatabaseKey,
    _ link: LinkID,
    _ moment: PacketContext, _ tables: inout Tables, _ leAudio: inout LEAudioFollower,
    _ accessory: inout AccessoryFollower
  ) -> Bool {
    guard let request = tables.links.request(on: link, moment.side), request.write != nil,
      request.opcode != .prepareWriteRequest, let uuid = tables.databases[key].type(of: handle),
      let framing = tables.framings.using(characteristic: uuid)
    else { return false }
    if request.isForgotten {
      leaveUnanswered(link, moment.side, moment, &tables, &leAudio, &accessory)
      return false
    }
    guard tables.links[link].att.commands[moment.side].count < ATTState.Command.most else {
      passCommands(link, moment.side, &tables, &leAudio, &accessory)
      return false
    }
    // Now, not when it takes effect: the bytes are in the packet that is being read.
    if framing.carriesKeys(.characteristic(uuid)) { tables.conceal(handle, key, moment) }
    let write = ATTState.Write(bytes: value.array, frames: tables.framesOfPDU(moment))
    tables.links[link].att.commands[moment.side].append(
      ATTState.Command(opcode: opcode, handle: handle, write: write, moment: moment))
    return true
  }

  mutating func passCommands(
    _ link: LinkID, _ side: Int, _ tables: inout Tables, _ leAudio: inout LEAudioFollower,
    _ accessory: inout AccessoryFollower
  ) {
    guard !tables.links[link].att.commands[side].isEmpty else { return }
    let commands = tables.links[link].att.commands[side]
    tables.links[link].att.commands[side] = []
    for command in commands {
      valueDelivered(
        command.opcode, command.handle, command.write.bytes.raw, link, command.moment,
        frames: command.write.frames, &tables, &leAudio, &accessory)
    }
  }

  /// Accessories may answer a write with a notification before they confirm it. The notification shows that they
  /// accepted the write, so the write is reported first.
  mutating func settleBefore(
    _ handle: UInt16, _ key: Session.DatabaseKey, _ link: LinkID, _ side: Int,
    _ moment: PacketContext, _ tables: inout Tables, _ leAudio: inout LEAudioFollower,
    _ accessory: inout AccessoryFollower
  ) {
    guard let uuid = tables.databases[key].type(of: handle),
      AttributeType(uuid)?.answersWrites == true
        || tables.framings.using(characteristic: uuid) != nil
    else { return }
    endRead(link, side, &tables, &leAudio, &accessory)
    guard let request = tables.links.request(on: link, side), request.opcode == .writeRequest,
      isAnswered(request.handle, by: handle, uuid, key, tables),
      tables.links[link].att.earlier[side].isEmpty
    else { return }
    settle(link, side, moment, &tables, &leAudio, &accessory)
  }

  /// Whether a notification of the attribute `notified` can be the answer to a write of `written`.
  private func isAnswered(
    _ written: UInt16, by notified: UInt16, _ uuid: BluetoothUUID, _ key: Session.DatabaseKey,
    _ tables: borrowing Tables
  ) -> Bool {
    guard let slot = tables.databases.find(key),
      let type = tables.databases.values[slot].type(of: written)
    else { return false }
    // A server does not notify without a subscription. Part G, 3.3.3.3
    if type.is(.clientCharacteristicConfiguration) {
      return tables.databases.values[slot].characteristic(owning: written)?.handle == notified
    }
    if AttributeType(uuid)?.answersWrites == true {
      return AttributeType(type)?.answersWrites == true
    }
    return tables.framings.using(characteristic: type) != nil
  }

  // MARK: Long writes. Vol 3, Part F, 3.4.6

  /// Takes the queue of a client: its values are written if the client requested that and the server answered.
  /// - Parameter asked: When it was requested.
  mutating func execute(
    _ write: ATTState.Write, _ link: LinkID, _ asked: PacketContext, isAnswered: Bool,
    _ moment: PacketContext, _ tables: inout Tables, _ leAudio: inout LEAudioFollower,
    _ accessory: inout AccessoryFollower
  ) {
    let side = asked.side
    let queue = tables.links[link].att.queues[side]
    tables.links[link].att.queues[side] = ATTState.WriteQueue()
    for value in queue.values {
      let frames = value.frames + write.frames
      var asked = asked
      asked.cut = 0
      let key = tables.database(link, clientDirection: asked.direction)
      let parts = value.isBroken ? [] : value.parts
      // Nil if its beginning or a part in its middle stays as it was.
      let whole = parts.count == 1 && parts[0].offset == 0 ? parts[0].bytes : nil
      if value.isBroken {
        tables.incomplete(
          IncompletePDU(
            place: .attribute(value.handle), have: value.bytes.count,
            missing: max(0, value.missing - value.cut), cut: value.cut),
          frames.map(\.number), asked)
      } else if isAnswered, !value.isUnanswered {
        guard let whole else {
          partsWritten(parts, value.handle, frames, link, key, asked, &tables)
          continue
        }
        completeWrite(value.handle, whole.raw, frames, key, &tables)
        valueDelivered(
          .executeWriteRequest, value.handle, whole.raw, link, asked, frames: frames, &tables,
          &leAudio, &accessory)
      } else if let whole {
        writeUnanswered(
          .executeWriteRequest, value.handle, whole, frames, link, asked, moment, &tables,
          &accessory)
      } else {
        tables.databases[key].writeUnanswered(value.handle)
        unanswered(
          .executeWriteRequest, value.handle, value: nil, Event.Frames(frames, or: asked.packet),
          link, asked, moment, &tables)
      }
    }
  }

  /// The rest of the value stays as it was.
  private func partsWritten(
    _ parts: [(offset: Int, bytes: [UInt8])], _ handle: UInt16, _ frames: [PacketID],
    _ link: LinkID, _ key: Session.DatabaseKey, _ asked: PacketContext, _ tables: inout Tables
  ) {
    let frames = Event.Frames(frames, or: asked.packet)
    let uuid = tables.databases[key].type(of: handle)
    for part in parts {
      tables.emit(
        .attribute(
          .partWritten(
            .init(
              handle: handle, uuid: uuid, offset: part.offset, size: part.bytes.count,
              isLocal: asked.direction == .controllerToHost))), asked, frames: frames)
    }
  }

  /// A server returns what it queues, so that the client can compare it. 3.4.6.2; Part G, 4.9.5
  func compare(
    _ response: ATTPDU, _ bytes: RawSpan, to request: ATTState.Request, _ key: Session.DatabaseKey,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let sent = request.write, !request.moment.isTruncated, !moment.isTruncated,
      response.handle != request.handle || response.offset != sent.offset
        || bytes.array(response.value) != sent.bytes
    else { return }
    tables.emit(
      .attribute(
        .preparedDiffers(
          .init(
            handle: request.handle, uuid: tables.databases[key].type(of: request.handle),
            offset: sent.offset, size: sent.bytes.count,
            isLocal: moment.direction == .hostToController))), moment,
      frames: Event.Frames(PacketID(request.packet), moment.packet, count: 2), severity: .warning)
  }

  func cancelled(
    _ request: ATTState.Request, _ key: Session.DatabaseKey, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    for value in request.cancelled {
      let frames = value.frames.count + 2
      tables.emit(
        .attribute(
          .writeCancelled(
            .init(
              handle: value.handle, uuid: tables.databases[key].type(of: value.handle),
              size: value.bytes.count, isLocal: moment.direction == .hostToController))), moment,
        frames: Event.Frames(
          value.frames.first ?? PacketID(request.packet), moment.packet, count: frames))
    }
  }
}
