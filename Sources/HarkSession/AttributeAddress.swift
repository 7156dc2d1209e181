import HarkCore
import HarkDissection

/// Where the attribute is that an ATT PDU is about: enough to find its type once it is asked for.
struct AttributeAddress: Sendable {
  var handle: UInt16
  /// The direction in which the server's client sends.
  var client: Direction
  /// Whether the PDU has the value from its beginning on.
  var isFromStart = true

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
  /// That of this host; on the air that of the Central.
  public func hostDatabase(on link: LinkID) -> DatabaseKey {
    database(link, clientDirection: .controllerToHost)
  }

  func type(at address: AttributeAddress?, on link: LinkID?) -> BluetoothUUID? {
    guard let address, let link,
      let slot = databaseTable.find(database(link, clientDirection: address.client))
    else { return nil }
    return databaseTable.values[slot].type(of: address.handle)
  }

  /// The service that the packet indexed last is about: that of its attribute, where discovery showed
  /// it, or the classes of the service that its RFCOMM data link or L2CAP channel leads to, where SDP
  /// did.
  public func services(of row: PacketRow) -> [BluetoothUUID] {
    guard let link = row.link else { return [] }
    if let attribute {
      guard let slot = databaseTable.find(database(link, clientDirection: attribute.client)) else {
        return []
      }
      let service = databaseTable.values[slot].service(containing: attribute.handle)
      return (service?.uuid).map { [$0] } ?? []
    }
    if let dataLink { return dataLinks[dataLink].service?.classes ?? [] }
    guard let id = row.channel else { return [] }
    let channel = channels[Int(id.index)]
    let owner = database(
      link, clientDirection: channel.isPeerRequest ? .controllerToHost : .hostToController)
    return services.find(psm: channel.psm, of: owner)?.classes ?? []
  }
}
