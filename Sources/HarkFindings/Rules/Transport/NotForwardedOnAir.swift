import HarkCore
import HarkCrypto
import HarkSession

struct NotForwardedOnAir: Rule {
  static let about = RuleDescription(
    id: "transport.not-forwarded", title: "A message is missing on one side of the extension",
    severity: .error, needs: .sessions,
    meaning:
      "The extension did not pass it on: data from the system never reached the accessory, "
      + "or data from the accessory never reached the system.",
    source:
      "Apple, AccessoryTransportSession: dataEventHandler(event:), "
      + "messageReceived(_:completion:), sendMessageToDataProvider(_:)",
    fix:
      "Transmit each DataEvent or TransportMessage to the accessory, and pass each message "
      + "from the accessory to sendMessageToDataProvider(_:), even during another transfer.")

  /// A message as one side reports it.
  private struct Item: Sendable {
    let place: Place
    let direction: MessageDirection
    let session: String?
    let size: Int
    let confidence: Finding.Confidence
    /// What its session uses, if the log says so.
    var transport: AccessoryTransport?
  }

  /// Between the two sides lie the app's work and the clocks.
  private static let waitLimit = Int64.seconds(10)
  /// What a framing may add to a message, or a log leave out of it.
  private static let tolerance = 64
  private static let most = 256
  /// After so many messages of equal sizes on both sides, sizes are exact.
  private static let exactAfter = 2
  /// How long a message that was not sent in time may still be sent: it is then no other message.
  private static let lateLimit = Int64.seconds(120)

  private var handed: [Item] = []
  /// Those that were reported, or whose failure the log reports.
  private var late: [Item] = []
  /// The last message in each session of each log, if no result followed it.
  private var unanswered: [String: Place] = [:]
  /// How many messages had equal sizes on both sides.
  private var exact: [MessageDirection: Int] = [:]
  private var aired: [Item] = []
  /// The last messages of each direction that both sides log, by their times.
  private var matched: [MessageDirection: Timestamp] = [:]
  private var firstMatched: [MessageDirection: Timestamp] = [:]
  /// What both sides logged lately: two processes, or two lines of one, may log one message.
  private var reported: [Item] = []
  /// The transports by which a framing that hark knows carries messages in the capture.
  private var carrying: Set<AccessoryTransport> = []
  /// What each session uses, and each process for sessions that its log does not name, since the last request.
  private var transports = RecentValues<String, AccessoryTransport>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    tick(event.captureTime(session), session, &report)
    if let app = event.app {
      if app.kind == .messageResult { takeResult(app) }
      note(app)
      guard var item = Self.item(app, event) else { return }
      item.transport = transport(of: item, app)
      if unanswered.count < Self.most || unanswered[Self.log(app)] != nil {
        unanswered[Self.log(app)] = item.place
      }
      if Self.isMatched(item, by: &aired, &exact[item.direction, default: 0]) {
        note(item)
      } else {
        Self.keep(item, in: &handed)
      }
    } else if case .accessory(let accessory) = event.content {
      let carrier = session.link(event)?.transport
      carrying.insert(carrier == .tcp ? .localNetwork : .bluetooth)
      guard let item = Self.item(accessory, event) else { return }
      if Self.isMatched(item, by: &handed, &exact[item.direction, default: 0]) {
        note(item)
      } else if !Self.isMatched(item, by: &late, &exact[item.direction, default: 0]),
        !Self.isSentAgain(accessory)
      {
        Self.keep(item, in: &aired)
      }
    }
  }

  /// A message that the extension sends once more, as a retry of its own: the system handed it over once.
  private static func isSentAgain(_ accessory: AccessoryEvent) -> Bool {
    guard case .message(let message) = accessory.content else { return false }
    return message.observations.contains {
      switch $0 {
      case .duplicate, .otherCopy: true
      case .nonceReuse, .staleGeneration: false
      }
    }
  }

  /// A reported failure is another finding. It is that of the last message, unless that has a result.
  private mutating func takeResult(_ app: AppEvent) {
    let log = Self.log(app)
    let last = unanswered.removeValue(forKey: log)
    guard app[.error] != nil || app[.result] == "failure" else { return }
    let index = handed.lastIndex { item in
      guard let last else { return Self.isSame(item.session, app[.session]) }
      return item.place.log == last.log && item.place.time == last.time
    }
    if let index { Self.keep(handed.remove(at: index), in: &late) }
  }

  /// A session in one log.
  private static func log(_ app: AppEvent) -> String {
    "\(app.origin.path)\u{0}\(app[.session]?.uppercased() ?? "")"
  }

  private static func process(_ app: AppEvent) -> String {
    "\(app.origin.path)\u{0}\(app.process ?? "")\u{0}\(app.pid.map(String.init) ?? "")"
  }

  /// A session is requested over a transport.
  private mutating func note(_ app: AppEvent) {
    guard app.kind == .sessionRequested || app.kind == .sessionAccepted,
      let name = app[.transport]?.lowercased(),
      let transport = AccessoryTransport.allCases.first(where: { $0.rawValue.lowercased() == name })
    else { return }
    let process = Self.process(app)
    transports.set(process, transport)
    if let session = app[.session] {
      transports.set("\(process)\u{0}\(session.uppercased())", transport)
    }
  }

  private func transport(of item: Item, _ app: AppEvent) -> AccessoryTransport? {
    let process = Self.process(app)
    let own = item.session.flatMap { transports["\(process)\u{0}\($0.uppercased())"] }
    return own ?? transports[process]
  }

  /// Apple's message, or data of a session that is not sealed.
  private static func item(_ accessory: AccessoryEvent, _ event: Event) -> Item? {
    let session: String?
    let size: Int
    switch accessory.content {
    case .message(let message): (session, size) = (message.sessionID, message.size)
    case .plain(let message):
      let data = message.contents.lazy.compactMap { content in
        if case .transport(.dataEvent(let data), let id) = content { (data, id) } else { nil }
      }.first
      guard let data else { return nil }
      (session, size) = (data.1, data.0.message.data.count)
    default: return nil
    }
    return Item(
      place: Place(event), direction: accessory.direction, session: session, size: size,
      confidence: .certain)
  }

  private static func item(_ app: AppEvent, _ event: Event) -> Item? {
    guard app.kind == .transportMessage || app.kind == .dataEvent,
      let size = app[.size].flatMap({ Int($0) }), size >= 0
    else { return nil }
    let isReply = app[.direction] == MessageDirection.accessoryToHost.rawValue
    return Item(
      place: Place(event), direction: isReply ? .accessoryToHost : .hostToAccessory,
      session: app[.session] ?? app[.feature], size: size, confidence: app.confidence)
  }

  /// Takes the first of the other side's that may be the same; the nearest in size of them.
  /// - Parameter exact: How many messages of this direction had equal sizes on both sides.
  private static func isMatched(_ item: Item, by others: inout [Item], _ exact: inout Int) -> Bool {
    let tolerance = exact >= exactAfter ? 0 : Self.tolerance
    let found = others.indices.filter {
      others[$0].direction == item.direction && isSame(others[$0].session, item.session)
        && abs(others[$0].size - item.size) <= tolerance
    }.min { abs(others[$0].size - item.size) < abs(others[$1].size - item.size) }
    guard let found else { return false }
    if others[found].size == item.size { exact += 1 }
    others.remove(at: found)
    return true
  }

  private func isRestated(_ item: Item) -> Bool {
    reported.contains {
      $0.direction == item.direction && $0.size == item.size
        && Self.isSame($0.session, item.session)
        && $0.place.time.since(item.place.time).magnitude <= Self.waitLimit.magnitude
    }
  }

  private static func keep(_ item: Item, in items: inout [Item]) {
    if items.count < most { items.append(item) }
  }

  private mutating func note(_ item: Item) {
    matched[item.direction] = item.place.time
    if reported.count >= Self.most { reported.removeFirst() }
    reported.append(item)
    if firstMatched[item.direction] == nil { firstMatched[item.direction] = item.place.time }
  }

  private static func isSame(_ a: String?, _ b: String?) -> Bool {
    guard let a, let b else { return true }
    return a.uppercased() == b.uppercased()
  }

  mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    guard !handed.isEmpty || !aired.isEmpty else { return }
    let first = session.counts.firstTime ?? time
    let over = handed.take { report.isOver(Self.waitLimit, since: $0.place, at: time) }
    for item in over {
      // The capture shows nothing of before it began, and no framing that is not known.
      guard !carrying.isEmpty, item.place.time >= first, !isRestated(item) else { continue }
      if let transport = item.transport, !carrying.contains(transport) {
        report.cannotTell(
          item.place,
          "its session uses \(public: transport.rawValue), which carries no messages in the capture",
          subject: "handed")
        continue
      }
      guard report.coverage.locked.isEmpty else {
        report.cannotTell(
          item.place, "an encrypted link was not decrypted: the message may be on it")
        continue
      }
      let isReply = item.direction == .accessoryToHost
      report.missing(
        item.place,
        observed: "\(public: Names.count(item.size, "byte"))\(Self.of(item)) "
          + "\(isReply ? "handed to the system, and not received" : "handed to the extension, and not sent") "
          + "over the air within \(public: Names.duration(Self.waitLimit))",
        expected: "the message over the air",
        confidence: matched[item.direction] == nil ? .possible : .likely, subject: "handed")
    }
    for item in over { Self.keep(item, in: &late) }
    late.removeAll { report.isOver(Self.lateLimit, since: $0.place, at: time) }
    for item in aired.take(where: { report.coverage.isClockSet(since: $0.place.lastFrame) }) {
      report.cannotTell(item.place, "the clock was set while the message was passed on")
    }
    for item in aired where time.since(item.place.time) >= Self.waitLimit {
      // Logs may omit messages, or part of the time: others before and after were logged.
      guard let first = firstMatched[item.direction], let last = matched[item.direction] else {
        continue
      }
      guard item.place.time >= first, item.place.time <= last else { continue }
      report.found(
        item.place,
        observed:
          "\(public: Names.count(item.size, "byte"))\(Self.of(item)) over the air, which the app's log "
          + "lacks, though it has others before and after",
        expected: "the message passed on", severity: .warning, confidence: .possible,
        subject: "aired")
    }
    let matched = matched
    aired.removeAll { item in
      guard time.since(item.place.time) >= Self.waitLimit else { return false }
      // A message after the last reported one may still be reported with later ones.
      guard let last = matched[item.direction] else { return true }
      return item.place.time <= last || time.since(item.place.time) >= 12 * Self.waitLimit
    }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    guard !carrying.isEmpty else { return }
    for item in handed where !isRestated(item) {
      if let transport = item.transport, !carrying.contains(transport) { continue }
      report.cannotTell(
        item.place,
        "\(public: Names.count(item.size, "byte"))\(Self.of(item)) in the log: the capture ends before the "
          + "message had to be sent", cause: "the capture ends before the message had to be sent",
        subject: "handed")
    }
  }

  private static func of(_ item: Item) -> FindingText {
    item.session.map { " of session \($0)" } ?? ""
  }
}
