import HarkCapture
import HarkCore
import HarkDissection
import HarkFindings
import HarkPresentation
import HarkSession

/// Makes rows of a capture while it is read: events and packets as they come, everything else at its end.
public struct CaptureRows: ~Copyable {
  let file: ExportedFile
  let options: ExportOptions
  var sink: RowBytes
  public private(set) var findings = Findings()
  public private(set) var firmware = FirmwareVersions()
  private(set) var events = 0
  private var notifications = 0
  /// Links that were encrypted at some time.
  private(set) var encrypted: Set<LinkID> = []
  private var columns: EventColumns
  private var packets: PacketRows?

  public init(_ file: ExportedFile, _ options: ExportOptions, _ sink: RowBytes) {
    (self.file, self.options, self.sink) = (file, options, sink)
    columns = EventColumns(withTexts: options.withTexts)
    packets = options.withPackets ? PacketRows(withTexts: options.withTexts) : nil
  }

  /// Takes the session's events of the last record; call it with each, and once after the last
  /// with nil.
  public mutating func take(
    _ record: CaptureRecord?, _ bytes: RawSpan, _ session: inout Session
  ) {
    for event in session.events { take(event, session) }
    if record == nil { findings.finish(session) }
    if let record { packets?.write(record, bytes, &session, file.key, to: &sink) }
  }

  /// Whether the session has to keep the fields of packets.
  public var wantsFields: Bool { options.withPackets && options.withTexts }

  private mutating func take(_ event: Event, _ session: borrowing Session) {
    findings.take(event, session)
    firmware.take(event)
    events += 1
    columns.read(event, session)
    sink.begin(.event)
    sink.text("capture", file.key)
    sink.number("event", events)
    moment(event.time, session)
    sink.text("lane", columns.lane.rawValue)
    sink.word("kind", columns.kind)
    sink.word("severity", event.severity.name)
    sink.number("device", event.device.map { $0.index + 1 })
    sink.number("link", event.link.map { UInt32($0.index) + 1 })
    sink.number("first_packet", event.frames.count > 0 ? event.frames.first.number : nil)
    sink.number("last_packet", event.frames.count > 0 ? event.frames.last.number : nil)
    sink.number("packets", event.frames.count)
    sink.text("text", columns.text)
    sink.document("members", columns.members)
    switch event.content {
    case .accessory(let accessory): notify(accessory, event, session)
    case .security(.encryption(let encryption)) where encryption.isOn:
      if let link = event.link { encrypted.insert(link) }
    default: break
    }
  }

  mutating func moment(_ time: Timestamp, _ session: borrowing Session) {
    sink.time("time", time)
    sink.integer("since_start", session.firstTime.map { time.since($0) } ?? 0)
  }

  // MARK: Notifications

  private mutating func notify(
    _ accessory: AccessoryEvent, _ event: Event, _ session: borrowing Session
  ) {
    let contents: [AccessoryContent] =
      switch accessory.content {
      case .message(let message): message.opened?.decoded.contents ?? []
      case .plain(let message): message.contents
      default: []
      }
    for content in contents {
      switch content {
      case .add(let notification): write(notification, "add", accessory, event, session)
      case .update(let notification): write(notification, "update", accessory, event, session)
      case .present(let notification): write(notification, "present", accessory, event, session)
      default: break
      }
    }
  }

  private mutating func write(
    _ notification: AccessoryNotification, _ step: String, _ accessory: AccessoryEvent,
    _ event: Event, _ session: borrowing Session
  ) {
    notifications += 1
    let isShown = options.withTexts
    sink.begin(.notification)
    sink.text("capture", file.key)
    sink.number("notification", notifications)
    sink.number("event", events)
    sink.number("device", event.device.map { $0.index + 1 })
    sink.number("link", event.link.map { UInt32($0.index) + 1 })
    moment(event.time, session)
    sink.text("framing", accessory.framing)
    sink.text("step", step)
    sink.text("application", notification.identifier?.sourceIdentifier)
    sink.text(
      "category", notification.category.map { Names.of($0.id, "ancs.category") ?? "\($0.id)" })
    sink.text("title", isShown ? notification.title : nil)
    sink.text("subtitle", isShown ? notification.subtitle : nil)
    sink.text("body", isShown ? notification.body : nil)
    sink.number("body_size", notification.bodySize ?? notification.body?.utf8.count)
    sink.number("actions", notification.actions.count)
    sink.flag("silent", notification.alerting.shouldAlert.map { !$0 })
    sink.flag("important", notification.isImportant)
  }

  // MARK: The end

  /// What is to be sent to the process that writes.
  public mutating func takeFrames(
    all: Bool = false, _ session: borrowing Session
  ) throws -> [UInt8] {
    try sink.takeFrames(all: all, day: Self.day(of: session))
  }

  /// `2026-11-20`
  static func day(of session: borrowing Session) -> String? {
    guard let first = session.counts.firstTime, first.isDated else { return nil }
    var text = TextBuffer()
    text.dateTime(first)
    return String(text.string.prefix(10))
  }

  /// Writes all rows but those of events and packets.
  public mutating func finish(
    _ info: CaptureInfo, _ end: CaptureEnd, _ session: borrowing Session
  ) {
    capture(info, end, session)
    devices(session)
    links(session)
    channels(session)
    attributes(session)
    for (index, finding) in findings.sorted.enumerated() { write(finding, index + 1, session) }
  }
}
