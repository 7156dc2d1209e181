import HarkDissection

// Streams of audio: AVDTP 1.3, A2DP 1.4.
extension AudioEvent {
  /// The stream endpoints of this host or of the peer, as far as discovery showed them.
  public struct Endpoints: Described {
    public let endpoints: [AudioEndpoint]
    public let isLocal: Bool

    public var kind: EventKind { AudioEvent.kind("stream-endpoints") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("local", isLocal, .identity)
      sink.objects("endpoints", endpoints) { endpoint, sink in
        sink.number("seid", endpoint.seid)
        sink.word("type", endpoint.type)
        sink.flag("in_use", endpoint.isInUse)
        sink.word("codec", endpoint.codec?.name)
      }
      sink.sentence("\(words)")
    }

    /// `stream endpoints of the peer: SNK SBC, SNK AAC (in use)`; equal ones are counted.
    private var words: String {
      let whose = isLocal ? "this host" : "the peer"
      guard !endpoints.isEmpty else { return "\(whose) has no stream endpoints" }
      var texts: [(text: String, count: Int)] = []
      for text in endpoints.map(\.words) {
        if let index = texts.firstIndex(where: { $0.text == text }) {
          texts[index].count += 1
        } else {
          texts.append((text, 1))
        }
      }
      let list = texts.map { $0.count == 1 ? $0.text : "\($0.count) × \($0.text)" }
      return "stream endpoints of \(whose): \(list.joined(separator: ", "))"
    }
  }

  public struct Configured: Described {
    public let stream: AudioStream

    public var kind: EventKind { AudioEvent.kind("stream-configured") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      stream.describe(to: &sink)
      sink.sentence("stream configured: \(stream.words)")
    }
  }

  public struct Reconfigured: Described {
    public let stream: AudioStream

    public var kind: EventKind { AudioEvent.kind("stream-reconfigured") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      stream.describe(to: &sink)
      sink.sentence("stream reconfigured: \(stream.words)")
    }
  }

  public struct Opened: Described {
    public let stream: AudioStream

    public var kind: EventKind { AudioEvent.kind("stream-opened") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      stream.describe(to: &sink)
      sink.sentence("stream opened: \(stream.codecWords)")
    }
  }

  public struct Started: Described {
    public let stream: AudioStream

    public var kind: EventKind { AudioEvent.kind("stream-started") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      stream.describe(to: &sink)
      sink.sentence("stream started: \(stream.codecWords)")
    }
  }

  public struct Suspended: Described {
    public let stream: AudioStream

    public var kind: EventKind { AudioEvent.kind("stream-suspended") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      stream.describe(to: &sink)
      stream.account.describe(to: &sink)
      sink.sentence("stream suspended: \(stream.account.words)")
    }
  }

  public struct Closed: Described {
    public let stream: AudioStream

    public var kind: EventKind { AudioEvent.kind("stream-closed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      stream.describe(to: &sink)
      stream.account.describe(to: &sink)
      sink.sentence("stream closed\(stream.accountWords)")
    }
  }

  public struct Aborted: Described {
    public let stream: AudioStream

    public var kind: EventKind { AudioEvent.kind("stream-aborted") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      stream.describe(to: &sink)
      stream.account.describe(to: &sink)
      sink.sentence("stream aborted\(stream.accountWords)")
    }
  }

  /// The channel of a stream, its link or the capture ended before the stream was closed.
  public struct Ended: Described {
    public let stream: AudioStream
    public let withCapture: Bool

    public var kind: EventKind { AudioEvent.kind("stream-ended") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("with_capture", withCapture)
      stream.describe(to: &sink)
      stream.account.describe(to: &sink)
      let state = stream.state.rawValue
      let end =
        withCapture
        ? "the capture ends while a stream is \(state)"
        : "stream ended without a close while it was \(state)"
      sink.sentence("\(end)\(stream.accountWords)")
    }
  }

  /// The sink reports its delay.
  public struct Delay: Described {
    public let stream: AudioStream

    public var kind: EventKind { AudioEvent.kind("stream-delay") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      stream.describe(to: &sink)
      sink.nanoseconds("delay", stream.delay.map { Int64($0) * 100_000 }, .parameter)
      sink.sentence("sink reports a delay of \(Names.tenths(UInt64(stream.delay ?? 0))) ms")
    }
  }

  /// Media on a channel whose signaling is not in the capture, recognized by their form.
  public struct Recognized: Described {
    public let stream: AudioStream
    public let cid: UInt16

    public var kind: EventKind { AudioEvent.kind("media-recognized") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      stream.describe(to: &sink)
      sink.number("cid", cid, .incidental)
      sink.sentence(
        """
        media packets on CID \(Names.hex(cid)), recognized by their form: the signaling of the \
        stream is not in the capture
        """)
    }
  }

  /// Signals on a channel whose beginning is not in the capture, recognized by a command and its response.
  public struct SignalsRecognized: Described {
    public let cid: UInt16

    public var kind: EventKind { AudioEvent.kind("avdtp-recognized") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("cid", cid, .incidental)
      sink.sentence(
        """
        AVDTP on CID \(Names.hex(cid)), recognized by the form of its messages: the capture \
        does not contain the opening of the channel
        """)
    }
  }

  /// Consecutive media packets that are missing.
  public struct Gap: Described {
    public let stream: AudioStream
    public let lost: Int

    public var kind: EventKind { AudioEvent.kind("media-gap") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      stream.describe(to: &sink)
      sink.number("lost", lost)
      sink.sentence("\(Names.count(lost, "media packet")) in a row missing")
    }
  }

  public struct SignalRejected: Described {
    public let signal: UInt8
    public let category: UInt8?
    /// Nil if the receiver does not know the signal.
    public let error: UInt8?
    /// Whether both sides configured a stream at once: that of the side that rejects may remain.
    public var isCollision = false

    public var kind: EventKind { AudioEvent.kind("signal-rejected") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("signal", signal, .incidental)
      sink.word("signal_name", Names.of(signal, "avdtp.signal"), .identity)
      sink.code("category", category, "category_name", "avdtp.failedCategory")
      sink.code("error", error, "error_name", "avdtp.error")
      sink.sentence("\(words)")
    }

    private var words: String {
      let signal = Names.of(self.signal, "avdtp.signal") ?? "signal \(Names.hex(self.signal))"
      guard let error else { return "\(signal) is unknown to its recipient" }
      let name = Names.of(error, "avdtp.error") ?? "error \(Names.hex(error))"
      let what = category.flatMap { $0 == 0 ? nil : Names.of($0, "avdtp.failedCategory") }
      return "\(signal) rejected: \(name)\(what.map { " (\($0))" } ?? "")"
    }
  }
}

extension AudioEvent {
  /// A signal without an answer for so long that its sender gives up.
  public struct SignalUnanswered: Described {
    public let signal: UInt8
    /// Whether the other device sent the signal.
    public let byPeer: Bool

    public var kind: EventKind { AudioEvent.kind("signal-unanswered") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("signal", signal, .incidental)
      sink.word("signal_name", Names.of(signal, "avdtp.signal"), .identity)
      sink.flag("by_peer", byPeer)
      let name = Names.of(signal, "avdtp.signal") ?? "signal \(Names.hex(signal))"
      sink.sentence("\(byPeer ? "peer: " : "")\(name) not answered within 4 s")
    }
  }

  /// Media of a stream that is open, but not started, or that was suspended.
  public struct IdleMedia: Described {
    public let stream: AudioStream
    public let byPeer: Bool

    public var kind: EventKind { AudioEvent.kind("media-not-started") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      stream.describe(to: &sink)
      sink.flag("by_peer", byPeer)
      let state =
        stream.state == .suspended ? "the stream is suspended" : "the stream is not started"
      let sides = Sides(of: event, session)
      sink.sentence("\(byPeer ? sides.thePeer : sides.host) sends media although \(state)")
    }
  }
}

// Common parts of the events.
extension AudioEndpoint {
  fileprivate var type: String { isSink ? "SNK" : "SRC" }

  /// `SNK SBC (in use)`
  fileprivate var words: String {
    "\(type)\(codec.map { " \($0.name)" } ?? "")\(isInUse ? " (in use)" : "")"
  }
}

extension AudioStream {
  fileprivate func describe(to sink: inout some EventSink) {
    sink.number("local_seid", seids.first, .incidental)
    sink.number("peer_seid", seids.last, .incidental)
    sink.flag("source", isSource)
    sink.flag("content_protection", isProtected)
    guard let codec else { return }
    sink.word("codec", codec.name)
    sink.word("configuration", codec.words)
    sink.number("sampling_frequency", codec.samplingFrequency)
    sink.number("bit_rate", codec.bitRate)
  }

  /// `SBC 44.1 kHz joint stereo, bitpool 2–53, content protection, from this host`
  fileprivate var words: String {
    codecWords + (isProtected ? ", content protection" : "")
      + (isSource.map { $0 ? ", from this host" : ", to this host" } ?? "")
  }

  fileprivate var codecWords: String { codec?.words ?? "unknown codec" }

  /// The counts of a stream that no suspension has reported yet.
  fileprivate var accountWords: String {
    account.packets > 0 && state == .streaming ? ": \(account.words)" : ""
  }
}

extension MediaAccount {
  fileprivate func describe(to sink: inout some EventSink) {
    sink.number("packets", packets, .incidental)
    sink.number("bytes", bytes, .incidental)
    sink.number("lost", lost)
    sink.number("duplicates", duplicates, .incidental)
    sink.number("late", late, .incidental)
    sink.number("malformed", malformed, .incidental)
    sink.nanoseconds("duration", duration)
    sink.nanoseconds("jitter", packets > 0 ? jitter : nil)
  }

  /// `2,113 media packets in 31.2 s, 1 lost, jitter 1.2 ms`
  fileprivate var words: String {
    guard packets > 0 else { return "no media packets in the capture" }
    let time = packets > 1 ? duration.map { " in \(Names.duration($0))" } ?? "" : ""
    var parts = [
      "\(Names.count(packets, "media packet"))\(time)",
      "\(Names.count(lost)) lost",
    ]
    if duplicates > 0 { parts.append(Names.count(duplicates, "duplicate")) }
    if late > 0 { parts.append("\(Names.count(late)) late") }
    if malformed > 0 { parts.append("\(Names.count(malformed)) malformed") }
    if packets > 1, let jitter { parts.append("jitter \(Names.duration(jitter))") }
    return parts.joined(separator: ", ")
  }
}
