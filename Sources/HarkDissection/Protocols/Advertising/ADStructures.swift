import HarkCore

/// The type of an AD structure whose value is followed. Assigned Numbers, 2.3
package enum ADType: UInt8, Sendable {
  case incompleteListOf16BitServiceUUIDs = 0x02
  case completeListOf16BitServiceUUIDs = 0x03
  case incompleteListOf32BitServiceUUIDs = 0x04
  case completeListOf32BitServiceUUIDs = 0x05
  case incompleteListOf128BitServiceUUIDs = 0x06
  case completeListOf128BitServiceUUIDs = 0x07
  case shortenedLocalName = 0x08
  case completeLocalName = 0x09
  case listOf16BitServiceSolicitationUUIDs = 0x14
  case listOf128BitServiceSolicitationUUIDs = 0x15
  case serviceData16BitUUID = 0x16
  case listOf32BitServiceSolicitationUUIDs = 0x1F
  case serviceData32BitUUID = 0x20
  case serviceData128BitUUID = 0x21
  case meshProvisioning = 0x29
  case meshMessage = 0x2A
  case meshBeacon = 0x2B
  case bigInfo = 0x2C
  case periodicAdvertisingResponseTiming = 0x32
  case manufacturerSpecificData = 0xFF
}

/// The structures of advertising data, one after the other, up to one of no length, which ends the data early.
/// Core Specification, Vol 3, Part C, 11
package struct ADStructures: Sendable {
  package struct Structure: Sendable {
    let code: UInt8
    /// Where as much of the value is as there is.
    package let value: Range<Int>
    /// Whether it ends where the data does, or before.
    package let isWhole: Bool

    /// Nil for types that nothing follows.
    package var type: ADType? { ADType(rawValue: code) }
  }

  /// What a structure is about. Core Specification Supplement, Part A, 1.1, 1.4, 1.10, 1.11
  package enum Content: Sendable {
    case services([BluetoothUUID])
    case solicitedServices([BluetoothUUID])
    /// With the place of the data after the UUID.
    case serviceData(BluetoothUUID, Range<Int>)
    case manufacturerData(company: UInt16, Range<Int>)
    case name(Range<Int>, isComplete: Bool)
  }

  private var start: Int
  private let end: Int

  /// - Parameter data: Where in `bytes` the structures are; it may end after them.
  package init(_ bytes: RawSpan, _ data: Range<Int>) {
    (start, end) = (data.lowerBound, min(data.upperBound, bytes.byteCount))
  }

  package init(_ bytes: RawSpan) { self.init(bytes, 0..<bytes.byteCount) }

  package mutating func next(_ bytes: RawSpan) -> Structure? {
    guard start + 1 < end, bytes.byte(at: start) > 0 else { return nil }
    let next = start + 1 + Int(bytes.byte(at: start))
    let value = start + 2..<max(start + 2, min(next, end))
    defer { start = next }
    return Structure(code: bytes.byte(at: start + 1), value: value, isWhole: next <= end)
  }
}

extension ADStructures.Structure {
  /// Nil for types that nothing follows, and where the value is shorter than what it begins with.
  package func content(_ bytes: RawSpan) -> ADStructures.Content? {
    switch type {
    case .incompleteListOf16BitServiceUUIDs, .completeListOf16BitServiceUUIDs:
      .services(uuids(2, bytes))
    case .incompleteListOf32BitServiceUUIDs, .completeListOf32BitServiceUUIDs:
      .services(uuids(4, bytes))
    case .incompleteListOf128BitServiceUUIDs, .completeListOf128BitServiceUUIDs:
      .services(uuids(16, bytes))
    case .listOf16BitServiceSolicitationUUIDs: .solicitedServices(uuids(2, bytes))
    case .listOf32BitServiceSolicitationUUIDs: .solicitedServices(uuids(4, bytes))
    case .listOf128BitServiceSolicitationUUIDs: .solicitedServices(uuids(16, bytes))
    case .serviceData16BitUUID: serviceData(2, bytes)
    case .serviceData32BitUUID: serviceData(4, bytes)
    case .serviceData128BitUUID: serviceData(16, bytes)
    case .manufacturerSpecificData:
      value.count < 2
        ? nil
        : .manufacturerData(
          company: UInt16(truncatingIfNeeded: bytes.unsigned(at: value.lowerBound, 2)),
          value.dropFirst(2))
    case .shortenedLocalName: .name(value, isComplete: false)
    case .completeLocalName: .name(value, isComplete: true)
    case .meshProvisioning, .meshMessage, .meshBeacon, .bigInfo,
      .periodicAdvertisingResponseTiming, nil:
      nil
    }
  }

  private func uuids(_ size: Int, _ bytes: RawSpan) -> [BluetoothUUID] {
    (0..<value.count / size).compactMap { uuid(value.lowerBound + $0 * size, size, bytes) }
  }

  private func serviceData(_ size: Int, _ bytes: RawSpan) -> ADStructures.Content? {
    guard value.count >= size, let uuid = uuid(value.lowerBound, size, bytes) else { return nil }
    return .serviceData(uuid, value.dropFirst(size))
  }

  private func uuid(_ start: Int, _ size: Int, _ bytes: RawSpan) -> BluetoothUUID? {
    BluetoothUUID(littleEndian: bytes.extracting(start..<start + size))
  }
}
