import HarkCore
import HarkSession

extension Event {
  /// The packets that show it, in order: of messages and findings all, of others the first, the last and the
  /// fragments between them.
  public func packets(_ session: borrowing Session) -> [PacketID] {
    guard frames.count > 0 else { return [] }
    switch content {
    case .accessory(let event) where !event.frames.isEmpty: return event.frames
    case .finding(let remark): return remark.packets
    default: break
    }
    guard frames.first < frames.last else { return [frames.last] }
    return [frames.first] + (frames.count > 2 ? fragments(session) : []) + [frames.last]
  }

  /// The fragments between the first and the last packet of a PDU that the last one completes.
  private func fragments(_ session: borrowing Session) -> [PacketID] {
    let last = frames.last.number
    guard let row = session.row(of: last), row.flags.contains(.completes),
      row.chain == frames.first.number
    else { return [] }
    return ((frames.first.number + 1)..<last).filter { session.row(of: $0)?.chain == last }
      .map { PacketID($0) }
  }
}
