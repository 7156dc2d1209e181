import HarkCore

/// Puts the fragments of L2CAP PDUs of one link and direction together.
/// Core Specification, Vol 3, Part A, 7.2.1.
struct PDUAssembly: Sendable {
  /// The bytes so far; emptied and used again for the next PDU.
  private(set) var bytes: [UInt8] = []
  private(set) var expected = 0
  /// The packets of the fragments so far.
  private(set) var packets: [UInt32] = []
  private(set) var isOpen = false

  /// The stream of fragments whose direction is not known, behind those of both directions.
  static let undirected = 2
  static let none = [PDUAssembly(), PDUAssembly(), PDUAssembly()]

  /// How many bytes it still needs; as many as there can be before its length is known.
  var missing: Int { (expected > 0 ? expected : Self.longest) - bytes.count }

  /// Basic header and the longest payload. 3.1.
  static let longest = 4 + 65_535

  mutating func begin(_ fragment: RawSpan, _ packet: UInt32) {
    bytes.removeAll(keepingCapacity: true)
    expected = 0
    packets.removeAll(keepingCapacity: true)
    isOpen = true
    _ = add(fragment, packet)
  }

  /// Adds a fragment; true when the PDU is whole.
  mutating func add(_ fragment: RawSpan, _ packet: UInt32) -> Bool {
    let room = Self.longest - bytes.count
    for index in 0..<min(room, fragment.byteCount) { bytes.append(fragment.byte(at: index)) }
    packets.append(packet)
    if expected == 0, bytes.count >= 2 { expected = 4 + Int(bytes[0]) + Int(bytes[1]) << 8 }
    return expected > 0 && bytes.count >= expected
  }

  mutating func end() { isOpen = false }
}
