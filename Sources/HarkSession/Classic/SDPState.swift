import HarkCore

/// The state of an SDP channel in the index pass: the current response.
struct SDPState {
  /// The UUID that the last request searched for.
  var wanted: BluetoothUUID?
  /// The attribute bytes of the responses so far, and their packets.
  private(set) var bytes: [UInt8] = []
  private(set) var packets: [UInt32] = []
  private(set) var parts = 0
  private var isBroken = false

  /// The records of one device have a few thousand bytes.
  static let most = 1 << 18
  static let mostParts = 4_096

  /// A request without Continuation Information starts over.
  mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
    packets.removeAll(keepingCapacity: true)
    (parts, isBroken) = (0, false)
  }

  /// The recorder cut a part: the whole response is discarded.
  mutating func lose() { isBroken = true }

  mutating func add(_ part: RawSpan, _ packets: [UInt32]) {
    guard bytes.count + part.byteCount <= Self.most, parts < Self.mostParts else {
      isBroken = true
      return
    }
    bytes += part.array
    self.packets += packets
    parts += 1
  }

  var isWhole: Bool { parts > 0 && !isBroken }
}
