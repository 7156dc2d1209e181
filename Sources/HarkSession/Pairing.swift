import HarkCore

/// A pairing by the Security Manager. Core Specification, Vol 3, Part H, 2.3.
public struct Pairing: Sendable {
  /// What the Central's Pairing Request and the Peripheral's Pairing Response asked for.
  public struct Wishes: Equatable, Sendable {
    public var mitmByCentral = false
    public var mitmByPeripheral = false
    public var secureConnectionsByCentral = false
    public var secureConnectionsByPeripheral = false

    public init() {}
  }

  public enum Method: String, Sendable {
    case justWorks = "Just Works"
    case passkeyEntry = "Passkey Entry"
    case numericComparison = "Numeric Comparison"
    case outOfBand = "Out of Band"

    /// Selects by IO capabilities where MITM protection is wanted. Vol 3, Part C, 5.2.2.6; Vol 3,
    /// Part H, 2.3.5.1.
    /// - Parameter canCompare: LE legacy pairing has no Numeric Comparison.
    init(_ a: UInt8, _ b: UInt8, canCompare: Bool) {
      // 0 DisplayOnly, 1 DisplayYesNo, 2 KeyboardOnly, 3 NoInputNoOutput, 4 KeyboardDisplay
      let compares = { (io: UInt8) in io == 1 || io == 4 }
      let types = { (io: UInt8) in io == 2 || io == 4 }
      self =
        if a == 3 || b == 3 {
          .justWorks
        } else if canCompare, compares(a), compares(b) {
          .numericComparison
        } else {
          types(a) || types(b) ? .passkeyEntry : .justWorks
        }
    }
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
  /// Of a pairing heard on the air: the PDUs that agree on the features and the Confirm Values, the
  /// Central's and the Peripheral's, as sent.
  var features: [[UInt8]?] = [nil, nil]
  var confirms: [[UInt8]?] = [nil, nil]
  var publicKeys = 0
  /// The random numbers of legacy pairing, least significant octet first: the Central's, the
  /// Peripheral's. 3.5.4
  var randoms: [[UInt8]?] = [nil, nil]
  /// That of a legacy pairing: 0, or a passkey that was looked for.
  var temporaryKey: UInt32 = 0
  var isComplete = false
  var isTimedOut = false
  /// The last PDU of a pairing under way, and how many packets the recorder had lost until then.
  var last: (packet: PacketID, time: Timestamp, dropped: Int)?
  /// Over BR/EDR only keys are distributed; the method was that of the BR/EDR pairing. 2.4.2.5
  var isCrossTransport = false

  /// Of the keys that it makes, in octets. 2.3.4
  var keySize: Int { Int(min(request?.keySize ?? 16, response?.keySize ?? 16)) }

  var secureConnections: Bool {
    (request?.secureConnections ?? false) && (response?.secureConnections ?? false)
  }

  var wishes: Wishes {
    var wishes = Wishes()
    wishes.mitmByCentral = request?.mitm ?? false
    wishes.mitmByPeripheral = response?.mitm ?? false
    wishes.secureConnectionsByCentral = request?.secureConnections ?? false
    wishes.secureConnectionsByPeripheral = response?.secureConnections ?? false
    return wishes
  }

  /// The method that both sides' features select. Vol 3, Part H, 2.3.5.1, tables 2.6 to 2.8.
  var method: Method {
    guard let request, let response else { return .justWorks }
    let oob =
      secureConnections ? request.oob || response.oob : request.oob && response.oob
    if oob { return .outOfBand }
    guard request.mitm || response.mitm else { return .justWorks }
    return Method(
      request.ioCapability, response.ioCapability, canCompare: secureConnections)
  }
}
