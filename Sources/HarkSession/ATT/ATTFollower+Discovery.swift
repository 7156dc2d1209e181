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
    // When it ended is unknown, if another link has its handle.
    if !tables.links[link].isReplaced { expireRequests(link, moment, &tables) }
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
    _ link: LinkID, _ key: Session.DatabaseKey, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let showsAll = request.showsAll(of: key, moment, tables) && opcode != .findByTypeValueResponse
    var shown = HandleSet()
    var removals = 0
    tables.databases.update(key) { database in
      removals = -database.removals
      for entry in entries {
        Self.add(entry, opcode, request, to: &database, moment.packet)
      }
      // A server lists everything up to the last entry. Vol 3, Part F, 3.4.3.2, 3.4.4.2, 3.4.4.10
      if showsAll, let searched = request.searched, let last = entries.last?.handle,
        request.handle <= last
      {
        database.limit(searched, in: request.handle...last, to: moment.packet)
      }
      removals += database.removals
      for entry in entries {
        for handle in [entry.handle, entry.valueHandle] where database.shows(handle, request) {
          shown.insert(handle)
        }
      }
    }
    if !shown.isEmpty {
      tables.discovering(link, request, shown, isNews: removals > 0, moment)
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
    where database.services[entry.handle].map { $0.uuid ?? request.service != request.service }
      ?? true:
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

  /// A response shows attributes: the discovery may have ended before it, with another request of the client.
  fileprivate mutating func discovering(
    _ link: LinkID, _ request: ATTState.Request, _ shown: HandleSet, isNews: Bool,
    _ moment: PacketContext
  ) {
    let side = 1 - moment.side
    if links[link].att.discovery[side].first == nil {
      let packet = PacketID(request.packet)
      links[link].att.discovery[side].first = packet
      links[link].att.discovery[side].last = packet
      links[link].att.discovery[side].packets = 1
      if !discoveringLinks.contains(link) { discoveringLinks.append(link) }
    }
    links[link].att.discovery[side].shown.formUnion(shown)
    if isNews { links[link].att.discovery[side].isNews = true }
  }

  /// Reports a discovery once the client does something else.
  mutating func endDiscovery(_ link: LinkID, _ moment: PacketContext, from direction: Direction?) {
    guard let direction else { return }
    let side = Int(direction.rawValue)
    guard let first = links[link].att.discovery[side].first else { return }
    let discovery = links[link].att.discovery[side]
    links[link].att.discovery[side] = ATTState.Discovery(seen: discovery.seen)
    links[link].att.discovery[side].seen.formUnion(discovery.shown)
    // A repeated search that finds nothing new is not worth reporting.
    guard discovery.isNews || !discovery.shown.isSubset(of: discovery.seen) else { return }
    let server = databases[database(link, clientDirection: direction)]
    let shown = discovery.shown.handles(in: 0...UInt16.max)
    var moment = moment
    moment.link = link
    emit(
      .attribute(
        .discovery(
          .init(
            services: shown.count { server.services[$0] != nil },
            characteristics: shown.count { server.characteristics[$0] != nil },
            descriptors: shown.count { server.descriptors[$0] != nil },
            isLocal: direction == .controllerToHost, isCut: discovery.isCut))),
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
        let pause = counts.elapsedAtLeast(since: last, in: discovery.last, moment)
        if pause > ATTFollower.longestPause {
          endDiscovery(link, moment, from: direction)
        } else {
          isOpen = true
        }
      }
      if isOpen { discoveringLinks.append(link) }
    }
  }
}

extension ATTState.Request {
  /// What it searches for; nil if that is unknown, or values.
  var searched: GATTDatabase.Searched? {
    switch (opcode, type) {
    case (.readByGroupTypeRequest, .primaryService): .primaryServices
    case (.readByGroupTypeRequest, .secondaryService): .secondaryServices
    case (.readByTypeRequest, .characteristicDeclaration): .characteristics
    case (.findInformationRequest, _): .descriptors
    case (.findByTypeValueRequest, .primaryService): service.map { .services($0) }
    default: nil
    }
  }

  /// Whether the answer to a search shows all that the server has: if packets are missing, it may answer another
  /// request. Hosts show some of their services to some devices only.
  func showsAll(
    of key: Session.DatabaseKey, _ moment: PacketContext, _ tables: borrowing Tables
  ) -> Bool {
    guard let link = moment.link else { return false }
    return key.isPeer && tables.links[link].air == nil && lost == tables.counts.lost
      && !moment.isUndirected && handle > 0
  }
}

extension GATTDatabase {
  /// Whether a response shows that the server has the attribute at `handle`.
  fileprivate func shows(_ handle: UInt16, _ request: ATTState.Request) -> Bool {
    switch request.opcode {
    case .readByGroupTypeRequest, .findByTypeValueRequest: services[handle] != nil
    case .readByTypeRequest: request.type?.isDeclaration == true && characteristics[handle] != nil
    default: descriptors[handle] != nil
    }
  }
}
