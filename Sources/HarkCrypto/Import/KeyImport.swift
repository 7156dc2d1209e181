import HarkCore

/// Keys in the files of other programs. hark detects the kind of a file from its content.
public struct KeyImport: Sendable {
  public enum Format: String, Sendable, CaseIterable {
    case bluez = "BlueZ info file"
    case bumble = "Bumble key store"
    case android = "Android bt_config.conf"
    case pem = "PEM"
    case der = "DER"
    case keyLog = "key log"
    case log = "log with keys"
    case hex = "hexadecimal digits"
  }

  public let format: Format
  public internal(set) var keys: [StoredKey] = []
  /// Entries that look like keys but are not: encrypted by the system, truncated, or of the wrong size.
  public internal(set) var unreadable = 0

  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    case unknown
    case noKeys(Format)
    case problem(String)

    public var description: String {
      switch self {
      case .unknown:
        "no keys that hark recognizes: not a BlueZ info file, Bumble key store, Android "
          + "bt_config.conf, PEM, DER, key log, or log of Zephyr, NimBLE or ESP-IDF"
      case .noKeys(let format): "a \(format.rawValue) without keys"
      case .problem(let text): text
      }
    }
  }

  /// Facts that the bytes do not contain: bare digits may be any key.
  public struct Hint: Sendable {
    public var kind: StoredKey.Kind?
    public var suite: CipherSuite?
    public var address: BluetoothAddress?
    /// Whether digits are in the byte order of SMP and HCI.
    public var isLeastSignificantFirst = false

    public init() {}
  }

  init(_ format: Format) { self.format = format }

  /// Longer files are refused.
  public static let longest = 64 << 20

  /// - Parameter path: The file's name, which is noted as each key's source; a folder in it may be the device's
  ///   address.
  public static func read(
    _ bytes: [UInt8], path: String, hint: Hint = Hint()
  ) throws(Failure) -> KeyImport {
    if bytes.isEmpty { throw .problem("the file is empty") }
    guard var found = try reading(bytes, path, hint) else {
      guard let kind = hint.kind, FileContents(bytes) == nil else { throw .unknown }
      throw .problem(
        "no hexadecimal digits of a key (--kind \(kind.rawValue)), only other text")
    }
    guard !found.keys.isEmpty else { throw .noKeys(found.format) }
    for index in found.keys.indices where found.keys[index].details.source == nil {
      found.keys[index].details.source = path
    }
    return found
  }

  private static func reading(
    _ bytes: [UInt8], _ path: String, _ hint: Hint
  ) throws(Failure) -> KeyImport? {
    if let key = try PrivateKeyFile.read(bytes, path) { return key }
    if let store = BumbleStore.read(bytes) { return store }
    if let log = KeyLogFile.read(bytes, path) { return log }
    let lines = bytes.split(separator: 0x0A).map { line in
      String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
    if let file = SettingsFile(lines) {
      if file.isAndroid { return AndroidConfiguration.read(file) }
      if file.isBlueZ { return BlueZInfo.read(file, path) }
    }
    if let digits = try BareKey.read(lines, hint) { return digits }
    return StackLog.read(lines)
  }

  /// Adds a key of pairing with its octets as SMP and HCI send them, least significant first.
  mutating func add(
    _ kind: BondingKey.Kind, _ octets: [UInt8]?, _ address: BluetoothAddress?, name: String? = nil
  ) {
    guard var octets, octets.count == 16,
      var key = try? BondingKey(kind, &octets, address: address, origin: .file(""))
    else {
      unreadable += 1
      return
    }
    // A device without an IRK sends zeros: Vol 3, Part H, 2.4.2.1.
    guard kind != .identityResolvingKey || octetsAreSet(key) else { return }
    key.details.name = name
    keys.append(.bonding(key))
  }

  private func octetsAreSet(_ key: BondingKey) -> Bool {
    unsafe key.secret.withBytes { unsafe $0.contains { $0 != 0 } }
  }
}
