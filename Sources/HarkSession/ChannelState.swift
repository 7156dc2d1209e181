import HarkDissection

/// What the index pass keeps of a dynamic L2CAP channel beside what it tells of it.
struct ChannelState: Sendable {
  var framing = L2CAPFraming()
  /// The longest SDU both sides take; 0 where it is not known.
  var mtu: UInt16 = 0
  /// The mode each side asked for in its last Configuration Request. Vol 3, Part A, 5.4.
  var modes: [L2CAPFraming.Mode?] = [nil, nil]
  /// Whether each side asked to leave out the FCS. 5.5.
  var leavesOutFCS = [false, false]
  /// By the direction of the frames.
  var assembly = [SDUAssembly(), SDUAssembly()]
  /// How many K-frames may still be sent in each direction; nil where it is not known. 3.4.
  var credits: [Int?] = [nil, nil]
  /// The TxSeq that comes next in each direction. 8.5.
  var expectedTxSeq: [UInt16?] = [nil, nil]

  /// Puts into force what both sides have asked for so far.
  mutating func settle() {
    let asked = modes.compactMap { $0 }
    let isAgreed = asked.allSatisfy { $0 == asked.first }
    framing.mode = isAgreed ? asked.first ?? .basic : .basic
    framing.hasFCS = !(leavesOutFCS[0] && leavesOutFCS[1])
  }
}

/// Puts the segments of SDUs of one channel and direction together.
/// Core Specification, Vol 3, Part A, 3.3.3, 3.4.3.
struct SDUAssembly: Sendable {
  /// The bytes so far; emptied and used again for the next SDU.
  private(set) var bytes: [UInt8] = []
  /// The packets of the segments so far.
  private(set) var packets: [UInt32] = []
  private(set) var expected = 0
  private(set) var isOpen = false

  mutating func begin(_ count: Int) {
    bytes.removeAll(keepingCapacity: true)
    packets.removeAll(keepingCapacity: true)
    expected = count
    isOpen = true
  }

  /// Adds a segment that came in `packets`; false if it is more than the SDU Length says.
  mutating func add(_ segment: RawSpan, _ packets: [UInt32]) -> Bool {
    self.packets += packets
    guard bytes.count + segment.byteCount <= expected else { return false }
    for index in 0..<segment.byteCount { bytes.append(segment.byte(at: index)) }
    return true
  }

  var isWhole: Bool { bytes.count == expected }

  mutating func end() { isOpen = false }
}
