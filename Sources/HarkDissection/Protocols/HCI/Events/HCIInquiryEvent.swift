import HarkCore

/// Events: inquiry. Core Specification, Vol 4, Part E, 7.7.
package enum HCIInquiryEvent: HCIEventGroup {
  case complete(status: UInt8)
  /// Also with RSSI, and extended. 7.7.2, 7.7.33, 7.7.38
  case result([Response], isExtended: Bool)

  package struct Response: Sendable {
    package let address: BluetoothAddress
    /// Nil if the event is cut off in front of it.
    package let classOfDevice: UInt32?
  }

  private static let p = HCIParameters.shared
  private static let c = HCIParameters.shared.brEDR

  static let rows: [Row] = [
    Row(0x01, "HCI_Inquiry_Complete", [.u8(p.status)]),
    Row(
      0x02, "HCI_Inquiry_Result",
      [
        .each(
          c.numResponses, c.response,
          [
            .address(p.address), .u8(c.pageScanRepetitionMode), .u16(p.reserved),
            .classOfDevice(c.classOfDevice), .u16(c.clockOffset),
          ])
      ]),
    Row(
      0x22, "HCI_Inquiry_Result_With_RSSI",
      [
        .each(
          c.numResponses, c.response,
          [
            .address(p.address), .u8(c.pageScanRepetitionMode), .u8(p.reserved),
            .classOfDevice(c.classOfDevice), .u16(c.clockOffset), .u8(p.rssi),
          ])
      ]),
    Row(
      0x2F, "HCI_Extended_Inquiry_Result",
      [
        .each(
          c.numResponses, c.response,
          [
            .address(p.address), .u8(c.pageScanRepetitionMode), .u8(p.reserved),
            .classOfDevice(c.classOfDevice), .u16(c.clockOffset), .u8(p.rssi),
            .advertisingData(count: 240, p.advertising.data),
          ])
      ]),
    Row(0x56, "HCI_Inquiry_Response_Notification", [.u24(c.lap), .u8(p.rssi)]),
  ]

  enum Code: UInt8 {
    case inquiryComplete = 0x01
    case inquiryResult = 0x02
    case inquiryResultWithRSSI = 0x22
    case extendedInquiryResult = 0x2F
  }

  static func values(_ code: Code) -> ParameterValues {
    code == .inquiryComplete
      ? ParameterValues() : ParameterValues(listing: p.address, c.classOfDevice)
  }

  static func read(_ code: Code, _ values: ParameterValues) -> HCIInquiryEvent? {
    switch code {
    case .inquiryComplete: values.u8(p.status).map { .complete(status: $0) }
    case .inquiryResult, .inquiryResultWithRSSI: .result(responses(values), isExtended: false)
    case .extendedInquiryResult: .result(responses(values), isExtended: true)
    }
  }

  private static func responses(_ values: ParameterValues) -> [Response] {
    var responses: [Response] = []
    var address: BluetoothAddress?
    for entry in values.list {
      if entry.field == p.address {
        if let address { responses.append(.init(address: address, classOfDevice: nil)) }
        address = BluetoothAddress(entry.value)
      } else if let known = address {
        let classOfDevice = UInt32(truncatingIfNeeded: entry.value)
        responses.append(.init(address: known, classOfDevice: classOfDevice))
        address = nil
      }
    }
    if let address { responses.append(.init(address: address, classOfDevice: nil)) }
    return responses
  }
}
