import HarkCore
import HarkDissection

// Hands-Free and Headset Profile: lines, calls, codecs, sound. Hands-Free Profile 1.9.
extension Session {
  /// Data of a data link that carries AT commands.
  mutating func handsFree(
    _ bytes: RawSpan, on index: Int, _ stream: StreamID, packets parts: [UInt32],
    _ moment: Moment
  ) {
    let state = handsFree(of: index, moment)
    let side = moment.side
    let last = bytes.byteCount > 0 ? bytes.byte(at: bytes.byteCount - 1) : 0
    let hasText = (0..<bytes.byteCount).contains {
      bytes.byte(at: $0) != 0x0D && bytes.byte(at: $0) != 0x0A
    }
    if handsFrees[state].text[side].isEmpty, !moment.isSliced, hasText, last == 0x0D || last == 0x0A
    {
      inner = dataLinks[index].entry
      return lines(bytes, state, index, moment)
    }
    let packets = parts.isEmpty ? packetsOfPDU(moment) : parts
    if let whole = handsFrees[state].text[side].add(bytes, packets) {
      complete("AT lines", whole.bytes.raw, dataLinks[index].entry, packets: whole.packets)
      lines(whole.bytes.raw, state, index, moment)
    }
    guard moment.isSliced else { return }
    handsFrees[state].text[side].lose()
    // Which command it was is not known, nor which one is answered next.
    handsFrees[state].pending = nil
    incomplete(
      IncompletePDU(
        place: .stream(streams[Int(stream.index)]), have: bytes.byteCount, cut: moment.cut),
      packets, moment)
  }

  private mutating func handsFree(of index: Int, _ moment: Moment) -> Int {
    if let state = dataLinks[index].handsFree { return state }
    handsFrees.append(HandsFree(link: channels[Int(dataLinks[index].channel.index)].link))
    dataLinks[index].handsFree = handsFrees.count - 1
    return handsFrees.count - 1
  }

  private mutating func lines(
    _ bytes: RawSpan, _ state: Int, _ index: Int, _ moment: Moment
  ) {
    isRecordInTree = false
    catalog.describe(bytes, dataLinks[index].entry, context(moment), into: &tree)
    for line in HandsFreeLine.all(tree, bytes, catalog) {
      if line.isCommand {
        handsFrees[state].pending = line.name
        command(line, state, moment)
      } else {
        result(line, state, moment)
      }
    }
  }

  private mutating func tell(
    _ event: HandsFreeEvent, _ moment: Moment, severity: Event.Severity = .info
  ) {
    emit(.handsFree(event), moment, severity: severity)
  }

  // MARK: What the Hands-Free unit sends. 4.34.1

  private mutating func command(_ line: HandsFreeLine, _ state: Int, _ moment: Moment) {
    let first = line.numbers.first
    switch line.name {
    case "+BRSF": handsFrees[state].handsFreeFeatures = first
    case "+BAC":
      handsFrees[state].codecs = line.numbers.prefix(16).map { UInt8(truncatingIfNeeded: $0) }
    case "A": tell(.command(.init(action: .answer)), moment)
    case "D": tell(.command(.init(action: .dial(line.texts.first ?? ""))), moment)
    case "+BLDN": tell(.command(.init(action: .redial)), moment)
    case "+CHUP": tell(.command(.init(action: .hangUp)), moment)
    case "+BCC": tell(.command(.init(action: .audio)), moment)
    case "+CKPD": tell(.command(.init(action: .button)), moment)
    case "+CHLD" where first != nil && !line.isTest:
      tell(.command(.init(action: .hold(first ?? 0))), moment)
    case "+BVRA" where first != nil:
      tell(.voiceRecognition(.init(isOn: first != 0, byHandsFree: true)), moment)
    case "+BCS" where first != nil:
      handsFrees[state].codec = UInt8(truncatingIfNeeded: first ?? 1)
      tell(.codecConfirmed(.init(id: handsFrees[state].codec)), moment)
    case "+VGS", "+VGM":
      guard let first else { return }
      tell(.gain(.init(isSpeaker: line.name == "+VGS", value: first)), moment)
    case "+BIEV" where line.numbers.count == 2:
      tell(.handsFreeIndicator(.init(id: line.numbers[0], value: line.numbers[1])), moment)
    case "+XAPL":
      tell(
        .appleAccessory(.init(identifier: line.texts.first ?? "", features: first ?? 0)), moment)
    case "+IPHONEACCEV": appleState(line.numbers, moment)
    default: break
    }
  }

  /// A count, then pairs of key and value. Accessory Design Guidelines for Apple Devices.
  private mutating func appleState(_ numbers: [UInt32], _ moment: Moment) {
    var battery: UInt32?
    var dock: UInt32?
    var index = 1
    while index + 1 < numbers.count {
      if numbers[index] == 1 { battery = numbers[index + 1] }
      if numbers[index] == 2 { dock = numbers[index + 1] }
      index += 2
    }
    tell(.appleState(.init(battery: battery, isDocked: dock.map { $0 == 1 })), moment)
  }

  // MARK: What the Audio Gateway sends. 4.34.2

  private mutating func result(_ line: HandsFreeLine, _ state: Int, _ moment: Moment) {
    let first = line.numbers.first
    switch line.name {
    case "OK": acknowledged(state, moment)
    case "ERROR", "+CME ERROR":
      tell(
        .refused(.init(command: handsFrees[state].pending, error: first)), moment,
        severity: .warning)
      handsFrees[state].pending = nil
    case "+BRSF": handsFrees[state].gatewayFeatures = first
    case "+CIND": indicators(line, state)
    case "+CIEV" where line.numbers.count == 2:
      indicator(line.numbers[0], line.numbers[1], state, moment)
    case "RING" where !handsFrees[state].isRinging:
      handsFrees[state].isRinging = true
      tell(.ringing(.init()), moment)
    case "+CLIP":
      guard let number = line.texts.first, handsFrees[state].caller != number else { return }
      handsFrees[state].caller = number
      tell(.caller(.init(number: number)), moment)
    case "+BCS" where first != nil:
      tell(.codecProposed(.init(id: UInt8(truncatingIfNeeded: first ?? 1))), moment)
    case "+BVRA" where first != nil:
      tell(.voiceRecognition(.init(isOn: first != 0, byHandsFree: false)), moment)
    case "+VGS", "+VGM":
      guard let first else { return }
      tell(.gain(.init(isSpeaker: line.name == "+VGS", value: first)), moment)
    default: break
    }
  }

  /// Event reporting is the last that every service level connection sets up. 4.2.1.3
  private mutating func acknowledged(_ state: Int, _ moment: Moment) {
    let isConnected = handsFrees[state].pending == "+CMER"
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
    _ index: UInt32, _ value: UInt32, _ state: Int, _ moment: Moment
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

  private mutating func setUp(_ value: UInt32, _ state: Int, _ moment: Moment) {
    switch value {
    case 1: tell(.call(.init(state: .incoming)), moment)
    case 2: tell(.call(.init(state: .outgoing)), moment)
    case 3: tell(.call(.init(state: .alerting)), moment)
    default:
      handsFrees[state].isRinging = false
      guard handsFrees[state].values["call"] == 0 else { return }
      handsFrees[state].caller = nil
      tell(.call(.init(state: .abandoned)), moment)
    }
  }

  // MARK: Sound

  /// A synchronous link began or ended: it belongs to the connection with the same device.
  mutating func soundChanged(_ link: LinkID, isOn: Bool, _ moment: Moment) {
    let transport = linkTable[link].transport
    guard transport == .sco || transport == .esco, let device = linkTable[link].device,
      let state = handsFrees.lastIndex(where: { $0.isOpen && linkTable[$0.link].device == device })
    else { return }
    let codec = handsFrees[state].codec
    let airMode = linkTable[link].synchronous?.airMode
    // CVSD is made by the controller; what the host makes goes through as it is. 5.7
    let fits = airMode.map { $0 == (codec == 1 ? 2 : 3) } ?? true
    let packets = linkTable[link].sound.map { streams[Int($0.index)].packets.reduce(0, +) } ?? 0
    let audio = HandsFreeEvent.Audio(
      isOn: isOn, codec: codec, airMode: airMode, fits: fits, packets: packets)
    tell(.audio(audio), moment, severity: fits || !isOn ? .info : .warning)
  }
}
