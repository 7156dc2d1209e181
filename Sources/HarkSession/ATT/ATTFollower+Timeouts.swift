import HarkCore
import HarkDissection

// The time an ATT transaction may take. Core Specification, Vol 3, Part F, 3.3.3.
extension ATTState {
  /// In nanoseconds.
  static let transactionTimeout: Int64 = 30_000_000_000

  /// The side whose request has waited too long and has not been reported yet.
  /// - Parameter secured: When pairing or encryption last made progress: a server may delay a response until they
  ///   finish, and a user may have to agree. Part C, 10.3.1
  /// - Parameter clock: How long requests from before its last step wait is unknown.
  func overdueSide(at time: Timestamp, secured: Timestamp?, _ clock: Session.Clock) -> Int? {
    requests.indices.first { side in
      // This runs for each packet of a bearer: a request must not be copied.
      guard
        let sent = earlier[side].isEmpty
          ? requests[side]?.awaitedSince : earlier[side][0].awaitedSince
      else { return false }
      let packet = earlier[side].isEmpty ? requests[side]?.packet : earlier[side][0].packet
      guard clock.isTimeKnown(since: PacketID(packet ?? 0)) else { return false }
      // A time later than now is from before the clock was set back.
      let start = secured.map { $0 > time ? sent : max(sent, $0) } ?? sent
      return time.since(start) >= Self.transactionTimeout
    }
  }

  /// Whether a request or an indication of either side has no answer yet.
  var isWaiting: Bool {
    for side in requests.indices where requests[side] != nil { return true }
    for side in indications.indices where indications[side] != nil { return true }
    return false
  }

  /// The side whose indication has waited too long for its confirmation.
  func unconfirmedSide(at time: Timestamp, _ clock: Session.Clock) -> Int? {
    indications.indices.first { side in
      // This runs for each packet of a bearer that waits: few indications are copied.
      guard indications[side] != nil, confirmations[side].isEmpty,
        let oldest = oldestIndication(side), !oldest.isOverdue,
        clock.isTimeKnown(since: oldest.moment.packet)
      else { return false }
      return time.since(oldest.moment.time) >= Self.transactionTimeout
    }
  }

  /// The first indication of a side without a confirmation.
  func oldestIndication(_ side: Int) -> Indication? {
    earlierIndications[side].first ?? indications[side]
  }
}

extension ATTFollower {
  /// Reports an answer to a request that was reported as unanswered.
  mutating func reportLate(
    _ opcode: ATTPDU.Opcode, _ handle: UInt16, _ packet: PacketID, _ sent: Timestamp,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    // The server answers requests, the client confirms indications.
    let isLocal = (moment.direction == .hostToController) == (opcode.kind == .request)
    tables.emit(
      .attribute(
        .answeredLate(
          .init(
            pdu: opcode, handle: handle,
            nanoseconds: tables.counts.elapsed(since: sent, in: packet, moment), isLocal: isLocal))
      ),
      moment,
      frames: Event.Frames(packet, moment.packet, count: 2), severity: .warning)
  }

  /// Reports the requests that were not answered in time, and the indications that were not confirmed.
  mutating func expireRequests(_ link: LinkID, _ moment: PacketContext, _ tables: inout Tables) {
    if !tables.links[link].att.isWaiting { return }
    expireOverdue(link, moment, &tables)
  }

  /// A separate function, because every packet checks whether anything is pending.
  @inline(never)
  private mutating func expireOverdue(
    _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    while let side = tables.links[link].att.overdueSide(
      at: moment.time, secured: tables.links[link].securedAt, tables.counts.clock),
      let request = tables.links[link].att.pending(side).first
    {
      if !tables.links[link].att.undecided[side].isEmpty {
        tables.links[link].att.keep([], side)
        continue
      }
      if tables.links[link].att.earlier[side].isEmpty {
        tables.links[link].att.requests[side]?.isOverdue = true
      } else {
        tables.links[link].att.earlier[side][0].isOverdue = true
      }
      tables.emitMissing(
        .attribute(
          .requestTimeout(
            .init(
              pdu: request.opcode, handle: request.handle,
              isLocal: request.moment.direction == .controllerToHost,
              bearer: bearer(link, tables)))), moment,
        of: Event.Frames(PacketID(request.packet)), severity: .error)
    }
    // Sniffers miss confirmations.
    while tables.links[link].air == nil,
      let side = tables.links[link].att.unconfirmedSide(
        at: moment.time, tables.counts.clock),
      let indication = tables.links[link].att.oldestIndication(side)
    {
      if tables.links[link].att.earlierIndications[side].isEmpty {
        tables.links[link].att.indications[side]?.isOverdue = true
      } else {
        tables.links[link].att.earlierIndications[side][0].isOverdue = true
      }
      tables.emitMissing(
        .attribute(
          .requestTimeout(
            .init(
              pdu: .handleValueIndication, handle: indication.handle,
              isLocal: indication.moment.direction == .hostToController,
              bearer: bearer(link, tables)))), moment,
        of: Event.Frames(indication.moment.packet), severity: .error)
    }
  }

  /// The bearer that is followed, if the link has others.
  private func bearer(
    _ link: LinkID, _ tables: borrowing Tables
  ) -> AttributeEvent.RequestTimeout.Bearer? {
    if let channel = tables.links[link].att.channel {
      let it = tables.channels[Int(channel.index)]
      return it.limits == nil ? nil : .channel(it)
    }
    return tables.links[link].bearers.isEmpty ? nil : .fixed
  }
}

extension Tables {
  /// Pairing or encryption makes progress on the link that the packet is about.
  mutating func secures(_ moment: PacketContext) {
    if let link = moment.link { links[link].securedAt = moment.time }
  }
}
