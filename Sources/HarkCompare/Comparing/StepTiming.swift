import HarkCore
import HarkSession

extension Step {
  /// Packets of a step that are looked at for requests and responses; of more, only the last one.
  private static let mostPackets: UInt32 = 1_000

  /// Finds out how long its requests waited, and who sent it. Requests may be answered after the event: call it when all
  /// packets are read.
  /// - Parameter steps: The last packets of all steps: a request is measured by the step of its response, if there is one.
  mutating func measure(_ session: borrowing Session, _ steps: Set<UInt32>) {
    let (first, last) = (frames.first.number, frames.last.number)
    clockStep = session.clockStep(until: frames.last)
    guard frames.count > 0, let end = session.packets[last] else { return }
    note(session.packets[first]?.time, end.time, session)
    if end.kind.isData, !end.flags.contains(.directionUnknown) {
      let isReceived = end.direction == .controllerToHost
      let role = end.link.flatMap { session.links[Int($0.index)].role }
      sender = Sender(
        isReceived: isReceived, isPeripheral: role == (isReceived ? .central : .peripheral))
    }
    guard latency == nil else { return }
    let start = first <= last && last - first < Self.mostPackets ? first : last
    var waited: Int64?
    for number in start...last {
      guard let row = session.packets[number], row.related != 0, row.link == end.link,
        row.channel == end.channel, let other = session.packets[row.related]
      else { continue }
      // A pair within the step counts once, at its request.
      if row.related < number, row.related >= start { continue }
      if row.related > last, steps.contains(row.related) { continue }
      let (asked, answer) = row.related > number ? (row, other) : (other, row)
      let time = session.elapsed(
        from: asked.time, in: PacketID(min(number, row.related)), to: answer.time,
        in: PacketID(max(number, row.related)))
      // If the clock was set meanwhile, how long it took is unknown.
      guard let time else { return }
      let (sum, overflows) = (waited ?? 0).addingReportingOverflow(time)
      // Packets of several sources may be out of order.
      if time >= 0, !overflows { waited = sum }
    }
    latency = waited
  }

  /// Notes how far its packets are from the beginning and from the end of the capture.
  private mutating func note(
    _ first: Timestamp?, _ last: Timestamp, _ session: borrowing Session
  ) {
    let counts = session.counts
    guard let first, let start = counts.firstTime, let end = counts.lastTime else { return }
    // A first packet with a wrong time does not count.
    let begin = PacketID(counts.oddTimes?.packet == PacketID(1) ? 2 : 1)
    sinceStart = counts.elapsed(from: start, in: begin, to: first, in: frames.first)
    untilEnd = counts.elapsed(
      from: last, in: frames.last, to: end, in: PacketID(UInt32(clamping: session.packetCount)))
  }

  /// The time since another step of the same capture, in nanoseconds; nil if the clock was set between them.
  func elapsed(since other: Step) -> Int64? {
    clockStep == other.clockStep ? time.since(other.time) : nil
  }

  /// Whether the time since `last`, the step before it, says something of the devices, and not of what their users did.
  /// What has a request is measured from that; what a client starts may wait for its user.
  func isReaction(to last: Step) -> Bool {
    guard latency == nil, let sender, let other = last.sender,
      sender.isReceived != other.isReceived
    else { return false }
    return switch lane {
    case .pairing, .l2cap, .sdp, .rfcomm, .iap2, .keys, .session:
      lane == last.lane || sender.isPeripheral
    case .gatt: sender.isPeripheral
    default: false
    }
  }
}
