import HarkCore

/// An event that shows that there is a link, as its row declares. Others name links that have gone, or none.
package struct HCIEventSign: Sendable {
  package enum Transport: Sendable { case brEDR, esco, le, any }

  package let transport: Transport
  /// Whether its Status is not Success: then it shows no link.
  package let hasFailed: Bool

  /// - Returns: Nil if the event shows no link.
  package init?(_ event: RawSpan) {
    guard event.byteCount > 2 else { return nil }
    let isLE = HCIEventCode(rawValue: event.byte(at: 0)) == .leMeta
    // The subevent code precedes the parameters of its row.
    let start = isLE ? 3 : 2
    let rows = isLE ? HCIEvent.subevents : HCIEvent.rows
    let line = rows[UInt16(event.byte(at: isLE ? 2 : 0))]
    guard let line, let transport = line.shows, let parameters = line.parameters else { return nil }
    self.transport = transport
    let hasStatus = rows.steps[Int(parameters.start)].field == HCIParameters.shared.status
    hasFailed = hasStatus && event.byte(at: start) != 0
  }
}
