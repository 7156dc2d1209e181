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
