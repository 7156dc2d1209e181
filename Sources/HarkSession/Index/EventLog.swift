import HarkCore

/// Events that have not been taken yet, and events that are only counted so far.
struct EventLog {
  var events: [Event] = []
  /// Events that wait, in order, until it is known how a link began: see `AwaitedLinks`.
  var held: [Event] = []
  var awaited = AwaitedLinks()
  var isHolding = false
  /// The latest packet that an event was about, and its time.
  var lastReported = (packet: PacketID(0), time: Timestamp(nanoseconds: 0))
  /// The latest time of an event on the app's side.
  var appTime: Timestamp?
  var activity = Activity()
  /// Unreadable packets that have no event yet.
  var unreadable = UnreadablePackets()

  /// Events are ordered by time as long as the capture's clock goes forward. An event that becomes known only through
  /// a later one has the time of the later one.
  mutating func append(_ event: consuming Event, as packet: PacketID) {
    if packet < lastReported.packet {
      event.lag = max(0, lastReported.time.since(event.time))
      event.time = lastReported.time
    } else if let appTime, event.time < appTime, packet <= lastReported.packet {
      event.lag = max(0, appTime.since(event.time))
      event.time = appTime
    } else {
      lastReported = (packet, event.time)
    }
    if isHolding { held.append(event) } else { events.append(event) }
  }
}
