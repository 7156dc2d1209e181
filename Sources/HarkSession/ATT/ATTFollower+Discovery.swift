import HarkCore
import HarkDissection

// Discovery: builds the GATT database from the traffic. Core Specification, Vol 3, Part G, 4.4 to 4.7.
extension ATTFollower {
  /// The longest pause, in nanoseconds, of a client that is still discovering.
  static var longestPause: Int64 { 1_000_000_000 }

  /// The bearer or the capture ends: reports unfinished discoveries.
  mutating func endTransactions(
    _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables,
    _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    expireRequests(link, moment, &tables)
    for direction in [Direction.hostToController, .controllerToHost] {
      tables.endDiscovery(link, moment, from: direction)
      endRead(link, Int(direction.rawValue), &tables, &leAudio, &accessory)
      leaveUnanswered(link, Int(direction.rawValue), moment, &tables, &leAudio, &accessory)
      leaveUnconfirmed(link, Int(direction.rawValue), moment, &tables)
    }
  }

  /// A response to a search.
  mutating func discovered(
    _ entries: [ATTPDU.Entry], _ opcode: ATTPDU.Opcode, _ request: ATTState.Request,
    _ bytes: RawSpan, _ key: Session.DatabaseKey, _ moment: PacketContext, _ tables: inout Tables
  ) {
    tables.databases.update(key) { database in
      for entry in entries {
        Self.add(entry, opcode, request, to: &database, moment.packet)
      }
    }
    // The first of several values, since a device has one name. Vol 3, Part C, 12.1.
    if opcode == .readByTypeResponse, request.type?.is(.deviceName) == true,
      let value = entries.first?.value
    {
      tables.named(bytes.extracting(value), key, moment)
    }
    if request.type == .databaseHash, let value = entries.first?.value {
      tables.learn(hash: bytes.array(value), of: key, moment)
    }
    tables.notePossibleReturn(of: key, moment)
    tables.concealUsed(entries.lazy.flatMap { [$0.handle, $0.valueHandle] }, key)
  }

  private static func add(
    _ entry: ATTPDU.Entry, _ opcode: ATTPDU.Opcode, _ request: ATTState.Request,
    to database: inout GATTDatabase, _ packet: PacketID
  ) {
    let type = request.type
    switch (opcode, type) {
    case (.readByGroupTypeResponse, .primaryService),
      (.readByGroupTypeResponse, .secondaryService):
      database.add(
        GATTDatabase.Service(
          start: entry.handle, end: entry.end, uuid: entry.uuid,
          isPrimary: type == .primaryService, frame: packet))
    case (.findByTypeValueResponse, .primaryService)
    where database.services[entry.handle]?.uuid == nil:
      database.add(
        GATTDatabase.Service(
          start: entry.handle, end: entry.end, uuid: request.service, isPrimary: true,
          frame: packet))
    case (.readByTypeResponse, .characteristicDeclaration):
      guard let uuid = entry.uuid else { return }
      database.add(
        GATTDatabase.Characteristic(
          declaration: entry.handle, handle: entry.valueHandle, uuid: uuid,
          properties: entry.properties, frame: packet))
    case (.readByTypeResponse, let type?) where !type.isDeclaration:
      database.note(type, at: entry.handle)
    case (.readByTypeResponse, .include): database.note(.include, at: entry.handle)
    case (.findInformationResponse, _):
      guard let uuid = entry.uuid else { return }
      // Discovery of the other kinds reveals more of it. Vol 3, Part G, 3
      if uuid.isDeclaration { return database.note(uuid, at: entry.handle) }
      database.add(GATTDatabase.Descriptor(handle: entry.handle, uuid: uuid, frame: packet))
    default: break
    }
  }
}

extension Tables {
  mutating func discovering(_ link: LinkID, _ moment: PacketContext) {
    if links[link].att.discovery[moment.side].first == nil {
      links[link].att.discovery[moment.side].first = moment.packet
      if !discoveringLinks.contains(link) { discoveringLinks.append(link) }
    }
    links[link].att.discovery[moment.side].packets += 1
    links[link].att.discovery[moment.side].last = moment.packet
  }

  /// Reports a discovery once the client does something else.
  mutating func endDiscovery(_ link: LinkID, _ moment: PacketContext, from direction: Direction?) {
    guard let direction else { return }
    let side = Int(direction.rawValue)
    let discovery = links[link].att.discovery[side]
    guard let first = discovery.first else { return }
    links[link].att.discovery[side] = ATTState.Discovery(reported: discovery.reported)
    let found = databases[database(link, clientDirection: direction)].discovered
    // A repeated search that finds nothing is not worth reporting.
    let known = found.services + found.characteristics + found.descriptors
    guard known != discovery.reported else { return }
    links[link].att.discovery[side].reported = known
    var moment = moment
    moment.link = link
    emit(
      .attribute(
        .discovery(
          .init(
            services: found.services, characteristics: found.characteristics,
            descriptors: found.descriptors, isLocal: direction == .controllerToHost))),
      moment,
      frames: Event.Frames(first, discovery.last, count: discovery.packets))
  }

  /// Reports discoveries that paused for longer than clients do, before a later event is reported.
  mutating func endIdleDiscoveries(_ moment: PacketContext) {
    let paused = discoveringLinks
    // Reporting one calls this function again.
    discoveringLinks = []
    for link in paused {
      var isOpen = false
      for direction in [Direction.hostToController, .controllerToHost] {
        let discovery = links[link].att.discovery[Int(direction.rawValue)]
        guard discovery.first != nil else { continue }
        // Nil if it is the packet that is being read.
        let last = packets[discovery.last]?.time ?? moment.time
        if moment.time.since(last) > ATTFollower.longestPause {
          endDiscovery(link, moment, from: direction)
        } else {
          isOpen = true
        }
      }
      if isOpen { discoveringLinks.append(link) }
    }
  }
}
