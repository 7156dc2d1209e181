import HarkCore
import HarkDissection

/// The location of the attribute that an ATT PDU concerns: enough to find its type later.
struct AttributeAddress: Sendable {
  var handle: UInt16
  /// The direction in which the server's client sends.
  var client: Direction
  /// Whether the PDU contains the value from its start.
  var isFromStart = true

  /// - Parameters:
  ///   - handle: The handle in the PDU.
  ///   - request: The opcode and handle of the request, if the PDU is its response.
  ///   - direction: Of the PDU.
  init?(
    _ opcode: ATTPDU.Opcode, _ handle: UInt16, request: (opcode: ATTPDU.Opcode, handle: UInt16)?,
    _ direction: Direction
  ) {
    switch opcode {
    case .readRequest, .readBlobRequest, .writeRequest, .prepareWriteRequest, .writeCommand,
      .signedWriteCommand:
      (self.handle, client) = (handle, direction)
    case .handleValueNotification, .handleValueIndication:
      (self.handle, client) = (handle, direction.opposite)
    case .errorResponse, .readResponse, .readBlobResponse, .prepareWriteResponse:
      guard let request, request.opcode.namesAttribute else { return nil }
      (self.handle, client) = (request.handle, direction.opposite)
    default: return nil
    }
  }
}

extension Tables {
  func type(at address: AttributeAddress?, on link: LinkID?) -> BluetoothUUID? {
    guard let address, let link,
      let slot = databases.find(database(link, clientDirection: address.client))
    else { return nil }
    return databases.values[slot].type(of: address.handle)
  }
}

extension Session {
  /// Whether the library knows something about devices.
  public var hasLibrary: Bool { !tables.devices.borrowing.library.isEmpty }

  /// Whether some of the library's entries were used for a device or link.
  public func uses(libraryEntries entries: Range<Int>) -> Bool {
    entries.contains(where: tables.devices.borrowing.used.contains)
  }

  /// Whether a packet has a value of the attribute with this handle, on any server.
  public func hasValue(of handle: UInt16) -> Bool {
    tables.databases.all.values.contains { $0.uses[handle] != nil }
  }

  /// The source of the borrowed type of the last packet's attribute; nil if the capture itself shows it.
  public func lender(ofAttributeIn row: PacketRow) -> GATTLibrary.Lender? {
    guard !tables.devices.borrowing.lenders.isEmpty, let address = tables.record.attribute,
      let link = row.link
    else { return nil }
    let key = tables.server(on: link, client: address.client)
    guard let slot = tables.databases.find(key),
      tables.databases.values[slot].isBorrowed(address.handle)
    else { return nil }
    return tables.devices.borrowing.lenders[key]
  }

  /// Whether only values show what the last packet's attribute is.
  public func isInferred(attributeIn row: PacketRow) -> Bool {
    guard tables.devices.borrowing.mayHaveRecognized, let address = tables.record.attribute,
      let link = row.link,
      let slot = tables.databases.find(tables.server(on: link, client: address.client))
    else { return false }
    return tables.databases.values[slot].characteristics[address.handle]?.isRecognized == true
  }

  /// The database of this host; over the air, that of the Central.
  public func hostDatabase(on link: LinkID) -> DatabaseKey {
    tables.database(link, clientDirection: .controllerToHost)
  }

  /// The service that the last indexed packet concerns: that of its attribute, if discovery showed it, or the classes
  /// of the service that its RFCOMM data link or L2CAP channel leads to, if SDP showed it.
  public func services(of row: PacketRow) -> [BluetoothUUID] {
    guard let link = row.link else { return [] }
    if let address = tables.record.attribute {
      guard let slot = tables.databases.find(tables.database(link, clientDirection: address.client))
      else {
        return []
      }
      let service = tables.databases.values[slot].service(containing: address.handle)
      return (service?.uuid).map { [$0] } ?? []
    }
    if let index = tables.record.dataLink {
      return traffic.rfcomm.services(ofDataLink: index)
    }
    guard let id = row.channel else { return [] }
    let channel = tables.channels[Int(id.index)]
    let owner = tables.database(
      link, clientDirection: channel.isPeerRequest ? .controllerToHost : .hostToController)
    return tables.services.find(psm: channel.psm, of: owner)?.classes ?? []
  }
}

extension Tables {
  /// The name of an attribute of unknown type for a framing that takes all channels.
  func listenedType(at handle: UInt16) -> BluetoothUUID? {
    framings.isListening ? BluetoothUUID(handle: handle) : nil
  }

  /// The database of the server in an exchange that the client started in `direction`.
  func database(_ link: LinkID, clientDirection: Direction) -> Session.DatabaseKey {
    if clientDirection == .controllerToHost {
      if let air = links[link].air {
        return air.centralDevice.map { .device(devices.current($0)) } ?? .local(0xFFFF)
      }
      return .local(links[link].controller)
    }
    return links[link].peerDatabase
  }
}

extension Link {
  /// The database of this host's server; over the air, of the Central's.
  package var hostDatabase: Session.DatabaseKey {
    guard let air else { return .local(controller) }
    return air.centralDevice.map { .device($0) } ?? .local(0xFFFF)
  }

  /// The database of the peer's server.
  package var peerDatabase: Session.DatabaseKey {
    device.map { .device($0) } ?? server ?? .link(id)
  }
}
