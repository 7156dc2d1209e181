import HarkCore
import HarkCrypto
import HarkDissection

// What code that shows packets needs: how a packet was read, and what it completed.
extension Session {
  /// What is known about the last indexed packet in addition to its bytes.
  public func context(_ row: PacketRow) -> Context {
    var context = Context()
    context.isTruncated = row.cut > 0
    context.manufacturer = tables.manufacturer(row.kind, row.controller)
    context.isDiagnosticsHandleInUse = tables.isDiagnosticsHandle(of: row.link)
    context.requestedType = tables.record.requestedType
    context.attributeType = tables.type(at: tables.record.attribute, on: row.link)
    context.isFromStart = tables.record.attribute?.isFromStart ?? true
    context.attributeTypes = tables.record.attributeTypes
    context.report = tables.report(
      at: tables.record.attribute, context.attributeType, on: row.link)
    context.continuesMessage = row.flags.contains(.continuesMessage)
    context.isSecret = row.flags.contains(.secret)
    context.continuedData = tables.record.continuedData
    if row.kind.isAir { context.linkLayer = tables.record.linkLayer }
    context.inner = tables.record.inner
    if let id = row.channel {
      tables.know(id, &context)
      context.report.request = tables.record.hidRequest?.rawValue ?? 0
    }
    return context
  }

  /// Returns the fields of the last indexed packet, and takes a tree in exchange, which is used for the next one.
  /// `bytes` are those of its record. They are read now if the index pass, without `keepsFields`, did not read them,
  /// or did not yet know what is known now.
  public mutating func takeFields(_ bytes: RawSpan, _ row: PacketRow, into tree: inout Tree) {
    defer { tables.record.isInTree = false }
    // Other packets only determine how data is read, and whether it is secret.
    if tables.record.isInTree, !row.kind.isData, !row.flags.contains(.secret) {
      return swap(&tables.record.tree, &tree)
    }
    let known = context(row)
    if let id = row.channel { tables.channelStates[Int(id.index)].inner = known.inner }
    if tables.record.isInTree, known == tables.record.treeContext {
      swap(&tables.record.tree, &tree)
    } else {
      tables.catalog.describe(bytes, .record(row.kind), known, into: &tree)
    }
  }

  /// Adds what the known IRKs show about each resolvable private address in a tree.
  public func addIdentities(to tree: inout Tree) {
    guard tables.devices.knowsIRKs else { return }
    let fields = KnownIdentity.fields
    var found: [(after: Int, field: Field, value: UInt64)] = []
    for (index, node) in tree.nodes.enumerated() where node.count == 6 && node.value >> 46 == 0b01 {
      guard case .address = tables.catalog.definitions[Int(node.field.id)].form else { continue }
      switch identity(of: BluetoothAddress(node.value, .random)) {
      case .address(let address): found.append((index, fields.identity, address.value))
      case .key(let fingerprint): found.append((index, fields.key, UInt64(fingerprint.value)))
      case nil: break
      }
    }
    if !found.isEmpty { tree.infer(found) }
  }

  package var knowsIRKs: Bool { tables.devices.knowsIRKs }

  /// What the known IRKs show about a resolvable private address; nil if no known IRK made it.
  public func identity(of address: BluetoothAddress) -> AddressIdentity? {
    tables.devices.knowsIRKs ? tables.devices.identity(of: address) : nil
  }

  /// The resolvable private addresses of the capture, each with the IRK that made it, in the order received.
  public var resolvedAddresses: [(address: BluetoothAddress, key: Fingerprint)] {
    tables.devices.resolved
  }

  /// The device that `id` turned out to be.
  package func current(_ id: DeviceID) -> DeviceID { tables.devices.current(id) }

  public func device(of link: LinkID) -> DeviceID? {
    tables.links[link].device.map { tables.devices.current($0) }
  }

  /// What the device on a link is called: its name or address, or the name that it sent on a link that was open before
  /// the capture began; nil if the capture shows neither.
  public func peerLabel(of link: LinkID) -> String? {
    device(of: link).map { tables.devices[$0].label }
      ?? tables.links[link].peerName.map { _ in tables.links[link].label }
  }

  /// The same, or else what identifies the link.
  public func label(of link: LinkID) -> String {
    peerLabel(of: link) ?? tables.links[link].label
  }

  public func handle(of link: LinkID) -> UInt16 { tables.links[link].handle }

  /// How long a link lasted, in nanoseconds; nil if the capture does not show its start or its end, or its clock was
  /// set meanwhile.
  public func duration(of link: Link) -> Int64? {
    guard link.certainty == .seen, !link.hasClockStep, !link.isReplaced,
      let start = row(of: link.opened)?.time,
      let end = link.closed.flatMap({ row(of: $0)?.time }), start <= end
    else { return nil }
    return end.since(start)
  }

  /// The purpose of a stream; nil if it is unknown.
  public func name(of id: StreamID) -> String? {
    Int(id.index) < tables.streams.count ? tables.streams[Int(id.index)].name : nil
  }

  /// The name of AAP streams.
  public static var accessoryProtocolName: String { TrafficFollower.aapName }

  /// Decrypts the proximity pairing advertisement in a report of one advertiser, with the keys known now.
  public func openProximity(
    _ bytes: RawSpan, from address: BluetoothAddress
  ) -> ProximityPlaintext? {
    tables.proximityPlaintext(bytes, from: address)
  }

  /// The resolvable private addresses that only advertised and that no known IRK made, in the order received, each
  /// with the packet that showed it first.
  public func unresolvedAdvertisers() -> [(address: BluetoothAddress, first: PacketID)] {
    tables.devices.unresolvedAdvertisers()
  }

  /// The addresses that advertised, each with the name it sent, in the order received.
  public var advertisingAddresses: [(address: BluetoothAddress, name: String?)] {
    tables.devices.advertisers
  }

  /// Whether a framing other than Apple's own carries messages over a characteristic.
  public borrowing func isOfVendor(_ characteristic: BluetoothUUID) -> Bool {
    let apple = Set(VendorFramings.builtIn.all.map(\.name))
    return tables.framings.all.contains {
      $0.channels.contains(.characteristic(characteristic)) && !apple.contains($0.name)
    }
  }

  /// The PSM or SPSM of a channel, if its beginning is in the capture.
  public func psm(of id: ChannelID) -> UInt16? {
    let channels = tables.channels.span
    return channels[Int(id.index)].knownPSM
  }

  /// Changes whenever the label of a device may have changed.
  public var nameChanges: Int { tables.devices.changes }

  /// The packets of the L2CAP PDU or SDU, up to the last indexed one, which continues or completes it; nil for PDUs in
  /// one packet.
  package var packetsOfPDU: (numbers: [UInt32], isComplete: Bool)? {
    let number = UInt32(truncatingIfNeeded: packets.count)
    guard let row = packets[number], let link = row.link else { return nil }
    if let channel = row.channel {
      let sdu = tables.channelStates[Int(channel.index)].assembly[Int(row.direction.rawValue)]
      if sdu.packets.last == number, sdu.isOpen || sdu.packets.count > 1 {
        return (sdu.packets, !sdu.isOpen)
      }
    }
    let pdu = tables.links[link].assembly[row.stream]
    guard pdu.packets.last == number, pdu.isOpen || pdu.packets.count > 1 else { return nil }
    return (pdu.packets, !pdu.isOpen)
  }

  /// The links that the last indexed record, if it is HCI_Number_Of_Completed_Packets, reports about, and how many of
  /// their packets have completed.
  package func completedPackets(_ bytes: RawSpan) -> [(link: LinkID, count: Int)] {
    guard let row = packets[UInt32(truncatingIfNeeded: packets.count)], row.kind == .event,
      HCICompletedPackets.isOne(bytes)
    else { return [] }
    return (0..<HCICompletedPackets.count(bytes)).compactMap { index in
      let (handle, count) = HCICompletedPackets.entry(index, of: bytes)
      return tables.links.find(row.controller, handle).map { ($0, count) }
    }
  }
}

extension Tables {
  /// What will probably be known about an ACL packet before it is indexed, so that it need not be read twice:
  /// `takeFields` compares.
  func expectedContext(_ bytes: RawSpan, _ moment: PacketContext) -> Context {
    var context = context(bytes, moment)
    let data = ACLBeginning(bytes)
    guard data.boundary != .continuing, let cid = data.frame.cid, !data.frame.rest.isEmpty,
      !moment.isUndirected, let link = links.find(moment.controller, data.handle)
    else { return context }
    if cid == FixedChannel.attributeProtocol.rawValue {
      let pdu = ATTBeginning(bytes.extracting(data.frame.rest))
      guard let opcode = pdu.opcode else { return context }
      // For responses only: copying a request takes time.
      let request = opcode.kind == .response ? links.request(on: link, 1 - moment.side) : nil
      let address = AttributeAddress(
        opcode, pdu.handle, request: request.map { ($0.opcode, $0.handle) }, moment.direction)
      context.requestedType = request?.type
      context.attributeType = type(at: address, on: link)
      context.report = report(at: address, context.attributeType, on: link)
    } else if FixedChannel.isDynamic(cid),
      let id = links.channel(on: link, Self.key(cid, moment.direction)),
      channelStates[Int(id.index)].framing.mode == .basic
    {
      context.inner = channelStates[Int(id.index)].inner
      know(id, &context)
      if context.psm == FixedPSM.hidControl.rawValue {
        context.report.request = hid.pending[link]?.rawValue ?? 0
      }
    }
    return context
  }

  /// Adds what is known about the channel `id` to what is known about the frame.
  func know(_ id: ChannelID, _ context: inout Context) {
    // To read a property of an array's element copies the element, but not through a span.
    let (channels, index) = (channels.span, Int(id.index))
    let entry = channels[index].entry.map { Entry.Reference($0) }
    // If a protocol is cut into messages, a frame is decoded only if it is exactly one message.
    if entry?.isCut != true || context.inner == entry { context.channel = entry }
    context.psm = channels[index].knownPSM
    switch context.psm.flatMap({ FixedPSM(rawValue: $0) }) {
    case .hidControl, .hidInterrupt: context.report = report(on: id)
    default: break
    }
    context.framing = framing(of: id)
    let isUndirected = record.row.flags.contains(.directionUnknown)
    context.isFromAcceptor =
      isUndirected ? nil : isFromAcceptor(id, in: record.row.direction)
  }

  /// Whether the device that accepted the channel `id` sends in `direction`; nil if its opening is not in the capture.
  func isFromAcceptor(_ id: ChannelID, in direction: Direction) -> Bool? {
    let (channels, index) = (channels.span, Int(id.index))
    return channels[index].isInferred
      ? nil : channels[index].isPeerRequest == (direction == .hostToController)
  }

  /// Whether the device that accepted the channel of the packet that is being read sent a PDU.
  func isFromAcceptor(_ moment: PacketContext) -> Bool? {
    guard !moment.isUndirected, let id = record.row.channel else { return nil }
    return isFromAcceptor(id, in: moment.direction)
  }
}

extension PacketRow {
  /// The row of no packet.
  public init() {
    self.init(
      offset: 0, time: Timestamp(nanoseconds: 0), count: 0, controller: 0, cut: 0, kind: .other,
      flags: [])
  }
}
