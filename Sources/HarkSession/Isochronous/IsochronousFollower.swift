import HarkCore
import HarkDissection

/// Isochronous streams: CISes, BISes and their data. Core Specification, Vol 4, Part E.
struct IsochronousFollower {
  var states: [Key: State] = [:]
  var streams = IsochronousStreams()

  // MARK: Streams

  /// Subevents of the LE Meta event. 7.7.65
  mutating func take(
    _ event: LEIsochronousEvent, _ moment: inout PacketContext, _ tables: inout Tables,
    _ periodic: inout PeriodicFollower
  ) {
    switch event {
    case .cisEstablished(let stream):
      moment.link = linkOfStream(stream.handle, moment)
      established(stream, moment, &tables)
    case .cisRequest(let request):
      let name = IsochronousEvent.Name(cig: request.cig, cis: request.cis)
      streams.name(request.handle, moment.controller, name)
      streams.connect(request.handle, moment.controller, to: moment.link)
      tables.emit(.isochronous(.requested(.init(handle: request.handle, name: name))), moment)
    // The handle in the event may have been that of another stream.
    case .createBIGComplete(let group):
      moment.link = nil
      began(group, isOurs: true, moment, &tables, &periodic)
    case .bigSyncEstablished(let group):
      moment.link = nil
      began(group, isOurs: false, moment, &tables, &periodic)
    case .terminateBIGComplete(let big, let reason):
      groupEnded(big, isOurs: true, reason: reason, moment, &tables, periodic)
    case .bigSyncLost(let big, let reason):
      groupEnded(big, isOurs: false, reason: reason, moment, &tables, periodic)
    }
  }

  private mutating func established(
    _ stream: LEIsochronousEvent.CISEstablished, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let handle = stream.handle
    guard stream.status == 0 else {
      return tables.emit(
        .isochronous(.failed(.init(handle: handle, status: stream.status))), moment,
        severity: .error)
    }
    begin(handle, moment, &tables)
    let role = linkOfStream(handle, moment).flatMap { tables.links[$0].role }
    if let out = stream.toPeripheral.maxSDU, let back = stream.toCentral.maxSDU, let role {
      streams.limit(
        handle, moment.controller, maxSDU: role == .central ? [out, back] : [back, out])
    }
    let name = streams[moment.controller, handle]?.name
    open(
      handle, on: linkOfStream(handle, moment), device: nil,
      name: name.map { "CIG \($0.cig), CIS \($0.cis)" }, moment, &tables)
    tables.emit(
      .isochronous(
        .established(
          .init(
            handle: handle, name: name,
            interval: stream.isoInterval,
            toPeripheral: .init(
              latency: stream.toPeripheral.latency, phy: stream.toPeripheral.phy,
              maxPDU: stream.toPeripheral.maxPDU),
            toCentral: .init(
              latency: stream.toCentral.latency, phy: stream.toCentral.phy,
              maxPDU: stream.toCentral.maxPDU)))), moment)
  }

  private mutating func began(
    _ group: LEIsochronousEvent.BIG, isOurs: Bool, _ moment: PacketContext, _ tables: inout Tables,
    _ periodic: inout PeriodicFollower
  ) {
    let device = isOurs ? nil : periodic.broadcaster(ofGroup: group.big, moment)
    guard group.status == 0 else {
      return tables.emit(
        .isochronous(
          .groupFailed(.init(big: group.big, isOurs: isOurs, status: group.status))), moment,
        severity: .error, device: device)
    }
    for stream in group.handles {
      begin(stream, moment, &tables)
      streams.forget(stream, moment.controller)
      open(stream, on: nil, device: device, name: "BIG \(group.big)", moment, &tables)
    }
    streams.began(
      .init(moment.controller, group.big),
      .init(handles: group.handles, isOurs: isOurs, device: device))
    tables.emit(
      .isochronous(
        .group(
          .init(
            big: group.big, isOurs: isOurs, interval: group.isoInterval, maxPDU: group.maxPDU,
            handles: group.handles))), moment, device: device)
  }

  /// - Parameter periodic: Knows the broadcaster of a group whose beginning is not in the capture.
  private mutating func groupEnded(
    _ big: UInt8, isOurs: Bool, reason: UInt8, _ moment: PacketContext, _ tables: inout Tables,
    _ periodic: borrowing PeriodicFollower
  ) {
    // The sync handle may be that of another train by now.
    let group = groupClosed(big, reason: reason, moment, &tables)
    let device = group.map(\.device) ?? periodic.broadcaster(ofGroup: big, moment)
    let isOrdered = HCIErrorCode(rawValue: reason) == .connectionTerminatedByLocalHost
    tables.emit(
      .isochronous(.groupEnded(.init(big: big, isOurs: isOurs, reason: reason))), moment,
      severity: isOrdered ? .info : .warning, device: isOurs ? nil : device)
  }

  /// HCI_LE_BIG_Terminate_Sync, whose answer alone reports the end. 7.8.107
  mutating func syncTerminated(
    _ big: UInt8, _ moment: PacketContext, _ tables: inout Tables,
    _ periodic: borrowing PeriodicFollower
  ) {
    groupEnded(
      big, isOurs: false, reason: HCIErrorCode.connectionTerminatedByLocalHost.rawValue, moment,
      &tables, periodic)
  }

  /// HCI_Disconnection_Complete of a CIS. 7.7.5
  mutating func ended(
    _ complete: HCIConnectionEvent.DisconnectionComplete, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    ended(tables.links[link].handle, link, reason: complete.reason, moment, &tables)
  }

  mutating func ended(
    _ handle: UInt16, _ link: LinkID, reason: UInt8?, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    forget(handle, moment, &tables)
    close(link, reason: reason, moment, &tables)
    var moment = moment
    moment.link = linkOfStream(handle, moment)
    tables.emit(
      .isochronous(
        .ended(
          .init(
            handle: handle, reason: reason, isWithACL: tables.links[link].endedWithACL))), moment)
  }

  /// HCI_LE_Reject_CIS_Request. 7.8.102
  mutating func refused(
    _ handle: UInt16, reason: UInt8, _ moment: PacketContext, _ tables: inout Tables
  ) {
    var moment = moment
    moment.link = linkOfStream(handle, moment)
    tables.emit(
      .isochronous(.refused(.init(handle: handle, reason: reason))), moment, severity: .warning)
  }

  func hasState(_ handle: UInt16, _ moment: PacketContext) -> Bool {
    states[Self.key(handle, .hostToController, moment)] != nil
      || states[Self.key(handle, .controllerToHost, moment)] != nil
  }

  private static func key(
    _ handle: UInt16, _ direction: Direction, _ moment: PacketContext
  ) -> Key {
    Key(controller: moment.controller, handle: handle, direction: direction)
  }

  /// Forgets a handle: it is given to streams again.
  mutating func forget(_ handle: UInt16, _ moment: PacketContext, _ tables: inout Tables) {
    for direction in [Direction.hostToController, .controllerToHost] {
      let key = Self.key(handle, direction, moment)
      if let state = states[key] { reportLost(state, handle, moment, &tables) }
      states[key] = State()
    }
  }

  /// HCI_LE_Setup_ISO_Data_Path or HCI_LE_Remove_ISO_Data_Path: without a data path, the host has no SDUs, but their
  /// numbers go on. 7.8.109, 7.8.110
  mutating func dataPathChanged(_ command: HCICommandMessage, _ moment: PacketContext) {
    guard let handle = command.handle else { return }
    for direction in command.dataPathDirections {
      let key = Self.key(handle, direction, moment)
      states[key]?.sequence = nil
      states[key]?.hasReceived = false
    }
  }

  /// A handle is given to a stream: what is known about the handle was about another one, except for data that came
  /// before the event.
  private mutating func begin(_ handle: UInt16, _ moment: PacketContext, _ tables: inout Tables) {
    if tables.earlyLink(handle, .iso, moment) == nil { forget(handle, moment, &tables) }
  }

  // MARK: Data

  /// An ISO data packet. 5.4.5
  mutating func data(
    _ bytes: RawSpan, _ facts: Facts, _ moment: PacketContext, _ tables: inout Tables
  ) {
    // Without directions the numbers of both would be taken for one's.
    guard !moment.isUndirected, bytes.byteCount >= 4 else { return }
    let packet = HCIISOPacket(bytes, isCut: moment.isTruncated)
    let handle = packet.handle
    let key = Self.key(handle, moment.direction, moment)
    guard !facts.isMalformed, !moment.isTruncated else {
      // What it had was not read: the next one is compared with nothing.
      var state = states[key] ?? State()
      (state.sequence, state.sdu, state.isRestExpected) = (nil, nil, true)
      states[key] = state
      return
    }
    var state = states[key] ?? State()
    defer { states[key] = state }
    guard packet.isFirst else {
      guard var sdu = state.sdu else {
        return state.rest(isLast: packet.isLast) {
          tables.emit(
            .capture(.orphanFragment(.init(count: packet.sduOctets))), moment, severity: .warning)
        }
      }
      sdu.found += packet.sduOctets
      state.sdu = packet.isLast ? nil : sdu
      if packet.isLast { check(sdu, handle, moment, &tables) }
      return
    }
    if let sdu = state.sdu { check(sdu, handle, moment, &tables) }
    (state.sdu, state.isRestExpected) = (nil, false)
    guard let sequence = packet.sequence, let expected = packet.sduLength else { return }
    if let last = state.sequence {
      order(
        sequence, after: last, packet.timestamp, after: state.timestamp, handle, moment, &tables)
    }
    (state.sequence, state.timestamp) = (sequence, packet.timestamp)
    if let most = streams[moment.controller, handle]?.maxSDU?[moment.side], expected > most,
      !state.isTooLong
    {
      state.isTooLong = true
      warn(
        .sduTooLong(.init(handle: handle, length: expected, most: most)), handle, moment, &tables)
    }
    // A controller reports what it did not receive, but a host only sends what it has.
    if moment.isFromPeer, !packet.isValid {
      state.lost += 1
      if packet.isDoubtful { state.doubtful += 1 }
    } else {
      reportLost(state, handle, moment, isBetween: state.hasReceived, &tables)
      (state.lost, state.doubtful, state.hasReceived) = (0, 0, true)
    }
    let sdu = (expected: Int(expected), found: packet.sduOctets)
    if packet.isLast {
      check(sdu, handle, moment, &tables)
    } else {
      state.sdu = sdu
    }
  }

  /// Whether number and time of an SDU follow those of the one before.
  private mutating func order(
    _ sequence: UInt16, after last: UInt16, _ timestamp: UInt32?, after lastTimestamp: UInt32?,
    _ handle: UInt16, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let step = sequence &- last
    // A number that goes back was restarted.
    guard step > 0, step < 0x8000 else { return }
    if step > 1 {
      let isSent = moment.direction == .hostToController
      warn(
        .gap(.init(handle: handle, missing: Int(step) - 1, isSent: isSent)), handle, moment, &tables
      )
    }
    if let timestamp, let lastTimestamp {
      let back = lastTimestamp &- timestamp
      // Time_Stamps wrap; half of their range is ahead.
      if back < 0x8000_0000 {
        warn(.timestampBack(.init(handle: handle, microseconds: back)), handle, moment, &tables)
      }
    }
  }

  private mutating func check(
    _ sdu: (expected: Int, found: Int), _ handle: UInt16, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard sdu.expected != sdu.found else { return }
    warn(
      .sduLength(.init(handle: handle, expected: sdu.expected, found: sdu.found)), handle, moment,
      &tables)
  }

  private mutating func reportLost(
    _ state: State, _ handle: UInt16, _ moment: PacketContext,
    isBetween: Bool = false, _ tables: inout Tables
  ) {
    guard state.lost > 0 else { return }
    warn(
      .lost(
        .init(
          handle: handle, count: state.lost, doubtful: state.doubtful, isBetween: isBetween)),
      handle, moment, &tables)
  }

  private mutating func warn(
    _ event: IsochronousEvent, _ handle: UInt16, _ moment: PacketContext, _ tables: inout Tables
  ) {
    var moment = moment
    moment.link = linkOfStream(handle, moment)
    tables.emit(.isochronous(event), moment, severity: .warning)
  }

  /// The capture ends, or a controller is reset: reports what was lost.
  mutating func end(_ moment: PacketContext, of controller: UInt16? = nil, _ tables: inout Tables) {
    var moment = moment
    let ended = states.keys.filter { controller == nil || $0.controller == controller }
    for key in ended.sorted(by: { $0.order < $1.order }) {
      guard let state = states.removeValue(forKey: key) else { continue }
      moment.controller = key.controller
      reportLost(state, key.handle, moment, &tables)
    }
  }

  /// HCI_Reset, or the end of a controller, ends all its streams. 7.3.2
  mutating func reset(
    by cause: Link.ControllerEnd, _ moment: PacketContext, _ tables: inout Tables
  ) {
    end(moment, of: moment.controller, &tables)
    closeAll(by: cause, moment, &tables)
    streams.forget(controller: moment.controller)
  }
}

extension IsochronousFollower {
  /// One direction of a stream.
  struct State: Sendable {
    var sequence: UInt16?
    var timestamp: UInt32?
    /// What the fragments of the SDU under way are to have, and what they have.
    var sdu: (expected: Int, found: Int)?
    /// Whether fragments may follow whose SDU is not known, which is not reported, or not again.
    var isRestExpected = false
    /// Whether an SDU longer than Max_SDU was reported.
    var isTooLong = false
    /// How many SDUs in a row were not received, or may be invalid.
    var lost = 0
    /// How many of those may be invalid.
    var doubtful = 0
    /// Whether one was received before those.
    var hasReceived = false

    /// A fragment of an SDU whose beginning is not in the capture: calls `report` for the first one.
    mutating func rest(isLast: Bool, _ report: () -> Void) {
      if !isRestExpected { report() }
      isRestExpected = !isLast
    }
  }

  /// Which direction of which stream.
  struct Key: Hashable, Sendable {
    let controller: UInt16
    let handle: UInt16
    let direction: Direction

    var order: (UInt16, UInt16, UInt8) { (controller, handle, direction.rawValue) }
  }
}
