import HarkCore

/// RFCOMM events. RFCOMM 1.2, TS 27.010.
public enum RFCOMMEvent: Sendable {
  case opened(Opened)
  case refused(Refused)
  case unanswered(Unanswered)
  case notOpen(NotOpen)
  case sessionRefused(SessionRefused)
  case sessionUnanswered(SessionUnanswered)
  case closed(Closed)
  case recognized(Recognized)
  case sessionRecognized(SessionRecognized)
  case creditsExceeded(CreditsExceeded)
  case creditsLacking(CreditsLacking)
  case frameTooLong(FrameTooLong)
  case wrongFCS(WrongFCS)
  case unsupported(Unsupported)
  case lineStatus(LineStatus)

  var described: any Described {
    switch self {
    case .opened(let event): event
    case .refused(let event): event
    case .unanswered(let event): event
    case .notOpen(let event): event
    case .sessionRefused(let event): event
    case .sessionUnanswered(let event): event
    case .closed(let event): event
    case .recognized(let event): event
    case .sessionRecognized(let event): event
    case .creditsExceeded(let event): event
    case .creditsLacking(let event): event
    case .frameTooLong(let event): event
    case .wrongFCS(let event): event
    case .unsupported(let event): event
    case .lineStatus(let event): event
    }
  }

  private static func kind(_ name: StaticString, step: StaticString? = nil) -> EventKind {
    EventKind(name, .rfcomm, .channels, step: step)
  }
}

extension RFCOMMEvent {
  public struct Opened: Described {
    public let link: DataLink
    public let byPeer: Bool
    /// Whether it was open before the capture began.
    public var wasOpen = false

    public var kind: EventKind { RFCOMMEvent.kind("data-link-opened") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      link.describe(to: &sink)
      if wasOpen {
        sink.flag("was_open", true)
        sink.sentence("\(link.words) was open before the capture began")
        return
      }
      sink.flag("by_peer", byPeer)
      let size = link.frameSize.map { ", frames of up to \(Names.count(Int($0), "byte"))" } ?? ""
      sink.sentence("\(link.words) opened\(byPeer ? " by peer" : "")\(size)")
    }
  }

  public struct Refused: Described {
    public let link: DataLink

    public var kind: EventKind { RFCOMMEvent.kind("data-link-refused", step: "data-link-opened") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      link.describe(to: &sink)
      sink.sentence("\(link.words) refused")
    }
  }

  /// A SABM without an answer. TS 27.010 5.4.1
  public struct Unanswered: Described {
    public let link: DataLink

    public var kind: EventKind {
      RFCOMMEvent.kind("data-link-unanswered", step: "data-link-opened").looking(back: .sent)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      link.describe(to: &sink)
      sink.sentence("\(link.words) not opened: SABM has no response in the capture")
    }
  }

  /// Data on a data link that is not open. TS 27.010 5.4.4
  public struct NotOpen: Described {
    public let link: DataLink
    public let byPeer: Bool
    /// Whether it was open before.
    public let wasClosed: Bool

    public var kind: EventKind { RFCOMMEvent.kind("data-link-not-open") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      link.describe(to: &sink)
      sink.flag("by_peer", byPeer)
      sink.flag("was_closed", wasClosed)
      sink.sentence(
        """
        \(byPeer ? "peer" : "this host") sent data on \(link.words)\
        \(wasClosed ? " after it was closed" : ", which no SABM opened")
        """)
    }
  }

  /// DM in answer to the SABM of DLCI 0. TS 27.010 5.4.1
  public struct SessionRefused: Described {
    public let byPeer: Bool

    public var kind: EventKind { RFCOMMEvent.kind("rfcomm-session-refused") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("by_peer", byPeer)
      sink.sentence("RFCOMM session refused by \(byPeer ? "peer" : "this host")")
    }
  }

  /// A SABM of DLCI 0 without an answer. TS 27.010 5.4.1
  public struct SessionUnanswered: Described {
    /// Whether the peer sent it; nil if that is unknown.
    public let byPeer: Bool?

    public var kind: EventKind {
      RFCOMMEvent.kind("rfcomm-session-unanswered").looking(back: .sent)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("by_peer", byPeer)
      sink.sentence(
        """
        RFCOMM session not opened: \(byPeer == true ? "the peer's " : "")SABM has no response in the \
        capture
        """)
    }
  }

  public struct Closed: Described {
    public let link: DataLink

    public var kind: EventKind { RFCOMMEvent.kind("data-link-closed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      link.describe(to: &sink)
      sink.sentence("\(link.words) closed")
    }
  }

  /// The first bytes show the content of a data link without a service record in the capture.
  public struct Recognized: Described {
    public let link: DataLink
    public let protocolName: String

    public var kind: EventKind { RFCOMMEvent.kind("data-link-recognized") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      link.describe(to: &sink)
      sink.word("protocol", protocolName, .family)
      sink.sentence(
        """
        \(protocolName) on \(link.words), recognized by its first bytes: the capture does not have its \
        service record
        """)
    }
  }

  /// A session on a channel that was opened before the capture, recognized by its frames.
  public struct SessionRecognized: Described {
    public let cid: UInt16

    public var kind: EventKind { RFCOMMEvent.kind("rfcomm-recognized") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("cid", cid, .incidental)
      sink.sentence(
        """
        RFCOMM on CID \(Names.hex(cid)), recognized by the form of its frames: the capture does \
        not contain the opening of the channel
        """)
    }
  }

  /// More frames were sent than the receiver had granted credits for.
  public struct CreditsExceeded: Described {
    public let link: DataLink
    public let byPeer: Bool

    public var kind: EventKind { RFCOMMEvent.kind("data-link-credits-exceeded") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      link.describe(to: &sink)
      sink.flag("by_peer", byPeer)
      sink.sentence(
        "\(byPeer ? "peer" : "this host") sent more than its credits allow: \(link.words)")
    }
  }

  /// A side could not send for this long after it had used its last credit, and then continued.
  public struct CreditsLacking: Described {
    public let link: DataLink
    public let byPeer: Bool
    public let nanoseconds: Int64

    public var kind: EventKind { RFCOMMEvent.kind("data-link-credits-lacking") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      link.describe(to: &sink)
      sink.flag("by_peer", byPeer)
      sink.nanoseconds("duration", nanoseconds)
      sink.sentence(
        """
        \(byPeer ? "peer" : "this host") had no credits left for \(Names.duration(nanoseconds)): \
        \(link.words)
        """)
    }
  }

  /// A frame is larger than both sides agreed on.
  public struct FrameTooLong: Described {
    public let link: DataLink
    public let byPeer: Bool
    /// In bytes.
    public let size: Int
    public let most: Int

    public var kind: EventKind { RFCOMMEvent.kind("data-link-frame-too-long") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      link.describe(to: &sink)
      sink.flag("by_peer", byPeer)
      sink.number("size", size, .incidental)
      sink.number("most", most)
      sink.sentence(
        """
        \(byPeer ? "peer" : "this host") sent a frame with \(Names.count(size, "byte")), but the \
        maximum frame size is \(most): \(link.words)
        """)
    }
  }

  /// A frame whose Frame Check Sequence is wrong. TS 27.010 5.2.1.6
  public struct WrongFCS: Described {
    public let dlci: UInt8
    public let byPeer: Bool

    public var kind: EventKind { RFCOMMEvent.kind("rfcomm-wrong-fcs") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("dlci", dlci, .incidental)
      sink.flag("by_peer", byPeer)
      sink.sentence(
        """
        \(byPeer ? "peer" : "this host") sent an RFCOMM frame with a wrong FCS on DLCI \(dlci): its \
        receiver discards it
        """)
    }

    public func repetition(
      _ sentence: String, _ event: Event, in session: borrowing Session
    ) -> EventRepetition {
      EventRepetition(subject: sentence)
    }
  }

  /// A command that the other side does not support, by its type. TS 27.010 5.4.6.3.8
  public struct Unsupported: Described {
    public let command: UInt8

    public var kind: EventKind { RFCOMMEvent.kind("rfcomm-command-unsupported") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("command", command, .identity)
      sink.sentence(
        """
        RFCOMM command not supported: \
        \(Names.of(command, "rfcomm.command") ?? Names.hex(command))
        """)
    }
  }

  /// An overrun, parity or framing error. TS 27.010 5.4.6.3.10
  public struct LineStatus: Described {
    public let link: DataLink
    public let status: UInt8

    public var kind: EventKind { RFCOMMEvent.kind("data-link-line-status") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      link.describe(to: &sink)
      sink.number("line_status", status)
      sink.sentence("\(link.words): \(errors)")
    }

    private var errors: String {
      let names = ["overrun error", "parity error", "framing error"]
      let set = names.enumerated().filter { status >> ($0.offset + 1) & 1 == 1 }.map(\.element)
      return set.isEmpty ? "line error" : set.joined(separator: ", ")
    }
  }
}

extension DataLink {
  func describe(to sink: inout some EventSink) {
    sink.number("dlci", dlci, .incidental)
    sink.number("server_channel", serverChannel)
    sink.flag("is_local_service", isLocalService)
    if let service { sink.object("service") { service.describe(to: &$0) } }
    sink.number("frame_size", frameSize)
    sink.number("stream", stream.map { $0.index + 1 }, .incidental)
  }

  /// `RFCOMM channel 7 (AG Hands-Free)`.
  package var words: String {
    let service = service?.classes.first.map { " (\(Names.uuid($0)))" } ?? ""
    return "\(isLocalService ? "local " : "")RFCOMM channel \(serverChannel)\(service)"
  }
}
