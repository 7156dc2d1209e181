// A capture that is made for days would fill the memory with rows.
extension Session {
  /// Lets go of what was written down of packets, but of the last `kept`, of those that `named` lists, and of
  /// those that the session itself may still ask for. Questions about others have no answer any more.
  public mutating func forgetPackets(allBut kept: Int, named: [UInt32]) {
    var numbers = named
    for link in linkTable.all where link.closed == nil { numbers.append(link.opened.number) }
    for link in discoveringLinks {
      numbers += linkTable[link].att.discovery.map(\.last.number)
    }
    numbers += unreadable.runs.map(\.last.number)
    for suspect in aapSuspects.values { numbers += suspect.frames.map(\.packet.number) }
    packets.forget(allBut: kept, named: numbers)
  }
}
