import HarkCore
import HarkDissection

/// A pairing by the Security Manager. Core Specification, Vol 3, Part H, 2.3.
public struct Pairing: Sendable {
  /// Values that each side sends, the Central first: public keys, Confirm Values, random numbers. 2.3.5.5, 2.3.5.6
  struct Exchanged: Equatable, Sendable {
    /// The Central's and the Peripheral's.
    private(set) var values: [[UInt8]?] = [nil, nil]

    subscript(side: Int) -> [UInt8]? { values[side] }

    /// Takes a value. Over the air, its sender may be inferred: the order of the first two is more certain.
    /// - Parameter isShared: Whether both sides may send the same value.
    mutating func take(_ value: [UInt8], from side: Int, isShared: Bool = false) {
      if values.contains(value) {
        if isShared { values[side] = value }
        return
      }
      if let first = values[0] ?? values[1], values.contains(nil) {
        values = [first, value]
      } else {
        values[side] = value
      }
    }

    var isWhole: Bool { !values.contains(nil) }
    var isEmpty: Bool { values.allSatisfy { $0 == nil } }
  }

  /// What the Central's Pairing Request and the Peripheral's Pairing Response request.
  public struct Wishes: Equatable, Sendable {
    public var mitmByCentral = false
    public var mitmByPeripheral = false
    public var secureConnectionsByCentral = false
    public var secureConnectionsByPeripheral = false
    /// The IO capabilities; nil if the capture does not show them.
    public var ioCapabilityOfCentral: UInt8?
    public var ioCapabilityOfPeripheral: UInt8?
    /// The Maximum Encryption Key Sizes, in octets.
    public var keySizeOfCentral: UInt8?
    public var keySizeOfPeripheral: UInt8?

    public init() {}
  }

  public enum Method: String, Sendable {
    case justWorks = "Just Works"
    case passkeyEntry = "Passkey Entry"
    case numericComparison = "Numeric Comparison"
    case outOfBand = "Out of Band"

    /// Selects by IO capabilities if MITM protection is requested. Vol 3, Part C, 5.2.2.6; Vol 3, Part H, 2.3.5.1.
    /// - Parameter canCompare: LE legacy pairing has no Numeric Comparison.
    init(_ a: UInt8, _ b: UInt8, canCompare: Bool) {
      let sides = [a, b].map { SMPMessage.IOCapability(rawValue: $0) }
      self =
        if sides.contains(.noInputNoOutput) {
          .justWorks
        } else if canCompare, sides.allSatisfy({ $0?.canCompare ?? false }) {
          .numericComparison
        } else {
          sides.contains { $0?.hasKeyboard ?? false } ? .passkeyEntry : .justWorks
        }
    }
  }

  var request: SMPMessage.Features?
  var response: SMPMessage.Features?
  /// For a pairing received over the air: the PDUs that agree on the features and the Confirm Values, the Central's
  /// and the Peripheral's, as sent.
  var features: [[UInt8]?] = [nil, nil]
  var confirms = Exchanged()
  var hasPublicKeys = false
  /// Whether a row has reported the public keys.
  var hasReportedKeys = false
  /// The Pairing Request, and the first public key with its direction: what the other side answers. 3.5.1, 3.5.6
  var requestPacket: PacketID?
  var firstKey: (packet: PacketID, direction: Direction)?
  /// For a pairing received over the air: the public keys of the Central and the Peripheral, X and Y of 32 octets
  /// each, least significant first. 3.5.6
  var publicKeys = Exchanged()
  /// The random numbers of legacy pairing, least significant octet first: the Central's, the Peripheral's. 3.5.4
  var randoms = Exchanged()
  /// The temporary key of a legacy pairing: 0, or a passkey that was found.
  var temporaryKey: UInt32 = 0
  /// The DHKey Checks, least significant octet first. 3.5.7
  var dhKeyChecks = Exchanged()
  /// How many packets the capture had lost before the pairing; nil once a PDU of the pairing was cut.
  var lostBefore: Int? = 0
  /// Whether the link was encrypted, or was not, before the capture showed what it would be encrypted with: what follows,
  /// such as keys, may be the end of the pairing.
  var isPastEncryption = false
  var isComplete = false
  var isTimedOut = false
  /// The last PDU of a pairing in progress.
  var last: (packet: PacketID, time: Timestamp)?
  /// Over BR/EDR, only keys are distributed; the method was that of the BR/EDR pairing. 2.4.2.5
  var isCrossTransport = false
  /// Its keys, once both sides agreed on them.
  var crossTransport: CrossTransportKeys?
  /// Over LE, the keys of the bond that have not been sent.
  var awaited: AwaitedKeys?

  /// The size of the keys that it makes, in octets. 2.3.4
  var keySize: Int { Int(min(request?.keySize ?? 16, response?.keySize ?? 16)) }

  /// LE legacy pairing has no public keys.
  var secureConnections: Bool {
    hasPublicKeys || wishes.secureConnectionsByCentral && wishes.secureConnectionsByPeripheral
  }

  /// Whether the capture shows if it uses LE Secure Connections: it does not if one side offers them and what the other
  /// one offers is not captured. 2.3.5.1
  var isKindKnown: Bool {
    hasPublicKeys
      || [request, response].contains { $0?.requirements.secureConnections == false }
      || request != nil && response != nil
  }

  /// Whether the next encryption is that of a legacy pairing over LE, with the STK. 2.4.4.1
  var awaitsShortTermKey: Bool {
    request != nil && response != nil && !isComplete && !isCrossTransport && isKindKnown
      && !secureConnections
  }

  /// Whether both sides requested bonding; nil if the capture lacks a request that decides it. 3.5.1
  var isBonding: Bool? {
    let wishes = [request, response].map { $0?.requirements.bonding }
    return wishes.contains(false) ? false : wishes.contains(nil) ? nil : true
  }

  /// Whether both sides derive the link key for BR/EDR from the LTK that the pairing over LE makes. 2.4.2.4, 3.6.1
  var derivesLinkKey: Bool {
    guard let request, let response, secureConnections, !isCrossTransport else { return false }
    return [
      request.initiatorKeys, request.responderKeys, response.initiatorKeys, response.responderKeys,
    ].allSatisfy { $0.contains(.linkKey) }
  }

  /// For a pairing received over the air: whether a PDU of phase 2 was received. 2.1
  var hasBegunAuthentication: Bool {
    hasPublicKeys || !confirms.isEmpty || !randoms.isEmpty || !dhKeyChecks.isEmpty
  }

  /// Whether each side has proved to the other that it has the key, with Pairing DHKey Check, or, in LE legacy pairing,
  /// Pairing Random. 2.3.5.5, 2.3.5.6.5
  var isAuthenticated: Bool {
    dhKeyChecks.isWhole || !secureConnections && randoms.isWhole
  }

  var wishes: Wishes {
    var wishes = Wishes()
    wishes.mitmByCentral = request?.requirements.mitm ?? false
    wishes.mitmByPeripheral = response?.requirements.mitm ?? false
    wishes.secureConnectionsByCentral = request?.requirements.secureConnections ?? false
    wishes.secureConnectionsByPeripheral = response?.requirements.secureConnections ?? false
    wishes.ioCapabilityOfCentral = request?.ioCapability
    wishes.ioCapabilityOfPeripheral = response?.ioCapability
    wishes.keySizeOfCentral = request?.keySize
    wishes.keySizeOfPeripheral = response?.keySize
    return wishes
  }

  /// The method that both sides' features select. Vol 3, Part H, 2.3.5.1, tables 2.6 to 2.8.
  var method: Method {
    guard let request, let response else { return .justWorks }
    let oob =
      secureConnections
      ? request.hasOOBData || response.hasOOBData : request.hasOOBData && response.hasOOBData
    if oob { return .outOfBand }
    guard request.requirements.mitm || response.requirements.mitm else { return .justWorks }
    return Method(
      request.ioCapability, response.ioCapability, canCompare: secureConnections)
  }
}
