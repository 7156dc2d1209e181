import HarkCore

// How the times of a log were converted to those of the capture.
extension AppClock {
  package func describe(to sink: inout some EventSink) {
    sink.word("basis", basis.rawValue)
    sink.nanoseconds("offset", offset, .parameter)
    sink.number("drift_ppb", drift)
    sink.nanoseconds("error", error, .parameter)
    sink.number("matches", matches)
    if misfits > 0 { sink.number("misfits", misfits) }
    sink.number("first_line", lines?.lowerBound)
    sink.number("last_line", lines?.upperBound)
    if outside > 0 { sink.number("outside", outside) }
    sink.number("zone_seconds_east", zone)
    if zone != nil { sink.flag("zone_of_log", isZoneOfLog) }
  }

  package var words: String {
    var text = lines.map { "lines \($0.lowerBound) to \($0.upperBound): " } ?? ""
    text += mapping
    if misfits > 0 {
      text +=
        "; \(Names.count(misfits, "other event")) in both "
        + (misfits == 1 ? "does not fit" : "do not fit")
    }
    if outside > 0 {
      text +=
        "; \(Names.count(outside, "entry", "entries")) more than ten minutes before or "
        + "after the capture, not shown"
    }
    return text
  }

  private var mapping: String {
    if kept == 0 {
      return "hark kept 0 of its \(Names.count(lineCount, "line"))"
        + (damagedCount > 0 ? " (\(Names.count(damagedCount)) damaged)" : "")
        + ": nothing can match the capture"
    }
    switch basis {
    case .none:
      return "no event in the log matches the capture; hark kept its times "
        + "(--app-clock-offset sets another)"
    case .unread:
      return "the capture can be read only once; hark kept its times "
        + "(--app-clock-offset sets another)"
    case .zone:
      return
        "no event in the log matches the capture; \(shifted), the difference between time zones that "
        + "makes it overlap with the capture (--app-clock-offset sets another)"
    case .arrival:
      return "\(shifted), judging from when its lines and the packets occur"
    case .given: return "\(shifted), as requested"
    case .matches: break
    }
    let details = [
      error.map { "± \(Names.duration($0))" }, drift != 0 ? "drift \(driftWords)" : "no drift",
    ].compactMap { $0 }
    var text = "\(shifted) (\(details.joined(separator: ", "))), based on "
    text += "\(Names.count(matches, "event")) in both"
    if let zone {
      let whose = isZoneOfLog ? "the log" : "the capture"
      text += "; \(whose) records local time, UTC\(Self.words(zone: zone))"
    }
    return text
  }

  private var shifted: String { "hark shifted its times by \(Self.signed(offset)) s" }

  /// `+3.2 ppm`
  private var driftWords: String {
    let tenths = (drift.magnitude + 50) / 100
    return (drift < 0 ? "-" : "+") + "\(tenths / 10).\(tenths % 10) ppm"
  }

  /// `+02:00`
  private static func words(zone seconds: Int64) -> String {
    let minutes = seconds.magnitude / 60
    func two(_ value: UInt64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return (seconds < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
  }

  private static func signed(_ nanoseconds: Int64) -> String {
    // No sign before what prints as 0.000.
    let nanoseconds = nanoseconds.magnitude < 1_000_000 ? 0 : nanoseconds
    var text = TextBuffer()
    if nanoseconds >= 0 { text.byte(UInt8(ascii: "+")) }
    text.seconds(nanoseconds, decimals: 3)
    return text.string
  }
}
