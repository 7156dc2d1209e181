import HarkCore

extension Session {
  /// Packets by kind and protocol.
  public struct Counts: Sendable {
    public var kinds: [Int] {
      // Through its span: access to an element of the table would copy it.
      let table = kindTable.span
      return table.indices.map { table[$0] }
    }
    /// In place: an array would check for each packet whether it is shared.
    var kindTable = InlineArray<256, Int>(repeating: 0)
    /// H4 packets with types other than those of HCI, by type.
    public internal(set) var h4Types: [UInt8: Int] = [:]
    /// By fixed channel: L2CAP signaling, ATT, SMP.
    public internal(set) var channels = [Int](repeating: 0, count: 64)
    public internal(set) var dynamicChannels = 0
    public internal(set) var advertisingReports = 0
    /// Of HID devices over BR/EDR.
    public internal(set) var inputReports = 0
    public internal(set) var malformed = 0
    public internal(set) var sliced = 0
    public internal(set) var dropped = 0
    /// Packets that the capture is known to lack, completely or in part.
    var lost: Int { dropped + sliced + air.missing }
    /// Packets whose direction the format does not record: those with an unknown and those with an inferred
    /// direction.
    public internal(set) var directionUnknown = 0
    public internal(set) var directionInferred = 0
    /// Over-the-air packets.
    public internal(set) var air = AirCounts()
    public internal(set) var firstTime: Timestamp?
    public internal(set) var lastTime: Timestamp?
    /// Whether the capture's clock went back: durations are unknown then.
    var isClockSetBack = false
  }
}
