import HarkCore
import HarkDissection

/// A TCP connection: its bytes in order, and their readers.
struct TCPConnection {
  let network: Link.Network
  let link: LinkID
  private let stream: StreamID
  /// The channel by which profiles find it; known once there is data, because services may be announced after it
  /// opens.
  private var channel: VendorChannel?
  private var entry: Entry?
  private var isNamed = false
  /// The data so far, if nothing reads it and a service may still be announced.
  private var waiting: WaitingData?
  /// The first sequence number of the client.
  private var first: UInt32?
  private var sides = [TCPSide(), TCPSide()]
  private(set) var isClosed = false

  /// Opens it; nil once a capture has more links than ids.
  /// - Parameter isWhole: Whether its beginning is in the capture.
  init?(
    _ network: Link.Network, isWhole: Bool, _ service: NetworkService?, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard
      let link = tables.links.open(network, moment.packet, isWhole ? .seen : .inferred)
    else { return nil }
    (self.network, self.link) = (network, link)
    var moment = moment
    moment.link = link
    stream = tables.openStream(
      .tcp(port: network.server.port), link, name: service?.type, moment)
    tables.emit(
      .network(.opened(.init(network: network, service: service?.type, isWhole: isWhole))), moment,
      severity: isWhole ? .info : .warning)
  }

  /// Whether a client's SYN begins another connection between the same ends.
  func isOther(_ tcp: IPPacket.TCP) -> Bool { isClosed || first.map { $0 != tcp.sequence } ?? true }

  mutating func take(
    _ tcp: IPPacket.TCP, _ payload: RawSpan, missing: Int, _ services: NetworkServices,
    _ moment: PacketContext, _ tables: inout Tables, _ accessory: inout AccessoryFollower,
    _ streams: inout StreamFollower
  ) {
    let (side, other) = (moment.side, 1 - moment.side)
    var sequence = tcp.sequence
    if tcp.isSYN {
      if !tcp.isACK { first = tcp.sequence }
      sides[side].begin(sequence)
      sequence &+= 1
    }
    let count = payload.byteCount + missing
    if count > 0 {
      if !isNamed { name(services, moment, &tables, &accessory, &streams) }
      conceal(moment, &tables)
      pieces(
        sides[side].take(
          payload, missing: missing, at: sequence, packet: moment.packet.number), moment, &tables,
        &accessory, &streams)
    }
    if tcp.isACK {
      pieces(
        sides[other].acknowledge(tcp.acknowledgment), moment.reversed, &tables, &accessory, &streams
      )
    }
    if tcp.isFIN { sides[side].finish() }
    if tcp.isRST {
      close(.reset, moment, &tables, &accessory, &streams)
    } else if sides[0].hasFinished, sides[1].hasFinished, !sides.contains(where: \.isWaiting) {
      close(.finished, moment, &tables, &accessory, &streams)
    }
  }

  // MARK: The reader of its data

  private mutating func name(
    _ services: NetworkServices, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ streams: inout StreamFollower
  ) {
    isNamed = true
    let service = services.find(network.server)
    let places: [VendorChannel] =
      (service.map { [.networkService($0.type)] } ?? []) + [.tcpPort(network.server.port)]
    channel = places.first { tables.framings.hasPlace($0) } ?? places.first
    entry =
      service.flatMap { tables.catalog.entry(at: .networkService($0.type)) }
      ?? tables.catalog.entry(at: .tcpPort(network.server.port))
    if tables.streams[Int(stream.index)].name == nil {
      tables.streams[Int(stream.index)].name = service?.type
    }
    guard isRead(tables) else {
      let mayBeRead = tables.framings.usesNetworkServices || tables.catalog.readsNetworkServices
      if mayBeRead { waiting = WaitingData() }
      return
    }
    identify(service, moment, &tables, accessory)
  }

  private func isRead(_ tables: borrowing Tables) -> Bool {
    entry != nil || channel.map { tables.framings.uses($0) } == true
  }

  /// Whether its data wait for a service to be announced.
  var isWaiting: Bool { waiting != nil }

  mutating func stopWaiting() { waiting = nil }

  /// Services were announced: reads the data so far if one of them is the server's and has a reader.
  mutating func attach(
    _ services: NetworkServices, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ streams: inout StreamFollower
  ) {
    guard let data = waiting, services.find(network.server) != nil else { return }
    waiting = nil
    var moment = moment
    moment.link = link
    name(services, moment, &tables, &accessory, &streams)
    guard isRead(tables) else {
      waiting = data
      return
    }
    tables.record.isRereading = true
    defer { tables.record.isRereading = false }
    for piece in data.pieces {
      if let channel, tables.framings.using(channel)?.carriesKeys(channel) == true {
        tables.conceal(piece.packets)
      }
      read(piece, &tables, &accessory, &streams)
    }
    if isClosed { accessory.end(link, moment, &tables) }
  }

  /// Finds the device with the server's name, or else the only server with the same protocol, or else the one that an
  /// earlier connection to the same host used.
  private func identify(
    _ service: NetworkService?, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: borrowing AccessoryFollower
  ) {
    let framing = channel.flatMap { tables.framings.using($0)?.name }
    guard let framing, tables.framings.hasPlace(channel) else { return }
    let servers = accessory.accessories.servers(using: framing)
    var evidence = NetworkEvent.Identified.Evidence.framing(framing)
    let found: Session.DatabaseKey?
    if let name = service?.instance, let named = tables.devices.only(named: name) {
      (found, evidence) = (.device(named), .name(name))
    } else {
      found = Self.only(servers.filter { tables.networkEndpoint(of: $0) == nil })
    }
    guard let found else {
      tables.links[link].server = servers.first {
        tables.networkEndpoint(of: $0)?.address == network.server.address
      }
      return
    }
    if case .device(let device) = found {
      tables.links[link].device = tables.devices.current(device)
    } else {
      tables.links[link].server = found
    }
    tables.emit(
      .network(.identified(.init(network: network, evidence: evidence, server: found))), moment)
  }

  /// Devices take precedence over servers that may be any device.
  private static func only(_ servers: [Session.DatabaseKey]) -> Session.DatabaseKey? {
    let devices = servers.filter { if case .device = $0 { true } else { false } }
    let found = devices.isEmpty ? servers : devices
    return found.count == 1 ? found[0] : nil
  }

  /// Keys may arrive out of order, and code that shows packets while they are read cannot wait.
  private func conceal(_ moment: PacketContext, _ tables: inout Tables) {
    guard let channel, tables.framings.using(channel)?.carriesKeys(channel) == true else { return }
    tables.concealPDU(moment)
  }

  // MARK: Data

  private mutating func pieces(
    _ pieces: [TCPSide.Piece], _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ streams: inout StreamFollower
  ) {
    for piece in pieces {
      switch piece {
      case .data(let bytes, let missing, let packet):
        deliver(bytes, missing: missing, [packet], moment, &tables, &accessory, &streams)
      case .repeated: tables.streams[Int(stream.index)].repeatedFrames += 1
      case .gap(let count):
        tables.emit(
          .network(
            .gap(
              .init(
                network: network, isFromServer: moment.isFromPeer,
                count: count))),
          moment, severity: .warning)
        deliver([], missing: count, [], moment, &tables, &accessory, &streams)
      }
    }
  }

  /// The next bytes in order, from `packets`; none if the capture does not have them.
  private mutating func deliver(
    _ bytes: [UInt8], missing: Int, _ packets: [UInt32], _ moment: PacketContext,
    _ tables: inout Tables, _ accessory: inout AccessoryFollower, _ streams: inout StreamFollower
  ) {
    var moment = moment
    moment.cut = missing
    if !bytes.isEmpty { tables.streamed(bytes.raw, stream, moment) }
    let piece = WaitingData.Piece(bytes: bytes, packets: packets, moment: moment)
    if waiting == nil {
      read(piece, &tables, &accessory, &streams)
    } else if waiting?.add(piece) == false {
      waiting = nil
    }
  }

  private func read(
    _ piece: WaitingData.Piece, _ tables: inout Tables, _ accessory: inout AccessoryFollower,
    _ streams: inout StreamFollower
  ) {
    let (bytes, moment) = (piece.bytes.raw, piece.moment)
    if piece.packets.isEmpty { streams.messages.loseMessage(of: stream, moment) }
    let isFramed = channel.map { tables.framings.uses($0) } ?? false
    if isFramed, let channel {
      accessory.vendorData(
        bytes, channel, of: stream, toServer: moment.direction == .hostToController,
        packets: piece.packets, moment, &tables)
    }
    guard let entry, bytes.byteCount > 0 else { return }
    _ = streams.messages.cut(
      bytes, by: entry, of: stream, packets: piece.packets, isInPlace: false, isFramed: isFramed,
      moment, &tables)
  }

  // MARK: Its end

  /// The capture has no more of it: the waiting bytes go to their reader.
  mutating func flush(
    _ moment: PacketContext, _ tables: inout Tables, _ accessory: inout AccessoryFollower,
    _ streams: inout StreamFollower
  ) {
    var moment = moment
    moment.link = link
    for direction in [Direction.hostToController, .controllerToHost] {
      moment.direction = direction
      pieces(sides[moment.side].end(), moment, &tables, &accessory, &streams)
    }
  }

  mutating func close(
    _ end: NetworkEvent.Closed.End, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ streams: inout StreamFollower
  ) {
    guard !isClosed else { return }
    isClosed = true
    flush(moment, &tables, &accessory, &streams)
    var own = moment
    own.link = link
    accessory.end(link, own, &tables)
    streams.close(stream, own, &tables, &accessory)
    tables.links.close(link, own.packet, reason: nil)
    let opened = tables.packets[tables.links[link].opened]?.time
    tables.emit(
      .network(
        .closed(
          .init(
            network: network, end: end, byServer: moment.isFromPeer,
            nanoseconds: opened.flatMap {
              tables.counts.elapsed(since: $0, in: tables.links[link].opened, moment)
            }))), own,
      severity: end == .reset ? .warning : .info)
  }
}

/// Data of a connection that nothing reads yet.
private struct WaitingData {
  struct Piece {
    let bytes: [UInt8]
    /// Empty if the bytes are not in the capture.
    let packets: [UInt32]
    let moment: PacketContext
  }

  private(set) var pieces: [Piece] = []
  private var count = 0

  private static let mostPieces = 1_024
  private static let mostBytes = 1 << 16

  /// - Returns: Whether there was room.
  mutating func add(_ piece: Piece) -> Bool {
    pieces.append(piece)
    count += piece.bytes.count
    return pieces.count <= Self.mostPieces && count <= Self.mostBytes
  }
}

extension Tables {
  /// Where a server is on the local network; nil if it is known from elsewhere.
  fileprivate func networkEndpoint(of server: Session.DatabaseKey) -> NetworkEndpoint? {
    guard case .link(let link) = server else { return nil }
    return links[link].network?.server
  }
}

extension PacketContext {
  /// The same, of the other direction.
  fileprivate var reversed: PacketContext {
    var context = self
    context.direction = direction.opposite
    return context
  }
}
