import HarkCore
import HarkDissection

/// Follows the SIM Access Profile.
struct SIMAccessFollower {
  /// An unanswered request.
  private struct Request {
    let kind: SIMAccessMessage.Kind
    let direction: Direction
    let maximum: UInt16?
    let frames: Event.Frames
    /// How many packets the capture was known to lack at that time.
    let lost: Int
  }

  /// By stream, in the order sent. Only one is pending at a time, except for requests that switch the card off or
  /// reset it.
  private var requests: [StreamID: [Request]] = [:]

  private static let mostRequests = 8

  static let entry = Catalog.shared.entry(at: .service(SIMAccessMessage.service))

  /// The streams with unanswered requests, in the order in which they were opened.
  var streams: [StreamID] { requests.keys.sorted { $0.index < $1.index } }

  /// A complete message, from the packets `parts`.
  mutating func take(
    _ bytes: RawSpan, on stream: StreamID, packets parts: [UInt32], _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let message = SIMAccessMessage(bytes, isCut: moment.isTruncated)
    guard let kind = message.kind else { return }
    let frames = Event.Frames(parts, moment)
    switch kind {
    case .connectRequest, .disconnectRequest, .transferAPDURequest, .transferATRRequest,
      .powerSIMOffRequest, .powerSIMOnRequest, .resetSIMRequest, .transferCardReaderStatusRequest,
      .setTransportProtocolRequest:
      let request = Request(
        kind: kind, direction: moment.direction, maximum: message.maximum, frames: frames,
        lost: tables.counts.lost)
      ask(request, on: stream, moment, &tables)
    case .connectResponse, .disconnectResponse, .transferAPDUResponse, .transferATRResponse,
      .powerSIMOffResponse, .powerSIMOnResponse, .resetSIMResponse,
      .transferCardReaderStatusResponse, .setTransportProtocolResponse, .errorResponse:
      answer(kind, message, on: stream, frames, moment, &tables)
    case .disconnectIndication:
      emit(
        .disconnected(.init(type: message.disconnection, byPeer: moment.isFromPeer)), frames,
        moment, &tables)
    case .statusIndication:
      guard let change = message.change else { return }
      emit(
        .card(.init(change: change)), frames, moment, &tables,
        isFault: SIMAccessMessage.isFault(change))
    }
  }

  private mutating func ask(
    _ request: Request, on stream: StreamID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    // A pending request is not repeated.
    if let last = remove(from: stream, where: { $0.kind == request.kind }) {
      report(last, moment, &tables)
    }
    requests[stream, default: []].append(request)
    if let all = requests[stream], all.count > Self.mostRequests {
      requests[stream]?.removeFirst()
    }
  }

  private mutating func answer(
    _ kind: SIMAccessMessage.Kind, _ message: SIMAccessMessage, on stream: StreamID,
    _ frames: Event.Frames, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let answered = kind.answered
    let request = remove(from: stream) {
      $0.direction != moment.direction && (answered == nil || $0.kind == answered)
    }
    let both =
      request.map {
        Event.Frames($0.frames.first, frames.last, count: $0.frames.count + frames.count)
      } ?? frames
    let byPeer = moment.isFromPeer
    switch kind {
    case .connectResponse:
      let connected = SIMAccessEvent.Connected(
        status: message.status, clientMaximum: request?.maximum, serverMaximum: message.maximum,
        byPeer: byPeer)
      emit(.connected(connected), both, moment, &tables, isFault: !connected.isConnected)
    case .disconnectResponse:
      emit(.disconnected(.init(type: nil, byPeer: !byPeer)), both, moment, &tables)
    case .errorResponse:
      emit(
        .refused(.init(request: request?.kind.rawValue, result: nil, byPeer: byPeer)), both, moment,
        &tables, isFault: true)
    default:
      guard let result = message.result, !SIMAccessMessage.isSuccess(result) else { return }
      emit(
        .refused(.init(request: answered?.rawValue, result: result, byPeer: byPeer)), both, moment,
        &tables, isFault: true)
    }
  }

  /// The newest request for which `condition` holds.
  private mutating func remove(
    from stream: StreamID, where condition: (Request) -> Bool
  ) -> Request? {
    guard let index = requests[stream]?.lastIndex(where: condition) else { return nil }
    let request = requests[stream]?.remove(at: index)
    if requests[stream]?.isEmpty == true { requests[stream] = nil }
    return request
  }

  private func emit(
    _ event: SIMAccessEvent, _ frames: Event.Frames, _ moment: PacketContext,
    _ tables: inout Tables, isFault: Bool = false
  ) {
    tables.emit(
      .simAccess(event), moment, frames: frames, severity: isFault ? .warning : .info)
  }

  private func report(_ request: Request, _ moment: PacketContext, _ tables: inout Tables) {
    guard tables.counts.wouldShowAnswer(to: request.frames.last, lost: request.lost)
    else { return }
    emit(
      .unanswered(.init(request: request.kind.rawValue, byPeer: request.direction.isFromPeer)),
      request.frames, moment, &tables, isFault: true)
  }

  mutating func forgetRequests(of stream: StreamID) { requests[stream] = nil }

  /// The stream ends: its requests will not be answered.
  mutating func end(of stream: StreamID, _ moment: PacketContext, _ tables: inout Tables) {
    for request in requests.removeValue(forKey: stream) ?? [] { report(request, moment, &tables) }
  }
}
