import HarkCore

/// A file of sections and settings: `[Section]`, `Key=Value`.
struct SettingsFile {
  struct Section {
    let name: String
    var values: [String: String] = [:]
  }

  private(set) var sections: [Section] = []

  /// Returns nil for anything else.
  init?(_ lines: [String]) {
    for line in lines {
      let text = line.trimmed
      if text.isEmpty || text.hasPrefix("#") { continue }
      if text.hasPrefix("["), text.hasSuffix("]") {
        sections.append(Section(name: String(text.dropFirst().dropLast())))
      } else if let sign = text.firstIndex(of: "="), !sections.isEmpty {
        sections[sections.count - 1].values[String(text[..<sign].trimmed)] =
          String(text[text.index(after: sign)...].trimmed)
      } else {
        return nil
      }
    }
    if sections.isEmpty { return nil }
  }

  var isBlueZ: Bool { sections.contains { BlueZInfo.kinds[$0.name] != nil } }

  var isAndroid: Bool {
    sections.contains { section in
      AndroidConfiguration.members.contains { section.values[$0.name] != nil }
    }
  }
}

/// `/var/lib/bluetooth/<adapter>/<device>/info`. Keys are in the byte order of the kernel's management interface, least
/// significant octet first.
enum BlueZInfo {
  /// Key kinds by section.
  static let kinds: [String: BondingKey.Kind] = [
    "LinkKey": .linkKey, "LongTermKey": .longTermKey, "SlaveLongTermKey": .longTermKey,
    "PeripheralLongTermKey": .longTermKey, "IdentityResolvingKey": .identityResolvingKey,
    "LocalSignatureKey": .signatureResolvingKey, "RemoteSignatureKey": .signatureResolvingKey,
  ]

  static func read(_ file: SettingsFile, _ path: String) -> KeyImport {
    var found = KeyImport(.bluez)
    let name = file.sections.first { $0.name == "General" }?.values["Name"]
    // The device's address is the name of the folder.
    let folder = path.split(separator: "/").dropLast().last
    let address = folder.flatMap { BluetoothAddress($0) }
    for section in file.sections {
      guard let kind = kinds[section.name], let text = section.values["Key"] else { continue }
      // Earlier versions wrote 0x before the digits.
      found.add(kind, Hex.bytes(text.withoutHexPrefix ?? text[...]), address, name: name)
    }
    return found
  }
}

/// `bt_config.conf` of Android's Bluetooth stack. The values are its structures, byte for byte; in them a link key is the
/// only key with the most significant octet first.
enum AndroidConfiguration {
  struct Member {
    let name: String
    let kind: BondingKey.Kind
    /// The range of the key in the value.
    let offset: Int
  }

  static let members = [
    Member(name: "LinkKey", kind: .linkKey, offset: 0),
    Member(name: "LE_KEY_PENC", kind: .longTermKey, offset: 0),
    Member(name: "LE_KEY_LENC", kind: .longTermKey, offset: 0),
    Member(name: "LE_KEY_PID", kind: .identityResolvingKey, offset: 0),
    // After a counter of 4 bytes; for the local key, also after its diversifier and level.
    Member(name: "LE_KEY_PCSRK", kind: .signatureResolvingKey, offset: 4),
    Member(name: "LE_KEY_LCSRK", kind: .signatureResolvingKey, offset: 7),
    Member(name: "LE_LOCAL_KEY_IRK", kind: .identityResolvingKey, offset: 0),
  ]

  static func read(_ file: SettingsFile) -> KeyImport {
    var found = KeyImport(.android)
    for section in file.sections {
      let isAdapter = section.name == "Adapter"
      let address = BluetoothAddress(isAdapter ? section.values["Address"] ?? "" : section.name)
      let name = isAdapter ? "this phone" : section.values["Name"]
      for member in members {
        // The value of a key that was not exchanged is empty.
        guard let text = section.values[member.name], !text.isEmpty else { continue }
        let octets = Hex.bytes(text) ?? []
        let end = member.offset + 16
        var key = octets.count >= end ? Array(octets[member.offset..<end]) : nil
        // The stack turns the octets of a link key around when it takes them from HCI_Link_Key_Notification
        // (STREAM_TO_ARRAY16 in btu_hcif.cc), and leaves those of SMP's keys as they come.
        if member.kind == .linkKey { key?.reverse() }
        found.add(
          member.kind, key,
          member.kind == .identityResolvingKey ? identity(octets) ?? address : address, name: name)
      }
    }
    return found
  }

  /// The identity address that follows an IRK and the address type.
  private static func identity(_ octets: [UInt8]) -> BluetoothAddress? {
    guard octets.count == 23 else { return nil }
    return BluetoothAddress(octets[17...].reduce(0) { $0 << 8 | UInt64($1) })
  }
}
