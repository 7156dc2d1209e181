import HarkCore

// Data that a controller removes, and the limits of a BR/EDR link. Core Specification, Vol 4, Part E, 7.7.17, 7.7.30,
// 7.7.46, 7.7.47.
extension LinkChangeEvent {
  /// The controller removed data that this host gave it.
  public struct DataFlushed: Described {
    /// Why; nil if the host's command may be missing from the capture.
    public let cause: Cause?

    public enum Cause: String, Sendable {
      /// The host's command.
      case host
      /// The flush timeout: the data could not be sent in time.
      case timeout
    }

    // A link with a short flush timeout loses data all the time.
    public var kind: EventKind {
      LinkEvent.kind("data-flushed", isShared: false).folded(as: "discards of data")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("cause", cause?.rawValue)
      let why =
        switch cause {
        case .host: ", as the host asked"
        case .timeout: ": the flush timeout expired"
        case nil: ": the flush timeout expired, or the host flushed it"
        }
      sink.sentence("the controller discarded data of this host\(why)")
    }
  }

  /// The controller removed data as this host requested.
  public struct FlushCompleted: Described {
    public var kind: EventKind {
      LinkEvent.kind("flush-completed", isShared: false).folded(as: "completed flushes")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("the controller discarded data of this host as requested")
    }
  }

  /// The controller cannot provide the quality of service that was agreed.
  public struct QualityViolated: Described {
    public var kind: EventKind {
      LinkEvent.kind("qos-violated", isShared: false).folded(as: "violations of quality of service")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("the controller cannot provide the agreed quality of service")
    }
  }

  /// For BR/EDR.
  public struct SupervisionTimeout: Described {
    /// In units of 0.625 ms; 0 if there is none.
    public let timeout: UInt16

    public var kind: EventKind { LinkEvent.kind("supervision-timeout", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      let nanoseconds = Int64(timeout) * 625_000
      sink.nanoseconds("supervision_timeout", nanoseconds, .parameter)
      sink.sentence(
        timeout == 0
          ? "no supervision timeout" : "supervision timeout \(Names.duration(nanoseconds))")
    }
  }
}
