import HarkCore
import HarkCrypto
import HarkDissection

/// One of the first encrypted PDUs of a connection received over the air, which is used to find its key.
struct EncryptedAirPDU {
  let header: LLDataHeader
  /// With the MIC.
  let payload: [UInt8]
  /// Its possible senders: 0 is the Central, 1 the Peripheral.
  let sides: [Int]
  /// How many counters are tried: up to this many earlier PDUs may not have been received.
  let reach: UInt64
}

// The key of an encrypted connection. Core Specification, Vol 6, Part B, 5.1.3; Vol 3, Part H, 2.3.5.
extension AirFollower {
  /// How often passkeys are searched in a capture, up to four times for a pairing: each search takes up to a second.
  private static let mostKeySearches = 12
  /// Up to this many LTKs are each tried as if it were the only one.
  private static let mostKeysOneByOne = 256

  /// Looks for the key that decrypts `pdu`: a known key, or that of the current pairing.
  mutating func findKey(
    _ pdu: EncryptedAirPDU, _ index: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let diversifiers = state[index].encryption.diversifiers else { return }
    let link = state[index].link
    if let key = shortTermKey(link, tables.links[link].pairing.temporaryKey, moment, tables),
      use(key, pdu, index, diversifiers)
    {
      return openedByPairing(link, moment, &tables)
    }
    if state[index].encryption.tries(ring: tables.keys.longTermKeys.count),
      let key = ringKey(pdu, index, diversifiers, moment, tables)
    {
      return tables.emit(.linkLayer(.opened(.init(key: .longTermKey(key.fingerprint)))), moment)
    }
    guard state[index].encryption.isShortTerm, !state[index].encryption.isSearched else { return }
    if usePairingKey(pdu, index, diversifiers, moment, &tables) { return }
    let all = evidence(link, pdu, diversifiers, tables)
    state[index].encryption.isSearched = !all.isEmpty
    for evidence in all {
      guard keySearches < Self.mostKeySearches else {
        state[index].encryption.trial.passkeys = .limited
        return
      }
      state[index].encryption.trial.passkeys = .all
      guard let found = search(evidence, &tables),
        let key = shortTermKey(link, found, moment, tables)
      else {
        continue
      }
      tables.links[link].pairing.temporaryKey = found
      guard use(key, pdu, index, diversifiers) else { continue }
      return openedByPairing(link, moment, &tables)
    }
  }

  /// Takes the LTK of the key ring that decrypts `pdu`. Of very many, those of the link's devices come first.
  private mutating func ringKey(
    _ pdu: EncryptedAirPDU, _ index: Int, _ diversifiers: LinkLayerDiversifiers,
    _ moment: PacketContext, _ tables: borrowing Tables
  ) -> BondingKey? {
    let all = tables.keys.longTermKeys
    guard all.count > Self.mostKeysOneByOne else {
      let keys = all.filter { $0.details.covers(moment.time) }
      state[index].encryption.trial.note(keys, of: keys.count, outOfTime: all.count - keys.count)
      if let key = keys.first(where: { use($0, pdu, index, diversifiers) }) { return key }
      noteReversed(keys, startSearch(pdu, index, diversifiers), index)
      return nil
    }
    let addresses = addresses(of: state[index].link, tables)
    let own = tables.keys.longTermKeys(of: addresses).filter { $0.details.covers(moment.time) }
    let first = own.prefix(Self.mostKeysOneByOne)
    if let key = first.first(where: { use($0, pdu, index, diversifiers) }) { return key }
    guard let search = startSearch(pdu, index, diversifiers) else { return nil }
    let others = all.filter { key in
      key.details.covers(moment.time)
        && !addresses.contains { $0.value == key.address?.value }
    }
    let keys = own.dropFirst(first.count) + others
    let affordable = Array(keys.prefix(ringSearchBudget / search.cost))
    ringSearchBudget -= affordable.count * search.cost
    let count = own.count + others.count
    state[index].encryption.trial.note(
      first + affordable, of: count, outOfTime: all.count - count)
    // No other PDU shows more than LL_START_ENC_RSP does.
    if search.isStart, affordable.count == keys.count { state[index].encryption.endTrials() }
    guard let key = search.first(in: affordable), use(key, pdu, index, diversifiers) else {
      noteReversed(Array(first), search, index)
      return nil
    }
    return key
  }

  private func startSearch(
    _ pdu: EncryptedAirPDU, _ index: Int, _ diversifiers: LinkLayerDiversifiers
  ) -> LongTermKeySearch? {
    let attempts = pdu.sides.flatMap { side in
      let counter = state[index].encryption.counters[side]
      return (counter..<counter + pdu.reach).map {
        LongTermKeySearch.Attempt(counter: $0, fromCentral: side == 0)
      }
    }
    return LongTermKeySearch(
      diversifiers, payload: pdu.payload, header: pdu.header.octet, attempts: attempts)
  }

  /// Notes which of `keys`, none of which decrypts a PDU, was given in the wrong byte order.
  private mutating func noteReversed(
    _ keys: [BondingKey], _ search: LongTermKeySearch?, _ index: Int
  ) {
    guard let search, state[index].encryption.trial.reversed == nil else { return }
    let reversed = keys.map { ($0.fingerprint, $0.reversed) }
    guard let found = search.first(in: reversed.compactMap(\.1)) else { return }
    state[index].encryption.trial.reversed =
      reversed.first { $0.1?.fingerprint == found.fingerprint }?.0
  }

  /// Those of both devices of a link.
  private func addresses(
    of link: LinkID, _ tables: borrowing Tables
  ) -> [BluetoothAddress] {
    let link = tables.links[link]
    let devices = [link.device, link.air?.centralDevice].compactMap(\.self)
    return [link.peer, link.air?.central].compactMap(\.self)
      + devices.map { tables.devices[$0].address }
  }

  /// Takes a key that the current pairing derived from a known key: a temporary key, the debug key or a private key
  /// of one side.
  private mutating func usePairingKey(
    _ pdu: EncryptedAirPDU, _ index: Int, _ diversifiers: LinkLayerDiversifiers,
    _ moment: PacketContext, _ tables: inout Tables
  ) -> Bool {
    let link = state[index].link
    if let pairing = secureConnections(link, tables) {
      let debug = pairing.debugKey(origin: .capture(moment.packet))
      state[index].encryption.trial.privateKeys = tables.keys.accessoryKeys.count {
        $0.suite == .p256
      }
      for key in debug.map({ [$0] })
        ?? tables.keys.accessoryKeys.lazy.compactMap({ pairing.longTermKey(with: $0) })
      {
        guard use(key, pdu, index, diversifiers) else { continue }
        // Later connections of the bond reuse it.
        tables.keys.add(key)
        tables.emit(
          .linkLayer(
            .opened(.init(key: .secureConnections(key.fingerprint, isDebugKey: debug != nil)))),
          moment)
        return true
      }
      return false
    }
    let pairing = tables.links[link].pairing
    guard !pairing.secureConnections, let central = pairing.randoms[0],
      let peripheral = pairing.randoms[1]
    else { return false }
    guard state[index].encryption.keyTrials <= 4 else { return false }
    let temporaryKeys = tables.keys.bondingKeys.filter { $0.kind == .temporaryKey }
    state[index].encryption.trial.temporaryKeys = temporaryKeys.count
    for temporary in temporaryKeys {
      guard
        let key = BondingKey(
          shortTermFor: Array(central.reversed()), Array(peripheral.reversed()),
          temporaryKey: temporary, size: pairing.keySize, origin: temporary.origin),
        use(key, pdu, index, diversifiers)
      else { continue }
      tables.emit(.linkLayer(.opened(.init(key: .temporaryKey(temporary.fingerprint)))), moment)
      return true
    }
    return false
  }

  /// The current pairing of LE Secure Connections, if all inputs of its key were captured.
  private func secureConnections(
    _ link: LinkID, _ tables: borrowing Tables
  ) -> SecureConnectionsPairing? {
    let pairing = tables.links[link].pairing
    guard pairing.secureConnections, let central = tables.links[link].air?.central,
      let peripheral = tables.links[link].peer
    else { return nil }
    return SecureConnectionsPairing(
      publicKeys: pairing.publicKeys.values.compactMap(\.self),
      randoms: pairing.randoms.values.compactMap(\.self),
      addresses: [central, peripheral], keySize: pairing.keySize)
  }

  private mutating func openedByPairing(
    _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let pairing = tables.links[link].pairing
    let hasPasskey = pairing.temporaryKey != 0 || pairing.method == .passkeyEntry
    tables.emit(.linkLayer(.opened(.init(key: .shortTermKey(hasPasskey: hasPasskey)))), moment)
  }

  private mutating func search(_ evidence: TemporaryKeySearch.Evidence, _ tables: inout Tables)
    -> UInt32?
  {
    keySearches += 1
    let progress = tables.wanted.onKeySearch
    defer { progress?(nil) }
    return TemporaryKeySearch.run(evidence) { tried in
      progress?(Int(tried) * 100 / Int(TemporaryKeySearch.count))
    }
  }

  /// Takes the key for the connection if it decrypts `pdu`, or if `pdu` is one of the first ones.
  private mutating func use(
    _ key: BondingKey, _ pdu: EncryptedAirPDU, _ index: Int,
    _ diversifiers: LinkLayerDiversifiers
  ) -> Bool {
    guard let cipher = key.linkLayerCipher(diversifiers) else { return false }
    let fits = Self.opens(pdu, cipher, state[index].encryption.counters)
    if fits { state[index].encryption.use(cipher, of: key) }
    return fits
  }

  private static func opens(
    _ pdu: EncryptedAirPDU, _ cipher: LinkLayerCipher, _ counters: [UInt64]
  ) -> Bool {
    pdu.sides.contains { side in
      (counters[side]..<counters[side] + pdu.reach).contains {
        cipher.open(pdu.payload, header: pdu.header.octet, counter: $0, fromCentral: side == 0)
          != nil
      }
    }
  }

  /// Whether a PDU of an encrypted link is an LL_ENC_REQ in the clear, because encryption was paused and that was not
  /// received. 5.1.3.2
  mutating func restarts(_ index: Int, _ pdu: LLDataPDU, _ bytes: RawSpan) -> Bool {
    guard LinkLayerPlaintext.isEncryptionRequest(of: bytes, pdu.payload, llid: pdu.header.llid)
    else { return false }
    guard let cipher = state[index].encryption.cipher else { return true }
    // A Channel Sounding PDU with its MIC has the same length.
    let encrypted = EncryptedAirPDU(
      header: pdu.header, payload: bytes.array(pdu.payload), sides: [0, 1],
      reach: AirEncryption.narrowest)
    return !Self.opens(encrypted, cipher, state[index].encryption.counters)
  }

  /// The STK of a legacy pairing. Vol 3, Part H, 2.3.5.5.
  private func shortTermKey(
    _ link: LinkID, _ temporaryKey: UInt32, _ moment: PacketContext, _ tables: borrowing Tables
  ) -> BondingKey? {
    let pairing = tables.links[link].pairing
    guard !pairing.secureConnections, let central = pairing.randoms[0],
      let peripheral = pairing.randoms[1]
    else { return nil }
    return BondingKey(
      shortTermFor: Array(central.reversed()), Array(peripheral.reversed()),
      temporaryKey: temporaryKey, size: pairing.keySize, origin: .capture(moment.packet))
  }

  /// What the temporary key of a pairing is checked against: a Confirm Value, if all of its inputs were received, and
  /// the first encrypted PDU.
  private func evidence(
    _ link: LinkID, _ pdu: EncryptedAirPDU, _ diversifiers: LinkLayerDiversifiers,
    _ tables: borrowing Tables
  ) -> [TemporaryKeySearch.Evidence] {
    let pairing = tables.links[link].pairing
    guard !pairing.secureConnections, pairing.method != .outOfBand,
      let central = pairing.randoms[0].map({ Array($0.reversed()) }),
      let peripheral = pairing.randoms[1].map({ Array($0.reversed()) })
    else { return [] }
    var all: [TemporaryKeySearch.Evidence] = []
    let confirmed = [0, 1].filter { pairing.confirms[$0] != nil }
    if let side = confirmed.first,
      let confirmation = confirmation(link, side, [central, peripheral][side], tables)
    {
      all.append(.confirmation(confirmation))
    }
    // LL_START_ENC_RSP: the Central's comes first, but may not have been received.
    for side in pdu.sides.sorted() where pdu.header.llid == .control {
      if let start = TemporaryKeySearch.EncryptionStart(
        central: central, peripheral: peripheral, keySize: pairing.keySize, diversifiers,
        payload: pdu.payload, header: pdu.header.octet, fromCentral: side == 0)
      {
        all.append(.encryptionStart(start))
      }
    }
    // If only one Confirm Value was received, its sender may be inferred wrongly.
    if confirmed.count == 1,
      let confirmation = confirmation(
        link, confirmed[0], [peripheral, central][confirmed[0]], tables)
    {
      all.append(.confirmation(confirmation))
    }
    return all
  }

  private func confirmation(
    _ link: LinkID, _ side: Int, _ random: [UInt8], _ tables: borrowing Tables
  ) -> TemporaryKeySearch.Confirmation? {
    let pairing = tables.links[link].pairing
    guard let request = pairing.features[0], let response = pairing.features[1],
      let initiator = tables.links[link].air?.central, let responder = tables.links[link].peer,
      let confirm = pairing.confirms[side]
    else { return nil }
    return TemporaryKeySearch.Confirmation(
      confirm: confirm.reversed(), random: random, request: request.reversed(),
      response: response.reversed(), initiatorType: initiator.kind == .random ? 1 : 0,
      responderType: responder.kind == .random ? 1 : 0, initiator: initiator.octets,
      responder: responder.octets)
  }
}
