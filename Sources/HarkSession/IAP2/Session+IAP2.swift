import HarkCore
import HarkDissection

// Streams of iAP2 and iAP1: their frames, whatever packets they come in.
extension Session {
  /// Bytes of a stream that carries iAP, in the direction of the packet that is being read; they came
  /// in `parts`, or in the record alone where that is empty.
  mutating func iap2(
    _ bytes: RawSpan, on stream: StreamID, packets parts: [UInt32], _ moment: PacketContext
  ) {
    let index = iap2State(of: stream)
    let side = moment.side
    // It may be the rest of a key.
    if iap2States[index].sides[side].buffer.isSkipping,
      iap2States[index].sides[side].mayGoOnWithKey
    {
      row.flags.insert(.secret)
    }
    if moment.isTruncated { concealCut(bytes, index, moment) }
    if !parts.isEmpty {
      iap2States[index].sides[side].buffer.append(bytes, parts)
    } else if row.flags.contains(.completes) {
      iap2States[index].sides[side].buffer.append(bytes, packetsOfPDU(moment))
    } else {
      // Steady data: no list is made.
      iap2States[index].sides[side].buffer.append(bytes, moment.packet.number)
    }
    while let found = iap2States[index].sides[side].buffer.next(
      isIAP1: !iap2States[index].isIAP2)
    {
      if found.skipped > 0 {
        // It may be the rest of what is missing.
        if iap2States[index].isIAP2 { row.flags.insert(.secret) }
        if !iap2States[index].sides[side].isCut {
          emit(.iap2(.garbage(.init(count: found.skipped))), moment, severity: .warning)
        }
      }
      let buffer = iap2States[index].sides[side].buffer
      let frame = buffer.bytes.raw.extracting(found.range)
      switch found.frame {
      case .detection: detection(frame, buffer.packets(of: found.range), index, moment)
      case .iap1: iap1(frame, buffer.packets(of: found.range), index, moment)
      // Steady data asks for no list of packets.
      case .link: linkPacket(frame, found.range, index, stream, moment)
      }
    }
    if moment.isTruncated { return cutOff(index, stream, moment) }
    iap2States[index].sides[side].buffer.compact()
    concealRest(index, moment)
  }

  /// The recorder cut the data behind what the buffer holds: of the link packet that was begun, the
  /// header may be there, and what follows in the same data is not known.
  private mutating func cutOff(_ index: Int, _ stream: StreamID, _ moment: PacketContext) {
    let side = moment.side
    let buffer = iap2States[index].sides[side].buffer
    guard let length = buffer.begunLength, length > buffer.rest.count else {
      iap2States[index].sides[side].buffer.skip(0)
      iap2States[index].sides[side].isCut = true
      return emit(
        .iap2(.cut(.init(sequence: nil, count: moment.cut))), moment, severity: .warning)
    }
    let behind = length - buffer.rest.count
    let bytes = buffer.bytes.raw.extracting(buffer.rest)
    let packet = IAP2LinkPacket(bytes, isCut: true)
    cutPacket(
      packet, bytes, min(behind, moment.cut), buffer.packets(of: buffer.rest), index, stream,
      moment)
    iap2States[index].sides[side].buffer.skip(behind - moment.cut)
    // Others may have begun in what is missing.
    iap2States[index].sides[side].isCut = behind < moment.cut
    let type = iap2States[index].sessions[Int(packet.session)] ?? .control
    iap2States[index].sides[side].mayGoOnWithKey = behind > moment.cut && type == .control
  }

  private mutating func iap2State(of stream: StreamID) -> Int {
    if let index = iap2StateAt[stream] { return index }
    iap2States.append(IAP2State(link: streams[Int(stream.index)].link))
    iap2StateAt[stream] = iap2States.count - 1
    return iap2States.count - 1
  }

  // MARK: Detection

  private mutating func detection(
    _ frame: RawSpan, _ packets: [UInt32], _ index: Int, _ moment: PacketContext
  ) {
    complete("iAP2 detection", frame, iap2Entries.link, packets: packets)
    let side = moment.side
    // It is repeated until the other side sends it too.
    guard !iap2States[index].sides[side].hasAskedForIAP2 else { return }
    iap2States[index].sides[side].hasAskedForIAP2 = true
    let isAnswer = iap2States[index].sides[1 - side].hasAskedForIAP2
    if isAnswer {
      iap2States[index].questions.remove(.detection)
    } else {
      iap2States[index].questions.insert(.detection)
    }
    emit(
      .iap2(.detection(.init(isAnswer: isAnswer))), moment, frames: Event.Frames(packets, moment))
  }

  private mutating func iap1(
    _ frame: RawSpan, _ packets: [UInt32], _ index: Int, _ moment: PacketContext
  ) {
    complete("iAP1 frame", frame, iap2Entries.iap1, packets: packets)
    guard !iap2States[index].isIAP1 else { return }
    iap2States[index].isIAP1 = true
    let read = IAP1Frame(frame)
    emit(
      .iap2(.iap1(.init(lingo: read.lingo, command: read.command))), moment,
      frames: Event.Frames(packets, moment))
  }

  // MARK: The end

  /// The stream ended, or the capture: what is still open is told.
  mutating func endIAP2(_ stream: StreamID, _ moment: PacketContext) {
    guard let index = iap2StateAt.removeValue(forKey: stream) else { return }
    var moment = moment
    moment.link = iap2States[index].link
    let state = iap2States[index]
    // Nothing of it is needed any more but its place in the list.
    iap2States[index] = IAP2State(link: state.link)
    for side in state.sides {
      let rest = side.buffer.rest
      if !rest.isEmpty, !side.isCut {
        emit(
          .iap2(.garbage(.init(count: rest.count))), moment,
          frames: Event.Frames(side.buffer.packets(of: rest), moment), severity: .warning)
      }
      tellIncomplete(side.message, moment)
    }
    for question in [
      IAP2Event.Unanswered.Question.detection, .synchronization, .authentication, .identification,
    ] where state.questions.contains(question) {
      emit(.iap2(.unanswered(.init(question: question))), moment, severity: .warning)
    }
    for id in state.externalAccessories.keys.sorted() {
      guard let session = state.externalAccessories[id] else { continue }
      tellEnd(of: session, .lost, state.accessorySide, moment)
    }
    let unacknowledged = state.sides.compactMap(\.outstanding).reduce(0, +)
    if unacknowledged > 0 { emit(.iap2(.unacknowledged(.init(count: unacknowledged))), moment) }
  }

  /// A message whose end will not come.
  mutating func tellIncomplete(_ message: IAP2State.Message, _ moment: PacketContext) {
    guard !message.bytes.isEmpty else { return }
    emit(
      .iap2(
        .incompleteMessage(.init(identifier: message.identifier, present: message.bytes.count))),
      moment,
      frames: Event.Frames(message.packets, moment), severity: .warning)
  }

}

extension IAP2State.Side {
  /// How many packets of this side are not acknowledged; nil where that is not known.
  var outstanding: Int? {
    guard let sequence, let acknowledged else { return nil }
    let ahead = sequence &- acknowledged
    return ahead < 128 ? Int(ahead) : 0
  }
}

extension Event.Frames {
  init(_ packets: [UInt32], _ moment: Session.PacketContext) {
    self.init(packets.map { PacketID($0) }, or: moment.packet)
  }
}
