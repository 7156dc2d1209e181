import HarkCore
import HarkCrypto

/// The vendor channels of a capture's accessories, by the server they belong to.
struct Accessories {
  struct Key: Hashable {
    let owner: Session.DatabaseKey
    let framing: String
  }

  var channels: [Key: AccessoryChannel] = [:]
  /// Whether messages that stay locked are kept for keys that come later.
  var keepsLocked = false
  /// The keys whose channel was used on a live link; under nil those that were used without one.
  private var used: [LinkID?: Set<Key>] = [:]

  /// Whether the value received last continues with a message that an earlier one began.
  private(set) var continuesMessage = false

  /// What was read of the messages that the value received last completes, if that was asked for.
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
    let events = channels[key, default: AccessoryChannel(framing)].receive(value, keys: &keys)
    continuesMessage = channels[key]?.continuesMessage ?? false
    if value.keepsMessage || value.treePackets != nil {
      messageValues = channels[key]?.messageValues ?? []
    }
    return events
  }

  /// Gives what ends with the link, by whose it is.
  mutating func linkClosed(
    _ link: LinkID?, _ reason: Interruption, keys: inout KeyRing
  ) -> [(owner: Session.DatabaseKey, events: [AccessoryEvent])] {
    let number = link.map { UInt32($0.index) } ?? VendorValue.noLink
    return (used.removeValue(forKey: link) ?? []).sorted { $0.framing < $1.framing }.map { key in
      (key.owner, channels[key]?.linkClosed(reason, link: number, keys: &keys) ?? [])
    }
  }

  /// What belonged to `gone` belongs to `kept`, of whose own channels the key exchanges stay.
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

  /// The device that uses the framing, if no other does.
  func onlyDevice(using framing: String) -> DeviceID? {
    let devices = channels.keys.compactMap { key -> DeviceID? in
      if key.framing == framing, case .device(let device) = key.owner { device } else { nil }
    }
    return devices.count == 1 ? devices[0] : nil
  }

  /// The links on which a channel was used and that are still open; nil (no link) is last.
  var openLinks: [LinkID?] {
    used.keys.sorted { ($0?.index ?? .max) < ($1?.index ?? .max) }
  }
}

/// Follows the messages of accessories: what vendors' characteristics, streams and advertising carry.
struct AccessoryFollower {
  var accessories = Accessories()
  /// By controller.
  var audioSources: [UInt16: AudioSources] = [:]
  var advertisements = VendorAdvertisements()
  /// The last reported batteries from advertising, by the key that decrypted them.
  var proximityTold: [Fingerprint: [ProximityPlaintext.Battery]] = [:]
  /// The addresses of which it was reported that no key opens their proximity pairing advertising.
  var lockedAdvertisers: Set<BluetoothAddress> = []

  /// A value of a vendor's characteristic; `frames` where it took several packets by itself.
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

  /// Data of a channel that is not a characteristic, which came in `parts`: in the packet that is
  /// being read alone where that is empty.
  mutating func vendorData(
    _ bytes: RawSpan, _ channel: VendorChannel, toServer: Bool, packets parts: [UInt32],
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let link = moment.link, let framing = tables.framings.using(channel) else { return }
    if framing.carriesKeys(channel) { tables.concealPDU(moment) }
    let client = toServer ? moment.direction : moment.direction.opposite
    receive(
      bytes.array, channel, .data, toServer: toServer,
      of: tables.database(link, clientDirection: client),
      parts.isEmpty ? tables.framesOfPDU(moment) : parts.map { PacketID($0) },
      missingBytes: moment.cut,
      link, moment, &tables)
  }

  /// A write that the server refused: false if no framing has a word for it.
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

  /// Gives a value that came in `frames` to the framing of its channel, and shows what it completes.
  /// - Returns: Whether that is anything.
  @discardableResult
  mutating func receive(
    _ bytes: [UInt8], _ channel: VendorChannel, _ operation: VendorValue.Operation,
    toServer: Bool, of owner: Session.DatabaseKey, _ frames: [PacketID], missingBytes: Int,
    _ link: LinkID?, _ moment: PacketContext, _ tables: inout Tables
  ) -> Bool {
    let isAttribute = if case .characteristic = channel { true } else { false }
    var value = VendorValue(
      frames: frames, time: moment.time, channel: channel, toServer: toServer,
      operation: operation, bytes: bytes, missingBytes: missingBytes,
      mtu: isAttribute ? link.map { Int(tables.links[$0].mtu) } : nil,
      link: link.map { UInt32($0.index) } ?? VendorValue.noLink)
    value.isLinkWhole = link.map { tables.links[$0].certainty == .seen } ?? false
    value.transport = link.map { tables.links[$0].transport }.flatMap { $0 == .unknown ? nil : $0 }
    value.isServerLocal = if case .local = owner { true } else { false }
    value.keepsMessage = tables.wanted.messages
    value.treePackets = tables.wanted.trees
    let known = tables.devices.identifiers.isEmpty ? [] : tables.identifiers(of: owner)
    mergeDevices(&tables)
    let events = accessories.receive(
      value, owner, link, by: tables.framings, keys: &tables.keys, identifiers: known)
    emit(events, of: owner, moment, &tables)
    checkAudioSources(moment, &tables)
    tables.record.messages += accessories.messageValues
    if accessories.continuesMessage { tables.record.row.flags.insert(.continuesMessage) }
    return !events.isEmpty
  }

  /// What the devices' channels know goes together as the devices do.
  private mutating func mergeDevices(_ tables: inout Tables) {
    for it in tables.devices.mergers {
      accessories.merge(.device(it.gone), into: .device(it.kept), it.links, by: tables.framings)
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

  /// At the end of the capture, what was still being put together is reported.
  mutating func finish(_ moment: PacketContext, _ tables: inout Tables) {
    mergeDevices(&tables)
    for link in accessories.openLinks {
      var moment = moment
      moment.link = link
      for (owner, events) in accessories.linkClosed(link, .captureEnded, keys: &tables.keys) {
        emit(events, of: owner, moment, &tables)
      }
    }
    for controller in audioSources.keys.sorted() {
      var moment = moment
      moment.controller = controller
      checkAudioSources(moment, &tables)
    }
  }

  mutating func emit(
    _ events: [AccessoryEvent], of owner: Session.DatabaseKey, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    // The link identifies the owner of what passes on it.
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

extension AccessoryEvent {
  /// How much a row of the timeline should stand out.
  var severity: Event.Severity {
    switch content {
    case .message(let message):
      // Data that opens only with an unusual derivation is the bug people look for.
      message.opened.map {
        $0.keyUse.deviations.isEmpty && !$0.decoded.contents.contains(where: \.isOdd)
          ? .info : .warning
      } ?? .error
    case .exposedKey, .incomplete, .unreadable, .observation: .warning
    case .plain(let message):
      message.contents.contains(where: \.isOdd) ? .warning : .info
    case .flowControl(.unconfirmed): .warning
    default: .info
    }
  }
}
