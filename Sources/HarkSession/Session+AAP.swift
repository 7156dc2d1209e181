import HarkCore
import HarkCrypto
import HarkDissection

// The Apple Accessory Protocol: what each side says, and what of it is new.
extension Session {
  mutating func aap(_ bytes: RawSpan, on id: ChannelID, _ moment: PacketContext) {
    let message = AAPMessage(bytes, isCut: moment.isTruncated)
    guard message.isWhole else { return }
    if aapStates[id]?.hostDirection == nil, let isFromHost = message.isFromHost {
      aapStates[id, default: AAPState()].hostDirection =
        isFromHost ? moment.direction : moment.direction.opposite
    }
    switch message.content {
    case .connect(let version): return aapConnect(version, id, moment)
    case .connectResponse(let status, let version):
      return aapConnected(status, version, id, moment)
    case .disconnect(let status): return tell(.disconnected(.init(status: status)), moment)
    case .customMessage(let client): return aapCustomMessage(client, id, moment)
    case .battery(let all): aapBatteries(all, id, moment)
    case .earDetection(let primary, let secondary): aapEars((primary, secondary), id, moment)
    case .controlCommand(let identifier, let value): aapControl(identifier, value, id, moment)
    case .connectionState(let host, let state, let type):
      aapConnectionState(host, state, type, id, moment)
    case .audioSource(let host, let type): aapAudioSource(host, type, id, moment)
    case .connectedDevices(let hosts): aapHosts(hosts, id, moment)
    case .proximityKeys(let keys): aapKeys(keys, bytes, moment)
    case .conversationalAwareness(let level): aapConversation(level, id, moment)
    case .deviceInformation(let information): aapInformation(information, bytes, moment)
    default: if let event = Self.aapEvent(message.content, bytes) { tell(event, moment) }
    }
    aapCheckSource(id, moment)
  }

  private mutating func tell(
    _ event: AAPEvent, _ moment: PacketContext, frames: Event.Frames? = nil,
    severity: Event.Severity = .info
  ) {
    emit(.accessoryProtocol(event), moment, frames: frames, severity: severity)
  }

  private func device(at moment: PacketContext) -> DeviceID? {
    moment.link.flatMap { linkTable[$0].device }.map { deviceTable.current($0) }
  }

  // MARK: The connection

  private mutating func aapConnect(
    _ version: AAPMessage.Version, _ id: ChannelID, _ moment: PacketContext
  ) {
    let isRepeated = aapStates[id]?.connecting != nil
    aapStates[id, default: AAPState()].hostDirection = moment.direction
    if isRepeated { return }
    aapStates[id]?.connecting = AAPState.Asked(packet: moment.packet, time: moment.time)
    tell(.connect(.init(major: version.major, minor: version.minor)), moment)
  }

  private mutating func aapConnected(
    _ status: UInt16, _ version: AAPMessage.Version, _ id: ChannelID, _ moment: PacketContext
  ) {
    let asked = aapStates[id]?.connecting
    aapStates[id, default: AAPState()].hostDirection = moment.direction.opposite
    aapStates[id]?.connecting = nil
    guard status == 0 else {
      return tell(.connectFailed(.init(status: status)), moment, severity: .error)
    }
    tell(
      .connected(
        .init(
          major: version.major, minor: version.minor,
          latency: asked.map { moment.time.since($0.time) })),
      moment)
  }

  /// The channel is no more, or the capture is not: what was waited for never came.
  mutating func endAAP(of id: ChannelID, _ moment: PacketContext) {
    guard let state = aapStates.removeValue(forKey: id) else { return }
    if let asked = state.connecting {
      tell(
        .connectUnanswered(.init()), moment, frames: Event.Frames(asked.packet), severity: .warning)
    }
    if let stale = state.stale, !state.isStaleTold {
      tell(
        .audioSourceNotCleared(.init(source: stale.host)), moment,
        frames: Event.Frames(stale.since.packet), severity: .warning)
    }
    for (client, frames) in state.customMessages.sorted(by: { $0.key < $1.key }) {
      tell(
        .customMessages(.init(client: client, count: frames.count)), moment, frames: frames)
    }
  }

  // MARK: What the accessory reports

  private mutating func aapBatteries(
    _ batteries: [AAPMessage.Battery], _ id: ChannelID, _ moment: PacketContext
  ) {
    let all = batteries.map {
      AAPEvent.Battery(component: $0.component, level: $0.level, status: $0.status)
    }
    let changed = all.filter { aapStates[id]?.batteries[$0.component] != $0 }
    for battery in changed {
      aapStates[id, default: AAPState()].batteries[battery.component] = battery
    }
    if !changed.isEmpty { tell(.battery(.init(batteries: changed)), moment) }
  }

  private mutating func aapEars(
    _ ears: (primary: UInt8, secondary: UInt8), _ id: ChannelID, _ moment: PacketContext
  ) {
    if let known = aapStates[id]?.ears, known == ears { return }
    aapStates[id, default: AAPState()].ears = ears
    aapConfigured(.ears(primary: ears.primary, secondary: ears.secondary), id, moment)
  }

  private mutating func aapAudioSource(
    _ host: BluetoothAddress, _ type: UInt8, _ id: ChannelID, _ moment: PacketContext
  ) {
    if let known = aapStates[id]?.source, known == (host, type) { return }
    aapStates[id, default: AAPState()].source = (host, type)
    aapConfigured(.audioSource(host, type: type), id, moment)
  }

  private mutating func aapConnectionState(
    _ host: BluetoothAddress, _ connection: UInt8, _ type: UInt8, _ id: ChannelID,
    _ moment: PacketContext
  ) {
    let before = aapStates[id]?.named ?? [:]
    var named = before.filter { $0.value != host }
    if connection == AAPMessage.connected, named.count < AAPState.most { named[type] = host }
    guard named != before else { return }
    aapStates[id, default: AAPState()].named = named
    aapConfigured(.connection(host, state: connection, type: type), id, moment)
  }

  private mutating func aapHosts(
    _ all: [AAPMessage.Host], _ id: ChannelID, _ moment: PacketContext
  ) {
    let hosts = all.prefix(AAPState.most).map {
      AAPEvent.Host(address: $0.address, link: $0.link)
    }
    guard hosts != aapStates[id]?.hosts ?? [] else { return }
    aapStates[id, default: AAPState()].hosts = hosts
    aapConfigured(.hosts(hosts), id, moment)
  }

  private mutating func aapConfigured(
    _ cause: AAPEvent.Cause, _ id: ChannelID, _ moment: PacketContext
  ) {
    let configuration = (aapStates[id] ?? AAPState()).configured()
    let isFirst = aapStates[id]?.configuration == nil
    aapStates[id, default: AAPState()].configuration = configuration
    tell(
      .accessoryControl(
        .init(
          control: isFirst ? .register(configuration) : .update(configuration), cause: cause)),
      moment)
  }

  /// An audio source that is not connected must be cleared soon.
  private mutating func aapCheckSource(_ id: ChannelID, _ moment: PacketContext) {
    guard var state = aapStates[id] else { return }
    guard let host = state.staleSource else {
      guard state.stale != nil else { return }
      (state.stale, state.isStaleTold) = (nil, false)
      aapStates[id] = state
      return
    }
    let now = AAPState.Asked(packet: moment.packet, time: moment.time)
    if state.stale?.host != host { (state.stale, state.isStaleTold) = ((host, now), false) }
    if let stale = state.stale, !state.isStaleTold,
      moment.time.since(stale.since.time) >= AAPState.patience
    {
      state.isStaleTold = true
      tell(
        .audioSourceNotCleared(.init(source: host)), moment,
        frames: Event.Frames(stale.since.packet, moment.packet, count: 2), severity: .warning)
    }
    aapStates[id] = state
  }

  private mutating func aapConversation(_ level: UInt8, _ id: ChannelID, _ moment: PacketContext) {
    guard aapStates[id]?.conversation != level else { return }
    aapStates[id, default: AAPState()].conversation = level
    tell(.conversation(.init(level: level)), moment)
  }

  /// Sensors send dozens in a second: they are counted.
  private mutating func aapCustomMessage(_ client: UInt32, _ id: ChannelID, _ moment: PacketContext)
  {
    let known = aapStates[id]?.customMessages[client]
    guard known != nil || aapStates[id]?.customMessages.count ?? 0 < AAPState.most else { return }
    aapStates[id, default: AAPState()].customMessages[client] = Event.Frames(
      known?.first ?? moment.packet, moment.packet, count: (known?.count ?? 0) + 1)
  }

  // MARK: Settings

  private mutating func aapControl(
    _ identifier: UInt8, _ setting: UInt8, _ id: ChannelID, _ moment: PacketContext
  ) {
    var known = aapStates[id]?.settings[identifier] ?? AAPState.Setting()
    let step: AAPEvent.Setting.Step?
    if aapStates[id]?.hostDirection == moment.direction {
      step = known.asked?.value == setting || known.reported == setting ? nil : .set
      known.asked = (setting, AAPState.Asked(packet: moment.packet, time: moment.time))
    } else if let asked = known.asked {
      known.asked = nil
      let isNews = known.reported != setting
      step =
        asked.value != setting
        ? .overruled(asked: asked.value)
        : isNews ? .confirmed(latency: moment.time.since(asked.at.time)) : nil
      known.reported = setting
    } else {
      step = known.reported == setting ? nil : .reported(before: known.reported)
      known.reported = setting
    }
    aapStates[id, default: AAPState()].settings[identifier] = known
    guard let step else { return }
    let isOverruled = if case .overruled = step { true } else { false }
    tell(
      .setting(.init(identifier: identifier, value: setting, step: step)), moment,
      severity: isOverruled ? .warning : .info)
  }

  // MARK: Other messages

  /// What a message that changes no state tells; nil where it is nothing.
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
    _ information: AAPMessage.Information, _ bytes: RawSpan, _ moment: PacketContext
  ) {
    let name = bytes.utf8(information.name)
    // Where the capture was made on the accessory, the device of the link is the host.
    if moment.direction == .controllerToHost, let device = device(at: moment) {
      deviceTable.name(device, name)
    }
    tell(
      .information(
        .init(
          name: name, model: bytes.utf8(information.model),
          firmware: bytes.utf8(information.firmware))), moment)
  }

  /// The keys of proximity advertising travel as they are: whoever reads them finds the accessory.
  private mutating func aapKeys(
    _ keys: [AAPMessage.Key], _ bytes: RawSpan, _ moment: PacketContext
  ) {
    // Those that came before the protocol was known were concealed as they came.
    if !isRetelling { concealPDU(moment) }
    let device = device(at: moment)
    for key in keys {
      switch key.type {
      case .identityResolvingKey:
        // Least significant octet first, as SMP has it.
        let irk = captured(.identityResolvingKey, bytes.array(key.range), moment, device)
        if let irk, let device { learn(irk, of: .device(device), moment) }
      // Most significant octet first, as AES takes it.
      case .encryptionKey:
        captured(.proximityPairingKey, bytes.array(key.range).reversed(), moment, device)
      case nil: break
      }
    }
  }
}
