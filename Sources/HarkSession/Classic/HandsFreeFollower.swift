import HarkCore
import HarkDissection

/// Follows the Hands-Free and Headset Profiles: lines, calls, codecs. Hands-Free Profile 1.9.
struct HandsFreeFollower {
  /// The index of a stream's state in the list.
  private var stateAt: [StreamID: Int] = [:]
  private var states: [HandsFree] = []

  /// Data of a data link that carries AT commands.
  mutating func take(
    _ bytes: RawSpan, on dataLink: DataLink, _ stream: StreamID, packets parts: [UInt32],
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    let state = take(on: stream, tables.channels[Int(dataLink.channel.index)].link)
    let side = moment.side
    let whole = HFPMessage.wholeLines(in: bytes)
    if states[state].text[side].isEmpty, !moment.isTruncated, whole > 0,
      whole == bytes.byteCount
    {
      tables.record.inner = dataLink.entry.map { Entry.Reference($0) }
      return lines(bytes, state, moment, &tables)
    }
    let packets = parts.isEmpty ? tables.packetsOfPDU(moment) : parts
    if let whole = states[state].text[side].add(bytes, packets) {
      tables.complete("AT lines", whole.bytes.raw, dataLink.entry, packets: whole.packets)
      lines(whole.bytes.raw, state, moment, &tables)
    }
    guard moment.isTruncated else { return }
    states[state].text[side].lose()
    // It is unknown which command it was, and which one is answered next.
    states[state].pending = nil
    states[state].pendingSetUp = []
    tables.incomplete(
      IncompletePDU(
        place: .stream(tables.streams[Int(stream.index)]), have: bytes.byteCount, cut: moment.cut),
      packets, moment)
  }

  private mutating func take(on stream: StreamID, _ link: LinkID) -> Int {
    if let state = stateAt[stream] { return state }
    states.append(HandsFree(link: link))
    stateAt[stream] = states.count - 1
    return states.count - 1
  }

  /// The data link ends.
  mutating func end(_ stream: StreamID) {
    if let state = stateAt.removeValue(forKey: stream) { states[state].isOpen = false }
  }

  private mutating func lines(
    _ bytes: RawSpan, _ state: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    for read in HFPMessage(bytes, isCut: moment.isTruncated).lines {
      let line = HandsFreeLine(read, bytes)
      if read.isCommand {
        states[state].pending = line.spelling
        states[state].pendingSetUp = line.setUp
        command(line, state, moment, &tables)
      } else {
        result(line, state, moment, &tables)
      }
    }
  }

  private mutating func report(
    _ event: HandsFreeEvent, _ moment: PacketContext, severity: Event.Severity = .info,
    _ tables: inout Tables
  ) {
    tables.emit(.handsFree(event), moment, severity: severity)
  }

  // MARK: What the Hands-Free unit sends. 4.34.1

  private mutating func command(
    _ line: HandsFreeLine, _ state: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let first = line.numbers.first
    switch line.name {
    case .brsf: states[state].handsFreeFeatures = first
    case .bac: available(line.numbers, state, moment, &tables)
    case .answer: report(.command(.init(action: .answer)), moment, &tables)
    case .dial: report(.command(.init(action: .dial(line.texts.first ?? ""))), moment, &tables)
    case .bldn: report(.command(.init(action: .redial)), moment, &tables)
    case .chup:
      let isCall = isCall(state)
      states[state].hungUp = states[state].hasCall != true
      report(.command(.init(action: .hangUp(isCall: isCall))), moment, &tables)
    case .bcc: report(.command(.init(action: .audio)), moment, &tables)
    case .ckpd: report(.command(.init(action: .button)), moment, &tables)
    case .chld where first != nil && !line.isTest:
      report(.command(.init(action: .hold(first ?? 0))), moment, &tables)
    case .bvra where first != nil:
      recognition(first ?? 0, isUpdate: first ?? 0 > 1, byHandsFree: true, state, moment, &tables)
    case .bcs where first != nil:
      confirmed(UInt8(truncatingIfNeeded: first ?? 1), state, moment, &tables)
    case .vgs, .vgm:
      guard let first else { return }
      report(.gain(.init(isSpeaker: line.name == .vgs, value: first)), moment, &tables)
    case .biev where line.numbers.count == 2:
      report(
        .handsFreeIndicator(.init(id: line.numbers[0], value: line.numbers[1])), moment, &tables)
    case .xapl:
      report(
        .appleAccessory(.init(identifier: line.texts.first ?? "", features: first ?? 0)), moment,
        &tables)
    case .iphoneAccEv: appleState(line.numbers, moment, &tables)
    default: break
    }
  }

  /// The Audio Gateway refuses another codec than the one that it proposed. 4.11.3
  private mutating func confirmed(
    _ id: UInt8, _ state: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let proposed = states[state].proposed
    states[state].proposed = nil
    states[state].codecBefore = states[state].codec
    guard let proposed, proposed != id else {
      states[state].codec = id
      return report(.codecConfirmed(.init(id: id)), moment, &tables)
    }
    report(
      .codecConfirmed(.init(id: id, proposed: proposed)), moment, severity: .warning, &tables)
  }

  /// Instead of confirming the codec that the Audio Gateway proposed, the unit sends those that it has. 4.11.3
  private mutating func available(
    _ numbers: [UInt32], _ state: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let codecs = numbers.prefix(16).map { UInt8(truncatingIfNeeded: $0) }
    states[state].codecs = codecs
    guard let proposed = states[state].proposed else { return }
    states[state].proposed = nil
    report(.codecRefused(.init(id: proposed, codecs: codecs)), moment, &tables)
  }

  /// An update changes what voice recognition does while it is on: the unit is ready for the next audio, or the Audio Gateway
  /// sends its state or a text. 4.34.1, AT+BVRA; 4.34.2, +BVRA
  private mutating func recognition(
    _ value: UInt32, isUpdate: Bool, byHandsFree: Bool, _ state: Int, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let isOn = value != 0
    if isOn && isUpdate && states[state].recognizesVoice { return }
    states[state].recognizesVoice = isOn
    report(.voiceRecognition(.init(isOn: isOn, byHandsFree: byHandsFree)), moment, &tables)
  }

  /// Whether AT+CHUP would end a call: it rejects one that comes in while there is no other. 4.14, 4.15
  private func isCall(_ state: Int) -> Bool? {
    if states[state].hasCall == true { return true }
    switch states[state].setUp {
    case .incoming: return false
    case .outgoing, .alerting: return true
    case .idle, nil: return nil
    }
  }

  /// A count, then pairs of key and value. Accessory Design Guidelines for Apple Devices.
  private mutating func appleState(
    _ numbers: [UInt32], _ moment: PacketContext, _ tables: inout Tables
  ) {
    var battery: UInt32?
    var dock: UInt32?
    var index = 1
    while index + 1 < numbers.count {
      switch HFPMessage.AppleKey(rawValue: numbers[index]) {
      case .batteryLevel: battery = numbers[index + 1]
      case .dockState: dock = numbers[index + 1]
      case nil: break
      }
      index += 2
    }
    report(.appleState(.init(battery: battery, isDocked: dock.map { $0 == 1 })), moment, &tables)
  }

  // MARK: What the Audio Gateway sends. 4.34.2

  private mutating func result(
    _ line: HandsFreeLine, _ state: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let first = line.numbers.first
    switch line.name {
    case .ok: acknowledged(state, moment, &tables)
    case .error, .cmeError, .busy, .noCarrier, .noAnswer, .delayed, .blacklisted:
      refused(line, state, moment, &tables)
    case .brsf: states[state].gatewayFeatures = first
    case .cind: indicators(line, state)
    case .ciev where line.numbers.count == 2:
      indicator(line.numbers[0], line.numbers[1], state, moment, &tables)
    case .ring where !states[state].isRinging:
      states[state].isRinging = true
      report(.ringing(.init()), moment, &tables)
    case .clip:
      guard let number = line.first, states[state].caller != number else { return }
      states[state].caller = number
      report(.caller(.init(number: number)), moment, &tables)
    case .ccwa:
      guard let number = line.first, states[state].waitingCaller != number else { return }
      states[state].waitingCaller = number
      report(.caller(.init(number: number, isWaiting: true)), moment, &tables)
    case .bcs where first != nil:
      let id = UInt8(truncatingIfNeeded: first ?? 1)
      states[state].proposed = id
      report(.codecProposed(.init(id: id)), moment, &tables)
    case .bvra where first != nil:
      recognition(
        first ?? 0, isUpdate: line.numbers.count > 1, byHandsFree: false, state, moment, &tables)
    case .vgs, .vgm:
      guard let first else { return }
      report(.gain(.init(isSpeaker: line.name == .vgs, value: first)), moment, &tables)
    default: break
    }
  }

  /// A result code other than OK ends a command. Without a command, an extended one shows how a call went. 4.34.2
  private mutating func refused(
    _ line: HandsFreeLine, _ state: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let command = states[state].pending
    let isExtended = line.name != .error && line.name != .cmeError
    report(
      .refused(
        .init(
          command: command, error: line.numbers.first, result: isExtended ? line.spelling : nil)),
      moment, severity: isExtended && command == nil ? .info : .warning, &tables)
    switch command.flatMap(HFPMessage.Name.init) {
    case .chup: states[state].hungUp = false
    // Without the answer OK, the codec is not the one of the next link. 4.11.3
    case .bcs: states[state].codec = states[state].codecBefore
    case .bvra: states[state].recognizesVoice = false
    default: break
    }
    states[state].pending = nil
    states[state].refused.formUnion(states[state].pendingSetUp)
    states[state].pendingSetUp = []
  }

  /// What the features require is set up, or the unit goes on without it: the service level connection is
  /// established. 4.2.1
  private mutating func acknowledged(_ state: Int, _ moment: PacketContext, _ tables: inout Tables)
  {
    states[state].done.formUnion(states[state].pendingSetUp)
    let pending = states[state].pending
    states[state].pending = nil
    states[state].pendingSetUp = []
    let done = states[state].done
    let missing = states[state].required.subtracting(done)
    let goesOn = done.contains(.events) && pending.map { !HFPMessage.setsUpConnection($0) } ?? false
    guard !states[state].isConnected, missing.isEmpty || goesOn,
      missing.isDisjoint(with: states[state].refused)
    else { return }
    states[state].isConnected = true
    let known = states[state]
    report(
      .connected(
        .init(
          handsFree: known.handsFreeFeatures, gateway: known.gatewayFeatures,
          codecs: known.codecs)), moment, &tables)
  }

  private mutating func indicators(_ line: HandsFreeLine, _ state: Int) {
    if !line.indicators.isEmpty {
      states[state].name(Array(line.indicators.prefix(HandsFree.mostIndicators)))
      return
    }
    for (name, value) in zip(states[state].indicators, line.numbers) {
      states[state][name] = value
    }
  }

  /// 4.4 to 4.7: what the indicators mean for calls.
  private mutating func indicator(
    _ index: UInt32, _ value: UInt32, _ state: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let names = states[state].indicators
    let name =
      1...UInt32(max(1, names.count)) ~= index && !names.isEmpty
      ? names[Int(index) - 1] : nil
    let before = name.flatMap { states[state][$0] }
    let setUpBefore = states[state].setUp
    if let name { states[state][name] = value }
    guard before != value else { return }
    let isSetUp = HFPMessage.CallSetup(rawValue: value) != nil
    switch name?.lowercased() {
    case "call":
      states[state].isRinging = false
      if value == 0 { states[state].caller = nil }
      if value > 0 || before != nil {
        report(.call(.init(state: value == 0 ? .ended : .active)), moment, &tables)
      }
    // What has no meaning is only a value.
    case "callsetup" where isSetUp, "call_setup" where isSetUp:
      setUp(after: setUpBefore, state, moment, &tables)
    case "callheld": report(.call(.init(state: value == 0 ? .unheld : .held)), moment, &tables)
    default: report(.indicator(.init(name: name, index: index, value: value)), moment, &tables)
    }
  }

  /// 4.13 to 4.22; the indicator shows that the setup of a call ended, but not how.
  private mutating func setUp(
    after before: HFPMessage.CallSetup?, _ state: Int, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    switch states[state].setUp {
    case .incoming:
      (states[state].isWaiting, states[state].hungUp) = (states[state].hasCall ?? false, false)
      let isWaiting = states[state].isWaiting
      report(.call(.init(state: .incoming, isWaiting: isWaiting)), moment, &tables)
    case .outgoing:
      (states[state].isWaiting, states[state].hungUp) = (false, false)
      report(.call(.init(state: .outgoing)), moment, &tables)
    case .alerting: report(.call(.init(state: .alerting)), moment, &tables)
    case .idle, nil:
      let (wasWaiting, hungUp) = (states[state].isWaiting, states[state].hungUp)
      (states[state].isWaiting, states[state].hungUp) = (false, false)
      states[state].isRinging = false
      states[state].waitingCaller = nil
      if wasWaiting { return report(.call(.init(state: .unwaiting)), moment, &tables) }
      guard states[state].hasCall == false else { return }
      states[state].caller = nil
      let end: HandsFreeEvent.Call.State
      switch before {
      case .incoming: end = hungUp ? .rejected : .abandoned
      case .outgoing, .alerting: end = hungUp ? .cancelled : .unconnected
      case .idle, nil: return
      }
      report(.call(.init(state: end)), moment, &tables)
    }
  }

  // MARK: Sound

  /// The connection with the device of a synchronous link, or the only one with a device that is unknown as its link was
  /// open before the capture began.
  private func connection(of link: LinkID, _ tables: borrowing Tables) -> Int? {
    guard let device = tables.links[link].device else { return nil }
    let known = states.lastIndex { $0.isOpen && tables.links[$0.link].device == device }
    if let known { return known }
    let controller = tables.links[link].controller
    let unknown = states.indices.filter {
      states[$0].isOpen && tables.links[states[$0].link].device == nil
        && tables.links[states[$0].link].controller == controller
    }
    return unknown.count == 1 ? unknown[0] : nil
  }

  /// A synchronous link began or ended: it belongs to the connection with the same device.
  mutating func soundChanged(
    _ link: LinkID, isOn: Bool, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let transport = tables.links[link].transport
    guard transport == .sco || transport == .esco, let state = connection(of: link, tables)
    else { return }
    let airMode = tables.links[link].synchronous?.airMode
    let negotiated = states[state].negotiatedCodec
    if isOn {
      states[state].codecInUse =
        negotiated ?? tables.links[link].codingFormat.flatMap { HFPMessage.codec(codingFormat: $0) }
        ?? airMode.flatMap { HFPMessage.codec(airMode: $0) }
    }
    let codec = states[state].codecInUse
    var fits = true
    if let airMode, let codec { fits = HFPMessage.airMode(airMode, fits: codec) }
    let packets =
      tables.links[link].sound.map { tables.streams[Int($0.index)].packets.reduce(0, +) } ?? 0
    let audio = HandsFreeEvent.Audio(
      isOn: isOn, codec: codec, airMode: airMode, fits: fits, packets: packets)
    report(.audio(audio), moment, severity: fits || !isOn ? .info : .warning, &tables)
  }
}
