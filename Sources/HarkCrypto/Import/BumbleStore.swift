import HarkCore

/// Bumble's JSON key store: host name, then peer address. Values are in HCI byte order.
enum BumbleStore {
  private static let kinds: [(name: String, kind: BondingKey.Kind)] = [
    ("ltk", .longTermKey), ("ltk_central", .longTermKey), ("ltk_peripheral", .longTermKey),
    ("irk", .identityResolvingKey), ("csrk", .signatureResolvingKey), ("link_key", .linkKey),
  ]

  /// Returns nil for anything else.
  static func read(_ bytes: [UInt8]) -> KeyImport? {
    guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return nil }
    let limits = JSONParser.Limits(levels: 8, values: 1 << 20, takesDuplicates: true)
    guard let root = try? JSONParser.read(bytes, in: bytes.indices, limits),
      case .object(let hosts) = root.value, !hosts.isEmpty
    else { return nil }
    var found = KeyImport(.bumble)
    var isStore = false
    for host in hosts {
      guard case .object(let peers) = host.value.value else { return nil }
      for peer in peers {
        guard case .object(let members) = peer.value.value else { return nil }
        // `C0:DE:00:00:00:01/P` is a public address.
        let address = BluetoothAddress(peer.name.prefix { $0 != "/" })
        for (name, kind) in kinds {
          guard let node = members.first(where: { $0.name == name })?.value,
            case .object(let key) = node.value,
            case .string(let range) = key.first(where: { $0.name == "value" })?.value.value
          else { continue }
          isStore = true
          found.add(kind, Hex.bytes(String(decoding: bytes[range], as: UTF8.self)), address)
        }
      }
    }
    return isStore ? found : nil
  }
}

/// A key log: each line is an entry of `sessionKeys`.
enum KeyLogFile {
  static func read(_ bytes: [UInt8], _ path: String) -> KeyImport? {
    guard bytes.first == UInt8(ascii: "{") else { return nil }
    var found = KeyImport(.keyLog)
    for line in bytes.split(separator: 0x0A) where line.contains(where: { $0 > 0x20 }) {
      let text =
        Array(#"{"format":"hark-keys","version":1,"sessionKeys":["#.utf8) + line + Array("]}".utf8)
      if let file = try? KeyFile(text, name: path) {
        found.keys += file.keys
      } else {
        found.unreadable += 1
      }
    }
    return found.keys.isEmpty ? nil : found
  }
}
