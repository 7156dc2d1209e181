import HarkCore
import HarkDissection

/// Follows the local network: its services, and the TCP connections that profiles and layouts read. RFC 9293; RFC
/// 6762.
struct NetworkFollower {
  private struct Ends: Hashable {
    let source: NetworkEndpoint
    let destination: NetworkEndpoint

    var reversed: Ends { Ends(source: destination, destination: source) }
  }

  /// By the ends, the client's first.
  private var numbers: [Ends: Int] = [:]
  private var connections: [TCPConnection] = []
  private var services = NetworkServices()
  /// Connections whose data wait for a service, oldest first.
  private var waiting: [Int] = []

  private static let mostWaiting = 64

  /// A frame of the network.
  mutating func take(
    _ bytes: RawSpan, _ kind: PacketKind, _ moment: inout PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ streams: inout StreamFollower
  ) {
    let facts = tables.facts(bytes, kind, moment)
    tables.malformed(facts, moment)
    // Network events belong to no controller.
    moment.controller = .max
    guard let packet = IPPacket(inFrame: bytes, kind, isCut: moment.isTruncated),
      !packet.isFragment, let source = packet.source, let destination = packet.destination
    else { return }
    let payload = bytes.extracting(packet.payload)
    if packet.udp?.isMulticastDNS == true {
      let message = DNSMessage(payload, isCut: moment.isTruncated)
      for service in services.take(message, payload, from: source) {
        tables.emit(.network(.service(.init(service: service))), moment)
      }
      for number in waiting {
        connections[number].attach(services, moment, &tables, &accessory, &streams)
      }
      waiting = waiting.filter { connections[$0].isWaiting }
    } else if let tcp = packet.tcp {
      let ends = Ends(
        source: NetworkEndpoint(address: source, port: tcp.sourcePort),
        destination: NetworkEndpoint(address: destination, port: tcp.destinationPort))
      segment(tcp, payload, missing: packet.missing, ends, &moment, &tables, &accessory, &streams)
    }
  }

  private mutating func segment(
    _ tcp: IPPacket.TCP, _ payload: RawSpan, missing: Int, _ ends: Ends,
    _ moment: inout PacketContext, _ tables: inout Tables, _ accessory: inout AccessoryFollower,
    _ streams: inout StreamFollower
  ) {
    guard let number = connection(tcp, ends, moment, &tables, &accessory, &streams) else { return }
    let isFromServer = ends.source == connections[number].network.server
    moment.direction = isFromServer ? .controllerToHost : .hostToController
    moment.link = connections[number].link
    if isFromServer { tables.record.row.flags.insert(.received) }
    guard !connections[number].isClosed else { return }
    connections[number].take(
      tcp, payload, missing: missing, services, moment, &tables, &accessory, &streams)
    if connections[number].isWaiting, !waiting.contains(number) {
      waiting.append(number)
      if waiting.count > Self.mostWaiting {
        connections[waiting.removeFirst()].stopWaiting()
      }
    }
  }

  /// The connection of a segment, which begins a new one if necessary; nil for connections that are not read.
  private mutating func connection(
    _ tcp: IPPacket.TCP, _ ends: Ends, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ streams: inout StreamFollower
  ) -> Int? {
    let known = numbers[ends] ?? numbers[ends.reversed]
    let isNew = tcp.isSYN && !tcp.isACK
    if let known, !isNew || !connections[known].isOther(tcp) { return known }
    if let known {
      // The port is used again.
      connections[known].close(.reused, moment, &tables, &accessory, &streams)
      numbers[ends] = nil
      numbers[ends.reversed] = nil
    } else if !tcp.isSYN, tcp.isRST || tcp.isFIN {
      return nil
    }
    let isFromClient =
      tcp.isSYN ? isNew : isServer(ends.destination, rather: ends.source, tables)
    let (client, server) =
      isFromClient ? (ends.source, ends.destination) : (ends.destination, ends.source)
    guard isFollowed(client, server, tables) else { return nil }
    let opening = TCPConnection(
      Link.Network(client: client, server: server), isWhole: tcp.isSYN, services.find(server),
      moment, &tables)
    guard let opening else { return nil }
    connections.append(opening)
    numbers[Ends(source: client, destination: server)] = connections.count - 1
    return connections.count - 1
  }

  /// Which of two ends is the server if the beginning is not in the capture: one with a service, or the one with the
  /// lower port, because clients use high ports. RFC 6335, 6.
  private func isServer(
    _ one: NetworkEndpoint, rather other: NetworkEndpoint, _ tables: borrowing Tables
  ) -> Bool {
    let known = (isRead(one, tables), isRead(other, tables))
    return known.0 == known.1 ? one.port < other.port : known.0
  }

  /// Connections on the local network, and others only if a profile or layout reads them.
  private func isFollowed(
    _ client: NetworkEndpoint, _ server: NetworkEndpoint, _ tables: borrowing Tables
  ) -> Bool {
    client.address.isLocal && server.address.isLocal || isRead(server, tables)
  }

  private func isRead(_ server: NetworkEndpoint, _ tables: borrowing Tables) -> Bool {
    services.find(server) != nil || tables.framings.hasPlace(.tcpPort(server.port))
      || tables.catalog.entry(at: .tcpPort(server.port)) != nil
  }

  /// The capture ends.
  mutating func finish(
    _ moment: PacketContext, _ tables: inout Tables, _ accessory: inout AccessoryFollower,
    _ streams: inout StreamFollower
  ) {
    for index in connections.indices where !connections[index].isClosed {
      connections[index].flush(moment, &tables, &accessory, &streams)
    }
  }
}
