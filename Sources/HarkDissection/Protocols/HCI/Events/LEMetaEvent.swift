/// A subevent of HCI_LE_Meta, as far as somebody follows it. Subevents that are cut off in front of what
/// their case has are `other`. Core Specification, Vol 4, Part E, 7.7.65.
package enum LEMetaEvent: Sendable {
  case connection(LEConnectionEvent)
  case advertising(LEAdvertisingEvent)
  case periodic(LEPeriodicEvent)
  case isochronous(LEIsochronousEvent)
  case sounding(LESoundingEvent)
  case other(UInt8)

  init(_ event: RawSpan, _ context: Context) {
    let code = event.byteCount > 2 ? event.byte(at: 2) : 0
    self = Self.read(code, event, context) ?? .other(code)
  }

  private static func read(
    _ code: UInt8, _ event: RawSpan, _ context: Context
  ) -> LEMetaEvent? {
    if let found = LEAdvertisingEvent(code, event, context) { return .advertising(found) }
    if let found = LEPeriodicEvent(code, event, context) { return .periodic(found) }
    if let found = LEConnectionEvent(code, event, context) { return .connection(found) }
    if let found = LEIsochronousEvent(code, event, context) { return .isochronous(found) }
    if let found = LESoundingEvent(code, event, context) { return .sounding(found) }
    return nil
  }
}
