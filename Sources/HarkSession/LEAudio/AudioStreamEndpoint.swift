import HarkDissection

/// An audio stream endpoint (ASE), and the stream it is one end of. ASCS 1.0.1, 3 and 4.
package struct AudioStreamEndpoint: Equatable, Sendable {
  package typealias State = LEAudioValue.State

  package let id: UInt8
  /// Whether the server, which has it, takes audio; otherwise it sends.
  package let isSink: Bool
  package let state: State
  package private(set) var codec: LEAudioCodec?
  package private(set) var quality: LEAudioValue.Quality?
  /// The Streaming_Audio_Contexts of its metadata.
  package private(set) var contexts: UInt16?

  /// What the value of the characteristic does not say is as it was.
  init(_ value: LEAudioValue.Endpoint, isSink: Bool, after earlier: AudioStreamEndpoint?) {
    (id, self.isSink, state) = (value.id, isSink, value.state)
    if let earlier, earlier.id == id, state != .idle {
      (codec, quality, contexts) = (earlier.codec, earlier.quality, earlier.contexts)
    }
    switch state {
    case .codecConfigured: (codec, quality, contexts) = (value.codec, nil, nil)
    case .qosConfigured: (quality, contexts) = (value.quality, nil)
    case .enabling, .streaming, .disabling: contexts = value.contexts
    case .idle, .releasing: break
    }
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
