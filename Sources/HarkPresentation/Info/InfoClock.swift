import HarkCore
import HarkSession

// What is wrong with the times of a capture.
extension CaptureReport {
  static func words(_ setBacks: Session.ClockSetBacks) -> String {
    let places = setBacks.count == 1 ? "once" : "\(Names.count(setBacks.count)) times"
    let most = setBacks.count == 1 ? "" : "up to "
    return "Its times go back \(places), by \(most)\(Names.duration(setBacks.longest)); first at "
      + "#\(setBacks.first.number): its packets are out of order, or its clock was set."
  }

  static func words(_ odd: Session.OddTimes) -> String {
    var time = TextBuffer()
    time.recorded(odd.time)
    let (packet, others) = ("#\(odd.packet.number)", "those of all other packets")
    let from =
      odd.distance == 0
      ? "is more than a day from those of the packets around it"
      : "is \(Names.duration(Int64(clamping: odd.distance))) \(odd.isLater ? "later" : "earlier") than \(others)"
    return odd.count == 1
      ? "The time of \(packet), \(time.string), \(from): the clock was set, or the time is wrong. The duration "
        + "does not include it."
      : "The times of \(Names.count(odd.count, "packet")) are each more than a day from those of all others (the "
        + "first is \(packet), \(time.string)): the clock was set, or the times are wrong. The duration does not "
        + "include them."
  }
}
