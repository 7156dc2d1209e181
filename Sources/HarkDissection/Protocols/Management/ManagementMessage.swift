import HarkCore

/// A key among the parameters of a command or an event of the Linux Bluetooth management interface.
/// BlueZ's documentation of that interface (mgmt-api).
package struct ManagementKey: Sendable {
  package enum Kind: Sendable {
    case linkKey, longTermKey, identityResolvingKey, signatureResolvingKey
  }

  package let kind: Kind
  /// Where the key is in the packet, which begins with its cookie.
  package let key: Range<Int>
  /// The address of whose key it is; nil for this host's own.
  package let address: Range<Int>?
  package let isRandom: Bool

  /// The owner of the key, in the packet that it was found in.
  package func owner(in packet: RawSpan) -> BluetoothAddress? {
    address.map {
      BluetoothAddress(packet.unsigned(at: $0.lowerBound, 6), isRandom ? .random : .public)
    }
  }

  private static let management = MonitorRecord.shared.management

  /// The keys of a command or an event.
  package static func all(in packet: RawSpan, _ kind: PacketKind) -> [ManagementKey] {
    // The code is after the cookie.
    guard packet.byteCount > 6 else { return [] }
    let code = UInt16(truncatingIfNeeded: packet.unsigned(at: 4, 2))
    let isCommand = kind == .controlCommand
    guard let keys = isCommand ? Self.kind(ofCommand: code) : Self.kind(ofEvent: code) else {
      return []
    }
    var context = Context()
    context.isTruncated = true
    let (address, type) = (management.mgmtAddress, management.mgmtAddressType)
    let sink = ParameterValues(listing: address, type, management.mgmtValue)
    let values = PDU.reading(packet, out: sink, context) { pdu in
      do {
        if isCommand {
          try MonitorControlCommand.dissect(&pdu)
        } else {
          try MonitorControlEvent.dissect(&pdu)
        }
      } catch {}
      return pdu.out
    }
    if let own = values.range(management.mgmtIRK) {
      return [ManagementKey(kind: keys, key: own, address: nil, isRandom: false)]
    }
    var found: [ManagementKey] = []
    var owner: (address: Range<Int>, isRandom: Bool)?
    for entry in values.list {
      switch entry.field {
      case address: owner = (entry.range, false)
      // BR/EDR, LE Public, LE Random.
      case type: owner?.isRandom = entry.value == 2
      default:
        guard let of = owner else { continue }
        found.append(
          ManagementKey(kind: keys, key: entry.range, address: of.address, isRandom: of.isRandom))
      }
    }
    return found
  }

  private static func kind(ofCommand code: UInt16) -> Kind? {
    switch code {
    // Load Link Keys, Load Long Term Keys, Set Privacy, Load Identity Resolving Keys
    case 0x0012: .linkKey
    case 0x0013: .longTermKey
    case 0x002F, 0x0030: .identityResolvingKey
    default: nil
    }
  }

  private static func kind(ofEvent code: UInt16) -> Kind? {
    switch code {
    // New Link Key, New Long Term Key, New Identity Resolving Key, New Signature Resolving Key
    case 0x0009: .linkKey
    case 0x000A: .longTermKey
    case 0x0018: .identityResolvingKey
    case 0x0019: .signatureResolvingKey
    default: nil
    }
  }
}

/// What the kernel refused: Command Complete and Command Status of the management interface with another
/// Status than Success.
package struct ManagementRefusal: Sendable {
  /// In words.
  package let command: String
  package let reason: String

  private static let management = MonitorRecord.shared.management

  /// - Returns: Nil for everything else.
  package init?(_ event: RawSpan) {
    guard event.byteCount >= 9, 1...2 ~= event.unsigned(at: 4, 2), event.byte(at: 8) != 0 else {
      return nil
    }
    command = Self.name(event.unsigned(at: 6, 2), Self.management.mgmtCommand)
    reason = Self.name(UInt64(event.byte(at: 8)), Self.management.mgmtStatus)
  }

  private static func name(_ code: UInt64, _ field: Field) -> String {
    field.definition.name(of: code) ?? "Unknown (\(code))"
  }
}
