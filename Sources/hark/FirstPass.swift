import ArgumentParser
import HarkCapture
import HarkCrypto
import HarkFilter
import HarkFindings
import HarkReport
import HarkSession

/// What filters and columns ask of packets that is known only when packets behind them were read: what events
/// say of them, and what a message says that was taken only later. A file is read once before, for that alone.
struct FirstPass {
  private(set) var marks: EventMarks?
  private(set) var messages: MessageMarks?
  private var findings: Findings?

  /// Nil where nothing is asked for that needs it.
  init?(_ filter: Filter?, columns: Set<String> = []) {
    let paths = columns.union(filter?.paths ?? []).intersection(Dissectors.messagePaths)
    if !paths.isEmpty { messages = MessageMarks(of: paths) }
    if let filter, filter.asksEvents {
      marks = EventMarks(filter)
      if filter.asksFindings { findings = Findings() }
    }
    guard marks != nil || messages != nil else { return nil }
  }

  /// Says what the session is to tell, also where it is read only once.
  func prepare(_ session: inout Session) {
    session.keepsMessages = messages != nil
    // Each value is an event, as in the timeline's JSON.
    session.keepsValues = marks != nil
  }

  /// Reads a capture to its end; one that can be read only once is left alone.
  /// - Returns: Nil for such a one.
  func reading(_ options: CaptureOptions) throws -> FirstPass? {
    guard NamedDevice.isFile(options.capture) else { return nil }
    var found = self
    var reading = try Reading(options)
    prepare(&reading.session)
    _ = try reading.packets { session, record, _ in
      found.take(session)
      if record == nil { found.finish(session) }
    }
    return found
  }

  /// The same of captures that are merged.
  func reading(_ merge: CaptureMerge, _ keys: KeyRing) -> FirstPass {
    var found = self
    var session = Session(keys: keys, framings: Dissectors.framings)
    session.onKeySearch = Progress.keySearch
    prepare(&session)
    _ = merge.forEachRecord { record, bytes in
      session.index(record, bytes)
      found.take(session)
      session.dropEvents()
      return true
    }
    session.finish()
    found.take(session)
    found.finish(session)
    return found
  }

  private mutating func take(_ session: borrowing Session) {
    messages?.take(session)
    guard marks != nil else { return }
    for event in session.events {
      marks?.take(event, session)
      findings?.take(event, session)
    }
  }

  private mutating func finish(_ session: borrowing Session) {
    findings?.finish(session)
    for finding in findings?.all ?? [] {
      marks?.take(finding.event(at: finding.place.time), session)
    }
  }
}
