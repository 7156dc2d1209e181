import HarkSession

/// Which events a timeline has shown, so that those are not shown twice that happen again when a capture is read again.
struct ShownEvents {
  /// The last packet, and the kind: little else is the same when more is known.
  private struct Key: Hashable {
    let packet: UInt32
    let kind: Int

    init(_ event: Event) {
      packet = event.frames.last.number
      var hasher = Hasher()
      hasher.combine(event.content.described.kind.name.description)
      if case .finding(let remark) = event.content { hasher.combine(remark.rule) }
      kind = hasher.finalize()
    }
  }

  private var counts: [Key: UInt32] = [:]
  /// Whether there were more than are kept: the rest are unknown.
  private(set) var isFull = false
  private static let most = 1 << 20

  mutating func note(_ event: Event) {
    guard counts.count < Self.most else {
      isFull = true
      return
    }
    counts[Key(event), default: 0] &+= 1
  }

  /// Takes an event that was shown; false if it is new.
  mutating func takes(_ event: Event) -> Bool {
    let key = Key(event)
    guard let count = counts[key], count > 0 else { return false }
    counts[key] = count - 1
    return true
  }
}
