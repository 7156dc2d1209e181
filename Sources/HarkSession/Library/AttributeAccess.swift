import HarkCore
import HarkDissection

/// One use of an attribute, as evidence of its type.
struct AttributeAccess {
  enum Kind: UInt32 { case read, write, command, notification, indication }

  let kind: Kind
  let handle: UInt16
  /// The size of the whole value in octets; nil if it is unknown.
  let size: Int?
  /// Whether the server certainly has such an attribute: it sent the value or accepted it, or the client already
  /// knows the server. A request may still be refused.
  let isProof: Bool

  /// Distinguishes uses that add evidence.
  var code: UInt32 { kind.rawValue << 17 | (isProof ? 1 << 16 : 0) | UInt32(handle) }

  /// What a PDU shows about the peer's server; nil if it shows nothing.
  /// - Parameter request: The request that a response answers.
  init?(
    _ opcode: ATTPDU.Opcode, _ facts: Facts, _ moment: PacketContext, request: ATTState.Request?
  ) {
    let toServer = moment.direction == .hostToController
    let count = Int(facts.payloadCount) + moment.cut
    switch opcode {
    case .handleValueNotification where !toServer:
      self.init(kind: .notification, handle: facts.attribute, size: count, isProof: true)
    case .handleValueIndication where !toServer:
      self.init(kind: .indication, handle: facts.attribute, size: count, isProof: true)
    case .writeCommand where toServer, .signedWriteCommand where toServer:
      self.init(kind: .command, handle: facts.attribute, size: nil, isProof: true)
    case .readRequest where toServer:
      self.init(kind: .read, handle: facts.attribute, size: nil, isProof: false)
    case .writeRequest where toServer, .prepareWriteRequest where toServer:
      self.init(kind: .write, handle: facts.attribute, size: nil, isProof: false)
    case .writeResponse where !toServer:
      guard let request, request.opcode == .writeRequest else { return nil }
      self.init(
        kind: .write, handle: request.handle,
        size: request.write.map { $0.bytes.count + request.moment.cut }, isProof: true)
    case .readResponse where !toServer:
      guard let request, request.opcode == .readRequest else { return nil }
      // A longer value may continue in the next response.
      self.init(
        kind: .read, handle: request.handle, size: count < Self.leastLong ? count : nil,
        isProof: true)
    default: return nil
    }
  }

  private init(kind: Kind, handle: UInt16, size: Int?, isProof: Bool) {
    (self.kind, self.handle, self.size, self.isProof) = (kind, handle, size, isProof)
  }

  /// The minimum ATT_MTU leaves this many octets for a value that is read. Core Specification, Vol 3, Part F, 3.2.8
  /// and 3.4.4.4.
  private static let leastLong = 22
}

extension GATTDatabase {
  /// Whether a server with these attributes allows `access`.
  func allows(_ access: AttributeAccess) -> Bool {
    guard let type = type(of: access.handle) else { return false }
    if let size = access.size, let fixed = type.fixedSize, size != fixed {
      return false
    }
    guard let characteristic = characteristics[access.handle] else {
      return access.kind == .read || access.kind == .write && descriptors[access.handle] != nil
    }
    // The properties in maps written by hand are unknown.
    let properties = CharacteristicProperties(rawValue: characteristic.properties)
    return properties.isEmpty || !properties.isDisjoint(with: Self.properties(of: access.kind))
  }

  /// The Characteristic Properties that allow an access. Clients do not distinguish writing with and without response.
  private static func properties(of kind: AttributeAccess.Kind) -> CharacteristicProperties {
    switch kind {
    case .read: .read
    case .write, .command: [.writeWithoutResponse, .write, .signedWrite]
    case .notification: .notify
    case .indication: .indicate
    }
  }
}
