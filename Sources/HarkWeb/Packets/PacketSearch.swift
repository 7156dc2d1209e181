import HarkCapture
import HarkFilter
import HarkFindings
import HarkSelection
import HarkSession

/// Finds the packets that match a filter, as `hark packets -Y` does.
final class PacketSearch: FilterSearch {
  /// What later packets reveal about earlier ones: the events and the messages that they belong to.
  private final class Revelations {
    let marks: EventMarks?
    let messages: MessageMarks?
    private var replay: Replay
    private var findings: Findings?
    private var hasFinished = false
    private(set) var steps = 0

    /// Nil if the filter does not depend on it.
    init?(_ filter: Filter, _ log: SessionLog, _ knowledge: Knowledge) {
      let paths = filter.paths.intersection(knowledge.messagePaths)
      marks = filter.asksEvents ? EventMarks(filter) : nil
      messages = paths.isEmpty ? nil : MessageMarks(of: paths)
      guard marks != nil || messages != nil else { return nil }
      replay = Replay(log, knowledge)
      replay.session.keepsMessages = messages != nil
      if filter.asksFindings { findings = Findings() }
    }

    var hasEnded: Bool { replay.hasEnded }

    /// The number of packets that were filtered too early.
    var late: Int { (marks?.late.count ?? 0) + (messages?.late.count ?? 0) }

    func begin(packet number: UInt32) {
      marks?.lastTaken = number
      messages?.lastTaken = number
    }

    /// Processes the next step of the input; false if there is none yet.
    func step() -> Bool {
      let goesOn = replay.step { _, _ in
      } after: { _, _, session in
        messages?.take(session)
        guard marks != nil else { return }
        for event in session.events {
          marks?.take(event, session)
          for finding in findings?.events(after: event, session) ?? [] {
            marks?.take(finding, session)
          }
        }
      }
      if replay.hasEnded, !hasFinished {
        hasFinished = true
        finish()
      }
      if goesOn { steps += 1 }
      return goesOn
    }

    /// Takes what is known only at the end: of a finding that counts already, its last packets.
    private func finish() {
      let known = findings?.all.count ?? 0
      for finding in findings?.lastEvents(replay.session) ?? [] {
        marks?.take(finding, replay.session)
      }
      for finding in (findings?.all ?? []).prefix(known) {
        let packets = finding.packets.dropFirst(finding.place.frames.count)
        let event = finding.event(at: finding.place.time)
        marks?.take(event, replay.session, on: Array(packets))
      }
    }
  }

  private let filter: Filter
  private let log: SessionLog
  private let knowledge: Knowledge
  private var revelations: Revelations?
  private var replay: Replay
  private var run: PacketFilter
  private var packet = PacketReading()
  private var steps = 0

  init(_ filter: Filter, _ log: SessionLog, _ knowledge: Knowledge) {
    (self.filter, self.log, self.knowledge) = (filter, log, knowledge)
    let revelations = Revelations(filter, log, knowledge)
    self.revelations = revelations
    replay = Replay(log, knowledge)
    run = PacketFilter(filter, revelations?.marks)
    packet.messages = revelations?.messages
  }

  func step(_ hits: inout FilterHits) -> Bool {
    if let revelations {
      if revelations.step() { return true }
      // A live capture goes on: what was revealed too late counts once it has ended.
      if revelations.hasEnded, revelations.late > 0 {
        // The capture was live: now hark knows everything.
        startAnew(&hits)
        return true
      }
      guard steps < revelations.steps else { return false }
    }
    let goesOn = replay.step { record, session in
      session.keepsFields = filter.kindsToRead[Int(record.kind.rawValue)]
    } after: { record, bytes, session in
      guard let record else { return }
      let number = UInt32(truncatingIfNeeded: session.packetCount)
      revelations?.begin(packet: number)
      if run.matches(record, bytes, &packet, &session) {
        hits.matches.append(UInt32(hits.looked))
      }
      hits.looked += 1
    }
    if goesOn { steps += 1 }
    hits.isOver = replay.hasEnded
    return goesOn
  }

  private func startAnew(_ hits: inout FilterHits) {
    hits = FilterHits(isAnew: true)
    let revelations = Revelations(filter, log, knowledge)
    self.revelations = revelations
    replay = Replay(log, knowledge)
    run = PacketFilter(filter, revelations?.marks)
    packet.messages = revelations?.messages
    steps = 0
  }
}
