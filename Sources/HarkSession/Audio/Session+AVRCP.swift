import HarkCore
import HarkDissection

// What AVRCP tells: what is played, how loud, and what was asked for. AVRCP 1.6, 6.
extension Session {
  /// A whole message on the channel `id`, which fills `bytes`.
  mutating func remote(
    _ message: AVRCPMessage, _ bytes: RawSpan, isResponse: Bool, on id: ChannelID,
    _ moment: PacketContext
  ) {
    if message.opcode == .passThrough {
      // Both the press and the release are sent; 4.4.1.
      if !isResponse, !message.isReleased {
        tell(.operation(.init(operation: message.operation)), moment)
      }
      return
    }
    guard let identifier = message.identifier, identifier != 0 else { return }
    let pdu = AVRCPMessage.Identifier(rawValue: identifier)
    if !isResponse {
      if pdu == .setAbsoluteVolume, let volume = message.volume {
        remotes[id]?.volume = volume
        tell(.volume(.init(volume: volume, isRequest: true)), moment)
      }
      return
    }
    if message.isRejected {
      tell(
        .remoteRejected(.init(pdu: identifier, status: message.status ?? 0)), moment,
        severity: .warning)
      return
    }
    switch pdu {
    case .getCapabilities:
      guard message.hasEvents else { return }
      tell(.notifications(.init(events: message.events, isLocal: moment.side == 0)), moment)
    case .getCurrentPlayerApplicationSettingValue: settings(message, moment)
    case .getElementAttributes: track(message, bytes, on: id, moment)
    case .getPlayStatus: playing(message, on: id, moment)
    case .registerNotification: notified(message, on: id, moment)
    case .setAbsoluteVolume: volume(message.volume, on: id, moment)
    case .getFolderItems, .search:
      if let items = message.items {
        tell(.items(.init(pdu: identifier, count: items)), moment)
      }
    case nil: break
    }
  }

  /// 6.7.2: an interim response says how it is, a changed one how it has become.
  private mutating func notified(
    _ message: AVRCPMessage, on id: ChannelID, _ moment: PacketContext
  ) {
    guard let event = message.event else { return }
    switch AVRCPMessage.Event(rawValue: event) {
    case .playbackStatusChanged: playing(message, on: id, moment)
    // 0xFFFFFFFF: nothing is selected. 6.7.2
    case .playbackPosChanged:
      if let position = message.songPosition {
        tell(.position(.init(milliseconds: position == .max ? nil : position)), moment)
      }
    case .battStatusChanged:
      if let battery = message.battery { tell(.battery(.init(status: battery)), moment) }
    case .systemStatusChanged:
      if let status = message.systemStatus { tell(.system(.init(status: status)), moment) }
    case .playerApplicationSettingChanged: settings(message, moment)
    case .addressedPlayerChanged:
      if let player = message.player { tell(.addressedPlayer(.init(player: player)), moment) }
    case .volumeChanged: volume(message.volume, on: id, moment)
    case .trackChanged, .trackReachedEnd, .trackReachedStart, .nowPlayingContentChanged,
      .availablePlayersChanged, .uidsChanged, nil:
      if message.type == .changed { tell(.changed(.init(event: event)), moment) }
    }
  }

  private mutating func settings(_ message: AVRCPMessage, _ moment: PacketContext) {
    let settings = message.playerSettings
    if !settings.isEmpty { tell(.settings(.init(settings: settings)), moment) }
  }

  /// Tells of a volume that was not told before.
  private mutating func volume(_ volume: UInt8?, on id: ChannelID, _ moment: PacketContext) {
    guard let volume, remotes[id, default: AVCTPState()].volume != volume else { return }
    remotes[id]?.volume = volume
    tell(.volume(.init(volume: volume, isRequest: false)), moment)
  }

  /// Controllers poll: what has not changed is not told again.
  private mutating func playing(
    _ message: AVRCPMessage, on id: ChannelID, _ moment: PacketContext
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
    _ message: AVRCPMessage, _ bytes: RawSpan, on id: ChannelID, _ moment: PacketContext
  ) {
    let known = Self.attributes(message, bytes).filter { !$0.text.isEmpty }
    guard !known.isEmpty, remotes[id, default: AVCTPState()].track != known else { return }
    remotes[id]?.track = known
    tell(.track(.init(attributes: known)), moment)
  }

  private static func attributes(
    _ message: AVRCPMessage, _ bytes: RawSpan
  ) -> [AudioEvent.Attribute] {
    // A loop, as closures cannot take the bytes along.
    var attributes: [AudioEvent.Attribute] = []
    for attribute in message.attributes {
      attributes.append(.init(id: attribute.id, text: bytes.utf8(attribute.value)))
    }
    return attributes
  }
}

extension AVRCPMessage {
  fileprivate var playerSettings: [AudioEvent.Setting] {
    settings.map { AudioEvent.Setting(attribute: $0.attribute, value: $0.value) }
  }
}
