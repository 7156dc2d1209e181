import HarkCore
import HarkSession

/// The packets of hosts that are kept, until their controller reports that they have completed. These reports are kept,
/// too: without them, the controller would seem to have no buffers left. Core Specification, Vol 4, Part E, 7.7.19
struct OutstandingPackets {
  private var counts: [LinkID: Int] = [:]

  /// A packet is kept.
  mutating func keep(_ row: PacketRow) {
    guard row.kind == .acl, row.direction == .hostToController,
      !row.flags.contains(.directionUnknown), let link = row.link
    else { return }
    counts[link, default: 0] += 1
  }

  /// Whether a report is about packets that are kept.
  mutating func complete(_ completed: [(link: LinkID, count: Int)]) -> Bool {
    var isNeeded = false
    for (link, count) in completed {
      guard let left = counts[link] else { continue }
      isNeeded = true
      counts[link] = left > count ? left - count : nil
    }
    return isNeeded
  }
}
