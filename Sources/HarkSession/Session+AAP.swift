import HarkCore
import HarkCrypto
import HarkDissection

// The Apple Accessory Protocol: what each side says, and what of it is new.
extension Session {
  mutating func aap(_ bytes: RawSpan, on id: ChannelID, _ moment: Moment) {
    guard let entry = channels[Int(id.index)].entry, bytes.byteCount >= 6 else { return }
    let facts = catalog.summarize(bytes, entry, context(moment))
    guard !facts.isMalformed else { return }
    guard bytes.unsigned(at: 0, 2) == 4 else { return aapHandshake(bytes, id, entry, moment) }
    let opcode = facts.code
    if aapStates[id]?.hostDirection == nil {
      aapStates[id, default: AAPState()].hostDirection =
        AAPState.hostDirection(opcode, sent: moment.direction)
    }
    if opcode == 0x17 { return aapCustomMessage(bytes, id, moment) }
    isRecordInTree = false
    catalog.describe(bytes, entry, context(moment), into: &tree)
    switch opcode {
    case 0x04: aapBatteries(id, moment)
    case 0x06: aapEars(id, moment)
    case 0x09: aapControl(id, moment)
    case 0x0C, 0x0E, 0x2E: aapHosts(opcode, id, moment)
    case 0x31: aapKeys(bytes, moment)
    case 0x4B: aapConversation(id, moment)
    default: aapMessage(opcode, bytes, moment)
    }
    aapCheckSource(id, moment)
  }

  private mutating func tell(
    _ event: AAPEvent, _ moment: Moment, frames: Event.Frames? = nil,
    severity: Event.Severity = .info
  ) {
    emit(.accessoryProtocol(event), moment, frames: frames, severity: severity)
  }

  private func octet(_ field: Field) -> UInt8 { UInt8(truncatingIfNeeded: value(field) ?? 0) }

  private func host(_ field: Field) -> BluetoothAddress { BluetoothAddress(value(field) ?? 0) }

  private func device(at moment: Moment) -> DeviceID? {
    moment.link.flatMap { linkTable[$0].device }.map { deviceTable.current($0) }
  }

  // MARK: The connection

  private mutating func aapHandshake(
    _ bytes: RawSpan, _ id: ChannelID, _ entry: Entry, _ moment: Moment
  ) {
    isRecordInTree = false
    catalog.describe(bytes, entry, context(moment), into: &tree)
    let (major, minor) = (
      UInt16(truncatingIfNeeded: value(Paths.AAP.major) ?? 0),
      UInt16(truncatingIfNeeded: value(Paths.AAP.minor) ?? 0)
    )
    let status = UInt16(truncatingIfNeeded: value(Paths.AAP.status) ?? 0)
    switch bytes.byte(at: 0) {
    case 0:
      let isRepeated = aapStates[id]?.connecting != nil
      aapStates[id, default: AAPState()].hostDirection = moment.direction
      if isRepeated { return }
      aapStates[id]?.connecting = AAPState.Asked(packet: moment.packet, time: moment.time)
      tell(.connect(.init(major: major, minor: minor)), moment)
    case 1:
      let asked = aapStates[id]?.connecting
      aapStates[id, default: AAPState()].hostDirection = moment.direction.opposite
      aapStates[id]?.connecting = nil
      if status == 0 {
        tell(
          .connected(
            .init(
              major: major, minor: minor, latency: asked.map { moment.time.since($0.time) })),
          moment)
      } else {
        tell(.connectFailed(.init(status: status)), moment, severity: .error)
      }
    case 2: tell(.disconnected(.init(status: status)), moment)
    default: break
    }
  }

  /// The channel is no more, or the capture is not: what was waited for never came.
  mutating func endAAP(of id: ChannelID, _ moment: Moment) {
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

  private mutating func aapBatteries(_ id: ChannelID, _ moment: Moment) {
    var all: [AAPEvent.Battery] = []
    var (component, level) = (UInt8(0), UInt8(0))
    for node in tree.nodes {
      let value = UInt8(truncatingIfNeeded: node.value)
      switch node.field {
      case Paths.AAP.component: component = value
      case Paths.AAP.level: level = value
      case Paths.AAP.charging:
        all.append(AAPEvent.Battery(component: component, level: level, status: value))
      default: break
      }
    }
    let changed = all.filter { aapStates[id]?.batteries[$0.component] != $0 }
    for battery in changed {
      aapStates[id, default: AAPState()].batteries[battery.component] = battery
    }
    if !changed.isEmpty { tell(.battery(.init(batteries: changed)), moment) }
  }

  private mutating func aapEars(_ id: ChannelID, _ moment: Moment) {
    let ears = (primary: octet(Paths.AAP.primary), secondary: octet(Paths.AAP.secondary))
    if let known = aapStates[id]?.ears, known == ears { return }
    aapStates[id, default: AAPState()].ears = ears
    aapConfigured(.ears(primary: ears.primary, secondary: ears.secondary), id, moment)
  }

  private mutating func aapHosts(_ opcode: UInt16, _ id: ChannelID, _ moment: Moment) {
    var state = aapStates[id] ?? AAPState()
    defer { aapStates[id] = state }
    let host = self.host(Paths.AAP.host)
    switch opcode {
    case 0x0E:
      let type = octet(Paths.AAP.source)
      if let known = state.source, known == (host, type) { return }
      state.source = (host, type)
      aapConfigured(.audioSource(host, type: type), &state, moment)
    case 0x0C:
      let (connection, type) = (
        octet(Paths.AAP.connectionState), octet(Paths.AAP.connectionType)
      )
      let before = state.named
      for (key, named) in before where named == host { state.named[key] = nil }
      if connection == 1, state.named.count < AAPState.most { state.named[type] = host }
      guard state.named != before else { return }
      aapConfigured(.connection(host, state: connection, type: type), &state, moment)
    default:
      let hosts = connectedHosts()
      guard hosts != state.hosts else { return }
      state.hosts = hosts
      aapConfigured(.hosts(hosts), &state, moment)
    }
  }

  private func connectedHosts() -> [AAPEvent.Host] {
    var hosts: [AAPEvent.Host] = []
    for node in tree.nodes {
      if node.field == Paths.AAP.displayed, hosts.count < AAPState.most {
        hosts.append(AAPEvent.Host(address: BluetoothAddress(node.value), link: 0))
      } else if node.field == Paths.AAP.linkState, let last = hosts.indices.last {
        hosts[last].link = UInt8(truncatingIfNeeded: node.value)
      }
    }
    return hosts
  }

  private mutating func aapConfigured(
    _ cause: AAPEvent.Cause, _ id: ChannelID, _ moment: Moment
  ) {
    var state = aapStates[id] ?? AAPState()
    aapConfigured(cause, &state, moment)
    aapStates[id] = state
  }

  private mutating func aapConfigured(
    _ cause: AAPEvent.Cause, _ state: inout AAPState, _ moment: Moment
  ) {
    let configuration = state.configured()
    let isFirst = state.configuration == nil
    state.configuration = configuration
    tell(
      .accessoryControl(
        .init(
          control: isFirst ? .register(configuration) : .update(configuration), cause: cause)),
      moment)
  }

  /// An audio source that is not connected must be cleared soon.
  private mutating func aapCheckSource(_ id: ChannelID, _ moment: Moment) {
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

  private mutating func aapConversation(_ id: ChannelID, _ moment: Moment) {
    let level = octet(Paths.AAP.volume)
    guard aapStates[id]?.conversation != level else { return }
    aapStates[id, default: AAPState()].conversation = level
    tell(.conversation(.init(level: level)), moment)
  }

  /// Sensors send dozens in a second: they are counted.
  private mutating func aapCustomMessage(_ bytes: RawSpan, _ id: ChannelID, _ moment: Moment) {
    let client = UInt32(truncatingIfNeeded: bytes.unsigned(at: 6, 4))
    let known = aapStates[id]?.customMessages[client]
    guard known != nil || aapStates[id]?.customMessages.count ?? 0 < AAPState.most else { return }
    aapStates[id, default: AAPState()].customMessages[client] = Event.Frames(
      known?.first ?? moment.packet, moment.packet, count: (known?.count ?? 0) + 1)
  }

  // MARK: Settings

  private mutating func aapControl(_ id: ChannelID, _ moment: Moment) {
    let identifier = octet(Paths.AAP.identifier)
    let value = Paths.AAP.values.compactMap { self.value($0) }.first ?? 0
    let setting = UInt8(truncatingIfNeeded: value)
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

  private mutating func aapMessage(_ opcode: UInt16, _ bytes: RawSpan, _ moment: Moment) {
    switch opcode {
    case 0x0F:
      tell(
        .notificationsRequested(
          .init(mask: Array((self.bytes(Paths.AAP.notifications, of: bytes) ?? []).prefix(8)))),
        moment)
    case 0x10, 0x11:
      // Behind the address and the length, and behind an octet that is mostly there.
      let start = bytes.byteCount > 14 && bytes.byte(at: 14) == 0x01 ? 15 : 14
      let end = min(bytes.byteCount, 14 + Int(bytes.unsigned(at: 12, 2)))
      let object = start < end ? OPACKValue(bytes.extracting(start..<end)) : nil
      tell(
        .smartRouting(
          .init(peer: host(Paths.AAP.peer), isRelayed: opcode == 0x11, object: object)), moment)
    case 0x19:
      tell(.stemPress(.init(press: octet(Paths.AAP.press), bud: octet(Paths.AAP.bud))), moment)
    case 0x1A, 0x1E: tell(.renamed(.init(name: text(Paths.AAP.name, of: bytes) ?? "")), moment)
    case 0x1D: aapInformation(bytes, moment)
    case 0x30:
      tell(
        .keysRequested(
          .init(keys: UInt16(truncatingIfNeeded: value(Paths.AAP.requestedKeys) ?? 0))), moment)
    case 0x4D: tell(.featuresRequested(.init(flags: value(Paths.AAP.flags) ?? 0)), moment)
    case 0x29:
      tell(
        .hostCapabilities(.init(mask: Array(bytes.array(6..<bytes.byteCount).prefix(8)))), moment)
    case 0x2B: tell(.featuresAcknowledged(.init()), moment)
    case 0x53:
      tell(
        .accommodation(.init(phone: octet(Paths.AAP.phone), media: octet(Paths.AAP.media))), moment)
    case 0x63: tell(.equalizer(.init(size: bytes.byteCount - 6)), moment)
    default: break
    }
  }

  private mutating func aapInformation(_ bytes: RawSpan, _ moment: Moment) {
    let name = text(Paths.AAP.name, of: bytes) ?? ""
    // Where the capture was made on the accessory, the device of the link is the host.
    if moment.direction == .controllerToHost, let device = device(at: moment) {
      deviceTable.name(device, name)
    }
    tell(
      .information(
        .init(
          name: name, model: text(Paths.AAP.model, of: bytes) ?? "",
          firmware: text(Paths.AAP.firmware, of: bytes) ?? "")), moment)
  }

  /// The keys of proximity advertising travel as they are: whoever reads them finds the accessory.
  private mutating func aapKeys(_ bytes: RawSpan, _ moment: Moment) {
    // Those that came before the protocol was known were concealed as they came.
    if !isRetelling { concealPDU(moment) }
    let device = device(at: moment)
    var found: [(type: UInt8, key: [UInt8])] = []
    var type: UInt8 = 0
    for node in tree.nodes {
      if node.field == Paths.AAP.keyType { type = UInt8(truncatingIfNeeded: node.value) }
      if node.field == Paths.AAP.proximityKey { found.append((type, bytes.array(node.range))) }
    }
    for (type, key) in found {
      switch type {
      case 1:
        // Least significant octet first, as SMP has it.
        let irk = captured(.identityResolvingKey, key, moment, device)
        if let irk, let device { learn(irk, of: .device(device), moment) }
      // Most significant octet first, as AES takes it.
      case 4: captured(.proximityPairingKey, key.reversed(), moment, device)
      default: break
      }
    }
  }
}
