import HarkCore
import HarkDissection

// OBEX: operations, each from its first request to its last response. IrOBEX 1.5, 3.
extension Session {
  static let obexEntries = Catalog.shared.entries.filter { $0.path.description == "obex" }

  /// A whole packet of OBEX, which came in `parts`.
  mutating func obex(
    _ bytes: RawSpan, by entry: Entry, on stream: StreamID, packets parts: [UInt32],
    _ moment: Moment
  ) {
    isRecordInTree = false
    catalog.describe(bytes, entry, context(moment), into: &tree)
    guard let code = value(Paths.OBEX.all.code).map({ UInt8(truncatingIfNeeded: $0) }) else {
      return
    }
    var state = obexStates.removeValue(forKey: stream) ?? OBEXState()
    let frames = parts.isEmpty ? packetsOfPDU(moment) : parts
    // Requests and responses have codes of their own. 3.2, 3.4
    if code < 0x10 || code == 0x7F {
      request(code, bytes, on: stream, &state, frames, moment)
    } else {
      response(code, bytes, &state, frames, moment)
    }
    obexStates[stream] = state
  }

  private mutating func request(
    _ code: UInt8, _ bytes: RawSpan, on stream: StreamID, _ state: inout OBEXState,
    _ frames: [UInt32], _ moment: Moment
  ) {
    let isPeer = moment.direction == .controllerToHost
    if code == 0x7F {
      state.operation?.isAborted = true
    } else if state.operation?.operation != code || state.operation?.byPeer != isPeer {
      // What was under way got no answer.
      tell(&state, moment)
      state.operation = OBEXEvent(
        operation: code, byPeer: isPeer,
        isOverL2CAP: !streams[Int(stream.index)].kind.isDataLink)
      state.first = PacketID(frames.min() ?? moment.packet.number)
    }
    guard state.operation != nil else { return }
    count(frames, &state, moment)
    read(bytes, &state)
    if code == 0x00 {
      state.operation?.maximums[0] = maximum
      (state.target, state.targetText) = (state.operation?.target, state.operation?.targetText)
    }
  }

  private mutating func response(
    _ code: UInt8, _ bytes: RawSpan, _ state: inout OBEXState, _ frames: [UInt32],
    _ moment: Moment
  ) {
    let isPeer = moment.direction == .controllerToHost
    guard let operation = state.operation, operation.byPeer != isPeer else { return }
    count(frames, &state, moment)
    read(bytes, &state)
    if operation.operation == 0x00 { state.operation?.maximums[1] = maximum }
    // 0x10 is Continue.
    guard code != 0x10 else { return }
    state.operation?.response = code
    tell(&state, moment)
  }

  private var maximum: UInt16? {
    value(Paths.OBEX.all.maximum).map { UInt16(truncatingIfNeeded: $0) }
  }

  private func count(_ frames: [UInt32], _ state: inout OBEXState, _ moment: Moment) {
    state.last = max(state.last, PacketID(frames.max() ?? moment.packet.number))
    state.packets += max(1, frames.count)
  }

  /// The headers of the packet in `tree`.
  private func read(_ bytes: RawSpan, _ state: inout OBEXState) {
    let paths = Paths.OBEX.all
    for node in tree.nodes {
      switch node.field {
      case paths.target:
        state.operation?.target = BluetoothUUID(bigEndian: bytes.extracting(node.range))
      case _ where paths.targetTexts.contains(node.field):
        state.operation?.targetText = short(node, bytes)
      case paths.name: state.operation?.name = short(node, bytes)
      case paths.type: state.operation?.type = short(node, bytes)
      case paths.length: state.operation?.length = UInt32(truncatingIfNeeded: node.value)
      case paths.body: state.operation?.count += node.range.count
      case paths.action: state.operation?.action = UInt8(truncatingIfNeeded: node.value)
      case _ where paths.pathFlags.contains(node.field) && state.operation?.operation == 0x05:
        state.operation?.isUp = node.value & 1 == 1
      default: break
      }
    }
  }

  private func short(_ node: Tree.Node, _ bytes: RawSpan) -> String {
    String(catalog.string(node, of: bytes).filter { $0 != "\0" }.prefix(OBEXEvent.longest))
  }

  /// Ends the operation that is under way.
  private mutating func tell(_ state: inout OBEXState, _ moment: Moment) {
    guard var operation = state.operation else { return }
    if operation.operation != 0x00 {
      (operation.target, operation.targetText) = (state.target, state.targetText)
    }
    state.operation = nil
    let frames = Event.Frames(state.first, state.last, count: state.packets)
    state.packets = 0
    // Codes from 0x30 on are none of success. 3.2.1
    let isRefused = operation.response.map { $0 >= 0x30 } ?? true
    emit(
      .obex(operation), moment, frames: frames,
      severity: isRefused && !operation.isAborted ? .warning : .info)
  }

  /// The stream ends: what is under way on it never ended.
  mutating func endOBEX(of stream: StreamID, _ moment: Moment) {
    guard var state = obexStates.removeValue(forKey: stream) else { return }
    var moment = moment
    moment.link = streams[Int(stream.index)].link
    tell(&state, moment)
  }
}
