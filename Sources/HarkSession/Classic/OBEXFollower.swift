import HarkCore
import HarkDissection

/// Follows OBEX.
struct OBEXFollower {
  private var states: [StreamID: OBEXState] = [:]

  /// The streams that it follows, in the order in which they were opened.
  var streams: [StreamID] { states.keys.sorted { $0.index < $1.index } }

  /// OBEX itself, and the profiles over it.
  static let entries = Catalog.shared.entries.filter { $0.path.description == "obex" }

  /// The reader of a channel that begins with `bytes`: a Connect that names its service identifies it.
  static func entry(recognizedBy bytes: RawSpan, _ moment: PacketContext, _ catalog: Catalog)
    -> Entry?
  {
    OBEXMessage.service(ofConnect: bytes, cut: moment.cut).flatMap {
      catalog.entry(at: .service($0))
    }
  }

  /// A complete OBEX packet, from the packets `parts`.
  mutating func take(
    _ bytes: RawSpan, on stream: StreamID, packets parts: [UInt32], _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let message = OBEXMessage(bytes, isCut: moment.isTruncated)
    guard let code = message.code else { return }
    var state = states.removeValue(forKey: stream) ?? OBEXState()
    let frames = parts.isEmpty ? tables.packetsOfPDU(moment) : parts
    if OBEXMessage.isRequest(code) {
      request(code, message, bytes, on: stream, &state, frames, moment, &tables)
    } else {
      response(code, message, bytes, &state, frames, moment, &tables)
    }
    states[stream] = state
  }

  private mutating func request(
    _ code: UInt8, _ message: OBEXMessage, _ bytes: RawSpan, on stream: StreamID,
    _ state: inout OBEXState, _ frames: [UInt32], _ moment: PacketContext, _ tables: inout Tables
  ) {
    let isPeer = moment.isFromPeer
    if message.operation == .abort {
      state.operation?.isAborted = true
    } else if state.operation?.operation != code || state.operation?.byPeer != isPeer
      || begins(message, state)
    {
      // The operation in progress remained unanswered.
      report(&state, moment, &tables)
      state.operation = OBEXEvent(
        operation: code, byPeer: isPeer,
        isOverL2CAP: !tables.streams[Int(stream.index)].kind.isDataLink)
      state.first = PacketID(frames.min() ?? moment.packet.number)
    }
    guard state.operation != nil else { return }
    state.isAsked = message.isFinal
    count(frames, &state, moment)
    Self.note(message, bytes, &state)
    if message.isUp == false, message.name == nil, !moment.isTruncated {
      state.operation?.isToRoot = true
    }
    if message.operation == .connect {
      state.operation?.maximums[0] = message.maximum
      (state.target, state.targetText) = (state.operation?.target, state.operation?.targetText)
    }
  }

  /// Whether a request with the code of the operation in progress begins another one: requests that continue an operation do
  /// not say again what it is for. 3.4.3, 3.4.4
  private func begins(_ message: OBEXMessage, _ state: OBEXState) -> Bool {
    guard state.isAsked else { return false }
    switch message.operation {
    case .put, .get: return message.name != nil || message.type != nil
    default: return true
    }
  }

  private mutating func response(
    _ code: UInt8, _ message: OBEXMessage, _ bytes: RawSpan, _ state: inout OBEXState,
    _ frames: [UInt32], _ moment: PacketContext, _ tables: inout Tables
  ) {
    let isPeer = moment.isFromPeer
    guard let operation = state.operation, operation.byPeer != isPeer else { return }
    state.isAsked = false
    count(frames, &state, moment)
    Self.note(message, bytes, &state)
    if operation.isConnect { state.operation?.maximums[1] = message.maximum }
    guard !OBEXMessage.isContinue(code) else { return }
    state.operation?.response = code
    report(&state, moment, &tables)
  }

  private func count(_ frames: [UInt32], _ state: inout OBEXState, _ moment: PacketContext) {
    state.last = max(state.last, PacketID(frames.max() ?? moment.packet.number))
    state.packets += max(1, frames.count)
  }

  /// The headers of a packet.
  private static func note(_ message: OBEXMessage, _ bytes: RawSpan, _ state: inout OBEXState) {
    if let target = message.target { state.operation?.target = target }
    if let text = message.targetText { state.operation?.targetText = short(bytes.utf8(text)) }
    if let name = message.name { state.operation?.name = short(bytes.utf16(name)) }
    if let type = message.type { state.operation?.type = short(bytes.utf8(type)) }
    if let length = message.length { state.operation?.length = length }
    state.operation?.count += message.bodyCount
    if let action = message.action { state.operation?.action = action }
    if let isUp = message.isUp { state.operation?.isUp = isUp }
  }

  private static func short(_ text: String) -> String {
    String(text.prefix(OBEXEvent.longest))
  }

  /// Ends the operation in progress.
  private mutating func report(
    _ state: inout OBEXState, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard var operation = state.operation else { return }
    if !operation.isConnect {
      (operation.target, operation.targetText) = (state.target, state.targetText)
    }
    state.operation = nil
    let frames = Event.Frames(state.first, state.last, count: state.packets)
    state.packets = 0
    let isRefused = !(operation.response.map(OBEXMessage.isSuccess) ?? false)
    tables.emit(
      .obex(operation), moment, frames: frames,
      severity: isRefused && !operation.isAborted ? .warning : .info)
  }

  /// The stream ends: its operation in progress never ended.
  mutating func end(of stream: StreamID, _ moment: PacketContext, _ tables: inout Tables) {
    guard var state = states.removeValue(forKey: stream) else { return }
    report(&state, moment, &tables)
  }
}
