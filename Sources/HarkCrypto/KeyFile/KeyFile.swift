/// The keys a user gives, in JSON. The file's form is described in docs/key-file.md.
public struct KeyFile: Sendable {
  public var note: String?
  /// Whether the file says that its keys protect nothing.
  public var isTest = false
  /// In the order of the file.
  public var keys: [StoredKey] = []
  /// How many keys there are.
  public var count: Int { keys.count }
  /// What the user should know, in whole sentences: others may read the file.
  public internal(set) var warnings: [String] = []

  /// Longer files are refused unread.
  public static let longest = 32 << 20

  public init() {}

  /// Reads the text of a key file.
  /// - Parameter name: The file's name, for messages and as the origin of its keys.
  /// - Throws: `KeyFileError` with all errors at once.
  public init(_ bytes: [UInt8], name: String) throws(KeyFileError) {
    var parser = KeyFileParser(bytes: bytes, name: name)
    self = try parser.parse()
  }

  public var accessoryKeys: [AccessoryKey] {
    keys.compactMap { if case .accessory(let key) = $0 { key } else { nil } }
  }

  public var sessionKeys: [SessionKey] {
    keys.compactMap { if case .session(let key) = $0 { key } else { nil } }
  }

  public var internetKeys: [InternetKey] {
    keys.compactMap { if case .internet(let key) = $0 { key } else { nil } }
  }

  /// Of pairing, and of proximity pairing.
  public var bondingKeys: [BondingKey] {
    keys.compactMap { if case .bonding(let key) = $0 { key } else { nil } }
  }
}
