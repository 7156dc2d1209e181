import HarkCore
import HarkSession

// The values of events of LE Audio.
extension TimelineJSON {
  static func leAudio(_ event: LEAudioEvent, to json: inout JSONText) -> StaticString {
    switch event {
    case .capabilities(let codecs, let isSink):
      json.string("direction", isSink ? "sink" : "source")
      json.objects("codecs", codecs) { codec($0, to: &$1) }
      return "audio-capabilities"
    case .operation(let opcode, let operations):
      json.code("operation", opcode, "operation_name", "ascs.opcode")
      json.objects("endpoints", operations) { operation, json in
        json.number("ase", operation.endpoint)
        if let codec = operation.codec { json.object("codec") { self.codec(codec, to: &$0) } }
        if let quality = operation.quality { self.quality(quality, to: &json) }
        contexts(operation.contexts, to: &json)
      }
      return "ase-operation"
    case .accepted(let opcode, let endpoints):
      json.code("operation", opcode, "operation_name", "ascs.opcode")
      json.array("ases") { for endpoint in endpoints { $0.element(UInt32(endpoint)) } }
      return "ase-accepted"
    case .refused(let opcode, let endpoint, let response, let reason):
      json.code("operation", opcode, "operation_name", "ascs.opcode")
      json.number("ase", endpoint)
      json.code("response", response, "response_name", "ascs.response")
      json.number("reason", reason)
      json.string("reason_name", EventText.leAudioReason(reason, of: response))
      return "ase-refused"
    case .endpoint(let endpoint, let from, let isForeseen):
      self.endpoint(endpoint, to: &json)
      json.code("from", from?.rawValue, "from_name", "ascs.state")
      json.flag("foreseen", isForeseen)
      return "ase-state"
    case .streamEnded(let endpoint):
      self.endpoint(endpoint, to: &json)
      return "ase-ended"
    case .setKey(let key, let isEncrypted):
      json.described("fingerprint", key)
      json.flag("encrypted", isEncrypted)
      return "set-identity-resolving-key"
    case .keyMaterial(let type, let key):
      json.described("uuid", type)
      json.described("fingerprint", key)
      return "key-material"
    default: return control(event, to: &json)
    }
  }

  private static func endpoint(_ endpoint: AudioStreamEndpoint, to json: inout JSONText) {
    json.number("ase", endpoint.id)
    json.string("direction", endpoint.isSink ? "sink" : "source")
    json.code("state", endpoint.state.rawValue, "state_name", "ascs.state")
    if let codec = endpoint.codec { json.object("codec") { self.codec(codec, to: &$0) } }
    if let quality = endpoint.quality { self.quality(quality, to: &json) }
    contexts(endpoint.contexts, to: &json)
  }

  private static func codec(_ codec: LEAudioCodec, to json: inout JSONText) {
    json.number("coding_format", codec.format)
    json.string("codec", EventText.format(codec))
    if codec.format == 0xFF {
      json.number("company", codec.company)
      json.number("vendor_codec", codec.vendorCodec)
    }
    names(codec.samplingFrequencies, "sampling_frequencies", "ascs.samplingFrequency", to: &json)
    names(codec.frameDurations, "frame_durations", "ascs.frameDuration", to: &json)
    json.number("octets_per_frame_min", codec.octets?.lowerBound)
    json.number("octets_per_frame_max", codec.octets?.upperBound)
    if let locations = codec.locations {
      json.string("locations", EventText.leAudioLocations(locations))
    }
  }

  private static func names(
    _ codes: [UInt8], _ member: StaticString, _ path: String, to json: inout JSONText
  ) {
    guard !codes.isEmpty else { return }
    json.array(member) { json in
      for code in codes { json.element(Names.of(code, path) ?? "\(code)") }
    }
  }

  private static func contexts(_ contexts: UInt16?, to json: inout JSONText) {
    guard let contexts else { return }
    json.array("contexts") { json in
      for name in EventText.flags(UInt32(contexts), "ascs.streamingContexts") {
        json.element(name)
      }
    }
  }

  private static func quality(
    _ quality: AudioStreamEndpoint.Quality, to json: inout JSONText
  ) {
    json.number("cig", quality.cig)
    json.number("cis", quality.cis)
    json.seconds("sdu_interval", Int64(quality.interval) * 1_000)
    json.flag("framed", quality.isFramed)
    json.number("phy", quality.phy)
    json.number("max_sdu", quality.maxSDU)
    json.number("retransmissions", quality.retransmissions)
    json.seconds("max_transport_latency", Int64(quality.latency) * 1_000_000)
    json.seconds("presentation_delay", Int64(quality.presentationDelay) * 1_000)
  }

  // MARK: Control

  private static func control(_ event: LEAudioEvent, to json: inout JSONText) -> StaticString {
    switch event {
    case .broadcastOperation(let opcode, let source, let broadcast):
      json.code("operation", opcode, "operation_name", "bass.opcode")
      json.number("source", source)
      json.number("broadcast", broadcast)
      return "broadcast-operation"
    case .broadcastSource(let source):
      json.number("source", source.id)
      json.number("broadcast", source.broadcast)
      json.code("state", source.synchronization, "state_name", "bass.state")
      json.code("encryption", source.encryption, "encryption_name", "bass.encryption")
      json.array("streams") { for streams in source.streams { $0.element(streams) } }
      return "broadcast-source"
    case .volumeOperation(let opcode, let setting):
      json.code("operation", opcode, "operation_name", "volume.opcode")
      json.number("setting", setting)
      return "volume-operation"
    case .volume(let setting, let mute):
      json.number("setting", setting)
      json.code("mute", mute, "mute_name", "volume.mute")
      return "volume-state"
    case .microphone(let mute):
      json.code("mute", mute, "mute_name", "volume.mute")
      return "microphone"
    case .mediaOperation(let opcode):
      json.code("operation", opcode, "operation_name", "mcs.opcode")
      return "media-operation"
    case .mediaResult(let opcode, let result):
      json.code("operation", opcode, "operation_name", "mcs.opcode")
      json.code("result", result, "result_name", "mcs.result")
      return "media-result"
    case .mediaState(let state):
      json.code("state", state, "state_name", "mcs.state")
      return "media-state"
    case .trackTitle(let title):
      json.string("title", title)
      return "track-title"
    default: return call(event, to: &json)
    }
  }

  private static func call(_ event: LEAudioEvent, to json: inout JSONText) -> StaticString {
    switch event {
    case .callOperation(let opcode, let calls, let uri):
      json.code("operation", opcode, "operation_name", "tbs.opcode")
      json.array("calls") { for call in calls { $0.element(UInt32(call)) } }
      json.string("uri", uri)
      return "call-operation"
    case .callResult(let opcode, let call, let result):
      json.code("operation", opcode, "operation_name", "tbs.opcode")
      json.number("call", call)
      json.code("result", result, "result_name", "tbs.result")
      return "call-result"
    case .calls(let calls):
      json.objects("calls", calls) { call, json in
        json.number("call", call.index)
        json.code("state", call.state, "state_name", "tbs.state")
        json.number("flags", call.flags)
      }
      return "call-states"
    case .callEnded(let call, let reason):
      json.number("call", call)
      json.code("reason", reason, "reason_name", "tbs.reason")
      return "call-terminated"
    case .incomingCall(let call, let uri):
      json.number("call", call)
      json.string("uri", uri)
      return "call-incoming"
    default: return "unknown"
    }
  }
}
