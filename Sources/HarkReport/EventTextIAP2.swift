import HarkCore
import HarkDissection
import HarkSession

// iAP2, and iAP1 before it.
extension EventText {
  static func iap2(_ content: Event.Content) -> String {
    guard case .iap2(let event) = content else { return "" }
    return switch event {
    case .detection(let isAnswer):
      isAnswer ? "iAP2 detected: the other side speaks it too" : "asks whether iAP2 is spoken"
    case .iap1(let lingo, let command):
      "iAP1 is spoken, which came before iAP2: \(iap1(lingo, command))"
    case .synchronization(let parameters, let isAnswer):
      "link \(isAnswer ? "accepted" : "asked for"): \(synchronization(parameters))"
    case .reset: "link reset"
    case .sleep: "link goes to sleep"
    case .message(let identifier, _, let values): message(identifier) + words(values, identifier)
    case .identification(let identification, let isUpdate):
      "accessory \(isUpdate ? "updates its identification" : "identifies itself"): "
        + self.identification(identification)
    case .identificationAccepted: "identification accepted"
    case .identificationRejected(let parameters): rejected(parameters)
    case .authentication(let step): authentication(step)
    case .externalAccessory(let event): externalAccessory(event)
    case .fileTransfer(let identifier, let step):
      "file transfer \(identifier) \(fileTransfer(step))"
    case .unanswered(let question): unanswered(question)
    default: trouble(event)
    }
  }

  /// `General lingo, StartIDPS`.
  private static func iap1(_ lingo: UInt8, _ command: UInt16) -> String {
    let name = Names.of(lingo, "iap1.lingo") ?? Names.hex(lingo)
    let known = Catalog.commandName(iAP1: lingo, command)
    return "\(name) lingo, \(known ?? "command \(Names.hex(command))")"
  }

  /// `up to 5 packets of up to 4096 bytes outstanding, sessions control (10), …`.
  private static func synchronization(_ parameters: IAP2LinkParameters) -> String {
    let sessions = parameters.sessions.map {
      "\(Names.of($0.type, "iap2.sessionType") ?? "type \($0.type)") (\($0.identifier))"
    }
    return "up to \(Names.count(Int(parameters.maxOutstanding), "packet")) outstanding, "
      + "of up to \(Names.count(Int(parameters.maxLength), "byte")), "
      + (sessions.isEmpty ? "no sessions" : "sessions \(sessions.joined(separator: ", "))")
  }

  /// The name of a message, or its identifier where it has none.
  private static func message(_ identifier: UInt16) -> String {
    Names.of(identifier, "iap2.csm.message") ?? "message \(Names.hex(identifier))"
  }

  /// `: MediaItemTitle "Song", PlaybackStatus Playing (1)`.
  private static func words(_ values: [IAP2Value], _ identifier: UInt16) -> String {
    guard !values.isEmpty else { return "" }
    let words = values.map { it in
      [name(of: it, in: identifier, isShort: true), it.text].compactMap { $0 }
        .joined(separator: " ")
    }
    return ": " + few(words, most: 8)
  }

  /// The name of a value, or the numbers of its path; the groups around it go without saying.
  static func name(of value: IAP2Value, in message: UInt16, isShort: Bool) -> String {
    let name = Catalog.parameterName(iAP2: message, value.path)
    guard let name else {
      return "parameter " + value.path.map { "\($0)" }.joined(separator: ".")
    }
    return isShort ? name.split(separator: ".").last.map(String.init) ?? name : name
  }

  // MARK: What goes wrong on the link

  private static func trouble(_ event: IAP2Event) -> String {
    switch event {
    case .retransmitted(let sequence): "packet \(sequence) sent again"
    case .missing(let first, let count):
      count == 1
        ? "packet \(first) is missing"
        : "\(Names.count(count, "packet")) missing, \(first) to \(first &+ UInt8(count - 1))"
    case .wanted(let numbers):
      "packets wanted again: \(numbers.map { "\($0)" }.joined(separator: ", "))"
    case .windowExceeded(let outstanding, let allowed):
      "\(Names.count(outstanding, "packet")) outstanding where \(allowed) are allowed"
    case .windowStalled(let allowed, let nanoseconds):
      "waited \(Names.duration(nanoseconds)) with \(Names.count(allowed, "packet")) outstanding, "
        + "which is all that is allowed"
    case .unacknowledged(let count):
      "\(Names.count(count, "packet")) never acknowledged"
    case .garbage(let count): "\(Names.count(count, "byte")) that belong to no iAP frame"
    case .cut(let sequence?, let count):
      "packet \(sequence) is cut: the recorder did not keep \(Names.count(count, "byte")) of it"
    case .cut(nil, let count):
      "packets are cut: the recorder did not keep \(Names.count(count, "byte")) here"
    case .wrongChecksum(let sequence): "packet \(sequence) has a wrong payload checksum"
    case .undeclaredSession(let identifier):
      "data for session \(identifier), which no SYN in the capture declared"
    case .incompleteMessage(let identifier, let have):
      "\(identifier.map { message($0) } ?? "control session message") incomplete: "
        + "\(Names.count(have, "byte")) came"
    default: ""
    }
  }

  private static func unanswered(_ question: IAP2Event.Question) -> String {
    switch question {
    case .detection: "nobody answered the question for iAP2"
    case .synchronization: "the link was never accepted"
    case .identification: "the identification was neither accepted nor rejected"
    case .authentication: "the authentication had no result"
    }
  }

  // MARK: The control session

  private static func identification(_ identification: IAP2Identification) -> String {
    let parts = [
      identification.name, identification.modelIdentifier.map { "model \($0)" },
      identification.manufacturer.map { "by \($0)" },
      identification.firmwareVersion.map { "firmware \($0)" },
    ]
    let protocols = identification.protocols.map { it in
      it.name + (it.matchAction.map { " (\(matchAction($0)))" } ?? "")
    }
    let all =
      parts.compactMap { $0 }
      + (protocols.isEmpty ? [] : ["protocols " + protocols.joined(separator: ", ")])
    return all.joined(separator: ", ")
  }

  /// What the Apple device does where no app for the protocol is installed.
  private static func matchAction(_ action: UInt8) -> String {
    guard action != 0 else { return "match action none: no prompt" }
    return Names.of(action, "iap2.csm.matchAction") ?? "match action \(action)"
  }

  private static func rejected(_ parameters: [IAP2RejectedParameter]) -> String {
    guard !parameters.isEmpty else { return "identification rejected; no reason is given" }
    let names = parameters.map { it in
      let name =
        Catalog.parameterName(iAP2: 0x1D03, it.path)
        ?? "parameter \(it.path.map { "\($0)" }.joined(separator: "."))"
      return name + (it.value.map { " (\($0))" } ?? "")
    }
    return "identification rejected for \(names.joined(separator: ", "))"
  }

  private static func authentication(_ step: IAP2Event.Authentication) -> String {
    switch step {
    case .certificateRequested: "authentication: the accessory's certificate is asked for"
    case .certificate(let size, let fingerprint):
      "authentication: certificate of \(Names.count(size, "byte")), fingerprint \(fingerprint)"
    case .challenge(let size, let fingerprint):
      "authentication: challenge of \(Names.count(size, "byte")), fingerprint \(fingerprint)"
    case .response(let size, let fingerprint):
      "authentication: response of \(Names.count(size, "byte")), fingerprint \(fingerprint)"
    case .serialNumber: "authentication: the accessory tells its serial number"
    case .failed: "authentication failed"
    case .succeeded: "authentication succeeded"
    }
  }

  private static func fileTransfer(_ step: IAP2Event.FileTransfer) -> String {
    switch step {
    case .setup(let size): "set up: \(Names.count(Int(clamping: size), "byte"))"
    case .succeeded(let bytes): "succeeded after \(Names.count(Int(clamping: bytes), "byte"))"
    case .failed(let bytes): "failed after \(Names.count(Int(clamping: bytes), "byte"))"
    case .cancelled(let bytes): "cancelled after \(Names.count(Int(clamping: bytes), "byte"))"
    }
  }

  // MARK: External Accessory

  private static func externalAccessory(_ event: EASession.Event) -> String {
    switch event {
    case .open(let session, let isDeclared):
      "\(name(session)) opened"
        + (isDeclared == false ? ", for a protocol that the accessory did not declare" : "")
    case .status(let session, let isAccepted):
      "\(name(session)) \(isAccepted ? "taken by the accessory" : "refused by the accessory")"
    case .data(let session, let traffic, let isEarly):
      "\(name(session)): first data, \(bytes(traffic))"
        + (isEarly ? ", before the accessory took the session" : "")
    case .close(let session, let traffic, let end, let isTaken):
      "\(name(session)) \(end == .stopped ? "closed" : "ended with its link") "
        + (traffic.sent + traffic.received + traffic.cut == 0
          ? "without any data in either direction" : "after \(bytes(traffic))")
        + (traffic.cut > 0
          ? ", and \(Names.count(traffic.cut)) that the recorder did not keep" : "")
        + (isTaken ? "" : "; the accessory never took it")
    }
  }

  /// `External Accessory session 1 (com.example.protocol)`.
  package static func name(_ session: EASession) -> String {
    let name = session.protocolString ?? session.protocolIdentifier.map { "protocol \($0)" }
    return "External Accessory session \(session.sessionIdentifier)"
      + (name.map { " (\($0))" } ?? "")
  }

  private static func bytes(_ traffic: EASession.Traffic) -> String {
    let (sent, received) =
      switch traffic.isHostAccessory {
      case true?: ("from the accessory", "to it")
      case false?: ("to the accessory", "from it")
      case nil: ("out", "in")
      }
    if traffic.received == 0 { return "\(Names.count(traffic.sent, "byte")) \(sent)" }
    if traffic.sent == 0 {
      let alone = received == "to it" ? "to the accessory" : "from the accessory"
      let way = traffic.isHostAccessory == nil ? received : alone
      return "\(Names.count(traffic.received, "byte")) \(way)"
    }
    return "\(Names.count(traffic.sent, "byte")) \(sent), "
      + "\(Names.count(traffic.received, "byte")) \(received)"
  }
}
