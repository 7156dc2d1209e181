import HarkCore
import HarkSession

// The values of events of audio.
extension TimelineJSON {
  static func audio(_ event: AudioEvent, to json: inout JSONText) -> StaticString {
    switch event {
    case .endpoints(let endpoints, let isLocal):
      json.flag("local", isLocal)
      json.objects("endpoints", endpoints) { self.endpoint($0, to: &$1) }
      return "stream-endpoints"
    case .configured(let stream): return told(stream, "stream-configured", to: &json)
    case .reconfigured(let stream): return told(stream, "stream-reconfigured", to: &json)
    case .opened(let stream): return told(stream, "stream-opened", to: &json)
    case .started(let stream): return told(stream, "stream-started", to: &json)
    case .suspended(let stream): return ended(stream, "stream-suspended", to: &json)
    case .closed(let stream): return ended(stream, "stream-closed", to: &json)
    case .aborted(let stream): return ended(stream, "stream-aborted", to: &json)
    case .ended(let stream, let withCapture):
      json.flag("with_capture", withCapture)
      return ended(stream, "stream-ended", to: &json)
    case .delay(let stream):
      self.stream(stream, to: &json)
      json.seconds("delay", stream.delay.map { Int64($0) * 100_000 })
      return "stream-delay"
    case .recognized(let stream, let cid):
      self.stream(stream, to: &json)
      json.number("cid", cid)
      return "media-recognized"
    case .signalsRecognized(let cid):
      json.number("cid", cid)
      return "avdtp-recognized"
    case .gap(let stream, let lost):
      self.stream(stream, to: &json)
      json.number("lost", lost)
      return "media-gap"
    case .signalRejected(let signal, let category, let error):
      json.code("signal", signal, "signal_name", "avdtp.signal")
      json.code("category", category, "category_name", "avdtp.failedCategory")
      json.code("error", error, "error_name", "avdtp.error")
      return "signal-rejected"
    default: return remote(event, to: &json)
    }
  }

  private static func endpoint(_ endpoint: AudioEndpoint, to json: inout JSONText) {
    json.number("seid", endpoint.seid)
    json.string("type", endpoint.isSink ? "SNK" : "SRC")
    json.flag("in_use", endpoint.isInUse)
    if let codec = endpoint.codec { json.string("codec", EventText.name(codec)) }
  }

  private static func stream(_ stream: AudioStream, to json: inout JSONText) {
    json.number("local_seid", stream.seids.first)
    json.number("peer_seid", stream.seids.last)
    json.flag("source", stream.isSource)
    json.flag("content_protection", stream.isProtected)
    guard let codec = stream.codec else { return }
    json.string("codec", EventText.name(codec))
    json.string("configuration", EventText.codec(codec))
    json.number("sampling_frequency", codec.samplingFrequency)
    json.number("bit_rate", codec.bitRate)
  }

  private static func told(
    _ stream: AudioStream, _ kind: StaticString, to json: inout JSONText
  ) -> StaticString {
    self.stream(stream, to: &json)
    return kind
  }

  private static func ended(
    _ stream: AudioStream, _ kind: StaticString, to json: inout JSONText
  ) -> StaticString {
    self.stream(stream, to: &json)
    let account = stream.account
    json.number("packets", account.packets)
    json.number("bytes", account.bytes)
    json.number("lost", account.lost)
    json.number("duplicates", account.duplicates)
    json.number("late", account.late)
    json.number("malformed", account.malformed)
    json.seconds("duration", account.lastTime.since(account.firstTime))
    if account.packets > 0 { json.seconds("jitter", account.jitter) }
    return kind
  }

  // MARK: Remote control

  private static func remote(_ event: AudioEvent, to json: inout JSONText) -> StaticString {
    switch event {
    case .notifications(let events, let isLocal):
      json.flag("local", isLocal)
      json.array("events") { json in
        for event in events { json.element(Names.of(event, "avrcp.event") ?? Names.hex(event)) }
      }
      return "remote-notifications"
    case .track(let attributes):
      json.objects("attributes", attributes) { attribute, json in
        json.code("id", attribute.id, "name", "avrcp.attribute")
        json.string("value", attribute.text)
      }
      return "track"
    case .playStatus(let status, let position, let length):
      json.code("status", status, "status_name", "avrcp.playStatus")
      json.seconds("position", position.map { Int64($0) * 1_000_000 })
      json.seconds("length", length.map { Int64($0) * 1_000_000 })
      return "play-status"
    case .controlRecognized(let cid):
      json.number("cid", cid)
      return "avctp-recognized"
    case .position(let position):
      json.seconds("position", position.map { Int64($0) * 1_000_000 })
      return "play-position"
    case .volume(let volume, let isRequest):
      json.number("volume", volume)
      json.flag("requested", isRequest)
      return "volume"
    case .operation(let operation):
      json.code("operation", operation, "operation_name", "avrcp.operation")
      return "remote-operation"
    case .changed(let event):
      json.code("event", event, "event_name", "avrcp.event")
      return "remote-event"
    case .battery(let status):
      json.code("status", status, "status_name", "avrcp.battery")
      return "player-battery"
    case .system(let status):
      json.code("status", status, "status_name", "avrcp.systemStatus")
      return "player-system"
    case .settings(let settings):
      json.objects("settings", settings) { setting, json in
        json.code("attribute", setting.attribute, "name", "avrcp.setting")
        json.number("value", setting.value)
      }
      return "player-settings"
    case .addressedPlayer(let player):
      json.number("player", player)
      return "addressed-player"
    case .items(let pdu, let count):
      json.code("pdu", pdu, "pdu_name", "avrcp.pdu")
      json.number("items", count)
      return "player-items"
    case .remoteRejected(let pdu, let status):
      json.code("pdu", pdu, "pdu_name", "avrcp.pdu")
      json.code("status", status, "status_name", "avrcp.status")
      return "remote-rejected"
    default: return "unknown"
    }
  }
}
