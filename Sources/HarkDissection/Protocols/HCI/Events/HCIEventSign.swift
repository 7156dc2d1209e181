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

  /// Whether the event opens a link, if its Status is Success. 7.7.3, 7.7.35, 7.7.65
  package static func opensLink(_ event: RawSpan) -> Bool {
    guard event.byteCount > 2 else { return false }
    guard HCIEventCode(rawValue: event.byte(at: 0)) == .leMeta else {
      switch HCIConnectionEvent.Code(rawValue: event.byte(at: 0)) {
      case .connectionComplete, .synchronousConnectionComplete: return true
      default: return false
      }
    }
    switch LEConnectionEvent.Code(rawValue: event.byte(at: 2)) {
    case .connectionComplete, .enhancedConnectionComplete, .enhancedConnectionCompleteV2:
      return true
    default: return false
    }
  }
}
