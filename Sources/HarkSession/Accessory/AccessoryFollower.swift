import HarkCore
import HarkCrypto

/// The vendor channels of a capture's accessories, by their server.
struct Accessories {
  struct Key: Hashable {
    let owner: Session.DatabaseKey
    let framing: String
  }

  var channels: [Key: AccessoryChannel] = [:]
  /// Whether messages that stay locked are kept for keys that arrive later.
  var keepsLocked = false
  /// The keys whose channel was used on an open link; under nil, those that were used without a link.
  private var used: [LinkID?: Set<Key>] = [:]

  /// Whether the last value continues a message that began in an earlier one.
  private(set) var continuesMessage = false

  /// The content of the messages that the last value completes, if requested.
  private(set) var messageValues: [MessageValues] = []

  mutating func receive(
    _ value: VendorValue, _ owner: Session.DatabaseKey, _ link: LinkID?,
    by framings: VendorFramings,
    keys: inout KeyRing, identifiers: [String]
  ) -> [AccessoryEvent] {
    if !messageValues.isEmpty { messageValues = [] }
    guard let framing = framings.using(value.channel) else { return [] }
    let key = Key(owner: owner, framing: framing.name)
    used[link, default: []].insert(key)
    if channels[key] == nil {
      var channel = AccessoryChannel(framing)
      channel.keepsLocked = keepsLocked
      for identifier in identifiers { channel.note(identifier: identifier) }
      channels[key] = channel
    }
    var events = channels[key, default: AccessoryChannel(framing)].receive(value, keys: &keys)
    if channels.count > 1 { compare(&events, key, &keys) }
    continuesMessage = channels[key]?.continuesMessage ?? false
    if value.keepsMessage || value.treePackets != nil {
      messageValues = channels[key]?.messageValues ?? []
    }
    return events
  }

  /// Returns what ends with the link, by owner.
  mutating func linkClosed(
    _ link: LinkID?, _ reason: Interruption, keys: inout KeyRing
  ) -> [(owner: Session.DatabaseKey, events: [AccessoryEvent])] {
    let number = link.map { UInt32($0.index) } ?? VendorValue.noLink
    return (used.removeValue(forKey: link) ?? []).sorted { $0.framing < $1.framing }.map { key in
      (key.owner, channels[key]?.linkClosed(reason, link: number, keys: &keys) ?? [])
    }
  }

  /// Returns what ends with a stream of the link, by owner.
  mutating func interrupt(
    _ stream: StreamID, toServer: Bool?, _ reason: Interruption, _ link: LinkID,
    keys: inout KeyRing
  ) -> [(owner: Session.DatabaseKey, events: [AccessoryEvent])] {
    (used[link] ?? []).sorted { $0.framing < $1.framing }.map { key in
      let events = channels[key]?.interrupt(
        stream, toServer: toServer, reason, link: UInt32(link.index), keys: &keys)
      return (key.owner, events ?? [])
    }
  }

  /// Moves everything that belongs to `gone` to `kept`. Of the channels of `kept`, the key exchanges stay.
  mutating func merge(
    _ gone: Session.DatabaseKey, into kept: Session.DatabaseKey, _ links: [LinkID],
    by framings: VendorFramings
  ) {
    for framing in framings.all {
      let (old, new) = (
        Key(owner: gone, framing: framing.name), Key(owner: kept, framing: framing.name)
      )
      guard let channel = channels.removeValue(forKey: old) else { continue }
      if channels[new] == nil { channels[new] = channel }
      for link in links.map(Optional.some) + [nil] where used[link]?.remove(old) != nil {
        used[link]?.insert(new)
      }
    }
  }

  /// Two clients turned out to be one.
  mutating func mergeClients(_ gone: VendorClient, into kept: VendorClient) {
    for key in channels.keys { channels[key]?.mergeClients(gone, into: kept) }
  }

  /// The servers that use the framing.
  func servers(using framing: String) -> [Session.DatabaseKey] {
    channels.keys.filter { $0.framing == framing }.map(\.owner)
  }

  /// The open links on which a channel was used; nil (no link) is last.
  var openLinks: [LinkID?] {
    used.keys.sorted { ($0?.index ?? .max) < ($1?.index ?? .max) }
  }
}

/// Follows the messages of accessories, in vendors' characteristics, streams and advertising.
struct AccessoryFollower {
  var accessories = Accessories()
  /// By the link over which the accessory names them: each phone has its own.
  var audioSources: [LinkID: AudioSources] = [:]
  /// All that accessories reported.
  var reportedSources: Set<BluetoothAddress> = []
  var advertisements = VendorAdvertisements()
  var appleAdvertisers = AppleAdvertisers()
  /// The last reported batteries from advertising, by the key that decrypted them.
  var proximityReported: [Fingerprint: [ProximityPlaintext.Battery]] = [:]
  /// The addresses for which it was reported that no key decrypts their proximity pairing advertising.
  var lockedAdvertisers: Set<BluetoothAddress> = []
  /// The first client of each server over the local network.
  private var firstHosts: [Server: IPAddress] = [:]

  /// A phone may use both kinds of addresses.
  private struct Server: Hashable {
    var owner: Session.DatabaseKey
    let isVersion4: Bool
  }

  private static let mostServers = 1_024

  /// A value of a vendor's characteristic; `frames` if it spans several packets.
  mutating func take(
    _ uuid: BluetoothUUID, _ operation: VendorValue.Operation, _ value: RawSpan,
    toServer: Bool, _ key: Session.DatabaseKey, _ frames: [PacketID], _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard let link = moment.link else { return }
    receive(
      value.array, .characteristic(uuid), operation, toServer: toServer, of: key,
      frames.isEmpty ? tables.framesOfPDU(moment) : frames, missingBytes: moment.cut, link, moment,
      &tables)
  }

  /// Data of a channel that is not a characteristic, from the packets `parts`; from the packet that is being read if
  /// that is empty.
  /// - Parameter stream: The stream of the data; nil for a fixed L2CAP channel.
  mutating func vendorData(
    _ bytes: RawSpan, _ channel: VendorChannel, of stream: StreamID?, toServer: Bool,
    packets parts: [UInt32], _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let link = moment.link, let framing = tables.framings.using(channel) else { return }
    if framing.carriesKeys(channel) { tables.concealPDU(moment) }
    let client = toServer ? moment.direction : moment.direction.opposite
    receive(
      bytes.array, channel, .data, toServer: toServer,
      of: tables.database(link, clientDirection: client),
      parts.isEmpty ? tables.framesOfPDU(moment) : parts.map { PacketID($0) },
      missingBytes: moment.cut, link, moment, &tables, stream: stream)
  }

  /// A write that the server refused; false if no framing reports it.
  mutating func refused(
    _ request: ATTState.Request, error: UInt8, _ uuid: BluetoothUUID, _ key: Session.DatabaseKey,
    _ moment: PacketContext, _ tables: inout Tables
  ) -> Bool {
    guard let link = moment.link, let write = request.write,
      tables.framings.using(characteristic: uuid) != nil
    else { return false }
    return receive(
      write.bytes, .characteristic(uuid), .refused(error), toServer: true, of: key,
      write.frames + [moment.packet], missingBytes: request.moment.cut, link, moment, &tables)
  }

  /// Passes a value from `frames` to the framing of its channel, and processes what it completes.
  /// - Returns: Whether it completes anything.
  @discardableResult
  mutating func receive(
    _ bytes: [UInt8], _ channel: VendorChannel, _ operation: VendorValue.Operation,
    toServer: Bool, of owner: Session.DatabaseKey, _ frames: [PacketID], missingBytes: Int,
    _ link: LinkID?, _ moment: PacketContext, _ tables: inout Tables, stream: StreamID? = nil
  ) -> Bool {
    let isAttribute = if case .characteristic = channel { true } else { false }
    var value = VendorValue(
      frames: frames, time: moment.time, channel: channel, toServer: toServer,
      operation: operation, bytes: bytes, missingBytes: missingBytes,
      mtu: isAttribute ? link.map { Int(tables.links[$0].mtu) } : nil,
      link: link.map { UInt32($0.index) } ?? VendorValue.noLink, stream: stream)
    value.isLinkWhole = link.map { tables.links[$0].certainty == .seen } ?? false
    value.transport = link.map { tables.links[$0].transport }.flatMap { $0 == .unknown ? nil : $0 }
    value.isServerLocal = if case .local = owner { true } else { false }
    value.client = link.flatMap { client(of: owner, on: $0, tables) }
    if case .device(let phone) = value.client { value.peer = phone }
    value.clockStep = tables.counts.clock.lastStep
    value.keepsMessage = tables.wanted.messages
    value.treePackets = tables.wanted.trees
    let known = tables.devices.identifiers.isEmpty ? [] : tables.identifiers(of: owner)
    mergeDevices(&tables)
    let events = accessories.receive(
      value, owner, link, by: tables.framings, keys: &tables.keys, identifiers: known)
    emit(events, of: owner, moment, &tables)
    checkAudioSources(moment, &tables)
    tables.record.messages += accessories.messageValues
    if accessories.continuesMessage, !tables.record.isRereading {
      tables.record.row.flags.insert(.continuesMessage)
    }
    return !events.isEmpty
  }

  /// The client of a server that may have several. Of a peer's server, which this host uses over Bluetooth, the first
  /// host that uses it over the local network is taken for this one.
  private mutating func client(
    of owner: Session.DatabaseKey, on link: LinkID, _ tables: borrowing Tables
  ) -> VendorClient? {
    guard let host = tables.links[link].network?.client.address else {
      return tables.client(of: owner, on: link)
    }
    if case .local = owner { return .host(host) }
    let server = Server(owner: owner, isVersion4: host.isVersion4)
    if let first = firstHosts[server] { return first == host ? nil : .host(host) }
    if firstHosts.count < Self.mostServers { firstHosts[server] = host }
    return nil
  }

  /// When devices are merged, the knowledge of their channels is merged, too.
  private mutating func mergeDevices(_ tables: inout Tables) {
    for it in tables.devices.mergers {
      accessories.merge(.device(it.gone), into: .device(it.kept), it.links, by: tables.framings)
      accessories.mergeClients(.device(it.gone.index), into: .device(it.kept.index))
      for (server, host) in firstHosts where server.owner == .device(it.gone) {
        firstHosts[server] = nil
        let kept = Server(owner: .device(it.kept), isVersion4: server.isVersion4)
        firstHosts[kept] = firstHosts[kept] ?? host
      }
    }
    if !tables.devices.mergers.isEmpty { tables.devices.mergers.removeAll() }
  }

  mutating func end(_ link: LinkID, _ moment: PacketContext, _ tables: inout Tables) {
    mergeDevices(&tables)
    for (owner, events) in accessories.linkClosed(link, .linkClosed, keys: &tables.keys) {
      emit(events, of: owner, moment, &tables)
    }
    checkAudioSources(moment, &tables)
    audioSourceLost(link, moment, &tables)
  }

  /// A stream ended.
  mutating func end(_ stream: StreamID, _ moment: PacketContext, _ tables: inout Tables) {
    interrupt(stream, toServer: nil, .streamClosed, moment, &tables)
  }

  /// Reports the unfinished messages of a stream.
  /// - Parameter toServer: Their direction; nil for both.
  mutating func interrupt(
    _ stream: StreamID, toServer: Bool?, _ reason: Interruption, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard tables.framings.usesStreams else { return }
    var moment = moment
    let link = tables.streams[Int(stream.index)].link
    moment.link = link
    mergeDevices(&tables)
    for (owner, events) in accessories.interrupt(
      stream, toServer: toServer, reason, link, keys: &tables.keys)
    {
      emit(events, of: owner, moment, &tables)
    }
  }

  /// At the end of the capture, reports unfinished messages.
  mutating func finish(_ moment: PacketContext, _ tables: inout Tables) {
    mergeDevices(&tables)
    tables.hintAtUnclaimedKeys()
    for link in accessories.openLinks {
      var moment = moment
      moment.link = link
      for (owner, events) in accessories.linkClosed(link, .captureEnded, keys: &tables.keys) {
        emit(events, of: owner, moment, &tables)
      }
    }
    checkAudioSources(moment, &tables)
  }

  mutating func emit(
    _ events: [AccessoryEvent], of owner: Session.DatabaseKey, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    // The link identifies the owner of its data.
    let device: DeviceID? =
      if moment.link == nil, case .device(let device) = owner { device } else { nil }
    for var event in events {
      follow(&event, moment, &tables)
      tables.emit(
        .accessory(event), moment, frames: Event.Frames(event.frames, or: moment.packet),
        severity: event.severity, device: device)
    }
  }
}

extension Tables {
  /// The client of a server that may have several: of this host's, and on the air of both sides'.
  fileprivate func client(of owner: Session.DatabaseKey, on link: LinkID) -> VendorClient? {
    let it = links[link]
    let device: DeviceID?
    if case .local = owner {
      device = it.device
    } else if let air = it.air {
      let isCentral = owner == database(link, clientDirection: .controllerToHost)
      device = isCentral ? it.device : air.centralDevice
    } else {
      return nil
    }
    guard let device else { return .link(UInt32(link.index)) }
    return .device(devices.current(device).index)
  }
}

extension AccessoryEvent {
  /// How prominent a row of the timeline is.
  var severity: Event.Severity {
    switch content {
    case .message(let message):
      // Data that only an unusual derivation decrypts is the bug that people look for.
      message.opened.map {
        $0.keyUse.deviations.isEmpty && $0.decoded.problem == nil
          && !$0.decoded.contents.contains(where: \.isOdd) ? .info : .warning
      } ?? .error
    case .incomplete(.repeated), .incomplete(.rest), .incomplete(.begunAgain): .info
    case .exposedKey, .incomplete, .unreadable, .observation: .warning
    case .plain(let message):
      message.contents.contains(where: \.isOdd) ? .warning : .info
    case .flowControl(.unconfirmed): .warning
    default: .info
    }
  }
}
