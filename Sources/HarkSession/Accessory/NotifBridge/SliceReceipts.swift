import HarkCore
import HarkCrypto

/// NotifBridge's wrapper of single values: `NBW1` and 16 random bytes before each slice, answered by
/// `NBA1` and the same 16 bytes once the relay has passed it on. The sender waits for each answer.
struct SliceReceipts: Sendable {
  static let header = 20
  private static let slice = Array("NBW1".utf8)
  private static let receipt = Array("NBA1".utf8)
  /// Slices waiting for a receipt; a sender that follows the rules has one.
  private static let limit = 64

  private struct Pending: Sendable {
    var id: [UInt8]
    var origin: MessageOrigin
    var endsMessage: Bool
    var isGivenUp = false
  }

  private var pending: [Pending] = []
  private var confirmed = 0
  private var slowest: Int64 = 0

  static func isSlice(_ bytes: [UInt8]) -> Bool { bytes.starts(with: slice) }
  static func isReceipt(_ bytes: [UInt8]) -> Bool {
    bytes.count == header && bytes.starts(with: receipt)
  }

  /// Takes a wrapped value of at least `header` bytes. Those before it must have been answered.
  mutating func sent(
    _ value: VendorValue, _ direction: MessageDirection, endsMessage: Bool
  ) -> [Framed] {
    let framed = giveUp(.startedAgain, at: value.time)
    let id = Array(value.bytes[4..<Self.header])
    if pending.count >= Self.limit { pending.removeFirst() }
    pending.append(
      Pending(id: id, origin: MessageOrigin(value, direction), endsMessage: endsMessage))
    return framed
  }

  /// Takes a receipt.
  mutating func received(_ value: VendorValue, _ direction: MessageDirection) -> [Framed] {
    let id = Array(value.bytes[4..<Self.header])
    let origin = MessageOrigin(value, direction)
    guard let index = pending.firstIndex(where: { $0.id == id }) else {
      return [Framed(origin, .flowControl(.unknownReceipt(slice: id)))]
    }
    let slice = pending.remove(at: index)
    let latency = value.time.since(slice.origin.ended)
    if slice.isGivenUp {
      return [Framed(origin, .flowControl(.lateReceipt(slice: id, latency: latency)))]
    }
    confirmed += 1
    slowest = max(slowest, latency)
    guard slice.endsMessage else { return [] }
    defer { startOver() }
    return [Framed(origin, .flowControl(.confirmed(slices: confirmed, slowest: slowest)))]
  }

  mutating func interrupt(_ reason: Interruption) -> [Framed] {
    // The link is gone, and with it the time of its end; what is known is when the slice was sent.
    let framed = giveUp(reason, at: nil)
    pending = []
    startOver()
    return framed
  }

  private mutating func startOver() {
    confirmed = 0
    slowest = 0
  }

  private mutating func giveUp(_ reason: Interruption, at time: Timestamp?) -> [Framed] {
    var framed: [Framed] = []
    for index in pending.indices where !pending[index].isGivenUp {
      pending[index].isGivenUp = true
      let slice = pending[index]
      let waited = time.map { $0.since(slice.origin.ended) } ?? 0
      framed.append(
        Framed(
          slice.origin,
          .flowControl(.unconfirmed(slice: slice.id, waited: waited, reason))))
    }
    return framed
  }
}
