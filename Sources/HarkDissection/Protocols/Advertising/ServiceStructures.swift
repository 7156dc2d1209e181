import HarkCore

/// The services that advertising data names, found without reading the rest.
/// Core Specification Supplement, Part A
package enum ServiceStructures {
  /// Those that the structures of Service Data are of. 1.11
  package static func withData(_ data: RawSpan) -> [BluetoothUUID] {
    contents(of: data) { content in
      if case .serviceData(let uuid, _) = content { [uuid] } else { [] }
    }
  }

  /// Those that a host solicits. 1.10
  package static func solicited(_ data: RawSpan) -> [BluetoothUUID] {
    contents(of: data) { content in
      if case .solicitedServices(let uuids) = content { uuids } else { [] }
    }
  }

  private static func contents(
    of data: RawSpan, _ services: (ADStructures.Content) -> [BluetoothUUID]
  ) -> [BluetoothUUID] {
    var found: [BluetoothUUID] = []
    var structures = ADStructures(data)
    while let structure = structures.next(data) {
      if let content = structure.content(data) { found += services(content) }
    }
    return found
  }
}
