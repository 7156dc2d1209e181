import HarkCore
import HarkSession

/// How far a capture, and the logs beside it, can be trusted to show what happened.
public struct CaptureCoverage: Sendable {
  private var lastGap: (packet: PacketID, time: Timestamp, what: FindingText)?
  /// Of the last event.
  private var now = Timestamp(nanoseconds: 0)
  private var isTruncated = false
  /// Links whose encrypted part cannot be read.
  private(set) var locked: Set<LinkID> = []
  /// What connections of the network lack: where messages begin is then uncertain until they end.
  private var streamGaps: [LinkID: FindingText] = [:]
  /// The last packet at which the clock was set; 0 if there is none.
  private var lastClockStep = PacketID(0)
  /// By the new clock.
  private var lastClockStepTime = Timestamp(nanoseconds: 0)
  /// The last packet before which a link had ended unseen; 0 if there is none.
  private var lastUnseenEnd = PacketID(0)
  /// Packets of connections on the air that were not received.
  private var unheard = 0
  /// From when until when each log shows the app's side, by its path.
  private var logs: [String: ClosedRange<Timestamp>] = [:]
  private static let mostLogs = 256
  /// Encrypted packets that no key decrypted, by link, and where the last of them became known.
  private var undecrypted: [LinkID: (count: Int, packet: PacketID)] = [:]

  mutating func take(_ event: Event, _ session: borrowing Session) {
    now = event.time
    // Before the event: what it lacks is not older than the step.
    noteClock(session)
    noteUnseenEnd(session)
    if let app = event.app { extend(app, event.time) }
    switch event.content {
    case .capture(.dropped(let dropped)):
      note("the recorder lost \(Names.count(Int(dropped.count), "packet"))", at: event.frames.last)
    case .capture(.damage): note("the capture is damaged", at: event.frames.last)
    case .capture(.sliced): isTruncated = true
    case .network(.gap(let gap)):
      if let link = event.link {
        let bytes = Names.count(gap.count, "byte")
        streamGaps[link] =
          "\(bytes) of the connection not captured before #\(event.frames.last.number)"
      }
    case .linkLayer(.locked): if let link = event.link { locked.insert(link) }
    default: break
    }
  }

  /// Notes the last packet at which the clock was set. Only the session knows: events may come in another order.
  mutating func noteClock(_ session: borrowing Session) {
    let step = session.lastClockStep
    guard step > lastClockStep else { return }
    (lastClockStep, lastClockStepTime) = (step, session.lastClockStepTime)
    let isForward = step == session.counts.lastSetForward
    note(
      isForward
        ? "the clock of the capture jumped forward" : "the clock of the capture jumped back",
      at: step)
  }

  /// Notes the last packet before which a link had ended unseen, also before the events of that end.
  private mutating func noteUnseenEnd(_ session: borrowing Session) {
    let packet = session.lastUnseenEnd
    guard packet > lastUnseenEnd else { return }
    lastUnseenEnd = packet
    note("the end of a link not captured, whose handle another link got", at: packet)
  }

  /// The last gap counts: an older one does not replace it.
  private mutating func note(_ what: FindingText, at packet: PacketID) {
    if let lastGap, lastGap.packet > packet { return }
    lastGap = (packet, now, what)
  }

  /// Whether the clock was set after a packet: how much time has passed since then is unknown.
  func isClockSet(since packet: PacketID) -> Bool { packet < lastClockStep }

  /// The nanoseconds that have passed since a packet at least: if the clock was set meanwhile, those since then.
  func elapsedAtLeast(since start: Timestamp, in packet: PacketID, at time: Timestamp) -> Int64 {
    time.since(isClockSet(since: packet) ? lastClockStepTime : start)
  }

  /// How long capture and logs show that something on the air was not followed by a line.
  enum Wait {
    case enough(Int64)
    /// Why they do not show it: a sentence up to `after`, or `before`.
    case short(FindingText)
  }

  /// - Parameter end: Until when the capture shows the air.
  func wait(
    since place: Place, until end: Timestamp, _ logs: Set<String>, _ limit: Int64
  ) -> Wait {
    if isClockSet(since: place.lastFrame) {
      return .short("the clock of the capture was set after")
    }
    let logEnd = logTime(of: logs, at: end) ?? end
    let waited = min(end, logEnd).since(place.time)
    if waited >= limit { return .enough(waited) }
    let what: FindingText = logEnd < end ? "the log" : "the capture"
    if waited < 0 { return .short("\(what) ended before") }
    return .short("\(what) ended \(Names.duration(waited)) after")
  }

  private mutating func extend(_ app: AppEvent, _ time: Timestamp) {
    let path = app.origin.path
    let range: ClosedRange<Timestamp>
    if app.kind == .clock {
      guard let covered = app.clock?.covers else { return }
      range = covered
    } else {
      guard app.origin.line > 0 else { return }
      range = time...time
    }
    if let known = logs[path] {
      logs[path] =
        min(known.lowerBound, range.lowerBound)...max(known.upperBound, range.upperBound)
    } else if logs.count < Self.mostLogs {
      logs[path] = range
    }
  }

  /// When the first of some logs begins; nil if nothing is known of them.
  func logStart(of paths: Set<String>) -> Timestamp? {
    paths.lazy.compactMap { logs[$0]?.lowerBound }.min()
  }

  /// Until when some logs have shown the app's side at `time`; nil if nothing is known of them.
  func logTime(of paths: Set<String>, at time: Timestamp) -> Timestamp? {
    paths.lazy.compactMap { logs[$0]?.upperBound }.max().map { min(max(time, now), $0) }
  }

  /// - Parameter count: Packets that were not received on the air until now.
  mutating func missed(_ count: Int, at packet: PacketID) {
    guard count > unheard else { return }
    unheard = count
    note("\(Names.count(count, "over-the-air packet")) not captured, the last", at: packet)
  }

  /// - Parameter count: Packets of the link that no key decrypted until now.
  mutating func undecrypted(_ count: Int, on link: LinkID, at packet: PacketID) {
    if count > undecrypted[link]?.count ?? 0 { undecrypted[link] = (count, packet) }
  }

  /// Parts of one message, and the frames and SDUs of one stream, follow each other within this time.
  private static let reach = Int64.seconds(10)

  /// As `gap(since:)`, of what an event lacks and may have lacked before its own packets.
  func gap(near event: Event) -> FindingText? {
    if let gap = gap(since: event.frames.first) ?? streamGap(event) { return gap }
    guard let lastGap, event.time.since(lastGap.time) <= Self.reach else { return nil }
    return gap(since: lastGap.packet)
  }

  /// What the connection of an event lacks before it; nil if nothing is known to be.
  func streamGap(_ event: Event) -> FindingText? { event.link.flatMap { streamGaps[$0] } }

  /// What of the capture is missing after a packet; nil if nothing is known to be.
  /// - Parameter link: Where it would have to be; nil if that may be anywhere.
  func gap(since packet: PacketID, on link: LinkID? = nil) -> FindingText? {
    if let link, locked.contains(link) { return "the link is encrypted and not decrypted" }
    if isTruncated { return "the capture has truncated packets" }
    if let it = link.flatMap({ undecrypted[$0] }), packet <= it.packet {
      return "\(Names.count(it.count, "packet")) of the link not decrypted"
    }
    guard let lastGap, packet <= lastGap.packet else { return nil }
    return "\(lastGap.what) in #\(lastGap.packet.number)"
  }
}

extension Session {
  /// The link of an event.
  borrowing func link(_ event: Event) -> Link? { event.link.map { links[Int($0.index)] } }

  /// How long the link has been there; nil if the capture does not show its beginning.
  borrowing func age(of link: Link, at time: Timestamp) -> Int64? {
    guard link.certainty == .seen, let opened = packets[link.opened]?.time else { return nil }
    return time.since(opened)
  }
}

/// The owner of an event's channel: a device, or a link if the device is not known.
struct Owner: Hashable, Sendable {
  let device: DeviceID?
  let link: LinkID?

  init(device: DeviceID?, link: LinkID) {
    (self.device, self.link) = (device, device == nil ? link : nil)
  }

  init(_ event: Event, _ session: borrowing Session) {
    device = event.device.map { session.current($0) }
    link = device == nil ? event.link : nil
  }
}

extension Int64 {
  /// Nanoseconds.
  static func seconds(_ count: Int64) -> Int64 { count * 1_000_000_000 }
}
