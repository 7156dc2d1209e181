import HarkCapture
import HarkCore
import HarkCrypto
import HarkFindings
import HarkPresentation
import HarkSession

/// Gathers what a report says about a capture while that is read. What it keeps is bounded.
public struct CaptureGathering: Sendable {
  /// What the rules found: all of it after `finish`.
  public private(set) var findings = Findings()
  private var report = CaptureReport(showsFolders: false)
  private var timeline = Timeline()
  private var lines: [Timeline.Line] = []
  private var linesLeftOut = 0
  private var versions = ReportedCapture.SystemVersions()
  private var exchanges: [ReportedCapture.Exchange] = []
  private var exchangeAt: [Conversation: Int] = [:]

  /// Whose messages are reported together.
  private struct Conversation: Hashable {
    let device: DeviceID?
    let link: LinkID?
    let session: String
  }

  /// So many lines of every kind are kept, and as many again of those that matter most.
  static let mostLines = 5_000
  static let mostExchanges = 200

  /// What a redacted copy was made from, judged with keys that the copy is read without.
  private var original: OriginalCapture?
  /// Of a capture of which only such a copy is reported.
  private var wordings: DecryptedSummaries?

  /// - Parameter original: What this is a redacted copy of.
  public init(copyOf original: OriginalCapture? = nil) { self.original = original }

  /// Of a capture of which only a redacted copy is reported: see `judge`.
  public static var ofOriginal: CaptureGathering {
    var gathering = CaptureGathering()
    gathering.wordings = DecryptedSummaries()
    return gathering
  }

  /// Takes the session's events since they were last dropped.
  public mutating func take(_ session: borrowing Session) {
    for event in session.events {
      findings.take(event, session)
      report.note(event)
      if case .accessory(let accessory) = event.content { take(accessory, event) }
      if case .capture(.note(let note)) = event.content { versions.take(note) }
      var new: [Timeline.Line] = []
      timeline.fold(event, session, into: &new)
      if case .accessory(let accessory) = event.content {
        wordings?.add(event, accessory, session)
        let own = new.lastIndex { $0.lane == event.lane && $0.frames == event.frames }
        if let own { original?.judge(&new[own], event, accessory) }
      }
      keep(new)
    }
  }

  private mutating func keep(_ new: [Timeline.Line]) {
    for line in new {
      var line = line
      if line.lane == .note || line.lane == .app {
        line = line.saying(KeysInText.masked(line.text), line.severity)
      }
      let isRoom = lines.count < Self.mostLines
      if isRoom || line.matters && lines.count < 2 * Self.mostLines {
        lines.append(line)
      } else {
        linesLeftOut += 1
      }
    }
  }

  private mutating func take(_ accessory: AccessoryEvent, _ event: Event) {
    let sessionID: String
    let verdict: String?
    switch accessory.content {
    case .message(let message):
      (sessionID, verdict) = (message.sessionID, message.verdict?.description)
    case .blank(let blank):
      guard case .message(let id) = blank.subject else { return }
      (sessionID, verdict) = (id, "overwritten with zeros")
    default: return
    }
    let conversation = Conversation(
      device: event.device, link: event.link, session: sessionID)
    guard let index = exchangeAt[conversation] ?? begin(conversation, accessory, event) else {
      return
    }
    exchanges[index].last = max(exchanges[index].last, event.frames.last)
    guard let verdict else {
      exchanges[index].read += 1
      return
    }
    exchanges[index].locked += 1
    if exchanges[index].reason == nil { exchanges[index].reason = verdict }
  }

  private mutating func begin(
    _ conversation: Conversation, _ accessory: AccessoryEvent, _ event: Event
  ) -> Int? {
    guard exchanges.count < Self.mostExchanges else { return nil }
    exchanges.append(
      ReportedCapture.Exchange(
        link: conversation.link, session: conversation.session, framing: accessory.framing,
        first: event.frames.first, last: event.frames.last))
    exchangeAt[conversation] = exchanges.count - 1
    return exchanges.count - 1
  }

  /// Call it when a capture has ended of which only a redacted copy is reported.
  public mutating func judge(
    _ info: CaptureInfo, _ session: borrowing Session,
    _ restate: @escaping OriginalCapture.SentenceRewording
  ) -> OriginalCapture {
    findings.finish(session)
    let locked = report.limits(session, info).filter { $0.kind == "locked" }
    let messages = report.facts(info, session).first { $0.label == OriginalCapture.messages }
    return OriginalCapture(
      findings: findings, exchanges: exchanges, messageCounts: messages?.text,
      locked: locked.map(\.text), wordings: wordings ?? DecryptedSummaries(), rewording: restate)
  }

  /// Call it when the capture has ended.
  /// - Parameters:
  ///   - hash: The SHA-256 of the file in hexadecimal digits; nil if it is not one.
  ///   - isRedacted: Whether it is a copy in which names and keys are replaced.
  public mutating func finish(
    _ name: String, hash: String?, _ info: CaptureInfo, _ end: CaptureEnd,
    _ session: borrowing Session, isRedacted: Bool = false
  ) -> ReportedCapture {
    findings.finish(session)
    var limits = report.limits(session, info)
    if isRedacted { Self.replaceRemarks(onKeys: &limits) } else { Self.remark(onComments: &limits) }
    for (conversation, index) in exchangeAt {
      exchanges[index].device = label(of: conversation, session)
    }
    if let original {
      let unreported = takeFindings(of: original)
      original.remark(unreported: unreported, in: &limits)
    }
    var rest: [Timeline.Line] = []
    timeline.flush(into: &rest)
    keep(rest)
    let sorted = findings.sorted
    var reported = ReportedCapture(
      name: Timeline.printable(name), packets: session.packets.count,
      isMonitor: info.isOfMonitor,
      start: session.counts.firstTime,
      facts: report.facts(info, session).map {
        let counts = $0.label == OriginalCapture.messages ? original?.messageCounts : nil
        return ReportedCapture.Fact(
          label: $0.label, text: KeysInText.masked(counts ?? $0.text))
      } + (hash.map { [ReportedCapture.Fact(label: "SHA-256", text: $0)] } ?? []),
      limits: limits.map(\.text), damage: Self.damage(end),
      devices: devices(session), exchanges: exchanges, findings: sorted,
      findingsOmitted: findings.omitted,
      undecided: findings.undecided, lines: lines, linesLeftOut: linesLeftOut,
      diagrams: SequenceDiagram.all(lines, sorted, session), traffic: Traffic(session))
    reported.isRedacted = isRedacted
    reported.versions = versions
    reported.hasNothingToCheck = findings.hasNothingToCheck
    // A copy has pseudonyms, by which nothing would be found again.
    if !isRedacted { reported.databases = GATTLibraryJSON(session) }
    return reported
  }

  /// What is wrong with the capture itself is not wrong with a copy that has other keys.
  private static func replaceRemarks(onKeys limits: inout [CaptureReport.Limit]) {
    let secrets: Set<String> = ["keys-exposed", "private-key-exposed", "key-in-comment"]
    guard limits.contains(where: { secrets.contains($0.kind) }) else { return }
    limits.removeAll { secrets.contains($0.kind) }
    limits.append(
      (
        "keys-replaced",
        "hark replaced the keys in the capture; the replacements decrypt no other capture."
      ))
  }

  private static func damage(_ end: CaptureEnd) -> [String] {
    guard end.status == .damaged, end.damages.isEmpty else { return end.damages.map(\.description) }
    return ["The capture is damaged; the redacted copy has the packets that hark could read."]
  }

  /// Outputs show comments as they are, but reports leave keys out.
  private static func remark(onComments limits: inout [CaptureReport.Limit]) {
    for index in limits.indices where limits[index].kind == "key-in-comment" {
      limits[index] = (
        "key-in-comment",
        "Comments in the capture seem to contain keys. The report shows [key] in their place; the capture has them."
      )
    }
  }

  /// - Returns: How many of the findings cannot be reported.
  private mutating func takeFindings(of original: OriginalCapture) -> Int {
    let (restated, unreported) = original.findings.restated(beside: findings, original.restate)
    findings = restated
    exchanges = Self.restated(original, beside: exchanges)
    return unreported
  }

  /// The sessions of the original, which keys tell apart, under the names that devices and sessions have in the copy; what only
  /// the copy has stays.
  private static func restated(
    _ original: OriginalCapture, beside own: [ReportedCapture.Exchange]
  ) -> [ReportedCapture.Exchange] {
    func isSame(_ a: ReportedCapture.Exchange, _ b: ReportedCapture.Exchange) -> Bool {
      a.framing == b.framing && a.link == b.link
    }
    let restated = original.exchanges.map { exchange in
      var exchange = exchange
      exchange.session = original.restate(exchange.session) ?? ""
      exchange.reason = exchange.reason.flatMap(original.restate)
      exchange.device = own.first { isSame($0, exchange) }?.device ?? ""
      return exchange
    }
    return restated + own.filter { one in !restated.contains { isSame($0, one) } }
  }

  private func label(of one: Conversation, _ session: borrowing Session) -> String {
    if let device = one.device { return session.devices[Int(device.index)].label }
    return one.link.map { session.label(of: $0) } ?? ""
  }

  private static func device(
    _ name: String, _ addresses: [String], _ database: GATTDatabase?, _ links: [String]
  ) -> ReportedCapture.Device {
    ReportedCapture.Device(
      name: name, addresses: addresses, services: database?.services.count ?? 0,
      characteristics: database?.characteristics.count ?? 0, links: links)
  }

  private func devices(_ session: borrowing Session) -> [ReportedCapture.Device] {
    var links: [DeviceID: [String]] = [:]
    var named: [ReportedCapture.Device] = []
    for link in session.links.prefix(Self.mostExchanges) {
      let description = report.describe(link, session)
      if let device = session.device(of: link.id) {
        links[device, default: []].append(description)
      } else if let name = link.peerName {
        // Its address is unknown, as the link was open before the capture began.
        let database = session.database(for: .link(link.id))
        named.append(Self.device(name, [], database, [description]))
      }
    }
    let shown = session.devices.filter { $0.mergedInto == nil && links[$0.id] != nil }
    return shown.map { device in
      let database = session.database(for: .device(device.id))
      let addresses = device.addresses.prefix(4).map(\.description)
      return Self.device(device.name ?? "", addresses, database, links[device.id] ?? [])
    } + named
  }
}

extension Timeline.Line {
  /// Whether it also appears in the report of a long capture.
  fileprivate var matters: Bool {
    switch lane {
    case .keys, .session, .notification, .reply, .configuration, .app, .gap: true
    default: severity > .info
    }
  }
}
