import HarkCore
import HarkDissection

/// Packets that violate their protocol, counted by that protocol.
struct UnreadablePackets {
  struct Run {
    let layer: Field
    let first: PacketID
    var last: PacketID
    var count = 0
  }

  /// At most one per protocol; emptied and reused.
  private(set) var runs: [Run] = []

  mutating func count(_ layer: Field?, _ packet: PacketID) {
    guard let layer else { return }
    for index in runs.indices where runs[index].layer == layer {
      runs[index].last = packet
      runs[index].count += 1
      return
    }
    runs.append(Run(layer: layer, first: packet, last: packet, count: 1))
  }

  mutating func removeAll() { runs.removeAll(keepingCapacity: true) }
}

extension Tables {
  /// One row for each protocol with unreadable packets.
  mutating func reportUnreadable() {
    for run in log.unreadable.runs {
      report(
        Event(
          time: packets[run.last]?.time ?? Timestamp(nanoseconds: 0),
          frames: Event.Frames(run.first, run.last, count: run.count), severity: .warning,
          content: .capture(
            .unreadable(
              .init(
                protocolName: catalog.definitions[Int(run.layer.id)].name.description,
                count: run.count)))),
        as: run.last)
    }
    log.unreadable.removeAll()
  }
}
