import HarkCore
import HarkCrypto
import HarkDissection

/// The Apple Accessory Protocol: what each side sends, and which of it is new.
struct AAPFollower {
  var states: [ChannelID: AAPState] = [:]
  var suspects: [LinkCID: AAPSuspect] = [:]

  mutating func take(
    _ bytes: RawSpan, on id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let message = AAPMessage(bytes, isCut: moment.isTruncated)
    guard message.isWhole else {
      // A message that the recorder truncated may have been whole.
      guard !moment.isTruncated, let lack = message.lack else { return }
      return report(
        .malformedMessage(
          .init(opcode: message.opcode?.rawValue, size: bytes.byteCount, lack: lack)),
        moment, severity: .warning, &tables)
    }
    if states[id]?.hostDirection == nil, let isFromHost = message.isFromHost {
      states[id, default: AAPState()].hostDirection =
        isFromHost ? moment.direction : moment.direction.opposite
    }
    switch message.content {
    case .connect(let version): return aapConnect(version, id, moment, &tables)
    case .connectResponse(let status, let version):
      return aapConnected(status, version, id, moment, &tables)
    case .disconnect(let status):
      return report(.disconnected(.init(status: status)), moment, &tables)
    case .customMessage(let client): return aapCustomMessage(client, id, moment)
    case .battery(let all): aapBatteries(all, id, moment, &tables)
    case .earDetection(let primary, let secondary):
      aapEars((primary, secondary), id, moment, &tables)
    case .controlCommand(let identifier, let value):
      aapControl(identifier, value, id, moment, &tables)
    case .connectionState(let host, let state, let type):
      aapConnectionState(host, state, type, id, moment, &tables)
    case .audioSource(let host, let type): aapAudioSource(host, type, id, moment, &tables)
    case .connectedDevices(let hosts): aapHosts(hosts, id, moment, &tables)
    case .proximityKeys(let keys): aapKeys(keys, bytes, moment, &tables)
    case .conversationalAwareness(let level): aapConversation(level, id, moment, &tables)
    case .deviceInformation(let information): aapInformation(information, bytes, moment, &tables)
    default: if let event = Self.aapEvent(message.content, bytes) { report(event, moment, &tables) }
    }
    aapCheckSource(id, moment, &tables)
  }

  private mutating func report(
    _ event: AAPEvent, _ moment: PacketContext, frames: Event.Frames? = nil,
    severity: Event.Severity = .info, _ tables: inout Tables
  ) {
    tables.emit(.accessoryProtocol(event), moment, frames: frames, severity: severity)
  }

  private func device(at moment: PacketContext, _ tables: borrowing Tables) -> DeviceID? {
    moment.link.flatMap { tables.links[$0].device }.map { tables.devices.current($0) }
  }

  // MARK: The connection

  private mutating func aapConnect(
    _ version: AAPMessage.Version, _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let isRepeated = states[id]?.connecting != nil
    states[id, default: AAPState()].hostDirection = moment.direction
    if isRepeated { return }
    states[id]?.connecting = AAPState.Asked(packet: moment.packet, time: moment.time)
    report(.connect(.init(major: version.major, minor: version.minor)), moment, &tables)
  }

  private mutating func aapConnected(
    _ status: UInt16, _ version: AAPMessage.Version, _ id: ChannelID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let asked = states[id]?.connecting
    states[id, default: AAPState()].hostDirection = moment.direction.opposite
    states[id]?.connecting = nil
    guard status == 0 else {
      return report(.connectFailed(.init(status: status)), moment, severity: .error, &tables)
    }
    report(
      .connected(
        .init(
          major: version.major, minor: version.minor,
          latency: asked.flatMap { tables.counts.elapsed(since: $0.time, in: $0.packet, moment) })),
      moment, &tables)
  }

  /// The channel or the capture has ended: what the session was waiting for never arrived.
  mutating func end(of id: ChannelID, _ moment: PacketContext, _ tables: inout Tables) {
    guard let state = states.removeValue(forKey: id) else { return }
    if let asked = state.connecting {
      report(
        .connectUnanswered(.init()), moment, frames: Event.Frames(asked.packet), severity: .warning,
        &tables)
    }
    if let stale = state.stale, !state.isStaleReported {
      report(
        .audioSourceNotCleared(.init(source: stale.host)), moment,
        frames: Event.Frames(stale.since.packet), severity: .warning, &tables)
    }
    for (client, frames) in state.customMessages.sorted(by: { $0.key < $1.key }) {
      report(
        .customMessages(.init(client: client, count: frames.count)), moment, frames: frames, &tables
      )
    }
  }

  // MARK: What the accessory reports

  private mutating func aapBatteries(
    _ batteries: [AAPMessage.Battery], _ id: ChannelID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let all = batteries.map {
      AAPEvent.Battery(component: $0.component, level: $0.level, status: $0.status)
    }
    let changed = all.filter { states[id]?.batteries[$0.component] != $0 }
    for battery in changed {
      states[id, default: AAPState()].batteries[battery.component] = battery
    }
    if !changed.isEmpty { report(.battery(.init(batteries: changed)), moment, &tables) }
  }

  private mutating func aapEars(
    _ ears: (primary: UInt8, secondary: UInt8), _ id: ChannelID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    if let known = states[id]?.ears, known == ears { return }
    states[id, default: AAPState()].ears = ears
    aapConfigured(.ears(primary: ears.primary, secondary: ears.secondary), id, moment, &tables)
  }

  private mutating func aapAudioSource(
    _ host: BluetoothAddress, _ type: UInt8, _ id: ChannelID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    if let known = states[id]?.source, known == (host, type) { return }
    states[id, default: AAPState()].source = (host, type)
    aapConfigured(.audioSource(host, type: type), id, moment, &tables)
  }

  private mutating func aapConnectionState(
    _ host: BluetoothAddress, _ connection: UInt8, _ type: UInt8, _ id: ChannelID,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    let before = states[id]?.named ?? [:]
    var named = before.filter { $0.value != host }
    if connection == AAPMessage.connected, named.count < AAPState.most { named[type] = host }
    guard named != before else { return }
    states[id, default: AAPState()].named = named
    aapConfigured(.connection(host, state: connection, type: type), id, moment, &tables)
  }

  private mutating func aapHosts(
    _ all: [AAPMessage.Host], _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let hosts = all.prefix(AAPState.most).map {
      AAPEvent.Host(address: $0.address, link: $0.link)
    }
    guard hosts != states[id]?.hosts ?? [] else { return }
    states[id, default: AAPState()].hosts = hosts
    aapConfigured(.hosts(hosts), id, moment, &tables)
  }

  private mutating func aapConfigured(
    _ cause: AAPEvent.Cause, _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let configuration = (states[id] ?? AAPState()).configured()
    let isFirst = states[id]?.configuration == nil
    states[id, default: AAPState()].configuration = configuration
    report(
      .accessoryControl(
        .init(
          control: isFirst ? .register(configuration) : .update(configuration), cause: cause)),
      moment, &tables)
  }

  /// An audio source that is not connected must be cleared soon.
  private mutating func aapCheckSource(
    _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard var state = states[id] else { return }
    guard let host = state.staleSource else {
      guard state.stale != nil else { return }
      (state.stale, state.isStaleReported) = (nil, false)
      states[id] = state
      return
    }
    let now = AAPState.Asked(packet: moment.packet, time: moment.time)
    if state.stale?.host != host { (state.stale, state.isStaleReported) = ((host, now), false) }
    let waited = state.stale.map {
      tables.counts.elapsed(since: $0.since.time, in: $0.since.packet, moment)
    }
    // The clock was set: the wait starts anew.
    if case .some(nil) = waited { state.stale?.since = now }
    if let stale = state.stale, !state.isStaleReported, let waited = waited ?? nil,
      waited >= AAPState.waitLimit
    {
      state.isStaleReported = true
      report(
        .audioSourceNotCleared(.init(source: host)), moment,
        frames: Event.Frames(stale.since.packet, moment.packet, count: 2), severity: .warning,
        &tables)
    }
    states[id] = state
  }

  private mutating func aapConversation(
    _ level: UInt8, _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard states[id]?.conversation != level else { return }
    states[id, default: AAPState()].conversation = level
    report(.conversation(.init(level: level)), moment, &tables)
  }

  /// Sensors send dozens of messages per second: they are counted.
  private mutating func aapCustomMessage(_ client: UInt32, _ id: ChannelID, _ moment: PacketContext)
  {
    let known = states[id]?.customMessages[client]
    guard known != nil || states[id]?.customMessages.count ?? 0 < AAPState.most else { return }
    states[id, default: AAPState()].customMessages[client] = Event.Frames(
      known?.first ?? moment.packet, moment.packet, count: (known?.count ?? 0) + 1)
  }

  // MARK: Settings

  private mutating func aapControl(
    _ identifier: UInt8, _ setting: UInt8, _ id: ChannelID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    var known = states[id]?.settings[identifier] ?? AAPState.Setting()
    let step: AAPEvent.Setting.Step?
    if states[id]?.hostDirection == moment.direction {
      step = known.asked?.value == setting || known.reported == setting ? nil : .set
      known.asked = (setting, AAPState.Asked(packet: moment.packet, time: moment.time))
    } else if let asked = known.asked {
      known.asked = nil
      let isNews = known.reported != setting
      step =
        asked.value != setting
        ? .overruled(asked: asked.value)
        : isNews
          ? .confirmed(
            latency: tables.counts.elapsed(since: asked.at.time, in: asked.at.packet, moment)) : nil
      known.reported = setting
    } else {
      step = known.reported == setting ? nil : .reported(before: known.reported)
      known.reported = setting
    }
    states[id, default: AAPState()].settings[identifier] = known
    guard let step else { return }
    let isOverruled = if case .overruled = step { true } else { false }
    report(
      .setting(.init(identifier: identifier, value: setting, step: step)), moment,
      severity: isOverruled ? .warning : .info, &tables)
  }

  // MARK: Other messages

  /// The event of a message that changes no state; nil for the others.
  private static func aapEvent(_ content: AAPMessage.Content, _ bytes: RawSpan) -> AAPEvent? {
    switch content {
    case .requestNotifications(let mask):
      .notificationsRequested(.init(mask: Array(bytes.array(mask).prefix(8))))
    case .smartRouting(let routing):
      .smartRouting(
        .init(
          peer: routing.peer, isRelayed: routing.isRelayed,
          object: routing.object.isEmpty ? nil : OPACKValue(bytes.extracting(routing.object))))
    case .stemPress(let press, let bud): .stemPress(.init(press: press, bud: bud))
    case .rename(let name): .renamed(.init(name: bytes.utf8(name)))
    case .proximityKeysRequest(let keys): .keysRequested(.init(keys: keys))
    case .setFeatureFlags(let flags): .featuresRequested(.init(flags: flags))
    case .hostCapabilities(let mask):
      .hostCapabilities(.init(mask: Array(bytes.array(mask).prefix(8))))
    case .featureFlagsAcknowledged: .featuresAcknowledged(.init())
    case .headphoneAccommodation(let phone, let media):
      .accommodation(.init(phone: phone, media: media))
    case .customEqualizer(let size): .equalizer(.init(size: size))
    default: nil
    }
  }

  private mutating func aapInformation(
    _ information: AAPMessage.Information, _ bytes: RawSpan, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let name = bytes.utf8(information.name)
    // If the capture was made on the accessory, the device of the link is the host.
    if moment.isFromPeer, let device = device(at: moment, tables) {
      tables.devices.name(device, name)
    }
    report(
      .information(
        .init(
          name: name, model: bytes.utf8(information.model),
          firmware: bytes.utf8(information.firmware))), moment, &tables)
  }

  /// The keys of proximity advertising are sent unencrypted: anyone who reads them can find the accessory.
  private mutating func aapKeys(
    _ keys: [AAPMessage.Key], _ bytes: RawSpan, _ moment: PacketContext, _ tables: inout Tables
  ) {
    // Earlier packets, from before the protocol was known, were concealed when they were read.
    if !tables.record.isRereading { tables.concealPDU(moment) }
    let device = device(at: moment, tables)
    for key in keys {
      switch key.type {
      case .identityResolvingKey:
        // Least significant octet first, as in SMP.
        let irk = tables.captured(.identityResolvingKey, bytes.array(key.range), moment, device)
        if let irk, let device { tables.learn(irk, of: .device(device), moment) }
      // Most significant octet first, as AES expects it.
      case .encryptionKey:
        tables.captured(.proximityPairingKey, bytes.array(key.range).reversed(), moment, device)
      case nil: break
      }
    }
  }
}
