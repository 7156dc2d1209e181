import Dispatch
import HarkCapture
import HarkCore
import HarkPresentation
import HarkSession

/// Shows one packet in full, as `hark show` does. Like that command, it reads the whole capture for it, but it keeps the
/// surrounding packets, which are likely to be requested next.
final class PacketCache: @unchecked Sendable {
  /// The number of packets before and after the requested one that are also kept.
  private static let before: UInt32 = 64
  private static let behind: UInt32 = 192

  private let log: SessionLog
  private let knowledge: Knowledge
  private let queue = DispatchQueue(label: "packets")
  // Only the queue uses these two.
  private var replay: Replay
  private var kept: [FrameEvents] = []

  init(_ log: SessionLog, _ knowledge: Knowledge) {
    (self.log, self.knowledge) = (log, knowledge)
    replay = Replay(log, knowledge)
  }

  /// The packet as `hark show --format json` writes it; nil if no packet has this number.
  func show(_ number: UInt32) -> TextBuffer? { queue.sync { find(number) } }

  private func find(_ number: UInt32) -> TextBuffer? {
    let first = kept.first?.packet.number ?? 1
    if number < first || number >= first + UInt32(kept.count) {
      let from = max(1, number - min(number, Self.before))
      let (end, isTooLarge) = number.addingReportingOverflow(Self.behind)
      kept = (from..<(isTooLarge ? .max : end)).map { FrameEvents(PacketID($0)) }
      replay = Replay(log, knowledge)
      replay.session.treePackets = kept[0].packet.number...kept[kept.count - 1].packet.number
    }
    readOn()
    guard let index = kept.firstIndex(where: { $0.packet.number == number }),
      let view = FrameView(kept[index], replay.session)
    else { return nil }
    var text = TextBuffer()
    view.writeJSON(replay.session, to: &text)
    return text
  }

  /// Reads the input so far.
  private func readOn() {
    guard let first = kept.first?.packet.number, let last = kept.last?.packet.number else { return }
    while replay.step(
      asked: first..<(last == .max ? last : last + 1),
      before: { _, session in
        let number = session.packets.count + 1
        session.keepsFields = Int(first)...Int(last) ~= number
      },
      after: { _, bytes, session in
        let number = UInt32(clamping: session.packets.count)
        if first...last ~= number { kept[Int(number - first)].take(session, bytes) }
        // A packet around may be part of a message that ends here, or of an event; each takes what
        // concerns it, and the record itself has it already.
        let isNews =
          session.messages.contains { $0.tree != nil }
          || session.events.contains { event in
            guard case .accessory = event.content else { return false }
            return event.frames.first.number <= last && event.frames.last.number >= first
          }
        guard isNews else { return }
        for index in kept.indices where kept[index].packet.number != number {
          kept[index].take(session, bytes)
        }
      })
    {}
  }
}
