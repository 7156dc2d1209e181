import HarkCore
import HarkDissection

/// iAP2 and iAP1 streams: their frames, however they are divided into packets.
struct IAP2Follower {
  /// The index of a stream's state in the list.
  var stateAt: [StreamID: Int] = [:]
  var states: [IAP2State] = []
  let entries = IAP2Entries()

  /// The streams that it follows, in the order in which they were opened.
  var streams: [StreamID] { stateAt.keys.sorted { $0.index < $1.index } }

  /// Bytes of an iAP stream, in the direction of the packet that is being read, from the packets `parts`; from the
  /// record alone if that is empty.
  mutating func take(
    _ bytes: RawSpan, on stream: StreamID, packets parts: [UInt32], _ moment: PacketContext,
    _ tables: inout Tables, _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    let index = iap2State(of: stream, &tables)
    let side = moment.side
    // It may be the rest of a key.
    if states[index].sides[side].buffer.isSkipping,
      states[index].sides[side].mayGoOnWithKey
    {
      tables.record.row.flags.insert(.secret)
    }
    if moment.isTruncated { concealCut(bytes, index, moment, &tables) }
    if states[index].sides[side].lost != tables.counts.lost {
      states[index].sides[side].lost = tables.counts.lost
      // Without a gap, the bytes may be the rest of a frame, whatever they look like.
      if IAP2Buffer.resembles(bytes) { states[index].sides[side].buffer.abandonRest() }
    }
    if !parts.isEmpty {
      states[index].sides[side].buffer.append(bytes, parts)
    } else if tables.record.row.flags.contains(.completes) {
      states[index].sides[side].buffer.append(bytes, tables.packetsOfPDU(moment))
    } else {
      // Steady data: no list is made.
      states[index].sides[side].buffer.append(bytes, moment.packet.number)
    }
    while let found = states[index].sides[side].buffer.next(
      isIAP1: !states[index].isIAP2)
    {
      if found.skipped > 0 {
        // It may be the rest of the missing data.
        if states[index].isIAP2 { tables.record.row.flags.insert(.secret) }
        if !states[index].sides[side].isCut {
          tables.emit(
            .iap2(
              .garbage(
                .init(
                  count: found.skipped, isBlank: !found.skipsData,
                  hasWrongHeader: found.skipsHeader))), moment,
            severity: found.skipsData ? .warning : .info)
        }
      }
      if !found.incomplete.isEmpty {
        // It may be a part of a key.
        if states[index].isIAP2 { tables.record.row.flags.insert(.secret) }
        reportIncomplete(found.incomplete, areFollowed: true, moment, &tables)
      }
      let buffer = states[index].sides[side].buffer
      let frame = buffer.bytes.raw.extracting(found.range)
      switch found.frame {
      case .detection: detection(frame, buffer.packets(of: found.range), index, moment, &tables)
      case .iap1: iap1(frame, buffer.packets(of: found.range), index, moment, &tables)
      // Steady data does not need a list of packets.
      case .link:
        linkPacket(frame, found.range, index, stream, moment, &tables, &accessory, &messages)
      }
    }
    if moment.isTruncated { return cutOff(index, stream, moment, &tables, &accessory, &messages) }
    states[index].sides[side].buffer.compact()
    concealRest(index, moment, &tables)
  }

  /// The recorder cut the data after what the buffer contains: the header of the unfinished link packet may be
  /// complete, and the rest of the same data is unknown.
  private mutating func cutOff(
    _ index: Int, _ stream: StreamID, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    let side = moment.side
    let buffer = states[index].sides[side].buffer
    guard let length = buffer.begunLength, length > buffer.rest.count else {
      states[index].sides[side].buffer.skip(0)
      states[index].sides[side].isCut = true
      return tables.emit(
        .iap2(.cut(.init(sequence: nil, count: moment.cut))), moment, severity: .warning)
    }
    let behind = length - buffer.rest.count
    let bytes = buffer.bytes.raw.extracting(buffer.rest)
    let packet = IAP2LinkPacket(bytes, isCut: true)
    cutPacket(
      packet, bytes, min(behind, moment.cut), buffer.packets(of: buffer.rest), index, stream,
      moment, &tables, &accessory, &messages)
    states[index].sides[side].buffer.skip(behind - moment.cut)
    // Other packets may have begun in the missing part.
    states[index].sides[side].isCut = behind < moment.cut
    let type = states[index].sessions[Int(packet.session)] ?? .control
    states[index].sides[side].mayGoOnWithKey = behind > moment.cut && type == .control
  }

  private mutating func iap2State(of stream: StreamID, _ tables: inout Tables) -> Int {
    if let index = stateAt[stream] { return index }
    states.append(IAP2State(link: tables.streams[Int(stream.index)].link))
    stateAt[stream] = states.count - 1
    return states.count - 1
  }

  // MARK: Detection

  private mutating func detection(
    _ frame: RawSpan, _ packets: [UInt32], _ index: Int, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    tables.complete("iAP2 detection", frame, entries.link, packets: packets)
    let side = moment.side
    // It is repeated until the other side sends it, too.
    guard !states[index].sides[side].hasAskedForIAP2 else { return }
    states[index].sides[side].hasAskedForIAP2 = true
    let isAnswer = states[index].sides[1 - side].hasAskedForIAP2
    if isAnswer {
      states[index].questions.remove(.detection)
    } else {
      states[index].questions.insert(.detection)
    }
    tables.emit(
      .iap2(.detection(.init(isAnswer: isAnswer))), moment, frames: Event.Frames(packets, moment))
  }

  private mutating func iap1(
    _ frame: RawSpan, _ packets: [UInt32], _ index: Int, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    tables.complete("iAP1 frame", frame, entries.iap1, packets: packets)
    guard !states[index].isIAP1 else { return }
    states[index].isIAP1 = true
    let read = IAP1Frame(frame)
    tables.emit(
      .iap2(.iap1(.init(lingo: read.lingo, command: read.command))), moment,
      frames: Event.Frames(packets, moment))
  }

  // MARK: The end

  /// The stream or the capture ended: reports what is still open.
  mutating func end(_ stream: StreamID, _ moment: PacketContext, _ tables: inout Tables) {
    guard let index = stateAt.removeValue(forKey: stream) else { return }
    var moment = moment
    moment.link = states[index].link
    let state = states[index]
    // Nothing of it is needed any more except its index in the list.
    states[index] = IAP2State(link: state.link)
    for side in state.sides {
      if !side.isCut {
        reportIncomplete(side.buffer.incompleteAtEnd(), areFollowed: false, moment, &tables)
      }
      reportIncomplete(side.message, moment, &tables)
    }
    reportUnanswered(state.questions, moment, &tables)
    for id in state.externalAccessories.keys.sorted() {
      guard let session = state.externalAccessories[id] else { continue }
      reportEnd(of: session, .lost, state.accessorySide, moment, &tables)
    }
    let unacknowledged = state.sides.compactMap(\.outstanding).reduce(0, +)
    if unacknowledged > 0 {
      tables.emit(.iap2(.unacknowledged(.init(count: unacknowledged))), moment)
    }
  }

  private func reportUnanswered(
    _ questions: Set<IAP2Event.Unanswered.Question>, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    for question in [
      IAP2Event.Unanswered.Question.detection, .synchronization, .authentication, .identification,
    ] where questions.contains(question) {
      tables.emit(.iap2(.unanswered(.init(question: question))), moment, severity: .warning)
    }
  }

  /// The link is reset: its sessions end, and what was asked on them stays unanswered.
  mutating func endSessions(
    _ index: Int, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    reportUnanswered(
      states[index].questions.intersection([.authentication, .identification]), moment, &tables)
    for id in states[index].externalAccessories.keys.sorted() {
      guard let session = states[index].externalAccessories[id] else { continue }
      close(session, moment, &tables, &accessory, &messages)
      reportEnd(of: session, .lost, states[index].accessorySide, moment, &tables)
    }
    states[index].questions = []
    states[index].externalAccessories = [:]
    states[index].strays = []
    states[index].closed = []
    states[index].fileTransfers = [:]
    states[index].sessions = IAP2State.noSessions
    states[index].undeclared = []
    states[index].isReset = true
  }

  /// - Parameter areFollowed: Whether other frames begin where the missing rests should be.
  private func reportIncomplete(
    _ frames: [IAP2Buffer.Incomplete], areFollowed: Bool, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    for frame in frames {
      tables.emit(
        .iap2(
          .frameIncomplete(
            .init(present: frame.present, missing: frame.missing, isFollowed: areFollowed))),
        moment, frames: Event.Frames(frame.packets, moment), severity: .warning)
    }
  }

  /// A message whose end will not arrive.
  mutating func reportIncomplete(
    _ message: IAP2State.Message, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard !message.bytes.isEmpty else { return }
    let hasStart = IAP2ControlMessage.isStart(message.bytes.raw)
    tables.emit(
      .iap2(
        .incompleteMessage(
          .init(
            identifier: hasStart ? message.identifier : nil, present: message.bytes.count,
            hasStart: hasStart))),
      moment,
      frames: Event.Frames(message.packets, moment), severity: .warning)
  }

}

extension IAP2State.Side {
  /// How many packets of this side are unacknowledged; nil if that is unknown.
  var outstanding: Int? {
    guard let sequence, let acknowledged else { return nil }
    let ahead = sequence &- acknowledged
    return ahead < 128 ? Int(ahead) : 0
  }
}

extension Event.Frames {
  init(_ packets: [UInt32], _ moment: PacketContext) {
    self.init(packets.map { PacketID($0) }, or: moment.packet)
  }
}
