import HarkSession

/// Keeps a session small that goes on for days: lets go of packets that nothing can ask for any more.
struct PacketForgetting {
  /// Answers, fragments and rules look back further than this only at packets that an event names.
  private static let kept = 1 << 20
  private static let step = 1 << 16

  /// The packets that events since the last step have named.
  private var named: [UInt32] = []

  /// Call it after each packet, while its events are there.
  mutating func take(_ session: inout Session) {
    for event in session.events {
      named += [event.frames.first.number, event.frames.last.number]
    }
    guard session.packets.count % Self.step == 0 else { return }
    session.forgetPackets(allBut: Self.kept, named: named)
    named.removeAll(keepingCapacity: true)
  }
}
