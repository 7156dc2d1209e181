import HarkCore

// The time an ATT transaction may take. Core Specification, Vol 3, Part F, 3.3.3.
extension ATTState {
  /// In nanoseconds.
  static let transactionTimeout: Int64 = 30_000_000_000

  /// The side whose request has waited for too long without a word of it.
  func overdueSide(at time: Timestamp) -> Int? {
    requests.indices.first { side in
      // Each packet of a bearer asks: field by field nothing is copied.
      guard let sent = requests[side]?.moment.time, requests[side]?.isOverdue == false
      else { return false }
      return time.since(sent) >= Self.transactionTimeout
    }
  }
}

extension Session {
  /// Tells of the requests that nobody answered in time.
  mutating func expireRequests(_ link: LinkID, _ moment: Moment) {
    while let side = linkTable[link].att.overdueSide(at: moment.time),
      let request = linkTable[link].att.requests[side]
    {
      linkTable[link].att.requests[side]?.isOverdue = true
      emit(
        .requestTimeout(request: request.opcode, handle: request.handle), moment,
        frames: Event.Frames(PacketID(request.packet)), severity: .error)
    }
  }
}
