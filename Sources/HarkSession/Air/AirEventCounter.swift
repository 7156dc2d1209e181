import HarkDissection

/// Counts the connection events of a connection: changes take effect at the event that they name as their instant.
/// Core Specification, Vol 6, Part B, 4.5.1 and 5.1
struct AirEventCounter {
  /// connEventCount of the last packet; nil while it is unknown.
  private(set) var count: UInt16?

  /// An event, and where its anchor point is.
  private struct Reference {
    var count: UInt16
    var time: AirTime
    /// From `time` on, in nanoseconds.
    var offset: Int64 = 0
    /// How far behind that the anchor point may be: in a transmit window, it is unknown until a packet is received.
    var width: Int64 = 0
  }

  private var reference: Reference?
  /// In nanoseconds.
  private var interval: Int64 = 0
  /// Of the Central, in parts per million.
  private var clockError: Int64 = 0
  /// An LL_CONNECTION_UPDATE_IND whose instant has not come.
  private var change: LLControlPDU.ConnectionParameters?
  /// The last count that the sniffer stated.
  private var stated: UInt16?
  private var isStatementWrong = false
  /// Whether a PDU of the Central was missed, which may have been an LL_CONNECTION_UPDATE_IND: with an interval that is a
  /// multiple of the old one, all anchor points still fit.
  private var mayLackChange = false

  /// Whether the true count may be a lower one.
  var isDoubtful: Bool { stated == nil && mayLackChange }

  /// How exact the times of sniffers are, and how inexact their clocks, in nanoseconds and parts per million.
  private static let jitter: Int64 = 1_000_000
  private static let snifferClockError: Int64 = 100
  /// Of WinSize and WinOffset, in nanoseconds.
  private static let windowUnit: Int64 = 1_250_000

  /// Takes the PDU that creates the connection.
  /// - Parameter delay: From the beginning of its packet to the earliest possible transmit window. 4.5.3
  mutating func begin(
    _ parameters: LLAdvertisingPDU.ConnectionParameters, at time: AirTime, delay: Int64
  ) {
    self = AirEventCounter()
    interval = Link.nanoseconds(interval: parameters.interval)
    clockError = parameters.clockError + Self.snifferClockError
    reference = Reference(
      count: 0, time: time, offset: delay + Int64(parameters.winOffset) * Self.windowUnit,
      width: Int64(parameters.winSize) * Self.windowUnit)
  }

  /// Takes the first packet received of a connection event.
  /// - Parameter isAnchor: Whether it is the Central's, which begins the event.
  mutating func take(at time: AirTime, isAnchor: Bool) {
    guard stated == nil, var reference else { return }
    let before = reference.count
    var place = place(time, reference)
    if let change, let found = place,
      Int(found.events) >= Int(change.instant &- reference.count)
    {
      // Old timing up to the instant, then the transmit window of the update. 5.1.1
      let events = Int64(change.instant &- reference.count)
      reference.count = change.instant
      reference.offset += events * interval + Int64(change.winOffset) * Self.windowUnit
      reference.width += Int64(change.winSize) * Self.windowUnit
      interval = Link.nanoseconds(interval: change.interval)
      self.change = nil
      self.reference = reference
      place = self.place(time, reference)
    }
    guard let place else { return lose() }
    let count = reference.count &+ UInt16(truncatingIfNeeded: place.events)
    guard isAnchor else {
      if place.phase <= interval / 2 { self.count = count }
      return
    }
    guard place.phase <= reference.width + place.tolerance,
      self.count == nil || self.count != count
    else { return lose() }
    self.count = count
    if count &- before > 1 { miss() }
    self.reference = Reference(count: count, time: time)
  }

  /// How many events after the reference a packet is, and how long after their earliest anchor point.
  /// Nil if that is ambiguous.
  private func place(
    _ time: AirTime, _ reference: Reference
  ) -> (events: Int64, phase: Int64, tolerance: Int64)? {
    guard let passed = time.since(reference.time) else { return nil }
    let elapsed = passed - reference.offset
    let tolerance = Self.jitter + max(0, elapsed) / 1_000_000 * clockError
    // In the first interval, nothing is ambiguous.
    guard elapsed >= -tolerance, interval > 0,
      elapsed < interval - tolerance
        || tolerance <= interval / 4 && reference.width + 2 * tolerance < interval
    else { return nil }
    let events = (elapsed + tolerance) / interval
    guard events < Int64(UInt16.max) / 2 else { return nil }
    return (events, elapsed - events * interval, tolerance)
  }

  /// Takes the count that the sniffer states. Programs that write such headers leave it at 0.
  mutating func state(_ stated: UInt16) {
    guard !isStatementWrong, self.stated != nil || stated != 0 else { return }
    if let last = self.stated, Int16(bitPattern: stated &- last) < 0 {
      isStatementWrong = true
      (count, self.stated, reference) = (nil, nil, nil)
      return
    }
    (count, self.stated) = (stated, stated)
  }

  /// Takes an LL_CONNECTION_UPDATE_IND whose instant comes.
  mutating func await(_ change: LLControlPDU.ConnectionParameters) { self.change = change }

  /// Takes that a PDU of the connection was missed.
  mutating func miss() { mayLackChange = true }

  /// Times contradict the count, or show it no longer.
  mutating func lose() {
    guard stated == nil else { return }
    (count, reference, change) = (nil, nil, nil)
  }
}

/// What a Link Layer announces for an instant. Core Specification, Vol 6, Part B, 5.1.1, 5.1.2, 5.1.10
struct AirChange {
  let content: LLControlPDU.Content
  /// As connEventCount.
  let instant: UInt16

  /// Nil if the PDU changes nothing at an instant.
  init?(_ content: LLControlPDU.Content) {
    switch content {
    case .connectionUpdateInd(let parameters): instant = parameters.instant
    case .channelMapInd(_, let instant): self.instant = instant
    case .phyUpdateInd(let toPeripheral, let toCentral, let instant):
      guard toPeripheral != nil || toCentral != nil else { return nil }
      self.instant = instant
    default: return nil
    }
    self.content = content
  }

  /// Whether the instant has passed when the PDU is received in event `count`: then the connection is lost. 5.1.1
  func isPast(at count: UInt16) -> Bool { instant &- count >= 32_767 }

  /// Whether it takes effect in event `count` or has done so before.
  func hasCome(at count: UInt16) -> Bool { count &- instant < 32_768 }
}
