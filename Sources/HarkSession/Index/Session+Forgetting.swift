// A capture that is made for days would fill the memory with rows.
extension Session {
  /// Lets go of what was written down of packets, but of the last `kept`, of those that `named` lists, and of
  /// those that the session itself may still ask for. Questions about others have no answer any more.
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
