import HarkCore
import HarkSession

/// Wrapped values that are confirmed one by one: the sender waits for each receipt before it sends
/// the next.
struct Receipts: Sendable {
  /// Values waiting for a receipt; a sender that follows the rules has one.
  private static let most = 64

  private struct Pending: Sendable {
    var id: [UInt8]
    var origin: MessageOrigin
    var stream: StreamID?
    var endsMessage: Bool
    var isGivenUp = false
  }

  private var pending: [Pending] = []
  private var confirmed = 0
  /// In nanoseconds.
  private var slowest: Int64 = 0

  /// Takes a wrapped value. Those before it must have been confirmed.
  mutating func sent(
    _ id: [UInt8], _ origin: MessageOrigin, on stream: StreamID?, endsMessage: Bool
  ) -> [Framed] {
    let framed = giveUp(.startedAgain, at: origin)
    if pending.count >= Self.most { pending.removeFirst() }
    pending.append(Pending(id: id, origin: origin, stream: stream, endsMessage: endsMessage))
    return framed
  }

  /// Takes a receipt.
  mutating func received(_ id: [UInt8], _ origin: MessageOrigin) -> [Framed] {
    guard let index = pending.firstIndex(where: { $0.id == id }) else {
      return [Framed(origin, .flowControl(.unknownReceipt(slice: id)))]
    }
    let value = pending.remove(at: index)
    let latency = origin.waited(since: value.origin)
    if value.isGivenUp {
      return [Framed(origin, .flowControl(.lateReceipt(slice: id, latency: latency)))]
    }
    confirmed += 1
    slowest = max(slowest, latency)
    guard value.endsMessage else { return [] }
    defer { (confirmed, slowest) = (0, 0) }
    return [Framed(origin, .flowControl(.confirmed(slices: confirmed, slowest: slowest)))]
  }

  mutating func interrupt(_ reason: Interruption) -> [Framed] {
    // The link is gone, and with it the time of its end; what is known is when the value was sent.
    defer { (pending, confirmed, slowest) = ([], 0, 0) }
    return giveUp(reason, at: nil)
  }

  /// The same for the values of one stream.
  mutating func interrupt(_ reason: Interruption, on stream: StreamID) -> [Framed] {
    guard pending.contains(where: { $0.stream == stream }) else { return [] }
    defer {
      pending.removeAll { $0.stream == stream }
      (confirmed, slowest) = (0, 0)
    }
    return giveUp(reason, at: nil) { $0.stream == stream }
  }

  private mutating func giveUp(
    _ reason: Interruption, at end: MessageOrigin?, _ isMeant: (Pending) -> Bool = { _ in true }
  ) -> [Framed] {
    var framed: [Framed] = []
    for index in pending.indices where !pending[index].isGivenUp && isMeant(pending[index]) {
      pending[index].isGivenUp = true
      let value = pending[index]
      let waited = end?.waited(since: value.origin) ?? 0
      framed.append(
        Framed(
          value.origin, .flowControl(.unconfirmed(slice: value.id, waited: waited, reason))))
    }
    return framed
  }
}

extension MessageOrigin {
  /// The nanoseconds since an earlier message; 0 if the clock of the capture was set meanwhile.
  fileprivate func waited(since earlier: MessageOrigin) -> Int64 {
    elapsed(since: earlier.ended, in: earlier.frames.last ?? PacketID(0)) ?? 0
  }
}
