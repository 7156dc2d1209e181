import HarkCore
import HarkDissection

// What AVRCP tells: what is played, how loud, and what was asked for. AVRCP 1.6, 6.
extension Session {
  /// A whole message on the channel `id`.
  mutating func remote(_ message: AVRCPMessage, on id: ChannelID, _ moment: Moment) {
    if message.opcode == 0x7C {
      // Both the press and the release are sent; 4.4.1.
      if !message.isResponse, !message.isReleased {
        tell(.operation(.init(operation: message.operation)), moment)
      }
      return
    }
    guard message.pdu != 0 else { return }
    if !message.isResponse {
      if message.pdu == 0x50, let volume = message.volume {
        remotes[id]?.volume = volume
        tell(.volume(.init(volume: volume, isRequest: true)), moment)
      }
      return
    }
    // 0x04: Operation completed without error.
    if message.type == 0xA || (message.status ?? 4) != 4 {
      tell(
        .remoteRejected(.init(pdu: message.pdu, status: message.status ?? 0)), moment,
        severity: .warning)
      return
    }
    answered(message, on: id, moment)
  }

  private mutating func answered(
    _ message: AVRCPMessage, on id: ChannelID, _ moment: Moment
  ) {
    switch message.pdu {
    case 0x10 where message.capability == 3:
      tell(.notifications(.init(events: message.events, isLocal: moment.side == 0)), moment)
    case 0x13 where !message.settings.isEmpty:
      tell(.settings(.init(settings: message.settings)), moment)
    case 0x20: track(message.attributes, on: id, moment)
    case 0x30: playing(message, on: id, moment)
    case 0x31: notified(message, on: id, moment)
    case 0x50: volume(message.volume, on: id, moment)
    case 0x71, 0x80:
      if let items = message.items {
        tell(.items(.init(pdu: message.pdu, count: items)), moment)
      }
    default: break
    }
  }

  /// 6.7.2: an interim response says how it is, a changed one how it has become.
  private mutating func notified(
    _ message: AVRCPMessage, on id: ChannelID, _ moment: Moment
  ) {
    guard let event = message.events.first else { return }
    let isChanged = message.type == 0xD
    switch event {
    case 0x01: playing(message, on: id, moment)
    // 0xFFFFFFFF: nothing is selected. 6.7.2
    case 0x05:
      if let position = message.songPosition {
        tell(.position(.init(milliseconds: position == .max ? nil : position)), moment)
      }
    case 0x06: if let battery = message.battery { tell(.battery(.init(status: battery)), moment) }
    case 0x07: if let status = message.systemStatus { tell(.system(.init(status: status)), moment) }
    case 0x08:
      if !message.settings.isEmpty { tell(.settings(.init(settings: message.settings)), moment) }
    case 0x0B:
      if let player = message.player { tell(.addressedPlayer(.init(player: player)), moment) }
    case 0x0D: volume(message.volume, on: id, moment)
    default: if isChanged { tell(.changed(.init(event: event)), moment) }
    }
  }

  /// Tells of a volume that was not told before.
  private mutating func volume(_ volume: UInt8?, on id: ChannelID, _ moment: Moment) {
    guard let volume, remotes[id, default: AVCTPState()].volume != volume else { return }
    remotes[id]?.volume = volume
    tell(.volume(.init(volume: volume, isRequest: false)), moment)
  }

  /// Controllers poll: what has not changed is not told again.
  private mutating func playing(
    _ message: AVRCPMessage, on id: ChannelID, _ moment: Moment
  ) {
    guard let status = message.playStatus else { return }
    // 0xFFFFFFFF: not supported. 6.7.1
    let known = { (time: UInt32?) in time == .max ? nil : time }
    let length = known(message.songLength)
    let before = remotes[id, default: AVCTPState()]
    if before.playStatus == status, length == nil || before.length == length { return }
    remotes[id]?.playStatus = status
    if let length { remotes[id]?.length = length }
    tell(
      .playStatus(
        .init(status: status, position: known(message.songPosition), length: length)), moment)
  }

  private mutating func track(
    _ attributes: [AudioEvent.Attribute], on id: ChannelID, _ moment: Moment
  ) {
    let known = attributes.filter { !$0.text.isEmpty }
    guard !known.isEmpty, remotes[id, default: AVCTPState()].track != known else { return }
    remotes[id]?.track = known
    tell(.track(.init(attributes: known)), moment)
  }

  // MARK: Reading

  /// What the fields in `tree` say, which stand in `bytes`.
  func remoteMessage(_ bytes: RawSpan) -> AVRCPMessage {
    let paths = Paths.AVRCP.all
    var message = AVRCPMessage()
    var (attribute, setting): (UInt32, UInt8) = (0, 0)
    // A PDU holds at most 255 of anything.
    for node in tree.nodes {
      let octet = UInt8(truncatingIfNeeded: node.value)
      let word = UInt32(truncatingIfNeeded: node.value)
      switch node.field {
      case paths.transaction: message.label = octet
      case paths.kind: message.isResponse = octet == 1
      case paths.type: message.type = octet
      case paths.opcode: message.opcode = octet
      case paths.pdu: message.pdu = octet
      case paths.packetType: message.packetType = octet
      case paths.state: message.isReleased = octet == 1
      case paths.operation: message.operation = octet
      case paths.status: message.status = octet
      case paths.capability: message.capability = octet
      case paths.event: message.events.append(octet)
      case paths.attribute: attribute = word
      case paths.value:
        message.attributes.append(
          AudioEvent.Attribute(id: attribute, text: catalog.string(node, of: bytes)))
      case paths.setting: setting = octet
      case _ where paths.settingValues.contains(node.field):
        message.settings.append(AudioEvent.Setting(attribute: setting, value: octet))
      case paths.playStatus: message.playStatus = octet
      case paths.songPosition: message.songPosition = word
      case paths.songLength: message.songLength = word
      case paths.volume: message.volume = octet
      case paths.battery: message.battery = octet
      case paths.systemStatus: message.systemStatus = octet
      case paths.player: message.player = UInt16(truncatingIfNeeded: node.value)
      case paths.items: message.items = Int(word)
      default: break
      }
    }
    return message
  }
}
