import HarkCore
import HarkSession

extension Finding {
  /// The finding as a row of a timeline, told at `time`: what never came is known only later.
  public func event(at time: Timestamp) -> Event {
    let severities: [Event.Severity] = [.normal, .warning, .failure]
    let first = place.frames.first ?? lastFrame
    return Event(
      time: time,
      frames: Event.Frames(first, max(first, place.lastFrame), count: place.frames.count),
      controller: place.controller, link: place.link, device: place.device,
      severity: severities[Int(severity.rawValue)],
      content: .finding(
        Event.Remark(
          rule: rule.id, title: rule.title, observed: observed, expected: expected,
          confidence: confidence.rawValue)))
  }
}
