import HarkCore
import HarkDissection

// Streams of iAP2 and iAP1: their frames, whatever packets they come in.
extension Session {
  /// Bytes of a stream that carries iAP, in the direction of the packet that is being read.
  mutating func iap2(_ bytes: RawSpan, on stream: StreamID, _ moment: Moment) {
    let index = iap2State(of: stream)
    let side = moment.side
    guard !moment.isSliced else { return iap2States[index].sides[side].buffer.removeAll() }
    if row.flags.contains(.completes) {
      iap2States[index].sides[side].buffer.append(bytes, packetsOfPDU(moment))
    } else {
      // Steady data: no list is made.
      iap2States[index].sides[side].buffer.append(bytes, moment.packet.number)
    }
    while let found = iap2States[index].sides[side].buffer.next(
      isIAP1: !iap2States[index].isIAP2)
    {
      if found.skipped > 0 {
        emit(.iap2(.garbage(count: found.skipped)), moment, severity: .warning)
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
    iap2States[index].sides[side].buffer.compact()
    concealRest(index, moment)
  }

  /// Whether bytes at the beginning of a stream are of iAP2: the detection, or a link packet.
  static func isIAP2(_ bytes: RawSpan) -> Bool {
    var buffer = IAP2Buffer()
    buffer.append(bytes, 0)
    guard let found = buffer.next(isIAP1: false) else {
      // The header of a longer packet.
      return bytes.byteCount >= 9 && buffer.rest.lowerBound == 0
    }
    return found.skipped == 0
  }

  private mutating func iap2State(of stream: StreamID) -> Int {
    if let index = iap2StateAt[stream] { return index }
    iap2States.append(IAP2State(link: streams[Int(stream.index)].link))
    iap2StateAt[stream] = iap2States.count - 1
    return iap2States.count - 1
  }

  // MARK: Detection

  private mutating func detection(
    _ frame: RawSpan, _ packets: [UInt32], _ index: Int, _ moment: Moment
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
    emit(.iap2(.detection(isAnswer: isAnswer)), moment, frames: Event.Frames(packets, moment))
  }

  private mutating func iap1(
    _ frame: RawSpan, _ packets: [UInt32], _ index: Int, _ moment: Moment
  ) {
    complete("iAP1 frame", frame, iap2Entries.iap1, packets: packets)
    guard !iap2States[index].isIAP1, let entry = iap2Entries.iap1 else { return }
    iap2States[index].isIAP1 = true
    let facts = catalog.summarize(frame, entry, Context())
    emit(
      .iap2(.iap1(lingo: facts.request, command: facts.code)), moment,
      frames: Event.Frames(packets, moment))
  }

  // MARK: The end

  /// The stream ended, or the capture: what is still open is told.
  mutating func endIAP2(_ stream: StreamID, _ moment: Moment) {
    guard let index = iap2StateAt.removeValue(forKey: stream) else { return }
    var moment = moment
    moment.link = iap2States[index].link
    let state = iap2States[index]
    // Nothing of it is needed any more but its place in the list.
    iap2States[index] = IAP2State(link: state.link)
    for side in state.sides {
      let rest = side.buffer.rest
      if !rest.isEmpty {
        emit(
          .iap2(.garbage(count: rest.count)), moment,
          frames: Event.Frames(side.buffer.packets(of: rest), moment), severity: .warning)
      }
      tellIncomplete(side.message, moment)
    }
    for question in [
      IAP2Event.Question.detection, .synchronization, .authentication, .identification,
    ] where state.questions.contains(question) {
      emit(.iap2(.unanswered(question)), moment, severity: .warning)
    }
    for id in state.externalAccessories.keys.sorted() {
      guard let session = state.externalAccessories[id] else { continue }
      tellEnd(of: session, .lost, state.accessorySide, moment)
    }
    let unacknowledged = state.sides.compactMap(\.outstanding).reduce(0, +)
    if unacknowledged > 0 { emit(.iap2(.unacknowledged(count: unacknowledged)), moment) }
  }

  /// A message whose end will not come.
  mutating func tellIncomplete(_ message: IAP2State.Message, _ moment: Moment) {
    guard !message.bytes.isEmpty else { return }
    emit(
      .iap2(.incompleteMessage(message.identifier, have: message.bytes.count)), moment,
      frames: Event.Frames(message.packets, moment), severity: .warning)
  }

  // MARK: Keys

  /// Marks the packet that is being read, and those before that hold a part of the same message.
  mutating func conceal(_ parts: [UInt32]) {
    row.flags.insert(.secret)
    for part in parts { packets.update(part) { $0.flags.insert(.secret) } }
  }

  /// Marks the packet where it begins a message that may hold a key and ends later: who shows
  /// packets while they are read cannot wait for it.
  private mutating func concealRest(_ index: Int, _ moment: Moment) {
    let side = iap2States[index].sides[moment.side]
    let rest = side.buffer.bytes[side.buffer.rest]
    let type = rest.count > 8 ? iap2States[index].sessions[Int(rest[rest.startIndex + 7])] : nil
    var identifier = side.message.identifier
    if identifier == nil, type == 0, rest.count > 14 {
      identifier =
        UInt16(rest[rest.startIndex + 13]) << 8 | UInt16(rest[rest.startIndex + 14])
    }
    if let identifier, Catalog.mayHoldKeys(iAP2: identifier) { row.flags.insert(.secret) }
  }

  /// Whether the beginning of an L2CAP PDU on a link with iAP2 holds that of a message which may
  /// hold a key.
  func beginsIAP2Key(_ bytes: RawSpan, _ link: LinkID) -> Bool {
    guard iap2States.contains(where: { $0.link == link }), bytes.byteCount >= 6 else {
      return false
    }
    return (0...(bytes.byteCount - 6)).contains { start in
      bytes.byte(at: start) == 0x40 && bytes.byte(at: start + 1) == 0x40
        && Catalog.mayHoldKeys(
          iAP2: UInt16(bytes.byte(at: start + 4)) << 8 | UInt16(bytes.byte(at: start + 5)))
    }
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
  init(_ packets: [UInt32], _ moment: Session.Moment) {
    self.init(packets.map { PacketID($0) }, or: moment.packet)
  }
}
