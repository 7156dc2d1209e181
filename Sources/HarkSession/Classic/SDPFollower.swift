import HarkCore
import HarkDissection

/// Follows SDP: assigns responses to requests, reassembles them, and collects the services in them. Core Specification,
/// Vol 3, Part B.
struct SDPFollower {
  private var states: [ChannelID: SDPState] = [:]

  private static let attributesEntry = Catalog.shared.entries.first {
    $0.name.description == "SDP Attributes"
  }

  /// A complete PDU of an SDP channel.
  mutating func take(
    _ bytes: RawSpan, on id: ChannelID, packets parts: [UInt32], _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let message = SDPMessage(bytes, isCut: moment.isTruncated)
    var state = states.removeValue(forKey: id) ?? SDPState()
    defer { states[id] = state }
    let mayLackRequests = tables.mayLackPackets(of: moment.link)
    switch message.identifier {
    case .searchRequest, .attributeRequest, .searchAttributeRequest:
      if let request = message.identifier {
        let broken = state.asked(request, message, bytes, lost: tables.counts.lost, moment)
        if let broken { incomplete(broken, on: id, moment, &tables) }
      }
    case .errorResponse:
      guard let exchange = state.answered(message, mayLackRequests: mayLackRequests) else { return }
      if let asked = exchange.asked { tables.relate(asked.packet.number, moment) }
      tables.emit(.sdp(.error(.init(code: message.error))), moment, severity: .warning)
      if exchange.isWhole { incomplete(exchange, on: id, moment, &tables) }
    case .searchResponse:
      guard let exchange = state.answered(message, mayLackRequests: mayLackRequests) else { return }
      if let asked = exchange.asked { tables.relate(asked.packet.number, moment) }
      if message.totalRecords == 0 { missing(exchange.wanted, moment, &tables) }
    case .attributeResponse, .searchAttributeResponse:
      guard var exchange = state.answered(message, mayLackRequests: mayLackRequests) else { return }
      if let asked = exchange.asked { tables.relate(asked.packet.number, moment) }
      // Its result is unknown, and so is whether it continues.
      guard !moment.isTruncated, let range = message.attributes else {
        state.isContinuationCut = true
        return
      }
      exchange.add(bytes.extracting(range), parts.isEmpty ? tables.packetsOfPDU(moment) : parts)
      if message.isContinued {
        state.goesOn(exchange, bytes.array(message.continuation))
      } else {
        let isSearch = message.identifier == .searchAttributeResponse
        attributes(exchange, isSearch: isSearch, moment, &tables)
      }
    case nil: break
    }
  }

  /// Servers answer within milliseconds; a client may close the channel before that.
  private static let longestAnswer = Int64(2_000_000_000)

  /// The channel or the capture ends: what was requested on the channel will not be answered.
  mutating func end(of id: ChannelID, _ moment: PacketContext, _ tables: inout Tables) {
    guard let state = states.removeValue(forKey: id), !tables.isOnAir(moment.link) else { return }
    for asked in state.unanswered
    where moment.time.since(asked.time) >= Self.longestAnswer
      && tables.counts.wouldShowAnswer(to: asked.packet, lost: asked.lost)
    {
      tables.emit(
        .sdp(.unanswered(.init(request: asked.request.rawValue, byPeer: asked.byPeer))), moment,
        frames: Event.Frames(asked.packet, asked.packet, count: 1), severity: .warning)
    }
  }

  /// Attribute lists of which a part is missing.
  private func incomplete(
    _ exchange: SDPState.Exchange, on id: ChannelID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    tables.incomplete(
      IncompletePDU(place: .channel(tables.channels[Int(id.index)]), have: exchange.bytes.count),
      exchange.packets, moment)
  }

  private mutating func attributes(
    _ exchange: SDPState.Exchange, isSearch: Bool, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard exchange.isWhole, let link = moment.link else { return }
    let bytes = exchange.bytes.raw
    if exchange.parts > 1 {
      tables.complete("SDP attributes", bytes, Self.attributesEntry, packets: exchange.packets)
    }
    let lists = SDPAttributeLists(bytes)
    let records = Self.serviceRecords(lists, bytes, exchange)
    let isLocal = moment.direction == .hostToController
    let owner = tables.database(link, clientDirection: moment.direction.opposite)
    if let descriptor = lists.records.lazy.compactMap(\.reportDescriptor).first {
      tables.learnReports(bytes.extracting(descriptor), packets: exchange.packets, owner, moment)
    }
    let new = records.compactMap { tables.services.learn($0, of: owner) }
    // Every record that matches has a list, which is empty if the record lacks the attributes. 4.7.2
    if lists.isWhole, lists.records.isEmpty, isSearch { missing(exchange.wanted, moment, &tables) }
    guard !new.isEmpty else { return }
    tables.nameChannels(of: owner, link)
    tables.emit(
      .sdp(.found(.init(records: new, isLocal: isLocal))), moment,
      frames: Event.Frames(exchange.packets.map { PacketID($0) }, or: moment.packet))
  }

  private mutating func missing(
    _ wanted: [BluetoothUUID], _ moment: PacketContext, _ tables: inout Tables
  ) {
    tables.emit(
      .sdp(.missing(.init(uuids: wanted, isLocal: moment.direction == .hostToController))), moment)
  }

  /// The service records that describe a service.
  private static func serviceRecords(
    _ lists: SDPAttributeLists, _ bytes: RawSpan, _ exchange: SDPState.Exchange
  ) -> [ServiceRecord] {
    var records: [ServiceRecord] = []
    for list in lists.records {
      var record = ServiceRecord(list, bytes)
      guard record != ServiceRecord() else { continue }
      record.handle = record.handle ?? exchange.handle
      if record.classes.isEmpty, let wanted = SDPMessage.serviceClass(exchange.wanted) {
        (record.classes, record.hasSearchedClasses) = ([wanted], true)
      }
      records.append(record)
    }
    return records
  }
}

extension Tables {
  /// The service at a PSM that is not the same on all devices, according to SDP.
  func serviceName(_ request: PendingChannels, _ link: LinkID) -> String? {
    guard AttachmentPoint.isDynamic(psm: request.psm), !request.isCreditBased else { return nil }
    let owner = database(link, clientDirection: request.direction)
    return services.find(psm: request.psm, of: owner)?.classes.first.flatMap {
      AssignedNumbers.name(of: $0)
    }
  }

  /// The protocol of the service at a PSM that is not the same on all devices, according to SDP.
  func serviceEntry(_ request: PendingChannels, _ link: LinkID) -> Entry? {
    guard AttachmentPoint.isDynamic(psm: request.psm), !request.isCreditBased else { return nil }
    let owner = database(link, clientDirection: request.direction)
    return services.find(psm: request.psm, of: owner).flatMap { entry(of: $0) }
  }
}
