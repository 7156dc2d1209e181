/// A message in several packets, whose first one states how many there are. AVDTP 1.3, 8.4; AVCTP 1.4, 6.1
struct PacketAssembly: Sendable {
  enum Progress {
    case unfinished, whole
    /// It has more packets than stated, or is too long.
    case broken
  }

  /// The content of up to 255 packets.
  private static let longest = 65_536

  private(set) var bytes: [UInt8] = []
  private(set) var packets: [UInt32] = []
  /// How many packets are still missing.
  private var missing = 0

  init() {}

  /// - Parameter count: How many packets there are, as the first one states.
  init(_ bytes: [UInt8], _ packets: [UInt32], count: Int) {
    (self.bytes, self.packets, missing) = (bytes, packets, count - 1)
  }

  var isBegun: Bool { !bytes.isEmpty }

  mutating func add(_ part: [UInt8], _ packets: [UInt32], isEnd: Bool) -> Progress {
    missing -= 1
    bytes += part
    self.packets += packets
    if isEnd, missing == 0 { return .whole }
    return missing <= 0 || bytes.count > Self.longest ? .broken : .unfinished
  }
}
