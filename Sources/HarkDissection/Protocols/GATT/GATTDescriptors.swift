import HarkCore

// Values of descriptors, and of GATT's own service, that are followed.

/// The value of a Client Characteristic Configuration. Core Specification, Vol 3, Part G, 3.3.3.3
package struct ClientConfiguration: OptionSet, Sendable {
  package let rawValue: UInt16

  package static let notification = ClientConfiguration(rawValue: 1)
  package static let indication = ClientConfiguration(rawValue: 2)

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Of a value of one octet, all bits that are defined are there.
  package init(_ value: RawSpan) {
    rawValue = UInt16(truncatingIfNeeded: value.unsigned(at: 0, min(2, value.byteCount)))
  }

  /// Whether the client asks for values.
  package var isOn: Bool { !isDisjoint(with: [.notification, .indication]) }
}

/// The value of a Report Reference. HID Service 1.0, 4.1
package struct HIDReportReference: Sendable {
  package let id: UInt8
  package let type: UInt8

  /// Nil if the value is not two octets.
  package init?(_ value: RawSpan) {
    guard value.byteCount == 2 else { return nil }
    guard let values = GATTValue.values(value, of: .reportReference),
      let id = values.u8(GATTValue.fields.reportID),
      let type = values.u8(GATTValue.fields.reportType)
    else { return nil }
    (self.id, self.type) = (id, type)
  }
}

/// The value of Service Changed: the handles of attributes that the server added, removed or changed. Core
/// Specification, Vol 3, Part G, 7.1
package struct ServiceChange: Sendable {
  package let handles: ClosedRange<UInt16>

  /// Nil if the value is not a range of handles.
  package init?(_ value: RawSpan) {
    guard value.byteCount == 4 else { return nil }
    guard let values = GATTValue.values(value, of: .serviceChanged),
      let start = values.u16(GATTValue.fields.start),
      let end = values.u16(GATTValue.fields.end), start <= end
    else { return nil }
    handles = start...end
  }
}

extension GATTValue {
  /// What the value of an attribute of a type contains; nil if it cannot be read to its end.
  fileprivate static func values(_ value: RawSpan, of type: AttributeType) -> ParameterValues? {
    var context = Context()
    context.attributeType = BluetoothUUID(type)
    return PDU.reading(value, out: ParameterValues(), context) { pdu in
      do { try dissect(&pdu) } catch { return nil }
      return pdu.out
    }
  }
}
