import HarkCore

/// What ACAD says about a Broadcast Isochronous Group. Core Specification, Vol 6, Part B, 4.4.6.11
package struct BIGInfoMessage: Message, Equatable {
  package internal(set) var streams: UInt8 = 0
  /// In units of 1.25 ms.
  package internal(set) var isoInterval: UInt16 = 0
  package internal(set) var maxPDU: UInt16 = 0
  /// In microseconds.
  package internal(set) var sduInterval: UInt32 = 0
  package internal(set) var maxSDU: UInt16 = 0
  package internal(set) var seedAccessAddress: UInt32 = 0
  package internal(set) var baseCRCInit: UInt16 = 0
  package internal(set) var subevents = Subevents()
  /// As HCI numbers PHYs. Vol 4, Part E, 7.7.65.34
  package internal(set) var phy: UInt8 = 0
  package internal(set) var isEncrypted = false
  /// Nil if Burst_Number is 0, which the specification forbids.
  package internal(set) var nextEvent: Event?

  /// The BIG event that BIG_Offset points to.
  package struct Event: Equatable, Sendable {
    /// From the beginning of the packet to the anchor point of the event, in nanoseconds, without what BIG_Offset_Units
    /// rounds off.
    package let offset: Int64
    /// bigEventCounter: bisPayloadCount grows by Burst_Number with each event. 4.4.6.5, 4.4.6.11
    package let count: UInt64
  }

  /// What the subevents of a BIG event carry. 4.4.6.3 to 4.4.6.6
  package struct Subevents: Equatable, Sendable {
    /// NSE, of each BIS.
    package internal(set) var count: UInt64 = 0
    /// BN: the new payloads of an event.
    package internal(set) var burst: UInt64 = 0
    /// PTO: how many events ahead each group of pretransmissions is.
    package internal(set) var pretransmissionOffset: UInt64 = 0
    /// IRC: the groups of subevents that carry the payloads of their own event.
    package internal(set) var repetitions: UInt64 = 0
    /// Sub_Interval and BIS_Spacing, in nanoseconds.
    package internal(set) var interval: Int64 = 0
    package internal(set) var spacing: Int64 = 0

    /// Whether payloads are also sent in events before their own.
    package var hasPretransmissions: Bool {
      pretransmissionOffset > 0 && burst > 0 && count / burst > repetitions
    }

    /// The number of the payload that a BIS sends; nil if the time belongs to no subevent.
    /// - Parameters:
    ///   - event: bigEventCounter.
    ///   - time: From the anchor point of that event, in nanoseconds.
    package func payload(ofBIS number: UInt8, event: UInt64, at time: Int64) -> UInt64? {
      guard burst > 0, interval > 0, number > 0 else { return nil }
      // Times are those of beginnings, and BIG_Offset is rounded down: never early, but for the clocks.
      let place = time - Int64(number - 1) * spacing + Self.jitter
      guard place >= 0 else { return nil }
      let subevent = UInt64(place / interval)
      guard subevent < count else { return nil }
      let (group, part) = subevent.quotientAndRemainder(dividingBy: burst)
      let ahead = group < repetitions ? 0 : pretransmissionOffset * (group - repetitions + 1)
      let (first, overflows) = (event &+ ahead).multipliedReportingOverflow(by: burst)
      return overflows ? nil : first &+ part
    }

    /// How exact times are, in nanoseconds.
    private static let jitter: Int64 = 60_000
  }

  package init() {}

  /// What stays the same as long as the group exists.
  package var group: BIGInfoMessage {
    var group = self
    group.nextEvent = nil
    return group
  }

  /// The numbers of the BISes. 4.4.6.11
  package var bises: Range<UInt8> { 1..<min(streams, 31) + 1 }

  /// Reads the BIGInfo among the AD structures in `acad`; nil if there is none, or if it is not whole.
  package init?(_ bytes: RawSpan, in acad: Range<Int>) {
    var structures = ADStructures(bytes, acad)
    while let structure = structures.next(bytes) {
      guard structure.type == .bigInfo, structure.isWhole else { continue }
      let (message, isWhole) = BIGInfo.message(bytes.extracting(structure.value), isCut: false)
      guard isWhole else { return nil }
      self = message
      return
    }
    return nil
  }

  /// Whether there is a BIGInfo among the AD structures in `acad`, whole or not.
  package static func isAnnounced(_ bytes: RawSpan, in acad: Range<Int>) -> Bool {
    var structures = ADStructures(bytes, acad)
    while let structure = structures.next(bytes) {
      if structure.type == .bigInfo { return true }
    }
    return false
  }

  /// What the packets of a BIS are received with, or those of the control of the group, whose number is 0.
  /// 2.1.2, 3.1.1
  package func stream(_ number: UInt8) -> (accessAddress: UInt32, crcInit: UInt32) {
    let diversifier = (35 * UInt32(number) + 42) % 128
    func bit(_ place: UInt32) -> UInt32 { diversifier >> place & 1 }
    // The six highest bits are the same.
    let word =
      (bit(0) * 0b11_1111) << 26 | bit(1) << 25 | bit(6) << 24 | bit(1) << 23 | bit(5) << 21
      | bit(4) << 20 | bit(3) << 18 | bit(2) << 17
    return (seedAccessAddress ^ word, UInt32(baseCRCInit) << 8 | UInt32(number))
  }
}
