import HarkCore
import HarkDissection

/// Follows the control messages of BNEP channels. BNEP 1.0, 2.6.
struct BNEPFollower {
  private struct Request {
    var event: BNEPEvent
    let frames: Event.Frames
    /// How many packets the capture was known to lack at that time.
    let lost: Int
  }

  private struct Key: Hashable {
    let channel: ChannelID
    let control: BNEPMessage.Control
    let byPeer: Bool
  }

  /// The unanswered requests: at most one of each kind in each direction.
  private var requests: [Key: Request] = [:]

  mutating func take(
    _ bytes: RawSpan, on id: ChannelID, packets parts: [UInt32], _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard BNEPMessage.hasControl(bytes), moment.isSenderKnown else { return }
    let message = BNEPMessage(bytes, isCut: moment.isTruncated)
    guard let control = message.control else { return }
    let frames = Event.Frames(parts, moment)
    switch control {
    case .setupRequest, .typeFilterSet, .addressFilterSet:
      let key = Key(channel: id, control: control, byPeer: moment.isFromPeer)
      // A side that has no answer sends its request again. 2.6.3
      if let earlier = requests[key], isAwaited(earlier, tables) { return }
      requests[key] = Request(
        event: BNEPEvent(
          request: control.rawValue, byPeer: moment.isFromPeer, source: message.source,
          destination: message.destination), frames: frames, lost: tables.counts.lost)
    case .setupResponse, .typeFilterResponse, .addressFilterResponse:
      guard let asked = control.request, let response = message.response else { return }
      answered(asked, response, on: id, frames, moment, &tables)
    case .notUnderstood:
      guard let unknown = message.unknown else { return }
      let asked = BNEPMessage.Control(rawValue: unknown)
      let key = asked.map { Key(channel: id, control: $0, byPeer: !moment.isFromPeer) }
      let request = key.flatMap { requests.removeValue(forKey: $0) }
      var event =
        request?.event
        ?? BNEPEvent(
          request: unknown, byPeer: !moment.isFromPeer, source: nil, destination: nil)
      event.outcome = .notUnderstood
      emit(event, request, frames, moment, &tables)
    }
  }

  private mutating func answered(
    _ asked: BNEPMessage.Control, _ response: UInt16, on id: ChannelID, _ frames: Event.Frames,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    let byPeer = !moment.isFromPeer
    let request = requests.removeValue(forKey: Key(channel: id, control: asked, byPeer: byPeer))
    var event =
      request?.event
      ?? BNEPEvent(request: asked.rawValue, byPeer: byPeer, source: nil, destination: nil)
    event.outcome = .response(response)
    emit(event, request, frames, moment, &tables)
  }

  private func emit(
    _ event: BNEPEvent, _ request: Request?, _ frames: Event.Frames, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    var frames = frames
    if let own = request?.frames {
      frames = Event.Frames(own.first, frames.last, count: own.count + frames.count)
    }
    tables.emit(
      .bnep(event), moment, frames: frames, severity: event.isFulfilled ? .info : .warning)
  }

  /// Whether the capture would have the answer.
  private func isAwaited(_ request: Request, _ tables: borrowing Tables) -> Bool {
    tables.counts.wouldShowAnswer(to: request.frames.last, lost: request.lost)
  }

  /// The channel ends: its requests will not be answered.
  mutating func end(of id: ChannelID, _ moment: PacketContext, _ tables: inout Tables) {
    guard !requests.isEmpty else { return }
    let open = requests.keys.filter { $0.channel == id }
      .sorted {
        ($0.control.rawValue, $0.byPeer ? 1 : 0) < ($1.control.rawValue, $1.byPeer ? 1 : 0)
      }
    for key in open {
      guard let request = requests.removeValue(forKey: key), isAwaited(request, tables)
      else { continue }
      tables.emit(.bnep(request.event), moment, frames: request.frames, severity: .warning)
    }
  }
}
