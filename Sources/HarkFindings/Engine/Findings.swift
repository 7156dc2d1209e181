import HarkCore
import HarkDissection
import HarkSession

/// The findings of a capture, as the rules report them.
///
/// Takes the events of a session as they occur, so that a capture of any length needs little memory:
/// only findings are kept, a limited number for each rule.
public struct Findings: Sendable {
  /// In the order in which they were found.
  public internal(set) var all: [Finding] = []
  /// What could not be judged, in the order of the capture once it has ended.
  public internal(set) var undecided: [Undecided] = []
  /// How many findings are not kept because their rule had too many.
  public internal(set) var omitted = 0
  /// Their differences from a baseline; nil without one. Accepted findings are not in `all`.
  public internal(set) var difference: FindingsBaseline.Difference?
  /// Whether each of `descriptions` is an expectation, and each finding one that does not hold.
  private(set) var areOfExpectations = false
  /// The rules that were checked.
  public let descriptions: [RuleDescription]
  /// The names of the vendors' framings in the capture.
  public private(set) var framings: Set<String> = []
  private(set) var coverage = Coverage()
  /// How many links have encrypted parts that cannot be read.
  var lockedLinks: Int { report.coverage.locked.count }
  /// The number of `all` when the caller last requested the new ones.
  private var reported = 0
  private var rules: [any Rule]
  /// The rules that want the events of a family, in their order, by family: most events concern few
  /// rules.
  private let takers: [[Int]]
  private var report = RuleReport()
  private var findingAt: [Key: Int] = [:]
  private var undecidedAt: [Key: Int] = [:]
  private var counts: [String: Int] = [:]
  /// Findings that count if the capture continues, by the rules that found them, and after how many packets.
  private var deferred: [(rule: RuleDescription, item: RuleReport.Item, packets: Int)] = []

  private struct Key: Hashable, Sendable {
    let rule: String
    let owner: Owner
    let subject: String
  }

  /// The limit of findings of one rule that are kept.
  static let most = 100

  public init(_ types: [any Rule.Type] = Rules.all) { self.init(types, givesAll: false) }

  /// - Parameter givesAll: Whether each rule receives all events, regardless of what it wants.
  package init(_ types: [any Rule.Type] = Rules.all, givesAll: Bool) {
    rules = types.map { $0.init() }
    descriptions = types.map { $0.about }
    let wants = types.map { $0.wants }
    takers = Event.Family.allCases.map { family in
      types.indices.filter { givesAll || wants[$0].contains(family) }
    }
  }

  /// Adds findings that no rule reported.
  init(_ all: [Finding], _ undecided: [Undecided] = [], of descriptions: [RuleDescription]) {
    (self.all, self.undecided, self.descriptions) = (all, undecided, descriptions)
    areOfExpectations = true
    rules = []
    takers = Event.Family.allCases.map { _ in [] }
  }

  /// Takes the events that the session has reported since they were dropped.
  public mutating func take(_ session: borrowing Session) {
    for event in session.events { take(event, session) }
  }

  public mutating func take(_ event: Event, _ session: borrowing Session) {
    report.coverage.take(event, session)
    report.coverage.missed(session.unheardPackets, at: event.frames.last)
    if let link = event.link, let air = session.links[Int(link.index)].air, air.unopened > 0 {
      report.coverage.undecrypted(air.unopened, on: link, at: event.frames.last)
    }
    coverage.take(event)
    if case .accessory(let event) = event.content { framings.insert(event.framing) }
    if !deferred.isEmpty { settle(session) }
    for index in takers[event.family.rawValue] {
      report.severity = descriptions[index].severity
      rules[index].take(event, session, &report)
      if !report.items.isEmpty { keep(descriptions[index], session) }
    }
  }

  /// Keeps the deferred findings, because something happened later.
  private mutating func settle(_ session: borrowing Session) {
    let packets = session.packets.count
    for one in deferred.take(where: { $0.packets < packets })
    where !Self.isLost(one.item.place, session) {
      keep(one.item, of: one.rule, session)
    }
  }

  /// Whether the link was lost when something ended that is reported as missing.
  private static func isLost(_ place: Place, _ session: borrowing Session) -> Bool {
    guard let link = place.link.map({ session.links[Int($0.index)] }), let closed = link.closed
    else { return false }
    return HCIErrorCode(link.reason)?.isLoss == true && closed >= place.lastFrame
  }

  /// Call it after the last event.
  public mutating func finish(_ session: borrowing Session) {
    report.coverage.noteClock(session)
    coverage.takeCounts(session)
    report.coverage.missed(
      session.counts.air.missing, at: PacketID(UInt32(clamping: session.packets.count)))
    for link in session.links {
      guard let air = link.air, air.unopened > 0 else { continue }
      report.coverage.undecrypted(
        air.unopened, on: link.id, at: PacketID(UInt32(clamping: session.packets.count)))
    }
    for index in rules.indices {
      report.severity = descriptions[index].severity
      if let time = session.counts.lastTime { rules[index].tick(time, session, &report) }
      rules[index].finish(session, &report)
      if !report.items.isEmpty { keep(descriptions[index], session) }
    }
    for (rule, item, _) in deferred {
      let key = Key(rule: rule.id, owner: Owner(item.place, session), subject: item.subject)
      keep(
        Undecided(
          rule: rule, place: item.place, explanation: "the capture ends here",
          cause: "the capture ends here"), key)
    }
    deferred = []
    for index in all.indices { all[index].place.name(session) }
    for index in undecided.indices { undecided[index].place.name(session) }
    undecided.sort { a, b in
      (a.place.lastFrame, a.rule.id, a.reason) < (b.place.lastFrame, b.rule.id, b.reason)
    }
  }

  /// The most severe first, and in the order of the capture.
  public var sorted: [Finding] {
    all.sorted { a, b in
      if a.severity != b.severity { return a.severity > b.severity }
      if a.place.lastFrame != b.place.lastFrame { return a.place.lastFrame < b.place.lastFrame }
      return (a.rule.id, a.observed) < (b.rule.id, b.observed)
    }
  }

  /// Returns the findings added since the last call; those that were only counted again are
  /// not among them.
  public mutating func takeNew() -> [Finding] {
    guard reported < all.count else { return [] }
    defer { reported = all.count }
    return Array(all[reported...])
  }

  /// The highest severity; nil if there are no findings.
  public var worst: Finding.Severity? { all.map(\.severity).max() }

  public func count(_ severity: Finding.Severity) -> Int {
    all.count { $0.severity == severity }
  }

  private mutating func keep(_ rule: RuleDescription, _ session: borrowing Session) {
    // Rules keep what they wait for in dictionaries, whose order differs in each run.
    if report.items.count > 1 { report.items.sort { $0.order < $1.order } }
    for item in report.items {
      if item.isDeferred, case .finding = item.content {
        if deferred.count < Self.most { deferred.append((rule, item, session.packets.count)) }
      } else {
        keep(item, of: rule, session)
      }
    }
    report.items.removeAll(keepingCapacity: true)
  }

  private mutating func keep(
    _ item: RuleReport.Item, of rule: RuleDescription, _ session: borrowing Session
  ) {
    let key = Key(rule: rule.id, owner: Owner(item.place, session), subject: item.subject)
    switch item.content {
    case .finding(let severity, let confidence, let observed, let expected):
      keep(
        Finding(
          rule: rule, severity: severity, confidence: confidence, place: item.place,
          observation: observed, expectation: expected, lastFrame: item.place.lastFrame,
          lastLog: item.place.log),
        key, session)
    case .undecided(let reason, let cause):
      keep(
        Undecided(
          rule: rule, place: item.place, explanation: reason,
          cause: cause), key)
    }
  }

  private mutating func keep(_ finding: Finding, _ key: Key, _ session: borrowing Session) {
    if let index = findingAt[key] {
      all[index].occurrences += 1
      // Making the sentences takes time: once they differ, no more are made.
      if !all[index].varies {
        all[index].varies = finding.observation.text != all[index].observation.text
      }
      if finding.lastFrame >= all[index].lastFrame {
        (all[index].lastFrame, all[index].lastLog) = (finding.lastFrame, finding.lastLog)
      }
      all[index].severity = max(all[index].severity, finding.severity)
      return
    }
    guard counts[key.rule, default: 0] < Self.most else {
      omitted += 1
      return
    }
    counts[key.rule, default: 0] += 1
    findingAt[key] = all.count
    var finding = finding
    finding.place.name(session)
    all.append(finding)
  }

  /// Each device and cause is reported once.
  private mutating func keep(_ new: Undecided, _ key: Key) {
    let isOfDevice = key.owner.device != nil || key.owner.link != nil
    let key = Key(
      rule: key.rule, owner: key.owner,
      subject: new.cause + (isOfDevice ? "" : " \(key.subject)"))
    if let index = undecidedAt[key] {
      undecided[index].occurrences += 1
      return
    }
    guard undecidedAt.count < Self.most else { return }
    undecidedAt[key] = undecided.count
    undecided.append(new)
  }
}

extension Owner {
  init(_ place: Place, _ session: borrowing Session) {
    device = place.device.map { session.current($0) }
    link = device == nil ? place.link : nil
  }
}

extension Place {
  /// Devices may be merged, or send their name, later.
  mutating func name(_ session: borrowing Session) {
    if let device {
      label = session.devices[Int(device.index)].label
    } else if let link {
      label = session.label(of: link)
    } else {
      label = ""
    }
  }
}
