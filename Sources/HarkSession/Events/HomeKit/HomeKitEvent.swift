import HarkDissection

/// A step of HomeKit's pairing over GATT. HomeKit Accessory Protocol Specification (Non-Commercial Version), R2, 5.6 and
/// 5.7.
public struct HomeKitEvent: Equatable, Sendable {
  /// Whether it belongs to Pair Verify, which opens a session, and not to Pair Setup.
  public let isVerification: Bool
  /// M1 to M6.
  public let state: UInt8?
  public let method: UInt8?
  /// kTLVType_Error
  public let error: UInt8?
  /// HAP's status of a response; nil for a request.
  public let status: UInt8?
  /// Whether the recorded host is the accessory.
  public let isLocal: Bool
}

extension HomeKitEvent: Described {
  public var kind: EventKind { EventKind("homekit-pairing", .pairing, [.attributes, .channels]) }

  /// The status of a HAP PDU that was carried out.
  private static let success: UInt8 = 0

  public func describe(
    _ event: Event, in session: borrowing Session, to sink: inout some EventSink
  ) {
    sink.word("homekit_procedure", isVerification ? "pair-verify" : "pair-setup", .identity)
    sink.code("state", state, "state_name", "hap.state", .identity)
    sink.code("homekit_method", method, "homekit_method_name", "hap.method")
    sink.code("homekit_error", error, "homekit_error_name", "hap.error")
    sink.code("status", status, "status_name", "hap.status")
    sink.flag("is_local", isLocal)
    let name = isVerification ? "HomeKit Pair Verify" : "HomeKit Pair Setup"
    let step = state.map { Names.of($0, "hap.state") ?? "state \($0)" }
    if let error {
      let why = Names.of(error, "hap.error").map { "\($0) (\(error))" } ?? "error \(error)"
      return sink.sentence("\(name) refused\(step.map { " in \($0)" } ?? ""): \(why)")
    }
    if let status, status != Self.success {
      return sink.sentence("\(name) refused: \(Names.named(status, "hap.status"))")
    }
    let asked = method.map { Names.of($0, "hap.method") ?? "method \($0)" }
    sink.sentence(
      "\(name): \(step ?? "")\(asked.map { ", \($0)" } ?? "")")
  }
}
