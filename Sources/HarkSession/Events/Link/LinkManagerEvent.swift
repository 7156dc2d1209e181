import HarkCore
import HarkDissection

/// What the Link Managers of a BR/EDR connection request, in LMP PDUs received over the air. Core Specification, Vol 2,
/// Part C, 4.
public enum LinkManagerEvent: Sendable {
  case version(Version)
  case features(Features)
  case channels(Channels)
  case power(Power)
  case request(Request)
  case rejected(Rejected)
  case detached(Detached)
  case pairing(Pairing)
  case pairingFailed(PairingFailed)

  var described: any Described {
    switch self {
    case .version(let event): event
    case .features(let event): event
    case .channels(let event): event
    case .power(let event): event
    case .request(let event): event
    case .rejected(let event): event
    case .detached(let event): event
    case .pairing(let event): event
    case .pairingFailed(let event): event
    }
  }

  /// Which side of which piconet sent the PDU.
  public struct Sender: Sendable {
    /// The LAP of the Central, which begins each packet of the piconet.
    public let lap: UInt32
    /// The Central; nil if the capture does not contain its FHS packet.
    public let central: BluetoothAddress?
    public let isPeripheral: Bool

    fileprivate func describe(to sink: inout some EventSink) {
      sink.identifier("lap", Names.hex24(lap))
      sink.address("central", central)
      sink.sender(isPeripheral)
    }

    fileprivate var name: EventSentence {
      let side = isPeripheral ? "Peripheral" : "Central"
      return central.map { "piconet of \(personal: $0): \(side)" }
        ?? "piconet \(personal: Names.hex24(lap)): \(side)"
    }

    fileprivate var other: String { isPeripheral ? "Central" : "Peripheral" }
  }

  private static func link(_ name: StaticString) -> EventKind { LinkLayerEvent.link(name) }

  private static func pairing(_ name: StaticString) -> EventKind {
    EventKind(name, .pairing, [.air, .links, .pairing], isShared: false)
  }

  /// Slots have 0.625 ms. Vol 2, Part B, 2.2.3
  private static func nanoseconds(slots: UInt16) -> Int64 { Int64(slots) * 625_000 }

  /// `LMP_AU_RAND`
  private static func name(_ opcode: UInt8, _ extended: UInt8?) -> String? {
    extended.map { Names.of($0, "lmp.extendedOpcode") } ?? Names.of(opcode, "lmp.opcode")
  }
}

extension LinkManagerEvent {
  public struct Version: Described {
    public let sender: Sender
    public let version: UInt8
    public let company: UInt16

    public var kind: EventKind { link("link-manager-version") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sender.describe(to: &sink)
      sink.number("version", version)
      sink.number("company", company, .incidental)
      let maker = Names.company(company)
      sink.sentence(
        sender.name + "'s controller is \(Names.version(version)), made by \(maker)")
    }
  }

  /// A page of what a side's controller is capable of.
  public struct Features: Described {
    public let sender: Sender
    public let page: UInt8
    public let names: [String]

    public var kind: EventKind { link("link-manager-features") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sender.describe(to: &sink)
      sink.number("page", page, .identity)
      sink.words("features", names)
      let list = names.isEmpty ? "none" : Names.few(names)
      let place = page == 0 ? "" : " of page \(page)"
      sink.sentence(sender.name + "'s LMP features\(place): \(list)")
    }
  }

  /// Adaptive frequency hopping: which channels are used, and how good they are.
  public struct Channels: Described {
    public let sender: Sender
    let change: LMPControl.Channels

    // A piconet changes its channels all the time.
    public var kind: EventKind {
      link("link-manager-channels").folded(as: "changes of channels")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sender.describe(to: &sink)
      switch change {
      case .hopping(let channels):
        sink.word("step", channels == nil ? "no-hopping" : "hopping", .identity)
        sink.number("channels", channels)
        let what = channels.map { "hops over \($0) of 79 channels" } ?? "turns adaptive hopping off"
        sink.sentence(sender.name + " \(what)")
      case .reports(let isOn):
        sink.word("step", isOn ? "reports" : "no-reports", .identity)
        let what = isOn ? "requests" : "no longer wants"
        sink.sentence(sender.name + " \(what) reports of how good channels are")
      case .classification(let good, let bad):
        sink.word("step", "classification", .identity)
        sink.number("good", good)
        sink.number("bad", bad)
        sink.sentence(sender.name + " finds \(good) of 40 pairs of channels good, \(bad) bad")
      }
    }
  }

  /// How strongly a side sends.
  public struct Power: Described {
    public let sender: Sender
    let change: LMPControl.Power

    public var kind: EventKind { link("link-manager-power").folded(as: "changes of power") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sender.describe(to: &sink)
      let other = sender.other
      switch change {
      case .increase:
        sink.word("step", "increase", .identity)
        sink.sentence(sender.name + " asks the \(other) for more power")
      case .decrease:
        sink.word("step", "decrease", .identity)
        sink.sentence(sender.name + " asks the \(other) for less power")
      case .maximize:
        sink.word("step", "maximize", .identity)
        sink.sentence(sender.name + " asks the \(other) for its maximum power")
      case .isMaximum:
        sink.word("step", "maximum", .identity)
        sink.sentence(sender.name + " already sends with its maximum power")
      case .isMinimum:
        sink.word("step", "minimum", .identity)
        sink.sentence(sender.name + " already sends with its minimum power")
      case .answer(let changes):
        sink.word("step", "answer", .identity)
        let modulations = ["GFSK", "DQPSK", "8DPSK"]
        let paths = ["lmp.powerResponseGFSK", "lmp.powerResponseDQPSK", "lmp.powerResponse8DPSK"]
        let parts = changes.indices.map {
          "\(modulations[$0]) \(Names.of(changes[$0], paths[$0]) ?? String(changes[$0]))"
        }
        sink.words("changes", parts)
        sink.sentence(sender.name + " answers: \(parts.joined(separator: ", "))")
      }
    }
  }

  /// A side asks for a change of the link.
  public struct Request: Described {
    public enum Change: Equatable, Sendable {
      /// In slots.
      case supervisionTimeout(UInt16)
      case synchronousLink(isExtended: Bool)
      case synchronousLinkEnd(isExtended: Bool, reason: UInt8)
      case roleSwitch
      /// The interval in slots; nil to leave sniff mode.
      case sniff(UInt16?)
      case encryption(starts: Bool)
    }

    public let sender: Sender
    public let change: Change

    public var kind: EventKind { link("link-manager-request") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sender.describe(to: &sink)
      sink.word("step", name.description, .identity)
      switch change {
      case .supervisionTimeout(let slots):
        sink.nanoseconds("supervision_timeout", nanoseconds(slots: slots), .parameter)
      case .synchronousLinkEnd(_, let reason):
        sink.code("reason", reason, "reason_name", "hci.evt.status", .viewpoint)
      case .sniff(let slots):
        sink.nanoseconds("interval", slots.map { nanoseconds(slots: $0) }, .parameter)
      case .synchronousLink, .roleSwitch, .encryption: break
      }
      sink.sentence(sender.name + " \(words)")
    }

    private var name: StaticString {
      switch change {
      case .supervisionTimeout: "supervision-timeout"
      case .synchronousLink(isExtended: false): "sco"
      case .synchronousLink(isExtended: true): "esco"
      case .synchronousLinkEnd(isExtended: false, _): "sco-end"
      case .synchronousLinkEnd(isExtended: true, _): "esco-end"
      case .roleSwitch: "role-switch"
      case .sniff(nil): "unsniff"
      case .sniff: "sniff"
      case .encryption(starts: true): "encryption"
      case .encryption(starts: false): "no-encryption"
      }
    }

    private var words: String {
      switch change {
      case .supervisionTimeout(0): "turns off the supervision timeout"
      case .supervisionTimeout(let slots):
        "sets the supervision timeout to \(Names.duration(nanoseconds(slots: slots)))"
      case .synchronousLink(let isExtended): "requests \(isExtended ? "an eSCO" : "a SCO") link"
      case .synchronousLinkEnd(let isExtended, let reason):
        "ends \(isExtended ? "an eSCO" : "a SCO") link: \(Names.status(reason))"
      case .roleSwitch: "requests a role switch"
      case .sniff(nil): "requests the end of sniff mode"
      case .sniff(let slots?):
        "requests sniff mode every \(Names.duration(nanoseconds(slots: slots)))"
      case .encryption(let starts): "requests \(starts ? "" : "the end of ")encryption"
      }
    }
  }

  /// LMP_NOT_ACCEPTED, and the same for extended opcodes.
  public struct Rejected: Described {
    public let sender: Sender
    /// The refused PDU.
    public let opcode: UInt8
    public let extendedOpcode: UInt8?
    public let error: UInt8

    public var kind: EventKind { link("link-manager-rejected") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sender.describe(to: &sink)
      sink.number("opcode", opcode, .incidental)
      sink.number("extended_opcode", extendedOpcode, .incidental)
      sink.word("opcode_name", name(opcode, extendedOpcode))
      sink.code("reason", error, "reason_name", "hci.evt.status", .viewpoint)
      let refused = name(opcode, extendedOpcode) ?? "opcode \(Names.hex(opcode))"
      sink.sentence(
        sender.name + " rejects the \(sender.other)'s \(refused): \(Names.status(error))")
    }
  }

  /// LMP_DETACH
  public struct Detached: Described {
    public let sender: Sender
    public let reason: UInt8

    public var kind: EventKind { link("link-manager-detached") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sender.describe(to: &sink)
      sink.code("reason", reason, "reason_name", "hci.evt.status", .viewpoint)
      sink.sentence(sender.name + " ends the link: \(Names.status(reason))")
    }
  }

  /// A step of pairing or authentication.
  public struct Pairing: Described {
    public enum Step: Equatable, Sendable {
      /// Secure Simple Pairing: what a side is capable of.
      case capability(io: UInt8, hasOOBData: Bool, requirements: UInt8, isRequest: Bool)
      /// Legacy pairing.
      case pin
      /// The other side shall show that it has the link key.
      case authentication
    }

    public let sender: Sender
    public let step: Step

    public var kind: EventKind { pairing("link-manager-pairing") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sender.describe(to: &sink)
      switch step {
      case .capability(let io, let hasOOBData, let requirements, let isRequest):
        sink.word("step", isRequest ? "io-capability-request" : "io-capability", .identity)
        let capability = Names.of(io, "lmp.ioCapability") ?? "IO capability \(io)"
        let wishes = Names.named(requirements, "lmp.authenticationRequirements")
        sink.word("io_capability", capability)
        sink.word("requirements", wishes)
        sink.flag("oob", hasOOBData)
        let oob = hasOOBData ? ", has Out of Band data" : ""
        let verb = isRequest ? "starts" : "answers"
        sink.sentence(
          sender.name + " \(verb) Secure Simple Pairing: \(capability), \(wishes)\(oob)")
      case .pin:
        sink.word("step", "pin", .identity)
        sink.sentence(sender.name + " starts pairing with a PIN")
      case .authentication:
        sink.word("step", "authentication", .identity)
        sink.sentence(sender.name + " authenticates the \(sender.other)")
      }
    }
  }

  public struct PairingFailed: Described {
    public enum Cause: Equatable, Sendable {
      case numericComparison, passkey, outOfBand
      /// The other side's PDU is not accepted.
      case rejected(opcode: UInt8, extendedOpcode: UInt8?, error: UInt8)
    }

    public let sender: Sender
    public let cause: Cause

    public var kind: EventKind { pairing("link-manager-pairing-failed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sender.describe(to: &sink)
      sink.word("cause", causeName.description, .identity)
      switch cause {
      case .rejected(let opcode, let extended, let error):
        sink.word("opcode_name", name(opcode, extended))
        sink.code("reason", error, "reason_name", "hci.evt.status", .viewpoint)
        let refused = name(opcode, extended) ?? "opcode \(Names.hex(opcode))"
        sink.sentence(
          sender.name
            + " rejects the \(sender.other)'s \(refused) during pairing: \(Names.status(error))")
      case .numericComparison:
        sink.sentence(
          sender.name + " ends the pairing: its user did not confirm the six digits")
      case .passkey: sink.sentence(sender.name + " ends the pairing: it has no passkey")
      case .outOfBand:
        sink.sentence(sender.name + " ends the pairing: it has no matching Out of Band data")
      }
    }

    private var causeName: StaticString {
      switch cause {
      case .numericComparison: "numeric-comparison"
      case .passkey: "passkey"
      case .outOfBand: "oob"
      case .rejected: "rejected"
      }
    }
  }
}
