import HarkCore
import HarkDissection

// Writes of ATT: they count once the server agrees. Core Specification, Vol 3, Part F, 3.4.5, 3.4.6.
extension Session {
  /// The server agreed to what the request writes: it is told as of when it was sent.
  mutating func settle(_ link: LinkID, _ side: Int, _ moment: PacketContext) {
    guard let request = linkTable.request(on: link, side), let write = request.write else {
      return
    }
    linkTable[link].att.requests[side]?.write = nil
    var asked = request.moment
    asked.link = link
    switch request.opcode {
    case .prepareWriteRequest:
      linkTable[link].att.queues[side].add(write, request.handle, missing: asked.cut)
    case .executeWriteRequest: execute(write, link, asked, isAnswered: true, moment)
    default:
      valueDelivered(
        request.opcode, request.handle, write.bytes.raw, link, asked, frames: write.frames)
    }
    passCommands(link, side)
  }

  // MARK: Commands behind writes

  /// The server takes what one client sends in order: a command behind a write that is not answered
  /// yet counts after it. Vol 3, Part F, 3.3.2. False where none is waited for.
  mutating func waits(
    _ opcode: ATTPDU.Opcode, _ handle: UInt16, _ value: RawSpan, _ key: DatabaseKey, _ link: LinkID,
    _ moment: PacketContext
  ) -> Bool {
    guard let request = linkTable.request(on: link, moment.side), request.write != nil,
      request.opcode != .prepareWriteRequest, let uuid = databaseTable[key].type(of: handle),
      let framing = accessories.framing(of: uuid)
    else { return false }
    guard linkTable[link].att.commands[moment.side].count < ATTState.Command.most else {
      passCommands(link, moment.side)
      return false
    }
    // Now, not when it counts: the bytes are in the packet that is being read.
    if framing.carriesKeys(.characteristic(uuid)) { conceal(handle, key, moment) }
    let write = ATTState.Write(bytes: value.array, frames: framesOfPDU(moment))
    linkTable[link].att.commands[moment.side].append(
      ATTState.Command(opcode: opcode, handle: handle, write: write, moment: moment))
    return true
  }

  mutating func passCommands(_ link: LinkID, _ side: Int) {
    guard !linkTable[link].att.commands[side].isEmpty else { return }
    let commands = linkTable[link].att.commands[side]
    linkTable[link].att.commands[side] = []
    for command in commands {
      valueDelivered(
        command.opcode, command.handle, command.write.bytes.raw, link, command.moment,
        frames: command.write.frames)
    }
  }

  /// Accessories answer a write by a notification, also before they confirm it: that shows that they
  /// took it, and what they answer comes first.
  mutating func settleBefore(
    _ handle: UInt16, _ key: DatabaseKey, _ link: LinkID, _ side: Int, _ moment: PacketContext
  ) {
    guard let uuid = databaseTable[key].type(of: handle),
      accessories.framing(of: uuid) != nil || Self.answersLEAudio(uuid)
    else { return }
    endRead(link, side)
    guard let request = linkTable.request(on: link, side), request.opcode == .writeRequest,
      isAnswered(request.handle, by: handle, uuid, key)
    else { return }
    settle(link, side, moment)
  }

  /// Whether a notification of the attribute `notified` can be the answer to a write of `written`.
  private func isAnswered(
    _ written: UInt16, by notified: UInt16, _ uuid: BluetoothUUID, _ key: DatabaseKey
  ) -> Bool {
    guard let slot = databaseTable.find(key),
      let type = databaseTable.values[slot].type(of: written)
    else { return false }
    // Who was not subscribed to does not notify. Part G, 3.3.3.3
    if type.short == 0x2902 {
      return databaseTable.values[slot].characteristic(owning: written)?.handle == notified
    }
    if Self.answersLEAudio(uuid) { return Self.answersLEAudio(type) }
    return accessories.framing(of: type) != nil
  }

  // MARK: Long writes. Vol 3, Part F, 3.4.6

  /// Takes what the queue of a client holds: it is written where that was asked for and answered.
  /// - Parameter asked: When it was asked for.
  mutating func execute(
    _ write: ATTState.Write, _ link: LinkID, _ asked: PacketContext, isAnswered: Bool,
    _ moment: PacketContext
  ) {
    let side = asked.side
    let queue = linkTable[link].att.queues[side]
    linkTable[link].att.queues[side] = ATTState.WriteQueue()
    for value in queue.values {
      let frames = value.frames + write.frames
      var asked = asked
      asked.cut = 0
      if value.isBroken {
        incomplete(
          IncompletePDU(
            place: .attribute(value.handle), have: value.bytes.count,
            missing: max(0, value.missing - value.cut), cut: value.cut),
          frames.map(\.number), asked)
      } else if isAnswered, !value.isUnanswered {
        let key = database(link, clientDirection: asked.direction)
        completeWrite(value.handle, value.bytes.raw, frames, key)
        valueDelivered(
          .executeWriteRequest, value.handle, value.bytes.raw, link, asked, frames: frames)
      } else {
        writeUnanswered(
          .executeWriteRequest, value.handle, value.bytes, frames, link, asked, moment)
      }
    }
  }
}
