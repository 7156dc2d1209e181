import HarkDissection

// Streams of LE Audio: PACS, ASCS.
extension LEAudioEvent {
  /// Codecs that the server can receive (sink) or send (source), with their capabilities. PACS 1.0.1, 3.1
  public struct Capabilities: Described {
    package let codecs: [LEAudioCodec]
    public let isSink: Bool
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.stream("audio-capabilities") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("direction", isSink ? "sink" : "source", .family)
      sink.objects("codecs", codecs) { $0.describe(to: &$1) }
      let list = codecs.isEmpty ? "no codec" : Names.few(codecs.map(\.words), separator: "; ")
      sink.statement(isLocal, event, session, "\(isSink ? "can receive" : "can send") \(list)")
    }
  }

  /// Requests of the client to endpoints. ASCS 1.0.1, 5
  public struct EndpointOperation: Described {
    public let opcode: UInt8
    package let operations: [LEAudioValue.EndpointOperation]
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.stream("ase-operation") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("operation", opcode, "operation_name", "ascs.opcode", .identity)
      sink.objects("endpoints", operations) { $0.describe(to: &$1) }
      let list =
        operations.isEmpty ? "no endpoint" : Names.few(operations.map(\.words), separator: "; ")
      sink.request(isLocal, event, session, code(opcode, "ascs.opcode"), " for \(list)")
    }
  }

  /// The endpoints that perform it.
  public struct Accepted: Described {
    public let opcode: UInt8
    public let endpoints: [UInt8]
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.stream("ase-accepted") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("operation", opcode, "operation_name", "ascs.opcode", .identity)
      sink.numbers("ases", endpoints)
      sink.statement(
        isLocal, event, session,
        """
        \(code(opcode, "ascs.opcode")) accepted for \
        \(endpoints.map { "ASE \($0)" }.joined(separator: ", "))
        """)
    }
  }

  /// An endpoint that does not perform it; 0 for the operation as a whole.
  public struct Refused: Described {
    public let opcode: UInt8
    public let endpoint: UInt8
    public let response: UInt8
    public let reason: UInt8
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.stream("ase-refused") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("operation", opcode, "operation_name", "ascs.opcode", .identity)
      sink.number("ase", endpoint)
      sink.code("response", response, "response_name", "ascs.response")
      sink.number("reason", reason, .viewpoint)
      sink.word("reason_name", reasonName, .viewpoint)
      let whose = endpoint == 0 ? "" : " of ASE \(endpoint)"
      let why = reason == 0 ? "" : " (\(reasonName ?? Names.hex(reason)))"
      sink.statement(
        isLocal, event, session,
        """
        \(code(opcode, "ascs.opcode"))\(whose) refused: \(code(response, "ascs.response"))\(why)
        """)
    }

    /// The meaning of a Reason depends on the response. ASCS 1.0.1, 5
    private var reasonName: String? {
      let fields = Catalog.shared.fields(at: "ascs.reason")
      let isAboutMetadata = LEAudioValue.EndpointResponse.isAboutMetadata(response)
      let field = isAboutMetadata ? fields.last : fields.first
      return field?.definition.name(of: UInt64(reason))
    }
  }

  /// The state of an endpoint.
  public struct EndpointState: Described {
    package let endpoint: AudioStreamEndpoint
    /// Nil for the first state in the capture.
    package let from: AudioStreamEndpoint.State?
    public let isForeseen: Bool
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.stream("ase-state") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      endpoint.describe(to: &sink)
      sink.code("from", from?.rawValue, "from_name", "ascs.state")
      sink.flag("foreseen", isForeseen)
      sink.statement(
        isLocal, event, session,
        "\(change)\(details)\(isForeseen ? "" : ": no transition that an ASE may make")")
    }

    private var change: String {
      let state = code(endpoint.state.rawValue, "ascs.state")
      guard let from, from != endpoint.state else { return "\(endpoint.name) is \(state)" }
      return "\(endpoint.name): \(code(from.rawValue, "ascs.state")) → \(state)"
    }

    private var details: String {
      switch endpoint.state {
      case .codecConfigured: return endpoint.codec.map { ", " + $0.words } ?? ""
      case .qosConfigured:
        guard from != .disabling, from != .streaming else { return "" }
        return endpoint.quality.map { ", " + $0.words } ?? ""
      case .enabling, .streaming, .disabling:
        let stream = endpoint.quality.map { ", CIG \($0.cig), CIS \($0.cis)" } ?? ""
        let contexts = endpoint.contexts.map { ", " + LEAudioEvent.words(contexts: $0) } ?? ""
        return stream + contexts
      case .idle, .releasing: return ""
      }
    }
  }

  /// The link ended before a stream did.
  public struct StreamEnded: Described {
    package let endpoint: AudioStreamEndpoint
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.stream("ase-ended") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      endpoint.describe(to: &sink)
      sink.statement(
        isLocal, event, session,
        "\(endpoint.name) was \(code(endpoint.state.rawValue, "ascs.state")) when the link closed")
    }
  }
}

// Common parts of the events.
extension LEAudioEvent {
  static func words(contexts: UInt16) -> String {
    contexts == 0
      ? "Prohibited"
      : Names.few(Names.flags(UInt32(contexts), "ascs.streamingContexts"), separator: " + ")
  }
}

extension EventSink {
  fileprivate mutating func contexts(_ contexts: UInt16?) {
    flags("contexts", contexts.map(UInt32.init), "ascs.streamingContexts")
  }
}

extension AudioStreamEndpoint {
  var name: String { "\(isSink ? "sink" : "source") ASE \(id)" }

  fileprivate func describe(to sink: inout some EventSink) {
    sink.number("ase", id)
    sink.word("direction", isSink ? "sink" : "source", .family)
    sink.code("state", state.rawValue, "state_name", "ascs.state")
    if let codec { sink.object("codec") { codec.describe(to: &$0) } }
    quality?.describe(to: &sink)
    sink.contexts(contexts)
  }
}

extension LEAudioValue.EndpointOperation {
  fileprivate func describe(to sink: inout some EventSink) {
    sink.number("ase", endpoint)
    if let codec { sink.object("codec") { codec.describe(to: &$0) } }
    quality?.describe(to: &sink)
    sink.contexts(contexts)
  }

  fileprivate var words: String {
    var text = "ASE \(endpoint)"
    if let codec { text += ": " + codec.words }
    if let quality { text += ": " + quality.words }
    if let contexts { text += ": " + LEAudioEvent.words(contexts: contexts) }
    return text
  }
}

extension LEAudioValue.Quality {
  fileprivate func describe(to sink: inout some EventSink) {
    sink.number("cig", cig)
    sink.number("cis", cis)
    sink.nanoseconds("sdu_interval", Int64(interval) * 1_000, .parameter)
    sink.flag("framed", isFramed)
    sink.number("phy", phy)
    sink.number("max_sdu", maxSDU)
    sink.number("retransmissions", retransmissions)
    sink.nanoseconds("max_transport_latency", Int64(latency) * 1_000_000, .parameter)
    sink.nanoseconds("presentation_delay", Int64(presentationDelay) * 1_000, .parameter)
  }

  /// `CIG 1, CIS 2, up to 120 octets every 10 ms, LE 2M, 13 retransmissions, latency ≤ 100 ms,
  /// presentation delay 40 ms`
  fileprivate var words: String {
    let phy = Names.flags(UInt32(self.phy), "ascs.phy").joined(separator: " + ")
    return "CIG \(cig), CIS \(cis), up to \(maxSDU) octets every "
      + Names.duration(Int64(interval) * 1_000) + (isFramed ? ", framed" : "")
      + (phy.isEmpty ? "" : ", \(phy)")
      + ", \(Names.count(Int(retransmissions), "retransmission"))"
      + ", latency ≤ \(latency) ms, presentation delay "
      + Names.duration(Int64(presentationDelay) * 1_000)
  }
}

extension LEAudioCodec {
  fileprivate func describe(to sink: inout some EventSink) {
    sink.number("coding_format", format)
    sink.word("codec", name)
    if format == Self.vendorSpecific {
      sink.number("company", company)
      sink.number("vendor_codec", vendorCodec)
    }
    if !samplingFrequencies.isEmpty {
      sink.words("sampling_frequencies", names(samplingFrequencies, "ascs.samplingFrequency"))
    }
    if !frameDurations.isEmpty {
      sink.words("frame_durations", names(frameDurations, "ascs.frameDuration"))
    }
    sink.number("octets_per_frame_min", octets?.lowerBound)
    sink.number("octets_per_frame_max", octets?.upperBound)
    sink.word("locations", locations.map(Self.words(locations:)))
  }

  private func names(_ codes: [UInt8], _ path: String) -> [String] {
    codes.map { Names.of($0, path) ?? "\($0)" }
  }

  /// `LC3 48 kHz, 10 ms, 120 octets, Front Left`
  fileprivate var words: String {
    var parts: [String] = []
    if !samplingFrequencies.isEmpty {
      parts.append(Self.words(samplingFrequencies, "ascs.samplingFrequency"))
    }
    if !frameDurations.isEmpty { parts.append(Self.words(frameDurations, "ascs.frameDuration")) }
    if let octets {
      parts.append(
        octets.count == 1
          ? Names.count(Int(octets.lowerBound), "octet")
          : "\(octets.lowerBound)–\(octets.upperBound) octets")
    }
    if let locations { parts.append(Self.words(locations: locations)) }
    return name + (parts.isEmpty ? "" : " " + parts.joined(separator: ", "))
  }

  private var name: String {
    guard format == Self.vendorSpecific else {
      return LEAudioEvent.code(format, "ascs.codingFormat")
    }
    return AssignedNumbers.codec(vendor: UInt32(company), codec: vendorCodec)
      ?? "codec \(Names.hex(vendorCodec)) of \(Names.company(company))"
  }

  /// `16/32/48 kHz`
  private static func words(_ codes: [UInt8], _ path: String) -> String {
    let texts = codes.map { LEAudioEvent.code($0, path).split(separator: " ", maxSplits: 1) }
    guard let unit = texts.first?.dropFirst().first,
      texts.allSatisfy({ $0.dropFirst().first == unit })
    else { return texts.map { $0.joined(separator: " ") }.joined(separator: "/") }
    return texts.map { String($0[0]) }.joined(separator: "/") + " \(unit)"
  }

  private static func words(locations: UInt32) -> String {
    locations == 0
      ? "Mono Audio"
      : Names.few(Names.flags(locations, "ascs.channelAllocation"), separator: " + ")
  }
}
