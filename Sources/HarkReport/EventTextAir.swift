import HarkCore
import HarkCrypto
import HarkDissection
import HarkSession

// Connections heard on the air: Core Specification, Vol 6, Part B.
extension EventText {
  static func linkLayer(_ event: LinkLayerEvent) -> String {
    switch event {
    case .version(let byPeripheral, let version, let company):
      return "\(side(byPeripheral))'s controller is \(Names.version(version)), "
        + "made by \(Names.company(company))"
    case .features(let byPeripheral, let features):
      return "\(side(byPeripheral))'s Link Layer features: \(names(of: features))"
    case .channelMap(let map):
      return "channel map: \(map.nonzeroBitCount) of 37 channels are used"
    case .rejected(let byPeripheral, let opcode, let error):
      let what = refused(opcode, byPeripheral)
      guard let error else { return "\(side(byPeripheral)) does not support \(what)" }
      return "\(side(byPeripheral)) rejects \(what): \(Names.status(error))"
    case .encryptionRequested(let isShortTerm):
      return "Central starts link encryption "
        + (isShortTerm
          ? "with the key of a pairing (EDIV and Rand are 0)" : "with the LTK of a bond")
    case .opened(let key):
      return "link decrypted from here on with \(words(key))"
    case .locked(let lock): return "encrypted from here on and not readable: \(needs(lock))"
    case .isochronousStream(let group, let stream):
      return "Central asks for Connected Isochronous Stream \(stream) of group \(group)"
    case .isochronousStreamAddress(let address):
      return "Connected Isochronous Stream begins, access address \(Names.hex(address))"
    }
  }

  /// `the Central's LL_ENC_REQ`, or what LL_REJECT_IND answers where no request was heard.
  private static func refused(_ opcode: UInt8?, _ byPeripheral: Bool?) -> String {
    let asker = byPeripheral.map { side(!$0) } ?? "other"
    guard let opcode else { return "a request of the \(asker)" }
    let name = Names.of(opcode, "ll.control.opcode") ?? "opcode \(Names.hex(opcode))"
    return "the \(asker)'s \(name)"
  }

  private static func words(_ key: LinkLayerEvent.Key) -> String {
    switch key {
    case .longTermKey(let key): "LTK \(key)"
    case .shortTermKey(hasPasskey: false): "the STK: the pairing used no passkey"
    case .shortTermKey(hasPasskey: true):
      "the STK: the passkey was found from the pairing's Confirm and Random Values"
    }
  }

  /// As many as a line can take, and how many more there are.
  private static func names(of features: UInt64) -> String {
    let names = Catalog.shared.fields(at: "ll.control.featureSet").first?.definition.flags ?? [:]
    let all = (0..<UInt64(64)).filter { features >> $0 & 1 == 1 }
      .map { names[$0]?.description ?? "bit \($0)" }
    guard !all.isEmpty else { return "none" }
    return all.prefix(4).joined(separator: ", ")
      + (all.count > 4 ? " and \(all.count - 4) more" : "")
  }

  private static func side(_ isPeripheral: Bool?) -> String {
    isPeripheral.map { $0 ? "Peripheral" : "Central" } ?? "one side"
  }

  /// What would be needed to read it.
  private static func needs(_ lock: LinkLayerEvent.Lock) -> String {
    switch lock {
    case .longTermKey:
      "the LTK of the bond is needed: from a key file, or from HCI recorded at one of the two"
    case .secureConnections:
      "LE Secure Connections made the LTK, which never goes over the air: it is needed from a key "
        + "file, or from HCI recorded at one of the two"
    case .outOfBand:
      "the pairing used data from out of band: the LTK is needed, from a key file or from HCI "
        + "recorded at one of the two"
    case .temporaryKey:
      "no passkey fits what was heard of the pairing: the LTK is needed, from a key file or from HCI "
        + "recorded at one of the two"
    case .pairingIncomplete:
      "not all packets of the pairing were heard: the LTK is needed, or a capture with all of them"
    case .startNotHeard:
      "LL_ENC_REQ and LL_ENC_RSP were not both heard, without which no key opens it"
    case .keysDoNotFit:
      "the key that opened it does not any more: packets in between were not heard"
    }
  }

  /// `LE connection 0x8a3b21f0 from C0:… to Watch (C1:…), interval …`
  static func openedOnAir(
    _ link: Link, _ air: Link.Air, _ session: borrowing Session
  ) -> String {
    var text = "LE connection \(Names.hex(air.accessAddress))"
    if let central = air.central {
      let name = air.centralDevice.flatMap { session.devices[Int($0.index)].name }
      text += " from Central " + (name.map { "\($0) (\(central))" } ?? "\(central)")
    }
    if let peer = link.peer {
      let name = link.device.flatMap { session.devices[Int($0.index)].name }
      text += " to Peripheral " + (name.map { "\($0) (\(peer))" } ?? "\(peer)")
    }
    if let interval = link.interval {
      text += ", \(parameters(interval, link.latency, link.supervisionTimeout))"
    }
    if let map = air.channelMap { text += ", \(map.nonzeroBitCount) of 37 channels" }
    if let hop = air.hop { text += ", hop \(hop)" }
    return text
  }
}

extension Link {
  /// What identifies it to people: the Access Address on the air, else the Connection_Handle.
  package var designation: String {
    air.map { Names.hex($0.accessAddress) } ?? Names.hex(handle)
  }
}
