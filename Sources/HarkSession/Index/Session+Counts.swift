import HarkCore

extension Session {
  /// Packets by kind and protocol.
  public struct Counts: Sendable {
    public var kinds: [Int] {
      // By its span: asked for an element, the table is copied.
      let table = kindTable.span
      return table.indices.map { table[$0] }
    }
    /// In place: an array would be asked for each packet whether somebody else sees it.
    var kindTable = InlineArray<256, Int>(repeating: 0)
    /// H4 packets of types that are not HCI's own, by type.
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
    /// Packets of which the capture is known to lack a part or all.
    var lost: Int { dropped + sliced + air.missing }
    /// Packets whose direction the format does not record: where nothing shows it, and where it
    /// is inferred.
    public internal(set) var directionUnknown = 0
    public internal(set) var directionInferred = 0
    /// Packets from the air.
    public internal(set) var air = AirCounts()
    public internal(set) var firstTime: Timestamp?
    public internal(set) var lastTime: Timestamp?
    /// Whether the capture's clock went back: how long something took is not known then.
    var isClockSetBack = false
  }
}
