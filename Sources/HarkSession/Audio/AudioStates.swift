import HarkCore

/// The AVDTP state of each link. A media packet changes its link's state in place: a dictionary would allocate for
/// each.
struct AudioStates: Sendable {
  private var states: [AVDTPState] = []
  private var at = FoundRecently<LinkID, Int>()

  subscript(link: LinkID) -> AVDTPState? {
    get { at[link].map { states[$0] } }
    set {
      if let index = at[link] {
        states[index] = newValue ?? AVDTPState()
        if newValue == nil { at[link] = nil }
      } else if let newValue {
        at[link] = states.count
        states.append(newValue)
      }
    }
  }

  subscript(link: LinkID, default state: @autoclosure () -> AVDTPState) -> AVDTPState {
    get { self[link] ?? state() }
    set { self[link] = newValue }
  }

  /// A media packet of the stream `number`; nil for an unknown stream.
  mutating func received(
    _ packet: RawSpan, _ number: Int, on link: LinkID, _ moment: PacketContext,
    _ counts: borrowing Session.Counts, isSource: Bool?
  ) -> ReceivedMedia? {
    guard let index = at.find(link) else { return nil }
    return states[index].received(packet, number, moment, counts, isSource: isSource)
  }
}
