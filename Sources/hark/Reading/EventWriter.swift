import ArgumentParser
import HarkCapture
import HarkCore
import HarkFilter
import HarkFindings
import HarkPresentation
import HarkSelection
import HarkSession

/// Which lanes of the timeline are shown.
struct LaneOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Show only these lanes, separated by commas. May be repeated.",
      valueName: "lane"),
    completion: ShellCompletion.list(Event.Lane.allCases.map(\.name)),
    transform: LaneOptions.lanes)
  var lane: [[Event.Lane]] = []

  @Flag(help: "Hide the note lane: texts that hosts and recorders wrote into the capture.")
  var noNotes = false

  @Flag(
    help: "Show findings as events in the finding lane: see hark findings.")
  var findings = false

  /// Parses names of lanes, separated by commas.
  static func lanes(_ names: String) throws -> [Event.Lane] {
    try names.split(separator: ",", omittingEmptySubsequences: false).map { name in
      let full = FilterProperty.laneAliases[String(name)] ?? String(name)
      guard let lane = Event.Lane.allCases.first(where: { $0.name == full }) else {
        let all = Event.Lane.allCases.map(\.name)
        let meant = String(name).nearest(among: all).map { "; did you mean '\($0)'?" }
        throw OptionMistake(
          "there is no lane '\(name)'"
            + (meant ?? "; the lanes are \(all.joined(separator: ", "))"))
      }
      return lane
    }
  }

  func validate() throws {
    if noNotes, lane.joined().contains(.note) {
      throw ValidationError("--no-notes and --lane note exclude everything")
    }
  }

  /// Whether no lanes were named.
  var isAll: Bool { lane.isEmpty }

  /// Whether rules are to look.
  var wantsFindings: Bool { findings || lane.joined().contains(.finding) }

  /// The same as a filter; nothing where all lanes are shown.
  var asFilter: [String] {
    guard !isAll || noNotes else { return [] }
    let names = Event.Lane.allCases.filter(shown.contains).map(\.rawValue)
    return ["lane in {\(names.joined(separator: ", "))}"]
  }

  var shown: Set<Event.Lane> {
    let lanes = Set(isAll ? Event.Lane.allCases : Array(lane.joined()))
    return lanes.union(findings ? [.finding] : []).subtracting(noNotes ? [.note] : [])
  }
}

/// Writes the events of a session as a timeline, for people or for programs.
struct EventWriter: ~Copyable {
  /// Whether nothing was written yet.
  private(set) var isEmpty = true
  private let lanes: Set<Event.Lane>
  private let isJSON: Bool
  private let namesValues: Bool
  private var timeline: Timeline
  private let json = TimelineJSON()
  private var filter: EventFilter?
  private var packet = PacketReading()
  private var findings: Findings?
  /// What has happened so far, where it may be read again.
  private var shown: ShownEvents?
  private var replay: Replay?

  /// A capture that is read again with more keys.
  private struct Replay {
    /// Of what was shown, what has not happened again yet.
    var left: ShownEvents
    var findings: Findings?
    /// The links that only now are decrypted.
    var links: Set<LinkID> = []
  }

  init(_ lanes: LaneOptions, _ filter: Filter?, _ output: OutputOptions) {
    self.filter = filter.map { EventFilter($0) }
    self.lanes = lanes.shown
    isJSON = output.format == .json
    namesValues = lanes.lane.joined().contains(.gatt)
    timeline = Timeline(style: output.style, isWhole: lanes.isAll)
    findings = lanes.wantsFindings || filter?.asksFindings ?? false ? Findings() : nil
  }

  /// A program counts for itself, who names the lane asks for the values, and a filter asks each, not
  /// the last of many.
  var wantsValues: Bool { isJSON || namesValues || asksPackets }

  /// Whether the session is to keep what messages say.
  var wantsMessages: Bool {
    !(filter?.filter.paths.isDisjoint(with: Dissectors.messagePaths) ?? true)
  }

  var isFiltering: Bool { filter != nil }

  private var asksPackets: Bool { filter?.filter.asksPackets ?? false }

  /// As `Reading` has it.
  var kindsWithFields: [Bool]? { asksPackets ? filter?.filter.kindsWithFields : nil }

  /// Looks at the record that was indexed last, for the filter.
  mutating func take(_ record: CaptureRecord, _ bytes: RawSpan, _ session: inout Session) {
    filter?.take(record, bytes, &packet, &session)
  }

  /// Writes what has happened since the caller last dropped the events.
  mutating func write(_ session: borrowing Session, to out: inout Output) {
    for event in session.events {
      shown?.note(event)
      write(event, session, to: &out)
      for finding in findings?.events(after: event, session) ?? [] {
        shown?.note(finding)
        write(finding, session, to: &out)
      }
    }
  }

  // MARK: Reading again

  /// Remembers what happens from now on, so that the capture can be read again.
  mutating func remembers() { shown = ShownEvents() }

  /// All that was read is read again, with more keys. Call `writeNew` with each event.
  mutating func beginReplay() {
    replay = shown.map { Replay(left: $0, findings: findings == nil ? nil : Findings()) }
  }

  /// Writes what only happens now that more keys are known.
  mutating func writeNew(_ session: borrowing Session, to out: inout Output) {
    for event in session.events {
      let isNew = replay?.left.takes(event) == false
      if isNew, case .linkLayer(.opened) = event.content, let link = event.link {
        replay?.links.insert(link)
      }
      if isNew, isOpened(event) {
        shown?.note(event)
        write(event, session, to: &out)
      }
      for finding in replay?.findings?.events(after: event, session) ?? [] {
        guard replay?.left.takes(finding) == false, isOpened(finding) else { continue }
        shown?.note(finding)
        write(finding, session, to: &out)
      }
    }
  }

  /// Whether it is of a link that only now is decrypted.
  private func isOpened(_ event: Event) -> Bool {
    event.link.map { replay?.links.contains($0) == true } ?? false
  }

  /// - Returns: Whether a link was decrypted that was locked before: then what follows belongs to what was read again.
  mutating func endReplay() -> Bool {
    defer { replay = nil }
    guard let replay, !replay.links.isEmpty, shown?.isFull == false else { return false }
    findings = replay.findings
    return true
  }

  private mutating func write(
    _ event: Event, _ session: borrowing Session, to out: inout Output
  ) {
    guard lanes.contains(event.lane), filter?.matches(event, session) ?? true else { return }
    isEmpty = false
    if isJSON {
      json.write(event, session, to: &out.text)
    } else {
      timeline.write(event, session, to: &out.text)
    }
  }

  /// Writes the counts of what was only counted so far.
  mutating func pause(to out: inout Output) {
    if !isJSON { timeline.reportCounted(to: &out.text) }
  }

  /// Call it after the last event.
  mutating func finish(_ session: borrowing Session, to out: inout Output) {
    for finding in findings?.lastEvents(session) ?? [] { write(finding, session, to: &out) }
    if !isJSON { timeline.flush(to: &out.text) }
  }
}
