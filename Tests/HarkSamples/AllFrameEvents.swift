import HarkCore
import HarkPresentation
import HarkSession

/// What `hark show` collects, for every packet of a capture at once.
package struct AllFrameEvents {
  package private(set) var all: [FrameEvents] = []

  package init() {}

  /// To be called after each record, and once after the last.
  package mutating func take(_ session: borrowing Session, _ bytes: RawSpan) {
    while all.count < session.packets.count {
      all.append(FrameEvents(PacketID(UInt32(all.count + 1))))
    }
    for index in all.indices { all[index].take(session, bytes) }
  }
}
