import HarkCore

/// The events that were not taken yet, and those that are only counted so far.
struct EventLog {
  var events: [Event] = []
  /// The latest packet that an event was about, and its time.
  var lastTold = (packet: PacketID(0), time: Timestamp(nanoseconds: 0))
  /// The latest time of an event on the app's side.
  var appTime: Timestamp?
  var activity = Activity()
  /// Packets that could not be read and have no event yet.
  var unreadable = UnreadablePackets()

  /// Events are in the order of their times, as far as the capture's clock goes forward: one that is
  /// only known when something later has its event has the time of that.
  mutating func append(_ event: consuming Event, as packet: PacketID) {
    if packet < lastTold.packet {
      event.lag = max(0, lastTold.time.since(event.time))
      event.time = lastTold.time
    } else if let appTime, event.time < appTime, packet <= lastTold.packet {
      event.lag = max(0, appTime.since(event.time))
      event.time = appTime
    } else {
      lastTold = (packet, event.time)
    }
    events.append(event)
  }
}
