import HarkCore
import HarkDissection
import HarkSession

// Audio: AVDTP 1.3, A2DP 1.4, AVRCP 1.6.
extension EventText {
  static func audio(_ content: Event.Content) -> String {
    guard case .audio(let event) = content else { return "" }
    return switch event {
    case .endpoints(let endpoints, let isLocal): self.endpoints(endpoints, isLocal)
    case .configured(let stream): "stream configured: \(details(stream))"
    case .reconfigured(let stream): "stream reconfigured: \(details(stream))"
    case .opened(let stream): "stream opened: \(codec(stream.codec))"
    case .started(let stream): "stream started: \(codec(stream.codec))"
    case .suspended(let stream): "stream suspended: \(account(stream.account))"
    case .closed(let stream): "stream closed" + ending(stream)
    case .aborted(let stream): "stream aborted" + ending(stream)
    case .ended(let stream, withCapture: true):
      "the capture ends while a stream is \(stream.state.rawValue)" + ending(stream)
    case .ended(let stream, withCapture: false):
      "stream ended without being closed, \(stream.state.rawValue) until then" + ending(stream)
    case .delay(let stream):
      "sink reports a delay of \(Names.tenths(UInt64(stream.delay ?? 0))) ms"
    case .recognized(_, let cid):
      "media packets on CID \(Names.hex(cid)), recognised by their shape: "
        + "the signaling of the stream is not in the capture"
    case .signalsRecognized(let cid):
      "AVDTP on CID \(Names.hex(cid)), by the shape of its messages: the capture does not have "
        + "the channel's beginning"
    case .gap(_, let lost): "\(Names.count(lost, "media packet")) in a row missing"
    case .signalRejected(let signal, let category, let error):
      rejected(signal, category, error)
    default: remote(event)
    }
  }

  // MARK: Streams

  /// `stream end points of the peer: SNK SBC, SNK AAC (in use)`; those that are alike are counted.
  private static func endpoints(_ endpoints: [AudioEndpoint], _ isLocal: Bool) -> String {
    let whose = isLocal ? "this host" : "the peer"
    guard !endpoints.isEmpty else { return "\(whose) has no stream end points" }
    var texts: [(text: String, count: Int)] = []
    for endpoint in endpoints {
      let text =
        (endpoint.isSink ? "SNK" : "SRC") + (endpoint.codec.map { " " + name($0) } ?? "")
        + (endpoint.isInUse ? " (in use)" : "")
      if let index = texts.firstIndex(where: { $0.text == text }) {
        texts[index].count += 1
      } else {
        texts.append((text, 1))
      }
    }
    let list = texts.map { $0.count == 1 ? $0.text : "\($0.count) × \($0.text)" }
    return "stream end points of \(whose): \(list.joined(separator: ", "))"
  }

  /// `SBC 44.1 kHz joint stereo, bitpool 2–53, from this host, SCMS-T or another protection`
  private static func details(_ stream: AudioStream) -> String {
    var text = codec(stream.codec)
    if stream.isProtected { text += ", content protection" }
    if let isSource = stream.isSource { text += isSource ? ", from this host" : ", to this host" }
    return text
  }

  /// `AAC 44.1 kHz stereo, VBR ≤ 256 kbit/s`
  static func codec(_ codec: AudioCodec?) -> String {
    guard let codec else { return "codec not known" }
    var text = name(codec)
    if let frequency = codec.samplingFrequency { text += " " + kilohertz(frequency) }
    if let channels = codec.channels { text += " " + self.channels(channels) }
    if let bitpool = codec.bitpool {
      text += ", bitpool \(bitpool.lowerBound)–\(bitpool.upperBound)"
    }
    if let rate = codec.bitRate, rate > 0 {
      text += codec.isVariable ? ", VBR ≤ " : ", "
      text += rate % 1_000 == 0 ? "\(rate / 1_000) kbit/s" : "\(rate) bit/s"
    }
    return text
  }

  static func name(_ codec: AudioCodec) -> String {
    switch codec.type {
    case 0x02: return "AAC"
    case 0x04: return "ATRAC"
    case 0xFF:
      guard let vendor = codec.vendor, let number = codec.vendorCodec else { break }
      return AssignedNumbers.codec(vendor: vendor, codec: number)
        ?? "codec \(Names.hex(number)) of "
        + (AssignedNumbers.company(UInt16(truncatingIfNeeded: vendor)) ?? "vendor \(vendor)")
    default: break
    }
    return Names.of(codec.type, "avdtp.codecType") ?? "codec \(Names.hex(codec.type))"
  }

  /// `44.1 kHz`
  private static func kilohertz(_ frequency: UInt32) -> String {
    let (whole, rest) = frequency.quotientAndRemainder(dividingBy: 1_000)
    guard rest > 0 else { return "\(whole) kHz" }
    var digits = "\(rest + 1_000)".dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits) kHz"
  }

  private static func channels(_ channels: AudioCodec.Channels) -> String {
    switch channels {
    case .mono: "mono"
    case .dual: "dual channel"
    case .stereo: "stereo"
    case .jointStereo: "joint stereo"
    case .surround51: "5.1"
    case .surround71: "7.1"
    }
  }

  private static func ending(_ stream: AudioStream) -> String {
    stream.account.packets > 0 && stream.state == .streaming
      ? ": \(account(stream.account))" : ""
  }

  /// `2,113 media packets in 31.2 s, 1 lost, jitter 1.2 ms`
  private static func account(_ account: MediaAccount) -> String {
    guard account.packets > 0 else { return "no media packets in the capture" }
    var parts = [
      "\(Names.count(account.packets, "media packet")) in "
        + Names.duration(account.lastTime.since(account.firstTime)),
      "\(Names.count(account.lost)) lost",
    ]
    if account.duplicates > 0 { parts.append("\(Names.count(account.duplicates, "duplicate"))") }
    if account.late > 0 { parts.append("\(Names.count(account.late)) late") }
    if account.malformed > 0 { parts.append("\(Names.count(account.malformed)) malformed") }
    if let jitter = account.jitter { parts.append("jitter \(Names.duration(jitter))") }
    return parts.joined(separator: ", ")
  }

  private static func rejected(_ signal: UInt8, _ category: UInt8?, _ error: UInt8?) -> String {
    let signal = Names.of(signal, "avdtp.signal") ?? "signal \(Names.hex(signal))"
    guard let error else { return "\(signal) is not known to who received it" }
    let name = Names.of(error, "avdtp.error") ?? "error \(Names.hex(error))"
    let what = category.flatMap { $0 == 0 ? nil : Names.of($0, "avdtp.failedCategory") }
    return "\(signal) rejected: \(name)" + (what.map { " (\($0))" } ?? "")
  }

  // MARK: Remote control

  private static func remote(_ event: AudioEvent) -> String {
    switch event {
    case .controlRecognized(let cid):
      "AVCTP on CID \(Names.hex(cid)), by the shape of its messages: the capture does not have "
        + "the channel's beginning"
    case .position(let position):
      position.map { "position \(clock($0))" } ?? "position: nothing is selected"
    case .notifications(let events, let isLocal):
      "\(isLocal ? "this host" : "peer") can notify of "
        + few(events.map(self.event))
    case .track(let attributes): track(attributes)
    case .playStatus(let status, let position, let length):
      "play status \(Names.of(status, "avrcp.playStatus") ?? Names.hex(status))"
        + (position.map { " at \(clock($0))" } ?? "") + (length.map { " of \(clock($0))" } ?? "")
    case .volume(let volume, let isRequest):
      "volume \(isRequest ? "set to " : "")\(percent(volume))"
    case .operation(let operation):
      "\(Names.of(operation, "avrcp.operation") ?? "operation \(Names.hex(operation))") pressed"
    case .changed(let event): "\(self.event(event)) notified"
    case .battery(let status):
      "battery of the player: \(Names.of(status, "avrcp.battery") ?? "\(status)")"
    case .system(let status):
      "system of the player: \(Names.of(status, "avrcp.systemStatus") ?? "\(status)")"
    case .settings(let settings): settings.map(setting).joined(separator: ", ")
    case .addressedPlayer(let player): "addressed player \(Names.hex(player))"
    case .items(let pdu, let count): "\(self.pdu(pdu)): \(Names.count(count, "item"))"
    case .remoteRejected(let pdu, let status):
      "\(self.pdu(pdu)) rejected: "
        + (Names.of(status, "avrcp.status") ?? "status \(Names.hex(status))")
    default: ""
    }
  }

  private static func pdu(_ pdu: UInt8) -> String {
    Names.of(pdu, "avrcp.pdu") ?? "PDU \(Names.hex(pdu))"
  }

  private static func event(_ event: UInt8) -> String {
    Names.of(event, "avrcp.event") ?? "event \(Names.hex(event))"
  }

  /// `“Title” by Artist, Album Name Album, Track Number 3`
  private static func track(_ attributes: [AudioEvent.Attribute]) -> String {
    let texts = attributes.map { attribute in
      switch attribute.id {
      case 1: "“\(attribute.text)”"
      case 2: "by \(attribute.text)"
      case 7: "Playing Time \(UInt32(attribute.text).map(clock) ?? attribute.text)"
      default:
        "\(Names.of(attribute.id, "avrcp.attribute") ?? "attribute \(attribute.id)") "
          + attribute.text
      }
    }
    return "track: " + texts.joined(separator: ", ")
  }

  /// `3:05`; `ms` are milliseconds.
  private static func clock(_ ms: UInt32) -> String {
    let seconds = ms / 1_000
    return "\(seconds / 60):\("\(seconds % 60 + 100)".dropFirst())"
  }

  /// Of 127. 6.13.1
  private static func percent(_ volume: UInt8) -> String {
    "\((Int(volume) * 200 + 127) / 254) % (\(volume))"
  }

  private static func setting(_ setting: AudioEvent.Setting) -> String {
    let name =
      Names.of(setting.attribute, "avrcp.setting") ?? "setting \(Names.hex(setting.attribute))"
    return "\(name): \(value(setting) ?? Names.hex(setting.value))"
  }

  /// What a value is called depends on its attribute: the fields of the path are in their order.
  private static func value(_ setting: AudioEvent.Setting) -> String? {
    let fields = Catalog.shared.fields(at: "avrcp.settingValue")
    guard 1...4 ~= setting.attribute, Int(setting.attribute) <= fields.count else { return nil }
    return fields[Int(setting.attribute) - 1].definition.name(of: UInt64(setting.value))
  }
}
