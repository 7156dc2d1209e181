import HarkCore
import HarkCrypto
import HarkDissection

/// Pairing and the keys of the link layer. Core Specification, Vol 3, Part H.
struct SecurityFollower {
  /// For links on which one is in progress.
  var simplePairings: [LinkID: SimplePairing] = [:]
  var linkManager = LinkManagerFollower()
  /// The LTK that this host last gave to each device, and the one that a Central has requested.
  var givenKeys = RecentValues<DeviceID, SecurityEvent.KeyMissing.Name>(capacity: 256)
  var requestedKeys: [LinkID: SecurityEvent.KeyMissing.Name] = [:]

  /// A PDU of the Security Manager.
  mutating func smp(
    _ bytes: RawSpan, isMalformed: Bool, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let link = moment.link else { return }
    let message = SMPMessage(bytes, isCut: moment.isTruncated)
    if isMalformed {
      tables.links[link].pairing.lostBefore = nil
      // Its missing part is unknown. For public keys, which are long, it is enough that they were sent.
      guard moment.isTruncated, case .pairingPublicKey = message else { return }
    }
    tables.secures(moment)
    expirePairing(link, moment, &tables)
    // Over the air, some PDUs determine the key. 2.2.3
    let isOnAir = tables.links[link].air != nil
    switch message {
    case .pairingRequest(let features):
      requested(features, isOnAir ? bytes.array(features.octets) : nil, link, moment, &tables)
    case .pairingResponse(let features):
      responded(features, isOnAir ? bytes.array(features.octets) : nil, link, moment, &tables)
    case .pairingConfirm(let value):
      if isOnAir {
        tables.links[link].pairing.confirms.take(bytes.array(value), from: moment.side)
      }
    case .pairingRandom(let value):
      tables.links[link].pairing.randoms.take(
        bytes.array(value), from: moment.side, isShared: !isOnAir)
    case .pairingDHKeyCheck(let value):
      tables.links[link].pairing.dhKeyChecks.take(
        bytes.array(value), from: moment.side, isShared: !isOnAir)
    case .pairingFailed(let reason):
      let byPeer = moment.isSenderKnown ? moment.isFromPeer : nil
      tables.emit(
        .security(.pairing(.failed(.init(reason: reason, byPeer: byPeer)))), moment,
        severity: .error)
      // From now on, another key is used for encryption. 3.5.5
      tables.links[link].pairing = Pairing()
    case .pairingPublicKey(let place):
      let key = place.map { bytes.array($0) }
      let isDebugKey = key.map(SMPToolbox.isDebugPublicKey) ?? false
      let first = tables.links[link].pairing.firstKey
      let isSecond =
        first.map { $0.direction != moment.direction || !moment.isSenderKnown } ?? false
      // Each side sends its public key; one row reports both, and whether each is a debug key.
      if isDebugKey || isSecond && !tables.links[link].pairing.hasReportedKeys {
        tables.emit(
          .security(.pairing(.publicKeys(.init(isDebugKey: isDebugKey)))), moment,
          severity: isDebugKey ? .warning : .info)
        tables.links[link].pairing.hasReportedKeys = true
      }
      if let first, first.direction != moment.direction {
        tables.relate(first.packet.number, moment)
      } else if first == nil {
        tables.links[link].pairing.firstKey = (moment.packet, moment.direction)
      }
      tables.links[link].pairing.hasPublicKeys = true
      if isOnAir, let key {
        tables.links[link].pairing.publicKeys.take(key, from: moment.side, isShared: isDebugKey)
      }
    case .securityRequest(let requirements):
      tables.emit(
        .security(
          .pairing(
            .securityRequested(
              .init(
                requirements: .init(requirements),
                isOfWrongSide: isFrom(.central, link, moment, tables))))), moment)
    case .encryptionInformation(let key): tables.captured(.longTermKey, bytes.array(key), moment)
    case .identityInformation(let key):
      let irk = tables.captured(
        .identityResolvingKey, bytes.array(key), moment, isOurs: !moment.isFromPeer)
      if let irk, moment.isFromPeer, let device = tables.links[link].device {
        tables.learn(irk, of: .device(device), moment)
      }
    case .identityAddressInformation(let address):
      if moment.isFromPeer { tables.identified(link, as: address, moment) }
      distributed(.identityKey, link, moment, &tables)
    case .signingInformation(let key):
      tables.captured(.signatureResolvingKey, bytes.array(key), moment, isOurs: !moment.isFromPeer)
      distributed(.signatureKey, link, moment, &tables)
    case .pairingKeypressNotification(let type):
      let byPeer = moment.isSenderKnown ? moment.isFromPeer : nil
      tables.emit(.security(.pairing(.keypress(.init(type: type, byPeer: byPeer)))), moment)
    case .centralIdentification(let ediv, let rand):
      gave(.init(ediv: ediv, rand: rand), link, moment, tables)
      distributed(.encryptionKey, link, moment, &tables)
    case .other: break
    }
    pairingGoesOn(link, moment, &tables)
  }

  /// Whether a PDU is from a side of an LE link that may not send it. 2.4.6, 3.5.1
  private func isFrom(
    _ side: Link.Role, _ link: LinkID, _ moment: PacketContext, _ tables: borrowing Tables
  ) -> Bool {
    guard moment.isSenderKnown, tables.links[link].transport == .le,
      let role = tables.links[link].role
    else { return false }
    return moment.isFromPeer != (role == side)
  }

  /// - Parameter octets: The PDU, if it is needed.
  private mutating func requested(
    _ features: SMPMessage.Features, _ octets: [UInt8]?, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    derivationEnds(link, moment, &tables)
    distributionEnds(link, moment, &tables)
    tables.links[link].pairing = Pairing()
    tables.links[link].pairing.lostBefore = tables.counts.lost
    tables.links[link].pairing.features[0] = octets
    tables.links[link].pairing.isCrossTransport = tables.links[link].transport == .brEDR
    tables.links[link].pairing.request = features
    tables.links[link].pairing.requestPacket = moment.packet
    tables.emit(
      .security(
        .pairing(
          .requested(
            .init(
              requirements: PairingEvent.Requirements(features.requirements),
              ioCapability: features.ioCapability,
              isCrossTransport: tables.links[link].pairing.isCrossTransport,
              isOfWrongSide: isFrom(.peripheral, link, moment, tables))))),
      moment)
  }

  private mutating func responded(
    _ features: SMPMessage.Features, _ octets: [UInt8]?, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    if let request = tables.links[link].pairing.requestPacket {
      tables.relate(request.number, moment)
    }
    tables.links[link].pairing.response = features
    tables.links[link].pairing.features[1] = octets
    let pairing = tables.links[link].pairing
    // The method follows from both sides' features.
    guard pairing.request != nil else { return }
    if pairing.isCrossTransport { return derivationAccepted(link, moment, &tables) }
    awaitKeys(link, moment, &tables)
    // A size that no key may have leads to Pairing Failed. 2.3.4, 3.5.1
    let size = UInt8(pairing.keySize)
    tables.emit(
      .security(
        .pairing(
          .method(
            .init(
              method: pairing.method, secureConnections: pairing.secureConnections,
              keySize: Link.keySizes(.le).contains(size) ? size : 0, wanted: pairing.wishes)))),
      moment)
  }

  /// How long a pairing waits for the next PDU, in nanoseconds. 3.4
  private static let pairingTimeout: Int64 = 30_000_000_000

  /// Notes when a pairing last made progress. Sniffers miss PDUs.
  private mutating func pairingGoesOn(
    _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let pairing = tables.links[link].pairing
    let isUnderWay =
      pairing.request != nil && !pairing.isComplete && !pairing.isPastEncryption
      && tables.links[link].air == nil
    tables.links[link].pairing.last = isUnderWay ? (moment.packet, moment.time) : nil
  }

  /// Reports a pairing that has waited too long.
  /// - Returns: Whether it has.
  @discardableResult
  mutating func expirePairing(_ link: LinkID, _ moment: PacketContext, _ tables: inout Tables)
    -> Bool
  {
    guard let last = tables.links[link].pairing.last, !tables.links[link].pairing.isTimedOut,
      moment.time.since(last.time) >= Self.pairingTimeout,
      // What was lost may have been the last PDU.
      let lost = tables.links[link].pairing.lostBefore,
      tables.counts.wouldShowAnswer(to: last.packet, lost: lost)
    else { return false }
    // Devices that continue anyway are followed.
    tables.links[link].pairing.isTimedOut = true
    var moment = moment
    moment.link = link
    tables.emitMissing(
      .security(.pairing(.timedOut(.init()))), moment, of: Event.Frames(last.packet),
      severity: .error)
    return true
  }

  /// The link closes: a pairing in progress does not complete. What ends it otherwise has a row of its own: its
  /// timeout, or a link that was lost.
  mutating func cutOff(
    _ link: LinkID, reason: UInt8?, _ moment: PacketContext, _ tables: inout Tables
  ) {
    // Its end may be in packets that the capture lacks. Over BR/EDR, the keys that are missing have a row of their own.
    guard !expirePairing(link, moment, &tables), let last = tables.links[link].pairing.last,
      tables.links[link].pairing.lostBefore == tables.counts.lost,
      !tables.links[link].pairing.isCrossTransport,
      !tables.links[link].pairing.isTimedOut
    else { return }
    let isChosen =
      tables.links[link].controllerEnd == nil && HCIErrorCode(reason)?.isLoss != true
    tables.emit(
      .security(.pairing(.cutOff(.init(isChosen: isChosen)))), moment,
      frames: Event.Frames(last.packet, moment.packet, count: 2),
      severity: isChosen ? .error : .info)
  }

  mutating func pairingEncrypted(_ link: LinkID, _ moment: PacketContext, _ tables: inout Tables) {
    tables.links[link].securedAt = moment.time
    let pairing = tables.links[link].pairing
    // Over BR/EDR, it does not depend on the encryption.
    guard !pairing.isCrossTransport else { return }
    guard pairing.response != nil, pairing.isKindKnown else {
      // The capture lacks a part of it, or it used an earlier key.
      tables.links[link].pairing.last = nil
      tables.links[link].pairing.isPastEncryption = true
      return
    }
    // Encryption with any key does not complete a pairing that has stopped.
    if expirePairing(link, moment, &tables) {
      tables.links[link].pairing = Pairing()
      return
    }
    tables.links[link].pairing.last = nil
    guard !pairing.isComplete else { return }
    let isSecure = pairing.secureConnections
    // The rest of it may be among the packets that the capture lacks. Sniffers miss single packets unnoticed, but not
    // all of phase 2.
    let isWhole =
      pairing.lostBefore == tables.counts.lost
      && (tables.links[link].air == nil || !pairing.hasBegunAuthentication)
    if isWhole, !pairing.isAuthenticated {
      tables.links[link].pairing = Pairing()
      return tables.emit(
        .security(.pairing(.unfinished(.init(secureConnections: isSecure)))), moment,
        severity: .error)
    }
    tables.links[link].pairing.isComplete = true
    if isSecure, pairing.isBonding == true, tables.links[link].air == nil,
      let device = tables.links[link].device
    {
      givenKeys.set(tables.devices.current(device), .init(ediv: 0, rand: 0))
    }
    tables.emit(
      .security(
        .pairing(
          .complete(
            .init(
              secureConnections: isSecure, bonding: pairing.isBonding,
              isCaptured: pairing.isAuthenticated, derivesLinkKey: pairing.derivesLinkKey)))),
      moment)
  }

  // MARK: Encryption

  mutating func encryptionChanged(
    _ change: HCISecurityEvent.EncryptionChange, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let link = moment.link else { return }
    guard change.status == 0 else {
      tables.links[link].pairing.last = nil
      tables.links[link].pairing.isPastEncryption = true
      return tables.emit(
        .security(.encryptionFailed(.init(status: change.status))), moment, severity: .error)
    }
    guard let isOn = change.isEnabled else { return }
    tables.links[link].isEncrypted = isOn
    let size = isOn ? tables.keySize(change.keySize, link) : nil
    if let size { tables.links[link].keySize = size }
    tables.emit(.security(.encryption(.init(isOn: isOn, keySize: size))), moment)
    if isOn { pairingEncrypted(link, moment, &tables) }
  }

  /// Vol 4, Part E, 7.7.39
  mutating func encryptionRefreshed(
    _ status: UInt8, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let link = moment.link else { return }
    guard status == 0 else {
      return tables.emit(
        .security(.encryptionNotRefreshed(.init(status: status))), moment, severity: .warning)
    }
    tables.links[link].isEncrypted = true
    tables.emit(.security(.encryptionRefreshed(.init())), moment)
    // A pairing on an already encrypted link ends with a new key, not with a change of encryption.
    pairingEncrypted(link, moment, &tables)
  }

  // MARK: Keys the capture shows

  /// Link keys and LTKs that the host gives to the controller; returns the fingerprint of an LTK. Vol 4, Part E,
  /// 7.1.10, 7.8.24, 7.8.25.
  mutating func keyFromHost(
    _ command: HCICommandMessage, _ bytes: RawSpan, _ moment: PacketContext, _ tables: inout Tables
  ) -> Fingerprint? {
    if command.opcode == .linkKeyRequestReply {
      // It names the peer, not the link.
      let (moment, peer) = tables.atPeer(command.peer, moment)
      tables.captured(.linkKey, command.linkKey.map { bytes.array($0) }, moment, peer)
      return nil
    }
    tables.secures(moment)
    // During LE legacy pairing, this is its STK, which is not needed later. 2.4.4.1
    let pairing = moment.link.map { tables.links[$0].pairing }
    if let pairing, pairing.response != nil, !pairing.isComplete, !pairing.secureConnections {
      return nil
    }
    let key = command.longTermKey.map { bytes.array($0) }
    return tables.captured(.longTermKey, key, moment)?.fingerprint
  }

  mutating func keyNotified(
    _ notification: HCISecurityEvent.LinkKeyNotification, _ bytes: RawSpan, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let (moment, device) = tables.atPeer(notification.address, moment)
    tables.captured(.linkKey, notification.linkKey.map { bytes.array($0) }, moment, device)
    guard let type = notification.keyType else { return }
    tables.emit(.security(.pairing(.linkKey(.init(type: type)))), moment, device: device)
    if let key = notification.linkKey {
      linkManager.check(linkKey: bytes.array(key).reversed(), moment, &tables)
    }
  }
}

extension Tables {
  /// A key has this many bytes; controllers that do not know it fill in other bytes. Vol 4, Part E, 7.5.7, 7.7.8
  func keySize(_ size: UInt8?, _ link: LinkID) -> UInt8? {
    size.flatMap { Link.keySizes(links[link].transport).contains($0) ? $0 : nil }
  }

  /// Moves a key into guarded memory and reports its fingerprint, once.
  /// - Parameters:
  ///   - identity: The owner of the key, if its device is unknown.
  ///   - isOurs: Whether it is a key of this host only.
  @discardableResult
  mutating func captured(
    _ kind: BondingKey.Kind, _ octets: [UInt8]?, _ moment: PacketContext, _ device: DeviceID? = nil,
    of identity: BluetoothAddress? = nil, isOurs: Bool = false
  ) -> BondingKey? {
    let device = device ?? moment.link.flatMap { links[$0].device }
    // Over the air, neither side is this host.
    let central = moment.link.flatMap { links[$0].air?.central }
    let address = identity ?? device.map { devices[$0].address }
    // A device that does not use resolvable private addresses has an IRK of zeros. 2.4.2.1
    guard var octets, kind != .identityResolvingKey || octets.contains(where: { $0 != 0 }),
      let key = try? BondingKey(
        kind, &octets, address: isOurs ? central : address, origin: .capture(moment.packet))
    else { return nil }
    let isKnown = keys.bondingKeys.contains {
      $0.kind == kind && $0.fingerprint == key.fingerprint && $0.origin.isExposed
    }
    if !isKnown, keys.add(key) {
      emit(
        .security(
          .keyInCapture(
            .init(keyKind: kind, fingerprint: key.fingerprint, address: key.address))), moment,
        severity: .warning, device: device)
    }
    return key
  }
}
