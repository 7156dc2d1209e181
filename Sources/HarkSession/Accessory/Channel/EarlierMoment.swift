import HarkCore

/// Where and when a message ended, so that a later one can be reported as its answer.
struct EarlierMoment: Hashable, Sendable {
  var packet: PacketID
  var time: Timestamp

  init(_ origin: MessageOrigin) {
    packet = origin.frames.last ?? PacketID(0)
    time = origin.ended
  }

  func answered(by origin: MessageOrigin) -> EarlierMessage {
    EarlierMessage(packet: packet, latency: origin.elapsed(since: time, in: packet))
  }
}
