import HarkCore
import HarkDissection

/// A provisioning PDU that a side of PB-ADV sends in segments, and repeats until the other side acknowledges it. Mesh
/// Protocol 1.1, 5.3.1, 5.3.3.
struct MeshTransaction {
  /// The Transaction Number; nil before the first one.
  let number: UInt8?
  private(set) var start: MeshBearerPacket.Start?
  /// By index, as they arrived.
  private var parts: [UInt8: [UInt8]] = [:]
  private(set) var packets: [PacketID] = []
  /// Whether the timeline has it; repetitions add nothing.
  var isReported = false

  init(number: UInt8?) { self.number = number }

  /// Of the whole PDU: 64 segments of the longest advertising PDU of Mesh have fewer.
  private static let mostBytes = 4_096

  var received: Int { parts.count }
  var segments: Int? { start.map { Int($0.lastSegment) + 1 } }

  /// The PDU; nil as long as segments are missing, or if they do not fit its length.
  var whole: [UInt8]? {
    guard let start, parts.count == Int(start.lastSegment) + 1 else { return nil }
    var bytes: [UInt8] = []
    for index in 0...start.lastSegment {
      guard let part = parts[index] else { return nil }
      bytes += part
    }
    return bytes.count == Int(start.length) ? bytes : nil
  }

  mutating func begin(_ start: MeshBearerPacket.Start, _ data: [UInt8], _ packet: PacketID) {
    guard !isReported, Int(start.length) <= Self.mostBytes else { return }
    if let known = self.start,
      known.length != start.length || known.frameCheck != start.frameCheck
        || known.lastSegment != start.lastSegment
    {
      (parts, packets) = ([:], [])
    }
    self.start = start
    // What was received before it may belong to another PDU.
    for index in parts.keys where index > start.lastSegment { parts[index] = nil }
    add(data, at: 0, packet)
  }

  mutating func add(_ data: [UInt8], at index: UInt8, _ packet: PacketID) {
    guard !isReported, parts[index] == nil, data.count <= Self.mostBytes / 16,
      index <= start?.lastSegment ?? 63
    else { return }
    parts[index] = data
    packets.append(packet)
  }
}
