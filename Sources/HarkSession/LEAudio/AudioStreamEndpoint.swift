/// An audio stream endpoint (ASE), and the stream it is one end of. ASCS 1.0.1, 3 and 4.
public struct AudioStreamEndpoint: Equatable, Sendable {
  /// ASCS 1.0.1, 4.1, table 4.1.
  public enum State: UInt8, Sendable {
    case idle, codecConfigured, qosConfigured, enabling, streaming, disabling, releasing
  }

  public let id: UInt8
  /// Whether the server, which has it, takes audio; else it sends.
  public let isSink: Bool
  public internal(set) var state: State
  public internal(set) var codec: LEAudioCodec?
  public internal(set) var quality: Quality?
  /// The Streaming_Audio_Contexts of its metadata.
  public internal(set) var contexts: UInt16?

  /// What the stream is to keep to. ASCS 1.0.1, 5.2.
  public struct Quality: Equatable, Sendable {
    public let cig: UInt8
    public let cis: UInt8
    /// µs.
    public let interval: UInt32
    public let isFramed: Bool
    /// Bits: LE 1M, LE 2M, LE Coded.
    public let phy: UInt8
    public let maxSDU: UInt16
    public let retransmissions: UInt8
    /// ms.
    public let latency: UInt16
    /// µs.
    public let presentationDelay: UInt32

    init?(_ reader: inout ValueReader) {
      guard let cig = reader.u8(), let cis = reader.u8(), let interval = reader.number(3),
        let framing = reader.u8(), let phy = reader.u8(), let maxSDU = reader.u16(),
        let retransmissions = reader.u8(), let latency = reader.u16(),
        let delay = reader.number(3)
      else { return nil }
      (self.cig, self.cis, self.interval, isFramed) = (cig, cis, interval, framing == 1)
      (self.phy, self.maxSDU, self.retransmissions) = (phy, maxSDU, retransmissions)
      (self.latency, presentationDelay) = (latency, delay)
    }
  }

  /// The value of the characteristic; what it does not say is as it was.
  init?(_ value: [UInt8], isSink: Bool, after earlier: AudioStreamEndpoint?) {
    var reader = ValueReader(value)
    guard let id = reader.u8(), let state = reader.u8().flatMap(State.init) else { return nil }
    (self.id, self.isSink, self.state) = (id, isSink, state)
    if let earlier, earlier.id == id, state != .idle {
      (codec, quality, contexts) = (earlier.codec, earlier.quality, earlier.contexts)
    }
    switch state {
    case .codecConfigured:
      (quality, contexts) = (nil, nil)
      // Framing to Preferred_Presentation_Delay_Max.
      guard reader.take(17) != nil else { return nil }
      codec = LEAudioCodec(&reader)
      guard codec != nil, let list = reader.counted() else { return nil }
      codec?.configure(list)
    case .qosConfigured:
      guard let quality = Quality(&reader) else { return nil }
      self.quality = quality
      contexts = nil
    case .enabling, .streaming, .disabling:
      guard reader.take(2) != nil, let metadata = reader.counted() else { return nil }
      contexts = Self.contexts(metadata)
    case .idle, .releasing: break
    }
  }

  static func contexts(_ metadata: [UInt8]) -> UInt16? {
    var reader = ValueReader(ValueReader.structures(metadata)[2] ?? [])
    return reader.u16()
  }

  /// Whether an endpoint may go from `old` to its state. ASCS 1.0.1, 3.1 and 3.2.
  func mayFollow(_ old: State) -> Bool {
    switch (old, state) {
    case (.idle, .codecConfigured), (.codecConfigured, .codecConfigured),
      (.codecConfigured, .qosConfigured), (.qosConfigured, .codecConfigured),
      (.qosConfigured, .qosConfigured), (.qosConfigured, .enabling), (.enabling, .enabling),
      (.enabling, .streaming), (.streaming, .streaming), (.releasing, .idle),
      (.releasing, .codecConfigured):
      true
    case (.idle, .releasing), (.releasing, .releasing): false
    case (_, .releasing): true
    // A source waits in between until its stream has stopped.
    case (.enabling, .disabling), (.streaming, .disabling), (.disabling, .qosConfigured): !isSink
    // The loss of the CIS leads there as well.
    case (.enabling, .qosConfigured): isSink
    case (.streaming, .qosConfigured): true
    default: false
    }
  }
}
