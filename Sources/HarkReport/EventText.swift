import HarkCore
import HarkSession

/// The sentence a timeline shows for an event.
///
/// Sentences hold names and texts of the capture as they came: whoever prints one passes it through
/// `TextBuffer.printable`.
public enum EventText {
  /// One sentence, without its full stop.
  /// - Parameter session: As it was when the event was emitted.
  public static func sentence(_ event: Event, _ session: borrowing Session) -> String {
    plain(event, session) + lag(of: event)
  }

  /// `; ended 24.4 s earlier`: what reads as a matter of the same moment needs no mention.
  private static func lag(of event: Event) -> String {
    switch event.content {
    // Their sentences say themselves that they look back.
    case .unreadable, .requestTimeout, .answeredLate: return ""
    case .requestUnanswered where event.lag >= 100_000_000:
      return "; asked \(Names.duration(event.lag)) earlier"
    default: break
    }
    guard event.lag >= 100_000_000 else { return "" }
    return "; \(event.frames.count > 1 ? "ended " : "")\(Names.duration(event.lag)) earlier"
  }

  /// The sentence without what depends on when it is told.
  static func plain(_ event: Event, _ session: borrowing Session) -> String {
    if let described = event.content.described {
      return Event.sentence(of: described, event, session).text
    }
    return switch event.lane {
    case .host: host(event.content)
    case .link: link(event, session)
    case .pairing: pairing(event)
    case .gatt: gatt(event, session)
    case .note, .gap: capture(event.content, session)
    case .finding: finding(event.content)
    default: if case .accessory(let event) = event.content { accessory(event) } else { "" }
    }
  }

  // MARK: Controllers

  private static func host(_ content: Event.Content) -> String {
    switch content {
    case .controllerFound(let name, let address):
      "controller \(name)" + (address.map { ", address \($0)" } ?? "")
    case .controllerGone: "controller removed"
    case .controllerOpened: "controller opened by the host"
    case .controllerClosed: "controller closed by the host"
    case .controllerReset: "controller reset"
    case .controllerVersion(let version, let company):
      "controller is \(Names.version(version)), made by \(Names.company(company))"
    case .commandFailed(let opcode, let status, let purpose):
      (purpose.map(notDone) ?? "\(command(opcode)) failed") + ": \(Names.status(status))"
    case .hardwareError(let code): "the controller has a hardware error, code \(Names.hex(code))"
    case .bufferOverflow(let type):
      "the controller's buffers overflowed: the host sent more "
        + (Names.of(type, "hci.evt.overflowLinkType").map { "\($0) data" } ?? "data of type \(type)")
        + " than they take"
    case .buffersExceeded(let used, let size, let isWriteCommand):
      "the host gave the controller \(Names.count(used, "packet")) that did not come back, where it takes "
        + "\(size)\(isWriteCommand ? ": the last is a Write Command" : "")"
    case .inquiryStarted(let isPeriodic):
      isPeriodic ? "periodic inquiry started" : "inquiry started"
    case .inquiryEnded(let devices, let responses, let isStopped, let status):
      "inquiry \(isStopped ? "stopped" : "ended")"
        + (status == 0 ? "" : ": \(Names.status(status))")
        + inquired(devices, responses, after: status == 0 ? ": " : ", ")
    case .scanStarted: "scanning for advertising started"
    case .scanStopped(let devices, let reports):
      "scanning stopped: " + heard(devices, reports)
    case .advertisingStarted(let sets, let solicited):
      "advertising\(advertisingSets(sets)) started"
        + ((solicited ?? []).isEmpty
          ? "" : ", soliciting " + Names.few((solicited ?? []).map { Names.uuid($0) }))
    case .advertisingStopped(let sets, let wasOn):
      "advertising\(advertisingSets(sets)) \(wasOn ? "stopped" : "is off")"
    case .advertisingEnded(let set, let status, let events):
      "advertising\(advertisingSets(set.map { [$0] } ?? [])) ended: \(advertisingEnd(status))"
        + (events.map { $0 == 0 ? "" : ", after \(Names.count(Int($0), "event"))" } ?? "")
    case .advertisingRemoved(let sets):
      switch sets.count {
      case 0: "all advertising sets removed"
      case 1: "advertising set \(Names.hex(sets[0])) removed"
      default: "advertising sets \(sets.map { Names.hex($0) }.joined(separator: ", ")) removed"
      }
    default: ""
    }
  }

  /// What an inquiry found; nothing where the capture does not have its beginning.
  private static func inquired(_ devices: Int?, _ responses: Int?, after start: String) -> String {
    guard let devices, let responses else { return "" }
    guard responses > 0 else { return start + "nothing heard" }
    return start + "\(Names.count(devices, "device")) in \(Names.count(responses, "response"))"
  }

  /// What a scan was good for.
  static func heard(_ devices: Int, _ reports: Int) -> String {
    reports == 0
      ? "nothing heard"
      : "\(Names.count(devices, "new device")) in \(Names.count(reports, "report"))"
  }

  /// Why advertising ended by itself. Core Specification, Vol 4, Part E, 7.7.65.18
  private static func advertisingEnd(_ status: UInt8) -> String {
    switch status {
    case 0x00: "a connection was made"
    case 0x3C: "its time is over"
    case 0x43: "as many events as asked for"
    default: Names.status(status)
    }
  }

  /// ` of sets 0x01, 0x02`; nothing where no set is named.
  static func advertisingSets(_ sets: [UInt8]) -> String {
    guard !sets.isEmpty else { return "" }
    return (sets.count == 1 ? " of set " : " of sets ")
      + sets.map { Names.hex($0) }.joined(separator: ", ")
  }

  /// `HCI_LE_Set_Random_Address`, or the opcode where it has no name.
  static func command(_ opcode: UInt16) -> String {
    // The opcode group of vendors. Vol 4, Part E, 5.4.1
    guard opcode >> 10 != 0x3F else { return "vendor-specific command \(Names.hex(opcode))" }
    return Names.of(opcode, "hci.cmd.opcode") ?? "HCI command \(Names.hex(opcode))"
  }

  private static func finding(_ content: Event.Content) -> String {
    guard case .finding(let remark) = content else { return "" }
    return "\(remark.title): \(remark.observed) (\(remark.rule))"
  }

  // MARK: The capture itself

  private static func capture(
    _ content: Event.Content, _ session: borrowing Session
  ) -> String {
    switch content {
    case .note(let source, let text):
      source.isEmpty || source == "note" ? text : "\(source): \(text)"
    case .dropped(let count):
      "the recorder lost \(Names.count(Int(count), "packet")) here"
    case .directionUnknown:
      "the capture does not record who sent what: it is inferred where the data tells"
    case .damage(let text): "capture \(text)"
    case .incompletePDU(let pdu): incomplete(pdu, session)
    case .unreadable(let name, let count):
      "\(Names.count(count, "packet")) cannot be read as \(name)"
    case .orphanFragment(let count):
      "\(Names.count(count, "byte")) continue a PDU whose beginning is not in the capture"
    case .outOfStep(let name, let count):
      "out of step: \(Names.count(count, "byte")) begin no message of \(name); goes on with the "
        + "next frame"
    case .sliced(let count):
      "packets are cut: the recorder did not keep \(Names.count(count, "byte")) of this one; "
        + "what it cut cannot be shown"
    default: ""
    }
  }
}

extension Event {
  /// The row of a timeline that the event belongs to.
  public var lane: Lane {
    if let described = content.described { return described.kind.lane }
    return switch content {
    case .controllerFound, .controllerGone, .controllerOpened, .controllerClosed,
      .controllerReset, .controllerVersion, .commandFailed, .hardwareError, .bufferOverflow,
      .buffersExceeded, .scanStarted, .inquiryStarted, .inquiryEnded, .advertisingRemoved,
      .scanStopped, .advertisingStarted, .advertisingStopped,
      .advertisingEnded:
      .host
    case .connectionRequested, .linkOpened, .linkFailed, .linkInferred, .deviceReported,
      .linkClosed, .linkCloseFailed, .linkParameters,
      .linkParametersRequested, .linkParametersRefused, .linkParametersFailed, .phy, .phyFailed,
      .modeChanged, .modeFailed, .dataLength, .peerVersion, .peerInformationFailed,
      .roleChanged, .roleFailed,
      .synchronousLink:
      .link
    case .pairing, .encryption, .encryptionRefreshed, .encryptionNotRefreshed, .encryptionKeySize,
      .encryptionFailed,
      .authenticationFailed, .keyInCapture, .keyMissing, .authenticatedPayloadTimeout,
      .encryptionStarted:
      .pairing
    case .mtu, .discovery, .serviceNotFound, .subscription, .value, .repeated, .readMultiple,
      .attError, .mtuExceeded, .requestTimeout, .requestUnanswered, .answeredLate:
      .gatt
    case .accessory(let event): event.lane
    case .note: .note
    case .finding: .finding
    case .dropped, .directionUnknown, .damage, .incompletePDU, .unreadable, .orphanFragment,
      .outOfStep, .sliced:
      .gap
    // Described above.
    case .channel, .isochronous, .periodic, .sdp, .rfcomm, .hid, .fastPair, .obex, .handsFree,
      .audio, .audioSourceNotCleared, .iap2, .leAudio, .accessoryProtocol, .linkLayer, .app:
      .link
    }
  }
}

extension Event.Lane {
  /// What a timeline calls it: at most 7 letters.
  public var label: StaticString {
    switch self {
    case .host: "host"
    case .link: "link"
    case .pairing: "pair"
    case .l2cap: "l2cap"
    case .sdp: "sdp"
    case .rfcomm: "rfcomm"
    case .call: "call"
    case .audio: "audio"
    case .iap2: "iap2"
    case .gatt: "gatt"
    case .keys: "keys"
    case .session: "session"
    case .notification: "notify"
    case .reply: "reply"
    case .configuration: "config"
    case .app: "app"
    case .note: "note"
    case .gap: "gap"
    case .finding: "finding"
    }
  }

  /// The label, and what it means where it does not say so itself.
  public var described: String {
    let meaning: StaticString? =
      switch self {
      case .host: "controller"
      case .pairing: "pairing, encryption"
      case .sdp: "services of BR/EDR"
      case .call: "Hands-Free"
      case .audio: "music and its remote control"
      case .keys: "key exchange"
      case .notification: "to the accessory"
      case .reply: "from it"
      case .configuration: "state and settings"
      case .app: "what never touches the radio: --app-log"
      case .gap: "what is missing"
      case .finding: "what rules make of it"
      case .link, .l2cap, .rfcomm, .iap2, .gatt, .session, .note: nil
      }
    return label.description + (meaning.map { " (\($0))" } ?? "")
  }

  var role: Style.Role {
    switch self {
    case .host, .note, .app: .host
    case .link, .l2cap: .link
    case .pairing, .keys: .security
    case .sdp, .rfcomm, .call, .audio, .iap2, .gatt, .session, .configuration: .data
    case .notification: .message
    case .reply: .reply
    case .gap, .finding: .warning
    }
  }
}
