import HarkCore

// What is followed of Bluetooth Mesh. Mesh Protocol 1.1.

/// A provisioning PDU, or the beginning of one. 5.4.1
package struct MeshProvisioningPDU: Equatable, Sendable {
  package internal(set) var type: UInt8
  /// The Authentication Method of Provisioning Start.
  package internal(set) var method: UInt8?
  /// The Error Code of Provisioning Failed.
  package internal(set) var error: UInt8?

  /// 5.4.1, table 5.21
  package static let failed: UInt8 = 0x09

  /// The Error Codes of Provisioning Failed with a cause outside of the protocol. 5.4.4
  package enum Failure: UInt8, Sendable {
    case confirmationFailed = 0x04
    case outOfResources = 0x05
  }

  package init(type: UInt8) { self.type = type & 0x3F }
}

/// A packet of PB-ADV. 5.2.1, 5.3.1
package struct MeshBearerPacket: Message, Equatable {
  package enum Content: Equatable, Sendable {
    /// Where the Device UUID is, most significant octet first.
    case linkOpen(device: Range<Int>)
    case linkAcknowledgment
    case linkClose(reason: UInt8)
    /// Transaction Start: a PDU, or its first segment. 5.3.1.1
    case start(Start)
    /// Another segment, and where it is. 5.3.1.3
    case continuation(index: UInt8, Range<Int>)
    case acknowledgment
    case other
  }

  package struct Start: Equatable, Sendable {
    /// The index of the last segment.
    package let lastSegment: UInt8
    /// The octets of the PDU.
    package let length: UInt16
    package let frameCheck: UInt8
    /// Where the first segment is.
    package let data: Range<Int>
    /// The type of the PDU; nil if the segment is empty.
    package let type: UInt8?
  }

  /// The Link ID.
  package internal(set) var link: UInt32 = 0
  package internal(set) var transaction: UInt8 = 0
  package internal(set) var content = Content.other

  /// The device that is provisioned numbers its transactions from 0x80. 5.3.1.1
  package var isFromDevice: Bool { transaction >= Self.firstOfDevice }
  package static let firstOfDevice: UInt8 = 0x80
  /// 0 for the provisioner, 1 for the device.
  package var side: Int { isFromDevice ? 1 : 0 }

  package init() {}
}

/// A provisioning PDU that was put together. 5.4.1
package struct MeshWholePDU: Message, Equatable {
  package internal(set) var pdu: MeshProvisioningPDU?

  package init() {}

  package init(_ bytes: RawSpan) {
    self = MeshProvisioningPDUs.message(bytes, isCut: false).message
  }

  /// Whether the FCS is right: otherwise, the receiver ignores the PDU. 5.3.1.1
  package static func fits(_ bytes: RawSpan, frameCheck: UInt8) -> Bool {
    RFCOMM.checkSequence(bytes, 0..<bytes.byteCount) == frameCheck
  }

  package static let entry = Catalog.shared.entries.first {
    $0.name.description == MeshProvisioningPDUs.name.description
  }
}

/// A beacon. 3.10
package enum MeshBeaconMessage: Message, Equatable {
  /// Where the Device UUID is, most significant octet first.
  case unprovisioned(device: Range<Int>)
  case network(id: UInt64)
  case privateNetwork
  case other

  package init() { self = .other }
}

/// A network PDU, whose content is encrypted. 3.4.4
package struct MeshNetworkPDU: Message, Equatable {
  package internal(set) var nid: UInt8?

  package init() {}
}

/// A PDU over a GATT bearer, or a segment of one. 6.3
package enum MeshProxyPDU: Message, Equatable {
  case provisioning(MeshProvisioningPDU)
  /// A segment of a provisioning PDU, and where it is.
  case segment(isFirst: Bool, isLast: Bool, Range<Int>)
  case beacon(MeshBeaconMessage)
  case network(MeshNetworkPDU)
  case other

  package init() { self = .other }

  /// Whether values of characteristics of this type are such PDUs. 7.1.3, 7.2.3
  package static func isValue(of type: BluetoothUUID) -> Bool {
    MeshProxy.characteristics.contains(type.short ?? 0)
  }

  /// - Parameter isCut: Whether the recorder cut the end of the value.
  package init(_ bytes: RawSpan, isCut: Bool) {
    self = MeshProxy.message(bytes, isCut: isCut).message
  }
}

/// Mesh in advertising. 3.3.1, 3.10.1, 5.2.1
package enum MeshAdvertisement: Equatable, Sendable {
  case provisioning(MeshBearerPacket)
  case beacon(MeshBeaconMessage)
  case network(MeshNetworkPDU)

  /// Whether the data may be what `read` reads: most is not, and this is asked for each report.
  package static func mayBegin(_ bytes: RawSpan, _ data: Range<Int>) -> Bool {
    let type = data.lowerBound + 1
    return type < bytes.byteCount
      && ADType.meshProvisioning.rawValue...ADType.meshBeacon.rawValue ~= bytes.byte(at: type)
  }

  /// Nil for other data: mesh has its advertising packets for itself.
  /// - Parameter data: Where the advertising data is in `bytes`; it may end later.
  package static func read(_ bytes: RawSpan, _ data: Range<Int>) -> (Self, value: Range<Int>)? {
    var structures = ADStructures(bytes, data)
    guard let structure = structures.next(bytes), structure.isWhole else { return nil }
    let value = bytes.extracting(structure.value)
    switch structure.type {
    case .meshProvisioning:
      return (
        .provisioning(MeshProvisioningBearer.message(value, isCut: false).message), structure.value
      )
    case .meshBeacon:
      return (.beacon(MeshBeacons.message(value, isCut: false).message), structure.value)
    case .meshMessage:
      return (.network(MeshMessage.message(value, isCut: false).message), structure.value)
    default: return nil
    }
  }
}
