import HarkCapture
import HarkCore
import HarkFindings
import HarkPresentation
import HarkSession

/// A capture by hand: H4 packets as hexadecimal digits, and what hark makes of them.
package struct HCIPackets {
  package struct Reported {
    package let text: String
    package let json: String
    package let seconds: Double
  }

  package private(set) var reported: [Reported] = []
  package private(set) var rules: [String] = []
  package private(set) var links: [Link] = []
  package private(set) var databases: [Session.DatabaseKey: GATTDatabase] = [:]

  /// - Parameters:
  ///   - packets: `>` precedes what the host sends, where that is no command, `?` before what
  ///     the capture does not record the direction of, `@` and seconds
  ///     before what is not 100 ms after the one before it.
  ///   - dropped: Before which packet some are missing.
  package init(_ packets: [String], dropped: Int? = nil) {
    var session = Session()
    var findings = Findings()
    var nanoseconds: Int64 = 0
    for (index, packet) in packets.enumerated() {
      let parts = packet.split(separator: " ")
      var hex = packet
      nanoseconds += 100_000_000
      if let time = parts.first, time.hasPrefix("@") {
        nanoseconds = Int64((Double(time.dropFirst()) ?? 0) * 1_000_000_000)
        hex = parts.dropFirst().joined(separator: " ")
      }
      let (isSent, isUndirected) = (hex.hasPrefix(">"), hex.hasPrefix("?"))
      let bytes = Hex.bytes(isSent || isUndirected ? String(hex.dropFirst()) : hex) ?? []
      var record = CaptureRecord()
      record.number = UInt32(index + 1)
      record.kind = bytes[0] == 1 ? .command : bytes[0] == 2 ? .acl : .event
      record.direction = isSent || bytes[0] == 1 ? .hostToController : .controllerToHost
      if isUndirected { record.flags = .directionUnknown }
      record.time = Timestamp(nanoseconds: nanoseconds)
      record.dropped = index == dropped ? 1 : 0
      (record.count, record.originalCount) = (bytes.count - 1, bytes.count - 1)
      session.index(record, Array(bytes.dropFirst()).raw)
      take(&session, &findings)
    }
    session.finish()
    take(&session, &findings)
    findings.finish(session)
    (links, databases) = (session.links, session.databases)
    rules = findings.sorted.map(\.rule.id)
  }

  private mutating func take(_ session: inout Session, _ findings: inout Findings) {
    for event in session.events {
      var json = TextBuffer()
      TimelineJSON().write(event, session, to: &json)
      reported.append(
        Reported(
          text: EventText.sentence(event, session), json: json.string,
          seconds: Double(event.time.nanoseconds) / 1e9))
    }
    findings.take(session)
    session.dropEvents()
  }

  /// The sentences of all but the first `count` events.
  package func texts(after count: Int = 0) -> [String] { reported.dropFirst(count).map(\.text) }

  /// The JSON of the events of a kind.
  package func json(_ kind: String) -> [String] {
    reported.map(\.json).filter { $0.contains(#""kind":"\#(kind)""#) }
  }
}
