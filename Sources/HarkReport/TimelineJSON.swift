import HarkCore
import HarkSession

/// Writes events as JSON, one object on a line. The form is described in docs/timeline-json.md.
public struct TimelineJSON: Sendable {
  public init() {}

  public func write(_ event: Event, _ session: borrowing Session, to out: inout TextBuffer) {
    var json = JSONText()
    let text = EventText.sentence(event, session)
    let start = session.counts.firstTime
    let link = event.link.map { session.links[Int($0.index)] }
    let device = event.device.map { session.devices[Int($0.index)] }
    json.object { json in
      json.recorded("time", event.time)
      json.seconds("time_relative", start.map { event.time.since($0) } ?? 0)
      if event.lag > 0 { json.seconds("lag", event.lag) }
      json.frames(event.frames.first, event.frames.last, count: event.frames.count)
      json.number("controller", event.controller)
      if let link { json.object("link") { $0.members(of: link) } }
      if let device { Self.device(device, to: &json) }
      json.string("lane", event.lane.rawValue)
      json.string("severity", event.severity.name)
      Self.content(event, session, to: &json)
      json.string("text", text)
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }

  /// What only this event says, as a JSON object: its `kind`, and the members that this has.
  package static func content(of event: Event, _ session: borrowing Session) -> TextBuffer {
    var json = JSONText()
    json.object { content(event, session, to: &$0) }
    return json.text
  }

  static func device(_ device: Device, to json: inout JSONText) {
    json.object("device") { json in
      json.string("label", device.label)
      json.members(of: device)
    }
  }

  /// `kind` names the case, as the documentation has it; the members after it are its values.
  static func content(
    _ event: Event, _ session: borrowing Session, to json: inout JSONText
  ) {
    let content = event.content
    let link = event.link.map { session.links[Int($0.index)] }
    var members = JSONText()
    let kind: StaticString
    if let described = content.described {
      var sink = EventJSON()
      described.describe(event, in: session, to: &sink)
      (kind, members) = (described.kind.name, sink.json)
    } else if case .accessory(let event) = content {
      kind = accessory(event, to: &members)
    } else if case .finding(let remark) = content {
      members.string("rule", remark.rule)
      members.string("title", remark.title)
      members.string("observed", remark.observed)
      members.string("expected", remark.expected)
      members.string("confidence", remark.confidence)
      kind = "finding"
    } else {
      kind =
        host(content, to: &members) ?? self.link(
          content, link, to: &members)
        ?? security(content, to: &members)
        ?? gatt(content, to: &members)
        ?? capture(content, to: &members)
    }
    json.string("kind", kind)
    if !members.text.isEmpty {
      json.text.byte(UInt8(ascii: ","))
      json.text.append(members.text.bytes)
    }
  }

  // MARK: Controllers

  private static func host(_ content: Event.Content, to json: inout JSONText) -> StaticString? {
    switch content {
    case .controllerFound(let name, let address):
      json.string("name", name)
      json.described("address", address)
      return "controller-found"
    case .controllerGone: return "controller-gone"
    case .controllerOpened: return "controller-opened"
    case .controllerClosed: return "controller-closed"
    case .controllerReset: return "controller-reset"
    case .controllerVersion(let version, let company):
      json.number("version", version)
      json.number("company", company)
      return "controller-version"
    case .commandFailed(let opcode, let status, let purpose):
      json.number("opcode", opcode)
      json.string("command", EventText.command(opcode))
      json.number("status", status)
      if let purpose { json.object("not_done") { self.purpose(purpose, to: &$0) } }
      return "command-failed"
    case .hardwareError(let code):
      json.number("code", code)
      return "hardware-error"
    case .bufferOverflow(let type):
      json.code("link_type", type, "link_type_name", "hci.evt.overflowLinkType")
      return "data-buffer-overflow"
    case .buffersExceeded(let used, let size, let isWriteCommand):
      json.number("used", used)
      json.number("size", size)
      json.flag("write_command", isWriteCommand)
      return "buffers-exceeded"
    case .inquiryStarted(let isPeriodic):
      json.flag("periodic", isPeriodic)
      return "inquiry-started"
    case .inquiryEnded(let devices, let responses, let isStopped, let status):
      json.number("devices", devices)
      json.number("responses", responses)
      json.flag("stopped", isStopped)
      json.number("status", status)
      return "inquiry-ended"
    case .advertisingRemoved(let sets):
      advertisingSets(sets, to: &json)
      return "advertising-removed"
    case .scanStarted: return "scan-started"
    case .scanStopped(let devices, let reports):
      json.number("devices", devices)
      json.number("reports", reports)
      return "scan-stopped"
    case .advertisingStarted(let sets, let solicited):
      advertisingSets(sets, to: &json)
      if let solicited {
        json.array("solicited") { json in for uuid in solicited { json.element(uuid.description) } }
      }
      return "advertising-started"
    case .advertisingStopped(let sets, let wasOn):
      advertisingSets(sets, to: &json)
      json.flag("was_on", wasOn)
      return "advertising-stopped"
    case .advertisingEnded(let set, let status, let events):
      advertisingSets(set.map { [$0] } ?? [], to: &json)
      json.number("status", status)
      json.number("events", events)
      return "advertising-ended"
    default: return nil
    }
  }

  private static func purpose(_ purpose: CommandPurpose, to json: inout JSONText) {
    json.string("purpose", purpose.kind.rawValue)
    advertisingSets(purpose.sets, to: &json)
    json.described("peer", purpose.peer)
    json.number("number", purpose.number)
  }

  private static func advertisingSets(_ sets: [UInt8], to json: inout JSONText) {
    guard !sets.isEmpty else { return }
    json.array("sets") { json in for set in sets { json.element(UInt32(set)) } }
  }

  // MARK: The capture itself

  private static func capture(_ content: Event.Content, to json: inout JSONText) -> StaticString {
    switch content {
    case .note(let source, let text):
      json.string("source", source)
      json.string("note", text)
      return "note"
    case .dropped(let count):
      json.number("count", count)
      return "packets-dropped"
    case .directionUnknown: return "direction-unknown"
    case .damage(let text):
      json.string("damage", text)
      return "damage"
    case .incompletePDU(let pdu):
      incomplete(pdu, to: &json)
      return "pdu-incomplete"
    case .unreadable(let name, let count):
      json.string("protocol", name)
      json.number("count", count)
      return "packets-unreadable"
    case .orphanFragment(let count):
      json.number("count", count)
      return "fragment-orphaned"
    case .outOfStep(let name, let count):
      json.string("protocol", name)
      json.number("count", count)
      return "stream-out-of-step"
    case .sliced(let count):
      json.number("missing", count)
      return "packets-sliced"
    default: return "unknown"
    }
  }
}

extension TimelineJSON {
  private static func incomplete(_ pdu: IncompletePDU, to json: inout JSONText) {
    json.number("missing", pdu.missing)
    json.number("present", pdu.have)
    if pdu.cut > 0 { json.number("cut", pdu.cut) }
    switch pdu.place {
    case .cid(let cid): json.number("cid", cid)
    case .channel(let channel): ends(channel, to: &json)
    case .stream(let stream): json.number("stream", stream.id.index + 1)
    case .attribute(let handle): json.number("handle", handle)
    case nil: break
    }
  }
}

extension Event.Severity {
  /// What JSON calls it.
  public var name: StaticString {
    switch self {
    case .info: "info"
    case .warning: "warning"
    case .error: "error"
    }
  }
}
