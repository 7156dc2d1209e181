import HarkDissection

/// Channel Sounding on a link. Core Specification, Vol 4, Part E, 7.7.65.39 to 7.7.65.46.
public enum SoundingEvent: Sendable {
  case security(Security)
  case configuration(Configuration)
  case procedures(Procedures)
  case ended(Ended)
  case failed(Failed)
  case aborted(Aborted)

  var described: any Described {
    switch self {
    case .security(let event): event
    case .configuration(let event): event
    case .procedures(let event): event
    case .ended(let event): event
    case .failed(let event): event
    case .aborted(let event): event
    }
  }

  /// A step of which an event reports that it failed.
  public enum Step: String, Sendable {
    case capabilities, security, configuration, procedures
    case faeTable = "fae-table"
    case testEnd = "test-end"

    fileprivate var words: String {
      switch self {
      case .capabilities: "the peer's capabilities were not read"
      case .faeTable: "the peer's FAE table was not read"
      case .security: "security was not enabled"
      case .configuration: "the configuration was not created or removed"
      case .procedures: "the procedures were not started or stopped"
      case .testEnd: "the test did not end"
      }
    }
  }
}

extension SoundingEvent {
  public struct Security: Described {
    public var kind: EventKind { LinkEvent.kind("sounding-security") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("Channel Sounding: security enabled")
    }
  }

  public struct Configuration: Described {
    public let config: UInt8
    public let isRemoved: Bool
    /// 0 Initiator, 1 Reflector; nil if the event is cut.
    public let role: UInt8?
    public let mainMode: UInt8?
    public let subMode: UInt8?

    public var kind: EventKind { LinkEvent.kind("sounding-configuration") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("config", config)
      sink.flag("removed", isRemoved)
      if !isRemoved {
        sink.code("role", role, "role_name", "hci.evt.csRole", .viewpoint)
        sink.code("main_mode", mainMode, "main_mode_name", "hci.evt.mainMode")
        sink.code("sub_mode", subMode, "sub_mode_name", "hci.evt.subMode")
      }
      sink.sentence(
        "Channel Sounding: configuration \(config) \(isRemoved ? "removed" : "created\(parameters)")"
      )
    }

    private var parameters: String {
      let parts = [
        role.flatMap { Names.of($0, "hci.evt.csRole") },
        mainMode.flatMap { Names.of($0, "hci.evt.mainMode") },
        subMode.flatMap { Names.of($0, "hci.evt.subMode") },
      ]
      return parts.compactMap { $0 == "Unused" ? nil : $0 }.map { ", \($0)" }.joined()
    }
  }

  /// Procedures are enabled.
  public struct Procedures: Described {
    public let config: UInt8
    /// From one procedure to the next, in connection events.
    public let interval: UInt16?
    /// 0 if they go on until they are disabled.
    public let count: UInt16?

    public var kind: EventKind { LinkEvent.kind("sounding-procedures") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("config", config)
      sink.number("interval_events", interval)
      sink.number("count", count)
      let number = count.map { $0 == 0 ? ", until disabled" : ", \($0) in total" } ?? ""
      let interval =
        interval.map { ", one every \(Names.count(Int($0), "connection event"))" } ?? ""
      sink.sentence(
        "Channel Sounding: procedures of configuration \(config) enabled\(interval)\(number)")
    }
  }

  /// Procedures are disabled, or all were carried out.
  public struct Ended: Described {
    public let config: UInt8
    /// Nil over the air: it does not show them.
    public let completed: Int?
    public let aborted: Int?

    public var kind: EventKind { LinkEvent.kind("sounding-ended") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("config", config)
      sink.number("completed", completed, .incidental)
      sink.number("aborted", aborted, .incidental)
      var results = ""
      if let completed, let aborted { results = ": \(completed) completed, \(aborted) aborted" }
      sink.sentence("Channel Sounding: procedures of configuration \(config) disabled\(results)")
    }
  }

  public struct Failed: Described {
    public let step: Step
    public let status: UInt8
    public let config: UInt8?

    public var kind: EventKind { LinkEvent.kind("sounding-failed", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("step", step.rawValue, .identity)
      sink.number("status", status)
      sink.number("config", config)
      sink.sentence("Channel Sounding: \(step.words): \(Names.status(status))")
    }
  }

  /// A subevent or a procedure was aborted: the first of a configuration with these reasons.
  public struct Aborted: Described {
    public let config: UInt8
    /// Procedure_Counter; nil in a continuation.
    public let counter: UInt16?
    /// Whether the whole procedure was aborted.
    public let isProcedure: Bool
    public let procedureReason: UInt8
    public let subeventReason: UInt8

    /// Whether a side only stops the procedures: Local Host or remote request. Vol 4, Part E, 7.7.65.44
    public var isRequested: Bool {
      max(procedureReason, subeventReason) == LESoundingEvent.Result.requested
    }

    public var kind: EventKind { LinkEvent.kind("sounding-aborted", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("config", config)
      sink.number("counter", counter, .incidental)
      sink.flag("procedure", isProcedure)
      sink.code(
        "procedure_reason", procedureReason, "procedure_reason_name", "hci.evt.procedureAbort")
      sink.code("subevent_reason", subeventReason, "subevent_reason_name", "hci.evt.subeventAbort")
      let what = isProcedure ? "a procedure" : "a subevent"
      let number = counter.map { " of procedure \($0)" } ?? ""
      sink.sentence(
        "Channel Sounding: \(what)\(isProcedure ? "" : number) aborted: \(reasons)")
    }

    private var reasons: String {
      let codes: [(UInt8, String)] = [
        (procedureReason, "hci.evt.procedureAbort"), (subeventReason, "hci.evt.subeventAbort"),
      ]
      var names: [String] = []
      for (code, path) in codes where code != 0 {
        let name = Names.of(code, path) ?? "reason \(code)"
        if !names.contains(name) { names.append(name) }
      }
      return names.isEmpty ? "no reason given" : names.joined(separator: "; ")
    }
  }
}
