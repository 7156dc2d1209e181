import HarkCore
import HarkDissection

/// Where the attribute is that an ATT PDU is about: enough to find its type once it is asked for.
struct AttributeAddress: Sendable {
  var handle: UInt16
  /// The direction in which the server's client sends.
  var client: Direction

  /// - Parameters:
  ///   - request: The opcode and handle of the request, where the PDU is its response.
  ///   - direction: Of the PDU.
  init?(_ facts: Facts, request: (opcode: UInt8, handle: UInt16)?, _ direction: Direction) {
    switch facts.code {
    case 0x0A, 0x0C, 0x12, 0x16, 0x52, 0xD2: (handle, client) = (facts.attribute, direction)
    case 0x1B, 0x1D: (handle, client) = (facts.attribute, direction.opposite)
    case 0x01, 0x0B, 0x0D, 0x17:
      guard let request, Self.requests.contains(request.opcode) else { return nil }
      (handle, client) = (request.handle, direction.opposite)
    default: return nil
    }
  }

  /// Requests that are about one attribute.
  private static let requests: [UInt8] = [0x0A, 0x0C, 0x12, 0x16]
}

extension Session {
  func type(at address: AttributeAddress?, on link: LinkID?) -> BluetoothUUID? {
    guard let address, let link,
      let slot = databaseTable.find(database(link, clientDirection: address.client))
    else { return nil }
    return databaseTable.values[slot].type(of: address.handle)
  }

  /// The service that the attribute belongs to which the packet indexed last is about, where
  /// discovery showed it.
  public func service(of row: PacketRow) -> BluetoothUUID? {
    guard let attribute, let link = row.link,
      let slot = databaseTable.find(database(link, clientDirection: attribute.client))
    else { return nil }
    return databaseTable.values[slot].service(containing: attribute.handle)?.uuid
  }
}
