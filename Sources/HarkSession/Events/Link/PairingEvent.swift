import HarkCore
import HarkDissection

/// Events of a pairing. Core Specification, Vol 3, Part H, 2.3; for BR/EDR, Vol 4, Part E, 7.7.
public enum PairingEvent: Sendable {
  case requested(Requested)
  case method(Method)
  case securityRequested(SecurityRequested)
  case publicKeys(PublicKeys)
  case failed(Failed)
  case timedOut(TimedOut)
  case unfinished(Unfinished)
  case cutOff(CutOff)
  case keypress(Keypress)
  case crossTransportAccepted(CrossTransportAccepted)
  case crossTransportComplete(CrossTransportComplete)
  case crossTransportIncomplete(CrossTransportIncomplete)
  case keysMissing(KeysMissing)
  case complete(Complete)
  case simple(SimplePairing.Step)
  case pinRequested(PINRequested)
  case pinRefused(PINRefused)
  case linkKey(LinkKey)

  var described: any Described {
    switch self {
    case .requested(let event): event
    case .method(let event): event
    case .securityRequested(let event): event
    case .publicKeys(let event): event
    case .failed(let event): event
    case .timedOut(let event): event
    case .unfinished(let event): event
    case .cutOff(let event): event
    case .keypress(let event): event
    case .crossTransportAccepted(let event): event
    case .crossTransportComplete(let event): event
    case .crossTransportIncomplete(let event): event
    case .keysMissing(let event): event
    case .complete(let event): event
    case .simple(let event): event
    case .pinRequested(let event): event
    case .pinRefused(let event): event
    case .linkKey(let event): event
    }
  }

  private static func name(_ isSecureConnections: Bool) -> String {
    isSecureConnections ? "LE Secure Connections" : "LE legacy pairing"
  }
}

extension PairingEvent {
  /// What one side requests in AuthReq. Vol 3, Part H, 3.5.1
  public struct Requirements: Sendable {
    public let secureConnections: Bool
    public let bonding: Bool
    public let mitm: Bool

    init(_ requirements: SMPMessage.AuthenticationRequirements) {
      self.init(
        secureConnections: requirements.secureConnections, bonding: requirements.bonding,
        mitm: requirements.mitm)
    }

    init(secureConnections: Bool, bonding: Bool, mitm: Bool) {
      (self.secureConnections, self.bonding, self.mitm) = (secureConnections, bonding, mitm)
    }

    fileprivate func describe(to sink: inout some EventSink) {
      sink.flag("secure_connections", secureConnections)
      sink.flag("bonding", bonding)
      sink.flag("mitm", mitm)
    }

    fileprivate var words: String {
      [
        PairingEvent.name(secureConnections), bonding ? "bonding" : "no bonding",
        mitm ? "MITM protection" : "no MITM protection",
      ].joined(separator: ", ")
    }
  }

  public struct Requested: Described {
    public let requirements: Requirements
    public let ioCapability: UInt8
    /// Whether it is over BR/EDR, where the other members are reserved: the keys for LE follow from the link key.
    /// Vol 3, Part H, 2.4.2.5, 3.5.1
    public var isCrossTransport = false
    /// Whether the Peripheral sent it: only the Central may. Vol 3, Part H, 3.5.1
    public var isOfWrongSide = false

    public var kind: EventKind { SecurityEvent.kind("pairing-requested") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("cross_transport", isCrossTransport ? true : nil)
      if isCrossTransport {
        return sink.sentence("Cross-transport key derivation requested: keys for LE over BR/EDR")
      }
      let name = Names.of(ioCapability, "smp.ioCapability")
      requirements.describe(to: &sink)
      sink.word("io_capability", name)
      sink.flag("wrong_side", isOfWrongSide ? true : nil)
      sink.sentence(
        "Pairing requested\(isOfWrongSide ? " by the Peripheral, but only the Central may" : ""): "
          + "\(requirements.words), \(name ?? "IO capability \(ioCapability)")")
    }
  }

  /// The method that both sides' features select.
  public struct Method: Described {
    public let method: Pairing.Method
    public let secureConnections: Bool
    /// In bytes; 0 if it is not allowed.
    public let keySize: UInt8
    /// What each side requested and the method may not provide.
    public var wanted = Pairing.Wishes()

    public var kind: EventKind { SecurityEvent.kind("pairing-method") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("method", method.rawValue)
      sink.flag("secure_connections", secureConnections)
      sink.number("key_size", keySize > 0 ? keySize : nil)
      sink.object("wanted") { sink in
        sink.object("central") { sink in
          sink.flag("mitm", wanted.mitmByCentral)
          sink.flag("secure_connections", wanted.secureConnectionsByCentral)
          sink.word("io_capability", capability(wanted.ioCapabilityOfCentral))
          sink.number("key_size", wanted.keySizeOfCentral)
        }
        sink.object("peripheral") { sink in
          sink.flag("mitm", wanted.mitmByPeripheral)
          sink.flag("secure_connections", wanted.secureConnectionsByPeripheral)
          sink.word("io_capability", capability(wanted.ioCapabilityOfPeripheral))
          sink.number("key_size", wanted.keySizeOfPeripheral)
        }
      }
      let size = keySize > 0 ? "\(keySize)-byte key" : "a key size outside of 7 to 16 bytes"
      sink.sentence("Pairing: \(name(secureConnections)), \(method.rawValue), \(size)")
    }

    private func capability(_ value: UInt8?) -> String? {
      value.flatMap { Names.of($0, "smp.ioCapability") }
    }
  }

  /// The Peripheral requests it.
  public struct SecurityRequested: Described {
    public let requirements: Requirements

    /// Whether the Central sent it: only the Peripheral may. Vol 3, Part H, 2.4.6
    public var isOfWrongSide = false

    public var kind: EventKind { SecurityEvent.kind("security-requested") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      requirements.describe(to: &sink)
      sink.flag("wrong_side", isOfWrongSide ? true : nil)
      sink.sentence(
        isOfWrongSide
          ? "Central requests security, but only the Peripheral may: \(requirements.words)"
          : "Peripheral requests security: \(requirements.words)")
    }
  }

  public struct PublicKeys: Described {
    /// Whether the key is the debug key, whose private key the specification prints. Vol 3, Part H, 2.3.5.6.1
    public let isDebugKey: Bool

    public var kind: EventKind { SecurityEvent.kind("pairing-public-keys") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      if isDebugKey { sink.flag("debug_key", true) }
      sink.sentence(
        isDebugKey
          ? "Pairing: a debug key is used, so anyone can compute the LTK"
          : "Pairing: public keys exchanged")
    }
  }

  /// A side stopped the pairing. Vol 3, Part H, 3.5.5
  public struct Failed: Described {
    public let reason: UInt8
    /// Whether the peer, over the air the Peripheral, stopped it; nil if the capture does not show that.
    public var byPeer: Bool? = nil

    public var kind: EventKind {
      SecurityEvent.kind("pairing-failed", step: "pairing-complete")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("reason", reason, "reason_name", "smp.reason", .viewpoint)
      sink.flag("by_peer", byPeer, .viewpoint)
      let sides = Sides(of: event, session)
      let who: EventSentence = byPeer.map { ", sent by \($0 ? sides.thePeer : sides.host)" } ?? ""
      sink.sentence("Pairing failed: \(Names.named(reason, "smp.reason"))\(who)")
    }
  }

  /// No PDU arrived for 30 s: the pairing has failed, whatever arrives later. Vol 3, Part H, 3.4
  public struct TimedOut: Described {
    public var kind: EventKind {
      SecurityEvent.kind("pairing-timed-out", step: "pairing-complete")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("Pairing timed out: no packet for 30 s")
    }
  }

  /// The link ended before the pairing did.
  public struct CutOff: Described {
    /// Whether a side closed the link, which was not lost.
    public let isChosen: Bool

    public var kind: EventKind {
      SecurityEvent.kind("pairing-cut-off", step: "pairing-complete")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("closed", isChosen)
      sink.sentence(
        isChosen
          ? "Pairing not completed: the link is closed first"
          : "Pairing not completed: the link ends first")
    }
  }

  /// Encryption began before both sides had proved that they have the key. Vol 3, Part H, 2.3.5.5, 2.3.5.6.5
  public struct Unfinished: Described {
    public let secureConnections: Bool

    public var kind: EventKind {
      SecurityEvent.kind("pairing-unfinished", step: "pairing-complete")
    }

    /// The PDU with which each side proves it.
    public var proof: String { secureConnections ? "Pairing DHKey Check" : "Pairing Random" }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("secure_connections", secureConnections)
      sink.sentence(
        "Pairing not finished: encryption begins without \(proof) of both sides")
    }
  }

  public struct Complete: Described {
    public let secureConnections: Bool
    /// Whether both sides requested to store the keys; nil if the capture does not show that.
    public let bonding: Bool?
    /// Whether the PDUs that end it are in the capture, and not only the encryption after them.
    public let isCaptured: Bool
    /// Whether both sides derive the link key for BR/EDR from the LTK.
    public var derivesLinkKey = false

    public var kind: EventKind { SecurityEvent.kind("pairing-complete") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("secure_connections", secureConnections)
      sink.flag("bonding", bonding)
      if !isCaptured { sink.flag("messages_missing", true) }
      if derivesLinkKey { sink.flag("derives_link_key", true) }
      sink.sentence(
        "Pairing complete: \(name(secureConnections))\(bonding == false ? ", no bonding" : "")"
          + (derivesLinkKey ? ", link key for BR/EDR derived from the LTK" : "")
          + (isCaptured ? "" : ", its last messages not captured"))
    }
  }

  /// BR/EDR pairing before Secure Simple Pairing existed.
  public struct PINRequested: Described {
    public var kind: EventKind { SecurityEvent.kind("pin-requested") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("Pairing: PIN requested")
    }
  }

  /// This host gives no PIN. Vol 4, Part E, 7.1.13
  public struct PINRefused: Described {
    public var kind: EventKind {
      SecurityEvent.kind("pin-refused", step: "pin-requested", isShared: false)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("Pairing: this host gives no PIN")
    }
  }

  /// Of BR/EDR. Vol 4, Part E, 7.7.24
  public struct LinkKey: Described {
    public let type: UInt8

    public var kind: EventKind { SecurityEvent.kind("link-key") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("type", type, "type_name", "hci.evt.keyType")
      sink.sentence("Link key created: \(Names.of(type, "hci.evt.keyType") ?? "type \(type)")")
    }
  }
}
