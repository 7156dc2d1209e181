import HarkCore

/// The services that advertising data names, found without reading the rest.
/// Core Specification Supplement, Part A
package enum ServiceStructures {
  /// Those that the structures of Service Data are of. 1.11
  package static func withData(_ data: RawSpan) -> [BluetoothUUID] {
    var services: [BluetoothUUID] = []
    forEach(in: data) { type, start, end in
      let size = sizeOfServiceData(type)
      if size > 0, start + size <= end, let uuid = uuid(data, start, size) { services.append(uuid) }
    }
    return services
  }

  /// Those that a host solicits. 1.10
  package static func solicited(_ data: RawSpan) -> [BluetoothUUID] {
    var services: [BluetoothUUID] = []
    forEach(in: data) { type, start, end in
      let size =
        switch type {
        case 0x14: 2
        case 0x1F: 4
        case 0x15: 16
        default: 0
        }
      var place = start
      while size > 0, place + size <= end {
        if let uuid = uuid(data, place, size) { services.append(uuid) }
        place += size
      }
    }
    return services
  }

  /// How many octets the UUID of Service Data has; 0 for other types.
  private static func sizeOfServiceData(_ type: UInt8) -> Int {
    switch type {
    case 0x16: 2
    case 0x20: 4
    case 0x21: 16
    default: 0
    }
  }

  private static func uuid(_ data: RawSpan, _ start: Int, _ size: Int) -> BluetoothUUID? {
    BluetoothUUID(littleEndian: data.extracting(start..<start + size))
  }

  /// The structures up to one of no length: the type, where the value begins, and where it ends.
  private static func forEach(
    in data: RawSpan, _ body: (_ type: UInt8, _ start: Int, _ end: Int) -> Void
  ) {
    var start = 0
    while start + 1 < data.byteCount, data.byte(at: start) > 0 {
      let end = start + 1 + Int(data.byte(at: start))
      body(data.byte(at: start + 1), start + 2, min(end, data.byteCount))
      start = end
    }
  }
}
