import HarkDissection

// Passkey entry over LE, and the keys of a pairing over BR/EDR. Core Specification, Vol 3, Part H.
extension PairingEvent {
  /// A side's user enters the passkey. 3.5.8
  public struct Keypress: Described {
    /// The Notification Type.
    public let type: UInt8
    /// Whether it is the peer's user, over the air the Peripheral's; nil if the capture does not show that.
    public let byPeer: Bool?

    public var kind: EventKind { SecurityEvent.kind("pairing-keypress") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("type", type, "type_name", "smp.notificationType")
      sink.flag("by_peer", byPeer, .viewpoint)
      let sides = Sides(of: event, session)
      let place: EventSentence = byPeer.map { " at \($0 ? sides.thePeer : sides.host)" } ?? ""
      let name = Names.of(type, "smp.notificationType") ?? "keypress \(type)"
      sink.sentence("Pairing: \(name)\(place)")
    }
  }

  /// The keys that a side distributes for LE. 3.6.1
  public struct DistributedKeys: Equatable, Sendable {
    /// Only over LE itself: over BR/EDR, both sides derive it.
    public let ltk: Bool
    public let irk: Bool
    public let csrk: Bool

    public init(ltk: Bool = false, irk: Bool, csrk: Bool) {
      (self.ltk, self.irk, self.csrk) = (ltk, irk, csrk)
    }

    init(_ keys: SMPMessage.KeyDistribution) {
      self.init(
        ltk: keys.contains(.encryptionKey), irk: keys.contains(.identityKey),
        csrk: keys.contains(.signatureKey))
    }

    fileprivate var names: [String] {
      [ltk ? "LTK" : nil, irk ? "IRK" : nil, csrk ? "CSRK" : nil].compactMap(\.self)
    }
  }

  /// Both sides derive keys for LE from the link key, and distribute others. 2.4.2.5
  public struct CrossTransportAccepted: Described {
    /// Whether both sides derive the LTK.
    public let derivesLTK: Bool
    public let central: DistributedKeys
    public let peripheral: DistributedKeys

    public var kind: EventKind { SecurityEvent.kind("cross-transport-accepted") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("derives_ltk", derivesLTK)
      PairingEvent.describe(central, peripheral, to: &sink)
      let keys = PairingEvent.words(central, peripheral)
      sink.sentence(
        "Cross-transport key derivation accepted: \(derivesLTK ? "LTK derived from the link key" : "no LTK")"
          + (keys.isEmpty ? "" : "; to be sent: \(keys)"))
    }
  }

  /// All keys were distributed. 3.6.1
  public struct CrossTransportComplete: Described {
    public let derivesLTK: Bool

    public var kind: EventKind { SecurityEvent.kind("cross-transport-complete") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("derives_ltk", derivesLTK)
      sink.sentence(
        "Cross-transport key derivation complete\(derivesLTK ? "" : ", without an LTK")")
    }
  }

  /// The link ended, or another pairing began, before all keys were distributed.
  public struct CrossTransportIncomplete: Described {
    /// The keys that the sides did not send.
    public let central: DistributedKeys
    public let peripheral: DistributedKeys

    public var kind: EventKind {
      SecurityEvent.kind("cross-transport-incomplete", step: "cross-transport-complete")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      PairingEvent.describe(central, peripheral, to: &sink)
      sink.sentence(
        "Cross-transport key derivation incomplete, not sent: \(PairingEvent.words(central, peripheral))"
      )
    }
  }

  /// Over LE, the link ended, or another pairing began, before all keys of the bond were sent.
  public struct KeysMissing: Described {
    /// The keys that the sides did not send.
    public let central: DistributedKeys
    public let peripheral: DistributedKeys

    public var kind: EventKind { SecurityEvent.kind("pairing-keys-missing") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      PairingEvent.describe(central, peripheral, to: &sink)
      sink.sentence(
        "Pairing: agreed, but not sent: \(PairingEvent.words(central, peripheral))")
    }
  }

  private static func describe(
    _ central: DistributedKeys, _ peripheral: DistributedKeys, to sink: inout some EventSink
  ) {
    sink.list("central_keys") { sink in
      for name in central.names { sink.element(.word(name), .parameter) }
    }
    sink.list("peripheral_keys") { sink in
      for name in peripheral.names { sink.element(.word(name), .parameter) }
    }
  }

  /// `IRK and CSRK of the Central, IRK of the Peripheral`
  private static func words(_ central: DistributedKeys, _ peripheral: DistributedKeys) -> String {
    [(central, "Central"), (peripheral, "Peripheral")].filter { !$0.0.names.isEmpty }.map {
      "\($0.names.joined(separator: " and ")) of the \($1)"
    }.joined(separator: ", ")
  }
}
