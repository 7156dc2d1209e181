import HarkCore
import HarkDissection

/// Packets that cannot be read as what they should be, by the protocol that could not be read.
struct UnreadablePackets {
  struct Run {
    let layer: Field
    let first: PacketID
    var last: PacketID
    var count = 0
  }

  /// As many as there are protocols at most; emptied and used again.
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
  /// One row for each protocol of the packets that could not be read.
  mutating func tellUnreadable() {
    for run in log.unreadable.runs {
      tell(
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
