import HarkCore
import HarkDissection

// What limits the frames of a data link: credits and the maximum frame size. RFCOMM 1.2, 5.5.3, 6.5
extension RFCOMMFollower {
  /// Each frame with information uses one credit. RFCOMM 6.5
  mutating func spend(_ index: Int, _ moment: PacketContext, _ tables: inout Tables) {
    guard let credits = dataLinks[index].credits[moment.side] else { return }
    reportLack(index, moment, &tables)
    if credits > 0 {
      dataLinks[index].credits[moment.side] = credits - 1
      if credits == 1 { dataLinks[index].spentAt[moment.side] = PacketTime(moment) }
    } else {
      // Reported once.
      dataLinks[index].credits[moment.side] = nil
      tables.emit(
        .rfcomm(.creditsExceeded(.init(link: dataLinks[index], byPeer: moment.isFromPeer))), moment,
        severity: .error)
    }
  }

  /// The longest time without credits that is not reported, and within which a sender with data continues; in
  /// nanoseconds.
  private static var waitLimit: Int64 { 1_000_000_000 }
  private static var haste: Int64 { 100_000_000 }

  /// The direction has credits again.
  mutating func endLack(
    _ index: Int, _ side: Int, _ moment: PacketContext, _ tables: borrowing Tables
  ) {
    guard let since = dataLinks[index].spentAt[side] else { return }
    dataLinks[index].spentAt[side] = nil
    guard let nanoseconds = tables.counts.elapsed(since: since, moment),
      nanoseconds >= Self.waitLimit
    else { return }
    dataLinks[index].waited[side] = (nanoseconds, PacketTime(moment))
  }

  /// A side sends data: if it does so at once, it had been waiting for credits.
  private mutating func reportLack(
    _ index: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let waited = dataLinks[index].waited[moment.side] else { return }
    dataLinks[index].waited[moment.side] = nil
    guard let since = tables.counts.elapsed(since: waited.ended, moment), since <= Self.haste
    else { return }
    tables.emit(
      .rfcomm(
        .creditsLacking(
          .init(
            link: dataLinks[index], byPeer: moment.isFromPeer, nanoseconds: waited.nanoseconds))),
      moment)
  }

  /// The maximum frame size limits the information of each frame. RFCOMM 5.5.3; TS 27.010, 5.7.2
  mutating func checkSize(
    _ frame: RFCOMMFrame, _ index: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let most = dataLinks[index].frameSize else { return }
    let size = frame.information.count + frame.missing
    guard size > Int(most), !moment.isUndirected,
      !dataLinks[index].isTooLongReported[moment.side]
    else { return }
    dataLinks[index].isTooLongReported[moment.side] = true
    tables.emit(
      .rfcomm(
        .frameTooLong(
          .init(
            link: dataLinks[index], byPeer: moment.isFromPeer, size: size, most: Int(most)))),
      moment, severity: .warning)
  }
}
