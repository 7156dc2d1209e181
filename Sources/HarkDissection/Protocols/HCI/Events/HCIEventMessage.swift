import HarkCore

/// An HCI event, as far as somebody follows it: of which group it is, and what it says. Events that are cut off
/// in front of what their case has are `other`. Core Specification, Vol 4, Part E, 7.7.
package enum HCIEventMessage: Sendable {
  case commandComplete(HCICommandComplete)
  case commandStatus(HCICommandStatus)
  case controller(HCIControllerEvent)
  case inquiry(HCIInquiryEvent)
  case connection(HCIConnectionEvent)
  case link(HCILinkEvent)
  case security(HCISecurityEvent)
  case leMeta(LEMetaEvent)
  /// With the first octet of the parameters, by which manufacturers distinguish their events, and where the
  /// parameters are. 5.4.4
  case vendorSpecific(code: UInt8, parameters: Range<Int>)
  case other(UInt8)

  /// Reads an event packet from its Event Code on. Events without a follower cost nothing.
  package init(_ event: RawSpan, _ context: Context) {
    let code = event.byteCount > 0 ? event.byte(at: 0) : 0
    self = Self.read(code, event, context) ?? .other(code)
  }

  private static func read(
    _ code: UInt8, _ event: RawSpan, _ context: Context
  ) -> HCIEventMessage? {
    switch HCIEventCode(rawValue: code) {
    case .commandComplete: return .commandComplete(HCICommandComplete(event, context))
    case .commandStatus: return .commandStatus(HCICommandStatus(event, context))
    case .leMeta: return .leMeta(LEMetaEvent(event, context))
    case .vendorSpecific: return vendorSpecific(event)
    case .numberOfCompletedPackets: return nil
    case nil: break
    }
    if let found = HCIConnectionEvent(code, event, context) { return .connection(found) }
    if let found = HCILinkEvent(code, event, context) { return .link(found) }
    if let found = HCISecurityEvent(code, event, context) { return .security(found) }
    if let found = HCIInquiryEvent(code, event, context) { return .inquiry(found) }
    if let found = HCIControllerEvent(code, event, context) { return .controller(found) }
    return nil
  }

  /// Nil if there are no parameters.
  private static func vendorSpecific(_ event: RawSpan) -> HCIEventMessage? {
    let parameters = HCIEvent.parameters(event, from: HCIEvent.headerSize)
    if parameters.isEmpty { return nil }
    return .vendorSpecific(code: event.byte(at: parameters.lowerBound), parameters: parameters)
  }
}

/// The events that no group has: their parameters depend on others, or they are read by place.
enum HCIEventCode: UInt8 {
  case commandComplete = 0x0E
  case commandStatus = 0x0F
  /// `HCICompletedPackets` reads it.
  case numberOfCompletedPackets = 0x13
  case leMeta = 0x3E
  case vendorSpecific = 0xFF
}

/// A group of events, or of subevents of HCI_LE_Meta: all of them as rows, and the messages of those that
/// somebody follows. A message has a case for each event, or for several that say the same.
protocol HCIEventGroup: Sendable {
  /// The events that are followed.
  associatedtype Code: RawRepresentable<UInt8>

  static var rows: [Row] { get }

  /// What takes the values of an event: parameters of lists are named there.
  static func values(_ code: Code) -> ParameterValues
  /// - Returns: Nil if the event is cut off in front of what its message has.
  static func read(_ code: Code, _ values: ParameterValues) -> Self?
  /// Reads by place what comes too often for its row.
  static func read(_ code: Code, _ event: RawSpan, _ context: Context) -> Self?
}

extension HCIEventGroup {
  static func values(_ code: Code) -> ParameterValues { ParameterValues() }

  static func read(_ code: Code, _ event: RawSpan, _ context: Context) -> Self? {
    read(code, HCIEvent.values(event, context, into: values(code)))
  }

  /// - Returns: Nil if `code` is not that of an event that this group follows.
  init?(_ code: UInt8, _ event: RawSpan, _ context: Context) {
    guard let code = Code(rawValue: code), let message = Self.read(code, event, context) else {
      return nil
    }
    self = message
  }
}

extension HCIEvent {
  /// Event_Code and Parameter_Total_Length. 5.4.4
  static let headerSize = 2

  /// Where the parameters from `start` on are, as far as the event has them.
  static func parameters(_ event: RawSpan, from start: Int) -> Range<Int> {
    let start = min(start, event.byteCount)
    let end = min(event.byteCount, headerSize + Int(event.byte(at: headerSize - 1)))
    return start..<max(start, end)
  }

  /// The values of an event's parameters.
  static func values(
    _ event: RawSpan, _ context: Context, into values: ParameterValues = ParameterValues()
  ) -> ParameterValues {
    PDU.reading(event, out: values, context) { pdu in
      do { try dissect(&pdu) } catch { return pdu.out }
      return pdu.out
    }
  }
}
