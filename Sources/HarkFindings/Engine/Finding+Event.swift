import HarkCore
import HarkSession

extension Finding {
  /// The finding as a row of a timeline, reported at `time`: a missing event is known only later.
  public func event(at time: Timestamp) -> Event {
    let severities: [Event.Severity] = [.info, .warning, .error]
    let first = place.frames.first ?? lastFrame
    return Event(
      time: time,
      frames: Event.Frames(first, max(first, place.lastFrame), count: place.frames.count),
      controller: place.controller, link: place.link, device: place.device,
      severity: severities[Int(severity.rawValue)],
      content: .finding(
        Event.Remark(
          rule: rule.id, title: rule.title,
          observed: observed + (place.log.map { " (\($0.text))" } ?? ""), expected: expected,
          confidence: confidence.rawValue, packets: packets)))
  }
}

extension Finding {
  /// The packets that are evidence of it: those of the first time, and the last of the last time.
  public var packets: [PacketID] {
    // Of what only a log shows, no packet is.
    guard !place.frames.isEmpty else { return [] }
    return place.frames + (place.frames.contains(lastFrame) ? [] : [lastFrame])
  }
}

extension Findings {
  /// Takes an event, and gives what is found with it: rows of the timeline after it.
  public mutating func events(after event: Event, _ session: borrowing Session) -> [Event] {
    take(event, session)
    return takeNew().map { $0.event(at: event.time) }
  }

  /// Gives what is found when the capture has ended: the last rows of the timeline. Call it once.
  public mutating func lastEvents(_ session: borrowing Session) -> [Event] {
    finish(session)
    guard let last = session.counts.lastTime else { return [] }
    return takeNew().map { $0.event(at: last) }
  }
}
