import HarkCore
import HarkDissection

// Discovery: the GATT database from the traffic. Core Specification, Vol 3, Part G, 4.4 to 4.7.
extension Session {
  mutating func discovering(_ link: LinkID, _ moment: Moment) {
    if linkTable[link].att.discovery[moment.side].first == nil {
      linkTable[link].att.discovery[moment.side].first = moment.packet
      if !discoveringLinks.contains(link) { discoveringLinks.append(link) }
    }
    linkTable[link].att.discovery[moment.side].packets += 1
    linkTable[link].att.discovery[moment.side].last = moment.packet
  }

  /// Tells of a discovery once the client turns to something else.
  mutating func endDiscovery(_ link: LinkID, _ moment: Moment, from direction: Direction?) {
    guard let direction else { return }
    let side = Int(direction.rawValue)
    let discovery = linkTable[link].att.discovery[side]
    guard let first = discovery.first else { return }
    linkTable[link].att.discovery[side] = ATTState.Discovery(told: discovery.told)
    let database = databaseTable[database(link, clientDirection: direction)]
    // A look for more that finds nothing is no news.
    let known =
      database.services.count + database.characteristics.count + database.descriptors.count
    guard known != discovery.told else { return }
    linkTable[link].att.discovery[side].told = known
    var moment = moment
    moment.link = link
    emit(
      .attribute(
        .discovery(
          .init(
            services: database.services.count, characteristics: database.characteristics.count,
            descriptors: database.descriptors.count, isLocal: direction == .controllerToHost))),
      moment,
      frames: Event.Frames(first, discovery.last, count: discovery.packets))
  }

  /// The longest pause of a client that still discovers, in nanoseconds.
  private static var longestPause: Int64 { 1_000_000_000 }

  /// Tells of discoveries that paused for longer than clients do, before something later is told.
  mutating func endIdleDiscoveries(_ moment: Moment) {
    let links = discoveringLinks
    // Telling of one asks again.
    discoveringLinks = []
    for link in links {
      var isOpen = false
      for direction in [Direction.hostToController, .controllerToHost] {
        let discovery = linkTable[link].att.discovery[Int(direction.rawValue)]
        guard discovery.first != nil else { continue }
        // Nil where it is the packet that is being read.
        let last = packets[discovery.last]?.time ?? moment.time
        if moment.time.since(last) > Self.longestPause {
          endDiscovery(link, moment, from: direction)
        } else {
          isOpen = true
        }
      }
      if isOpen { discoveringLinks.append(link) }
    }
  }

  /// The bearer or the capture ends: tells of what is under way.
  mutating func endTransactions(_ link: LinkID, _ moment: Moment) {
    expireRequests(link, moment)
    for direction in [Direction.hostToController, .controllerToHost] {
      endDiscovery(link, moment, from: direction)
      endRead(link, Int(direction.rawValue))
      leaveUnanswered(link, Int(direction.rawValue), moment)
      leaveUnconfirmed(link, Int(direction.rawValue), moment)
    }
  }

  /// One entry of a discovery response.
  struct DiscoveredEntry {
    var handle: UInt16 = 0
    var end: UInt16 = 0
    var valueHandle: UInt16 = 0
    var properties: UInt8 = 0
    var uuid: BluetoothUUID?
    var value: Range<Int>?

    mutating func note(_ node: Tree.Node, _ bytes: RawSpan) {
      let value = UInt16(truncatingIfNeeded: node.value)
      switch node.field {
      case Paths.ATT.handle: handle = value
      case Paths.ATT.groupEndHandle: end = value
      case Paths.ATT.valueHandle: valueHandle = value
      case Paths.ATT.properties: properties = UInt8(truncatingIfNeeded: value)
      case _ where Paths.ATT.uuids.contains(node.field):
        uuid = BluetoothUUID(littleEndian: bytes.extracting(node.range))
      default: if Paths.ATT.values.contains(node.field) { self.value = node.range }
      }
    }
  }

  mutating func discovered(
    _ opcode: UInt8, _ request: ATTState.Request, _ bytes: RawSpan, _ key: DatabaseKey,
    _ moment: Moment
  ) {
    var entries: [DiscoveredEntry] = []
    for node in tree.nodes {
      if node.field == Paths.ATT.entries {
        entries.append(DiscoveredEntry())
      } else if !entries.isEmpty {
        entries[entries.count - 1].note(node, bytes)
      }
    }
    // The recorder cut the response in the middle of it.
    if opcode == 0x07, entries.last?.end == 0 { entries.removeLast() }
    databaseTable.update(key) { database in
      for entry in entries {
        Self.add(entry, opcode, request, to: &database, moment.packet)
      }
    }
    // The first value, if several: a device has one name. Vol 3, Part C, 12.1.
    if opcode == 0x09, request.type?.short == 0x2A00, let value = entries.first?.value {
      named(bytes.extracting(value), key)
    }
    concealUsed(entries.lazy.flatMap { [$0.handle, $0.valueHandle] }, key)
  }

  private static func add(
    _ entry: DiscoveredEntry, _ opcode: UInt8, _ request: ATTState.Request,
    to database: inout GATTDatabase, _ packet: PacketID
  ) {
    let type = request.type
    switch (opcode, type?.short) {
    case (0x11, 0x2800), (0x11, 0x2801):
      database.add(
        GATTDatabase.Service(
          start: entry.handle, end: entry.end, uuid: entry.uuid,
          isPrimary: type?.short == 0x2800, frame: packet))
    case (0x07, 0x2800) where database.services[entry.handle]?.uuid == nil:
      database.add(
        GATTDatabase.Service(
          start: entry.handle, end: entry.end, uuid: request.service, isPrimary: true,
          frame: packet))
    case (0x09, 0x2803):
      guard let uuid = entry.uuid else { return }
      database.add(
        GATTDatabase.Characteristic(
          declaration: entry.handle, handle: entry.valueHandle, uuid: uuid,
          properties: entry.properties, frame: packet))
    case (0x09, let short) where !declarations.contains(short ?? 0):
      if let type { database.note(type, at: entry.handle) }
    case (0x09, 0x2802): database.note(.include, at: entry.handle)
    case (0x05, _):
      guard let uuid = entry.uuid else { return }
      if declarations.contains(uuid.short ?? 0) { return database.note(uuid, at: entry.handle) }
      database.add(GATTDatabase.Descriptor(handle: entry.handle, uuid: uuid, frame: packet))
    default: break
    }
  }

  /// Types that discovery of the other kinds tells better. Vol 3, Part G, 3.
  private static let declarations: Set<UInt16> = [0x2800, 0x2801, 0x2802, 0x2803]
}
