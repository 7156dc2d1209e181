import HarkCore
import HarkDissection

/// One direction of a stream.
struct StreamSide: Hashable {
  let stream: StreamID
  let side: Int
}

/// Messages in a stream of bytes: a frame may contain several, and one may span several frames. Their protocol
/// determines how long each one is.
struct MessageFollower {
  /// The unfinished messages of streams whose protocols are cut into messages.
  private var buffers: [StreamSide: MessageBuffer] = [:]
  var obex = OBEXFollower()
  var fastPair = FastPairFollower()
  var simAccess = SIMAccessFollower()
  var hcrp = HCRPFollower()

  /// Cuts bytes of a stream into the messages of `entry`, and declares the completed ones. Without a cutter, these
  /// bytes are one message.
  /// - Parameters:
  ///   - parts: Their packets; if empty, the packets of the PDU that is being read.
  ///   - isInPlace: Whether a message that consists of exactly these bytes is decoded in place.
  ///   - isFramed: Whether a vendor's framing reads them, too, and reports its own events.
  /// - Returns: Whether that is the case.
  mutating func cut(
    _ piece: RawSpan, by entry: Entry, of stream: StreamID, packets parts: [UInt32],
    isInPlace: Bool, isFramed: Bool, _ moment: PacketContext, _ tables: inout Tables
  ) -> Bool {
    let layout = entry.isLayout && !isFramed ? entry : nil
    guard let cutter = entry.cutter else {
      if let layout { report(piece, by: layout, of: stream, parts, moment, &tables) }
      if !isInPlace, !moment.isTruncated {
        tables.complete("message", piece, entry, packets: parts)
      }
      return isInPlace
    }
    // Bytes outside of complete messages must not be shown either.
    if cutter.holdsSecrets {
      tables.concealPDU(moment)
      tables.conceal(parts)
    }
    let key = StreamSide(stream: stream, side: moment.side)
    // Taken out while it grows, so that the bytes are not copied.
    var buffer = buffers.removeValue(forKey: key) ?? MessageBuffer()
    defer { buffers[key] = buffer }
    buffer.append(piece, parts.isEmpty ? tables.packetsOfPDU(moment) : parts)
    let isAlone = isInPlace && buffer.have == piece.byteCount
    while true {
      switch buffer.next(cutter) {
      case .message(let range):
        let packets = buffer.packets
        take(
          buffer.bytes.raw.extracting(range), of: entry, on: stream, packets: packets, moment,
          &tables)
        if let layout {
          // Only the bytes after a whole message can be cut.
          var whole = moment
          whole.cut = 0
          report(
            buffer.bytes.raw.extracting(range), by: layout, of: stream, packets, whole, &tables)
        }
        if isAlone, range.count == piece.byteCount { return true }
        tables.complete(
          "message", buffer.bytes.raw.extracting(range), entry, packets: packets)
        buffer.moveOn()
      case .needsMore:
        if moment.isTruncated {
          tables.emit(
            .capture(
              .incompletePDU(
                .init(
                  place: .stream(tables.streams[Int(stream.index)]), have: buffer.have,
                  cut: moment.cut))),
            moment, frames: Event.Frames(buffer.packets, moment), severity: .warning)
          buffer.lose(moment.cut)
          forgetRequests(of: stream)
        }
        return false
      case .outOfStep:
        // Senders usually begin a message with a new frame: the next one is tried.
        if !buffer.isReportedOutOfStep {
          tables.emit(
            .capture(
              .outOfStep(.init(protocolName: entry.name.description, count: buffer.have))), moment,
            frames: Event.Frames(buffer.packets, moment), severity: .warning)
        }
        buffer.removeAll()
        buffer.isReportedOutOfStep = true
        forgetRequests(of: stream)
        return false
      }
    }
  }

  /// Reports a message that a layout reads.
  private func report(
    _ message: RawSpan, by layout: Entry, of stream: StreamID, _ packets: [UInt32],
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard message.byteCount > 0 else { return }
    let kind = tables.streams[Int(stream.index)].kind
    tables.data(message, at: .stream(stream, kind), by: layout, packets, moment)
  }

  /// Passes a complete message to the follower of its protocol.
  private mutating func take(
    _ message: RawSpan, of entry: Entry, on stream: StreamID, packets: [UInt32],
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    if entry === FastPairFollower.entry {
      fastPair.take(message, packets: packets, moment, &tables)
    }
    if entry === SIMAccessFollower.entry {
      simAccess.take(message, on: stream, packets: packets, moment, &tables)
    }
    if entry === HCRPFollower.entry {
      hcrp.take(message, on: stream, packets: packets, moment, &tables)
    }
    if OBEXFollower.entries.contains(where: { $0 === entry }) {
      obex.take(message, on: stream, packets: packets, moment, &tables)
    }
  }

  /// The reader of a channel with unknown content, if an SDU identifies it.
  static func entry(recognizedBy bytes: RawSpan, _ moment: PacketContext, _ catalog: Catalog)
    -> Entry?
  {
    OBEXFollower.entry(recognizedBy: bytes, moment, catalog)
  }

  /// Bytes of the stream are missing, so the unfinished message cannot continue.
  mutating func loseMessage(of stream: StreamID, _ moment: PacketContext) {
    buffers[StreamSide(stream: stream, side: moment.side)]?.removeAll()
    forgetRequests(of: stream)
  }

  /// A message could not be read: it may have answered a request.
  private mutating func forgetRequests(of stream: StreamID) {
    simAccess.forgetRequests(of: stream)
    hcrp.forgetRequest(of: stream)
  }

  /// Closes a stream that carries messages, if it is open.
  mutating func close(of stream: StreamID, _ moment: PacketContext, _ tables: inout Tables) {
    guard tables.streams[Int(stream.index)].closed == nil else { return }
    tables.streams[Int(stream.index)].closed = moment.packet
    endMessages(of: stream, moment, &tables)
    end(stream, moment, &tables)
  }

  /// A stream or the capture ends: a follower with state of streams has a line here.
  private mutating func end(
    _ stream: StreamID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    var moment = moment
    moment.link = tables.streams[Int(stream.index)].link
    obex.end(of: stream, moment, &tables)
    simAccess.end(of: stream, moment, &tables)
    hcrp.end(of: stream, moment, &tables)
  }

  /// The capture ends: reports unfinished messages of streams, in the order they were opened.
  mutating func finish(_ moment: PacketContext, _ tables: inout Tables) {
    for stream in Set(buffers.keys.map(\.stream)).sorted(by: { $0.index < $1.index }) {
      var moment = moment
      moment.link = tables.streams[Int(stream.index)].link
      endMessages(of: stream, moment, &tables)
    }
    for stream in obex.streams + simAccess.streams + hcrp.streams { end(stream, moment, &tables) }
  }

  /// Reports messages that began and did not end.
  private mutating func endMessages(
    of stream: StreamID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    for side in 0...1 {
      guard let buffer = buffers.removeValue(forKey: StreamSide(stream: stream, side: side)),
        !buffer.isEmpty
      else { continue }
      tables.emit(
        .capture(
          .incompletePDU(
            .init(
              place: .stream(tables.streams[Int(stream.index)]), have: buffer.have,
              missing: buffer.missing))),
        moment, frames: Event.Frames(buffer.packets, moment), severity: .warning)
    }
  }
}
