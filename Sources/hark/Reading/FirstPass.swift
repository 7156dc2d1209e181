import ArgumentParser
import HarkCapture
import HarkCrypto
import HarkFilter
import HarkFindings
import HarkPresentation
import HarkSelection
import HarkSession

/// What filters and columns ask of packets that is known only when packets after them were read: what events
/// say about them, and what a message says that was taken only later. A file is read once before, for that alone; what
/// can be read only once, some packets ahead.
final class FirstPass {
  let marks: EventMarks?
  let messages: MessageMarks?
  private var findings: Findings?
  /// Whether packets are looked at before all were read: a finding counts as soon as it is found then.
  var isAhead = false

  /// Nil if nothing is asked for that needs it.
  init?(_ filter: Filter?, columns: Set<String> = []) {
    let paths = columns.union(filter?.paths ?? []).intersection(Dissectors.messagePaths)
    messages = paths.isEmpty ? nil : MessageMarks(of: paths)
    marks = filter.flatMap { $0.asksEvents ? EventMarks($0) : nil }
    guard marks != nil || messages != nil else { return nil }
    if let filter, filter.asksFindings { findings = Findings() }
  }

  /// Sets what the session reports, also if the capture is read only once.
  func prepare(_ session: inout Session) {
    session.keepsMessages = messages != nil
    // Each value is an event, as in the timeline's JSON.
    session.keepsValues = marks != nil
  }

  /// Reads a file to its end.
  func read(_ options: CaptureOptions, _ keys: KeyRing) throws {
    let capture = try Reading.open(options)
    var reading = Reading(capture, keys: keys, isStreaming: false)
    prepare(&reading.session)
    _ = try reading.packets { session, record, _ in
      if record == nil { finish(session) } else { take(session) }
    }
  }

  /// The same of captures that are merged.
  func read(_ merge: CaptureMerge, _ keys: KeyRing) {
    var session = session(keys)
    var progress = Progress(isStreaming: false)
    _ = merge.forEachRecord { record, bytes in
      session.index(record, bytes)
      take(session)
      session.dropEvents()
      progress.report(merge, every: session.packets.count)
      return true
    }
    progress.finish()
    session.finish()
    finish(session)
  }

  /// A session that is to be read before another one.
  func session(_ keys: KeyRing) -> Session {
    var session = Session(
      keys: keys, framings: Dissectors.framings, library: GATTFiles.library)
    session.onKeySearch = Progress.keySearch
    prepare(&session)
    return session
  }

  /// Says that a packet is looked at now: what is found of it later comes too late.
  func begin(packet number: UInt32) {
    marks?.lastTaken = number
    messages?.lastTaken = number
  }

  /// Reports what was found about packets that were read before.
  var complaint: String? {
    let late = (marks?.late ?? []).union(messages?.late ?? []).count
    guard late > 0 else { return nil }
    return
      "\(late) \(late == 1 ? "packet was" : "packets were") shown or omitted before hark knew everything "
      + "that the filter needs; name a file to get every match"
  }

  /// Takes what the session has reported since its events were dropped.
  func take(_ session: borrowing Session) {
    messages?.take(session)
    guard marks != nil else { return }
    for event in session.events {
      marks?.take(event, session)
      findings?.take(event, session)
      guard isAhead else { continue }
      for finding in findings?.takeNew() ?? [] {
        marks?.take(finding.event(at: event.time), session)
      }
    }
  }

  /// Takes what is known only at the end: of a finding that counts already, the last packet.
  func finish(_ session: borrowing Session) {
    take(session)
    let known = isAhead ? findings?.all.count ?? 0 : 0
    for finding in findings?.lastEvents(session) ?? [] { marks?.take(finding, session) }
    for finding in (findings?.all ?? []).prefix(known) {
      let packets = finding.packets.dropFirst(finding.place.frames.count)
      marks?.take(finding.event(at: finding.place.time), session, on: Array(packets))
    }
  }
}
