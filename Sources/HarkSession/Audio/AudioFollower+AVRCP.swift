import HarkCore
import HarkDissection

// What AVRCP reports: the track, the volume, and requests. AVRCP 1.6, 6.
extension AudioFollower {
  /// A complete message on the channel `id`, which fills `bytes`.
  mutating func remote(
    _ message: AVRCPMessage, _ bytes: RawSpan, isResponse: Bool, on id: ChannelID,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    if message.opcode == .passThrough {
      // Both the press and the release are sent; 4.4.1.
      guard !message.isReleased else { return }
      if !isResponse {
        report(
          .operation(
            .init(
              operation: message.operation,
              byPeer: moment.isSenderKnown ? moment.isFromPeer : nil)), moment, &tables)
      } else if message.isNotImplemented || message.isRejected {
        report(
          .operationRefused(
            .init(
              operation: message.operation, isNotImplemented: message.isNotImplemented,
              byPeer: moment.isFromPeer)), moment, severity: .warning, &tables)
      }
      return
    }
    guard let identifier = message.identifier, identifier != 0 else { return }
    let pdu = AVRCPMessage.Identifier(rawValue: identifier)
    if !isResponse {
      if pdu == .setAbsoluteVolume, let volume = message.volume {
        let owner = 1 - moment.side
        remotes[id]?.requestedVolumes[owner] = volume
        report(
          .volume(.init(volume: volume, isRequest: true, isLocal: owner == 0)), moment, &tables)
      }
      return
    }
    if message.isNotImplemented || message.isRejected {
      // A client requests items until there are no more: Range Out of Bounds. 6.10.4.2, 6.15.3
      let isEndOfList = pdu == .getFolderItems && message.isOutOfBounds
      report(
        .remoteRejected(
          .init(
            pdu: identifier, status: message.status ?? 0,
            isNotImplemented: message.isNotImplemented)), moment,
        severity: isEndOfList ? .info : .warning, &tables)
      return
    }
    switch pdu {
    case .getCapabilities:
      guard message.hasEvents else { return }
      report(
        .notifications(.init(events: message.events, isLocal: moment.side == 0)), moment, &tables)
    case .getCurrentPlayerApplicationSettingValue: settings(message, moment, &tables)
    case .getElementAttributes: track(message, bytes, on: id, moment, &tables)
    case .getPlayStatus: playing(message, on: id, moment, &tables)
    case .registerNotification: notified(message, on: id, moment, &tables)
    case .setAbsoluteVolume:
      // The volume that is set may be another one than was requested. 6.13.2
      let requested = remotes[id]?.requestedVolumes[moment.side]
      if let volume = message.volume, volume == requested {
        remotes[id]?.volumes[moment.side] = volume
      }
      volume(message.volume, on: id, moment, &tables)
    case .getFolderItems, .getTotalNumberOfItems, .search:
      if let items = message.items {
        report(.items(.init(pdu: identifier, count: items)), moment, &tables)
      }
    case nil: break
    }
  }

  /// 6.7.2: an interim response contains the current value, a changed one the new value.
  private mutating func notified(
    _ message: AVRCPMessage, on id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let event = message.event else { return }
    switch AVRCPMessage.Event(rawValue: event) {
    case .playbackStatusChanged: playing(message, on: id, moment, &tables)
    // 0xFFFFFFFF: nothing is selected. 6.7.2
    case .playbackPosChanged:
      if let position = message.songPosition {
        report(
          .position(
            .init(
              milliseconds: position == .max ? nil : position, isLocal: moment.side == 0)),
          moment, &tables)
      }
    case .battStatusChanged:
      if let battery = message.battery { report(.battery(.init(status: battery)), moment, &tables) }
    case .systemStatusChanged:
      if let status = message.systemStatus {
        report(.system(.init(status: status)), moment, &tables)
      }
    case .playerApplicationSettingChanged: settings(message, moment, &tables)
    case .addressedPlayerChanged:
      if let player = message.player {
        report(.addressedPlayer(.init(player: player)), moment, &tables)
      }
    case .volumeChanged: volume(message.volume, on: id, moment, &tables)
    case .trackChanged, .trackReachedEnd, .trackReachedStart, .nowPlayingContentChanged,
      .availablePlayersChanged, .uidsChanged, nil:
      if message.type == .changed { report(.changed(.init(event: event)), moment, &tables) }
    }
  }

  private mutating func settings(
    _ message: AVRCPMessage, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let settings = message.playerSettings
    if !settings.isEmpty { report(.settings(.init(settings: settings)), moment, &tables) }
  }

  /// Reports a volume that has not been reported yet.
  private mutating func volume(
    _ volume: UInt8?, on id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let owner = moment.side
    guard let volume, remotes[id, default: AVCTPState()].volumes[owner] != volume else { return }
    remotes[id]?.volumes[owner] = volume
    report(
      .volume(.init(volume: volume, isRequest: false, isLocal: owner == 0)), moment, &tables)
  }

  /// Controllers poll: unchanged values are not reported again.
  private mutating func playing(
    _ message: AVRCPMessage, on id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let status = message.playStatus else { return }
    // 0xFFFFFFFF: not supported. 6.7.1
    let known = { (time: UInt32?) in time == .max ? nil : time }
    let length = known(message.songLength)
    let owner = moment.side
    let before = remotes[id, default: AVCTPState()].players[owner]
    if before.status == status, length == nil || before.length == length { return }
    remotes[id]?.players[owner].status = status
    if let length { remotes[id]?.players[owner].length = length }
    report(
      .playStatus(
        .init(
          status: status, position: known(message.songPosition), length: length,
          isLocal: owner == 0)), moment, &tables)
  }

  private mutating func track(
    _ message: AVRCPMessage, _ bytes: RawSpan, on id: ChannelID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let known = Self.attributes(message, bytes).filter { !$0.text.isEmpty }
    let owner = moment.side
    guard !known.isEmpty, remotes[id, default: AVCTPState()].players[owner].track != known
    else { return }
    remotes[id]?.players[owner].track = known
    report(.track(.init(attributes: known, isLocal: owner == 0)), moment, &tables)
  }

  private static func attributes(
    _ message: AVRCPMessage, _ bytes: RawSpan
  ) -> [AudioEvent.Attribute] {
    // A loop, because closures cannot capture the bytes.
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
