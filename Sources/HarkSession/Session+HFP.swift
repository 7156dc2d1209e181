import HarkCore
import HarkDissection

// Hands-Free and Headset Profile: lines, calls, codecs, sound. Hands-Free Profile 1.9.
extension Session {
  /// Data of a data link that carries AT commands.
  mutating func handsFree(
    _ bytes: RawSpan, on index: Int, _ stream: StreamID, packets parts: [UInt32],
    _ moment: PacketContext
  ) {
    let state = handsFree(of: index, moment)
    let side = moment.side
    let whole = HFPMessage.wholeLines(in: bytes)
    if handsFrees[state].text[side].isEmpty, !moment.isTruncated, whole > 0,
      whole == bytes.byteCount
    {
      inner = dataLinks[index].entry
      return lines(bytes, state, moment)
    }
    let packets = parts.isEmpty ? packetsOfPDU(moment) : parts
    if let whole = handsFrees[state].text[side].add(bytes, packets) {
      complete("AT lines", whole.bytes.raw, dataLinks[index].entry, packets: whole.packets)
      lines(whole.bytes.raw, state, moment)
    }
    guard moment.isTruncated else { return }
    handsFrees[state].text[side].lose()
    // Which command it was is not known, nor which one is answered next.
    handsFrees[state].pending = nil
    incomplete(
      IncompletePDU(
        place: .stream(streams[Int(stream.index)]), have: bytes.byteCount, cut: moment.cut),
      packets, moment)
  }

  private mutating func handsFree(of index: Int, _ moment: PacketContext) -> Int {
    if let state = dataLinks[index].handsFree { return state }
    handsFrees.append(HandsFree(link: channels[Int(dataLinks[index].channel.index)].link))
    dataLinks[index].handsFree = handsFrees.count - 1
    return handsFrees.count - 1
  }

  private mutating func lines(_ bytes: RawSpan, _ state: Int, _ moment: PacketContext) {
    for read in HFPMessage(bytes, isCut: moment.isTruncated).lines {
      let line = HandsFreeLine(read, bytes)
      if read.isCommand {
        handsFrees[state].pending = line.spelling
        command(line, state, moment)
      } else {
        result(line, state, moment)
      }
    }
  }

  private mutating func tell(
    _ event: HandsFreeEvent, _ moment: PacketContext, severity: Event.Severity = .info
  ) {
    emit(.handsFree(event), moment, severity: severity)
  }

  // MARK: What the Hands-Free unit sends. 4.34.1

  private mutating func command(_ line: HandsFreeLine, _ state: Int, _ moment: PacketContext) {
    let first = line.numbers.first
    switch line.name {
    case .brsf: handsFrees[state].handsFreeFeatures = first
    case .bac:
      handsFrees[state].codecs = line.numbers.prefix(16).map { UInt8(truncatingIfNeeded: $0) }
    case .answer: tell(.command(.init(action: .answer)), moment)
    case .dial: tell(.command(.init(action: .dial(line.texts.first ?? ""))), moment)
    case .bldn: tell(.command(.init(action: .redial)), moment)
    case .chup: tell(.command(.init(action: .hangUp)), moment)
    case .bcc: tell(.command(.init(action: .audio)), moment)
    case .ckpd: tell(.command(.init(action: .button)), moment)
    case .chld where first != nil && !line.isTest:
      tell(.command(.init(action: .hold(first ?? 0))), moment)
    case .bvra where first != nil:
      tell(.voiceRecognition(.init(isOn: first != 0, byHandsFree: true)), moment)
    case .bcs where first != nil:
      handsFrees[state].codec = UInt8(truncatingIfNeeded: first ?? 1)
      tell(.codecConfirmed(.init(id: handsFrees[state].codec)), moment)
    case .vgs, .vgm:
      guard let first else { return }
      tell(.gain(.init(isSpeaker: line.name == .vgs, value: first)), moment)
    case .biev where line.numbers.count == 2:
      tell(.handsFreeIndicator(.init(id: line.numbers[0], value: line.numbers[1])), moment)
    case .xapl:
      tell(
        .appleAccessory(.init(identifier: line.texts.first ?? "", features: first ?? 0)), moment)
    case .iphoneAccEv: appleState(line.numbers, moment)
    default: break
    }
  }

  /// A count, then pairs of key and value. Accessory Design Guidelines for Apple Devices.
  private mutating func appleState(_ numbers: [UInt32], _ moment: PacketContext) {
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
    tell(.appleState(.init(battery: battery, isDocked: dock.map { $0 == 1 })), moment)
  }

  // MARK: What the Audio Gateway sends. 4.34.2

  private mutating func result(_ line: HandsFreeLine, _ state: Int, _ moment: PacketContext) {
    let first = line.numbers.first
    switch line.name {
    case .ok: acknowledged(state, moment)
    case .error, .cmeError:
      tell(
        .refused(.init(command: handsFrees[state].pending, error: first)), moment,
        severity: .warning)
      handsFrees[state].pending = nil
    case .brsf: handsFrees[state].gatewayFeatures = first
    case .cind: indicators(line, state)
    case .ciev where line.numbers.count == 2:
      indicator(line.numbers[0], line.numbers[1], state, moment)
    case .ring where !handsFrees[state].isRinging:
      handsFrees[state].isRinging = true
      tell(.ringing(.init()), moment)
    case .clip:
      guard let number = line.texts.first, handsFrees[state].caller != number else { return }
      handsFrees[state].caller = number
      tell(.caller(.init(number: number)), moment)
    case .bcs where first != nil:
      tell(.codecProposed(.init(id: UInt8(truncatingIfNeeded: first ?? 1))), moment)
    case .bvra where first != nil:
      tell(.voiceRecognition(.init(isOn: first != 0, byHandsFree: false)), moment)
    case .vgs, .vgm:
      guard let first else { return }
      tell(.gain(.init(isSpeaker: line.name == .vgs, value: first)), moment)
    default: break
    }
  }

  /// Event reporting is the last that every service level connection sets up. 4.2.1.3
  private mutating func acknowledged(_ state: Int, _ moment: PacketContext) {
    let isConnected = handsFrees[state].pending == HFPMessage.Name.cmer.rawValue
    handsFrees[state].pending = nil
    guard isConnected, !handsFrees[state].isConnected else { return }
    handsFrees[state].isConnected = true
    let known = handsFrees[state]
    tell(
      .connected(
        .init(
          handsFree: known.handsFreeFeatures, gateway: known.gatewayFeatures,
          codecs: known.codecs)), moment)
  }

  private mutating func indicators(_ line: HandsFreeLine, _ state: Int) {
    if !line.indicators.isEmpty {
      handsFrees[state].indicators = Array(line.indicators.prefix(HandsFree.mostIndicators))
      return
    }
    for (name, value) in zip(handsFrees[state].indicators, line.numbers) {
      handsFrees[state].values[name] = value
    }
  }

  /// 4.4 to 4.7: what the indicators say of calls.
  private mutating func indicator(
    _ index: UInt32, _ value: UInt32, _ state: Int, _ moment: PacketContext
  ) {
    let names = handsFrees[state].indicators
    let name =
      1...UInt32(max(1, names.count)) ~= index && !names.isEmpty
      ? names[Int(index) - 1] : nil
    let before = name.flatMap { handsFrees[state].values[$0] }
    if let name { handsFrees[state].values[name] = value }
    guard before != value else { return }
    switch name {
    case "call":
      handsFrees[state].isRinging = false
      if value == 0 { handsFrees[state].caller = nil }
      if value > 0 || before != nil {
        tell(.call(.init(state: value == 0 ? .ended : .active)), moment)
      }
    case "callsetup", "call_setup": setUp(value, state, moment)
    case "callheld": tell(.call(.init(state: value == 0 ? .unheld : .held)), moment)
    default: tell(.indicator(.init(name: name, index: index, value: value)), moment)
    }
  }

  private mutating func setUp(_ value: UInt32, _ state: Int, _ moment: PacketContext) {
    switch HFPMessage.CallSetup(rawValue: value) {
    case .incoming: tell(.call(.init(state: .incoming)), moment)
    case .outgoing: tell(.call(.init(state: .outgoing)), moment)
    case .alerting: tell(.call(.init(state: .alerting)), moment)
    case .idle, nil:
      handsFrees[state].isRinging = false
      guard handsFrees[state].values["call"] == 0 else { return }
      handsFrees[state].caller = nil
      tell(.call(.init(state: .abandoned)), moment)
    }
  }

  // MARK: Sound

  /// A synchronous link began or ended: it belongs to the connection with the same device.
  mutating func soundChanged(_ link: LinkID, isOn: Bool, _ moment: PacketContext) {
    let transport = linkTable[link].transport
    guard transport == .sco || transport == .esco, let device = linkTable[link].device,
      let state = handsFrees.lastIndex(where: { $0.isOpen && linkTable[$0.link].device == device })
    else { return }
    let codec = handsFrees[state].codec
    let airMode = linkTable[link].synchronous?.airMode
    let fits = airMode.map { HFPMessage.airMode($0, fits: codec) } ?? true
    let packets = linkTable[link].sound.map { streams[Int($0.index)].packets.reduce(0, +) } ?? 0
    let audio = HandsFreeEvent.Audio(
      isOn: isOn, codec: codec, airMode: airMode, fits: fits, packets: packets)
    tell(.audio(audio), moment, severity: fits || !isOn ? .info : .warning)
  }
}
