import HarkCore
import HarkCrypto
import HarkDissection

// Encrypted PDUs of connections heard on the air, and what opens them.
// Core Specification, Vol 6, Part B, 5.1.3; Part E.
extension Session {
  /// PDUs that begin and pause encryption.
  mutating func encryption(
    _ index: Int, _ pdu: LLControlPDU, _ side: Int, _ moment: PacketContext
  ) {
    switch pdu.content {
    case .encReq(let request):
      let isShortTerm = request.rand == 0 && request.ediv == 0
      air[index].encryption.request(skd: request.skd, iv: request.iv, isShortTerm: isShortTerm)
      emit(.linkLayer(.encryptionRequested(.init(isShortTerm: isShortTerm))), moment)
    case .encRsp(let skd, let iv): air[index].encryption.respond(skd: skd, iv: iv)
    case .startEncReq: air[index].encryption.start()
    case .startEncRsp:
      // The Peripheral's ends the procedure. 5.1.3.1
      guard side == 1, !linkTable[air[index].link].isEncrypted else { return }
      encrypted(air[index].link, moment)
    case .pauseEncRsp:
      // That of the Central is the first PDU in the clear again. 5.1.3.2
      if side == 0 {
        air[index].encryption.pause()
        linkTable[air[index].link].isEncrypted = false
        emit(.security(.encryption(.init(isOn: false, keySize: nil))), moment)
      }
    default: break
    }
  }

  private mutating func encrypted(_ link: LinkID, _ moment: PacketContext) {
    linkTable[link].isEncrypted = true
    emit(.security(.encryption(.init(isOn: true, keySize: nil))), moment)
    pairingEncrypted(link, moment)
  }

  /// A PDU whose payload has the MIC in its end. Where its direction is inferred, the MIC tells whether
  /// that was right.
  mutating func encrypted(
    _ index: Int, _ pdu: LLDataPDU, _ bytes: RawSpan, _ isInferred: Bool,
    _ moment: inout PacketContext
  ) {
    counts.air.encrypted += 1
    if keepsFields { _ = facts(bytes, row.kind, moment) }
    guard !moment.isTruncated, air[index].encryption.isTried,
      let plaintext = open(index, pdu, bytes.array(pdu.payload), isInferred, &moment)
    else {
      air[index].encryption.failures += 1
      tellLock(index, moment)
      return
    }
    counts.air.opened += 1
    // The MIC tells who sent it. Vol 6, Part E, 2.1
    air[index].clues.isGuess = false
    moment.isSenderGuessed = false
    if pdu.header.llid == .control {
      openedControl(index, plaintext, moment)
    } else {
      openedPiece(index, pdu.header.llid, plaintext, moment)
    }
  }

  private mutating func openedControl(_ index: Int, _ plaintext: [UInt8], _ moment: PacketContext) {
    let message = LLControlPDU(plaintext.raw, isCut: false)
    if message.opcode != .startEncRsp { opened(index, moment) }
    complete(
      "decrypted LL Control PDU", plaintext.raw, Self.controlEntry,
      packets: [moment.packet.number])
    let facts = catalog.summarize(plaintext.raw, .linkLayerControl, context(moment))
    guard !facts.isMalformed else { return malformed(facts, moment) }
    control(index, message, moment.side, moment)
  }

  private mutating func openedPiece(
    _ index: Int, _ llid: LLDataHeader.LLID, _ plaintext: [UInt8], _ moment: PacketContext
  ) {
    opened(index, moment)
    var facts = Facts()
    facts.payloadCount = UInt32(truncatingIfNeeded: plaintext.count)
    let beginning = L2CAPBeginning(plaintext.raw, 0..<plaintext.count)
    if llid == .continuation {
      facts.fragment = .continuing
    } else if let size = beginning.size, beginning.channel != nil, size <= plaintext.count {
      complete(
        "decrypted L2CAP PDU", plaintext.raw, Self.l2capEntry, packets: [moment.packet.number])
      facts = catalog.summarize(plaintext.raw, .l2cap, context(moment))
    } else {
      facts.fragment = .first
    }
    pieces(plaintext.raw, .l2cap, facts, air[index].link, moment)
  }

  /// What a key opens is encrypted, also where no LL_START_ENC_RSP was heard. 5.1.3.1
  private mutating func opened(_ index: Int, _ moment: PacketContext) {
    let link = air[index].link
    if !linkTable[link].isEncrypted { encrypted(link, moment) }
  }

  private static let controlEntry = Catalog.shared.entry(at: .linkLayerControl)

  /// The plaintext; nil where no key opens it.
  private mutating func open(
    _ index: Int, _ pdu: LLDataPDU, _ payload: [UInt8], _ isInferred: Bool,
    _ moment: inout PacketContext
  ) -> [UInt8]? {
    let sides = isInferred ? [moment.side, 1 - moment.side] : [moment.side]
    if air[index].encryption.cipher == nil {
      findKey(
        EncryptedAirPDU(header: pdu.header, payload: payload, sides: sides), index, moment)
    }
    guard let cipher = air[index].encryption.cipher else { return nil }
    for side in sides {
      let counter = air[index].encryption.counters[side]
      for next in counter..<counter + AirEncryption.widest {
        guard
          let plaintext = cipher.open(
            payload, header: pdu.header.octet, counter: next, fromCentral: side == 0)
        else { continue }
        air[index].encryption.counters[side] = next + 1
        counts.air.missing += Int(next - counter)
        if side != moment.side { turn(index, &moment) }
        if keepsFields, let key = air[index].encryption.key,
          let diversifiers = air[index].encryption.diversifiers
        {
          air.opened = OpenedAirPDU(
            number: moment.packet.number, payload: pdu.payload, plaintext: plaintext,
            header: pdu.header.octet, counter: next, fromCentral: side == 0, cipher: cipher,
            key: key,
            diversifiers: diversifiers)
        }
        return plaintext
      }
    }
    return nil
  }

  /// Corrects who sent the packet that is being read.
  private mutating func turn(_ index: Int, _ moment: inout PacketContext) {
    moment.direction = moment.direction.opposite
    air[index].lastSide = moment.side
    if moment.side == 1 { row.flags.insert(.received) } else { row.flags.remove(.received) }
  }

  /// Tells once what would be needed to read what is encrypted.
  private mutating func tellLock(_ index: Int, _ moment: PacketContext) {
    let encryption = air[index].encryption
    guard !encryption.isLockTold, !encryption.isOpenedElsewhere else { return }
    let lock: LinkLayerEvent.Lock
    if encryption.cipher != nil {
      // A PDU or two that were not heard right are no reason to give up.
      guard encryption.failures > 8 else { return }
      lock = .keysDoNotFit
    } else if encryption.diversifiers == nil {
      lock = .startNotHeard
    } else if !encryption.isShortTerm {
      lock = .longTermKey
    } else {
      lock = Self.lock(of: linkTable[air[index].link].pairing)
    }
    air[index].encryption.isLockTold = true
    if !linkTable[air[index].link].isEncrypted { encrypted(air[index].link, moment) }
    emit(.linkLayer(.locked(.init(lock: lock))), moment, severity: .warning)
  }

  /// What opens a link that a pairing under way encrypts.
  private static func lock(of pairing: Pairing) -> LinkLayerEvent.Lock {
    guard pairing.response != nil, pairing.request != nil else { return .longTermKey }
    if pairing.secureConnections { return .secureConnections }
    if pairing.method == .outOfBand { return .outOfBand }
    return pairing.randoms.contains(nil) ? .pairingIncomplete : .temporaryKey
  }
}
