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
    /// PDUs are repeated until the other side acknowledges them.
    var transactions: Set<UInt8> = []
  }

  /// By Link ID.
  private var links: [UInt32: Link] = [:]
  private var unprovisioned: Set<BluetoothUUID> = []
  private var networks: Set<MeshEvent.Network.Sign> = []

  /// Hostile captures contain any number of them.
  private static let most = 256

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
    case .transaction(let pdu):
      open(&link, packet, moment, &tables)
      guard link.transactions.insert(packet.transaction).inserted else { return }
      tables.provisioning(pdu, isFromDevice: packet.isFromDevice, moment)
    case .linkClose(let reason):
      guard !link.isClosed else { return }
      link.isClosed = true
      tables.emit(
        .mesh(.linkClosed(.init(link: packet.link, device: link.device, reason: reason))), moment,
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
      .mesh(.linkOpened(.init(link: packet.link, device: link.device))), moment,
      frames: link.asked.map { Event.Frames($0, moment.packet, count: 2) })
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

  /// A value that the client writes, or the server notifies.
  mutating func take(
    _ value: RawSpan, of uuid: BluetoothUUID?, toServer: Bool, _ link: LinkID,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let uuid, MeshProxyPDU.isValue(of: uuid) else { return }
    switch MeshProxyPDU(value, isCut: moment.isTruncated) {
    // The client provisions. 5.2.2
    case .provisioning(let pdu): tables.provisioning(pdu, isFromDevice: !toServer, moment)
    case .beacon(.network(let id)): heard(.beacon(network: id), link, moment, &tables)
    case .beacon(.privateNetwork): heard(.privateBeacon, link, moment, &tables)
    case .network(let pdu):
      if let nid = pdu.nid { heard(.pdus(nid: nid), link, moment, &tables) }
    case .beacon, .other: break
    }
  }

  mutating func end(_ link: LinkID) { networks[link] = nil }

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
    _ pdu: MeshProvisioningPDU, isFromDevice: Bool, _ moment: PacketContext
  ) {
    emit(
      .mesh(
        .step(
          .init(
            type: pdu.type, method: pdu.method, error: pdu.error, isFromDevice: isFromDevice))),
      moment, severity: pdu.type == MeshProvisioningPDU.failed ? .error : .info)
  }
}
