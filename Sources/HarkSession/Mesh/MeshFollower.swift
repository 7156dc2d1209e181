import HarkCore
import HarkDissection

/// Bluetooth Mesh over advertising: provisioning, and which networks there are. Mesh Protocol 1.1, 3.10, 5.2.1, 5.3.
struct MeshFollower {
  /// A link of PB-ADV between a provisioner and a device.
  private struct Link {
    var device: BluetoothUUID?
    /// The packet that opens it; nil if the capture does not have it.
    var asked: PacketID?
    var isOpen = false
    var isClosed = false
    /// What each side is sending: 0 for the provisioner, 1 for the device.
    var transactions = [MeshTransaction(number: nil), MeshTransaction(number: nil)]
    /// The numbers of the last earlier ones: relays and controllers may send them again.
    var past: [UInt8] = []
  }

  /// By Link ID.
  private var links: [UInt32: Link] = [:]
  private var unprovisioned: Set<BluetoothUUID> = []
  private var networks: Set<MeshEvent.Network.Sign> = []

  /// Hostile captures contain any number of them.
  private static let most = 256
  /// Few, as the numbers begin again after 127.
  private static let mostPast = 16

  /// - Parameter data: Where the advertising data is.
  mutating func advertised(
    _ bytes: RawSpan, _ data: Range<Int>, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard MeshAdvertisement.mayBegin(bytes, data),
      let (advertisement, value) = MeshAdvertisement.read(bytes, data)
    else { return }
    switch advertisement {
    case .provisioning(let packet):
      provisioning(packet, bytes.extracting(value), moment, &tables)
    case .beacon(let beacon): heard(beacon, bytes.extracting(value), moment, &tables)
    case .network(let pdu):
      if let nid = pdu.nid { heard(.pdus(nid: nid), moment, &tables) }
    }
  }

  private mutating func provisioning(
    _ packet: MeshBearerPacket, _ bytes: RawSpan, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard links[packet.link] != nil || links.count < Self.most else { return }
    var link = links.removeValue(forKey: packet.link) ?? Link()
    defer { links[packet.link] = link }
    switch packet.content {
    case .linkOpen(let device):
      guard link.asked == nil else { return }
      link.asked = moment.packet
      link.device = BluetoothUUID(bigEndian: bytes.extracting(device))
    case .linkAcknowledgment: open(&link, packet, moment, &tables)
    case .start where link.past.contains(packet.transaction),
      .continuation where link.past.contains(packet.transaction):
      return
    case .start(let start):
      open(&link, packet, moment, &tables)
      next(packet, in: &link, moment, &tables)
      // Each segment is sent several times.
      guard !link.transactions[packet.side].isReported else { return }
      link.transactions[packet.side].begin(start, bytes.array(start.data), moment.packet)
      finish(packet, in: &link, moment, &tables)
    case .continuation(let index, let range):
      open(&link, packet, moment, &tables)
      next(packet, in: &link, moment, &tables)
      guard !link.transactions[packet.side].isReported else { return }
      link.transactions[packet.side].add(bytes.array(range), at: index, moment.packet)
      finish(packet, in: &link, moment, &tables)
    case .acknowledgment:
      // Only a side that has all segments acknowledges. 5.3.3
      delivered(packet.transaction, packet, in: &link, moment, &tables)
    case .linkClose(let reason):
      guard !link.isClosed else { return }
      link.isClosed = true
      for side in link.transactions.indices { gap(side, packet, in: &link, moment, &tables) }
      let bearer = MeshEvent.Bearer(link: packet.link, device: link.device)
      tables.emit(
        .mesh(.linkClosed(.init(bearer: bearer, reason: reason))), moment,
        severity: reason == 0 ? .info : .warning)
    case .other: break
    }
  }

  private func open(
    _ link: inout Link, _ packet: MeshBearerPacket, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard !link.isOpen, !link.isClosed else { return }
    link.isOpen = true
    tables.emit(
      .mesh(.linkOpened(.init(bearer: .init(link: packet.link, device: link.device)))), moment,
      frames: link.asked.map { Event.Frames($0, moment.packet, count: 2) })
  }

  /// A side begins another transaction when the one before is acknowledged. 5.3.3
  private func next(
    _ packet: MeshBearerPacket, in link: inout Link, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let number = link.transactions[packet.side].number
    guard number != packet.transaction else { return }
    if let number {
      delivered(number, packet, in: &link, moment, &tables)
      link.past.append(number)
      if link.past.count > Self.mostPast { link.past.removeFirst() }
    }
    link.transactions[packet.side] = MeshTransaction(number: packet.transaction)
  }

  /// The receiver has the whole PDU, although the capture may lack segments.
  private func delivered(
    _ number: UInt8, _ packet: MeshBearerPacket, in link: inout Link, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let side = number >= MeshBearerPacket.firstOfDevice ? 1 : 0
    let transaction = link.transactions[side]
    guard transaction.number == number, !transaction.isReported else { return }
    gap(side, packet, in: &link, moment, &tables)
    if let type = transaction.start?.type {
      let bearer = MeshEvent.Bearer(link: packet.link, device: link.device)
      tables.provisioning(
        MeshProvisioningPDU(type: type), isFromDevice: side == 1, bearer,
        frames: Event.Frames(transaction.packets, or: moment.packet), moment)
    }
  }

  /// Reports a transaction of which the capture lacks segments.
  private func gap(
    _ side: Int, _ packet: MeshBearerPacket, in link: inout Link, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let transaction = link.transactions[side]
    guard !transaction.isReported, !transaction.packets.isEmpty else { return }
    link.transactions[side].isReported = true
    incomplete(transaction, hasWrongFCS: false, side, packet, link, moment, &tables)
  }

  private func incomplete(
    _ transaction: MeshTransaction, hasWrongFCS: Bool, _ side: Int, _ packet: MeshBearerPacket,
    _ link: Link, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let bearer = MeshEvent.Bearer(link: packet.link, device: link.device)
    tables.emit(
      .mesh(
        .incomplete(
          .init(
            type: transaction.start?.type, isFromDevice: side == 1,
            received: transaction.received, segments: transaction.segments,
            hasWrongFCS: hasWrongFCS, bearer: bearer))), moment,
      frames: Event.Frames(transaction.packets, or: moment.packet))
  }

  /// Reports the PDU if all of its segments have arrived.
  private func finish(
    _ packet: MeshBearerPacket, in link: inout Link, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let transaction = link.transactions[packet.side]
    guard !transaction.isReported, let start = transaction.start, let whole = transaction.whole
    else { return }
    guard MeshWholePDU.fits(whole.raw, frameCheck: start.frameCheck) else {
      incomplete(transaction, hasWrongFCS: true, packet.side, packet, link, moment, &tables)
      // The receiver ignores it, and its sender repeats it. 5.3.1.1
      link.transactions[packet.side] = MeshTransaction(number: packet.transaction)
      return
    }
    link.transactions[packet.side].isReported = true
    if start.lastSegment > 0 {
      tables.complete(
        "Mesh provisioning PDU", whole.raw, MeshWholePDU.entry,
        packets: transaction.packets.map(\.number))
    }
    guard let pdu = MeshWholePDU(whole.raw).pdu else { return }
    tables.provisioning(
      pdu, isFromDevice: packet.isFromDevice,
      MeshEvent.Bearer(link: packet.link, device: link.device),
      frames: Event.Frames(transaction.packets, or: moment.packet), moment)
  }

  private mutating func heard(
    _ beacon: MeshBeaconMessage, _ bytes: RawSpan, _ moment: PacketContext, _ tables: inout Tables
  ) {
    switch beacon {
    case .unprovisioned(let range):
      guard let device = BluetoothUUID(bigEndian: bytes.extracting(range)),
        unprovisioned.count < Self.most, unprovisioned.insert(device).inserted
      else { return }
      tables.emit(.mesh(.unprovisioned(.init(device: device))), moment)
    case .network(let id): heard(.beacon(network: id), moment, &tables)
    case .privateNetwork: heard(.privateBeacon, moment, &tables)
    case .other: break
    }
  }

  private mutating func heard(
    _ sign: MeshEvent.Network.Sign, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard networks.count < Self.most, networks.insert(sign).inserted else { return }
    tables.emit(.mesh(.network(.init(sign: sign))), moment)
  }
}

/// Bluetooth Mesh over GATT: PB-GATT, and proxies. Mesh Protocol 1.1, 5.2.2, 6, 7.1, 7.2.
struct MeshProxyFollower {
  /// Of what was already seen on each link.
  private var networks: [LinkID: Set<MeshEvent.Network.Sign>] = [:]
  private static let most = 64

  private struct Sending: Hashable {
    let link: LinkID
    let toServer: Bool
  }
  /// The segments of provisioning PDUs, until the last one arrives.
  private var segments: [Sending: (bytes: [UInt8], packets: [PacketID])] = [:]
  /// In bytes; longer PDUs are not followed.
  private static let longest = 4_096

  /// A value that the client writes, or the server notifies.
  mutating func take(
    _ value: RawSpan, of uuid: BluetoothUUID?, toServer: Bool, _ link: LinkID,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let uuid, MeshProxyPDU.isValue(of: uuid) else { return }
    switch MeshProxyPDU(value, isCut: moment.isTruncated) {
    // The client provisions. 5.2.2
    case .provisioning(let pdu):
      tables.provisioning(pdu, isFromDevice: !toServer, nil, frames: nil, moment)
    case .segment(let isFirst, let isLast, let range):
      let part = (value.array(range), isFirst, isLast)
      join(part, Sending(link: link, toServer: toServer), moment, &tables)
    case .beacon(.network(let id)): heard(.beacon(network: id), link, moment, &tables)
    case .beacon(.privateNetwork): heard(.privateBeacon, link, moment, &tables)
    case .network(let pdu):
      if let nid = pdu.nid { heard(.pdus(nid: nid), link, moment, &tables) }
    case .beacon, .other: break
    }
  }

  mutating func end(_ link: LinkID) {
    networks[link] = nil
    for toServer in [false, true] { segments[Sending(link: link, toServer: toServer)] = nil }
  }

  /// 6.3.2.2
  private mutating func join(
    _ part: (bytes: [UInt8], isFirst: Bool, isLast: Bool), _ sending: Sending,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    let earlier = segments.removeValue(forKey: sending)
    var whole: (bytes: [UInt8], packets: [PacketID])? = part.isFirst ? ([], []) : earlier
    guard whole?.bytes.count ?? Self.longest + 1 <= Self.longest else { return }
    whole?.bytes += part.bytes
    whole?.packets.append(moment.packet)
    guard part.isLast, let whole else {
      segments[sending] = whole
      return
    }
    let packets = whole.packets.map(\.number)
    tables.complete("Mesh provisioning PDU", whole.bytes.raw, MeshWholePDU.entry, packets: packets)
    guard let pdu = MeshWholePDU(whole.bytes.raw).pdu else { return }
    tables.provisioning(
      pdu, isFromDevice: !sending.toServer, nil,
      frames: Event.Frames(whole.packets, or: moment.packet), moment)
  }

  private mutating func heard(
    _ sign: MeshEvent.Network.Sign, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard networks[link]?.count ?? 0 < Self.most,
      networks[link, default: []].insert(sign).inserted
    else { return }
    tables.emit(.mesh(.network(.init(sign: sign))), moment)
  }
}

extension Tables {
  fileprivate mutating func provisioning(
    _ pdu: MeshProvisioningPDU, isFromDevice: Bool, _ bearer: MeshEvent.Bearer?,
    frames: Event.Frames?, _ moment: PacketContext
  ) {
    emit(
      .mesh(
        .step(
          .init(
            type: pdu.type, method: pdu.method, error: pdu.error, isFromDevice: isFromDevice,
            bearer: bearer))),
      moment, frames: frames, severity: pdu.type == MeshProvisioningPDU.failed ? .error : .info)
  }
}
