import HarkCore
import HarkCrypto
import HarkDissection

// Encrypted PDUs of connections received over the air, and their decryption. Core Specification, Vol 6, Part B,
// 5.1.3; Part E.
extension AirFollower {
  /// PDUs that begin and pause encryption.
  mutating func encryption(
    _ index: Int, _ pdu: LLControlPDU, _ side: Int, _ moment: PacketContext, _ tables: inout Tables,
    _ traffic: inout TrafficFollower
  ) {
    switch pdu.content {
    case .encReq(let request):
      // It is never sent while the link is encrypted: the end of encryption was not received. 5.1.3.2
      ended(state[index].link, moment, &tables)
      let isShortTerm = request.rand == 0 && request.ediv == 0
      state[index].encryption.request(skd: request.skd, iv: request.iv, isShortTerm: isShortTerm)
      let pairing = tables.links[state[index].link].pairing
      let hasPaired = pairing.request != nil || pairing.response != nil
      tables.emit(
        .linkLayer(
          .encryptionRequested(.init(isShortTerm: isShortTerm && !hasPaired ? nil : isShortTerm))),
        moment)
    case .encRsp(let skd, let iv): state[index].encryption.respond(skd: skd, iv: iv)
    case .startEncReq: state[index].encryption.start()
    case .startEncRsp:
      // The Peripheral's PDU ends the procedure. 5.1.3.1
      guard side == 1, !tables.links[state[index].link].isEncrypted else { return }
      encrypted(state[index].link, moment, &tables, &traffic)
    case .pauseEncRsp:
      // After the Peripheral's PDU, both sides send in the clear; the Central's is the first such PDU. 5.1.3.2
      state[index].encryption.pause()
      if side == 0 { ended(state[index].link, moment, &tables) }
    default: break
    }
  }

  private mutating func ended(
    _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard tables.links[link].isEncrypted else { return }
    tables.links[link].isEncrypted = false
    tables.emit(.security(.encryption(.init(isOn: false, keySize: nil))), moment)
  }

  private mutating func encrypted(
    _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables,
    _ traffic: inout TrafficFollower
  ) {
    tables.links[link].isEncrypted = true
    tables.emit(.security(.encryption(.init(isOn: true, keySize: nil))), moment)
    traffic.security.pairingEncrypted(link, moment, &tables)
  }

  /// A PDU whose payload ends with the MIC. If its direction is inferred, the MIC shows whether that was right.
  mutating func encrypted(
    _ index: Int, _ pdu: LLDataPDU, _ bytes: RawSpan, _ isInferred: Bool,
    _ moment: inout PacketContext, _ tables: inout Tables, _ traffic: inout TrafficFollower
  ) {
    tables.counts.air.encrypted += 1
    if tables.wanted.fields { _ = tables.facts(bytes, tables.record.row.kind, moment) }
    Self.countCut(of: pdu, bytes, &moment)
    guard !moment.isTruncated, state[index].encryption.isTried,
      let plaintext = open(index, pdu, bytes, isInferred, &moment, &tables)
    else {
      state[index].encryption.failed(moment.packet)
      tables.links[state[index].link].air?.unopened += 1
      // It may be the answer to any of them.
      tables.links[state[index].link].att.forgetRequests()
      reportLock(index, moment, &tables, &traffic)
      return
    }
    clear(index, moment.side, bytes, pdu, plaintext, &tables)
    tables.counts.air.opened += 1
    state[index].encryption.failures = 0
    // The MIC shows the sender. Vol 6, Part E, 2.1
    state[index].clues.isGuess = false
    state[index].clues.note(pdu.header, from: moment.side)
    moment.isSenderGuessed = false
    if pdu.header.llid == .control {
      openedControl(index, plaintext, moment, &tables, &traffic)
    } else {
      openedPiece(index, pdu.header.llid, plaintext, moment, &tables, &traffic)
    }
  }

  private mutating func openedControl(
    _ index: Int, _ plaintext: [UInt8], _ moment: PacketContext, _ tables: inout Tables,
    _ traffic: inout TrafficFollower
  ) {
    let message = LLControlPDU(plaintext.raw, isCut: false)
    if message.opcode != .startEncRsp { opened(index, moment, &tables, &traffic) }
    tables.complete(
      "decrypted LL Control PDU", plaintext.raw, Self.controlEntry,
      packets: [moment.packet.number])
    let facts = tables.catalog.summarize(plaintext.raw, .linkLayerControl, tables.context(moment))
    guard !facts.isMalformed else { return tables.malformed(facts, moment) }
    control(index, message, moment.side, moment, &tables, &traffic)
  }

  private mutating func openedPiece(
    _ index: Int, _ llid: LLDataHeader.LLID, _ plaintext: [UInt8], _ moment: PacketContext,
    _ tables: inout Tables, _ traffic: inout TrafficFollower
  ) {
    opened(index, moment, &tables, &traffic)
    var facts = Facts()
    facts.payloadCount = UInt32(truncatingIfNeeded: plaintext.count)
    let beginning = L2CAPBeginning(plaintext.raw, 0..<plaintext.count)
    if llid == .continuation {
      facts.fragment = .continuing
    } else if let size = beginning.size, beginning.channel != nil, size <= plaintext.count {
      tables.complete(
        "decrypted L2CAP PDU", plaintext.raw, TrafficFollower.l2capEntry,
        packets: [moment.packet.number])
      facts = tables.catalog.summarize(plaintext.raw, .l2cap, tables.context(moment))
    } else {
      facts.fragment = .first
    }
    traffic.pieces(plaintext.raw, .l2cap, facts, state[index].link, moment, &tables)
  }

  /// What a key decrypts was encrypted, even if no LL_START_ENC_RSP was received. 5.1.3.1
  private mutating func opened(
    _ index: Int, _ moment: PacketContext, _ tables: inout Tables, _ traffic: inout TrafficFollower
  ) {
    let link = state[index].link
    if !tables.links[link].isEncrypted { encrypted(link, moment, &tables, &traffic) }
  }

  private static let controlEntry = Catalog.shared.entry(at: .linkLayerControl)

  /// The plaintext; nil if no key decrypts it.
  private mutating func open(
    _ index: Int, _ pdu: LLDataPDU, _ bytes: RawSpan, _ isInferred: Bool,
    _ moment: inout PacketContext, _ tables: inout Tables
  ) -> [UInt8]? {
    let payload = bytes.array(pdu.payload)
    let sides = isInferred ? [moment.side, 1 - moment.side] : [moment.side]
    if state[index].encryption.cipher == nil {
      let reach = state[index].encryption.reach(keyCount: tables.keys.longTermKeys.count)
      findKey(
        EncryptedAirPDU(header: pdu.header, payload: payload, sides: sides, reach: reach), index,
        moment, &tables)
    }
    guard let cipher = state[index].encryption.cipher else { return nil }
    var tried: UInt64 = 0
    for side in sides {
      let counter = state[index].encryption.counters[side]
      let window = state[index].encryption.window(of: side)
      for next in counter..<counter + window {
        guard
          let plaintext = cipher.open(
            payload, header: pdu.header.octet, counter: next, fromCentral: side == 0)
        else { continue }
        state[index].encryption.counters[side] = next + 1
        if side != moment.side { turn(index, bytes, pdu, &moment, &tables) }
        let (wrong, lost) = state[index].encryption.found(next - counter, of: side)
        tables.links[state[index].link].air?.wrongMICs += wrong
        tables.counts.air.wrongMICs += wrong
        // Sequence numbers may already have shown some of them.
        tables.counts.air.missing += max(0, lost - state[index].sides[side].sequence.takeMissing())
        return plaintext
      }
      tried += window
    }
    state[index].encryption.missed(
      state[index].encryption.window(of: moment.side), of: moment.side, tried: tried)
    return nil
  }

  /// Reports once what decryption would need.
  private mutating func reportLock(
    _ index: Int, _ moment: PacketContext, _ tables: inout Tables, _ traffic: inout TrafficFollower
  ) {
    let encryption = state[index].encryption
    guard !encryption.isLockReported, !encryption.isOpenedElsewhere else { return }
    let lock: LinkLayerEvent.Lock
    if encryption.cipher != nil {
      // One or two PDUs with reception errors are not a reason to give up.
      guard encryption.failures > 8 else { return }
      lock = .keysDoNotFit
    } else if encryption.diversifiers == nil {
      lock = .startNotHeard
    } else if moment.isTruncated {
      // A later packet may be whole.
      guard encryption.failures > 8 else { return }
      lock = .truncated
    } else if !encryption.isShortTerm {
      lock = .longTermKey
    } else {
      lock = Self.lock(of: tables.links[state[index].link].pairing, encryption.trial)
    }
    state[index].encryption.isLockReported = true
    if !tables.links[state[index].link].isEncrypted {
      encrypted(state[index].link, moment, &tables, &traffic)
    }
    let isLost = encryption.cipher != nil
    tables.emit(
      .linkLayer(
        .locked(
          .init(
            lock: lock, trial: encryption.trial,
            counter: isLost ? encryption.counters[moment.side] : nil,
            byPeripheral: isLost ? moment.side == 1 : nil,
            since: isLost ? encryption.firstFailure : nil))), moment, severity: .warning)
  }

  /// The key of a link that a current pairing encrypts.
  private static func lock(of pairing: Pairing, _ trial: KeyTrial) -> LinkLayerEvent.Lock {
    guard pairing.response != nil, pairing.request != nil else { return .longTermKey }
    if pairing.secureConnections { return .secureConnections }
    if pairing.method == .outOfBand { return .outOfBand }
    return switch trial.passkeys {
    case .all: .temporaryKey
    case .limited: .searchLimited
    case nil: .pairingIncomplete
    }
  }
}
