// A recording that runs for days would fill the memory with rows.
extension Session {
  /// Releases the rows of packets, except for the last `kept` ones, those in `named`, and those that the session
  /// itself may still need. The others can no longer be looked up.
  public mutating func forgetPackets(allBut kept: Int, named: [UInt32]) {
    var numbers = named
    for link in tables.links.all where link.closed == nil { numbers.append(link.opened.number) }
    for link in tables.discoveringLinks {
      numbers += tables.links[link].att.discovery.map(\.last.number)
    }
    numbers += tables.log.unreadable.runs.map(\.last.number)
    for suspect in traffic.aap.suspects.values { numbers += suspect.frames.map(\.packet.number) }
    tables.packets.forget(allBut: kept, named: numbers)
  }
}

/// Keeps a session small that runs for days: releases packets that nothing can refer to any more.
public struct PacketForgetting: Sendable {
  /// Answers, fragments and rules refer to packets further back only if an event names them.
  private static let kept = 1 << 20
  private static let step = 1 << 16

  /// The packets that events have named since the last step.
  private var named: [UInt32] = []

  public init() {}

  /// Call it after each packet, while its events are there.
  /// - Parameter asked: Packets that are still to be shown.
  public mutating func take(_ session: inout Session, asked: Range<UInt32> = 0..<0) {
    for event in session.events {
      named += [event.frames.first.number, event.frames.last.number]
    }
    guard session.packets.count % Self.step == 0 else { return }
    for number in asked {
      guard let row = session.packets[number] else { continue }
      named += [number, row.chain, row.related]
    }
    session.forgetPackets(allBut: Self.kept, named: named)
    named.removeAll(keepingCapacity: true)
  }
}
