import HarkCore
import HarkSession

/// Messages in the making whose parts say whether they are the first and whether more follow.
struct Fragments: Sendable {
  /// Messages of different keys are not mixed.
  struct Key: Hashable, Sendable {
    var rule: Int
    var key: ProfileValue
    var place: MessagePlace
  }

  /// The oldest is given up then.
  private static let most = 64

  private var partial: [(key: Key, message: WholeMessage)] = []
  /// The last parts that completed messages: they may come once more. The newest is the last.
  private var ended: [(key: Key, bytes: [UInt8], packet: PacketID)] = []

  /// Takes a part that came as `origin`. Gives what it ends without completing it, and the message
  /// it completes.
  /// - Parameter isFirst: Nil if the part does not say it: it is the first if no other one is waiting for more.
  mutating func receive(
    _ part: WholeMessage, of origin: MessageOrigin, _ key: Key, isFirst: Bool?, isMore: Bool
  ) -> (framed: [Framed], whole: WholeMessage?) {
    var framed: [Framed] = []
    var message = part
    // Taken out while it grows, so that the bytes are not copied.
    let left = partial.firstIndex { $0.key == key }.map { partial.remove(at: $0).message }
    if isFirst ?? (left == nil) {
      if let left { framed.append(gap(left, .moreWithoutLast(.startedAgain))) }
    } else if var growing = left {
      guard growing.append(part) else {
        return ([gap(growing, .tooLarge(limit: WholeMessage.byteLimit))], nil)
      }
      message = growing
    } else if !isMore, let last = ended.first(where: { $0.key == key && $0.bytes == part.bytes }) {
      return ([Framed(origin, .incomplete(.repeated(last.packet)))], nil)
    } else {
      return ([Framed(origin, .incomplete(.continuationWithoutFirst))], nil)
    }
    guard isMore else {
      note(part, origin, key)
      return (framed, message)
    }
    if partial.count >= Self.most {
      framed.append(gap(partial.removeFirst().message, .moreWithoutLast(.startedAgain)))
    }
    partial.append((key, message))
    return (framed, nil)
  }

  private mutating func note(_ last: WholeMessage, _ origin: MessageOrigin, _ key: Key) {
    ended.removeAll { $0.key == key }
    if ended.count >= Self.most { ended.removeFirst() }
    ended.append((key, last.bytes, origin.frames.last ?? PacketID(0)))
  }

  mutating func interrupt(
    _ reason: Interruption, _ isMeant: (MessagePlace) -> Bool
  ) -> [Framed] {
    defer {
      partial.removeAll { isMeant($0.key.place) }
      ended.removeAll { isMeant($0.key.place) }
    }
    return partial.filter { isMeant($0.key.place) }.sorted { $0.key.rule < $1.key.rule }.map {
      gap($0.message, .moreWithoutLast(reason))
    }
  }

  private func gap(_ message: WholeMessage, _ gap: Gap) -> Framed {
    Framed(message.origin, .incomplete(gap))
  }
}
