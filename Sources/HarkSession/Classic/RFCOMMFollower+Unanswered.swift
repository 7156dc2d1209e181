import HarkCore
import HarkDissection

// Requests without an answer. TS 27.010, 5.4.1; RFCOMM 1.2, 5.3
extension RFCOMMFollower {
  /// A SABM whose answer may still come.
  struct Waiting {
    let packet: PacketID
    let session: Int
    let channel: ChannelID
    /// Its index in the list of data links; nil for DLCI 0.
    let dataLink: Int?
    /// Since when it waits for the answer alone.
    var since: Timestamp
  }

  /// The longest T1, the time that a sender waits for the answer to its SABM, in nanoseconds.
  private static var longestT1: Int64 { 60_000_000_000 }
  /// In nanoseconds: a channel that ends earlier may have ended before the answer came.
  private static var longestAnswer: Int64 { 1_000_000_000 }
  private static var mostWaiting: Int { 256 }

  mutating func wait(_ session: Int, _ id: ChannelID, dataLink: Int?, _ moment: PacketContext) {
    if waiting.count >= Self.mostWaiting { waiting.removeFirst() }
    waiting.append(
      Waiting(
        packet: moment.packet, session: session, channel: id, dataLink: dataLink,
        since: moment.time))
  }

  /// Reports the requests that have waited too long, whatever the packet is about.
  mutating func expireRequests(_ moment: PacketContext, _ tables: inout Tables) {
    if !waiting.isEmpty { expireOverdue(moment, &tables) }
  }

  /// A separate function, because every packet checks whether anything is pending.
  @inline(never)
  private mutating func expireOverdue(_ moment: PacketContext, _ tables: inout Tables) {
    while let first = waiting.first {
      let isTimeKnown = tables.counts.isTimeKnown(since: first.packet)
      guard !isTimeKnown || moment.time.since(first.since) >= Self.longestT1 else { return }
      waiting.removeFirst()
      guard isTimeKnown, isPending(first) else { continue }
      let link = tables.channels[Int(first.channel.index)].link
      // The side that answers may have to pair first, for which a user may have to agree.
      if let secured = tables.links[link].securedAt, secured > first.since,
        moment.time.since(secured) < Self.longestT1
      {
        var again = first
        again.since = secured
        waiting.append(again)
        continue
      }
      var moment = moment
      (moment.link, moment.controller) = (link, tables.links[link].controller)
      if let index = first.dataLink {
        leaveUnanswered(index, moment, &tables)
      } else {
        leaveSessionUnanswered(first.session, moment, &tables)
      }
    }
  }

  private func isPending(_ one: Waiting) -> Bool {
    if let index = one.dataLink {
      dataLinks[index].phase == .asked && dataLinks[index].request?.packet == one.packet
    } else {
      multiplexers[one.session].request?.packet == one.packet
    }
  }

  /// Reports the requests that have no answer when their channel ends.
  mutating func leaveUnanswered(
    _ session: Int, of id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    var moment = moment
    moment.link = tables.channels[Int(id.index)].link
    if let asked = multiplexers[session].request, hasWaited(asked.packet, moment, tables) {
      leaveSessionUnanswered(session, moment, &tables)
    }
    for number in multiplexers[session].links where number > 0 {
      let index = Int(number) - 1
      guard dataLinks[index].phase == .asked, let asked = dataLinks[index].request,
        hasWaited(asked.packet, moment, tables)
      else { continue }
      leaveUnanswered(index, moment, &tables)
    }
  }

  private func hasWaited(
    _ packet: PacketID, _ moment: PacketContext, _ tables: borrowing Tables
  ) -> Bool {
    guard let sent = tables.packets[packet]?.time else { return false }
    return moment.time.since(sent) >= Self.longestAnswer
  }

  mutating func leaveSessionUnanswered(
    _ session: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let asked = multiplexers[session].request, !asked.isReported,
      let lost = multiplexers[session].lost,
      tables.counts.wouldShowAnswer(to: asked.packet, lost: lost), !tables.isOnAir(moment.link)
    else { return }
    multiplexers[session].request?.isReported = true
    tables.emitMissing(
      .rfcomm(.sessionUnanswered(.init(byPeer: asked.byPeer))), moment,
      of: Event.Frames(asked.packet))
  }

  mutating func leaveUnanswered(_ index: Int, _ moment: PacketContext, _ tables: inout Tables) {
    guard let asked = dataLinks[index].request, !dataLinks[index].isReported,
      tables.counts.wouldShowAnswer(to: asked.packet, lost: dataLinks[index].lost),
      !tables.isOnAir(moment.link)
    else { return }
    dataLinks[index].isReported = true
    name(index, moment, &tables)
    tables.emitMissing(
      .rfcomm(.unanswered(.init(link: dataLinks[index]))), moment, of: Event.Frames(asked.packet))
  }
}
