import HarkCore

// Events that come so often that their tables would cost too much: they are read by place.
// Core Specification, Vol 4, Part E, 7.7.

/// The events that most are. What they say is in the facts and lists that the index pass reads.
package enum HCIFrequentEvent {
  /// LE Advertising Report, LE Directed Advertising Report, LE Extended Advertising Report. 7.7.65.2, 7.7.65.11,
  /// 7.7.65.13
  case advertisingReport
  /// 7.7.19
  case completedPackets

  /// Of an event of which `facts` were learned; nil for all others.
  package init?(_ facts: Facts) {
    // Numbers are compared with few others; to make a code of one, it is compared with all of them.
    switch UInt8(truncatingIfNeeded: facts.code) {
    case HCIEventCode.numberOfCompletedPackets.rawValue: self = .completedPackets
    case HCIEventCode.leMeta.rawValue:
      switch facts.subevent {
      case LEAdvertisingEvent.Code.advertisingReport.rawValue,
        LEAdvertisingEvent.Code.directedAdvertisingReport.rawValue,
        LEAdvertisingEvent.Code.extendedAdvertisingReport.rawValue:
        self = .advertisingReport
      default: return nil
      }
    default: return nil
    }
  }
}

/// HCI_Number_Of_Completed_Packets. 7.7.19
package enum HCICompletedPackets {
  package static func isOne(_ event: RawSpan) -> Bool {
    event.byteCount > 0 && event.byte(at: 0) == HCIEventCode.numberOfCompletedPackets.rawValue
  }

  /// How many connections the event names.
  package static func count(_ event: RawSpan) -> Int {
    event.byteCount > 2 ? min(Int(event.byte(at: 2)), (event.byteCount - 3) / 4) : 0
  }

  package static func entry(_ index: Int, of event: RawSpan) -> (handle: UInt16, packets: Int) {
    let start = 3 + index * 4
    return (
      UInt16(truncatingIfNeeded: event.unsigned(at: start, 2)) & 0x0FFF,
      Int(event.unsigned(at: start + 2, 2))
    )
  }
}

/// HCI_Extended_Inquiry_Result. 7.7.38
package enum HCIExtendedInquiryResult {
  /// Where the Extended_Inquiry_Response is, as far as the event has it.
  package static func data(_ event: RawSpan) -> Range<Int>? {
    event.byteCount > 17 ? 17..<event.byteCount : nil
  }
}

/// Events with advertising data that may be a part of more. 7.7.65.13, 7.7.65.15
package enum HCIAdvertisingParts {
  case reports
  case train(hasSubevent: Bool)
  case responses

  /// Nil for all other events.
  package init?(_ event: RawSpan) {
    guard event.byteCount > 3, event.byte(at: 0) == HCIEventCode.leMeta.rawValue else { return nil }
    switch event.byte(at: 2) {
    case LEAdvertisingEvent.Code.extendedAdvertisingReport.rawValue: self = .reports
    case LEPeriodicEvent.Code.periodicAdvertisingReport.rawValue: self = .train(hasSubevent: false)
    case LEPeriodicEvent.Code.periodicAdvertisingReportV2.rawValue:
      self = .train(hasSubevent: true)
    case LEPeriodicEvent.Code.periodicAdvertisingResponseReport.rawValue: self = .responses
    default: return nil
    }
  }
}

/// The reports of HCI_LE_Advertising_Report, also directed and extended. 7.7.65.2, 7.7.65.11, 7.7.65.13
package struct LEAdvertisingReports: Sendable {
  package struct Report: Sendable {
    /// The Event_Type of HCI_LE_Advertising_Report. 7.7.65.2
    package enum LegacyEventType: UInt8, Sendable {
      case advInd, advDirectInd, advScanInd, advNonconnInd, scanRsp
    }

    package enum Kind: Sendable {
      /// Nil if the Event_Type is reserved.
      case legacy(eventType: LegacyEventType?)
      /// The Event_Type without the Data_Status.
      case extended(eventType: UInt16)
      case directed
    }

    package let kind: Kind
    package let address: BluetoothAddress
    /// Of extended reports.
    package let sid: UInt8?
    /// Whether another report has the rest of the data.
    package let isMoreToCome: Bool
    /// Whether the Controller has cut the data, and no more comes.
    package let isCut: Bool
    /// Where the data is; it ends after an event that is cut. Nil for directed reports, and where the
    /// event is cut off in front of it.
    package let data: Range<Int>?

    package var isScanResponse: Bool {
      switch kind {
      case .legacy(let type): type == .scanRsp
      case .extended(let type): type & LEAdvertisingReports.scanResponse != 0
      case .directed: false
      }
    }
  }

  /// In the Event_Type of HCI_LE_Extended_Advertising_Report.
  private static let scanResponse: UInt16 = 1 << 3

  private let code: LEAdvertisingEvent.Code?
  private var left: Int
  private var position = 4

  package init(_ event: RawSpan) {
    code = event.byteCount > 3 ? LEAdvertisingEvent.Code(rawValue: event.byte(at: 2)) : nil
    left = event.byteCount > 3 ? Int(event.byte(at: 3)) : 0
  }

  package mutating func next(_ event: RawSpan) -> Report? {
    guard left > 0, let code else { return nil }
    left -= 1
    // Event_Type, Address_Type, Address; what follows up to the length of the data; RSSI after it.
    let (typeSize, gap, tail) =
      switch code {
      case .extendedAdvertisingReport: (2, 14, 0)
      case .directedAdvertisingReport: (1, 8, 0)
      default: (1, 0, 1)
      }
    let start = position + typeSize
    guard start + 7 <= event.byteCount else { return nil }
    let type = UInt16(truncatingIfNeeded: event.unsigned(at: position, typeSize))
    let address = BluetoothAddress(
      event.unsigned(at: start + 1, 6), hciType: event.byte(at: start))
    let end = start + 7 + gap
    var data: Range<Int>?
    if code == .directedAdvertisingReport {
      position = end
    } else if end < event.byteCount {
      data = end + 1..<end + 1 + Int(event.byte(at: end))
      position = end + 1 + Int(event.byte(at: end)) + tail
    } else {
      position = event.byteCount
    }
    guard code == .extendedAdvertisingReport else {
      return Report(
        kind: code == .directedAdvertisingReport
          ? .directed
          : .legacy(eventType: Report.LegacyEventType(rawValue: UInt8(truncatingIfNeeded: type))),
        address: address, sid: nil, isMoreToCome: false, isCut: false, data: data)
    }
    // Bits 5 and 6 are the Data_Status; the others distinguish advertising from scan responses.
    return Report(
      kind: .extended(eventType: type & 0x1F), address: address,
      sid: start + 9 < event.byteCount ? event.byte(at: start + 9) : nil,
      isMoreToCome: type >> 5 & 3 == 1, isCut: type >> 5 & 3 == 2, data: data)
  }

  package static func count(_ event: RawSpan) -> Int { Int(event.byte(at: 3)) }

  /// Whether other reports have the rest of the data of the first report.
  package static func isMoreToCome(_ event: RawSpan) -> Bool {
    event.byteCount > 4
      && event.byte(at: 2) == LEAdvertisingEvent.Code.extendedAdvertisingReport.rawValue
      && event.byte(at: 4) >> 5 & 3 == 1
  }

  /// Whether the first report is of a scan response.
  package static func isScanResponse(_ event: RawSpan) -> Bool {
    guard event.byteCount > 4 else { return false }
    return switch LEAdvertisingEvent.Code(rawValue: event.byte(at: 2)) {
    case .advertisingReport:
      event.byte(at: 4) == Report.LegacyEventType.scanRsp.rawValue
    case .extendedAdvertisingReport: UInt16(event.byte(at: 4)) & scanResponse != 0
    default: false
    }
  }

  /// Where the advertising data of an event with one report is; directed reports have none.
  package static func dataOfOnly(_ event: RawSpan) -> Range<Int> {
    let start =
      switch event.byteCount > 2 ? LEAdvertisingEvent.Code(rawValue: event.byte(at: 2)) : nil {
      case .advertisingReport: 13
      case .extendedAdvertisingReport: 28
      default: event.byteCount
      }
    return min(start, event.byteCount)..<event.byteCount
  }
}

/// HCI_LE_Periodic_Advertising_Report, of both versions. 7.7.65.15
package struct LEPeriodicAdvertisingReport: Sendable {
  package enum DataStatus: Sendable {
    case complete, moreToCome
    /// The Controller has truncated the data.
    case incomplete
    /// The Controller has not received the PDU of a subevent or of a response. 7.7.65.15, 7.7.65.37
    case notReceived

    init(_ code: UInt8) {
      self =
        switch code {
        case 0: .complete
        case 1: .moreToCome
        case 0xFF: .notReceived
        default: .incomplete
        }
    }
  }

  package let syncHandle: UInt16
  /// Of the second version.
  package let subevent: UInt8?
  package let status: DataStatus
  /// Nil if it is not all in the event.
  package let data: Range<Int>?

  package init?(_ event: RawSpan, hasSubevent: Bool) {
    let start = hasSubevent ? 11 : 8
    guard event.byteCount > start + 1 else { return nil }
    syncHandle = UInt16(truncatingIfNeeded: event.unsigned(at: 3, 2)) & 0x0FFF
    subevent = hasSubevent ? event.byte(at: 10) : nil
    status = DataStatus(event.byte(at: start))
    let end = start + 2 + Int(event.byte(at: start + 1))
    data = end <= event.byteCount ? start + 2..<end : nil
  }
}

/// HCI_LE_Periodic_Advertising_Response_Report. 7.7.65.37
package struct LEPeriodicAdvertisingResponses: Sendable {
  package struct Response: Sendable {
    package let slot: UInt8
    package let status: LEPeriodicAdvertisingReport.DataStatus
    /// Nil if it ends after an event that is cut.
    package let data: Range<Int>?
  }

  package let advertisingHandle: UInt8
  package let subevent: UInt8
  private var left: Int
  private var start = 7

  package init?(_ event: RawSpan) {
    guard event.byteCount > 6 else { return nil }
    (advertisingHandle, subevent) = (event.byte(at: 3), event.byte(at: 4))
    left = Int(event.byte(at: 6))
  }

  package mutating func next(_ event: RawSpan) -> Response? {
    guard left > 0, start + 5 < event.byteCount else { return nil }
    let end = start + 6 + Int(event.byte(at: start + 5))
    defer { (start, left) = (end, left - 1) }
    return Response(
      slot: event.byte(at: start + 3), status: .init(event.byte(at: start + 4)),
      data: end <= event.byteCount ? start + 6..<end : nil)
  }
}
