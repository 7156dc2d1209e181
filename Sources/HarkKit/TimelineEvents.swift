import HarkCore
import HarkFilter
import HarkFindings
import HarkPresentation
import HarkSelection
import HarkSession

/// A line of the timeline.
public struct TimelineEvent: Sendable {
  /// The severity of an event or a finding.
  public enum Severity: String, Sendable, CaseIterable {
    case info, warning, error
  }

  /// Nanoseconds since 1970 by the capture's clock, which usually shows UTC; nil if the clock was not set.
  public let time: Int64?
  /// Nanoseconds since the first packet.
  public let timeSinceStart: Int64
  /// The lane: `link`, `pairing`, `keys`, `notification` … (docs/timeline-json.md).
  public let lane: String
  /// The kind of event: `link-opened`, `message` … (docs/timeline-json.md).
  public let kind: String
  public let severity: Severity
  /// What happened, in one sentence.
  public let text: String
  /// The name, otherwise the address, of the device concerned; nil if there is none.
  public let device: String?
  /// The numbers of the first and last packet that show it; nil if no packet does.
  public let packets: ClosedRange<Int>?
  /// The event as a JSON object, defined in docs/timeline-json.md.
  public let json: String
}

/// The events of a capture. Each call of `next` reads as far as the next event that matches.
public final class TimelineEvents: Sequence, IteratorProtocol {
  private let pass: CapturePass
  private var filter: EventFilter?
  private let wanted: [Bool]?
  private var reading = PacketReading()
  private var waiting: [TimelineEvent] = []
  private var given = 0

  init(_ pass: CapturePass, _ filter: Filter?) {
    self.pass = pass
    pass.session.keepsMessages = filter.map { !$0.paths.isEmpty } ?? false
    wanted = filter.flatMap { $0.asksPackets ? $0.kindsWithFields : nil }
    self.filter = filter.map { EventFilter($0) }
    pass.session.keepsValues = true
  }

  /// How the capture is truncated or damaged; nil until `next` has returned nil, and if the capture is complete.
  public var problem: String? { pass.problem }

  /// The next matching event, or nil at the end of the capture.
  public func next() -> TimelineEvent? {
    while given == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      given = 0
      if wanted != nil { pass.session.keepsFields = true }
      let isRead = pass.step { session, record, bytes in
        filter?.take(record, bytes, &reading, &session)
        take(session)
      }
      if !isRead {
        pass.finish { session in take(session) }
        if waiting.isEmpty { return nil }
      }
    }
    defer { given += 1 }
    return waiting[given]
  }

  private func take(_ session: borrowing Session) {
    for event in session.events where filter?.matches(event, session) != false {
      var out = TextBuffer()
      TimelineJSON().write(event, session, to: &out)
      let frames = event.frames
      let device = Timeline.device(of: event, session)
      waiting.append(
        TimelineEvent(
          time: event.time.isDated ? event.time.nanoseconds : nil,
          timeSinceStart: session.firstTime.map { event.time.since($0) } ?? 0,
          lane: event.lane.name, kind: event.content.described.kind.name.description,
          severity: TimelineEvent.Severity(rawValue: event.severity.name.description) ?? .info,
          text: EventText.sentence(event, session), device: device.isEmpty ? nil : device,
          packets: frames.count == 0
            ? nil : Int(frames.first.number)...Int(Swift.max(frames.first, frames.last).number),
          json: String(out.string.dropLast())))
    }
  }
}
