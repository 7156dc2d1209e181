import HarkCore

/// The control message of a BNEP packet: its own, or the last one in its extension headers. BNEP 1.0, 2.5, 2.6.
package struct BNEPMessage: Message {
  package enum Control: UInt8, Sendable {
    case notUnderstood, setupRequest, setupResponse, typeFilterSet, typeFilterResponse
    case addressFilterSet, addressFilterResponse

    /// The request that a response answers; nil for all others.
    package var request: Control? {
      switch self {
      case .setupResponse: .setupRequest
      case .typeFilterResponse: .typeFilterSet
      case .addressFilterResponse: .addressFilterSet
      case .notUnderstood, .setupRequest, .typeFilterSet, .addressFilterSet: nil
      }
    }
  }

  /// Nil if there is none, or an unknown one.
  package internal(set) var control: Control?
  /// Of BNEP_CONTROL_COMMAND_NOT_UNDERSTOOD: the type that the sender does not know.
  package internal(set) var unknown: UInt8?
  /// Of a setup: the service classes.
  package internal(set) var destination: UInt16?
  package internal(set) var source: UInt16?
  /// Of a response.
  package internal(set) var response: UInt16?

  package init() {}

  package init(_ bytes: RawSpan, isCut: Bool) { self = BNEP.message(bytes, isCut: isCut).message }

  /// Whether a packet may have a control message: others come too often to be read.
  package static func hasControl(_ bytes: RawSpan) -> Bool {
    bytes.byteCount > 1 && (bytes.byte(at: 0) & 0x80 != 0 || bytes.byte(at: 0) == 1)
  }

  package static func isSuccess(_ response: UInt16) -> Bool { response == 0 }

  /// The name of a response to a request. 2.6.3.1.2, 2.6.5.2, 2.6.6.2
  package static func name(ofResponse response: UInt16, to request: Control?) -> String? {
    let names =
      switch request {
      case .setupRequest: BNEP.setupResponses
      case .typeFilterSet: BNEP.typeResponses
      case .addressFilterSet: BNEP.addressResponses
      default: [:]
      }
    return names[UInt64(response)].map { "\($0)" }
  }
}
