import HarkCore
import HarkDissection

/// Reassembles the fragments of L2CAP PDUs of one link and direction. Core Specification, Vol 3, Part A, 7.2.1.
struct PDUAssembly: Sendable {
  /// The bytes so far, up to the first one that the recorder cut; emptied and reused for the next PDU.
  private(set) var bytes: [UInt8] = []
  private(set) var expected = 0
  /// How many bytes were received, kept or not.
  private(set) var count = 0
  /// The packets of the fragments so far.
  private(set) var packets: [UInt32] = []
  private(set) var isOpen = false

  /// The stream of fragments with an unknown direction, after the two directions.
  static let undirected = 2
  static let none = [PDUAssembly(), PDUAssembly(), PDUAssembly()]

  /// The length in its L2CAP header, if the header has arrived.
  var cid: UInt16? { L2CAPBeginning(bytes.raw).cid }

  /// How many bytes it still needs; the maximum as long as its length is unknown.
  var missing: Int { (expected > 0 ? expected : Self.longest) - count }

  /// Whether the recorder cut a fragment: nothing is appended after that.
  var isCut: Bool { bytes.count < count }

  /// The basic header and the largest payload. 3.1.
  static let longest = L2CAPBeginning.headerSize + 65_535

  /// Like `add`.
  mutating func begin(_ fragment: RawSpan, _ packet: UInt32, cut: Int) -> Bool {
    bytes.removeAll(keepingCapacity: true)
    (expected, count) = (0, 0)
    packets.removeAll(keepingCapacity: true)
    isOpen = true
    return add(fragment, packet, cut: cut)
  }

  /// Adds a fragment of which the recorder cut `cut` bytes; true if it ends the PDU.
  mutating func add(_ fragment: RawSpan, _ packet: UInt32, cut: Int) -> Bool {
    if !isCut {
      let room = Self.longest - bytes.count
      for index in 0..<min(room, fragment.byteCount) { bytes.append(fragment.byte(at: index)) }
    }
    count = min(Self.longest, count + fragment.byteCount + min(cut, Self.longest))
    if packets.count < Self.longest { packets.append(packet) }
    if expected == 0 { expected = L2CAPBeginning(bytes.raw).size ?? 0 }
    return expected > 0 && count >= expected
  }

  mutating func end() { isOpen = false }
}
