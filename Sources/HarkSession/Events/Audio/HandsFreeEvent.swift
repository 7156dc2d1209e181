import HarkDissection

/// Events of the Hands-Free and Headset Profiles. HFP 1.9.
public enum HandsFreeEvent: Sendable {
  case connected(Connected)
  case call(Call)
  case indicator(Indicator)
  case ringing(Ringing)
  case caller(Caller)
  case command(Command)
  case codecProposed(CodecProposed)
  case codecConfirmed(CodecConfirmed)
  case codecRefused(CodecRefused)
  case voiceRecognition(VoiceRecognition)
  case gain(Gain)
  case refused(Refused)
  case appleAccessory(AppleAccessory)
  case appleState(AppleState)
  case handsFreeIndicator(HandsFreeIndicator)
  case audio(Audio)

  var described: any Described {
    switch self {
    case .connected(let event): event
    case .call(let event): event
    case .indicator(let event): event
    case .ringing(let event): event
    case .caller(let event): event
    case .command(let event): event
    case .codecProposed(let event): event
    case .codecConfirmed(let event): event
    case .codecRefused(let event): event
    case .voiceRecognition(let event): event
    case .gain(let event): event
    case .refused(let event): event
    case .appleAccessory(let event): event
    case .appleState(let event): event
    case .handsFreeIndicator(let event): event
    case .audio(let event): event
    }
  }

  static func kind(_ name: StaticString) -> EventKind { EventKind(name, .call, .calls) }

  /// `mSBC`, or `codec 7` for one without a name.
  static func codec(_ id: UInt8) -> String {
    Names.of(id, "hfp.codec") ?? "codec \(id)"
  }

  /// `codec mSBC`
  static func named(codec id: UInt8) -> String {
    Names.of(id, "hfp.codec").map { "codec \($0)" } ?? codec(id)
  }

  static func list(_ names: [String]) -> String {
    names.isEmpty ? "" : ": " + Names.few(names)
  }
}

extension HandsFreeEvent {
  /// The service level connection is established; features as in AT+BRSF and +BRSF, codecs as in AT+BAC.
  public struct Connected: Described {
    public let handsFree: UInt32?
    public let gateway: UInt32?
    public let codecs: [UInt8]

    public var kind: EventKind { HandsFreeEvent.kind("hands-free-connected") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("hf_features", handsFree)
      sink.number("ag_features", gateway)
      sink.flags("hf_features_flags", handsFree, "hfp.handsFreeFeatures")
      sink.flags("ag_features_flags", gateway, "hfp.gatewayFeatures")
      sink.words("codecs", codecs.map(codec))
      sink.sentence("service level connection\(listed)")
    }

    private var listed: String {
      var text = codecs.isEmpty ? "" : ", codecs " + codecs.map(codec).joined(separator: ", ")
      if let handsFree {
        text += "; Hands-Free unit" + list(Names.flags(handsFree, "hfp.handsFreeFeatures"))
      }
      if let gateway {
        text += "; Audio Gateway" + list(Names.flags(gateway, "hfp.gatewayFeatures"))
      }
      return text
    }
  }

  public struct Call: Described {
    public let state: State
    /// Whether it comes in during another call.
    public var isWaiting = false

    public enum State: String, Sendable {
      case incoming, outgoing, alerting, active, ended, held, unheld
      /// An incoming call is neither answered nor rejected by the unit.
      case abandoned
      /// The unit rejects an incoming call.
      case rejected
      /// The unit gives up an outgoing call.
      case cancelled
      /// An outgoing call ends before it is active.
      case unconnected
      /// No call waits any more: it was accepted or rejected, or the caller gave up.
      case unwaiting
    }

    public var kind: EventKind { HandsFreeEvent.kind("call") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("call", state.rawValue, .identity)
      sink.flag("waiting", isWaiting)
      sink.sentence("\(words)")
    }

    private var words: String {
      switch state {
      case .incoming: isWaiting ? "another call is waiting" : "incoming call"
      case .outgoing: "outgoing call"
      case .alerting: "the remote phone rings"
      case .active: "call active"
      case .ended: "call ended"
      case .abandoned: "call not answered"
      case .rejected: "call rejected"
      case .cancelled: "outgoing call cancelled"
      case .unconnected: "outgoing call ended before it was answered"
      case .unwaiting: "no call is waiting"
      case .held: "call held"
      case .unheld: "no call held"
      }
    }
  }

  /// An indicator of the Audio Gateway.
  public struct Indicator: Described {
    /// Nil if the capture does not show the list.
    public let name: String?
    public let index: UInt32
    public let value: UInt32

    public var kind: EventKind { HandsFreeEvent.kind("call-indicator") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("indicator", name, .identity)
      sink.number("index", index)
      sink.number("value", value)
      sink.sentence("\(name ?? "indicator \(index)"): \(value)")
    }
  }

  public struct Ringing: Described {
    public var kind: EventKind { HandsFreeEvent.kind("call-ringing") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("ringing")
    }
  }

  public struct Caller: Described {
    /// Empty if it is withheld or unknown.
    public let number: String
    /// Whether it is that of a second call, which waits.
    public var isWaiting = false

    public var kind: EventKind { HandsFreeEvent.kind("call-number") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.text("number", number)
      sink.flag("waiting", isWaiting)
      let who = isWaiting ? "waiting caller" : "caller"
      guard !number.isEmpty else { return sink.sentence("\(who) without a number") }
      sink.sentence("\(who) \(personal: number)")
    }
  }

  /// What the Hands-Free unit requests.
  public struct Command: Described {
    public let action: Action

    public enum Action: Sendable {
      case answer, redial, audio, button
      /// Whether it ends a call, rather than rejects one; nil if the capture does not show which.
      case hangUp(isCall: Bool?)
      case dial(String)
      case hold(UInt32)
    }

    public var kind: EventKind { HandsFreeEvent.kind("call-command") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      switch action {
      case .dial(let number): sink.text("number", number)
      case .hold(let operation): sink.number("operation", operation, .identity)
      case .answer, .hangUp, .redial, .audio, .button: break
      }
      sink.word("command", name, .identity)
      sink.sentence(words)
    }

    private var name: String {
      switch action {
      case .answer: "answer"
      case .hangUp: "hang-up"
      case .redial: "redial"
      case .audio: "audio"
      case .button: "button"
      case .dial: "dial"
      case .hold: "hold"
      }
    }

    private var words: EventSentence {
      switch action {
      case .answer: "Hands-Free unit answers the call"
      case .hangUp(isCall: true): "Hands-Free unit hangs up"
      case .hangUp(isCall: false): "Hands-Free unit rejects the call"
      case .hangUp(isCall: nil): "Hands-Free unit hangs up or rejects the call"
      case .redial: "Hands-Free unit redials the last number"
      case .audio: "Hands-Free unit requests the audio connection"
      case .button: "headset button pressed"
      case .dial(let number): "Hands-Free unit dials \(personal: number)"
      case .hold(let operation):
        "Hands-Free unit: \(Names.of(operation, "hfp.holdOperation") ?? "hold \(operation)")"
      }
    }
  }

  public struct CodecProposed: Described {
    public let id: UInt8

    public var kind: EventKind { HandsFreeEvent.kind("codec-proposed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("codec", codec(id))
      sink.sentence("\(named(codec: id)) proposed by the Audio Gateway")
    }
  }

  public struct CodecConfirmed: Described {
    public let id: UInt8
    /// What the Audio Gateway proposed, if that is another one.
    public var proposed: UInt8? = nil

    public var kind: EventKind { HandsFreeEvent.kind("codec-confirmed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("codec", codec(id))
      sink.word("proposed", proposed.map { codec($0) })
      let other = proposed.map { ", but the Audio Gateway proposed \(codec($0))" } ?? ""
      sink.sentence("\(named(codec: id)) confirmed by the Hands-Free unit\(other)")
    }
  }

  /// AT+BAC in answer to a proposal: the unit has other codecs. 4.11.3
  public struct CodecRefused: Described {
    public let id: UInt8
    public let codecs: [UInt8]

    public var kind: EventKind { HandsFreeEvent.kind("codec-refused") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("codec", codec(id))
      sink.words("codecs", codecs.map(codec))
      let available = codecs.isEmpty ? "" : ", which has " + Names.few(codecs.map(codec))
      sink.sentence("\(named(codec: id)) refused by the Hands-Free unit\(available)")
    }
  }

  public struct VoiceRecognition: Described {
    public let isOn: Bool
    public let byHandsFree: Bool

    public var kind: EventKind { HandsFreeEvent.kind("voice-recognition") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("is_on", isOn, .identity)
      sink.flag("by_hands_free", byHandsFree)
      sink.sentence(
        """
        voice recognition \(isOn ? "on" : "off"), by the \
        \(byHandsFree ? "Hands-Free unit" : "Audio Gateway")
        """)
    }
  }

  /// From 0 to 15.
  public struct Gain: Described {
    public let isSpeaker: Bool
    public let value: UInt32

    public var kind: EventKind { HandsFreeEvent.kind("gain") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      let place = isSpeaker ? "speaker" : "microphone"
      sink.word("of", place, .identity)
      sink.number("gain", value)
      sink.sentence("gain of \(place): \(value) of 15")
    }
  }

  /// A command that was not carried out.
  public struct Refused: Described {
    public let command: String?
    /// That of +CME ERROR.
    public let error: UInt32?
    /// An extended result code, such as BUSY; without a command, it shows how a call went.
    public var result: String? = nil

    public var kind: EventKind { HandsFreeEvent.kind("hands-free-refused") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("command", command, .identity)
      sink.code("error", error, "error_name", "hfp.error")
      sink.word("result", result)
      if command == nil, let result { return sink.sentence("Audio Gateway reports \(result)") }
      let why =
        error.map { ": \(Names.of($0, "hfp.error") ?? "error") (\($0))" }
        ?? result.map { ": \($0)" } ?? ""
      sink.sentence("\(command.map { "AT\($0)" } ?? "a command") refused\(why)")
    }
  }

  /// A synchronous link carries the audio of the connection, or no longer does.
  public struct Audio: Described {
    public let isOn: Bool
    /// Nil if the capture does not show it.
    public let codec: UInt8?
    /// Of the synchronous link.
    public let airMode: UInt8?
    /// Whether the link can carry the codec's data.
    public let fits: Bool
    /// How many of its packets the capture has.
    public let packets: Int

    public var kind: EventKind { HandsFreeEvent.kind("call-audio") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("is_on", isOn, .identity)
      sink.word("codec", codec.map { HandsFreeEvent.codec($0) })
      sink.number("air_mode", airMode)
      sink.flag("fits", fits)
      sink.number("packets", packets, .incidental)
      sink.sentence("\(words)")
    }

    private var words: String {
      guard isOn else { return "audio off, \(Names.count(packets, "packet")) in the capture" }
      guard let codec else { return "audio on, codec unknown" }
      let name = HandsFreeEvent.codec(codec)
      guard !fits, let airMode else { return "audio on, \(name)" }
      return
        "audio on, but not audible: the codec is \(name), but the link's Air_Mode is "
        + (Names.of(airMode, "hci.evt.airMode") ?? "\(airMode)")
    }
  }
}
