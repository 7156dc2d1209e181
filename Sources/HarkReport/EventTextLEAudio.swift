import HarkCore
import HarkDissection
import HarkSession

// LE Audio: streams (ASCS), broadcasts (BASS), volume (VCS), media (MCS), calls (TBS).
extension EventText {
  static func leAudio(_ event: LEAudioEvent) -> String {
    switch event {
    case .capabilities(let codecs, let isSink):
      let list = codecs.isEmpty ? "no codec" : few(codecs.map { codec($0) }, separator: "; ")
      return "\(isSink ? "can take" : "can send") \(list)"
    case .operation(let opcode, let operations):
      return "\(code(opcode, "ascs.opcode")) asked of "
        + (operations.isEmpty
          ? "no endpoint" : few(operations.map(operation), separator: "; "))
    case .accepted(let opcode, let endpoints):
      return "\(code(opcode, "ascs.opcode")) accepted for "
        + endpoints.map { "ASE \($0)" }.joined(separator: ", ")
    case .refused(let opcode, let endpoint, let response, let reason):
      return refused(opcode, endpoint, response, reason)
    case .endpoint(let endpoint, let from, let isForeseen):
      return self.endpoint(endpoint, from, isForeseen)
    case .streamEnded(let endpoint):
      return "stream of \(name(endpoint)) ended with the link, "
        + "\(code(endpoint.state.rawValue, "ascs.state")) until then"
    case .setKey(let key, let isEncrypted):
      return "belongs to the coordinated set with the \(isEncrypted ? "encrypted " : "")SIRK \(key)"
    case .keyMaterial(let type, let key): return "\(Names.attributeType(type)) \(key)"
    default: return control(event)
    }
  }

  // MARK: Streams

  private static func name(_ endpoint: AudioStreamEndpoint) -> String {
    "\(endpoint.isSink ? "sink" : "source") ASE \(endpoint.id)"
  }

  private static func endpoint(
    _ endpoint: AudioStreamEndpoint, _ from: AudioStreamEndpoint.State?, _ isForeseen: Bool
  ) -> String {
    let state = code(endpoint.state.rawValue, "ascs.state")
    var text = "\(name(endpoint)) is \(state)"
    if let from, from != endpoint.state {
      text = "\(name(endpoint)): \(code(from.rawValue, "ascs.state")) → \(state)"
    }
    switch endpoint.state {
    case .codecConfigured: if let codec = endpoint.codec { text += ", " + self.codec(codec) }
    case .qosConfigured:
      if from != .disabling, from != .streaming, let quality = endpoint.quality {
        text += ", " + self.quality(quality)
      }
    case .enabling, .streaming, .disabling:
      if let quality = endpoint.quality { text += ", CIG \(quality.cig), CIS \(quality.cis)" }
      if let contexts = endpoint.contexts { text += ", " + self.contexts(contexts) }
    case .idle, .releasing: break
    }
    return text + (isForeseen ? "" : ": no transition that an ASE may make")
  }

  private static func operation(_ operation: LEAudioEvent.Operation) -> String {
    var text = "ASE \(operation.endpoint)"
    if let codec = operation.codec { text += ": " + self.codec(codec) }
    if let quality = operation.quality { text += ": " + self.quality(quality) }
    if let contexts = operation.contexts { text += ": " + self.contexts(contexts) }
    return text
  }

  private static func refused(
    _ opcode: UInt8, _ endpoint: UInt8, _ response: UInt8, _ reason: UInt8
  ) -> String {
    // Of ASE 0 are answers to an operation as a whole.
    let whose = endpoint == 0 ? "" : " of ASE \(endpoint)"
    let text = "\(code(opcode, "ascs.opcode"))\(whose) refused: \(code(response, "ascs.response"))"
    guard reason != 0 else { return text }
    return text + " (\(leAudioReason(reason, of: response) ?? Names.hex(reason)))"
  }

  /// What a Reason stands for depends on the response. ASCS 1.0.1, 5.
  static func leAudioReason(_ reason: UInt8, of response: UInt8) -> String? {
    let fields = Catalog.shared.fields(at: "ascs.reason")
    let isMetadata = 0x0A...0x0C ~= response
    guard let field = isMetadata ? fields.last : fields.first else { return nil }
    return field.definition.name(of: UInt64(reason))
  }

  /// `LC3 48 kHz, 10 ms, 120 octets, Front Left`
  static func codec(_ codec: LEAudioCodec) -> String {
    var parts: [String] = []
    if !codec.samplingFrequencies.isEmpty {
      parts.append(names(codec.samplingFrequencies, "ascs.samplingFrequency"))
    }
    if !codec.frameDurations.isEmpty {
      parts.append(names(codec.frameDurations, "ascs.frameDuration"))
    }
    if let octets = codec.octets {
      parts.append(
        octets.count == 1
          ? Names.count(Int(octets.lowerBound), "octet")
          : "\(octets.lowerBound)–\(octets.upperBound) octets")
    }
    if let locations = codec.locations { parts.append(leAudioLocations(locations)) }
    return format(codec) + (parts.isEmpty ? "" : " " + parts.joined(separator: ", "))
  }

  static func format(_ codec: LEAudioCodec) -> String {
    guard codec.format == 0xFF else { return code(codec.format, "ascs.codingFormat") }
    return AssignedNumbers.codec(vendor: UInt32(codec.company), codec: codec.vendorCodec)
      ?? "codec \(Names.hex(codec.vendorCodec)) of \(Names.company(codec.company))"
  }

  /// `16/32/48 kHz`
  private static func names(_ codes: [UInt8], _ path: String) -> String {
    let texts = codes.map { code($0, path).split(separator: " ", maxSplits: 1) }
    guard let unit = texts.first?.dropFirst().first,
      texts.allSatisfy({ $0.dropFirst().first == unit })
    else { return texts.map { $0.joined(separator: " ") }.joined(separator: "/") }
    return texts.map { String($0[0]) }.joined(separator: "/") + " \(unit)"
  }

  static func leAudioLocations(_ locations: UInt32) -> String {
    locations == 0
      ? "Mono Audio" : few(flags(locations, "ascs.channelAllocation"), separator: " + ")
  }

  static func contexts(_ contexts: UInt16) -> String {
    contexts == 0
      ? "Prohibited" : few(flags(UInt32(contexts), "ascs.streamingContexts"), separator: " + ")
  }

  /// `CIG 1, CIS 2, up to 120 octets every 10 ms, LE 2M, 13 retransmissions, latency ≤ 100 ms,
  /// presentation delay 40 ms`
  private static func quality(_ quality: AudioStreamEndpoint.Quality) -> String {
    let phy = flags(UInt32(quality.phy), "ascs.phy").joined(separator: " + ")
    return "CIG \(quality.cig), CIS \(quality.cis), up to \(quality.maxSDU) octets every "
      + Names.duration(Int64(quality.interval) * 1_000) + (quality.isFramed ? ", framed" : "")
      + (phy.isEmpty ? "" : ", \(phy)")
      + ", \(Names.count(Int(quality.retransmissions), "retransmission"))"
      + ", latency ≤ \(quality.latency) ms, presentation delay "
      + Names.duration(Int64(quality.presentationDelay) * 1_000)
  }

  // MARK: Control

  private static func control(_ event: LEAudioEvent) -> String {
    switch event {
    case .broadcastOperation(let opcode, let source, let broadcast):
      return code(opcode, "bass.opcode") + " asked" + (source.map { ", source \($0)" } ?? "")
        + (broadcast.map { ", broadcast \(hex24($0))" } ?? "")
    case .broadcastSource(let source):
      return "broadcast source \(source.id), broadcast \(hex24(source.broadcast)): "
        + code(source.synchronization, "bass.state") + ", "
        + code(source.encryption, "bass.encryption")
        + (source.streams.contains { $0 != 0 } ? ", \(streams(source.streams))" : "")
    case .volumeOperation(let opcode, let setting):
      let name = Catalog.shared.fields(at: "volume.opcode").first
      return "\(name?.definition.name(of: UInt64(opcode)) ?? Names.hex(opcode)) asked"
        + (setting.map { ": \(volume($0))" } ?? "")
    case .volume(let setting, let mute):
      return "volume \(volume(setting))" + (mute == 0 ? "" : ", \(code(mute, "volume.mute"))")
    case .microphone(let mute): return "microphone: \(code(mute, "volume.mute"))"
    case .mediaOperation(let opcode): return "\(code(opcode, "mcs.opcode")) asked of the player"
    case .mediaResult(let opcode, let result):
      return "\(code(opcode, "mcs.opcode")): \(code(result, "mcs.result"))"
    case .mediaState(let state): return "player is \(code(state, "mcs.state"))"
    case .trackTitle(let title): return title.isEmpty ? "no track" : "track “\(title)”"
    case .callOperation(let opcode, let calls, let uri):
      return "\(code(opcode, "tbs.opcode")) asked"
        + (calls.isEmpty ? "" : ", call \(calls.map { "\($0)" }.joined(separator: ", "))")
        + (uri.map { " to \($0)" } ?? "")
    case .callResult(let opcode, let call, let result):
      return "\(code(opcode, "tbs.opcode")), call \(call): \(code(result, "tbs.result"))"
    case .calls(let calls):
      return calls.isEmpty
        ? "no call" : few(calls.map { "call \($0.index) \(code($0.state, "tbs.state"))" })
    case .callEnded(let call, let reason):
      return "call \(call) ended: \(code(reason, "tbs.reason"))"
    case .incomingCall(let call, let uri): return "call \(call) comes in from \(uri)"
    default: return ""
    }
  }

  /// `BIS 1, 2`; bit n stands for the BIS_index n + 1.
  private static func streams(_ groups: [UInt32]) -> String {
    let bits = groups.reduce(0) { $1 == .max ? $0 : $0 | $1 }
    if bits == 0 { return "no BIS" }
    return "BIS "
      + (0..<UInt32(32)).filter { bits >> $0 & 1 == 1 }.map { "\($0 + 1)" }
      .joined(separator: ", ")
  }

  /// Of 255. VCS 1.0, 2.3.1
  private static func volume(_ setting: UInt8) -> String {
    "\((Int(setting) * 200 + 255) / 510) % (\(setting))"
  }

  private static func hex24(_ value: UInt32) -> String {
    "0x" + Hex.text([16, 8, 0].map { UInt8(value >> $0 & 0xFF) })
  }

  private static func code(_ code: UInt8, _ path: String) -> String {
    Names.of(code, path) ?? Names.hex(code)
  }
}

extension LEAudioEvent {
  var isCall: Bool {
    switch self {
    case .callOperation, .callResult, .calls, .callEnded, .incomingCall: true
    default: false
    }
  }
}
