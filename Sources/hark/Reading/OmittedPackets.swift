import HarkCapture
import HarkCore
import HarkSession

/// Counts the packets that a filter omits on links of which it writes others: a capture that lacks them records that, as if
/// the recorder had lost them. Readers would otherwise take an omitted answer for one that was never sent.
struct OmittedPackets {
  /// The links of the packets that were written.
  private var links: Set<LinkID> = []

  /// Takes the record that `session` has indexed last.
  mutating func take(
    _ record: inout CaptureRecord, isWritten: Bool, _ session: borrowing Session
  ) {
    let number = UInt32(truncatingIfNeeded: session.packets.count)
    guard let link = session.packets[number]?.link else { return }
    if isWritten {
      links.insert(link)
    } else if links.contains(link) {
      record.dropped &+= 1
    }
  }
}
