import HarkCore
import HarkDissection

// Attributes that are known from another database of the same server: see `Session.lender`.
extension GATTDatabase {
  /// Adds what another database of the same server knows and this one does not.
  /// - Returns: Whether it did; false if the two contradict each other.
  mutating func borrow(_ other: GATTDatabase) -> Bool {
    let fits =
      other.services.values.allSatisfy {
        guard let own = services[$0.start] else { return knownType(of: $0.start) == nil }
        return own.uuid == $0.uuid && own.end == $0.end
      }
      && other.characteristics.values.allSatisfy {
        $0.isRecognized
          || agrees($0.uuid, at: $0.handle)
            && agrees(.characteristicDeclaration, at: $0.declaration)
      } && other.descriptors.values.allSatisfy { agrees($0.uuid, at: $0.handle) }
    guard fits else { return false }
    for service in other.services.values where services[service.start] == nil {
      add(
        Service(
          start: service.start, end: service.end, uuid: service.uuid,
          isPrimary: service.isPrimary, frame: .borrowed))
    }
    for one in other.characteristics.values
    where characteristics[one.handle] == nil && !one.isRecognized {
      add(
        Characteristic(
          declaration: one.declaration, handle: one.handle, uuid: one.uuid,
          properties: one.properties, frame: .borrowed))
    }
    for one in other.descriptors.values where descriptors[one.handle] == nil {
      add(Descriptor(handle: one.handle, uuid: one.uuid, frame: .borrowed))
    }
    hasBorrowed = true
    return true
  }

  private func agrees(_ type: BluetoothUUID, at handle: UInt16) -> Bool {
    knownType(of: handle).map { $0 == type } ?? true
  }

  /// Discovery shows the type of an attribute: a borrowed database with another type belongs to another
  /// server.
  mutating func shows(_ type: BluetoothUUID, at handle: UInt16) {
    if hasBorrowed, !agrees(type, at: handle) { returnBorrowed() }
  }

  /// Removes everything borrowed.
  mutating func returnBorrowed() {
    hasBorrowed = false
    for service in services.values where service.isBorrowed {
      starts.remove(service.start)
      forget(service.start)
    }
    for one in characteristics.values where one.isBorrowed {
      counts[one.uuid, default: 1] -= 1
      declarations.remove(one.declaration)
      contents.remove(one.handle)
      forget(one.declaration)
      forget(one.handle)
    }
    for one in descriptors.values where one.isBorrowed {
      contents.remove(one.handle)
      forget(one.handle)
    }
    services = services.filter { !$0.value.isBorrowed }
    characteristics = characteristics.filter { !$0.value.isBorrowed }
    descriptors = descriptors.filter { !$0.value.isBorrowed }
  }

  private mutating func forget(_ handle: UInt16) {
    if let slot = find(handle) { attributes[slot].type = given[handle] }
  }

  /// Whether the type of the attribute at `handle` comes from a library.
  public func isBorrowed(_ handle: UInt16) -> Bool {
    guard hasBorrowed else { return false }
    return characteristics[handle]?.isBorrowed ?? descriptors[handle]?.isBorrowed
      ?? services[handle]?.isBorrowed ?? false
  }

  /// Whether part of it is still known only from a library.
  public var showsBorrowed: Bool {
    let found = discovered
    return found.services < services.count || found.characteristics < characteristics.count
      || found.descriptors < descriptors.count
  }
}

extension PacketID {
  /// Stands for the packet that shows an attribute if the attribute is borrowed; packets count from 1.
  public static let borrowed = PacketID(0)
}

extension GATTDatabase.Service {
  public var isBorrowed: Bool { frame == .borrowed }
}

extension GATTDatabase.Characteristic {
  public var isBorrowed: Bool { frame == .borrowed }
  /// Whether only its values show what it is: its declaration is then unknown, and `declaration` is its own
  /// handle.
  public var isRecognized: Bool { declaration == handle }
}

extension GATTDatabase.Descriptor {
  public var isBorrowed: Bool { frame == .borrowed }
}
