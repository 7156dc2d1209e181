import HarkCore
import HarkDissection

/// A BNEP request, once it is answered or its channel ends. BNEP 1.0, 2.6.
public struct BNEPEvent: Equatable, Sendable {
  public enum Outcome: Equatable, Sendable {
    case response(UInt16)
    /// BNEP_CONTROL_COMMAND_NOT_UNDERSTOOD
    case notUnderstood
    case unanswered
  }

  /// BNEP Control Type
  public let request: UInt8
  /// Whether the other device sent it.
  public let byPeer: Bool
  /// Of a setup: the service classes, such as 0x1115 for PANU; nil if the capture lacks the request.
  public let source: UInt16?
  public let destination: UInt16?
  public internal(set) var outcome = Outcome.unanswered

  public init(
    request: UInt8, byPeer: Bool, source: UInt16?, destination: UInt16?,
    outcome: Outcome = .unanswered
  ) {
    (self.request, self.byPeer) = (request, byPeer)
    (self.source, self.destination, self.outcome) = (source, destination, outcome)
  }

  package var isSetup: Bool { control == .setupRequest }

  var isFulfilled: Bool {
    if case .response(let code) = outcome { BNEPMessage.isSuccess(code) } else { false }
  }
}

extension BNEPEvent: Described {
  public var kind: EventKind { EventKind("bnep-request", .l2cap, .channels) }

  private var control: BNEPMessage.Control? { BNEPMessage.Control(rawValue: request) }

  private var response: UInt16? {
    if case .response(let code) = outcome { code } else { nil }
  }

  public func describe(
    _ event: Event, in session: borrowing Session, to sink: inout some EventSink
  ) {
    sink.code("request", request, "request_name", "bnep.control", .identity)
    sink.flag("by_peer", byPeer)
    sink.word("source", source.map { Self.service($0) })
    sink.word("destination", destination.map { Self.service($0) })
    sink.number("response", response)
    sink.word(
      "response_name", response.flatMap { BNEPMessage.name(ofResponse: $0, to: control) })
    sink.flag("understood", outcome != .notUnderstood)
    sink.sentence(words)
  }

  private static func service(_ short: UInt16) -> String {
    AssignedNumbers.name(of: BluetoothUUID(short)) ?? Names.hex(short)
  }

  private var name: String {
    switch control {
    case .setupRequest: "BNEP setup"
    case .typeFilterSet: "BNEP network type filter"
    case .addressFilterSet: "BNEP multicast address filter"
    default: "BNEP control type \(Names.hex(request))"
    }
  }

  private var words: EventSentence {
    let services = [
      source.map { " from \(Self.service($0))" }, destination.map { " to \(Self.service($0))" },
    ].compactMap { $0 }.joined()
    let who = byPeer ? "" : " by peer"
    switch outcome {
    case .unanswered:
      return "\(byPeer ? "peer: " : "")\(name)\(services) has no answer in the capture"
    case .notUnderstood: return "\(name)\(services) not understood\(who)"
    case .response(let code):
      guard !BNEPMessage.isSuccess(code) else { return "\(name)\(services) accepted\(who)" }
      let why = BNEPMessage.name(ofResponse: code, to: control).map { "\($0) (\(Names.hex(code)))" }
      return "\(name)\(services) refused\(who): \(why ?? Names.hex(code))"
    }
  }
}
