import HarkCore

/// A pairing by the Security Manager. Core Specification, Vol 3, Part H, 2.3.
public struct Pairing: Sendable {
  /// What a timeline tells of it.
  public enum Step: Sendable {
    case requested(secureConnections: Bool, bonding: Bool, mitm: Bool, ioCapability: UInt8)
    case method(Method, secureConnections: Bool, keySize: UInt8)
    case securityRequested(secureConnections: Bool, bonding: Bool, mitm: Bool)
    case publicKeys
    case failed(reason: UInt8)
    case complete(secureConnections: Bool)
    /// BR/EDR Secure Simple Pairing, named by the HCI event.
    case classic(event: UInt8, status: UInt8?)
    case linkKey(type: UInt8)
  }

  public enum Method: String, Sendable {
    case justWorks = "Just Works"
    case passkeyEntry = "Passkey Entry"
    case numericComparison = "Numeric Comparison"
    case outOfBand = "Out of Band"
  }

  struct Features: Sendable {
    var ioCapability: UInt8
    var oob: Bool
    var authReq: UInt8
    var keySize: UInt8

    var bonding: Bool { authReq & 0x03 == 1 }
    var mitm: Bool { authReq & 0x04 != 0 }
    var secureConnections: Bool { authReq & 0x08 != 0 }
  }

  var request: Features?
  var response: Features?
  var publicKeys = 0
  var isComplete = false
  /// Over BR/EDR only keys are distributed; the method was that of the BR/EDR pairing. 2.4.2.5
  var isCrossTransport = false

  var secureConnections: Bool {
    (request?.secureConnections ?? false) && (response?.secureConnections ?? false)
  }

  /// The method that both sides' features select. Vol 3, Part H, 2.3.5.1, tables 2.6 to 2.8.
  var method: Method {
    guard let request, let response else { return .justWorks }
    let oob =
      secureConnections ? request.oob || response.oob : request.oob && response.oob
    if oob { return .outOfBand }
    guard request.mitm || response.mitm else { return .justWorks }
    // 0 DisplayOnly, 1 DisplayYesNo, 2 KeyboardOnly, 3 NoInputNoOutput, 4 KeyboardDisplay
    let (a, b) = (request.ioCapability, response.ioCapability)
    if a == 3 || b == 3 { return .justWorks }
    let canCompare = { (io: UInt8) in io == 1 || io == 4 }
    if secureConnections, canCompare(a), canCompare(b) { return .numericComparison }
    let canType = { (io: UInt8) in io == 2 || io == 4 }
    return canType(a) || canType(b) ? .passkeyEntry : .justWorks
  }
}
