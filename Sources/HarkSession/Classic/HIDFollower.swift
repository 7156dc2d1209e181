import HarkCore
import HarkDissection

/// Follows HID.
struct HIDFollower {
  /// Counts DATA of input reports: the user's input. 3.1.2.9
  mutating func input(_ bytes: RawSpan, _ tables: inout Tables) {
    if bytes.byteCount > 1, HIDPMessage(bytes) == .data(.input) { tables.counts.inputReports += 1 }
  }

  // MARK: The control channel. HID Profile 1.1.1, 3.1

  mutating func control(_ bytes: RawSpan, _ moment: PacketContext, _ tables: inout Tables) {
    guard let link = moment.link, bytes.byteCount > 0 else { return }
    tables.record.hidRequest = tables.hid.pending[link]
    switch HIDPMessage(bytes) {
    case .handshake(let result):
      let pending = tables.hid.pending.removeValue(forKey: link)
      guard result != HIDPMessage.successful else { return accepted(link, moment, &tables) }
      tables.hid.asked[link] = nil
      tables.emit(
        .hid(.refused(.init(transaction: pending?.rawValue, result: result))), moment,
        severity: .warning)
    case .control(let operation):
      tables.emit(
        .hid(
          .control(.init(operation: operation, byPeer: moment.isFromPeer))),
        moment)
    case .setProtocol(let isBoot):
      // A host that goes on has got an answer, which the capture lacks.
      accepted(link, isAnswered: false, moment, &tables)
      tables.hid.pending[link] = .setProtocol
      tables.hid.asked[link] = .init(isBoot: isBoot, packet: moment.packet)
    case .request(let transaction):
      accepted(link, isAnswered: false, moment, &tables)
      tables.hid.pending[link] = transaction
    // It answers GET_REPORT, GET_PROTOCOL and GET_IDLE.
    case .data:
      switch tables.hid.pending.removeValue(forKey: link) {
      case .getReport: input(bytes, &tables)
      case .getProtocol:
        if let isBoot = HIDPMessage.isBoot(answer: bytes) {
          tables.hid.use(boot: isBoot, on: link)
        }
      default: break
      }
    case .dataContinued, .other: break
    }
  }

  /// The device does what SET_PROTOCOL requests. 3.1.2.6
  private func accepted(
    _ link: LinkID, isAnswered: Bool = true, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let asked = tables.hid.asked.removeValue(forKey: link) else { return }
    tables.hid.use(boot: asked.isBoot, on: link)
    tables.emit(
      .hid(.protocolSet(.init(isBoot: asked.isBoot))), moment,
      frames: isAnswered
        ? Event.Frames(asked.packet, moment.packet, count: 2) : Event.Frames(asked.packet))
  }

  /// A device that connects again uses the Report Protocol.
  mutating func end(of id: ChannelID, _ tables: inout Tables) {
    let channel = tables.channels[Int(id.index)]
    guard FixedPSM(rawValue: channel.psm) == .hidControl else { return }
    tables.hid.pending[channel.link] = nil
    tables.hid.asked[channel.link] = nil
    tables.hid.bootLinks.remove(channel.link)
  }
}

extension Tables {
  // MARK: Which report it is

  /// The report of the attribute at `address`, if it is a Report.
  /// - Parameter type: The attribute's type.
  @inline(__always)
  func report(
    at address: AttributeAddress?, _ type: BluetoothUUID?, on link: LinkID?
  ) -> HIDReportContext {
    guard type?.is(.report) == true, let address, let link else { return HIDReportContext() }
    return report(
      at: address.handle, isLocal: address.client == .controllerToHost, on: link)
  }

  func report(at handle: UInt16, isLocal: Bool, on link: LinkID) -> HIDReportContext {
    let client: Direction = isLocal ? .controllerToHost : .hostToController
    guard let slot = databases.find(database(link, clientDirection: client)),
      databases.values[slot].type(of: handle)?.is(.report) == true
    else { return HIDReportContext() }
    return databases.values[slot].report(at: handle)
  }

  /// For a HID channel. Each packet states which report it is.
  func report(on id: ChannelID) -> HIDReportContext {
    let link = channels[Int(id.index)].link
    if hid.bootLinks.contains(link) { return HIDReportContext(HIDReports.boot) }
    let peer = hid.descriptors[database(link, clientDirection: .hostToController)]
    let own = hid.descriptors[database(link, clientDirection: .controllerToHost)]
    return HIDReportContext(peer ?? own)
  }

  // MARK: Report descriptors

  /// The value of a Report Reference. HID Service 1.0, 2.5.3.2
  mutating func learnReportReference(
    _ handle: UInt16, _ value: RawSpan, _ key: Session.DatabaseKey, _ moment: PacketContext
  ) {
    guard !moment.isTruncated, let reference = HIDReportReference(value),
      let owner = databases[key].characteristic(owning: handle)
    else { return }
    databases[key].hid.learn(type: reference.type, id: reference.id, at: owner.handle)
  }

  /// A part of a Report Map that was read. Hosts read other attributes between its parts.
  mutating func learnReportMap(
    _ request: ATTState.Request, _ value: RawSpan, _ link: LinkID, _ key: Session.DatabaseKey,
    _ moment: PacketContext
  ) {
    guard !moment.isTruncated, databases[key].type(of: request.handle)?.is(.reportMap) == true,
      let whole = databases[key].hid.add(
        value, Int(request.offset), at: request.handle,
        isLast: value.byteCount + 1 < Int(links[link].mtu)),
      let reports = HIDReports.kept(whole.raw)
    else { return }
    learn(reports, at: request.handle, of: key, moment)
  }

  /// Takes what a complete Report Map says.
  mutating func learn(
    _ reports: HIDReports, at handle: UInt16, of key: Session.DatabaseKey, _ moment: PacketContext
  ) {
    guard databases[key].hid.learn(reports, at: handle) else { return }
    let isLocal = moment.direction == .hostToController
    emit(.hid(.reports(.init(reports, isLocal: isLocal, byGATT: true))), moment)
  }

  /// The report descriptor of a service record. HID Profile 1.1.1, 5.3.4.7
  mutating func learnReports(
    _ descriptor: RawSpan, packets: [UInt32], _ owner: Session.DatabaseKey, _ moment: PacketContext
  ) {
    guard let reports = HIDReports.kept(descriptor), hid.descriptors[owner] !== reports
    else { return }
    hid.descriptors[owner] = reports
    emit(
      .hid(
        .reports(.init(reports, isLocal: moment.direction == .hostToController, byGATT: false))),
      moment,
      frames: Event.Frames(packets.map { PacketID($0) }, or: moment.packet))
  }
}
