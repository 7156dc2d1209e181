import HarkCapture
import HarkFilter
import HarkFindings
import HarkSelection
import HarkSession

/// Finds the events that match a filter, in a separate session that receives the same input as the capture's.
final class EventSearch: FilterSearch {
  private var replay: Replay
  /// A match is also an event of the page.
  private var findings = Findings()
  private var hasFinished = false
  private var filter: EventFilter
  private var packet = PacketReading()
  private let wanted: [Bool]?

  init(_ filter: Filter, _ log: SessionLog, _ knowledge: Knowledge) {
    replay = Replay(log, knowledge)
    wanted = filter.asksPackets ? filter.kindsWithFields : nil
    self.filter = EventFilter(filter)
    replay.session.keepsMessages = !filter.paths.isEmpty
  }

  func step(_ hits: inout FilterHits) -> Bool {
    let goesOn = replay.step { record, session in
      if let wanted { session.keepsFields = wanted[Int(record.kind.rawValue)] }
    } after: { record, bytes, session in
      if let record { filter.take(record, bytes, &packet, &session) }
      for event in session.events {
        look(at: event, session, &hits)
        for finding in findings.events(after: event, session) { look(at: finding, session, &hits) }
      }
    }
    if replay.hasEnded, !hasFinished {
      hasFinished = true
      for finding in findings.lastEvents(replay.session) {
        look(at: finding, replay.session, &hits)
      }
      hits.isOver = true
    }
    return goesOn
  }

  private func look(
    at event: Event, _ session: borrowing Session, _ hits: inout FilterHits
  ) {
    if filter.matches(event, session) { hits.matches.append(UInt32(hits.looked)) }
    hits.looked += 1
  }
}
