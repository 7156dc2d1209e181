import HarkCore

// The time an ATT transaction may take. Core Specification, Vol 3, Part F, 3.3.3.
extension ATTState {
  /// In nanoseconds.
  static let transactionTimeout: Int64 = 30_000_000_000

  /// The side whose request has waited for too long without a word of it.
  /// - Parameter secured: When pairing or encryption went on last: a server may keep a request until they
  ///   are through, and a user may have to agree. Part C, 10.3.1
  func overdueSide(at time: Timestamp, secured: Timestamp?) -> Int? {
    requests.indices.first { side in
      // Each packet of a bearer asks: field by field nothing is copied.
      guard let sent = requests[side]?.moment.time, requests[side]?.isOverdue == false
      else { return false }
      return time.since(max(sent, secured ?? sent)) >= Self.transactionTimeout
    }
  }
}

extension Session {
  /// Packets of several sources may change places by so much, in nanoseconds.
  private static let mostDisorder: Int64 = 1_000_000_000

  /// Looks whether the capture's clock goes back to the time of the next record.
  mutating func checkClock(_ time: Timestamp) {
    if let last = counts.lastTime, last.since(time) > Self.mostDisorder { isClockSetBack = true }
  }

  /// Pairing or encryption goes on, on the link that the packet is about.
  mutating func secures(_ moment: Moment) {
    if let link = moment.link { linkTable[link].securedAt = moment.time }
  }

  /// Tells of an answer to a request that was told to have none.
  mutating func tellLate(_ request: ATTState.Request, _ moment: Moment) {
    emit(
      .answeredLate(
        request: request.opcode, handle: request.handle,
        nanoseconds: moment.time.since(request.moment.time)), moment,
      frames: Event.Frames(PacketID(request.packet), moment.packet, count: 2), severity: .warning)
  }

  /// Tells of the requests that nobody answered in time.
  mutating func expireRequests(_ link: LinkID, _ moment: Moment) {
    if isClockSetBack { return }
    while let side = linkTable[link].att.overdueSide(
      at: moment.time, secured: linkTable[link].securedAt),
      let request = linkTable[link].att.requests[side]
    {
      linkTable[link].att.requests[side]?.isOverdue = true
      emit(
        .requestTimeout(request: request.opcode, handle: request.handle), moment,
        frames: Event.Frames(PacketID(request.packet)), severity: .error)
    }
  }
}
