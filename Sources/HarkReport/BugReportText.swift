import HarkCore
import HarkPresentation
import HarkSession

/// Texts that all forms of a report share.
enum BugReportText {
  /// For HTML and SVG: control characters are none of either, and marks of direction would turn what
  /// stands around them.
  static func escape(_ content: String, to out: inout TextBuffer) {
    var plain = TextBuffer()
    for (index, line) in content.utf8.split(
      separator: 0x0A, omittingEmptySubsequences: false
    ).enumerated() {
      if index > 0 { plain.byte(0x0A) }
      for byte in Timeline.printable(String(Substring(line))).utf8 {
        switch byte {
        case UInt8(ascii: "&"): plain.text("&amp;")
        case UInt8(ascii: "<"): plain.text("&lt;")
        case UInt8(ascii: ">"): plain.text("&gt;")
        case UInt8(ascii: "\""): plain.text("&quot;")
        default: plain.byte(byte)
        }
      }
    }
    out.append(plain.bytes)
  }

  /// `14:02:06.891`
  static func time(_ time: Timestamp) -> String {
    var out = TextBuffer()
    out.timeOfDay(time)
    out.cut(to: min(out.count, 12))
    return out.string
  }

  /// `+6.890`
  static func relative(_ nanoseconds: Int64) -> String {
    var out = TextBuffer()
    if nanoseconds >= 0 { out.byte(UInt8(ascii: "+")) }
    out.seconds(nanoseconds, decimals: 3)
    return out.string
  }

  /// `#214–215`, where there is no room for how many.
  static func frames(_ frames: Event.Frames) -> String {
    frames.count == 0 ? "" : Names.packets(frames.first, frames.last)
  }

  static func throughput(_ traffic: Traffic) -> String {
    let (sent, received) = (traffic.sent.reduce(0, +), traffic.received.reduce(0, +))
    return "Data in \(Names.duration(traffic.duration)): "
      + "\(Names.size(Int64(clamping: sent))) sent, \(Names.size(Int64(clamping: received))) received"
  }

  static func latency(_ traffic: Traffic) -> String {
    "\(Names.count(traffic.answered, "request was", "requests were")) answered: half of them within "
      + "\(Names.duration(traffic.median)), the slowest after \(Names.duration(traffic.longest)). "
      + "Number of requests by answer time, at most:"
  }
}
