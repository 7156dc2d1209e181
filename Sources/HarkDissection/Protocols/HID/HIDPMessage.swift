import HarkCore

/// A message of HIDP, by its header. HID Profile 1.1.1, 3.1.1
package enum HIDPMessage: Equatable, Sendable {
  /// With the Result Code.
  case handshake(result: UInt8)
  /// HID_CONTROL, with the operation.
  case control(operation: UInt8)
  case setProtocol(isBoot: Bool)
  /// Another that the device answers.
  case request(Transaction)
  /// DATA, or DATC: the rest of one that was too long. Nil if the type of the report is reserved.
  case data(ReportType?)
  case dataContinued(ReportType?)
  case other

  /// 3.1.1, table 3.1
  package enum Transaction: UInt8, Sendable {
    case handshake = 0x0
    case control = 0x1
    case getReport = 0x4
    case setReport = 0x5
    case getProtocol = 0x6
    case setProtocol = 0x7
    case getIdle = 0x8
    case setIdle = 0x9
    case data = 0xA
    case dataContinued = 0xB
  }

  /// 3.1.2.3
  package enum ReportType: UInt8, Sendable {
    case other, input, output, feature
  }

  /// 3.1.2.1
  package static let successful: UInt8 = 0

  /// - Parameter header: The first octet.
  init(header: UInt8) {
    let (code, parameter) = (header >> 4, header & 0xF)
    guard let transaction = Transaction(rawValue: code) else {
      self = .other
      return
    }
    self =
      switch transaction {
      case .handshake: .handshake(result: parameter)
      case .control: .control(operation: parameter)
      case .setProtocol: .setProtocol(isBoot: parameter & 1 == 0)
      case .getReport, .setReport, .getProtocol, .getIdle, .setIdle: .request(transaction)
      case .data: .data(ReportType(rawValue: parameter))
      case .dataContinued: .dataContinued(ReportType(rawValue: parameter))
      }
  }

  /// The answer to GET_PROTOCOL: DATA with the protocol in the octet after the header. Nil if that is cut. 3.1.2.5
  package static func isBoot(answer: RawSpan) -> Bool? {
    answer.byteCount > 1 ? answer.byte(at: 1) & 1 == 0 : nil
  }

  /// Nothing after the header is read: most messages are reports, whose contents hark does not follow.
  package init(_ bytes: RawSpan) {
    self = bytes.byteCount > 0 ? Self(header: bytes.byte(at: 0)) : .other
  }
}
