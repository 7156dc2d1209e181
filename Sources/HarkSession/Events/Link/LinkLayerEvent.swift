import HarkCore
import HarkCrypto
import HarkDissection

/// Link Layer events of a connection received over the air. Core Specification, Vol 6, Part B, 5.1.
public enum LinkLayerEvent: Sendable {
  case version(Version)
  case features(Features)
  case channelMap(ChannelMap)
  case instantPassed(InstantPassed)
  case rejected(Rejected)
  case encryptionRequested(EncryptionRequested)
  case opened(Opened)
  case locked(Locked)
  case isochronousStream(IsochronousStream)
  case isochronousStreamAddress(IsochronousStreamAddress)
  case isochronousStreamEnded(IsochronousStreamEnded)
  case periodicSync(PeriodicSync)
  case broadcastChannelMap(BroadcastChannelMap)
  case broadcastGroupTerminating(BroadcastGroupTerminating)
  case broadcastGroupTerminated(BroadcastGroupTerminated)
  /// Of BR/EDR.
  case linkManager(LinkManagerEvent)

  var described: any Described {
    switch self {
    case .version(let event): event
    case .features(let event): event
    case .channelMap(let event): event
    case .instantPassed(let event): event
    case .rejected(let event): event
    case .encryptionRequested(let event): event
    case .opened(let event): event
    case .locked(let event): event
    case .isochronousStream(let event): event
    case .isochronousStreamAddress(let event): event
    case .isochronousStreamEnded(let event): event
    case .periodicSync(let event): event
    case .broadcastChannelMap(let event): event
    case .broadcastGroupTerminating(let event): event
    case .broadcastGroupTerminated(let event): event
    case .linkManager(let event): event.described
    }
  }

  /// Host captures do not show it.
  static func link(_ name: StaticString) -> EventKind {
    EventKind(name, .link, [.air, .links], isShared: false)
  }

  /// That of an isochronous stream.
  static func streamKind(_ name: StaticString) -> EventKind {
    EventKind(name, .link, [.air, .links, .isochronous], isShared: false)
  }

  static func side(_ isPeripheral: Bool) -> String {
    isPeripheral ? "Peripheral" : "Central"
  }

  static func side(_ isPeripheral: Bool?) -> String {
    isPeripheral.map(side) ?? "one side"
  }
}

extension EventSink {
  mutating func sender(_ isPeripheral: Bool?) {
    word("by", isPeripheral.map { $0 ? "Peripheral" : "Central" })
  }
}

extension LinkLayerEvent {
  public struct Version: Described {
    /// Nil if it is unknown which side it was.
    public let byPeripheral: Bool?
    public let version: UInt8
    public let company: UInt16

    public var kind: EventKind { link("link-layer-version") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sender(byPeripheral)
      sink.number("version", version)
      sink.number("company", company, .incidental)
      sink.sentence(
        """
        \(side(byPeripheral))'s controller is \(Names.version(version)), made by \
        \(Names.company(company))
        """)
    }
  }

  public struct Features: Described {
    /// Nil if it is unknown which side it was.
    public let byPeripheral: Bool?
    public let features: UInt64

    public var kind: EventKind { link("link-layer-features") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sender(byPeripheral)
      sink.word("features", Names.hex(features))
      sink.sentence("\(side(byPeripheral))'s Link Layer features: \(list)")
    }

    /// As many as fit in a line, and how many more there are.
    private var list: String {
      let names = Catalog.shared.fields(at: "ll.control.featureSet").first?.definition.flags ?? [:]
      let all = (0..<UInt64(64)).filter { features >> $0 & 1 == 1 }
        .map { names[$0]?.description ?? "bit \($0)" }
      guard !all.isEmpty else { return "none" }
      return all.prefix(4).joined(separator: ", ")
        + (all.count > 4 ? " and \(all.count - 4) more" : "")
    }
  }

  public struct ChannelMap: Described {
    public let map: UInt64

    public var kind: EventKind { link("channel-map") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("channel_map", Names.hex(map))
      sink.number("channels", map.nonzeroBitCount)
      sink.sentence("channel map: \(map.nonzeroBitCount) of 37 channels in use")
    }
  }

  public struct Rejected: Described {
    /// Nil if it is unknown which side it was.
    public let byPeripheral: Bool?
    /// The refused PDU: LL_REJECT_IND does not name it, and the other side's request may not be in the capture.
    public let opcode: UInt8?
    /// LL_UNKNOWN_RSP has none.
    public let error: UInt8?

    public var kind: EventKind {
      switch opcode.flatMap(LLControlPDU.Opcode.init) {
      case .cisReq, .cisRsp: streamKind("link-layer-rejected")
      default: link("link-layer-rejected")
      }
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sender(byPeripheral)
      sink.number("opcode", opcode, .incidental)
      sink.word("opcode_name", opcode.flatMap { Names.of($0, "ll.control.opcode") })
      sink.code("reason", error, "reason_name", "hci.evt.status", .viewpoint)
      let reason = error.map { ": \(Names.status($0))" } ?? ""
      sink.sentence(
        """
        \(side(byPeripheral)) \(error == nil ? "does not support" : "rejects") \(refused)\(reason)
        """)
    }

    /// `the Central's LL_ENC_REQ`, or what LL_REJECT_IND answers if the request is not in the capture.
    private var refused: String {
      let asker = byPeripheral.map { side(!$0) } ?? "other"
      guard let opcode else { return "a request of the \(asker)" }
      return "the \(asker)'s "
        + (Names.of(opcode, "ll.control.opcode") ?? "opcode \(Names.hex(opcode))")
    }
  }

  public struct EncryptionRequested: Described {
    /// Whether with the key of a pairing on this connection instead of the key of a bond; nil if EDIV and Rand are 0
    /// and no pairing was captured: it may be a bond of LE Secure Connections. Vol 3, Part H, 2.4.4
    public let isShortTerm: Bool?

    public var kind: EventKind {
      EventKind("encryption-requested", .pairing, [.air, .links], isShared: false)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("pairing", isShortTerm)
      sink.sentence("Central starts link encryption with \(keyWords)")
    }

    package var keyWords: StaticString {
      switch isShortTerm {
      case true?: "the key of a pairing (EDIV and Rand are 0)"
      case false?: "the LTK of a bond"
      case nil: "the key of a pairing or of an LE Secure Connections bond (EDIV and Rand are 0)"
      }
    }
  }

  /// From here on, hark decrypts the connection.
  public struct Opened: Described {
    public let key: Key

    public enum Key: Sendable {
      /// From the capture, or a key file.
      case longTermKey(Fingerprint)
      /// The packets of a legacy pairing reveal it: its temporary key is 0, or a passkey that was found.
      case shortTermKey(hasPasskey: Bool)
      /// The STK of a legacy pairing with a given temporary key: a passkey, or out-of-band data.
      case temporaryKey(Fingerprint)
      /// The LTK of LE Secure Connections, computed with a private key: the debug key, or a given one.
      case secureConnections(Fingerprint, isDebugKey: Bool)
    }

    public var kind: EventKind {
      EventKind("link-decrypted", .pairing, [.air, .pairing], isShared: false)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      switch key {
      case .longTermKey(let key): sink.key(key)
      case .shortTermKey(let hasPasskey): sink.flag("passkey_found", hasPasskey)
      case .temporaryKey(let key): sink.key(key)
      case .secureConnections(let key, let isDebugKey):
        sink.key(key)
        sink.flag("debug_key", isDebugKey)
      }
      sink.sentence("link decrypted from here on with \(words)")
    }

    private var words: String {
      switch key {
      case .longTermKey(let key): "LTK \(key)"
      case .shortTermKey(hasPasskey: false): "the STK: the pairing used no passkey"
      case .shortTermKey(hasPasskey: true):
        "the STK: the passkey was found from the pairing's Confirm and Random Values"
      case .temporaryKey(let key): "the STK: temporary key \(key) is known"
      case .secureConnections(let key, isDebugKey: true):
        "LTK \(key), computed with the debug key that the pairing used"
      case .secureConnections(let key, isDebugKey: false):
        "LTK \(key), computed with a private key of the pairing"
      }
    }
  }

  /// The connection cannot be decrypted.
  public struct Locked: Described {
    public let lock: Lock
    public let trial: KeyTrial
    /// The first PDU that the key no longer decrypts, and its sender; nil if no key ever decrypted one.
    public let counter: UInt64?
    public let byPeripheral: Bool?
    /// The first packet that the key no longer decrypts; nil if no key ever decrypted one.
    public let since: PacketID?

    public var kind: EventKind { EventKind("link-locked", .pairing, [.air, .pairing]) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("needs", lock.name.description)
      sink.number("keys_tried", trial.tried, .incidental)
      sink.number("keys_untried", trial.untried == 0 ? nil : trial.untried, .incidental)
      sink.number("packet_counter", counter, .incidental)
      if let since {
        sink.sentence("link not decrypted from #\(since.number) on: \(lock.words)")
      } else {
        sink.sentence("link encrypted from here on, not decrypted: \(lock.words)\(limit)")
      }
    }

    /// What the search for keys left out.
    private var limit: String {
      trial.untried == 0
        ? ""
        : "; hark tried \(trial.tried) of \(trial.tried + trial.untried) LTKs: the search ended at its limit"
    }
  }

  /// What decryption would need.
  public enum Lock: Sendable {
    /// The LTK of a bond.
    case longTermKey
    /// The LTK of LE Secure Connections: it is never sent over the air.
    case secureConnections
    /// The out-of-band data of a legacy pairing.
    case outOfBand
    /// The temporary key of a legacy pairing: no passkey fits the packets.
    case temporaryKey
    /// The same: the search for passkeys has reached its limit for a capture.
    case searchLimited
    /// The PDUs of the pairing: not all of them are in the capture.
    case pairingIncomplete
    /// The PDUs that begin encryption: not all of them are in the capture.
    case startNotHeard
    /// Whole packets: the recorder cut all of them.
    case truncated
    /// One of the available keys decrypts it, but not from here on.
    case keysDoNotFit

    package var name: StaticString {
      switch self {
      case .longTermKey: "ltk"
      case .secureConnections: "ltk-of-secure-connections"
      case .outOfBand: "ltk-or-out-of-band-data"
      case .temporaryKey, .searchLimited: "ltk"
      case .pairingIncomplete: "ltk-or-whole-pairing"
      case .startNotHeard: "encryption-start"
      case .truncated: "whole-packets"
      case .keysDoNotFit: "missing-packets"
      }
    }

    package var words: StaticString {
      switch self {
      case .longTermKey:
        "add the LTK of the bond, from a key file or an HCI capture of either device"
      case .secureConnections:
        """
        LE Secure Connections never sends the LTK over the air: add it, or the private key of one \
        side's pairing, from a key file, or from an HCI capture of either device
        """
      case .outOfBand:
        """
        the pairing used Out of Band data: add the temporary key, or the LTK, from a key file or an \
        HCI capture of either device
        """
      case .temporaryKey:
        """
        no passkey fits the received part of the pairing: add the LTK, from a key file or an \
        HCI capture of either device
        """
      case .searchLimited:
        """
        hark searches the passkeys of a limited number of pairings in a capture: add the passkey or \
        the LTK, or make a capture of this connection alone
        """
      case .pairingIncomplete:
        """
        the capture lacks packets of the pairing: add the LTK, or record again
        """
      case .startNotHeard:
        "LL_ENC_REQ or LL_ENC_RSP is not in the capture, so no key can decrypt the link"
      case .truncated:
        "the recorder truncated the encrypted packets: record with the full packet length"
      case .keysDoNotFit:
        "the key that decrypted it no longer fits: packets in between were not received"
      }
    }
  }

  /// The Central requests a Connected Isochronous Stream.
  public struct IsochronousStream: Described {
    public let group: UInt8
    public let stream: UInt8

    public var kind: EventKind { streamKind("isochronous-stream-requested") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("cig", group)
      sink.number("cis", stream)
      sink.sentence(
        "Central requests Connected Isochronous Stream \(stream) of group \(group)")
    }
  }
}

extension Link {
  /// Its label: the name that its peer has, if a read shows it, otherwise the Access Address over the air, or the
  /// Connection_Handle. It stands for the device as long as that is unknown.
  package var label: String {
    if let peerName { return sharesPeerName ? "\(peerName) (\(designation))" : peerName }
    let isNumber = network == nil && usbAccessory == nil
    return peer.map { "\($0)" } ?? (isNumber ? "handle \(designation)" : designation)
  }

  package var designation: String {
    air.map { Names.hex($0.accessAddress) } ?? network.map { "\($0.server)" }
      ?? usbAccessory.map { "USB accessory \($0 + 1)" } ?? Names.hex(handle)
  }
}
