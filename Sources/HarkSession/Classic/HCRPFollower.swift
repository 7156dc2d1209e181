import HarkCore
import HarkDissection

/// Follows the control channels of the Hardcopy Cable Replacement Profile.
struct HCRPFollower {
  private struct Request {
    let code: UInt16
    let transaction: UInt16?
    let direction: Direction
    let frames: Event.Frames
    /// How many packets the capture was known to lack at that time.
    let lost: Int
  }

  /// The unanswered request of each stream: a client waits for the reply before it sends the next one.
  private var requests: [StreamID: Request] = [:]

  /// The service classes of printers and scanners share one reader.
  static let entry = Catalog.shared.entries.first { $0.path.description == "hcrp" }

  /// The streams with an unanswered request, in the order in which they were opened.
  var streams: [StreamID] { requests.keys.sorted { $0.index < $1.index } }

  /// A complete PDU, from the packets `parts`.
  mutating func take(
    _ bytes: RawSpan, on stream: StreamID, packets parts: [UInt32], _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard let isReply = tables.isFromAcceptor(moment) else { return }
    let message = HCRPMessage(bytes, isFromAcceptor: isReply, isCut: moment.isTruncated)
    guard let code = message.code else { return }
    let frames = Event.Frames(parts, moment)
    guard isReply else {
      report(requests.removeValue(forKey: stream), moment, &tables)
      requests[stream] = Request(
        code: code, transaction: message.transaction, direction: moment.direction, frames: frames,
        lost: tables.counts.lost)
      return
    }
    var both = frames
    if let request = requests[stream], request.code == code,
      request.transaction == message.transaction
    {
      requests[stream] = nil
      both = Event.Frames(
        request.frames.first, frames.last, count: request.frames.count + frames.count)
    }
    guard let status = message.status, !HCRPMessage.isSuccess(status) else { return }
    tables.emit(
      .hcrp(HCRPEvent(request: code, status: status, byPeer: !moment.isFromPeer)), moment,
      frames: both, severity: .warning)
  }

  private func report(_ request: Request?, _ moment: PacketContext, _ tables: inout Tables) {
    guard let request,
      tables.counts.wouldShowAnswer(to: request.frames.last, lost: request.lost)
    else { return }
    tables.emit(
      .hcrp(HCRPEvent(request: request.code, status: nil, byPeer: request.direction.isFromPeer)),
      moment, frames: request.frames, severity: .warning)
  }

  mutating func forgetRequest(of stream: StreamID) { requests[stream] = nil }

  /// The stream ends: its request will not be answered.
  mutating func end(of stream: StreamID, _ moment: PacketContext, _ tables: inout Tables) {
    report(requests.removeValue(forKey: stream), moment, &tables)
  }
}
