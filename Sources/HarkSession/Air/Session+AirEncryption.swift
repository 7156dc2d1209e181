import HarkCore
import HarkCrypto
import HarkDissection

// Encrypted PDUs of connections heard on the air, and what opens them.
// Core Specification, Vol 6, Part B, 5.1.3; Part E.
extension Session {
  /// PDUs that begin and pause encryption.
  mutating func encryption(_ index: Int, _ opcode: UInt8, _ side: Int, _ moment: Moment) {
    switch opcode {
    case 0x03:
      guard let skd = value(Paths.LL.centralSKD), let iv = number(Paths.LL.centralIV, UInt32.self)
      else { return }
      let isShortTerm = value(Paths.LL.rand) == 0 && value(Paths.LL.ediv) == 0
      air[index].encryption.request(skd: skd, iv: iv, isShortTerm: isShortTerm)
      emit(.linkLayer(.encryptionRequested(.init(isShortTerm: isShortTerm))), moment)
    case 0x04:
      guard let skd = value(Paths.LL.peripheralSKD),
        let iv = number(Paths.LL.peripheralIV, UInt32.self)
      else { return }
      air[index].encryption.respond(skd: skd, iv: iv)
    case 0x05: air[index].encryption.start()
    case 0x06:
      // The Peripheral's ends the procedure. 5.1.3.1
      guard side == 1, !linkTable[air[index].link].isEncrypted else { return }
      encrypted(air[index].link, moment)
    case 0x0B:
      // That of the Central is the first PDU in the clear again. 5.1.3.2
      if side == 0 {
        air[index].encryption.pause()
        linkTable[air[index].link].isEncrypted = false
        emit(.security(.encryption(.init(isOn: false, keySize: nil))), moment)
      }
    default: break
    }
  }

  private mutating func encrypted(_ link: LinkID, _ moment: Moment) {
    linkTable[link].isEncrypted = true
    emit(.security(.encryption(.init(isOn: true, keySize: nil))), moment)
    pairingEncrypted(link, moment)
  }

  /// A PDU whose payload, and the MIC behind it, is at `payload`. Where its direction is inferred, the
  /// MIC tells whether that was right.
  mutating func encrypted(
    _ index: Int, _ first: UInt8, _ bytes: RawSpan, _ payload: Range<Int>, _ isInferred: Bool,
    _ moment: inout Moment
  ) {
    counts.air.encrypted += 1
    if keepsFields { _ = facts(bytes, row.kind, moment) }
    guard !moment.isSliced, air[index].encryption.isTried,
      let plaintext = open(index, first, bytes.array(payload), payload, isInferred, &moment)
    else {
      air[index].encryption.failures += 1
      tellLock(index, moment)
      return
    }
    counts.air.opened += 1
    // The MIC tells who sent it. Vol 6, Part E, 2.1
    air[index].clues.isGuess = false
    moment.isSenderGuessed = false
    let (link, side) = (air[index].link, moment.side)
    // What a key opens is encrypted, also where no LL_START_ENC_RSP was heard. 5.1.3.1
    if !linkTable[link].isEncrypted, first & 3 != 3 || plaintext.first != 0x06 {
      encrypted(link, moment)
    }
    var facts = Facts()
    if first & 3 == 3 {
      complete(
        "decrypted LL Control PDU", plaintext.raw, Self.controlEntry,
        packets: [moment.packet.number])
      facts = catalog.summarize(plaintext.raw, .linkLayerControl, context(moment))
      guard !facts.isMalformed else { return malformed(facts, moment) }
      control(
        index, UInt8(truncatingIfNeeded: facts.code), plaintext.raw, .linkLayerControl, side, moment
      )
    } else {
      let expected = 4 + Int(plaintext.raw.unsigned(at: 0, 2))
      facts.payloadCount = UInt32(truncatingIfNeeded: plaintext.count)
      if first & 3 == 1 {
        facts.fragment = .continuing
      } else if plaintext.count < 4 || expected > plaintext.count {
        facts.fragment = .first
      } else {
        complete(
          "decrypted L2CAP PDU", plaintext.raw, Self.l2capEntry, packets: [moment.packet.number])
        facts = catalog.summarize(plaintext.raw, .l2cap, context(moment))
      }
      pieces(plaintext.raw, .l2cap, facts, link, moment)
    }
  }

  private static let controlEntry = Catalog.shared.entry(at: .linkLayerControl)

  /// The plaintext; nil where no key opens it.
  private mutating func open(
    _ index: Int, _ first: UInt8, _ payload: [UInt8], _ place: Range<Int>, _ isInferred: Bool,
    _ moment: inout Moment
  ) -> [UInt8]? {
    let sides = isInferred ? [moment.side, 1 - moment.side] : [moment.side]
    if air[index].encryption.cipher == nil {
      findKey(EncryptedAirPDU(first: first, payload: payload, sides: sides), index, moment)
    }
    guard let cipher = air[index].encryption.cipher else { return nil }
    for side in sides {
      let counter = air[index].encryption.counters[side]
      for next in counter..<counter + AirEncryption.widest {
        guard
          let plaintext = cipher.open(
            payload, header: first, counter: next, fromCentral: side == 0)
        else { continue }
        air[index].encryption.counters[side] = next + 1
        counts.air.missing += Int(next - counter)
        if side != moment.side { turn(index, &moment) }
        if keepsFields, let key = air[index].encryption.key,
          let diversifiers = air[index].encryption.diversifiers
        {
          air.opened = OpenedAirPDU(
            number: moment.packet.number, payload: place, plaintext: plaintext, header: first,
            counter: next, fromCentral: side == 0, cipher: cipher, key: key,
            diversifiers: diversifiers)
        }
        return plaintext
      }
    }
    return nil
  }

  /// Corrects who sent the packet that is being read.
  private mutating func turn(_ index: Int, _ moment: inout Moment) {
    moment.direction = moment.direction.opposite
    air[index].lastSide = moment.side
    if moment.side == 1 { row.flags.insert(.received) } else { row.flags.remove(.received) }
  }

  /// Tells once what would be needed to read what is encrypted.
  private mutating func tellLock(_ index: Int, _ moment: Moment) {
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
